"""Reductions, running results, statistics, sorting and searching."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.frontend.numpy.described import rule, say
from corearray.frontend.numpy.promotion import array, cast, common, floating, summed
from corearray.frontend.numpy.templates import found

__all__: list[str] = []

say("""
numpy.any(a, axis=None, out=None, keepdims=False) = ca.any(cast(array(a), ca.bool), axis=axis, keepdims=keepdims)
numpy.all(a, axis=None, out=None, keepdims=False) = ca.all(cast(array(a), ca.bool), axis=axis, keepdims=keepdims)
numpy.argmax(a, axis=None, out=None, *, keepdims=False) = ca.argmax(array(a), axis=axis, keepdims=keepdims)
numpy.argmin(a, axis=None, out=None, *, keepdims=False) = ca.argmin(array(a), axis=axis, keepdims=keepdims)
numpy.count_nonzero(a, axis=None, *, keepdims=False) = ca.count_nonzero(a, axis=axis, keepdims=keepdims)
numpy.cumsum(a, axis=None, dtype=None, out=None) = _running(ca.cumulative_sum, a, axis, dtype)
numpy.cumprod(a, axis=None, dtype=None, out=None) = _running(ca.cumulative_prod, a, axis, dtype)
numpy._cummax(a, axis=None) = ca.cummax(array(a), axis=axis)
numpy._cummin(a, axis=None) = ca.cummin(array(a), axis=axis)
numpy.diff(a, n=1, axis=-1) = ca.diff(a, n=n, axis=axis)
numpy.sort(a, axis=-1, kind=None, order=None, *, stable=None) = _sorted(a, axis)
numpy.argsort(a, axis=-1, kind=None, order=None, *, stable=None) = _ordered(a, axis)
numpy.searchsorted(a, v, side="left", sorter=None) = ca.searchsorted(*common(a, v), side=side, sorter=sorter)
numpy.bincount(x, weights=None, minlength=0) = ca.bincount(x, weights, minlength=minlength)
""")


def _running(function: Callable[..., Any], x: Any, axis: Any, dtype: Any) -> Any:
    x = array(x)
    if axis is None:
        x, axis = ca.reshape(x, (-1,)), 0
    return function(x, axis=axis, dtype=summed(x, dtype))


def _sorted(x: Any, axis: int | None) -> Any:
    return ca.sort(ca.reshape(x, (-1,))) if axis is None else ca.sort(x, axis=axis)


def _ordered(x: Any, axis: int | None) -> Any:
    return ca.argsort(ca.reshape(x, (-1,))) if axis is None else ca.argsort(x, axis=axis)


def _total(name: str) -> Callable[..., Any]:
    function = found(name)

    def total(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        a = array(a)
        return function(a, axis=axis, dtype=summed(a, dtype), keepdims=keepdims)

    return total


def _extreme(name: str) -> Callable[..., Any]:
    function = found(name)

    def extreme(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        a = array(a)
        if a.dtype == ca.bool:
            return (ca.any if name == "max" else ca.all)(a, axis=axis, keepdims=keepdims)
        return function(a, axis=axis, keepdims=keepdims)

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
    a = floating(a, double=True)
    if weights is None:
        return ca.mean(a, axis=axis, keepdims=keepdims)
    a, weights = common(a, floating(weights, double=True))
    if weights.ndim != a.ndim:
        weights = ca.reshape(weights, tuple(-1 if i == axis % a.ndim else 1 for i in range(a.ndim)))
    weights = ca.broadcast_to(weights, tuple(a.shape))
    return ca.sum(a * weights, axis=axis, keepdims=keepdims) / ca.sum(weights, axis=axis, keepdims=keepdims)


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
rule("numpy.row_stack", versions="<2.4")(lambda tup: ca.vstack(list(common(*tup))))


@rule("numpy.in1d", versions="<2.4")
def _in1d(ar1: Any, ar2: Any, assume_unique: bool = False, invert: bool = False) -> Any:
    return ca.isin(*common(ca.reshape(array(ar1), (-1,)), ca.reshape(array(ar2), (-1,))), invert=invert)
