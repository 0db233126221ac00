"""`jax.scipy.signal`: convolutions, correlations and trends."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayNotImplementedError, CoreArrayValueError
from corearray.frontend.jax.members_of.lax_elementwise import primitive
from corearray.frontend.jax.promotion import cast, inexact, promoted
from corearray.frontend.jax.wrapper import Array, converted

__all__ = [
    "FUNCTIONS",
    "convolve",
    "convolve2d",
    "correlate",
    "correlate2d",
    "detrend",
    "detrended",
    "fftconvolve",
    "floats",
]

_MODES = ("full", "same", "valid")


def floats(*xs: Any) -> list[ca.Array]:
    """Return operands as arrays of one floating dtype."""
    pairs = [converted(x) for x in xs]
    own = inexact(promoted([(x.dtype, weak) for x, weak in pairs])[0])
    return [cast(x, own) for x, _ in pairs]


def _check_mode(mode: str) -> None:
    if mode not in _MODES:
        raise CoreArrayValueError("mode must be one of ['full', 'same', 'valid']")


def _ordered(first: Sequence[int], second: Sequence[int]) -> tuple[bool, bool]:
    """Return whether the first shape is nowhere smaller than the second, and whether it is nowhere larger."""
    pairs = list(zip(first, second, strict=True))
    return all(m >= n for m, n in pairs), all(m <= n for m, n in pairs)


def _convolved(x: ca.Array, y: ca.Array, mode: str) -> ca.Array:
    """Return the sums of products of all axes.

    Raises
    ------
    ValueError
        If the numbers of axes differ, an array is empty, or one array is larger in one axis and smaller in another.
    """
    _check_mode(mode)
    if x.ndim != y.ndim:
        raise CoreArrayValueError("in1 and in2 must have the same number of dimensions")
    if not x.size or not y.size:
        raise CoreArrayValueError(
            f"zero-size arrays not supported in convolutions, got shapes {tuple(x.shape)} and {tuple(y.shape)}."
        )
    larger, smaller = _ordered(x.shape, y.shape)
    if not larger and not smaller:
        raise CoreArrayValueError("One input must be smaller than the other in every dimension.")
    asked = y.shape
    if smaller:
        x, y = y, x
    if mode == "valid":
        padding = [(0, 0)] * x.ndim
    elif mode == "full":
        padding = [(n - 1, n - 1) for n in y.shape]
    else:
        padding = [(n - 1 - (m - 1) // 2, n - m + (m - 1) // 2) for n, m in zip(y.shape, asked, strict=True)]
    ones = (1,) * x.ndim
    axes = dict.fromkeys(("lhs_spec", "rhs_spec", "out_spec"), tuple(range(x.ndim + 2)))
    made: ca.Array = primitive("conv_general_dilated")(
        x[None, None], ca.flip(y)[None, None], window_strides=ones, padding=tuple(padding), lhs_dilation=ones,
        rhs_dilation=ones, dimension_numbers=axes, feature_group_count=1, batch_group_count=1,
    )[0, 0]  # fmt: skip
    return made


def convolve(in1: Any, in2: Any, mode: str = "full", method: str = "auto", precision: Any = None) -> Any:
    """Return the convolution of two arrays; `precision` has no effect.

    Raises
    ------
    ValueError
        If a method or mode is unknown, or the shapes do not fit.
    """
    if method == "fft":
        return fftconvolve(in1, in2, mode=mode)
    if method not in ("direct", "auto"):
        raise CoreArrayValueError(f"Got method={method!r}; expected 'auto', 'fft', or 'direct'.")
    x, y = floats(in1, in2)
    return Array(_convolved(x, y, mode))


def _plane(name: str, in1: Any, in2: Any, boundary: str, fillvalue: float) -> list[ca.Array]:
    if boundary != "fill" or fillvalue != 0:
        raise CoreArrayNotImplementedError(f"{name}() only supports boundary='fill', fillvalue=0")
    arrays = floats(in1, in2)
    if any(x.ndim != 2 for x in arrays):
        raise CoreArrayValueError(f"{name}() only supports 2-dimensional inputs.")
    return arrays


def convolve2d(
    in1: Any, in2: Any, mode: str = "full", boundary: str = "fill", fillvalue: float = 0, precision: Any = None
) -> Any:
    """Return the convolution of two matrices; `precision` has no effect."""
    x, y = _plane("convolve2d", in1, in2, boundary, fillvalue)
    return Array(_convolved(x, y, mode))


def correlate(in1: Any, in2: Any, mode: str = "full", method: str = "auto", precision: Any = None) -> Any:
    """Return the correlation of two arrays; `precision` has no effect."""
    return convolve(in1, Array(ca.flip(ca.conj(converted(in2)[0]))), mode, precision=precision, method=method)


def correlate2d(
    in1: Any, in2: Any, mode: str = "full", boundary: str = "fill", fillvalue: float = 0, precision: Any = None
) -> Any:
    """Return the correlation of two matrices; `precision` has no effect."""
    x, y = _plane("correlate2d", in1, in2, boundary, fillvalue)
    smaller = _ordered(x.shape, y.shape)[1]
    if smaller and (mode == "full" or (mode == "valid" and tuple(x.shape) != tuple(y.shape))):
        made = _convolved(ca.flip(y), ca.conj(x), mode)
        return Array(ca.conj(made) if mode == "full" else made)
    return Array(ca.flip(_convolved(ca.flip(x), ca.conj(y), mode)))


def fftconvolve(in1: Any, in2: Any, mode: str = "full", axes: Any = None) -> Any:
    """Return the convolution of two arrays, along all axes or some, by Fourier transforms.

    Raises
    ------
    ValueError
        If the mode is unknown, or the shapes do not fit.
    """
    x, y = floats(in1, in2)
    if x.ndim != y.ndim:
        raise CoreArrayValueError("in1 and in2 should have the same dimensionality")
    _check_mode(mode)
    chosen = range(x.ndim) if axes is None else [axes] if isinstance(axes, int) else list(axes)
    for axis in chosen:
        if not -x.ndim <= operator.index(axis) < x.ndim:
            raise CoreArrayValueError(f"axis {axis} is out of bounds for array of dimension {x.ndim}")
    places = tuple(sorted(operator.index(axis) % x.ndim for axis in chosen))
    if any(x.shape[i] != y.shape[i] for i in range(x.ndim) if i not in places):
        raise CoreArrayValueError(
            f"mapped axes must have same shape; got in1.shape={tuple(x.shape)} in2.shape={tuple(y.shape)} axes={places}"
        )
    lengths = [[one.shape[i] for i in places] for one in (x, y)]
    if mode == "valid":
        larger, smaller = _ordered(*lengths)
        if not larger and not smaller:
            raise CoreArrayValueError(
                "For 'valid' mode, One input must be at least as large as the other in every dimension."
            )
        if smaller:
            x, y, lengths = y, x, lengths[::-1]
    full = [m + n - 1 for m, n in zip(*lengths, strict=True)]
    if all(1 in pair for pair in zip(*lengths, strict=True)):
        made = x * y
    else:
        real = x.dtype.category == "real floating"
        forth, back = (ca.fft.rfftn, ca.fft.irfftn) if real else (ca.fft.fftn, ca.fft.ifftn)
        made = back(forth(x, s=full, axes=places) * forth(y, s=full, axes=places), s=full, axes=places)
    asked = full if mode == "full" else lengths[0]
    if mode == "valid":
        asked = [m - n + 1 for m, n in zip(*lengths, strict=True)]
    key = [slice(None)] * x.ndim
    for axis, length, size in zip(places, full, asked, strict=True):
        key[axis] = slice((length - size) // 2, (length - size) // 2 + size)
    return Array(made[tuple(key)])


def detrended(x: ca.Array, axis: int, kind: str, breaks: Any = 0) -> ca.Array:
    """Subtract the mean, or the line of least squares between breakpoints.

    Raises
    ------
    ValueError
        If the kind is unknown, or a breakpoint is outside.
    """
    if kind not in ("constant", "linear"):
        raise CoreArrayValueError("Trend type must be 'linear' or 'constant'.")
    if kind == "constant":
        return x - ca.mean(x, axis=axis, keepdims=True)
    length = x.shape[axis]
    given = breaks if isinstance(breaks, (list, tuple)) else converted(breaks)[0].tolist()
    given = given if isinstance(given, (list, tuple)) else [given]
    edges = sorted({0, length, *(operator.index(n) for n in given)})
    if edges[0] < 0 or edges[-1] > length:
        raise CoreArrayValueError("Breakpoints must be non-negative and less than length of data along given axis.")
    rows, parts = ca.moveaxis(x, axis, -1), []
    for start, stop in pairwise(edges):
        part = rows[..., start:stop]
        centred = (
            ca.arange(stop - start, dtype=ca.float64 if x.dtype.bits == 64 else ca.float32) - (stop - start - 1) / 2
        )
        centred = cast(centred, x.dtype)
        part = part - ca.mean(part, axis=-1, keepdims=True)
        steepness = ca.sum(part * centred, axis=-1, keepdims=True) / ca.maximum(ca.sum(centred * centred), 0.5)
        parts.append(part - steepness * centred)
    return ca.moveaxis(ca.concat(parts, axis=-1) if len(parts) > 1 else parts[0], -1, axis)


def detrend(data: Any, axis: int = -1, type: str = "linear", bp: Any = 0, overwrite_data: None = None) -> Any:
    """Subtract the mean, or the line of least squares between breakpoints.

    Raises
    ------
    NotImplementedError
        If `overwrite_data` is given.
    """
    if overwrite_data is not None:
        raise CoreArrayNotImplementedError("overwrite_data argument not implemented.")
    (x,) = floats(ca.asarray(data) if isinstance(data, (list, tuple)) else data)
    return Array(detrended(x, axis, type, bp))


FUNCTIONS: dict[str, Any] = {
    f"scipy.signal.{one.__name__}": one for one in (convolve, convolve2d, correlate, correlate2d, detrend, fftconvolve)
}
