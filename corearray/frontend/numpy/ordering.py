"""The order of elements as NumPy sorts them: complex numbers by their real parts, then by their imaginary parts."""

from __future__ import annotations

import corearray as ca

__all__ = ["order_of"]


def order_of(x: ca.Array, axis: int) -> ca.Array:
    """Return the indices that sort an array along an axis; equal elements keep their order."""
    if x.dtype == ca.bool:
        x = ca.astype(x, ca.uint8)
    if x.dtype.kind != "complex floating":
        return ca.argsort(x, axis=axis, stable=True)
    first = ca.argsort(ca.imag(x), axis=axis, stable=True)
    again = ca.argsort(ca.take_along_axis(ca.real(x), first, axis=axis), axis=axis, stable=True)
    return ca.take_along_axis(first, again, axis=axis)
