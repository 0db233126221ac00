"""Bases of the wrapper classes of frontends, whose instances hold one `Array` of corearray in the attribute `array`."""

from __future__ import annotations

from math import prod
from typing import Any

import corearray as ca

__all__ = ["Conversions", "Sizes"]


class Conversions:
    """The conversions to Python's numbers and to NumPy's arrays, as corearray's arrays have them."""

    __slots__ = ()
    array: ca.Array

    def __array__(self, *args: Any, **options: Any) -> Any:
        return self.array.__array__(*args, **options)

    def __int__(self) -> int:
        return int(self.array)

    def __float__(self) -> float:
        return float(self.array)

    def __complex__(self) -> complex:
        return complex(self.array)

    def __index__(self) -> int:
        return self.array.__index__()


class Sizes:
    """The sizes that NumPy's arrays have, and the exchange of elements."""

    __slots__ = ()
    array: ca.Array

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape."""
        return tuple(self.array.shape)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self.array.ndim

    @property
    def size(self) -> int:
        """The number of elements."""
        return prod(self.shape)

    @property
    def itemsize(self) -> int:
        """The bytes of an element."""
        return self.array.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""
        return self.size * self.itemsize

    def tolist(self) -> Any:
        """Return nested lists of Python's numbers."""
        return self.array.tolist()

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()
