"""Reductions, running results, sorting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.errors import FunctionNotImplementedError
from corearray.frontend.jax.described import rule, same, say
from corearray.frontend.operands import is_complex

__all__: list[str] = []


def _summed(name: str) -> Callable[..., Any]:
    """Return a rule for a reduction that keeps the dtype, which the standard widens."""
    function: Callable[..., Any] = getattr(ca, name)

    def rule(x: ca.Array, *, axes: Any, **_: Any) -> Any:
        return function(x, axis=axes, dtype=x.dtype) if axes else x

    return rule


def _extreme(names: str) -> Callable[..., Any]:
    """Return a rule for a reduction, `truth_values/others`."""
    for_bool, for_others = (getattr(ca, name) for name in names.split("/"))

    def rule(x: ca.Array, *, axes: Any, **_: Any) -> Any:
        return (for_bool if x.dtype == ca.bool else for_others)(x, axis=axes) if axes else x

    return rule


same(_summed, "jax.lax.reduce_{}_p", "sum prod")
same(_extreme, "jax.lax.reduce_{}_p", "max=any/max min=all/min")


def _over_mapped(reduced: Callable[..., Any]) -> Callable[..., Any]:
    """Return a rule for a collective over the axis of a `vmap`, which stands in the jaxpr as an axis of the arrays."""

    def rule(*xs: ca.Array, axes: Any, axis_index_groups: Any = None, **_: Any) -> Any:
        names = [axis for axis in axes if not isinstance(axis, int)]
        if names or axis_index_groups is not None:
            raise FunctionNotImplementedError(
                f"collectives over axes of several devices have no rule ({', '.join(map(repr, names)) or 'groups'}); "
                "corearray.shard places arrays on a mesh of devices"
            )
        made = [reduced(x, axes=axes) for x in xs]
        return made[0] if len(made) == 1 else made

    return rule


rule("jax.lax.psum_p")(_over_mapped(_summed("sum")))
rule("jax.lax.pmax_p")(_over_mapped(_extreme("any/max")))
rule("jax.lax.pmin_p")(_over_mapped(_extreme("all/min")))

say("""
jax.lax.reduce_and_p(x, *, axes, **_) = _bits(x, axes, ca.all, ca.bitwise_and)
jax.lax.reduce_or_p(x, *, axes, **_) = _bits(x, axes, ca.any, ca.bitwise_or)
jax.lax.reduce_xor_p(x, *, axes, **_) = _bits(x, axes, None, ca.bitwise_xor)
jax.lax.argmax_p(x, *, axes, index_dtype) = ca.astype(ca.argmax(x, axis=axes[0]), index_dtype)
jax.lax.argmin_p(x, *, axes, index_dtype) = ca.astype(ca.argmin(x, axis=axes[0]), index_dtype)
jax.lax.cumsum_p(x, *, axis, reverse) = _running(lambda x: ca.cumulative_sum(x, axis=axis, dtype=x.dtype), x, axis, reverse)
jax.lax.cumprod_p(x, *, axis, reverse) = _running(lambda x: ca.cumulative_prod(x, axis=axis, dtype=x.dtype), x, axis, reverse)
jax.lax.cummax_p(x, *, axis, reverse) = _running(lambda x: ca.cummax(x, axis=axis), x, axis, reverse)
jax.lax.cummin_p(x, *, axis, reverse) = _running(lambda x: ca.cummin(x, axis=axis), x, axis, reverse)
jax.lax.cumlogsumexp_p(x, *, axis, reverse) = _running(
    lambda x: ca.associative_scan(ca.logaddexp, x, axis=axis), x, axis, reverse)
jax.lax.top_k_p(x, *, k, axis=-1) = _top_k(x, k, axis)
jax.lax.approx_top_k_p(x, *, k, reduction_dimension=-1, is_max_k=True, **_) = (
    _top_k(x, k, reduction_dimension) if is_max_k else _top_k(x, k, reduction_dimension, largest=False))
""")


def _running(function: Callable[..., Any], x: ca.Array, axis: int, reverse: bool) -> Any:
    if not reverse:
        return function(x)
    return ca.flip(function(ca.flip(x, axis=axis)), axis=axis)


def _top_k(x: ca.Array, k: int, axis: int, *, largest: bool = True) -> list[Any]:
    values, places = ca.top_k(x, k, axis=axis, largest=largest)
    return [values, ca.astype(places, ca.int32)]


def _bits(x: ca.Array, axes: Any, for_bool: Any, combine: Any) -> Any:
    """Reduce truth values by one function, and integers by halves along each axis."""
    if not axes:
        return x
    if x.dtype == ca.bool and for_bool is not None:
        return for_bool(x, axis=axes)
    if x.dtype == ca.bool:
        return ca.remainder(ca.sum(ca.astype(x, ca.int64), axis=axes), 2) == 1
    for axis in sorted(axes, reverse=True):
        front = (slice(None),) * axis
        while x.shape[axis] > 1:
            half = x.shape[axis] // 2
            rest = x[(*front, slice(2 * half, None), ...)]
            x = combine(x[(*front, slice(0, half), ...)], x[(*front, slice(half, 2 * half), ...)])
            x = ca.concat([x, rest], axis=axis) if rest.shape[axis] else x
        x = x[(*front, 0, ...)]
    return x


@rule("jax.lax.sort_p")
def sort(*xs: ca.Array, dimension: int, is_stable: bool = True, num_keys: int = 1) -> Any:
    """Sort arrays by the first of them, or the first few; the others follow."""
    if len(xs) == 1 and not is_complex(xs[0].dtype):
        return [ca.sort(xs[0], axis=dimension)]
    order: Any = None
    for key in reversed(xs[:num_keys]):
        parts = [ca.imag(key), ca.real(key)] if is_complex(key.dtype) else [key]
        for part in parts:
            moved = part if order is None else ca.take_along_axis(part, order, axis=dimension)
            places = ca.argsort(moved, axis=dimension, stable=True)
            order = places if order is None else ca.take_along_axis(order, places, axis=dimension)
    return [ca.take_along_axis(x, order, axis=dimension) for x in xs]


@rule("jax.lax.reduce_p")
def reduce(*operands: ca.Array, dimensions: Any, jaxpr: Callable[..., Any], **_: Any) -> Any:
    """Reduce one or several arrays together by a function of a pair of each."""
    count = len(operands) // 2
    xs, starts = list(operands[:count]), operands[count:]
    rest = [axis for axis in range(xs[0].ndim) if axis not in dimensions]
    xs = [ca.permute_dims(x, (*dimensions, *rest)) for x in xs]
    shape = tuple(xs[0].shape[len(dimensions) :])
    xs = [ca.reshape(x, (-1, *shape)) for x in xs]
    while xs[0].shape[0] > 1:
        half = xs[0].shape[0] // 2
        made = jaxpr(*(x[:half] for x in xs), *(x[half : 2 * half] for x in xs))
        xs = [ca.concat([one, x[2 * half :]], axis=0) for one, x in zip(made, xs, strict=True)]
    first = [ca.broadcast_to(start, shape) for start in starts]
    return jaxpr(*first, *(x[0] for x in xs)) if xs[0].shape[0] else first
