"""Shapes and arrangements."""

from __future__ import annotations

import math
from operator import index
from typing import Any

import dask.array as da
import numpy as np

from corearray.plugin import hookimpl
from corearray_dask.blocks import in_one_chunk, meta_of, places, task, whole
from corearray_dask.general import get_item
from corearray_dask.native import differ, known


@hookimpl
def broadcast_to(x: Any, /, shape: Any) -> Any:
    return da.broadcast_to(x, shape)


@hookimpl
def concat(arrays: Any, /, *, axis: int | None = 0) -> Any:
    if axis is None:
        arrays, axis = [x.reshape((-1,)) for x in arrays], 0
    if len({x.ndim for x in arrays}) > 1:
        raise ValueError(
            f"arrays of {sorted({x.ndim for x in arrays})} axes cannot be joined; give them as many axes each"
        )
    shapes = [x.shape[: places(axis, x.ndim)] + x.shape[places(axis, x.ndim) + 1 :] for x in arrays]
    if any(any(map(differ, shape, shapes[0])) for shape in shapes):
        raise ValueError(f"arrays of the shapes {[x.shape for x in arrays]} do not fit together along axis {axis}")
    return da.concatenate(arrays, axis, allow_unknown_chunksizes=True)


@hookimpl
def expand_dims(x: Any, /, axis: Any) -> Any:
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    new = {places(at, x.ndim + len(axes)) for at in axes}
    if len(new) < len(axes):
        raise ValueError(f"an axis is named twice in {axis}")
    return x[tuple(None if at in new else slice(None) for at in range(x.ndim + len(new)))] if new else x


@hookimpl
def flip(x: Any, /, *, axis: Any = None) -> Any:
    axes = range(x.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
    turned = {places(at, x.ndim) for at in axes}
    key = tuple(slice(None, None, -1) if at in turned else slice(None) for at in range(x.ndim))
    return get_item(x, key) if turned else x


@hookimpl
def moveaxis(x: Any, source: Any, destination: Any, /) -> Any:
    return da.moveaxis(x, source, destination)


@hookimpl
def permute_dims(x: Any, /, axes: Any) -> Any:
    if axes is None or type(axes) is int:
        raise TypeError("the axes are named, one for each")
    if sorted(places(at, x.ndim) for at in axes) != list(range(x.ndim)):
        raise ValueError(f"{tuple(axes)} does not name each of the {x.ndim} axes once")
    return da.transpose(x, tuple(axes))


@hookimpl
def repeat(x: Any, repeats: Any, /, axis: int | None = None) -> Any:
    if axis is None:
        x, axis = reshape(x, (-1,)), 0
    axis = places(axis, x.ndim)
    if not isinstance(repeats, int):
        return whole("repeat", x, repeats, axis=axis, unknown=((axis,),))
    if repeats < 0:
        raise ValueError(f"elements cannot be repeated {repeats} times")
    if 0 in x.shape or repeats == 0 or not known(x):
        return whole("repeat", x, repeats, axis=axis)
    return da.repeat(x, index(repeats), axis)


@hookimpl
def reshape(x: Any, /, shape: Any, *, copy: bool | None = None) -> Any:
    """Reshape; chunks that cannot be kept apart become one."""
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    if min(shape, default=0) < -1:
        raise ValueError(f"the shape {shape}")
    if not any(size != size for size in x.shape):
        wanted = np.broadcast_to(np.empty((), x.dtype), x.shape).reshape(shape).shape
        if wanted == x.shape:
            return x.copy() if copy else x
        if 0 in wanted:  # which Dask cannot cut
            return da.zeros_like(x, shape=wanted)
        shape = wanted
    else:
        return _of_unknown(x, shape)
    try:
        return da.reshape(x, shape)
    except NotImplementedError:
        return da.reshape(in_one_chunk(x, range(x.ndim)), shape)


def _of_unknown(x: Any, shape: tuple[int, ...]) -> Any:
    """Reshape an array of unknown sizes: chunk by chunk if only the first axis is cut and rows stay rows, else in one chunk."""
    row = math.prod(x.shape[1:])
    rest = math.prod(shape[1:])
    sizes = tuple(math.nan if size == -1 else size for size in shape)
    if (
        row == row
        and shape
        and shape[0] == -1
        and rest > 0
        and row % rest == 0
        and max(x.numblocks[1:], default=1) == 1
    ):
        made, _ = task("reshape", (x, shape), {})
        labels = (0, *range(x.ndim, x.ndim + len(shape) - 1))
        options = {"new_axes": dict(zip(labels[1:], shape[1:], strict=True)), "adjust_chunks": {0: lambda _: math.nan}}
        return da.blockwise(
            made,
            labels,
            x,
            range(x.ndim),
            concatenate=True,
            meta=meta_of(x._meta, len(shape)),
            token="reshape",
            **options,
        )
    found = whole("reshape", x, shape, unknown=([at for at, size in enumerate(sizes) if size != size],))
    found._chunks = tuple((size,) for size in sizes)
    return found


@hookimpl
def roll(x: Any, /, shift: Any, *, axis: Any = None) -> Any:
    if not known(x):
        return whole("roll", x, shift, axis=axis)
    if isinstance(shift, (tuple, list)):
        axes = axis if isinstance(axis, (tuple, list)) else (axis,)
        if len(shift) != len(axes):
            raise ValueError(f"there are {len(shift)} shifts for {len(axes)} axes")
        return da.roll(x, tuple(map(index, shift)), tuple(axes))
    if isinstance(axis, (tuple, list)):
        return da.roll(x, (index(shift),) * len(axis), tuple(axis))
    if 0 in x.shape:
        return x
    return da.roll(x, index(shift), axis)


@hookimpl
def squeeze(x: Any, /, axis: Any) -> Any:
    axes = {places(at, x.ndim) for at in ((axis,) if isinstance(axis, int) else axis)}
    wrong = [at for at in axes if x.shape[at] != 1]
    if wrong:
        raise ValueError(f"axis {wrong[0]} of an array of the shape {x.shape} has not the length 1")
    return x[tuple(0 if at in axes else slice(None) for at in range(x.ndim))] if axes else x


@hookimpl
def stack(arrays: Any, /, *, axis: int = 0) -> Any:
    return da.stack(arrays, places(axis, arrays[0].ndim + 1), allow_unknown_chunksizes=True)


@hookimpl
def unstack(x: Any, /, *, axis: int = 0) -> tuple[Any, ...]:
    before = (slice(None),) * places(axis, x.ndim)
    return tuple(x[(*before, i)] for i in range(x.shape[axis]))
