"""Operations that arrange elements."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import corearray as ca
from corearray.frontend.operands import as_array
from corearray.frontend.tensorflow.described import rule, say
from corearray.frontend.tensorflow.templates import axes_of

__all__: list[str] = []

say("""
tensorflow.raw_ops.Reshape(tensor, shape) = ca.reshape(tensor, tuple(shape))
tensorflow.raw_ops.ReshapeLike(tensor, like) = ca.reshape(tensor, tuple(like.shape))
tensorflow.raw_ops.ExpandDims(input, axis) = ca.expand_dims(input, axis=_one(axis))
tensorflow.raw_ops.ConcatV2(values, axis) = ca.concat([x for x in values], axis=axis) if len(values) > 1 else values[0]
tensorflow.raw_ops.Concat(concat_dim, values) = ca.concat([x for x in values], axis=concat_dim)
tensorflow.raw_ops.Unpack(value, num, axis=0) = ca.unstack(value, axis=axis)
tensorflow.raw_ops.Tile(input, multiples) = ca.tile(input, tuple(multiples)) if input.ndim else input
tensorflow.raw_ops.BroadcastTo(input, shape) = ca.broadcast_to(input, tuple(shape))
tensorflow.raw_ops.ReverseV2(tensor, axis) = ca.flip(tensor, axis=axes_of(axis, tensor.ndim)) if len(axis) else tensor
tensorflow.raw_ops.Fill(dims, value) = ca.broadcast_to(value, tuple(dims))
tensorflow.raw_ops.InvertPermutation(x) = ca.astype(ca.argsort(x), x.dtype)
tensorflow.raw_ops.MatrixDiag|tensorflow.raw_ops.BatchMatrixDiag(diagonal) = (
    ca.expand_dims(diagonal, axis=-1) * ca.eye(diagonal.shape[-1], dtype=diagonal.dtype))
