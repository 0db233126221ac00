"""Taking elements and putting elements by their places."""

from __future__ import annotations

from math import prod
from typing import Any

import corearray as ca
from corearray.frontend.torch.described import rule, say
from corearray.frontend.torch.promotion import array, cast

__all__: list[str] = []

say("""
torch.Tensor.__getitem__(input, key) = ca.get_item(input, plain(key))
torch.select(input, dim, index) = input[(*[slice(None)] * (dim % input.ndim), index)]
torch.narrow(input, dim, start, length) = narrowed(input, dim, start, length)
torch.index_select(input, dim, index, *, out=None) = selected(input, dim, index)
torch.take(input, index) = ca.reshape(ca.take(ca.reshape(input, (-1,)), ca.reshape(index, (-1,)), axis=0), index.shape)
torch.take_along_dim(input, indices, dim=None, *, out=None) = along(input, indices, dim)
torch.masked_select(input, mask, *, out=None) = ca.get_item(*ca.broadcast_arrays(input, mask))
torch.argwhere(input) = ca.argwhere(input)
torch.Tensor.__len__(input) = input.shape[0]
torch.fill(input, value) = ca.broadcast_to(array(value, input.dtype), input.shape)
torch.Tensor.copy(input, src, non_blocking=False) = ca.broadcast_to(cast(src, input.dtype), input.shape)
torch.Tensor.fill_diagonal(input, fill_value, wrap=False) = diagonal_filled(input, fill_value, wrap)
torch.zero | torch.Tensor.zero (input) = ca.zeros(input.shape, dtype=input.dtype)
torch.select_scatter(input, src, dim, index) = written(input, src, (*[slice(None)] * (dim % input.ndim), index))
torch.slice_scatter(input, src, dim=0, start=None, end=None, step=1) = written(input, src,
    (*[slice(None)] * (dim % input.ndim), slice(start, end, step)))
""")


def plain(key: Any) -> Any:
    """Return a key as corearray takes it: a tuple, truth values for bytes, lists of numbers as arrays."""
    if isinstance(key, tuple):
        return tuple(map(plain, key))
    if isinstance(key, list):
        if any(isinstance(part, (slice, type(None), type(Ellipsis), ca.Array)) for part in key):
            return tuple(map(plain, key))
        return ca.asarray(key)
    if isinstance(key, ca.Array) and key.dtype == ca.uint8:
        return ca.astype(key, ca.bool)
    return key


def narrowed(input: ca.Array, dim: int, start: Any, length: int) -> ca.Array:
    """Return a part of an axis."""
    start = int(start)
    start = start + input.shape[dim] if start < 0 else start
    return input[(*[slice(None)] * (dim % input.ndim), slice(start, start + length))]


def selected(input: ca.Array, dim: int, index: ca.Array) -> ca.Array:
    """Take places along an axis; an array without axes has one place."""
    if not input.ndim:
        return ca.reshape(input, ()) if not index.ndim else ca.reshape(input, (1,))[0]
    return ca.take(input, ca.reshape(index, (-1,)), axis=dim)


def along(input: ca.Array, indices: ca.Array, dim: int | None) -> ca.Array:
    """Take elements along an axis, with both arrays broadcast."""
    if dim is None:
        return ca.take(ca.reshape(input, (-1,)), ca.reshape(indices, (-1,)), axis=0)
    dim %= input.ndim
    shapes = [[1 if i == dim else n for i, n in enumerate(x.shape)] for x in (input, indices)]
    shape = list(ca.broadcast_shapes(*map(tuple, shapes)))
    sizes = [tuple(x.shape[i] if i == dim else n for i, n in enumerate(shape)) for x in (input, indices)]
    return ca.take_along_axis(ca.broadcast_to(input, sizes[0]), ca.broadcast_to(indices, sizes[1]), axis=dim)


def written(input: ca.Array, src: Any, key: Any) -> ca.Array:
    """Return a copy with a part replaced."""
    made = ca.asarray(input, copy=True)
    made[key] = array(src, input.dtype)
    return made


