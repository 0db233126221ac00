"""Selection of elements by indices along one axis.

`take` is primary. `take_along_axis` moves the axis to the end, numbers the rows and takes from the flattened array.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from corearray.contract.declaration import declare
from corearray.functional.manipulation import _places
from corearray.functional.searching import _integers

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array

__all__ = ["take", "take_along_axis"]


@declare(gives="same")
def take(x: Array, indices: Array, /, *, axis: int | None = None, out: Array | None = None) -> Array:
    """Select elements at indices along an axis.

    Parameters
    ----------
    x
        Array with at least one axis, of any dtype.
    indices
        One-dimensional integer array; negative indices count from the end.
    axis
        Axis along which to take; may be left out for one-dimensional arrays only.
    out
        Array that receives the result.

    Returns
    -------
    Array of the dtype of `x` and its shape, with the length of `indices` along `axis`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.take(ca.asarray([[1, 2, 3], [4, 5, 6]]), ca.asarray([2, 0]), axis=1).tolist()
    [[3, 1], [6, 4]]

    Notes
    -----
    An index beyond the axis has no defined result. Array API standard 2025.12, `take`.
    """
    ...


@declare(gives="same")
def take_along_axis(x: Array, indices: Array, /, *, axis: int = -1) -> Array:
    """Select elements along an axis by an array of indices, one for each position on the other axes.

    Parameters
    ----------
    x
        Array with at least one axis, of any dtype.
    indices
        Integer array with as many axes, broadcastable with `x` but for `axis`; negative indices count from
        the end.
    axis
        Axis along which to take, by default the last.

    Returns
    -------
    Array of the dtype of `x` and the broadcast shape, with the length of `indices` along `axis`.

    Raises
    ------
    TypeError
        If the indices are not integers.
    ValueError
        If `x` and `indices` have different numbers of axes.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.take_along_axis(ca.asarray([[3, 1, 2], [9, 7, 8]]), ca.asarray([[1], [-1]])).tolist()
    [[1], [8]]

    Notes
    -----
    An index beyond the axis has no defined result. Array API standard 2025.12, `take_along_axis`.
    """
    if x.ndim != indices.ndim:
        raise ValueError(
            f"'take_along_axis' got arrays of the shapes {tuple(x.shape)} and {tuple(indices.shape)}; "
            "both must have the same number of axes"
        )
    (place,) = _places(axis, x.ndim, "take_along_axis")
    last = place == x.ndim - 1
    rows, places = x, _integers(indices, "take_along_axis")
    if x.ndim == 1:
        return xp.take(rows, places, axis=0)
    if not last:
        rows, places = xp.moveaxis(rows, place, -1), xp.moveaxis(places, place, -1)
    length, wanted = rows.shape[-1], places.shape[-1]
    others = tuple(xp.broadcast_shapes(tuple(rows.shape[:-1]), tuple(places.shape[:-1])))
    if tuple(rows.shape) != (*others, length):
        rows = xp.broadcast_to(rows, (*others, length))
    places = xp.where(places < 0, places + length, places)
    offsets = xp.arange(math.prod(others), dtype=xp.int64, device=x.device) * length
    places = xp.reshape(offsets, (*others, 1)) + places
    taken = xp.take(xp.reshape(rows, (-1,)), xp.reshape(places, (-1,)), axis=0)
    taken = xp.reshape(taken, (*others, wanted))
    return taken if last else xp.moveaxis(taken, -1, place)
