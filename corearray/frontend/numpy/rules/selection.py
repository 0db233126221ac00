"""Selecting, inserting and removing elements."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.errors import CoreArrayIndexError, CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.numpy.described import rule, say
from corearray.frontend.numpy.ordering import order_of
from corearray.frontend.numpy.promotion import are_whole_numbers, array, cast, common, surely, whole_numbers

__all__: list[str] = []

say("""
numpy.nonzero(a) = ca.nonzero(_with_axes(array(a)))
numpy.argwhere(a) = _places(array(a))
numpy.flatnonzero(a) = ca.nonzero(ca.reshape(array(a), (-1,)))[0]
numpy.extract(condition, arr) = ca.reshape(array(arr), (-1,))[ca.nonzero(ca.reshape(array(condition), (-1,)))[0]]
numpy.argpartition(a, kth, axis=-1, kind="introselect", order=None) = _partitioned(ca.argpartition, ca.argsort, a, kth, axis)
numpy.partition(a, kth, axis=-1, kind="introselect", order=None) = _partitioned(ca.partition, ca.sort, a, kth, axis)
numpy.sort_complex(a) = cast(ca.take_along_axis(array(a), order_of(array(a), -1), axis=-1), ca.complex64 if array(a).dtype in (ca.int8, ca.uint8, ca.int16, ca.uint16,
    ca.float16, ca.float32, ca.complex64) else ca.complex128)
