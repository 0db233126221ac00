"""A differentiated call, as an adapter between trees of arrays and lists of native arrays.

Frameworks differ in what they call the gradient by a complex number. So a complex array is two real ones to them, its
real and its imaginary part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from corearray.arrays.array import Array
from corearray.arrays.nested import to_native
from corearray.calls.dispatch import refuse_other_backend
from corearray.errors import BackendBrokenError, CoreArrayTypeError, CoreArrayValueError, FunctionNotImplementedError
from corearray.settings.context import NUMBERS, current_settings
from corearray.transforms.tree import (
    Tree,
    all_like,
    chosen,
    constant_in,
    flatten_tree,
    is_array,
    like,
    name_of,
    refuse_ragged,
    tree_of,
    unflatten_tree,
)
from corearray.types.dtypes import DTYPES, promote_types

__all__ = ["Function"]

_NOTHING = Tree(())

#: Functions whose derivatives by complex numbers have one meaning.
_OF_COMPLEX = ("execute_with_gradients", "grad", "jvp", "value_and_grad", "vjp")


class Function:
    """A differentiated call, as a function of lists of native arrays.

    Attributes
    ----------
    backend
        What differentiates: the backend in force, or that of the first array.
    natives
        The arrays to differentiate by.
    once
        Whether the value is one number, whose gradient is pulled back once, so that what it needs may be given up on the
        way.
    """

    __slots__ = (
        "_apart", "_args", "_aux", "_complex", "_complex_value", "_fn", "_has_aux", "_numbers", "_options", "_places", "_value",
        "backend", "name", "natives", "once",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        fn: Callable[..., Any],
        args: tuple[Any, ...],
        options: dict[str, Any],
        places: int | Sequence[int],
        has_aux: bool = False,
        once: bool = False,
    ) -> None:
        self.name = name
        self.once = once
        self._fn = fn
        self._args = args
        self._options = options
        self._has_aux = has_aux
        self._places = places
        try:
            given = args[places] if isinstance(places, int) else tuple(map(args.__getitem__, places))
        except IndexError:
            raise self._too_few() from None
        if type(places) is tuple and len({place % len(args) for place in places}) < len(places):
            raise self._twice(places)
        backend = current_settings().backend
        self.backend = backend = chosen(args) if backend is None else backend
        self._apart, natives = flatten_tree(backend, given)
        #: Where the arrays stand among the leaves, where these are not all.
        self._numbers: list[int] | None = None
        #: Of these arrays, and of those of the value, which are complex; nothing where none is.
        self._complex: list[bool] = []
        self._complex_value: list[bool] = []
        if natives is None:
            leaves = self._apart.leaves
            constant = constant_in(given)
            self._numbers = [
                i
                for i, x in enumerate(leaves)
                if (isinstance(x, (Array, float, complex)) or is_array(x)) and id(x) not in constant
            ]
            if not self._numbers:  # of nothing there is nothing
                for leaf in leaves:
                    if leaf is not None:
                        self._differentiable(leaf, "an argument")
            natives, self._complex = self._parts([leaves[i] for i in self._numbers], "an argument")
        self.natives: list[Any] = natives
        self._value = self._aux = _NOTHING

    def _too_few(self) -> CoreArrayTypeError:
        count = len(self._args)
        places = (self._places,) if isinstance(self._places, int) else self._places
        place = next(place for place in places if not -count <= place < count)
        return CoreArrayTypeError(
            f"'{self.name}' is to differentiate '{name_of(self._fn)}' by argument {place}, and got {count} by position"
        )

    def _twice(self, argnums: tuple[int, ...]) -> CoreArrayValueError:
        count = len(self._args)
        places = [place % count for place in argnums]
        place = next(place for place in places if places.count(place) > 1)
        return CoreArrayValueError(
            f"'{self.name}' is to differentiate '{name_of(self._fn)}' by argument {place} more than once, with "
            f"argnums={argnums} of {count} arguments; name each argument once"
        )

    def _differentiable(self, leaf: Any, what: str) -> Any:
        if type(leaf) is not self.backend.Array:
            leaf = self._array(leaf, what)
        if leaf._kind.is_real or (self._takes_complex(what) and leaf.dtype.category == "complex floating"):
            return leaf._native
        kinds = "real or complex" if self._takes_complex(what) else "real"
        raise CoreArrayTypeError(
            f"'{self.name}' cannot differentiate '{name_of(self._fn)}' with {what} of the dtype '{leaf.dtype}'; "
            f"it takes {kinds} floating-point numbers"
        )

    def _takes_complex(self, what: str) -> bool:
        return self.name in _OF_COMPLEX and not (self.once and what == "a result")

    def _parts(self, leaves: Sequence[Any], what: str) -> tuple[list[Any], list[bool]]:
        """Return native real arrays, two for a complex leaf, and a list that is true for complex leaves."""
        natives = [self._differentiable(leaf, what) for leaf in leaves]
        if not self._takes_complex(what):
            return natives, []
        return self._split(natives)

    def _split(self, natives: Sequence[Any]) -> tuple[list[Any], list[bool]]:
        """Return real arrays in place of complex ones, two for each, and where these were."""
        backend = self.backend
        found = [backend.dtype_from_native(x.dtype).category == "complex floating" for x in natives]
        if not any(found):
            return list(natives), []
        real, imag = backend.native.real, backend.native.imag
        return [
            part for x, two in zip(natives, found, strict=True) for part in ((real(x), imag(x)) if two else (x,))
        ], found

    def _joined(self, natives: Sequence[Any], found: Sequence[bool]) -> list[Any]:
        """Make complex arrays of the pairs of real ones that `_split` returned."""
        if not found:
            return list(natives)
        parts = iter(natives)
        return [self.backend.native.complex(next(parts), next(parts)) if two else next(parts) for two in found]

    def _array(self, leaf: Any, what: str) -> Any:
        refuse_ragged(self.name, leaf)
        if not isinstance(leaf, NUMBERS) and not is_array(leaf):
            raise CoreArrayTypeError(
                f"'{self.name}' cannot differentiate '{name_of(self._fn)}' with {what} of type {type(leaf).__name__}; it takes "
                "arrays and numbers, and lists, tuples, dictionaries and Containers of them"
            )
        refuse_other_backend(leaf, self.backend, self.name)
        return self.backend.asarray(leaf)

    def __call__(self, natives: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """Call the function with other arrays; return those of its value and those of what it returns beside."""
        backend, apart = self.backend, self._apart
        given = (
            unflatten_tree(backend, apart, natives)
            if self._numbers is None
            else apart.of(self._among(apart.leaves, self._joined(natives, self._complex), self._numbers))
        )
        args = list(self._args)
        if isinstance(self._places, int):
            args[self._places] = given
        else:
            for place, tree in zip(self._places, given, strict=True):
                args[place] = tree
        value = self._fn(*args, **self._options)
        if self._has_aux:
            if type(value) is not tuple or len(value) != 2:
                raise CoreArrayTypeError(
                    f"'{name_of(self._fn)}' has to return a pair with has_aux, got {type(value).__name__}"
                )
            value, aux = value
            self._aux = Tree(aux)
        self._value, outputs = flatten_tree(backend, value)
        if outputs is None:
            outputs, self._complex_value = self._parts(self._value.leaves, "a result")
        if self.once and (len(outputs) != 1 or len(outputs[0].shape)):
            raise CoreArrayTypeError(
                f"'{self.name}' needs a function that returns one number, and '{name_of(self._fn)}' returned arrays of the "
                f"shapes {[tuple(output.shape) for output in outputs]}; take corearray.sum or corearray.mean of it, or "
                "corearray.jac for all derivatives"
            )
        return outputs, [to_native(leaf) for leaf in self._aux.leaves if is_array(leaf)] if self._has_aux else []

    def _among(self, others: Sequence[Any], natives: Sequence[Any], numbers: list[int]) -> list[Any]:
        """Return the leaves of the arguments, arrays as they were given, with other ones for those that are no arrays."""
        leaves, models = list(others), self._apart.leaves
        found = all_like([models[i] for i in numbers], natives, self.backend)
        for i, array in zip(numbers, found, strict=True):
            leaves[i] = array
        return leaves

    def answer(self, fact: str, *args: Any) -> Any:
        """Call the backend's derivative."""
        try:
            answer = self.backend.facts[fact]
        except BackendBrokenError:
            raise FunctionNotImplementedError(
                f"'{self.name}' needs a framework that differentiates, and that of backend '{self.backend.name}' does not; "
                "set another backend, or bring the arrays there with corearray.to_backend"
            ) from None
        return answer(self, self.natives, *args)

    def reverse(self) -> tuple[list[Any], Callable[[list[Any] | None], Sequence[Any]], Any]:
        """Return the arrays of the value, the pullback, and the auxiliary output."""
        outputs, aux, pull_back = self.answer("reverse_mode")
        return outputs, pull_back, self.beside(aux)

    def evaluated(self) -> tuple[Any, Any, Any]:
        """Return value, auxiliary output and gradient of a scalar function."""
        outputs, aux, pulled = self.answer("reverse_mode")
        gradients = self.gradients(pulled(None) if callable(pulled) else pulled)
        return self.value(outputs), self.beside(aux) if self._has_aux else None, gradients

    def tree(self, leaves: Sequence[Any]) -> Any:
        """Build a tree with the structure of the value."""
        return tree_of(self._value).of(leaves)

    def value(self, natives: Sequence[Any]) -> Any:
        """Build a tree with the structure of the value from other arrays."""
        return unflatten_tree(self.backend, self._value, self._joined(natives, self._complex_value))

    def beside(self, natives: Sequence[Any]) -> Any:
        """Rebuild the auxiliary output from arrays outside the derivative."""
        if not self._has_aux:
            return None
        found = iter(natives)
        return self._aux.of(
            [like(leaf, next(found), self.backend) if is_array(leaf) else leaf for leaf in self._aux.leaves]
        )

    def gradients(self, natives: Sequence[Any]) -> Any:
        """Build trees like the arguments, with `None` for leaves that are not numbers."""
        apart = self._apart
        if self._numbers is None:
            return unflatten_tree(self.backend, apart, natives)
        return apart.of(self._among([None] * len(apart.leaves), self._joined(natives, self._complex), self._numbers))

    def cotangents(self, tree: Any, outputs: Sequence[Any]) -> list[Any]:
        """Return the arrays of a tree with the structure of the value."""
        leaves = tree_of(self._value).like(tree, f"the cotangents of '{name_of(self._fn)}' are not like its value")
        return self._all_fitting(leaves, outputs, self._complex_value, "cotangent")

    def tangents(self, trees: tuple[Any, ...]) -> list[Any]:
        """Return the arrays of trees with the structure of the arguments."""
        leaves = tree_of(self._apart).like(trees, f"the tangents of '{name_of(self._fn)}' are not like its arguments")
        given = leaves if self._numbers is None else [leaves[i] for i in self._numbers]
        return self._all_fitting(given, self.natives, self._complex, "tangent")

    def _all_fitting(self, leaves: Sequence[Any], models: Sequence[Any], found: Sequence[bool], what: str) -> list[Any]:
        """Return the arrays of leaves, with those of complex ones in two parts as their models."""
        rest, natives = iter(models), []
        for leaf, two in zip(leaves, found or [False] * len(leaves), strict=True):
            native = self._fitting(leaf, next(rest), what, two)
            if two:
                next(rest)
            natives += self._split([native])[0]
        return natives

    def _fitting(self, leaf: Any, model: Any, what: str, two: bool) -> Any:
        refuse_other_backend(leaf, self.backend, self.name)
        dtype = self.backend.dtype_from_native(model.dtype)
        dtype = promote_types(dtype, DTYPES["complex64"]) if two else dtype
        array = self.backend.astype(self.backend.asarray(leaf), dtype, copy=False)
        if array.shape != tuple(model.shape):
            raise CoreArrayValueError(
                f"'{self.name}' of '{name_of(self._fn)}' got a {what} of the shape {tuple(array.shape)} for an array of the "
                f"shape {tuple(model.shape)}"
            )
        return array._native
