"""Products of vectors, matrices and tensors beyond the standard, and unfoldings of tensors.

Everything is composed of `tensordot`, `matmul` and `reshape`. A mode of a tensor is one of its axes.
"""

from __future__ import annotations

import math
import operator
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
    "batched_outer",
    "dot",
    "fold",
    "inner",
    "khatri_rao",
    "kron",
    "kronecker",
    "mode_dot",
    "multi_dot",
    "multi_mode_dot",
    "unfold",
]


@declare(promote=("x1", "x2"))
def dot(x1: Array, x2: Array, /) -> Array:
    """Contract the last axis of the first array with the second to last axis of the second.

    Parameters
    ----------
    x1
        Numeric array of shape `(..., K)`, or without axes.
    x2
        Numeric array of shape `(..., K, N)` or `(K,)`, or without axes.

    Returns
    -------
    Array of the promoted dtype. It has the axes of `x1` but for the last, then those of `x2` but for the one that was
    summed; if an argument has no axes, it is the product of the elements.

    Raises
    ------
    ValueError
        If the axes to sum over differ in length.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.dot(ca.asarray([[1, 2], [3, 4]]), ca.asarray([10, 1])).tolist()
    [12, 34]

    Notes
    -----
    Unlike `matmul`, it combines every matrix of one stack with every one of the other. NumPy's `dot`.
    """
    if x1.ndim == 0 or x2.ndim == 0:
        return xp.multiply(x1, x2)
    return xp.tensordot(x1, x2, axes=((x1.ndim - 1,), (max(x2.ndim - 2, 0),)))


@declare(promote=("x1", "x2"))
def inner(x1: Array, x2: Array, /) -> Array:
    """Contract the last axes of two arrays.

    Parameters
    ----------
    x1, x2
        Numeric arrays whose last axes have one length, or without axes.

    Returns
    -------
    Array of the promoted dtype, with the other axes of `x1` and then those of `x2`; if an argument has no axes, it is the
    product of the elements. Nothing is conjugated.

    Raises
    ------
    ValueError
        If the last axes differ in length.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.inner(ca.asarray([[1, 2], [3, 4]]), ca.asarray([10, 1])).tolist()
    [12, 34]

    Notes
    -----
    NumPy's `inner`.
    """
    if x1.ndim == 0 or x2.ndim == 0:
        return xp.multiply(x1, x2)
    return xp.tensordot(x1, x2, axes=((x1.ndim - 1,), (x2.ndim - 1,)))


@declare(promote=("x1", "x2"))
def batched_outer(x1: Array, x2: Array, /) -> Array:
    """Compute outer products of corresponding tensors of two batches.

    Parameters
    ----------
    x1, x2
        Numeric arrays of shapes `(N, ...)`, with one length of the first axis.

    Returns
    -------
    Array of the promoted dtype, of shape `(N, *x1.shape[1:], *x2.shape[1:])`.

    Raises
    ------
    ValueError
        If an array has no axis, or the first axes differ in length.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.batched_outer(ca.asarray([[1, 2], [3, 4]]), ca.asarray([[1, 10], [1, 100]])).tolist()
    [[[1, 10], [2, 20]], [[3, 300], [4, 400]]]
    """
    if x1.ndim == 0 or x2.ndim == 0 or x1.shape[0] != x2.shape[0]:
        raise CoreArrayValueError(
            f"'batched_outer' got arrays of the shapes {tuple(x1.shape)} and {tuple(x2.shape)}; give two stacks of one length"
        )
    first = xp.reshape(x1, (*x1.shape, *(1,) * (x2.ndim - 1)))
    return first * xp.reshape(x2, (x2.shape[0], *(1,) * (x1.ndim - 1), *x2.shape[1:]))


