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

#: The rule of Gauss and Legendre with 48 nodes on the interval from 0 to 1: distances from the middle, and weights.
_HALF_RULE = (
    (0.016190085481434684, 0.03236884840634183), (0.04850234960473135, 0.03223308221797491),
    (0.08061117803444585, 0.03196211929232393), (0.11238189519734453, 0.031557096143126864),
    (0.14368124367772778, 0.03101971157994621), (0.17437794314608035, 0.0303522195829468),
    (0.20434324099535836, 0.029557419849197672), (0.2334514523754792, 0.028638646050201458),
    (0.2615804873611165, 0.027599751849992017), (0.28861236304198634, 0.02644509474259672),
    (0.3144336983882568, 0.0251795177769271), (0.33893618981633195, 0.02380832924624512),
    (0.3620170654619073, 0.022337280428347116), (0.3835795162578702, 0.020772541471732273),
    (0.4035331020147213, 0.01912067553291525), (0.42179413081219674, 0.017388611282385197),
    (0.4382860101371239, 0.015583613916399048), (0.4529395683577848, 0.013713254854178517),
    (0.46569334535327717, 0.011785380419662024), (0.4764938515802154, 0.009808080228678028),
    (0.48529579627312364, 0.007789657861471613), (0.4920622918614134, 0.005738617289617307),
    (0.4967650861331754, 0.0036637769506380675), (0.49938550362621303, 0.0015766730261549207),
)  # fmt: skip
_LEGENDRE = tuple((0.5 + sign * away, weight) for away, weight in _HALF_RULE for sign in (-1.0, 1.0))


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
    root, converged = _root(xp.where(symmetric, _identity(safe), safe))
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
    chapter 11, with two square roots and a Gauss-Legendre rule of 48 nodes.
    """
    _require_square(x, "logm")
    if x.shape[-1] == 0:
        return xp.positive(x)
    safe, finite = _safe(_wide(x))
    identity = _identity(safe)
    near = xp.max(xp.sum(xp.abs(safe - identity), axis=-2, keepdims=True), axis=-1, keepdims=True) < 0.25
    far = xp.where(near, identity, safe)
    # A common factor is taken out first, so that the roots are roots of a matrix with the determinant 1.
    size = xp.linalg.slogdet(xp.stop_gradient(far)).logabsdet[..., None, None] / far.shape[-1]
    regular = xp.isfinite(size)
    size = xp.where(regular, size, 0.0)
    root = xp.linalg.sqrtm(xp.linalg.sqrtm(xp.where(regular, far * _like(xp.exp(-size), far), identity)))
    root, converged = _safe(root)
    offset = xp.where(near, safe - identity, root - identity)
    nodes, weights = (
        _like(xp.asarray(row, dtype=size.dtype, device=x.device), far)[:, None, None]
        for row in zip(*_LEGENDRE, strict=True)
    )
    offset = xp.expand_dims(offset, -3)
    terms = xp.linalg.solve(
        identity + nodes * offset, xp.broadcast_to(offset, (*offset.shape[:-3], len(_LEGENDRE), *x.shape[-2:]))
    )
    total = xp.sum(weights * terms, axis=-3)
    found = xp.where(near, total, 4.0 * total + _like(size, far) * identity)
    return xp.astype(xp.where(finite & (near | (regular & converged)), found, math.nan), x.dtype)


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


def _root(x: Array) -> tuple[Array, Array]:
    """Compute square roots by iteration; return also where it has converged."""
    identity = _identity(x)
    product, root = x, x
    for _ in range(_STEPS):
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
