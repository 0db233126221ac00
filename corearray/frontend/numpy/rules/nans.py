"""Reductions that skip NaNs."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.errors import CoreArrayValueError
from corearray.frontend.numpy.described import rule, say
from corearray.frontend.numpy.gaps import counted, filled, warned
from corearray.frontend.numpy.ordering import place_of
from corearray.frontend.numpy.promotion import array, cast, floating, sum_dtype, surely

__all__: list[str] = []

say("""
numpy.nancumsum(a, axis=None, dtype=None, out=None) = _running(ca.cumulative_sum, filled(a, 0), axis, dtype)
numpy.nancumprod(a, axis=None, dtype=None, out=None) = _running(ca.cumulative_prod, filled(a, 1), axis, dtype)
""")


def _running(function: Any, x: Any, axis: Any, dtype: Any) -> Any:
    if axis is None:
        x, axis = ca.reshape(x, (-1,)), 0
    return function(x, axis=axis, dtype=sum_dtype(x, dtype))


@rule("numpy.nanmean")
def _nanmean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = True
) -> Any:
    x = cast(floating(a, double=True), dtype)
    kept = ca.broadcast_to(counted(x, where), tuple(x.shape))
    wide = cast(x, ca.float32) if x.dtype == ca.float16 else x
    total = ca.sum(ca.where(kept, wide, ca.zeros((), dtype=wide.dtype)), axis=axis, keepdims=keepdims)
    count = ca.sum(cast(kept, wide.dtype), axis=axis, keepdims=keepdims)
    warned(count == 0, "Mean of empty slice")
    return cast(total / ca.where(count == 0, ca.nan, count), x.dtype)


@rule("numpy.nanprod")
def _nanprod(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, initial: Any = 1,
    where: Any = True,
) -> Any:  # fmt: skip
    x = filled(a, 1)
    if where is not True:
        x = ca.where(cast(array(where), ca.bool), x, ca.ones((), dtype=x.dtype))
    made = ca.prod(x, axis=axis, dtype=sum_dtype(x, dtype), keepdims=keepdims)
    return made if initial == 1 else made * initial


@rule("numpy.nansum")
def _nansum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = 0,
    where: Any = True,
) -> Any:
    x = filled(a, 0)
    if where is not True:
        x = ca.where(cast(array(where), ca.bool), x, ca.zeros((), dtype=x.dtype))
    made = ca.sum(x, axis=axis, dtype=sum_dtype(x, dtype), keepdims=keepdims)
    return made + initial if initial else made


def _nanextreme(name: str, function: Any, worst: float) -> None:
    def extreme(
        a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True
    ) -> Any:
        x = array(a)
        if x.dtype.category == "complex floating":
            return _complex_extreme(x, axis, keepdims, initial, where, largest=worst < 0)
        if x.dtype.category != "real floating" and where is True:
            return function(x, axis=axis, keepdims=keepdims)
        nans = (
            ca.isnan(x)
            if x.dtype.category in ("real floating", "complex floating")
            else ca.zeros_like(x, dtype=ca.bool)
        )
        lost = nans if where is True else ca.logical_or(nans, ca.logical_not(cast(array(where), ca.bool)))
        start = worst if initial is None else initial
        made = function(ca.where(lost, cast(array(start), x.dtype), x), axis=axis, keepdims=keepdims)
        empty = ca.all(lost, axis=axis, keepdims=keepdims)
        warned(initial is None and ca.any(empty), "All-NaN slice encountered")
        return ca.where(empty, ca.nan if initial is None else cast(array(initial), x.dtype), made)

    rule(name)(extreme)


def _complex_extreme(x: Any, axis: Any, keepdims: bool, initial: Any, where: Any, *, largest: bool) -> Any:
    """Return the last or first of complex numbers in NumPy's order, which is by real and then by imaginary parts."""
    lost = ca.isnan(x) if where is True else ca.logical_or(ca.isnan(x), ca.logical_not(cast(array(where), ca.bool)))
    worst = complex(-ca.inf, -ca.inf) if largest else complex(ca.inf, ca.inf)
    rows = ca.where(lost, cast(array(worst if initial is None else initial), x.dtype), x)
    axes = tuple(range(x.ndim)) if axis is None else (axis,) if isinstance(axis, int) else tuple(axis)
    for one in axes:
        rows = ca.take_along_axis(rows, place_of(rows, one, keepdims=True, largest=largest), axis=one)
    made = rows if keepdims else ca.squeeze(rows, axis=axes)
    empty = ca.all(lost, axis=axis, keepdims=keepdims)
    warned(initial is None and ca.any(empty), "All-NaN slice encountered")
    return ca.where(empty, ca.nan if initial is None else cast(array(initial), x.dtype), made)


_nanextreme("numpy.nanmax", ca.max, float("-inf"))
_nanextreme("numpy.nanmin", ca.min, float("inf"))


def _nanplace(name: str, function: Any, worst: float) -> None:
    def place(a: Any, axis: Any = None, out: Any = None, *, keepdims: bool = False) -> Any:
        x = array(a)
        if x.dtype.category not in ("real floating", "complex floating"):
            return function(x, axis=axis, keepdims=keepdims)
        nans = ca.isnan(x)
        if x.size and surely(ca.any(ca.all(nans, axis=axis))):
            raise CoreArrayValueError("All-NaN slice encountered")
        if x.dtype.category == "complex floating":
            rows = ca.where(nans, cast(array(complex(worst, worst)), x.dtype), x)
            return place_of(rows, axis, keepdims=keepdims, largest=worst < 0)
        return function(ca.where(nans, cast(array(worst), x.dtype), x), axis=axis, keepdims=keepdims)

    rule(name)(place)


_nanplace("numpy.nanargmax", ca.argmax, float("-inf"))
_nanplace("numpy.nanargmin", ca.argmin, float("inf"))
