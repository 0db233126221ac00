"""Special functions, of `torch` and `torch.special`."""

from __future__ import annotations

import math
from math import factorial
from typing import Any

import corearray as ca
from corearray.frontend.special import bessel_scaled, first_kind, second_kind_scaled
from corearray.frontend.torch.described import same, say
from corearray.frontend.torch.promotion import array, common, floating
from corearray.frontend.torch.templates import binary_floating, unary_floating

__all__: list[str] = []

same(unary_floating, "torch.{}", "erf erfc erfinv lgamma digamma i0")
same(binary_floating, "torch.{}", "igamma igammac xlogy")

say("""
torch.special.entr(input, *, out=None) = negative_entropy(floating(input))
torch.special.xlog1py(input, other, *, out=None) = scaled_log1p(input, other)
torch.special.ndtr(input, *, out=None) = 0.5 * ca.erfc(-floating(input) * 0.7071067811865476)
torch.special.log_ndtr(input, *, out=None) = log_normal(floating(input))
torch.special.ndtri(input, *, out=None) = 1.4142135623730951 * ca.erfinv(2 * floating(input) - 1)
torch.special.erfcx(input, *, out=None) = scaled_erfc(floating(input))
torch.special.zeta(input, other, *, out=None) = ca.zeta(*both_floating(input, other))
torch.special.i0e(input, *, out=None) = bessel_scaled(floating(input), 0)
torch.special.i1(input, *, out=None) = bessel(floating(input), 1)
torch.special.i1e(input, *, out=None) = bessel_scaled(floating(input), 1)
torch.special.modified_bessel_i1(input, *, out=None) = bessel(floating(input), 1)
torch.special.modified_bessel_k0(input, *, out=None) = second_kind_scaled(floating(input), 0) * ca.exp(-floating(input))
torch.special.modified_bessel_k1(input, *, out=None) = second_kind_scaled(floating(input), 1) * ca.exp(-floating(input))
torch.special.scaled_modified_bessel_k0(x, *, out=None) = second_kind_scaled(floating(x), 0)
torch.special.scaled_modified_bessel_k1(x, *, out=None) = second_kind_scaled(floating(x), 1)
torch.special.bessel_j0(input, *, out=None) = first_kind(floating(input), 0)
torch.special.bessel_j1(input, *, out=None) = first_kind(floating(input), 1)
torch.special.spherical_bessel_j0(x, *, out=None) = ca.sinc(floating(x) / ca.pi)
torch.special.chebyshev_polynomial_t(input, n, *, out=None) = chebyshev(input, n, "T")
torch.special.chebyshev_polynomial_u(input, n, *, out=None) = chebyshev(input, n, "U")
torch.special.chebyshev_polynomial_v(input, n, *, out=None) = chebyshev(input, n, "V")
torch.special.chebyshev_polynomial_w(input, n, *, out=None) = chebyshev(input, n, "W")
torch.special.shifted_chebyshev_polynomial_t(input, n, *, out=None) = chebyshev(input, n, "T", True)
torch.special.shifted_chebyshev_polynomial_u(input, n, *, out=None) = chebyshev(input, n, "U", True)
torch.special.shifted_chebyshev_polynomial_v(input, n, *, out=None) = chebyshev(input, n, "V", True)
torch.special.shifted_chebyshev_polynomial_w(input, n, *, out=None) = chebyshev(input, n, "W", True)
torch.mvlgamma(input, p, *, out=None) = multivariate(floating(input), p)
torch.polygamma(n, input, *, out=None) = derivatives_of_digamma(n, floating(input))
torch.Tensor.polygamma(input, n) = derivatives_of_digamma(n, floating(input))
torch.special.polygamma(n, input, *, out=None) = derivatives_of_digamma(n, floating(input))
""")


def both_floating(input: Any, other: Any) -> tuple[ca.Array, ca.Array]:
    """Return operands of one floating dtype."""
    a, b = common(input, other)
    return floating(a), floating(b)


def negative_entropy(x: ca.Array) -> ca.Array:
    """Return `-x log x`, minus infinity below zero."""
    return ca.where(x < 0, ca.asarray(-ca.inf, dtype=x.dtype), -ca.xlogy(x, x))


def scaled_log1p(input: Any, other: Any) -> ca.Array:
    """Return `x log(1 + y)`, zero where `x` is."""
    a, b = both_floating(input, other)
    zero = ca.logical_and(ca.equal(a, 0), ca.logical_not(ca.isnan(b)))
    inside = ca.where(zero, ca.zeros_like(b), b)
    return ca.where(zero, ca.zeros_like(a), a * ca.log1p(inside))


def scaled_erfc(x: ca.Array) -> ca.Array:
    """Return `exp(x^2) erfc(x)`, by a continued fraction where that would overflow."""
    small = ca.minimum(x, ca.asarray(5.0, dtype=x.dtype))
    near = ca.exp(ca.square(small)) * ca.erfc(small)
    large = ca.maximum(x, ca.asarray(5.0, dtype=x.dtype))
    fraction = large
    for k in range(24, 0, -1):
        fraction = large + (k / 2) / fraction
    return ca.where(x <= 5, near, 0.5641895835477563 / fraction)


