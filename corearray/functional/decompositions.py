"""Decompositions of matrices and tensors: truncated SVD, Tucker, CP, tensor train.

Names and algorithms are those of T. G. Kolda and B. W. Bader, "Tensor decompositions and applications", SIAM Review 51
(2009). A mode of a tensor is one of its axes. Signs of singular vectors are normalised, so that every backend returns
the same factors. Iterative decompositions read a value to stop early; give `tol=None` in a traced program.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING

from corearray.contract.declaration import declare
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.functional.linalg import SVDResult, _require_matrices
from corearray.functional.tensors import _modes
from corearray.types.namedtuples import NamedTuple

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array

__all__ = [
    "CPResult",
    "TuckerResult",
    "initialize_tucker",
    "make_svd_non_negative",
    "parafac",
    "partial_tucker",
    "svd_flip",
    "tensor_train",
    "truncated_svd",
    "tucker",
]


class CPResult(NamedTuple):
    """Result of `parafac`.

    Attributes
    ----------
    weights
        Array of shape `(R,)`.
    factors
        A matrix of shape `(size of the mode, R)` for each mode.
    """

    weights: Array
    factors: tuple[Array, ...]


class TuckerResult(NamedTuple):
    """Result of `tucker`, `partial_tucker` and `initialize_tucker`.

    Attributes
    ----------
    core
        Tensor with the ranks as lengths of the modes that are decomposed.
    factors
        A matrix of shape `(size of the mode, rank)` for each of these modes.
    """

    core: Array
    factors: tuple[Array, ...]


# --- singular vectors


@declare()
def svd_flip(U: Array, V: Array, /, *, u_based_decision: bool = True) -> tuple[Array, Array]:
    """Normalise the signs of singular vectors, so that the largest element of each is positive.

    Parameters
    ----------
    U
        Array of shape `(..., M, K)` with the left singular vectors as columns.
    V
        Array of shape `(..., L, N)` with the right ones as rows.
    u_based_decision
        Whether the elements of `U` decide, else those of `V`.

    Returns
    -------
    Both arrays, with the same product. Complex vectors are turned so that their largest element is real and positive.

    Raises
    ------
    ValueError
        If an array is no matrix.

    Examples
    --------
    >>> import corearray as ca
    >>> U, V = ca.svd_flip(ca.asarray([[-3.0, 4.0], [-4.0, -3.0]]), ca.asarray([[1.0, 2.0], [2.0, 1.0]]))
    >>> U.tolist(), V.tolist()
    ([[3.0, 4.0], [4.0, -3.0]], [[-1.0, -2.0], [2.0, 1.0]])

    Notes
    -----
    Vectors that one of the arrays has in addition keep their signs. Of elements of one size the first decides.
    """
    _require_matrices(U, "svd_flip")
    _require_matrices(V, "svd_flip")
    columns = U if u_based_decision else V.mT
    if 0 in columns.shape[-2:]:
        return xp.positive(U), xp.positive(V)
    places = xp.argmax(xp.abs(columns), axis=-2, keepdims=True)
    largest = xp.take_along_axis(columns, places, axis=-2)
    signs = xp.where(largest == 0, 1.0, xp.sign(largest))
    turned = xp.conj(signs) if xp.isdtype(signs.dtype, "complex floating") else signs
    left, right = (turned, signs) if u_based_decision else (signs, turned)
    return U * _fitted(left, U.shape[-1]), V * _fitted(right, V.shape[-2]).mT


@declare(floating=True)
def truncated_svd(x: Array, /, n_eigenvecs: int | None = None) -> SVDResult:
    """Compute the largest singular values and their vectors, with normalised signs.

    Parameters
    ----------
    x
        Array of shape `(..., M, N)`; integers are computed in the default real dtype.
    n_eigenvecs
        How many, up to `max(M, N)`; by default all.

    Returns
    -------
    `SVDResult(U, S, Vh)`: the first columns of `U`, singular values and rows of `Vh`, as many as there are of each. The
    largest element of each column of `U` is positive.

    Raises
    ------
    ValueError
        If `x` has fewer than two axes, or there are not as many vectors.

    Examples
    --------
    >>> import corearray as ca
    >>> found = ca.truncated_svd(ca.asarray([[2.0, 0.0], [0.0, 3.0]]), 1)
    >>> found.U.tolist(), found.S.tolist(), found.Vh.tolist()
    ([[0.0], [1.0]], [3.0], [[0.0, 1.0]])
    """
    _require_matrices(x, "truncated_svd")
    most = max(x.shape[-2:])
    count = most if n_eigenvecs is None else n_eigenvecs
    if not 0 <= count <= most:
        raise CoreArrayValueError(
            f"'truncated_svd' was asked for {count} singular vectors of matrices of shape {tuple(x.shape[-2:])}; "
            f"there are {most}"
        )
    U, S, Vh = xp.linalg.svd(x, full_matrices=count > min(x.shape[-2:]))
    U, Vh = xp.svd_flip(U[..., : min(count, U.shape[-1])], Vh[..., : min(count, Vh.shape[-2]), :])
    return SVDResult(U, S[..., : min(count, S.shape[-1])], Vh)


@declare(promote=("x", "U", "S", "V"), floating=True, real=True)
def make_svd_non_negative(x: Array, U: Array, S: Array, V: Array, /, *, nntype: str = "nndsvd") -> tuple[Array, Array]:
    """Compute two non-negative factors that approximate a matrix, from its singular vectors.

    Parameters
    ----------
    x
        Real matrix of shape `(M, N)`.
    U, S, V
        Its singular values and vectors, of the shapes `(M, K)`, `(K,)` and `(K, N)`.
    nntype
        `"nndsvd"`; or `"nndsvda"`, where the mean of `x` takes the place of zeros.

    Returns
    -------
    Two arrays `W` and `H` of the promoted floating dtype, of the shapes `(M, K)` and `(K, N)`, whose product is near `x`.

    Raises
    ------
    TypeError
        If an array is complex.
    ValueError
        If the shapes do not match, or `nntype` is something else.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([[2.0, 0.0], [0.0, 3.0]])
    >>> W, H = ca.make_svd_non_negative(x, *ca.truncated_svd(x, 2))
    >>> bool(ca.allclose(W @ H, x))
    True

    Notes
    -----
    A start for factorisations without negative elements. C. Boutsidis and E. Gallopoulos, "SVD based initialization: a head
    start for nonnegative matrix factorization", Pattern Recognition 41 (2008).
    """
    if nntype not in ("nndsvd", "nndsvda"):
        raise CoreArrayValueError(f"'make_svd_non_negative' got nntype={nntype!r}; it is 'nndsvd' or 'nndsvda'")
    if x.ndim != 2 or S.ndim != 1 or U.shape != (x.shape[0], *S.shape) or V.shape != (*S.shape, x.shape[1]):
        raise CoreArrayValueError(
            f"'make_svd_non_negative' got a matrix of shape {tuple(x.shape)} with U, S and V of the shapes {tuple(U.shape)}, "
            f"{tuple(S.shape)} and {tuple(V.shape)}; give (M, N), (M, K), (K,) and (K, N)"
        )
    left, right = U, V.mT
    parts = []
    for sign in (1.0, -1.0):
        one, two = xp.maximum(sign * left, 0.0), xp.maximum(sign * right, 0.0)
        lengths = [xp.linalg.vector_norm(part, axis=0) for part in (one, two)]
        one, two = (part / xp.where(size == 0, 1.0, size) for part, size in zip((one, two), lengths, strict=True))
        parts.append((one, two, lengths[0] * lengths[1]))
    (one, two, size), (minus, too, other) = parts
    first, more = xp.arange(S.shape[0], device=S.device) == 0, size > other
    # The first pair has one sign each, but for rounding.
    W = xp.where(first, xp.abs(left), xp.where(more, one, minus))
    H = xp.where(first, xp.abs(right), xp.where(more, two, too))
    scale = xp.sqrt(S * xp.where(first, 1.0, xp.maximum(size, other)))
    W, H = W * scale, (H * scale).mT
    if nntype == "nndsvda":
        mean = xp.mean(x)
        W, H = xp.where(W == 0, mean, W), xp.where(H == 0, mean, H)
    return W, H


# --- Tucker


@declare(promote=("x",), floating=True)
def initialize_tucker(
    x: Array,
    /,
    rank: int | Sequence[int] | None = None,
    *,
    modes: Sequence[int] | None = None,
    non_negative: bool = False,
    mask: Array | None = None,
) -> TuckerResult:
    """Compute a Tucker decomposition from the singular vectors of each unfolding, the initial value of `tucker`.

    Parameters
    ----------
    x
        Array with at least one axis; integers are computed in the default real dtype.
    rank
        The lengths of the core along the modes, or one for all; by default those of `x`.
    modes
        The modes that are decomposed, by default all.
    non_negative
        Whether core and factors are the sizes of the elements.
    mask
        Boolean array that broadcasts to `x`: false where an element is missing, which counts as zero.

    Returns
    -------
    `TuckerResult(core, factors)`; `multi_mode_dot(core, factors, modes=modes)` is near `x`, and `x` for full ranks.

    Raises
    ------
    IndexError
        If there is no such mode.
    ValueError
        If a rank is not between 1 and the length of its mode.

    Examples
    --------
    >>> import corearray as ca
    >>> core, factors = ca.initialize_tucker(ca.asarray([[2.0, 0.0], [0.0, 3.0]]), (1, 1))
    >>> core.tolist(), [factor.tolist() for factor in factors]
    ([[3.0]], [[[0.0], [1.0]], [[0.0], [1.0]]])

    Notes
    -----
    The higher-order singular value decomposition: Kolda and Bader, section 4.2.
    """
    places = list(range(x.ndim)) if modes is None else _modes("initialize_tucker", x, modes)
    ranks = _ranks("initialize_tucker", x, rank, places)
    x = _without_missing("initialize_tucker", x, mask)
    factors = [_leading(x, place, count) for place, count in zip(places, ranks, strict=True)]
    core = xp.multi_mode_dot(x, factors, modes=places, transpose=True)
    if non_negative:
        core, factors = xp.abs(core), [xp.abs(factor) for factor in factors]
    return TuckerResult(core, tuple(factors))


@declare(promote=("x",), floating=True)
def partial_tucker(
    x: Array,
    /,
    rank: int | Sequence[int] | None = None,
    *,
    modes: Sequence[int] | None = None,
    init: Sequence[Array] | None = None,
    fixed_factors: Sequence[int] = (),
    n_iter_max: int = 100,
    tol: float | None = 1e-4,
    mask: Array | None = None,
) -> TuckerResult:
    """Compute the Tucker decomposition of some modes: a smaller core, and a matrix with orthonormal columns for each
    mode.

    Parameters
    ----------
    x
        Array with at least one axis; integers are computed in the default real dtype.
    rank
        The lengths of the core along the modes, or one for all; by default those of `x`.
    modes
        The modes that are decomposed, by default all.
    init
        Factors to begin with, matrices with orthonormal columns; by default those of `initialize_tucker`.
    fixed_factors
        Places of factors that stay as they are.
    n_iter_max
        Maximum number of steps.
    tol
        By how little the relative error changes in the last step; `None` makes all steps.
    mask
        Boolean array that broadcasts to `x`: false where an element is missing. What the decomposition gives is put in
        its place before each step.

    Returns
    -------
    `TuckerResult(core, factors)`; `multi_mode_dot(core, factors, modes=modes)` is near `x`.

    Raises
    ------
    IndexError
        If there is no such mode.
    ValueError
        If a rank is not between 1 and the length of its mode, or the factors in `init` have other shapes.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.reshape(ca.arange(12.0), (3, 2, 2))
    >>> core, factors = ca.partial_tucker(x, 2, modes=[0])
    >>> bool(ca.allclose(ca.multi_mode_dot(core, factors, modes=[0]), x, atol=1e-4))
    True

    Notes
    -----
    Higher-order orthogonal iteration: L. De Lathauwer, B. De Moor and J. Vandewalle, "On the best rank-1 and
    rank-(R1, ..., RN) approximation of higher-order tensors", SIAM J. Matrix Anal. Appl. 21 (2000).
    """
    places = list(range(x.ndim)) if modes is None else _modes("partial_tucker", x, modes)
    return _iterated("partial_tucker", x, rank, places, init, fixed_factors, n_iter_max, tol, mask)


@declare(promote=("x",), floating=True)
def tucker(
    x: Array,
    /,
    rank: int | Sequence[int] | None = None,
    *,
    init: Sequence[Array] | None = None,
    fixed_factors: Sequence[int] = (),
    n_iter_max: int = 100,
    tol: float | None = 1e-4,
    mask: Array | None = None,
) -> TuckerResult:
    """Compute the Tucker decomposition: a smaller core, and a matrix with orthonormal columns for each mode.

    Parameters
    ----------
    x, rank, init, fixed_factors, n_iter_max, tol, mask
        As in `partial_tucker`, of all modes.

    Returns
    -------
    `TuckerResult(core, factors)`; `multi_mode_dot(core, factors)` is near `x`.

    Raises
    ------
    ValueError
        As in `partial_tucker`.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.reshape(ca.arange(12.0), (3, 2, 2))
    >>> core, factors = ca.tucker(x, (2, 2, 2))
    >>> core.shape, bool(ca.allclose(ca.multi_mode_dot(core, factors), x, atol=1e-4))
    (Shape((2, 2, 2)), True)

    Notes
    -----
    As `partial_tucker`.
    """
    return _iterated("tucker", x, rank, list(range(x.ndim)), init, fixed_factors, n_iter_max, tol, mask)


# --- CP and tensor train


@declare(promote=("x",), floating=True)
def parafac(
    x: Array,
    /,
    rank: int,
    *,
    init: Sequence[Array] | None = None,
    fixed_modes: Sequence[int] = (),
    normalize_factors: bool = False,
    n_iter_max: int = 100,
    tol: float | None = 1e-8,
    mask: Array | None = None,
) -> CPResult:
    """Compute the CP decomposition by alternating least squares: a sum of outer products that approximates a tensor.

    Parameters
    ----------
    x
        Array with at least one axis; integers are computed in the default real dtype.
    rank
        Number of outer products.
    init
        Factors to begin with; by default singular vectors of the unfoldings, and for ranks above the length of a mode
        cosines beside them.
    fixed_modes
        Modes whose factors stay as they are.
    normalize_factors
        Whether the columns of the factors have length 1, and the weights what they lose; else the weights are ones.
    n_iter_max
        Maximum number of steps.
    tol
        By how little the relative error changes in the last step; `None` makes all steps.
    mask
        Boolean array that broadcasts to `x`: false where an element is missing. What the decomposition gives is put in
        its place before each step.

    Returns
    -------
    `CPResult(weights, factors)`; `cp_to_tensor(weights, factors)` is near `x`.

    Raises
    ------
    IndexError
        If there is no such mode.
    ValueError
        If the rank is not positive, or the factors in `init` have other shapes.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([[2.0, 4.0], [3.0, 6.0]])
    >>> found = ca.parafac(x, 1)
    >>> bool(ca.allclose(ca.cp_to_tensor(*found), x, atol=1e-4))
    True

    Notes
    -----
    Kolda and Bader, section 3.4. The error falls at each step, if slowly; what is found may be a local minimum, which
    depends on `init`.
    """
    if rank < 1 or x.ndim == 0:
        raise CoreArrayValueError(
            f"'parafac' got rank={rank} for a tensor of shape {tuple(x.shape)}; give a positive rank, and at least one mode"
        )
    fixed = _modes("parafac", x, fixed_modes)
    known, x = x, _without_missing("parafac", x, mask)
    if init is None:
        factors = [_beginning(x, place, rank) for place in range(x.ndim)]
    else:
        factors = _given("parafac", x, init, [(size, rank) for size in x.shape])
    weights = xp.ones((rank,), dtype=x.dtype, device=x.device)
    before = math.inf
    if n_iter_max < 0:
        raise ValueError(f"'parafac' got n_iter_max={n_iter_max}; the number of rounds is at least 0")
    for _ in range(n_iter_max):
        for place in range(x.ndim):
            if place not in fixed:
                factors[place] = _least_squares(x, factors, place)
        found = xp.cp_to_tensor(weights, factors)
        if tol is not None:
            error = _relative_error(x, found)
            if abs(before - error) <= tol:
                break
            before = error
        x = x if mask is None else xp.where(mask, known, found)
    if normalize_factors:
        lengths = [xp.linalg.vector_norm(factor, axis=0) for factor in factors]
        factors = [factor / xp.where(size == 0, 1.0, size) for factor, size in zip(factors, lengths, strict=True)]
        weights = xp.astype(reduce(xp.multiply, lengths), x.dtype)
    return CPResult(weights, tuple(factors))


@declare(floating=True)
def tensor_train(x: Array, /, rank: int | Sequence[int]) -> tuple[Array, ...]:
    """Compute the tensor train decomposition: a chain of factors, one for each mode.

    Parameters
    ----------
    x
        Array with at least one axis; integers are computed in the default real dtype.
    rank
        The ranks between the modes, beginning and ending with 1, or one for all. A rank that is higher than the tensor
        needs is lowered to the number of singular values there are.

    Returns
    -------
    Arrays of the dtype of `x` and of shape `(rank, size of the mode, next rank)`; `tt_to_tensor` makes a tensor of them
    that is near `x`.

    Raises
    ------
    ValueError
        If there are not as many ranks, one is not positive, or the first and the last are not 1.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.reshape(ca.arange(12.0), (3, 2, 2))
    >>> factors = ca.tensor_train(x, 2)
    >>> [tuple(factor.shape) for factor in factors], bool(ca.allclose(ca.tt_to_tensor(factors), x, atol=1e-4))
    ([(1, 3, 2), (2, 2, 2), (2, 2, 1)], True)

    Notes
    -----
    I. V. Oseledets, "Tensor-train decomposition", SIAM J. Sci. Comput. 33 (2011), algorithm 1.
    """
    ranks = (1, *[rank] * (x.ndim - 1), 1) if isinstance(rank, int) else tuple(rank)
    if x.ndim == 0 or len(ranks) != x.ndim + 1 or min(ranks) < 1 or ranks[0] != 1 or ranks[-1] != 1:
        raise CoreArrayValueError(
            f"'tensor_train' got rank={rank} for a tensor of shape {tuple(x.shape)}; give a positive number, or "
            f"{x.ndim + 1} of which the first and the last are 1"
        )
    factors, rest, last = [], x, 1
    for place in range(x.ndim - 1):
        size = x.shape[place]
        rest = xp.reshape(rest, (last * size, math.prod(x.shape[place + 1 :])))
        count = min(ranks[place + 1], *rest.shape)
        U, S, Vh = xp.truncated_svd(rest, count)
        factors.append(xp.reshape(U, (last, size, count)))
        rest, last = xp.astype(S, Vh.dtype)[:, None] * Vh, count
    return (*factors, xp.reshape(rest, (last, x.shape[-1], 1)))


def _fitted(signs: Array, count: int) -> Array:
    """Return as many signs as there are vectors."""
    size = signs.shape[-1]
    if count <= size:
        return signs[..., :count]
    return xp.concat(
        [signs, xp.ones((*signs.shape[:-1], count - size), dtype=signs.dtype, device=signs.device)], axis=-1
    )


def _ranks(name: str, x: Array, rank: int | Sequence[int] | None, places: list[int]) -> list[int]:
    lengths = [x.shape[place] for place in places]
    ranks = lengths if rank is None else [rank] * len(lengths) if isinstance(rank, int) else list(rank)
    if x.ndim == 0 or len(ranks) != len(lengths) or not all(1 <= r <= n for r, n in zip(ranks, lengths, strict=True)):
        raise CoreArrayValueError(
            f"'{name}' got rank={rank} for modes of the lengths {lengths}; give for each a rank between 1 and its length"
        )
    return ranks


def _without_missing(name: str, x: Array, mask: Array | None) -> Array:
    """Return the tensor with zeros where elements are missing."""
    if mask is None:
        return x
    if mask.dtype != xp.bool:
        raise CoreArrayTypeError(f"'{name}' got a mask of {mask.dtype}; give a boolean one, false for missing elements")
    return xp.where(mask, x, 0.0)


def _leading(x: Array, place: int, count: int) -> Array:
    """Return leading left singular vectors of an unfolding."""
    return xp.truncated_svd(xp.unfold(x, mode=place), count).U


def _given(name: str, x: Array, init: Sequence[Array], shapes: list[tuple[int, int]]) -> list[Array]:
    """Return the factors to begin with, in the dtype of the tensor."""
    found = [tuple(factor.shape) for factor in init]
    if found != shapes:
        raise CoreArrayValueError(f"'{name}' got factors of the shapes {found} in init; give {shapes}")
    if any(xp.result_type(x, factor) != x.dtype for factor in init):
        raise CoreArrayTypeError(f"'{name}' got factors in init of a wider dtype than {x.dtype}, that of the tensor")
    return [xp.astype(factor, x.dtype) for factor in init]


def _relative_error(x: Array, found: Array) -> float:
    norm = float(xp.linalg.vector_norm(x))
    return float(xp.linalg.vector_norm(x - found)) / (norm or 1.0)


def _iterated(
    name: str,
    x: Array,
    rank: int | Sequence[int] | None,
    places: list[int],
    init: Sequence[Array] | None,
    fixed: Sequence[int],
    n_iter_max: int,
    tol: float | None,
    mask: Array | None,
) -> TuckerResult:
    """Find each factor anew from the tensor and the others, again and again."""
    ranks = _ranks(name, x, rank, places)
    known, x = x, _without_missing(name, x, mask)
    if init is None:
        factors = [_leading(x, place, count) for place, count in zip(places, ranks, strict=True)]
    else:
        factors = _given(name, x, init, [(x.shape[place], count) for place, count in zip(places, ranks, strict=True)])
    core = xp.multi_mode_dot(x, factors, modes=places, transpose=True)
    before = math.inf
    if n_iter_max < 0:
        raise ValueError(f"'{name}' got n_iter_max={n_iter_max}; the number of rounds is at least 0")
    for _ in range(n_iter_max):
        for number, place in enumerate(places):
            if number not in fixed:
                others = xp.multi_mode_dot(x, factors, modes=places, skip=number, transpose=True)
                factors[number] = _leading(others, place, ranks[number])
        core = xp.multi_mode_dot(x, factors, modes=places, transpose=True)
        if tol is None and mask is None:
            continue
        found = xp.multi_mode_dot(core, factors, modes=places)
        if tol is not None:
            error = _relative_error(x, found)
            if abs(before - error) <= tol:
                break
            before = error
        x = x if mask is None else xp.where(mask, known, found)
    return TuckerResult(core, tuple(factors))


def _beginning(x: Array, place: int, rank: int) -> Array:
    """Return singular vectors of an unfolding, and cosines where there are too few."""
    size = x.shape[place]
    vectors = _leading(x, place, min(rank, size))
    if rank <= size:
        return vectors
    rows = xp.arange(1, size + 1, dtype=xp.float32, device=x.device)
    columns = xp.arange(size + 1, rank + 1, dtype=xp.float32, device=x.device)
    return xp.concat([vectors, xp.astype(xp.cos(rows[:, None] * columns), x.dtype)], axis=1)


def _least_squares(x: Array, factors: list[Array], place: int) -> Array:
    """Return the factor that with the others is nearest to the tensor."""
    others = factors[:place] + factors[place + 1 :]
    columns = xp.khatri_rao(others) if others else xp.ones_like(factors[0][:1, :])
    return xp.matmul(xp.unfold(x, mode=place), xp.linalg.pinv(columns.mT))
