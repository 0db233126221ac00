"""Functions of matrices and matrix equations beyond the exponential.

Square roots come from an iteration, which has derivatives of every order and costs matrix products and inverses only. Half
precision and float32 are computed in float64 where there is one.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from corearray.contract.declaration import declare
from corearray.functional.linalg import _adjoint, _require_square
from corearray.functional.precision import _widest

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array

__all__ = [
    "logm",
    "solve_sylvester",
    "sqrtm",
]

#: Steps of the iteration for a square root: scaled, it reaches all digits for condition numbers up to 1e16.
_STEPS = 12

#: Steps for the roots of a root, which lie closer and closer to the identity.
_FURTHER_STEPS = (9, 7, 6)

#: The rule of Gauss and Legendre with 14 nodes on the interval from 0 to 1: distances from the middle, and weights.
_LEGENDRE = (
    (0.054027474353671834, 0.10763192673157897), (0.15955618446394487, 0.10259923186064786),
    (0.25762431817907705, 0.09276919873896894), (0.34364645240584274, 0.07860158357909681),
    (0.4136006575348825, 0.060759285343951655), (0.46421744183178676, 0.04007904357987999),
    (0.4931419043484062, 0.017559730165875875),
)  # fmt: skip


@declare(floating=True, namespace="linalg", gives="same")
def sqrtm(x: Array, /) -> Array:
    """Compute the principal square root of square matrices.

    Parameters
    ----------
    x
        Array of shape `(..., M, M)`; integers are computed in the default real dtype.

    Returns
    -------
    Array of the shape and dtype of `x`: the root whose eigenvalues have a positive real part. NaN for a matrix without such
    a root of this dtype, as a real matrix with a negative eigenvalue, and for one with elements that are not finite.

    Raises
    ------
    ValueError
        If the matrices are not square.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.round(ca.linalg.sqrtm(ca.asarray([[5.0, 4.0], [4.0, 5.0]]))).tolist()
    [[2.0, 1.0], [1.0, 2.0]]

    Notes
    -----
    Symmetric and Hermitian matrices may be singular. SciPy's `linalg.sqrtm`, which returns complex numbers where the root of a
    real matrix is complex; cast to a complex dtype first. N. J. Higham, "Functions of Matrices" (2008), algorithm 6.29:
    the product form of the iteration of Denman and Beavers, with scaling by determinants.
    """
    _require_square(x, "sqrtm")
    if x.shape[-1] == 0:
        return xp.positive(x)
    wide = _wide(x)
    safe, finite = _safe(wide)
    symmetric = _all(safe == _adjoint(safe))
    root, converged = _root(xp.where(symmetric, _identity(safe), safe), _STEPS)
    symmetric_root, positive = _symmetric_root(xp.where(symmetric, safe, _identity(safe)))
    found = xp.where(symmetric, symmetric_root, root)
    return xp.astype(xp.where(finite & xp.where(symmetric, positive, converged), found, math.nan), x.dtype)


@declare(floating=True, namespace="linalg", gives="same")
def logm(x: Array, /) -> Array:
    """Compute the principal logarithm of square matrices.

    Parameters
    ----------
    x
        Array of shape `(..., M, M)`; integers are computed in the default real dtype.

    Returns
    -------
    Array of the shape and dtype of `x`: the logarithm whose eigenvalues have an imaginary part between -pi and pi. NaN for a
    matrix without such a logarithm of this dtype, as a singular one or a real one with a negative eigenvalue, and for one
    with elements that are not finite.

    Raises
    ------
    ValueError
        If the matrices are not square.

    Examples
    --------
    >>> import corearray as ca
    >>> found = ca.linalg.logm(ca.asarray([[1.0, 3.0], [0.0, 1.0]]))
    >>> ca.round(100.0 * found).tolist()
    [[0.0, 300.0], [0.0, 0.0]]

    Notes
    -----
    The opposite of `matrix_exp`. SciPy's `linalg.logm`, which returns complex numbers where the logarithm of a real matrix is
    complex; cast to a complex dtype first. Inverse scaling and squaring: N. J. Higham, "Functions of Matrices" (2008),
    chapter 11, with four square roots and a Gauss-Legendre rule of 14 nodes.
    """
    _require_square(x, "logm")
    if x.shape[-1] == 0:
        return xp.positive(x)
    safe, finite = _safe(_wide(x))
    identity = _identity(safe)
    near = xp.max(xp.sum(xp.abs(safe - identity), axis=-2, keepdims=True), axis=-1, keepdims=True) < 0.25
    far = xp.where(near, identity, safe)
    # A common factor is taken out first, so that the roots are roots of a matrix with the determinant 1.
    size = xp.linalg.slogdet(xp.stop_gradient(far)).logabsdet / far.shape[-1]
    size = xp.where(xp.isfinite(size), size, 0.0)[..., None, None]
    root, converged = _root(far * _like(xp.exp(-size), far), _STEPS)
    for steps in _FURTHER_STEPS:
        root, _ = _root(root, steps)
    offset = xp.where(near, safe - identity, root - identity)
    total = xp.zeros_like(safe)
    for away, weight in _LEGENDRE:
        for node in (0.5 - away, 0.5 + away):
            total = total + weight * xp.linalg.solve(identity + node * offset, offset)
    found = xp.where(near, total, 16.0 * total + _like(size, far) * identity)
    return xp.astype(xp.where(finite & (near | converged), found, math.nan), x.dtype)


@declare(promote=("a", "b", "q"), floating=True, namespace="linalg", gives="same")
def solve_sylvester(a: Array, b: Array, q: Array, /) -> Array:
    """Solve the equation `a @ x + x @ b = q` of Sylvester.

    Parameters
    ----------
    a
        Array of shape `(..., M, M)`; integers are computed in the default real dtype.
    b
        Array of shape `(..., N, N)`.
    q
        Array of shape `(..., M, N)`. The axes in front broadcast.

    Returns
    -------
    Array `x` of shape `(..., M, N)` and the promoted floating dtype.

    Raises
    ------
    ValueError
        If the shapes do not fit together.
    LinAlgError
        If an eigenvalue of `a` is the negative of one of `b`, on backends that look at values; others return infinities or NaN.

    Examples
    --------
    >>> import corearray as ca
    >>> a, b = ca.asarray([[1.0, 0.0], [0.0, 3.0]]), ca.asarray([[1.0]])
    >>> ca.linalg.solve_sylvester(a, b, ca.asarray([[2.0], [8.0]])).tolist()
    [[1.0], [2.0]]

    Notes
    -----
    SciPy's `linalg.solve_sylvester`. The composition solves `M * N` equations at once, for which it needs `(M * N)**2` numbers.
    """
    _require_square(a, "solve_sylvester")
    _require_square(b, "solve_sylvester")
    rows, columns = a.shape[-1], b.shape[-1]
    if q.ndim < 2 or tuple(q.shape[-2:]) != (rows, columns):
        raise ValueError(
            f"'solve_sylvester' got arrays of the shapes {tuple(a.shape)}, {tuple(b.shape)} and {tuple(q.shape)}; they must "
            "be (..., M, M), (..., N, N) and (..., M, N)"
        )
    front = xp.broadcast_shapes(tuple(a.shape[:-2]), tuple(b.shape[:-2]), tuple(q.shape[:-2]))
    count = rows * columns
    if not count:
        return xp.zeros((*front, rows, columns), dtype=q.dtype, device=q.device)
    one, other = (xp.eye(side, dtype=q.dtype, device=q.device) for side in (columns, rows))
    left = a[..., :, None, :, None] * one[:, None, :]
    right = other[:, None, :, None] * xp.matrix_transpose(b)[..., None, :, None, :]
    system = xp.reshape(left + right, (*xp.broadcast_shapes(tuple(a.shape[:-2]), tuple(b.shape[:-2])), count, count))
    flat = xp.reshape(xp.broadcast_to(q, (*front, rows, columns)), (*front, count, 1))
    return xp.reshape(xp.linalg.solve(system, flat), (*front, rows, columns))


def _wide(x: Array) -> Array:
    """Cast to the dtype of the most digits."""
    complex_input = xp.isdtype(x.dtype, "complex floating")
    if complex_input:
        return xp.astype(x, xp.complex128 if _widest() == xp.float64 else x.dtype, copy=False)
    return xp.astype(x, _widest(), copy=False)


def _identity(x: Array) -> Array:
    return xp.eye(x.shape[-1], dtype=x.dtype, device=x.device)


def _like(x: Array, other: Array) -> Array:
    """Cast real numbers to the dtype of an array they are multiplied by."""
    return xp.astype(x, other.dtype, copy=False)


def _all(condition: Array) -> Array:
    """Whether a condition holds for a whole matrix, with axes of length one."""
    return xp.all(condition, axis=(-2, -1), keepdims=True)


def _safe(x: Array) -> tuple[Array, Array]:
    """Replace matrices with elements that are not finite by the identity; return also which are finite."""
    finite = _all(xp.isfinite(x))
    return xp.where(finite, x, _identity(x)), finite


def _root(x: Array, steps: int) -> tuple[Array, Array]:
    """Compute square roots by iteration; return also where it has converged."""
    identity = _identity(x)
    product, root = x, x
    for _ in range(steps):
        # A singular matrix has no inverse, and some frameworks refuse a whole batch for it.
        size = xp.linalg.slogdet(xp.stop_gradient(product)).logabsdet[..., None, None] / x.shape[-1]
        regular = xp.isfinite(size)
        inverse = xp.linalg.inv(xp.where(regular, product, identity))
        factor = _like(xp.exp(xp.where(regular, -0.5 * size, 0.0)), x)
        scaled = inverse / (factor * factor)
        root = xp.where(regular, 0.5 * factor * xp.matmul(root, identity + scaled), math.nan)
        product = xp.where(regular, 0.5 * identity + 0.25 * (factor * factor * product + scaled), identity)
    gap = xp.max(xp.abs(xp.stop_gradient(xp.matmul(root, root) - x)), axis=(-2, -1), keepdims=True)
    largest = xp.max(xp.abs(xp.stop_gradient(root)), axis=(-2, -1), keepdims=True)
    precision = math.sqrt(float(xp.finfo(gap.dtype).eps))
    converged = gap <= precision * x.shape[-1] * largest * largest  # not for NaN
    return xp.where(converged, root, identity), converged


def _symmetric_root(x: Array) -> tuple[Array, Array]:
    """Compute square roots of symmetric or Hermitian matrices by their eigenvalues; return also which have one.

    The eigenvectors have no derivatives where eigenvalues are equal. They are taken as constants, and each step of Newton's
    method with the constant derivative adds an order of derivatives to the root.
    """
    values, vectors = xp.linalg.eigh(xp.stop_gradient(x))
    largest = xp.max(xp.abs(values), axis=-1, keepdims=True)
    least = -x.shape[-1] * float(xp.finfo(values.dtype).eps) * largest
    positive = xp.all(values >= least, axis=-1, keepdims=True)[..., None]
    if xp.isdtype(x.dtype, "complex floating"):
        roots = xp.sqrt(_like(xp.where(values >= least, xp.maximum(values, 0.0), values), x))
        positive = xp.ones_like(positive)
    else:
        roots = xp.sqrt(xp.maximum(values, 0.0))
    across = _adjoint(vectors)
    root = xp.matmul(vectors * roots[..., None, :], across)
    sums = roots[..., :, None] + roots[..., None, :]
    share = xp.where(sums == 0.0, 0.0, 1.0 / xp.where(sums == 0.0, 1.0, sums))
    for _ in range(3):
        rest = x - xp.matmul(root, root)
        # Its value is rounding; what counts is its derivative.
        rest = rest - xp.stop_gradient(rest)
        inner = xp.matmul(xp.matmul(across, rest), vectors) * share
        root = root + xp.matmul(xp.matmul(vectors, inner), across)
    return root, positive
