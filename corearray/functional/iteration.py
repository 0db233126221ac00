"""Iteration over the indices of an array, as in NumPy, for programs that read few elements."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from corearray.arrays.array import Array
from corearray.errors import CoreArrayValueError
from corearray.functional.creation import asarray

__all__ = ["ndenumerate", "ndindex"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


def ndindex(*shape: int | Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Iterate over the indices of a shape; the last axis changes fastest.

    Parameters
    ----------
    shape
        Lengths of the axes: one after the other, or one tuple.

    Returns
    -------
    Iterator over tuples of integers.

    Raises
    ------
    ValueError
        If a length is negative.

    Examples
    --------
    >>> import corearray as ca
    >>> list(ca.ndindex(2, 2)), list(ca.ndindex((1, 2)))
    ([(0, 0), (0, 1), (1, 0), (1, 1)], [(0, 0), (0, 1)])

    Notes
    -----
    NumPy's `ndindex`.
    """
    given: Any = shape[0] if len(shape) == 1 and isinstance(shape[0], Sequence) else shape
    sizes = tuple(map(operator.index, given))
    if any(size < 0 for size in sizes):
        raise CoreArrayValueError(f"'ndindex' got the shape {sizes}; lengths are at least 0")
    return product(*map(range, sizes))


def ndenumerate(x: Any, /) -> Iterator[tuple[tuple[int, ...], Array]]:
    """Iterate over pairs of index and element; the last axis changes fastest.

    Parameters
    ----------
    x
        Array, or what `asarray` makes one of.

    Returns
    -------
    Iterator over pairs of a tuple of integers and an array without axes.

    Examples
    --------
    >>> import corearray as ca
    >>> [(place, int(value)) for place, value in ca.ndenumerate(ca.asarray([[1, 2]]))]
    [((0, 0), 1), ((0, 1), 2)]

    Notes
    -----
    NumPy's `ndenumerate`.
    """
    array = asarray(x)
    return ((place, array[place]) for place in ndindex(*array.shape))
