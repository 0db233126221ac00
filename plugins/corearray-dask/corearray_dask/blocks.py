"""Tasks: functions of corearray on the chunks of arrays, one task a chunk.

A `Task` names a function and runs it on the backend of the chunk, NumPy's as a rule. It is pickled by its name, so that
workers need corearray and no code of the client. `over` lays a task over the chunks of arrays: axes with a *loop* are
computed chunk by chunk, all others are brought into one chunk.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from operator import attrgetter
from typing import Any

import dask
import dask.array as da
import numpy as np
from dask.base import tokenize
from dask.utils import parse_bytes

import corearray as ca

#: Settings that change what functions compute, with their start values. Those of the client travel with the tasks.
_SETTINGS = {
    "default_float_dtype": ca.float32,
    "default_int_dtype": ca.int64,
    "default_uint_dtype": ca.uint64,
    "default_complex_dtype": ca.complex64,
    "min_denominator": 1e-12,
    "min_base": 1e-5,
}


class Slot:
    """The place of a chunk among the arguments of a task."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number

    def __reduce__(self) -> tuple[Any, ...]:
        return Slot, (self.number,)

    def __dask_tokenize__(self) -> tuple[str, int]:
        return "slot", self.number


class Task:
    """A function of corearray with its arguments, called with the chunks that belong into the slots.

    Parameters
    ----------
    name
        Dotted name in the namespace of native functions: `"sin"`, `"linalg.solve"`.
    args, options
        Arguments, with `Slot` in place of chunks, also within lists and tuples.
    settings
        Settings by name that are in force during the call; the others have their start values.
    """

    __slots__ = ("_token", "args", "name", "options", "settings")

    def __init__(self, name: str, args: tuple[Any, ...], options: dict[str, Any], settings: dict[str, Any]) -> None:
        self.name, self.args, self.options, self.settings = name, args, options, settings
        self._token = tokenize(name, args, sorted(options.items()), sorted((k, str(v)) for k, v in settings.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name, self.args, self.options, self.settings)

    def __dask_tokenize__(self) -> tuple[str, str]:
        return type(self).__qualname__, self._token

    def __hash__(self) -> int:
        return hash(self._token)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._token == self._token

    def __call__(self, *chunks: Any) -> Any:
        args, options = filled((self.args, self.options), chunks)
        settings = {**_SETTINGS, **self.settings}  # in place of those in force when values are computed
        with ca.settings(array_mode=True, **settings):
            return self.computed(_backend(next(chunk for chunk in chunks if hasattr(chunk, "dtype"))), args, options)

    def computed(self, backend: Any, args: Any, options: Any) -> Any:
        """Return what the function returns on a backend, native arrays."""
        return attrgetter(self.name)(backend.native)(*args, **options)


class Program(Task):
    """A function of arrays of corearray, given as such and pickled."""

    __slots__ = ()

    def computed(self, backend: Any, args: Any, options: Any) -> Any:
        """Call the function on arrays and return native arrays."""
        return ca.to_native(ca.agnostic(self.name)(*args, **options))  # type: ignore[operator]


def _backend(chunk: Any) -> Any:
    if isinstance(chunk, (np.ndarray, np.generic)):
        return ca.get_backend("numpy")
    return ca.agnostic(lambda x: x.backend)(chunk)


def filled(tree: Any, chunks: Sequence[Any]) -> Any:
    """Return arguments with the chunks in their slots."""
    if type(tree) is Slot:
        return chunks[tree.number]
    if type(tree) in (list, tuple):
        return type(tree)([filled(item, chunks) for item in tree])
    if type(tree) is dict:
        return {key: filled(item, chunks) for key, item in tree.items()}
    return tree


def slotted(tree: Any, arrays: list[Any]) -> Any:
    """Return arguments with slots in place of their lazy arrays, which are appended to a list."""
    if isinstance(tree, da.Array):
        arrays.append(tree)
        return Slot(len(arrays) - 1)
    if type(tree) in (list, tuple):
        return type(tree)([slotted(item, arrays) for item in tree])
    if type(tree) is dict:
        return {key: slotted(item, arrays) for key, item in tree.items()}
    return tree


def task(name: Any, args: tuple[Any, ...], options: dict[str, Any], kind: type[Task] = Task) -> tuple[Task, list[Any]]:
    """Return a task with the settings of this moment, and the lazy arrays of its slots."""
    arrays: list[Any] = []
    args, options = slotted(args, arrays), slotted(options, arrays)
    settings = {name: found for name, start in _SETTINGS.items() if (found := getattr(ca, name)()) != start}
    return kind(name, args, options, settings), arrays


# --- outlines: what a task gives for chunks of certain shapes


def _sample(made: Task, shape: tuple[int, ...], dtype: Any, meta: Any) -> Any:
    """Return zeros, for linear algebra and functions of users with ones on the diagonal of the last two axes."""
    sample = np.zeros(shape, dtype)
    if sample.dtype.kind in "fc" and (not isinstance(made.name, str) or made.name.startswith("linalg")):
        sample[...] = np.eye(*shape[-2:], dtype=dtype) if len(shape) > 1 else 1
    return sample if isinstance(meta, np.ndarray) else np.zeros_like(meta, shape=shape, dtype=dtype) + sample


class _Kind:
    """The type of chunks, for memos; arrays of one type and dtype are equal."""

    __slots__ = ("dtype", "meta")

    def __init__(self, x: Any) -> None:
        self.meta, self.dtype = x._meta, x.dtype

    def __hash__(self) -> int:
        return hash((type(self.meta), self.dtype))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Kind) and (type(self.meta), self.dtype) == (type(other.meta), other.dtype)


