"""Losses of `torch.nn.functional`."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional

from corearray.plugin import hookimpl
from corearray_torch.sharding import is_spread

_CLASSES = frozenset({torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8})

#: What `torch.nn.functional.cross_entropy` calls, and the numbers that it takes for reductions.
_cross_entropy = torch._C._nn.cross_entropy_loss
_mse = torch._C._nn.mse_loss
_REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}

#: The class that torch leaves out of the mean; there is none of this number.
_NONE = -(2**63)


def _of_logits(pred: Any, target: Any, from_logits: bool, axis: int, label_smoothing: float) -> bool:
    """Guard for logits whose classes stand where torch has them; other shapes and reductions torch refuses itself."""
    shape = pred.shape
    ndim = len(shape)
    return (
        from_logits
        and 0.0 <= label_smoothing <= 1.0
        and ndim > 1
        and (axis == 1 or axis == 1 - ndim)
        and shape[1] > 0
        and target.dtype in _CLASSES
        and not is_spread(target)  # of whose parts torch takes the means
    )


@hookimpl(when=_of_logits, lacks=("bool", "integral", "bfloat16", "float16", "complex floating"))
def sparse_cross_entropy(
    pred: Any,
    target: Any,
    /,
    *,
    from_logits: bool = True,
    axis: int = -1,
    weight: Any = None,
    ignore_index: int | None = None,
    label_smoothing: float = 0.0,
    epsilon: float = 0.0,
    reduction: str = "mean",
) -> Any:
    classes = target if target.dtype is torch.int64 else target.long()
    ignored = _NONE if ignore_index is None else ignore_index
    return _cross_entropy(pred, classes, weight, _number(reduction), ignored, label_smoothing)


def _number(reduction: str) -> int:
    try:
        return _REDUCTIONS[reduction]
    except KeyError:
        raise ValueError(f"no reduction: {reduction!r}") from None


def _has_one_shape(pred: Any, target: Any, reduction: str) -> bool:
    return pred.shape == target.shape and reduction in _REDUCTIONS


@hookimpl(when=_has_one_shape)
def mse_loss(pred: Any, target: Any, /, *, reduction: str = "mean") -> Any:
    return _mse(pred, target, _REDUCTIONS[reduction])


def _has_classes(pred: Any, target: Any, axis: int) -> bool:
    """Guard for logarithms whose classes stand where torch has them."""
    shape = pred.shape
    ndim = len(shape)
    return ndim > 1 and (axis == 1 or axis == 1 - ndim) and shape[1] > 0 and target.dtype in _CLASSES


@hookimpl(when=_has_classes, lacks=("bool", "integral", "bfloat16", "float16"))
def nll_loss(
    pred: Any,
    target: Any,
    /,
    *,
    axis: int = -1,
    weight: Any = None,
    ignore_index: int | None = None,
    reduction: str = "mean",
) -> Any:
    classes = target if target.dtype is torch.int64 else target.long()
    ignored = _NONE if ignore_index is None else ignore_index
    return functional.nll_loss(pred, classes, weight, None, ignored, None, reduction)
