"""`tf.nn`: convolutions, pooling, normalisation, losses, embeddings."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayValueError
from corearray.frontend.operands import is_floating
from corearray.frontend.tensorflow.conversion import alike, axes_list, integers, tensor
from corearray.frontend.tensorflow.described import rule, say
from corearray.frontend.tensorflow.exceptions import InvalidArgumentError
from corearray.frontend.tensorflow.operations import allowed, raw
from corearray.frontend.tensorflow.rules.convolution import _conv, _of_groups, _of_input

__all__: list[str] = []

_REAL = frozenset("float16 bfloat16 float32 float64".split())
_LAST = {1: "NWC", 2: "NHWC", 3: "NDHWC"}

say("""
tensorflow.nn.conv1d(input, filters, stride, padding, data_format="NWC", dilations=None, name=None) = (
    _convolved(input, filters, stride, padding, data_format or "NWC", dilations, 1))
tensorflow.nn.conv2d(input, filters, strides, padding, data_format="NHWC", dilations=None, name=None) = (
    _convolved(input, filters, strides, padding, data_format or "NHWC", dilations, 2))
tensorflow.nn.conv3d(input, filters, strides, padding, data_format="NDHWC", dilations=None, name=None) = (
    _convolved(input, filters, strides, padding, data_format or "NDHWC", dilations, 3))
tensorflow.nn.convolution(input, filters, strides=None, padding="VALID", data_format=None, dilations=None, name=None) = (
    _convolved(input, filters, strides, padding, data_format, dilations, tensor(filters).ndim - 2))
tensorflow.nn.atrous_conv2d(value, filters, rate, padding, name=None) = (
    _convolved(value, filters, 1, padding, "NHWC", rate, 2))
tensorflow.nn.depthwise_conv2d(input, filter, strides, padding, data_format=None, dilations=None, name=None) = (
    _by_channels(input, filter, strides, padding, data_format or "NHWC", dilations))
tensorflow.nn.separable_conv2d(input, depthwise_filter, pointwise_filter, strides, padding, data_format=None, dilations=None,
    name=None) = (_convolved(_by_channels(input, depthwise_filter, strides, padding, data_format or "NHWC", dilations),
    pointwise_filter, 1, "VALID", data_format or "NHWC", None, 2))
tensorflow.nn.conv1d_transpose(input, filters, output_shape, strides, padding="SAME", data_format="NWC", dilations=None,
    name=None) = _transposed(input, filters, output_shape, strides, padding, data_format or "NWC", dilations, 1)
tensorflow.nn.conv2d_transpose(input, filters, output_shape, strides, padding="SAME", data_format="NHWC", dilations=None,
    name=None) = _transposed(input, filters, output_shape, strides, padding, data_format or "NHWC", dilations, 2)
tensorflow.nn.conv3d_transpose(input, filters, output_shape, strides, padding="SAME", data_format="NDHWC", dilations=None,
    name=None) = _transposed(input, filters, output_shape, strides, padding, data_format or "NDHWC", dilations, 3)
tensorflow.nn.conv_transpose(input, filters, output_shape, strides, padding="SAME", data_format=None, dilations=None,
    name=None) = (_transposed(input, filters, output_shape, strides, padding, data_format, dilations, tensor(filters).ndim - 2))
tensorflow.nn.atrous_conv2d_transpose(value, filters, output_shape, rate, padding, name=None) = (
    _transposed(value, filters, output_shape, 1, padding, "NHWC", rate, 2))
tensorflow.nn.max_pool(input, ksize, strides, padding, data_format=None, name=None) = (
    _pooled("MAX", input, ksize, strides, padding, data_format))
tensorflow.nn.max_pool1d(input, ksize, strides, padding, data_format="NWC", name=None) = (
    _pooled("MAX", input, ksize, strides, padding, data_format))
tensorflow.nn.max_pool2d(input, ksize, strides, padding, data_format="NHWC", name=None) = (
    _pooled("MAX", input, ksize, strides, padding, data_format))
tensorflow.nn.max_pool3d(input, ksize, strides, padding, data_format="NDHWC", name=None) = (
    _pooled("MAX", input, ksize, strides, padding, data_format))
tensorflow.nn.avg_pool(input, ksize, strides, padding, data_format=None, name=None) = (
    _pooled("AVG", input, ksize, strides, padding, data_format))
