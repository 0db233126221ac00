"""Tensor algebra: reconstruction from factors, partial unfoldings, inner products and moments.

A mode of a tensor is one of its axes. Names are those of T. G. Kolda and B. W. Bader, "Tensor decompositions and
applications", SIAM Review 51 (2009).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from itertools import pairwise
from typing import TYPE_CHECKING

from corearray.contract.declaration import declare
from corearray.errors import CoreArrayIndexError, CoreArrayValueError

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array

__all__ = [
    "cp_to_tensor",
    "general_inner_product",
    "higher_order_moment",
    "matricize",
    "partial_fold",
    "partial_tensor_to_vec",
    "partial_unfold",
    "partial_vec_to_tensor",
    "sparsify_tensor",
    "tr_to_tensor",
    "tt_matrix_to_tensor",
    "tt_to_tensor",
]


# --- tensors made of factors


@declare(promote=("weights", "factors"))
def cp_to_tensor(weights: Array, factors: Sequence[Array], /, *, mask: Array | None = None) -> Array:
    """Reconstruct a tensor from CP factors, as a sum of outer products of their columns.

    Parameters
    ----------
    weights
        `R` numbers by which the products are multiplied.
    factors
        At least one numeric matrix of shape `(size of the mode, R)`.
    mask
        Array that broadcasts to the tensor, by which it is multiplied.

    Returns
    -------
    Array of the promoted dtype, as long along each axis as the factor has rows.

    Raises
    ------
    ValueError
        If there is no factor, one is no matrix, or the numbers of columns and weights differ.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.cp_to_tensor(ca.asarray([10]), [ca.asarray([[1], [2]]), ca.asarray([[3], [4]])]).tolist()
    [[30, 40], [60, 80]]

    Notes
    -----
    What `parafac` returns is given as `cp_to_tensor(*found)`. Kolda and Bader, section 3.
    """
    if not factors or any(x.ndim != 2 or x.shape[1] != factors[0].shape[-1] for x in factors):
        raise CoreArrayValueError(
            f"'cp_to_tensor' got factors of the shapes {_shapes(factors)}; give matrices with one number of columns"
        )
    if weights.shape != factors[0].shape[1:]:
        raise CoreArrayValueError(
            f"'cp_to_tensor' got weights of shape {tuple(weights.shape)} for {factors[0].shape[1]} columns"
        )
    first, *others = factors
    first = first * weights
    columns = xp.khatri_rao(others) if others else xp.ones((1, first.shape[1]), dtype=first.dtype, device=first.device)
    found = xp.reshape(xp.matmul(first, columns.mT), tuple([x.shape[0] for x in factors]))
    return found if mask is None else found * mask


@declare(promote=("factors",))
def tt_to_tensor(factors: Sequence[Array], /) -> Array:
    """Reconstruct a tensor from a tensor train.

    Parameters
    ----------
    factors
        At least one numeric array of shape `(rank, size of the mode, next rank)`; the first and the last rank are 1.

    Returns
    -------
    Array of the promoted dtype, with an axis for each factor.

    Raises
    ------
    ValueError
        If the shapes do not match.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.tt_to_tensor([ca.asarray([[[1], [2]]]), ca.asarray([[[3], [4]]])]).tolist()
    [[3, 4], [6, 8]]

    Notes
    -----
    I. V. Oseledets, "Tensor-train decomposition", SIAM J. Sci. Comput. 33 (2011).
    """
    _check_train("tt_to_tensor", factors, 3, "1")
    return xp.reshape(_joined_train(factors), tuple(x.shape[1] for x in factors))


@declare(gives="same")
def sparsify_tensor(x: Array, number: int, /) -> Array:
    """Keep the elements of largest absolute value and set all others to zero.

    Parameters
    ----------
    x
        Numeric array of any shape.
    number
        Maximum number of elements to keep; of equal elements the first ones.

    Returns
    -------
    Array of the shape and dtype of `x`.

    Raises
    ------
    ValueError
        If `number` is negative.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.sparsify_tensor(ca.asarray([1.0, -3.0, 2.0]), 2).tolist()
    [0.0, -3.0, 2.0]

    Notes
    -----
    `tensorly.tenalg.sparsify_tensor`.
    """
    if number < 0:
        raise CoreArrayValueError(f"'sparsify_tensor' got number={number}; it is at least 0")
    flat = xp.reshape(x, (-1,))
    size = flat.shape[0]
    order = xp.argsort(xp.abs(flat), descending=True, stable=True)
    rank = xp.argsort(order)
    kept = xp.where(rank < min(number, size), flat, xp.zeros_like(flat))
    return xp.reshape(kept, x.shape)


@declare(promote=("factors",))
def tr_to_tensor(factors: Sequence[Array], /) -> Array:
    """Reconstruct a tensor from a tensor ring: a train whose last rank is contracted with its first.

    Parameters
    ----------
    factors
        At least one numeric array of shape `(rank, size of the mode, next rank)`; the last rank is the first one.

    Returns
    -------
    Array of the promoted dtype, with an axis for each factor.

    Raises
    ------
    ValueError
        If the shapes do not match.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.tr_to_tensor([ca.asarray([[[1, 0], [0, 1]]]), ca.asarray([[[3], [4]], [[5], [6]]])]).tolist()
    [[3, 4], [5, 6]]

    Notes
    -----
    Q. Zhao et al., "Tensor ring decomposition", arXiv:1606.05535 (2016).
    """
    _check_train("tr_to_tensor", factors, 3, "the first")
    joined = xp.moveaxis(_joined_train(factors), 0, -2)
    return xp.linalg.trace(joined, dtype=joined.dtype)


@declare(promote=("factors",))
def tt_matrix_to_tensor(factors: Sequence[Array], /) -> Array:
    """Reconstruct a tensor from a matrix train.

    Parameters
    ----------
    factors
        At least one numeric array of shape `(rank, rows, columns, next rank)`; the first and the last rank are 1.

    Returns
    -------
    Array of the promoted dtype; its axes are the rows of all factors and then their columns. Reshaped to a matrix, it is
    the one that the train stands for.

    Raises
    ------
    ValueError
        If the shapes do not match.

    Examples
    --------
    >>> import corearray as ca
    >>> factor = ca.reshape(ca.asarray([[1, 2], [3, 4]]), (1, 2, 2, 1))
    >>> found = ca.tt_matrix_to_tensor([factor, factor])
    >>> found.shape, ca.reshape(found, (4, 4))[0, ...].tolist()
    (Shape((2, 2, 2, 2)), [1, 2, 2, 4])

    Notes
    -----
    I. V. Oseledets, "Approximation of 2^d x 2^d matrices using tensor decomposition", SIAM J. Matrix Anal. Appl. 31 (2010).
    """
    _check_train("tt_matrix_to_tensor", factors, 4, "1")
    flat = [xp.reshape(x, (x.shape[0], x.shape[1] * x.shape[2], x.shape[3])) for x in factors]
    paired = xp.reshape(_joined_train(flat), tuple(size for x in factors for size in x.shape[1:3]))
    return xp.permute_dims(paired, (*range(0, paired.ndim, 2), *range(1, paired.ndim, 2)))


# --- products


@declare(promote=("x1", "x2"))
def general_inner_product(x1: Array, x2: Array, /, *, n_modes: int | None = None) -> Array:
    """Contract the last modes of one tensor with the first modes of another.

    Parameters
    ----------
    x1, x2
        Numeric arrays.
    n_modes
        Number of modes; by default all, for tensors of one shape.

    Returns
    -------
    Array of the promoted dtype, with the other axes of `x1` and then those of `x2`. Nothing is conjugated.

    Raises
    ------
    ValueError
        If the modes differ in length, or there are not as many.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([[1, 2], [3, 4]])
    >>> ca.general_inner_product(x, x).tolist(), ca.general_inner_product(x, x, n_modes=1).tolist()
    (30, [[7, 10], [15, 22]])
    """
    if n_modes is None and x1.shape != x2.shape:
        raise CoreArrayValueError(
            f"'general_inner_product' got tensors of the shapes {_shapes((x1, x2))}; give n_modes, or tensors of one shape"
        )
    count = x1.ndim if n_modes is None else n_modes
    if not 0 <= count <= min(x1.ndim, x2.ndim) or x1.shape[x1.ndim - count :] != x2.shape[:count]:
        raise CoreArrayValueError(
            f"'general_inner_product' got n_modes={n_modes} for tensors of the shapes {_shapes((x1, x2))}; the last modes "
            "of the first have the lengths of the first modes of the second"
        )
    return xp.tensordot(x1, x2, axes=count)


@declare(floating=True)
def higher_order_moment(x: Array, /, order: int) -> Array:
    """Compute the mean of the outer products of samples with themselves.

    Parameters
    ----------
    x
        Array of shape `(N, ...)`: `N` samples, vectors or tensors. Integers are computed in the default real dtype.
    order
        How often each sample is a factor, at least once.

    Returns
    -------
    Array of the dtype of `x`, of shape `x.shape[1:] * order`. Nothing is conjugated, and no mean is subtracted.

    Raises
    ------
    ValueError
        If `x` has no axes, or the order is not positive.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.higher_order_moment(ca.asarray([[1.0, 2.0], [3.0, 0.0]]), 2).tolist()
    [[5.0, 1.0], [1.0, 2.0]]
    """
    if x.ndim == 0 or order < 1:
        raise CoreArrayValueError(
            f"'higher_order_moment' got order={order} and samples of shape {tuple(x.shape)}; give an array of shape (N, ...) "
            "and an order of at least 1"
        )
    product = reduce(xp.batched_outer, [x] * (order - 1)) if order > 1 else None
    return xp.mean(x, axis=0) if product is None else xp.tensordot(product / x.shape[0], x, axes=((0,), (0,)))


# --- tensors as matrices


@declare(gives="same")
def matricize(x: Array, /, row_modes: int | Sequence[int], *, column_modes: int | Sequence[int] | None = None) -> Array:
    """Unfold a tensor into a matrix, with some modes as rows and the others as columns.

    Parameters
    ----------
    x
        Array of any dtype.
    row_modes
        The modes that become the rows, in their order, the last the fastest.
    column_modes
        Those that become the columns; by default all others, in ascending order.

    Returns
    -------
    Matrix of the dtype of `x`.

    Raises
    ------
    IndexError
        If `x` has no such mode.
    ValueError
        If a mode is named twice or not at all.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.matricize(ca.reshape(ca.arange(8), (2, 2, 2)), (2, 0)).tolist()
    [[0, 2], [4, 6], [1, 3], [5, 7]]
    """
    rows = _modes("matricize", x, row_modes)
    columns = (
        [i for i in range(x.ndim) if i not in rows] if column_modes is None else _modes("matricize", x, column_modes)
    )
    if sorted((*rows, *columns)) != list(range(x.ndim)):
        raise CoreArrayValueError(
            f"'matricize' got row_modes={row_modes} and column_modes={column_modes} for a tensor with {x.ndim} modes; "
            "name each mode once"
        )
    shape = [math.prod([x.shape[i] for i in modes]) for modes in (rows, columns)]
    return xp.reshape(xp.permute_dims(x, (*rows, *columns)), tuple(shape))


@declare(gives="same")
def partial_unfold(
    x: Array, /, *, mode: int = 0, skip_begin: int = 1, skip_end: int = 0, ravel_tensors: bool = False
) -> Array:
    """Unfold each tensor of a batch into a matrix.

    Parameters
    ----------
    x
        Array of any dtype.
    mode
        The mode that becomes the rows, counted among those that are unfolded.
    skip_begin, skip_end
        Number of leading and trailing axes that stay unchanged.
    ravel_tensors
        Whether rows and columns become one axis.

    Returns
    -------
    Array of the dtype of `x`. The modes that are unfolded are two, or one, in their place.

    Raises
    ------
    IndexError
        If there is no such mode.
    ValueError
        If more axes are skipped than there are.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.reshape(ca.arange(12), (1, 2, 3, 2))
    >>> ca.partial_unfold(x, mode=1).tolist()
    [[[0, 1, 6, 7], [2, 3, 8, 9], [4, 5, 10, 11]]]
    """
    place, last = _unfolded("partial_unfold", tuple(x.shape), mode, skip_begin, skip_end)
    length = x.shape[place]
    rest = math.prod([x.shape[i] for i in range(skip_begin, last) if i != place])
    middle = (length * rest,) if ravel_tensors else (length, rest)
    return xp.reshape(xp.moveaxis(x, place, skip_begin), (*x.shape[:skip_begin], *middle, *x.shape[last:]))


@declare(gives="same")
def partial_fold(x: Array, /, shape: Sequence[int], *, mode: int = 0, skip_begin: int = 1) -> Array:
    """Fold each matrix of a batch back to a tensor; the inverse of `partial_unfold`.

    Parameters
    ----------
    x
        Array of any dtype.
    shape
        The shape of the stack.
    mode, skip_begin
        As in `partial_unfold`.

    Returns
    -------
    Array of the shape and the dtype of `x`.

    Raises
    ------
    IndexError
        If there is no such mode.
    ValueError
        If the shape does not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.reshape(ca.arange(12), (1, 2, 3, 2))
    >>> bool(ca.all(ca.partial_fold(ca.partial_unfold(x, mode=1), x.shape, mode=1) == x))
    True
    """
    sizes = tuple(shape)
    place, _ = _unfolded("partial_fold", sizes, mode, skip_begin, 0)
    others = [*sizes[:place], *sizes[place + 1 :]]
    moved = (*others[:skip_begin], sizes[place], *others[skip_begin:])
    _check_size("partial_fold", x, sizes)
    return xp.moveaxis(xp.reshape(x, moved), skip_begin, place)


@declare(gives="same")
def partial_tensor_to_vec(x: Array, /, *, skip_begin: int = 1, skip_end: int = 0) -> Array:
    """Flatten each tensor of a batch to a vector.

    Parameters
    ----------
    x
        Array of any dtype.
    skip_begin, skip_end
        Number of leading and trailing axes that stay unchanged.

    Returns
    -------
    Array of the dtype of `x`, with one axis in the place of the others.

    Raises
    ------
    ValueError
        If no axis is left.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.partial_tensor_to_vec(ca.zeros((5, 2, 3))).shape
    Shape((5, 6))
    """
    _, last = _unfolded("partial_tensor_to_vec", tuple(x.shape), 0, skip_begin, skip_end)
    return xp.reshape(x, (*x.shape[:skip_begin], math.prod(x.shape[skip_begin:last]), *x.shape[last:]))


@declare(gives="same")
def partial_vec_to_tensor(x: Array, /, shape: Sequence[int], *, skip_begin: int = 1, skip_end: int = 0) -> Array:
    """Reshape each vector of a batch to a tensor; the inverse of `partial_tensor_to_vec`.

    Parameters
    ----------
    x
        Array of any dtype.
    shape
        The shape of the stack.
    skip_begin, skip_end
        As in `partial_tensor_to_vec`.

    Returns
    -------
    Array of the shape and the dtype of `x`.

    Raises
    ------
    ValueError
        If the shape does not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.partial_vec_to_tensor(ca.zeros((5, 6)), (5, 2, 3)).shape
    Shape((5, 2, 3))
    """
    sizes = tuple(shape)
    _unfolded("partial_vec_to_tensor", sizes, 0, skip_begin, skip_end)
    _check_size("partial_vec_to_tensor", x, sizes)
    return xp.reshape(x, sizes)


def _shapes(arrays: Sequence[Array]) -> str:
    return ", ".join(str(tuple(x.shape)) for x in arrays)


def _check_train(name: str, factors: Sequence[Array], ndim: int, end: str) -> None:
    """Refuse factors whose ranks do not match."""
    last = 1 if end == "1" or not factors else factors[0].shape[0] if factors[0].ndim else 0
    if (
        not factors
        or any(x.ndim != ndim for x in factors)
        or any(one.shape[-1] != two.shape[0] for one, two in pairwise(factors))
        or (end == "1" and factors[0].shape[0] != 1)
        or factors[-1].shape[-1] != last
    ):
        raise CoreArrayValueError(
            f"'{name}' got factors of the shapes {_shapes(factors) or 'none'}; give arrays with {ndim} axes, each of which "
            f"begins with the rank with which the one before ends, and the last ends with {end}"
        )


def _joined_train(factors: Sequence[Array]) -> Array:
    if len(factors) == 1:
        return xp.positive(factors[0])  # not the argument itself
    return reduce(lambda one, two: xp.tensordot(one, two, axes=((one.ndim - 1,), (0,))), factors)


def _modes(name: str, x: Array, modes: int | Sequence[int]) -> list[int]:
    found = [modes] if isinstance(modes, int) else list(modes)
    if not all(-x.ndim <= mode < x.ndim for mode in found):
        raise CoreArrayIndexError(f"'{name}' was asked for the modes {modes} of a tensor with {x.ndim} modes")
    return [mode % x.ndim for mode in found]


def _unfolded(name: str, shape: tuple[int, ...], mode: int, skip_begin: int, skip_end: int) -> tuple[int, int]:
    """Return the axis of a mode, and where those that are unfolded end."""
    count = len(shape) - skip_begin - skip_end
    if skip_begin < 0 or skip_end < 0 or count < 1:
        raise CoreArrayValueError(
            f"'{name}' got skip_begin={skip_begin} and skip_end={skip_end} for the shape {shape}; leave one axis at least"
        )
    if not -count <= mode < count:
        raise CoreArrayIndexError(
            f"'{name}' was asked for mode {mode} of {count} that are unfolded, of the shape {shape}"
        )
    return skip_begin + mode % count, skip_begin + count


def _check_size(name: str, x: Array, shape: tuple[int, ...]) -> None:
    if x.size != math.prod(shape):
        raise CoreArrayValueError(f"'{name}' got an array of shape {tuple(x.shape)} for the shape {shape}")
