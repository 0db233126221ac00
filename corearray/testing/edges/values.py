"""Arrays with the values, shapes and orders in memory at which frameworks go wrong."""

from __future__ import annotations

import numpy as np

from corearray.testing.samples import Call

__all__ = [
    "BYTES",
    "COLUMN",
    "COLUMNS",
    "COMPLEX",
    "CUBE",
    "DEEP",
    "DIGITS",
    "ENDLESS",
    "FIVE",
    "GAPS",
    "INF",
    "LARGE",
    "MANY",
    "NAN",
    "NONE",
    "PARTS",
    "POINT",
    "PRECISE",
    "REAL",
    "ROW",
    "SEVEN",
    "TIES",
    "TRUTH",
    "UNSIGNED",
    "VALUES",
    "Edges",
]

#: Calls by what they test.
Edges = dict[str, list[Call]]

NAN = float("nan")
INF = float("inf")
#: NaN in each place of a row, and in none.
GAPS = np.asarray([[NAN, 1.5, -2.0], [0.5, NAN, 3.0], [-1.0, 2.5, NAN], [0.25, -3.0, 1.0]], "float32")
ENDLESS = np.asarray([[INF, 1.0, -INF], [-INF, -INF, -INF]])
CUBE = np.asarray([[[3, -1, 2], [0, 5, -4]], [[7, -6, 1], [-2, 8, 9]]], "int64")
REAL = np.asarray([[[1.5, -1.0, 2.0], [0.5, 2.5, -2.0]], [[3.0, -0.5, 1.0], [-1.5, 0.25, 2.0]]]) / 3
DEEP = np.arange(120, dtype="float32").reshape(2, 3, 4, 5)
FIVE = np.arange(48, dtype="float32").reshape(2, 2, 3, 2, 2)
#: Numbers that fill single precision; the last two are neighbours.
DIGITS = np.asarray([1 / 3, -0.1, 16777215.0, 1e-20, 1.0, 1 + 2.0**-23], "float32")
#: More elements than a block of a loop has, and some left over. The greatest is the last.
MANY = 1.0 + 0.001 * np.arange(131) + 0.0005 * np.sin(np.arange(131))
BYTES = np.asarray([[200, 3, 100], [255, 90, 0]], "uint8")
LARGE = np.asarray([2**53 + 1, 2**53, -(2**53) - 1, 5], "int64")
#: Two pairs are equal in double precision, and the first is negative as signed integers.
UNSIGNED = np.asarray([2**63 + 1, 5, 2**63, 2**53 + 1, 2**53], "uint64")
COMPLEX = np.asarray([[1.5 + 2j, -0.5 - 1j, 0.25j], [2.0 - 1j, -3.0, 1 + 1j]], "complex128")
#: Parts of complex numbers that are NaN, infinite, or zeros with a sign; the third axis makes a batch.
PARTS = np.asarray(
    [[[complex(NAN, 1), complex(1, NAN)], [complex(INF, -0.0), complex(-0.0, -INF)]], [[1j, 2], [3j, 4]]]
)
TRUTH = np.asarray([[True, False, True], [False, False, True]])
POINT = np.asarray(-2.5, "float32")
SEVEN = np.asarray(7, "int64")
#: Numbers that are one in single precision, and zeros with a sign.
PRECISE = np.asarray([[1 - 1e-8, 1.0, 1 + 1e-8], [1 + 1e-8, 1 - 1e-8, -0.0]])
VALUES = np.asarray([[INF, NAN, -0.0], [-INF, 0.0, 1.5]], "float32")
NONE = np.zeros((0, 3), "float32")
ROW = np.asarray([1.5, -2.0, 0.25], "float32")
COLUMN = np.asarray([[2.0], [-1.0]], "float32")
TIES = np.asarray([2, 1, 2, 0, 1, 2, 0, 2, 1, 0, 1, 2, 2, 0, 0, 1, 2, 1, 0, 2, 1, 0, 2, 1, 1, 0, 2, 0, 1, 2], "int64")
#: Rows lie side by side in memory rather than one after the other.
COLUMNS = np.asfortranarray(np.asarray([[1.5, -2.0, 0.25], [3.0, 0.5, -1.0]], "float32"))
