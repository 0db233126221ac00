"""Operations on the bits of integers and on booleans; operators take Python scalars on either side."""

from __future__ import annotations

import operator
from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import BITS, OWN_UINT64, TRUTH_TO_INT8, WIDE

_MAX = torch.iinfo(torch.int64).max


@hookimpl(native=operator.and_, scalars=True, via=BITS)
def bitwise_and(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=operator.invert, via=BITS)
def bitwise_invert(x: Any, /) -> Any: ...


@hookimpl(native=torch.bitwise_left_shift, scalars=True, via=BITS | TRUTH_TO_INT8)
def bitwise_left_shift(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=operator.or_, scalars=True, via=BITS)
def bitwise_or(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(scalars=True, via=WIDE | OWN_UINT64 | TRUTH_TO_INT8)
def bitwise_right_shift(x1: Any, x2: Any, /) -> Any:
    if getattr(x1, "dtype", None) is torch.uint64:
        return _shifted(x1.view(torch.int64), x2.view(torch.int64)).view(torch.uint64)
    return torch.bitwise_right_shift(x1, x2)


@hookimpl(native=operator.xor, scalars=True, via=BITS)
def bitwise_xor(x1: Any, x2: Any, /) -> Any: ...


def _shifted(bits: Any, by: Any) -> Any:
    """Shift 64 bits without a sign, held by signed integers: by one first, which makes them positive."""
    moved = ((bits >> 1) & _MAX) >> (by - 1).clamp(0, 63)
    return torch.where(by == 0, bits, torch.where((by < 0) | (by > 63), 0, moved))
