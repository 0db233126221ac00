"""Functions of matrices: one task for each chunk of the batch."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_dask.blocks import batched
from corearray_dask.native import HALF


@hookimpl(via=HALF)
def cond(x: Any, /, *, p: Any = None) -> Any:
    return batched("linalg.cond", [2], x, p=p)


@hookimpl(when=lambda d, e, select="a", select_range=None: select == "a", via=HALF)
def eigh_tridiagonal(d: Any, e: Any, /, *, select: str = "a", select_range: Any = None) -> Any:
    return batched("linalg.eigh_tridiagonal", [1, 1], d, e)


@hookimpl(via=HALF)
def lstsq(x1: Any, x2: Any, /, *, rcond: float | None = None) -> Any:
    return batched("linalg.lstsq", [2, 1 if x2.ndim == 1 else 2], x1, x2, rcond=rcond)


@hookimpl(via=HALF)
def lu_factor(x: Any, /) -> Any:
    return batched("linalg.lu_factor", [2], x)


@hookimpl(via=HALF)
def matrix_exp(x: Any, /) -> Any:
    return batched("linalg.matrix_exp", [2], x)


@hookimpl(via=HALF)
def solve_triangular(x1: Any, x2: Any, /, *, trans: Any = 0, lower: bool = False, unit_diagonal: bool = False) -> Any:
    core = [2, 1 if x2.ndim == 1 else 2]
    return batched("linalg.solve_triangular", core, x1, x2, trans=trans, lower=lower, unit_diagonal=unit_diagonal)