@declare(promote=("x1", "x2"))
def kron(x1: Array, x2: Array, /) -> Array:
    """Compute the Kronecker product of two arrays.

    Parameters
    ----------
    x1, x2
        Numeric arrays; the one with fewer axes gets axes of length one in front.

    Returns
    -------
    Array of the promoted dtype, along each axis as long as the product of both lengths.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.kron(ca.asarray([1, 10]), ca.asarray([1, 2, 3])).tolist()
    [1, 2, 3, 10, 20, 30]

    Notes
    -----
    NumPy's `kron`.
    """
    ndim = max(x1.ndim, x2.ndim)
    outer, inner = ((1,) * (ndim - x.ndim) + tuple(x.shape) for x in (x1, x2))
    merged = tuple(-1 if None in pair else math.prod(pair) for pair in zip(outer, inner, strict=True))
    if merged.count(-1) == 1:  # the one size that is not known before the program runs
        one, two = (xp.expand_dims(x, axis=tuple(range(ndim - x.ndim))) if x.ndim < ndim else x for x in (x1, x2))
        product = xp.expand_dims(one, axis=tuple(range(1, 2 * ndim, 2)))
        return xp.reshape(product * xp.expand_dims(two, axis=tuple(range(0, 2 * ndim, 2))), merged)
    if ndim > 2:  # so many axes in turn are broadcast by some frameworks only
        table = xp.reshape(xp.reshape(x1, (-1, 1)) * xp.reshape(x2, (1, -1)), outer + inner)
        product = xp.permute_dims(table, tuple(place for axis in range(ndim) for place in (axis, ndim + axis)))
    else:
        spread = xp.reshape(x1, tuple(size for length in outer for size in (length, 1)))
        product = spread * xp.reshape(x2, tuple(size for length in inner for size in (1, length)))
    return xp.reshape(product, tuple(map(operator.mul, outer, inner)))


@declare(promote=("arrays",))
def kronecker(arrays: Sequence[Array], /, *, skip_matrix: int | None = None, reverse: bool = False) -> Array:
    """Compute the Kronecker product of several matrices.

    Parameters
    ----------
    arrays
        At least one numeric matrix.
    skip_matrix
        The place of one that is left out.
    reverse
        Whether to begin with the last.

    Returns
    -------
    Matrix of the promoted dtype.

    Raises
    ------
    ValueError
        If there is no matrix to multiply.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.kronecker([ca.asarray([[1, 2]]), ca.asarray([[1, 10]]), ca.asarray([[3]])]).tolist()
    [[3, 30, 6, 60]]
    """
    return reduce(xp.kron, _chosen("kronecker", arrays, skip_matrix, reverse))


@declare(promote=("arrays",))
def khatri_rao(
    arrays: Sequence[Array],
    /,
    *,
    weights: Array | None = None,
    skip_matrix: int | None = None,
    reverse: bool = False,
    mask: Array | None = None,
) -> Array:
    """Compute the Khatri-Rao product of several matrices: Kronecker products of corresponding columns.

    Parameters
    ----------
    arrays
        At least one numeric matrix, each with `R` columns.
    weights
        `R` numbers by which the columns of the result are multiplied.
    skip_matrix
        The place of a matrix that is left out.
    reverse
        Whether to begin with the last.
    mask
        Array that broadcasts to the result, by which it is multiplied.

    Returns
    -------
    Matrix of the promoted dtype with `R` columns and as many rows as the product of theirs.

    Raises
    ------
    ValueError
        If there is no matrix to multiply, an array is none, or the numbers of columns differ.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.khatri_rao([ca.asarray([[1, 2], [3, 4]]), ca.asarray([[1, 10], [1, 100]])]).tolist()
    [[1, 20], [1, 200], [3, 40], [3, 400]]

    Notes
    -----
    T. G. Kolda and B. W. Bader, "Tensor decompositions and applications", SIAM Review 51 (2009), section 2.6.
    """
    chosen = _chosen("khatri_rao", arrays, skip_matrix, reverse)
    if any(x.ndim != 2 or x.shape[1] != chosen[0].shape[-1] for x in chosen):
        found = ", ".join(str(tuple(x.shape)) for x in chosen)
        raise CoreArrayValueError(
            f"'khatri_rao' got arrays of the shapes {found}; give matrices with one number of columns"
        )
    columns = chosen[0].shape[1]

    def joined(one: Array, two: Array) -> Array:
        rows = -1 if columns else one.shape[0] * two.shape[0]  # of which no element tells
        return xp.reshape(one[:, None, :] * two[None, :, :], (rows, columns))

    product = reduce(joined, chosen)
    product = product if weights is None else product * xp.reshape(weights, (1, -1))
    return product if mask is None else product * mask


