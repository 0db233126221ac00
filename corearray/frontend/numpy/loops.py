"""The types of NumPy's ufuncs: which dtypes each one computes in, and the choice among them.

Source: https://numpy.org/doc/stable/reference/ufuncs.html#type-handling
"""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.errors import CoreArrayOverflowError, CoreArrayTypeError
from corearray.frontend.numpy.data_types import CHARACTERS, ORDER, can_cast, dtype_of, kind_of
from corearray.frontend.numpy.promotion import result_dtype

__all__ = ["IDENTITIES", "SIGNATURES", "TYPES", "UFUNCS", "chosen"]

_INTS, _FLOATS, _COMPLEX = "bBhHiIlL", "efd", "FD"
_NUMBERS = _INTS + _FLOATS + _COMPLEX

#: Ufuncs by the pattern of their types: `x` stands for each of the letters.
_SPECS: dict[tuple[str, str], str] = {
    ("xx->x", "?" + _NUMBERS): "add multiply maximum minimum fmax fmin",
    ("xx->x", _NUMBERS): "subtract power",
    ("xx->x", _INTS + _FLOATS): "floor_divide remainder fmod",
    ("xx->xx", _INTS + _FLOATS): "divmod",
    (
        "xx->?",
        "?" + _NUMBERS,
    ): "equal not_equal less less_equal greater greater_equal logical_and logical_or logical_xor",
    ("xx->x", "?" + _INTS): "bitwise_and bitwise_or bitwise_xor",
    ("xx->x", _INTS): "left_shift right_shift gcd lcm",
    ("xx->x", _FLOATS): "arctan2 hypot logaddexp logaddexp2 copysign nextafter heaviside",
    ("xx->x", "dD"): "float_power",
    ("x->x", "?" + _INTS): "invert",
    ("x->x", _FLOATS + _COMPLEX): (
        "sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh exp exp2 expm1 log log2 log10 log1p sqrt rint"
    ),
    ("x->x", _FLOATS): "cbrt deg2rad radians rad2deg degrees fabs spacing",
    ("x->x", "?" + _INTS + _FLOATS): "floor ceil trunc",
    ("x->x", _NUMBERS): "negative positive sign square reciprocal conjugate",
    ("x->?", "?" + _NUMBERS): "isnan isinf isfinite logical_not",
    ("x->?", _FLOATS): "signbit",
    ("x->xx", _FLOATS): "modf",
    ("x->xi", _FLOATS): "frexp",
    ("x->B", _INTS): "bitwise_count",
    ("xx->x", "?" + _NUMBERS + " "): "matmul vecdot matvec vecmat",
}
_WRITTEN = {
    "divide": [f"{c}{c}->d" for c in _INTS] + [f"{c}{c}->{c}" for c in _FLOATS + _COMPLEX],
    "absolute": [f"{c}->{c}" for c in "?" + _INTS + _FLOATS] + ["F->f", "D->d"],
    "ldexp": [f"{c}{i}->{c}" for c in _FLOATS for i in "il"],
}
_OTHER = {
    "true_divide": "divide", "mod": "remainder", "abs": "absolute", "conj": "conjugate", "bitwise_not": "invert",
    "bitwise_invert": "invert", "bitwise_left_shift": "left_shift", "bitwise_right_shift": "right_shift", "pow": "power",
    "acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan", "atanh": "arctanh",
    "atan2": "arctan2",
}  # fmt: skip

#: The names of all ufuncs, each with the name under which it is described.
UFUNCS: dict[str, str] = {name: name for names in _SPECS.values() for name in names.split()}
UFUNCS |= {name: name for name in _WRITTEN} | _OTHER

#: The start of a reduction, for ufuncs that have one.
IDENTITIES: dict[str, Any] = {
    "add": 0, "multiply": 1, "logical_and": True, "logical_or": False, "logical_xor": False, "bitwise_and": -1,
    "bitwise_or": 0, "bitwise_xor": 0, "logaddexp": float("-inf"), "logaddexp2": float("-inf"), "hypot": 0, "gcd": 0,
}  # fmt: skip

#: The axes of generalised ufuncs.
SIGNATURES = {
    "matmul": "(n?,k),(k,m?)->(n?,m?)",
    "vecdot": "(n),(n)->()",
    "matvec": "(m,n),(n)->(m)",
    "vecmat": "(n),(n,m)->(m)",
}

_FLOORED = frozenset("floor_divide remainder divmod fmod power".split())


#: The types of each ufunc in NumPy's order, such as `dd->d`.
TYPES: dict[str, tuple[str, ...]] = {name: tuple(types) for name, types in _WRITTEN.items()} | {
    name: tuple(pattern.replace("x", letter) for letter in letters.strip())
    for (pattern, letters), names in _SPECS.items()
    for name in names.split()
}


