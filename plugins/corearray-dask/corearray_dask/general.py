"""Indexing and assignment, and the ways to NumPy and Python, which compute.

Dask takes slices, integers and one array of indices or truth values. All other keys are computed chunk by chunk of the
indices, with the indexed axes in one chunk.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from typing import Any

import dask.array as da
import numpy as np

from corearray.plugin import hookimpl
from corearray_dask.blocks import Slot, Task, each_of, in_one_chunk, meta_of, over, slotted, task, whole
from corearray_dask.native import computed, differ, known


class Within(Task):
    """Indices after a check that they lie within an axis, of which Dask makes none."""

    __slots__ = ()

    def computed(self, backend: Any, args: Any, options: Any) -> Any:
        """Refuse indices out of bounds."""
        (indices,), size = args, options["size"]
        if indices.size and not (-size <= indices.min() and indices.max() < size):
            raise IndexError(f"an index is out of range for an axis of length {size}")
        return indices


class Write(Task):
    """A copy of a chunk with the elements at a key replaced."""

    __slots__ = ()

    def computed(self, backend: Any, args: Any, options: Any) -> Any:
        """Write into a copy."""
        x, key, value = args
        return backend.fact("set_item", backend.native.asarray(x, copy=True), key, value)


@hookimpl
def get_item(x: Any, key: Any, /) -> Any:
    x, parts = _with_truths(x, _parts(x, key))
    if not any(isinstance(part, da.Array) for part in parts):
        return _cut(x, parts)
    x, parts = _sliced(x, parts)
    arrays = [part for part in parts if isinstance(part, da.Array)]
    if len(arrays) == 1 and arrays[0].dtype.kind == "b":
        mask = arrays[0]
        if mask.ndim == x.ndim:
            if x.ndim > 1 and not known(x):  # Dask would put the elements in the order of the chunks
                return whole("get_item", x, mask, unknown=((0,),))
            return x[mask]
        if mask.ndim == 1:
            return x[tuple(parts)]
    if any(part.dtype.kind == "b" for part in arrays):
        parts = _as_places(parts)
        arrays = [part for part in parts if isinstance(part, da.Array)]
    if len(arrays) == 1 and arrays[0].ndim == 1:
        axis = next(place for place, part in enumerate(parts) if isinstance(part, da.Array))
        if (
            x.numblocks[axis] > 1
            and known(x)
            and all(isinstance(part, slice) for part in parts[:axis] + parts[axis + 1 :])
        ):
            parts[axis] = each_of(Within(None, (Slot(0),), {"size": x.shape[axis]}, {}), arrays)
            with warnings.catch_warnings():  # Dask casts an empty array of the dtype of `x` to integers
                warnings.simplefilter("ignore", np.exceptions.ComplexWarning)
                return x[tuple(parts)]
    return _gathered(x, parts)


def _parts(x: Any, key: Any) -> list[Any]:
    """Return a key with a part for each axis, and `None` for new ones."""
    parts = list(key) if isinstance(key, tuple) else [key]
    wrong = [part for part in parts if isinstance(part, (float, complex, str))]
    if wrong:
        raise IndexError(f"{wrong[0]!r} is no index")
    taken = sum(map(_axes_of, parts))
    if taken > x.ndim:
        raise IndexError(f"a key for {taken} axes is too long for an array of the shape {x.shape}")
    at = 0
    for part in parts:
        if isinstance(part, da.Array) and part.dtype.kind == "b":
            if any(map(differ, part.shape, x.shape[at:])):
                raise IndexError(f"a mask of the shape {part.shape} does not fit an array of the shape {x.shape}")
            at += part.ndim
        elif part is Ellipsis:
            at += x.ndim - taken
        else:
            at += _axes_of(part)
    rest = [slice(None)] * (x.ndim - taken)
    for place, part in enumerate(parts):
        if part is Ellipsis:
            return parts[:place] + rest + parts[place + 1 :]
    return parts + rest


def _axes_of(part: Any) -> int:
    """Return how many axes a part of a key selects from."""
    if isinstance(part, da.Array) and part.dtype.kind == "b":
        return int(part.ndim)
    return 0 if part is None or part is Ellipsis or isinstance(part, bool) else 1


def _with_truths(x: Any, parts: list[Any]) -> tuple[Any, list[Any]]:
    """Replace each truth value of a key by a new axis of `x` and the index array that selects all of it or nothing."""
    found: list[Any] = []
    at = 0
    for part in parts:
        is_lazy = isinstance(part, da.Array) and part.dtype.kind == "b" and not part.ndim
        if isinstance(part, bool):
            found.append(da.from_array(np.zeros(int(part), np.int64)))
        elif is_lazy:
            found.append(da.nonzero(part[None])[0])
        else:
            found.append(part)
            at += _axes_of(part)
            continue
        x = x[(*(slice(None),) * at, None)]
        at += 1
    return x, found


def _sliced(x: Any, parts: list[Any]) -> tuple[Any, list[Any]]:
    """Apply slices and new axes, and return what is left: integers, arrays and full slices."""
    first, left = [], []
    for part in parts:
        if part is None or isinstance(part, slice):
            first.append(part)
            left.append(slice(None))
        else:
            first += [slice(None)] * (part.ndim if isinstance(part, da.Array) and part.dtype.kind == "b" else 1)
            left.append(part)
    return _cut(x, first), left


def _cut(x: Any, parts: list[Any]) -> Any:
    """Index by integers, slices and new axes; an axis of unknown size that is cut comes in one chunk."""
    own = [part for part in parts if part is not None]
    for at, (part, size) in enumerate(zip(own, x.shape, strict=True)):
        if isinstance(part, slice) and (part.step or 1) < 0 and part.start is not None and part.start < -size:
            own[at] = slice(0, 0)  # a slice backwards from before the first element, of which Dask takes all elements
    left = iter(own)
    parts = [part if part is None else next(left) for part in parts]
    hidden = [at for at, size in enumerate(x.shape) if size != size and own[at] != slice(None)]
    if not hidden:
        return x[tuple(parts)]
    made = Task(
        "get_item", (Slot(0), tuple(part if at in hidden else slice(None) for at, part in enumerate(own))), {}, {}
    )
    kept = [at for at in range(x.ndim) if at not in hidden or isinstance(own[at], slice)]
    labels = [at + x.ndim if at in hidden else at for at in kept]
    sizes = {label: math.nan for label in labels if label >= x.ndim}
    meta = meta_of(x._meta, len(kept))
    x = da.blockwise(made, labels, x, range(x.ndim), new_axes=sizes, concatenate=True, meta=meta, token="get_item")
    rest, at = [], 0
    for part in parts:
        if part is None or at not in hidden:
            rest.append(part)
        elif isinstance(part, slice):
            rest.append(slice(None))
        at += part is not None
    return x[tuple(rest)]


def _as_places(parts: list[Any]) -> list[Any]:
    """Return a key with indices in place of arrays of truth values."""
    found: list[Any] = []
    for part in parts:
        if isinstance(part, da.Array) and part.dtype.kind == "b":
            found += da.nonzero(part)
        else:
            found.append(part)
    return found


def _gathered(x: Any, parts: list[Any]) -> Any:
    """Index by several arrays, or one of several axes, each chunk of which is a task."""
    indexed = [place for place, part in enumerate(parts) if not isinstance(part, slice)]
    ndim = max(part.ndim for part in parts if isinstance(part, da.Array))
    arrays: list[Any] = []
    made = Task("get_item", (Slot(0), slotted(tuple(parts), arrays := [x])), {}, {})
    loops: list[list[Any]] = [[None if at in indexed else f"x{at}" for at in range(x.ndim)]]
    loops += [[f"i{at}" for at in range(-part.ndim, 0)] for part in arrays[1:]]
    adjacent = indexed == list(range(indexed[0], indexed[-1] + 1))
    kept = [f"x{at}" for at in range(x.ndim) if at not in indexed]
    place = indexed[0] if adjacent else 0
    labels = [*kept[:place], *(f"i{at}" for at in range(-ndim, 0)), *kept[place:]]
    return over(made, arrays, loops, lambda count, number: labels)


@hookimpl
def set_item(x: Any, key: Any, value: Any) -> Any:
    parts = _parts(x, key)
    arrays = [part for part in parts if isinstance(part, da.Array)]
    truths = any(isinstance(part, bool) for part in parts)
    if known(x) and not (truths and arrays):
        chosen = _chosen(x, parts)
        while value.ndim > len(chosen) and value.shape[0] == 1:  # as NumPy takes it
            value = value[0]
        if value.ndim > len(chosen) or not all(
            size == 1 or size == wanted or wanted is None or size != size
            for size, wanted in zip(value.shape[::-1], chosen[::-1], strict=False)
        ):
            raise ValueError(
                f"an array of the shape {value.shape} does not broadcast to elements of the shape {chosen}"
            )
        if 0 in chosen:
            return x
    plain = not truths and not any(part is None for part in parts)
    if plain and len(arrays) == 1 and arrays[0].dtype.kind == "b" and value.ndim == 0:
        mask = arrays[0]
        if mask.ndim == x.ndim:
            return each_of(*task("where", (mask, value, x), {}))
    if plain and not arrays and known(x) and x.ndim and _in_steps(parts):
        x = x.copy()
        x[tuple(parts)] = value
        return x
    made = Write("set_item", (Slot(0), slotted(tuple(parts), arrays := [x]), slotted(value, arrays)), {}, {})
    pairs = []
    for place, one in enumerate(arrays):
        pairs += [in_one_chunk(one, range(one.ndim)), tuple(f"{place}-{at}" for at in range(one.ndim))]
    labels = tuple(f"new-{at}" for at in range(x.ndim))
    sizes = dict(zip(labels, x.shape, strict=True))
    return da.blockwise(made, labels, *pairs, new_axes=sizes, concatenate=True, meta=x._meta, token="set_item")


def _chosen(x: Any, parts: list[Any]) -> tuple[Any, ...]:
    """Return the shape of the elements at a key, `None` for sizes that depend on values; refuse a key out of bounds."""
    x = np.broadcast_to(np.empty((), bool), x.shape)
    arrays = [part for part in parts if isinstance(part, da.Array)]
    if not arrays:
        return x[tuple(parts)].shape
    rest = x[tuple(0 if isinstance(part, int) else part for part in _without_arrays(parts))].shape
    indexed: tuple[Any, ...]
    if any(part.dtype.kind == "b" or not known(part) for part in arrays):
        indexed = (None,) * max(1 if part.dtype.kind == "b" else part.ndim for part in arrays)
    else:
        indexed = np.broadcast_shapes(*(part.shape for part in arrays))
    places = [at for at, part in enumerate(parts) if isinstance(part, (int, da.Array))]
    first = places[0] if places == list(range(places[0], places[-1] + 1)) else 0
    return (*rest[:first], *indexed, *rest[first:])


def _without_arrays(parts: list[Any]) -> Iterator[Any]:
    for part in parts:
        if isinstance(part, da.Array):
            yield from (0,) * (part.ndim if part.dtype.kind == "b" else 1)
        else:
            yield part


def _in_steps(parts: list[Any]) -> bool:
    return all(not isinstance(part, slice) or part.step is None or part.step > 0 for part in parts)


@hookimpl
def to_list(x: Any, /) -> Any:
    return np.asarray(computed(x)).tolist()


@hookimpl
def to_numpy(x: Any, /) -> Any:
    return np.asarray(computed(x))
