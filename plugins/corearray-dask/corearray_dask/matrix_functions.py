"""Roots, logarithms and equations of matrices: one task for each chunk of the batch."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_dask.blocks import batched
from corearray_dask.native import HALF


@hookimpl(via=HALF)
def logm(x: Any, /) -> Any:
    return batched("linalg.logm", [2], x)


@hookimpl(via=HALF)
def solve_sylvester(a: Any, b: Any, q: Any, /) -> Any:
    return batched("linalg.solve_sylvester", [2, 2, 2], a, b, q)


@hookimpl(via=HALF)
def sqrtm(x: Any, /) -> Any:
    return batched("linalg.sqrtm", [2], x)
