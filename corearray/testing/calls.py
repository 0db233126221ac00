"""The calls of the kit: the samples as they are, and one of each function over dtypes, shapes and mistakes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from corearray.contract.declaration import DECLARATIONS, Declaration
from corearray.testing.edges import EDGES, OF_DTYPE
from corearray.testing.known import STANDARD
from corearray.testing.samples import SAMPLES

__all__ = ["ORDER", "SHAPES", "Case", "arrays_in", "cases", "in_dtype", "replaced"]


#: All functions, the primaries first: what a plugin must have is tested before what follows from it.
ORDER = sorted(DECLARATIONS, key=lambda name: (DECLARATIONS[name].compositional, name))

#: Categories whose functions move elements or look at them: they take booleans as they take numbers.
_MOVING = {
    "creation", "data_type", "diagonals", "gathering", "general", "indexing", "joining",
    "manipulation", "rearrangement", "sets", "utility",
}  # fmt: skip

#: Numbers at which functions go wrong first.
_SPECIAL = [0.0, -0.0, 1.0, -1.0, 2.5, float("inf"), float("-inf"), float("nan")]

#: Functions that have no defined result at some of them.
_NOT_SPECIAL = {"igamma", "igammac", "zeta"}

#: Other shapes that one call of each function is made with, by their labels.
SHAPES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "without axes": lambda x: x.reshape(-1)[:1].reshape(()),
    "without elements": lambda x: x[..., :0] if x.ndim else x,
    "without rows": lambda x: x[:0] if x.ndim else x,
    "in a batch": lambda x: x[None],
}

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
    >>> [case.label for case in cases("sin", ("int8", "float32"))][:8]
    ['sample 1', 'as int8', 'as float32', 'special values', 'without axes', 'without elements', 'without rows', 'in a batch']
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
    yield from _beside(declaration, dtypes)
    floating = [dtype for dtype in ("float32", "float64") if dtype in dtypes]
    if declaration.elementwise and samples and floating and name not in _NOT_SPECIAL:
        args, options = samples[0]
        if len(args) < 3 and all(isinstance(x, np.ndarray) for x in args):
            for dtype in floating:
                special = np.asarray(_SPECIAL, dtype)
                label, dtype = ("special values", "") if dtype == floating[0] else (f"special values as {dtype}", dtype)
                yield Case(name, label, dtype, (special[:, None], special)[-len(args) :], options)
    if samples and _needed(*samples[0]) <= set(dtypes):
        yield from _in_other_shapes(declaration, *samples[0])
    for requirement, calls in EDGES.get(name, {}).items():
        for number, (args, options) in enumerate(calls, 1):
            if _needed(args, options) <= set(dtypes):
                own = (
                    sorted((x.dtype.name for x in arrays_in(args)), key="bool".__eq__)
                    if requirement in OF_DTYPE
                    else [""]
                )
                yield Case(name, f"{requirement}, {number}", own[0], args, options)


def _beside(declaration: Declaration, dtypes: tuple[str, ...]) -> Iterator[Case]:
    """Yield a call in each dtype of one array alone: of indices, weights, masks, and of one operand beside the others.

    Numbers with a fraction do not become truth values, of which arithmetic is left open.
    """
    tried = {"out", *(p.name for p in declaration.parameters if p.role == "index")}
    for args, options in SAMPLES.get(declaration.name, ()):
        deciding = _deciding(declaration, args)
        alike = deciding if len(deciding) < 2 or declaration.elementwise else ()
        given = {p.name: i for i, p in enumerate(declaration.parameters[: len(args)]) if i not in alike}
        for name in (name for name in (*given, *options) if name not in tried):
            place = given.get(name)
            value = options[name] if place is None else args[place]
            if not isinstance(value, np.ndarray):
                continue
            tried.add(name)
            for dtype in dtypes if value.dtype.kind in "biu" else [dtype for dtype in dtypes if dtype != "bool"]:
                cast = np.asarray(in_dtype(value, dtype))
                case = args if place is None else (*args[:place], cast, *args[place + 1 :])
                more = {**options, name: cast} if place is None else options
                if _needed(case, more) <= set(dtypes):
                    yield Case(declaration.name, f"{name} as {dtype}", dtype, case, more)


def _in_other_shapes(declaration: Declaration, args: tuple[Any, ...], options: dict[str, Any]) -> Iterator[Case]:
    """Yield a call in other shapes, also in those that do not fit, and along an axis that is not there."""
    name, parameters = declaration.name, declaration.parameters
    places = range(len(args)) if declaration.elementwise else _deciding(declaration, args)
    if arrays_in([args[i] for i in places]) and not any(p.role == "index" for p in parameters):
        for label, change in SHAPES.items():
            yield Case(name, label, "", _changed(args, places, change), options)
        if len(places) > 1:
            odd = _changed(args, places[:1], lambda x: np.zeros((5, 7, 11), x.dtype))
            yield Case(name, "shapes that do not fit", "", odd, options)
    for place, parameter in enumerate(parameters):
        if parameter.name in ("axis", "axes") and parameter.role == "plain":
            wrong = (*args[:place], 99, *args[place + 1 :]) if place < len(args) else args
            yield Case(
                name, "no such axis", "", wrong, options if place < len(args) else {**options, parameter.name: 99}
            )


def _needed(args: tuple[Any, ...], options: dict[str, Any]) -> set[str]:
    """Return the names of the dtypes of arrays, and of those that are asked for."""
    asked = {value for value in (*args, *options.values()) if isinstance(value, str) and value in STANDARD}
    return asked | {x.dtype.name for x in arrays_in((args, options))}


def _deciding(declaration: Declaration, args: tuple[Any, ...]) -> list[int]:
    """Return the places of the arguments whose dtype is varied: those that share one, or the first array."""
    parameters = declaration.parameters
    promoted = [i for i, p in enumerate(parameters) if p.name in declaration.promote]
    first = [i for i, p in enumerate(parameters) if p.role in ("array", "arrays")][:1]
    return [i for i in promoted or first if i < len(args) and arrays_in(args[i])]


def _changed(
    args: tuple[Any, ...], places: Iterable[int], change: Callable[[np.ndarray], np.ndarray]
) -> tuple[Any, ...]:
    return tuple(replaced(x, change) if i in places else x for i, x in enumerate(args))


def _cast(declaration: Declaration, args: tuple[Any, ...], dtype: str) -> tuple[Any, ...]:
    places = _deciding(declaration, args)
    if declaration.name in _SYMMETRIC:
        return tuple(x.astype(dtype) for x in args)
    return _changed(args, places, lambda x: in_dtype(x, dtype))


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
