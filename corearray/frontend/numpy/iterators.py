"""Iterators over elements: `flat`, `ndenumerate`, `ndindex`, `broadcast`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayIndexError, CoreArrayValueError

__all__ = ["Flat", "iterators"]


class Flat:
    """The elements of an array in the order of C, to read, to write and to iterate over."""

    def __init__(self, base: Any) -> None:
        self.base = base
        self._place = 0

    def __iter__(self) -> Flat:
        return self

    def __next__(self) -> Any:
        if self._place >= self.base.size:
            raise StopIteration
        self._place += 1
        return self._array()[self._place - 1]

    @property
    def index(self) -> int:
        """The number of elements that have been read."""
        return self._place

    @property
    def coords(self) -> tuple[int, ...]:
        """The index of the next element."""
        place, made = self._place, []
        for n in reversed(self.base.shape):
            made.append(place % n)
            place //= n
        return tuple(reversed(made))

    def _array(self) -> Any:
        types = type(self.base)._types
        return types.wrap(ca.reshape(self.base.array, (-1,)))

    def copy(self) -> Any:
        """Return the elements in an array of one axis."""
        return self._array().copy()

    def __array__(self, dtype: Any = None, *, copy: bool | None = None) -> Any:
        return self._array().__array__(dtype)

    @property
    def array(self) -> ca.Array:
        """The elements as corearray's array."""
        return self._array().array

    def __len__(self) -> int:
        return self.base.size

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple) and len(key) != 1:
            if key == ():
                return self._array()
            raise CoreArrayIndexError("unsupported iterator index")
        made = self._array()[key]
        return made.copy() if hasattr(made, "base") and made.ndim else made

    def __setitem__(self, key: Any, value: Any) -> None:
        types = type(self.base)._types
        if not self.base.flags.writeable:
            raise CoreArrayValueError("assignment destination is read-only")
        flat = self._array().copy()
        part = flat[key]
        count = part.size if hasattr(part, "size") else 1
        given = ca.reshape(types.array_of(value, flat.array.dtype), (-1,))
        if count:
            if not given.size:
                raise CoreArrayValueError("Error setting single item of array.")
            repeats = -(-count // given.size)
            given = ca.tile(given, (repeats,))[:count]
            flat[key] = types.wrap(ca.reshape(given, part.shape) if part.ndim else given[0])
            self.base[...] = flat.reshape(self.base.shape)

    def __eq__(self, other: object) -> Any:
        return self._array() == other

    def __ne__(self, other: object) -> Any:
        return self._array() != other

    __hash__ = None  # type: ignore[assignment]


def iterators(frontend: Any) -> dict[str, Any]:
    """Return NumPy's classes of iterators."""
    types = frontend.ndarray._types

    class ndenumerate:  # noqa: N801  NumPy's name
        """Pairs of an index and an element."""

        def __init__(self, arr: Any) -> None:
            self._array = frontend.asarray(arr)
            self._indices = iter(ndindex(self._array.shape))

        def __iter__(self) -> Iterator[Any]:
            return self

        def __next__(self) -> Any:
            index = next(self._indices)
            return index, self._array[index]

    class ndindex:  # noqa: N801  NumPy's name
        """All indices of a shape in the order of C."""

        def __init__(self, *shape: Any) -> None:
            sizes = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
            if any(n < 0 for n in sizes):
                raise CoreArrayValueError("negative dimensions are not allowed")
            from itertools import product

            self._indices = product(*(range(n) for n in sizes))

        def __iter__(self) -> Iterator[Any]:
            return self

        def __next__(self) -> Any:
            return next(self._indices)

    class broadcast:  # noqa: N801  NumPy's name
        """The elements of arrays side by side, as broadcasting pairs them."""

        def __init__(self, *args: Any) -> None:
            if len(args) > 64:
                raise CoreArrayValueError("Need at least 0 and at most 64 array objects.")
            arrays: list[Any] = []
            for x in args:
                arrays += x.arrays if isinstance(x, broadcast) else [types.array_of(x)]
            self.arrays: list[Any] = arrays
            self.shape = tuple(ca.broadcast_shapes(*(tuple(x.shape) for x in arrays))) if arrays else ()
            self.nd = self.ndim = len(self.shape)
            self.numiter = len(arrays)
            self.size = 1
            for n in self.shape:
                self.size *= n
            self.reset()

        @property
        def iters(self) -> tuple[Any, ...]:
            """An iterator over each array."""
            return tuple(types.wrap(ca.broadcast_to(x, self.shape)).flat for x in self.arrays)

        def reset(self) -> None:
            """Begin anew."""
            self.index = 0
            self._lists: Any = None

        def __iter__(self) -> Iterator[Any]:
            return self

        def __next__(self) -> Any:
            if self._lists is None:
                self._lists = [types.wrap(ca.reshape(ca.broadcast_to(x, self.shape), (-1,))) for x in self.arrays]
            if self.index >= self.size:
                raise StopIteration
            self.index += 1
            return tuple(x[self.index - 1] for x in self._lists)

    return {"ndenumerate": ndenumerate, "ndindex": ndindex, "broadcast": broadcast, "flatiter": Flat}
