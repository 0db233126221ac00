"""Histograms, whose edges depend on the elements."""

from __future__ import annotations

import math
import operator
from typing import Any

from corearray.errors import CoreArrayTypeError, CoreArrayValueError

__all__ = ["FUNCTIONS"]


def _spread(x: Any) -> float:
    return float(x.max() - x.min())


def _interquartile(np: Any, x: Any) -> float:
    low, high = np.percentile(x, [25, 75]).tolist()
    return float(high - low)


def _width(np: Any, method: str, x: Any) -> float:
    """Return the width of bins that an estimator gives.

    Source: https://numpy.org/doc/stable/reference/generated/numpy.histogram_bin_edges.html
    """
    size = x.size
    if method == "sqrt":
        return _spread(x) / math.sqrt(size)
    if method == "sturges":
        return _spread(x) / (math.log2(size) + 1.0)
    if method == "rice":
        return _spread(x) / (2.0 * size ** (1.0 / 3))
    if method == "scott":
        return float((24.0 * math.pi**0.5 / size) ** (1.0 / 3.0) * float(np.std(x)))
    if method == "fd":
        return 2.0 * _interquartile(np, x) * size ** (-1.0 / 3.0)
    if method == "doane":
        if size > 2:
            scale, sigma = math.sqrt(6.0 * (size - 2) / ((size + 1.0) * (size + 3))), float(np.std(x))
            if sigma > 0.0:
                skew = float(np.mean(((x - np.mean(x)) / sigma) ** 3.0))
                return _spread(x) / (1.0 + math.log2(size) + math.log2(1.0 + abs(skew) / scale))
        return 0.0
    if method == "stone":
        most = max(100, int(math.sqrt(size)))
        whole = _spread(x)
        if size <= 1 or whole == 0:
            return 0.0
        best = min(range(1, most + 1), key=lambda count: _risk(np, x, count, whole))
        return whole / best
    narrow = 2.0 * _interquartile(np, x) * size ** (-1.0 / 3.0)
    coarse = _spread(x) / (math.log2(size) + 1.0)
    if narrow:
        square = _spread(x) / math.sqrt(size) / 2
        return (
            min(max(narrow, square), coarse)
            if int(np.version.split(".")[1]) >= 3 or not np.version.startswith("2.")
            else min(narrow, coarse)
        )
    return coarse


def _risk(np: Any, x: Any, count: int, whole: float) -> float:
    width = whole / count
    share = _histogram(np, x, bins=count, range=(float(x.min()), float(x.max())))[0] / x.size
    return (2 - (x.size + 1) * float(share.dot(share))) / width


_METHODS = ("stone", "auto", "doane", "fd", "rice", "scott", "sqrt", "sturges")


def _outer(np: Any, a: Any, range: Any) -> tuple[Any, Any]:
    if range is not None:
        first, last = range
        first, last = (x.item() if hasattr(x, "item") else x for x in (first, last))
        if first > last:
            raise CoreArrayValueError("max must be larger than min in range parameter.")
        if not (math.isfinite(first) and math.isfinite(last)):
            raise CoreArrayValueError(f"supplied range of [{first}, {last}] is not finite")
    elif not a.size:
        first, last = 0, 1
    else:
        first, last = a.min().item(), a.max().item()
        if not (math.isfinite(first) and math.isfinite(last)):
            raise CoreArrayValueError(f"autodetected range of [{first}, {last}] is not finite")
    if first == last:
        first, last = first - 0.5, last + 0.5
    return first, last


def _edges(np: Any, a: Any, bins: Any, range: Any, weights: Any) -> tuple[Any, Any]:
    """Return the edges of bins, and the first, the last and the count where they are even."""
    if isinstance(bins, str):
        if bins not in _METHODS:
            raise CoreArrayValueError(f"{bins!r} is not a valid estimator for `bins`")
        if weights is not None:
            raise CoreArrayTypeError("Automated estimation of the number of bins is not supported for weighted data")
        first, last = _outer(np, a, range)
        x = a if range is None else a[(a >= first) & (a <= last)]
        if not x.size:
            count = 1
        else:
            width = _width(np, bins, x.astype(float) if x.dtype.kind in "biu" else x)
            if width and x.dtype.kind in "iu" and width < 1:
                width = 1.0
            count = math.ceil((last - first) / width) if width else 1
    elif np.ndim(bins) == 0:
        try:
            count = operator.index(bins)
        except TypeError as error:
            raise CoreArrayTypeError("`bins` must be an integer, a string, or an array") from error
        if count < 1:
            raise CoreArrayValueError("`bins` must be positive, when an integer")
        first, last = _outer(np, a, range)
    elif np.ndim(bins) == 1:
        given = np.asarray(bins)
        if (given[:-1] > given[1:]).any():
            raise CoreArrayValueError("`bins` must increase monotonically, when an array")
        return given, None
    else:
        raise CoreArrayValueError("`bins` must be 1d, when an array")
    dtype = np.result_type(
        float if a.dtype.kind in "biu" else a.dtype, np.float32 if a.dtype == np.float16 else a.dtype
    )
    dtype = np.dtype(float) if dtype.kind in "biu" else dtype
    return np.linspace(first, last, count + 1, endpoint=True, dtype=dtype), (first, last, count)