@lru_cache(maxsize=4096)
def _outline(task: Task, shapes: tuple[tuple[int, ...], ...], kinds: tuple[_Kind, ...]) -> Any:
    samples = [_sample(task, shape, kind.dtype, kind.meta) for shape, kind in zip(shapes, kinds, strict=True)]
    with np.errstate(all="ignore"):
        return task(*samples)


def outline(task: Task, arrays: Sequence[Any], shapes: Sequence[tuple[int, ...]]) -> Any:
    """Return what a task gives for chunks of these shapes, memoised."""
    return _outline(task, tuple(shapes), tuple(map(_Kind, arrays)))


def meta_of(result: Any, ndim: int) -> Any:
    """Return an empty array of the type and dtype of a result."""
    if isinstance(result, (np.ndarray, np.generic)):
        return np.empty((0,) * ndim, result.dtype)
    return np.empty_like(result, shape=(0,) * ndim)


# --- tasks over chunks


def each(name: str, /, *args: Any, **options: Any) -> Any:
    """Compute an elementwise function in one task a chunk."""
    made, arrays = task(name, args, options)
    return each_of(made, arrays)


def each_of(made: Task, arrays: Sequence[Any]) -> Any:
    """Lay an elementwise task over arrays that broadcast."""
    ndim = max(x.ndim for x in arrays)
    fitting(arrays, [range(-x.ndim, 0) for x in arrays])
    found = outline(made, arrays, [(1,) * x.ndim for x in arrays])
    pairs = [part for x in arrays for part in (x, tuple(range(x.ndim))[::-1])]
    labels = tuple(range(ndim))[::-1]
    if not isinstance(found, tuple):
        return da.blockwise(made, labels, *pairs, meta=meta_of(found, ndim), token=_token(made))
    whole = da.blockwise(made, labels, *pairs, meta=np.empty((0,) * ndim, object), token=_token(made))
    return tuple(
        da.blockwise(
            item, labels, whole, labels, (place,), None, meta=meta_of(one, ndim), token=f"{_token(made)}-{place}"
        )
        for place, one in enumerate(found)
    )


def _token(made: Task) -> str:
    return made.name.rpartition(".")[2] if isinstance(made.name, str) else getattr(made.name, "__name__", "program")


def fitting(arrays: Sequence[Any], loops: Sequence[Sequence[Any]]) -> None:
    """Refuse axes of one label that do not broadcast."""
    sizes: dict[Any, Any] = {}
    for x, labels in zip(arrays, loops, strict=True):
        for size, label in zip(x.shape, labels, strict=True):
            if label is not None and size == size and size != 1 and sizes.setdefault(label, size) != size:
                shapes = ", ".join(str(one.shape) for one in arrays)
                raise ValueError(f"arrays of the shapes {shapes} do not broadcast")


