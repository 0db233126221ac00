"""Random calls: a sample of the conformance kit with other dtypes, shapes, options and wrong values.

A call is a function of its seed and number alone. NumPy arrays stand in the places of arrays, so that every backend gets
the same call.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import corearray as ca
from corearray.contract.declaration import DECLARATIONS, Declaration, Parameter
from corearray.testing.calls import arrays_in, in_dtype, replaced
from corearray.testing.known import STANDARD
from corearray.testing.reference import function_of, made
from corearray.testing.samples import SAMPLES

__all__ = ["Call", "Outcome", "call_number", "known", "outcome"]

#: Functions whose results have no defined elements, and whose dtypes and shapes the kit compares.
_LEFT_OUT = {"empty", "empty_like", "from_dlpack", "asarray"}

#: Divisions of integers, which some frameworks refuse where a divisor is zero.
_DIVISIONS = {"floor_divide", "fmod", "remainder", "trunc_divide"}

_NAMES = sorted(set(SAMPLES) & set(DECLARATIONS) - _LEFT_OUT)

#: Values that most parameters refuse.
_WRONG: tuple[Any, ...] = (
    "text",
    None,
    2**70,
    -(2**70),
    1.5,
    -1,
    True,
    1j,
    (),
    (0, 0),
    [[1.0, 2.0], [3.0]],
    {},
    float("nan"),
)

#: Values of options that many functions have, by the name of the parameter.
_OPTIONS: dict[str, tuple[Any, ...]] = {
    "axis": (None, 0, -1, 1, 2, -3, (0,), (0, 1)),
    "axes": (None, 0, -1, (0,), (0, 1), (1, 0)),
    "dtype": (None, "float32", "float64", "int32", "bool", "complex64"),
    "keepdims": (True, False),
    "correction": (0, 1, 0.5, 10),
    "reduction": ("mean", "sum", "none", "other"),
    "k": (0, 1, -1, 2, 5),
    "n": (0, 1, 2, 3, -1),
    "shape": ((), (2, 3), (-1,), 4, (0,)),
    "shift": (1, 0, -1, 7, (1, 2)),
    "repeats": (0, 1, 2, -1),
}

_SHAPES: tuple[Callable[[np.ndarray], np.ndarray], ...] = (
    lambda x: x.reshape(-1)[0].reshape(()) if x.size else x,
    lambda x: x[:0] if x.ndim else x,
    lambda x: x[None],
    lambda x: x.reshape(-1),
    lambda x: x[..., :1] if x.ndim else x,
)


class Call(NamedTuple):
    """A function and its arguments, with NumPy arrays in the places of arrays."""

    name: str
    args: tuple[Any, ...]
    options: dict[str, Any]


class Outcome(NamedTuple):
    """What came of a call.

    Attributes
    ----------
    result
        Dtypes and shapes of the arrays in the result, or `"refused"`.
    fault
        What is wrong with the error whatever other backends do: outside of the family, or without the function's name.
    message
        The error, for the report.
    """

    result: Any
    fault: str
    message: str


def call_number(seed: int, number: int, dtypes: frozenset[str]) -> Call:
    """Make a call in some dtypes."""
    draw = random.Random(f"{seed}:{number}")
    name = draw.choice(_NAMES)
    declaration = DECLARATIONS[name]
    args, options = draw.choice(SAMPLES[name])
    args, options = list(args), dict(options)
    usable = sorted(set(STANDARD) & dtypes)
    with np.errstate(all="ignore"):  # of NaN that becomes an integer
        for _ in range(draw.randint(1, 3)):
            draw.choice(_CHANGES)(draw, declaration, args, options, usable)
    return Call(name, tuple(args), options)


def _to_one_dtype(
    draw: random.Random, declaration: Declaration, args: list[Any], options: dict[str, Any], usable: list[str]
) -> None:
    dtype = draw.choice(usable)
    args[:] = [replaced(x, lambda a: np.asarray(in_dtype(a, dtype))) for x in args]


def _one_dtype(
    draw: random.Random, declaration: Declaration, args: list[Any], options: dict[str, Any], usable: list[str]
) -> None:
    places = [i for i, x in enumerate(args) if arrays_in(x)]
    if places:
        place, dtype = draw.choice(places), draw.choice(usable)
        args[place] = replaced(args[place], lambda a: np.asarray(in_dtype(a, dtype)))


def _one_shape(
    draw: random.Random, declaration: Declaration, args: list[Any], options: dict[str, Any], usable: list[str]
) -> None:
    places = [i for i, x in enumerate(args) if arrays_in(x)]
    if places:
        place, change = draw.choice(places), draw.choice(_SHAPES)
        args[place] = replaced(args[place], change)


def _all_shapes(
    draw: random.Random, declaration: Declaration, args: list[Any], options: dict[str, Any], usable: list[str]
) -> None:
    change = draw.choice(_SHAPES)
    args[:] = [replaced(x, change) for x in args]


def _option(
    draw: random.Random, declaration: Declaration, args: list[Any], options: dict[str, Any], usable: list[str]
) -> None:
    free = [
        p
        for p in declaration.parameters[len(args) :]
        if not p.required and p.how != "positional" and p.role in ("plain", "dtype")
    ]
    if free:
        parameter = draw.choice(free)
        options[parameter.name] = _value(draw, parameter)


def _value(draw: random.Random, parameter: Parameter) -> Any:
    if parameter.name in _OPTIONS and draw.random() < 0.8:
        return draw.choice(_OPTIONS[parameter.name])
    if type(parameter.default) is bool and draw.random() < 0.8:
        return not parameter.default
    return draw.choice((parameter.default, 0, 1, 2, *_WRONG))


def _wrong(
    draw: random.Random, declaration: Declaration, args: list[Any], options: dict[str, Any], usable: list[str]
) -> None:
    if args:
        args[draw.randrange(len(args))] = draw.choice(_WRONG)


_CHANGES = (_to_one_dtype, _to_one_dtype, _one_dtype, _one_shape, _all_shapes, _option, _option, _wrong)


def known(call: Call) -> str:
    """Return why backends may disagree about a call, or `""` if they may not."""
    found = [*call.args, *call.options.values()]
    if any(type(x) is int and abs(x) > 2**63 for x in found):
        return "frameworks read numbers of 64 bits, some of them as Python's"
    if call.name in _DIVISIONS and _has_zero(call.args[-1]):
        return "the standard leaves the division of an integer by zero open"
    if call.name == "scatter_along_axis" and _reaches_beyond(*call.args[:2], call.options.get("axis", -1)):
        return "an index beyond the axis has no defined result"
    if call.name in ("multi_margin_loss", "multilabel_margin_loss") and _reaches_beyond(*call.args[:2], -1):
        return "a compiled composition cannot refuse a class number beyond the classes"
    if call.name == "pow" and _is_negative_integer(call.args[-1]):
        return "the standard leaves negative powers of integers open"
    if call.name.startswith("max_unpool"):
        return "an index beyond the result has no defined place"
    if any(type(x) is float and x != x for x in found):
        return "NaN as a number without axes where an array with axes is taken"
    return ""


def _reaches_beyond(x: Any, indices: Any, axis: Any) -> bool:
    sides = (
        {side for array in arrays_in(x) for side in array.shape[axis : axis + 1 or None]}
        if type(axis) is int
        else set()
    )
    return any(
        bool((i >= side).any() or (i < -side).any())
        for i in arrays_in(indices)
        for side in sides
        if i.dtype.kind in "iu"
    )


def _is_negative_integer(exponent: Any) -> bool:
    return any(x.dtype.kind == "i" and bool((x < 0).any()) for x in arrays_in(exponent))


def _has_zero(divisor: Any) -> bool:
    if isinstance(divisor, (int, float)):
        return divisor == 0
    if isinstance(divisor, (list, tuple)):
        return any(map(_has_zero, divisor))
    return any(bool((x == 0).any()) for x in arrays_in(divisor))


def outcome(call: Call, backend: ca.Backend) -> Outcome:
    """Make a call on a backend and say what came of it."""
    function = function_of(backend, call.name)
    args, options = (made(backend, value) for value in (call.args, call.options))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = function(*args, **options)
            return Outcome(_described(found), "", "")
        except Exception as error:
            message = f"{type(error).__name__}: {error}"
            fault = ""
            if not isinstance(error, ca.CoreArrayError):
                fault = "an error outside of the family"
            elif f"'{call.name}'" not in str(error):
                fault = "an error without the name of the function"
            return Outcome("refused", fault, message)


def _described(found: Any) -> Any:
    if isinstance(found, ca.Array):
        return str(found.dtype), tuple(found.shape)
    if isinstance(found, (tuple, list)):
        return tuple(map(_described, found))
    return type(found).__name__
