"""Comparisons and logic. The logical ufuncs take no Python integer that only uint64 holds: no `scalars` there."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl
from corearray_numpy.native import WEAK_SCALARS


@hookimpl(native=np.equal, scalars=WEAK_SCALARS)
def equal(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.greater, scalars=WEAK_SCALARS)
def greater(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.greater_equal, scalars=WEAK_SCALARS)
def greater_equal(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.isfinite)
def isfinite(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.isinf)
def isinf(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.isnan)
def isnan(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.less, scalars=WEAK_SCALARS)
def less(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.less_equal, scalars=WEAK_SCALARS)
def less_equal(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.logical_and)
def logical_and(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.logical_not)
def logical_not(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.logical_or)
def logical_or(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.logical_xor)
def logical_xor(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.not_equal, scalars=WEAK_SCALARS)
def not_equal(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...
