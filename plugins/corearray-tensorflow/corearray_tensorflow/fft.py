"""Fourier transforms, which TensorFlow has along the last axis; the ones over several axes are composed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow.native import COMPLEX, PARTS, WHOLE, constant, raw_ops, to_last, zero_or_one

_HALF = {"float16": "float32", "bfloat16": "float32"}


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


@hookimpl(via=_HALF)
def rfft(x: Any, /, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    if x.dtype in COMPLEX:
        raise TypeError(f"'rfft' takes a real array, this one has the dtype '{x.dtype.name}'; use fft for complex ones")
    n = _length(x.shape[axis] if n is None else n)
    scale, length, kind = _scale(norm, n), constant((n,)), WHOLE[x.dtype]
    return _along(x, axis, n, lambda rows: _scaled(raw_ops.RFFT(input=rows, fft_length=length, Tcomplex=kind), scale))


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
