"""Shapes and orders of elements; no value is computed.

torch has no negative strides: what NumPy shows the other way round is a copy here.
"""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import Fast, hookimpl
from corearray_torch.native import BITS, VALUES, as_indices, with_axes
from corearray_torch.sharding import whole, with_whole_axis

#: By a name of this module: to find an attribute of `torch` takes 30 ns.
_reshape = torch.reshape

#: The most common place of a new axis: one object, which no other number is.
_FIRST = 0


@hookimpl(native=torch.broadcast_tensors)
def broadcast_arrays(*arrays: Any) -> Any: ...


@hookimpl
def broadcast_to(x: Any, /, shape: Any) -> Any:
    """Broadcast; for torch a size of -1 means the one that is there."""
    shape = (shape,) if isinstance(shape, int) else shape
    if any(size < 0 for size in shape):
        raise ValueError(f"the shape {shape} is negative")
    return torch.broadcast_to(x, shape)


def _joined(arrays: Any, axis: int = 0) -> Any:
    """Join arrays; torch leaves out arrays of shape `(0,)` whatever the other shapes are."""
    result = torch.cat(arrays, axis)
    if result.dim() != 1 and 1 in map(torch.Tensor.dim, arrays):
        shapes = ", ".join(str(tuple(x.shape)) for x in arrays)
        raise ValueError(f"arrays of one number of axes are joined; these have the shapes {shapes}")
    return result


@hookimpl(fast=_joined, trusts_framework=True, via=BITS)
def concat(arrays: Any, /, axis: int | None = 0) -> Any:
    if axis is None:
        arrays, axis = [x.reshape(-1) for x in arrays], 0
    result = _joined(arrays, axis)
    if result.dim() == 1 and axis not in (0, -1):  # which torch does not look at where there are no elements
        raise IndexError(f"arrays with one axis have no axis {axis}")
    return result


def _expanded(x: Any, axis: Any) -> Any:
    if isinstance(axis, (tuple, list)):
        for place in _places(axis, x.ndim + len(axis)):
            x = x.unsqueeze(place)
        return x
    return x.unsqueeze(axis)


def _with_axis(x: Any, axis: Any) -> Any:
    return x[None] if axis is _FIRST else torch.unsqueeze(x, axis) if type(axis) is int else _expanded(x, axis)


@hookimpl(native=_expanded, fast=_with_axis)
def expand_dims(x: Any, /, axis: Any) -> Any: ...


@hookimpl(via=BITS, stages_add=("handle_view",))
def flip(x: Any, /, axis: Any = None) -> Any:
    return x.flip(tuple(range(x.ndim))) if axis is None else with_axes(x, axis).flip(axis)


@hookimpl
def moveaxis(x: Any, source: Any, destination: Any, /) -> Any:
    if isinstance(source, int) is not isinstance(destination, int):
        source, destination = ((place,) if isinstance(place, int) else place for place in (source, destination))
    return torch.movedim(with_axes(x, source), source, destination)


@hookimpl(native=torch.permute)
def permute_dims(x: Any, /, axes: Any) -> Any: ...


@hookimpl(via=VALUES)
def repeat(x: Any, repeats: Any, /, axis: int | None = None) -> Any:
    if isinstance(repeats, torch.Tensor):
        repeats = as_indices(whole(repeats))
    return torch.repeat_interleave(x, repeats, axis)


def _shaped(x: Any, shape: Any) -> Any:
    return x.reshape(shape) if type(shape) is int else _reshape(x, shape)


@hookimpl(fast=Fast(_shaped, view="is_contiguous", from_tuples=_reshape))
def reshape(x: Any, /, shape: Any, *, copy: bool | None = None) -> Any:
    """Reshape by the function, in half the time of the method; the method takes one size."""
    if copy is None:
        return torch.reshape(x, shape)
    return torch.reshape(x.clone(), shape) if copy else x.view(shape)


@hookimpl(via=BITS)
def roll(x: Any, /, shift: Any, *, axis: Any = None) -> Any:
    if axis is not None and not isinstance(axis, int):
        if isinstance(shift, int):
            shift = (shift,) * len(axis)
        if not axis and not shift:
            return x.clone()
        axis = tuple(axis)
    if axis is not None and not x.numel():  # torch looks at no axis then
        for place in (axis,) if isinstance(axis, int) else axis:
            x.size(place)
    return torch.roll(x, shift, axis)


@hookimpl
def squeeze(x: Any, /, axis: Any) -> Any:
    for place in (axis,) if isinstance(axis, int) else axis:
        if x.shape[place] != 1:
            raise ValueError(f"'squeeze' cannot remove axis {place} of an array of shape {tuple(x.shape)}")
    return x.squeeze(axis)


@hookimpl(fast=torch.stack, via=BITS)
def stack(arrays: Any, /, axis: int = 0) -> Any:
    return torch.stack(arrays, axis)


@hookimpl(via=BITS)
def tile(x: Any, repetitions: Any, /) -> Any:
    return torch.tile(x, (repetitions,) if isinstance(repetitions, int) else repetitions)


@hookimpl
def unstack(x: Any, /, axis: int = 0) -> Any:
    return with_whole_axis(x, axis).unbind(axis)


def _places(axes: Any, ndim: int) -> list[int]:
    """Count the new axes from the start and sort them, so that they can be put in one after the other."""
    if any(not -ndim <= axis < ndim for axis in axes):
        raise IndexError(f"'expand_dims' got the axes {tuple(axes)} for a result with {ndim} axes")
    places = sorted({axis % ndim for axis in axes})
    if len(places) < len(axes):
        raise ValueError(f"'expand_dims' got the axes {tuple(axes)}, which name one axis twice")
    return places


@hookimpl
def strides(x: Any, /) -> tuple[int, ...]:
    return tuple(step * x.itemsize for step in x.stride())
