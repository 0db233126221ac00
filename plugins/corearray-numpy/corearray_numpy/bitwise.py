"""Operations on bits. NumPy's ufuncs are what the standard wants."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl
from corearray_numpy.native import WEAK_SCALARS


@hookimpl(native=np.bitwise_and, scalars=WEAK_SCALARS)
def bitwise_and(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.invert)
def bitwise_invert(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.left_shift, scalars=WEAK_SCALARS)
def bitwise_left_shift(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.bitwise_or, scalars=WEAK_SCALARS)
def bitwise_or(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.right_shift, scalars=WEAK_SCALARS)
def bitwise_right_shift(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.bitwise_xor, scalars=WEAK_SCALARS)
def bitwise_xor(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...
