"""Functions of each element: calls at which frameworks go wrong, by what they test."""

from __future__ import annotations

import numpy as np

from corearray.testing.edges.values import (
    BYTES,
    COLUMNS,
    COMPLEX,
    CUBE,
    DIGITS,
    INF,
    LARGE,
    NAN,
    PARTS,
    PRECISE,
    REAL,
    ROW,
    SEVEN,
    TRUTH,
    UNSIGNED,
    VALUES,
    Edges,
)
from corearray.testing.samples import F, I, call

__all__ = ["EDGES"]


def _paired(*kinds: str) -> Edges:
    """Return the edge cases of an elementwise function of two arrays of real numbers, integers, booleans."""
    found: Edges = {}
    one, two, three = (REAL, F, ROW) if "real" in kinds else (CUBE, I, np.asarray([5, 1, 3]))
    found["broadcasting"] = [
        call(two, three),
        call(three, two),
        call(two[:, :1], three),
        call(two[:, :1].copy(), two[:1]),
        call(one[:, :1], one[:1]),
        call(two, two[0, 0].reshape(())),
        call(two[0, 0].reshape(()), two),
        call(one, three.astype(one.dtype)),
        call(two[:0], three),
        call(two[:, :1], three[:0]),
    ]
    found["several axes"] = [call(one, one[:, ::-1].copy()), call(three.astype(one.dtype), one), call(one[:, :1], one)]
    found["axes of length one"] = [call(two, two[:, :1]), call(three, two[:, :1]), call(two[:1, :1], two[:1, 1:2])]
    found["no axes"] = [call(two[0, 0].reshape(()), two[1, 0].reshape(()))]
    found["scalars"] = [call(two, 2), call(3, two)]
    itself = np.asarray([NAN, INF, -INF, 1.5, -2.0]) if "real" in kinds else three
    found["one array twice"] = [call(itself, itself)]
    found["shapes that do not fit"] = [call(two, two[:, :2]), call(two, one[0, :, :2]), call(three, three[:2])]
    found["any order in memory"] = [call(np.asfortranarray(two), two), call(two, np.asfortranarray(two[:, ::-1]))]
    if "real" in kinds:
        found["double precision"] = [
            call(REAL, REAL[::-1] + 4),
            call(REAL, 3.0),
            call(PRECISE, np.ones(3)),
            call(PRECISE, PRECISE[::-1].copy()),
        ]
        found["single precision"] = [call(DIGITS, DIGITS[::-1].copy()), call(DIGITS, np.asarray(1.0, "float32"))]
    if "integers" in kinds:
        signs = np.asarray([7, -7, 7, -7, 6, -6, 0, 1], "int32"), np.asarray([3, 3, -3, -3, 2, 2, 5, -1], "int32")
        found["integers"] = [call(*signs), call(CUBE, np.asarray([2, 3, 5])), call(BYTES, np.asarray(7, "uint8"))]
        found["integers"] += [
            call(np.asarray(7), np.asarray(-2)),
            call(CUBE[:, :1, :1], np.asarray(2)),
            call(BYTES, np.maximum(BYTES, 1)),
        ]
        found["integers"] += [
            call(np.asarray(9, "uint8"), np.maximum(BYTES, 1)),
            call(BYTES[:, :2], np.maximum(BYTES[:, 1::-1], 1)),
            call(np.asarray([-128, 127, -7, 100], "int8"), np.asarray([-2, 3, -5, 100], "int8")),
            call(np.asarray([-128, 100], "int8"), np.asarray([127, -100], "int8")),
            call(  # without the least number over -1, at which processors stop
                np.asarray([2**30, -(2**31), 2**31 - 1, -(2**31)], "int32"),
                np.asarray([6, -2, 2**31 - 1, 2**31 - 1], "int32"),
            ),
        ]
        found["integers beyond 2**53"] = [
            call(LARGE, np.ones((), "int64")),
            call(LARGE, LARGE[::-1].copy()),
            call(LARGE, LARGE),
            call(LARGE[:2], LARGE[1::-1].copy()),
            call(-LARGE[:1], LARGE[:2]),
            call(UNSIGNED, UNSIGNED[::-1].copy()),
            call(UNSIGNED, np.asarray(2**63, "uint64")),
        ]
    if "complex" in kinds:
        found["complex numbers"] = [call(COMPLEX, COMPLEX[::-1].copy() + 1), call(COMPLEX, 2.0), call(COMPLEX, 1j)]
        found["infinite parts"] = [
            call(
                np.asarray([complex(INF, 1), complex(INF, 2), complex(1, -INF)]),
                np.asarray([complex(INF, 2), complex(INF, 2), complex(2, -INF)]),
            )
        ]
        found["complex zeros"] = [
            call(np.asarray([1 + 1j, -2j, 0j, 0.5]), np.asarray([2j, 0.5, 3 - 1j, 0j])[[3, 0, 1, 2]])
        ]
        found["NaN in one part"] = [call(PARTS[0, 0], PARTS[0, 0].copy()), call(PARTS[0, 0], complex(NAN, 1))]
    if "booleans" in kinds:
        found["booleans"] = [call(TRUTH, TRUTH[::-1].copy()), call(TRUTH, True)]
    return found


