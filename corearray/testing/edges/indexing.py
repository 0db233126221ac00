"""Keys and indices: calls at which frameworks go wrong, by what they test."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.testing.edges.values import (
    BYTES,
    COLUMNS,
    COMPLEX,
    CUBE,
    DEEP,
    DIGITS,
    FIVE,
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
from corearray.testing.samples import F, call

__all__ = ["EDGES", "KEYS"]

#: Keys of `x[key]` for an array of shape (2, 3, 4), under what they are.
KEYS: dict[str, list[Any]] = {
    "integers": [0, -1, (1, 2, 3), (-2, -3, -4), (0, -1), 1],
    "integers out of bounds": [2, -3, (0, 3), (0, -4), (0, 0, 4)],
    "slices": [
        slice(1),
        slice(-1, None),
        slice(5),
        slice(1, 1),
        slice(None, None, 2),
        (slice(None), slice(1, 9)),
        slice(-9, 9),
        slice(2, 1),
        slice(-1, 0),
        (slice(None), slice(2, 1)),
    ],
    "slices with steps": [
        (slice(None), slice(None, None, 2)),
        (slice(None), slice(2, None, -1)),
        slice(None, None, -1),
        (slice(None), slice(None, None, -2), slice(3, 0, -2)),
        (slice(None), slice(0, 3, -1)),
        (0, slice(-1, None, -1)),
        (slice(None), slice(-1, -9, -2)),
        slice(-9, None, -1),
        slice(None, None, 5),
        slice(None, None, -5),
    ],
    "None": [
        None,
        (None, 1),
        (slice(None), None),
        (Ellipsis, None),
        (0, None, slice(1), None),
        (None, None, 0),
        (None, np.asarray([1, 0])),
        (np.asarray([1, 0]), None),
    ],
    "...": [Ellipsis, (Ellipsis, 1), (1, Ellipsis), (0, Ellipsis, -1), (Ellipsis, slice(1), 0), (0, 1, 2, Ellipsis)],
    "no key": [()],
    "arrays of indices": [
        np.asarray([1, 0, 1]),
        np.asarray([-1, 0]),
        np.asarray([[0, 1], [1, 1]]),
        np.asarray(1),
        np.asarray([0, 1], "int32"),
        (np.asarray([0, 1]), np.asarray([2, -1])),
        (np.asarray([[0], [1]]), np.asarray([0, 2])),
        (np.asarray([0, 1]), np.asarray([0, 1]), np.asarray([3, 0])),
        (np.asarray([0, 1]), slice(None), np.asarray([3, 0])),
        np.zeros(0, "int64"),
        np.asarray([1, 0], "uint8"),
    ],
    "arrays out of bounds": [
        np.asarray([2]),
        np.asarray([0, -3]),
        (np.asarray([0, 1]), np.asarray([0, 3])),
        np.asarray([10**6]),
        np.asarray([-(10**6)]),
    ],
    "masks of the first axes": [np.asarray([[True, False, True], [False, True, True]]), np.asarray([False, True])],
    "masks": [np.arange(24).reshape(2, 3, 4) % 5 == 0, np.zeros((2, 3, 4), "bool"), np.ones((2, 3, 4), "bool")],
    "masks without axes": [np.asarray(True), np.asarray(False)],
    "masks of another shape": [
        np.ones((3, 2, 4), "bool"),
        np.ones((2, 3, 5), "bool"),
        np.asarray([True]),
        np.asarray([True, False, True]),
    ],
    "masks beside other keys": [
        (np.asarray([True, False]), 0),
        (slice(None), np.asarray([True, False, True])),
        (0, np.asarray([True, False, True])),
        (np.asarray([True, False]), slice(1)),
        (np.asarray([[True, False, True], [False, True, True]]), 0),
        (np.asarray([False, True]), np.asarray([0])),
    ],
    "truths": [True, False, (True, 0), np.bool_(True)],
    "arrays beside slices": [
        (slice(None), np.asarray([2, 0])),
        (slice(None), np.asarray([[0, 1], [2, 0]])),
        (slice(None), slice(None), np.asarray([3, -1])),
        (slice(None, None, -1), np.asarray([0, 2])),
        (np.asarray([0, 1]), slice(None, None, 2), slice(1, 3)),
        (np.asarray([[0], [1]]), slice(None), np.asarray([[0, 3]])),
        (Ellipsis, np.asarray([3, 0])),
        (np.asarray([1, 0]), Ellipsis),
    ],
    "arrays beside integers": [
        (np.asarray([0, 1]), 1),
        (1, np.asarray([2, 0])),
        (np.asarray([0, 1]), slice(None), 0),
        (0, slice(None), np.asarray([1, 2])),
        (slice(1), 0, np.asarray([1, 1])),
        (0, Ellipsis, np.asarray([1, 0])),
        (np.asarray(1), np.asarray([0, 2])),
    ],
    "arrays of every integer dtype": [
        np.asarray([1, 0], dtype) for dtype in ("int8", "int16", "uint16", "uint32", "uint64")
    ],
    "arrays without elements": [np.zeros((0, 2), "int64"), (slice(None), np.zeros(0, "int64"))],
    "NumPy's integers": [np.int64(1), (np.int32(0), np.uint8(1))],
    "too many parts": [(0, 0, 0, 0)],
    "keys of another kind": [1.0, np.asarray([0.5])],
}


def _keys() -> Edges:
    """Return the edge cases of indexing."""
    found = {
        name: [call(CUBE.repeat(2, -1)[..., :4].repeat(2, 1)[:, :3], key) for key in keys]
        for name, keys in KEYS.items()
    }
    found["longer axes"] = [
        call(DEEP[0, 0], -1),
        call(DEEP[0, 0], (-1, 1)),
        call(ROW, -1),
        call(ROW, -3),
        call(ROW, -2),
        call(DEEP[0, 0, 0], slice(3, 0, -2)),
        call(DEEP[0, 0, 0], slice(4, 1, -1)),
        call(DEEP[0, 0, 0], slice(3, 1)),
        call(F, F > 0),
        call(np.arange(300, dtype="float32"), np.asarray([255, 128], "uint8")),
    ]
    found["five axes"] = [call(FIVE, (0, slice(None), 1, slice(None, None, -1), 0)), call(FIVE, (1, 0, Ellipsis, 1))]
    found["axes of length one"] = [call(F[:1], 0), call(F[:1], (0, 1)), call(F[:, :1], 1), call(F[:1], slice(None))]
    found["every value"] = [call(x, slice(2)) for x in (VALUES, PRECISE, LARGE, COMPLEX, TRUTH, BYTES, DIGITS)]
    found["no axes"] = [
        call(POINT, ()),
        call(POINT, Ellipsis),
        call(POINT, None),
        call(POINT, 0),
        call(POINT, slice(1)),
        call(POINT, np.asarray(True)),
        call(POINT, np.asarray(False)),
    ]
    found["no elements"] = [call(NONE, slice(0, 1)), call(NONE, (slice(None), 1)), call(NONE, 0)]
    found["any order in memory"] = [call(COLUMNS, 1), call(COLUMNS, (slice(None), slice(None, None, -1)))]
    found["any order in memory"] += [call(COLUMNS, slice(1, None))]
    return found


EDGES: dict[str, Edges] = {
    "take": {
        "negative indices": [
            call(ROW, np.asarray([-1, 0, -3])),
            call(F, np.asarray([-1, -2, 0]), axis=1),
            call(F, np.asarray([-1]), axis=0),
        ],
        "negative axes": [call(F, np.asarray([1, 0]), axis=-1), call(REAL, np.asarray([1, 0, 1]), axis=-2)],
        "indices out of bounds": [
            call(ROW, np.asarray([3])),
            call(ROW, np.asarray([0, -4])),
            call(F, np.asarray([2]), axis=0),
            call(F, np.asarray([-4]), axis=1),
            call(ROW, np.asarray([10**6])),
            call(ROW, np.asarray([-(10**6)])),
        ],
        "no indices": [
            call(ROW, np.zeros(0, "int64")),
            call(F, np.zeros(0, "int64"), axis=1),
            call(NONE, np.zeros(0, "int64"), axis=0),
        ],
        "an index twice": [call(ROW, np.asarray([2, 2, 0, 2])), call(F, np.asarray([1, 1, 1]), axis=0)],
        "unsigned indices": [
            call(F, np.asarray([2, 0], "uint8"), axis=1),
            call(ROW, np.asarray([1, 2], "uint64")),
            call(ROW, np.asarray([1, -1], "int8")),
            call(ROW, np.asarray([1, 2], "uint32")),
            call(np.arange(33000, dtype="uint16"), np.asarray([32999, 32768], "uint16")),
            call(np.arange(300, dtype="float32"), np.asarray([255, 128], "uint8")),
        ],
        "indices that are no integers": [call(ROW, np.asarray([0.0, 1.0])), call(ROW, np.asarray([True, False, True]))],
        "no axis given": [call(ROW, np.asarray([1])), call(F, np.asarray([1]))],
        "no axes": [call(POINT, np.asarray([0])), call(POINT, np.asarray([0]), axis=0)],
        "no elements": [call(NONE, np.asarray([1]), axis=1), call(NONE, np.asarray([0]), axis=0)],
        "axes out of bounds": [call(F, np.asarray([0]), axis=2), call(F, np.asarray([0]), axis=-3)],
        "any order in memory": [call(COLUMNS, np.asarray([1, 0]), axis=0)],
        "every value": [call(x, np.asarray([2, 1, 0]), axis=1) for x in (VALUES, PRECISE, DIGITS.reshape(2, 3))],
        "integers": [call(BYTES, np.asarray([2, 0]), axis=1), call(CUBE, np.asarray([1, 0]), axis=0)],
        "axes of length one": [call(F[:1], np.asarray([0]), axis=0), call(F, np.asarray([1]), axis=1)],
        "every kind of dtype": [
            call(COMPLEX, np.asarray([2, 0]), axis=1),
            call(TRUTH, np.asarray([1]), axis=0),
            call(LARGE, np.asarray([1, 0])),
        ],
        "a batch": [call(DEEP, np.asarray([2, 0]), axis=1), call(DEEP, np.asarray([3, -1]), axis=-2)],
        "five axes": [call(FIVE, np.asarray([1, 0, 1]), axis=3)],
    },
    "get_item": _keys(),
}
