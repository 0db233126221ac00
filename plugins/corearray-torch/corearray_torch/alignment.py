"""Losses of sequences, by the kernel of torch."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import transforming


def _fits(log_probs: Any, targets: Any, input_lengths: Any, target_lengths: Any, blank: int, reduction: str) -> bool:
    """Guard for what torch's kernel takes; its compiler refuses it, and it has no rules for transforms."""
    if torch.compiler.is_compiling() or transforming():
        return False
    if log_probs.ndim != 3 or targets.ndim != 2 or not log_probs.numel() or not targets.numel():
        return False
    count = log_probs.shape[1]
    return (
        targets.shape[0] == count
        and input_lengths.shape == target_lengths.shape == (count,)
        and not any(_is_no_integer(x) for x in (targets, input_lengths, target_lengths))
        and 0 <= blank < log_probs.shape[2]
        and reduction in ("mean", "sum", "none")
    )


def _is_no_integer(x: Any) -> bool:
    return x.is_floating_point() or x.is_complex() or x.dtype is torch.bool


@hookimpl(when=_fits, lacks=("bfloat16", "float16"))
def ctc_loss(
    log_probs: Any,
    targets: Any,
    input_lengths: Any,
    target_lengths: Any,
    /,
    *,
    blank: int = 0,
    zero_infinity: bool = False,
    reduction: str = "mean",
) -> Any:
    """With `True` the kernel returns infinite losses as they are, and sets their derivatives to zero."""
    lengths = target_lengths.long()
    loss = torch._ctc_loss(log_probs, targets.long(), input_lengths.long(), lengths, blank, True)[0]
    if zero_infinity:
        loss = torch.where(loss.isinf(), 0.0, loss)
    if reduction == "none":
        return loss
    return loss.sum() if reduction == "sum" else (loss / lengths.clamp(min=1)).mean()
