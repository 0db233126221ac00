"""Casts. NumPy only warns when it drops imaginary parts; here it is an error."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_numpy.native import COMPLEX
from corearray_numpy.tracer import shown


@hookimpl
def astype(x: Any, dtype: Any, /, copy: bool = True) -> Any:
    if x.dtype in COMPLEX and dtype not in COMPLEX and dtype.kind not in "bc":
        raise TypeError(f"'{x.dtype}' is not cast to '{dtype}'; take the real part or the absolute value first")
    return (shown(x) if copy else x).astype(dtype, copy=copy)
