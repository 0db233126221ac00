""""""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl
from corearray_numpy.native import WEAK_SCALARS


@hookimpl(native_out=True)
def ceil(x: Any, /, *, out: Any = None) -> Any:
    return np.ceil(x, out=out)


@hookimpl(native_out=True, scalars=WEAK_SCALARS)
def copysign(x1: Any, x2: Any, /, *, out: Any = None) -> Any:
    return np.copysign(x1, x2, out=out)


@hookimpl(native_out=True)
def floor(x: Any, /, *, out: Any = None) -> Any:
    return np.floor(x, out=out)


@hookimpl(native_out=True, scalars=WEAK_SCALARS)
def nextafter(x1: Any, x2: Any, /, *, out: Any = None) -> Any:
    return np.nextafter(x1, x2, out=out)


@hookimpl(native_out=True)
def signbit(x: Any, /, *, out: Any = None) -> Any:
    return np.signbit(x, out=out)


@hookimpl(native_out=True)
def trunc(x: Any, /, *, out: Any = None) -> Any:
    return np.trunc(x, out=out)
