"""Schur's form of matrices, by the QR algorithm with shifts; `funm`, `sqrtm` and `solve_sylvester` of JAX are made of it."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.errors import FunctionNotImplementedError
from corearray.frontend.jax.described import rule
from corearray.frontend.table import loops

__all__: list[str] = []

#: No matrix takes more steps for each eigenvalue; two or three are usual.
_ROUNDS = 30


@rule("jax.lax.schur_p")
@loops
def schur(x: ca.Array, *, compute_schur_vectors: bool = True, **_: Any) -> Any:
    """Return upper triangular matrices, and the unitary ones that turn them into `x`.

    Golub & Van Loan, Matrix Computations, 7.5. Order and signs may differ from LAPACK's.
    """
    if x.dtype.category != "complex floating":
        raise FunctionNotImplementedError("the real form of Schur has no rule: ask for output='complex'")
    size = x.shape[-1]
    found = [_schur(matrix) for matrix in ca.reshape(x, (-1, size, size))]
    triangular, vectors = (ca.reshape(ca.stack(list(parts)), x.shape) for parts in zip(*found, strict=True))
    return [triangular, vectors] if compute_schur_vectors else [triangular]


def _schur(x: ca.Array) -> tuple[ca.Array, ca.Array]:
    size = x.shape[-1]
    places, one = ca.arange(size), ca.eye(size, dtype=x.dtype)
    limit = ca.finfo(x.dtype).eps * ca.linalg.vector_norm(x)

    def element(x: ca.Array, row: Any, column: Any) -> Any:
        return ca.sum(ca.where((places[:, None] == row) & (places == column), x, 0))

    def unfinished(state: Any) -> Any:
        last, rounds, *_ = state
        return (last > 0) & (rounds < _ROUNDS * size)

    def following(state: Any) -> Any:
        """Turn the rows up to the last one that is not finished, and finish it if nothing is left before its diagonal."""
        last, rounds, x, vectors = state
        a, b, c, d = (element(x, last - 1 + row, last - 1 + column) for row in (0, 1) for column in (0, 1))
        half = (a - d) / 2  # the eigenvalue of the last four elements that is closer to the last one
        root = ca.sqrt(half * half + b * c)
        shift = d + half + ca.where(ca.abs(half + root) <= ca.abs(half - root), root, -root)
        shift = ca.where(rounds % 11 == 10, d + ca.abs(c) + ca.abs(half), shift)  # another one, for cycles
        inside = (places[:, None] <= last) & (places <= last)
        turn, _ = ca.linalg.qr(ca.where(inside, x - shift * one, one))
        x = ca.conj(ca.matrix_transpose(turn)) @ x @ turn
        before = (places[:, None] == last) & (places < last)
        finished = ca.linalg.vector_norm(ca.where(before, x, 0)) <= limit
        x = ca.where(before & finished, 0, x)
        return ca.where(finished, last - 1, last), rounds + 1, x, vectors @ turn

    start = (ca.asarray(size - 1, dtype=places.dtype), ca.asarray(0, dtype=places.dtype), x, one)
    _, rounds, x, vectors = ca.while_loop(unfinished, following, start)
    triangular = ca.where(rounds < _ROUNDS * size, ca.triu(x), ca.nan)
    return triangular, vectors
