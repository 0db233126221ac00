"""Discrete Fourier transforms."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import BITS


@hookimpl(native=torch.fft.fft)
def fft(x: Any, /, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any: ...


@hookimpl(native=torch.fft.fftfreq)
def fftfreq(n: int, /, d: float = 1.0, *, dtype: Any = None, device: Any = None) -> Any: ...


@hookimpl(native=torch.fft.fftn)
def fftn(x: Any, /, s: Any = None, axes: Any = None, norm: str = "backward") -> Any: ...


@hookimpl(native=torch.fft.fftshift, via=BITS)
def fftshift(x: Any, /, axes: Any = None) -> Any: ...


@hookimpl(native=torch.fft.hfft)
def hfft(x: Any, /, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any: ...


@hookimpl(native=torch.fft.ifft)
def ifft(x: Any, /, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any: ...


@hookimpl(native=torch.fft.ifftn)
def ifftn(x: Any, /, s: Any = None, axes: Any = None, norm: str = "backward") -> Any: ...


@hookimpl(native=torch.fft.ifftshift, via=BITS)
def ifftshift(x: Any, /, axes: Any = None) -> Any: ...


@hookimpl(native=torch.fft.ihfft)
def ihfft(x: Any, /, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any: ...


@hookimpl(native=torch.fft.irfft)
def irfft(x: Any, /, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any: ...


@hookimpl(native=torch.fft.irfftn)
def irfftn(x: Any, /, s: Any = None, axes: Any = None, norm: str = "backward") -> Any: ...


@hookimpl(native=torch.fft.rfft)
def rfft(x: Any, /, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any: ...


@hookimpl(native=torch.fft.rfftfreq)
def rfftfreq(n: int, /, d: float = 1.0, *, dtype: Any = None, device: Any = None) -> Any: ...


@hookimpl(native=torch.fft.rfftn)
def rfftn(x: Any, /, s: Any = None, axes: Any = None, norm: str = "backward") -> Any: ...