tensorflow.raw_ops.Diag(diagonal) = ca.diag(diagonal)
tensorflow.raw_ops.DiagPart(input) = ca.diagonal(input)
tensorflow.raw_ops.MatrixDiagPart(input) = ca.diagonal(input)
tensorflow.raw_ops.Empty(shape, dtype, init=False) = ca.zeros(tuple(shape), dtype=dtype)
""")


def _one(axis: Any) -> int:
    return int(axis) if isinstance(axis, int) else int(axis[0])


@rule("tensorflow.raw_ops.ConjugateTranspose")
def conjugate_transpose(x: ca.Array, perm: Any) -> Any:
    """Permute axes of the conjugate."""
    return transpose(ca.conj(x), perm)


@rule("tensorflow.raw_ops.Transpose")
def transpose(x: ca.Array, perm: Any) -> Any:
    """Permute axes."""
    perm = axes_of(perm, x.ndim)
    return x if perm == tuple(range(x.ndim)) else ca.permute_dims(x, perm)


@rule("tensorflow.raw_ops.Squeeze")
def squeeze(input: ca.Array, axis: Sequence[int] = ()) -> Any:
    """Remove axes of length one: those named, or all."""
    axes = axes_of(axis, input.ndim) if len(axis) else tuple(i for i, size in enumerate(input.shape) if size == 1)
    return ca.squeeze(input, axis=axes) if axes else input


@rule("tensorflow.raw_ops.Pack")
def pack(values: Sequence[ca.Array], axis: int = 0) -> Any:
    """Join arrays along a new axis."""
    return ca.stack(list(values), axis=axis)


@rule("tensorflow.raw_ops.Split")
def split(axis: int, value: ca.Array, num_split: int) -> Any:
    """Divide an axis into equal parts."""
    return _parts(value, [value.shape[axis] // num_split] * num_split, axis)


@rule("tensorflow.raw_ops.SplitV")
def split_v(value: ca.Array, size_splits: Sequence[int], axis: int, num_split: int = 0) -> Any:
    """Divide an axis into parts; the length of one may be `-1`, the rest."""
    sizes = [int(size) for size in size_splits]
    rest = value.shape[axis] - sum(size for size in sizes if size >= 0)
    return _parts(value, [rest if size < 0 else size for size in sizes], axis)


def _parts(x: ca.Array, sizes: Sequence[int], axis: int) -> list[Any]:
    front, start, found = (slice(None),) * (axis % x.ndim), 0, []
    for size in sizes:
        found.append(x[(*front, slice(start, start + size))])
        start += size
    return found


@rule("tensorflow.raw_ops.Pad", "tensorflow.raw_ops.PadV2")
def pad(input: ca.Array, paddings: Any, constant_values: Any = 0) -> Any:
    """Put a value around."""
    if isinstance(constant_values, ca.Array):
        mask = ca.pad(ca.ones_like(input, dtype=ca.bool), _pairs(paddings))
        return ca.where(mask, ca.pad(input, _pairs(paddings)), constant_values)
    return ca.pad(input, _pairs(paddings), constant_values=constant_values)


@rule("tensorflow.raw_ops.MirrorPad")
def mirror_pad(input: ca.Array, paddings: Any, mode: str) -> Any:
    """Put the elements around in reverse, with those at the border or without."""
    return ca.pad(input, _pairs(paddings), mode="reflect" if mode == "REFLECT" else "symmetric")


def _pairs(paddings: Any) -> list[tuple[int, int]]:
    return [(int(low), int(high)) for low, high in paddings]


@rule("tensorflow.raw_ops.Roll")
def roll(input: ca.Array, shift: Any, axis: Any) -> Any:
    """Roll elements along axes."""
    shifts = (shift,) if isinstance(shift, int) else tuple(shift)
    return ca.roll(input, shifts, axis=axes_of(axis, input.ndim))


@rule("tensorflow.raw_ops.Range")
def range_(start: Any, limit: Any, delta: Any) -> Any:
    """Return numbers at equal distances."""
    dtype = next((x.dtype for x in (start, limit, delta) if isinstance(x, ca.Array)), None)
    if dtype is None:
        dtype = ca.int32 if all(isinstance(x, int) for x in (start, limit, delta)) else ca.float32
    return ca.arange(*(x.item() if isinstance(x, ca.Array) else x for x in (start, limit, delta)), dtype=dtype)


@rule("tensorflow.raw_ops.LinSpace")
def linspace(start: Any, stop: Any, num: int) -> Any:
    """Return numbers at equal distances, the ends among them."""
    if num == 1:
        return ca.reshape(start, (1,))
    steps = ca.arange(num, dtype=start.dtype) / (num - 1)
    return start + (stop - start) * steps


@rule("tensorflow.raw_ops.SpaceToDepth")
def space_to_depth(input: ca.Array, block_size: int, data_format: str = "NHWC") -> Any:
    """Move blocks of pixels into channels."""
    if data_format != "NHWC":
        return _first(space_to_depth(_last(input), block_size))
    n, h, w, c = input.shape
    b = block_size
    x = ca.reshape(input, (n, h // b, b, w // b, b, c))
    return ca.reshape(ca.permute_dims(x, (0, 1, 3, 2, 4, 5)), (n, h // b, w // b, b * b * c))


@rule("tensorflow.raw_ops.DepthToSpace")
def depth_to_space(input: ca.Array, block_size: int, data_format: str = "NHWC") -> Any:
    """Move channels into blocks of pixels."""
    if data_format != "NHWC":
        return _first(depth_to_space(_last(input), block_size))
    n, h, w, c = input.shape
    b = block_size
    x = ca.reshape(input, (n, h, w, b, b, c // (b * b)))
    return ca.reshape(ca.permute_dims(x, (0, 1, 3, 2, 4, 5)), (n, h * b, w * b, c // (b * b)))


def _last(x: ca.Array) -> Any:
    return ca.permute_dims(x, (0, 2, 3, 1))


def _first(x: ca.Array) -> Any:
    return ca.permute_dims(x, (0, 3, 1, 2))


@rule("tensorflow.raw_ops.SpaceToBatchND")
def space_to_batch(input: ca.Array, block_shape: Any, paddings: Any) -> Any:
    """Move blocks of places into the batch."""
    blocks = [int(size) for size in block_shape]
    count = len(blocks)
    x = ca.pad(input, [(0, 0), *_pairs(paddings), *[(0, 0)] * (input.ndim - 1 - count)])
    shape = [x.shape[0]]
    for size, block in zip(x.shape[1 : 1 + count], blocks, strict=True):
        shape += [size // block, block]
    x = ca.reshape(x, (*shape, *x.shape[1 + count :]))
    inner = [2 * i + 2 for i in range(count)]
    order = [*inner, 0, *(2 * i + 1 for i in range(count)), *range(2 * count + 1, x.ndim)]
    x = ca.permute_dims(x, tuple(order))
    return ca.reshape(x, (-1, *x.shape[count + 1 :]))


@rule("tensorflow.raw_ops.BatchToSpaceND")
def batch_to_space(input: ca.Array, block_shape: Any, crops: Any) -> Any:
    """Move the batch into blocks of places."""
    blocks = [int(size) for size in block_shape]
    count, pairs = len(blocks), _pairs(crops)
    batch = input.shape[0]
    for block in blocks:
        batch //= block
    x = ca.reshape(input, (*blocks, batch, *input.shape[1:]))
    order = [count]
    for i in range(count):
        order += [count + 1 + i, i]
    x = ca.permute_dims(x, (*order, *range(2 * count + 1, x.ndim)))
    sizes = [size * block for size, block in zip(input.shape[1 : 1 + count], blocks, strict=True)]
    x = ca.reshape(x, (batch, *sizes, *input.shape[1 + count :]))
    return x[(slice(None), *(slice(low, size - high) for (low, high), size in zip(pairs, sizes, strict=True)))]


@rule("tensorflow.raw_ops.MatrixDiagV2", "tensorflow.raw_ops.MatrixDiagV3")
def matrix_diag(
    diagonal: ca.Array, k: Any, num_rows: int, num_cols: int, padding_value: Any, align: str = "RIGHT_LEFT"
) -> Any:
    """Return matrices with given diagonals; of several of different lengths, `align` says where the short ones begin."""
    low, high = _band(k)
    if low == high:
        diagonal = ca.expand_dims(diagonal, axis=-2)
    length = diagonal.shape[-1]
    rows, columns = length - min(high, 0), length + max(low, 0)
    if int(num_rows) < 0 and int(num_cols) < 0:
        rows = columns = max(rows, columns)
    rows, columns = (int(num_rows) if int(num_rows) > 0 else rows), (int(num_cols) if int(num_cols) > 0 else columns)
    row, column = ca.arange(rows)[:, None], ca.arange(columns)[None, :]
    made: Any = None
    for number, offset in enumerate(range(high, low - 1, -1)):
        place = (row + 0 * column if offset >= 0 else column + 0 * row) + _shift(offset, rows, columns, length, align)
        on = (column - row) == offset
        part = ca.take(diagonal[..., number, :], ca.reshape(ca.clip(place, 0, length - 1), (-1,)), axis=-1)
        part = ca.reshape(part, (*diagonal.shape[:-2], rows, columns))
        rest = made if made is not None else as_array(padding_value, diagonal)
        made = ca.where(on, part, rest)
    return made


@rule("tensorflow.raw_ops.MatrixDiagPartV2", "tensorflow.raw_ops.MatrixDiagPartV3")
def matrix_diag_part(input: ca.Array, k: Any, padding_value: Any, align: str = "RIGHT_LEFT") -> Any:
    """Return diagonals of matrices; of several of different lengths, `align` says where the short ones begin."""
    low, high = _band(k)
    rows, columns = input.shape[-2:]
    lengths = [min(rows + min(offset, 0), columns - max(offset, 0)) for offset in range(high, low - 1, -1)]
    found = []
    for length, offset in zip(lengths, range(high, low - 1, -1), strict=True):
        part = ca.diagonal(input, offset=offset)
        front = _shift(offset, rows, columns, max(lengths), align)
        around = [(0, 0)] * (part.ndim - 1) + [(front, max(lengths) - length - front)]
        filler = padding_value.item() if isinstance(padding_value, ca.Array) else padding_value
        found.append(ca.pad(part, around, constant_values=filler) if max(lengths) > length else part)
    return found[0] if low == high else ca.stack(found, axis=-2)


def _band(k: Any) -> tuple[int, int]:
    found = (k, k) if isinstance(k, int) else tuple(int(x) for x in k)
    return found[0], found[-1]


def _shift(offset: int, rows: int, columns: int, longest: int, align: str) -> int:
    """Return how far behind the start a diagonal begins."""
    length = min(rows + min(offset, 0), columns - max(offset, 0))
    above, below = align.split("_")
    return longest - length if (above if offset >= 0 else below) == "RIGHT" else 0


@rule("tensorflow.raw_ops.MatrixSetDiagV3", "tensorflow.raw_ops.MatrixSetDiagV2")
def matrix_set_diag(input: ca.Array, diagonal: ca.Array, k: Any, align: str = "RIGHT_LEFT") -> Any:
    """Replace diagonals of matrices."""
    rows, columns = input.shape[-2:]
    low, high = _band(k)
    made = matrix_diag(diagonal, k, rows, columns, 0, align)
    distance = ca.arange(columns)[None, :] - ca.arange(rows)[:, None]
    return ca.where((distance >= low) & (distance <= high), made, input)


@rule("tensorflow.raw_ops.MatrixBandPart")
def matrix_band_part(input: ca.Array, num_lower: int, num_upper: int) -> Any:
    """Keep the elements near the diagonal; a negative number keeps all on that side."""
    made = input
    if int(num_lower) >= 0:
        made = ca.triu(made, k=-int(num_lower))
    return ca.tril(made, k=int(num_upper)) if int(num_upper) >= 0 else made


@rule("tensorflow.raw_ops.Shape")
def shape(input: ca.Array, out_type: Any = ca.int32) -> Any:
    """Return the shape of an array whose number of axes was not known when the program was read."""
    return ca.asarray([int(size) for size in input.shape], dtype=out_type, device=input.device)


@rule("tensorflow.raw_ops.ConcatOffset")
def concat_offset(concat_dim: Any, shape: Sequence[ca.Array]) -> Any:
    """Return where the parts of a joined array begin, by their shapes."""
    rows = ca.stack([ca.asarray(one) for one in shape])
    before = ca.cumulative_sum(rows, axis=0) - rows
    axes = ca.arange(rows.shape[1], device=rows.device)
    return list(ca.unstack(ca.where(axes == concat_dim % rows.shape[1], before, ca.zeros_like(before))))


@rule("tensorflow.raw_ops.ShapeN")
def shape_n(input: Any, out_type: Any = ca.int32) -> Any:
    """Return the shapes of several arrays."""
    return [ca.asarray(list(x.shape), dtype=out_type) for x in input]


@rule("tensorflow.raw_ops.Size")
def size(input: ca.Array, out_type: Any = ca.int32) -> Any:
    """Return the number of elements."""
    return ca.asarray(prod(input.shape), dtype=out_type)


@rule("tensorflow.raw_ops.BroadcastGradientArgs")
def broadcast_gradient_args(s0: Any, s1: Any) -> Any:
    """Return the axes over which slopes of either operand are summed, of shapes that were not known before."""
    shapes = [[int(n) for n in (s.tolist() if isinstance(s, ca.Array) else s)] for s in (s0, s1)]
    ndim = max(map(len, shapes))
    first, second = ([1] * (ndim - len(shape)) + shape for shape in shapes)
    pairs = list(zip(first, second, strict=True))
    axes = ([i for i, (a, b) in enumerate(pairs) if a == 1 != b], [i for i, (a, b) in enumerate(pairs) if b == 1 != a])
    both = [i for i, (a, b) in enumerate(pairs) if a == b == 1]
    return [ca.asarray(sorted(found + both), dtype=ca.int32) for found in axes]


@rule("tensorflow.raw_ops.MirrorPadGrad")
def mirror_pad_grad(input: ca.Array, paddings: Any, mode: str) -> Any:
    """Add the slopes of mirrored elements to those that they show."""
    edge = 1 if mode == "REFLECT" else 0
    made = input
    for axis, (low, high) in enumerate(paddings):
        low, high, length = int(low), int(high), made.shape[axis]
        size = length - low - high
        front = (slice(None),) * axis

        def part(start: int, stop: int, x: ca.Array = made, front: Any = front) -> Any:
            return x[(*front, slice(start, stop))]

        def placed(x: Any, before: int, axis: int = axis, size: int = size) -> Any:
            around = [(0, 0)] * x.ndim
            around[axis] = (before, size - before - x.shape[axis])
            return ca.pad(x, around)

        total = part(low, length - high)
        if low:
            total = total + placed(ca.flip(part(0, low), axis=axis), edge)
        if high:
            total = total + placed(ca.flip(part(length - high, length), axis=axis), size - edge - high)
        made = total
    return made
