"""Warnings about arguments that are likely in the wrong order. Only the first call of a function in a process is looked at.

Later calls cost nothing, and compiled programs are never looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

__all__ = ["LOOKS"]

#: Arrays with more elements are not read.
_MOST = 4096


def _rows(x: Any, axis: int) -> list[list[float]]:
    """Read the vectors along an axis; raises for arrays that are large, traced, or not in the memory of the processor."""
    if prod(x.shape) > _MOST or "cpu" not in str(x.device).lower():
        raise ValueError("not read")
    if axis not in (-1, len(x.shape) - 1):
        raise ValueError("not read")
    values = (x if hasattr(x, "tolist") else x.numpy()).tolist()
    for _ in range(len(x.shape) - 2):
        values = [row for rows in values for row in rows]
    return values if len(x.shape) > 1 else [values]


def _is_one_hot(rows: list[list[float]]) -> bool:
    return bool(rows) and all(row.count(1) == 1 and row.count(0) == len(row) - 1 and len(row) > 1 for row in rows)


def _swapped_targets(args: Sequence[Any], options: Mapping[str, Any]) -> str:
    """Return what to say if logits of `cross_entropy` are one-hot vectors, as targets are, and the targets are not."""
    if not options.get("from_logits", True):
        return ""
    pred, target = (_rows(x, options.get("axis", -1)) for x in args[:2])
    if not _is_one_hot(pred) or _is_one_hot(target):
        return ""
    return (
        "'cross_entropy' got one-hot vectors as logits, and targets that are not: the predictions come first, "
        "cross_entropy(pred, target), and probabilities need from_logits=False"
    )


#: By function: from the arguments of its first call to the text of a warning, or `""`. It may raise if it cannot read them.
LOOKS: dict[str, Callable[[Sequence[Any], Mapping[str, Any]], str]] = {"cross_entropy": _swapped_targets}
