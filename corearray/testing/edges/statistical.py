"""Reductions and running sums: calls at which frameworks go wrong, by what they test."""

from __future__ import annotations

import numpy as np

from corearray.testing.edges.values import (
    BYTES,
    COLUMNS,
    COMPLEX,
    CUBE,
    DEEP,
    ENDLESS,
    FIVE,
    GAPS,
    INF,
    LARGE,
    MANY,
    NAN,
    NONE,
    POINT,
    PRECISE,
    REAL,
    ROW,
    TRUTH,
    UNSIGNED,
    Edges,
)
from corearray.testing.samples import F, I, call

__all__ = ["EDGES"]


#: In a row: NaN and zero, infinity and zero, NaN and infinity, both infinities, zeros with signs.
_BESIDE = np.asarray([[0.0, NAN, 2.0], [INF, 0.0, 3.0], [INF, NAN, 1.0], [1.0, INF, -INF], [-0.0, 2.0, 0.5]])
#: Their sums and products exceed the dtype.
_SMALL = np.asarray([[100, 90, -3], [80, 100, -7]], "int8")


def _reduced(name: str) -> Edges:
    """Return the edge cases of a reduction."""
    numbers = TRUTH if name in ("all", "any") else GAPS
    found: Edges = {
        "axis=()": [call(F, axis=()), call(F, axis=(), keepdims=True), call(POINT, axis=())],
        "negative axes": [call(REAL, axis=-1), call(REAL, axis=-2), call(REAL, axis=-3), call(F, axis=(-1, 0))],
        "several axes": [call(REAL, axis=(0, 2)), call(REAL, axis=(2, 1)), call(REAL, axis=(0, 1, 2))],
        "keepdims": [
            call(F, keepdims=True),
            call(REAL, axis=(0, -1), keepdims=True),
            call(REAL, axis=1, keepdims=True),
        ],
        "no axes": [call(POINT), call(POINT, keepdims=True)],
        "no elements": [
            call(NONE, axis=1),
            call(NONE, axis=0),
            call(NONE, axis=(0, 1)),
            call(NONE),
            call(DEEP[:, :, :0], axis=(0, 3)),
            call(DEEP[:, :0], axis=(1, 2), keepdims=True),
        ],
        "axes of length one": [call(F[None, :1]), call(F[:, None], axis=0), call(F[:1], axis=0)],
        "axes out of bounds": [call(F, axis=2), call(F, axis=-3), call(F, axis=(0, 5)), call(POINT, axis=0)],
        "an axis twice": [call(F, axis=(0, 0)), call(F, axis=(1, -1))],
        "any order in memory": [call(COLUMNS, axis=0), call(COLUMNS, axis=1)],
        "a batch": [call(DEEP, axis=1), call(DEEP, axis=(1, 3))],
    }
    found["five axes"] = [call(FIVE, axis=3), call(FIVE, axis=(0, -2))]
    found["many elements"] = [call(MANY if name not in ("all", "any") else MANY[-1] > MANY)]
    found["many elements"] += [call(np.stack([MANY, -MANY[::-1]]), axis=1)]
    found["many elements"] += [call(MANY.astype("float32"))] if name not in ("prod", "std", "var") else []
    if name in ("all", "any", "count_nonzero"):
        found["every value is true but zero"] = [
            call(GAPS, axis=1),
            call(np.asarray([[1j, 1.0], [0.0, 0.5j]]), axis=1),
            call(np.asarray([[-0.0, 0.0], [-1.0, 1e-300]]), axis=1),
        ]
    else:
        found["NaN"] = [call(numbers), call(numbers, axis=0), call(numbers, axis=1), call(numbers[3:], axis=0)]
        found["infinities"] = [call(ENDLESS, axis=1), call(ENDLESS, axis=0), call(ENDLESS[1:])]
        found["NaN, infinities and zeros"] = [
            call(_BESIDE, axis=1),
            call(_BESIDE.T.copy(), axis=0),
            call(_BESIDE[0]),
            call(_BESIDE[1]),
        ]
    if name in ("max", "min", "sum", "prod"):
        found["integers"] = [
            call(BYTES),
            call(BYTES, axis=0),
            call(CUBE, axis=(0, -1)),
            call(-np.abs(CUBE), axis=1),
            call(CUBE[:0]),
            call(CUBE[:0], axis=0),
        ]
        found["integers beyond 2**53"] = [call(LARGE[:2]), call(LARGE[2:3])]
        if name in ("max", "min"):
            found["integers beyond 2**53"] += [call(UNSIGNED), call(UNSIGNED[2:4]), call(UNSIGNED[3:])]
        found["double precision"] = [call(PRECISE[:1]), call(PRECISE, axis=1), call(PRECISE[0], axis=0)]
    if name in ("sum", "prod"):
        found["complex numbers"] = [call(COMPLEX), call(COMPLEX, axis=-1)]
        found["booleans"] = [call(TRUTH), call(TRUTH, axis=0), call(np.ones(300, "bool"))]
        found["dtype"] = [
            call(TRUTH, dtype="complex64"),
            call(I, dtype="complex64", axis=0),
            call(F, dtype="float64"),
            call(BYTES, dtype="float32"),
            call(I, dtype="int64"),
            call(F, dtype="complex128"),
            call(BYTES, axis=0, dtype="int32"),
            call(TRUTH, dtype="float32"),
            call(F[:, :0], axis=1, dtype="float64"),
            call(F, axis=(), dtype="float64"),
            call(np.asarray([1e8, 1.0, -1e8], "float32"), dtype="float64"),
        ]
        found["small integers"] = [call(_SMALL), call(_SMALL, axis=0), call(_SMALL, dtype="int16")]
    if name in ("std", "var"):
        found["corrections"] = [
            call(F, correction=0.5),
            call(F, axis=1, correction=1),
            call(REAL, axis=(0, 2), correction=2.5),
        ]
    return found


