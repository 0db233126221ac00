"""`jax.scipy.fft`, `cluster.vq`, `integrate`, `ndimage`, `interpolate`, and the functions of `jax.scipy.stats` of samples."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable
from functools import reduce
from typing import Any, NamedTuple

import corearray as ca
from corearray.errors import CoreArrayNotImplementedError, CoreArrayValueError
from corearray.frontend.jax.members_of.scipy_signal import floats
from corearray.frontend.jax.members_of.tree import register_pytree_node
from corearray.frontend.jax.promotion import cast, default, inexact
from corearray.frontend.jax.wrapper import Array, converted, numpy_function

__all__ = ["FUNCTIONS", "ModeResult", "RegularGridInterpolator", "map_coordinates", "mode", "rankdata", "sem", "vq"]


def _fitted(x: ca.Array, axis: int, n: int | None) -> ca.Array:
    """Return an array cut or filled with zeros to a length."""
    if n is None or n == x.shape[axis]:
        return x
    if n < x.shape[axis]:
        key = [slice(None)] * x.ndim
        key[axis] = slice(0, n)
        return x[tuple(key)]
    return ca.pad(x, [(0, n - x.shape[axis] if i == axis else 0) for i in range(x.ndim)])


def _cosine(name: str, transform: Callable[..., Any], *, several: bool) -> Callable[..., Any]:
    """Return a cosine transform of type 2, or its inverse, along one axis or several."""

    def over(x: ca.Array, lengths: Any, axes: Any, norm: str | None) -> Any:
        if x.dtype.category == "complex floating":
            return over(ca.real(x), lengths, axes, norm) + 1j * over(ca.imag(x), lengths, axes, norm)
        x = cast(x, inexact(x.dtype))
        for axis, n in zip(axes, lengths, strict=True):
            made = transform(
                ca.moveaxis(_fitted(x, axis, n), axis, -1), type=2, norm="ortho" if norm == "ortho" else None
            )
            x = ca.moveaxis(made, -1, axis)
        return x

    def checked(x: Any, kind: int, norm: str | None) -> ca.Array:
        if kind != 2:
            raise CoreArrayNotImplementedError("Only DCT type 2 is implemented.")
        if norm not in (None, "backward", "ortho"):
            raise CoreArrayValueError(f"jax.scipy.fft.{name}: norm={norm!r} is not implemented")
        return converted(x)[0]

    def one(x: Any, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
        array = checked(x, type, norm)
        if not -array.ndim <= axis < array.ndim:
            raise CoreArrayValueError(f"axis {axis} is out of bounds for array of dimension {array.ndim}")
        return Array(over(array, [n], [axis % array.ndim], norm))

    def all_of(x: Any, type: int = 2, s: Any = None, axes: Any = None, norm: str | None = None) -> Any:
        array = checked(x, type, norm)
        lengths = None if s is None else [s] if isinstance(s, int) else list(s)
        if lengths is not None and len(lengths) > array.ndim:
            raise CoreArrayValueError(f"s must have at most x.ndim ({array.ndim}) elements, got {len(lengths)}")
        if axes is None:
            places = list(range(array.ndim - len(lengths), array.ndim)) if lengths else list(range(array.ndim))
        else:
            places = [operator.index(axis) % array.ndim for axis in ([axes] if isinstance(axes, int) else axes)]
        return Array(over(array, lengths or [None] * len(places), places, norm))

    function: Callable[..., Any] = all_of if several else one
    function.__name__ = function.__qualname__ = name
    function.__module__ = "jax.scipy.fft"
    function.__doc__ = f"Compute what `jax.scipy.fft.{name}` computes."
    return function


def vq(obs: Any, code_book: Any, check_finite: bool = True) -> tuple[Any, Any]:
    """Return the number of the nearest code of each observation, and how far it is.

    Raises
    ------
    ValueError
        If the numbers of axes differ, or are neither 1 nor 2.
    """
    points, codes = floats(obs, code_book)
    if points.ndim != codes.ndim:
        raise CoreArrayValueError("Observation and code_book should have the same rank")
    if points.ndim == 1:
        points, codes = points[:, None], codes[:, None]
    if points.ndim != 2:
        raise CoreArrayValueError("ndim different than 1 or 2 are not supported")
    distances = ca.linalg.vector_norm(points[:, None, :] - codes[None, :, :], axis=-1)
    return Array(cast(ca.argmin(distances, axis=-1), default(int))), Array(ca.min(distances, axis=-1))


def _mirrored(index: Any, size: int) -> Any:
    half = size - 1
    return ca.abs(ca.remainder(index + half, 2 * half) - half)


#: The places in an array for places that lie outside.
_INSIDE: dict[str, Callable[[Any, int], Any]] = {
    "constant": lambda index, size: index,
    "nearest": lambda index, size: ca.clip(index, 0, size - 1),
    "wrap": ca.remainder,
    "mirror": _mirrored,
    "reflect": lambda index, size: ca.floor_divide(_mirrored(2 * index + 1, 2 * size + 1) - 1, 2),
}


def _away_from_zero(x: Any) -> Any:
    if x.dtype.category != "real floating":
        return x
    return ca.where(x < 0, ca.ceil(x - 0.5), ca.floor(x + 0.5))


def map_coordinates(input: Any, coordinates: Any, order: int, mode: str = "constant", cval: Any = 0.0) -> Any:
    """Return the elements of an array between its places: the nearest ones, or weighted means along lines.

    Raises
    ------
    ValueError
        If there is not one array of coordinates for each axis.
    NotImplementedError
        If the mode is unknown, or the order is larger than 1.
    """
    x = ca.asarray(input) if isinstance(input, (list, tuple)) else converted(input)[0]
    given = [converted(ca.asarray(one) if isinstance(one, (list, tuple)) else one)[0] for one in coordinates]
    if len(given) != x.ndim:
        raise CoreArrayValueError(f"coordinates must be a sequence of length input.ndim, but {len(given)} != {x.ndim}")
    if mode not in _INSIDE:
        raise CoreArrayNotImplementedError(
            f"jax.scipy.ndimage.map_coordinates does not yet support mode {mode}. "
            f"Currently supported modes are {set(_INSIDE)}."
        )
    if order not in (0, 1):
        raise CoreArrayNotImplementedError("jax.scipy.ndimage.map_coordinates currently requires order<=1")
    outside = cast(converted(cval)[0], x.dtype)
    axes: list[Any] = []
    for places, size in zip(given, x.shape, strict=True):
        if order == 0:
            nodes: list[Any] = [(ca.astype(_away_from_zero(places), ca.int32), None)]
        else:
            share = places - ca.floor(places) if places.dtype.category == "real floating" else ca.zeros_like(places)
            below = ca.astype(ca.floor(places), ca.int32)
            nodes = [(below, 1 - share), (below + 1, share)]
        axes.append([(_INSIDE[mode](i, size), ca.logical_and(i >= 0, i < size), weight) for i, weight in nodes])
    parts = []
    for corner in itertools.product(*axes):
        value = x[tuple(ca.clip(i, 0, size - 1) for (i, _, _), size in zip(corner, x.shape, strict=True))]
        if mode == "constant":
            value = ca.where(reduce(ca.logical_and, [inside for _, inside, _ in corner]), value, outside)
        weights = [weight for _, _, weight in corner if weight is not None]
        parts.append(reduce(operator.mul, weights) * value if weights else value)
    made = reduce(operator.add, parts)
    integers = x.dtype.category in ("signed integer", "unsigned integer")
    return Array(cast(_away_from_zero(made) if integers else made, x.dtype))


class RegularGridInterpolator:
    """An interpolating function of values on a grid.

    Parameters
    ----------
    points
        The coordinates of the grid, an array for each axis.
    values
        Its values; further axes are kept.
    method
        `"linear"` or `"nearest"`.
    fill_value
        The value outside; with `None` values are extrapolated.
    """

    def __init__(
        self, points: Any, values: Any, method: str = "linear", bounds_error: bool = False, fill_value: Any = float("nan")
    ) -> None:  # fmt: skip
        self._check(method)
        if bounds_error:
            raise CoreArrayNotImplementedError("`bounds_error` takes no effect under JIT")
        self.method, self.bounds_error = method, bounds_error
        array = converted(values)[0]
        if len(points) > array.ndim:
            raise CoreArrayValueError(f"there are {len(points)} point arrays, but values has {array.ndim} dimensions")
        self.values = Array(cast(array, inexact(array.dtype)))
        self.grid = tuple(Array(converted(p)[0]) for p in points)
        self.fill_value = None if fill_value is None else Array(*converted(fill_value))

    @staticmethod
    def _check(method: str) -> None:
        if method not in ("linear", "nearest"):
            raise CoreArrayValueError(f"method {method!r} is not defined")

    def _points(self, xi: Any) -> ca.Array:
        if isinstance(xi, tuple) and len(xi) == 1:
            xi = xi[0]
        if isinstance(xi, tuple):
            return ca.stack(list(ca.broadcast_arrays(*floats(*xi))), axis=-1)
        array = converted(xi)[0]
        return ca.reshape(array, (-1, len(self.grid))) if array.ndim == 1 else array

    def __call__(self, xi: Any, method: str | None = None) -> Any:
        """Return the values at points, whose coordinates are the last axis or a tuple of arrays.

        Raises
        ------
        ValueError
            If the points have another number of coordinates than the grid.
        """
        method = self.method if method is None else method
        self._check(method)
        points, values, count = self._points(xi), self.values.array, len(self.grid)
        if points.shape[-1] != count:
            raise CoreArrayValueError(
                f"the requested sample points xi have dimension {points.shape[-1]}, but this RegularGridInterpolator has "
                f"dimension {count}"
            )
        rows = ca.reshape(points, (-1, count))
        axes, outside = [], ca.zeros((rows.shape[0],), dtype=ca.bool)
        for i, grid in enumerate(self.grid):
            edges, x = floats(grid, Array(rows[:, i]))
            below = ca.clip(ca.searchsorted(edges, x) - 1, 0, edges.shape[0] - 2)
            low, high = ca.take(edges, below), ca.take(edges, below + 1)
            share = (x - low) / (high - low)
            axes.append(((below, 1 - share), (below + 1, share)))
            outside = ca.logical_or(outside, ca.logical_or(x < edges[0], x > edges[-1]))
        rest = (1,) * (values.ndim - count)
        if method == "nearest":
            made = values[tuple(ca.where(share <= 0.5, low, high) for (low, _), (high, share) in axes)]
        else:
            parts = []
            for corner in itertools.product(*axes):
                weight = reduce(operator.mul, [one for _, one in corner])
                parts.append(values[tuple(i for i, _ in corner)] * ca.reshape(weight, (-1, *rest)))
            made = reduce(operator.add, parts)
        if self.fill_value is not None:
            made = ca.where(ca.reshape(outside, (-1, *rest)), cast(self.fill_value.array, made.dtype), made)
        return Array(ca.reshape(made, (*points.shape[:-1], *values.shape[count:])))


register_pytree_node(
    RegularGridInterpolator,
    lambda one: ((one.grid, one.values, one.fill_value), (one.method, one.bounds_error)),
    lambda aux, children: RegularGridInterpolator(children[0], children[1], aux[0], aux[1], children[2]),
)


class ModeResult(NamedTuple):
    """The result of `mode`."""

    mode: Any
    count: Any


def _check_gaps(name: str, nan_policy: str) -> None:
    if nan_policy not in ("propagate", "omit", "raise"):
        raise CoreArrayValueError(
            f"Illegal nan_policy value {nan_policy!r}; expected one of {{'propagate', 'omit', 'raise'}}"
        )
    if nan_policy != "propagate":
        raise CoreArrayNotImplementedError(f"{name} has no nan_policy {nan_policy!r}")


def _rows(x: ca.Array, axis: int | None) -> tuple[ca.Array, Callable[[ca.Array], ca.Array]]:
    """Return an array with an axis, or all of them, as the last one, and the function that moves it back."""
    if axis is None:
        shape = tuple(x.shape)
        return ca.reshape(x, (-1,)), lambda made: ca.reshape(made, shape)
    if not -x.ndim <= axis < x.ndim:
        raise CoreArrayValueError(f"axis {axis} is out of bounds for array of dimension {x.ndim}")
    return ca.moveaxis(x, axis, -1), lambda made: ca.moveaxis(made, -1, axis)


def mode(a: Any, axis: int | None = 0, nan_policy: str = "propagate", keepdims: bool = False) -> Any:
    """Return the most frequent element, the smallest one of several, and how often it occurs."""
    _check_gaps("mode", nan_policy)
    x = converted(a)[0]
    x = x if x.ndim else ca.reshape(x, (1,))
    rows, _ = _rows(x, axis)
    kept = tuple(1 if axis is None or i == axis % x.ndim else n for i, n in enumerate(x.shape))
    shape = kept if keepdims else tuple(rows.shape[:-1])
    if not rows.shape[-1]:
        nothing = ca.zeros(shape, dtype=default(float))
        return ModeResult(Array(nothing + ca.nan), Array(nothing))
    rows = ca.sort(rows, axis=-1)
    counts = ca.sum(ca.astype(rows[..., :, None] == rows[..., None, :], default(int)), axis=-1, dtype=default(int))
    best = ca.argmax(counts, axis=-1)
    found = [ca.take_along_axis(one, best[..., None], axis=-1)[..., 0] for one in (rows, counts)]
    return ModeResult(*(Array(ca.reshape(one, shape)) for one in found))


def rankdata(a: Any, method: str = "average", *, axis: int | None = None, nan_policy: str = "propagate") -> Any:
    """Return the ranks of elements, from 1.

    Raises
    ------
    ValueError
        If the method is unknown.
    """
    _check_gaps("rankdata", nan_policy)
    if method not in ("average", "min", "max", "dense", "ordinal"):
        raise CoreArrayValueError(f"unknown method '{method}'")
    x = converted(a)[0]
    rows, back = _rows(ca.reshape(x, (-1,)), None) if axis is None else _rows(x, axis)
    own, length = default(float), rows.shape[-1]
    order = ca.argsort(rows, axis=-1, stable=True)
    inverse = ca.argsort(order, axis=-1, stable=True)
    if method == "ordinal" or not length:
        made = inverse + 1
    elif method == "dense":
        ordered = ca.sort(rows, axis=-1)
        steps = ca.concat(
            [ca.ones_like(inverse[..., :1]), ca.astype(ca.diff(ordered, axis=-1) != 0, inverse.dtype)], axis=-1
        )
        made = ca.take_along_axis(ca.cumulative_sum(steps, axis=-1), inverse, axis=-1)
    else:
        less = ca.sum(ca.astype(rows[..., None, :] < rows[..., :, None], own), axis=-1)
        same = ca.sum(ca.astype(rows[..., None, :] == rows[..., :, None], own), axis=-1)
        made = {"min": less + 1, "max": less + same, "average": less + 0.5 * (same + 1)}[method]
    made = cast(made, own)
    if rows.dtype.category == "real floating" and length:
        made = ca.where(ca.any(ca.isnan(rows), axis=-1, keepdims=True), ca.nan, made)
    return Array(back(made))


def sem(a: Any, axis: int | None = 0, ddof: int = 1, nan_policy: str = "propagate", *, keepdims: bool = False) -> Any:
    """Return standard errors of means.

    Raises
    ------
    ValueError
        If the policy for gaps is neither "propagate" nor "omit".
    """
    if nan_policy not in ("propagate", "omit"):
        raise CoreArrayValueError(f"{nan_policy} is not supported")
    (x,) = floats(a)
    if nan_policy == "omit":
        count = ca.sum(ca.astype(ca.logical_not(ca.isnan(x)), x.dtype), axis=axis, keepdims=keepdims)
        return Array(ca.nanstd(x, axis=axis, correction=ddof, keepdims=keepdims) / ca.sqrt(count))
    size = math.prod(x.shape if axis is None else x.shape[axis : axis + 1 or None])
    return Array(ca.std(x, axis=axis, correction=ddof, keepdims=keepdims) / math.sqrt(size))


FUNCTIONS: dict[str, Any] = {
    "scipy.fft.dct": _cosine("dct", ca.dct, several=False), "scipy.fft.dctn": _cosine("dctn", ca.dct, several=True),
    "scipy.fft.idct": _cosine("idct", ca.idct, several=False), "scipy.fft.idctn": _cosine("idctn", ca.idct, several=True),
    "scipy.cluster.vq.vq": vq, "scipy.ndimage.map_coordinates": map_coordinates,
    "scipy.interpolate.RegularGridInterpolator": RegularGridInterpolator,
    "scipy.integrate.trapezoid": lambda y, x=None, dx=1.0, axis=-1: numpy_function("trapezoid")(y, x, dx, axis),
    "scipy.stats.mode": mode, "scipy.stats.rankdata": rankdata, "scipy.stats.sem": sem,
}  # fmt: skip
