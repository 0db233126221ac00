"""The calls of the kit: the samples as they are, and one of each function over dtypes and shapes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from corearray.declaration import DECLARATIONS, Declaration
from corearray.testing.known import STANDARD
from corearray.testing.samples import SAMPLES

__all__ = ["Case", "arrays_in", "cases", "in_dtype", "replaced"]


#: Categories whose functions move elements or look at them: they take booleans as they take numbers.
_MOVING = {
    "arranging", "creation", "data_type", "diagonals", "gathering", "general", "indexing", "joining",
    "manipulation", "sets", "utility",
}  # fmt: skip

#: Numbers at which functions go wrong first.
_SPECIAL = [0.0, -0.0, 1.0, -1.0, 2.5, float("inf"), float("-inf"), float("nan")]

#: Functions that have no defined result at some of them.
_NOT_SPECIAL = {"igamma", "igammac", "zeta"}

#: Functions of symmetric matrices, which must stay so.
_SYMMETRIC = {"cholesky", "eigh", "eigvalsh"}


class Case(NamedTuple):
    """One call, with NumPy arrays in the places of arrays.

    Attributes
    ----------
    name
        The function.
    label
        What the call is for.
    dtype
        The dtype that was put into it; empty for a sample as it is.
    args, options
        Its arguments.
    """

    name: str
    label: str
    dtype: str
    args: tuple[Any, ...]
    options: dict[str, Any]


def cases(name: str, dtypes: Iterable[str]) -> Iterator[Case]:
    """Yield the calls of one function for a backend with these dtypes.

    Examples
    --------
    >>> [case.label for case in cases("sin", ("int8", "float32"))]
    ['sample 1', 'as int8', 'as float32', 'without axes', 'without elements', 'special values']
    """
    dtypes = tuple(dtypes)
    declaration = DECLARATIONS[name]
    samples = SAMPLES.get(name, [])
    for number, (args, options) in enumerate(samples, 1):
        if _needed(args, options) <= set(dtypes):
            yield Case(name, f"sample {number}", "", args, options)
    varied = [args[i] for args, _ in samples for i in _deciding(declaration, args)]
    boolean = declaration.category in _MOVING or any(x.dtype == "bool" for x in arrays_in(varied))
    for dtype in dtypes if boolean else [dtype for dtype in dtypes if dtype != "bool"]:
        for args, options in samples:
            given = _cast(declaration, args, dtype)
            if _deciding(declaration, args) and _needed(given, options) <= set(dtypes):
                yield Case(name, f"as {dtype}", dtype, given, options)
                break
    floating = next((dtype for dtype in ("float32", "float64") if dtype in dtypes), None)
    if declaration.elementwise and samples and floating:
        args, options = samples[0]
        args = _cast(declaration, args, floating)
        yield Case(name, "without axes", "", replaced(args, lambda x: x.reshape(-1)[:1].reshape(())), options)
        yield Case(name, "without elements", "", replaced(args, lambda x: x[..., :0]), options)
        if name not in _NOT_SPECIAL and len(args) < 3 and all(isinstance(x, np.ndarray) for x in args):
            special = np.asarray(_SPECIAL, floating)
            yield Case(name, "special values", "", (special[:, None], special)[-len(args) :], options)


def _needed(args: tuple[Any, ...], options: dict[str, Any]) -> set[str]:
    """Return the names of the dtypes of arrays, and of those that are asked for."""
    asked = {value for value in (*args, *options.values()) if isinstance(value, str) and value in STANDARD}
    return asked | {str(x.dtype) for x in arrays_in((args, options))}


def _deciding(declaration: Declaration, args: tuple[Any, ...]) -> list[int]:
    """Return the places of the arguments whose dtype is varied: those that share one, or the first array."""
    parameters = declaration.parameters
    promoted = [i for i, p in enumerate(parameters) if p.name in declaration.promote]
    first = [i for i, p in enumerate(parameters) if p.role in ("array", "arrays")][:1]
    return [i for i in promoted or first if i < len(args) and arrays_in(args[i])]


def _cast(declaration: Declaration, args: tuple[Any, ...], dtype: str) -> tuple[Any, ...]:
    places = _deciding(declaration, args)
    if declaration.name in _SYMMETRIC:
        return tuple(x.astype(dtype) for x in args)
    return tuple(replaced(x, lambda a: in_dtype(a, dtype)) if i in places else x for i, x in enumerate(args))


def in_dtype(x: np.ndarray, dtype: str) -> np.ndarray:
    """Return numbers near those of an array in another dtype; only zeros become zero.

    Examples
    --------
    >>> in_dtype(np.asarray([0.5, -2.0, 0.0]), "int8").tolist(), in_dtype(np.asarray([0.5, -2.0]), "uint8").tolist()
    ([1, -2, 0], [1, 2])
    """
    kind = np.dtype(dtype).kind
    if x.dtype.kind == "c" and kind != "c":
        x = x.real
    if kind == "b":
        return x > 0 if x.dtype.kind != "b" else x
    if kind in "iu" and x.dtype.kind == "f":
        x = np.sign(x) * np.ceil(np.abs(np.nan_to_num(x, nan=1.0)))
    if kind == "u" and x.dtype.kind in "if":
        x = np.abs(x)
    if kind == "c" and x.dtype.kind != "c":
        x = x * (1 + 0.5j)
    return x.astype(dtype)


def replaced(value: Any, change: Any) -> Any:
    """Change every NumPy array in nested lists, tuples and dictionaries."""
    if isinstance(value, np.ndarray):
        return change(value)
    if isinstance(value, dict):
        return {key: replaced(item, change) for key, item in value.items()}
    return type(value)(replaced(item, change) for item in value) if isinstance(value, (list, tuple)) else value


def arrays_in(value: Any) -> list[np.ndarray]:
    """Return the NumPy arrays in nested lists, tuples and dictionaries."""
    found: list[np.ndarray] = []
    replaced(value, found.append)
    return found
