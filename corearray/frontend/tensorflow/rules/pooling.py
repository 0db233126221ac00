"""Pooling, normalisation of batches, and their derivatives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Any, Literal

import corearray as ca
from corearray.frontend.tensorflow.described import rule
from corearray.frontend.tensorflow.templates import padding_of, windows_of

__all__: list[str] = []


def _layout(data_format: str) -> str:
    return "channels_last" if data_format[-1] == "C" else "channels_first"


def _of_space(numbers: Any, data_format: str) -> tuple[int, ...]:
    return tuple(int(n) for n in (numbers[1:-1] if data_format[-1] == "C" else numbers[2:]))


def _sizes(x: ca.Array, data_format: str) -> tuple[int, ...]:
    return tuple(x.shape[1:-1] if data_format[-1] == "C" else x.shape[2:])


def _pooled(
    x: ca.Array,
    mode: Literal["max", "avg"],
    ksize: Any,
    strides: Any,
    padding: str,
    explicit: Any,
    data_format: str,
    **options: Any,
) -> Any:
    windows, steps = _of_space(ksize, data_format), _of_space(strides, data_format)
    pairs = padding_of(padding, explicit, data_format, _sizes(x, data_format), windows, steps, (1,) * len(windows))
    return ca.pool(x, windows, mode=mode, strides=steps, padding=pairs, data_format=_layout(data_format), **options)


@rule("tensorflow.raw_ops.MaxPool", "tensorflow.raw_ops.MaxPool3D")
def max_pool(
    input: ca.Array,
    ksize: Any,
    strides: Any,
    padding: str,
    explicit_paddings: Any = (),
    data_format: str = "NHWC",
) -> Any:
    """Take maxima of windows."""
    return _pooled(input, "max", ksize, strides, padding, explicit_paddings, data_format)


@rule("tensorflow.raw_ops.MaxPoolV2")
def max_pool_v2(input: ca.Array, ksize: Any, strides: Any, padding: str, data_format: str = "NHWC") -> Any:
    """Take maxima of windows."""
    return _pooled(input, "max", ksize, strides, padding, (), data_format)


@rule("tensorflow.raw_ops.AvgPool")
def avg_pool(value: ca.Array, ksize: Any, strides: Any, padding: str, data_format: str = "NHWC") -> Any:
    """Take means of windows, of the elements that lie inside."""
    return _pooled(value, "avg", ksize, strides, padding, (), data_format, count_include_pad=False)


@rule("tensorflow.raw_ops.AvgPool3D")
def avg_pool3d(input: ca.Array, ksize: Any, strides: Any, padding: str, data_format: str = "NDHWC") -> Any:
    """Take means of windows over three axes, of the elements that lie inside."""
    return _pooled(input, "avg", ksize, strides, padding, (), data_format, count_include_pad=False)


def _places(shape: Sequence[int], windows: Any, steps: Any, pairs: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Return for each place of the window a key to the padded array, and how an array of results is spread over it."""
    counts = [
        (size + low + high - window) // step + 1
        for size, (low, high), window, step in zip(shape, pairs, windows, steps, strict=True)
    ]
    for places in product(*map(range, windows)):
        key = tuple(
            slice(place, place + (count - 1) * step + 1, step)
            for place, count, step in zip(places, counts, steps, strict=True)
        )
        around = [
            (place, size + low + high - place - ((count - 1) * step + 1))
            for place, size, (low, high), count, step in zip(places, shape, pairs, counts, steps, strict=True)
        ]
        yield places, key, around


def _with_gaps(x: ca.Array, steps: Sequence[int]) -> Any:
    """Put zeros between the elements of the last axes."""
    first = x.ndim - len(steps)
    for axis, step in enumerate(steps, first):
        if step == 1:
            continue
        length = x.shape[axis]
        x = ca.expand_dims(x, axis=axis + 1)
        x = ca.pad(x, [(0, 0)] * (axis + 1) + [(0, step - 1)] + [(0, 0)] * (x.ndim - axis - 2))
        x = ca.reshape(x, (*x.shape[:axis], length * step, *x.shape[axis + 2 :]))
        x = x[(*(slice(None),) * axis, slice(0, (length - 1) * step + 1))]
    return x


