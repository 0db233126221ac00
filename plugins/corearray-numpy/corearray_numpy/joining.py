"""Arrays side by side, and apart again."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl


@hookimpl
def array_split(x: Any, indices_or_sections: Any, /, *, axis: int = 0) -> tuple[Any, ...]:
    return tuple(np.array_split(x, indices_or_sections, axis))


@hookimpl(native=np.column_stack)
def column_stack(arrays: Any, /) -> Any: ...


@hookimpl(native=np.dstack)
def dstack(arrays: Any, /) -> Any: ...


@hookimpl(native=np.hstack)
def hstack(arrays: Any, /) -> Any: ...


@hookimpl(native=np.vstack)
def vstack(arrays: Any, /) -> Any: ...
