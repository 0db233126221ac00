"""Sorting along an axis.

`argsort` is primary; `sort` picks the elements in its order. On every backend NaN is greater than every
number: it comes last in ascending order and first in descending order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corearray.declaration import declare

if TYPE_CHECKING:
    import corearray as xp
    from corearray.array import Array

__all__ = ["argsort", "sort"]


@declare(real=True, gives="int64")
def argsort(x: Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    """Indices that sort an array along an axis.

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


@declare(real=True, gives="same")
def sort(x: Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    """Elements of an array in order along an axis.

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
