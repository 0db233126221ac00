"""Reductions, running results, statistics, sorting and searching."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.frontend.numpy.described import rule, say
from corearray.frontend.numpy.ordering import order_of, place_of
from corearray.frontend.numpy.promotion import array, cast, common, floating, sum_dtype, surely
from corearray.frontend.numpy.templates import found

__all__: list[str] = []

say("""
numpy.any(a, axis=None, out=None, keepdims=False, *, where=True) = ca.any(
    _chosen(a, where, False), axis=axis, keepdims=keepdims)
numpy.all(a, axis=None, out=None, keepdims=False, *, where=True) = ca.all(
    _chosen(a, where, True), axis=axis, keepdims=keepdims)
numpy.argmax(a, axis=None, out=None, *, keepdims=False) = _place(ca.argmax, array(a), axis, keepdims)
numpy.argmin(a, axis=None, out=None, *, keepdims=False) = _place(ca.argmin, array(a), axis, keepdims)
numpy.count_nonzero(a, axis=None, *, keepdims=False) = ca.count_nonzero(a, axis=axis, keepdims=keepdims)
numpy.cumsum(a, axis=None, dtype=None, out=None) = _running(ca.cumulative_sum, a, axis, dtype)
numpy.cumprod(a, axis=None, dtype=None, out=None) = _running(ca.cumulative_prod, a, axis, dtype)
numpy._cummax(a, axis=None) = ca.cummax(array(a), axis=axis)
numpy._cummin(a, axis=None) = ca.cummin(array(a), axis=axis)
numpy.sort(a, axis=-1, kind=None, order=None, *, stable=None) = _sorted(a, axis)
numpy.argsort(a, axis=-1, kind=None, order=None, *, stable=None) = _ordered(a, axis)
numpy.searchsorted(a, v, side="left", sorter=None) = ca.searchsorted(*common(a, v), side=side, sorter=sorter)
numpy.bincount(x, weights=None, minlength=0) = ca.bincount(x, weights, minlength=minlength)
""")


def _place(function: Callable[..., Any], x: Any, axis: Any, keepdims: bool) -> Any:
    if x.dtype.category == "complex floating":
        return place_of(x, axis, keepdims=keepdims, largest=function is ca.argmax)
    return function(x, axis=axis, keepdims=keepdims)


def _chosen(a: Any, where: Any, otherwise: bool) -> Any:
    """Return truth values, with a neutral one where a mask does not hold."""
    truth = cast(array(a), ca.bool)
    return truth if where is True else ca.where(cast(array(where), ca.bool), truth, otherwise)


def _running(function: Callable[..., Any], x: Any, axis: Any, dtype: Any) -> Any:
    x = array(x)
    if axis is None:
        x, axis = ca.reshape(x, (-1,)), 0
    return function(x, axis=axis, dtype=sum_dtype(x, dtype))


def _sorted(x: Any, axis: int | None) -> Any:
    x = array(x)
    if axis is None:
        x, axis = ca.reshape(x, (-1,)), 0
    if x.dtype.category == "complex floating":
        return ca.take_along_axis(x, order_of(x, axis), axis=axis)
    if x.dtype == ca.bool:
        return ca.astype(ca.sort(ca.astype(x, ca.uint8), axis=axis), ca.bool)
    return ca.sort(x, axis=axis)


def _ordered(x: Any, axis: int | None) -> Any:
    x = array(x)
    if axis is None or not x.ndim:
        x, axis = ca.reshape(x, (-1,)), 0
    return order_of(x, axis)


def _total(name: str) -> Callable[..., Any]:
    function = found(name)
    neutral, joined = (0, ca.add) if name == "sum" else (1, ca.multiply)

    def total(
        a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, initial: Any = None,
        where: Any = True,
    ) -> Any:  # fmt: skip
        a = array(a)
        own = sum_dtype(a, dtype)
        a = a if where is True else ca.where(cast(array(where), ca.bool), cast(a, own), neutral)
        made = function(a, axis=axis, dtype=own, keepdims=keepdims)
        return made if initial is None else joined(made, cast(array(initial), own))

    return total


def _extreme(name: str) -> Callable[..., Any]:
    of_numbers = found(name), ca.maximum if name == "max" else ca.minimum
    of_truth = (ca.any, ca.logical_or) if name == "max" else (ca.all, ca.logical_and)

    def extreme(
        a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True
    ) -> Any:
        a = array(a)
        reduced, joined = of_truth if a.dtype == ca.bool else of_numbers
        if initial is None:
            if where is not True:
                raise ValueError(
                    f"reduction operation '{name}imum' does not have an identity, so to use a where mask one has to specify "
                    "'initial'"
                )
            return reduced(a, axis=axis, keepdims=keepdims)
        start = cast(array(initial), a.dtype)
        if not a.size:
            return ca.full(ca.sum(a, axis=axis, keepdims=keepdims).shape, start, dtype=a.dtype)
        a = a if where is True else ca.where(cast(array(where), ca.bool), a, start)
        return joined(reduced(a, axis=axis, keepdims=keepdims), start)

    return extreme


rule("numpy.sum")(_total("sum"))
rule("numpy.prod")(_total("prod"))
rule("numpy.max", "numpy.amax")(_extreme("max"))
rule("numpy.min", "numpy.amin")(_extreme("min"))


@rule("numpy.ptp")
def _ptp(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    return ca.max(a, axis=axis, keepdims=keepdims) - ca.min(a, axis=axis, keepdims=keepdims)


@rule("numpy.average")
def _average(a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: bool = False) -> Any:
    a = array(a)
    if weights is None:
        a = floating(a, double=True)
        made = ca.mean(a, axis=axis, keepdims=keepdims)
        if not returned:
            return made
        return made, ca.sum(ca.ones_like(a), axis=axis, keepdims=keepdims)
    weights = array(weights)
    axes = tuple(range(a.ndim)) if axis is None else (axis,) if isinstance(axis, int) else tuple(axis)
    axes = tuple(one % a.ndim for one in axes)
    if tuple(weights.shape) != tuple(a.shape):
        if axis is None:
            raise TypeError("Axis must be specified when shapes of a and weights differ.")
        if tuple(weights.shape) != tuple(a.shape[one] for one in axes):
            raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
        order = sorted(range(len(axes)), key=lambda i: axes[i])
        weights = ca.reshape(
            ca.permute_dims(weights, tuple(order)), tuple(n if i in axes else 1 for i, n in enumerate(a.shape))
        )
    a, weights = (
        common(a, weights)
        if "int" not in a.dtype.name and a.dtype != ca.bool
        else common(floating(a, double=True), weights)
    )
    weights = ca.broadcast_to(weights, tuple(a.shape))
    total = ca.sum(weights, axis=axis, keepdims=keepdims)
    if surely(ca.any(total == 0)):
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    made = ca.sum(a * weights, axis=axis, keepdims=keepdims) / total
    return (made, total) if returned else made


@rule("numpy.diff")
def _diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Any:
    a = array(a)
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n}")
    if n == 0:
        return a
    if not a.ndim:
        raise ValueError("diff requires input that is at least one dimensional")
    if not -a.ndim <= axis < a.ndim:
        raise ca.AxisError(f"axis {axis} is out of bounds for array of dimension {a.ndim}")
    parts = [a]
    for place, x in ((0, prepend), (2, append)):
        if x is not None:
            x = array(x)
            if not x.ndim:
                x = ca.broadcast_to(x, tuple(1 if i == axis % a.ndim else size for i, size in enumerate(a.shape)))
            parts.insert(place, x)
    whole = ca.concat(list(common(*parts)), axis=axis) if len(parts) > 1 else a
    high, low = [slice(None)] * a.ndim, [slice(None)] * a.ndim
    high[axis], low[axis] = slice(1, None), slice(None, -1)
    for _ in range(n):
        one, other = whole[tuple(high)], whole[tuple(low)]
        whole = ca.not_equal(one, other) if whole.dtype == ca.bool else one - other
    return whole


rule("numpy.product", versions="<2.0")(_total("prod"))
rule("numpy.cumproduct", versions="<2.0")(
    lambda a, axis=None, dtype=None, out=None: _running(ca.cumulative_prod, a, axis, dtype)
)
rule("numpy.sometrue", versions="<2.0")(
    lambda a, axis=None, out=None, keepdims=False: ca.any(cast(array(a), ca.bool), axis=axis)
)
rule("numpy.alltrue", versions="<2.0")(
    lambda a, axis=None, out=None, keepdims=False: ca.all(cast(array(a), ca.bool), axis=axis)
)
rule("numpy.row_stack")(lambda tup: ca.vstack(list(common(*tup))))


@rule("numpy.in1d", versions="<2.4")
def _in1d(ar1: Any, ar2: Any, assume_unique: bool = False, invert: bool = False) -> Any:
    return ca.isin(*common(ca.reshape(array(ar1), (-1,)), ca.reshape(array(ar2), (-1,))), invert=invert)
