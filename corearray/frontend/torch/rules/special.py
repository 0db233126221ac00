"""Special functions, of `torch` and `torch.special`."""

from __future__ import annotations

from math import factorial
from typing import Any

import corearray as ca
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


def bessel_scaled(x: ca.Array, order: int) -> ca.Array:
    """Return the modified Bessel function times `exp(-|x|)`, by its integral with the trapezoidal rule.

    I_n(x) = 1/pi * integral from 0 to pi of exp(x cos t) cos(n t), which the rule gives to machine precision, since the
    integrand is periodic. Source: DLMF 10.32.3. Beyond 100 the asymptotic series (DLMF 10.40.1) is used.
    """
    wide = ca.astype(x, ca.float64)
    size = ca.abs(wide)
    count = 96
    t = ca.arange(count + 1, dtype=ca.float64) * (ca.pi / count)
    weights = (
        ca.where(ca.logical_or(ca.equal(ca.arange(count + 1), 0), ca.equal(ca.arange(count + 1), count)), 0.5, 1.0)
        / count
    )
    near = ca.expand_dims(ca.minimum(size, ca.asarray(100.0, dtype=ca.float64)), -1)
    total = ca.sum(ca.exp(near * (ca.cos(t) - 1)) * ca.cos(order * t) * weights, axis=-1)
    far = ca.maximum(size, ca.asarray(100.0, dtype=ca.float64))
    term, series = ca.ones_like(far), ca.ones_like(far)
    for k in range(1, 12):
        term = -term * ((4 * order**2 - (2 * k - 1) ** 2) / (8 * k)) / far
        series = series + term
    made = ca.where(size <= 100, total, series / ca.sqrt(2 * ca.pi * far))
    return ca.astype(ca.sign(wide) * made if order % 2 else made, x.dtype)


def multivariate(x: ca.Array, p: int) -> ca.Array:
    """Return the logarithm of the multivariate gamma function."""
    total = ca.full((), p * (p - 1) / 4 * 1.1447298858494002, dtype=x.dtype)
    for j in range(p):
        total = total + ca.lgamma(x - j / 2)
    return total


def derivatives_of_digamma(n: int, x: ca.Array) -> ca.Array:
    """Return a derivative of digamma by Hurwitz' zeta function."""
    if n == 0:
        return ca.digamma(x)
    factor = (-1) ** (n + 1) * factorial(n)
    return factor * ca.zeta(array(n + 1, x.dtype), x)
