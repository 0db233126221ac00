"""Linear algebra on the last two axes; all axes before them are batch axes.

The matrix product, the factorisations (`cholesky`, `eig`, `eigh`, `qr`, `svd`), `solve` and `det` are primary. The rest
is composed: inverses of `solve`, ranks and pseudo-inverses of singular values. `slogdet` reads the diagonal of a QR
factor, so that the determinant itself cannot overflow or underflow.

A matrix with NaN or an infinity has NaN for its decompositions, determinant, inverse, solution, condition and spectral
norms, and the rank 0. The other matrices of the batch are right, and no error is raised. Products and the other norms follow
IEEE 754.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from corearray.contract.declaration import declare
from corearray.functional.manipulation import _places
from corearray.functional.precision import _is_half, _smallest
from corearray.types.namedtuples import NamedTuple

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.types.dtypes import DType

__all__ = [
    "EigResult",
    "EighResult",
    "QRResult",
    "SVDResult",
    "SlogdetResult",
    "cholesky",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]


class EigResult(NamedTuple):
    """Result of `eig`.

    Attributes
    ----------
    eigenvalues
        Complex array of shape `(..., M)`, in no particular order.
    eigenvectors
        Complex array of shape `(..., M, M)`, whose column `i` belongs to eigenvalue `i`.
    """

    eigenvalues: Array
    eigenvectors: Array


class EighResult(NamedTuple):
    """Result of `eigh`.

    Attributes
    ----------
    eigenvalues
        Real array of shape `(..., M)`, in no particular order.
    eigenvectors
        Array of shape `(..., M, M)`, whose column `i` belongs to eigenvalue `i`; the columns are orthonormal.
    """

    eigenvalues: Array
    eigenvectors: Array


class QRResult(NamedTuple):
    """Result of `qr`.

    Attributes
    ----------
    Q
        Array of shape `(..., M, K)` with orthonormal columns.
    R
        Array of shape `(..., K, N)`, upper triangular.
    """

    Q: Array
    R: Array


class SVDResult(NamedTuple):
    """Result of `svd`.

    Attributes
    ----------
    U
        Array of shape `(..., M, M)` or `(..., M, K)` with orthonormal columns.
    S
        Real array of shape `(..., K)`: the singular values, from the largest to the smallest.
    Vh
        Array of shape `(..., N, N)` or `(..., K, N)` with orthonormal rows.
    """

    U: Array
    S: Array
    Vh: Array


class SlogdetResult(NamedTuple):
    """Result of `slogdet`.

    Attributes
    ----------
    sign
        Array of the dtype of the matrix: a number of absolute value 1, or 0.
    logabsdet
        Real array: natural logarithm of the absolute value of the determinant.
    """

    sign: Array
    logabsdet: Array


@declare(floating=True, namespace="linalg", gives="same")
def cholesky(x: Array, /, *, upper: bool = False) -> Array:
    """Compute the triangular factor `L` of positive definite matrices `L L^H`.

    Parameters
    ----------
    x
        Array of shape `(..., M, M)`: symmetric or Hermitian, positive definite matrices. Integers are
        computed in the default real dtype.
    upper
        Whether to return `U = L^H` instead, with `x = U^H U`.

    Returns
    -------
    Array of the shape and dtype of `x`, zero on the other side of the diagonal, which is real and positive.

    Raises
    ------
    LinAlgError
        If a matrix is not positive definite; backends that compile return NaN instead.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.linalg.cholesky(ca.asarray([[4.0, 2.0], [2.0, 5.0]])).tolist()
    [[2.0, 0.0], [1.0, 2.0]]

    Notes
    -----
    Only one triangle of `x` may be read. Array API standard 2025.12, `cholesky`.
    """
    ...


@declare(promote=("x1", "x2"), namespace="linalg", gives="same")
def cross(x1: Array, x2: Array, /, *, axis: int = -1) -> Array:
    """Compute the cross product of vectors with three components.

    Parameters
    ----------
    x1, x2
        Numeric arrays, broadcastable with each other but for `axis`, which has length 3 in both.
    axis
        Axis with the components, counted from the end: -1 is the last axis of each array.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype.

    Raises
    ------
    IndexError
        If an array has no such axis.
    ValueError
        If the axis has another length.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.linalg.cross(ca.asarray([1, 0, 0]), ca.asarray([0, 1, 0])).tolist()
    [0, 0, 1]

    Notes
    -----
    A non-negative `axis` is taken where both arrays have equally many axes. Array API standard 2025.12,
    `cross`.
    """
    place = _shared_axis(x1, x2, axis, "cross")
    if x1.shape[place] != 3 or x2.shape[place] != 3:
        raise ValueError(
            f"'cross' got arrays of the shapes {tuple(x1.shape)} and {tuple(x2.shape)}; "
            f"axis {axis} must have length 3 in both"
        )
    first, second = xp.moveaxis(x1, place, -1), xp.moveaxis(x2, place, -1)
    a, b, c = (first[..., i] for i in range(3))
    d, e, f = (second[..., i] for i in range(3))
    return xp.moveaxis(xp.stack([b * f - c * e, c * d - a * f, a * e - b * d], axis=-1), -1, place)


@declare(floating=True, namespace="linalg", gives="same")
def det(x: Array, /) -> Array:
    """Compute determinants of square matrices.

    Parameters
    ----------
    x
        Array of shape `(..., M, M)`; integers are computed in the default real dtype.

    Returns
    -------
    Array of shape `(...)` and the dtype of `x`; 1 for matrices without elements.

    Raises
    ------
    ValueError
        If the matrices are not square.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.linalg.det(ca.asarray([[2.0, 1.0], [4.0, 5.0]])).tolist()
    6.0

    Notes
    -----
    `slogdet` has no overflow where the determinant is huge or tiny. Array API standard 2025.12, `det`.
    """
    ...


@declare(namespace="linalg", main=True, gives="same")
def diagonal(x: Array, /, *, offset: int = 0) -> Array:
    """Return the diagonals of matrices.

    Parameters
    ----------
    x
        Array of shape `(..., M, N)`, of any dtype.
    offset
        Index of the diagonal: 0 for the main diagonal, positive above it, negative below.

    Returns
    -------
    Array of the dtype of `x` and shape `(..., K)`, where `K` is the length of the diagonal, 0 if it lies
    outside.

    Raises
    ------
    ValueError
        If `x` has fewer than two axes.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.linalg.diagonal(ca.asarray([[1, 2], [3, 4]])).tolist()
    [1, 4]

    Notes
    -----
    Array API standard 2025.12, `diagonal`.
    """
    _require_matrices(x, "diagonal")
    *batch, rows, columns = x.shape
    length = max(0, min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns))
    start = offset if offset >= 0 else -offset * columns
    stop = start + (length - 1) * (columns + 1) + 1
    flat = xp.reshape(x, (*batch, rows * columns))
    return flat[..., start : stop : columns + 1] if length else flat[..., :0]


@declare(floating=True, namespace="linalg")
def eig(x: Array, /) -> EigResult:
    """Compute eigenvalues and eigenvectors of square matrices.

    Parameters
    ----------
    x
        Array of shape `(..., M, M)`; integers are computed in the default real dtype.

    Returns
    -------
    `EigResult(eigenvalues, eigenvectors)`: arrays of the shapes `(..., M)` and `(..., M, M)`, complex and as
    precise as `x`, with `x @ eigenvectors` equal to `eigenvectors * eigenvalues[..., None, :]`.

    Raises
    ------
    ValueError
        If the matrices are not square.

    Examples
    --------
    >>> import corearray as ca
    >>> found = ca.linalg.eig(ca.asarray([[2.0, 0.0], [0.0, 3.0]]))
    >>> sorted(ca.real(found.eigenvalues).tolist())
    [2.0, 3.0]

    Notes
    -----
    For symmetric and Hermitian matrices prefer `eigh`. Array API standard 2025.12, `eig`.
    """
    ...


@declare(floating=True, namespace="linalg")
def eigh(x: Array, /) -> EighResult:
    """Compute eigenvalues and eigenvectors of symmetric or Hermitian matrices.

    Parameters
    ----------
    x
        Array of shape `(..., M, M)`; integers are computed in the default real dtype.

    Returns
    -------
    `EighResult(eigenvalues, eigenvectors)`: a real array of shape `(..., M)`, as precise as `x`, and an array
    of the shape and dtype of `x` whose columns are orthonormal.

    Raises
    ------
    ValueError
        If the matrices are not square.

    Examples
    --------
    >>> import corearray as ca
    >>> found = ca.linalg.eigh(ca.asarray([[2.0, 0.0], [0.0, 3.0]]))
    >>> sorted(found.eigenvalues.tolist())
    [2.0, 3.0]

    Notes
    -----
    Only one triangle of `x` may be read. Array API standard 2025.12, `eigh`.
    """
    ...


@declare(floating=True, namespace="linalg")
def eigvals(x: Array, /) -> Array:
    """Compute eigenvalues of square matrices.

    Parameters
    ----------
    x
        Array of shape `(..., M, M)`; integers are computed in the default real dtype.

    Returns
    -------
    Complex array of shape `(..., M)`, as precise as `x`, in no particular order.

    Raises
    ------
    ValueError
        If the matrices are not square.

    Examples
    --------
    >>> import corearray as ca
    >>> sorted(ca.real(ca.linalg.eigvals(ca.asarray([[2.0, 0.0], [0.0, 3.0]]))).tolist())
    [2.0, 3.0]

    Notes
    -----
    For symmetric and Hermitian matrices prefer `eigvalsh`. Array API standard 2025.12, `eigvals`.
    """
    _require_square(x, "eigvals")
    return xp.linalg.eig(x).eigenvalues


@declare(floating=True, namespace="linalg")
def eigvalsh(x: Array, /) -> Array:
    """Compute eigenvalues of symmetric or Hermitian matrices.

    Parameters
    ----------
    x
        Array of shape `(..., M, M)`; integers are computed in the default real dtype.

    Returns
    -------
    Real array of shape `(..., M)`, as precise as `x`, in no particular order.

    Raises
    ------
    ValueError
        If the matrices are not square.

    Examples
    --------
    >>> import corearray as ca
    >>> sorted(ca.linalg.eigvalsh(ca.asarray([[2.0, 0.0], [0.0, 3.0]])).tolist())
    [2.0, 3.0]

    Notes
    -----
    Only one triangle of `x` may be read. Array API standard 2025.12, `eigvalsh`.
    """
    _require_square(x, "eigvalsh")
    return xp.linalg.eigh(x).eigenvalues


@declare(floating=True, namespace="linalg", gives="same")
def inv(x: Array, /) -> Array:
    """Compute inverses of square matrices.

    Parameters
    ----------
    x
        Array of shape `(..., M, M)`; integers are computed in the default real dtype.

    Returns
    -------
    Array of the shape and dtype of `x`.

    Raises
    ------
    ValueError
        If the matrices are not square.
    LinAlgError
        If a matrix is singular; backends that compile return infinities or NaN instead.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([[2.0, 0.0], [0.0, 4.0]])
    >>> (x @ ca.linalg.inv(x)).tolist()
    [[1.0, 0.0], [0.0, 1.0]]

    Notes
    -----
    To apply an inverse, `solve` is faster and more precise. Array API standard 2025.12, `inv`.
    """
    _require_square(x, "inv")
    identity = xp.eye(x.shape[-1], dtype=x.dtype, device=x.device)
    return xp.linalg.solve(x, xp.broadcast_to(identity, tuple(x.shape)))


@declare(promote=("x1", "x2"), namespace="linalg", main=True, gives="same")
def matmul(x1: Array, x2: Array, /, out: Array | None = None) -> Array:
    """Compute the matrix product `x1 @ x2`.

    Parameters
    ----------
    x1
        Numeric array of shape `(..., M, K)`, or `(K,)`: a row.
    x2
        Numeric array of shape `(..., K, N)`, or `(K,)`: a column. The axes in front broadcast with those of
        `x1`.
    out
        Array that receives the result.

    Returns
    -------
    Array of shape `(..., M, N)` and the promoted dtype; the axis of a row or column is left out. Nothing is
    conjugated.

    Raises
    ------
    ValueError
        If an array has no axes or the lengths `K` differ.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.matmul(ca.asarray([[1, 2], [3, 4]]), ca.asarray([1, 1])).tolist()
    [3, 7]

    Notes
    -----
    Array API standard 2025.12, `matmul`.
    """
    ...


@declare(floating=True, namespace="linalg")
def matrix_norm(
    x: Array, /, *, keepdims: bool = False, ord: int | float | Literal["fro", "nuc"] | None = "fro"
) -> Array:
    """Compute norms of matrices.

    Parameters
    ----------
    x
        Array of shape `(..., M, N)`; integers are computed in the default real dtype.
    keepdims
        Whether the last two axes stay with length one.
    ord
        `"fro"`: root of the sum of squares (also `None`). `"nuc"`: sum of the singular values. 2 and -2:
        largest and smallest singular value. 1 and -1: largest and smallest sum of absolute values of a
        column. `inf` and `-inf`: the same of a row.

    Returns
    -------
    Real array of shape `(...)`, as precise as `x`.

    Raises
    ------
    ValueError
        If `ord` is something else or `x` has fewer than two axes.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([[3.0, 0.0], [0.0, -4.0]])
    >>> ca.linalg.matrix_norm(x).tolist(), ca.linalg.matrix_norm(x, ord=1).tolist()
    (5.0, 4.0)

    Notes
    -----
    Array API standard 2025.12, `matrix_norm`.
    """
    _require_matrices(x, "matrix_norm")
    if ord is None or ord == "fro":
        return xp.linalg.vector_norm(x, axis=(-2, -1), keepdims=keepdims)
    if ord in ("nuc", 2, -2):
        parts = xp.linalg.svdvals(x)
    elif ord in (1, -1):
        parts = xp.sum(xp.abs(x), axis=-2)
    elif ord in (math.inf, -math.inf):
        parts = xp.sum(xp.abs(x), axis=-1)
    else:
        raise ValueError(f"'matrix_norm' got ord={ord!r}; it is 'fro', 'nuc', 1, -1, 2, -2, inf or -inf")
    if ord == "nuc":
        norm = xp.sum(parts, axis=-1)
    else:
        norm = _extreme(parts, (parts.ndim - 1,), ord)
    return xp.expand_dims(norm, axis=(-2, -1)) if keepdims else norm


@declare(floating=True, namespace="linalg", gives="same")
def matrix_power(x: Array, n: int, /) -> Array:
    """Raise square matrices to an integer power.

    Parameters
    ----------
    x
        Array of shape `(..., M, M)`; integers are computed in the default real dtype.
    n
        Exponent; 0 gives identity matrices, a negative one takes the inverse first.

    Returns
    -------
    Array of the shape and dtype of `x`.

    Raises
    ------
    TypeError
        If `n` is not an integer.
    ValueError
        If the matrices are not square.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.linalg.matrix_power(ca.asarray([[1.0, 1.0], [0.0, 1.0]]), 5).tolist()
    [[1.0, 5.0], [0.0, 1.0]]

    Notes
    -----
    By repeated squaring. Array API standard 2025.12, `matrix_power`.
    """
    _require_square(x, "matrix_power")
    left = operator.index(n)
    if left == 0:
        return xp.zeros_like(x) + xp.eye(x.shape[-1], dtype=x.dtype, device=x.device)
    if left == 1:
        return xp.astype(x, x.dtype, copy=True)
    square = xp.linalg.inv(x) if left < 0 else x
    left = abs(left)
    while not left & 1:
        left, square = left >> 1, square @ square
    power = square
    while left > 1:
        left, square = left >> 1, square @ square
        if left & 1:
            power = power @ square
    return power


@declare(floating=True, namespace="linalg")
def matrix_rank(x: Array, /, *, rtol: float | Array | None = None) -> Array:
    """Compute ranks of matrices: the number of singular values above a tolerance.

    Parameters
    ----------
    x
        Array of shape `(..., M, N)`; integers are computed in the default real dtype.
    rtol
        Share of the largest singular value up to which one counts as zero: a number, or a real array
        broadcastable with shape `(...)`. By default `max(M, N)` times the machine epsilon of `x`.

    Returns
    -------
    Array of shape `(...)` and the default integer dtype.

    Raises
    ------
    ValueError
        If `x` has fewer than two axes.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.linalg.matrix_rank(ca.asarray([[1.0, 1.0], [1.0, 1.0]])).tolist()
    1

    Notes
    -----
    Array API standard 2025.12, `matrix_rank`.
    """
    _require_matrices(x, "matrix_rank")
    values = xp.linalg.svdvals(x)
    counted = values > _largest_zero(values, max(x.shape[-2:]), rtol)
    return xp.sum(xp.astype(counted, _smallest()), axis=-1)


@declare(namespace="linalg", main=True, gives="same")
def matrix_transpose(x: Array, /) -> Array:
    """Transpose matrices, as `x.mT` does.

    Parameters
    ----------
    x
        Array of shape `(..., M, N)`, of any dtype.

    Returns
    -------
    Array of shape `(..., N, M)` and the dtype of `x`. Nothing is conjugated.

    Raises
    ------
    ValueError
        If `x` has fewer than two axes.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.matrix_transpose(ca.asarray([[1, 2], [3, 4]])).tolist()
    [[1, 3], [2, 4]]

    Notes
    -----
    Array API standard 2025.12, `matrix_transpose`.
    """
    _require_matrices(x, "matrix_transpose")
    return xp.permute_dims(x, (*range(x.ndim - 2), x.ndim - 1, x.ndim - 2))


@declare(promote=("x1", "x2"), namespace="linalg", gives="same")
def outer(x1: Array, x2: Array, /, out: Array | None = None) -> Array:
    """Compute the outer product of two vectors.

    Parameters
    ----------
    x1
        Numeric array of shape `(N,)`.
    x2
        Numeric array of shape `(M,)`.
    out
        Array that receives the result.

    Returns
    -------
    Array of shape `(N, M)` and the promoted dtype. Nothing is conjugated.

    Raises
    ------
    ValueError
        If an array is not one-dimensional.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.linalg.outer(ca.asarray([1, 2]), ca.asarray([3, 4])).tolist()
    [[3, 4], [6, 8]]

    Notes
    -----
    Array API standard 2025.12, `outer`.
    """
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(
            f"'outer' got arrays of the shapes {tuple(x1.shape)} and {tuple(x2.shape)}; "
            "both must have one axis, for others use tensordot(x1, x2, axes=0)"
        )
    return x1[:, None] * x2[None, :]


@declare(floating=True, namespace="linalg", gives="same")
def pinv(x: Array, /, *, rtol: float | Array | None = None) -> Array:
    """Compute Moore-Penrose pseudo-inverses of matrices.

    Parameters
    ----------
    x
        Array of shape `(..., M, N)`; integers are computed in the default real dtype.
    rtol
        Share of the largest singular value up to which one counts as zero: a number, or a real array
        broadcastable with shape `(...)`. By default `max(M, N)` times the machine epsilon of `x`.

    Returns
    -------
    Array of shape `(..., N, M)` and the dtype of `x`.

    Raises
    ------
    ValueError
        If `x` has fewer than two axes.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.abs(ca.linalg.pinv(ca.asarray([[2.0, 0.0], [0.0, 0.0]]))).tolist()
    [[0.5, 0.0], [0.0, 0.0]]

    Notes
    -----
    Array API standard 2025.12, `pinv`.
    """
    _require_matrices(x, "pinv")
    left, values, right = xp.linalg.svd(x, full_matrices=False)
    kept = values > _largest_zero(values, max(x.shape[-2:]), rtol)
    inverses = xp.where(kept, 1.0 / xp.where(kept, values, 1.0), 0.0)
    return (_adjoint(right) * inverses[..., None, :]) @ _adjoint(left)


@declare(floating=True, namespace="linalg")
def qr(x: Array, /, *, mode: Literal["reduced", "complete"] = "reduced") -> QRResult:
    """Compute the QR factorisation: a matrix with orthonormal columns and an upper triangular matrix.

    Parameters
    ----------
    x
        Array of shape `(..., M, N)`; integers are computed in the default real dtype.
    mode
        `"reduced"`: `K = min(M, N)` columns; `"complete"`: `K = M`.

    Returns
    -------
    `QRResult(Q, R)`: arrays of the shapes `(..., M, K)` and `(..., K, N)` and the dtype of `x`, with `Q @ R`
    equal to `x`.

    Raises
    ------
    ValueError
        If `mode` is something else.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.abs(ca.linalg.qr(ca.asarray([[2.0, 0.0], [0.0, 3.0]])).R).tolist()
    [[2.0, 0.0], [0.0, 3.0]]

    Notes
    -----
    The signs on the diagonal of `R` are up to the backend. Array API standard 2025.12, `qr`.
    """
    ...


@declare(floating=True, namespace="linalg")
def slogdet(x: Array, /) -> SlogdetResult:
    """Compute signs and logarithms of the absolute values of determinants.

    Parameters
    ----------
    x
        Array of shape `(..., M, M)`; integers are computed in the default real dtype.

    Returns
    -------
    `SlogdetResult(sign, logabsdet)`: an array of the dtype of `x` and a real one, of shape `(...)`; the
    determinant is `sign * exp(logabsdet)`. Zero has the sign 0 and the logarithm `-inf`.

    Raises
    ------
    ValueError
        If the matrices are not square.

    Examples
    --------
    >>> import corearray as ca
    >>> sign, logarithm = ca.linalg.slogdet(ca.asarray([[0.0, 1.0], [1.0, 0.0]]))
    >>> sign.tolist(), ca.abs(logarithm).tolist()
    (-1.0, 0.0)

    Notes
    -----
    Array API standard 2025.12, `slogdet`.
    """
    _require_square(x, "slogdet")
    if x.shape[-1] == 0:
        ones = xp.ones(x.shape[:-2], dtype=x.dtype, device=x.device)
        return SlogdetResult(ones, xp.zeros_like(xp.abs(ones)))
    orthonormal, triangle = xp.linalg.qr(x)
    factors = xp.linalg.diagonal(triangle)
    sign = xp.sign(xp.linalg.det(orthonormal)) * xp.prod(xp.sign(factors), axis=-1)
    return SlogdetResult(sign, xp.sum(xp.log(xp.abs(factors)), axis=-1))


@declare(promote=("x1", "x2"), floating=True, namespace="linalg", gives="same")
def solve(x1: Array, x2: Array, /) -> Array:
    """Solve the linear equations `x1 @ x = x2`.

    Parameters
    ----------
    x1
        Array of shape `(..., M, M)`: invertible matrices.
    x2
        Array of shape `(M,)`, one right-hand side, or `(..., M, K)`, one in each column. The axes in front
        broadcast with those of `x1`.

    Returns
    -------
    Array of shape `(..., M)` or `(..., M, K)` and the promoted dtype; integers are computed in the default
    real dtype.

    Raises
    ------
    ValueError
        If the matrices are not square or the lengths `M` differ.
    LinAlgError
        If a matrix is singular; backends that compile return infinities or NaN instead.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.linalg.solve(ca.asarray([[2.0, 0.0], [0.0, 4.0]]), ca.asarray([2.0, 2.0])).tolist()
    [1.0, 0.5]

    Notes
    -----
    Only an `x2` with exactly one axis is a vector. Array API standard 2025.12, `solve`.
    """
    ...


@declare(floating=True, namespace="linalg")
def svd(x: Array, /, *, full_matrices: bool = True) -> SVDResult:
    """Compute the singular value decomposition of matrices.

    Parameters
    ----------
    x
        Array of shape `(..., M, N)`; integers are computed in the default real dtype.
    full_matrices
        Whether `U` and `Vh` are square; otherwise they have `K = min(M, N)` columns and rows.

    Returns
    -------
    `SVDResult(U, S, Vh)`: arrays of the dtype of `x` and of shape `(..., M, M)` or `(..., M, K)`, a real one
    of shape `(..., K)` in descending order, and one of shape `(..., N, N)` or `(..., K, N)`. With
    `full_matrices=False`, `U * S[..., None, :] @ Vh` equals `x`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.linalg.svd(ca.asarray([[2.0, 0.0], [0.0, 3.0]])).S.tolist()
    [3.0, 2.0]

    Notes
    -----
    The singular vectors are determined up to a sign or phase. Array API standard 2025.12, `svd`.
    """
    ...


@declare(floating=True, namespace="linalg")
def svdvals(x: Array, /) -> Array:
    """Compute singular values of matrices.

    Parameters
    ----------
    x
        Array of shape `(..., M, N)`; integers are computed in the default real dtype.

    Returns
    -------
    Real array of shape `(..., min(M, N))`, as precise as `x`, in descending order.

    Raises
    ------
    ValueError
        If `x` has fewer than two axes.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.linalg.svdvals(ca.asarray([[2.0, 0.0], [0.0, 3.0]])).tolist()
    [3.0, 2.0]

    Notes
    -----
    Array API standard 2025.12, `svdvals`.
    """
    _require_matrices(x, "svdvals")
    return xp.linalg.svd(x, full_matrices=False).S


@declare(promote=("x1", "x2"), namespace="linalg", main=True, gives="same")
def tensordot(x1: Array, x2: Array, /, *, axes: int | tuple[int | Sequence[int], int | Sequence[int]] = 2) -> Array:
    """Contract two arrays over pairs of axes.

    Parameters
    ----------
    x1, x2
        Numeric arrays.
    axes
        A number `n`: the last `n` axes of `x1` are paired with the first `n` of `x2`. Or the axis or axes of
        `x1` and, in the same order, those of `x2`. Paired axes have equal lengths.

    Returns
    -------
    Array of the promoted dtype, with the axes of `x1` and then of `x2` that are not paired. Nothing is
    conjugated.

    Raises
    ------
    IndexError
        If an array has no such axis.
    ValueError
        If the axes do not match in number or length.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.tensordot(ca.asarray([[1, 2], [3, 4]]), ca.asarray([1, 1]), axes=1).tolist()
    [3, 7]

    Notes
    -----
    Array API standard 2025.12, `tensordot`.
    """
    if isinstance(axes, Sequence):
        first, second = (_places(a, x.ndim, "tensordot") for a, x in zip(axes, (x1, x2), strict=True))
    elif 0 <= axes <= min(x1.ndim, x2.ndim):
        first, second = tuple(range(x1.ndim - axes, x1.ndim)), tuple(range(axes))
    else:
        raise ValueError(
            f"'tensordot' got axes={axes} for arrays with {x1.ndim} and {x2.ndim} axes; "
            f"the number is 0 to {min(x1.ndim, x2.ndim)}"
        )
    lengths, others = [x1.shape[i] for i in first], [x2.shape[i] for i in second]
    if lengths != others:
        raise ValueError(
            f"'tensordot' got arrays of the shapes {tuple(x1.shape)} and {tuple(x2.shape)} with the axes "
            f"{first} and {second}, of lengths {lengths} and {others}; "
            "give as many axes of both, with equal lengths"
        )
    rows = [i for i in range(x1.ndim) if i not in first]
    columns = [i for i in range(x2.ndim) if i not in second]
    left, right = [x1.shape[i] for i in rows], [x2.shape[i] for i in columns]
    inner = math.prod(lengths)
    one = xp.reshape(xp.permute_dims(x1, (*rows, *first)), (math.prod(left), inner))
    two = xp.reshape(xp.permute_dims(x2, (*second, *columns)), (inner, math.prod(right)))
    return xp.reshape(xp.matmul(one, two), (*left, *right))


@declare(infer="sum", namespace="linalg", main=True, gives="same")
def trace(x: Array, /, *, offset: int = 0, dtype: DType | None = None, out: Array | None = None) -> Array:
    """Compute the sums of the diagonals of matrices.

    Parameters
    ----------
    x
        Numeric array of shape `(..., M, N)`.
    offset
        Index of the diagonal: 0 for the main diagonal, positive above it, negative below.
    dtype
        Dtype to which `x` is cast first; by default that of `x`, and for integers at least the default
        integer dtype of their kind.
    out
        Array that receives the result.

    Returns
    -------
    Array of shape `(...)`, of the given or inferred dtype; zero where the diagonal has no elements.

    Raises
    ------
    ValueError
        If `x` has fewer than two axes.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.linalg.trace(ca.asarray([[1, 2], [3, 4]])).tolist()
    5

    Notes
    -----
    Array API standard 2025.12, `trace`.
    """
    _require_matrices(x, "trace")
    return xp.sum(xp.linalg.diagonal(x, offset=offset), axis=-1, dtype=dtype)


@declare(promote=("x1", "x2"), namespace="linalg", main=True, gives="same")
def vecdot(x1: Array, x2: Array, /, *, axis: int = -1, out: Array | None = None) -> Array:
    """Compute dot products of vectors; a complex first vector is conjugated.

    Parameters
    ----------
    x1, x2
        Numeric arrays, broadcastable with each other but for `axis`, which has one length in both.
    axis
        Axis with the components, counted from the end: -1 is the last axis of each array.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape without `axis`, of the promoted dtype.

    Raises
    ------
    IndexError
        If an array has no such axis.
    ValueError
        If the lengths of the axis differ.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.vecdot(ca.asarray([[1, 2], [3, 4]]), ca.asarray([1, 1])).tolist()
    [3, 7]

    Notes
    -----
    A non-negative `axis` is taken where both arrays have equally many axes. Array API standard 2025.12,
    `vecdot`.
    """
    place = _shared_axis(x1, x2, axis, "vecdot")
    if x1.shape[place] != x2.shape[place]:
        raise ValueError(
            f"'vecdot' got arrays of the shapes {tuple(x1.shape)} and {tuple(x2.shape)}; "
            f"axis {axis} must have the same length in both"
        )
    first, second = xp.moveaxis(x1, place, -1), xp.moveaxis(x2, place, -1)
    if xp.isdtype(x1.dtype, "complex floating"):
        first = xp.conj(first)
    products = first * second
    return xp.sum(products, axis=-1, dtype=products.dtype)


@declare(floating=True, namespace="linalg")
def vector_norm(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    ord: int | float = 2,
) -> Array:
    """Compute norms of vectors.

    Parameters
    ----------
    x
        Array of any shape; integers are computed in the default real dtype.
    axis
        Axis or axes whose elements make up a vector; by default all.
    keepdims
        Whether these axes stay with length one.
    ord
        `inf` and `-inf`: largest and smallest absolute value. 0: how many elements are not zero. Any other
        number `p`: `sum(abs(x)**p)**(1/p)`.

    Returns
    -------
    Real array of the shape of `x` without these axes, as precise as `x`.

    Raises
    ------
    IndexError
        If `x` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([3.0, -4.0])
    >>> ca.linalg.vector_norm(x).tolist(), ca.linalg.vector_norm(x, ord=1).tolist()
    (5.0, 7.0)

    Notes
    -----
    Powers are taken of scaled elements where they would overflow or vanish. Array API standard 2025.12,
    `vector_norm`.
    """
    places = tuple(range(x.ndim)) if axis is None else _places(axis, x.ndim, "vector_norm")
    if _is_half(x):
        wide = xp.linalg.vector_norm(xp.astype(x, xp.float32), axis=axis, keepdims=keepdims, ord=ord)
        return xp.astype(wide, x.dtype)
    sizes = xp.abs(x)
    if ord in (math.inf, -math.inf):
        return _extreme(sizes, places, ord, keepdims=keepdims)
    if ord in (0, 1):
        terms = sizes if ord else xp.astype(sizes != 0, sizes.dtype)
        return xp.sum(terms, axis=places, keepdims=keepdims)
    scale = 1.0 if 0 in [x.shape[i] for i in places] else _norm_scale(sizes, places, ord)
    if ord == 2:
        # Of the elements, not of their sizes, which have no second derivative at zero.
        if xp.isdtype(x.dtype, "complex floating"):
            squares = xp.square(xp.real(x) / scale) + xp.square(xp.imag(x) / scale)
        else:
            squares = xp.square(x / scale)
        total = xp.sum(squares, axis=places, keepdims=True)
        none = total == 0  # where the derivative is 0, and that of the root is infinite
        norm = xp.where(none, 0.0, xp.sqrt(xp.where(none, 1.0, total)))
    else:
        parts = sizes / scale
        if ord >= 2:
            powers = parts**ord
        else:
            zero = sizes == 0  # where the derivative is 0, and that of the power may be infinite
            powers = xp.where(zero, 0.0 if ord > 0 else math.inf, xp.where(zero, 1.0, parts) ** ord)
        total = xp.sum(powers, axis=places, keepdims=True)
        none = total == (0.0 if ord > 0 else math.inf)
        norm = xp.where(none, 0.0, xp.where(none, 1.0, total) ** (1 / ord))
    norm = norm * scale
    return norm if keepdims else xp.squeeze(norm, axis=places)


def _extreme(sizes: Array, places: tuple[int, ...], ord: float, *, keepdims: bool = False) -> Array:
    """Largest size for a positive `ord`, which is 0 if there is none, and the smallest for a negative one."""
    if ord < 0:
        return xp.min(sizes, axis=places, keepdims=keepdims)
    empty = 0 in [sizes.shape[place] for place in places]
    return (xp.sum if empty else xp.max)(sizes, axis=places, keepdims=keepdims)


def _norm_scale(sizes: Array, places: tuple[int, ...], ord: float) -> Array:
    """Choose what to divide by so that powers stay in range: the element that rules the sum, or 1."""
    ruling = _extreme(sizes, places, ord, keepdims=True)
    useful = (ruling > 0) & xp.isfinite(ruling)
    if ord == 2:
        limits = xp.finfo(sizes.dtype)
        low, high = math.sqrt(limits.smallest_normal / limits.eps), math.sqrt(limits.max * limits.eps)
        useful = useful & ((ruling < low) | (ruling > high))
    return xp.stop_gradient(xp.where(useful, ruling, 1.0))  # the norm does not depend on it


def _largest_zero(values: Array, length: int, rtol: float | Array | None) -> Array:
    """Bound up to which singular values count as zero, for each matrix."""
    if rtol is None:
        rtol = length * float(xp.finfo(values.dtype).eps)
    elif not isinstance(rtol, (int, float)):
        rtol = xp.expand_dims(rtol, axis=-1)
    return values[..., : min(1, values.shape[-1])] * rtol


def _adjoint(x: Array) -> Array:
    """Conjugated transpose."""
    return xp.matrix_transpose(xp.conj(x) if xp.isdtype(x.dtype, "complex floating") else x)


def _shared_axis(x1: Array, x2: Array, axis: int, name: str) -> int:
    """Count an axis of two arrays from the end, and refuse one that they do not both have."""
    shared = axis - x1.ndim if axis >= 0 and x1.ndim == x2.ndim else axis
    least = min(x1.ndim, x2.ndim)
    if not -least <= shared <= -1:
        raise IndexError(
            f"'{name}' got axis {axis} for arrays with {x1.ndim} and {x2.ndim} axes; "
            + (f"give one from {-least} to -1, counted from the end" if least else "both need at least one")
        )
    return shared


def _require_matrices(x: Array, name: str) -> None:
    if x.ndim < 2:
        raise ValueError(f"'{name}' got an array of shape {tuple(x.shape)}; it takes matrices, of shape (..., M, N)")


def _require_square(x: Array, name: str) -> None:
    if x.ndim < 2 or x.shape[-2] != x.shape[-1]:
        raise ValueError(
            f"'{name}' got an array of shape {tuple(x.shape)}; it takes square matrices, of shape (..., M, M)"
        )
