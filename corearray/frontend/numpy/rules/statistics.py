"""Statistics: quantiles, histograms, running means, NaN-aware reductions, gradients."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.numpy.described import rule, say
from corearray.frontend.numpy.gaps import counted, warned
from corearray.frontend.numpy.promotion import array, cast, common, floating, result_dtype, surely

__all__: list[str] = []

say("""
numpy.corrcoef(x, y=None, rowvar=True, *, dtype=None) = _correlated(x, y, rowvar, dtype)
numpy.convolve(a, v, mode="full") = _convolved(a, v, mode)
numpy.correlate(a, v, mode="valid") = ca.correlate(*_rows(a, v), mode=_mode(mode))
""")


def _rows(a: Any, v: Any) -> Any:
    a, v = common(array(a), array(v))
    a, v = (ca.reshape(x, (1,)) if not x.ndim else x for x in (a, v))
    if not a.size or not v.size:
        raise CoreArrayValueError(f"{'a' if not a.size else 'v'} cannot be empty")
    if a.ndim > 1 or v.ndim > 1:
        raise CoreArrayValueError("object too deep for desired array")
    return a, v


def _mode(mode: Any) -> Any:
    return {0: "valid", 1: "same", 2: "full"}.get(mode, mode) if isinstance(mode, int) else mode


def _convolved(a: Any, v: Any, mode: str) -> Any:
    a, v = _rows(a, v)
    mode = _mode(mode)
    if mode not in ("full", "same", "valid"):
        raise CoreArrayValueError(f"mode must be one of 'valid', 'same', or 'full', got {mode!r}")
    if v.shape[0] > a.shape[0]:
        a, v = v, a
    return ca.convolve(a, v, mode=mode)


@rule("numpy.cov")
def _covariance(
    m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: Any = None, fweights: Any = None, aweights: Any = None, *,
    dtype: Any = None,
) -> Any:  # fmt: skip
    if ddof is not None and ddof != int(ddof):
        raise CoreArrayValueError("ddof must be integer")
    x = array(m)
    if x.ndim > 2:
        raise CoreArrayValueError("m has more than 2 dimensions")
    given = [x] if y is None else [x, array(y)]
    if len(given) > 1 and given[1].ndim > 2:
        raise CoreArrayValueError("y has more than 2 dimensions")
    own = dtype or result_dtype(*given, ca.zeros((0,), dtype=ca.float64))
    rows = []
    for one in given:
        one = cast(ca.reshape(one, (1, -1)) if one.ndim < 2 else one, own)
        rows.append(one.mT if not rowvar and one.shape[0] != 1 else one)
    whole = ca.concat(rows, axis=0)
    if whole.shape[0] == 0:
        return ca.zeros((0, 0), dtype=own)
    ddof = (0 if bias else 1) if ddof is None else int(ddof)
    weights = None
    if fweights is not None:
        counts = array(fweights)
        numbers = cast(counts, ca.float64)
        if surely(ca.any(ca.round(numbers) != numbers)):
            raise CoreArrayTypeError("fweights must be integer")
        _check_weights("fweights", "repeats", numbers, whole)
        weights = numbers
    if aweights is not None:
        sizes = cast(array(aweights), ca.float64)
        _check_weights("aweights", "weights", sizes, whole)
        weights = sizes if weights is None else weights * sizes
    if weights is None:
        mean = ca.mean(whole, axis=1, keepdims=True)
        factor: Any = whole.shape[1] - ddof
        right = whole - mean
        left = right
    else:
        total = ca.sum(weights)
        mean = ca.expand_dims(ca.sum(whole * weights, axis=1) / total, axis=1)
        factor = (
            total if ddof == 0 else total - ddof if aweights is None else total - ddof * ca.sum(weights * sizes) / total
        )
        factor = float(factor)
        left = whole - mean
        right = left * weights
    made = ca.matmul(left, ca.conj(right).mT if own.category == "complex floating" else right.mT)
    made = (
        made / cast(array(max(factor, 0.0)), ca.float32 if own == ca.float32 else ca.float64)
        if own.category != "complex floating"
        else made * (1 / factor)
    )
    return ca.squeeze(made, axis=tuple(i for i, n in enumerate(made.shape) if n == 1))


def _check_weights(name: str, what: str, weights: Any, rows: Any) -> None:
    if weights.ndim > 1:
        raise RuntimeError(f"cannot handle multidimensional {name}")
    if weights.shape[0] != rows.shape[1]:
        raise RuntimeError(f"incompatible numbers of samples and {name}")
    if surely(ca.any(weights < 0)):
        raise CoreArrayValueError(f"{name} cannot be negative")


def _correlated(x: Any, y: Any, rowvar: bool, dtype: Any) -> Any:
    made = _covariance(x, y, rowvar, dtype=dtype)
    if not made.ndim:
        return made / made
    sizes = ca.sqrt(ca.real(ca.linalg.diagonal(made)))
    made = made / sizes[:, None] / sizes[None, :]
    if made.dtype.category == "complex floating":
        return ca.clip(ca.real(made), -1, 1) + 1j * ca.clip(ca.imag(made), -1, 1)
    return ca.clip(made, -1, 1)


#: The methods of quantiles: the place of q among n sorted elements, counted from 0.
_PLACES: dict[str, Any] = {
    "inverted_cdf": lambda n, q: n * q - 1, "averaged_inverted_cdf": lambda n, q: n * q - 1,
    "closest_observation": lambda n, q: n * q - 1 - 0.5, "interpolated_inverted_cdf": lambda n, q: n * q - 1,
    "hazen": lambda n, q: n * q - 0.5, "weibull": lambda n, q: (n + 1) * q - 1, "linear": lambda n, q: (n - 1) * q,
    "median_unbiased": lambda n, q: (n + 1 / 3) * q + 1 / 3 - 1, "normal_unbiased": lambda n, q: (n + 1 / 4) * q + 3 / 8 - 1,
    "lower": lambda n, q: (n - 1) * q, "higher": lambda n, q: (n - 1) * q, "midpoint": lambda n, q: (n - 1) * q,
    "nearest": lambda n, q: (n - 1) * q,
}  # fmt: skip


def _quantiles(
    a: Any, q: Any, axis: Any, method: str, keepdims: bool, scale: float, *, skip: bool, weights: Any
) -> Any:
    x = array(a)
    if method not in _PLACES:
        raise CoreArrayValueError(f"{method!r} is not a valid method. Use one of: {', '.join(_PLACES)}")
    if x.dtype.category == "complex floating":
        raise CoreArrayTypeError("a must be an array of real numbers")
    if weights is not None and method != "inverted_cdf":
        raise CoreArrayValueError(f"Only method 'inverted_cdf' supports weights. Got: {method}.")
    places = array(q)
    exact = x.dtype.category != "real floating" and method in (
        "inverted_cdf",
        "lower",
        "higher",
        "nearest",
        "closest_observation",
    )
    own = x.dtype if x.dtype.category == "real floating" else ca.float64
    if x.dtype.category == "real floating" and places.dtype.category == "real floating" and isinstance(q, ca.Array):
        own = result_dtype(x, places) if not exact else own
    fractions = cast(places, ca.float64) / scale
    if surely(ca.any(~((fractions >= 0) & (fractions <= 1)))):
        raise CoreArrayValueError(
            "Percentiles must be in the range [0, 100]" if scale > 1 else "Quantiles must be in the range [0, 1]"
        )
    axes = tuple(range(x.ndim)) if axis is None else (axis,) if isinstance(axis, int) else tuple(axis)
    for one in axes:
        if not -x.ndim <= one < x.ndim:
            raise ca.AxisError(f"axis {one} is out of bounds for array of dimension {x.ndim}")
    axes = tuple(one % x.ndim for one in axes)
    if len(set(axes)) < len(axes):
        raise CoreArrayValueError("duplicate value in 'axis'")
    rest = tuple(i for i in range(x.ndim) if i not in axes)
    rows = ca.reshape(ca.permute_dims(x, (*rest, *axes)), (*(x.shape[i] for i in rest), -1))
    before = rows
    rows = cast(rows, ca.float64 if own != ca.float32 else ca.float32)
    if weights is not None:
        made = _weighted(rows, x, weights, fractions, axes, rest, skip=skip)
    else:
        made = _at(rows, fractions, method, skip=skip)
    made = cast(made, before.dtype if exact and not skip else own)
    if keepdims:
        shape = tuple(1 if i in axes else n for i, n in enumerate(x.shape))
        made = ca.reshape(made, (*fractions.shape, *shape))
    return made


def _at(rows: Any, fractions: Any, method: str, *, skip: bool) -> Any:
    """Return the values at fractions of the sorted last axis, with the fractions' axes first."""
    shape = tuple(fractions.shape)
    q = ca.reshape(fractions, (-1, *(1,) * (rows.ndim - 1)))
    nans = ca.isnan(rows)
    size = rows.shape[-1]
    if not size:
        return ca.full((*shape, *rows.shape[:-1]), ca.nan, dtype=rows.dtype)
    ordered = ca.sort(ca.where(nans, ca.inf, rows), axis=-1)
    count: Any = (
        ca.sum(cast(ca.logical_not(nans), ca.int64), axis=-1)
        if skip
        else ca.full(tuple(rows.shape[:-1]), size, dtype=ca.int64)
    )
    bad = count == 0 if skip else ca.any(nans, axis=-1)
    if skip:
        warned(bad, "All-NaN slice encountered")
        ordered = ca.where(ca.expand_dims(bad, axis=-1), 0.0, ordered)
    n = cast(count, ca.float64)
    place = _PLACES[method](n, q)
    top = ca.maximum(n - 1, 0.0)
    low = ca.floor(place)
    gamma = place - low
    if method == "lower":
        low, gamma = ca.floor(place), ca.zeros_like(place)
    elif method == "higher":
        low, gamma = ca.ceil(place), ca.zeros_like(place)
    elif method == "nearest":
        low, gamma = ca.round(place), ca.zeros_like(place)
    elif method == "midpoint":
        gamma = ca.where(gamma == 0, 0.0, 0.5)
    elif method == "inverted_cdf":
        low, gamma = ca.where(gamma > 0, low + 1, low), ca.zeros_like(place)
    elif method == "averaged_inverted_cdf":
        gamma = ca.where(gamma > 0, 1.0, 0.5)
    elif method == "closest_observation":
        even = ca.remainder(low, 2.0) == 1.0
        low, gamma = ca.where(ca.logical_and(gamma == 0, even), low, low + 1), ca.zeros_like(place)
    low_at = ca.clip(low, 0.0, None)
    low_at, high_at = ca.minimum(low_at, top), ca.minimum(ca.clip(low + 1, 0.0, None), top)
    flat = [ca.reshape(cast(one, ca.int64), (q.shape[0], *rows.shape[:-1])) for one in (low_at, high_at)]
    first, second = (ca.take_along_axis(ordered, ca.moveaxis(one, 0, -1), axis=-1) for one in flat)
    gamma = ca.moveaxis(ca.broadcast_to(gamma, (q.shape[0], *rows.shape[:-1])), 0, -1)
    gamma = cast(gamma, rows.dtype)
    step = second - first
    made = ca.where(gamma >= 0.5, second - step * (1 - gamma), first + step * gamma)
    made = ca.where(ca.logical_or(gamma == 0, first == second), first, ca.where(gamma == 1, second, made))
    made = ca.where(ca.expand_dims(bad, axis=-1), ca.nan, made)
    return ca.reshape(ca.moveaxis(made, -1, 0), (*shape, *rows.shape[:-1]))


