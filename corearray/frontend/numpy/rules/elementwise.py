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
    "add subtract multiply fmax fmin equal not_equal less less_equal greater greater_equal remainder "
    "mod=remainder fmod bitwise_and bitwise_or bitwise_xor left_shift=bitwise_left_shift right_shift=bitwise_right_shift gcd "
    "lcm floor_divide",
)
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
numpy.ndarray.astype(x, dtype, order="K", casting="unsafe", subok=True, copy=True) = cast(x, dtype)
numpy.ndarray.real.__get__(x) = ca.real(x)
numpy.ndarray.imag.__get__(x) = ca.imag(x)
numpy.ndarray.copy|numpy.copy(x, order="K") = ca.asarray(x, copy=True)
numpy.round|numpy.around(a, decimals=0, out=None) = _rounded(a, decimals)
numpy.isreal(x) = ca.isreal(x)
""")


@rule("numpy.power", "operator.pow")
def power(x1: Any, x2: Any, /, out: Any = None, *, dtype: Any = None) -> Any:
    """Return powers. A complex zero gives zero if the exponent has a positive real part; other backends than NumPy's give NaN."""
    base, exponent = (cast(x, dtype) for x in common(x1, x2))
    if "complex floating" not in {x.dtype.category for x in (base, exponent) if isinstance(x, ca.Array)}:
        return ca.pow(base, exponent)
    base, exponent = array(base), array(exponent)
    zero = base == 0
    other = ca.where(exponent == 0, ca.ones_like(exponent), ca.full_like(exponent, complex(ca.nan, ca.nan)))
    at_zero = ca.where(ca.real(exponent) > 0, ca.zeros_like(exponent), other)
    return ca.where(zero, at_zero, ca.pow(ca.where(zero, ca.ones_like(base), base), exponent))


def _rounded(x: ca.Array, decimals: int) -> Any:
    if x.dtype.category not in ("real floating", "complex floating"):
        return x
    return ca.round(x) if not decimals else ca.round(x * 10.0**decimals) / 10.0**decimals


@rule("numpy.clip")
def _clip(
    a: Any, a_min: Any = None, a_max: Any = None, out: Any = None, *, min: Any = None, max: Any = None, where: Any = True,
    casting: str = "same_kind", dtype: Any = None, order: str = "K",
) -> Any:  # fmt: skip
    if (a_min is not None or a_max is not None) and (min is not None or max is not None):
        raise ValueError("Passing `min` or `max` keyword argument when `a_min` and `a_max` are provided is forbidden.")
    low, high = (_bound(a, a_min if min is None else min, 1), _bound(a, a_max if max is None else max, -1))
    own = dtype or result_dtype(
        *(x if isinstance(x, (bool, int, float, complex)) else array(x) for x in (a, low, high) if x is not None)
    )
    a = array(a, own)
    a = a if low is None else _larger(a, array(low, own), ca.maximum)
    return a if high is None else _larger(a, array(high, own), ca.minimum)


def _bound(a: Any, x: Any, sign: int) -> Any:
    """Return a bound, `None` for an integer beyond what the array's dtype holds, which bounds nothing."""
    if isinstance(a, ca.Array) and isinstance(x, int) and not isinstance(x, bool) and "int" in a.dtype.name:
        info = ca.iinfo(a.dtype)
        if (x < info.min and sign > 0) or (x > info.max and sign < 0):
            return None
    return x


def _larger(x: Any, y: Any, function: Any) -> Any:
    """Return the larger or smaller of complex numbers by real, then by imaginary part, of others by their order."""
    if x.dtype == ca.bool:
        return (ca.logical_or if function is ca.maximum else ca.logical_and)(x, y)
    if x.dtype.category != "complex floating":
        return function(x, y)
    above = ca.logical_or(ca.real(x) > ca.real(y), ca.logical_and(ca.real(x) == ca.real(y), ca.imag(x) >= ca.imag(y)))
    first = ca.logical_or(above if function is ca.maximum else ca.logical_not(above), ca.isnan(x))
    return ca.where(ca.logical_and(first, ca.logical_or(ca.isnan(x), ca.logical_not(ca.isnan(y)))), x, y)


def _extreme(function: Any) -> Any:
    def extreme(x1: Any, x2: Any, /, out: Any = None, *, dtype: Any = None) -> Any:
        one, other = (cast(x, dtype) for x in common(x1, x2))
        return _larger(one, other, function)

    return extreme


rule("numpy.maximum")(_extreme(ca.maximum))
rule("numpy.minimum")(_extreme(ca.minimum))


@rule("numpy.where")
def _where(condition: Any, x: Any = None, y: Any = None, /) -> Any:
    mask = array(condition)
    if x is None and y is None:
        return ca.nonzero(mask)
    if x is None or y is None:
        raise ValueError("either both or neither of x and y should be given")
    return ca.where(cast(mask, ca.bool), *common(x, y))


@rule("numpy.isclose")
def _isclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: bool = False) -> Any:
    x, y = (array(one) for one in (a, b))
    wide = ca.float64 if ca.float64 in ca.current_backend().native_dtypes else ca.float32  # JAX without 64 bits
    y = y if y.dtype.category in ("real floating", "complex floating") else ca.astype(y, wide)
    x, y = common(x, y)
    limit = array(atol, wide) + array(rtol, wide) * ca.astype(ca.abs(y), wide)
    near = ca.logical_and(ca.astype(ca.abs(x - y), wide) <= limit, ca.isfinite(y))
    made = ca.logical_or(near, x == y)
    return ca.logical_or(made, ca.logical_and(ca.isnan(x), ca.isnan(y))) if equal_nan else made


@rule("numpy.allclose")
def _allclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: bool = False) -> Any:
    return ca.all(_isclose(a, b, rtol, atol, equal_nan))


@rule("numpy.select")
def _select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    *choices, made = common(*choicelist, default)
    for condition, choice in zip(reversed(condlist), reversed(choices), strict=True):
        made = ca.where(condition, choice, made)
    return made
