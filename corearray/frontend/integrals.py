"""Exponential and Fresnel integrals, and those of Spence and Dawson, for several frontends.

The coefficients of `integral_tables` are of rational approximations; series and fractions are those of Abramowitz and Stegun.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import corearray as ca
from corearray.frontend.integral_tables import DAWSN, EXPI, FRESNEL_AUXILIARY, FRESNEL_SMALL, SPENCE, Row

__all__ = ["dawsn", "expi", "expn", "fresnel", "of_half_square", "quotient", "row_of", "safe", "spence"]

_Table = tuple[tuple[Row, ...], tuple[Row, ...]]


def quotient(table: _Table, row: Any, x: ca.Array) -> Any:
    """Divide two polynomials, whose coefficients are those of a row of a table; `row` is a number or one for each element."""
    made = []
    for rows in table:
        columns: list[Any] = [column[row] if isinstance(row, int) else column for column in zip(*rows, strict=True)]
        if not isinstance(row, int):
            columns = [
                ca.reshape(ca.take(ca.asarray(c, dtype=x.dtype), ca.reshape(row, (-1,))), row.shape) for c in columns
            ]
        total: Any = columns[0]
        for coefficient in columns[1:]:
            total = total * x + coefficient
        made.append(total)
    return made[0] / made[1]


def row_of(x: ca.Array, bounds: Sequence[float]) -> Any:
    """Return how many of some ascending bounds are less than each element."""
    return sum((ca.astype(x > bound, ca.int32) for bound in bounds), ca.zeros(x.shape, dtype=ca.int32))


def safe(inside: Any, x: ca.Array) -> Any:
    """Return ones in place of the elements that lie elsewhere."""
    return ca.where(inside, x, ca.ones_like(x))


def _fraction(n: Any, x: ca.Array) -> Any:
    """Return the exponential integral of order `n` above 1, by its continued fraction (Abramowitz and Stegun, 5.1.22)."""
    depth = 30 if x.dtype == ca.float32 else 90
    tail = x + n + 2.0 * depth
    for k in range(depth, 0, -1):
        tail = x + n + 2.0 * (k - 1) - k * (n + (k - 1)) / tail
    return ca.exp(-x) / tail


def _series(n: Any, x: ca.Array) -> Any:
    """Return the exponential integral of order `n` up to 1, by its series (Abramowitz and Stegun, 5.1.12)."""
    total, power = ca.zeros_like(x), ca.ones_like(x)
    for k in range(12 if x.dtype == ca.float32 else 20):
        if k:
            power = power * -x / k
        below = k + 1 - n
        total = total + ca.where(below == 0, 0.0, power / ca.where(below == 0, 1.0, below))
    sign = ca.where(ca.remainder(n, 2) == 1, 1.0, -1.0)
    logarithm = ca.log(x)
    return sign * ca.exp((n - 1) * logarithm - ca.lgamma(n)) * (ca.digamma(n) - logarithm) - total


def expn(n: Any, x: ca.Array) -> Any:
    """Return exponential integrals of order `n`."""
    order = ca.where(n < 1, 1.0, n)
    near, far = ca.logical_and(x > 0, x <= 1), x > 1
    made = ca.where(far, _fraction(order, safe(far, x)), _series(order, safe(near, x)))
    made = ca.where(n == 0, ca.exp(-x) / x, made)
    at_zero = ca.where(n < 2, ca.inf, 1.0 / ca.where(n < 2, 1.0, n - 1))
    made = ca.where(x == 0, at_zero, made)
    bad = ca.logical_or(ca.logical_or(n < 0, x < 0), ca.logical_or(ca.isnan(x), ca.isnan(n)))
    return ca.where(bad, ca.nan, made)


def expi(x: ca.Array) -> Any:
    """Return exponential integrals Ei."""
    size = ca.abs(x)
    row = row_of(size, (2.0, 4.0, 8.0, 16.0, 32.0, 64.0))
    near = row == 0
    inverse = 1.0 / safe(size != 0, size)
    found = quotient(EXPI, row, ca.where(near, size, inverse))
    made = ca.where(
        near, size * found + 0.5772156649015329 + ca.log(size), ca.exp(size) * inverse * (1.0 + inverse * found)
    )
    made = ca.where(size == ca.inf, ca.inf, made)
    made = ca.where(size == 0, -ca.inf, made)
    return ca.where(x < 0, -expn(ca.ones_like(size), size), made)


def fresnel(x: ca.Array) -> tuple[Any, Any]:
    """Return Fresnel's sine and cosine integrals."""
    size = ca.abs(x)
    near = ca.square(size) < 2.5625
    far, infinite = size > 36974.0, size == ca.inf
    small = ca.where(near, size, 1.0)
    fourth = ca.square(ca.square(small))
    sines = small * ca.square(small) * quotient(FRESNEL_SMALL, 0, fourth)
    cosines = small * quotient(FRESNEL_SMALL, 1, fourth)
    large = ca.where(ca.logical_or(near, infinite), 2.0, size)
    sine, cosine = of_half_square(large)
    inverse = 1.0 / (ca.pi * ca.square(ca.where(far, 2.0, large)))
    u = ca.square(inverse)
    f = ca.where(far, 1.0, 1.0 - u * quotient(FRESNEL_AUXILIARY, 0, u))
    g = ca.where(far, 0.0, inverse * quotient(FRESNEL_AUXILIARY, 1, u))
    below = ca.pi * large
    sines = ca.where(near, sines, 0.5 - (f * cosine + g * sine) / below)
    cosines = ca.where(near, cosines, 0.5 + (f * sine - g * cosine) / below)
    bad = ca.isnan(x)
    sines, cosines = (ca.where(bad, ca.nan, ca.sign(x) * ca.where(infinite, 0.5, part)) for part in (sines, cosines))
    return sines, cosines


