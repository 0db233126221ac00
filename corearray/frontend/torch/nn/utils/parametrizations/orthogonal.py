"""Weights that are orthogonal matrices, computed from matrices without constraints.

Source: Lezcano-Casado, Trivializations for gradient-based optimization on manifolds, 2019.
"""

from __future__ import annotations

from typing import Any

from corearray.errors import CoreArrayNotImplementedError, CoreArrayValueError
from corearray.frontend.torch.grad_mode import no_grad
from corearray.frontend.torch.nn.module import Module
from corearray.frontend.torch.nn.utils.parametrize import register_parametrization
from corearray.frontend.torch.wrapper import Tensor

__all__ = ["orthogonal"]

_MAPS = ("matrix_exp", "cayley", "householder")


def _tall(x: Tensor) -> tuple[Any, bool]:
    """Return a matrix with at least as many rows as columns, and whether it is transposed."""
    wide = x.shape[-2] < x.shape[-1]
    return (x.mT if wide else x), wide


def _orthogonalized(x: Tensor) -> Any:
    """Return the orthogonal factor of a matrix whose other factor has a positive diagonal."""
    q, r = x._frontend.linalg.qr(x)
    return q * r.diagonal(dim1=-2, dim2=-1).sgn().unsqueeze(-2)


def _reflectors(matrix: Tensor) -> Any:
    """Return the reflectors of a QR decomposition below the signs by which their product becomes the orthogonal factor."""
    torch, (rows, columns) = matrix._frontend, matrix.shape[-2:]
    vectors, signs = [], []
    for j in range(columns):
        x = matrix[..., j:, j]
        first, below = x[..., :1], (x[..., 1:] ** 2).sum(-1, keepdim=True)
        done, length = below == 0, (first**2 + below).sqrt()
        diagonal = torch.where(done, -first, torch.where(first < 0, length, -length))
        tail = torch.where(done, 0.0, x[..., 1:] / torch.where(done, 1.0, first - diagonal))
        vector = torch.nn.functional.pad(torch.cat([torch.ones_like(first), tail], -1), (j, 0)).unsqueeze(-1)
        factor = 2 / (vector**2).sum(-2, keepdim=True)
        matrix = matrix - factor * torch.matmul(vector, torch.matmul(vector.mT, matrix))
        vectors.append(vector)
        signs.append(diagonal.sign())
    placed = torch.nn.functional.pad(torch.cat(signs, -1).diag_embed(), (0, 0, 0, rows - columns))
    return torch.cat(vectors, -1).tril(-1) + placed


class _Orthogonal(Module):
    """The map, with the matrix that is multiplied by its result as the buffer `base` if it is a trivialisation."""

    base: Tensor

    def __init__(self, shape: Any, orthogonal_map: str, use_trivialization: bool) -> None:
        super().__init__()
        self.shape, self.orthogonal_map = tuple(shape), orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, x: Tensor) -> Any:
        """Return the orthogonal matrix."""
        torch = x._frontend
        matrix, wide = _tall(x)
        rows, columns = matrix.shape[-2:]
        if self.orthogonal_map == "householder":
            below = matrix.tril(-1)
            factors = 2.0 / (1.0 + (below * below).sum(-2))
            signs = matrix.detach().diagonal(dim1=-2, dim2=-1).sign()
            found = torch.linalg.householder_product(below, factors) * signs.unsqueeze(-2)
        else:
            lower = torch.nn.functional.pad(matrix.tril(), (0, rows - columns))
            skew = lower - lower.mH
            if self.orthogonal_map == "matrix_exp":
                found = torch.matrix_exp(skew)
            else:
                one = torch.eye(rows, dtype=x.dtype)
                found = torch.linalg.solve(one - 0.5 * skew, one + 0.5 * skew)
            found = found[..., :columns]
        if "base" in self._buffers:
            found = torch.matmul(self.base, found)
        return found.mT if wide else found

    def right_inverse(self, value: Tensor) -> Any:
        """Return a matrix that becomes a given one, made orthogonal if it is not."""
        if tuple(value.shape) != self.shape:
            raise CoreArrayValueError(
                f"expected a matrix or batch of matrices of shape {self.shape}, got {value.shape}"
            )
        torch = value._frontend
        with no_grad():
            matrix, wide = _tall(value)
            if "base" in self._buffers:
                self.base = self._completed(matrix)
                minus = -torch.eye(*value.shape[-2:], dtype=value.dtype)
                return minus.expand(*value.shape).clone()
            if self.orthogonal_map != "householder":
                raise CoreArrayNotImplementedError(
                    "matrices cannot be assigned to the maps 'matrix_exp' and 'cayley' with use_trivialization=False"
                )
            found = _reflectors(matrix)
        return found.mT if wide else found

    def _completed(self, matrix: Tensor) -> Any:
        """Return a square orthogonal matrix that begins with the columns of a matrix."""
        torch = matrix._frontend
        rows, columns = matrix.shape[-2:]
        if rows > columns:
            further = torch.randn(*matrix.shape[:-2], rows, rows - columns, dtype=matrix.dtype)
            return _orthogonalized(torch.cat([matrix, further], -1))
        products = torch.matmul(matrix.mH, matrix)
        eps = 10 * rows * torch.finfo(matrix.dtype).eps
        fits = bool(torch.isclose(products, torch.eye(rows, dtype=matrix.dtype), rtol=0.0, atol=eps).all())
        return matrix.clone() if fits else _orthogonalized(matrix)


def orthogonal(
    module: Module, name: str = "weight", orthogonal_map: str | None = None, *, use_trivialization: bool = True
) -> Module:
    """Compute a weight that is an orthogonal matrix, or has orthonormal rows or columns.

    Parameters
    ----------
    module, name
        The module, and the name of its parameter.
    orthogonal_map
        `"matrix_exp"`, `"cayley"` or `"householder"`; by default the first for square and complex matrices, and else the
        last.
    use_trivialization
        Whether the map starts from the matrix that was set last, which is the buffer `base`.

    Raises
    ------
    ValueError
        If there is no such matrix or map.

    Examples
    --------
    >>> import corearray.frontend.torch as torch
    >>> layer = torch.nn.utils.parametrizations.orthogonal(torch.nn.Linear(3, 3))
    >>> bool(torch.allclose(layer.weight.T @ layer.weight, torch.eye(3), atol=1e-5))
    True
    """
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise CoreArrayValueError(f"'{type(module).__name__}' has no parameter or buffer with name '{name}'")
    if weight.ndim < 2:
        raise CoreArrayValueError(f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions.")
    is_complex = weight.array.dtype.category == "complex floating"
    if orthogonal_map is None:
        orthogonal_map = "matrix_exp" if weight.shape[-2] == weight.shape[-1] or is_complex else "householder"
    if orthogonal_map not in _MAPS:
        raise CoreArrayValueError(
            f'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: {orthogonal_map}'
        )
    if is_complex and orthogonal_map == "householder":
        raise CoreArrayValueError("The householder parametrization does not support complex tensors.")
    return register_parametrization(
        module, name, _Orthogonal(weight.shape, orthogonal_map, use_trivialization), unsafe=True
    )
