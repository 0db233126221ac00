"""Arrays side by side, and apart again."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import BITS
from corearray_torch.sharding import with_whole_axis


@hookimpl
def array_split(x: Any, indices_or_sections: Any, /, *, axis: int = 0) -> Any:
    if type(indices_or_sections) is int and indices_or_sections < 1:  # whose message torch's compiler would hide
        raise ValueError(f"{indices_or_sections} parts were asked for")
    return torch.tensor_split(with_whole_axis(x, axis), indices_or_sections, axis)


@hookimpl(native=torch.column_stack, via=BITS)
def column_stack(arrays: Any, /) -> Any: ...


@hookimpl(native=torch.dstack, via=BITS)
def dstack(arrays: Any, /) -> Any: ...


@hookimpl(native=torch.hstack, via=BITS)
def hstack(arrays: Any, /) -> Any: ...


@hookimpl(native=torch.vstack, via=BITS)
def vstack(arrays: Any, /) -> Any: ...
