"""Fourier transforms: calls at which frameworks go wrong, by what they test."""

from __future__ import annotations

import numpy as np

from corearray.testing.edges.values import COLUMNS, COMPLEX, DEEP, MANY, NAN, NONE, POINT, REAL, ROW, Edges
from corearray.testing.samples import F, I, call

__all__ = ["EDGES"]

_ODD = np.asarray([0.5, -1.0, 2.0, 3.25, -0.75]) / 3


EDGES: dict[str, Edges] = {
    "fft": {
        "lengths": [
            call(_ODD, n=3),
            call(_ODD, n=8),
            call(_ODD, n=1),
            call(_ODD, n=5),
            call(COMPLEX, n=2),
            call(COMPLEX, n=4, axis=0),
        ],
        "longer lengths": [call(MANY[:11]), call(MANY[:33]), call(MANY[:17] * (1 + 0.5j), n=64)],
        "axes": [
            call(REAL, axis=0),
            call(REAL, axis=1),
            call(REAL, axis=-2),
            call(REAL, n=5, axis=0),
            call(COMPLEX, axis=0),
            call(REAL, n=1, axis=1),
        ],
        "norm": [
            call(_ODD, norm="ortho"),
            call(_ODD, norm="forward"),
            call(_ODD, n=8, norm="forward"),
            call(COMPLEX, n=2, norm="ortho"),
            call(REAL, axis=0, norm="forward"),
            call(_ODD, norm="backward"),
        ],
        "real numbers": [call(ROW), call(F), call(I), call(_ODD)],
        "complex numbers": [
            call(COMPLEX),
            call(COMPLEX.astype("complex64")),
            call((1 + 0.5j) * np.sin(np.arange(8.0) ** 2)),
            call((1 + 0.5j) * np.cos(np.arange(12.0) ** 2), n=10),
        ],
        "NaN": [call(np.asarray([1.0, NAN, 2.0]))],
        "one element": [call(ROW[:1]), call(F[:, :1])],
        "no elements": [call(NONE), call(ROW[:0])],
        "no axes": [call(POINT)],
        "lengths out of bounds": [call(_ODD, n=0), call(_ODD, n=-1)],
        "axes out of bounds": [call(F, axis=2), call(F, axis=-3)],
        "a wrong norm": [call(_ODD, norm="none")],
        "any order in memory": [call(COLUMNS), call(COLUMNS, axis=0)],
        "a batch": [call(DEEP[..., :3]), call(DEEP[:, :, :2], axis=1)],
    },
}
