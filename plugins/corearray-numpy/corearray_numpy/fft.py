"""Fourier transforms.

NumPy 1 transforms in double precision only, hence the casts back; since NumPy 2 they find nothing to do. NumPy wants
`axes` along with `s`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl

_SINGLE = {np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.complex64)}


@hookimpl
def fft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return _of_precision(x, np.fft.fft(x, n, axis, norm))


@hookimpl
def fftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None) -> Any:
    return np.fft.fftfreq(n, d).astype(dtype, copy=False)


@hookimpl
def fftn(x: Any, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
    return _of_precision(x, np.fft.fftn(x, s, _axes(s, axes), norm))


@hookimpl(native=np.fft.fftshift)
def fftshift(x: Any, /, *, axes: Any = None) -> Any: ...


@hookimpl
def hfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return _of_precision(x, np.fft.hfft(x, n, axis, norm))


@hookimpl
def ifft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return _of_precision(x, np.fft.ifft(x, n, axis, norm))


@hookimpl
def ifftn(x: Any, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
    return _of_precision(x, np.fft.ifftn(x, s, _axes(s, axes), norm))


@hookimpl(native=np.fft.ifftshift)
def ifftshift(x: Any, /, *, axes: Any = None) -> Any: ...


@hookimpl
def ihfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return _of_precision(x, np.fft.ihfft(x, n, axis, norm))


@hookimpl
def irfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return _of_precision(x, np.fft.irfft(x, n, axis, norm))


@hookimpl
def irfftn(x: Any, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
    return _of_precision(x, np.fft.irfftn(x, s, _axes(s, axes), norm))


@hookimpl
def rfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return _of_precision(x, np.fft.rfft(x, n, axis, norm))


@hookimpl
def rfftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None) -> Any:
    return np.fft.rfftfreq(n, d).astype(dtype, copy=False)


@hookimpl
def rfftn(x: Any, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
    return _of_precision(x, np.fft.rfftn(x, s, _axes(s, axes), norm))


def _axes(s: Any, axes: Any) -> Any:
    """Return the last axes, as many as there are lengths, where none are named."""
    return range(-len(s), 0) if axes is None and s is not None else axes


def _of_precision(x: Any, result: Any) -> Any:
    """Return a result in the precision of the input."""
    if x.dtype in _SINGLE:
        return result.astype(np.complex64 if result.dtype.kind == "c" else np.float32, copy=False)
    return result