#: Their squares overflow or underflow.
_FAR = [
    np.asarray([complex(3 * far, 4 * far), complex(1 / far, 2 / far), complex(-4 * far, 0.5)], dtype)
    for far, dtype in ((1e200, "complex128"), (1e30, "complex64"))
]


def _numbers(*, cut: bool) -> Edges:
    """Return the edge cases of an elementwise function of one array; those with a branch cut get both of its sides."""
    turns = np.asarray([1 + 1j, -1 + 1j, -1 - 1j, 1 - 1j, 2j, -2j, -1.5 + 0j, complex(-1.5, -0.0), 0.5])
    found: Edges = {
        "double precision": [call(np.asarray([0.1, 0.75, 1.25, 3.5]))],
        "any order in memory": [call(abs(COLUMNS))],
        "several axes": [call(abs(REAL))],
        "axes of length one": [call(abs(F[:, :1]))],
        "integers": [call(abs(I)), call(np.asarray([1, 200], "uint8"))],
    }
    found["complex numbers"] = [call(turns), call(turns.astype("complex64"))] if cut else []
    return {name: calls for name, calls in found.items() if calls}


_PARTED: Edges = {
    "complex numbers": [call(COMPLEX), call(COMPLEX.astype("complex64")), call(COMPLEX.T)],
    "NaN and infinities": [call(PARTS), call(PARTS[0, 0]), call(VALUES)],
    "real numbers": [call(F), call(I), call(REAL), call(LARGE), call(PRECISE)],
    "several axes": [call(PARTS), call(REAL), call(CUBE)],
}

