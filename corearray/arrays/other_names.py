"""Attributes that arrays of other libraries have: errors that say what to write."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from corearray.backends.hints import OF_ARRAYS
from corearray.errors import CoreArrayAttributeError

__all__ = ["OtherNames"]


class _Missing:
    """A name of `OF_ARRAYS`. It raises `AttributeError`, so that `hasattr` is false."""

    def __init__(self, name: str, way: str) -> None:
        self._message = f"'Array' object has no attribute '{name}'; write {way}"

    def __get__(self, array: object, kind: type) -> Any:
        raise CoreArrayAttributeError(self._message)


class OtherNames:
    """A base class with the names of `OF_ARRAYS`, which `dir` leaves out.

    They are descriptors, because a `__getattr__` would slow down every attribute of a class.
    """

    __slots__ = ()

    def __dir__(self) -> Iterable[str]:
        return sorted({*super().__dir__()} - OF_ARRAYS.keys())


for _name, _way in OF_ARRAYS.items():
    setattr(OtherNames, _name, _Missing(_name, _way))