@rule("tensorflow.raw_ops.MaxPoolGrad", "tensorflow.raw_ops.MaxPool3DGrad")
def max_pool_grad(
    orig_input: ca.Array,
    orig_output: ca.Array,
    grad: ca.Array,
    ksize: Any,
    strides: Any,
    padding: str,
    explicit_paddings: Any = (),
    data_format: str = "NHWC",
) -> Any:
    """Add slopes where the first maximum of each window lies."""
    windows, steps = _of_space(ksize, data_format), _of_space(strides, data_format)
    sizes = _sizes(orig_input, data_format)
    pairs = padding_of(padding, explicit_paddings, data_format, sizes, windows, steps, (1,) * len(windows))
    x, y, slope = (_first(z, data_format) for z in (orig_input, orig_output, grad))
    spread = ca.pad(x, [(0, 0), (0, 0), *pairs], constant_values=-ca.inf)
    total: Any = ca.zeros(tuple(spread.shape), dtype=slope.dtype)
    free = ca.ones_like(y, dtype=ca.bool)
    zero = ca.zeros((), dtype=slope.dtype)
    for _, key, around in _places(sizes, windows, steps, pairs):
        here = free & (spread[(slice(None), slice(None), *key)] == y)
        free = free & ~here
        part = _with_gaps(ca.where(here, slope, zero), steps)
        total = total + ca.pad(part, [(0, 0), (0, 0), *around])
    return _cut(total, sizes, pairs, data_format)


@rule("tensorflow.raw_ops.AvgPoolGrad", "tensorflow.raw_ops.AvgPool3DGrad")
def avg_pool_grad(
    orig_input_shape: Any, grad: ca.Array, ksize: Any, strides: Any, padding: str, data_format: str = "NHWC"
) -> Any:
    """Divide slopes among the elements of each window that lie inside."""
    windows, steps = _of_space(ksize, data_format), _of_space(strides, data_format)
    sizes = _of_space(orig_input_shape, data_format)
    pairs = padding_of(padding, (), data_format, sizes, windows, steps, (1,) * len(windows))
    slope = _first(grad, data_format)
    ones = ca.pad(ca.ones((1, 1, *sizes), dtype=slope.dtype), [(0, 0), (0, 0), *pairs])
    count: Any = 0.0
    for _, key, _ in _places(sizes, windows, steps, pairs):
        count = count + ones[(slice(None), slice(None), *key)]
    share = _with_gaps(slope / count, steps)
    total: Any = 0.0
    for _, _, around in _places(sizes, windows, steps, pairs):
        total = total + ca.pad(share, [(0, 0), (0, 0), *around])
    return _cut(total, sizes, pairs, data_format)


@rule("tensorflow.raw_ops.MaxPoolWithArgmax")
def max_pool_with_argmax(
    input: ca.Array,
    ksize: Any,
    strides: Any,
    padding: str,
    Targmax: Any = ca.int64,
    include_batch_in_index: bool = False,
) -> Any:
    """Take maxima of windows, and the places of the first ones among the elements of an image."""
    windows, steps = _of_space(ksize, "NHWC"), _of_space(strides, "NHWC")
    batch, *sizes, channels = input.shape
    pairs = padding_of(padding, (), "NHWC", sizes, windows, steps, (1,) * len(windows))
    spread = ca.pad(input, [(0, 0), *pairs, (0, 0)], constant_values=-ca.inf)
    numbers = ca.reshape(ca.arange(sizes[0] * sizes[1], dtype=ca.int64), (*sizes,))
    numbers = ca.pad(numbers, pairs)
    keys = [key for _, key, _ in _places(sizes, windows, steps, pairs)]
    parts = ca.stack([spread[(slice(None), *key)] for key in keys])
    first = ca.argmax(parts, axis=0, keepdims=True)
    values = ca.take_along_axis(parts, first, axis=0)[0]
    places = ca.stack([numbers[key] for key in keys])[:, None, ..., None]
    place = ca.take_along_axis(ca.broadcast_to(places, parts.shape), first, axis=0)[0] * channels
    place = place + ca.arange(channels, dtype=ca.int64)
    if include_batch_in_index:
        start = ca.arange(batch, dtype=ca.int64) * (sizes[0] * sizes[1] * channels)
        place = place + ca.reshape(start, (-1, 1, 1, 1))
    return [values, ca.astype(place, Targmax)]