def over(
    made: Task,
    arrays: Sequence[Any],
    loops: Sequence[Sequence[Any]],
    result: Callable[[int, int], Sequence[Any]],
    unknown: Sequence[Sequence[int]] = (),
) -> Any:
    """Lay a task over arrays, some of whose axes are computed chunk by chunk.

    Parameters
    ----------
    made, arrays
        The task and the arrays of its slots.
    loops
        For each array and axis a label, or `None` for an axis that comes in one chunk. Axes of one label are cut alike, and
        those of the length 1 are repeated.
    result
        From the number of axes of a result, and its place among several, to the label, or `None`, of each axis.
    unknown
        For each result the axes whose sizes depend on values.

    Returns
    -------
    An array, or a tree of arrays as the task returns it.
    """
    fitting(arrays, loops)
    arrays = [
        in_one_chunk(x, [axis for axis, label in enumerate(labels) if label is None])
        for x, labels in zip(arrays, loops, strict=True)
    ]
    found, leaves = _outlines(made, arrays, loops)
    pairs, names, alone = [], {}, 0
    for x, labels in zip(arrays, loops, strict=True):
        index = []
        for label in labels:
            if label is None:
                index.append(f"whole-{alone}")
                alone += 1
            else:
                index.append(names.setdefault(label, f"loop-{label}"))
        pairs += [x, tuple(index)]
    indices, sizes = [], {}
    for number, (_, one, shape) in enumerate(leaves):
        index = [
            f"new-{number}-{axis}" if label is None else names[label]
            for axis, label in enumerate(result(one.ndim, number))
        ]
        hidden = unknown[number] if number < len(unknown) else ()
        sizes.update(
            (label, math.nan if axis in hidden else shape[axis])
            for axis, label in enumerate(index)
            if label.startswith("new-")
        )
        indices.append(tuple(index))
    token = _token(made)
    if not isinstance(found, (tuple, list)):
        meta = meta_of(found, found.ndim)
        return da.blockwise(made, indices[0], *pairs, new_axes=sizes, concatenate=True, meta=meta, token=token)
    looped = tuple(names.values())
    meta = np.empty((0,) * len(looped), object)
    together = da.blockwise(made, looped, *pairs, concatenate=True, meta=meta, token=token)
    results = [
        da.blockwise(
            item, index, together, looped, path, None, meta=meta_of(one, one.ndim), token=f"{token}-{number}",
            new_axes={label: sizes[label] for label in index if label in sizes},
        )
        for number, (index, (path, one, _)) in enumerate(zip(indices, leaves, strict=True))
    ]  # fmt: skip
    return _rebuilt(found, iter(results))


def _outlines(made: Task, arrays: Sequence[Any], loops: Sequence[Sequence[Any]]) -> tuple[Any, list[Any]]:
    """Return what a task gives for samples, and for each of its arrays the path, the array and the shape.

    Sizes above 60 are replaced by smaller ones, twice, so that a graph is made without the work of the task. A size of a result
    is that of an argument if it is so both times. Others, such as those of a convolution, are found with the real sizes.
    Where sizes of the arguments are unknown, so are those of the results that change with them.
    """
    whole = {
        size
        for x, labels in zip(arrays, loops, strict=True)
        for size, label in zip(x.shape, labels, strict=True)
        if label is None and (size != size or size > _SMALL)
    }
    large = sorted(size for size in whole if size == size) + ([math.nan] if any(size != size for size in whole) else [])

    def probed(numbers: Sequence[int]) -> Any:
        stands = dict(zip((str(size) for size in large), numbers, strict=False))
        shapes = [
            tuple(
                int(size != 0) if label is not None else stands.get(str(size), size)
                for label, size in zip(labels, x.shape, strict=True)
            )
            for x, labels in zip(arrays, loops, strict=True)
        ]
        return outline(made, arrays, shapes)

    if not large:
        found = probed(())
        return found, [(path, one, one.shape) for path, one in _leaves(found)]
    if len(large) <= len(_FIRST):
        with suppress(Exception):  # options that need the real sizes
            found = probed(_FIRST)
            leaves = []
            for (path, one), (_, other) in zip(_leaves(found), _leaves(probed(_SECOND)), strict=True):
                shape = [_size(*sizes, large) for sizes in zip(one.shape, other.shape, strict=True)]
                leaves.append((path, one, shape))
            return found, leaves
    found = probed([size for size in large if size == size])
    return found, [(path, one, one.shape) for path, one in _leaves(found)]


_SMALL = 60

#: Sizes that stand for larger ones, and for unknown ones.
_FIRST = (61, 67, 71, 73, 79, 83)
_SECOND = (89, 97, 101, 103, 107, 109)


def _size(first: int, second: int, large: Sequence[Any]) -> Any:
    """Return the size of an axis of a result that was one number with the first sizes, and another with the second ones."""
    if first == second:
        return first
    if first in _FIRST and _FIRST.index(first) < len(large) and second == _SECOND[_FIRST.index(first)]:
        return large[_FIRST.index(first)]
    if any(size != size for size in large):
        return math.nan
    raise ValueError("the size is computed from others")


def _leaves(tree: Any, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Any]]:
    """Yield the arrays of nested tuples and lists with their paths."""
    if isinstance(tree, (tuple, list)):
        for place, item in enumerate(tree):
            yield from _leaves(item, (*path, place))
    else:
        yield path, tree


def _rebuilt(tree: Any, results: Iterator[Any]) -> Any:
    """Return nested tuples and lists with results in place of their arrays."""
    if isinstance(tree, (tuple, list)):
        return tuple([_rebuilt(item, results) for item in tree])
    return next(results)


def item(results: Any, path: tuple[int, ...]) -> Any:
    """Return what stands at a path in nested tuples and lists."""
    for place in path:
        results = results[place]
    return results


