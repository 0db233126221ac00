"""`x.at[key]`, as JAX's arrays have it: copies of an array with other elements at a key.

`add`, `multiply`, `min` and `max` accumulate where an array of indices names an element several times.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corearray.errors import CoreArrayTypeError

__all__ = ["Update", "Updates"]

#: Parts of a key that name no element twice.
_ONCE = (int, slice, type(None), type(Ellipsis))


class Updates:
    """The attribute `at` of an array; `x.at[key]` is an `Update`."""

    __slots__ = ("_array",)

    def __init__(self, array: Any) -> None:
        self._array = array

    def __getitem__(self, key: Any, /) -> Update:
        return Update(self._array, key)


class Update:
    """One key of an array; each method returns a copy of the array, of the same dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([1.0, 2.0, 3.0])
    >>> x.at[1:].set(0.0).tolist(), x.at[ca.asarray([0, 0])].add(1.0).tolist(), x.tolist()
    ([1.0, 0.0, 0.0], [3.0, 2.0, 3.0], [1.0, 2.0, 3.0])
    """

    __slots__ = ("_array", "_key")

    def __init__(self, array: Any, key: Any) -> None:
        self._array, self._key = array, key

    def get(self) -> Any:
        """Return the elements themselves."""
        return self._array[self._key]

    def set(self, value: Any, /) -> Any:
        """Return a copy with other elements."""
        x = self._array.copy()
        x[self._key] = value
        return x

    def add(self, value: Any, /) -> Any:
        """Return a copy with a value added to the elements."""
        return self._reduced("sum", value, self._array.backend.add)

    def subtract(self, value: Any, /) -> Any:
        """Return a copy with a value subtracted from the elements; unsigned integers wrap around."""
        be = self._array.backend
        return self._reduced("sum", value, be.subtract, lambda values: be.subtract(be.zeros_like(values), values))

    def multiply(self, value: Any, /) -> Any:
        """Return a copy with the elements multiplied by a value."""
        return self._reduced("prod", value, self._array.backend.multiply)

    def divide(self, value: Any, /) -> Any:
        """Return a copy with the elements divided by a value; integers have no such quotients."""
        if self._array.dtype.category not in ("real floating", "complex floating"):
            raise CoreArrayTypeError(
                f"x.at[key].divide(value) needs floating-point numbers, not '{self._array.dtype}'; cast x with corearray.astype"
            )
        return self._reduced("prod", value, self._array.backend.divide, lambda values: 1.0 / values)

    def min(self, value: Any, /) -> Any:
        """Return a copy with the smaller ones of the elements and a value."""
        return self._reduced("min", value, self._array.backend.minimum)

    def max(self, value: Any, /) -> Any:
        """Return a copy with the larger ones of the elements and a value."""
        return self._reduced("max", value, self._array.backend.maximum)

    def _reduced(
        self,
        reduction: str,
        value: Any,
        compute: Callable[[Any, Any], Any],
        inverse: Callable[[Any], Any] = lambda values: values,
    ) -> Any:
        """Return a copy with elements combined with a value.

        `compute` combines both where no element is named twice. Elsewhere `reduction` accumulates the `inverse` of the value.
        """
        x, be = self._array, self._array.backend
        if type(value) not in (bool, int, float, complex):
            value = be.asarray(value, device=x.device)
        if all(isinstance(part, _ONCE) for part in (self._key if type(self._key) is tuple else (self._key,))):
            return self.set(be.astype(compute(self.get(), value), x.dtype, copy=False))
        places = be.reshape(be.arange(x.size, dtype="int64", device=x.device), tuple(x.shape))[self._key]
        values = inverse(be.astype(be.asarray(value, device=x.device), x.dtype, copy=False))
        values = be.reshape(be.broadcast_to(values, tuple(places.shape)), (-1,))
        flat = be.scatter_flat(be.reshape(places, (-1,)), values, base=be.reshape(x, (-1,)), reduction=reduction)
        return be.reshape(flat, tuple(x.shape))