def diagonal_filled(input: ca.Array, value: float, wrap: bool) -> ca.Array:
    """Write a number into the diagonal of all axes; `wrap` begins a diagonal anew below the square of a tall matrix."""
    columns = input.shape[-1]
    step = 1 + sum([prod(input.shape[i:]) for i in range(1, input.ndim)])
    place = ca.arange(input.size, dtype=ca.int64)
    on_it = ca.equal(place % step, 0)
    if input.ndim == 2 and not wrap:
        on_it = ca.logical_and(on_it, place < columns * columns)
    return ca.where(ca.reshape(on_it, input.shape), array(value, input.dtype), input)


@rule("torch.Tensor.__setitem__")
def setitem(input: ca.Array, key: Any, value: Any) -> None:
    input[plain(key)] = cast(value, input.dtype)


@rule("torch.gather")
def gather(input: ca.Array, dim: int, index: ca.Array, *, sparse_grad: bool = False, out: Any = None) -> ca.Array:
    if not input.ndim:
        return ca.broadcast_to(input, index.shape)
    if not index.ndim:
        return ca.reshape(ca.take(input, ca.reshape(index, (1,)), axis=0), ())
    dim %= input.ndim
    if 0 in index.shape:
        return ca.zeros(index.shape, dtype=input.dtype)
    part = input[tuple(slice(None) if i == dim else slice(0, n) for i, n in enumerate(index.shape))]
    return ca.take_along_axis(part, cast(index, ca.int64), axis=dim)


@rule("torch.nonzero")
def nonzero(input: ca.Array, *, out: Any = None, as_tuple: bool = False) -> Any:
    return tuple(ca.nonzero(input)) if as_tuple else ca.argwhere(input)


@rule("torch.diagonal_scatter")
def diagonal_scatter(input: ca.Array, src: ca.Array, offset: int = 0, dim1: int = 0, dim2: int = 1) -> ca.Array:
    moved = ca.asarray(ca.moveaxis(input, (dim1, dim2), (-2, -1)), copy=True)
    count = src.shape[-1]
    rows = ca.arange(count, dtype=ca.int64) + max(-offset, 0)
    columns = ca.arange(count, dtype=ca.int64) + max(offset, 0)
    moved[(..., rows, columns)] = cast(src, input.dtype)
    return ca.moveaxis(moved, (-2, -1), (dim1, dim2))


@rule("torch.masked_scatter")
def masked_scatter(input: ca.Array, mask: ca.Array, source: ca.Array) -> ca.Array:
    input, mask = ca.broadcast_arrays(input, mask)
    if source.size == 0:  # for a mask without a true element
        return ca.asarray(input, copy=True)
    flat = ca.reshape(cast(mask, ca.bool), (-1,))
    place = ca.maximum(ca.cumulative_sum(cast(flat, ca.int64)) - 1, 0)
    values = ca.take(ca.reshape(source, (-1,)), ca.minimum(place, max(source.size - 1, 0)), axis=0)
    return ca.where(mask, ca.reshape(values, mask.shape), input)


@rule("torch.index_put", "torch.Tensor.index_put")
def index_put(input: ca.Array, indices: Any, values: Any, accumulate: bool = False) -> ca.Array:
    key = tuple(slice(None) if index is None else plain(index) for index in indices)
    made = ca.asarray(input, copy=True)
    if not accumulate:
        made[key] = cast(values, input.dtype)
        return made
    places = ca.reshape(ca.arange(input.size, dtype=ca.int64), input.shape)[key]
    added = ca.broadcast_to(cast(values, input.dtype), places.shape)
    flat = ca.scatter_flat(
        ca.reshape(places, (-1,)), ca.reshape(added, (-1,)), base=ca.reshape(input, (-1,)), reduction="sum"
    )
    return ca.reshape(flat, input.shape)


@rule("torch.put", "torch.Tensor.put")
def put(input: ca.Array, index: ca.Array, source: ca.Array, accumulate: bool = False) -> ca.Array:
    flat = ca.reshape(input, (-1,))
    index = ca.reshape(index, (-1,))
    index = ca.where(index < 0, index + flat.shape[0], index)
    made = ca.scatter_flat(
        index, ca.reshape(cast(source, input.dtype), (-1,)), base=flat, reduction="sum" if accumulate else "replace"
    )
    return ca.reshape(made, input.shape)
