"""Views of windows: `sliding_window_view`, which is a read-only copy here."""

from __future__ import annotations

from typing import Any

from corearray.errors import CoreArrayValueError

__all__ = ["FUNCTIONS"]


def _sliding_window_view(
    np: Any, x: Any, window_shape: Any, axis: Any = None, *, subok: bool = False, writeable: bool = False
) -> Any:
    """Return all windows of a shape, with new axes at the end."""
    sizes = tuple(window_shape) if np.iterable(window_shape) else (window_shape,)
    x = np.array(x, copy=None, subok=subok)
    if any(n < 0 for n in sizes):
        raise CoreArrayValueError("`window_shape` cannot contain negative values")
    if axis is None:
        axes = tuple(range(x.ndim))
        if len(sizes) != len(axes):
            raise CoreArrayValueError(
                "Since axis is None, must provide window_shape for all dimensions of `x`; "
                f"got {len(sizes)} window_shape elements and `x.ndim` is {x.ndim}."
            )
    else:
        axes = np.lib.array_utils.normalize_axis_tuple(axis, x.ndim, allow_duplicate=True)
        if len(sizes) != len(axes):
            raise CoreArrayValueError(
                "Must provide matching length window_shape and axis; "
                f"got {len(sizes)} window_shape elements and {len(axes)} axes elements."
            )
    made = x
    for one, size in zip(axes, sizes, strict=True):
        count = made.shape[one] - size + 1
        if count < 1:
            raise CoreArrayValueError("window shape cannot be larger than input array shape")
        places = np.arange(count)[:, None] + np.arange(size)
        made = np.moveaxis(np.take(made, places, axis=one), one + 1, -1)
    made = made.copy() if made is x else made
    made.flags.writeable = writeable
    return made


FUNCTIONS = {"lib.stride_tricks.sliding_window_view": _sliding_window_view}
