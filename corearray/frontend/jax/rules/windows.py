"""Reductions of sliding windows, and their derivatives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import product
from math import prod
from typing import Any

import corearray as ca
from corearray.frontend.jax.described import rule
from corearray.frontend.jax.rules.manipulation import pad
from corearray.frontend.operands import is_floating

__all__: list[str] = []


def _lowest(dtype: ca.DType) -> Any:
    return False if dtype == ca.bool else -ca.inf if is_floating(dtype) else ca.iinfo(dtype).min


def _highest(dtype: ca.DType) -> Any:
    return True if dtype == ca.bool else ca.inf if is_floating(dtype) else ca.iinfo(dtype).max


def _spread(x: ca.Array, value: Any, padding: Any, dilation: Any) -> Any:
    """Put gaps between the elements and a value around them."""
    steps = dilation or (1,) * x.ndim
    return pad(x, value, padding_config=[(*pair, step - 1) for pair, step in zip(padding, steps, strict=True)])


def _parts(x: ca.Array, window: Any, strides: Any, dilation: Any) -> Iterator[Any]:
    """Return for each place of the window the elements that the windows have there, as an array."""
    steps = dilation or (1,) * x.ndim
    counts = [
        (size - (length - 1) * step - 1) // stride + 1
        for size, length, stride, step in zip(x.shape, window, strides, steps, strict=True)
    ]
    for places in product(*map(range, window)):
        starts = [place * step for place, step in zip(places, steps, strict=True)]
        yield x[
            tuple(
                slice(start, start + (count - 1) * stride + 1, stride) if count > 0 else slice(0, 0)
                for start, count, stride in zip(starts, counts, strides, strict=True)
            )
        ]


def _joined(x: ca.Array, join: Callable[..., Any], window: Any, strides: Any, dilation: Any) -> Any:
    """Reduce windows one axis after the other."""
    for axis in range(x.ndim):
        if window[axis] == 1 and strides[axis] == 1:
            continue
        ones = [1] * x.ndim
        sizes, steps, gaps = list(ones), list(ones), list(ones)
        sizes[axis], steps[axis], gaps[axis] = window[axis], strides[axis], (dilation or ones)[axis]
        x = reduce(join, _parts(x, sizes, steps, gaps))
    return x


@rule("jax.lax.reduce_window_sum_p")
def reduce_window_sum(
    x: ca.Array,
    *,
    window_dimensions: Any,
    window_strides: Any,
    padding: Any,
    base_dilation: Any = None,
    window_dilation: Any = None,
) -> Any:
    """Sum windows."""
    x = _spread(x, 0, padding, base_dilation)
    return _joined(x, ca.add, window_dimensions, window_strides, window_dilation)


@rule("jax.lax.reduce_window_max_p")
def reduce_window_max(
    x: ca.Array,
    *,
    window_dimensions: Any,
    window_strides: Any,
    padding: Any,
    base_dilation: Any = None,
    window_dilation: Any = None,
) -> Any:
    """Take maxima of windows; of equal elements the first has the derivative."""
    pooled = _pooled(x, window_dimensions, window_strides, padding, base_dilation, window_dilation)
    if pooled is not None:
        return pooled
    x = _spread(x, _lowest(x.dtype), padding, base_dilation)
    join = ca.logical_or if x.dtype == ca.bool else ca.maximum
    return _joined(x, join, window_dimensions, window_strides, window_dilation)


@rule("jax.lax.reduce_window_min_p")
def reduce_window_min(
    x: ca.Array,
    *,
    window_dimensions: Any,
    window_strides: Any,
    padding: Any,
    base_dilation: Any = None,
    window_dilation: Any = None,
) -> Any:
    """Take minima of windows; of equal elements the first has the derivative."""
    if is_floating(x.dtype):
        pooled = _pooled(-x, window_dimensions, window_strides, padding, base_dilation, window_dilation)
        if pooled is not None:
            return -pooled
    x = _spread(x, _highest(x.dtype), padding, base_dilation)
    join = ca.logical_and if x.dtype == ca.bool else ca.minimum
    return _joined(x, join, window_dimensions, window_strides, window_dilation)


def _pooled(x: ca.Array, window: Any, strides: Any, padding: Any, base_dilation: Any, dilation: Any) -> Any:
    """Take maxima by the pooling functions, of one to three axes; `None` where they do not fit."""
    axes = [i for i in range(x.ndim) if window[i] != 1 or strides[i] != 1 or tuple(padding[i]) != (0, 0)]
    steps = dilation or (1,) * x.ndim
    fits = all(0 <= width < (window[i] - 1) * steps[i] + 1 for i in axes for width in padding[i])
    if not (1 <= len(axes) <= 3 and fits and is_floating(x.dtype)) or set(base_dilation or (1,)) != {1} or 0 in x.shape:
        return None
    rest = [axis for axis in range(x.ndim) if axis not in axes]
    front = [x.shape[axis] for axis in rest]
    pool = (ca.max_pool1d, ca.max_pool2d, ca.max_pool3d)[len(axes) - 1]
    moved = ca.reshape(ca.permute_dims(x, (*rest, *axes)), (prod(front), 1, *[x.shape[axis] for axis in axes]))
    made = pool(
        moved,
        tuple(window[axis] for axis in axes),
        strides=tuple(strides[axis] for axis in axes),
        padding=[tuple(padding[axis]) for axis in axes],
        dilations=tuple(steps[axis] for axis in axes),
    )
    made = ca.reshape(made, (*front, *made.shape[2:]))
    back = [0] * x.ndim
    for place, axis in enumerate((*rest, *axes)):
        back[axis] = place
    return ca.permute_dims(made, tuple(back))


@rule("jax.lax.reduce_window_p")
def reduce_window(
    *operands: ca.Array,
    jaxpr: Callable[..., Any],
    window_dimensions: Any,
    window_strides: Any,
    padding: Any,
    base_dilation: Any = None,
    window_dilation: Any = None,
    **_: Any,
) -> Any:
    """Reduce windows of one or several arrays together by a function of a pair of each; padding is left out."""
    count = len(operands) // 2
    xs = [
        _spread(x, start, padding, base_dilation) for x, start in zip(operands[:count], operands[count:], strict=True)
    ]
    inside = _spread(ca.ones(tuple(operands[0].shape), dtype=ca.bool), False, padding, base_dilation)
    whole = tuple(inside.shape) == tuple(operands[0].shape)
    rows = zip(*(_parts(x, window_dimensions, window_strides, window_dilation) for x in (inside, *xs)), strict=True)
    made: Any = None
    for within, *row in rows:
        if made is None:
            made = [ca.broadcast_to(start, tuple(row[0].shape)) for start in operands[count:]]
        joined = jaxpr(*made, *row)
        made = joined if whole else [ca.where(within, x, y) for x, y in zip(joined, made, strict=True)]
    return made


def _first(x: ca.Array, select: str, window: Any, strides: Any, dilation: Any) -> tuple[list[Any], Any]:
    """Return the elements at each place of the windows, and the place of the largest or smallest."""
    parts = list(_parts(x, window, strides, dilation))
    stacked = ca.stack(parts, axis=0)
    return parts, ca.argmax(stacked, axis=0) if "g" in select else ca.argmin(stacked, axis=0)


@rule("jax.lax.select_and_scatter_add_p")
def select_and_scatter_add(
    source: ca.Array, x: ca.Array, *, select_prim: str, window_dimensions: Any, window_strides: Any, padding: Any
) -> Any:
    """Add the elements of `source` where the first maximum, or minimum, of each window lies."""
    outside = _lowest(x.dtype) if "g" in str(select_prim) else _highest(x.dtype)
    spread = _spread(x, outside, padding, None)
    _, chosen = _first(spread, str(select_prim), window_dimensions, window_strides, None)
    total: Any = ca.zeros(tuple(spread.shape), dtype=source.dtype)
    for number, places in enumerate(product(*map(range, window_dimensions))):
        part = ca.where(chosen == number, source, ca.zeros((), dtype=source.dtype))
        config = []
        for size, stride, count, place in zip(spread.shape, window_strides, source.shape, places, strict=True):
            config.append((place, size - place - ((count - 1) * stride + 1), stride - 1))
        total = total + pad(part, 0, padding_config=config)
    return pad(total, 0, padding_config=[(-low, -high, 0) for low, high in padding])


@rule("jax.lax.select_and_gather_add_p")
def select_and_gather_add(
    tangents: ca.Array,
    x: ca.Array,
    *,
    select_prim: str,
    window_dimensions: Any,
    window_strides: Any,
    padding: Any,
    base_dilation: Any = None,
    window_dilation: Any = None,
) -> Any:
    """Take the elements of `tangents` where the first maximum, or minimum, of each window lies."""
    outside = _lowest(x.dtype) if "g" in str(select_prim) else _highest(x.dtype)
    spread = _spread(x, outside, padding, base_dilation)
    _, chosen = _first(spread, str(select_prim), window_dimensions, window_strides, window_dilation)
    beside = _spread(tangents, 0, padding, base_dilation)
    parts: Sequence[Any] = list(_parts(beside, window_dimensions, window_strides, window_dilation))
    return ca.take_along_axis(ca.stack(parts, axis=0), ca.expand_dims(chosen, axis=0), axis=0)[0]
