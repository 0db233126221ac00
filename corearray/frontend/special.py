"""Special functions that several frontends compose."""

from __future__ import annotations

import corearray as ca

__all__ = ["bessel_i1e", "bessel_scaled", "first_kind", "second_kind_scaled"]


def bessel_i1e(x: ca.Array) -> ca.Array:
    """Return exp(-|x|) I1(x) by its power series, and by Hankel's expansion beyond 16.

    Source: Abramowitz and Stegun, 9.6.10 and 9.7.1.
    """
    size = ca.astype(ca.abs(x), ca.float64)
    near = ca.minimum(size, 16.0)
    term = near / 2.0
    total = term
    for k in range(1, 40):
        term = term * (near * near / 4.0) / (k * (k + 1))
        total = total + term
    far = ca.maximum(size, 16.0)
    part = ca.ones_like(far)
    series = part
    for k in range(1, 16):
        part = -part * (4.0 - (2 * k - 1) ** 2) / (k * 8.0 * far)
        series = series + part
    made = ca.where(size <= 16.0, ca.exp(-near) * total, series / ca.sqrt(2.0 * ca.pi * far))
    return ca.astype(made, x.dtype) * ca.sign(x)


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


def second_kind_scaled(x: ca.Array, order: int) -> ca.Array:
    """Return the modified Bessel function of the second kind times `exp(x)`, by its integral with the trapezoidal rule.

    K_n(x) = integral from 0 to infinity of exp(-x cosh t) cosh(n t), source: DLMF 10.32.9.
    """
    wide = ca.astype(x, ca.float64)
    size = ca.where(wide > 0, wide, ca.ones_like(wide))
    count = 160
    end = ca.log(1500.0 / size + 2.0) + 1.0
    t = ca.expand_dims(end, -1) * (ca.arange(count + 1, dtype=ca.float64) / count)
    inside = ca.exp(-ca.expand_dims(size, -1) * (ca.cosh(t) - 1)) * ca.cosh(order * t)
    total = (ca.sum(inside, axis=-1) - 0.5 * inside[..., 0]) * end / count
    at_zero = ca.where(ca.equal(wide, 0), ca.asarray(ca.inf, dtype=ca.float64), ca.asarray(ca.nan, dtype=ca.float64))
    return ca.astype(ca.where(wide > 0, total, at_zero), x.dtype)


def first_kind(x: ca.Array, order: int) -> ca.Array:
    """Return the Bessel function of the first kind, by its integral, and for large arguments by Hankel's expansion.

    J_n(x) = 1/pi * integral from 0 to pi of cos(n t - x sin t), source: DLMF 10.9.2 and 10.17.3.
    """
    wide = ca.astype(x, ca.float64)
    size = ca.abs(wide)
    count = 128
    t = ca.arange(count + 1, dtype=ca.float64) * (ca.pi / count)
    weights = ca.asarray([0.5, *[1.0] * (count - 1), 0.5], dtype=ca.float64) / count
    near = ca.expand_dims(ca.minimum(size, ca.asarray(60.0, dtype=ca.float64)), -1)
    inside = ca.sum(ca.cos(order * t - near * ca.sin(t)) * weights, axis=-1)
    far = ca.maximum(size, ca.asarray(60.0, dtype=ca.float64))
    even, odd, term = ca.ones_like(far), ca.zeros_like(far), ca.ones_like(far)
    for k in range(1, 9):
        term = term * ((4 * order**2 - (2 * k - 1) ** 2) / (8 * k)) / far
        sign = -1.0 if k // 2 % 2 else 1.0
        even, odd = (even + sign * term, odd) if k % 2 == 0 else (even, odd + sign * term)
    phase = far - (order / 2 + 0.25) * ca.pi
    outside = ca.sqrt(2 / (ca.pi * far)) * (ca.cos(phase) * even - ca.sin(phase) * odd)
    made = ca.where(size <= 60, inside, outside)
    return ca.astype(ca.sign(wide) * made if order % 2 else made, x.dtype)
