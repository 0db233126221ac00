"""Histograms, ranges, windows, differences, bits, and other functions of numerical work."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.numpy.described import rule, say
from corearray.frontend.numpy.promotion import array, cast, common, floating, result_dtype, surely

__all__: list[str] = []

say("""
numpy.cumulative_sum(x, /, *, axis=None, dtype=None, out=None, include_initial=False) = _cumulative(ca.cumulative_sum, x, axis,
    dtype, include_initial)
numpy.cumulative_prod(x, /, *, axis=None, dtype=None, out=None, include_initial=False) = _cumulative(ca.cumulative_prod, x, axis,
    dtype, include_initial)
numpy.isposinf(x, out=None) = ca.logical_and(ca.isinf(_real(x)), ca.logical_not(ca.signbit(floating(x))))
numpy.isneginf(x, out=None) = ca.logical_and(ca.isinf(_real(x)), ca.signbit(floating(x)))
numpy.iscomplex(x) = ca.imag(array(x)) != 0 if array(x).dtype.category == "complex floating" else ca.zeros_like(array(x), dtype=ca.bool)
numpy.diagflat(v, k=0) = ca.diag(ca.reshape(array(v), (-1,)), k=k)
numpy.dsplit(ary, indices_or_sections) = list(ca.dsplit(ary, indices_or_sections))
numpy.bartlett(M) = _window(M, lambda n, M: ca.where(n <= 0, 1 + n / (M - 1), 1 - n / (M - 1)))
numpy.blackman(M) = _window(M, lambda n, M: 0.42 + 0.5 * ca.cos(math.pi * n / (M - 1)) + 0.08 * ca.cos(2 * math.pi * n / (M - 1)))
numpy.hamming(M) = _window(M, lambda n, M: 0.54 + 0.46 * ca.cos(math.pi * n / (M - 1)))
numpy.hanning(M) = _window(M, lambda n, M: 0.5 + 0.5 * ca.cos(math.pi * n / (M - 1)))
numpy.kaiser(M, beta) = _kaiser(M, beta)
numpy.from_dlpack(x, /, *, device=None, copy=None) = ca.from_dlpack(x)
""")


def _real(x: Any) -> Any:
    x = array(x)
    if x.dtype.category == "complex floating":
        raise CoreArrayTypeError("This operation is not supported for complex values because it would be ambiguous.")
    return x if x.dtype.category == "real floating" else floating(x)


def _cumulative(function: Callable[..., Any], x: Any, axis: Any, dtype: Any, include_initial: bool) -> Any:
    from corearray.frontend.numpy.promotion import sum_dtype

    x = array(x)
    if axis is None:
        if x.ndim > 1:
            raise CoreArrayValueError("For arrays which have more than one dimension ``axis`` argument is required.")
        x, axis = ca.reshape(x, (-1,)), 0
    return function(x, axis=axis, dtype=sum_dtype(x, dtype), include_initial=include_initial)


def _window(M: Any, function: Callable[..., Any]) -> Any:
    size = float(M)
    if size < 1:
        return ca.zeros((0,), dtype=ca.float64)
    if size == 1:
        return ca.ones((1,), dtype=ca.float64)
    return function(ca.arange(1 - size, size, 2, dtype=ca.float64), size)


def _kaiser(M: Any, beta: Any) -> Any:
    size = float(M)
    if size == 1:
        return ca.ones((1,), dtype=ca.float64)
    n = ca.arange(0, size, dtype=ca.float64)
    alpha = (size - 1) / 2.0
    beta = cast(array(beta), ca.float64)
    return ca.i0(beta * ca.sqrt(1 - ((n - alpha) / alpha) ** 2.0)) / ca.i0(beta)


@rule("numpy.fix")
def _fix(x: Any, out: Any = None) -> Any:
    x = array(x)
    if x.dtype.category == "complex floating":
        raise CoreArrayTypeError("fix takes real numbers")
    return ca.trunc(x) if x.dtype.category == "real floating" else x


@rule("numpy.spacing")
def _spacing(x: Any, /, out: Any = None) -> Any:
    x = floating(x)
    away = ca.where(ca.signbit(x), array(-ca.inf, x.dtype), array(ca.inf, x.dtype))
    return ca.where(ca.isinf(x), array(ca.nan, x.dtype), ca.nextafter(x, away) - x)


@rule("numpy.bitwise_count")
def _bitwise_count(x: Any, /, out: Any = None) -> Any:
    x = array(x)
    bits = x.dtype.bits
    size = x if x.dtype.category == "unsigned integer" else ca.abs(x)
    total = ca.zeros(tuple(x.shape), dtype=ca.uint8)
    for place in range(bits):
        total = total + cast(
            ca.bitwise_and(ca.bitwise_right_shift(size, array(place, x.dtype)), array(1, x.dtype)), ca.uint8
        )
    return total


@rule("numpy.matvec")
def _matvec(x1: Any, x2: Any, /, out: Any = None) -> Any:
    x1, x2 = common(x1, x2)
    return ca.squeeze(ca.matmul(x1, x2[..., None]), axis=-1)


@rule("numpy.vecmat")
def _vecmat(x1: Any, x2: Any, /, out: Any = None) -> Any:
    x1, x2 = common(x1, x2)
    return ca.squeeze(
        ca.matmul(ca.conj(x1)[..., None, :] if x1.dtype.category == "complex floating" else x1[..., None, :], x2),
        axis=-2,
    )


@rule("numpy.real_if_close")
def _real_if_close(a: Any, tol: Any = 100) -> Any:
    a = array(a)
    if a.dtype.category != "complex floating":
        return a
    if tol > 1:
        tol = tol * (2.0**-52 if a.dtype == ca.complex128 else 2.0**-23)
    return ca.real(a) if surely(ca.all(ca.abs(ca.imag(a)) < tol)) else a


@rule("numpy.linspace")
def _linspace(
    start: Any, stop: Any, num: Any = 50, endpoint: bool = True, retstep: bool = False, dtype: Any = None, axis: int = 0, *,
    device: Any = None,
) -> Any:  # fmt: skip
    if not hasattr(num, "__index__"):
        raise CoreArrayTypeError(f"'{type(num).__name__}' object cannot be interpreted as an integer: num is a count")
    count = num.__index__()
    if count < 0:
        raise CoreArrayValueError(f"Number of samples, {count}, must be non-negative.")
    parts = count - 1 if endpoint else count
    first, last = array(start), array(stop)
    own = result_dtype(first, last, float(parts)) if first.dtype.category != "bool" else ca.float64
    own = ca.float64 if own.category not in ("real floating", "complex floating") else own
    first, last = cast(first, own), cast(last, own)
    whole = last - first
    places = ca.reshape(
        cast(ca.arange(count), ca.float64 if own.category != "complex floating" else own), (-1, *(1,) * whole.ndim)
    )
    places = cast(places, own)
    if parts > 0:
        step = whole / parts
        made = (
            ca.where(step == 0, places / parts * whole, places * step) if surely(ca.any(step == 0)) else places * step
        )
    else:
        step = ca.full(tuple(whole.shape), ca.nan, dtype=own)
        made = places * whole
    made = made + first
    if endpoint and count > 1:
        made = ca.concat([made[:-1], ca.expand_dims(ca.broadcast_to(last, tuple(made.shape[1:])), axis=0)], axis=0)
    if axis != 0:
        made = ca.moveaxis(made, 0, axis)
    wanted = dtype or own
    if "int" in wanted.name and made.dtype.category == "real floating":
        made = ca.floor(made)
    made = cast(made, wanted)
    return (made, step) if retstep else made


@rule("numpy.logspace")
def _logspace(
    start: Any, stop: Any, num: Any = 50, endpoint: bool = True, base: Any = 10.0, dtype: Any = None, axis: int = 0
) -> Any:
    first, last, base = array(start), array(stop), array(base)
    rank = len(ca.broadcast_shapes(tuple(first.shape), tuple(last.shape), tuple(base.shape)))
    first, last, base = (ca.reshape(x, ((1,) * (rank - x.ndim) + tuple(x.shape))) for x in (first, last, base))
    powers = _linspace(first, last, num, endpoint, axis=axis)
    base = ca.expand_dims(base, axis=axis) if base.ndim or rank else base
    made = ca.pow(*common(base, powers))
    return cast(made, dtype)


@rule("numpy.geomspace")
def _geomspace(start: Any, stop: Any, num: Any = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0) -> Any:
    first, last = array(start), array(stop)
    if surely(ca.any(first == 0)) or surely(ca.any(last == 0)):
        raise CoreArrayValueError("Geometric sequence cannot include zero")
    own = result_dtype(first, last, float(num), dtype and ca.zeros((0,), dtype=dtype))
    own = ca.float64 if own.category not in ("real floating", "complex floating") else own
    first, last = (cast(x, own) for x in (first, last))
    first, last = ca.broadcast_arrays(first, last)
    sign = ca.sign(first) if own.category != "complex floating" else first / ca.abs(first)
    one, other = first / sign, last / sign
    exponent = [ca.log10(x) for x in (one, other)]
    made = _logspace(exponent[0], exponent[1], num, endpoint, 10.0)
    count = made.shape[0]
    if count > 0:
        rows = [ca.expand_dims(cast(one, made.dtype), axis=0), made[1:]]
        if count > 1 and endpoint:
            rows = [rows[0], made[1:-1], ca.expand_dims(cast(other, made.dtype), axis=0)]
        made = ca.concat(rows, axis=0)
    made = made * cast(sign, made.dtype)
    made = ca.moveaxis(made, 0, axis) if axis != 0 else made
    return cast(made, dtype or own)


@rule("numpy.digitize")
def _digitize(x: Any, bins: Any, right: bool = False) -> Any:
    x, bins = array(x), array(bins)
    if x.dtype.category == "complex floating":
        raise CoreArrayTypeError("x may not be complex")
    if bins.ndim != 1:
        raise CoreArrayValueError(
            "object of too small depth for desired array" if not bins.ndim else "bins is of one axis"
        )
    side = "left" if right else "right"
    rising = ca.searchsorted(*common(bins, x), side=side)
    rises = ca.all(bins[1:] >= bins[:-1])
    if bins.shape[0] < 2 or surely(rises):
        return rising
    if surely(ca.logical_not(ca.logical_or(rises, ca.all(bins[1:] <= bins[:-1])))):
        raise CoreArrayValueError("bins must be monotonically increasing or decreasing")
    falling = bins.shape[0] - ca.searchsorted(*common(ca.flip(bins), x), side=side)
    return falling if surely(ca.logical_not(rises)) else ca.where(rises, rising, falling)


@rule("numpy.trapezoid", versions=">=2.0")
def _trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    y = array(y)
    if x is None:
        step = array(dx)
    else:
        places = array(x)
        step = places[1:] - places[:-1] if places.ndim == 1 else ca.diff(places, axis=axis)
        if places.ndim == 1:
            shape = [1] * y.ndim
            shape[axis] = step.shape[0]
            step = ca.reshape(step, tuple(shape))
    high, low = ([slice(None)] * y.ndim for _ in range(2))
    high[axis], low[axis] = slice(1, None), slice(None, -1)
    step, total = common(step, common(y[tuple(high)], y[tuple(low)])[0] + y[tuple(low)])
    own = total.dtype if total.dtype.category in ("real floating", "complex floating") else ca.float64
    return ca.sum(cast(step, own) * cast(total, own) / 2.0, axis=axis)


@rule("numpy.trapz", versions="<2.4")
def _trapz(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    return _trapezoid(y, x, dx, axis)


@rule("numpy.gradient")
def _gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    f = array(f)
    axes = tuple(range(f.ndim)) if axis is None else (axis,) if isinstance(axis, int) else tuple(axis)
    for one in axes:
        if not -f.ndim <= one < f.ndim:
            raise ca.AxisError(f"axis {one} is out of bounds for array of dimension {f.ndim}")
    steps = list(varargs) or [1.0]
    steps = steps * len(axes) if len(steps) == 1 and array(steps[0]).ndim == 0 else steps
    if len(steps) != len(axes):
        raise CoreArrayTypeError("invalid number of arguments")
    if edge_order > 2:
        raise CoreArrayValueError("'edge_order' greater than 2 not supported")
    f = f if f.dtype.category in ("real floating", "complex floating") else cast(f, ca.float64)
    if len({one % f.ndim for one in axes}) < len(axes):
        raise CoreArrayValueError("duplicate value in 'axis'")
    made = [_slope(ca.moveaxis(f, one, 0), array(step), one, edge_order) for one, step in zip(axes, steps, strict=True)]
    return made[0] if len(made) == 1 else tuple(made)


def _slope(f: Any, step: Any, axis: int, edge_order: int) -> Any:
    """Return the derivative along the first axis, which goes back to `axis`."""
    size = f.shape[0]
    if size < edge_order + 1:
        raise CoreArrayValueError(
            "Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are required."
        )
    uniform = not step.ndim
    if not uniform:
        if step.ndim != 1:
            raise CoreArrayValueError("distances must be either scalars or 1d")
        if step.shape[0] != size:
            raise CoreArrayValueError("when 1d, distances must match the length of the corresponding dimension")
        places = step if step.dtype.category == "real floating" else cast(step, ca.float64)
        step = places[1:] - places[:-1]
        if surely(ca.all(step == step[0])):
            step, uniform = step[0], True
    if uniform:
        h = cast(step, f.dtype)
        inner = (f[2:] - f[:-2]) / (2.0 * h)
        first, last = (f[1] - f[0]) / h, (f[-1] - f[-2]) / h
        if edge_order == 2:
            first = (-1.5 * f[0] + 2.0 * f[1] - 0.5 * f[2]) / h
            last = (0.5 * f[-3] - 2.0 * f[-2] + 1.5 * f[-1]) / h
    else:
        wide = cast(ca.reshape(step, (-1, *(1,) * (f.ndim - 1))), f.dtype)
        one, two = wide[:-1], wide[1:]
        inner = (
            -two / (one * (one + two)) * f[:-2]
            + (two - one) / (one * two) * f[1:-1]
            + one / (two * (one + two)) * f[2:]
        )
        first, last = (f[1] - f[0]) / wide[0], (f[-1] - f[-2]) / wide[-1]
        if edge_order == 2:
            a, b = wide[0], wide[1]
            first = -(2.0 * a + b) / (a * (a + b)) * f[0] + (a + b) / (a * b) * f[1] - a / (b * (a + b)) * f[2]
            a, b = wide[-2], wide[-1]
            last = b / (a * (a + b)) * f[-3] - (a + b) / (a * b) * f[-2] + (2.0 * b + a) / (b * (a + b)) * f[-1]
    return ca.moveaxis(ca.concat([first[None], inner, last[None]], axis=0), 0, axis)


@rule("numpy.unwrap")
def _unwrap(p: Any, discont: Any = None, axis: int = -1, *, period: Any = 2 * math.pi) -> Any:
    p = array(p)
    step = ca.diff(p, axis=axis)
    discont = period / 2 if discont is None else discont
    whole = p.dtype.category not in ("real floating", "complex floating") and isinstance(period, int)
    own = p.dtype if whole or p.dtype.category == "real floating" else ca.float64
    p, step = cast(p, own), cast(step, own)
    high, split = (period // 2, period % 2 == 0) if whole else (period / 2, True)
    low = -high
    wrapped = ca.remainder(step - low, array(period, own)) + low
    if split:
        wrapped = ca.where(ca.logical_and(wrapped == low, step > 0), array(high, own), wrapped)
    change = ca.where(ca.abs(step) < discont, ca.zeros((), dtype=own), wrapped - step)
    key: list[Any] = [slice(None)] * p.ndim
    key[axis] = slice(0, 1)
    rest = list(key)
    rest[axis] = slice(1, None)
    return ca.concat([p[tuple(key)], p[tuple(rest)] + ca.cumulative_sum(change, axis=axis, dtype=own)], axis=axis)


@rule("numpy.interp")
def _interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Any:
    x, xp, fp = cast(array(x), ca.float64), cast(array(xp), ca.float64), array(fp)
    complexes = fp.dtype.category == "complex floating"
    fp = cast(fp, ca.complex128 if complexes else ca.float64)
    if period is not None:
        if not period:
            raise CoreArrayValueError("period must be a non-zero value")
        if xp.ndim != 1 or fp.ndim != 1:
            raise CoreArrayValueError("Data points must be 1-D sequences")
        if xp.shape[0] != fp.shape[0]:
            raise CoreArrayValueError("fp and xp are not of the same length")
        period, left, right = abs(period), None, None
        x, xp = ca.remainder(x, array(period, ca.float64)), ca.remainder(xp, array(period, ca.float64))
        order = ca.argsort(xp, stable=True)
        xp, fp = xp[order], fp[order]
        xp = ca.concat([xp[-1:] - period, xp, xp[:1] + period])
        fp = ca.concat([fp[-1:], fp, fp[:1]])
    if not xp.size:
        raise CoreArrayValueError("array of sample points is empty")
    if xp.shape[0] != fp.shape[0]:
        raise CoreArrayValueError("fp and xp are not of the same length.")
    size = xp.shape[0]
    place = ca.clip(ca.searchsorted(xp, x, side="right") - 1, 0, max(size - 2, 0))
    flat = ca.reshape(place, (-1,))
    shape = tuple(x.shape)
    at = [
        ca.reshape(ca.take(one, index, axis=0), shape)
        for one in (xp, fp)
        for index in (flat, ca.clip(flat + 1, 0, size - 1))
    ]
    x0, x1, y0, y1 = at
    width = x1 - x0
    share = (x - x0) / ca.where(width == 0, 1.0, width)
    slope = (y1 - y0) / ca.where(width == 0, 1.0, width)
    made = slope * (x - x0) + y0 if not complexes else y0 + (y1 - y0) * share
    if not complexes:
        made = ca.where(ca.isnan(made), slope * (x - x1) + y1, made)
        made = ca.where(ca.logical_and(ca.isnan(made), y0 == y1), y0, made)
    made = ca.where(x == x0, y0, ca.where(ca.logical_and(x == x1, size > 1), y1, made))
    low = fp[0] if left is None else array(left, fp.dtype)
    high = fp[-1] if right is None else array(right, fp.dtype)
    made = ca.where(x < xp[0], low, ca.where(x > xp[-1], high, ca.where(x == xp[-1], fp[-1], made)))
    return ca.where(ca.isnan(x), x if not complexes else cast(x, fp.dtype), made)


@rule("numpy.packbits")
def _packbits(a: Any, /, axis: Any = None, bitorder: str = "big") -> Any:
    a = array(a)
    if a.dtype != ca.bool and "int" not in a.dtype.name:
        raise CoreArrayTypeError("Expected an input array of integer or boolean data type")
    if bitorder not in ("big", "little"):
        raise CoreArrayValueError("'order' must be either 'little' or 'big'")
    bits = a != 0
    if axis is None:
        bits, axis = ca.reshape(bits, (-1,)), 0
    bits = ca.moveaxis(bits, axis, -1)
    size = bits.shape[-1]
    missing = -size % 8
    bits = ca.concat([bits, ca.zeros((*bits.shape[:-1], missing), dtype=ca.bool)], axis=-1) if missing else bits
    rows = cast(ca.reshape(bits, (*bits.shape[:-1], (size + missing) // 8, 8)), ca.int64)
    weights = ca.asarray([1 << (i if bitorder == "little" else 7 - i) for i in range(8)], dtype=ca.int64)
    return ca.moveaxis(cast(ca.sum(rows * weights, axis=-1), ca.uint8), -1, axis)


@rule("numpy.unpackbits")
def _unpackbits(a: Any, /, axis: Any = None, count: Any = None, bitorder: str = "big") -> Any:
    a = array(a)
    if a.dtype != ca.uint8:
        raise CoreArrayTypeError("Expected an input array of unsigned byte data type")
    if bitorder not in ("big", "little"):
        raise CoreArrayValueError("'order' must be either 'little' or 'big'")
    if axis is None:
        a, axis = ca.reshape(a, (-1,)), 0
    rows = ca.moveaxis(a, axis, -1)
    places = ca.asarray([i if bitorder == "little" else 7 - i for i in range(8)], dtype=ca.uint8)
    bits = ca.bitwise_and(ca.bitwise_right_shift(rows[..., None], places), array(1, ca.uint8))
    bits = ca.reshape(bits, (*rows.shape[:-1], rows.shape[-1] * 8))
    if count is not None:
        size = bits.shape[-1]
        if count < -size:
            raise CoreArrayValueError(f"-ve count is larger than the {size} bits of the axis")
        if count > size:
            bits = ca.concat([bits, ca.zeros((*bits.shape[:-1], count - size), dtype=ca.uint8)], axis=-1)
        else:
            bits = bits[..., : int(count)]
    return ca.moveaxis(bits, -1, axis)
