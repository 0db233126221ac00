"""At least one call of every declared function, with NumPy arrays in the places of arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

F = np.asarray([[1.5, -2.0, 0.25], [3.0, 0.5, -1.0]], "float32")
D = np.asarray([0.25, 1.5, -0.75, 2.0])
UNIT = np.asarray([0.5, -0.25, 0.75], "float32")
POSITIVE = np.asarray([[0.5, 2.0, 3.25]], "float32")
C = np.asarray([1.5 + 2j, -0.5 - 1j], "complex64")
I = np.asarray([[5, -3, 2], [7, 0, -1]], "int32")  # noqa: E741
J = np.asarray([4, 1, 2], "int64")
U = np.asarray([3, 0, 200], "uint8")
B = np.asarray([[True, False, True], [False, False, True]])
SQUARE = np.asarray([[4.0, 1.0], [2.0, 3.0]], "float32")
SYMMETRIC = np.asarray([[[2.0, 1.0], [1.0, 3.0]]])
TALL = np.asarray([[1.0, 2.0], [3.0, 5.0], [0.5, -1.0]])
THREE = np.asarray([1.0, 2.0, 4.0], "float32")

Call = tuple[tuple[Any, ...], dict[str, Any]]


def call(*args: Any, **options: Any) -> Call:
    """Write the arguments of one call."""
    return args, options


_ONE = [call(F), call(D)]
_TWO = [call(F, POSITIVE), call(D, 0.5), call(2, F)]
_BITS = [call(I, J), call(B, B), call(U, 3)]
_LOGIC = [call(B, B[0]), call(B, True)]
_ORDER = [call(F, POSITIVE), call(I, 2), call(D, D[::-1].copy())]
_REDUCED = [call(F), call(F, axis=0), call(I, axis=(0, -1), keepdims=True)]
_FILLED = [call((2, 3)), call(4, dtype="int16")]
_LIKE = [call(F), call(I, dtype="float64")]
_TRANSFORMED = [call(F), call(C, n=3, norm="ortho")]
_SEVERAL = [call(F), call(F, s=(3, 2), axes=(1, 0), norm="forward")]

SAMPLES: dict[str, list[Call]] = {
    "abs": [call(F), call(C), call(I)],
    "acos": [call(UNIT), call(C)],
    "acosh": [call(POSITIVE + 1), call(C)],
    "add": [*_TWO, call(C, F[0, :2]), call(I, J)],
    "all": [call(B), call(F, axis=1)],
    "any": [call(B), call(F, axis=-1, keepdims=True)],
    "arange": [call(5), call(1, 9, 2, dtype="float32"), call(3.0, 0.0, -0.5)],
    "argmax": [call(F), call(I, axis=0), call(F, axis=1, keepdims=True)],
    "argmin": [call(F), call(I, axis=0), call(F, axis=1, keepdims=True)],
    "argsort": [call(F), call(I, axis=0, descending=True)],
    "asarray": [call([[1, 2], [3, 4]]), call(F), call(2.5, dtype="float64"), call(F, copy=True)],
    "asin": [call(UNIT), call(C)],
    "asinh": [*_ONE, call(C)],
    "astype": [call(F, "float64"), call(I, "bool"), call(I, "int32", copy=False)],
    "atan": [*_ONE, call(C)],
    "atan2": _TWO,
    "atanh": [call(UNIT), call(C)],
    "bitwise_and": _BITS,
    "bitwise_invert": [call(I), call(B)],
    "bitwise_left_shift": [call(I, U[:1]), call(J, 2)],
    "bitwise_or": _BITS,
    "bitwise_right_shift": [call(I, U[:1]), call(J, 2)],
    "bitwise_xor": _BITS,
    "broadcast_arrays": [call(F, J), call(U)],
    "broadcast_shapes": [call((2, 1), (3,))],
    "broadcast_to": [call(THREE, (2, 3))],
    "ceil": [call(F), call(I)],
    "cholesky": [call(SYMMETRIC), call(SYMMETRIC, upper=True)],
    "clip": [call(F, -1.0, 1.0), call(I, min=0), call(F, max=THREE)],
    "complex": [call(F, POSITIVE), call(D, 1.0)],
    "concat": [call([F, POSITIVE]), call([I, F], axis=None)],
    "conj": [call(C), call(F)],
    "copysign": _TWO,
    "cos": [*_ONE, call(C)],
    "cosh": [*_ONE, call(C)],
    "count_nonzero": [call(B), call(F, axis=0, keepdims=True)],
    "cross": [call(THREE, F), call(J, J[::-1].copy())],
    "cumulative_prod": [call(D), call(I, axis=1, include_initial=True)],
    "cumulative_sum": [call(D), call(I, axis=1, include_initial=True), call(F, axis=0, dtype="float64")],
    "det": [call(SQUARE)],
    "diagonal": [call(F), call(I, offset=1)],
    "diff": [call(F), call(I, axis=0), call(D, n=2, prepend=D[:1], append=D[:2])],
    "divide": [*_TWO, call(I, J)],
    "eig": [call(SQUARE)],
    "eigh": [call(SYMMETRIC)],
    "eigvals": [call(SQUARE)],
    "eigvalsh": [call(SYMMETRIC)],
    "einsum": [call("ij,jk->ik", F, TALL), call("i,i", THREE, UNIT), call("...i->i...", I), call("ij->j", B)],
    "empty": _FILLED,
    "empty_like": _LIKE,
    "equal": [*_ORDER, call(C, C), call(B, True)],
    "exp": [*_ONE, call(C)],
    "expand_dims": [call(F, 0), call(F, (0, -1))],
    "expm1": [*_ONE, call(C)],
    "eye": [call(3), call(2, 3, k=1, dtype="int8")],
    "fft": _TRANSFORMED,
    "fftfreq": [call(4), call(5, d=0.5, dtype="float64")],
    "fftn": _SEVERAL,
    "fftshift": [call(F), call(D, axes=0)],
    "flip": [call(F), call(I, axis=-1)],
    "floor": [call(F), call(I)],
    "floor_divide": [*_TWO, call(J, 3)],
    "from_dlpack": [call(F)],
    "full": [call((2, 2), 1.5), call(3, 7, dtype="uint8")],
    "full_like": [call(F, 2.5), call(I, 1, dtype="float64")],
    "inplace_decrement": [call(F, 0.5), call(I, 1), call(D, D)],
    "inplace_increment": [call(F, POSITIVE), call(I, 1)],
    "inplace_update": [call(F, 2), call(I, U[:3]), call(C, 1.5)],
    "get_item": [call(F, (0, slice(1, None))), call(F, B), call(J, 1), call(J, np.asarray([2, 0]))],
    "greater": _ORDER,
    "greater_equal": _ORDER,
    "hfft": _TRANSFORMED,
    "hypot": _TWO,
    "ifft": _TRANSFORMED,
    "ifftn": _SEVERAL,
    "ifftshift": [call(F), call(D, axes=0)],
    "ihfft": [call(F)],
    "imag": [call(C)],
    "inv": [call(SQUARE)],
    "irfft": _TRANSFORMED,
    "irfftn": _SEVERAL,
    "isfinite": [call(F), call(C)],
    "isin": [call(I, J), call(J, 2, invert=True)],
    "isinf": [call(F), call(C)],
    "isnan": [call(F), call(C)],
    "less": _ORDER,
    "less_equal": _ORDER,
    "linspace": [call(0.0, 1.0, 4), call(1, 2, 3, endpoint=False, dtype="float64")],
    "log": [call(POSITIVE), call(C)],
    "log10": [call(POSITIVE), call(C)],
    "log1p": [call(POSITIVE), call(C)],
    "log2": [call(POSITIVE), call(C)],
    "logaddexp": _TWO,
    "logical_and": _LOGIC,
    "logical_not": [call(B)],
    "logical_or": _LOGIC,
    "logical_xor": _LOGIC,
    "matmul": [call(F, THREE), call(SQUARE, SYMMETRIC)],
    "matrix_norm": [call(F), call(F, ord=1, keepdims=True), call(F, ord="nuc")],
    "matrix_power": [call(SQUARE, 3), call(SQUARE, -1)],
    "matrix_rank": [call(TALL), call(SQUARE, rtol=0.1)],
    "matrix_transpose": [call(F)],
    "max": _REDUCED,
    "maximum": _ORDER,
    "mean": _REDUCED,
    "meshgrid": [call(THREE, D), call(J, U, indexing="ij")],
    "min": _REDUCED,
    "minimum": _ORDER,
    "moveaxis": [call(SYMMETRIC, 0, -1)],
    "multiply": [*_TWO, call(C, 2j)],
    "negative": [*_ONE, call(C), call(I)],
    "nextafter": _TWO[:2],
    "nonzero": [call(I)],
    "not_equal": [*_ORDER, call(C, C), call(B, True)],
    "ones": _FILLED,
    "ones_like": _LIKE,
    "outer": [call(THREE, D), call(J, U)],
    "permute_dims": [call(SYMMETRIC, (2, 0, 1))],
    "pinv": [call(TALL), call(TALL, rtol=1e-3)],
    "positive": [*_ONE, call(U)],
    "pow": [call(POSITIVE, F), call(J, 2), call(2.0, D)],
    "prod": [*_REDUCED, call(I, dtype="float64")],
    "qr": [call(TALL), call(TALL, mode="complete")],
    "real": [call(C)],
    "reciprocal": [*_ONE, call(C)],
    "remainder": [*_TWO, call(J, 3)],
    "repeat": [call(F, 2), call(F, J, axis=1)],
    "reshape": [call(F, (3, 2)), call(I, (-1,), copy=True)],
    "rfft": [call(F), call(D, n=3, norm="ortho")],
    "rfftfreq": [call(4), call(5, d=0.5, dtype="float64")],
    "rfftn": _SEVERAL,
    "roll": [call(F, 1), call(I, (1, -1), axis=(0, 1))],
    "round": [call(F), call(C), call(I)],
    "searchsorted": [call(J[[1, 2, 0]], J), call(np.sort(D), 0.3, side="right"), call(D, D, sorter=np.argsort(D))],
    "sign": [*_ONE, call(C), call(I)],
    "signbit": _ONE,
    "sin": [*_ONE, call(C)],
    "sinh": [*_ONE, call(C)],
    "slogdet": [call(SQUARE)],
    "solve": [call(SQUARE, D[:2]), call(SYMMETRIC, SQUARE)],
    "sort": [call(F), call(I, axis=0, descending=True)],
    "sqrt": [call(POSITIVE), call(C)],
    "square": [*_ONE, call(I)],
    "squeeze": [call(POSITIVE, 0), call(SYMMETRIC, (0,))],
    "stack": [call([F, F], axis=-1), call([J, U.astype("int64")])],
    "std": [*_REDUCED, call(D, correction=1)],
    "subtract": [*_TWO, call(I, J)],
    "sum": [*_REDUCED, call(I, dtype="float64"), call(U)],
    "svd": [call(TALL), call(TALL, full_matrices=False)],
    "svdvals": [call(TALL)],
    "take": [call(J, J[1:]), call(F, U[:2] % 2, axis=0)],
    "take_along_axis": [call(F, np.asarray([[0], [1]])), call(I, np.asarray([[1, 0, 1]]), axis=0)],
    "tan": [*_ONE, call(C)],
    "tanh": [*_ONE, call(C)],
    "tensordot": [call(F, TALL, axes=1), call(F, F, axes=((0, 1), (0, 1)))],
    "tile": [call(F, (2, 1))],
    "to_list": [call(F), call(np.asarray(7))],
    "to_numpy": [call(F)],
    "trace": [call(F), call(I, offset=1, dtype="float64")],
    "transpose": [call(F), call(SYMMETRIC, (2, 0, 1))],
    "tril": [call(F), call(I, k=-1)],
    "triu": [call(F), call(I, k=1)],
    "trunc": [call(F), call(I)],
    "unique_all": [call(I), call(D)],
    "unique_counts": [call(I), call(D)],
    "unique_inverse": [call(I), call(D)],
    "unique_values": [call(I), call(D)],
    "unstack": [call(F), call(I, axis=1)],
    "var": [*_REDUCED, call(D, correction=1), call(C)],
    "vecdot": [call(F, THREE), call(C, C), call(F, F, axis=-2)],
    "vector_norm": [call(F), call(F, axis=0, ord=1, keepdims=True), call(C)],
    "where": [call(B, F, 0.0), call(B, I, J)],
    "zeros": _FILLED,
    "zeros_like": _LIKE,
}
