"""Reductions of `jax.numpy`: over chosen elements, from a start, in JAX's dtypes."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayNotImplementedError, CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.jax.described import rule, say
from corearray.frontend.jax.promotion import canonical, cast
from corearray.frontend.operands import is_floating

__all__: list[str] = []


def _axes(x: ca.Array, axis: Any) -> Any:
    """Return axes as integers."""
    if axis is None or isinstance(axis, int):
        return axis
    if isinstance(axis, (tuple, list)):
        return tuple(int(one) for one in axis)
    if hasattr(axis, "__index__"):
        return axis.__index__()
    raise CoreArrayTypeError(f"axis is an integer or several, got {axis!r}")


def _chosen(x: ca.Array, where: Any, start: Any) -> Any:
    """Put a start in place of the elements that are not chosen."""
    return x if where is None else ca.where(cast(where, ca.bool), x, ca.asarray(start, dtype=x.dtype))


def _wide(dtype: ca.DType, promote: bool) -> ca.DType:
    """Return the dtype of sums: integers are summed in at least the default width."""
    if dtype == ca.bool:
        return canonical(ca.int64)
    if not promote or dtype.category not in ("signed integer", "unsigned integer"):
        return dtype
    wide = canonical(ca.int64 if dtype.category == "signed integer" else ca.uint64)
    return wide if wide.bits > dtype.bits else dtype


def _total(function: Callable[..., Any], start: int, combine: Callable[..., Any]) -> Callable[..., Any]:
    def total(
        a: Any, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False, initial: Any = None,
        where: Any = None, promote_integers: bool = True,
    ) -> Any:  # fmt: skip
        a = cast(a, dtype or _wide(a.dtype, promote_integers))
        half = a.dtype in (ca.float16, ca.bfloat16)
        wide = cast(a, ca.float32) if half else a
        made = function(_chosen(wide, where, start), axis=_axes(a, axis), dtype=wide.dtype, keepdims=keepdims)
        made = made if initial is None else combine(made, ca.asarray(initial, dtype=made.dtype))
        return cast(made, a.dtype)

    return total


rule("jax.numpy.sum")(_total(ca.sum, 0, ca.add))
rule("jax.numpy.prod")(_total(ca.prod, 1, ca.multiply))


def _extreme(name: str, for_bool: Any, function: Any, combine: Any) -> Callable[..., Any]:
    def extreme(
        a: Any, axis: Any = None, out: None = None, keepdims: bool = False, initial: Any = None, where: Any = None
    ) -> Any:
        if where is not None and initial is None:
            raise CoreArrayValueError(
                f"{name} does not support where argument without an initial value: give `initial`"
            )
        axes = _axes(a, axis)
        for one in (axes,) if isinstance(axes, int) else axes or ():
            if not -a.ndim <= one < a.ndim:
                raise CoreArrayValueError(f"axis {one} is out of bounds for array of dimension {a.ndim}")
        lengths = [a.shape[i] for i in ((axes,) if isinstance(axes, int) else axes or range(a.ndim))]
        if initial is None and a.ndim and not prod(lengths):
            raise CoreArrayValueError(f"zero-size array to reduction operation {name} which has no identity")
        if a.dtype == ca.bool:
            made = for_bool(a, axis=axes, keepdims=keepdims)
            return made if initial is None else combine(ca.astype(made, ca.int32), int(initial)) > 0
        if initial is not None:
            a = _chosen(a, where, initial)
            if not prod(lengths) and a.ndim:
                shape = _reduced(a, axes, keepdims)
                return ca.full(shape, initial, dtype=a.dtype)
        if a.dtype.category == "complex floating":
            return _complex(a, axes, keepdims, largest=name == "max")
        made = function(a, axis=axes, keepdims=keepdims)
        return made if initial is None else combine(made, ca.asarray(initial, dtype=a.dtype))

    return extreme


def _reduced(a: ca.Array, axes: Any, keepdims: bool) -> tuple[int, ...]:
    gone = {i % a.ndim for i in ((axes,) if isinstance(axes, int) else range(a.ndim) if axes is None else axes)}
    return tuple(1 if i in gone else n for i, n in enumerate(a.shape) if keepdims or i not in gone)


def _complex(a: ca.Array, axes: Any, keepdims: bool, *, largest: bool) -> Any:
    """Return the largest complex number, by real and then imaginary part."""
    worst = -ca.inf if largest else ca.inf
    function = ca.max if largest else ca.min
    real, imag = ca.real(a), ca.imag(a)
    top = function(real, axis=axes, keepdims=True)
    second = function(ca.where(real == top, imag, worst), axis=axes, keepdims=keepdims)
    return cast(function(real, axis=axes, keepdims=keepdims), a.dtype) + 1j * cast(second, a.dtype)


rule("jax.numpy.max", "jax.numpy.amax")(_extreme("max", ca.any, ca.max, ca.maximum))
rule("jax.numpy.min", "jax.numpy.amin")(_extreme("min", ca.all, ca.min, ca.minimum))

say("""
jax.numpy.any(a, axis=None, out=None, keepdims=False, *, where=None) = ca.any(
    _chosen(cast(a, ca.bool), where, False), axis=_axes(a, axis), keepdims=keepdims)
