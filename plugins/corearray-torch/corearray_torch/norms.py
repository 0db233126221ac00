"""Normalisation by the kernels of torch, which takes channels first and the last axes."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional

from corearray.plugin import hookimpl
from corearray_torch.native import transforming
from corearray_torch.sharding import with_whole_axis


def _fits(
    x: Any,
    mean: Any,
    variance: Any,
    training: bool,
    momentum: float,
    eps: float,
    data_format: str,
    weight: Any = None,
    bias: Any = None,
) -> bool:
    if data_format != "channels_first" or x.ndim < 2 or not 0.0 <= momentum <= 1.0:
        return False
    if x.numel() <= (x.shape[1] if training else 0):
        return False  # an empty array, or one value for a channel
    if eps < 0.0 or (training and eps == 0.0):
        return False
    if transforming() or (not training and (mean.requires_grad or variance.requires_grad)):
        return False  # torch has no derivatives by statistics, and its `vmap` forgets those that it brought nearer
    return all(part.shape == x.shape[1:2] for part in (mean, variance, weight, bias) if part is not None)


def _can_be_grouped(x: Any, num_groups: int, data_format: str) -> bool:
    return data_format == "channels_first" and x.ndim > 1 and x.numel() > 0 and num_groups > 0


def _is_last(x: Any, axis: Any) -> bool:
    axes = (axis,) if isinstance(axis, int) else axis
    if not all(-x.ndim <= i < x.ndim for i in axes):
        return False
    return sorted(i % x.ndim for i in axes) == list(range(x.ndim - len(axes), x.ndim)) != []


@hookimpl(when=_fits)
def batch_norm(
    x: Any,
    mean: Any,
    variance: Any,
    /,
    *,
    weight: Any = None,
    bias: Any = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
    data_format: str = "channels_first",
) -> Any:
    """torch writes new statistics into the old ones; what is returned shares no memory with what was given."""
    mean, variance = mean.detach().clone(), variance.detach().clone()
    return functional.batch_norm(x, mean, variance, weight, bias, training, momentum, eps), mean, variance


@hookimpl(when=_can_be_grouped)
def group_norm(
    x: Any,
    /,
    num_groups: int,
    *,
    weight: Any = None,
    bias: Any = None,
    eps: float = 1e-5,
    data_format: str = "channels_first",
) -> Any:
    return torch.group_norm(x, num_groups, weight, bias, eps)


@hookimpl(when=_is_last)
def layer_norm(x: Any, /, *, weight: Any = None, bias: Any = None, axis: Any = -1, eps: float = 1e-5) -> Any:
    count = 1 if isinstance(axis, int) else len(axis)
    return functional.layer_norm(x, x.shape[x.ndim - count :], weight, bias, eps)


def _has_root(x: Any, axis: Any, weight: Any) -> bool:
    if not _is_last(x, axis) or not x.numel():
        return False
    count = 1 if isinstance(axis, int) else len(axis)
    return weight is None or weight.shape == x.shape[x.ndim - count :]


@hookimpl(versions=">=2.4", when=_has_root, lacks=("bfloat16", "float16"))
def rms_norm(x: Any, /, *, weight: Any = None, axis: Any = -1, eps: float | None = None) -> Any:
    count = 1 if isinstance(axis, int) else len(axis)
    for place in range(1, count + 1):
        x = with_whole_axis(x, -place)
    return functional.rms_norm(x, x.shape[x.ndim - count :], weight, eps)