tensorflow.nn.avg_pool1d(input, ksize, strides, padding, data_format="NWC", name=None) = (
    _pooled("AVG", input, ksize, strides, padding, data_format))
tensorflow.nn.avg_pool2d(input, ksize, strides, padding, data_format="NHWC", name=None) = (
    _pooled("AVG", input, ksize, strides, padding, data_format))
tensorflow.nn.avg_pool3d(input, ksize, strides, padding, data_format="NDHWC", name=None) = (
    _pooled("AVG", input, ksize, strides, padding, data_format))
tensorflow.nn.pool(input, window_shape, pooling_type, strides=None, padding="VALID", data_format=None, dilations=None,
    name=None) = _pooled(pooling_type, input, window_shape, 1 if strides is None else strides, padding, data_format, dilations)
tensorflow.nn.bias_add(value, bias, data_format=None, name=None) = (
    raw.BiasAdd(value, bias, "NCHW" if (data_format or "N..C").startswith("NC") else "NHWC"))
tensorflow.nn.local_response_normalization|tensorflow.nn.lrn(input, depth_radius=5, bias=1, alpha=1, beta=0.5, name=None) = (
    raw.LRN(input, depth_radius, bias, alpha, beta))
tensorflow.nn.batch_normalization(x, mean, variance, offset, scale, variance_epsilon, name=None) = (
    _normalized(tensor(x), tensor(mean), tensor(variance), offset, scale, variance_epsilon))
tensorflow.nn.moments(x, axes, shift=None, keepdims=False, name=None) = _moments(tensor(x), axes, keepdims)
tensorflow.nn.embedding_lookup(params, ids, max_norm=None, name=None) = _embedded(params, tensor(ids), max_norm)
tensorflow.nn.softmax_cross_entropy_with_logits(labels, logits, axis=-1, name=None) = _cross_entropy(labels, logits, axis)
tensorflow.nn.log_poisson_loss(targets, log_input, compute_full_loss=False, name=None) = (
    _poisson(*alike("LogPoissonLoss", [log_input, targets]), compute_full_loss))
