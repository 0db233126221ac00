"""Sorting along an axis.

`argsort` is primary; `sort` selects elements in its order. On every backend NaN is greater than every number: it comes
last in ascending order and first in descending order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from corearray.contract.declaration import declare
from corearray.functional.manipulation import _places
from corearray.types.namedtuples import NamedTuple

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array

__all__ = [
    "TopKResult",
    "argpartition",
    "argsort",
    "invert_permutation",
    "lexsort",
    "msort",
    "partition",
    "sort",
    "top_k",
]


class TopKResult(NamedTuple):
    """Result of `top_k`.

    Attributes
    ----------
    values
        The elements found.
    indices
        Their indices along the axis, of the same shape.
    """

    values: Array
    indices: Array


@declare(real=True, gives="int64")
def argsort(x: Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    """Return the indices that sort an array along an axis.

    Parameters
    ----------
    x
        Real array with at least one axis.
    axis
        Axis along which to sort, by default the last.
    descending
        Whether the largest element comes first.
    stable
        Whether equal elements keep their order, in both directions.

    Returns
    -------
    Array of the shape of `x` and the default index dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.argsort(ca.asarray([3, 1, 2, 1])).tolist()
    [1, 3, 2, 0]
    >>> ca.argsort(ca.asarray([3, 1, 2, 1]), descending=True).tolist()
    [0, 2, 1, 3]

    Notes
    -----
    NaN counts as greater than every number, the two zeros as equal. Array API standard 2025.12, `argsort`.
    """
    ...


@declare(gives="int64")
def invert_permutation(x: Array, /) -> Array:
    """Invert a permutation.

    Parameters
    ----------
    x
        Integer array with at least one axis, along whose last axis stand the numbers from 0 on, each once.

    Returns
    -------
    Array of the shape of `x` and the default index dtype: `result[x[i]]` is `i`.

    Raises
    ------
    TypeError
        If `x` is not of integers.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.invert_permutation(ca.asarray([2, 0, 1])).tolist()
    [1, 2, 0]

    Notes
    -----
    `tf.math.invert_permutation`. What is no permutation has no defined result.
    """
    if not xp.isdtype(x.dtype, "integral"):
        raise TypeError(f"'invert_permutation' got an array of dtype {x.dtype}; a permutation is made of integers")
    return xp.argsort(x, axis=-1)


@declare(real=True)
def lexsort(keys: Sequence[Array], /, *, axis: int = -1) -> Array:
    """Return the indices that sort by several keys; the last key is the primary one.

    Parameters
    ----------
    keys
        At least one real array, all of one shape with at least one axis.
    axis
        Axis along which to sort, by default the last.

    Returns
    -------
    Array of the shape of one key and the default index dtype. Elements that are equal in all keys keep their order.

    Raises
    ------
    IndexError
        If the keys have no such axis.
    ValueError
        If there is no key or the shapes differ.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.lexsort([ca.asarray([3, 1, 2]), ca.asarray([0, 1, 0])]).tolist()
    [2, 0, 1]

    Notes
    -----
    NaN counts as greater than every number. NumPy's `lexsort`.
    """
    shapes = {tuple(key.shape) for key in keys}
    if len(shapes) != 1:
        raise ValueError(f"'lexsort' got keys of the shapes {sorted(shapes)}; give at least one, all of one shape")
    first, *others = keys
    _places(axis, first.ndim, "lexsort")
    order = xp.argsort(first, axis=axis)
    for key in others:
        finer = xp.argsort(xp.take_along_axis(key, order, axis=axis), axis=axis)
        order = xp.take_along_axis(order, finer, axis=axis)
    return order


@declare(real=True, gives="same")
def msort(x: Array, /) -> Array:
    """Sort an array in ascending order along the first axis.

    Parameters
    ----------
    x
        Real array with at least one axis.

    Returns
    -------
    Array of the shape and dtype of `x`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.msort(ca.asarray([[3, 1], [2, 4]])).tolist()
    [[2, 1], [3, 4]]

    Notes
    -----
    `torch.msort`, which is `sort` with `axis=0`.
    """
    return xp.sort(x, axis=0)


@declare(real=True, gives="same")
def sort(x: Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    """Sort an array along an axis.

    Parameters
    ----------
    x
        Real array with at least one axis.
    axis
        Axis along which to sort, by default the last.
    descending
        Whether the largest element comes first.
    stable
        Whether equal elements keep their order, in both directions.

    Returns
    -------
    Array of the shape and dtype of `x`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.sort(ca.asarray([3, 1, 2, 1]), descending=True).tolist()
    [3, 2, 1, 1]

    Notes
    -----
    NaN counts as greater than every number, the two zeros as equal. Array API standard 2025.12, `sort`.
    """
    order = xp.argsort(x, axis=axis, descending=descending, stable=stable)
    return xp.take_along_axis(x, order, axis=axis)


@declare(real=True)
def top_k(x: Array, k: int, /, *, axis: int = -1, largest: bool = True, sorted: bool = True) -> TopKResult:
    """Return the largest or smallest elements along an axis, and their indices.

    Parameters
    ----------
    x
        Real array with at least one axis.
    k
        How many, at most the length of the axis.
    axis
        Axis along which to search, by default the last.
    largest
        Whether to find the largest elements or the smallest.
    sorted
        Whether they come in order, the largest (or smallest) first, and of equal ones those that stand first in `x`.
        `False` leaves both open, which may be faster.

    Returns
    -------
    Named tuple `(values, indices)`, both of the shape of `x` but for the length `k` along the axis; `values` has the
    dtype of `x`, `indices` the default index dtype.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    ValueError
        If `k` is negative or greater than the length of the axis.

    Examples
    --------
    >>> import corearray as ca
    >>> values, indices = ca.top_k(ca.asarray([3, 9, 5]), 2)
    >>> values.tolist(), indices.tolist()
    ([9, 5], [1, 2])

    Notes
    -----
    NaN counts as greater than every number. `torch.topk`, `tf.math.top_k`, `jax.lax.top_k`.
    """
    (place,) = _places(axis, x.ndim, "top_k")
    if k < 0 or (x.shape[place] is not None and k > x.shape[place]):
        raise ValueError(f"'top_k' got k={k} for an axis of length {x.shape[place]}; it is from 0 to that length")
    order = xp.argsort(x, axis=place, descending=largest)
    indices = order[(*(slice(None),) * place, slice(0, k), ...)]
    return TopKResult(xp.take_along_axis(x, indices, axis=place), indices)


@declare(real=True, gives="int64")
def argpartition(x: Array, kth: int | Sequence[int], /, *, axis: int = -1) -> Array:
    """Return indices that partition an array along an axis.

    Parameters
    ----------
    x, kth, axis
        As in `partition`.

    Returns
    -------
    Array of the shape of `x` and the default index dtype.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    ValueError
        If there is no such place.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.argpartition(ca.asarray([5, 3, 9]), 1)[1].tolist()
    0

    Notes
    -----
    NumPy's `argpartition`. Like `partition` it sorts.
    """
    _require_kth("argpartition", x, kth, axis)
    return xp.argsort(x, axis=axis)


@declare(real=True, gives="same")
def partition(x: Array, kth: int | Sequence[int], /, *, axis: int = -1) -> Array:
    """Bring the elements at some places of the sorted array there, smaller ones before and greater ones behind.

    Parameters
    ----------
    x
        Real array with at least one axis.
    kth
        Place or places along the axis, negative ones from the end.
    axis
        Axis along which to partition, by default the last.

    Returns
    -------
    Array of the shape and dtype of `x`.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    ValueError
        If there is no such place.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.partition(ca.asarray([5, 3, 9]), 1)[1].tolist()
    5

    Notes
    -----
    NumPy's `partition`. The array is sorted, which is a partition at all places and has one order on every backend.
    """
    _require_kth("partition", x, kth, axis)
    return xp.sort(x, axis=axis)


def _require_kth(name: str, x: Array, kth: int | Sequence[int], axis: int) -> None:
    (place,) = _places(axis, x.ndim, name)
    length = x.shape[place]
    for one in (kth,) if isinstance(kth, int) else kth:
        if length is not None and not -length <= one < length:
            raise ValueError(f"'{name}' got kth={one} for an axis of length {length}; give a place on it")
