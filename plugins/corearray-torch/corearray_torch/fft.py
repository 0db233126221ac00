"""Discrete Fourier transforms."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import BITS


@hookimpl
def fft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return torch.fft.fft(x, n, axis, norm)


@hookimpl
def fftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Any:
    return torch.fft.fftfreq(n, d, dtype=dtype, device=device)


@hookimpl
def fftn(x: Any, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
    return torch.fft.fftn(x, s, axes, norm)


@hookimpl(via=BITS)
def fftshift(x: Any, /, *, axes: Any = None) -> Any:
    return torch.fft.fftshift(x, axes)


@hookimpl
def hfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return torch.fft.hfft(x, n, axis, norm)


@hookimpl
def ifft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return torch.fft.ifft(x, n, axis, norm)


@hookimpl
def ifftn(x: Any, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
    return torch.fft.ifftn(x, s, axes, norm)


@hookimpl(via=BITS)
def ifftshift(x: Any, /, *, axes: Any = None) -> Any:
    return torch.fft.ifftshift(x, axes)


@hookimpl
def ihfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return torch.fft.ihfft(x, n, axis, norm)


@hookimpl
def irfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return torch.fft.irfft(x, n, axis, norm)


@hookimpl
def irfftn(x: Any, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
    return torch.fft.irfftn(x, s, axes, norm)


@hookimpl
def rfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return torch.fft.rfft(x, n, axis, norm)


@hookimpl
def rfftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Any:
    return torch.fft.rfftfreq(n, d, dtype=dtype, device=device)


@hookimpl
def rfftn(x: Any, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
    return torch.fft.rfftn(x, s, axes, norm)
