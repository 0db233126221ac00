"""Fourier transforms. NumPy 1 computes in double precision only; since NumPy 2 the casts find nothing to do.

`fftshift` and `ifftshift` are composed: NumPy's have no result for arrays without axes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import Via, hookimpl
from corearray_numpy.native import DTYPES

#: NumPy rounds the factor of `norm` to float16; the results are as precise as complex64.
_HALF = {"float16": Via("float32", back=False)}

_SINGLE = [DTYPES[name] for name in ("float32", "complex64")]
_DOUBLE = [DTYPES[name] for name in ("float64", "complex128")]

#: Dtypes of complex and of real results, by that of the input.
_COMPLEX = dict.fromkeys(_SINGLE, DTYPES["complex64"]) | dict.fromkeys(_DOUBLE, DTYPES["complex128"])
_REAL = dict.fromkeys(_SINGLE, DTYPES["float32"]) | dict.fromkeys(_DOUBLE, DTYPES["float64"])


@hookimpl(via=_HALF)
def fft(x: Any, /, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return np.fft.fft(x, n, axis, norm).astype(_COMPLEX[x.dtype], copy=False)


@hookimpl
def fftfreq(n: int, /, d: float = 1.0, dtype: Any = None) -> Any:
    _require_real(dtype)
    return np.fft.fftfreq(n, d).astype(dtype, copy=False)


@hookimpl(via=_HALF)
def fftn(x: Any, /, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
    _check_axes(x, s, axes)
    return np.fft.fftn(x, s, axes, norm).astype(_COMPLEX[x.dtype], copy=False)


@hookimpl(via=_HALF)
def hfft(x: Any, /, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return np.fft.hfft(x if n is None else _begun(x, axis), n, axis, norm).astype(_REAL[x.dtype], copy=False)


@hookimpl(via=_HALF)
def ifft(x: Any, /, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return np.fft.ifft(x, n, axis, norm).astype(_COMPLEX[x.dtype], copy=False)


@hookimpl(via=_HALF)
def ifftn(x: Any, /, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
    _check_axes(x, s, axes)
    return np.fft.ifftn(x, s, axes, norm).astype(_COMPLEX[x.dtype], copy=False)


@hookimpl(via=_HALF)
def ihfft(x: Any, /, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return np.fft.ihfft(x, n, axis, norm).astype(_COMPLEX[x.dtype], copy=False)


@hookimpl(via=_HALF)
def irfft(x: Any, /, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return np.fft.irfft(x if n is None else _begun(x, axis), n, axis, norm).astype(_REAL[x.dtype], copy=False)


@hookimpl(via=_HALF)
def irfftn(x: Any, /, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
    _check_axes(x, s, axes)
    if s and axes:
        x = _begun(x, axes[-1])
    return np.fft.irfftn(x, s, axes, norm).astype(_REAL[x.dtype], copy=False)


@hookimpl(via=_HALF)
def rfft(x: Any, /, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return np.fft.rfft(x, n, axis, norm).astype(_COMPLEX[x.dtype], copy=False)


@hookimpl
def rfftfreq(n: int, /, d: float = 1.0, dtype: Any = None) -> Any:
    _require_real(dtype)
    return np.fft.rfftfreq(n, d).astype(dtype, copy=False)


@hookimpl(via=_HALF)
def rfftn(x: Any, /, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
    _check_axes(x, s, axes)
    return np.fft.rfftn(x, s, axes, norm).astype(_COMPLEX[x.dtype], copy=False)


def _begun(x: Any, axis: int) -> Any:
    """Put a zero where an axis is empty: NumPy leaves the first element of the inverse of nothing as its memory was."""
    sides = list(x.shape)
    if sides[axis]:
        return x
    sides[axis] = 1
    return np.zeros(sides, x.dtype)


def _check_axes(x: Any, s: Any, axes: Any) -> None:
    """Refuse lengths without axes, for which NumPy 2 only warns, and an axis that is named twice."""
    if s is not None and axes is None:
        raise ValueError(f"the lengths s={tuple(s)} need axes=, one for each")
    if axes is not None and x.ndim and len({axis % x.ndim for axis in axes}) < len(axes):
        raise ValueError(f"the axes {tuple(axes)} name one axis twice")


def _require_real(dtype: Any) -> None:
    """Refuse to cast frequencies to what does not hold them."""
    if dtype.kind != "f":
        raise TypeError(f"frequencies are real floating numbers, not of dtype '{dtype}'")
