"""Searches: calls at which frameworks go wrong, by what they test."""

from __future__ import annotations

import numpy as np

from corearray.testing.edges.values import (
    BYTES,
    COLUMN,
    COLUMNS,
    COMPLEX,
    CUBE,
    DEEP,
    DIGITS,
    ENDLESS,
    FIVE,
    GAPS,
    INF,
    LARGE,
    MANY,
    NAN,
    NONE,
    PARTS,
    POINT,
    PRECISE,
    REAL,
    ROW,
    SEVEN,
    TIES,
    TRUTH,
    UNSIGNED,
    VALUES,
    Edges,
)
from corearray.testing.samples import F, I, call

__all__ = ["EDGES"]


#: The parts of a number add up to zero, or one of them is zero or NaN.
_CANCEL = np.asarray([-1j, 1 - 1j, 0, complex(0, NAN), -1 + 1j], "complex64")
#: The greatest number of single precision before infinity.
_FAR = np.asarray([1.0, 3.4e38, INF], "float32")


def _searched() -> Edges:
    """Return the edge cases of a search for the greatest or least element."""
    return {
        "NaN": [
            call(GAPS),
            call(GAPS, axis=0),
            call(GAPS, axis=1),
            call(np.asarray([1.0, NAN, 5.0, NAN])),
            call(np.asarray([[1.0, INF, NAN, 2.0, NAN]]), axis=1),
        ],
        "infinities": [call(ENDLESS, axis=1), call(ENDLESS, axis=0), call(ENDLESS), call(_FAR), call(-_FAR)],
        "double precision": [call(PRECISE), call(PRECISE, axis=1)],
        "integers beyond 2**53": [call(LARGE), call(LARGE[1::-1].copy()), call(LARGE[1:3]), call(UNSIGNED)],
        "zeros with signs": [
            call(np.asarray([-0.0, 0.0])),
            call(np.asarray([0.0, -0.0])),
            call(np.asarray([[-0.0, 0.0, -0.0]]), axis=1),
        ],
        "ties": [call(TIES), call(np.zeros((2, 3))), call(np.asarray([[1, 3, 3], [2, 2, 1]]), axis=1)],
        "negative axes": [call(REAL, axis=-1), call(REAL, axis=-2), call(REAL, axis=-3)],
        "keepdims": [
            call(F, keepdims=True),
            call(REAL, keepdims=True),
            call(REAL, axis=1, keepdims=True),
            call(REAL, axis=-3, keepdims=True),
        ],
        "no axes": [call(POINT), call(POINT, keepdims=True)],
        "no elements": [call(NONE), call(NONE, axis=0), call(NONE, axis=1)],
        "axes of length one": [call(F[:, None], axis=1), call(F[:1], axis=0)],
        "axes out of bounds": [call(F, axis=2), call(F, axis=-3), call(POINT, axis=0)],
        "integers": [call(BYTES, axis=1), call(CUBE, axis=1), call(LARGE), call(-np.abs(CUBE))],
        "any order in memory": [call(COLUMNS), call(COLUMNS, axis=0)],
        "a batch": [call(DEEP, axis=2)],
        "five axes": [call(FIVE, axis=3)],
        "many elements": [call(MANY), call(-MANY)],
    }


EDGES: dict[str, Edges] = {
    **{name: _searched() for name in ("argmax", "argmin")},
    "nonzero": {
        "NaN": [call(np.asarray([NAN, 0.0, 1.0, -0.0])), call(GAPS)],
        "infinities": [call(ENDLESS)],
        "no axes": [call(SEVEN), call(np.asarray(0.0))],
        "no elements": [call(NONE), call(np.zeros(3))],
        "several axes": [call(CUBE), call(REAL > 0), call(DEEP % 3)],
        "integers": [call(BYTES), call(np.asarray([0, 256, 2**32], "int64"))],
        "small numbers": [call(np.asarray([1e-30, 0.0, 0.25], "float32")), call(np.asarray([1e-300, 0.0]))],
        "complex numbers": [call(np.asarray([1j, 0, 1, NAN])), call(_CANCEL)],
        "booleans": [call(TRUTH)],
        "any order in memory": [call(np.asfortranarray(I))],
    },
    "where": {
        "conditions without axes": [
            call(np.asarray(True), F, POINT),
            call(np.asarray(False), F, ROW),
            call(np.asarray(True), ROW, F),
            call(np.asarray(False), POINT, POINT),
        ],
        "broadcasting": [
            call(TRUTH, F, ROW),
            call(TRUTH[0], F, COLUMN),
            call(TRUTH[:, :1], ROW, F),
            call(TRUTH[:, :1], ROW, COLUMN),
            call(TRUTH, POINT, F),
            call(TRUTH[0], REAL, 0.5),
            call(TRUTH, ROW[:1], COLUMN),
            call(TRUTH[0], COLUMN, COLUMN[::-1].copy()),
        ],
        "scalars": [call(TRUTH, 1.5, F), call(TRUTH, I, 2), call(TRUTH, F, 0)],
        "NaN": [call(np.isnan(GAPS), np.zeros((), "float32"), GAPS), call(TRUTH[0], np.asarray([NAN, NAN, 1.0]), ROW)],
        "no elements": [call(np.zeros((0, 3), "bool"), NONE, ROW), call(TRUTH[0, :0], NONE[:, :0], NONE[:, :0])],
        "shapes that do not fit": [call(TRUTH, F, ROW[:2]), call(TRUTH[:, :2], F, F)],
        "every value": [
            call(TRUTH, VALUES, PRECISE),
            call(TRUTH, PRECISE, VALUES),
            call(~TRUTH, VALUES, PRECISE),
            call(~TRUTH, PRECISE, VALUES),
            call(TRUTH, LARGE[:3], LARGE[1:]),
            call(DIGITS > 0, DIGITS, DIGITS[::-1].copy()),
            call(TRUTH[0, :2], PARTS[0, 0], PARTS[0, 1]),
        ],
        "any order in memory": [
            call(TRUTH, COLUMNS, F),
            call(TRUTH, F, COLUMNS),
            call(np.asfortranarray(TRUTH), F, ROW),
        ],
        "several axes": [call(REAL > 0, REAL, -REAL), call(REAL > 0, F, REAL), call(TRUTH, REAL, REAL + 1)],
        "every kind of dtype": [
            call(TRUTH, COMPLEX, COMPLEX[0]),
            call(TRUTH, BYTES, BYTES[:1]),
            call(TRUTH, TRUTH, TRUTH[0]),
            *(call(TRUTH, I.astype(dtype), I.astype(dtype)[::-1].copy()) for dtype in ("int16", "int8", "uint16")),
        ],
        "several dtypes": [call(TRUTH, F, REAL[0]), call(TRUTH, I, CUBE[0]), call(TRUTH[0], LARGE[:3], I[0])],
        "conditions of another dtype": [call(I, F, F)],
    },
}
