"""Normalisation of layers, groups, instances and batches."""

from __future__ import annotations

from math import prod
from typing import Any

import corearray as ca
from corearray.frontend.torch.described import rule, say
from corearray.frontend.torch.promotion import array, cast

__all__: list[str] = []

say("""
torch.nn.functional.layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05) = cast(ca.layer_norm(input,
    weight=weight, bias=bias, axis=tuple(range(-len(normalized_shape), 0)), eps=eps), input.dtype)
torch.layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05, cudnn_enable=True) = cast(ca.layer_norm(input,
    weight=weight, bias=bias, axis=tuple(range(-len(normalized_shape), 0)), eps=eps), input.dtype)
torch.nn.functional.group_norm(input, num_groups, weight=None, bias=None, eps=1e-05) = cast(ca.group_norm(input, num_groups,
    weight=weight, bias=bias, eps=eps), input.dtype)
torch.group_norm(input, num_groups, weight=None, bias=None, eps=1e-05, cudnn_enabled=True) = cast(ca.group_norm(input,
    num_groups, weight=weight, bias=bias, eps=eps), input.dtype)
torch.nn.functional.local_response_norm(input, size, alpha=0.0001, beta=0.75, k=1.0) = ca.local_response_norm(input, size,
    alpha=alpha, beta=beta, k=k)
torch.rms_norm | torch.nn.functional.rms_norm (input, normalized_shape, weight=None, eps=None) = root_mean_square(input,
    len(normalized_shape), weight, eps)
torch.renorm(input, p, dim, maxnorm, *, out=None) = renormed(input, p, dim, maxnorm)
torch.batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps,
    cudnn_enabled=True) = batch_norm(input,
    running_mean, running_var, weight, bias, training, momentum, eps)
torch.instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, cudnn_enabled=True) =
    instance_norm(input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps)
""")


def root_mean_square(x: ca.Array, count: int, weight: ca.Array | None, eps: float | None) -> ca.Array:
    """Divide by the root of the mean of squares over the last axes."""
    least = float(ca.finfo(x.dtype).eps) if eps is None else eps
    made = x / ca.sqrt(ca.mean(ca.square(x), axis=tuple(range(-count, 0)), keepdims=True) + least)
    return made if weight is None else cast(made * weight, x.dtype)


def renormed(x: ca.Array, p: float, dim: int, maxnorm: float) -> ca.Array:
    """Shorten the slices along an axis whose norm is larger than `maxnorm`."""
    others = tuple(i for i in range(x.ndim) if i != dim % x.ndim)
    norms = ca.linalg.vector_norm(x, ord=p, axis=others, keepdims=True)
    return ca.where(norms > maxnorm, x * (maxnorm / (norms + 1e-7)), x)


def _per_channel(x: ca.Array, values: ca.Array) -> ca.Array:
    return ca.reshape(values, (1, -1, *[1] * (x.ndim - 2)))


def _scaled(x: ca.Array, weight: ca.Array | None, bias: ca.Array | None) -> ca.Array:
    made = x if weight is None else x * _per_channel(x, weight)
    return cast(made if bias is None else made + _per_channel(x, bias), x.dtype)


@rule("torch.nn.functional.batch_norm")
def batch_norm(
    input: ca.Array, running_mean: ca.Array | None, running_var: ca.Array | None, weight: ca.Array | None = None,
    bias: ca.Array | None = None, training: bool = False, momentum: float = 0.1, eps: float = 1e-5,
) -> ca.Array:  # fmt: skip
    """Normalise over batch and space; in training the running statistics are written in place."""
    if input.ndim < 2:  # which torch takes if it is empty
        return input
    if not training and running_mean is not None and running_var is not None:
        scale = 1 / ca.sqrt(_per_channel(input, running_var) + eps)
        return cast(_scaled((input - _per_channel(input, running_mean)) * scale, weight, bias), input.dtype)
    axis = (0, *range(2, input.ndim))
    mean = ca.mean(input, axis=axis, keepdims=True)
    variance = ca.mean(ca.square(input - mean), axis=axis, keepdims=True)
    _update(running_mean, running_var, mean, variance, _count(input, axis), momentum)
    return _scaled((input - mean) / ca.sqrt(variance + eps), weight, bias)


