"""Grids and functions of rows: `mgrid`, `r_`, `vectorize`, `apply_along_axis`."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import update_wrapper
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayValueError
from corearray.frontend.jax.promotion import canonicalized
from corearray.frontend.jax.wrapper import Array, converted

__all__ = ["FUNCTIONS", "frompyfunc", "vectorize"]


class _Grid:
    """An object of NumPy's frontend whose keys make arrays, which are JAX's here."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getitem__(self, key: Any) -> Any:
        from corearray.frontend.frontend import get_frontend

        parts = key if isinstance(key, tuple) else (key,)
        given = tuple(part.array if isinstance(part, Array) else part for part in parts)
        made = getattr(get_frontend("numpy"), self._name)[given if isinstance(key, tuple) else given[0]]
        return (
            [Array(canonicalized(x.array)) for x in made]
            if isinstance(made, (tuple, list))
            else Array(canonicalized(made.array))
        )

    def __repr__(self) -> str:
        return f"jax.numpy.{self._name}"


class _Key:
    def __init__(self, several: bool) -> None:
        self._several = several

    def __getitem__(self, key: Any) -> Any:
        return key if isinstance(key, tuple) or not self._several else (key,)


def vectorize(
    pyfunc: Callable[..., Any] | None = None, *, excluded: Any = frozenset(), signature: str | None = None
) -> Callable[..., Any]:
    """Return a function that maps another one over the leading axes of its arguments, as NumPy broadcasts them.

    Raises
    ------
    ValueError
        When it is called, if an argument has fewer axes than its part of the signature.
    """
    if pyfunc is None:
        return lambda function: vectorize(function, excluded=excluded, signature=signature)
    passed = frozenset(excluded)
    inner = (
        None
        if signature is None
        else [
            [name for name in part.split(",") if name]
            for part in re.findall(r"\(([^)]*)\)", signature.split("->")[0].replace(" ", ""))
        ]
    )

    def vectorized(*args: Any, **options: Any) -> Any:
        from corearray.frontend.jax.members_of.mapping import vmap

        kept = {i: x for i, x in enumerate(args) if i in passed}
        given = [Array(*converted(x)) for i, x in enumerate(args) if i not in passed]
        ranks = [0] * len(given) if inner is None else [len(names) for names in inner]
        if len(ranks) != len(given):
            raise CoreArrayValueError(
                f"vectorized function takes {len(ranks)} arguments by its signature, got {len(given)}"
            )
        for x, rank in zip(given, ranks, strict=True):
            if x.ndim < rank:
                raise CoreArrayValueError(
                    f"an argument of the shape {x.shape} has fewer axes than its part of {signature!r}"
                )
        outer = [x.shape[: x.ndim - rank] for x, rank in zip(given, ranks, strict=True)]
        shape = ca.broadcast_shapes(*outer) if outer else ()

        def called(*arrays: Any) -> Any:
            rest = iter(arrays)
            return pyfunc(*(kept[i] if i in kept else next(rest) for i in range(len(args))), **options)

        function: Callable[..., Any] = called
        padded = [
            Array(ca.reshape(x.array, ((1,) * (len(shape) - len(own)) + x.shape)), x.weak_type)
            for x, own in zip(given, outer, strict=True)
        ]
        for axis in reversed(range(len(shape))):
            axes = tuple(
                0 if x.shape[axis] == shape[axis] and (x.shape[axis] > 1 or shape[axis] == 1) else None for x in padded
            )
            function = _mapped(vmap, function, axes)
        return function(*padded)

    update_wrapper(vectorized, pyfunc, updated=())
    return vectorized


def _mapped(vmap: Any, function: Callable[..., Any], axes: tuple[Any, ...]) -> Callable[..., Any]:
    """Map over one axis; of arguments that are constant along it, the axis of length 1 is dropped."""

    def level(*arrays: Any) -> Any:
        given = [x if axis == 0 else x[0] for x, axis in zip(arrays, axes, strict=True)]
        return vmap(function, in_axes=axes)(*given)

    return level


def frompyfunc(func: Callable[..., Any], /, nin: int, nout: int, *, identity: Any = None) -> Callable[..., Any]:
    """Return a function of one element as a function of arrays."""
    return vectorize(func)


FUNCTIONS: dict[str, Any] = {
    "numpy.mgrid": _Grid("mgrid"), "numpy.ogrid": _Grid("ogrid"), "numpy.r_": _Grid("r_"), "numpy.c_": _Grid("c_"),
    "numpy.s_": _Key(False), "numpy.index_exp": _Key(True), "numpy.vectorize": vectorize, "numpy.frompyfunc": frompyfunc,
}  # fmt: skip
