"""A call that is differentiated, between trees of arrays and lists of native ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from corearray.array import Array
from corearray.dispatch import refuse_other_backend, resolve
from corearray.errors import CoreArrayTypeError, CoreArrayValueError, FunctionNotImplementedError
from corearray.nest import to_native
from corearray.transforms.tree import Tree, expect, is_array, like, name_of

__all__ = ["Function"]

_NOTHING = Tree(())


class Function:
    """A call that is differentiated, as a function of lists of native arrays.

    Attributes
    ----------
    backend
        What differentiates: the backend in force, or that of the first array.
    natives
        The arrays to differentiate by.
    once
        Whether gradients are pulled back once, so that what they need may be given up on the way.
    """

    once = False

    def __init__(
        self,
        name: str,
        fn: Callable[..., Any],
        args: tuple[Any, ...],
        options: dict[str, Any],
        places: Sequence[int],
        has_aux: bool = False,
    ) -> None:
        for place in places:
            if not -len(args) <= place < len(args):
                raise CoreArrayTypeError(
                    f"'{name}' is to differentiate '{name_of(fn)}' by argument {place}, and got {len(args)} by position"
                )
        self.name = name
        self.backend = resolve((args,))
        expect(self.backend)
        self._fn = fn
        self._args = args
        self._options = options
        self._has_aux = has_aux
        self._places = [place % len(args) for place in places]
        self._tree = Tree(tuple(args[place] for place in self._places))
        self._numbers = [i for i, x in enumerate(self._tree.leaves) if isinstance(x, (Array, float)) or is_array(x)]
        self.natives = [self._differentiable(self._tree.leaves[i], "argument") for i in self._numbers]
        self._value = self._aux = _NOTHING

    def _differentiable(self, leaf: Any, what: str) -> Any:
        array = leaf
        if type(leaf) is not self.backend.Array:
            refuse_other_backend(leaf, self.backend, self.name)
            array = self.backend.asarray(leaf)
        if array.dtype.kind != "real floating":
            raise CoreArrayTypeError(
                f"'{self.name}' cannot differentiate '{name_of(self._fn)}' with an {what} of the dtype '{array.dtype}'; "
                "it takes real floating-point numbers"
            )
        return array._native

    def __call__(self, natives: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """Call the function with other arrays; return those of its value and those of what it returns beside."""
        leaves = list(self._tree.leaves)
        for i, native in zip(self._numbers, natives, strict=True):
            leaves[i] = like(leaves[i], native, self.backend)
        args = list(self._args)
        for place, tree in zip(self._places, self._tree.of(leaves), strict=True):
            args[place] = tree
        value = self._fn(*args, **self._options)
        if self._has_aux:
            if type(value) is not tuple or len(value) != 2:
                raise CoreArrayTypeError(
                    f"'{name_of(self._fn)}' has to return a pair with has_aux, got {type(value).__name__}"
                )
            value, aux = value
            self._aux = Tree(aux)
        self._value = Tree(value)
        outputs = [self._differentiable(leaf, "result") for leaf in self._value.leaves]
        return outputs, [to_native(leaf) for leaf in self._aux.leaves if is_array(leaf)]

    def answer(self, fact: str, *args: Any) -> Any:
        """Ask the backend to differentiate."""
        if fact not in self.backend.facts:
            raise FunctionNotImplementedError(
                f"'{self.name}' needs a framework that differentiates, and that of backend '{self.backend.name}' does not; "
                "set another backend, or bring the arrays there with corearray.to_backend"
            )
        return self.backend.facts[fact](self, self.natives, *args)

    def reverse(self) -> tuple[list[Any], Callable[[list[Any]], Sequence[Any]], Any]:
        """Return the arrays of the value, what pulls gradients back, and what is returned beside the value."""
        outputs, aux, pull_back = self.answer("reverse_mode")
        return outputs, pull_back, self.beside(aux)

    def tree(self, leaves: Sequence[Any]) -> Any:
        """Make a tree like the value."""
        return self._value.of(leaves)

    def value(self, natives: Sequence[Any]) -> Any:
        """Make a tree like the value of other arrays."""
        leaves = zip(self._value.leaves, natives, strict=True)
        return self.tree([like(leaf, native, self.backend) for leaf, native in leaves])

    def beside(self, natives: Sequence[Any]) -> Any:
        """Make again what is returned beside the value, of the arrays that it holds outside of the derivative."""
        found = iter(natives)
        return self._aux.of(
            [like(leaf, next(found), self.backend) if is_array(leaf) else leaf for leaf in self._aux.leaves]
        )

    def gradients(self, natives: Sequence[Any]) -> tuple[Any, ...]:
        """Make trees like the arguments, with `None` for what is no number."""
        leaves: list[Any] = [None] * len(self._tree.leaves)
        for i, native in zip(self._numbers, natives, strict=True):
            leaves[i] = like(self._tree.leaves[i], native, self.backend)
        found: tuple[Any, ...] = self._tree.of(leaves)
        return found

    def cotangents(self, tree: Any, outputs: Sequence[Any]) -> list[Any]:
        """Return the arrays of a tree like the value."""
        leaves = self._value.like(tree, f"the cotangents of '{name_of(self._fn)}' are not like its value")
        return [self._fitting(leaf, output, "cotangent") for leaf, output in zip(leaves, outputs, strict=True)]

    def tangents(self, trees: tuple[Any, ...]) -> list[Any]:
        """Return the arrays of trees like the arguments."""
        leaves = self._tree.like(trees, f"the tangents of '{name_of(self._fn)}' are not like its arguments")
        return [self._fitting(leaves[i], x, "tangent") for i, x in zip(self._numbers, self.natives, strict=True)]

    def _fitting(self, leaf: Any, model: Any, what: str) -> Any:
        refuse_other_backend(leaf, self.backend, self.name)
        dtype = self.backend.dtype_from_native(model.dtype)
        array = self.backend.astype(self.backend.asarray(leaf), dtype, copy=False)
        if array.shape != tuple(model.shape):
            raise CoreArrayValueError(
                f"'{self.name}' of '{name_of(self._fn)}' got a {what} of the shape {tuple(array.shape)} for an array of the "
                f"shape {tuple(model.shape)}"
            )
        return array._native
