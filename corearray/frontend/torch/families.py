"""Tensors that share elements, and the refusal of writes that not all of them would show."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakSet

from corearray.errors import CoreArrayNotImplementedError, CoreArrayRuntimeError
from corearray.frontend.torch.layouts import repeats_elements

if TYPE_CHECKING:
    from corearray.frontend.torch.wrapper import Tensor

__all__ = ["Family", "family_of", "refuse_lost_write"]


class Family:
    """Tensors that share elements, with those copies among them that torch would make views."""

    __slots__ = ("copies",)

    def __init__(self) -> None:
        self.copies: WeakSet[Tensor] = WeakSet()


def family_of(x: Tensor) -> Family:
    """Return the family of a tensor, which views of it join."""
    if x._family is None:
        x._family = Family()
    return x._family


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