@rule("tensorflow.raw_ops.MaxPoolGradWithArgmax")
def max_pool_grad_with_argmax(
    input: ca.Array,
    grad: ca.Array,
    argmax: ca.Array,
    ksize: Any,
    strides: Any,
    padding: str,
    include_batch_in_index: bool = False,
    Targmax: Any = None,
) -> Any:
    """Add slopes at the places of the maxima."""
    batch, places = input.shape[0], ca.astype(argmax, ca.int64)
    if not include_batch_in_index:
        size = prod(input.shape[1:])
        places = places + ca.reshape(ca.arange(batch, dtype=ca.int64) * size, (-1, 1, 1, 1))
    flat = ca.zeros((prod(input.shape),), dtype=grad.dtype)
    made = ca.scatter_flat(ca.reshape(places, (-1,)), ca.reshape(grad, (-1,)), base=flat, reduction="sum")
    return ca.reshape(made, tuple(input.shape))


@rule("tensorflow.raw_ops.Dilation2D")
def dilation2d(input: ca.Array, filter: ca.Array, strides: Any, rates: Any, padding: str) -> Any:
    """Take maxima of windows, to whose elements a filter is added."""
    windows = tuple(filter.shape[:2])
    sizes, steps, gaps = tuple(input.shape[1:3]), _of_space(strides, "NHWC"), _of_space(rates, "NHWC")
    pairs = padding_of(padding, (), "NHWC", sizes, windows, steps, gaps)
    spread = ca.pad(input, [(0, 0), *pairs, (0, 0)], constant_values=-ca.inf)
    made: Any = None
    for place, part in windows_of(spread, windows, steps, gaps):
        raised = part + filter[place]
        made = raised if made is None else ca.maximum(made, raised)
    return made


def _cut(x: ca.Array, sizes: Any, pairs: Any, data_format: str) -> Any:
    inside = (slice(low, low + size) for size, (low, _) in zip(sizes, pairs, strict=True))
    made = x[(slice(None), slice(None), *inside)]
    return ca.moveaxis(made, 1, -1) if data_format[-1] == "C" else made


def _first(x: ca.Array, data_format: str) -> Any:
    return ca.moveaxis(x, -1, 1) if data_format[-1] == "C" else x


def _of_channels(x: ca.Array, array: ca.Array, data_format: str) -> Any:
    return x if data_format[-1] == "C" else ca.reshape(x, (-1, *(1,) * (array.ndim - 2)))


