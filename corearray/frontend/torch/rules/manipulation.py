"""Shapes: views, permutations, repetitions, broadcasting."""

from __future__ import annotations

from math import prod
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayRuntimeError
from corearray.frontend.torch.described import rule, say
from corearray.frontend.torch.promotion import category, dtype_of
from corearray.frontend.torch.templates import ints

__all__: list[str] = []

say("""
torch.reshape(input, shape) = ca.reshape(input, ints((shape,)))
torch.Tensor.reshape(input, *shape) = ca.reshape(input, ints(shape))
torch.Tensor._unsafe_view(input, *shape) = ca.reshape(input, ints(shape))
torch.Tensor.view_as(input, other) = ca.reshape(input, other.shape)
torch.Tensor.reshape_as(input, other) = ca.reshape(input, other.shape)
torch.transpose | torch.swapaxes | torch.swapdims (input, dim0, dim1) = ca.swapaxes(input, dim0,
    dim1) if input.ndim else input
torch.t(input) = transposed(input)
torch.adjoint(input) = ca.conj(ca.matrix_transpose(input)) if category(input.dtype) == "c" else ca.matrix_transpose(input)
torch.Tensor.mT.__get__(input) = ca.matrix_transpose(input)
torch.Tensor.T.__get__(input) = ca.permute_dims(input, tuple(range(input.ndim))[::-1])
torch.Tensor.H.__get__ | torch.Tensor.mH.__get__ (input) = ca.conj(ca.matrix_transpose(input)) if input.ndim > 1 else input
torch.permute(input, dims) = ca.permute_dims(input, tuple(dims))
torch.Tensor.permute(input, *dims) = ca.permute_dims(input, ints(dims))
torch.unsqueeze(input, dim) = ca.expand_dims(input, dim)
torch.unflatten(input, dim, sizes) = ca.reshape(input, unflattened(input.shape, dim % input.ndim, ints((sizes,))))
torch.ravel(input) = ca.reshape(input, (-1,))
torch.movedim | torch.moveaxis (input, source, destination) = ca.moveaxis(input, source, destination)
torch.broadcast_to(input, size) = expanded(input, ints((size,)))
torch.Tensor.expand(input, *size, implicit=False) = expanded(input, ints(size))
torch.Tensor.expand_as(input, other) = ca.broadcast_to(input, other.shape)
torch.Tensor.repeat(input, *repeats) = repeated(input, ints(repeats))
torch.tile(input, dims) = ca.tile(input, ints((dims,)))
torch.Tensor.tile(input, *dims) = ca.tile(input, ints(dims))
torch.flip(input, dims) = ca.flip(input, axis=ints((dims,))) if input.ndim else input
torch.Tensor.flip(input, *dims) = ca.flip(input, axis=ints(dims)) if input.ndim else input
torch.fliplr(input) = ca.fliplr(input)
torch.flipud(input) = ca.flipud(input)
torch.rot90(input, k=1, dims=(0, 1)) = ca.rot90(input, k=k, axes=tuple(dims))
torch.tril(input, diagonal=0, *, out=None) = ca.tril(input, k=diagonal)
torch.triu(input, diagonal=0, *, out=None) = ca.triu(input, k=diagonal)
torch.broadcast_tensors(*tensors) = tuple(ca.broadcast_arrays(*several(tensors)))
torch.atleast_1d(*tensors) = at_least(ca.atleast_1d, tensors)
torch.atleast_2d(*tensors) = at_least(ca.atleast_2d, tensors)
torch.atleast_3d(*tensors) = at_least(ca.atleast_3d, tensors)
torch.diagonal(input, offset=0, dim1=0, dim2=1) = diagonal(input, offset, dim1, dim2)
torch.linalg.diagonal(A, *, offset=0, dim1=-2, dim2=-1) = diagonal(A, offset, dim1, dim2)
torch.diag(input, diagonal=0, *, out=None) = ca.diag(input, k=diagonal)
torch.diagflat(input, offset=0) = ca.diagflat(ca.reshape(input, (-1,)), k=offset)
torch.trace(input) = ca.linalg.trace(input, dtype=ca.int64 if category(input.dtype) in "bi" else input.dtype)
torch.Tensor.contiguous(input, memory_format=None) = input
torch.clone(input, *, memory_format=None) = ca.asarray(input, copy=True)
torch.detach | torch.Tensor.data.__get__ (input) = ca.stop_gradient(input)
torch.unsafe_chunk | torch.Tensor.unsafe_chunk (input, chunks, dim=0) = chunk(input, chunks, dim)
torch.unsafe_split | torch.Tensor.unsafe_split (input, split_size, dim=0) = split(input, split_size, dim)
torch.nn.functional.pixel_shuffle(input, upscale_factor) = shuffled(input, upscale_factor)
torch.nn.functional.pixel_unshuffle(input, downscale_factor) = unshuffled(input, downscale_factor)
torch.nn.functional.channel_shuffle | torch.nn.functional.native_channel_shuffle (input, groups) = ca.reshape(ca.swapaxes(
    ca.reshape(input, (input.shape[0], groups, -1, *input.shape[2:])), 1, 2), input.shape)
""")


