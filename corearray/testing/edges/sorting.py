"""Sorts: calls at which frameworks go wrong, by what they test."""

from __future__ import annotations

import numpy as np

from corearray.testing.edges.values import (
    BYTES,
    COLUMNS,
    DEEP,
    ENDLESS,
    GAPS,
    INF,
    LARGE,
    MANY,
    NAN,
    NONE,
    POINT,
    PRECISE,
    REAL,
    TIES,
    TRUTH,
    UNSIGNED,
    Edges,
)
from corearray.testing.samples import F, call

__all__ = ["EDGES"]


#: NaN and infinities twice: stable sorts keep their order.
_TWICE = np.asarray([NAN, INF, 1.0, NAN, -INF, INF, NAN, -INF, 1.0])


def _sorted() -> Edges:
    """Return the edge cases of a sort."""
    return {
        "NaN": [call(GAPS), call(GAPS, axis=0), call(GAPS, descending=True), call(GAPS, axis=0, descending=True)],
        "infinities": [
            call(ENDLESS),
            call(ENDLESS, descending=True),
            call(np.asarray([INF, NAN, -INF, 0.0])),
            call(np.asarray([NAN, INF, 1.0])),
        ],
        "zeros with signs": [
            call(np.asarray([0.0, -0.0, 1.0, -0.0, 0.0])),
            call(np.asarray([-0.0, 0.0, -0.0, 0.0]), descending=True),
        ],
        "double precision": [call(PRECISE), call(PRECISE, descending=True)],
        "axes of length one": [
            call(F[:1], axis=0),
            call(F[:, :1]),
            call(F[:1], axis=0, descending=True),
            call(F[:, :1], descending=True),
        ],
        "ties": [
            *(
                call(TIES.astype(dtype), descending=down)
                for dtype in ("float32", "uint8", "bool")
                for down in (False, True)
            ),
            call(np.stack([TIES, TIES], 1), axis=0),
            call(_TWICE),
            call(_TWICE, descending=True),
            call(TIES),
            call(TIES, descending=True),
            call(TIES.reshape(6, 5), axis=0),
            call(np.zeros((2, 40))),
        ],
        "many elements": [call(np.tile(TIES, 5).astype("float64")), call(np.sin(1e4 * MANY), descending=True)],
        "stable=False": [call(F, stable=False), call(F, descending=True, stable=False)],
        "negative axes": [call(REAL, axis=-1), call(REAL, axis=-2), call(REAL, axis=-3, descending=True)],
        "every axis": [call(REAL, axis=0), call(REAL, axis=1), call(REAL, axis=2), call(REAL, axis=1, descending=True)],
        "one element": [call(F[0, :1]), call(F[0, :1], descending=True)],
        "no axes": [call(POINT)],
        "no elements": [call(NONE), call(NONE, axis=0), call(NONE, axis=0, descending=True)],
        "axes out of bounds": [call(F, axis=2), call(F, axis=-3)],
        "integers": [
            call(BYTES),
            call(BYTES, descending=True),
            call(np.asarray([-128, 127, 0], "int8"), descending=True),
        ],
        "integers beyond 2**53": [
            call(x, descending=down) for x in (LARGE, UNSIGNED, UNSIGNED[::-1].copy()) for down in (False, True)
        ],
        "booleans": [call(TRUTH), call(TRUTH, descending=True)],
        "any order in memory": [call(COLUMNS), call(COLUMNS, axis=0)],
        "a batch": [call(DEEP[..., ::-1].copy(), axis=-1), call(DEEP, axis=2, descending=True)],
    }


EDGES: dict[str, Edges] = {
    **{name: _sorted() for name in ("argsort", "sort")},
}
