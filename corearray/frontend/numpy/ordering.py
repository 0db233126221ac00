"""The order of elements as NumPy sorts them: complex numbers by their real parts, then by their imaginary parts."""

from __future__ import annotations

import corearray as ca

__all__ = ["order_of", "place_of"]


def order_of(x: ca.Array, axis: int) -> ca.Array:
    """Return the indices that sort an array along an axis; equal elements keep their order."""
    if x.dtype == ca.bool:
        x = ca.astype(x, ca.uint8)
    if x.dtype.category != "complex floating":
        return ca.argsort(x, axis=axis, stable=True)
    first = ca.argsort(ca.imag(x), axis=axis, stable=True)
    again = ca.argsort(ca.take_along_axis(ca.real(x), first, axis=axis), axis=axis, stable=True)
    return ca.take_along_axis(first, again, axis=axis)


def place_of(x: ca.Array, axis: int | None, *, keepdims: bool, largest: bool) -> ca.Array:
    """Return the index of the first or last complex number in NumPy's order; of a NaN, if there is one."""
    shape = tuple(1 for _ in x.shape)
    if axis is None:
        rows, along = ca.reshape(x, (-1,)), 0
    else:
        rows, along = x, axis
    nans = ca.isnan(rows)
    order = order_of(ca.where(nans, 0.0, -rows if largest else rows), along)
    first = ca.take(order, ca.asarray([0], dtype=ca.int64), axis=along)
    found = ca.where(
        ca.any(nans, axis=along, keepdims=True), ca.argmax(ca.astype(nans, ca.int8), axis=along, keepdims=True), first
    )
    if axis is None:
        return ca.reshape(found, shape if keepdims else ())
    return found if keepdims else ca.squeeze(found, axis=along)