def _weighted(
    rows: Any, x: Any, weights: Any, fractions: Any, axes: tuple[int, ...], rest: tuple[int, ...], *, skip: bool
) -> Any:
    """Return the first values whose weights up to them reach fractions of all weights."""
    w = cast(array(weights), ca.float64)
    if surely(ca.any(w < 0)):
        raise CoreArrayValueError("Weights must be non-negative.")
    if tuple(w.shape) != tuple(x.shape):
        if len(axes) != w.ndim or tuple(w.shape) != tuple(x.shape[i] for i in axes):
            raise CoreArrayValueError("Shape of weights must be consistent with shape of a along specified axis.")
        w = ca.broadcast_to(ca.reshape(w, (*(1,) * len(rest), -1)), tuple(rows.shape))
    else:
        w = ca.reshape(ca.permute_dims(w, (*rest, *axes)), tuple(rows.shape))
    nans = ca.isnan(rows)
    lost = ca.all(nans, axis=-1) if skip else ca.any(nans, axis=-1)
    if skip:
        rows, w = ca.where(nans, ca.inf, rows), ca.where(nans, 0.0, w)
        w = ca.where(ca.expand_dims(lost, axis=-1), 1.0, w)
    order = ca.argsort(rows, axis=-1, stable=True)
    ordered, w = (ca.take_along_axis(one, order, axis=-1) for one in (rows, w))
    total = ca.cumulative_sum(w, axis=-1)
    if surely(ca.any(~((total[..., -1] > 0) & ca.isfinite(total[..., -1])))):
        raise CoreArrayValueError("Weights included NaN, inf or were all zero.")
    share = total / total[..., -1:]
    q = ca.reshape(fractions, (-1, *(1,) * rows.ndim))
    reached = ca.logical_and(share >= q, ca.logical_or(total > 0, q > 1))
    place = ca.argmax(cast(reached, ca.int8), axis=-1)
    made = ca.moveaxis(ca.take_along_axis(ordered, ca.moveaxis(place, 0, -1), axis=-1), -1, 0)
    return ca.reshape(ca.where(lost, ca.nan, made), (*fractions.shape, *rows.shape[:-1]))


