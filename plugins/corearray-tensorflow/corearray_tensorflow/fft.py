"""Fourier transforms, which TensorFlow has along the last axis and the last two or three.

Those over more axes, and those to other lengths than the array has, are composed, as are the real ones over three axes, which
TensorFlow does not differentiate.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow.native import COMPLEX, HALF, PARTS, WHOLE, constant, raw_ops, to_last, zero_or_one


@hookimpl
def fft(x: Any, /, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    n = _length(x.shape[axis] if n is None else n)
    scale = _scale(norm, n)
    return _along(_complex(x), axis, n, lambda rows: _scaled(raw_ops.FFT(input=rows), scale))


@hookimpl
def ifft(x: Any, /, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    n = _length(x.shape[axis] if n is None else n)
    scale = 1.0 / _scale(norm, n)
    return _along(_complex(x), axis, n, lambda rows: _scaled(raw_ops.IFFT(input=rows), scale))


@hookimpl
def irfft(x: Any, /, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    x = _complex(x)
    n = _length(2 * (x.shape[axis] - 1) if n is None else n)
    scale, length, kind = 1.0 / _scale(norm, n), constant((n,)), PARTS[x.dtype]
    return _along(
        x, axis, n // 2 + 1, lambda rows: _scaled(raw_ops.IRFFT(input=rows, fft_length=length, Treal=kind), scale)
    )


@hookimpl(via=HALF)
def rfft(x: Any, /, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    if x.dtype in COMPLEX:
        raise TypeError(f"'rfft' takes a real array, this one has the dtype '{x.dtype.name}'; use fft for complex ones")
    n = _length(x.shape[axis] if n is None else n)
    scale, length, kind = _scale(norm, n), constant((n,)), WHOLE[x.dtype]
    return _along(x, axis, n, lambda rows: _scaled(raw_ops.RFFT(input=rows, fft_length=length, Tcomplex=kind), scale))


def _joined(x: Any, s: Any, axes: Any) -> tuple[int, ...]:
    """Return the axes to transform together, counted from the front; none if that cannot be."""
    rank = x.shape.rank
    found = tuple(range(rank)) if axes is None else tuple(axes) if isinstance(axes, (tuple, list)) else ()
    if s is not None or len(found) not in (2, 3) or not all(-rank <= axis < rank for axis in found):
        return ()
    found = tuple(axis % rank for axis in found)
    return found if len(set(found)) == len(found) and all(x.shape[axis] for axis in found) else ()


def _fits(x: Any, s: Any, axes: Any) -> bool:
    return bool(_joined(x, s, axes)) and (x.dtype in WHOLE or x.dtype in COMPLEX)


def _fits_real(x: Any, s: Any, axes: Any) -> bool:
    return len(_joined(x, s, axes)) == 2 and x.dtype in WHOLE


def _fits_half(x: Any, s: Any, axes: Any) -> bool:
    found = _joined(x, s, axes)
    return len(found) == 2 and x.shape[found[-1]] > 1 and (x.dtype in WHOLE or x.dtype in COMPLEX)


@hookimpl(when=_fits)
def fftn(x: Any, /, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
    axes = _joined(x, s, axes)
    scale = _scale(norm, math.prod(x.shape[axis] for axis in axes))
    transform = raw_ops.FFT2D if len(axes) == 2 else raw_ops.FFT3D
    return _over(_complex(x), axes, lambda rows: _scaled(transform(input=rows), scale))


@hookimpl(when=_fits)
def ifftn(x: Any, /, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
    axes = _joined(x, s, axes)
    scale = 1.0 / _scale(norm, math.prod(x.shape[axis] for axis in axes))
    transform = raw_ops.IFFT2D if len(axes) == 2 else raw_ops.IFFT3D
    return _over(_complex(x), axes, lambda rows: _scaled(transform(input=rows), scale))


@hookimpl(when=_fits_half)
def irfftn(x: Any, /, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
    axes = _joined(x, s, axes)
    x, lengths = _complex(x), (x.shape[axes[0]], 2 * (x.shape[axes[1]] - 1))
    scale, kind = 1.0 / _scale(norm, math.prod(lengths)), PARTS[x.dtype]
    return _over(
        x, axes, lambda rows: _scaled(raw_ops.IRFFT2D(input=rows, fft_length=constant(lengths), Treal=kind), scale)
    )


@hookimpl(when=_fits_real)
def rfftn(x: Any, /, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
    axes = _joined(x, s, axes)
    lengths = tuple(x.shape[axis] for axis in axes)
    scale, kind = _scale(norm, math.prod(lengths)), WHOLE[x.dtype]
    return _over(
        x, axes, lambda rows: _scaled(raw_ops.RFFT2D(input=rows, fft_length=constant(lengths), Tcomplex=kind), scale)
    )


def _over(x: Any, axes: tuple[int, ...], transform: Callable[[Any], Any]) -> Any:
    """Transform the axes given, the last one last."""
    rank = x.shape.rank
    order = (*(axis for axis in range(rank) if axis not in axes), *axes)
    if order == tuple(range(rank)):
        return transform(x)
    back = tuple(order.index(axis) for axis in range(rank))
    return raw_ops.Transpose(x=transform(raw_ops.Transpose(x=x, perm=constant(order))), perm=constant(back))


def _along(x: Any, axis: int, size: int, transform: Callable[[Any], Any]) -> Any:
    """Transform the first `size` elements along an axis, zeros standing for missing ones."""
    swap = to_last(axis, x.shape.rank)
    rows = x if swap is None else raw_ops.Transpose(x=x, perm=swap)
    result = transform(_resized(rows, size))
    return result if swap is None else raw_ops.Transpose(x=result, perm=swap)


def _complex(x: Any) -> Any:
    return x if x.dtype in COMPLEX else raw_ops.Cast(x=x, DstT=WHOLE.get(x.dtype, tf.complex64))


def _length(n: int) -> int:
    if n < 1:
        raise ValueError(f"the length to transform is {n}; it must be at least 1")
    return n


def _resized(rows: Any, size: int) -> Any:
    """Cut the last axis, or append zeros to it."""
    missing = size - rows.shape[-1]
    if not missing:
        return rows
    if missing > 0:
        zeros = raw_ops.Fill(dims=constant((*rows.shape[:-1], missing)), value=zero_or_one(0, rows.dtype))
        return raw_ops.ConcatV2(values=[rows, zeros], axis=-1)
    return rows[..., :size]


def _scale(norm: str, n: int) -> float:
    """Return the factor of the transform to frequencies; the inverse has `1 / n` of its own."""
    if norm not in ("backward", "ortho", "forward"):
        raise ValueError(f"norm is '{norm}'; it must be 'backward', 'ortho' or 'forward'")
    return {"backward": 1.0, "ortho": n**-0.5, "forward": 1.0 / n}[norm]


def _scaled(x: Any, scale: float) -> Any:
    return x if scale == 1.0 else raw_ops.Mul(x=x, y=scale)