def log_normal(x: ca.Array) -> ca.Array:
    """Return the logarithm of the normal distribution function."""
    root = 0.7071067811865476
    low = ca.minimum(x, ca.asarray(-1.0, dtype=x.dtype))
    high = ca.maximum(x, ca.asarray(-1.0, dtype=x.dtype))
    tail = ca.log(scaled_erfc(-low * root) / 2) - ca.square(low) / 2
    return ca.where(x < -1, tail, ca.log1p(-ca.erfc(high * root) / 2))


def bessel(x: ca.Array, order: int) -> ca.Array:
    """Return the modified Bessel function of the first kind."""
    return bessel_scaled(x, order) * ca.exp(ca.abs(x))


def chebyshev(x: Any, n: Any, kind: str, shifted: bool = False) -> ca.Array:
    """Return Chebyshev polynomials of one of four kinds by their trigonometric and hyperbolic forms (DLMF 18.5.1)."""
    x, n = ca.broadcast_arrays(*both_floating(x, n))
    dtype = x.dtype
    x, n = ca.astype(x, ca.float64), ca.trunc(ca.astype(n, ca.float64))
    x = 2 * x - 1 if shifted else x
    inner = ca.clip(x, -1.0, 1.0)
    outer = ca.maximum(ca.abs(x), ca.asarray(1.0, dtype=ca.float64))
    angle, length = ca.acos(inner), ca.acosh(outer)
    parity = 1 - 2 * ca.remainder(n, 2)
    flip = ca.where(x < 0, parity, ca.ones_like(x))
    if kind == "T":
        within, beyond = ca.cos(n * angle), flip * ca.cosh(n * length)
    elif kind == "U":
        within = _ratio(ca.sin((n + 1) * angle), ca.sin(angle), (n + 1) * ca.where(x < 0, parity, ca.ones_like(x)))
        beyond = flip * _ratio(ca.sinh((n + 1) * length), ca.sinh(length), n + 1)
    else:
        up = (kind == "V") == (x >= 0)  # V of -x is W of x, but for a sign
        half_cos = _ratio(ca.cosh((n + 0.5) * length), ca.cosh(length / 2), ca.ones_like(x))
        half_sin = _ratio(ca.sinh((n + 0.5) * length), ca.sinh(length / 2), 2 * n + 1)
        beyond = flip * ca.where(up, half_cos, half_sin)
        if kind == "V":
            within = _ratio(ca.cos((n + 0.5) * angle), ca.cos(angle / 2), parity * (2 * n + 1))
        else:
            within = _ratio(ca.sin((n + 0.5) * angle), ca.sin(angle / 2), 2 * n + 1)
    made = ca.where(ca.abs(x) <= 1, within, beyond)
    return ca.astype(ca.where(n < 0, ca.zeros_like(made), made), dtype)


def _ratio(above: ca.Array, below: ca.Array, limit: ca.Array) -> ca.Array:
    """Return a quotient, and its limit where both vanish."""
    none = ca.abs(below) < 1e-9
    return ca.where(none, limit, above / ca.where(none, ca.ones_like(below), below))


def multivariate(x: ca.Array, p: int) -> ca.Array:
    """Return the logarithm of the multivariate gamma function."""
    total = ca.full((), p * (p - 1) / 4 * 1.1447298858494002, dtype=x.dtype)
    for j in range(p):
        total = total + ca.lgamma(x - j / 2)
    return total


def derivatives_of_digamma(n: int, x: ca.Array) -> ca.Array:
    """Return a derivative of digamma by Hurwitz' zeta function, below zero by the reflection formula."""
    if n == 0:
        return ca.digamma(x)
    below = x < 0
    factor = (-1) ** (n + 1) * factorial(n)
    above = factor * ca.zeta(array(n + 1, x.dtype), ca.where(below, 1 - x, x))
    cotangent = 1 / ca.tan(math.pi * ca.where(below, x - ca.floor(x), ca.full_like(x, 0.5)))
    slope = ca.zeros_like(x)
    for coefficient in _slope_of_cotangent(n):
        slope = slope * cotangent + coefficient
    return ca.where(below, (-1) ** n * above - slope, above)


def _slope_of_cotangent(n: int) -> list[float]:
    """Return the derivative of `pi * cot(pi * x)` as a polynomial in the cotangent, the highest power first."""
    powers = [0.0, math.pi]  # the lowest first
    for _ in range(n):
        inner = [-math.pi * power * x for power, x in enumerate(powers)][1:]
        powers = [a + b for a, b in zip([*inner, 0.0, 0.0], [0.0, 0.0, *inner], strict=True)]
    return powers[::-1]