@declare(promote=("x", "matrix_or_vector"))
def mode_dot(x: Array, matrix_or_vector: Array, /, mode: int, *, transpose: bool = False) -> Array:
    """Multiply a tensor by a matrix or a vector along one mode.

    Parameters
    ----------
    x
        Numeric array.
    matrix_or_vector
        Matrix of shape `(J, x.shape[mode])`, or vector of length `x.shape[mode]`.
    mode
        The axis of `x` that is summed over.
    transpose
        Whether the matrix is given transposed, and conjugated if it is complex.

    Returns
    -------
    Array of the promoted dtype; the axis has length `J`, and is gone for a vector.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    ValueError
        If the lengths do not match, or the second array is no matrix and no vector.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([[1, 2], [3, 4]])
    >>> ca.mode_dot(x, ca.asarray([[1, 10], [0, 1]]), 0).tolist(), ca.mode_dot(x, ca.asarray([1, 10]), 1).tolist()
    ([[31, 42], [3, 4]], [21, 43])

    Notes
    -----
    T. G. Kolda and B. W. Bader, "Tensor decompositions and applications", SIAM Review 51 (2009), section 2.5.
    """
    place = _mode("mode_dot", x, mode)
    factor = matrix_or_vector
    if factor.ndim not in (1, 2):
        raise CoreArrayValueError(f"'mode_dot' multiplies by a matrix or a vector, and got {factor.ndim} axes")
    if factor.ndim == 2 and transpose:
        factor = xp.conj(factor.mT) if xp.isdtype(factor.dtype, "complex floating") else factor.mT
    if factor.shape[-1] != x.shape[place]:
        raise CoreArrayValueError(
            f"'mode_dot' got a factor of the shape {tuple(factor.shape)} for mode {mode} of a tensor of the shape "
            f"{tuple(x.shape)}; give it as many columns as the mode is long"
        )
    found = xp.tensordot(x, factor, axes=((place,), (factor.ndim - 1,)))
    return found if factor.ndim == 1 else xp.moveaxis(found, -1, place)


@declare()
def multi_mode_dot(
    x: Array,
    arrays: Sequence[Array],
    /,
    *,
    modes: Sequence[int] | None = None,
    skip: int | None = None,
    transpose: bool = False,
) -> Array:
    """Multiply a tensor by several matrices or vectors, each along a mode.

    Parameters
    ----------
    x
        Numeric array.
    arrays
        Matrices and vectors, as in `mode_dot`.
    modes
        The axis of `x` for each; by default 0, 1, 2 and so on.
    skip
        The place of a factor that is left out.
    transpose
        As in `mode_dot`.

    Returns
    -------
    Array of the promoted dtype. Axes that were multiplied by a vector are gone.

    Raises
    ------
    IndexError, ValueError
        As in `mode_dot`, and if there are not as many modes as factors.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.multi_mode_dot(ca.asarray([[1, 2], [3, 4]]), [ca.asarray([1, 1]), ca.asarray([[1, 1]])]).tolist()
    [10]
    """
    places = range(len(arrays)) if modes is None else modes
    if len(places) != len(arrays):
        raise CoreArrayValueError(
            f"'multi_mode_dot' got {len(arrays)} factors and {len(places)} modes; give one for each"
        )
    if skip is not None and not 0 <= skip < len(arrays):
        raise IndexError(f"'multi_mode_dot' got skip={skip} and {len(arrays)} factors; it is a number below that")
    taken = [_mode("multi_mode_dot", x, mode) for mode in places]
    gone: list[int] = []
    for number, (factor, place) in enumerate(zip(arrays, taken, strict=True)):
        if number == skip:
            continue
        x = xp.mode_dot(x, factor, place - sum(other < place for other in gone), transpose=transpose)
        if factor.ndim == 1:
            gone.append(place)
    return x


@declare(promote=("arrays",))
def multi_dot(arrays: Sequence[Array], /) -> Array:
    """Multiply several matrices in the order with the fewest multiplications.

    Parameters
    ----------
    arrays
        At least two numeric matrices; the first may be a vector, which counts as a row, and the last one, which counts as a
        column.

    Returns
    -------
    Array of the promoted dtype; axes of vectors are gone.

    Raises
    ------
    ValueError
        If there are less than two arrays, one is no matrix, or the shapes do not match.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.multi_dot([ca.asarray([1, 2]), ca.asarray([[1, 0], [0, 10]]), ca.asarray([3, 4])]).tolist()
    83

    Notes
    -----
    T. H. Cormen et al., "Introduction to algorithms", section 15.2. NumPy's `linalg.multi_dot`.
    """
    shapes = [tuple(x.shape) for x in arrays]
    matrices = list(arrays)
    if len(matrices) >= 2:
        row, column = matrices[0].ndim == 1, matrices[-1].ndim == 1
        matrices[0] = matrices[0][None, :] if row else matrices[0]
        matrices[-1] = matrices[-1][:, None] if column else matrices[-1]
    if (
        len(matrices) < 2
        or any(x.ndim != 2 for x in matrices)
        or any(one.shape[1] != two.shape[0] for one, two in pairwise(matrices))
    ):
        raise CoreArrayValueError(
            f"'multi_dot' got arrays of the shapes {shapes}; give two or more matrices that match"
        )
    sizes = [matrices[0].shape[0], *(x.shape[1] for x in matrices)]
    found = _multiplied(matrices, _splits(sizes), 0, len(matrices))
    return found[0 if row else slice(None), 0 if column else slice(None)] if row or column else found


