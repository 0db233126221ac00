"""Bases of the wrapper classes of frontends, whose instances hold one `Array` of corearray in the attribute `array`."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import corearray as ca
from corearray.transforms import tree as transforms

__all__ = ["Conversions", "Holder", "Sizes", "Tree"]


class Holder:
    """The protocol by which corearray's functions take the array; instances are nodes of trees with it as the child."""

    __slots__ = ()
    array: ca.Array

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        ca.register_tree(cls, lambda holder: ((holder.array,), None), cls._unflattened)

    @classmethod
    def _unflattened(cls, _: None, children: Sequence[Any]) -> Any:
        """Return an instance with the array, or what stands in its place in the tree."""
        (child,) = children
        return cls._made(child) if isinstance(child, ca.Array) else child

    @classmethod
    def _made(cls, array: ca.Array) -> Any:
        return cls(array)  # type: ignore[call-arg]

    def __corearray_array__(self) -> ca.Array:
        return self.array


class Tree(transforms.Tree):
    """A tree with the instances of wrapper classes as leaves."""

    __slots__ = ()
    _whole = (Holder,)


class Conversions(Holder):
    """The conversions to Python's numbers and to NumPy's arrays, as corearray's arrays have them."""

    __slots__ = ()

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


class Sizes(Holder):
    """The sizes that NumPy's arrays have, and the exchange of elements."""

    __slots__ = ()

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
