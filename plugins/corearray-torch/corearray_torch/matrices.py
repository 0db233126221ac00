"""Linear algebra beyond the standard's; what does not match is left to the compositions, which say so."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import HALF, finite_sum

_TRANSPOSITIONS = {0: 0, 1: 1, 2: 2, "N": 0, "T": 1, "C": 2}


def _is_square(x: Any) -> bool:
    return x.ndim >= 2 and x.shape[-1] == x.shape[-2]


def _match(x1: Any, x2: Any, trans: Any) -> bool:
    return (
        trans in _TRANSPOSITIONS
        and _is_square(x1)
        and x2.ndim > 0
        and x2.shape[0 if x2.ndim == 1 else -2] == x1.shape[-1]
    )


@hookimpl(via=HALF, when=lambda x: x.ndim >= 2)
def lu_factor(x: Any, /) -> tuple[Any, Any]:
    found, pivots, _ = torch.linalg.lu_factor_ex(x)
    return found, pivots.long() - 1


@hookimpl(
    via=HALF,
    when=lambda lu, pivots, b, trans: (
        _match(lu, b, trans)
        and pivots.shape == lu.shape[:-1]
        and not (pivots.is_floating_point() or pivots.is_complex() or pivots.dtype is torch.bool)
    ),
)
def lu_solve(lu: Any, pivots: Any, b: Any, /, *, trans: Any = 0) -> Any:
    """Torch solves with the matrix or its adjoint; with its transpose the conjugated solution solves for the conjugated sides.

    It reads sides that are conjugated lazily as if they were not.
    """
    how = _TRANSPOSITIONS[trans]
    sides = b.unsqueeze(-1) if b.ndim == 1 else b
    batch = torch.broadcast_shapes(lu.shape[:-2], sides.shape[:-2])
    rows = lu.shape[-1]
    pivots = pivots.long()
    pivots = torch.where(pivots < 0, pivots + rows, pivots).clamp(-1, rows).int() + 1  # torch refuses 0 and rows + 1
    lu, pivots = lu.expand(*batch, *lu.shape[-2:]), pivots.expand(*batch, pivots.shape[-1])
    sides = sides.expand(*batch, *sides.shape[-2:])
    if how == 1 and b.is_complex():
        sides = sides.conj_physical()
    found = torch.linalg.lu_solve(lu, pivots, sides, adjoint=how > 0)
    found = found.conj_physical() if how == 1 and b.is_complex() else found
    return found.squeeze(-1) if b.ndim == 1 else found


@hookimpl(via=HALF, when=_is_square)
def matrix_exp(x: Any, /) -> Any:
    """Exponentiate, on CPUs at once where all elements are finite, of which a finite sum is the proof."""
    if finite_sum(x):
        return torch.linalg.matrix_exp(x)
    finite = x.isfinite().flatten(-2).all(-1)[..., None, None]
    return torch.linalg.matrix_exp(x.where(finite, 0)).where(finite, float("nan"))


@hookimpl(via=HALF, when=lambda x1, x2, trans: _match(x1, x2, trans))
def solve_triangular(x1: Any, x2: Any, /, *, trans: Any = 0, lower: bool = False, unit_diagonal: bool = False) -> Any:
    how = _TRANSPOSITIONS[trans]
    matrices = (x1, x1.mT, x1.mH)[how]
    sides = x2.unsqueeze(-1) if x2.ndim == 1 else x2
    found = torch.linalg.solve_triangular(
        matrices, sides, upper=bool(lower) == (how > 0), unitriangular=bool(unit_diagonal)
    )
    return found.squeeze(-1) if x2.ndim == 1 else found