def along(name: str, axes: Any, /, *args: Any, **options: Any) -> Any:
    """Compute a function along axes of its first array, which come in one chunk; other arrays of it come whole.

    The result has the axes of the array, or lacks those along which it was computed.
    """
    made, arrays = task(name, args, options)
    ndim = arrays[0].ndim
    axes = range(ndim) if axes is None else axes if isinstance(axes, (tuple, list)) else (axes,)
    taken = {places(axis, ndim) for axis in axes}
    mine = [None if axis in taken else axis for axis in range(ndim)]
    loops = [mine, *([None] * x.ndim for x in arrays[1:])]

    def labels(count: int, number: int) -> list[Any]:
        return mine if count == ndim else [label for label in mine if label is not None]

    return over(made, arrays, loops, labels)


def together(name: str, axis: int, /, *args: Any, **options: Any) -> Any:
    """Compute a function along one axis of several arrays that are cut alike along the others, counted from the back."""
    made, arrays = task(name, args, options)
    ndim = max(x.ndim for x in arrays)
    whole = places(axis, ndim) - ndim
    loops = [[None if at == whole else at for at in range(-x.ndim, 0)] for x in arrays]
    return over(made, arrays, loops, lambda count, number: [None if at == whole else at for at in range(-count, 0)])


def batched(name: str, core: Sequence[int], /, *args: Any, **options: Any) -> Any:
    """Compute a function of the last axes of arrays, for each batch; `core` says how many axes that are for each array."""
    made, arrays = task(name, args, options)
    loops = [[*range(-(x.ndim - n), 0), *[None] * n] for x, n in zip(arrays, core, strict=False)]
    batch = max(x.ndim - n for x, n in zip(arrays, core, strict=False))
    return over(made, arrays, loops, lambda count, number: [*range(-batch, 0), *[None] * (count - batch)])


def by_first(name: str, /, *args: Any, also: int = 0, **options: Any) -> Any:
    """Compute a function whose first axis is the batch; of the next `also` arrays the first axis is the batch too."""
    made, arrays = task(name, args, options)
    loops = [[0 if axis == 0 and place <= also else None for axis in range(x.ndim)] for place, x in enumerate(arrays)]
    return over(made, arrays, loops, lambda count, number: [0, *[None] * (count - 1)])


def whole(name: str, /, *args: Any, unknown: Sequence[Sequence[int]] = (), **options: Any) -> Any:
    """Compute a function of whole arrays in one task; `unknown` as for `over`."""
    made, arrays = task(name, args, options)
    return over(made, arrays, [[None] * x.ndim for x in arrays], lambda count, number: [None] * count, unknown)


def parts(name: str, x: Any, /, *args: Any, unknown: Sequence[Sequence[int]] = (), **options: Any) -> Any:
    """Compute a function of one array on each chunk of its last axis; the results are put side by side."""
    made, arrays = task(name, (x, *args), options)
    return over(made, arrays, [[0]], lambda count, number: [0], unknown)


def places(axis: int, ndim: int) -> int:
    """Return an axis counted from the front."""
    if not -ndim <= axis < ndim:
        raise IndexError(f"an array of {ndim} axes has no axis {axis}")
    return axis % ndim


def limit() -> int:
    """Return the bytes that one chunk may have where a function needs an axis whole: eight times Dask's `array.chunk-size`."""
    return 8 * int(parse_bytes(dask.config.get("array.chunk-size")))


def _same(x: Any) -> Any:
    return x


def in_one_chunk(x: Any, axes: Sequence[int]) -> Any:
    """Return an array that is not cut along some axes; along the others its chunks may become smaller.

    Raises
    ------
    MemoryError
        If a chunk would be larger than `limit()`. Unknown sizes are not checked.
    """
    cut = [axis for axis in axes if x.numblocks[axis] > 1]
    if not cut:
        return x
    if any(math.isnan(x.shape[axis]) for axis in axes):
        labels = [axis + x.ndim if axis in cut else axis for axis in range(x.ndim)]
        sizes = {axis + x.ndim: x.shape[axis] for axis in cut}
        options = {"concatenate": True, "meta": x._meta, "token": "in_one_chunk"}
        return da.blockwise(_same, labels, x, range(x.ndim), new_axes=sizes, **options)
    others = [axis for axis in range(x.ndim) if axis not in axes]
    least = math.prod(x.shape[axis] for axis in axes) * x.dtype.itemsize
    if least > limit():
        raise MemoryError(
            f"the function needs the axes {tuple(axes)} of an array of the shape {x.shape} in one chunk of {least} bytes, and "
            f"the limit is {limit()}; reduce the array first, cut it along other axes, or allow larger chunks with "
            f"dask.config.set({{'array.chunk-size': '{-(-least // 8)}B'}})"
        )
    largest = least * math.prod(max(x.chunks[axis]) for axis in others)
    kept: Any = "auto" if largest > limit() else None
    return x.rechunk({**dict.fromkeys(axes, -1), **(dict.fromkeys(others, kept) if kept else {})})
