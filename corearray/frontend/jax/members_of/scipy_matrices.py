"""`jax.scipy.linalg`: matrices made of a few numbers."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayValueError
from corearray.frontend.jax.members_of.special_functions import comb
from corearray.frontend.jax.promotion import cast, default, inexact, promoted, requested
from corearray.frontend.jax.wrapper import Array, converted

__all__ = [
    "FUNCTIONS", "circulant", "companion", "convolution_matrix", "dft", "fiedler", "fiedler_companion", "hadamard",
    "hankel", "helmert", "hilbert", "invhilbert", "invpascal", "leslie", "pascal", "toeplitz",
]  # fmt: skip


def _line(x: Any, *, floating: bool = False) -> ca.Array:
    """Return an array with at least one axis."""
    array = converted(x)[0]
    array = cast(array, inexact(array.dtype)) if floating else array
    return array if array.ndim else ca.reshape(array, (1,))


def _together(x: ca.Array, y: ca.Array) -> tuple[ca.Array, ca.Array]:
    """Return two arrays of one dtype, whose axes but the last one are broadcast."""
    own, _ = promoted([(x.dtype, False), (y.dtype, False)])
    front = ca.broadcast_shapes(tuple(x.shape[:-1]), tuple(y.shape[:-1]))
    first, second = (ca.broadcast_to(cast(one, own), (*front, one.shape[-1])) for one in (x, y))
    return first, second


def _places(rows: int, columns: int) -> tuple[Any, Any]:
    """Return the row and the column of each element of a matrix."""
    return ca.arange(rows)[:, None], ca.arange(columns)[None, :]


def _taken(line: ca.Array, places: Any) -> Any:
    """Return a matrix for each last axis of an array: its elements at some places."""
    shape = tuple(places.shape)
    if 0 in shape:
        return ca.zeros((*line.shape[:-1], *shape), dtype=line.dtype)
    return ca.reshape(ca.take(line, ca.reshape(places, (-1,)), axis=-1), (*line.shape[:-1], *shape))


def toeplitz(c: Any, r: Any = None) -> Any:
    """Return matrices with constant diagonals, from their first columns and rows."""
    column = _line(c)
    conjugated = r is None and column.dtype.category == "complex floating"
    row = ca.conj(column) if conjugated else column if r is None else _line(r)
    column, row = _together(column, row)
    i, j = _places(column.shape[-1], row.shape[-1])
    return Array(_taken(ca.concat([ca.flip(column, axis=-1), row[..., 1:]], axis=-1), column.shape[-1] - 1 - i + j))


def hankel(c: Any, r: Any = None) -> Any:
    """Return matrices with constant antidiagonals, from their first columns and last rows.

    Raises
    ------
    ValueError
        If one has no axis.
    """
    column = converted(c)[0]
    row = ca.zeros_like(column) if r is None else converted(r)[0]
    for name, x in (("c", column), ("r", row)):
        if not x.ndim:
            raise CoreArrayValueError(f"hankel: {name} must be at least 1-dimensional, got a scalar.")
    column, row = _together(column, row)
    i, j = _places(column.shape[-1], row.shape[-1])
    return Array(_taken(ca.concat([column, row[..., 1:]], axis=-1), i + j))


def circulant(c: Any) -> Any:
    """Return matrices whose columns are the first one, rolled."""
    column = _line(c)
    n = column.shape[-1]
    i, j = _places(n, n)
    return Array(_taken(column, ca.remainder(i - j, max(n, 1))))


def leslie(f: Any, s: Any) -> Any:
    """Return Leslie matrices of fecundities and survival rates.

    Raises
    ------
    ValueError
        If there are fewer than two fecundities, or not one rate less than fecundities.
    """
    first, below = _line(f), _line(s)
    if first.shape[-1] < 2:
        raise CoreArrayValueError(
            f"The length of f along the last axis must be at least 2; got shape {tuple(first.shape)}."
        )
    if below.shape[-1] != first.shape[-1] - 1:
        raise CoreArrayValueError(
            "Incorrect lengths for f and s. The length of s along the last axis must be one less than the length of f; "
            f"got f shape {tuple(first.shape)} and s shape {tuple(below.shape)}."
        )
    first, below = _together(first, below)
    n = first.shape[-1]
    i, j = _places(n, n)
    shifted = ca.concat([ca.zeros_like(below[..., :1]), below], axis=-1)
    made = ca.where(i == j + 1, shifted[..., :, None], ca.zeros_like(shifted[..., :, None]))
    return Array(ca.where(i == 0, first[..., None, :], made))


def companion(a: Any) -> Any:
    """Return companion matrices of polynomials, highest powers first.

    Raises
    ------
    ValueError
        If there are fewer than two coefficients.
    """
    x = _line(a, floating=True)
    if x.shape[-1] < 2:
        raise CoreArrayValueError(
            f"The length of `a` along the last axis must be at least 2; got shape {tuple(x.shape)}."
        )
    i, j = _places(x.shape[-1] - 1, x.shape[-1] - 1)
    first = -x[..., 1:] / x[..., :1]
    return Array(ca.where(i == 0, first[..., None, :], ca.astype(i == j + 1, x.dtype)))


def fiedler(a: Any) -> Any:
    """Return matrices of the distances between numbers."""
    x = _line(a)
    return Array(ca.abs(x[..., None] - x[..., None, :]))


def fiedler_companion(a: Any) -> Any:
    """Return Fiedler's companion matrices of polynomials, highest powers first.

    Raises
    ------
    ValueError
        If there is no coefficient.
    """
    x = _line(a, floating=True)
    if not x.shape[-1]:
        raise CoreArrayValueError(
            "fiedler_companion requires the last axis of 'a' to have nonzero length, but got an array of shape "
            f"{tuple(x.shape)}."
        )
    n = x.shape[-1] - 1
    if n < 1:
        return Array(ca.zeros((*x.shape[:-1], 0, 0), dtype=x.dtype))
    x = x / x[..., :1]
    if n == 1:
        return Array(-x[..., 1:, None])
    i, j = _places(n, n)
    even = ca.remainder(i, 2) == 0
    right, left = (-_taken(x, ca.clip(i + k, 0, n))[..., :, :] for k in (2, 1))
    # Fiedler's matrix has five diagonals: coefficients beside the main one, in rows of even number, and ones
    coefficient = ca.where(j == i + 1, right, left)
    beside = ca.logical_and(even, ca.logical_or(j == i + 1, ca.logical_and(j == i - 1, i >= 2)))
    one = ca.logical_or(ca.logical_and(even, j == i + 2), ca.logical_and(ca.logical_not(even), j == i - 2))
    one = ca.logical_or(one, ca.logical_and(i == 1, j == 0))
    made = ca.where(beside, coefficient, ca.astype(one, x.dtype))
    return Array(ca.where(ca.logical_and(i == 0, j == 0), -x[..., 1:2, None], made))


def convolution_matrix(a: Any, n: int, mode: str = "full") -> Any:
    """Return matrices that convolve vectors of length `n` with the last axis of an array.

    Raises
    ------
    ValueError
        If a length is zero, the array has no axes, or there is no such mode.
    """
    length = operator.index(n)
    if length <= 0:
        raise CoreArrayValueError(f"n must be a positive integer; got {n}.")
    x = converted(a)[0]
    if not x.ndim:
        raise CoreArrayValueError("convolution_matrix: a must be at least 1-dimensional, got a scalar.")
    count = x.shape[-1]
    if count < 1:
        raise CoreArrayValueError(f"len(a) must be at least 1; got shape {tuple(x.shape)}.")
    if mode not in ("full", "valid", "same"):
        raise CoreArrayValueError(f"mode must be one of 'full', 'valid', 'same'; got {mode!r}.")
    spare = min(length, count) - 1
    before, behind = {"full": (0, 0), "same": (spare // 2, spare - spare // 2), "valid": (spare, spare)}[mode]
    i, j = _places(count + length - 1 - before - behind, length)
    place = i + before - j
    inside = ca.logical_and(place >= 0, place < count)
    made = _taken(x, ca.clip(place, 0, count - 1))
    return Array(ca.where(inside, made, ca.zeros_like(made)))


def hilbert(n: int) -> Any:
    """Return the matrix of `1 / (i + j + 1)`."""
    i, j = _places(n, n)
    return Array(1.0 / ca.astype(i + j + 1, default(float)))


def invhilbert(n: int) -> Any:
    """Return the inverse of `hilbert(n)`."""
    i, j = (ca.astype(x, default(float)) for x in _places(n, n))

    def binomial(top: Any, below: Any) -> Any:
        return comb(Array(top), Array(below)).array

    both = i + j
    sign = ca.where(ca.remainder(both, 2) == 1, -1.0, 1.0)
    made = sign * (both + 1) * binomial(n + i, n - j - 1) * binomial(n + j, n - i - 1)
    return Array(made * ca.square(binomial(both, i)))


def _binomials(n: int, dtype: ca.DType) -> Any:
    """Return the matrix of binomial coefficients of the row over the column."""
    i, j = (ca.astype(x, dtype) for x in _places(n, n))
    inside = j <= i
    below = ca.where(inside, i - j, ca.zeros_like(i - j))
    return ca.where(inside, ca.exp(ca.lgamma(i + 1) - ca.lgamma(below + 1) - ca.lgamma(j + 1)), 0.0)


def _kind(kind: str | None) -> str:
    kinds = ["symmetric", "lower", "upper"]
    if kind is not None and kind not in kinds:
        raise CoreArrayValueError(f"Expected kind to be one of: {kinds}; got {kind}")
    return kind or "symmetric"


def pascal(n: int, kind: str | None = None) -> Any:
    """Return Pascal's triangle as a symmetric matrix, or its lower or upper triangle.

    Raises
    ------
    ValueError
        If there is no such kind.
    """
    kind, lower = _kind(kind), _binomials(n, ca.float32)
    upper = ca.matrix_transpose(lower)
    return Array({"lower": lower, "upper": upper}[kind] if kind != "symmetric" else ca.matmul(lower, upper))


def invpascal(n: int, kind: str | None = None) -> Any:
    """Return the inverse of `pascal(n, kind)`.

    Raises
    ------
    ValueError
        If there is no such kind.
    """
    kind, (i, j) = _kind(kind), _places(n, n)
    lower = ca.where(ca.remainder(i - j, 2) == 1, -1.0, 1.0) * _binomials(n, default(float))
    upper = ca.matrix_transpose(lower)
    return Array({"lower": lower, "upper": upper}[kind] if kind != "symmetric" else ca.matmul(upper, lower))


def helmert(n: int, full: bool = False) -> Any:
    """Return Helmert's matrix, without its first row unless it is asked for.

    Raises
    ------
    ValueError
        If `n` is not positive.
    """
    if n < 1:
        raise CoreArrayValueError(f"n must be a positive integer; got {n}.")
    i, j = _places(n - 1, n)
    order = ca.astype(i + 1, default(float))
    below = ca.sqrt(order * (order + 1))
    made = ca.where(j <= i, 1.0 / below, ca.where(j == i + 1, -order / below, ca.zeros_like(below)))
    first = ca.full((1, n), 1.0 / math.sqrt(n), dtype=made.dtype)
    return Array(ca.concat([first, made], axis=0) if full else made)


def hadamard(n: int, dtype: Any = int) -> Any:
    """Return Sylvester's Hadamard matrix.

    Raises
    ------
    ValueError
        If `n` is no power of 2.
    """
    if n < 1 or n & (n - 1):
        raise CoreArrayValueError(f"n must be a positive power of 2; got {n}.")
    made: Any = ca.ones((1, 1), dtype=requested(dtype, "hadamard"))
    while made.shape[0] < n:
        made = ca.concat([ca.concat([made, made], axis=1), ca.concat([made, -made], axis=1)], axis=0)
    return Array(made)


def dft(n: int, scale: str | None = None, *, dtype: Any = None) -> Any:
    """Return the matrix of the discrete Fourier transform, divided by its norm with `scale="sqrtn"` or by `n` with `"n"`.

    Raises
    ------
    ValueError
        If there is no such scale, or the dtype is not complex.
    """
    if scale not in (None, "sqrtn", "n"):
        raise CoreArrayValueError(f"scale must be None, 'sqrtn', or 'n'; got {scale!r}.")
    own = requested(dtype, "dft") or default(complex)
    if own.category != "complex floating":
        raise CoreArrayValueError(f"dtype must be a complex floating-point type; got {own}.")
    i, j = _places(n, n)
    turns = -2 * ca.pi * ca.astype(ca.remainder(i * j, max(n, 1)), ca.float64) / n
    made = ca.astype(ca.cos(turns) + 1j * ca.sin(turns), own)
    return Array(made / {"sqrtn": math.sqrt(n), "n": n}[scale] if scale else made)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    f"scipy.linalg.{one.__name__}": one
    for one in (
        circulant, companion, convolution_matrix, dft, fiedler, fiedler_companion, hadamard, hankel, helmert, hilbert,
        invhilbert, invpascal, leslie, pascal, toeplitz,
    )
}  # fmt: skip