def several(tensors: tuple[Any, ...]) -> tuple[ca.Array, ...]:
    """Return arrays that were given one by one, or as one sequence."""
    return tuple(tensors[0]) if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors


def transposed(x: ca.Array) -> ca.Array:
    """Return the transpose of a matrix; a vector is its own."""
    if x.ndim > 2:
        raise CoreArrayRuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {x.ndim}D")
    return x if x.ndim < 2 else ca.swapaxes(x, 0, 1)


def at_least(function: Any, tensors: tuple[Any, ...]) -> Any:
    """Give each array a number of axes at least; one gives one."""
    made = function(*several(tensors))
    return tuple(made) if isinstance(made, (list, tuple)) else made


def expanded(x: ca.Array, size: tuple[int, ...]) -> ca.Array:
    """Broadcast to a shape, in which -1 keeps a size."""
    more = len(size) - x.ndim
    shape = tuple(x.shape[i - more] if n == -1 else n for i, n in enumerate(size))
    kept = (1,) * more + tuple(x.shape)
    return (
        ca.reshape(x, shape) if shape == kept else ca.broadcast_to(x, shape)
    )  # which repeats elements: it is read-only


def repeated(x: ca.Array, repeats: tuple[int, ...]) -> ca.Array:
    """Repeat along each axis; 0 gives an empty axis."""
    return ca.tile(x, repeats) if repeats else ca.asarray(x, copy=True)