def chosen(name: str, operands: list[Any], casting: str = "same_kind", given: Any = None, dtype: Any = None) -> Any:
    """Return the dtypes of the inputs and of the results of a call.

    Parameters
    ----------
    name
        The ufunc.
    operands
        Arrays, and Python's numbers, which follow the arrays.
    casting, given, dtype
        The rule for casts of inputs, a signature such as `"dd->d"` or a tuple of dtypes, and the dtype of results.

    Raises
    ------
    TypeError
        If the ufunc does not take these dtypes.
    """
    types = TYPES[name]
    count = len(operands)
    weak = [isinstance(x, (bool, int, float, complex)) for x in operands]
    strong = result_dtype(*operands) if any(weak) else None
    if any(weak) and name == "ldexp":
        found = [
            (ca.int64 if isinstance(x, int) else ca.float64) if w else x.dtype
            for x, w in zip(operands, weak, strict=True)
        ]
    else:
        found = [strong if w else x.dtype for x, w in zip(operands, weak, strict=True)]
    if (
        name in ("subtract", "negative", "positive", "sign")
        and all(own == ca.bool for own in found)
        and given is dtype is None
    ):
        raise CoreArrayTypeError(
            f"numpy boolean {name} is not supported, use the bitwise_xor, the `^` operator, the logical_xor function, or "
            "logical_not, the `~` operator, instead."
        )
    wanted = _wanted(types, given, dtype, count)
    if wanted is not None:
        for letters, own in zip(wanted, found, strict=False):
            if letters and not can_cast(own, CHARACTERS[letters], casting):
                raise CoreArrayTypeError(
                    f"Cannot cast ufunc '{name}' input from dtype('{own}') to dtype('{CHARACTERS[letters]}') with casting rule "
                    f"'{casting}'"
                )
    for one in types:
        before, after = one.split("->")
        if wanted is not None:
            if any(letter not in (None, mine) for letter, mine in zip(wanted, before + after, strict=True)):
                continue
            if not all(w is not None for w in wanted[:count]) and not all(
                can_cast(own, CHARACTERS[letter], casting) for own, letter in zip(found, before, strict=True)
            ):
                continue
        elif not all(can_cast(own, CHARACTERS[letter]) for own, letter in zip(found, before, strict=True)):
            continue
        inputs = tuple(CHARACTERS[letter] for letter in before)
        for x, w, own in zip(operands, weak, inputs, strict=True):
            if w:
                _check_fits(x, own, name)
        return inputs, tuple(CHARACTERS[letter] for letter in after)
    names = ", ".join(f"dtype('{own}')" for own in found)
    if wanted is not None:
        raise CoreArrayTypeError(f"No loop matching the specified signature and casting was found for ufunc {name}")
    raise CoreArrayTypeError(
        f"ufunc '{name}' not supported for the input types, and the inputs could not be safely coerced to any supported types "
        f"according to the casting rule ''safe'' ({names})"
    )


def _wanted(types: tuple[str, ...], given: Any, dtype: Any, count: int) -> list[Any] | None:
    """Return the letters that a signature asks for, `None` for each that it leaves open."""
    if given is None and dtype is None:
        return None
    outputs = len(types[0].split("->")[1])
    if given is None:
        letter = _letter(dtype)
        after = types[0].split("->")[1]
        if after in ("B", "xi") or all(one.endswith("?") for one in types):
            return [None] * count + [letter] * outputs
        homogeneous = all(len(set(one.replace("->", ""))) == 1 for one in types)
        return [letter] * (count + outputs) if homogeneous else [None] * count + [letter] * outputs
    if isinstance(given, str):
        if "->" in given:
            before, after = given.split("->")
            if len(before) != count or len(after) != outputs:
                raise CoreArrayTypeError(
                    f"a signature of {count} inputs and {outputs} results is needed, got {given!r}"
                )
            return [_letter(letter) for letter in before + after]
        given = (given,)
    given = tuple(given) if isinstance(given, tuple) else (given,)
    if len(given) == 1:
        return [None] * count + [_letter(given[0])] * outputs
    if len(given) != count + outputs:
        raise CoreArrayTypeError(
            "The signature object to ufunc must be a string or a tuple with one dtype for each argument, "
            f"or one of length 1; got {len(given)}"
        )
    return [None if one is None else _letter(one) for one in given]


def _letter(dtype: Any) -> str:
    own = dtype_of(dtype)
    return next(letter for letter in ORDER if CHARACTERS[letter] == own)


def _check_fits(x: Any, own: ca.DType, name: str) -> None:
    if isinstance(x, int) and not isinstance(x, bool) and kind_of(own) in "iu":
        info = ca.iinfo(own)
        if not info.min <= x <= info.max and not all(one.endswith("?") for one in TYPES[name]):
            raise CoreArrayOverflowError(f"Python integer {x} out of bounds for {own.name}")
