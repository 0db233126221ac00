"""Ufuncs and other functions of each element."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.frontend.numpy.described import rule, same, say
from corearray.frontend.numpy.promotion import array, cast, common, floating, result_dtype
from corearray.frontend.numpy.templates import binary, binary_floating, logical, unary, unary_floating

__all__: list[str] = []

same(unary, "numpy.{}", "negative positive absolute=abs sign square conjugate=conj conj floor ceil trunc rint=round")
same(unary, "numpy.{}", "invert=bitwise_invert bitwise_not=bitwise_invert isnan isinf isfinite real imag fabs=abs")
same(
    unary_floating,
    "numpy.{}",
    "sin cos tan arcsin=asin arccos=acos arctan=atan sinh cosh tanh arcsinh=asinh arccosh=acosh arctanh=atanh exp exp2 expm1 "
    "log log2 log10 log1p sqrt cbrt deg2rad radians=deg2rad rad2deg degrees=rad2deg signbit",
)
same(
    binary,
    "numpy.{}",
    "add subtract multiply maximum minimum fmax fmin equal not_equal less less_equal greater greater_equal remainder "
    "mod=remainder fmod bitwise_and bitwise_or bitwise_xor left_shift=bitwise_left_shift right_shift=bitwise_right_shift gcd "
    "lcm floor_divide power=pow",
)
same(binary, "operator.{}", "pow")
same(binary_floating, "numpy.{}", "arctan2=atan2 hypot logaddexp logaddexp2 copysign nextafter float_power")
same(logical, "numpy.{}", "logical_and logical_or logical_xor logical_not")

say("""
numpy.divide|numpy.true_divide(x1, x2, /, out=None, *, dtype=None) = ca.divide(
    *(cast(floating(x, double=True), dtype) for x in common(x1, x2)))
numpy.reciprocal(x, /, out=None) = ca.reciprocal(x)
numpy.heaviside(x1, x2, /, out=None) = ca.heaviside(*map(floating, common(x1, x2)))
numpy.ldexp(x1, x2, /, out=None) = ca.ldexp(floating(x1), x2)
numpy.frexp(x, /) = ca.frexp(floating(x))
numpy.modf(x, /) = ca.modf(floating(x))
numpy.divmod(x1, x2, /) = tuple(f(*common(x1, x2)) for f in (ca.floor_divide, ca.remainder))
numpy.angle(z, deg=False) = ca.rad2deg(ca.angle(z)) if deg else ca.angle(z)
numpy.sinc(x) = ca.sinc(floating(x, double=True))
numpy.i0(x) = ca.i0(floating(x, double=True))
numpy.nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None) = ca.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)
numpy.isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False) = ca.isclose(*common(a, b), rtol=rtol, atol=atol,
    equal_nan=equal_nan)
numpy.allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False) = ca.allclose(*common(a, b), rtol=rtol, atol=atol,
    equal_nan=equal_nan)
numpy.ndarray.astype(x, dtype, order="K", casting="unsafe", subok=True, copy=True) = cast(x, dtype)
numpy.ndarray.real.__get__(x) = ca.real(x)
numpy.ndarray.imag.__get__(x) = ca.imag(x)
numpy.ndarray.copy|numpy.copy(x, order="K") = ca.asarray(x, copy=True)
numpy.round|numpy.around(a, decimals=0, out=None) = _rounded(a, decimals)
numpy.isreal(x) = ca.isreal(x)
""")


def _rounded(x: ca.Array, decimals: int) -> Any:
    if x.dtype.kind not in ("real floating", "complex floating"):
        return x
    return ca.round(x) if not decimals else ca.round(x * 10.0**decimals) / 10.0**decimals


@rule("numpy.clip")
def _clip(a: Any, a_min: Any = None, a_max: Any = None, out: Any = None, *, min: Any = None, max: Any = None) -> Any:
    low, high = (a_min if min is None else min), (a_max if max is None else max)
    dtype = result_dtype(a, low, high)
    a = array(a, dtype)
    a = a if low is None else ca.maximum(a, array(low, dtype))
    return a if high is None else ca.minimum(a, array(high, dtype))


@rule("numpy.where")
def _where(condition: Any, x: Any, y: Any, /) -> Any:
    return ca.where(cast(array(condition), ca.bool), *common(x, y))


@rule("numpy.select")
def _select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    *choices, made = common(*choicelist, default)
    for condition, choice in zip(reversed(condlist), reversed(choices), strict=True):
        made = ca.where(condition, choice, made)
    return made