@rule("tensorflow.raw_ops.FusedBatchNormV3", "tensorflow.raw_ops.FusedBatchNormV2", "tensorflow.raw_ops.FusedBatchNorm")
def fused_batch_norm(
    x: ca.Array,
    scale: ca.Array,
    offset: ca.Array,
    mean: ca.Array,
    variance: ca.Array,
    epsilon: float = 0.0001,
    exponential_avg_factor: float = 1.0,
    data_format: str = "NHWC",
    is_training: bool = True,
) -> Any:
    """Normalise channels by their own statistics in training, by given ones else; return the statistics too."""
    axes = tuple(i for i in range(x.ndim) if i != (x.ndim - 1 if data_format[-1] == "C" else 1))
    dtype, wide = x.dtype, scale.dtype
    values = ca.astype(x, wide) if dtype != wide else x
    new_mean, new_variance, spread, centre = mean, variance, variance, mean
    if is_training:
        count = 1
        for axis in axes:
            count *= x.shape[axis]
        centre = ca.mean(values, axis=axes)
        spread = ca.var(values, axis=axes)
        unbiased = spread * (count / max(count - 1, 1))
        new_mean, new_variance = centre, unbiased
        if exponential_avg_factor != 1.0:
            rest = 1.0 - exponential_avg_factor
            new_mean = rest * mean + exponential_avg_factor * centre
            new_variance = rest * variance + exponential_avg_factor * unbiased
    factor = scale / ca.sqrt(spread + epsilon)
    shift = offset - centre * factor
    made = values * _of_channels(factor, x, data_format) + _of_channels(shift, x, data_format)
    return [ca.astype(made, dtype) if dtype != wide else made, new_mean, new_variance, centre, spread, spread]


@rule("tensorflow.raw_ops.FusedBatchNormGradV3", "tensorflow.raw_ops.FusedBatchNormGradV2")
def fused_batch_norm_grad(
    y_backprop: ca.Array,
    x: ca.Array,
    scale: ca.Array,
    reserve_space_1: ca.Array,
    reserve_space_2: ca.Array,
    reserve_space_3: Any = None,
    epsilon: float = 0.0001,
    data_format: str = "NHWC",
    is_training: bool = True,
) -> Any:
    """Return the derivatives of the normalisation of batches by its argument, scale and offset."""
    axes = tuple(i for i in range(x.ndim) if i != (x.ndim - 1 if data_format[-1] == "C" else 1))
    factor = 1.0 / ca.sqrt(reserve_space_2 + epsilon)
    centred = (x - _of_channels(reserve_space_1, x, data_format)) * _of_channels(factor, x, data_format)
    of_offset = ca.sum(y_backprop, axis=axes)
    of_scale = ca.sum(y_backprop * centred, axis=axes)
    slope = y_backprop
    if is_training:
        count = 1
        for axis in axes:
            count *= x.shape[axis]
        slope = (
            y_backprop
            - _of_channels(of_offset / count, x, data_format)
            - centred * _of_channels(of_scale / count, x, data_format)
        )
    nothing = ca.zeros((0,), dtype=scale.dtype)
    return [slope * _of_channels(scale * factor, x, data_format), of_scale, of_offset, nothing, nothing]


@rule("tensorflow.raw_ops.LRN")
def lrn(input: ca.Array, depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5) -> Any:
    """Divide by a power of the sum of squares of neighbouring channels."""
    return input / ca.pow(bias + alpha * _neighbours(ca.square(input), depth_radius), beta)


def _neighbours(x: ca.Array, radius: int) -> Any:
    """Sum each channel with those beside it."""
    channels = x.shape[-1]
    spread = ca.pad(x, [(0, 0)] * (x.ndim - 1) + [(radius, radius)])
    total: Any = 0.0
    for place in range(2 * radius + 1):
        total = total + spread[..., place : place + channels]
    return total


@rule("tensorflow.raw_ops.LRNGrad")
def lrn_grad(
    input_grads: ca.Array,
    input_image: ca.Array,
    output_image: ca.Array,
    depth_radius: int = 5,
    bias: float = 1.0,
    alpha: float = 1.0,
    beta: float = 0.5,
) -> Any:
    """Return the derivative of the division by neighbouring channels."""
    total = _neighbours(ca.square(input_image), depth_radius)
    scale = bias + alpha * total
    shared = _neighbours(input_grads * output_image / scale, depth_radius)
    return input_grads * ca.pow(scale, -beta) - 2.0 * alpha * beta * input_image * shared