def _quantile_rule(name: str, scale: float, *, skip: bool) -> None:
    def quantile(
        a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, method: str = "linear",
        keepdims: bool = False, *, weights: Any = None, interpolation: Any = None,
    ) -> Any:  # fmt: skip
        return _quantiles(a, q, axis, interpolation or method, keepdims, scale, skip=skip, weights=weights)

    rule(name)(quantile)


_quantile_rule("numpy.quantile", 1.0, skip=False)
_quantile_rule("numpy.percentile", 100.0, skip=False)
_quantile_rule("numpy.nanquantile", 1.0, skip=True)
_quantile_rule("numpy.nanpercentile", 100.0, skip=True)


@rule("numpy.nanmedian")
def _nanmedian(a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: bool = False) -> Any:
    return _quantiles(a, 0.5, axis, "linear", keepdims, 1.0, skip=True, weights=None)


@rule("numpy.median")
def _median(a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: bool = False) -> Any:
    if array(a).dtype.category == "complex floating":
        return ca.median(array(a), axis=axis, keepdims=keepdims)
    return _quantiles(a, 0.5, axis, "linear", keepdims, 1.0, skip=False, weights=None)


def _spread(
    a: Any, axis: Any, dtype: Any, ddof: Any, keepdims: bool, where: Any, *, skip: bool, mean: Any = None
) -> Any:
    """Return the variance of elements, of those that are no NaN with `skip`."""
    x = cast(floating(a, double=True), dtype)
    kept = counted(x, where) if skip else cast(array(where), ca.bool)
    kept = ca.broadcast_to(kept, tuple(x.shape))
    zero = ca.zeros((), dtype=x.dtype)
    real = ca.float64 if x.dtype in (ca.float64, ca.complex128) else ca.float32
    count = ca.sum(cast(kept, real), axis=axis, keepdims=True)
    wide = cast(x, ca.float32) if x.dtype == ca.float16 else x
    zero = cast(zero, wide.dtype)
    center = (
        ca.sum(ca.where(kept, wide, zero), axis=axis, keepdims=True) / cast(count, wide.dtype)
        if mean is None
        else cast(array(mean), wide.dtype)
    )
    step = ca.where(kept, wide - center, zero)
    square = ca.real(step * ca.conj(step)) if wide.dtype.category == "complex floating" else step * step
    total = ca.sum(square, axis=axis, keepdims=keepdims)
    count = ca.reshape(count, tuple(total.shape))
    free = count - ddof
    warned(free <= 0, "Degrees of freedom <= 0 for slice")
    made = total / (ca.maximum(free, 0.0) if not skip else ca.where(free > 0, free, ca.nan))
    return cast(made, x.dtype) if x.dtype == ca.float16 else made


