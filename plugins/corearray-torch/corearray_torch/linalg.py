"""Linear algebra on the last two axes; all axes before them are a batch."""

from __future__ import annotations

import math
from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch import statistical
from corearray_torch.native import BITS, HALF, TRUTH_AS_NUMBERS, VALUES, extreme, finite_sum, transforming, with_axes


@hookimpl(via=HALF)
def cholesky(x: Any, /, upper: bool = False) -> Any:
    x, broken = _finite(x, lower=not upper)
    return _spoiled(torch.linalg.cholesky(x, upper=upper), broken)


@hookimpl(via=BITS)
def cross(x1: Any, x2: Any, /, axis: int = -1) -> Any:
    if x1.ndim != x2.ndim:
        _require_negative(axis)
    if x1.shape[axis] != 3 or x2.shape[axis] != 3:
        raise ValueError(f"'cross' got the shapes {tuple(x1.shape)} and {tuple(x2.shape)}; axis {axis} must be 3 long")
    if x1.ndim != x2.ndim:
        x1, x2 = torch.broadcast_tensors(x1, x2)
    return torch.linalg.cross(x1, x2, dim=axis)


@hookimpl(via=HALF)
def det(x: Any, /) -> Any:
    """Determine; torch's own derivative is 0 where the determinant is, and that of it NaN."""
    x, broken = _finite(x)
    value = torch.linalg.det(x)
    if (x.requires_grad or transforming()) and extreme(torch.count_nonzero, value) != value.numel():
        value = _determinant(x, value.detach() == 0)
    return _spoiled(value, broken)


@hookimpl
def diagonal(x: Any, /, offset: int = 0) -> Any:
    if x.ndim < 2:
        raise ValueError(f"'diagonal' takes matrices, got an array of shape {tuple(x.shape)}")
    return x.diagonal(offset, -2, -1)


@hookimpl(via=HALF)
def eig(x: Any, /) -> Any:
    x, broken = _finite(x)
    parts = torch.linalg.eig(x)
    return parts if broken is None else tuple(_spoiled(part, broken) for part in parts)


@hookimpl(via=HALF)
def eigh(x: Any, /) -> Any:
    x, broken = _finite(x, lower=True)
    parts = torch.linalg.eigh(x)
    return parts if broken is None else tuple(_spoiled(part, broken) for part in parts)


@hookimpl(via=HALF)
def eigvals(x: Any, /) -> Any:
    x, broken = _finite(x)
    return _spoiled(torch.linalg.eigvals(x), broken)


@hookimpl(via=HALF)
def eigvalsh(x: Any, /) -> Any:
    x, broken = _finite(x, lower=True)
    return _spoiled(torch.linalg.eigvalsh(x), broken)


def _finite(x: Any, *, lower: bool = False) -> tuple[Any, Any]:
    """Return the matrices, with identities for those that hold NaN or an infinity, and which do, or `None`.

    torch raises for the whole batch if one matrix is not finite, and LAPACK's loop never ends for some (torch 2.13,
    numpy/numpy#32591; no fixed version is known). With `lower`, only the lower triangle counts. Where nobody can look, as in
    compiled programs, the program looks.
    """
    known = True if x.ndim < 2 else finite_sum(x)  # torch says what is wrong with a vector
    if known:
        return x, None
    broken = ~(x.detach().tril() if lower else x.detach()).isfinite().all(-1).all(-1)
    if known is False and not broken.any():
        return x, None
    return torch.where(broken[..., None, None], torch.eye(*x.shape[-2:], dtype=x.dtype, device=x.device), x), broken


@hookimpl(via=HALF)
def inv(x: Any, /) -> Any:
    x, broken = _finite(x)
    return _spoiled(torch.linalg.inv(x), broken)


