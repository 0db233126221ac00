"""`KeyArray`: keys of random numbers, an array whose elements are pairs of words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayIndexError, CoreArrayTypeError
from corearray.frontend.jax.wrapper import Array

__all__ = ["KeyArray"]


class KeyArray(Array):
    """Keys of random numbers, made by `jax.random.key`: an array whose elements are pairs of words."""

    __slots__ = ()

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape, without the axis of the words."""
        return tuple(self.array.shape[:-1])

    @property
    def ndim(self) -> int:
        """The number of axes; the axis of the words does not count."""
        return self.array.ndim - 1

    @property
    def dtype(self) -> Any:
        """The name of the dtype of keys."""
        return "key<fry>"

    def __getitem__(self, key: Any) -> Any:
        parts = key if isinstance(key, tuple) else (key,)
        if not any(part is Ellipsis for part in parts):
            parts = (*parts, Ellipsis)
        if sum(part is not None and part is not Ellipsis for part in parts) > self.ndim:
            raise CoreArrayIndexError(f"too many indices: keys of {self.ndim} axes are indexed with {len(parts) - 1}")
        return KeyArray(Array(self.array)[(*parts, slice(None))].array)

    def __iter__(self) -> Iterator[Any]:
        if not self.ndim:
            raise CoreArrayTypeError("iteration over a 0-d key array")
        return iter([KeyArray(x) for x in ca.unstack(self.array, axis=0)])

    def reshape(self, *shape: Any, order: str = "C", **options: Any) -> Any:
        """Return the keys in another shape."""
        sizes = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
        return KeyArray(ca.reshape(self.array, (*sizes, 2)))

    def __repr__(self) -> str:
        return f"Array({self.shape}, dtype=key<fry>) overlaying:\n{self.array.tolist()}"

    __str__ = __repr__

    def _refused(self, *args: Any) -> Any:
        raise CoreArrayTypeError("keys of random numbers have no arithmetic; their words are jax.random.key_data(key)")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __neg__ = _refused
