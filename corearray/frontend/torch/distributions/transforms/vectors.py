"""Transforms of vectors and matrices: onto the simplex, triangular and positive definite matrices, correlations."""

from __future__ import annotations

import math
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayValueError
from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.transforms.base import Transform
from corearray.frontend.torch.distributions.transforms.elementwise import clipped_sigmoid
from corearray.frontend.torch.distributions.utils import tril_matrix_to_vec, vec_to_tril_matrix
from corearray.frontend.torch.owner import torch_of
from corearray.frontend.torch.size import Size

__all__ = [
    "CorrCholeskyTransform", "LowerCholeskyTransform", "PositiveDefiniteTransform", "SoftmaxTransform",
    "StickBreakingTransform",
]  # fmt: skip


def _need_axes(shape: Any, count: int) -> None:
    if len(shape) < count:
        raise CoreArrayValueError(f"Too few dimensions on input: {count} are needed, the shape is {tuple(shape)}")


def _behind_ones(x: Any) -> Any:
    """Return a one in front of all but the last element."""
    return torch_of(x).nn.functional.pad(x[..., :-1], (1, 0), value=1.0)


class _OneKind(Transform):
    """A transform without parameters: all of a class are equal."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    __hash__ = None


class SoftmaxTransform(_OneKind):
    """Vectors of numbers to probabilities, by exponentials; many vectors become the same."""

    domain = constraints.real_vector
    codomain = constraints.simplex

    def _call(self, x: Any) -> Any:
        return x.softmax(-1)

    def _inverse(self, y: Any) -> Any:
        return y.log()

    def forward_shape(self, shape: Any) -> Any:
        """Return the shape of the result for a shape."""
        _need_axes(shape, 1)
        return shape

    inverse_shape = forward_shape


class StickBreakingTransform(_OneKind):
    """Vectors of numbers to probabilities, of which there is one more: each element takes its share of what is left."""

    domain = constraints.real_vector
    codomain = constraints.simplex
    bijective = True

    def _shift(self, x: Any, size: int) -> Any:
        """Return what is subtracted, so that zeros become equal probabilities."""
        return torch_of(x).arange(size, 0, -1, dtype=x.dtype, device=x.device).log()

    def _call(self, x: Any) -> Any:
        pad = torch_of(x).nn.functional.pad
        share = clipped_sigmoid(x - self._shift(x, x.shape[-1]))
        left = (1 - share).cumprod(-1)
        return pad(share, (0, 1), value=1.0) * pad(left, (1, 0), value=1.0)

    def _inverse(self, y: Any) -> Any:
        first = y[..., :-1]
        left = (1 - first.cumsum(-1)).clamp(min=float(ca.finfo(y.dtype).smallest_normal))
        return first.log() - left.log() + self._shift(y, first.shape[-1])

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Return the logarithm of `|dy/dx|`."""
        x = x - self._shift(x, x.shape[-1])
        return (torch_of(x).nn.functional.logsigmoid(x) - x + y[..., :-1].log()).sum(-1)

    def forward_shape(self, shape: Any) -> Any:
        """Return the shape of the result for a shape."""
        _need_axes(shape, 1)
        return Size((*shape[:-1], shape[-1] + 1))

    def inverse_shape(self, shape: Any) -> Any:
        """Return the shape that results in a shape."""
        _need_axes(shape, 1)
        return Size((*shape[:-1], shape[-1] - 1))


class CorrCholeskyTransform(_OneKind):
    """Vectors to Cholesky factors of correlation matrices.

    The hyperbolic tangents of the elements are the entries below the diagonal, row by row, each times the root of what
    the squares before it in its row have left of one.
    """

    domain = constraints.real_vector
    codomain = constraints.corr_cholesky
    bijective = True

    def _call(self, x: Any) -> Any:
        eps = float(ca.finfo(x.dtype).eps)
        entries = vec_to_tril_matrix(x.tanh().clamp(min=-1 + eps, max=1 - eps), -1)
        left = (1 - entries**2).sqrt().cumprod(-1)
        ones = torch_of(x).eye(entries.shape[-1], dtype=x.dtype, device=x.device)
        return (entries + ones) * _behind_ones(left)

    def _inverse(self, y: Any) -> Any:
        left = _behind_ones(1 - (y * y).cumsum(-1))
        return (tril_matrix_to_vec(y, -1) / tril_matrix_to_vec(left, -1).sqrt()).atanh()

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Return the logarithm of `|dy/dx|`, `y` being its entries below the diagonal."""
        left = tril_matrix_to_vec(1 - (y * y).cumsum(-1), -2)
        softplus = torch_of(x).nn.functional.softplus
        return 0.5 * left.log().sum(-1) - 2 * (x + softplus(-2 * x) - math.log(2.0)).sum(-1)

    def forward_shape(self, shape: Any) -> Any:
        """Return the shape of the result for a shape."""
        _need_axes(shape, 1)
        size = (1 + math.isqrt(1 + 8 * shape[-1])) // 2
        if size * (size - 1) // 2 != shape[-1]:
            raise CoreArrayValueError(f"Input is not a flattened lower-diagonal number: {shape[-1]}")
        return Size((*shape[:-1], size, size))

    def inverse_shape(self, shape: Any) -> Any:
        """Return the shape that results in a shape."""
        _need_axes(shape, 2)
        if shape[-2] != shape[-1]:
            raise CoreArrayValueError(f"Input is not square: {tuple(shape)}")
        return Size((*shape[:-2], shape[-1] * (shape[-1] - 1) // 2))


class LowerCholeskyTransform(_OneKind):
    """Matrices to lower triangular ones with the exponentials of the diagonal."""

    domain = constraints.independent(constraints.real, 2)
    codomain = constraints.lower_cholesky

    def _call(self, x: Any) -> Any:
        return x.tril(-1) + x.diagonal(dim1=-2, dim2=-1).exp().diag_embed()

    def _inverse(self, y: Any) -> Any:
        return y.tril(-1) + y.diagonal(dim1=-2, dim2=-1).log().diag_embed()


class PositiveDefiniteTransform(_OneKind):
    """Matrices to positive definite ones, by their Cholesky factors."""

    domain = constraints.independent(constraints.real, 2)
    codomain = constraints.positive_definite

    def _call(self, x: Any) -> Any:
        factor = LowerCholeskyTransform()(x)
        return torch_of(x).matmul(factor, factor.mT)

    def _inverse(self, y: Any) -> Any:
        return LowerCholeskyTransform().inv(torch_of(y).linalg.cholesky(y))
