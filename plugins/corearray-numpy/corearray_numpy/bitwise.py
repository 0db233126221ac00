"""Operations on bits. NumPy's ufuncs are what the standard wants."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl
from corearray_numpy.native import WEAK_SCALARS


@hookimpl(native_out=True, scalars=WEAK_SCALARS)
def bitwise_and(x1: Any, x2: Any, /, *, out: Any = None) -> Any:
    return np.bitwise_and(x1, x2, out=out)


@hookimpl(native_out=True)
def bitwise_invert(x: Any, /, *, out: Any = None) -> Any:
    return np.invert(x, out=out)


@hookimpl(native_out=True, scalars=WEAK_SCALARS)
def bitwise_left_shift(x1: Any, x2: Any, /, *, out: Any = None) -> Any:
    return np.left_shift(x1, x2, out=out)


@hookimpl(native_out=True, scalars=WEAK_SCALARS)
def bitwise_or(x1: Any, x2: Any, /, *, out: Any = None) -> Any:
    return np.bitwise_or(x1, x2, out=out)


@hookimpl(native_out=True, scalars=WEAK_SCALARS)
def bitwise_right_shift(x1: Any, x2: Any, /, *, out: Any = None) -> Any:
    return np.right_shift(x1, x2, out=out)


@hookimpl(native_out=True, scalars=WEAK_SCALARS)
def bitwise_xor(x1: Any, x2: Any, /, *, out: Any = None) -> Any:
    return np.bitwise_xor(x1, x2, out=out)
