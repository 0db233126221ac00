"""Shapes of arrays that are joined: what each function needs of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["differ", "misfit"]

_Shape = tuple[Any, ...]


def differ(one: Any, other: Any) -> bool:
    """Return whether two sizes are known and not equal."""
    return type(one) is int and type(other) is int and one != other


def misfit(name: str, shapes: Sequence[_Shape], axis: int = 0) -> str | None:
    """Return what shapes must be for a function that joins arrays, or `None` if they are.

    Parameters
    ----------
    name
        The function.
    shapes
        At least one.
    axis
        The axis of `concat`.

    Examples
    --------
    >>> misfit("hstack", [(2, 2), (3, 2)]), misfit("vstack", [(2,), (3, 2)])
    ('all axes but 1 must be equally long', None)
    """
    if name == "stack":
        same = all(len(s) == len(shapes[0]) and not any(map(differ, s, shapes[0])) for s in shapes)
        return None if same else "all must have the same shape"
    if name == "hstack":
        shapes = [shape or (1,) for shape in shapes]
        axis = min(len(shapes[0]) - 1, 1)
    elif name == "vstack":
        shapes = [(1,) * (2 - len(shape)) + shape for shape in shapes]
    elif name == "column_stack":
        shapes, axis = [shape if len(shape) > 1 else (*(shape or (1,)), 1) for shape in shapes], 1
    elif name == "dstack":
        shapes = [shape if len(shape) > 1 else (1, *(shape or (1,))) for shape in shapes]
        shapes, axis = [shape if len(shape) > 2 else (*shape, 1) for shape in shapes], 2
    first = shapes[0]
    for shape in shapes:
        if len(shape) != len(first):
            return "all must have the same number of axes"
        if any(differ(a, b) for i, (a, b) in enumerate(zip(shape, first, strict=True)) if i != axis % len(first)):
            return f"all axes but {axis} must be equally long"
    return None
