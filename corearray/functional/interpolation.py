"""Interpolation: resized images and signals, and piecewise linear functions.

`interpolate` works axis by axis. An element of the result is a weighted sum of a few neighbours. These are gathered, so
that distant infinities and NaN have no effect. A kernel gives the weights. Where it extends beyond the edge, either the
edge element is repeated or the remaining weights are rescaled to a sum of 1.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from functools import reduce
from itertools import product
from typing import TYPE_CHECKING, Any, Literal, cast

from corearray.contract.declaration import declare
from corearray.functional.lengths import _length
from corearray.functional.norms import channel_axis
from corearray.functional.precision import _widened, _widest

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.types.devices import Device

__all__ = ["grid_sample", "interp", "interpolate"]


#: Kernels, each with the distance from which on it is zero.
_KERNELS = {"linear": 1.0, "cubic": 2.0, "lanczos3": 3.0, "lanczos5": 5.0, "mitchellcubic": 2.0, "gaussian": 1.5}
#: Names that also say how many axes there are.
_OF_AXES = {"bilinear": ("linear", 2), "trilinear": ("linear", 3), "bicubic": ("cubic", 2)}
#: How many neighbours are summed up one after the other.
_FEW = 64
_NEAREST = ("nearest", "nearest_exact")
_MODES = (*_NEAREST, "area", *_KERNELS, *_OF_AXES)


@declare()
def interpolate(
    x: Array,
    /,
    *,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool = False,
    antialias: bool = False,
    data_format: str = "channels_first",
) -> Array:
    """Resize images, signals or volumes.

    Parameters
    ----------
    x
        Numeric array of shape `(N, C, ...)`, or `(N, ..., C)` with channels last, with at least one spatial axis; any
        dtype for the nearest element, else integers are computed in the default floating dtype.
    size
        Lengths of the spatial axes of the result: one for all, or as many as there are.
    scale_factor
        In place of `size`: by how much the spatial axes become longer, rounded down.
    mode
        `"nearest"`: the element in whose cell the lower end of the new cell lies; `"nearest_exact"`: its middle.
        `"area"`: the mean of the elements that the new cell touches. `"linear"` and `"cubic"`: through the
        neighbours, which `"bilinear"`, `"trilinear"` and `"bicubic"` are for 2, 3 and 2 axes. `"lanczos3"`,
        `"lanczos5"`, `"mitchellcubic"` and `"gaussian"`: by these kernels.
    align_corners
        For `"linear"` and `"cubic"`: whether the middles of the outermost elements stay where they are, in place of their
        outer ends.
    antialias
        Whether the kernel is stretched where the array becomes smaller, so that every element counts; not for the
        nearest element and `"area"`.
    data_format
        `"channels_first"` or `"channels_last"`.

    Returns
    -------
    Array of the dtype of `x`, or of its floating dtype, with other lengths of the spatial axes. It shares no memory
    with `x`.

    Raises
    ------
    ValueError
        If the mode is none of these or goes with another number of axes, if an option is not one of the mode, if not
        one of `size` and `scale_factor` is given, or if a length would be, or is, less than 1.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([[[1.0, 3.0]]])
    >>> ca.interpolate(x, size=4, mode="linear").tolist()
    [[[1.0, 1.5, 2.5, 3.0]]]
    >>> ca.interpolate(x, scale_factor=2.0).tolist()
    [[[1.0, 1.0, 3.0, 3.0]]]

    Notes
    -----
    `torch.nn.functional.interpolate`: places are those of the middles of cells, and a `scale_factor` is used as it was
    given, not as it became by rounding. An axis that keeps its length stays as it is, but for kernels that blur and for
    the cubic kernel with a `scale_factor` and without `antialias`. The cubic kernel has the parameter -0.75 and repeats the
    elements at the edges; with `antialias` it has -0.5. The last four modes are those of `tf.image.resize`.
    """
    channels = channel_axis("interpolate", x, data_format)
    places = [place for place in range(1, x.ndim) if place != channels]
    if mode not in _MODES:
        raise ValueError(f"'interpolate' got mode={mode!r}; it is one of {', '.join(map(repr, _MODES))}")
    kind, count = _OF_AXES.get(mode, (mode, len(places)))
    if not places or count != len(places):
        raise ValueError(
            f"'interpolate' got an array of shape {tuple(x.shape)} for mode={mode!r}; it takes a batch, channels and "
            f"{count or 'at least 1'} more"
        )
    if align_corners and (antialias or kind not in ("linear", "cubic")):
        raise ValueError(f"'interpolate' aligns corners for 'linear' and 'cubic' without antialias, not for {mode!r}")
    if antialias and kind not in _KERNELS:
        raise ValueError(f"'interpolate' got antialias for mode={mode!r}, which has none")
    lengths = [int(x.shape[place]) for place in places]
    sizes, factors = _sizes(lengths, size, scale_factor)
    if kind not in _NEAREST and not xp.isdtype(x.dtype, ("real floating", "complex floating")):
        x = x * 1.0
    found = _widened(x)
    blurs = kind in ("mitchellcubic", "gaussian")
    steps = kind == "cubic" and not (antialias or align_corners)  # by the factor, even if the length stays
    for place, before, after, factor in zip(places, lengths, sizes, factors, strict=True):
        if before == after and not blurs and not (steps and factor not in (None, 1.0)):
            continue
        if kind in _NEAREST:
            found = xp.take(found, _nearest(before, after, factor, kind == "nearest_exact", x.device), axis=place)
            continue
        if kind == "area":
            indices, weights = _cells(before, after, x.device)
        else:
            indices, weights = _neighbours(before, after, factor, kind, align_corners, antialias, x.device)
        found = _weighted(found, indices, weights, place)
    return xp.astype(found, x.dtype, copy=found is x)


def _sizes(
    lengths: list[int], size: int | Sequence[int] | None, scale_factor: float | Sequence[float] | None
) -> tuple[list[int], list[float | None]]:
    """Return the new lengths and, where they were given, the factors."""
    if (size is None) == (scale_factor is None):
        raise ValueError("'interpolate' takes one of size and scale_factor")
    given: Any = size if scale_factor is None else scale_factor
    values = list(given) if isinstance(given, Sequence) else [given] * len(lengths)
    if len(values) != len(lengths):
        raise ValueError(
            f"'interpolate' got {tuple(values)} for {len(lengths)} spatial axes; give one number or as many"
        )
    factors: list[float | None] = [None if scale_factor is None else float(value) for value in values]
    if scale_factor is None:
        sizes = [operator.index(value) for value in values]
    else:
        sizes = [math.floor(length * value) for length, value in zip(lengths, values, strict=True)]
    if min(*sizes, *lengths) < 1:
        raise ValueError(f"'interpolate' was asked to make {lengths} to {sizes}; the lengths are at least 1")
    return sizes, factors


def _nearest(before: int, after: int, factor: float | None, middle: bool, device: Device) -> Array:
    """Find the element for each place; exactly, where there is no factor."""
    if factor is not None:
        places = (xp.arange(after, dtype=_widest(), device=device) + 0.5 * middle) * (1.0 / factor)
        return xp.astype(xp.clip(xp.floor(places), 0, before - 1), xp.int64)
    steps = xp.arange(after, dtype=xp.int64, device=device)
    return (2 * steps + 1) * before // (2 * after) if middle else steps * before // after


def _cells(before: int, after: int, device: Device) -> tuple[Array, Array]:
    """Find the elements that each new cell touches, which all count the same."""
    steps = xp.arange(after, dtype=xp.int64, device=device)
    first, last = steps * before // after, ((steps + 1) * before - 1) // after
    most = before // after if before % after == 0 else before // after + 2
    indices = first + xp.expand_dims(xp.arange(most, dtype=xp.int64, device=device), 1)
    share = 1.0 / xp.astype(last - first + 1, _widest())
    return xp.minimum(indices, last), xp.where(indices <= last, share, 0.0)


def _neighbours(
    before: int, after: int, factor: float | None, kind: str, align_corners: bool, antialias: bool, device: Device
) -> tuple[Array, Array]:
    """Find the elements within the kernel around each place, and their weights."""
    radius, repeats = _KERNELS[kind], kind in ("linear", "cubic") and not antialias
    steps = xp.arange(after, dtype=_widest(), device=device)
    # A quotient of whole numbers is exact where it is whole, so that a place on an element stays there.
    if align_corners:
        centres = steps * (before - 1) / max(after - 1, 1)
    elif factor is None:
        centres = (steps * (2 * before) + (before - after)) / (2 * after)
    else:
        centres = (steps + 0.5) * (1.0 / factor) - 0.5
    step = before / after if factor is None else 1.0 / factor
    stretch = max(step, 1.0) if antialias else 1.0
    first = xp.floor(centres - radius * stretch) + 1.0
    count = xp.arange(math.ceil(2.0 * radius * stretch), dtype=_widest(), device=device)
    indices = first + xp.expand_dims(count, 1)
    distance = xp.abs(indices - centres) / stretch if stretch > 1.0 else xp.abs(indices - centres)
    inside = xp.clip(indices, 0.0, before - 1.0)
    weights = _kernel(distance, kind, -0.75 if repeats else -0.5)
    if not repeats:
        weights = xp.where((distance < radius) & (indices == inside), weights, 0.0)
        weights = weights / xp.sum(weights, axis=0)
    weights = xp.where(xp.abs(weights) < 8.0 * xp.finfo(weights.dtype).eps, 0.0, weights)
    # An element of no weight may be NaN: the one of the greatest weight stands for it.
    most = xp.take_along_axis(inside, xp.argmax(xp.abs(weights), axis=0, keepdims=True), axis=0)
    return xp.astype(xp.where(weights == 0.0, most, inside), xp.int64), weights


def _kernel(t: Array, kind: str, a: float) -> Array:
    """Compute a kernel at distances within its radius."""
    if kind == "linear":
        return 1.0 - t
    if kind == "gaussian":
        return xp.exp(-2.0 * t * t)
    if kind == "cubic":  # Keys (1981)
        near = ((a + 2.0) * t - (a + 3.0)) * t * t + 1.0
        far = ((a * t - 5.0 * a) * t + 8.0 * a) * t - 4.0 * a
        return xp.where(t <= 1.0, near, far)
    if kind == "mitchellcubic":  # Mitchell and Netravali (1988), with B = C = 1/3
        near = (7.0 * t - 12.0) * t * t / 6.0 + 8.0 / 9.0
        far = ((-7.0 * t + 36.0) * t - 60.0) * t / 18.0 + 16.0 / 9.0
        return xp.where(t <= 1.0, near, far)
    return xp.sinc(t) * xp.sinc(t / _KERNELS[kind])


def _weighted(x: Array, indices: Array, weights: Array, place: int) -> Array:
    """Sum up neighbours times weights, both of shape (neighbours, new length), along an axis.

    One after the other, few of them need less memory than all at once, which a compiler also makes one loop of.
    """
    weights = xp.astype(weights, x.dtype)
    count, behind = indices.shape[0], (1,) * (x.ndim - place - 1)
    if count <= _FEW:
        terms = [xp.take(x, indices[k, :], axis=place) * xp.reshape(weights[k, :], (-1, *behind)) for k in range(count)]
        return reduce(xp.add, terms)
    shape = [-1 if side is None else side for side in x.shape]
    taken = xp.take(x, xp.reshape(indices, (-1,)), axis=place)
    taken = xp.reshape(taken, (*shape[:place], *indices.shape, *shape[place + 1 :]))
    return xp.sum(taken * xp.reshape(weights, (*weights.shape, *behind)), axis=place)


@declare(promote=("x", "places", "values"), floating=True, real=True, gives="same")
def interp(
    x: Array,
    places: Array,
    values: Array,
    /,
    *,
    left: float | None = None,
    right: float | None = None,
    period: float | None = None,
) -> Array:
    """Evaluate the piecewise linear interpolant of given points.

    Parameters
    ----------
    x
        Points of evaluation: real array of any shape.
    places, values
        Coordinates of the points: real arrays of shape `(N,)`, `N` at least 1. The places ascend, unless there is a
        period.
    left, right
        The values below the first place and above the last; by default those of the first and the last point.
    period
        Period of the places, for which they are sorted; `left` and `right` then mean nothing.

    Returns
    -------
    Array of the shape of `x` and the promoted dtype; integers are computed in the default floating dtype. NaN stays NaN.

    Raises
    ------
    ValueError
        If the points have not one axis each, of the same length, or if the period is 0.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.interp(ca.asarray([0.0, 1.5, 9.0]), ca.asarray([1.0, 2.0]), ca.asarray([10.0, 20.0])).tolist()
    [10.0, 15.0, 20.0]

    Notes
    -----
    NumPy's `interp`, in the dtype of the arrays.
    """
    if places.ndim != 1 or tuple(places.shape) != tuple(values.shape) or places.shape[0] == 0:
        raise ValueError(
            f"'interp' got points of the shapes {tuple(places.shape)} and {tuple(values.shape)}; both have one axis, of "
            "the same length, at least 1"
        )
    if period is not None:
        if period == 0:
            raise ValueError("'interp' got period=0; give the length of a period")
        period, left, right = abs(period), None, None
        x, places = x % period, places % period
        order = xp.argsort(places)
        places, values = xp.take(places, order), xp.take(values, order)
        places = xp.concat([places[-1:] - period, places, places[:1] + period])
        values = xp.concat([values[-1:], values, values[:1]])
    shape, x = tuple(-1 if side is None else side for side in x.shape), xp.reshape(x, (-1,))
    last = _length(places, 0) - 1
    former = max(last - 1, 0) if isinstance(last, int) else xp.maximum(last - 1, 0)
    above = xp.searchsorted(places, x, side="right")
    low = xp.where(above == 0, 0, xp.where(above > last, former, above - 1))
    high = xp.minimum(low + 1, last)
    x0, x1, y0, y1 = (xp.take(of, at) for of, at in ((places, low), (places, high), (values, low), (values, high)))
    flat = (y0 == y1) | (x0 == x1) | (x == x0)
    slope = (y1 - y0) / xp.where(x1 == x0, 1.0, x1 - x0)
    line = slope * (x - x0) + y0
    line = xp.where(xp.isnan(line), slope * (x - x1) + y1, line)
    found = xp.where(flat, y0, line)
    last_place, last_value = places[-1], values[-1]
    found = xp.where(x < places[0], values[0] if left is None else left, found)
    found = xp.where(x > last_place, last_value if right is None else right, found)
    found = xp.where(x == last_place, last_value, found)
    return xp.reshape(xp.where(xp.isnan(x), x, found), shape)


@declare(promote=("x", "grid"), floating=True, real=True, gives="same")
def grid_sample(
    x: Array,
    grid: Array,
    /,
    *,
    mode: Literal["bilinear", "nearest", "bicubic"] = "bilinear",
    padding_mode: Literal["zeros", "border", "reflection"] = "zeros",
    align_corners: bool = False,
) -> Array:
    """Sample images or volumes at given places.

    Parameters
    ----------
    x
        Real array of shape `(N, C, H, W)` or `(N, C, D, H, W)`; integers are computed in the default floating dtype.
    grid
        Places to sample: real array of shape `(N, ..., 2)` or `(N, ..., 3)` with as many axes as `x`. The last axis holds the
        place along `W` first, then along `H` and `D`, from -1 at one edge to 1 at the other.
    mode
        `"bilinear"`: by the neighbours along each axis, which is trilinear for volumes. `"nearest"`: the nearest element.
        `"bicubic"`: by four neighbours along each axis of an image.
    padding_mode
        What lies beyond the edges: zeros, the elements at the edge, or the elements reflected at the edge.
    align_corners
        Whether -1 and 1 are the middles of the outermost elements, in place of their outer ends.

    Returns
    -------
    Array of shape `(N, C, ...)` and the promoted floating dtype, where `...` are the axes in the middle of `grid`.

    Raises
    ------
    ValueError
        If the shapes do not fit together, or `"bicubic"` is to sample volumes.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([[[[1.0, 2.0], [3.0, 4.0]]]])
    >>> grid = ca.asarray([[[[0.0, 0.0], [-0.5, 0.5]]]])
    >>> ca.grid_sample(x, grid).tolist()
    [[[[2.5, 3.0]]]]

    Notes
    -----
    `torch.nn.functional.grid_sample`. Places that are NaN have no defined result. Half precision is computed in float32.
    """
    count = x.ndim - 2
    if (
        count not in (2, 3)
        or grid.ndim != x.ndim
        or grid.shape[-1] != count
        or grid.shape[0] != x.shape[0]
        or 0 in x.shape[2:]
    ):
        raise ValueError(
            f"'grid_sample' got arrays of the shapes {tuple(x.shape)} and {tuple(grid.shape)}; they must be (N, C, H, W) and "
            "(N, ..., ..., 2), or (N, C, D, H, W) and (N, ..., ..., ..., 3), with elements along the last axes"
        )
    if mode == "bicubic" and count == 3:
        raise ValueError("'grid_sample' got mode='bicubic' for volumes; give 'bilinear' or 'nearest'")
    dtype, sides = x.dtype, x.shape[2:]
    x, grid = _widened(x), _widened(grid)
    flat = xp.reshape(x, (x.shape[0], x.shape[1], math.prod(sides)))
    around = []  # for each axis of x pairs of neighbours and weights
    for axis, side in enumerate(sides):
        place = grid[..., count - 1 - axis]
        place = 0.5 * (place + 1.0) * (side - 1) if align_corners else 0.5 * ((place + 1.0) * side - 1.0)
        if mode != "bicubic":
            place = _inside(place, side, padding_mode, align_corners)
        first = xp.round(place) if mode == "nearest" else xp.floor(place)
        away = place - first
        terms: list[tuple[Array, Array | None]]
        if mode == "nearest":
            terms = [(first, None)]
        elif mode == "bilinear":
            terms = [(first, 1.0 - away), (first + 1.0, away)]
        else:
            terms = [(first + k, _kernel(xp.abs(away - k), "cubic", -0.75)) for k in (-1.0, 0.0, 1.0, 2.0)]
        if mode == "bicubic":
            terms = [(_inside(at, side, padding_mode, align_corners), weight) for at, weight in terms]
        around.append(terms)
    total: Array | None = None
    for neighbours in product(*around):
        index, there = xp.zeros_like(grid[..., 0], dtype=xp.int64), xp.ones_like(grid[..., 0], dtype=xp.bool)
        factor: Array | None = None
        for (at, weight), side in zip(neighbours, sides, strict=True):
            within = (at >= 0.0) & (at <= side - 1.0)
            there = there & within
            index = index * side + xp.astype(xp.where(within, at, 0.0), xp.int64)
            if weight is not None:
                factor = weight if factor is None else factor * weight
        rows = xp.reshape(index, (x.shape[0], 1, math.prod(index.shape[1:])))
        taken = xp.take_along_axis(flat, xp.broadcast_to(rows, (*flat.shape[:2], rows.shape[2])), axis=2)
        taken = xp.reshape(taken, (*flat.shape[:2], *index.shape[1:]))
        taken = xp.where(xp.expand_dims(there, 1), taken, 0.0)
        if factor is not None:
            factor = xp.expand_dims(factor, 1)
            taken = xp.where((factor == 0.0) & xp.logical_not(xp.isfinite(taken)), 0.0, taken)
        term = taken if factor is None else taken * factor
        total = term if total is None else total + term
    return xp.astype(cast("Array", total), dtype, copy=False)


def _inside(place: Array, side: int, padding_mode: str, align_corners: bool) -> Array:
    """Bring places to the array, for which the elements at the edge or their reflections stand."""
    if padding_mode == "zeros":
        return place
    if padding_mode == "reflection":
        low, span = (0.0, side - 1.0) if align_corners else (-0.5, float(side))
        if span == 0.0:
            return xp.zeros_like(place)
        turn = xp.abs(place - low) % (2.0 * span)
        place = xp.where(turn > span, 2.0 * span - turn, turn) + low
    return xp.clip(place, 0.0, side - 1.0)