def _count(x: ca.Array, axis: tuple[int, ...]) -> int:
    """Return over how many elements each statistic is taken."""
    return prod([x.shape[i] for i in axis])


def _update(
    running_mean: Any, running_var: Any, mean: ca.Array, variance: ca.Array, count: int, momentum: float
) -> None:
    """Move running statistics towards those of a batch, with the unbiased variance."""
    unbiased = variance * (count / max(count - 1, 1))
    for running, new in ((running_mean, mean), (running_var, unbiased)):
        if running is not None:
            now = ca.stop_gradient(ca.reshape(new, running.shape))
            running[...] = cast(running * (1 - momentum) + now * momentum, running.dtype)


@rule("torch.nn.functional.instance_norm")
def instance_norm(
    input: ca.Array, running_mean: ca.Array | None = None, running_var: ca.Array | None = None,
    weight: ca.Array | None = None, bias: ca.Array | None = None, use_input_stats: bool = True, momentum: float = 0.1,
    eps: float = 1e-5,
) -> ca.Array:  # fmt: skip
    if not use_input_stats:
        return batch_norm(input, running_mean, running_var, weight, bias, False, momentum, eps)
    axis = tuple(range(2, input.ndim))
    mean = ca.mean(input, axis=axis, keepdims=True)
    variance = ca.mean(ca.square(input - mean), axis=axis, keepdims=True)
    if running_mean is not None:
        count = input.size // (input.shape[0] * input.shape[1])
        means, variances = ca.mean(mean, axis=0, keepdims=True), ca.mean(variance, axis=0, keepdims=True)
        _update(running_mean, running_var, means, variances, count, momentum)
    return _scaled((input - mean) / ca.sqrt(variance + eps), weight, bias)


@rule("torch.native_layer_norm")
def native_layer_norm(
    input: ca.Array, normalized_shape: Any, weight: ca.Array | None, bias: ca.Array | None, eps: float
) -> tuple[ca.Array, ...]:
    axis = tuple(range(-len(normalized_shape), 0))
    mean = ca.mean(input, axis=axis, keepdims=True)
    rstd = 1 / ca.sqrt(ca.mean(ca.square(input - mean), axis=axis, keepdims=True) + eps)
    made = (input - mean) * rstd
    made = made if weight is None else made * weight
    return (made if bias is None else made + bias), mean, rstd


@rule("torch.native_group_norm")
def native_group_norm(
    input: ca.Array, weight: ca.Array | None, bias: ca.Array | None, N: int, C: int, HxW: int, group: int, eps: float
) -> tuple[ca.Array, ...]:
    groups = ca.reshape(input, (N, group, C * HxW // group))
    mean = ca.mean(groups, axis=-1)
    rstd = 1 / ca.sqrt(ca.mean(ca.square(groups - ca.expand_dims(mean, -1)), axis=-1) + eps)
    made = (groups - ca.expand_dims(mean, -1)) * ca.expand_dims(rstd, -1)
    return _scaled(ca.reshape(made, input.shape), weight, bias), mean, rstd


@rule("torch.native_batch_norm")
def native_batch_norm(
    input: ca.Array, weight: ca.Array | None, bias: ca.Array | None, running_mean: ca.Array | None,
    running_var: ca.Array | None, training: bool, momentum: float, eps: float, *, out: Any = None,
) -> tuple[ca.Array, ...]:  # fmt: skip
    if not training:
        nothing = ca.zeros((0,), dtype=input.dtype)
        return batch_norm(input, running_mean, running_var, weight, bias, False, momentum, eps), nothing, nothing
    axis = (0, *range(2, input.ndim))
    mean = ca.mean(input, axis=axis)
    rstd = 1 / ca.sqrt(ca.var(input, axis=axis) + array(eps, input.dtype))
    return batch_norm(input, running_mean, running_var, weight, bias, True, momentum, eps), mean, rstd
