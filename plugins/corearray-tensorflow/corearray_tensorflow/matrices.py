"""Linear algebra beyond the standard's; what does not match is left to the compositions, which say so.

`tf.linalg.lu` refuses singular matrices, which have factors too.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow.native import at_hand, deriving, mapping, raw_ops

_HALF = {"float16": "float32", "bfloat16": "float32"}
#: How often an exponential is squared at most.
_SQUARINGS = 32
_TRANSPOSITIONS = {0: 0, 1: 1, 2: 2, "N": 0, "T": 1, "C": 2}


def _is_square(x: Any) -> bool:
    return x.shape.rank >= 2 and x.shape[-1] is not None and x.shape[-1] == x.shape[-2]


@hookimpl(via=_HALF, when=lambda x: _is_square(x) and 0 not in x.shape)
def matrix_exp(x: Any, /) -> Any:
    """Approximate, scale and square here.

    TensorFlow computes all approximants of which it takes one, and scales by half of what that needs, at the cost of digits.
    """
    degree, most = (7, 3.925) if x.dtype in (tf.float32, tf.complex64) else (13, 5.371)
    norm = tf.reduce_max(tf.reduce_sum(tf.abs(x), -2, keepdims=True), -1, keepdims=True)
    useful = norm <= most * 2.0**_SQUARINGS
    x, norm = tf.where(useful, x, tf.zeros_like(x)), tf.where(useful, norm, tf.zeros_like(norm))
    count = tf.math.ceil(tf.math.log(tf.maximum(norm / most, 1)) / math.log(2.0))
    identity = tf.eye(x.shape[-1], dtype=x.dtype)

    def squared(number: Any, found: Any) -> tuple[Any, Any]:
        lasts = number < count
        if at_hand(lasts) and np.all(lasts):
            return number + 1, found @ found
        root = tf.where(lasts, found, identity)
        return number + 1, tf.where(lasts, root @ root, found)

    found = _approximated(x * tf.cast(2.0**-count, x.dtype), identity, degree)
    if mapping.get() and deriving.get():  # where TensorFlow loses what a loop went through
        for number in range(_SQUARINGS):
            _, found = squared(number, found)
    else:
        start = tf.zeros((), count.dtype), found
        _, found = tf.while_loop(lambda number, _: number < tf.reduce_max(count), squared, start)
    return tf.where(useful, found, tf.cast(float("nan"), x.dtype))


def _approximated(x: Any, identity: Any, degree: int) -> Any:
    """Return Pade's approximant of the exponential, of degree 7 or 13, by few products; see `corearray.matrix_exp`."""
    square = x @ x
    powers = identity, square, square @ square, square @ square @ square

    def part(first: int) -> Any:
        """Sum the terms of even or odd exponents, the latter without a factor of `x`."""
        found = sum(power * _pade(degree, 2 * i + first) for i, power in enumerate(powers))
        if degree == 13:
            found += powers[3] @ sum(power * _pade(degree, 6 + 2 * i + first) for i, power in enumerate(powers) if i)
        return found

    even, odd = part(0), x @ part(1)
    return tf.linalg.solve(even - odd, even + odd)


def _pade(degree: int, exponent: int) -> float:
    """Return a coefficient of the approximant, of which the first is 1."""
    return math.comb(degree, exponent) / math.perm(2 * degree, exponent)


@hookimpl(
    via=_HALF,
    when=lambda x1, x2, trans: (
        trans in _TRANSPOSITIONS
        and _is_square(x1)
        and x1.shape[-1] > 0
        and x2.shape.rank > 0
        and x2.shape[0 if x2.shape.rank == 1 else -2] == x1.shape[-1]
    ),
)
def solve_triangular(x1: Any, x2: Any, /, *, trans: Any = 0, lower: bool = False, unit_diagonal: bool = False) -> Any:
    how = _TRANSPOSITIONS[trans]
    matrices = tf.linalg.set_diag(x1, tf.ones(x1.shape[:-1], x1.dtype)) if unit_diagonal else x1
    matrices, lower = (tf.linalg.matrix_transpose(matrices), not lower) if how == 1 else (matrices, lower)
    sides = raw_ops.ExpandDims(input=x2, axis=1) if x2.shape.rank == 1 else x2
    found = tf.linalg.triangular_solve(matrices, sides, lower=bool(lower), adjoint=how == 2)
    return raw_ops.Squeeze(input=found, axis=[-1]) if x2.shape.rank == 1 else found
