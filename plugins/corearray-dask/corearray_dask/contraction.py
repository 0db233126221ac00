"""Sums of products by an equation."""

from __future__ import annotations

from typing import Any

import dask.array as da

from corearray.plugin import hookimpl


@hookimpl
def einsum(equation: str, /, *operands: Any) -> Any:
    result = da.einsum(equation, *operands)
    return result if result.dtype == operands[0].dtype else result.astype(operands[0].dtype)