""")


def _spread(numbers: Any, space: int, data_format: str) -> list[int]:
    """Return strides, windows or dilations for all axes, from one number, one an axis in space, or all."""
    found = list(integers(1 if numbers is None else numbers))
    if len(found) == 1:
        found *= space
    if len(found) == space:
        return [1, *found, 1] if data_format[-1] == "C" else [1, 1, *found]
    if len(found) != space + 2:
        raise CoreArrayValueError(
            f"strides, windows and dilations have 1, {space} or {space + 2} numbers, got {len(found)}"
        )
    return found


def _around(padding: Any, space: int) -> tuple[str, list[int]]:
    """Return the kind of padding, and explicit zeros as a flat list."""
    if isinstance(padding, str):
        if padding.upper() not in ("SAME", "VALID"):
            raise CoreArrayValueError(f"padding is 'SAME', 'VALID' or pairs of numbers for each axis, got {padding!r}")
        return padding.upper(), []
    return "EXPLICIT", [int(n) for pair in padding for n in pair]


def _convolved(x: Any, filters: Any, strides: Any, padding: Any, data_format: Any, dilations: Any, space: int) -> Any:
    x, filters = alike("Conv2D", [x, filters])
    allowed("Conv2D", x.dtype, _REAL | {"int32"})
    layout = data_format or _LAST[space]
    lead = x.ndim - space - 2
    if lead < 0 or filters.ndim != space + 2:
        raise InvalidArgumentError(
            f"a convolution over {space} axes takes input with {space + 2} axes and filters with {space + 2}, got {x.ndim} and "
            f"{filters.ndim}"
        )
    batch = tuple(x.shape[: lead + 1])
    flat = ca.reshape(x, (-1, *x.shape[lead + 1 :])) if lead else x
    channels, seen = flat.shape[-1 if layout[-1] == "C" else 1], filters.shape[-2]
    if channels % seen or filters.shape[-1] % (channels // seen):
        raise InvalidArgumentError(f"input depth must be evenly divisible by filter depth: {channels} vs {seen}")
    kind, explicit = _around(padding, space)
    made = _conv(
        flat, filters, _spread(strides, space, layout), kind, explicit, layout, _spread(dilations, space, layout)
    )
    return ca.reshape(made, (*batch, *made.shape[1:])) if lead else made


def _by_channels(x: Any, filters: Any, strides: Any, padding: Any, data_format: str, dilations: Any) -> Any:
    x, filters = alike("DepthwiseConv2dNative", [x, filters])
    allowed("DepthwiseConv2dNative", x.dtype, _REAL)
    kind, explicit = _around(padding, 2)
    gaps = _spread(dilations, 2, data_format)
    return _conv(x, _of_groups(filters), _spread(strides, 2, data_format), kind, explicit, data_format, gaps)


def _transposed(
    x: Any, filters: Any, shape: Any, strides: Any, padding: Any, data_format: Any, dilations: Any, space: int
) -> Any:
    x, filters = alike("Conv2DBackpropInput", [x, filters])
    layout = data_format or _LAST[space]
    kind, explicit = _around(padding, space)
    sizes = integers(shape)
    steps, gaps = _spread(strides, space, layout), _spread(dilations, space, layout)
    if len(sizes) == space:
        sizes = (
            (x.shape[0], *sizes, filters.shape[-2]) if layout[-1] == "C" else (x.shape[0], filters.shape[-2], *sizes)
        )
    return _of_input(sizes, filters, x, steps, kind, explicit, layout, gaps)


def _pooled(
    kind: str, input: Any, ksize: Any, strides: Any, padding: Any, data_format: Any, dilations: Any = None
) -> Any:
    x = tensor(input)
    space = x.ndim - 2
    allowed(
        "MaxPool", x.dtype, _REAL | (set() if kind == "AVG" else {"int32", "int64", "int16", "int8", "uint16", "uint8"})
    )
    layout = data_format or _LAST[space]
    windows, steps = _spread(ksize, space, layout), _spread(strides, space, layout)
    gaps = [n for n in _spread(dilations, space, layout) if n != 1]
    mode, explicit = _around(padding, space)
    if gaps:
        return _with_gaps(kind, x, windows, steps, mode, layout, _spread(dilations, space, layout))
    if kind == "AVG":
        return (raw.AvgPool if space < 3 else raw.AvgPool3D)(x, windows, steps, mode, data_format=layout)
    function = raw.MaxPool if space < 3 else raw.MaxPool3D
    return function(x, windows, steps, mode, explicit, layout)


def _with_gaps(
    kind: str, x: ca.Array, windows: Sequence[int], steps: Sequence[int], mode: str, layout: str, gaps: Sequence[int]
) -> Any:
    """Pool windows whose elements stand apart, without padding: every part of the window is a slice."""
    if mode != "VALID" or any(n != 1 for n in steps):
        raise CoreArrayValueError("pooling with dilations takes padding='VALID' and strides of 1 here")
    ends = [size - (window - 1) * gap for size, window, gap in zip(x.shape, windows, gaps, strict=True)]
    parts = [x]
    for axis, (window, gap, end) in enumerate(zip(windows, gaps, ends, strict=True)):
        front = (slice(None),) * axis
        if window > 1:
            parts = [part[(*front, slice(n * gap, n * gap + end))] for part in parts for n in range(window)]
    made = ca.stack(parts)
    return ca.max(made, axis=0) if kind == "MAX" else ca.mean(made, axis=0)


def _normalized(x: ca.Array, mean: ca.Array, variance: ca.Array, offset: Any, scale: Any, epsilon: Any) -> Any:
    factor = raw.Rsqrt(raw.AddV2(variance, tensor(epsilon, hint=variance.dtype)))
    if scale is not None:
        factor = raw.Mul(factor, scale)
    shift = -mean * factor if offset is None else tensor(offset) - mean * factor
    return x * ca.astype(factor, x.dtype) + ca.astype(shift, x.dtype)


@rule("tensorflow.nn.batch_norm_with_global_normalization")
def batch_norm_with_global_normalization(
    input: Any,
    mean: Any,
    variance: Any,
    beta: Any,
    gamma: Any,
    variance_epsilon: Any,
    scale_after_normalization: bool,
    name: Any = None,
) -> Any:
    """Normalise by given statistics."""
    scale = gamma if scale_after_normalization else None
    return _normalized(tensor(input), tensor(mean), tensor(variance), beta, scale, variance_epsilon)


def _moments(x: ca.Array, axes: Any, keepdims: bool) -> Any:
    places = axes_list(axes, x.ndim)
    half = x.dtype in (ca.float16, ca.bfloat16)
    wide = ca.astype(x, ca.float32) if half else x
    mean = raw.Mean(wide, places, keep_dims=True)
    variance = raw.Mean(ca.square(wide - ca.stop_gradient(mean)), places, keep_dims=True)
    if not keepdims:
        mean, variance = raw.Squeeze(mean, places), raw.Squeeze(variance, places)
        if not places:
            mean, variance = wide, ca.zeros_like(wide)
    return (ca.astype(mean, x.dtype), ca.astype(variance, x.dtype)) if half else (mean, variance)


@rule("tensorflow.nn.sufficient_statistics")
def sufficient_statistics(x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: Any = None) -> Any:
    """Return the number of elements, their sum, the sum of squares, and the shift."""
    x = tensor(x)
    places = axes_list(axes, x.ndim)
    count = prod([x.shape[place] for place in places])
    away = x if shift is None else x - tensor(shift, hint=x.dtype)
    total = raw.Sum(away, places, keep_dims=keepdims)
    squares = raw.Sum(ca.square(away), places, keep_dims=keepdims)
    return ca.asarray(count, dtype=x.dtype), total, squares, None if shift is None else tensor(shift, hint=x.dtype)


@rule("tensorflow.nn.normalize_moments")
def normalize_moments(counts: Any, mean_ss: Any, variance_ss: Any, shift: Any, name: Any = None) -> Any:
    """Return mean and variance of sums."""
    divisor = raw.Reciprocal(counts)
    shifted = raw.Mul(mean_ss, divisor)
    mean = shifted if shift is None else raw.AddV2(shifted, shift)
    return mean, raw.Sub(raw.Mul(variance_ss, divisor), ca.square(shifted))


@rule("tensorflow.nn.weighted_moments")
def weighted_moments(x: Any, axes: Any, frequency_weights: Any, keepdims: bool = False, name: Any = None) -> Any:
    """Return mean and variance of elements with weights."""
    x = tensor(x)
    weights = ca.broadcast_to(tensor(frequency_weights, hint=x.dtype), x.shape)
    places = axes_list(axes, x.ndim)
    total = raw.Sum(weights, places, keep_dims=True)
    mean = raw.DivNoNan(raw.Sum(weights * x, places, keep_dims=True), total)
    variance = raw.DivNoNan(raw.Sum(weights * ca.square(x - mean), places, keep_dims=True), total)
    return (mean, variance) if keepdims else (raw.Squeeze(mean, places), raw.Squeeze(variance, places))


def _cross_entropy(labels: Any, logits: Any, axis: int) -> Any:
    scores, shares = alike("SoftmaxCrossEntropyWithLogits", [logits, labels])
    allowed("SoftmaxCrossEntropyWithLogits", scores.dtype, _REAL)
    return -ca.sum(shares * ca.log_softmax(scores, axis=axis), axis=axis)


@rule("tensorflow.nn.sparse_softmax_cross_entropy_with_logits")
def sparse_softmax_cross_entropy(labels: Any, logits: Any, name: Any = None) -> Any:
    """Return the cross entropy of each row with one class."""
    classes, scores = tensor(labels), tensor(logits)
    if tuple(scores.shape[:-1]) != tuple(classes.shape):
        raise CoreArrayValueError(
            f"`labels.shape` must equal `logits.shape` except for the last dimension. Received: {tuple(classes.shape)} and "
            f"{tuple(scores.shape)}"
        )
    flat = ca.reshape(scores, (-1, scores.shape[-1]))
    made = raw.SparseSoftmaxCrossEntropyWithLogits(flat, ca.reshape(classes, (-1,)))[0]
    return ca.reshape(made, classes.shape)


@rule("tensorflow.nn.sigmoid_cross_entropy_with_logits")
def sigmoid_cross_entropy(labels: Any = None, logits: Any = None, name: Any = None) -> Any:
    """Return the binary cross entropy of each element."""
    scores, shares = alike("SigmoidCrossEntropyWithLogits", [logits, labels])
    _same_shapes(scores, shares)
    return ca.relu(scores) - scores * shares + ca.log1p(ca.exp(-ca.abs(scores)))


@rule("tensorflow.nn.weighted_cross_entropy_with_logits")
def weighted_cross_entropy(labels: Any, logits: Any, pos_weight: Any, name: Any = None) -> Any:
    """Return the binary cross entropy of each element, with a weight of the positive class."""
    scores, shares = alike("WeightedCrossEntropyWithLogits", [logits, labels])
    _same_shapes(scores, shares)
    weight = 1 + (tensor(pos_weight, hint=scores.dtype) - 1) * shares
    return (1 - shares) * scores + weight * (ca.log1p(ca.exp(-ca.abs(scores))) + ca.relu(-scores))


def _same_shapes(scores: ca.Array, shares: ca.Array) -> None:
    if tuple(scores.shape) != tuple(shares.shape):
        raise CoreArrayValueError(
            f"`logits` and `labels` must have the same shape, received ({tuple(scores.shape)} vs {tuple(shares.shape)})."
        )


def _poisson(scores: ca.Array, targets: ca.Array, full: bool) -> Any:
    made = ca.exp(scores) - scores * targets
    if not full:
        return made
    stirling = targets * ca.log(targets) - targets + 0.5 * ca.log(2.0 * ca.pi * targets)
    return made + ca.where((targets >= 0) & (targets <= 1), ca.zeros_like(targets), stirling)


def _embedded(params: Any, ids: ca.Array, max_norm: Any) -> Any:
    rows = params[0] if isinstance(params, (list, tuple)) and len(params) == 1 else params
    made = raw.GatherV2(tensor(rows), ids, 0)
    if max_norm is None:
        return made
    axes = list(range(ids.ndim, made.ndim))
    limit = tensor(max_norm, hint=made.dtype)
    size = ca.sqrt(raw.Sum(ca.square(made), axes, keep_dims=True))
    return made * limit / ca.maximum(size, limit)


@rule("tensorflow.nn.dropout")
def dropout(x: Any, rate: Any, noise_shape: Any = None, seed: Any = None, name: Any = None) -> Any:
    """Put zeros at random places and scale the rest; random numbers are corearray's."""
    x = tensor(x)
    if not is_floating(x.dtype):
        raise CoreArrayValueError("`x.dtype` must be a floating point tensor as `x` will be scaled.")
    if isinstance(rate, (int, float)):
        if not 0 <= rate < 1:
            raise CoreArrayValueError(
                f"`rate` must be a scalar tensor or a float in the range [0, 1). Received: rate={rate}"
            )
        if rate == 0:
            return x
    share = tensor(rate, hint=x.dtype)
    shape = (
        tuple(x.shape)
        if noise_shape is None
        else tuple(x.shape[axis] if size is None else size for axis, size in enumerate(noise_shape))
    )
    kept = ca.random.uniform(shape=shape, dtype=x.dtype) >= share
    return ca.where(kept, x / (1 - share), ca.zeros((), dtype=x.dtype))


