"""Tensors that share elements: how views were made, what writes must leave alone, and writes that are refused."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakSet, WeakValueDictionary

import corearray as ca
from corearray.errors import CoreArrayNotImplementedError, CoreArrayRuntimeError
from corearray.frontend.torch.layouts import repeats_elements

if TYPE_CHECKING:
    from corearray.frontend.torch.wrapper import Tensor

__all__ = ["Family", "View", "before_write", "family_of", "refuse_lost_write"]


_numbers = count()


class View(NamedTuple):
    """The call that made a view of a tensor, as a function of its array; `place` is the number of the result among several."""

    of: Tensor
    function: Callable[[ca.Array], Any]
    place: int | None

    def array(self, array: ca.Array) -> ca.Array:
        """Return the same view of another array."""
        made = self.function(array)
        found: ca.Array = made if self.place is None else made[self.place]
        return found


class Family:
    """Tensors that share elements.

    Attributes
    ----------
    views
        Those whose writes reach the tensor that they were made of, by the order of their making.
    copies
        Those that torch would make views, and that are copies here.
    kept
        Arguments of recorded calls: a gradient needs the elements that they had then.
    """

    __slots__ = ("copies", "kept", "views")

    def __init__(self) -> None:
        self.views: WeakValueDictionary[int, Tensor] = WeakValueDictionary()
        self.copies: WeakSet[Tensor] = WeakSet()
        self.kept: WeakSet[Tensor] = WeakSet()

    def add(self, tensor: Tensor, view: View) -> None:
        """Add a view."""
        tensor._view = view
        self.views[next(_numbers)] = tensor


def family_of(x: Tensor) -> Family:
    """Return the family of a tensor, which views of it join."""
    if x._family is None:
        x._family = Family()
    return x._family


def before_write(x: Tensor) -> None:
    """Give the arguments of recorded calls elements of their own, which a write into a tensor leaves alone."""
    if x._family is not None:
        for tensor in list(x._family.kept):
            tensor.array = ca.asarray(tensor.array, copy=True)
        x._family.kept.clear()


#: Functions in place that write no element twice, whatever the strides.
_WRITE_ONCE = frozenset({"", "fill_", "zero_"})


def refuse_lost_write(x: Tensor, name: str) -> None:
    """Refuse a write that other views of a tensor would not show, or that writes elements twice."""
    if x._family is not None and x._family.copies:
        raise CoreArrayNotImplementedError(
            "a write would not show in all views of this tensor: 'unfold' of overlapping windows, 'as_strided' and an index "
            "that is a tensor without axes make copies here where torch makes views; write into a clone, or delete the others"
        )
    if name not in _WRITE_ONCE and x._strides is not None and repeats_elements(x.array.shape, x._strides):
        raise CoreArrayRuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
            "Please clone() the tensor before performing the operation."
        )
