"""Cosine and short-time Fourier transforms along an axis, which comes in one chunk."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_dask.blocks import along, batched


@hookimpl
def dct(x: Any, /, *, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    return along("dct", axis, x, type=type, n=n, axis=axis, norm=norm)


@hookimpl
def idct(x: Any, /, *, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    return along("idct", axis, x, type=type, n=n, axis=axis, norm=norm)


@hookimpl
def istft(
    x: Any, /, n_fft: int, *, hop_length: int | None = None, win_length: int | None = None, window: Any = None,
    center: bool = True, normalized: bool = False, onesided: bool | None = None, length: int | None = None,
) -> Any:  # fmt: skip
    return batched(
        "istft", [2, 1], x, n_fft, hop_length=hop_length, win_length=win_length, window=window, center=center,
        normalized=normalized, onesided=onesided, length=length,
    )  # fmt: skip


@hookimpl
def stft(
    x: Any, /, n_fft: int, *, hop_length: int | None = None, win_length: int | None = None, window: Any = None,
    center: bool = True, pad_mode: str = "reflect", normalized: bool = False, onesided: bool | None = None,
) -> Any:  # fmt: skip
    return batched(
        "stft", [1, 1], x, n_fft, hop_length=hop_length, win_length=win_length, window=window, center=center,
        pad_mode=pad_mode, normalized=normalized, onesided=onesided,
    )  # fmt: skip