jax.numpy.all(a, axis=None, out=None, keepdims=False, *, where=None) = ca.all(
    _chosen(cast(a, ca.bool), where, True), axis=_axes(a, axis), keepdims=keepdims)
jax.numpy.count_nonzero(a, axis=None, keepdims=False) = ca.sum(
    ca.astype(a != 0, canonical(ca.int64)), axis=axis, keepdims=keepdims, dtype=canonical(ca.int64))
jax.numpy.ptp(a, axis=None, out=None, keepdims=False) = ca.subtract(
    ca.max(a, axis=axis, keepdims=keepdims), ca.min(a, axis=axis, keepdims=keepdims))
jax.numpy.cumsum(a, axis=None, dtype=None, out=None) = _running(ca.cumulative_sum, a, axis, dtype)
jax.numpy.cumprod(a, axis=None, dtype=None, out=None) = _running(ca.cumulative_prod, a, axis, dtype)
jax.numpy.nancumsum(a, axis=None, dtype=None, out=None) = _running(ca.cumulative_sum, _without_nan(a, 0), axis, dtype)
jax.numpy.nancumprod(a, axis=None, dtype=None, out=None) = _running(ca.cumulative_prod, _without_nan(a, 1), axis, dtype)
jax.numpy.cumulative_sum(x, /, *, axis=None, dtype=None, include_initial=False) = _cumulative(
    ca.cumulative_sum, x, axis, dtype, include_initial)
jax.numpy.cumulative_prod(x, /, *, axis=None, dtype=None, include_initial=False) = _cumulative(
    ca.cumulative_prod, x, axis, dtype, include_initial)
jax.numpy.argmax(a, axis=None, out=None, keepdims=None) = _place(ca.argmax, a, axis, keepdims, -1)
jax.numpy.argmin(a, axis=None, out=None, keepdims=None) = _place(ca.argmin, a, axis, keepdims, 1)
jax.numpy.nanargmax(a, axis=None, out=None, keepdims=None) = _nanplace(ca.argmax, a, axis, keepdims, -ca.inf)
jax.numpy.nanargmin(a, axis=None, out=None, keepdims=None) = _nanplace(ca.argmin, a, axis, keepdims, ca.inf)
jax.numpy.searchsorted(a, v, side="left", sorter=None, *, method="scan") = ca.astype(
    ca.searchsorted(a, v, side=side, sorter=sorter), ca.int32)
jax.numpy.bincount(x, weights=None, minlength=0, *, length=None) = _bincount(x, weights, minlength, length)
jax.numpy.sort(a, axis=-1, *, kind=None, order=None, stable=True, descending=False) = _sorted(a, axis, descending)
jax.numpy.argsort(a, axis=-1, *, kind=None, order=None, stable=True, descending=False) = _ordered(a, axis, descending)
jax.numpy.round|jax.numpy.around(a, decimals=0, out=None) = _rounded(a, decimals)
jax.numpy.nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None) = (
    ca.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf) if is_floating(x.dtype) else x)