@hookimpl(native=torch.Tensor.matmul, trusts_framework=True, via=BITS | TRUTH_AS_NUMBERS)
def matmul(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(via=HALF)
def matrix_norm(x: Any, /, keepdims: bool = False, ord: Any = "fro") -> Any:
    if ord not in (2, -2, "nuc"):
        return torch.linalg.matrix_norm(x, "fro" if ord is None else ord, keepdim=keepdims)
    x, broken = _finite(x)
    if keepdims and broken is not None:
        broken = broken[..., None, None]
    return _spoiled(torch.linalg.matrix_norm(x, ord, keepdim=keepdims), broken)


@hookimpl(via=HALF)
def matrix_power(x: Any, n: int, /) -> Any:
    return torch.linalg.matrix_power(x, n) if n >= 0 else torch.linalg.matrix_power(inv(x), -n)


@hookimpl(via=HALF)
def matrix_rank(x: Any, /, rtol: Any = None) -> Any:
    x, broken = _finite(x)
    rank = torch.linalg.matrix_rank(x, rtol=rtol)
    return rank if broken is None else torch.where(broken, 0, rank)


@hookimpl
def matrix_transpose(x: Any, /) -> Any:
    return with_axes(x).mT


@hookimpl(native=torch.outer, via=BITS)
def outer(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(via=HALF)
def pinv(x: Any, /, rtol: Any = None) -> Any:
    x, broken = _finite(x)
    return _spoiled(torch.linalg.pinv(x, rtol=rtol), broken)


def _spoiled(x: Any, broken: Any) -> Any:
    """Put NaN where a matrix was not finite."""
    if broken is None:
        return x
    return torch.where(broken.reshape(broken.shape + (1,) * (x.ndim - broken.ndim)), math.nan, x)


@hookimpl(via=HALF)
def qr(x: Any, /, mode: str = "reduced") -> Any:
    x, broken = _finite(x)
    return tuple([_spoiled(part, broken) for part in torch.linalg.qr(x, mode)])


@hookimpl(via=HALF)
def slogdet(x: Any, /) -> Any:
    x, broken = _finite(x)
    sign, logarithm = torch.linalg.slogdet(x)
    return _spoiled(sign, broken), _spoiled(logarithm, broken)


@hookimpl(via=HALF)
def solve(x1: Any, x2: Any, /) -> Any:
    """Solve for one vector or for matrices; torch would take a matrix of the right shape for a batch of vectors."""
    vector = x2.ndim == 1
    if vector:
        x2 = x2.unsqueeze(-1)
    if x2.ndim == x1.ndim - 1:
        x2 = x2.unsqueeze(0)
    x1, broken = _finite(x1)
    solution = torch.linalg.solve(x1, x2)
    if broken is not None:
        solution = torch.where(broken[..., None, None], math.nan, solution)
    return solution.squeeze(-1) if vector else solution


@hookimpl(via=HALF)
def svd(x: Any, /, full_matrices: bool = True) -> Any:
    x, broken = _finite(x)
    parts = torch.linalg.svd(x, full_matrices)
    return parts if broken is None else tuple(_spoiled(part, broken) for part in parts)


@hookimpl(via=HALF)
def svdvals(x: Any, /) -> Any:
    x, broken = _finite(x)
    return _spoiled(torch.linalg.svdvals(x), broken)


@hookimpl(via=BITS | TRUTH_AS_NUMBERS)
def tensordot(x1: Any, x2: Any, /, axes: Any = 2) -> Any:
    if isinstance(axes, int):
        lengths, others = x1.shape[x1.ndim - axes :], x2.shape[:axes]
    else:
        axes = tuple([part] if isinstance(part, int) else list(part) for part in axes)
        lengths, others = [x1.shape[i] for i in axes[0]], [x2.shape[i] for i in axes[1]]
    if list(lengths) != list(others):
        raise ValueError(f"'tensordot' got the shapes {tuple(x1.shape)} and {tuple(x2.shape)} with axes={axes}")
    return torch.tensordot(x1, x2, axes)


@hookimpl(via=VALUES)
def trace(x: Any, /, offset: int = 0, dtype: Any = None) -> Any:
    if x.ndim < 2:
        raise ValueError(f"'trace' takes matrices, got an array of shape {tuple(x.shape)}")
    return statistical.sum(x.diagonal(offset, -2, -1), -1, dtype)


@hookimpl(via=BITS)
def vecdot(x1: Any, x2: Any, /, axis: int = -1) -> Any:
    if x1.shape != x2.shape:
        if x1.ndim != x2.ndim:
            _require_negative(axis)
        if x1.shape[axis] != x2.shape[axis]:
            raise ValueError(
                f"'vecdot' got the shapes {tuple(x1.shape)} and {tuple(x2.shape)}, unequal along axis {axis}"
            )
    if not -x1.ndim <= axis < x1.ndim:
        raise IndexError(f"axis {axis} of arrays with {x1.ndim} axes")
    if x1.is_floating_point() or x1.is_complex():
        return torch.linalg.vecdot(with_axes(x1), x2, dim=axis)
    return (with_axes(x1) * x2).sum(axis, dtype=x1.dtype)


@hookimpl(via=HALF)
def vector_norm(x: Any, /, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    if axis == ():
        return x.abs() if ord else x.abs().ne(0).to(x.real.dtype)
    if ord == math.inf and not x.numel():
        ord = 1  # torch knows no greatest of nothing; the norm is 0 whatever its order
    if not ord and x.is_complex():
        x = x.abs()  # of complex numbers torch counts with a warning
    return torch.linalg.vector_norm(x if axis is None else with_axes(x), ord, axis, keepdims)


def _determinant(x: Any, singular: Any) -> Any:
    """Return determinants that have derivatives where they are zero."""
    marks, identity = singular[..., None, None], torch.eye(x.shape[-1], dtype=x.dtype, device=x.device)
    changes = (_expanded if x.shape[-1] <= 3 else _of_singular)(torch.where(marks, x, identity))
    return torch.where(singular, changes - changes.detach(), torch.linalg.det(torch.where(marks, identity, x)))


def _expanded(x: Any) -> Any:
    """Return determinants of small matrices by their definition."""
    if x.shape[-1] == 3:
        return (x[..., 0, :] * torch.linalg.cross(x[..., 1, :], x[..., 2, :])).sum(-1)
    return x[..., 0, 0] * x[..., 1, 1] - x[..., 0, 1] * x[..., 1, 0] if x.shape[-1] == 2 else x[..., 0, 0]


def _of_singular(x: Any) -> Any:
    """Return something with the first and second derivatives of the determinant of singular matrices.

    In the bases of the singular vectors such a matrix has no other elements than those in the diagonal, so that the changes
    of its elements by one and by two make up its determinant.
    """
    left, values, right = torch.linalg.svd(x.detach())
    rows = values[..., None, :].expand(values.shape + values.shape[-1:]).clone()
    rows.diagonal(0, -2, -1).fill_(1)
    ones = torch.ones_like(rows[..., :1])
    before = torch.cat([ones, rows[..., :-1]], -1).cumprod(-1)
    after = torch.cat([rows[..., 1:], ones], -1).flip(-1).cumprod(-1).flip(-1)
    others = (before * after).to(x.dtype)  # the products of all singular values but those of row and column
    changes = left.mH @ (x - x.detach()) @ right.mH
    own = changes.diagonal(0, -2, -1)
    by_one = (others.diagonal(0, -2, -1) * own).sum(-1)
    pairs = others - torch.diag_embed(others.diagonal(0, -2, -1))
    by_two = (pairs * (own[..., :, None] * own[..., None, :] - changes * changes.mT)).sum((-2, -1))
    turn = torch.linalg.det(left) * torch.linalg.det(right)
    return turn * (by_one + by_two / 2)


def _require_negative(axis: int) -> None:
    if axis >= 0:
        raise IndexError(f"axis {axis} of arrays with different numbers of axes; count it from the end")
