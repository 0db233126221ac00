"""Functions that have a composition: calls at which a framework's own functions go wrong, by what they test."""

from __future__ import annotations

import numpy as np

from corearray.testing.edges.values import (
    COMPLEX,
    CUBE,
    DEEP,
    GAPS,
    INF,
    LARGE,
    NAN,
    PARTS,
    POINT,
    REAL,
    UNSIGNED,
    VALUES,
    Edges,
)
from corearray.testing.samples import F, I, call

__all__ = ["EDGES"]

#: Of these `f(x)` is about `x`: a formula for large arguments loses every digit.
_TINY: Edges = {
    "tiny arguments": [
        call(np.asarray([1e-12, -3e-12, 2e-13])),
        call(np.asarray([3e-6, -1e-6, 2e-7], "float32")),
        call(np.asarray([3e-300, -1e-300])),
    ],
    "signs of zeros": [call(np.asarray([0.0, -0.0]))],
}
_ZEROS: Edges = {"signs of zeros": [call(np.asarray([0.0, -0.0, 0.25, -0.25, 0.5, -0.5])), call(VALUES)]}
_HUGE: Edges = {"large numbers": [call(np.asarray([1e20, -1e20, 2.0**53 - 1.5, -(2.0**31) - 0.5])), call(LARGE)]}
_TINY_PARTS = np.asarray([1e-12 + 3e-13j, -2e-13 + 1e-12j, 1e-12j])
_PARTS: Edges = {"NaN and infinities": [call(PARTS), call(PARTS[0, 0]), call(VALUES)]}
_EQUALS: Edges = {
    "NaN equals nothing": [call(np.asarray([2.0, NAN, 1.0, NAN, 2.0])), call(np.asarray([NAN], "float32"))],
    "zeros with signs": [call(np.asarray([0.0, -0.0, 1.0, -0.0]))],
    "counts that differ": [call(np.asarray([3, 1, 3, 3, 2, 2])), call(np.asarray([[0.5, 0.25], [0.5, 0.5]]))],
    "no elements": [call(np.zeros(0)), call(np.zeros((0, 2), "int64"))],
}
_NOTHING: Edges = {
    "NaN alone": [call(np.asarray([[NAN, NAN], [NAN, 1.0]]), axis=1), call(np.asarray([NAN], "float32"))],
}
_SPECIAL = np.asarray([[1.0, NAN, 2.0], [INF, -1.0, NAN], [0.5, -INF, 3.0]])
_SQUARE = np.asarray([[1.0, -2.0, 0.5], [0.25, 3.0, -1.0], [2.0, -0.5, 1.5]])