def _accumulated() -> Edges:
    """Return the edge cases of a running sum or product."""
    return {
        "NaN": [call(GAPS, axis=0), call(GAPS, axis=1), call(_BESIDE, axis=1)],
        "infinities": [call(ENDLESS, axis=1)],
        "negative axes": [call(REAL, axis=-1), call(REAL, axis=-2), call(REAL, axis=-3)],
        "include_initial": [
            call(REAL, axis=0, include_initial=True),
            call(REAL, axis=1, include_initial=True),
            call(REAL, axis=-1, include_initial=True),
            call(ROW, include_initial=True),
            call(NONE, axis=0, include_initial=True),
            call(NONE, axis=1, include_initial=True),
            call(I, axis=1, include_initial=True),
            call(BYTES, axis=0, dtype="int32", include_initial=True),
        ],
        "no axes": [call(POINT), call(POINT, axis=0)],
        "no elements": [call(NONE, axis=0), call(NONE, axis=1), call(NONE[:, 0])],
        "no axis given": [call(ROW), call(F)],
        "axes out of bounds": [call(F, axis=2), call(F, axis=-3)],
        "integers": [call(BYTES, axis=1), call(CUBE, axis=0), call(LARGE[:2])],
        "small integers": [call(_SMALL, axis=0), call(_SMALL, axis=1, dtype="int16")],
        "booleans": [call(TRUTH, axis=0), call(TRUTH, axis=1, include_initial=True)],
        "complex numbers": [call(COMPLEX, axis=1)],
        "double precision": [call(PRECISE, axis=1)],
        "axes of length one": [call(F[:1], axis=0), call(F[:, :1], axis=0)],
        "dtype": [
            call(F, axis=0, dtype="float64"),
            call(BYTES, axis=0, dtype="int32"),
            call(I, axis=1, dtype="float64"),
            call(F, axis=1, dtype="float64", include_initial=True),
            call(F, axis=1, dtype="complex128"),
        ],
        "any order in memory": [call(COLUMNS, axis=0), call(COLUMNS, axis=1)],
        "a batch": [call(DEEP, axis=1)],
        "five axes": [call(FIVE, axis=3)],
        "many elements": [call(MANY)],
    }


EDGES: dict[str, Edges] = {
    **{
        name: _reduced(name)
        for name in ("all", "any", "count_nonzero", "max", "mean", "min", "prod", "std", "sum", "var")
    },
    **{name: _accumulated() for name in ("cumulative_prod", "cumulative_sum")},
}