@rule("tensorflow.nn.ctc_loss")
def ctc_loss(
    labels: Any,
    logits: Any,
    label_length: Any,
    logit_length: Any,
    logits_time_major: bool = True,
    unique: Any = None,
    blank_index: Any = None,
    name: Any = None,
) -> Any:
    """Return the loss of sequences of labels without an alignment (Graves et al., 2006), one a row."""
    scores = tensor(logits)
    scores = scores if logits_time_major else ca.moveaxis(scores, 0, 1)
    blank = 0 if blank_index is None else blank_index
    return ca.ctc_loss(
        ca.log_softmax(scores, axis=-1), tensor(labels), tensor(logit_length), tensor(label_length),
        blank=blank % scores.shape[-1], reduction="none",
    )  # fmt: skip


@rule("tensorflow.nn.compute_average_loss")
def compute_average_loss(per_example_loss: Any, sample_weight: Any = None, global_batch_size: Any = None) -> Any:
    """Return the sum of losses divided by the size of the batch."""
    losses = tensor(per_example_loss)
    if sample_weight is not None:
        losses = losses * tensor(sample_weight, hint=losses.dtype)
    count = losses.shape[0] if global_batch_size is None else integers(global_batch_size)[0]
    return ca.sum(losses) / count


@rule("tensorflow.nn.scale_regularization_loss")
def scale_regularization_loss(regularization_loss: Any) -> Any:
    """Return the sum of losses; there is one replica here."""
    return ca.sum(tensor(regularization_loss))
