"""Small libraries of the array API standard, each with a habit that the adapter has to cope with.

They compute with array-api-strict, whose arrays they hold, so that what they give is right by the standard.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import array_api_strict as xp
import numpy as np

__all__ = ["Library", "SmallArray"]


class Device(enum.IntEnum):
    """DLPack's device types, as some libraries write them."""

    CPU = 1


class SmallArray:
    """An array that shows as little as a library may show.

    Attributes
    ----------
    held
        The array of array-api-strict.
    library
        The library that it belongs to.
    """

    def __init__(self, held: Any, library: Library) -> None:
        self.held = held
        self.library = library

    @property
    def dtype(self) -> Any:
        return self.held.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        return self.held.shape

    @property
    def ndim(self) -> int:
        return self.held.ndim

    @property
    def device(self) -> Any:
        raise AttributeError("this library has one device and arrays know of none")

    @property
    def data(self) -> Any:
        """What CuPy tells of an array's memory."""
        array = self.held._array
        return SimpleNamespace(mem=SimpleNamespace(ptr=id(array if array.base is None else array.base)))

    def __dlpack__(self, **options: Any) -> Any:
        return self.held.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[Device, int]:
        return Device.CPU, 0

    def __getitem__(self, key: Any) -> SmallArray:
        found = self.held[self.library.taken(key)]
        if self.library.slices_copy:
            found = xp.asarray(found, copy=True)
        return SmallArray(found, self.library)

    def __setitem__(self, key: Any, value: Any) -> None:
        if self.library.immutable:
            raise TypeError("arrays of this library never change")
        self.held[self.library.taken(key)] = self.library.taken(value)

    def __bool__(self) -> bool:
        return bool(self.held)

    def __eq__(self, other: Any) -> Any:
        return SmallArray(self.held == self.library.taken(other), self.library)

    def __ne__(self, other: Any) -> Any:
        return SmallArray(self.held != self.library.taken(other), self.library)

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Any) -> Any:
        return SmallArray(self.held + self.library.taken(other), self.library)

    def __mul__(self, other: Any) -> Any:
        return SmallArray(self.held * self.library.taken(other), self.library)

    def __truediv__(self, other: Any) -> Any:
        return SmallArray(self.held / self.library.taken(other), self.library)

    def __and__(self, other: Any) -> Any:
        return SmallArray(self.held & self.library.array(other), self.library)

    def __xor__(self, other: Any) -> Any:
        return SmallArray(self.held ^ self.library.array(other), self.library)

    def __lshift__(self, other: Any) -> Any:
        return SmallArray(self.held << self.library.array(other), self.library)

    def __rshift__(self, other: Any) -> Any:
        return SmallArray(self.held >> self.library.array(other), self.library)


class Library:
    """A namespace of the standard.

    Parameters
    ----------
    slices_copy
        Whether slices have memory of their own.
    immutable
        Whether arrays cannot be written.
    lacks
        Names of functions and dtypes that it does not have.
    integers
        Its widest signed integer, which its indices, sizes and default integers have.
    """

    def __init__(
        self,
        *,
        slices_copy: bool = False,
        immutable: bool = False,
        lacks: tuple[str, ...] = (),
        integers: str = "int64",
    ) -> None:
        self.slices_copy = slices_copy
        self.immutable = immutable
        self.integers = integers
        self._lacks = lacks

    def __getattr__(self, name: str) -> Any:
        if name in self._lacks or name.startswith("__"):
            raise AttributeError(f"this library has no '{name}'")
        found = getattr(xp, name)
        if name in ("fft", "linalg"):
            return _Extension(found, self)
        return self._wrapped(found) if callable(found) and not isinstance(found, type(xp.int8)) else found

    def __array_namespace_info__(self) -> Any:
        return _Info(self)

    def isdtype(self, dtype: Any, kind: Any) -> bool:
        return xp.isdtype(dtype, kind)

    def taken(self, value: Any) -> Any:
        """Return what array-api-strict takes in the place of arrays of this library."""
        if isinstance(value, SmallArray):
            return value.held
        if isinstance(value, (list, tuple)):
            return type(value)(self.taken(item) for item in value)
        return value

    def array(self, value: Any) -> Any:
        """Return what array-api-strict takes for an operand of bitwise operators, which refuse numbers."""
        if not isinstance(value, SmallArray):
            raise TypeError(f"this library's operators on bits take arrays, not {value!r}")
        return value.held

    def given(self, value: Any) -> Any:
        """Return results as arrays of this library."""
        if isinstance(value, type(xp.asarray(0))):
            narrow = value.dtype == xp.int64 and self.integers != "int64"
            return SmallArray(xp.astype(value, getattr(xp, self.integers)) if narrow else value, self)
        if isinstance(value, tuple):
            parts = [self.given(item) for item in value]
            return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
        return value

    def to_numpy(self, x: Any) -> Any:
        return np.asarray(x.held if isinstance(x, SmallArray) else x)

    def _wrapped(self, function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *args, **options: self.given(function(*map(self.taken, args), **options))


class _Extension:
    def __init__(self, held: Any, library: Library) -> None:
        self._held = held
        self._library = library

    def __getattr__(self, name: str) -> Any:
        if name in self._library._lacks:
            raise AttributeError(f"this library has no '{name}'")
        return self._library._wrapped(getattr(self._held, name))


class _Info:
    def __init__(self, library: Library) -> None:
        self._library = library

    def default_device(self) -> None:
        return None

    def default_dtypes(self, **options: Any) -> dict[str, Any]:
        integers = getattr(xp, self._library.integers)
        return {**xp.__array_namespace_info__().default_dtypes(), "integral": integers, "indexing": integers}

    def dtypes(self) -> dict[str, Any]:
        known = xp.__array_namespace_info__().dtypes()
        return {name: dtype for name, dtype in known.items() if name not in self._library._lacks}
