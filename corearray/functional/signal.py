"""Signals of one dimension: convolution, correlation, and phases without jumps."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

from corearray.contract.declaration import declare

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array

__all__ = [
    "convolve",
    "correlate",
    "unwrap",
]


@declare(promote=("x1", "x2"), gives="same")
def convolve(
    x1: Array, x2: Array, /, *, mode: Literal["full", "same", "valid"] = "full", out: Array | None = None
) -> Array:
    """Convolve two vectors: `sum(x1[k] * x2[n - k])`.

    Parameters
    ----------
    x1, x2
        Numeric arrays of one axis, not empty.
    mode
        `"full"` for all sums, `"same"` for the middle ones, as many as the longer vector has elements, `"valid"` for those
        where the vectors overlap completely.
    out
        Array that receives the result.

    Returns
    -------
    Array of one axis and the promoted dtype.

    Raises
    ------
    ValueError
        If an array has not one axis or no elements.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.convolve(ca.asarray([1, 2, 3]), ca.asarray([0, 1])).tolist()
    [0, 1, 2, 3]

    Notes
    -----
    NumPy's `convolve`. It takes the product of the lengths in time and memory.
    """
    return _sums("convolve", x1, x2, mode)


@declare(promote=("x1", "x2"), gives="same")
def correlate(
    x1: Array, x2: Array, /, *, mode: Literal["full", "same", "valid"] = "valid", out: Array | None = None
) -> Array:
    """Correlate two vectors: `sum(x1[n + k] * conj(x2[k]))`.

    Parameters
    ----------
    x1, x2
        Numeric arrays of one axis, not empty.
    mode
        As in `convolve`; the default is `"valid"`.
    out
        Array that receives the result.

    Returns
    -------
    Array of one axis and the promoted dtype.

    Raises
    ------
    ValueError
        If an array has not one axis or no elements.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.correlate(ca.asarray([1, 2, 3]), ca.asarray([0, 1])).tolist()
    [2, 3]

    Notes
    -----
    NumPy's `correlate`.
    """
    if x1.ndim == 1 and x2.ndim == 1 and x1.shape[0] < x2.shape[0]:
        found = _sums("correlate", x2, xp.flip(_conj(x1)), mode)
        return xp.flip(_conj(found))
    return _sums("correlate", x1, xp.flip(_conj(x2)), mode)


@declare(floating=True, real=True, gives="same")
def unwrap(
    p: Array,
    /,
    *,
    discont: float | None = None,
    axis: int = -1,
    period: float = 2.0 * math.pi,
    out: Array | None = None,
) -> Array:
    """Add multiples of a period so that neighbours differ by at most half of it.

    Parameters
    ----------
    p
        Real array with at least one axis; integers are computed in the default floating dtype.
    discont
        Smallest jump that is taken away, at least half a period, which is the default.
    axis
        Axis along which neighbours are compared.
    period
        The period, above 0.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `p` and its floating dtype.

    Raises
    ------
    IndexError
        If `p` has no such axis.
    ValueError
        If the period is not positive.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.unwrap(ca.asarray([1.0, 2.0, 3.0, 0.0, 1.0]), period=4.0).tolist()
    [1.0, 2.0, 3.0, 4.0, 5.0]

    Notes
    -----
    NumPy's `unwrap`.
    """
    if not -p.ndim <= axis < p.ndim:
        raise IndexError(f"'unwrap' was asked for axis {axis} of an array with {p.ndim} axes")
    if not period > 0:
        raise ValueError(f"'unwrap' got period={period}; it is above 0")
    half = 0.5 * period
    least = half if discont is None else max(discont, half)
    steps = xp.diff(p, axis=axis)
    shifted = xp.remainder(steps + half, period) - half
    shifted = xp.where((shifted == -half) & (steps > 0.0), half, shifted)
    added = xp.where(xp.abs(steps) < least, 0.0, shifted - steps)
    place = axis % p.ndim
    start = (*(slice(None),) * place, slice(0, 1), ...)
    return p + xp.concat([xp.zeros_like(p[start]), xp.cumulative_sum(added, axis=axis)], axis=axis)


def _conj(x: Array) -> Array:
    return xp.conj(x) if xp.isdtype(x.dtype, "complex floating") else x


def _sums(name: str, x1: Array, x2: Array, mode: str) -> Array:
    """Convolve: rows of the padded longer vector, times the shorter one in reverse."""
    if mode not in ("full", "same", "valid"):
        raise ValueError(f"'{name}' got mode={mode!r}; it is one of 'full', 'same', 'valid'")
    if x1.ndim != 1 or x2.ndim != 1 or not x1.shape[0] or not x2.shape[0]:
        raise ValueError(
            f"'{name}' got arrays of the shapes {tuple(x1.shape)} and {tuple(x2.shape)}; give two vectors with elements"
        )
    if x1.shape[0] < x2.shape[0]:
        x1, x2 = x2, x1
    count, width = x1.shape[0], x2.shape[0]
    first, number = {
        "full": (0, count + width - 1),
        "same": ((width - 1) // 2, count),
        "valid": (width - 1, count - width + 1),
    }[mode]
    nothing = xp.zeros(width - 1, dtype=x1.dtype, device=x1.device)
    padded = xp.concat([nothing, x1, nothing])[first : first + number + width - 1]
    if xp.isdtype(x1.dtype, "bool"):
        ones = xp.sliding_window(padded, width) & xp.flip(x2)
        return xp.any(ones, axis=-1)
    return xp.matmul(xp.sliding_window(padded, width), xp.flip(x2))