def of_half_square(x: ca.Array) -> tuple[Any, Any]:
    """Return the sine and cosine of `pi * x**2 / 2`; the multiple of `2 * pi` is removed before the product is rounded."""
    part = ca.fmod(x, 2.0)
    turns = ca.fmod(part * (x - part / 2), 2.0)
    return ca.sin(ca.pi * turns), ca.cos(ca.pi * turns)


def spence(x: ca.Array) -> Any:
    """Return Spence's integrals, dilogarithms of `1 - x`."""
    beyond = x > 2
    inner = ca.where(beyond, 1.0 / safe(beyond, x), x)
    usual = ca.logical_and(inner > 0, inner != 1)
    y = ca.where(usual, inner, 0.75)
    high, low = y > 1.5, y < 0.5
    w = ca.where(high, 1.0 / y - 1.0, ca.where(low, -y, y - 1.0))
    part = -w * quotient(SPENCE, 0, w)
    logarithm = ca.log(y)
    made = ca.where(low, ca.pi**2 / 6 - logarithm * ca.log(ca.where(low, 1.0 - y, 1.0)) - part, part)
    made = ca.where(ca.logical_or(beyond, high), -0.5 * ca.square(logarithm) - made, made)
    made = ca.where(x == 1, 0.0, ca.where(x == 0, ca.pi**2 / 6, made))
    made = ca.where(x == ca.inf, -ca.inf, made)
    return ca.where(ca.logical_or(x < 0, ca.isnan(x)), ca.nan, made)


def dawsn(x: ca.Array) -> Any:
    """Return Dawson's integrals."""
    size = ca.abs(x)
    row = ca.astype(size >= 3.25, ca.int32) + ca.astype(size >= 6.25, ca.int32)
    near = row == 0
    inverse = 1.0 / safe(ca.logical_not(near), size)
    square = ca.square(inverse)
    found = quotient(DAWSN, row, ca.where(near, ca.square(ca.where(near, size, 0.0)), square))
    made = ca.where(near, size * found, 0.5 * inverse * (1.0 + square * found))
    return ca.where(ca.isnan(x), ca.nan, ca.sign(x) * made)
