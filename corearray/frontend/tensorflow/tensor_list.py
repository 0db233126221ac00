"""`TensorList`: TensorFlow's lists of tensors, as one array of their elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError

__all__ = ["TensorList", "as_arrays", "from_arrays"]


class TensorList:
    """A list of arrays of one dtype, which never changes: each call returns another one.

    Attributes
    ----------
    stacked
        The elements along the first axis; `None` while the list is empty or the shape of the elements is not known.
    length
        The number of elements.
    dtype, shape
        Those of an element; the shape is `None` if it is not known.
    uneven
        The elements, if their shapes differ.
    """

    __slots__ = ("dtype", "length", "shape", "stacked", "uneven")

    def __init__(
        self, stacked: Any, length: int, dtype: Any, shape: tuple[int, ...] | None, uneven: Sequence[Any] = ()
    ) -> None:
        self.uneven = list(uneven)
        self.length = length
        self.dtype = dtype
        self.shape = shape
        self.stacked = stacked
        if stacked is None and shape is not None and length:
            self.stacked = ca.zeros((length, *shape), dtype=dtype)

    def of_shape(self, shape: Sequence[int]) -> TensorList:
        """Return the list with elements of a shape, zeros if none was set."""
        if self.shape is not None:
            return self
        return TensorList(None, self.length, self.dtype, tuple(shape))

    def get(self, place: Any) -> Any:
        """Return an element."""
        if self.uneven:
            return self.uneven[int(place)]
        if self.stacked is None:
            raise CoreArrayValueError("an element of a list is read before one was set, and its shape is not known")
        if not isinstance(place, ca.Array):
            return self.stacked[int(place)]
        return ca.reshape(ca.take(self.stacked, ca.reshape(place, (1,)), axis=0), self.stacked.shape[1:])

    def set(self, place: Any, element: Any, *, grows: bool = False) -> TensorList:
        """Return the list with another element at a place, behind the last one if it `grows`."""
        if self.uneven or (self.shape is not None and tuple(element.shape) != self.shape):
            return self._uneven_with(int(place), element)
        known = self.of_shape(element.shape)
        if grows and int(place) >= self.length:
            more = int(place) + 1 - self.length
            rows = ca.zeros((more, *element.shape), dtype=self.dtype)
            stacked = rows if known.stacked is None else ca.concat([known.stacked, rows], axis=0)
            known = TensorList(stacked, self.length + more, self.dtype, tuple(element.shape))
        return TensorList(known.stacked.at[place].set(element), known.length, self.dtype, tuple(element.shape))

    def _uneven_with(self, place: int, element: Any) -> TensorList:
        """Return the list with an element of another shape."""
        elements = list(self.uneven) or [self.stacked[at] for at in range(self.length)]
        elements[place : place + 1] = [element]
        return TensorList(None, len(elements), self.dtype, None, elements)

    def pushed(self, element: Any) -> TensorList:
        """Return the list with an element more."""
        if self.uneven or (self.stacked is not None and tuple(element.shape) != tuple(self.stacked.shape[1:])):
            return self._uneven_with(self.length, element)
        row = ca.expand_dims(element, axis=0)
        stacked = row if self.stacked is None else ca.concat([self.stacked, row], axis=0)
        return TensorList(stacked, self.length + 1, self.dtype, tuple(element.shape))

    def popped(self) -> tuple[TensorList, Any]:
        """Return the list without its last element, and that."""
        last = self.get(self.length - 1)
        if self.uneven:
            return TensorList(None, self.length - 1, self.dtype, None, self.uneven[:-1]), last
        rest = self.stacked[: self.length - 1] if self.length > 1 else None
        return TensorList(rest, self.length - 1, self.dtype, self.shape), last


def as_arrays(state: Sequence[Any]) -> list[Any]:
    """Return arrays in place of lists, for functions that take arrays alone."""
    if any(isinstance(x, TensorList) and x.uneven for x in state):
        raise CoreArrayTypeError("a loop or condition takes no list of tensors of different shapes")
    return [x.stacked if isinstance(x, TensorList) else x for x in state]


def from_arrays(like: Sequence[Any]) -> Callable[[Sequence[Any]], list[Any]]:
    """Return a function that makes lists, as those among `like`, of arrays again."""
    kinds = [(x.length, x.dtype, x.shape) if isinstance(x, TensorList) else None for x in like]

    def made(arrays: Sequence[Any]) -> list[Any]:
        return [x if kind is None else TensorList(x, *kind) for x, kind in zip(arrays, kinds, strict=True)]

    return made