numpy.append(arr, values, axis=None) = _appended(array(arr), array(values), axis)
numpy.unstack(x, /, *, axis=0) = tuple(ca.unstack(x, axis=axis))
""")


def _with_axes(x: Any) -> Any:
    if not x.ndim:
        raise CoreArrayValueError(
            "Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead. "
            "If the context of this error is of the form `arr[nonzero(cond)]`, just use `arr[cond]`."
        )
    return x


def _places(x: Any) -> Any:
    if not x.ndim:
        return ca.zeros((int(bool(x)), 0), dtype=ca.int64)
    return ca.stack(list(ca.nonzero(x)), axis=-1)


def _partitioned(part: Any, whole: Any, x: Any, kth: Any, axis: Any) -> Any:
    x = array(x)
    if axis is None:
        x, axis = ca.reshape(x, (-1,)), 0
    if isinstance(kth, ca.Array):
        if "int" not in kth.dtype.name:
            raise CoreArrayTypeError("Partition index must be integer")
        kth = kth.tolist()
    places = [kth] if not isinstance(kth, (list, tuple)) else list(kth)
    if any(isinstance(one, float) for one in places):
        raise CoreArrayTypeError("Partition index must be integer")
    size = x.shape[axis] if x.ndim else 1
    for one in places:
        if not -size <= int(one) < size:
            raise CoreArrayValueError(f"kth(={one}) out of bounds ({size})")
    return whole(x, axis=axis) if x.ndim else x


def _appended(x: Any, values: Any, axis: Any) -> Any:
    if axis is None:
        x, values, axis = ca.reshape(x, (-1,)), ca.reshape(values, (-1,)), 0
    if x.ndim != values.ndim:
        raise CoreArrayValueError(
            f"all the input arrays must have same number of dimensions, but the arrays have {x.ndim} and {values.ndim}"
        )
    return ca.concat(list(common(x, values)), axis=axis)


@rule("numpy.compress")
def _compress(condition: Any, a: Any, axis: Any = None, out: Any = None) -> Any:
    a, mask = array(a), array(condition)
    if mask.ndim != 1:
        raise CoreArrayValueError("condition must be a 1-d array")
    if axis is None:
        a, axis = ca.reshape(a, (-1,)), 0
    places = ca.nonzero(mask)[0]
    size = a.shape[axis]
    if mask.shape[0] > size and places.shape[0] and int(ca.max(places)) >= size:
        raise CoreArrayIndexError(f"index {int(ca.max(places))} is out of bounds for axis {axis} with size {size}")
    return ca.take(a, places, axis=axis)


@rule("numpy.choose")
def _choose(a: Any, choices: Any, out: Any = None, mode: str = "raise") -> Any:
    places = array(a)
    if places.dtype != ca.bool and "int" not in places.dtype.name:
        raise CoreArrayTypeError("Cannot cast array data of choose's indices to int64 according to the rule 'safe'")
    places = cast(places, ca.int64)
    options = list(choices) if isinstance(choices, (list, tuple)) else [choices[i] for i in range(choices.shape[0])]
    options = list(common(*(array(one) for one in options)))
    count = len(options)
    if mode == "raise":
        if places.size and (surely(ca.any(places < 0)) or surely(ca.any(places >= count))):
            raise CoreArrayValueError("invalid entry in choice array")
    elif mode == "wrap":
        places = places % count
    else:
        places = ca.clip(places, 0, count - 1)
    shape = ca.broadcast_shapes(tuple(places.shape), *(tuple(one.shape) for one in options))
    made = ca.broadcast_to(options[0], shape)
    for i, one in enumerate(options[1:], 1):
        made = ca.where(places == i, one, made)
    return made


@rule("numpy.delete")
def _delete(arr: Any, obj: Any, axis: Any = None) -> Any:
    x = array(arr)
    if axis is None:
        x, axis = ca.reshape(x, (-1,)), 0
    axis = _axis(axis, x.ndim)
    size = x.shape[axis]
    if isinstance(obj, slice):
        gone = set(range(*obj.indices(size)))
    else:
        places = None if are_whole_numbers(obj) else array(obj)
        if places is None:
            places = obj
        elif places.dtype == ca.bool and places.ndim:
            if tuple(places.shape) != (size,):
                raise CoreArrayValueError(
                    f"boolean array argument `obj` to delete must be one-dimensional and match the axis length of {size}"
                )
            places = ca.nonzero(places)[0]
        elif places.dtype == ca.bool or (places.size and "int" not in places.dtype.name):
            raise CoreArrayIndexError("arrays used as indices must be of integer (or boolean) type")
        gone = set()
        for place in whole_numbers(places):
            if not -size <= place < size:
                raise CoreArrayIndexError(f"index {int(place)} is out of bounds for axis {axis} with size {size}")
            gone.add(int(place) % size)
    kept = [i for i in range(size) if i not in gone]
    return ca.take(x, ca.asarray(kept, dtype=ca.int64), axis=axis)


def _axis(axis: Any, ndim: int) -> int:
    if not -ndim <= axis < ndim:
        raise ca.AxisError(f"axis {axis} is out of bounds for array of dimension {ndim}")
    return axis % ndim


@rule("numpy.insert")
def _insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> Any:
    x, given = array(arr), cast(array(values), array(arr).dtype)
    if axis is None:
        x, axis = ca.reshape(x, (-1,)), 0
    axis = _axis(axis, x.ndim)
    size = x.shape[axis]
    single = False
    if isinstance(obj, slice):
        places = list(range(*obj.indices(size)))
    elif are_whole_numbers(obj):
        places = whole_numbers(obj)
        single = len(places) == 1
        if isinstance(obj, int) and given.ndim:
            given = ca.moveaxis(_to_rank(given, x.ndim), 0, axis)
    else:
        index = array(obj)
        if index.dtype == ca.bool:
            if index.ndim != 1:
                raise CoreArrayValueError("boolean array argument obj to insert must be one dimensional")
            index = ca.nonzero(index)[0]
        elif index.ndim > 1:
            raise CoreArrayValueError("index array argument obj to insert must be one dimensional or scalar")
        if index.size and "int" not in index.dtype.name:
            raise CoreArrayIndexError("arrays used as indices must be of integer (or boolean) type")
        single = index.size == 1
        places = [int(i) for i in ca.reshape(index, (-1,)).tolist()]
        if index.ndim == 0 and given.ndim:
            given = ca.moveaxis(_to_rank(given, x.ndim), 0, axis)
    for place in places:
        if not -size <= place <= size:
            raise CoreArrayIndexError(f"index {place} is out of bounds for axis {axis} with size {size}")
    places = [place + size if place < 0 else place for place in places]
    given = _to_rank(given, x.ndim)
    count = max(given.shape[axis], 1) if single else len(places)
    if single:
        places = places * count
    if not places:
        return x
    given = ca.broadcast_to(given, tuple(count if i == axis else n for i, n in enumerate(x.shape)))
    order = sorted(range(count), key=lambda i: places[i])
    sources: list[int] = []
    waiting = list(order)
    for i in range(size + 1):
        while waiting and places[waiting[0]] == i:
            sources.append(size + waiting.pop(0))
        if i < size:
            sources.append(i)
    return ca.take(ca.concat([x, given], axis=axis), ca.asarray(sources, dtype=ca.int64), axis=axis)


def _to_rank(x: Any, rank: int) -> Any:
    return ca.reshape(x, ((1,) * (rank - x.ndim) + tuple(x.shape))) if x.ndim < rank else x


@rule("numpy.lexsort")
def _lexsort(keys: Any, axis: int = -1) -> Any:
    rows = list(keys) if isinstance(keys, (list, tuple)) else [keys[i] for i in range(keys.shape[0])]
    rows = [array(row) for row in rows]
    if not rows:
        raise CoreArrayTypeError("need sequence of keys with len > 0 in lexsort")
    if not rows[0].ndim:
        return ca.asarray(0, dtype=ca.int64)
    axis = _axis(axis, rows[0].ndim)
    order = order_of(rows[0], axis)
    for row in rows[1:]:
        again = order_of(ca.take_along_axis(row, order, axis=axis), axis)
        order = ca.take_along_axis(order, again, axis=axis)
    return order


@rule("numpy.unravel_index")
def _unravel_index(indices: Any, shape: Any, order: str = "C") -> Any:
    places = array(indices)
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    if places.size and "int" not in places.dtype.name:
        raise CoreArrayTypeError("only int indices permitted")
    count = 1
    for n in sizes:
        count *= n
    places = cast(places, ca.int64)
    if places.size and (surely(ca.any(places < 0)) or surely(ca.any(places >= count))):
        raise CoreArrayValueError(f"an index is out of bounds for array with size {count}")
    made = []
    for n in reversed(sizes) if order == "C" else sizes:
        made.append(places % n if n else places)
        places = places // n if n else places
    return tuple(reversed(made)) if order == "C" else tuple(made)


@rule("numpy.ravel_multi_index")
def _ravel_multi_index(multi_index: Any, dims: Any, mode: Any = "raise", order: str = "C") -> Any:
    rows = (
        list(multi_index)
        if isinstance(multi_index, (list, tuple))
        else [multi_index[i] for i in range(multi_index.shape[0])]
    )
    rows = [array(row) for row in rows]
    sizes = (dims,) if isinstance(dims, int) else tuple(dims)
    modes = tuple(mode) if isinstance(mode, (tuple, list)) else (mode,) * len(sizes)
    if len(rows) != len(sizes):
        raise CoreArrayValueError(f"parameter multi_index must be a sequence of length {len(sizes)}")
    count = 1
    for n in sizes:
        count *= n
    if count >= 2**63:
        raise CoreArrayValueError("invalid dims: array size defined by dims is larger than the maximum possible size.")
    made: Any = None
    pairs = list(zip(rows, sizes, modes, strict=True))
    for row, n, one in pairs if order == "C" else reversed(pairs):
        if row.size and "int" not in row.dtype.name:
            raise CoreArrayTypeError("only int indices permitted")
        row = cast(row, ca.int64)
        if one == "raise":
            if row.size and (surely(ca.any(row < 0)) or surely(ca.any(row >= n))):
                raise CoreArrayValueError("invalid entry in coordinates array")
        else:
            row = row % n if one == "wrap" else ca.clip(row, 0, n - 1)
        made = row if made is None else made * n + row
    return made


@rule("numpy.rollaxis")
def _rollaxis(a: Any, axis: int, start: int = 0) -> Any:
    a = array(a)
    axis = _axis(axis, a.ndim)
    if not -a.ndim <= start <= a.ndim:
        raise ca.AxisError(f"start arg requires {-a.ndim} <= start < {a.ndim + 1}, but {start} was passed in")
    start = start + a.ndim if start < 0 else start
    return ca.moveaxis(a, axis, start - 1 if axis < start else start)


@rule("numpy.block")
def _block(arrays: Any) -> Any:
    depth = _depth(arrays)
    rank = max(depth, _rank(arrays))
    return _blocks(arrays, depth, rank)


def _depth(x: Any) -> int:
    if isinstance(x, tuple):
        raise CoreArrayTypeError(
            "arrays is a tuple. Only lists can be used to arrange blocks, and np.block does not convert tuples."
        )
    if not isinstance(x, list):
        return 0
    if not x:
        raise CoreArrayValueError("List at arrays cannot be empty")
    depths = {_depth(part) for part in x}
    if len(depths) > 1:
        raise CoreArrayValueError("List depths are mismatched in arrays")
    return depths.pop() + 1


def _rank(x: Any) -> int:
    return max(map(_rank, x)) if isinstance(x, list) else array(x).ndim


def _blocks(x: Any, depth: int, rank: int) -> Any:
    if not isinstance(x, list):
        return ca.asarray(_to_rank(array(x), rank), copy=True)
    return ca.concat(list(common(*(_blocks(part, depth - 1, rank) for part in x))), axis=-depth)
