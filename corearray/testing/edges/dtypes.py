"""Calls with the numbers of each dtype that show a computation in another one: the limits of integers, every digit.

They are labelled with their dtype, so that a framework that compiles for each new dtype makes a share of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.contract.declaration import DECLARATIONS
from corearray.testing.edges.values import INF, NAN, Edges
from corearray.testing.known import STANDARD
from corearray.testing.samples import SAMPLES, Call, call

__all__ = ["CASTS", "DIGITS", "EDGES", "LIMITS"]

#: Requirements whose calls are of one dtype each.
LIMITS = "the limits of each integer dtype"
DIGITS = "all digits of each floating dtype"
CASTS = "each dtype to each"

_INTEGERS = [name for name in STANDARD if np.dtype(name).kind in "iu"]
_FLOATS = [name for name in STANDARD if np.dtype(name).kind in "fc"]

#: Half precision rounds a power of two times this number to the power itself.
_DIGITS = 1 + 0.98 * 2.0**-11


def _limits(dtype: str) -> np.ndarray:
    """Return the ends of an integer dtype, the bit below the sign, and small numbers."""
    ends = np.iinfo(dtype)
    return np.asarray([ends.max, 1, ends.min, ends.max - 1, ends.max // 2 + 1, 3], dtype)


_ALL = [_limits(dtype) for dtype in _INTEGERS]
_MASK = np.asarray([True, False, True, False, False, True])


def _moved(name: str, x: np.ndarray) -> list[Call]:
    """Return calls of a function that moves elements."""
    found: dict[str, list[Call]] = {
        "broadcast_to": [call(x, (2, 6))],
        "concat": [call([x, x[::-1].copy()])],
        "get_item": [call(x, slice(1, None, 2)), call(x, _MASK)],
        "permute_dims": [call(x.reshape(2, 3), (1, 0))],
        "reshape": [call(x, (3, 2))],
        "roll": [call(x, 1)],
        "stack": [call([x, x[::-1].copy()])],
        "take": [call(x, np.asarray([4, 2, 0, 3]))],
        "where": [call(_MASK, x, x[::-1].copy()), call(_MASK, x, x[2:3])],
    }
    return found.get(name, [call(x)])


def _ordered(x: np.ndarray) -> list[Call]:
    return [call(x), call(x, descending=True)]


def _divided(x: np.ndarray) -> list[Call]:
    """Return quotients, without the least number over -1, at which processors stop."""
    divisors = [3] if x.dtype.kind == "u" else [3, -3]
    pairs = [call(x, np.asarray(divisor, x.dtype)) for divisor in divisors]
    return [*pairs, call(x, np.full(6, x[0], x.dtype)), call(np.full(6, 100, x.dtype), np.where(x < 1, x[3], x))]


def _shifted(x: np.ndarray) -> list[Call]:
    counts = np.asarray([0, 1, 2, 3, 5, 8 * x.dtype.itemsize - 1], x.dtype)
    return [call(x, counts), call(x, np.asarray(4, x.dtype))]


def _of_limits(name: str) -> list[Call]:
    """Return the calls of a function with the limits of each integer dtype."""
    found: list[Call] = []
    for x in _ALL:
        back = x[::-1].copy()
        many = np.full((2, 3), x[3], x.dtype)
        wider = ("uint64" if x.dtype.kind == "u" else "int64", "float64")
        pairs = [call(x, back), call(x, x[:1].reshape(())), call(x, np.roll(x, 2))]
        found += {
            "argsort": _ordered(x),
            "sort": _ordered(x),
            "floor_divide": _divided(x),
            "remainder": _divided(x),
            "bitwise_left_shift": _shifted(x),
            "bitwise_right_shift": _shifted(x),
            "sum": [call(many), *(call(many, axis=1, dtype=wide) for wide in wider)],
            "prod": [call(many), *(call(many, axis=1, dtype=wide) for wide in wider)],
            "cumulative_sum": [call(x), *(call(many, axis=1, dtype=wide) for wide in wider)],
            "cumulative_prod": [call(x), *(call(many, axis=1, dtype=wide) for wide in wider)],
            "pow": [call(np.asarray([3, 2, 1, 0, 10, 7], x.dtype), np.asarray([20, 8, 100, 2, 3, 22], x.dtype))],
            "matmul": [call(many, x.reshape(3, 2)), call(x, back)],
            "unique_counts": [call(np.concatenate([x, back]))],
        }.get(name, pairs if name in _PAIRS else _moved(name, x))
    return found


_PAIRS = (
    "add", "bitwise_and", "equal", "greater", "greater_equal", "less", "less_equal", "maximum", "minimum", "multiply",
    "not_equal", "subtract",
)  # fmt: skip

_WITH_LIMITS = (
    *_PAIRS, "argmax", "argmin", "argsort", "asarray", "bitwise_left_shift", "bitwise_right_shift", "broadcast_to", "concat",
    "conj", "cumulative_prod", "cumulative_sum", "floor", "floor_divide", "from_dlpack", "get_item", "matmul", "max",
    "min", "negative", "nonzero", "permute_dims", "pow", "prod", "real", "remainder", "reshape", "roll", "sign", "sort",
    "stack", "sum", "take", "to_list", "to_numpy", "unique_counts", "where",
)  # fmt: skip


def _of_digits(name: str) -> list[Call]:
    """Return a call of a primary in each floating dtype with numbers that fill it."""
    declaration = DECLARATIONS[name]
    filled = [
        ([_filled(x, dtype, 1 if name in _SYMMETRIC else 1 + 0.5j) for x in args], options)
        for dtype in _FLOATS
        if not (declaration.real and np.dtype(dtype).kind == "c")
        for args, options in SAMPLES.get(name, ())[:2]
    ]
    return [call(*args, **options) for args, options in filled if any(_floating(x) for x in args)]


def _floating(x: Any) -> bool:
    return any(map(_floating, x)) if isinstance(x, list) else isinstance(x, np.ndarray) and x.dtype.kind in "fc"


def _filled(x: Any, dtype: str, turn: complex) -> Any:
    if isinstance(x, list):
        return [_filled(item, dtype, turn) for item in x]
    if not _floating(x):
        return x
    if np.dtype(dtype).kind != "c":
        return (x.real * _DIGITS).astype(dtype)
    return (x * _DIGITS * (1 if x.dtype.kind == "c" else turn)).astype(dtype)


def _casts() -> list[Call]:
    """Return a cast of each dtype to each; numbers that the other one cannot hold are left out."""
    found = []
    for one in STANDARD:
        for two in STANDARD:
            kinds = np.dtype(one).kind, np.dtype(two).kind
            if kinds[0] == "b":
                x = np.asarray([True, False])
            elif kinds[0] in "iu":
                x = _limits(one)
            elif kinds[1] in "iu":
                x = np.asarray([0.75, 3.5, 100.25, 0.0], one)
            elif kinds[1] == "b":
                x = np.asarray([0.25, -0.5, NAN, 0.0, -0.0, INF, 1e-30], one)
            else:
                x = np.asarray([1 / 3, -_DIGITS, NAN, INF, -0.0, 16777217.0, 1e-20, 1e38], one)
            if kinds[0] == "c":
                x.imag = x.real[::-1] / 2
            found.append(call(x, two))
    return found


#: Functions of symmetric matrices.
_SYMMETRIC = ("cholesky", "eigh")

#: Functions whose sample has parts that must stay as they are.
_NO_DIGITS = {"arange", "bitwise_and", "bitwise_left_shift", "bitwise_right_shift"}

EDGES: dict[str, Edges] = {
    name: {
        **({LIMITS: _of_limits(name)} if name in _WITH_LIMITS else {}),
        **({DIGITS: _of_digits(name)} if not DECLARATIONS[name].compositional and name not in _NO_DIGITS else {}),
        **({CASTS: _casts()} if name == "astype" else {}),
    }
    for name in DECLARATIONS
    if name in _WITH_LIMITS or not DECLARATIONS[name].compositional
}
