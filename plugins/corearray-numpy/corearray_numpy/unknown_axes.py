"""Axes whose lengths depend on elements, of the result of a call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from corearray.plugin import Step, Value

__all__ = ["unknown_axes"]

#: Methods that reduce axes, with the default axis.
_REDUCING = dict.fromkeys("all any max mean min prod std sum var".split()) | {"reduce": 0}


def unknown_axes(step: Step, made: Value, known: Mapping[Value, frozenset[int]]) -> frozenset[int]:
    """Return the axes of a result whose lengths depend on elements.

    Parameters
    ----------
    step, made
        A call, and one of its results.
    known
        The axes of arguments whose lengths depend on elements.
    """
    every = frozenset(range(len(made.shape)))
    first = step.arguments[0] if step.arguments else None
    short = step.name.rpartition(".")[2]
    if short == "__getitem__":
        return _of_mask(step.arguments[1], len(every)) if first not in known else every
    if isinstance(step.function, np.ufunc) and step.function.signature is None:
        return frozenset(
            axis + len(made.shape) - len(value.shape) for value in step.inputs for axis in known.get(value, ())
        )
    if short in _REDUCING and isinstance(first, Value) and step.inputs == [first]:
        axis = step.options.get("axis", step.arguments[1] if len(step.arguments) > 1 else _REDUCING[short])
        count = len(first.shape)
        reduced = range(count) if axis is None else [n % count for n in (axis if isinstance(axis, tuple) else (axis,))]
        if known.get(first, every) <= set(reduced):
            return frozenset()
    return every


def _of_mask(key: Any, count: int) -> frozenset[int]:
    """Return the axis along which a mask chooses, if it is the one array in a key."""
    parts = key if isinstance(key, (tuple, list)) else (key,)
    masks = [place for place, part in enumerate(parts) if isinstance(part, Value)]
    plain = all(isinstance(part, slice) for place, part in enumerate(parts) if place not in masks)
    if len(masks) != 1 or not plain or parts[masks[0]].dtype != "bool":
        return frozenset(range(count))
    return frozenset(masks)
