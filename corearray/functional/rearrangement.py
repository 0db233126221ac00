"""Flips, rotations and merged or split axes, with the names of NumPy and torch.

All functions are composed of views, so their results are views.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from corearray.contract.declaration import declare
from corearray.errors import CoreArrayValueError
from corearray.functional.manipulation import _places

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array

__all__ = ["expand", "flatten", "fliplr", "flipud", "ravel", "rot90", "swapaxes", "unflatten"]


@declare(gives="same")
def expand(x: Array, /, shape: int | Sequence[int]) -> Array:
    """Broadcast an array to a shape, where -1 keeps the length of an axis.

    Parameters
    ----------
    x
        Array of any dtype.
    shape
        The shape; it may begin with axes that `x` does not have.

    Returns
    -------
    Array of the shape and the dtype of `x`, a read-only view as by `broadcast_to`.

    Raises
    ------
    ValueError
        If `x` does not broadcast to the shape, or -1 stands for an axis that it does not have.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.expand(ca.asarray([[1], [2]]), (-1, 3)).tolist()
    [[1, 1, 1], [2, 2, 2]]

    Notes
    -----
    `torch.Tensor.expand`.
    """
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    own = (None,) * (len(sizes) - x.ndim) + tuple(x.shape)
    if len(own) != len(sizes) or any(
        length is None if size == -1 else length not in (None, 1, size) for size, length in zip(sizes, own, strict=True)
    ):
        raise CoreArrayValueError(
            f"'expand' got an array of shape {tuple(x.shape)} for the shape {sizes}; axes of length 1 and new ones in "
            "front become longer, -1 leaves an axis as it is"
        )
    wanted = (length if size == -1 else size for size, length in zip(sizes, own, strict=True))
    return xp.broadcast_to(x, tuple(wanted))  # type: ignore[arg-type]


@declare(gives="same")
def flatten(x: Array, /, *, start_axis: int = 0, end_axis: int = -1, copy: bool | None = None) -> Array:
    """Merge adjacent axes into one; by default all axes.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    start_axis, end_axis
        First and last of the axes to merge.
    copy
        As in `reshape`: `True` always copies, `False` never does, `None` copies only where it must.

    Returns
    -------
    Array of the dtype of `x` and its elements in row-major order. An array without axes gets one.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    ValueError
        If the last axis stands before the first, or `copy=False` and a copy cannot be avoided.

    Examples
    --------
    >>> import corearray as ca
    >>> tuple(ca.flatten(ca.zeros((2, 3, 4)), start_axis=1).shape)
    (2, 12)

    Notes
    -----
    `torch.flatten`; NumPy's method of this name always copies, as `copy=True` does.
    """
    ndim = max(x.ndim, 1)
    (first,), (last,) = _places(start_axis, ndim, "flatten"), _places(end_axis, ndim, "flatten")
    if last < first:
        raise ValueError(
            f"'flatten' got the axes from {start_axis} to {end_axis} of an array of shape {tuple(x.shape)}; "
            "the last must not stand before the first"
        )
    shape = tuple(x.shape)
    merged = shape[first : last + 1]
    size = -1 if None in merged else math.prod(merged)
    return xp.reshape(x, (*shape[:first], size, *shape[last + 1 :]), copy=copy)


@declare(gives="same")
def fliplr(x: Array, /) -> Array:
    """Reverse the order of elements along the second axis.

    Parameters
    ----------
    x
        Array of any dtype with at least two axes.

    Returns
    -------
    Array of the shape and dtype of `x`; writes into it are seen in `x`.

    Raises
    ------
    IndexError
        If `x` has fewer than two axes.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.fliplr(ca.asarray([[1, 2], [3, 4]])).tolist()
    [[2, 1], [4, 3]]

    Notes
    -----
    NumPy's `fliplr`.
    """
    return xp.flip(x, axis=1)


@declare(gives="same")
def flipud(x: Array, /) -> Array:
    """Reverse the order of elements along the first axis.

    Parameters
    ----------
    x
        Array of any dtype with at least one axis.

    Returns
    -------
    Array of the shape and dtype of `x`; writes into it are seen in `x`.

    Raises
    ------
    IndexError
        If `x` has no axes.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.flipud(ca.asarray([[1, 2], [3, 4]])).tolist()
    [[3, 4], [1, 2]]

    Notes
    -----
    NumPy's `flipud`.
    """
    return xp.flip(x, axis=0)


@declare(gives="same")
def ravel(x: Array, /) -> Array:
    """Flatten an array to one axis.

    Parameters
    ----------
    x
        Array of any shape and dtype.

    Returns
    -------
    One-dimensional array of the elements in row-major order; writes into it are seen in `x`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.ravel(ca.asarray([[1, 2], [3, 4]])).tolist()
    [1, 2, 3, 4]

    Notes
    -----
    NumPy's `ravel`, which is `reshape(x, (-1,))`.
    """
    return xp.reshape(x, (-1,))


@declare(gives="same")
def rot90(x: Array, /, *, k: int = 1, axes: Sequence[int] = (0, 1)) -> Array:
    """Rotate an array by multiples of 90 degrees in the plane of two axes.

    Parameters
    ----------
    x
        Array of any dtype with at least two axes.
    k
        By how many right angles, from the first axis towards the second; negative ones turn the other way.
    axes
        The two axes.

    Returns
    -------
    Array of the dtype of `x`, whose lengths along the two axes are exchanged for odd `k`; writes into it are seen
    in `x`.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    ValueError
        If `axes` does not name two different axes.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.rot90(ca.asarray([[1, 2], [3, 4]])).tolist()
    [[2, 4], [1, 3]]

    Notes
    -----
    NumPy's `rot90`.
    """
    places = _places(axes, x.ndim, "rot90")
    if len(places) != 2:
        raise ValueError(f"'rot90' got axes={tuple(axes)}; it turns in the plane of two axes")
    first, second = places
    if k % 2 == 0:
        return xp.flip(x, axis=places if k % 4 else ())
    return xp.flip(xp.swapaxes(x, first, second), axis=first if k % 4 == 1 else second)


@declare(gives="same")
def swapaxes(x: Array, axis1: int, axis2: int, /) -> Array:
    """Exchange two axes.

    Parameters
    ----------
    x
        Array of any dtype.
    axis1, axis2
        The axes that change places.

    Returns
    -------
    Array of the dtype and elements of `x`; writes into it are seen in `x`.

    Raises
    ------
    IndexError
        If `x` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> tuple(ca.swapaxes(ca.zeros((2, 3, 4)), 0, -1).shape)
    (4, 3, 2)

    Notes
    -----
    NumPy's `swapaxes`.
    """
    (one,), (other,) = _places(axis1, x.ndim, "swapaxes"), _places(axis2, x.ndim, "swapaxes")
    axes = list(range(x.ndim))
    axes[one], axes[other] = other, one
    return xp.permute_dims(x, tuple(axes))


@declare(gives="same")
def unflatten(x: Array, axis: int, sizes: Sequence[int], /) -> Array:
    """Split one axis into several.

    Parameters
    ----------
    x
        Array of any dtype with at least one axis.
    axis
        Axis to split.
    sizes
        Lengths of the axes that take its place, together as long; one of them may be -1 and follows from the others.

    Returns
    -------
    Array of the dtype and elements of `x`; writes into it are seen in `x`.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    ValueError
        If the sizes do not multiply to the length of the axis.

    Examples
    --------
    >>> import corearray as ca
    >>> tuple(ca.unflatten(ca.zeros((2, 12)), 1, (3, -1)).shape)
    (2, 3, 4)

    Notes
    -----
    `torch.unflatten`.
    """
    (place,) = _places(axis, x.ndim, "unflatten")
    shape, parts = tuple(x.shape), list(sizes)
    length, known = shape[place], math.prod([size for size in parts if size != -1])
    if parts.count(-1) == 1 and known and length is not None and length % known == 0:
        parts[parts.index(-1)] = length // known
    elif parts.count(-1) > 1 or (length is not None and (-1 in parts or known != length)):
        raise ValueError(
            f"'unflatten' cannot split axis {place} of an array of shape {shape} into the sizes {tuple(sizes)}; "
            f"they must multiply to {length}, and only one may be -1"
        )
    return xp.reshape(x, (*shape[:place], *parts, *shape[place + 1 :]))
