"""Gathering: selection of elements by indices along several axes.

Indices of several axes become one index into the flattened array, and `take` selects. Negative indices count from the
end. An index out of bounds has no defined result, as in `take`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from corearray.contract.declaration import declare
from corearray.errors import CoreArrayValueError
from corearray.functional.manipulation import _places
from corearray.functional.searching import _integers

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array

__all__ = ["as_strided", "choose", "gather", "gather_nd"]


@declare(gives="same")
def as_strided(x: Array, /, shape: Sequence[int], strides: Sequence[int], *, offset: int = 0) -> Array:
    """Gather elements at constant strides of a flattened array.

    Parameters
    ----------
    x
        Array of any dtype, whose elements are counted in row-major order.
    shape
        The shape of the result.
    strides
        For each of its axes by how many elements of `x` neighbours lie apart; 0 and negative numbers are allowed.
    offset
        Offset of the first element.

    Returns
    -------
    New array of the shape and the dtype of `x`.

    Raises
    ------
    ValueError
        If there are not as many strides as axes, or an element lies outside.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.as_strided(ca.asarray([1, 2, 3, 4]), (3, 2), (1, 1)).tolist()
    [[1, 2], [2, 3], [3, 4]]

    Notes
    -----
    As `torch.as_strided`, but a copy, since frameworks keep elements in memory as they like; NumPy's function of this
    name counts bytes.
    """
    sizes, steps = tuple(shape), tuple(strides)
    total = math.prod(x.shape)
    ends = [(size - 1) * step for size, step in zip(sizes, steps, strict=False)]
    low, high = offset + sum(end for end in ends if end < 0), offset + sum(end for end in ends if end > 0)
    if len(sizes) != len(steps) or any(size < 0 for size in sizes) or (0 not in sizes and not 0 <= low <= high < total):
        raise CoreArrayValueError(
            f"'as_strided' got shape={sizes}, strides={steps} and offset={offset} for {total} elements; give a stride for "
            "each axis, counted in elements, so that none lies outside"
        )
    if 0 in sizes:
        return xp.zeros(sizes, dtype=x.dtype, device=x.device)
    places = xp.full((1,) * len(sizes), offset, dtype=xp.int64, device=x.device)
    for axis, (size, step) in enumerate(zip(sizes, steps, strict=True)):
        along = xp.arange(size, dtype=xp.int64, device=x.device) * step
        places = places + xp.reshape(along, (size, *(1,) * (len(sizes) - axis - 1)))
    return xp.reshape(xp.take(xp.reshape(x, (-1,)), xp.reshape(places, (-1,)), axis=0), sizes)


@declare(promote=("choices",))
def choose(x: Array, choices: Sequence[Array], /, *, mode: Literal["clip", "wrap"] = "clip") -> Array:
    """Build an array by choosing one of several arrays at each position.

    Parameters
    ----------
    x
        Integer array: at each place the number of the array from which the element comes.
    choices
        At least one array; all broadcast with each other and with `x`.
    mode
        What numbers outside of 0 to `len(choices) - 1` mean: `"clip"` the nearest of these, so that negative ones
        choose the first array, `"wrap"` the remainder.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype of `choices`.

    Raises
    ------
    ValueError
        If there are no choices, the shapes do not fit together, or `mode` is something else.
    TypeError
        If `x` is not of integers.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.choose(ca.asarray([1, 0, 1]), [ca.asarray([1, 2, 3]), ca.asarray([10, 20, 30])]).tolist()
    [10, 2, 30]

    Notes
    -----
    NumPy's `choose`, whose default mode is an error: values that are being traced cannot raise one.
    """
    if mode not in ("clip", "wrap"):
        raise ValueError(f"'choose' got mode={mode!r}; it is 'clip' or 'wrap'")
    if not choices:
        raise ValueError("'choose' got no arrays to choose from; give at least one")
    numbers = _integers(x, "choose")
    last = len(choices) - 1
    numbers = numbers % (last + 1) if mode == "wrap" else xp.clip(numbers, 0, last)
    numbers, *broadcast = xp.broadcast_arrays(numbers, *choices)
    taken = xp.take_along_axis(xp.stack(broadcast, axis=0), xp.expand_dims(numbers, axis=0), axis=0)
    return xp.squeeze(taken, 0)


@declare(gives="same")
def gather(x: Array, indices: Array | None = None, /, *, axis: int = -1, batch_dims: int = 0) -> Array:
    """Select elements at indices along an axis; the indices may have any shape. Without indices, bring a split array together.

    Parameters
    ----------
    x
        Array with at least one axis, of any dtype.
    indices
        Integer array of any shape; negative indices count from the end. With `None` the result is `x` whole on one device,
        as `corearray.unshard` gives it.
    axis
        Axis along which to take, by default the last.
    batch_dims
        Number of leading batch axes, which `x` and `indices` share.

    Returns
    -------
    Array of the dtype of `x` and of the shape `x.shape[:axis] + indices.shape[batch_dims:] + x.shape[axis + 1:]`.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    ValueError
        If `batch_dims` is negative or greater than `axis`, or the lengths differ along these axes.
    TypeError
        If the indices are not integers, or if `axis` or `batch_dims` is given without indices.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([[1, 2, 3], [4, 5, 6]])
    >>> ca.gather(x, ca.asarray([[0, 2]]), axis=1).tolist()
    [[[1, 3]], [[4, 6]]]
    >>> ca.gather(x, ca.asarray([[0, 2], [1, 1]]), axis=1, batch_dims=1).tolist()
    [[1, 3], [5, 5]]

    Notes
    -----
    `tf.gather`. An index beyond the axis has no defined result.
    """
    if indices is None:
        if axis != -1 or batch_dims != 0:
            raise TypeError(
                "'gather' got axis or batch_dims without indices; give the indices, as in gather(x, indices, axis=0)"
            )
        return x  # on one device; plugins bring split arrays together
    (place,) = _places(axis, x.ndim, "gather")
    shape, wanted = tuple(x.shape), tuple(indices.shape)
    _require_batch(shape, wanted, batch_dims, place, "gather")
    numbers = _integers(indices, "gather")
    if not batch_dims:
        taken = xp.take(x, xp.reshape(numbers, (-1,)), axis=place)
        return xp.reshape(taken, (*shape[:place], *wanted, *shape[place + 1 :]))
    rows = xp.moveaxis(x, place, batch_dims)
    found = _taken(rows, xp.expand_dims(numbers, axis=-1), batch_dims)
    new = range(batch_dims, len(wanted))
    return xp.moveaxis(found, tuple(new), tuple(other + place - batch_dims for other in new))


@declare(gives="same")
def gather_nd(x: Array, indices: Array, /, *, batch_dims: int = 0) -> Array:
    """Select elements or slices by indices over several axes.

    Parameters
    ----------
    x
        Array of any dtype.
    indices
        Integer array of shape `(..., K)`: along the last axis stands one index for each of `K` axes of `x`. Negative
        indices count from the end.
    batch_dims
        Number of leading batch axes, which `x` and `indices` share; the `K` axes follow.

    Returns
    -------
    Array of the dtype of `x` and of the shape `indices.shape[:-1] + x.shape[batch_dims + K:]`.

    Raises
    ------
    ValueError
        If `x` has fewer than `batch_dims + K` axes, or the lengths differ along the first ones.
    TypeError
        If the indices are not integers.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.gather_nd(ca.asarray([[1, 2], [3, 4]]), ca.asarray([[0, 1], [1, 0]])).tolist()
    [2, 3]

    Notes
    -----
    `tf.gather_nd`. An index beyond an axis has no defined result.
    """
    wanted = tuple(indices.shape)
    if not wanted:
        raise ValueError("'gather_nd' got indices without axes; their last axis holds one index for each axis of 'x'")
    _require_batch(tuple(x.shape), wanted[:-1], batch_dims, x.ndim - wanted[-1], "gather_nd")
    return _taken(x, _integers(indices, "gather_nd"), batch_dims)


def _taken(x: Array, indices: Array, batch_dims: int) -> Array:
    """Take elements or slices at indices of the axes behind the first ones."""
    shape, wanted = tuple(x.shape), tuple(indices.shape)
    behind = batch_dims + wanted[-1]
    batch, rest = shape[:batch_dims], shape[behind:]
    places = _flat(indices, shape[batch_dims:behind])
    if batch:
        first = xp.arange(math.prod(batch), dtype=xp.int64, device=x.device) * math.prod(shape[batch_dims:behind])
        places = places + xp.reshape(first, (*batch, *(1,) * (places.ndim - batch_dims)))
    rows = xp.reshape(x, (math.prod(shape[:behind]), *rest))
    return xp.reshape(xp.take(rows, xp.reshape(places, (-1,)), axis=0), (*wanted[:-1], *rest))


def _flat(indices: Array, sizes: Sequence[int]) -> Array:
    """Make one index into the elements laid out flat of the indices along the last axis."""
    places = xp.zeros(indices.shape[:-1], dtype=xp.int64, device=indices.device)
    for number, size in enumerate(sizes):
        index = indices[..., number]
        places = places * size + xp.where(index < 0, index + size, index)
    return places


def _require_batch(shape: Sequence[int], wanted: Sequence[int], batch_dims: int, most: int, name: str) -> None:
    if not 0 <= batch_dims <= min(most, len(wanted)) or tuple(shape[:batch_dims]) != tuple(wanted[:batch_dims]):
        raise ValueError(
            f"'{name}' got batch_dims={batch_dims}, an array of shape {tuple(shape)} and indices for a result of shape "
            f"{tuple(wanted)}; the lengths of the first {batch_dims} axes must agree, and those that are indexed come behind"
        )