def _spread_rule(name: str, *, root: bool, skip: bool) -> None:
    def spread(
        a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0, keepdims: bool = False, *, where: Any = True,
        mean: Any = None, correction: Any = None,
    ) -> Any:  # fmt: skip
        if correction is not None:
            if ddof:
                raise CoreArrayValueError("ddof and correction can't be provided simultaneously.")
            ddof = correction
        made = _spread(a, axis, dtype, ddof, keepdims, where, skip=skip, mean=mean)
        return ca.sqrt(made) if root else made

    rule(name)(spread)


_spread_rule("numpy.var", root=False, skip=False)
_spread_rule("numpy.std", root=True, skip=False)
_spread_rule("numpy.nanvar", root=False, skip=True)
_spread_rule("numpy.nanstd", root=True, skip=True)


@rule("numpy.mean")
def _mean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = True
) -> Any:
    x = floating(a, double=True)
    if dtype is not None:
        x = cast(array(a), dtype)
        x = cast(x, ca.float64) if x.dtype.category not in ("real floating", "complex floating") else x
    half = x.dtype == ca.float16
    wide = cast(x, ca.float32) if half else x
    if where is True:
        made = ca.mean(wide, axis=axis, keepdims=keepdims)
        warned(not wide.size and made.size, "Mean of empty slice.")
    else:
        kept = ca.broadcast_to(cast(array(where), ca.bool), tuple(wide.shape))
        zero = ca.zeros((), dtype=wide.dtype)
        count = ca.sum(cast(kept, wide.dtype), axis=axis, keepdims=keepdims)
        made = ca.sum(ca.where(kept, wide, zero), axis=axis, keepdims=keepdims) / count
    return cast(made, dtype or ca.float16) if half or dtype is not None else made
