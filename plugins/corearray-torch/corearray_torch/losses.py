"""Losses of `torch.nn.functional`."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl

_CLASSES = frozenset({torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8})

#: What `torch.nn.functional.cross_entropy` calls, and the numbers that it takes for reductions.
_cross_entropy = torch._C._nn.cross_entropy_loss
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
    )


@hookimpl(when=_of_logits, lacks=("bool", "integral", "bfloat16", "float16", "complex floating"))
def sparse_cross_entropy(
    pred: Any,
    target: Any,
    /,
    *,
    from_logits: bool = True,
    axis: int = -1,
    label_smoothing: float = 0.0,
    epsilon: float = 0.0,
    reduction: str = "mean",
) -> Any:
    classes = target if target.dtype is torch.int64 else target.long()
    try:
        number = _REDUCTIONS[reduction]
    except KeyError:
        raise ValueError(f"no reduction: {reduction!r}") from None
    return _cross_entropy(pred, classes, None, number, _NONE, label_smoothing)
