"""`Traced`: a function of pytrees as a function of real arrays, which corearray's transforms differentiate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError
from corearray.frontend.jax.leaves import Leaves
from corearray.frontend.jax.members_of.mapping import inside, need_callable

__all__ = ["COMPLEX", "REAL", "Reals", "Traced", "float0"]

REAL, COMPLEX = "real floating", "complex floating"


def float0(shape: Sequence[int]) -> Any:
    """Return the tangent or cotangent of an array of integers: an array of NumPy whose elements have no bytes."""
    import numpy as np

    return np.zeros(tuple(shape), [("float0", np.void, 0)])


class Reals:
    """Arrays as real ones: a complex array is a pair of its parts, an integer one is a constant.

    JAX's derivative by a complex number `x + iy` is that by `x`, less `i` times that by `y`. So cotangents have the sign -1.

    Parameters
    ----------
    arrays
        Arrays by the numbers of their leaves.

    Attributes
    ----------
    dtypes
        The dtypes of the floating arrays.
    constants
        The numbers of the other arrays.
    """

    def __init__(self, arrays: Mapping[int, ca.Array]) -> None:
        self.dtypes = {i: x.dtype for i, x in arrays.items() if x.dtype.category in (REAL, COMPLEX)}
        self.constants = [i for i in arrays if i not in self.dtypes]

    def split(self, arrays: Mapping[int, ca.Array], sign: int = 1) -> list[ca.Array]:
        """Return the parts of floating arrays."""
        parts: list[ca.Array] = []
        for i, dtype in self.dtypes.items():
            x = arrays[i]
            parts += [x] if dtype.category == REAL else [ca.real(x), sign * ca.imag(x)]
        return parts

    def joined(self, parts: Sequence[ca.Array], sign: int = 1) -> dict[int, ca.Array]:
        """Return the floating arrays of parts."""
        rest = iter(parts)
        return {
            i: next(rest) if dtype.category == REAL else ca.complex(next(rest), sign * next(rest))
            for i, dtype in self.dtypes.items()
        }


class Traced:
    """A function of some of its arguments, called with the parts of their floating arrays (`Reals`).

    Parameters
    ----------
    name
        The transform, for errors.
    fun, args, options
        The function and its arguments.
    argnums
        The arguments by which is differentiated.
    has_aux
        Whether the function returns a pair of its value and anything else.
    holomorphic
        Whether arguments and values have to be complex.
    allow_int
        Whether arguments may be integers.

    Attributes
    ----------
    given, inputs
        The arguments, and their floating arrays.
    value, outputs
        The value of the last call, and its floating arrays.
    """

    def __init__(
        self, name: str, fun: Any, args: Sequence[Any], options: Any, argnums: Any, has_aux: bool = False, *,
        holomorphic: bool = False, allow_int: bool = False,
    ) -> None:  # fmt: skip
        need_callable(name, fun)
        self.name, self.fun, self.args, self.options = name, fun, list(args), options
        self.has_aux, self.holomorphic = has_aux, holomorphic
        self.several = not isinstance(argnums, int)
        numbers = (argnums,) if isinstance(argnums, int) else tuple(argnums)
        for number in numbers:
            if not -len(args) <= number < len(args):
                raise CoreArrayTypeError(
                    f"differentiating with respect to argnums={argnums} "
                    f"requires at least {number + 1 if number >= 0 else -number} "
                    f"positional arguments to be passed by the caller, but got only {len(args)} positional arguments."
                )
        self.numbers = [number % len(args) for number in numbers]
        self.given = Leaves([args[number] for number in self.numbers], everything=True)
        self.inputs = Reals(self.given.arrays)
        for array in self.given.arrays.values():
            if holomorphic and array.dtype.category != COMPLEX:
                raise CoreArrayTypeError(
                    f"{name} with holomorphic=True requires inputs with complex dtype, but got {array.dtype}."
                )
            if not allow_int and array.dtype.category not in (REAL, COMPLEX):
                raise CoreArrayTypeError(
                    f"{name} requires real- or complex-valued inputs (input dtype that is a sub-dtype of np.inexact), but got "
                    f"{array.dtype}. If you want to use Boolean- or integer-valued inputs, use vjp or set allow_int to True."
                )
        self.value: Any = None
        self.outputs: Any = None
        self._aux: Any = None

    def reals(self) -> list[ca.Array]:
        """Return the parts of the arguments."""
        return self.inputs.split(self.given.arrays)

    def __call__(self, reals: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """Call the function; return the parts of its value, and the arrays that have no derivatives."""
        args = list(self.args)
        parts = self.given.tree(self.inputs.joined(reals))
        for number, part in zip(self.numbers, parts, strict=True):
            args[number] = part
        token = inside.set(True)
        try:
            made = self.fun(*args, **self.options)
        finally:
            inside.reset(token)
        aux: list[Any] = []
        if self.has_aux:
            if not isinstance(made, (tuple, list)) or len(made) != 2:
                raise CoreArrayTypeError(
                    f"expected output of function to be a two-element tuple, because has_aux=True, got {type(made).__name__}"
                )
            made, beside = made
            self._aux = Leaves(beside)
            aux = self._aux.listed()
        self.value = Leaves(made, everything=True)
        self.outputs = Reals(self.value.arrays)
        constants = [self.value.arrays[i] for i in self.outputs.constants]
        return self.outputs.split(self.value.arrays), [*constants, *aux]

    def scalar(self, reals: Sequence[Any]) -> tuple[Any, list[Any]]:
        """Call a function whose value has to be one number; of a complex one the real part is differentiated."""
        parts, rest = self(reals)
        leaves = self.value.listed()
        if len(leaves) != 1 or self.value.definition.node is not None:
            raise CoreArrayTypeError(
                "Gradient only defined for scalar-output functions. Output "
                f"was {self.value.definition}: a tree of {len(leaves)} arrays."
            )
        if leaves[0].ndim:
            raise CoreArrayTypeError(
                f"Gradient only defined for scalar-output functions. Output had shape: {tuple(leaves[0].shape)}."
            )
        self.check_values()
        return parts[0], [*parts[1:], *rest]

    def check_values(self) -> None:
        """Refuse a value without the derivative that was asked for.

        Raises
        ------
        TypeError
            If it is not real, or, for holomorphic functions, not complex.
        """
        for array in self.value.arrays.values():
            if self.holomorphic and array.dtype.category != COMPLEX:
                raise CoreArrayTypeError(
                    f"{self.name} with holomorphic=True requires outputs with complex dtype, but got {array.dtype}."
                )
            if not self.holomorphic and array.dtype.category != REAL:
                raise CoreArrayTypeError(
                    f"{self.name} requires real-valued outputs (output dtype that "
                    f"is a sub-dtype of np.floating), but got {array.dtype}."
                )

    def like_arguments(self, slopes: Sequence[Any], before: Sequence[int] = ()) -> Any:
        """Return derivatives as trees like the arguments, those by integers in the shape `(*before, *shape)`."""
        arrays = self.inputs.joined(slopes, -1)
        leaves = [
            self.given.wrapped(i, arrays[i]) if i in arrays else float0((*before, *self.given.shape(i)))
            for i in self.given.arrays
        ]
        made = self.given.definition.unflatten(leaves)
        return tuple(made) if self.several else made[0]

    def result(self, parts: Sequence[Any], rest: Sequence[Any]) -> Any:
        """Return the value, and beside it what the function returned besides, if `has_aux`."""
        constants = dict(zip(self.outputs.constants, rest, strict=False))
        value = self.value.tree(self.outputs.joined(parts) | constants)
        return (value, self.beside(rest)) if self.has_aux else value

    def beside(self, rest: Sequence[Any]) -> Any:
        """Return what the function returned besides its value."""
        return self._aux.tree(dict(zip(self._aux.arrays, rest[len(self.outputs.constants) :], strict=True)))

    def tangents(self, slopes: Sequence[Any]) -> Any:
        """Return the derivative of the value in a direction, as a tree like it."""
        arrays = self.outputs.joined(slopes)
        leaves = [
            self.value.wrapped(i, arrays[i]) if i in arrays else float0(self.value.shape(i)) for i in self.value.arrays
        ]
        return self.value.definition.unflatten(leaves)
