"""NumPy's functions that read elements, or call functions of the program, as calls that a graph can hold.

Each is written in NumPy's own words. A program of NumPy meets them while its calls are written down, in place of the functions
of these names.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

__all__ = ["composed", "vectorized"]


def _allclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: bool = False) -> Any:
    return np.all(np.isclose(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan))


def _array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> Any:
    if np.shape(a1) != np.shape(a2):
        return False
    return np.all(_same(a1, a2, equal_nan))


def _array_equiv(a1: Any, a2: Any) -> Any:
    try:
        np.broadcast_shapes(np.shape(a1), np.shape(a2))
    except ValueError:
        return False
    return np.all(_same(a1, a2, False))


def _same(x: Any, y: Any, equal_nan: bool) -> Any:
    same = np.equal(x, y)
    return np.logical_or(same, np.logical_and(np.isnan(x), np.isnan(y))) if equal_nan else same


# --- histograms


def _edges(x: Any, bins: Any, range: Any, dtype: Any) -> Any:
    """Return edges: those given, or even ones between the least and the greatest element, or those of `range`."""
    if np.ndim(bins):
        return np.asarray(bins)
    if range is None:
        low, high = np.min(x), np.max(x)
        single = np.equal(low, high)
        low, high = np.where(single, low - 0.5, low), np.where(single, high + 0.5, high)
    else:
        low, high = range
        low, high = (low - 0.5, high + 0.5) if low == high else (low, high)
    return np.linspace(low, high, int(bins) + 1, dtype=dtype)


def _histogram(a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> Any:
    x = np.ravel(a)
    if isinstance(bins, str) or np.ndim(bins) > 1 or not x.size or x.dtype.kind not in "iuf":
        return NotImplemented
    if range is not None and not all(isinstance(end, (int, float)) and math.isfinite(end) for end in range):
        return NotImplemented
    edges = _edges(x, bins, range, np.result_type(x.dtype, float) if x.dtype.kind != "f" else x.dtype)
    if weights is None:
        ordered = np.sort(x)
        below = np.searchsorted(ordered, edges[:-1], side="left")
        last = np.searchsorted(ordered, edges[-1:], side="right")
        made = np.diff(np.concatenate([below, last]))
    else:
        kept = np.ravel(weights)
        if kept.dtype.kind not in "iuf":
            return NotImplemented
        count = edges.shape[0] - 1
        places = np.searchsorted(edges, x, side="right") - 1
        places = np.where(np.equal(x, edges[-1]), count - 1, places)
        made = _sums(places, np.greater_equal(x, edges[0]), count, kept).astype(kept.dtype)
    if density:
        return made / np.diff(edges).astype(float) / np.sum(made), edges
    return made, edges


def _sums(places: Any, inside: Any, count: int, weights: Any) -> Any:
    """Return the sums of weights by place; places outside go to one behind the last."""
    kept = np.logical_and(inside, np.logical_and(np.greater_equal(places, 0), np.less(places, count)))
    made = np.zeros(count + 1)
    np.add.at(made, np.where(kept, places, count), weights)
    return made[:count]


def _histogramdd(sample: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> Any:
    if isinstance(sample, (list, tuple)):
        columns = [np.ravel(one) for one in sample]
    else:
        x = np.atleast_2d(sample.T).T if np.ndim(sample) == 1 else sample
        columns = [x[:, i] for i in np.arange(x.shape[1]).tolist()]
    axes = len(columns)
    chosen = list(bins) if isinstance(bins, (list, tuple)) else [bins] * axes
    spans = [None] * axes if range is None else list(range)
    if len(chosen) != axes or len(spans) != axes or any(isinstance(one, str) for one in chosen):
        return NotImplemented
    edges, flat, inside = [], 0, True
    shape = []
    for x, count, span in zip(columns, chosen, spans, strict=True):
        if span is not None and not all(isinstance(end, (int, float)) for end in span):
            return NotImplemented
        edge = _edges(x, count, span, None)
        size = edge.shape[0] - 1
        places = np.searchsorted(edge, x, side="right") - 1
        places = np.where(np.equal(x, edge[-1]), size - 1, places)
        within = np.logical_and(np.greater_equal(places, 0), np.less(places, size))
        flat, inside = flat * size + places, np.logical_and(inside, within)
        edges.append(edge)
        shape.append(size)
    made = _sums(flat, inside, math.prod(shape), 1.0 if weights is None else weights).reshape(shape)
    if density:
        total = np.sum(made)
        for axis, edge in enumerate(edges):
            sides = [1] * axes
            sides[axis] = shape[axis]
            made = made / np.diff(edge).reshape(sides)
        made = made / total
    return made, _list_of_edges()(edges)


@cache
def _list_of_edges() -> type:
    """Return the type of the edges that `numpy.histogramdd` returns, which differs between versions."""
    return type(np.histogramdd([[0.0]], 1)[1])


def _histogram2d(x: Any, y: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> Any:
    count = len(bins) if hasattr(bins, "__len__") else 1
    made = _histogramdd([x, y], bins if count <= 2 else [bins, bins], range, density, weights)
    return made if made is NotImplemented else (made[0], made[1][0], made[1][1])


# --- functions of the program


def _apply_along_axis(func1d: Any, axis: Any, arr: Any, *args: Any, **options: Any) -> Any:
    axis = axis % arr.ndim
    rows = np.moveaxis(arr, axis, -1)
    places = list(np.ndindex(tuple(rows.shape[:-1])))
    if not places:
        return NotImplemented
    made = [func1d(rows[place], *args, **options) for place in places]
    parts = np.stack([np.asarray(one) if isinstance(one, (list, tuple)) else one for one in made])
    inner = tuple(np.shape(made[0]))
    whole = parts.reshape((*rows.shape[:-1], *inner))
    outer = len(rows.shape) - 1
    order = [*range(axis), *range(outer, outer + len(inner)), *range(axis, outer)]
    return np.transpose(whole, order)


def _apply_over_axes(func: Any, a: Any, axes: Any) -> Any:
    made = a
    for axis in np.atleast_1d(axes).tolist():
        place = axis + a.ndim if axis < 0 else axis
        found = func(made, place)
        made = found if found.ndim == made.ndim else np.expand_dims(found, place)
    return made


def _piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **options: Any) -> Any:
    several = isinstance(condlist, (list, tuple)) and (not x.ndim or np.ndim(condlist[0]) > 0)
    masks = [np.asarray(one).astype(bool) for one in (condlist if several else [condlist])]
    functions = list(funclist)
    if len(functions) == len(masks) + 1:
        rest = masks[0]
        for mask in masks[1:]:
            rest = np.logical_or(rest, mask)
        masks.append(np.logical_not(rest))
    if len(functions) != len(masks):
        return NotImplemented
    for function in functions:
        if callable(function) and not _is_elementwise(function, [x], args, options):
            return NotImplemented
    made = np.zeros_like(x)
    for mask, function in zip(masks, functions, strict=True):
        value = function(x, *args, **options) if callable(function) else function
        made = np.where(mask, value, made).astype(x.dtype)
    return made


#: Calls that compute each element by itself, beside ufuncs.
_ELEMENTWISE = frozenset(("numpy.where", "operator.pow", "numpy.ndarray.astype", "numpy.ndarray.clip"))


def _is_elementwise(function: Callable[..., Any], arrays: Sequence[Any], args: Any = (), options: Any = None) -> bool:
    """Return whether a function computes by calls of ufuncs alone: then one call for all elements is as many for each."""
    from corearray_numpy.tracer import Recorder, Tracer, trial

    scratch = Recorder()
    firsts = [scratch.tracer(x._array.reshape(-1)[:1][0]) if type(x) is Tracer else x for x in arrays]
    try:
        with trial(scratch):
            function(*firsts, *args, **(options or {}))
    except TypeError:  # it reads elements
        return False
    return all(isinstance(step.function, np.ufunc) or step.name in _ELEMENTWISE for step in scratch.recording.steps)


def vectorized(self: Any, func: Callable[..., Any], args: Sequence[Any]) -> Any:
    """Call a function for each element, or with a signature for each part of arrays."""
    if self.signature is not None:
        return _of_parts(self, func, args)
    arrays = np.broadcast_arrays(*args)
    shape = tuple(arrays[0].shape)
    if _is_elementwise(func, arrays):
        made = func(*arrays)
        results = made if isinstance(made, tuple) else (made,)
        whole = [one if np.shape(one) == shape else np.broadcast_to(one, shape).copy() for one in results]
    else:
        flat = [x.reshape(-1) for x in arrays]
        rows = [func(*(x[i] for x in flat)) for i in np.arange(math.prod(shape)).tolist()]
        made = rows[0]
        columns = zip(*rows, strict=True) if isinstance(made, tuple) else [rows]
        whole = [
            np.stack([np.asarray(one) if np.ndim(one) == 0 else one for one in column]).reshape(shape)
            for column in columns
        ]
    if self.otypes:
        whole = [x.astype(kind) for x, kind in zip(whole, self.otypes, strict=True)]
    return tuple(whole) if isinstance(made, tuple) else whole[0]


def _of_parts(self: Any, func: Callable[..., Any], args: Sequence[Any]) -> Any:
    before, after = self._in_and_out_core_dims
    if len(args) != len(before):
        raise TypeError(f"wrong number of positional arguments: expected {len(before)}, got {len(args)}")
    outer = [tuple(np.shape(x))[: np.ndim(x) - len(axes)] for x, axes in zip(args, before, strict=True)]
    shape = np.broadcast_shapes(*outer)
    whole = [
        np.broadcast_to(x, (*shape, *tuple(np.shape(x))[np.ndim(x) - len(axes) :]))
        for x, axes in zip(args, before, strict=True)
    ]
    rows = [func(*(x[place] for x in whole)) for place in np.ndindex(shape)]
    columns = [list(column) for column in zip(*rows, strict=True)] if len(after) > 1 else [rows]
    made = []
    for number, column in enumerate(columns):
        x = np.stack(column).reshape((*shape, *tuple(np.shape(column[0]))))
        made.append(x.astype(self.otypes[number]) if self.otypes else x)
    return tuple(made) if len(made) > 1 else made[0]


_COMPOSED: dict[str, Callable[..., Any]] = {
    "allclose": _allclose, "array_equal": _array_equal, "array_equiv": _array_equiv, "histogram": _histogram,
    "histogramdd": _histogramdd, "histogram2d": _histogram2d, "apply_along_axis": _apply_along_axis,
    "apply_over_axes": _apply_over_axes, "piecewise": _piecewise,
}  # fmt: skip


def composed(name: str, args: Sequence[Any], options: dict[str, Any]) -> Any:
    """Make the calls that stand for a function; `NotImplemented` if none do."""
    function = _COMPOSED.get(name)
    if function is None:
        return NotImplemented
    try:
        inspect.signature(function).bind(*args, **options)
    except TypeError:  # wrong arguments: NumPy's own function raises its error
        return NotImplemented
    return function(*args, **options)
