"""The shape of an array: a tuple of sizes that also answers a few questions about itself."""

from __future__ import annotations

import math
from collections.abc import Iterable

__all__ = ["Shape"]


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
        return math.prod(tuple(self))  # of which a tracer of Python code knows the product

    def __repr__(self) -> str:
        return f"Shape({super().__repr__()})"
