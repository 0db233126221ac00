"""Linear algebra beyond the standard: LU factors, triangular solves, matrix functions, banded matrices.

The compositions are recursive on halves of a matrix, so that most of the work is in matrix products. All shapes are
known in advance and no step depends on a value.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from corearray.contract.declaration import declare
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.functional.linalg import EighResult, _adjoint, _require_matrices, _require_square
from corearray.types.namedtuples import NamedTuple

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array

__all__ = [
    "LUFactorResult",
    "LstsqResult",
    "adjoint",
    "cond",
    "eigh_tridiagonal",
    "eigvalsh_tridiagonal",
    "lstsq",
    "lu_factor",
    "lu_solve",
    "matrix_exp",
    "solve_triangular",
    "tensorinv",
    "tensorsolve",
    "vector_to_skew_symmetric_matrix",
]

#: What `trans` may be, and what it stands for.
_TRANSPOSITIONS = {0: "N", 1: "T", 2: "C", "N": "N", "T": "T", "C": "C"}

#: Degree of the Pade approximant of the exponential, and up to which norm it has all digits, for 32 and 64 bits.
_PADE = {32: (7, 3.925724783138660), 64: (13, 5.371920351148152)}

#: How often the exponential is squared at most.
_SQUARINGS = 32


class LstsqResult(NamedTuple):
    """Result of `lstsq`.

    Attributes
    ----------
    solution
        Array of shape `(..., N)` or `(..., N, K)`: the solution of least norm.
    residuals
        Array of shape `(...,)` or `(..., K)`: the sums of squared residuals.
    rank
        Integers of shape `(...)`: the rank of the matrices.
    singular_values
        Array of shape `(..., min(M, N))`, in descending order.
    """

    solution: Array
    residuals: Array
    rank: Array
    singular_values: Array


class LUFactorResult(NamedTuple):
    """Result of `lu_factor`.

    Attributes
    ----------
    LU
        Array of shape `(..., M, N)`: the upper triangular factor, and below its diagonal the lower one, without the
        ones on its diagonal.
    pivots
        Integers of shape `(..., min(M, N))`: with which row each was exchanged, one after the other, counted from 0.
    """

    LU: Array
    pivots: Array


@declare(namespace="linalg", main=True)
def adjoint(x: Array, /) -> Array:
    """Compute the conjugate transpose of matrices.

    Parameters
    ----------
    x
        Array of shape `(..., M, N)`, of any dtype.

    Returns
    -------
    Array of shape `(..., N, M)` and the dtype of `x`; for real numbers a view of it, as `matrix_transpose`.

    Raises
    ------
    ValueError
        If `x` has fewer than two axes.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.adjoint(ca.asarray([[1.0, 2j], [3.0, 4.0]])).tolist()
    [[(1-0j), (3-0j)], [-2j, (4-0j)]]

    Notes
    -----
    PyTorch's `adjoint`.
    """
    _require_matrices(x, "adjoint")
    return _adjoint(x)


@declare(floating=True, namespace="linalg")
def cond(x: Array, /, *, p: Literal["fro", "nuc"] | int | float | None = None) -> Array:
    """Compute condition numbers of matrices.

    Parameters
    ----------
    x
        Array of shape `(..., M, N)`, square unless `p` is `None`, 2 or -2; integers are computed in the default real dtype.
    p
        Order of the norm: `None` or 2, the largest singular value by the smallest; -2, its inverse; 1, -1, `inf`, `-inf`,
        `"fro"` or `"nuc"`, the norm of the matrix, as in `matrix_norm`, times that of its inverse.

    Returns
    -------
    Real array of shape `(...)`, as precise as `x`; infinity for singular matrices, NaN for those with
    elements that are not finite.

    Raises
    ------
    ValueError
        If the matrices have no elements, are not square, or there is no such norm.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.linalg.cond(ca.asarray([[4.0, 0.0], [0.0, 2.0]])).tolist()
    2.0

    Notes
    -----
    NumPy's `linalg.cond`.
    """
    if p not in (None, 2, -2, 1, -1, math.inf, -math.inf, "fro", "nuc"):
        raise CoreArrayValueError(f"'cond' got p={p!r}; it is None, 2, -2, 1, -1, inf, -inf, 'fro' or 'nuc'")
    _require_matrices(x, "cond")
    if 0 in x.shape[-2:]:
        raise CoreArrayValueError(f"'cond' got an array of shape {tuple(x.shape)}; matrices without elements have none")
    if p in (1, -1, math.inf, -math.inf, "fro", "nuc"):
        _require_square(x, "cond")
    missing = xp.logical_not(xp.all(xp.isfinite(x), axis=(-2, -1)))
    x = xp.where(missing[..., None, None], 0.0, x)
    if p is None or p in (2, -2, "fro", "nuc"):
        values = xp.linalg.svdvals(x)
        singular = values[..., -1] == 0
        values = xp.where(singular[..., None], 1.0, values)
        largest, smallest = values[..., 0], values[..., -1]
        if p is None or p in (2, -2):
            found = smallest / largest if p == -2 else largest / smallest
            found = xp.where(singular, 0.0 if p == -2 else math.inf, found)
            # A matrix of zeros has no condition by the definition; NumPy's is infinite for every norm.
            return xp.where(
                missing, math.nan, xp.where(singular & (xp.max(xp.abs(x), axis=(-2, -1)) == 0), math.inf, found)
            )
        if p == "nuc":
            found = xp.sum(values, axis=-1) * xp.sum(1.0 / values, axis=-1)
        else:
            found = xp.linalg.vector_norm(values, axis=-1) * xp.linalg.vector_norm(1.0 / values, axis=-1)
    else:
        singular = xp.any(xp.linalg.diagonal(xp.linalg.lu_factor(x).LU) == 0, axis=-1)
        identity = xp.eye(x.shape[-1], dtype=x.dtype, device=x.device)
        regular = xp.where(singular[..., None, None], identity, x)
        found = xp.linalg.matrix_norm(x, ord=p) * xp.linalg.matrix_norm(xp.linalg.inv(regular), ord=p)
    return xp.where(missing, math.nan, xp.where(singular, math.inf, found))


@declare(promote=("d", "e"), floating=True, real=True, namespace="linalg")
def eigh_tridiagonal(
    d: Array, e: Array, /, *, select: str = "a", select_range: tuple[float, float] | None = None
) -> EighResult:
    """Compute eigenvalues and eigenvectors of symmetric tridiagonal matrices.

    Parameters
    ----------
    d
        Real array of shape `(..., M)`: the main diagonals.
    e
        Real array of shape `(..., M - 1)`: the diagonals above and below them.
    select
        `"a"`: all; `"i"`: those with the indices from `select_range[0]` to `select_range[1]`, both included, in ascending
        order; `"v"`: those greater than `select_range[0]` and at most `select_range[1]`, of one matrix.
    select_range
        The first and last index, or the bounds.

    Returns
    -------
    `EighResult(eigenvalues, eigenvectors)`: arrays of the promoted floating dtype, of the shapes `(..., K)` and
    `(..., M, K)`; the eigenvalues ascend, the columns of the second are orthonormal.

    Raises
    ------
    TypeError
        If an array is complex.
    ValueError
        If the lengths do not match, or `select` and `select_range` do not.

    Examples
    --------
    >>> import corearray as ca
    >>> found = ca.linalg.eigh_tridiagonal(ca.asarray([2.0, 3.0]), ca.asarray([0.0]))
    >>> found.eigenvalues.tolist(), ca.abs(found.eigenvectors).tolist()
    ([2.0, 3.0], [[1.0, 0.0], [0.0, 1.0]])

    Notes
    -----
    SciPy's `linalg.eigh_tridiagonal`.
    """
    _check_tridiagonal("eigh_tridiagonal", d, e, select, select_range)
    values, vectors = xp.linalg.eigh(_tridiagonal(d, e))
    order = xp.argsort(values, axis=-1)
    values = xp.take_along_axis(values, order, axis=-1)
    vectors = xp.take_along_axis(vectors, order[..., None, :], axis=-1)
    return EighResult(*(_selected(x, values, select, select_range) for x in (values, vectors)))


@declare(promote=("d", "e"), floating=True, real=True, namespace="linalg")
def eigvalsh_tridiagonal(
    d: Array, e: Array, /, *, select: str = "a", select_range: tuple[float, float] | None = None
) -> Array:
    """Compute eigenvalues of symmetric tridiagonal matrices.

    Parameters
    ----------
    d, e, select, select_range
        As in `eigh_tridiagonal`.

    Returns
    -------
    Array of the promoted floating dtype, of shape `(..., K)`, ascending.

    Raises
    ------
    TypeError, ValueError
        As in `eigh_tridiagonal`.

    Examples
    --------
    >>> import corearray as ca
    >>> d, e = ca.asarray([3.0, 2.0, 1.0]), ca.asarray([0.0, 0.0])
    >>> ca.linalg.eigvalsh_tridiagonal(d, e, select="i", select_range=(1, 2)).tolist()
    [2.0, 3.0]

    Notes
    -----
    SciPy's `linalg.eigvalsh_tridiagonal`.
    """
    _check_tridiagonal("eigvalsh_tridiagonal", d, e, select, select_range)
    values = xp.sort(xp.linalg.eigvalsh(_tridiagonal(d, e)), axis=-1)
    return _selected(values, values, select, select_range)


@declare(promote=("x1", "x2"), floating=True, namespace="linalg")
def lstsq(x1: Array, x2: Array, /, *, rcond: float | None = None) -> LstsqResult:
    """Solve linear equations in the sense of least squares.

    Parameters
    ----------
    x1
        Matrices of coefficients: floating array of shape `(..., M, N)`.
    x2
        Right-hand sides: array of shape `(M,)`, or `(..., M, K)`.
    rcond
        Singular values below `rcond` times the largest count as zero; by default the `eps` of the dtype times the larger
        side.

    Returns
    -------
    Named tuple `(solution, residuals, rank, singular_values)`; see `LstsqResult`.

    Raises
    ------
    ValueError
        If shapes do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> x1, x2 = ca.asarray([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]]), ca.asarray([1.0, 3.0, 5.0])
    >>> ca.round(ca.linalg.lstsq(x1, x2).solution).tolist()
    [1.0, 2.0]

    Notes
    -----
    By the singular value decomposition. `numpy.linalg.lstsq`, which returns residuals only for matrices of full rank.
    """
    if x1.ndim < 2 or x2.ndim < 1 or x2.shape[-1 if x2.ndim == 1 else -2] != x1.shape[-2]:
        raise ValueError(
            f"'lstsq' got coefficients of shape {tuple(x1.shape)} and right-hand sides of shape {tuple(x2.shape)}; they must "
            "have the shapes (..., M, N) and (M,), or (..., M, N) and (..., M, K)"
        )
    right = xp.expand_dims(x2, -1) if x2.ndim == 1 else x2
    u, s, vh = xp.linalg.svd(x1, full_matrices=False)
    share = float(xp.finfo(s.dtype).eps) * max(x1.shape[-2], x1.shape[-1]) if rcond is None else rcond
    largest = s[..., :1]
    kept = s > share * largest
    inverse = xp.where(kept, 1.0 / xp.where(kept, s, 1.0), 0.0)
    inner = xp.matmul(xp.linalg.adjoint(u), right) * xp.astype(xp.expand_dims(inverse, -1), right.dtype)
    solution = xp.matmul(xp.linalg.adjoint(vh), inner)
    gaps = xp.abs(xp.matmul(x1, solution) - right)
    residuals = xp.sum(gaps * gaps, axis=-2)
    rank = xp.sum(xp.astype(kept, xp.int64), axis=-1)
    if x2.ndim == 1:
        solution, residuals = xp.squeeze(solution, axis=-1), xp.squeeze(residuals, axis=-1)
    return LstsqResult(solution, residuals, rank, s)


@declare(floating=True, namespace="linalg")
def lu_factor(x: Array, /) -> LUFactorResult:
    """Compute the LU factorisation of matrices with partial pivoting.

    Parameters
    ----------
    x
        Array of shape `(..., M, N)`; integers are computed in the default real dtype.

    Returns
    -------
    `LUFactorResult(LU, pivots)`: an array of the shape and dtype of `x` with both factors, and integers of shape
    `(..., min(M, N))` and the default index dtype. Singular matrices have factors too.

    Raises
    ------
    ValueError
        If `x` has fewer than two axes.

    Examples
    --------
    >>> import corearray as ca
    >>> LU, pivots = ca.linalg.lu_factor(ca.asarray([[1.0, 3.0], [2.0, 4.0]]))
    >>> LU.tolist(), pivots.tolist()
    ([[2.0, 4.0], [0.5, 1.0]], [1, 1])

    Notes
    -----
    `lu_solve` takes both. Pivots are those of SciPy's `linalg.lu_factor`; where two elements of a column are of one size,
    or complex, backends may choose different ones. The composition halves columns: S. Toledo, "Locality of reference in LU
    decomposition with partial pivoting", SIAM J. Matrix Anal. Appl. 18 (1997).
    """
    _require_matrices(x, "lu_factor")
    *batch, rows, columns = x.shape
    if 0 in (rows, columns):
        return LUFactorResult(xp.positive(x), xp.zeros((*batch, 0), dtype=xp.int64, device=x.device))
    found, pivots, _ = _lu(x)
    return LUFactorResult(found, pivots)


@declare(promote=("lu", "b"), floating=True, namespace="linalg")
def lu_solve(lu: Array, pivots: Array, b: Array, /, *, trans: int | str = 0) -> Array:
    """Solve linear equations from the factors of `lu_factor`.

    Parameters
    ----------
    lu, pivots
        Arrays of the shapes `(..., M, M)` and `(..., M)` that `lu_factor` returned for the matrices `a`.
    b
        Array of shape `(M,)`, one right-hand side, or `(..., M, K)`, one in each column. The axes in front broadcast.
    trans
        Equations: 0 or `"N"`, `a @ x = b`; 1 or `"T"`, with `a` transposed; 2 or `"C"`, transposed and conjugated.

    Returns
    -------
    Array of shape `(..., M)` or `(..., M, K)` and the promoted dtype; infinities or NaN for singular matrices.

    Raises
    ------
    TypeError
        If the pivots are no integers.
    IndexError
        If a pivot is no row, where its value is at hand.
    ValueError
        If the shapes do not match, or `trans` is something else.

    Examples
    --------
    >>> import corearray as ca
    >>> factors = ca.linalg.lu_factor(ca.asarray([[1.0, 3.0], [2.0, 4.0]]))
    >>> ca.linalg.lu_solve(*factors, ca.asarray([7.0, 10.0])).tolist()
    [1.0, 2.0]

    Notes
    -----
    SciPy's `linalg.lu_solve`.
    """
    if not xp.isdtype(pivots.dtype, "integral"):
        raise CoreArrayTypeError(f"'lu_solve' got pivots of {pivots.dtype}; give the integers that lu_factor returned")
    how = _check_sides("lu_solve", lu, b, trans)
    if pivots.shape != lu.shape[:-1]:
        raise CoreArrayValueError(
            f"'lu_solve' got pivots of shape {tuple(pivots.shape)} for factors of shape {tuple(lu.shape)}; "
            "give both as lu_factor returned them"
        )
    sides = b[:, None] if b.ndim == 1 else b
    order = _order_of(pivots)
    if how == "N":
        half = _lower(lu, _rows(sides, order), unit=True)
        found = _upper(lu, half, unit=False)
    else:
        factors = _adjoint(lu) if how == "C" else xp.matrix_transpose(lu)
        found = _rows(_upper(factors, _lower(factors, sides, unit=False), unit=True), xp.argsort(order, axis=-1))
    return found[..., 0] if b.ndim == 1 else found


@declare(floating=True, namespace="linalg", gives="same")
def matrix_exp(x: Array, /) -> Array:
    """Compute the matrix exponential of square matrices.

    Parameters
    ----------
    x
        Array of shape `(..., M, M)`; integers are computed in the default real dtype.

    Returns
    -------
    Array of the shape and dtype of `x`; NaN for matrices with elements that are not finite.

    Raises
    ------
    ValueError
        If the matrices are not square.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.linalg.matrix_exp(ca.asarray([[0.0, 1.0], [0.0, 0.0]])).tolist()
    [[1.0, 1.0], [0.0, 1.0]]

    Notes
    -----
    Of matrices that are too large for a digit to be right, with a norm above 1e10, some backends return NaN. N. J. Higham, "The
    scaling and squaring method for the matrix exponential revisited", SIAM J. Matrix Anal. Appl. 26 (2005). PyTorch's
    `linalg.matrix_exp`, SciPy's `linalg.expm`.
    """
    _require_square(x, "matrix_exp")
    if x.shape[-1] == 0:
        return xp.positive(x)
    degree, most = _PADE[64 if x.dtype in (xp.float64, xp.complex128) else 32]
    norm = xp.max(xp.sum(xp.abs(x), axis=-2, keepdims=True), axis=-1, keepdims=True)
    useful = norm <= most * 2.0**_SQUARINGS
    x = xp.where(useful, x, 0.0)
    count = xp.ceil(xp.log2(xp.maximum(xp.where(useful, norm, 0.0) / most, 1.0)))
    identity = xp.eye(x.shape[-1], dtype=x.dtype, device=x.device)
    scaled = x * xp.astype(xp.pow(2.0, -count), x.dtype)
    square = scaled @ scaled
    even, odd = xp.zeros_like(x), xp.zeros_like(x)
    for power in range(degree - 1, -1, -2):
        even = square @ even + _pade(degree, power) * identity
        odd = square @ odd + _pade(degree, power + 1) * identity
    odd = scaled @ odd
    found = xp.linalg.solve(even - odd, even + odd)
    for number in range(_SQUARINGS):
        more = count > number
        root = xp.where(more, found, identity)
        found = xp.where(more, root @ root, found)
    return xp.where(useful, found, math.nan)


@declare(promote=("x1", "x2"), floating=True, namespace="linalg")
def solve_triangular(
    x1: Array, x2: Array, /, *, trans: int | str = 0, lower: bool = False, unit_diagonal: bool = False
) -> Array:
    """Solve linear equations with triangular matrices.

    Parameters
    ----------
    x1
        Array of shape `(..., M, M)`; the triangle on the other side of the diagonal is not read.
    x2
        Array of shape `(M,)`, one right-hand side, or `(..., M, K)`, one in each column. The axes in front broadcast with
        those of `x1`.
    trans
        Equations: 0 or `"N"`, `x1 @ x = x2`; 1 or `"T"`, with `x1` transposed; 2 or `"C"`, transposed and conjugated.
    lower
        Whether `x1` is lower triangular; else it is upper triangular.
    unit_diagonal
        Whether its diagonal counts as ones, and is not read either.

    Returns
    -------
    Array of shape `(..., M)` or `(..., M, K)` and the promoted dtype; integers are computed in the default real dtype.

    Raises
    ------
    ValueError
        If the matrices are not square, the shapes do not match, or `trans` is something else.
    LinAlgError
        If a diagonal has a zero, on backends that look; others return infinities or NaN.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.linalg.solve_triangular(ca.asarray([[2.0, 1.0], [0.0, 4.0]]), ca.asarray([4.0, 8.0])).tolist()
    [1.0, 2.0]

    Notes
    -----
    SciPy's `linalg.solve_triangular`.
    """
    how = _check_sides("solve_triangular", x1, x2, trans)
    sides = x2[:, None] if x2.ndim == 1 else x2
    if how != "N":
        x1, lower = _adjoint(x1) if how == "C" else xp.matrix_transpose(x1), not lower
    found = _lower(x1, sides, unit=unit_diagonal) if lower else _upper(x1, sides, unit=unit_diagonal)
    return found[..., 0] if x2.ndim == 1 else found


@declare(floating=True, namespace="linalg")
def tensorinv(x: Array, /, *, ind: int = 2) -> Array:
    """Compute the inverse of a tensor with respect to `tensordot` over its first axes.

    Parameters
    ----------
    x
        Array whose first `ind` axes have together as many elements as the others.
    ind
        Number of leading axes.

    Returns
    -------
    Array of the dtype of `x` and of shape `x.shape[ind:] + x.shape[:ind]`; integers are computed in the default real dtype.

    Raises
    ------
    ValueError
        If `ind` is not positive, or the numbers of elements differ.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.linalg.tensorinv(ca.asarray([[2.0, 0.0], [0.0, 4.0]]), ind=1).tolist()
    [[0.5, 0.0], [0.0, 0.25]]

    Notes
    -----
    NumPy's `linalg.tensorinv`.
    """
    first, second = x.shape[: max(ind, 0)], x.shape[max(ind, 0) :]
    size = math.prod(first)
    if ind < 1 or size != math.prod(second):
        raise CoreArrayValueError(
            f"'tensorinv' got ind={ind} for a tensor of shape {tuple(x.shape)}; give a positive number of axes that "
            "have together as many elements as the others"
        )
    return xp.reshape(xp.linalg.inv(xp.reshape(x, (size, size))), (*second, *first))


@declare(promote=("x1", "x2"), floating=True, namespace="linalg")
def tensorsolve(x1: Array, x2: Array, /, *, axes: Sequence[int] | None = None) -> Array:
    """Solve the equation `tensordot(x1, x, x.ndim) = x2`.

    Parameters
    ----------
    x1
        Array of shape `x2.shape + Q`, where `Q` has together as many elements as `x2`.
    x2
        The right-hand side, of any shape.
    axes
        Axes of `x1` that are moved to the end first.

    Returns
    -------
    Array of the promoted dtype, of shape `Q`; integers are computed in the default real dtype.

    Raises
    ------
    IndexError
        If `x1` has no such axis.
    ValueError
        If the shapes do not match.
    LinAlgError
        As in `solve`.

    Examples
    --------
    >>> import corearray as ca
    >>> x1 = ca.reshape(2.0 * ca.eye(4), (2, 2, 4))
    >>> ca.linalg.tensorsolve(x1, ca.asarray([[2.0, 4.0], [6.0, 8.0]])).tolist()
    [1.0, 2.0, 3.0, 4.0]

    Notes
    -----
    NumPy's `linalg.tensorsolve`.
    """
    if axes is not None:
        x1 = xp.moveaxis(x1, tuple(axes), tuple(range(x1.ndim - len(axes), x1.ndim)))
    rest, size = x1.shape[x2.ndim :], x2.size
    if x1.shape[: x2.ndim] != x2.shape or math.prod(rest) != size:
        raise CoreArrayValueError(
            f"'tensorsolve' got tensors of the shapes {tuple(x1.shape)} and {tuple(x2.shape)}; the first has the axes of "
            "the second and then others with together as many elements"
        )
    return xp.reshape(xp.linalg.solve(xp.reshape(x1, (size, size)), xp.reshape(x2, (size,))), rest)


@declare()
def vector_to_skew_symmetric_matrix(x: Array, /) -> Array:
    """Return the skew-symmetric matrices whose product with a vector is the cross product.

    Parameters
    ----------
    x
        Numeric array of shape `(..., 3)`.

    Returns
    -------
    Array of shape `(..., 3, 3)` and the dtype of `x`.

    Raises
    ------
    ValueError
        If the last axis has another length.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.vector_to_skew_symmetric_matrix(ca.asarray([1, 2, 3])).tolist()
    [[0, -3, 2], [3, 0, -1], [-2, 1, 0]]
    """
    if x.ndim == 0 or x.shape[-1] != 3:
        raise CoreArrayValueError(
            f"'vector_to_skew_symmetric_matrix' got an array of shape {tuple(x.shape)}; the last axis has length 3"
        )
    a, b, c = (x[..., place] for place in range(3))
    zero = xp.zeros_like(a)
    rows = [[zero, -c, b], [c, zero, -a], [-b, a, zero]]
    return xp.stack([xp.stack(row, axis=-1) for row in rows], axis=-2)


# --- triangles


def _check_sides(name: str, x1: Array, x2: Array, trans: int | str) -> str:
    """Refuse shapes that do not match, and return what `trans` stands for."""
    if trans not in _TRANSPOSITIONS:
        raise CoreArrayValueError(f"'{name}' got trans={trans!r}; it is 0, 1, 2, 'N', 'T' or 'C'")
    _require_square(x1, name)
    if x2.ndim == 0 or x2.shape[0 if x2.ndim == 1 else -2] != x1.shape[-1]:
        raise CoreArrayValueError(
            f"'{name}' got matrices of shape {tuple(x1.shape)} and right-hand sides of shape {tuple(x2.shape)}; "
            f"give sides of shape ({x1.shape[-1]},) or (..., {x1.shape[-1]}, K)"
        )
    return _TRANSPOSITIONS[trans]


def _lower(x1: Array, x2: Array, unit: bool) -> Array:
    """Solve for the upper half of the unknowns, and with these for the lower half."""
    size = x1.shape[-1]
    if size == 0:
        return x2 + xp.zeros((*x1.shape[:-2], 0, 1), dtype=x2.dtype, device=x2.device)
    if size == 1:
        return x2 / (xp.ones_like(x1) if unit else x1)
    half = size // 2
    first = _lower(x1[..., :half, :half], x2[..., :half, :], unit)
    rest = x2[..., half:, :] - x1[..., half:, :half] @ first
    return xp.concat([first, _lower(x1[..., half:, half:], rest, unit)], axis=-2)


def _upper(x1: Array, x2: Array, unit: bool) -> Array:
    """Solve for the lower half of the unknowns, and with these for the upper half."""
    size = x1.shape[-1]
    if size < 2:
        return _lower(x1, x2, unit)
    half = size // 2
    last = _upper(x1[..., half:, half:], x2[..., half:, :], unit)
    rest = x2[..., :half, :] - x1[..., :half, half:] @ last
    return xp.concat([_upper(x1[..., :half, :half], rest, unit), last], axis=-2)


def _lu(x: Array) -> tuple[Array, Array, Array]:
    """Return both factors in one array, the pivots, and the order of the rows that they make."""
    rows, columns = x.shape[-2:]
    if columns == 1:
        places = xp.arange(rows, device=x.device)
        size = xp.abs(xp.real(x)) + xp.abs(xp.imag(x)) if xp.isdtype(x.dtype, "complex floating") else xp.abs(x)
        pivots = xp.argmax(size[..., 0], axis=-1, keepdims=True)
        order = xp.where(places == 0, pivots, xp.where(places == pivots, 0, places))
        x = _rows(x, order)
        first = x[..., :1, :]
        return xp.concat([first, x[..., 1:, :] / xp.where(first == 0, 1.0, first)], axis=-2), pivots, order
    half = rows if columns > rows else columns // 2
    left, pivots, order = _lu(x[..., :half])
    right = _rows(x[..., half:], order)
    upper = _lower(left[..., :half, :], right[..., :half, :], unit=True)
    if half == rows:
        return xp.concat([left, upper], axis=-1), pivots, order
    low, more, again = _lu(right[..., half:, :] - left[..., half:, :] @ upper)
    top = xp.concat([left[..., :half, :], upper], axis=-1)
    bottom = xp.concat([_rows(left[..., half:, :], again), low], axis=-1)
    order = xp.concat([order[..., :half], xp.take_along_axis(order[..., half:], again, axis=-1)], axis=-1)
    return xp.concat([top, bottom], axis=-2), xp.concat([pivots, more + half], axis=-1), order


def _rows(x: Array, order: Array) -> Array:
    """Return matrices with their rows in another order; the axes in front broadcast."""
    if x.ndim == 2 and order.ndim == 1:
        return xp.take(x, order, axis=0)
    batch = xp.broadcast_shapes(x.shape[:-2], order.shape[:-1])
    x = xp.broadcast_to(x, (*batch, *x.shape[-2:]))
    places = xp.broadcast_to(order[..., None], (*batch, order.shape[-1], x.shape[-1]))
    return xp.take_along_axis(x, places, axis=-2)


def _order_of(pivots: Array) -> Array:
    """Return the order of rows that exchanging them makes."""
    size = pivots.shape[-1]
    pivots = xp.astype(pivots, xp.int64)
    pivots = xp.where(pivots < -size, size, xp.where(pivots < 0, pivots + size, pivots))  # no row stays none
    places = xp.arange(size, dtype=pivots.dtype, device=pivots.device)
    order = xp.broadcast_to(places, pivots.shape)
    for place in range(size):
        other = pivots[..., place : place + 1]
        moved = xp.take_along_axis(order, other, axis=-1)
        order = xp.where(places == other, order[..., place : place + 1], order)
        order = xp.where(places == place, moved, order)
    return order


def _pade(degree: int, power: int) -> float:
    """Return a coefficient of the Pade approximant of the exponential, the first of which is 1."""
    upper = math.factorial(2 * degree - power) * math.factorial(degree)
    return upper / (math.factorial(2 * degree) * math.factorial(power) * math.factorial(degree - power))


# --- three diagonals


def _check_tridiagonal(name: str, d: Array, e: Array, select: str, select_range: tuple[float, float] | None) -> None:
    """Refuse what does not match."""
    if d.ndim == 0 or e.ndim != d.ndim or e.shape != (*d.shape[:-1], max(d.shape[-1] - 1, 0)):
        raise CoreArrayValueError(
            f"'{name}' got diagonals of the shapes {tuple(d.shape)} and {tuple(e.shape)}; the second is one shorter"
        )
    if select not in ("a", "i", "v"):
        raise CoreArrayValueError(f"'{name}' got select={select!r}; it is 'a', 'i' or 'v'")
    if select == "v" and d.ndim > 1:
        raise CoreArrayValueError(f"'{name}' got select='v' for an array of shape {tuple(d.shape)}; give one matrix")
    size = d.shape[-1]
    if select != "a" and (
        select_range is None
        or len(select_range) != 2
        or not select_range[0] <= select_range[1]
        or (select == "i" and not 0 <= select_range[0] <= select_range[1] < size)
    ):
        wanted = f"two indices from 0 to {size - 1}" if select == "i" else "two bounds"
        raise CoreArrayValueError(f"'{name}' got select_range={select_range!r}; give {wanted} in ascending order")


def _tridiagonal(d: Array, e: Array) -> Array:
    """Return the matrices with these diagonals."""
    size = d.shape[-1]
    places = xp.arange(size, device=d.device)
    across = places[:, None] - places
    if size < 2:
        return d[..., None]
    edge = xp.zeros((*d.shape[:-1], 1), dtype=d.dtype, device=d.device)
    above, below = xp.concat([edge, e], axis=-1)[..., None, :], xp.concat([e, edge], axis=-1)[..., None, :]
    off = xp.where(across == -1, above, xp.where(across == 1, below, 0.0))
    return xp.where(across == 0, d[..., None, :], off)


def _selected(x: Array, values: Array, select: str, select_range: tuple[float, float] | None) -> Array:
    """Return what belongs to the eigenvalues that were asked for, along the last axis."""
    if select_range is None or select == "a":
        return x
    low, high = select_range
    if select == "i":
        return x[..., int(low) : int(high) + 1]
    return xp.take(x, xp.nonzero((values > low) & (values <= high))[0], axis=-1)