EDGES: dict[str, Edges] = {
    **dict.fromkeys(("asinh", "atanh", "expm1", "log1p", "sinh", "tan", "tanh", "asin", "atan"), _TINY),
    **{name: _TINY | {"tiny complex numbers": [call(_TINY_PARTS)]} for name in ("expm1", "log1p")},
    **dict.fromkeys(("ceil", "round", "trunc"), _ZEROS | _HUGE),
    "abs": {
        **_ZEROS,
        **_HUGE,
        "large complex numbers": [
            call(np.asarray([3e300 + 4e300j, 5e-300j])),
            call(np.asarray([3e30 - 4e30j], "complex64")),
        ],
    },
    "sign": {
        "unsigned integers": [call(np.asarray([0, 1, 127, 200, 255], "uint8")), call(UNSIGNED)],
        "complex zeros": [call(np.asarray([0j, 2j, -3 + 0j, 3 + 4j]))],
    },
    "negative": {**_ZEROS, "integers beyond 2**53": [call(LARGE)]},
    "square": {"large integers": [call(np.asarray([2**31 + 1, -(2**31) - 1, 94906267]))]},
    "isfinite": _PARTS,
    "isinf": _PARTS,
    "isnan": _PARTS,
    "log2": {
        "powers of two": [call(2.0 ** np.arange(-30, 31, 3)), call((2.0 ** np.arange(-30, 31, 3)).astype("float32"))]
    },
    "logaddexp": {
        "large numbers": [call(np.asarray([1000.0, -1000.0, 3.0]), np.asarray([999.0, -1000.0, -2000.0]))],
        "infinities": [call(np.asarray([INF, -INF, INF, -INF]), np.asarray([INF, -INF, -INF, 2.0]))],
    },
    "hypot": {"large and small numbers": [call(np.asarray([3e300, 3e-300, INF]), np.asarray([4e300, 4e-300, NAN]))]},
    "isin": {
        "NaN equals nothing": [
            call(VALUES, np.asarray([NAN, 1.5], "float32")),
            call(VALUES, np.asarray([NAN], "float32"), invert=True),
        ],
        "no elements": [call(I, np.zeros(0, "int64")), call(I, np.zeros(0, "int64"), invert=True), call(I[:0], I)],
    },
    "quantile": {"NaN": [call(GAPS, 0.5), call(GAPS, 0.25, axis=0)]},
    "median": {"NaN": [call(GAPS), call(GAPS, axis=0), call(GAPS, axis=1, keepdims=True)]},
    **dict.fromkeys(("nanmax", "nanmean", "nanmin", "nanprod"), _NOTHING),
    **{
        name: {
            "NaN and infinities": [call(_SPECIAL), call(_SPECIAL, k=1), call(_SPECIAL, k=-1)],
            "diagonals out of bounds": [call(F, k=2), call(F, k=3), call(F, k=9), call(F, k=-2), call(F, k=-9)],
            "a batch": [call(DEEP, k=1), call(DEEP, k=-2)],
        }
        for name in ("tril", "triu")
    },
    **dict.fromkeys(("unique_all", "unique_counts", "unique_inverse", "unique_values"), _EQUALS),
    "linspace": {
        "endpoints": [
            call(0.0, 1.0, 3, endpoint=False),
            call(0.1, 0.7, 7, dtype="float64"),
            call(1, 0, 1, endpoint=False),
        ],
        "one number": [call(2.0, 5.0, 1), call(2, 5, 1, endpoint=False)],
        "no numbers": [call(2.0, 5.0, 0)],
        "integers, rounded down": [call(-1, 1, 4, dtype="int64"), call(5, -5, 4, dtype="int32")],
        "complex numbers": [call(1 + 1j, 2 - 1j, 3), call(0.0, 1j, 3, endpoint=False)],
    },
    "clip": {
        "bounds that cross": [call(F, 2.0, -1.0), call(I, 3, -3)],
        "NaN": [call(VALUES, -1.0, 1.0), call(VALUES, min=0.5), call(VALUES, max=0.5)],
        "bounds that broadcast": [call(F, F[0] - 1, F[0]), call(F, min=F[:, :1]), call(F[0], max=F)],
    },
    "flip": {"negative axes": [call(REAL, axis=-3), call(REAL, axis=-2), call(REAL, axis=(-1, 0)), call(REAL)]},
    "stack": {
        "negative axes": [call([F, -F], axis=-1), call([F, -F], axis=-2), call([F, -F], axis=-3)],
        "no axes": [call([POINT, POINT]), call([POINT], axis=-1)],
        "shapes that do not fit": [call([F, F[0]]), call([F, F[:1]])],
    },
    "take_along_axis": {
        "broadcasting": [
            call(F, np.asarray([[0, 2]]), axis=1),
            call(F[:1], np.asarray([[0, 2], [1, 1]]), axis=1),
            call(REAL, np.asarray([[[1]]]), axis=-2),
        ],
        "negative indices": [call(F, np.asarray([[-1], [-3]]), axis=1)],
    },
    "isclose": {
        "NaN and infinities": [
            call(VALUES, VALUES.copy()),
            call(VALUES, VALUES.copy(), equal_nan=True),
            call(np.asarray([INF, INF, -INF, 1.0]), np.asarray([INF, -INF, 1.0, INF])),
        ],
        "relative to the second": [call(np.asarray([10.0, 9.0]), np.asarray([9.0, 10.0]), rtol=0.105, atol=0.0)],
    },
    "inv": {
        "a batch": [call(np.stack([_SQUARE, _SQUARE + np.eye(3)]))],
        "singular matrices": [call(np.asarray([[1.0, 2.0], [2.0, 4.0]]))],
        "complex numbers": [call(_SQUARE * (1 + 0.5j))],
    },
    "slogdet": {
        "singular matrices": [call(np.zeros((2, 2)))],
        "signs": [call(-np.eye(3)), call(np.eye(2) * 1j)],
        "large and small numbers": [call(1e-200 * np.eye(3)), call(1e200 * np.eye(3))],
    },
    "vector_norm": {
        "every order": [call(REAL, axis=1, ord=order) for order in (0, 1, 2, 3, 0.5, -1, -2, INF, -INF)],
        "several axes": [call(REAL, axis=(0, 2)), call(REAL, axis=(0, 2), keepdims=True, ord=1), call(REAL)],
    },
    "matrix_norm": {
        "every order": [call(REAL, ord=order) for order in ("fro", "nuc", 1, -1, 2, -2, INF, -INF)],
        "a batch": [call(REAL, keepdims=True), call(DEEP, ord=1)],
    },
    "matrix_power": {"every power": [call(_SQUARE, n) for n in (0, 1, 2, 5, -2)]},
    "pinv": {"small values": [call(np.diag([1.0, 1e-3, 1e-6]), rtol=1e-2), call(np.diag([1.0, 1e-6]), rtol=1e-4)]},
    "nansum": {**_NOTHING, "infinities": [call(_SPECIAL), call(_SPECIAL, axis=1)]},
    "searchsorted": {
        "ties": [
            call(np.asarray([1.0, 2.0, 2.0, 3.0], dtype), np.asarray([2.0, 0.5, 9.0], dtype), side=side)
            for dtype in ("float32", "float64")
            for side in ("left", "right")
        ],
        "NaN": [
            call(np.asarray([1.0, INF, NAN]), np.asarray([NAN, INF, 2.0]), side=side) for side in ("left", "right")
        ],
        "no elements": [call(np.zeros(0), np.asarray([1.0])), call(np.asarray([1.0]), np.zeros(0))],
    },
    "cross": {"every axis": [call(_SQUARE, _SQUARE.T.copy(), axis=0), call(_SQUARE, _SQUARE[::-1].copy())]},
    "meshgrid": {"three axes": [call(F[0], F[1], F[0, :2]), call(F[0], F[1], F[0, :2], indexing="ij")]},
    "repeat": {"no repetitions": [call(F, 0), call(F, np.asarray([0, 2, 0]), axis=1)]},
    "vecdot": {
        "every axis": [call(REAL, REAL[::-1].copy(), axis=-2), call(_SQUARE, _SQUARE + 1.0, axis=-2)],
        "complex numbers": [call(COMPLEX, COMPLEX[::-1].copy()), call(COMPLEX, COMPLEX[0], axis=-1)],
    },
    "trace": {
        "small integers": [call(np.diag([100, 100]).astype("int8"))],
        "a batch": [call(DEEP), call(DEEP, offset=-1), call(DEEP, offset=2)],
    },
    "diagonal": {"a batch": [call(DEEP), call(DEEP, offset=-1), call(DEEP, offset=2)]},
    "tensordot": {
        "axes in any order": [
            call(DEEP[0], DEEP[0].transpose(1, 0, 2).copy(), axes=((0, 1), (1, 0))),
            call(DEEP[0], DEEP[1], axes=((-1, 0), (-1, 0))),
        ],
        "outer products": [call(F, F, axes=0), call(F, REAL, axes=0), call(F, F, axes=((), ()))],
    },
    "moveaxis": {
        "several axes": [call(DEEP, (0, 2), (2, 0)), call(DEEP, (-1, 0), (0, 1)), call(DEEP, (3, 1), (0, -1))],
    },
    "roll": {
        "one axis twice": [call(F, (1, 1), axis=(1, 1)), call(I, (2, -1), axis=(-1, 1))],
        "a tuple of one axis": [call(F, 1, axis=(0,)), call(F, (1,), axis=(-1,)), call(REAL, -1, axis=(0, 2))],
        "large shifts": [call(F, 7), call(F, -8, axis=1), call(F, 1001)],
    },
    "diff": {
        "no difference": [call(F, n=0), call(I, n=0, axis=0)],
        "several times": [call(CUBE, n=2), call(REAL, n=2, axis=1), call(DEEP**3, n=3)],
    },
    "eye": {"every diagonal": [call(3, 4, k=-1), call(4, 3, k=2), call(2, 3, k=5), call(3, k=-4)]},
    "tile": {
        "more repetitions than axes": [call(F[0], (2, 3)), call(POINT, (2, 2)), call(F, (2,)), call(F, (2, 1, 3))],
        "no repetitions": [call(F, (0, 2)), call(F, (2, 0))],
    },
    "unstack": {"negative axes": [call(DEEP[0], axis=-1), call(DEEP[0], axis=-2)]},
    "expand_dims": {
        "negative axes": [call(F, axis=-1), call(F, axis=-2), call(F, axis=-3)],
        "no axes": [call(POINT, axis=0), call(POINT, axis=(0, 1)), call(POINT, axis=(-1, -2))],
    },
    "full": {
        "integers beyond 2**53": [call((2, 2), 2**53 + 1), call(3, -(2**62) - 1, dtype="int64")],
        "double precision": [call(2, 0.1, dtype="float64"), call((), 1 / 3, dtype="float64")],
        "no axes": [call((), 2.5), call((), 7), call((0, 2), 1.0)],
    },
}
