"""Bits: one task a chunk each."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_dask.blocks import each


@hookimpl(scalars=True)
def bitwise_and(x1: Any, x2: Any, /) -> Any:
    return each("bitwise_and", x1, x2)


@hookimpl
def bitwise_invert(x: Any, /) -> Any:
    return each("bitwise_invert", x)


@hookimpl(scalars=True)
def bitwise_left_shift(x1: Any, x2: Any, /) -> Any:
    return each("bitwise_left_shift", x1, x2)


@hookimpl(scalars=True)
def bitwise_or(x1: Any, x2: Any, /) -> Any:
    return each("bitwise_or", x1, x2)


@hookimpl(scalars=True)
def bitwise_right_shift(x1: Any, x2: Any, /) -> Any:
    return each("bitwise_right_shift", x1, x2)


@hookimpl(scalars=True)
def bitwise_xor(x1: Any, x2: Any, /) -> Any:
    return each("bitwise_xor", x1, x2)
