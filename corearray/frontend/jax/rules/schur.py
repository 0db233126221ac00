"""Schur's form of matrices, by the QR algorithm with shifts; `funm`, `sqrtm` and `solve_sylvester` of JAX are made of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.frontend.jax.described import rule
from corearray.frontend.table import loops

__all__: list[str] = []

#: No matrix takes more steps for each eigenvalue; two or three are usual.
_ROUNDS = 30


@rule("jax.lax.schur_p")
@loops
def schur(x: ca.Array, *, compute_schur_vectors: bool = True, **_: Any) -> Any:
    """Return upper triangular matrices, and the unitary ones that turn them into `x`.

    Those of real matrices are real, with a block of two rows on the diagonal for a pair of complex eigenvalues. Golub & Van Loan,
    Matrix Computations, 7.4 and 7.5. Order and signs may differ from LAPACK's.
    """
    size = x.shape[-1]
    step = _real_step if x.dtype.category == "real floating" else _complex_step
    found = [_schur(matrix, step) for matrix in ca.reshape(x, (-1, size, size))]
    triangular, vectors = (ca.reshape(ca.stack(list(parts)), x.shape) for parts in zip(*found, strict=True))
    return [triangular, vectors] if compute_schur_vectors else [triangular]


#: From the places of rows, the last one that is not finished, the number of the step, what counts as zero, and the matrix to
#: the number of rows that are finished now, the next matrix, and the orthogonal matrix that leads there.
_Step = Callable[[ca.Array, Any, Any, Any, ca.Array], tuple[Any, ca.Array, ca.Array]]


def _schur(x: ca.Array, step: _Step) -> tuple[ca.Array, ca.Array]:
    size = x.shape[-1]
    places, one = ca.arange(size), ca.eye(size, dtype=x.dtype)
    limit = ca.finfo(x.dtype).eps * ca.linalg.vector_norm(x)

    def unfinished(state: Any) -> Any:
        last, rounds, *_ = state
        return (last > 0) & (rounds < _ROUNDS * size)

    def following(state: Any) -> Any:
        last, rounds, x, vectors = state
        finished, x, turn = step(places, last, rounds, limit, x)
        return last - finished, rounds + 1, x, vectors @ turn

    start = (ca.asarray(size - 1, dtype=places.dtype), ca.asarray(0, dtype=places.dtype), x, one)
    _, rounds, x, vectors = ca.while_loop(unfinished, following, start)
    triangular = ca.where(rounds < _ROUNDS * size, ca.triu(x, k=-1), ca.nan)
    return triangular, vectors


def _corner(places: ca.Array, last: Any, x: ca.Array) -> list[ca.Array]:
    """Return the four elements that end at the last row."""
    return [
        ca.sum(ca.where((places[:, None] == last - 1 + row) & (places == last - 1 + column), x, 0))
        for row in (0, 1)
        for column in (0, 1)
    ]


def _complex_step(places: ca.Array, last: Any, rounds: Any, limit: Any, x: ca.Array) -> tuple[Any, ca.Array, ca.Array]:
    """Turn the rows up to the last one, and finish it if nothing is left before its diagonal."""
    one = ca.eye(x.shape[-1], dtype=x.dtype)
    a, b, c, d = _corner(places, last, x)
    half = (a - d) / 2  # the eigenvalue of the last four elements that is closer to the last one
    root = ca.sqrt(half * half + b * c)
    shift = d + half + ca.where(ca.abs(half + root) <= ca.abs(half - root), root, -root)
    shift = ca.where(rounds % 11 == 10, d + ca.abs(c) + ca.abs(half), shift)  # another one, for cycles
    inside = (places[:, None] <= last) & (places <= last)
    turn, _ = ca.linalg.qr(ca.where(inside, x - shift * one, one))
    x = ca.conj(ca.matrix_transpose(turn)) @ x @ turn
    before = (places[:, None] == last) & (places < last)
    finished = ca.linalg.vector_norm(ca.where(before, x, 0)) <= limit
    return ca.astype(finished, places.dtype), ca.where(before & finished, 0, x), turn


def _real_step(places: ca.Array, last: Any, rounds: Any, limit: Any, x: ca.Array) -> tuple[Any, ca.Array, ca.Array]:
    """Turn the rows by both eigenvalues of the last four elements, and finish one row or a block of two."""
    one = ca.eye(x.shape[-1], dtype=x.dtype)
    a, b, c, d = _corner(places, last, x)
    other = ca.abs(c) + ca.abs(a - d)  # for cycles
    cycles = rounds % 11 == 10
    trace, determinant = ca.where(cycles, 1.5 * other, a + d), ca.where(cycles, other * other, a * d - b * c)
    inside = (places[:, None] <= last) & (places <= last)
    part = ca.where(inside, x, 0)
    turn, _ = ca.linalg.qr(ca.where(inside, part @ part - trace * part + determinant * one, one))
    x = ca.matrix_transpose(turn) @ x @ turn
    before = (places[:, None] == last) & (places < last)
    beside = (places[:, None] <= last) & (places[:, None] >= last - 1) & (places < last - 1)
    single = ca.linalg.vector_norm(ca.where(before, x, 0)) <= limit
    double = ~single & (ca.linalg.vector_norm(ca.where(beside, x, 0)) <= limit)
    x = ca.where((before & single) | (beside & double), 0, x)
    rotation, splits = _standard_rotation(places, last, x, one)
    rotation = ca.where(double, rotation, one)
    x = rotation @ x @ ca.matrix_transpose(rotation)
    x = ca.where(before & double & splits, 0, x)
    return ca.where(double, 2, ca.astype(single, places.dtype)), x, turn @ ca.matrix_transpose(rotation)


def _standard_rotation(places: ca.Array, last: Any, x: ca.Array, one: ca.Array) -> tuple[ca.Array, ca.Array]:
    """Return the rotation that makes the last four elements triangular, or equal on the diagonal, and whether it is the first.

    Z. Bai and J. Demmel, On swapping diagonal blocks in real Schur form, 1993, and LAPACK's `dlanv2`.
    """
    a, b, c, d = _corner(places, last, x)
    half = (a - d) / 2
    square = half * half + b * c
    splits = square >= 0.0
    root = half + ca.copysign(ca.sqrt(ca.where(splits, square, 0.0)), half)
    length = ca.hypot(c, root)
    trivial = length == 0.0
    length = ca.where(trivial, 1.0, length)
    total = ca.where(splits | ((half == 0.0) & (b == -c)), 1.0, b + c)
    width = ca.hypot(total, 2.0 * half)
    cosine = ca.sqrt(0.5 * (1.0 + ca.abs(total) / width))
    sine = -half / (width * cosine) * ca.copysign(ca.ones_like(total), total)
    cosine = ca.where(splits, ca.where(trivial, 1.0, root / length), cosine)
    sine = ca.where(splits, c / length, sine)
    rows, columns = places[:, None] - (last - 1), places - (last - 1)
    on_diagonal = (rows == columns) & (rows >= 0) & (rows <= 1)
    above, below = (rows == 0) & (columns == 1), (rows == 1) & (columns == 0)
    rotation = ca.where(on_diagonal, cosine, ca.where(above, sine, ca.where(below, -sine, one)))
    return rotation, splits
