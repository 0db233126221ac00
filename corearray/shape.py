"""The shape of an array: a tuple of sizes that also answers a few questions about itself, and what is given for axes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

__all__ = ["Shape", "axis_pairs"]

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
