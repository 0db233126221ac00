"""Cubic splines. The equations of the slopes are solved by cyclic reduction: a step for each doubling of the points."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

from corearray.contract.declaration import declare
from corearray.functional.precision import _widened

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array

__all__ = ["cubic_spline"]


@declare(promote=("x", "places", "values"), floating=True, real=True, gives="same")
def cubic_spline(
    x: Array,
    places: Array,
    values: Array,
    /,
    *,
    axis: int = 0,
    boundary: Literal["not-a-knot", "natural", "clamped", "periodic"] = "not-a-knot",
    derivative: Literal[0, 1, 2, 3] = 0,
    extrapolate: bool = True,
) -> Array:
    """Evaluate the cubic spline through given points, or a derivative of it.

    Parameters
    ----------
    x
        Points of evaluation: real array of any shape.
    places
        Coordinates of the points: real array of shape `(N,)`, strictly ascending, `N` at least 2.
    values
        Values at the points: real array with `N` elements along `axis`.
    axis
        Axis of `values` along which the points lie.
    boundary
        Condition at both ends. `"not-a-knot"`: the first two pieces are one polynomial, and the last two. `"natural"`: the
        second derivative is zero. `"clamped"`: the first derivative is zero. `"periodic"`: the derivatives of both ends are
        equal, and the first and the last value are taken as equal.
    derivative
        Order of the derivative to evaluate; 0 is the spline itself.
    extrapolate
        Whether the first and the last piece go on beyond the points; else elements outside are NaN. A periodic spline repeats.

    Returns
    -------
    Array of the promoted floating dtype: the axes of `x` in the place of `axis` of `values`.

    Raises
    ------
    ValueError
        If there are fewer than two points, or the shapes do not fit together.
    IndexError
        If `values` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> places = ca.asarray([0.0, 1.0, 2.0, 4.0])
    >>> ca.round(ca.cubic_spline(ca.asarray([3.0, 5.0]), places, places**3)).tolist()
    [27.0, 125.0]

    Notes
    -----
    `scipy.interpolate.CubicSpline`. Two points give a line and three a parabola for `"not-a-knot"`. C. de Boor, "A Practical
    Guide to Splines" (1978), chapter IV.
    """
    if not -values.ndim <= axis < values.ndim:
        raise IndexError(f"'cubic_spline' was asked for axis {axis} of values with {values.ndim} axes")
    axis %= values.ndim
    if places.ndim != 1 or places.shape[0] < 2 or values.shape[axis] != places.shape[0]:
        raise ValueError(
            f"'cubic_spline' got places of shape {tuple(places.shape)} and values of shape {tuple(values.shape)}; it takes at "
            f"least two places in one axis, and as many values along axis {axis}"
        )
    dtype, count = x.dtype, places.shape[0]
    x, places, values = _widened(x), _widened(places), xp.moveaxis(_widened(values), axis, 0)
    others = tuple(values.shape[1:])
    y = (
        xp.reshape(values, (count, -1))
        if values.size != 0
        else xp.zeros((count, 0), dtype=values.dtype, device=values.device)
    )
    steps = xp.expand_dims(places[1:] - places[:-1], 1)
    rises = (y[1:, :] - y[:-1, :]) / steps
    slopes = _slopes(steps, rises, boundary)
    bend = (slopes[:-1, :] + slopes[1:, :] - 2.0 * rises) / steps
    pieces = [y[:-1, :], slopes[:-1, :], (rises - slopes[:-1, :]) / steps - bend, bend / steps]

    at = xp.reshape(x, (-1,)) if x.size != 0 else xp.zeros((0,), dtype=x.dtype, device=x.device)
    first, last = places[0], places[-1]
    if boundary == "periodic":
        at = first + (at - first) % (last - first)
    piece = xp.clip(xp.searchsorted(places, at, side="right") - 1, 0, count - 2)
    away = xp.expand_dims(at - xp.take(places, piece), 1)
    found = xp.zeros((at.shape[0], y.shape[1]), dtype=y.dtype, device=y.device)
    for power in range(3, derivative - 1, -1):
        factor = float(math.perm(power, derivative))
        found = found * away + factor * xp.take(pieces[power], piece, axis=0)
    found = xp.where(xp.expand_dims(xp.isnan(at), 1), math.nan, found)
    if not extrapolate and boundary != "periodic":
        found = xp.where(xp.expand_dims((at < first) | (at > last), 1), math.nan, found)
    found = xp.reshape(found, (*x.shape, *others))
    found = xp.moveaxis(found, tuple(range(x.ndim)), tuple(range(axis, axis + x.ndim)))
    return xp.astype(found, dtype, copy=False)


def _slopes(steps: Array, rises: Array, boundary: str) -> Array:
    """Compute the first derivatives at the points from the distances and the slopes of the chords, both with two axes."""
    count = steps.shape[0] + 1
    if boundary == "periodic":
        return _periodic_slopes(steps, rises)
    if count == 2 and boundary != "clamped":
        return xp.concat([rises, rises], axis=0)
    # An equation for each inner point: the second derivative is continuous.
    before, behind = steps[:-1, :], steps[1:, :]
    lower, middle, upper = behind, 2.0 * (before + behind), before
    right = 3.0 * (behind * rises[:-1, :] + before * rises[1:, :])
    if boundary != "not-a-knot":
        one, none = xp.ones_like(steps[:1, :]), xp.zeros_like(steps[:1, :])
        end = one if boundary == "natural" else none
        lower, upper = xp.concat([none, lower, end], axis=0), xp.concat([end, upper, none], axis=0)
        middle = xp.concat([one + end, middle, one + end], axis=0)
        right = xp.concat([3.0 * end * rises[:1, :], right, 3.0 * end * rises[-1:, :]], axis=0)
        return _solve_tridiagonal(lower, middle, upper, right)
    if count == 3:  # a parabola
        bend = (rises[1:, :] - rises[:1, :]) / (steps[1:, :] + steps[:1, :])
        return xp.concat(
            [
                rises[:1, :] - bend * steps[:1, :],
                rises[:1, :] + bend * steps[:1, :],
                rises[1:, :] + bend * steps[1:, :],
            ],
            axis=0,
        )
    # The equations of both ends are subtracted from those beside them, which leaves a dominant diagonal.
    first = _end(steps[:1, :], steps[1:2, :], rises[:1, :], rises[1:2, :])
    last = _end(steps[-1:, :], steps[-2:-1, :], rises[-1:, :], rises[-2:-1, :])
    zeros = xp.zeros_like(right[1:-1, :])
    right = right - xp.concat([first, zeros, last], axis=0)
    ends = xp.concat([(before + behind)[:1, :], xp.zeros_like(middle[1:-1, :]), (before + behind)[-1:, :]], axis=0)
    lower = xp.concat([xp.zeros_like(lower[:1, :]), lower[1:, :]], axis=0)
    upper = xp.concat([upper[:-1, :], xp.zeros_like(upper[:1, :])], axis=0)
    inner = _solve_tridiagonal(lower, middle - ends, upper, right)
    start = (first - (steps[:1, :] + steps[1:2, :]) * inner[:1, :]) / steps[1:2, :]
    stop = (last - (steps[-1:, :] + steps[-2:-1, :]) * inner[-1:, :]) / steps[-2:-1, :]
    return xp.concat([start, inner, stop], axis=0)


def _end(step: Array, further_step: Array, rise: Array, further_rise: Array) -> Array:
    """Return the right side of the equation at an end whose two pieces are one polynomial."""
    both = step + further_step
    return ((step + 2.0 * both) * further_step * rise + step * step * further_rise) / both


def _periodic_slopes(steps: Array, rises: Array) -> Array:
    """Compute the slopes of a periodic spline, whose equations are cyclic: by the formula of Sherman and Morrison."""
    count = steps.shape[0]
    before = xp.concat([steps[-1:, :], steps[:-1, :]], axis=0)
    right = 3.0 * (steps * xp.concat([rises[-1:, :], rises[:-1, :]], axis=0) + before * rises)
    middle = 2.0 * (before + steps)
    if count == 1:
        slopes = xp.zeros_like(rises)
    elif count == 2:
        slopes = (2.0 * right - xp.flip(right, axis=0)) / (1.5 * middle)
    else:
        corner, other = steps[:1, :], before[-1:, :]
        pivot = -middle[:1, :]
        zeros = xp.zeros_like(middle[1:-1, :])
        changed = middle - xp.concat([pivot, zeros, corner * other / pivot], axis=0)
        none = xp.zeros_like(corner)
        lower, upper = xp.concat([none, steps[1:, :]], axis=0), xp.concat([before[:-1, :], none], axis=0)
        sides = xp.concat([right, xp.concat([pivot, zeros, other], axis=0)], axis=1)
        solved = _solve_tridiagonal(lower, changed, upper, sides)
        found, turned = solved[:, :-1], solved[:, -1:]
        share = (found[:1, :] + corner / pivot * found[-1:, :]) / (
            1.0 + turned[:1, :] + corner / pivot * turned[-1:, :]
        )
        slopes = found - turned * share
    return xp.concat([slopes, slopes[:1, :]], axis=0)


def _solve_tridiagonal(lower: Array, middle: Array, upper: Array, right: Array) -> Array:
    """Solve tridiagonal equations with a dominant diagonal by parallel cyclic reduction (Hockney and Jesshope, 1981)."""
    distance, count = 1, middle.shape[0]
    while distance < count:
        before, behind = _moved(middle, distance, one=True), _moved(middle, -distance, one=True)
        one, other = -lower / before, -upper / behind
        middle = middle + one * _moved(upper, distance) + other * _moved(lower, -distance)
        right = right + one * _moved(right, distance) + other * _moved(right, -distance)
        lower, upper = one * _moved(lower, distance), other * _moved(upper, -distance)
        distance *= 2
    return right / middle


def _moved(x: Array, places: int, one: bool = False) -> Array:
    """Move rows down, or up if `places` is negative, and fill with zeros or ones."""
    fill = xp.ones_like if one else xp.zeros_like
    if places > 0:
        return xp.concat([fill(x[:places, :]), x[:-places, :]], axis=0)
    return xp.concat([x[-places:, :], fill(x[places:, :])], axis=0)