def _splits(sizes: list[int]) -> dict[tuple[int, int], int]:
    """Return where to split each product of neighbours so that it takes the fewest multiplications."""
    count = len(sizes) - 1
    costs = {(i, i + 1): 0 for i in range(count)}
    splits = {}
    for length in range(2, count + 1):
        for start in range(count - length + 1):
            end = start + length
            found = {
                k: costs[start, k] + costs[k, end] + sizes[start] * sizes[k] * sizes[end] for k in range(start + 1, end)
            }
            splits[start, end] = min(found, key=found.__getitem__)
            costs[start, end] = found[splits[start, end]]
    return splits


def _multiplied(matrices: list[Array], splits: dict[tuple[int, int], int], start: int, end: int) -> Array:
    if end - start == 1:
        return matrices[start]
    middle = splits[start, end]
    return xp.matmul(_multiplied(matrices, splits, start, middle), _multiplied(matrices, splits, middle, end))


# --- tensors as matrices


@declare(gives="same")
def unfold(x: Array, /, *, mode: int = 0) -> Array:
    """Unfold a tensor along one mode into a matrix, whose columns are the vectors along that mode.

    Parameters
    ----------
    x
        Array with at least one axis.
    mode
        The axis that becomes the rows.

    Returns
    -------
    Matrix of shape `(x.shape[mode], -1)` and the dtype of `x`; the other axes follow in their order, the last the fastest.

    Raises
    ------
    IndexError
        If `x` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.unfold(ca.reshape(ca.arange(8), (2, 2, 2)), mode=1).tolist()
    [[0, 1, 4, 5], [2, 3, 6, 7]]
    """
    place = _mode("unfold", x, mode)
    rest = math.prod([size for axis, size in enumerate(x.shape) if axis != place])
    return xp.reshape(xp.moveaxis(x, place, 0), (x.shape[place], rest))


@declare(gives="same")
def fold(x: Array, /, shape: Sequence[int], *, mode: int = 0) -> Array:
    """Fold a matrix back to a tensor; the inverse of `unfold`.

    Parameters
    ----------
    x
        Matrix.
    shape
        The shape of the tensor.
    mode
        The axis that the rows are.

    Returns
    -------
    Array of the shape and the dtype of `x`.

    Raises
    ------
    IndexError
        If the shape has no such axis.
    ValueError
        If the matrix does not fit the shape.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.reshape(ca.arange(8), (2, 2, 2))
    >>> bool(ca.all(ca.fold(ca.unfold(x, mode=1), (2, 2, 2), mode=1) == x))
    True
    """
    sizes = tuple(shape)
    if not -len(sizes) <= mode < len(sizes):
        raise CoreArrayIndexError(f"'fold' was asked for mode {mode} of a tensor of the shape {sizes}")
    place = mode % len(sizes)
    moved = (sizes[place], *sizes[:place], *sizes[place + 1 :])
    return xp.moveaxis(xp.reshape(x, moved), 0, place)


def _mode(name: str, x: Array, mode: int) -> int:
    if not -x.ndim <= mode < x.ndim:
        raise CoreArrayIndexError(f"'{name}' was asked for mode {mode} of a tensor with {x.ndim} axes")
    return mode % x.ndim


def _chosen(name: str, arrays: Sequence[Array], skip: int | None, reverse: bool) -> list[Array]:
    if skip is not None and not 0 <= skip < len(arrays):
        raise IndexError(f"'{name}' got skip_matrix={skip} and {len(arrays)} matrices; it is a number below that")
    chosen = [x for place, x in enumerate(arrays) if place != skip]
    if not chosen:
        raise CoreArrayValueError(f"'{name}' got no matrix to multiply; give at least one")
    return chosen[::-1] if reverse else chosen
