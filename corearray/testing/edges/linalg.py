"""Linear algebra: calls at which frameworks go wrong, by what they test."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.testing.edges.values import (
    BYTES,
    COLUMNS,
    COMPLEX,
    CUBE,
    DEEP,
    LARGE,
    MANY,
    NONE,
    POINT,
    REAL,
    ROW,
    VALUES,
    Edges,
)
from corearray.testing.samples import F, I, call

__all__ = ["EDGES"]


def _symmetric(x: Any) -> Any:
    return x @ np.conj(np.swapaxes(x, -1, -2)) + 2 * np.eye(x.shape[-1], dtype=x.real.dtype)


_SQUARE = np.asarray([[1.0, 2.0, 0.5], [0.0, 1.5, -1.0], [2.0, 0.25, 1.0]])


_BATCH = np.stack([_SQUARE, _SQUARE.T + np.eye(3), 2 * _SQUARE - np.eye(3)[::-1]])


_COMPLEX = _SQUARE + 1j * np.asarray([[0.0, 1.0, -1.0], [2.0, 0.5, 0.0], [1.0, 0.0, -0.5]])


_TURN = np.asarray([[0.0, -1.0], [1.0, 0.0]])


_NARROW = np.asarray([[1.0, 2.0, 0.5, -1.0], [0.0, 1.5, -1.0, 2.0]])


#: More rows than a formula for small matrices, or a block, has.
_ROWS = np.sin(np.arange(36.0) ** 2).reshape(6, 6) + 3 * np.eye(6)


def _matrices(*, square: bool) -> Edges:
    """Return the edge cases of a function of matrices."""
    found: Edges = {
        "a batch": [call(_BATCH), call(_BATCH[None, :2]), call(_BATCH[:0])],
        "complex numbers": [call(_COMPLEX), call(_COMPLEX[None].astype("complex64"))],
        "matrices of one number": [call(np.asarray([[2.0]])), call(np.asarray([[[3.0]], [[0.5]]], "float32"))],
        "four to six rows": [call(_ROWS), call(_ROWS[:5, :5].copy()), call(_ROWS[None, :4, :4].astype("float32"))],
        "equal values": [call(np.eye(3)), call(2 * np.eye(2)[None])],
        "a pivot of zero": [call(np.asarray([[0.0, 2.0, 1.0], [1.0, 0.0, 0.5], [0.25, 1.0, 0.0]]))],
        "too few axes": [call(ROW), call(ROW[:1]), call(POINT)],
        "any order in memory": [call(np.asfortranarray(_SQUARE))],
        "double precision": [call(_SQUARE / 3)],
        "integers": [call(np.asarray([[4, 1], [2, 3]], "int32"))],
    }
    if square:
        found["matrices that are not square"] = [call(_NARROW), call(_NARROW.T.copy())]
    return found


def _hermitian() -> Edges:
    found = {
        name: [(tuple(_symmetric(x) if x.ndim > 1 else x for x in args), options) for args, options in calls]
        for name, calls in _matrices(square=False).items()
    }
    complex_matrix = _symmetric(_COMPLEX)
    found["any order in memory"].append(call(np.asfortranarray(complex_matrix)))
    return {**found, "matrices that are not square": [call(_NARROW), call(_NARROW.T.copy())]}


def _with(edges: Edges, **options: Any) -> Edges:
    """Return edge cases and the same ones with options."""
    more = {
        f"{name}, {_said(options)}": [(args, {**given, **options}) for args, given in calls]
        for name, calls in edges.items()
    }
    return {**edges, **more}


def _said(options: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in options.items())


_RIGHT = np.asarray([[1.0, -2.0], [0.5, 3.0], [2.0, 0.25]])


EDGES: dict[str, Edges] = {
    "cholesky": {
        **_with(_hermitian(), upper=True),
        "matrices that are not positive definite": [
            call(np.asarray([[1.0, 2.0], [2.0, 1.0]])),
            call(-np.eye(2), upper=True),
            call(np.zeros((2, 2))),
        ],
        "no elements": [call(np.zeros((0, 0)))],
    },
    "det": {
        **_matrices(square=True),
        "singular matrices": [call(np.asarray([[1.0, 2.0], [2.0, 4.0]])), call(np.zeros((3, 3)))],
        "signs": [call(np.eye(3)[[1, 0, 2]]), call(-np.eye(3)), call(np.diag([2.0, -3.0, 0.5]))],
        "no elements": [call(np.zeros((0, 0))), call(np.zeros((2, 0, 0)))],
    },
    "eig": {
        **_matrices(square=True),
        "complex eigenvalues": [call(_TURN), call(np.stack([_TURN, np.eye(2) * [1.0, 3.0]]))],
    },
    "eigh": {**_hermitian(), "signs": [call(np.diag([2.0, -3.0, 0.5])), call(-_symmetric(_SQUARE))]},
    "qr": _with(
        {
            **_matrices(square=False),
            "narrow and wide": [
                call(_NARROW),
                call(_NARROW.T.copy()),
                call(_NARROW[None].repeat(2, 0)),
                call(_NARROW.T[None].copy()),
                call((_NARROW * (1 + 0.5j)).T.copy()),
                call(_NARROW * (1 + 0.5j)),
            ],
            "dependent columns": [call(np.ones((3, 2))), call(np.zeros((2, 2)))],
        },
        mode="complete",
    ),
    "svd": _with(
        {
            **_matrices(square=False),
            "narrow and wide": [
                call(_NARROW),
                call(_NARROW.T.copy()),
                call(_NARROW[None].repeat(2, 0)),
                call((_NARROW * (1 + 0.5j)).T.copy()),
                call(_NARROW * (1 + 0.5j)),
            ],
            "rank": [call(np.ones((3, 2))), call(np.zeros((2, 2)))],
        },
        full_matrices=False,
    ),
    "solve": {
        "double precision": [call(_SQUARE / 3, _RIGHT / 7)],
        "six rows": [call(_ROWS, _ROWS[0]), call(_ROWS, _ROWS[:, :4].copy())],
        "a pivot of zero": [call(np.asarray([[0.0, 2.0], [1.0, 3.0]]), np.asarray([[1.0], [2.0]]))],
        "vectors": [call(_SQUARE, _RIGHT[:, 0]), call(_SQUARE.astype("float32"), ROW)],
        "several right sides": [call(_SQUARE, _RIGHT), call(_SQUARE, _RIGHT[:, :1]), call(_SQUARE, np.eye(3))],
        "a batch": [call(_BATCH, _RIGHT[None].repeat(3, 0)), call(_BATCH[None], _RIGHT[None, None].repeat(3, 1))],
        "a batch and one right side": [
            call(_BATCH, _RIGHT[:, 0]),
            call(_BATCH, _RIGHT),
            call(_BATCH, _RIGHT[:, :1]),
            call(_BATCH, np.eye(3)),
            call(_BATCH[:2], _RIGHT[:, 0]),
            call(_BATCH[:2], _RIGHT[:, :1]),
        ],
        "one matrix and a batch": [
            call(_SQUARE, _BATCH),
            call(_SQUARE, _RIGHT[None].repeat(2, 0)),
            call(_BATCH[:1], _BATCH[1:]),
        ],
        "complex numbers": [call(_COMPLEX, _RIGHT[:, 0] + 1j), call(_COMPLEX, _RIGHT)],
        "singular matrices": [call(np.asarray([[1.0, 2.0], [2.0, 4.0]]), np.ones(2))],
        "matrices that are not square": [call(_NARROW, np.ones(2))],
        "shapes that do not fit": [call(_SQUARE, np.ones(2)), call(_SQUARE, _NARROW), call(_BATCH, _BATCH[:2])],
        "too few axes": [call(ROW, ROW), call(_SQUARE, POINT)],
        "any order in memory": [call(np.asfortranarray(_SQUARE), np.asfortranarray(_RIGHT))],
        "no elements": [call(np.zeros((0, 0)), np.zeros(0)), call(_SQUARE, np.zeros((3, 0))), call(_BATCH[:0], _RIGHT)],
        "matrices of one number": [
            call(np.asarray([[2.0]]), np.asarray([3.0])),
            call(np.asarray([[2.0]]), np.asarray([[3.0, 1.0]])),
        ],
    },
    "matmul": {
        "every value": [
            call(VALUES, REAL[0].T.astype("float32")),
            call(REAL[0].astype("float32"), VALUES.T.copy()),
            call(np.asarray([[1, 0], [0, 1]]), LARGE[:2]),
            call(LARGE[:2], np.asarray([[1, 0], [0, 1]])),
        ],
        "vectors": [call(ROW, ROW), call(F, ROW), call(ROW, F.T.copy()), call(ROW[:1], ROW[:1])],
        "complex vectors": [
            call(COMPLEX[0], COMPLEX[1]),
            call(COMPLEX, COMPLEX[1]),
            call(COMPLEX[0], COMPLEX.T.copy()),
        ],
        "small integers": [call(np.asarray([[100, -90]], "int8"), np.asarray([[2], [-3]], "int8"))],
        "matrices and vectors in a batch": [
            call(REAL, REAL[0, 0]),
            call(REAL[0, :, 0], REAL),
            call(REAL, REAL.swapaxes(1, 2).copy()),
            call(F, DEEP[0, :, :3].swapaxes(1, 2)[:, :3]),
            call(np.ones((2, 2, 2)) * [1, 2], np.asarray([3.0, 4.0])),
            call(np.asarray([3.0, 4.0]), np.arange(8.0).reshape(2, 2, 2)),
        ],
        "batches that broadcast": [
            call(REAL[:, None], np.asarray(REAL.swapaxes(1, 2))[None]),
            call(_BATCH, _SQUARE),
            call(_SQUARE, _BATCH),
            call(_BATCH[:1], _BATCH),
            call(_BATCH, REAL[:1].swapaxes(1, 2).copy()),
            call(_BATCH[:1], _BATCH[1:2]),
            call(_BATCH[None, :2], _SQUARE),
            call(_BATCH[None, :2], _BATCH[:2]),
            call(_SQUARE, _BATCH[:2, None]),
            call(DEEP, DEEP[0, 0].T.copy()),
        ],
        "no elements": [
            call(F[:, :0], F[:0]),
            call(NONE, F.T.copy()),
            call(ROW[:0], ROW[:0]),
            call(F[:, :0], ROW[:0]),
            call(_BATCH[:, :0], _BATCH),
        ],
        "no axes": [call(POINT, ROW), call(F, POINT), call(POINT, POINT)],
        "shapes that do not fit": [
            call(F, F),
            call(F, ROW[:2]),
            call(ROW, ROW[:2]),
            call(_BATCH, _BATCH[:2]),
            call(F[:, :1], F),
        ],
        "integers": [
            call(I, I.T.copy()),
            call(CUBE, np.asarray([1, 2, 3])),
            call(BYTES, BYTES.T.copy()),
            call(LARGE[:2], np.ones(2, "int64")),
        ],
        "complex numbers": [call(COMPLEX, COMPLEX.T), call(COMPLEX, COMPLEX[0])],
        "several dtypes": [call(F, REAL[0].T.copy()), call(I, CUBE[0].T.copy()), call(F, COMPLEX.T.copy())],
        "any order in memory": [call(F, F.T), call(COLUMNS, COLUMNS.T)],
        "double precision": [call(_SQUARE / 3, _SQUARE / 7)],
        "one array twice": [call(_SQUARE, _SQUARE)],
        "many elements": [call(MANY, MANY), call(np.stack([MANY, -MANY]), np.stack([MANY, MANY[::-1]], 1))],
    },
}
