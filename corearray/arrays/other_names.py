"""Attributes that arrays of other libraries have: errors that say what to write."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from corearray.backends.hinting import hint_of_array, names_of_arrays
from corearray.backends.hints import OF_ARRAYS
from corearray.errors import CoreArrayAttributeError

__all__ = ["OtherNames"]


_NAMES = frozenset((*OF_ARRAYS, *names_of_arrays()))


class _Missing:
    """A name of another library's arrays. It raises `AttributeError`, so that `hasattr` is false."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, array: object, kind: type) -> Any:
        raise CoreArrayAttributeError(f"'Array' object has no attribute '{self._name}'{hint_of_array(self._name)}")


class OtherNames:
    """A base class with names of other libraries' arrays, which `dir` leaves out.

    They are descriptors, because a `__getattr__` would slow down every attribute of a class.
    """

    __slots__ = ()

    def __dir__(self) -> Iterable[str]:
        return sorted({*super().__dir__()} - _NAMES)


for _name in _NAMES:
    setattr(OtherNames, _name, _Missing(_name))
