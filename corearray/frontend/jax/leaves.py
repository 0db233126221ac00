"""The arrays of a tree as a list for corearray's transforms, and the tree of other arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import corearray as ca
from corearray.frontend.jax.key_arrays import KeyArray
from corearray.frontend.jax.trees import flatten
from corearray.frontend.jax.wrapper import Array, converted, is_arraylike

__all__ = ["Leaves"]


class Leaves:
    """The leaves of a tree.

    Parameters
    ----------
    tree
        A tree of arrays, numbers and other objects.
    everything
        Whether every leaf has to be an array or a number, as in the results of transforms.

    Attributes
    ----------
    arrays
        The arrays of corearray by the numbers of their leaves.
    leaves, definition
        All leaves, and the structure of the tree.
    """

    def __init__(self, tree: Any, *, everything: bool = False) -> None:
        self.leaves, self.definition = flatten(tree)
        self.arrays: dict[int, ca.Array] = {}
        self._weak: dict[int, bool] = {}
        for i, leaf in enumerate(self.leaves):
            if isinstance(leaf, KeyArray):
                self.arrays[i], self._weak[i] = leaf.array, False
            elif is_arraylike(leaf) or everything:
                self.arrays[i], self._weak[i] = converted(leaf)

    def is_key(self, i: int) -> bool:
        """Return whether a leaf is an array of random keys."""
        return isinstance(self.leaves[i], KeyArray)

    def is_weak(self, i: int) -> bool:
        """Return whether the dtype of a leaf is weak."""
        return self._weak[i]

    def shape(self, i: int) -> tuple[int, ...]:
        """Return the shape of an array, without the axis of a key's words."""
        shape = tuple(self.arrays[i].shape)
        return shape[:-1] if self.is_key(i) else shape

    def listed(self) -> list[ca.Array]:
        """Return the arrays."""
        return list(self.arrays.values())

    def wrapped(self, i: int, array: Any, weak: bool | None = None) -> Any:
        """Return a leaf's array as an array of JAX like the leaf."""
        return KeyArray(array) if self.is_key(i) else Array(array, self._weak[i] if weak is None else weak)

    def tree(self, arrays: Mapping[int, Any]) -> Any:
        """Return the tree with other arrays in the places of some; the other leaves stay."""
        leaves = [
            self.wrapped(i, arrays[i]) if i in arrays else self.wrapped(i, self.arrays[i]) if i in self.arrays else leaf
            for i, leaf in enumerate(self.leaves)
        ]
        return self.definition.unflatten(leaves)

    def signature(self) -> Any:
        """Return the key of a compiled program: structure, shapes, dtypes and weak types."""
        facts = tuple(
            (tuple(array.shape), array.dtype, self._weak[i], self.is_key(i)) for i, array in self.arrays.items()
        )
        return self.definition, facts
