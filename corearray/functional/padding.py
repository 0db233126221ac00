"""Padding of arrays, and trimming of zeros.

Axes are padded one after the other, and later axes include the padding of earlier ones, as in NumPy. The modes that
repeat elements are one `take` along the axis with indices that are folded back into the array, so that the padding may
be wider than the array.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from corearray.contract.declaration import declare
from corearray.functional.manipulation import _places
from corearray.functional.precision import _widest
from corearray.types.shape import axis_pairs

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array

__all__ = ["pad", "pad_sequence", "trim_zeros"]

_REPEATING = ("edge", "reflect", "symmetric", "wrap")
_COMPUTED = ("linear_ramp", "maximum", "mean", "median", "minimum")
_MODES = ("constant", "empty", *_COMPUTED, *_REPEATING)


@declare(gives="same")
def pad(
    x: Array,
    pad_width: int | Sequence[int] | Sequence[Sequence[int]] | Mapping[int, int | Sequence[int]],
    /,
    *,
    mode: str = "constant",
    constant_values: complex | Sequence[complex] | Sequence[Sequence[complex]] = 0,
    end_values: complex | Sequence[complex] | Sequence[Sequence[complex]] = 0,
    stat_length: int | Sequence[int] | Sequence[Sequence[int]] | None = None,
    reflect_type: Literal["even", "odd"] = "even",
) -> Array:
    """Pad an array at both ends of its axes.

    Parameters
    ----------
    x
        Array of any shape and dtype; of numbers for the modes that compute, of real ones for `"maximum"`, `"minimum"`
        and `"median"`.
    pad_width
        Number of elements before and after, at least 0: one number for all; one pair `(before, after)` for every
        axis; a sequence of as many pairs as axes; or a mapping from axes to numbers or pairs.
    mode
        Mode of the padding. `"constant"`: `constant_values`. `"edge"`: the outermost element. `"linear_ramp"`: a
        ramp from the outermost element to `end_values`. `"maximum"`, `"mean"`, `"median"`, `"minimum"`: that of the
        axis. `"reflect"`: the elements mirrored at the outermost one. `"symmetric"`: the elements mirrored
        beyond it. `"wrap"`: those of the other end. `"empty"`: anything.
    constant_values, end_values
        Python numbers, given as `pad_width` is, for `"constant"` and `"linear_ramp"`.
    stat_length
        How many of the elements at each end `"maximum"`, `"mean"`, `"median"` and `"minimum"` look at, given as
        `pad_width` is; by default all along the axis.
    reflect_type
        `"odd"` subtracts the mirrored elements of `"reflect"` and `"symmetric"` from twice the outermost element.

    Returns
    -------
    Array of the dtype of `x`, along each axis longer by what was asked for. It shares no memory with `x`.

    Raises
    ------
    ValueError
        If the mode is none of these, a width is negative, or there are not as many pairs as axes; if an axis of length 0
        has no elements to pad with.
    TypeError
        If truth values are padded by a mode that computes.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.pad(ca.asarray([1, 2, 3]), (1, 2)).tolist()
    [0, 1, 2, 3, 0, 0]
    >>> ca.pad(ca.asarray([1, 2, 3]), 4, mode="reflect").tolist()
    [1, 2, 3, 2, 1, 2, 3, 2, 1, 2, 3]
    >>> ca.pad(ca.asarray([[1, 2]]), ((1, 0), (0, 1)), mode="edge").tolist()
    [[1, 2, 2], [1, 2, 2]]

    Notes
    -----
    NumPy's `pad`, without functions as modes. Ramps of integers are rounded down, means and medians to the nearest
    integer, as there.
    """
    if mode not in _MODES:
        raise ValueError(f"'pad' got mode={mode!r}; it is one of {', '.join(map(repr, _MODES))}")
    if reflect_type not in ("even", "odd"):
        raise ValueError(f"'pad' got reflect_type={reflect_type!r}; it is 'even' or 'odd'")
    odd = reflect_type == "odd" and mode in ("reflect", "symmetric")
    if (mode in _COMPUTED or odd) and xp.isdtype(x.dtype, "bool"):
        raise TypeError(f"'pad' with mode={mode!r} computes with elements; cast the truth values to a dtype of numbers")
    widths = [(operator.index(before), operator.index(after)) for before, after in axis_pairs(pad_width, x.ndim)]
    values = axis_pairs(end_values if mode == "linear_ramp" else constant_values, x.ndim)
    lengths = axis_pairs(stat_length, x.ndim)
    if any(width < 0 for pair in widths for width in pair):
        raise ValueError(f"'pad' got pad_width={pad_width!r}; the widths are at least 0, shorten by indexing")
    empty = [place for place, pair in enumerate(widths) if any(pair) and x.shape[place] == 0]
    if empty and mode not in ("constant", "empty"):
        raise ValueError(
            f"'pad' cannot pad axis {empty[0]} of an array of shape {tuple(x.shape)} with mode={mode!r}; "
            "it has no elements, only 'constant' and 'empty' need none"
        )
    if not any(map(any, widths)):
        return xp.astype(x, x.dtype, copy=True)
    for place, width in enumerate(widths):
        if not any(width):
            continue
        if mode in _REPEATING:
            x = _folded(x, place, width, mode, odd)
            continue
        if mode in ("constant", "empty"):
            sides = [_filled(x, place, count, value) for count, value in zip(width, values[place], strict=True)]
        elif mode == "linear_ramp":
            front, back = (_ramp(x, place, *side) for side in zip((0, -1), width, values[place], strict=True))
            sides = [front, xp.flip(back, axis=place)]
        else:
            found = (_statistic(x, place, *side, mode) for side in zip((0, -1), lengths[place], strict=True))
            sides = [xp.repeat(one, count, axis=place) for one, count in zip(found, width, strict=True)]
        x = xp.concat([sides[0], x, sides[1]], axis=place)
    return x


@declare(promote=("arrays",), gives="same")
def pad_sequence(
    arrays: Sequence[Array],
    /,
    *,
    batch_first: bool = False,
    padding_value: complex = 0,
    padding_side: Literal["right", "left"] = "right",
) -> Array:
    """Pad arrays to the length of the longest and stack them.

    Parameters
    ----------
    arrays
        At least one array of shape `(L, ...)`, where `L` may differ.
    batch_first
        Whether the new axis comes first or second.
    padding_value
        Python number that fills the shorter ones.
    padding_side
        At which end of the arrays.

    Returns
    -------
    Array of the promoted dtype and of shape `(L, B, ...)`, or `(B, L, ...)` with `batch_first`, for `B` arrays of which
    the longest has the length `L`.

    Raises
    ------
    ValueError
        If there is no array, one has no axes, or the shapes differ behind the first axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.pad_sequence([ca.asarray([1, 2, 3]), ca.asarray([4])], batch_first=True).tolist()
    [[1, 2, 3], [4, 0, 0]]

    Notes
    -----
    `torch.nn.utils.rnn.pad_sequence`.
    """
    if padding_side not in ("right", "left"):
        raise ValueError(f"'pad_sequence' got padding_side={padding_side!r}; it is 'right' or 'left'")
    if not arrays or any(x.ndim == 0 for x in arrays):
        raise ValueError("'pad_sequence' takes at least one array, and each with at least one axis")
    longest = max(x.shape[0] for x in arrays)
    padded = []
    for x in arrays:
        missing = longest - x.shape[0]
        first = (0, missing) if padding_side == "right" else (missing, 0)
        padded.append(xp.pad(x, (first, *((0, 0),) * (x.ndim - 1)), constant_values=padding_value))
    return xp.stack(padded, axis=0 if batch_first else 1)


@declare(gives="same")
def trim_zeros(x: Array, /, *, trim: str = "fb", axis: int | Sequence[int] | None = None) -> Array:
    """Remove leading and trailing zeros along axes.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    trim
        `"f"` cuts at the front, `"b"` at the back, `"fb"` at both.
    axis
        Axis or axes along which to cut, where every element at a place is zero; by default all.

    Returns
    -------
    Array of the dtype of `x`; writes into it are seen in `x`. Of nothing but zeros, no element is left.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    ValueError
        If `trim` is something else.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.trim_zeros(ca.asarray([0, 0, 1, 0, 2, 0])).tolist()
    [1, 0, 2]

    Notes
    -----
    The shape of the result depends on the values: it cannot be traced. NumPy's `trim_zeros`.
    """
    ends = trim.lower()
    if ends not in ("f", "b", "fb", "bf"):
        raise ValueError(f"'trim_zeros' got trim={trim!r}; it is 'f', 'b' or 'fb'")
    places = range(x.ndim) if axis is None else _places(axis, x.ndim, "trim_zeros")
    key = [slice(None)] * x.ndim
    for place in places:
        others = tuple(other for other in range(x.ndim) if other != place)
        (found,) = xp.nonzero(xp.any(x, axis=others))
        some = found.shape[0] > 0
        start = int(found[0]) if some and "f" in ends else 0
        stop = 0 if not some else int(found[-1]) + 1 if "b" in ends else x.shape[place]
        key[place] = slice(start, stop)
    return x[tuple(key)]


def _part(x: Array, place: int, *bounds: int | None) -> Array:
    """Cut a piece out of an array along an axis."""
    return x[(*(slice(None),) * place, slice(*bounds), ...)]


def _filled(x: Array, place: int, count: int, value: complex) -> Array:
    """Make the constant elements for one end of an axis."""
    shape = tuple(x.shape)
    return xp.full((*shape[:place], count, *shape[place + 1 :]), value, dtype=x.dtype, device=x.device)


def _folded(x: Array, place: int, width: tuple[int, int], mode: str, odd: bool) -> Array:
    """Pad an axis with its own elements, at indices that are folded back into the axis."""
    before, after = width
    length = x.shape[place]
    indices = xp.arange(-before, length + after, dtype=xp.int64, device=x.device)
    if mode == "wrap":
        return xp.take(x, indices % length, axis=place)
    if mode == "edge" or length == 1:
        return xp.take(x, xp.clip(indices, 0, length - 1), axis=place)
    period = 2 * length if mode == "symmetric" else 2 * length - 2
    phase = indices % period
    turned = phase >= length
    folded = period - phase - (mode == "symmetric")
    taken = xp.take(x, xp.where(turned, folded, phase), axis=place)
    if not odd:
        return taken
    along = tuple(-1 if other == place else 1 for other in range(x.ndim))
    first, last = _part(x, place, 0, 1), _part(x, place, length - 1, length)
    rounds, turned = xp.reshape(indices // period, along), xp.reshape(turned, along)
    taken = xp.where(turned, 2 * last - taken, taken)
    return xp.where(rounds == 0, taken, taken + xp.astype(rounds, x.dtype) * (2 * (last - first)))


def _ramp(x: Array, place: int, end: int, count: int, value: complex) -> Array:
    """Make the elements from a value towards the one at an end of an axis, which is not reached."""
    edge = _part(x, place, 0, 1) if end == 0 else _part(x, place, x.shape[place] - 1, None)
    steps = xp.arange(count, dtype=xp.int64, device=x.device)
    steps = xp.reshape(steps, tuple(-1 if other == place else 1 for other in range(x.ndim)))
    start = xp.asarray(value, dtype=x.dtype, device=x.device)
    if not xp.isdtype(x.dtype, "integral"):
        return start + (edge - start) * xp.astype(xp.astype(steps, _widest()) / max(count, 1), x.dtype)
    wide = xp.uint64 if xp.isdtype(x.dtype, "unsigned integer") else xp.int64
    steps, edge, start = (xp.astype(one, wide) for one in (steps, edge, start))
    falls = edge < start
    climb = xp.where(falls, start - edge, edge - start)
    whole, rest = climb // max(count, 1), climb % max(count, 1)
    up = whole * steps + rest * steps // max(count, 1)
    down = whole * steps + (rest * steps + (max(count, 1) - 1)) // max(count, 1)
    return xp.astype(xp.where(falls, start - down, start + up), x.dtype)


def _statistic(x: Array, place: int, end: int, length: int | None, mode: str) -> Array:
    """Reduce the elements at an end of an axis to one."""
    count = x.shape[place] if length is None else min(operator.index(length), x.shape[place])
    if count < 1:
        raise ValueError(f"'pad' got the stat_length {length}; mode={mode!r} looks at one element at least")
    part = _part(x, place, 0, count) if end == 0 else _part(x, place, x.shape[place] - count, None)
    if mode in ("maximum", "minimum"):
        return (xp.max if mode == "maximum" else xp.min)(part, axis=place, keepdims=True)
    integral = xp.isdtype(x.dtype, "integral")
    summary = xp.mean if mode == "mean" else xp.median
    found = summary(xp.astype(part, _widest()) if integral else part, axis=place, keepdims=True)
    return xp.astype(xp.round(found), x.dtype) if integral else found
