"""Special functions that several frontends compose."""

from __future__ import annotations

import corearray as ca

__all__ = ["bessel_i1e"]


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
