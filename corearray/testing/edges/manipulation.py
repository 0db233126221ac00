"""Shapes and places: calls at which frameworks go wrong, by what they test."""

from __future__ import annotations

from corearray.testing.edges.values import (
    BYTES,
    COLUMN,
    COLUMNS,
    COMPLEX,
    CUBE,
    DEEP,
    LARGE,
    NONE,
    POINT,
    PRECISE,
    REAL,
    ROW,
    TRUTH,
    VALUES,
    Edges,
)
from corearray.testing.samples import F, I, call

__all__ = ["EDGES"]


EDGES: dict[str, Edges] = {
    "broadcast_to": {
        "every value": [call(x, (2, *x.shape)) for x in (VALUES, PRECISE, LARGE)],
        "several axes": [call(REAL, (2, 2, 2, 3)), call(REAL[:, :1], (2, 2, 3))],
        "no axes": [call(POINT, (2, 3)), call(POINT, ()), call(POINT, (1,)), call(POINT, 3), call(POINT, (0,))],
        "axes of length one": [
            call(COLUMN, (2, 3)),
            call(F[:1], (4, 3)),
            call(COLUMN, (2, 2, 3)),
            call(F[None], (2, 2, 3)),
        ],
        "the same shape": [call(F, (2, 3)), call(ROW, 3), call(ROW, (3,))],
        "no elements": [call(ROW[:1], (0,)), call(NONE, (0, 3)), call(NONE, (2, 0, 3)), call(COLUMN[:1], (0, 3))],
        "shapes that do not fit": [call(ROW, (2,)), call(F, (3,)), call(F, (3, 3)), call(F, ()), call(ROW, (3, 1))],
        "every kind of dtype": [call(TRUTH, (2, 2, 3)), call(COMPLEX, (1, 2, 3)), call(BYTES, (2, 2, 3))],
        "any order in memory": [call(COLUMNS, (2, 2, 3))],
    },
    "concat": {
        "every value": [call([x, x]) for x in (VALUES, PRECISE, LARGE)],
        "axes of length one": [call([F[:1]]), call([F[:, :1]]), call([ROW[:1]]), call([F[:, :1], NONE[:, :1]])],
        "empty arrays that do not fit": [call([F[:0, :2], F]), call([ROW[:0], F])],
        "negative axes": [call([F, COLUMN], axis=-1), call([F, F[:1]], axis=-2), call([REAL, REAL[:, :1]], axis=-2)],
        "every axis": [
            call([REAL, REAL], axis=0),
            call([REAL, REAL[:, :1]], axis=1),
            call([REAL, REAL[..., :1]], axis=2),
        ],
        "axis=None": [call([F, ROW], axis=None), call([COLUMNS, POINT], axis=None), call([REAL, CUBE], axis=None)],
        "one array": [call([F]), call([F], axis=1), call([F], axis=None)],
        "more than two arrays": [call([ROW, ROW + 1, ROW + 2]), call((ROW, ROW[:1], ROW[:2]))],
        "no elements": [call([NONE, F]), call([NONE, NONE]), call([F[:, :0], F], axis=1)],
        "several dtypes": [
            call([I, F]),
            call([BYTES, I]),
            call([BYTES, CUBE[0]]),
            call([F, REAL[0]]),
            call([F, COMPLEX]),
        ],
        "no axes": [call([POINT, POINT])],
        "no arrays": [call([])],
        "shapes that do not fit": [call([F, COLUMN]), call([F, ROW]), call([F, REAL])],
        "axes out of bounds": [call([F, F], axis=2), call([F, F], axis=-3)],
        "booleans": [call([TRUTH, TRUTH[:1]])],
        "any order in memory": [call([COLUMNS, COLUMNS]), call([COLUMNS, F], axis=1)],
    },
    "permute_dims": {
        "every value": [call(x, (1, 0)) for x in (VALUES, PRECISE, LARGE.reshape(2, 2))],
        "negative axes": [call(F, (-1, 0)), call(REAL, (-1, -3, -2)), call(REAL, (0, -1, 1)), call(REAL, (-2, -1, 0))],
        "every order": [
            call(REAL, (0, 1, 2)),
            call(REAL, (1, 2, 0)),
            call(REAL, (2, 1, 0)),
            call(REAL, (2, 0, 1)),
            call(DEEP, (3, 0, 2, 1)),
            call(DEEP, (1, 3, 0, 2)),
            call(F, [1, 0]),
        ],
        "no axes": [call(POINT, ()), call(ROW, (0,))],
        "no elements": [call(NONE, (1, 0))],
        "an axis twice": [call(F, (0, 0)), call(REAL, (0, 1, -2))],
        "another number of axes": [call(F, (0,)), call(F, (0, 1, 2)), call(F, ())],
        "axes out of bounds": [call(F, (0, 2)), call(F, (-3, 0))],
        "any order in memory": [call(COLUMNS, (1, 0))],
    },
    "reshape": {
        "every value": [call(x, (-1, 1)) for x in (VALUES, PRECISE, LARGE)],
        "-1": [
            call(F, (-1,)),
            call(F, (3, -1)),
            call(F, -1),
            call(REAL, (2, -1)),
            call(REAL, (-1, 1, 4)),
            call(POINT, (-1,)),
        ],
        "no axes": [call(POINT, ()), call(POINT, (1, 1)), call(ROW[:1], ()), call(F[:1, :1], ())],
        "no elements": [
            call(NONE, (3, 0)),
            call(NONE, (0,)),
            call(NONE, (0, 5)),
            call(NONE, (-1,)),
            call(NONE, (2, 0, 7)),
        ],
        "any order in memory": [
            call(COLUMNS, (3, 2)),
            call(COLUMNS, (6,)),
            call(COLUMNS, (-1, 1)),
            call(DEEP[:, ::2], (4, 10)),
        ],
        "another number of elements": [
            call(F, (4,)),
            call(F, (2, 2)),
            call(F, (4, -1)),
            call(F, (-1, -1)),
            call(NONE, (1,)),
        ],
        "copy": [call(F, (6,), copy=True), call(F, (6,), copy=False), call(F, (2, 3), copy=True)],
        "axes of length one": [call(F, (1, 2, 1, 3)), call(COLUMN, (2,)), call(F, (2, 3, 1))],
        "every kind of dtype": [call(TRUTH, (3, 2)), call(COMPLEX, (6,)), call(BYTES, (3, 2))],
        "a batch": [call(DEEP, (6, 20)), call(DEEP, (2, 3, 20)), call(DEEP, (120,))],
    },
}
