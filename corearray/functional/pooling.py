"""Windows of an array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from corearray.declaration import declare
from corearray.functional.manipulation import _places
from corearray.sliding import read_windows

if TYPE_CHECKING:
    import corearray as xp
    from corearray.array import Array

__all__ = ["sliding_window"]


@declare(gives="same")
def sliding_window(
    x: Array,
    window_shape: int | Sequence[int],
    /,
    *,
    axis: int | Sequence[int] | None = None,
    strides: int | Sequence[int] = 1,
    dilations: int | Sequence[int] = 1,
) -> Array:
    """Gather the elements of windows that slide over axes.

    Parameters
    ----------
    x
        Array of any dtype.
    window_shape
        How many elements a window has: an integer, or one for each axis.
    axis
        Axis or axes over which the windows slide; by default all.
    strides
        Distance from one window to the next: an integer, or one for each axis.
    dilations
        Distance from one element of a window to the next: an integer, or one for each axis.

    Returns
    -------
    Array of the dtype of `x`, with as many elements along each of the axes as there are windows, and behind the others
    one axis for each with the elements of the window. It shares no memory with `x`.

    Raises
    ------
    ValueError
        If a window does not fit, an axis is named twice, or an option is no positive integer.
    IndexError
        If `x` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.sliding_window(ca.arange(5), 3).tolist()
    [[0, 1, 2], [1, 2, 3], [2, 3, 4]]
    >>> ca.sliding_window(ca.arange(7), 3, strides=2, dilations=2).tolist()
    [[0, 2, 4], [2, 4, 6]]

    Notes
    -----
    As `numpy.lib.stride_tricks.sliding_window_view`, which has no strides and dilations, and gives a view.
    """
    places = _places(range(x.ndim) if axis is None else axis, x.ndim, "sliding_window")
    lengths = [x.shape[place] for place in places]
    windows = read_windows("sliding_window", lengths, window_shape, strides, "valid", dilations)
    if not places:
        return xp.astype(x, x.dtype, copy=True)
    for place, size, stride, dilation, length in zip(
        places, windows.kernel, windows.strides, windows.dilations, windows.lengths, strict=True
    ):
        starts = xp.arange(length, device=x.device)[:, None] * stride
        indices = starts + xp.arange(size, device=x.device) * dilation
        x = xp.take(x, xp.reshape(indices, (-1,)), axis=place)
    split = {place: pair for place, *pair in zip(places, windows.lengths, windows.kernel, strict=True)}
    sizes = [-1 if length is None else length for length in x.shape]
    shape = [size for place, length in enumerate(sizes) for size in split.get(place, (length,))]
    behind = [place + sum(other <= place for other in places) for place in places]
    others = [place for place in range(len(shape)) if place not in behind]
    return xp.permute_dims(xp.reshape(x, shape), (*others, *behind))
