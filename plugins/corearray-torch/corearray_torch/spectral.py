"""Fourier transforms of short pieces, of one signal or a batch of them."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import HALF
from corearray_torch.sharding import whole

_PADDING = {"constant": "constant", "edge": "replicate", "reflect": "reflect", "wrap": "circular"}


def _fits(
    x: Any, n_fft: int, hop_length: Any, win_length: Any, window: Any, center: bool, pad_mode: str, onesided: Any
) -> bool:
    size = n_fft if win_length is None else win_length
    length = x.shape[-1] if x.ndim in (1, 2) and x.numel() else 0
    if x.is_complex() or onesided is False or not 1 <= size <= n_fft or (hop_length is not None and hop_length < 1):
        return False
    if window is not None and window.shape != (size,):
        return False
    return length > n_fft // 2 and pad_mode in _PADDING if center else length >= n_fft


@hookimpl(via=HALF, when=_fits)
def stft(
    x: Any,
    /,
    n_fft: int,
    *,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Any = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: bool | None = None,
) -> Any:
    """torch warns where there is no window."""
    if window is None:
        window = x.new_ones(n_fft if win_length is None else win_length)
    x, window = whole(x), whole(window)
    hop = max(n_fft // 4, 1) if hop_length is None else hop_length
    mode = _PADDING.get(pad_mode, "reflect")
    return torch.stft(x, n_fft, hop, win_length, window, center, mode, normalized, True, True)