def _prepared(np: Any, a: Any, weights: Any) -> tuple[Any, Any]:
    a = np.asarray(a)
    if a.dtype == bool:
        a = a.astype(np.uint8)
    if weights is not None:
        weights = np.asarray(weights)
        if weights.shape != a.shape:
            raise CoreArrayValueError("weights should have the same shape as a.")
        weights = weights.ravel()
    return a.ravel(), weights


def _histogram_bin_edges(np: Any, a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Any:
    """Return the edges of the bins that `histogram` uses."""
    a, weights = _prepared(np, a, weights)
    return _edges(np, a, bins, range, weights)[0]


def _histogram(np: Any, a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> Any:
    """Return how many elements lie in each bin, and the edges of the bins."""
    a, weights = _prepared(np, a, weights)
    edges, even = _edges(np, a, bins, range, weights)
    if even is not None:
        kept = (a >= even[0]) & (a <= even[1])
        a, weights = a[kept], None if weights is None else weights[kept]
    x, limits = (one.astype(np.result_type(a.dtype, edges.dtype)) for one in (a, edges))
    count = edges.size - 1
    places = np.searchsorted(limits, x, side="right") - 1
    places = np.where(x == limits[-1], count - 1, places)
    inside = (places >= 0) & (places < count)
    if a.size:
        places = places[inside]
    if weights is None:
        made = (
            np.bincount(places.astype(np.intp), minlength=count) if places.size else np.zeros((count,), dtype=np.intp)
        )
    else:
        made = _summed(np, places, weights[inside], count)
    if not density:
        return made, edges
    widths = np.diff(edges).astype(float)
    return made / widths / made.sum(), edges


def _summed(np: Any, places: Any, weights: Any, count: int) -> Any:
    """Return the sums of weights by place, in the dtype of the weights."""
    dtype = weights.dtype
    if not places.size:
        return np.zeros((count,), dtype=dtype)
    if dtype.kind == "c":
        real = np.bincount(places, weights.real, minlength=count)
        return (real + 1j * np.bincount(places, weights.imag, minlength=count)).astype(dtype)
    return np.bincount(places, weights.astype(float), minlength=count).astype(dtype)


def _histogramdd(
    np: Any, sample: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> Any:
    """Return how many points lie in each cell, and the edges of the cells."""
    x = np.asarray(sample)
    if x.ndim != 2 or isinstance(sample, (list, tuple)):
        x = np.atleast_2d(x).T
    axes = x.shape[1]
    if np.ndim(bins) == 0 if not isinstance(bins, (list, tuple)) else False:
        bins = axes * [bins]
    elif len(bins) != axes:
        raise CoreArrayValueError("The dimension of bins must be equal to the dimension of the sample x.")
    if range is None:
        range = (None,) * axes
    elif len(range) != axes:
        raise CoreArrayValueError("range argument must have one entry per dimension")
    edges: list[Any] = []
    flat: Any = None
    inside: Any = None
    counts = []
    for i, (bin_, span) in enumerate(zip(bins, range, strict=True)):
        column = x[:, i]
        if np.ndim(bin_) == 0:
            if int(bin_) < 1:
                raise CoreArrayValueError(f"`bins[{i}]` must be positive, when an integer")
            first, last = _outer(np, column, span)
            try:
                edge = np.linspace(first, last, operator.index(bin_) + 1)
            except TypeError as error:
                raise CoreArrayTypeError(f"`bins[{i}]` must be an integer, when a scalar") from error
        elif np.ndim(bin_) == 1:
            edge = np.asarray(bin_)
            if (edge[:-1] > edge[1:]).any():
                raise CoreArrayValueError(f"`bins[{i}]` must be monotonically increasing, when an array")
        else:
            raise CoreArrayValueError(f"`bins[{i}]` must be a scalar or 1d array")
        edges.append(edge)
        counts.append(edge.size - 1)
        place = np.searchsorted(edge, column, side="right") - 1
        place = np.where(column == edge[-1], edge.size - 2, place)
        good = (place >= 0) & (place < edge.size - 1)
        inside = good if inside is None else inside & good
        flat = place if flat is None else flat * (edge.size - 1) + place
    total = 1
    for count in counts:
        total *= count
    places = flat[inside].astype(np.intp)
    if weights is None:
        made = np.bincount(places, minlength=total).astype(float) if places.size else np.zeros((total,))
    else:
        made = _summed(np, places, np.asarray(weights)[inside].astype(float), total)
    made = made.reshape(tuple(counts))
    if density:
        whole = made.sum()
        for i, edge in enumerate(edges):
            shape = [1] * axes
            shape[i] = counts[i]
            made = made / np.diff(edge).reshape(tuple(shape))
        made = made / whole
    return made, tuple(edges)


def _histogram2d(
    np: Any, x: Any, y: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> Any:
    """Return how many points of a plane lie in each cell, and the edges of the cells."""
    if len(x) != len(y):
        raise CoreArrayValueError("x and y must have the same length.")
    try:
        count = len(bins)
    except TypeError:
        count = 1
    if count not in (1, 2):
        one = np.asarray(bins)
        bins = [one, one]
    elif count == 1 and np.ndim(bins) == 0:
        bins = [bins, bins]
    made, edges = _histogramdd(np, np.stack([np.asarray(x), np.asarray(y)], axis=1), bins, range, density, weights)
    return made, edges[0], edges[1]


FUNCTIONS = {
    "histogram": _histogram, "histogram_bin_edges": _histogram_bin_edges, "histogramdd": _histogramdd,
    "histogram2d": _histogram2d,
}  # fmt: skip