EDGES: dict[str, Edges] = {
    **{name: _paired("real", "integers", "complex") for name in ("add", "subtract", "multiply")},
    "divide": {
        **_paired("real", "integers", "complex"),
        "large and small complex numbers": [call(x, x.copy()) for x in _FAR],
    },
    **{
        name: {
            **_paired("real", "integers"),
            "zeros with signs": [
                call(np.asarray([0.0, -0.0, 4.0, -4.0]), np.asarray(2.0)),
                call(np.asarray([0.0, -0.0, 4.0, -4.0]), np.asarray(-2.0)),
            ],
            "quotients near whole numbers": [
                call(np.asarray([1.0, 0.3, 0.7, -0.9]), np.asarray(0.1)),
                call(np.asarray([1.0, 0.3, 0.7, -0.9], "float32"), np.asarray(0.1, "float32")),
            ],
            "large quotients": [call(np.asarray([1e17, -1e15, 123456789.5]), np.asarray([3.0, 7.0, 0.25]))],
        }
        for name in ("floor_divide", "remainder")
    },
    "pow": {
        **_paired("real"),
        "integers": [call(np.asarray([-2, 3, 0, 5]), np.asarray([3, 4, 0, 1])), call(BYTES, np.asarray(2, "uint8"))],
        "integers beyond 2**53": [call(LARGE, np.ones(4, "int64"))],
        "negative bases": [call(np.asarray([-2.0, -2.0, -0.5, -1.5]), np.asarray([2.0, -3.0, 0.5, 1.0]))],
        "complex numbers": [
            call(COMPLEX, np.asarray(2.0 + 0.5j)),
            call(np.asarray([2j, -1 + 0j]), 0.5),
            call(np.asarray([0j, 0j]), np.asarray([2.0 + 0j, 0j])),
        ],
        "infinite bases": [call(np.asarray([-INF, INF, -INF, 0.0, -0.0]), np.asarray([0.5, -0.5, 3.0, -2.0, 0.5]))],
    },
    **{name: _paired("real") for name in ("atan2", "copysign")},
    "nextafter": {
        **_paired("real"),
        "zeros with signs": [call(np.asarray([0.0, -0.0, 0.0]), np.asarray([-0.0, 0.0, -1.0]))],
        "the largest number": [
            call(np.finfo(dtype).max * np.asarray([1, -1, 1], dtype), np.asarray([INF, -INF, 0.0], dtype))
            for dtype in ("float32", "float64")
        ],
    },
    **{name: _paired("real", "integers", "complex", "booleans") for name in ("equal", "not_equal")},
    **{
        name: _paired("real", "integers")
        for name in ("less", "greater", "less_equal", "greater_equal", "maximum", "minimum")
    },
    "bitwise_and": _paired("integers", "booleans"),
    **{
        name: {
            "every count": [call(np.asarray([1, -1, 5, -8, 127], "int8"), np.asarray([0, 1, 2, 3, 6], "int8"))],
            "unsigned integers": [
                call(BYTES, np.asarray(1, "uint8")),
                call(np.asarray([255, 128], "uint8"), np.asarray([7, 3], "uint8")),
            ],
            "broadcasting": [
                call(CUBE, np.asarray([1, 2, 3])),
                call(CUBE[:, :1], np.asarray([[1], [2]])),
                call(SEVEN, np.asarray([1, 2])),
                call(np.asarray([1, 2, 3]), np.asarray([[1], [2]])),
            ],
            "several axes": [
                call(CUBE, abs(CUBE)),
                call(np.asarray([7, -8, 9]), abs(CUBE)),
                call(CUBE[:, :1], abs(CUBE)),
            ],
            "axes of length one": [call(CUBE[0], abs(CUBE[0, :, :1])), call(CUBE[:1, :1], np.asarray([[1, 2, 3]]))],
            "large numbers": [call(LARGE, np.asarray(3)), call(np.asarray([1, -1]), np.asarray([62, 40]))],
            "scalars": [call(CUBE, 2), call(1, np.asarray([1, 2, 3]))],
            "no elements": [call(CUBE[:0], np.asarray([1, 2, 3]))],
            "shapes that do not fit": [
                call(CUBE, np.asarray([1, 2])),
                call(np.asarray([1, 2, 3]), np.asarray([1, 2])),
            ],
            "any order in memory": [call(np.asfortranarray(I), np.asarray([1, 2, 3], "int32"))],
        }
        for name in ("bitwise_left_shift", "bitwise_right_shift")
    },
    "exp": {
        **_numbers(cut=True),
        "large and small numbers": [
            call(np.asarray([709.5, -708.0, 1e-12, -1e-300])),
            call(np.asarray([-80.0, -87.0, -61.5], "float32")),
            call(np.asarray([88.0, 1e-7], "float32")),
            call(np.asarray([complex(-INF, 1.0), complex(-INF, 0.0)])),
        ],
    },
    "log": {
        **_numbers(cut=True),
        "large and small numbers": [call(np.asarray([1e300, 1e-300, 1 + 1e-12])), *map(call, _FAR)],
        "zeros": [
            call(np.asarray([0j, 1.0])),
            call(np.asarray([0.0, -0.0], "float32")),
            call(np.asarray([1e-30, 1e-38])),
        ],
    },
    **{
        name: {
            **_numbers(cut=True),
            "large numbers": [
                call(np.asarray([1e5, -12345.678, 2000.5])),
                call(np.asarray([1e5, -12345.678, 20000.5], "float32")),
                call(np.asarray([1 + 709.9j])),
            ],
        }
        for name in ("sin", "cos")
    },
    "sqrt": {
        **_numbers(cut=True),
        "large and small complex numbers": [call(x) for x in _FAR],
        "sides of the branch cut": [call(np.asarray([-4 + 0j])), call(np.asarray([complex(-4.0, -0.0)]))],
        "infinities": [
            call(np.asarray([0j, complex(-INF, 0.0), complex(-INF, -0.0), complex(2.0, INF), complex(INF, 0.0)]))
        ],
    },
    "conj": _PARTED,
    "real": _PARTED,
    "imag": _PARTED,
    "floor": {
        "signs": [call(np.asarray([-2.5, -2.0, -0.5, -0.0, 0.5, 2.5, 3.0]))],
        "large numbers": [call(np.asarray([1e20, -1e20, 2.0**53 - 1.5])), call(LARGE)],
        "double precision": [call(np.asarray([1 - 1e-12, 3 - 1e-12, -1e-12]))],
        "any order in memory": [call(COLUMNS)],
        "several axes": [call(REAL)],
        "axes of length one": [call(F[:, :1])],
        "integers": [call(BYTES), call(CUBE)],
    },
}