def unflattened(shape: Any, dim: int, sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Return a shape with one axis divided; one of the sizes may be -1."""
    if -1 in sizes:
        known = prod([n for n in sizes if n != -1])
        sizes = tuple(shape[dim] // known if n == -1 else n for n in sizes)
    return (*shape[:dim], *sizes, *shape[dim + 1 :])


def diagonal(x: ca.Array, offset: int, dim1: int, dim2: int) -> ca.Array:
    """Return diagonals of the matrices along two axes, as the last axis."""
    return ca.linalg.diagonal(ca.moveaxis(x, (dim1, dim2), (-2, -1)), offset=offset)


def shuffled(x: ca.Array, factor: int) -> ca.Array:
    """Move channels into pixels."""
    *batch, channels, height, width = x.shape
    n = len(batch)
    x = ca.reshape(x, (*batch, channels // factor**2, factor, factor, height, width))
    x = ca.permute_dims(x, (*range(n), n, n + 3, n + 1, n + 4, n + 2))
    return ca.reshape(x, (*batch, channels // factor**2, height * factor, width * factor))


def unshuffled(x: ca.Array, factor: int) -> ca.Array:
    """Move pixels into channels."""
    *batch, channels, height, width = x.shape
    n = len(batch)
    x = ca.reshape(x, (*batch, channels, height // factor, factor, width // factor, factor))
    x = ca.permute_dims(x, (*range(n), n, n + 2, n + 4, n + 1, n + 3))
    return ca.reshape(x, (*batch, channels * factor**2, height // factor, width // factor))


@rule("torch.Tensor.view")
def view(input: ca.Array, *shape: Any, dtype: Any = None) -> ca.Array:
    if dtype is None and shape and not isinstance(shape[0], (int, list, tuple, ca.Array)):
        dtype = shape[0]
    if dtype is None:
        return ca.reshape(input, ints(shape))
    if dtype_of(dtype) == input.dtype:
        return input
    raise NotImplementedError(f"the bytes of '{input.dtype}' are not read as another dtype, '{dtype_of(dtype)}'")


@rule("torch.squeeze")
def squeeze(input: ca.Array, dim: Any = None) -> ca.Array:
    dims = range(input.ndim) if dim is None else dim if isinstance(dim, (list, tuple)) else (dim,)
    axes = tuple(d for d in dims if input.ndim and input.shape[d] == 1)
    return ca.squeeze(input, axis=axes) if axes else input


@rule("torch.flatten")
def flatten(input: ca.Array, start_dim: int = 0, end_dim: int = -1) -> ca.Array:
    if not input.ndim:
        return ca.reshape(input, (1,))
    if start_dim % input.ndim == end_dim % input.ndim:
        return input
    return ca.flatten(input, start_axis=start_dim, end_axis=end_dim)


@rule("torch.roll")
def roll(input: ca.Array, shifts: Any, dims: Any = None) -> ca.Array:
    shift = shifts if isinstance(shifts, int) else tuple(shifts)
    axis = dims if dims is None or isinstance(dims, int) else tuple(dims) or None
    if axis is None and not isinstance(shift, int):
        shift = shift[0]
    if isinstance(axis, int) and not isinstance(shift, int):
        axis = (axis,)
    return ca.roll(input, shift, axis=axis) if input.ndim else input


@rule("torch.repeat_interleave")
def repeat_interleave(
    input: ca.Array, repeats: Any = None, dim: int | None = None, *, output_size: int | None = None
) -> Any:
    if repeats is None:
        return ca.repeat(ca.arange(input.shape[0], dtype=ca.int64), input)
    if isinstance(repeats, ca.Array) and repeats.ndim == 1 and repeats.shape[0] == 1:
        repeats = repeats[0]
    if not input.ndim:
        input = ca.reshape(input, (1,))
    return ca.repeat(input, repeats, axis=dim)


@rule("torch.split", "torch.split_with_sizes", "torch.Tensor.split", "torch.Tensor.split_with_sizes")
def split(
    tensor: ca.Array,
    split_size_or_sections: Any = None,
    dim: int = 0,
    *,
    split_size: Any = None,
    split_sizes: Any = None,
) -> tuple[ca.Array, ...]:
    sizes = next(s for s in (split_size_or_sections, split_size, split_sizes) if s is not None)
    count = tensor.shape[dim]
    if isinstance(sizes, int):
        at = list(range(sizes, count, sizes)) if sizes else []
    else:
        at = [sum(sizes[:i]) for i in range(1, len(sizes))]
    return tuple(ca.split(tensor, at, axis=dim)) if at else (tensor,)


@rule("torch.chunk")
def chunk(input: ca.Array, chunks: int, dim: int = 0) -> tuple[ca.Array, ...]:
    return split(input, max(-(-input.shape[dim] // chunks), 1), dim)


@rule("torch.tensor_split")
def tensor_split(
    input: ca.Array, indices_or_sections: Any = None, dim: int = 0, *, indices: Any = None, sections: Any = None
) -> tuple[ca.Array, ...]:
    given = next(s for s in (indices_or_sections, indices, sections) if s is not None)
    if isinstance(given, ca.Array):
        given = given.tolist()
    return tuple(ca.array_split(input, given if isinstance(given, int) else list(given), axis=dim))


@rule("torch.diag_embed")
def diag_embed(input: ca.Array, offset: int = 0, dim1: int = -2, dim2: int = -1) -> ca.Array:
    size = input.shape[-1] + abs(offset)
    padded = ca.pad(input, [(0, 0)] * (input.ndim - 1) + [(max(offset, 0), max(-offset, 0))])
    if offset >= 0:
        made = ca.multiply(ca.expand_dims(padded, -2), ca.eye(size, k=offset, dtype=input.dtype))
    else:
        shifted = ca.pad(input, [(0, 0)] * (input.ndim - 1) + [(0, -offset)])
        made = ca.multiply(ca.expand_dims(shifted, -2), ca.eye(size, k=offset, dtype=input.dtype))
    return ca.moveaxis(made, (-2, -1), (dim1, dim2))


@rule("torch.Tensor.unfold")
def unfold(input: ca.Array, dimension: int, size: int, step: int) -> ca.Array:
    if not input.ndim:
        return ca.reshape(input, (1,))[:size]
    dim, length = dimension % input.ndim, input.shape[dimension]
    count = (length - size) // step + 1
    if size <= step and count > 0 and count * step <= length:  # windows beside each other: a view, as in torch
        before, after = input.shape[:dim], input.shape[dim + 1 :]
        taken = input[(*[slice(None)] * dim, slice(count * step))]
        windows = ca.reshape(taken, (*before, count, step, *after))[(*[slice(None)] * (dim + 1), slice(size))]
        return ca.moveaxis(windows, dim + 1, -1)
    return ca.sliding_window(input, size, axis=dimension, strides=step)


def _resized(x: ca.Array, size: tuple[int, ...]) -> ca.Array:
    """Return the first elements in another shape; what is new is zero, and undefined in torch."""
    flat, count = ca.reshape(x, (-1,)), prod(size)
    have = flat.shape[0]
    flat = flat[:count] if count <= have else ca.pad(flat, [(0, count - have)])
    return ca.reshape(flat, size)


@rule("torch.Tensor.resize", "torch.Tensor.resize_")
def resize(input: ca.Array, *sizes: Any, memory_format: Any = None) -> ca.Array:
    return _resized(input, ints(sizes))


@rule("torch.resize_as_", "torch.Tensor.resize_as_")
def resize_as(input: ca.Array, the_template: ca.Array, *, memory_format: Any = None) -> ca.Array:
    return _resized(input, tuple(the_template.shape))


@rule("torch.as_strided_scatter")
def as_strided_scatter(
    input: ca.Array, src: ca.Array, size: Any, stride: Any, storage_offset: int | None = 0
) -> ca.Array:
    places = as_strided(ca.arange(input.size, dtype=ca.int64), size, stride, storage_offset)
    flat = ca.scatter_flat(
        ca.reshape(places, (-1,)), ca.reshape(src, (-1,)), base=ca.reshape(input, (-1,)), reduction="replace"
    )
    return ca.reshape(flat, input.shape)


@rule("torch.as_strided")
def as_strided(input: ca.Array, size: Any, stride: Any, storage_offset: int | None = 0) -> ca.Array:
    flat = ca.reshape(input, (-1,))
    places = ca.asarray(storage_offset or 0, dtype=ca.int64)
    for count, step in zip(size, stride, strict=True):
        places = ca.expand_dims(places, -1) + ca.arange(count, dtype=ca.int64) * step
    return ca.reshape(ca.take(flat, ca.reshape(places, (-1,)), axis=0), tuple(size))