""")


def _running(function: Callable[..., Any], x: ca.Array, axis: Any, dtype: Any) -> Any:
    if axis is None or not x.ndim:
        x, axis = ca.reshape(x, (-1,)), 0
    x = cast(x, canonical(ca.int64) if x.dtype == ca.bool and dtype is None else dtype)
    if x.dtype == ca.bool:
        return function(ca.astype(x, ca.int32), axis=axis, dtype=ca.int32) != 0
    return function(x, axis=axis, dtype=x.dtype)


def _cumulative(function: Callable[..., Any], x: ca.Array, axis: Any, dtype: Any, initial: bool) -> Any:
    if axis is None and x.ndim != 1:
        raise CoreArrayValueError(
            f"The input array has rank {x.ndim}, however axis was not set to an explicit value. The axis argument is only "
            "optional for one-dimensional arrays."
        )
    axis = 0 if axis is None else axis
    x = cast(x, dtype or _wide(x.dtype, function is ca.cumulative_sum))
    made = function(x, axis=axis, dtype=x.dtype)
    if not initial:
        return made
    shape = tuple(1 if i == axis % x.ndim else n for i, n in enumerate(x.shape))
    start = ca.full(shape, 0 if function is ca.cumulative_sum else 1, dtype=x.dtype)
    return ca.concat([start, made], axis=axis)


def _without_nan(x: ca.Array, value: int) -> Any:
    return ca.where(ca.isnan(x), ca.asarray(value, dtype=x.dtype), x) if is_floating(x.dtype) else x


def _place(function: Any, x: ca.Array, axis: Any, keepdims: Any, sign: int) -> Any:
    length = x.size if axis is None else x.shape[axis]
    if not length:
        name = "argmax" if sign < 0 else "argmin"
        raise CoreArrayValueError(f"attempt to get {name} of an empty sequence")
    if x.dtype == ca.bool:
        x = ca.astype(x, ca.int32)
    if is_floating(x.dtype) and x.dtype.category == "real floating":
        nans = ca.isnan(x)
        x = ca.where(nans, ca.asarray(-sign * ca.inf, dtype=x.dtype), x)
        first = ca.argmax(ca.astype(nans, ca.int32), axis=axis, keepdims=bool(keepdims))
        return ca.where(
            ca.any(nans, axis=axis, keepdims=bool(keepdims)), first, function(x, axis=axis, keepdims=bool(keepdims))
        )
    return function(x, axis=axis, keepdims=bool(keepdims))


def _nanplace(function: Any, x: ca.Array, axis: Any, keepdims: Any, worst: float) -> Any:
    if not is_floating(x.dtype):
        return function(x, axis=axis, keepdims=bool(keepdims))
    nans = ca.isnan(x)
    made = function(ca.where(nans, ca.asarray(worst, dtype=x.dtype), x), axis=axis, keepdims=bool(keepdims))
    return ca.where(ca.all(nans, axis=axis, keepdims=bool(keepdims)), -1, made)


def _bincount(x: ca.Array, weights: Any, minlength: int, length: int | None) -> Any:
    if x.ndim != 1:
        raise CoreArrayValueError("only 1-dimensional input supported.")
    if x.dtype != ca.bool and "int" not in x.dtype.name:
        raise CoreArrayTypeError(f"x argument to bincount must have an integer type; got {x.dtype}")
    x = ca.clip(ca.astype(x, ca.int64), 0, None)
    if length is None:
        length = max(int(minlength), int(ca.max(x)) + 1 if x.size else 0)
    own = canonical(ca.int64) if weights is None else weights.dtype
    given: Any = ca.ones((x.shape[0],), dtype=own) if weights is None else weights
    inside = x < length
    slots = ca.where(inside, x, length)[:, None]
    return ca.scatter_nd(slots, given, base=ca.zeros((length + 1,), dtype=own), reduction="sum")[:length]


def _sorted(x: ca.Array, axis: Any, descending: bool) -> Any:
    from corearray.frontend.frontend import get_frontend

    if axis is None:
        x, axis = ca.reshape(x, (-1,)), 0
    made = get_frontend("numpy").function("numpy.sort")(x, axis=axis)
    return ca.flip(made, axis=axis) if descending else made


def _ordered(x: ca.Array, axis: Any, descending: bool) -> Any:
    from corearray.frontend.frontend import get_frontend

    if axis is None:
        x, axis = ca.reshape(x, (-1,)), 0
    order = get_frontend("numpy").function("numpy.argsort")
    if not descending:
        return order(x, axis=axis)
    n = x.shape[axis]
    return n - 1 - ca.flip(order(ca.flip(x, axis=axis), axis=axis), axis=axis)


def _rounded(x: ca.Array, decimals: int) -> Any:
    if not is_floating(x.dtype):
        if decimals < 0:
            raise CoreArrayNotImplementedError("integer np.round not implemented for decimals < 0")
        return x
    return ca.round(x) if not decimals else ca.round(x * 10.0**decimals) / 10.0**decimals
