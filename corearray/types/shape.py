"""The shape of an array: a tuple of sizes that also answers a few questions about itself, and what is given for axes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

__all__ = ["Shape", "axis_pairs", "shape_along"]

#: Sequences; to ask for the two common ones first takes a tenth of the time.
_SEQUENCES = (tuple, list, Sequence)


class Shape(tuple[int, ...]):
    """The sizes of an array along its axes; a `tuple` in every respect.

    A size that is not known while a framework traces a function is `None`.

    Examples
    --------
    >>> import corearray as ca
    >>> shape = ca.Shape((2, 3))
    >>> shape.size, shape.ndim, shape == (2, 3)
    (6, 2, True)
    """

    __slots__ = ()

    def __new__(cls, sizes: Iterable[int] = ()) -> Shape:
        """Take the sizes from any iterable."""
        return super().__new__(cls, sizes)

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self)

    @property
    def size(self) -> int:
        """Number of elements of an array of this shape."""
        return math.prod(self)

    def __repr__(self) -> str:
        return f"Shape({super().__repr__()})"


def axis_pairs(value: Any, ndim: int) -> list[tuple[Any, Any]]:
    """Read what is given for the two sides of each axis, in any form that NumPy's `pad` takes.

    Parameters
    ----------
    value
        One value for all; one pair, or a sequence of one value, for every axis; a sequence of as many of these as there
        are axes; or a mapping from axes to values and pairs, which leaves the others at 0.
    ndim
        Number of axes.

    Returns
    -------
    One pair for each axis.

    Raises
    ------
    ValueError
        If there are not as many entries as axes, or a pair has not two members.
    IndexError
        If a mapping names an axis that is not there.
    """
    if isinstance(value, _SEQUENCES):
        rows: list[Any] = list(value) if any(isinstance(row, _SEQUENCES) for row in value) else [value]
        rows = rows * ndim if len(rows) == 1 else rows
    elif isinstance(value, Mapping):
        rows = [(0, 0)] * ndim
        for axis, row in value.items():
            rows[axis] = row if isinstance(row, _SEQUENCES) else (row,)
    else:
        rows = [(value,)] * ndim
    if len(rows) != ndim or not all(isinstance(row, _SEQUENCES) and len(row) in (1, 2) for row in rows):
        raise ValueError(f"{value!r} is no value, no pair and no sequence of {ndim} pairs, one for each axis")
    return [(row[0], row[-1]) for row in rows]


def shape_along(shape: Sequence[Any], axis: int, *given: Sequence[Any]) -> tuple[Any, ...] | None:
    """Return the shape of what is written to an array along an axis.

    Parameters
    ----------
    shape
        That of the array.
    axis
        The axis, counted from either side.
    *given
        The shapes of the indices, which tell how much is written, and of what else has to broadcast with them.

    Returns
    -------
    `shape` with another length along `axis`, or `None` if there is no such axis, or something does not broadcast to it.
    """
    ndim, along = len(shape), given[0]
    if len(along) != ndim or not -ndim <= axis < ndim:
        return None
    sides = list(shape)
    sides[axis] = along[axis]
    target = tuple(sides)
    for other in given:
        if other == target:
            continue
        pairs = zip(reversed(other), reversed(target), strict=False)
        if len(other) > ndim or any(side not in (1, most) for side, most in pairs):
            return None
    return target
