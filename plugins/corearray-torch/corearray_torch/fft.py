"""Discrete Fourier transforms."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import BITS, HALF_IN


@hookimpl(via=HALF_IN)
def fft(x: Any, /, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    function = torch.fft.fft
    return function(x, n, axis, norm) if x.numel() else _of_nothing(function, x, n, axis, norm)


@hookimpl
def fftfreq(n: int, /, d: float = 1.0, dtype: Any = None, device: Any = None) -> Any:
    return torch.fft.fftfreq(n, d, dtype=dtype, device=device)


@hookimpl(via=HALF_IN)
def fftn(x: Any, /, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
    _need_axes(s, axes)
    function = torch.fft.fftn
    return function(x, s, axes, norm) if x.numel() else _of_nothing(function, x, s, axes, norm)


@hookimpl(via=BITS)
def fftshift(x: Any, /, axes: Any = None) -> Any:
    return x.clone() if axes == () or (axes is None and x.ndim == 0) else torch.fft.fftshift(x, axes)


@hookimpl(via=HALF_IN)
def hfft(x: Any, /, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    function = torch.fft.hfft
    return function(x, n, axis, norm) if x.numel() else _of_nothing(function, x, n, axis, norm)


@hookimpl(via=HALF_IN)
def ifft(x: Any, /, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    function = torch.fft.ifft
    return function(x, n, axis, norm) if x.numel() else _of_nothing(function, x, n, axis, norm)


@hookimpl(via=HALF_IN)
def ifftn(x: Any, /, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
    _need_axes(s, axes)
    function = torch.fft.ifftn
    return function(x, s, axes, norm) if x.numel() else _of_nothing(function, x, s, axes, norm)


@hookimpl(via=BITS)
def ifftshift(x: Any, /, axes: Any = None) -> Any:
    return x.clone() if axes == () or (axes is None and x.ndim == 0) else torch.fft.ifftshift(x, axes)


@hookimpl(via=HALF_IN)
def ihfft(x: Any, /, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    function = torch.fft.ihfft
    return function(x, n, axis, norm) if x.numel() else _of_nothing(function, x, n, axis, norm)


@hookimpl(via=HALF_IN)
def irfft(x: Any, /, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    function = torch.fft.irfft
    return function(x, n, axis, norm) if x.numel() else _of_nothing(function, x, n, axis, norm)


@hookimpl(via=HALF_IN)
def irfftn(x: Any, /, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
    _need_axes(s, axes)
    function = torch.fft.irfftn
    return function(x, s, axes, norm) if x.numel() else _of_nothing(function, x, s, axes, norm)


@hookimpl(via=HALF_IN)
def rfft(x: Any, /, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    function = torch.fft.rfft
    return function(x, n, axis, norm) if x.numel() else _of_nothing(function, x, n, axis, norm)


@hookimpl
def rfftfreq(n: int, /, d: float = 1.0, dtype: Any = None, device: Any = None) -> Any:
    return torch.fft.rfftfreq(n, d, dtype=dtype, device=device)


@hookimpl(via=HALF_IN)
def rfftn(x: Any, /, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
    _need_axes(s, axes)
    function = torch.fft.rfftn
    return function(x, s, axes, norm) if x.numel() else _of_nothing(function, x, s, axes, norm)


def _need_axes(s: Any, axes: Any) -> None:
    """Refuse lengths without axes, which the standard rules out and torch takes for those of the last ones."""
    if s is not None and axes is None:
        raise ValueError(f"the lengths s={tuple(s)} need axes=, one for each")


def _of_nothing(function: Any, x: Any, lengths: Any, axes: Any, norm: str) -> Any:
    """Transform an empty batch, which MKL refuses: one of zeros, of which nothing is kept."""
    transformed = range(x.ndim) if axes is None else [axes] if isinstance(axes, int) else axes
    kept = {place % x.ndim for place in transformed if -x.ndim <= place < x.ndim}
    shape = [size if place in kept else max(size, 1) for place, size in enumerate(x.shape)]
    result = function(x.new_zeros(shape), lengths, axes, norm)
    return result[tuple(slice(None) if place in kept else slice(size) for place, size in enumerate(x.shape))]
