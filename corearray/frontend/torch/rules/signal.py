"""Fourier transforms and windows."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.frontend.torch.described import rule, say
from corearray.frontend.torch.promotion import category, default_dtype, dtype_of, floating

__all__: list[str] = []

say("""
torch.fft.fft(input, n=None, dim=-1, norm=None, *, out=None) = ca.fft.fft(complex_of(input), n=n, axis=dim,
    norm=norm or "backward")
torch.fft.ifft(input, n=None, dim=-1, norm=None, *, out=None) = ca.fft.ifft(complex_of(input), n=n, axis=dim,
    norm=norm or "backward")
torch.fft.rfft(input, n=None, dim=-1, norm=None, *, out=None) = ca.fft.rfft(floating(input), n=n, axis=dim,
    norm=norm or "backward")
torch.fft.irfft(input, n=None, dim=-1, norm=None, *, out=None) = ca.fft.irfft(complex_of(input), n=n, axis=dim,
    norm=norm or "backward")
torch.fft.hfft(input, n=None, dim=-1, norm=None, *, out=None) = ca.fft.hfft(complex_of(input), n=n, axis=dim,
    norm=norm or "backward")
torch.fft.ihfft(input, n=None, dim=-1, norm=None, *, out=None) = ca.fft.ihfft(floating(input), n=n, axis=dim,
    norm=norm or "backward")
torch.fft.fft2(input, s=None, dim=(-2, -1), norm=None, *, out=None) = ca.fft.fftn(complex_of(input), s=sizes(s),
    axes=places(dim), norm=norm or "backward")
torch.fft.ifft2(input, s=None, dim=(-2, -1), norm=None, *, out=None) = ca.fft.ifftn(complex_of(input), s=sizes(s),
    axes=places(dim), norm=norm or "backward")
torch.fft.rfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None) = ca.fft.rfftn(floating(input), s=sizes(s),
    axes=places(dim), norm=norm or "backward")
torch.fft.irfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None) = ca.fft.irfftn(complex_of(input), s=sizes(s),
    axes=places(dim), norm=norm or "backward")
torch.fft.fftn(input, s=None, dim=None, norm=None, *, out=None) = over(ca.fft.fftn, complex_of(input), s, dim, norm)
torch.fft.ifftn(input, s=None, dim=None, norm=None, *, out=None) = over(ca.fft.ifftn, complex_of(input), s, dim, norm)
torch.fft.rfftn(input, s=None, dim=None, norm=None, *, out=None) = over(ca.fft.rfftn, floating(input), s, dim, norm)
torch.fft.irfftn(input, s=None, dim=None, norm=None, *, out=None) = over(ca.fft.irfftn, complex_of(input), s, dim, norm)
torch.fft.fftshift(input, dim=None) = ca.fft.fftshift(input, axes=places(dim))
torch.fft.ifftshift(input, dim=None) = ca.fft.ifftshift(input, axes=places(dim))
torch.fft.fftfreq(n, d=1.0, *, out=None, dtype=None, layout=None, device=None, requires_grad=False) = ca.fft.fftfreq(n, d=d,
    dtype=dtype_of(dtype) or default_dtype())
torch.fft.rfftfreq(n, d=1.0, *, out=None, dtype=None, layout=None, device=None, requires_grad=False) = ca.fft.rfftfreq(n,
    d=d,
    dtype=dtype_of(dtype) or default_dtype())
torch.fft.hfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None) = hermitian(input, s, dim, norm)
torch.fft.hfftn(input, s=None, dim=None, norm=None, *, out=None) = hermitian(input, s, dim, norm)
torch.fft.ihfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None) = inverse_hermitian(input, s, dim, norm)
torch.fft.ihfftn(input, s=None, dim=None, norm=None, *, out=None) = inverse_hermitian(input, s, dim, norm)
torch.hann_window(window_length, periodic=True, *, dtype=None, layout=None, device=None,
    requires_grad=False) = ca.hann_window(
    window_length, periodic=periodic, dtype=dtype_of(dtype) or default_dtype())
torch.hamming_window(window_length, periodic=True, alpha=0.54, beta=0.46, *, dtype=None, layout=None, device=None,
    requires_grad=False) =
    ca.hamming_window(window_length, periodic=periodic, alpha=alpha, beta=beta, dtype=dtype_of(dtype) or default_dtype())
torch.blackman_window(window_length, periodic=True, *, dtype=None, layout=None, device=None, requires_grad=False) =
    ca.blackman_window(window_length, periodic=periodic, dtype=dtype_of(dtype) or default_dtype())
torch.kaiser_window(window_length, periodic=True, beta=12.0, *, dtype=None, layout=None, device=None, requires_grad=False) =
    ca.kaiser_window(window_length, periodic=periodic, beta=beta, dtype=dtype_of(dtype) or default_dtype())
""")

#: The transform that undoes the scaling of another: a Hermitian one is the real one of the conjugate, the other way round.
_OTHER_NORM = {"backward": "forward", "forward": "backward", "ortho": "ortho"}


def complex_of(x: ca.Array) -> ca.Array:
    """Return an array that a complex transform takes."""
    return x if category(x.dtype) == "c" else floating(x)


def sizes(s: Any) -> Any:
    """Return sizes as a tuple."""
    return None if s is None else (s,) if isinstance(s, int) else tuple(s)


def places(dim: Any) -> Any:
    """Return axes as a tuple."""
    return None if dim is None else (dim,) if isinstance(dim, int) else tuple(dim)


def _axes(x: ca.Array, s: Any, dim: Any) -> tuple[int, ...]:
    if dim is not None:
        made: tuple[int, ...] = places(dim)
        return made
    return tuple(range(-len(sizes(s)), 0)) if s is not None else tuple(range(x.ndim))


def over(function: Any, x: ca.Array, s: Any, dim: Any, norm: str | None) -> ca.Array:
    """Transform over several axes, by default all or the last ones."""
    made: ca.Array = function(x, s=_kept(x, s, dim), axes=_axes(x, s, dim), norm=norm or "backward")
    return made


def _kept(x: ca.Array, s: Any, dim: Any) -> Any:
    """Return sizes, in which -1 keeps that of the input."""
    if s is None:
        return None
    return tuple(x.shape[axis] if n == -1 else n for n, axis in zip(sizes(s), _axes(x, s, dim), strict=True))


def hermitian(x: ca.Array, s: Any, dim: Any, norm: str | None) -> ca.Array:
    """Transform a Hermitian signal to a real spectrum."""
    return ca.fft.irfftn(
        ca.conj(complex_of(x)), s=_kept(x, s, dim), axes=_axes(x, s, dim), norm=_OTHER_NORM[norm or "backward"]
    )


def inverse_hermitian(x: ca.Array, s: Any, dim: Any, norm: str | None) -> ca.Array:
    """Transform a real spectrum back to a Hermitian signal."""
    return ca.conj(
        ca.fft.rfftn(floating(x), s=_kept(x, s, dim), axes=_axes(x, s, dim), norm=_OTHER_NORM[norm or "backward"])
    )


@rule("torch.stft")
def stft(
    input: ca.Array, n_fft: int, hop_length: int | None = None, win_length: int | None = None, window: ca.Array | None = None,
    center: bool = True, pad_mode: str = "reflect", normalized: bool = False, onesided: bool | None = None,
    return_complex: bool | None = None, align_to_window: bool | None = None,
) -> ca.Array:  # fmt: skip
    made = ca.stft(
        input, n_fft, hop_length=hop_length, win_length=win_length, window=window, center=center,
        pad_mode={"replicate": "edge", "circular": "wrap"}.get(pad_mode, pad_mode), normalized=normalized, onesided=onesided,
    )  # fmt: skip
    return made if return_complex else ca.stack([ca.real(made), ca.imag(made)], axis=-1)


@rule("torch.istft")
def istft(
    input: ca.Array, n_fft: int, hop_length: int | None = None, win_length: int | None = None, window: ca.Array | None = None,
    center: bool = True, normalized: bool = False, onesided: bool | None = None, length: int | None = None,
    return_complex: bool = False,
) -> ca.Array:  # fmt: skip
    return ca.istft(
        input, n_fft, hop_length=hop_length, win_length=win_length, window=window, center=center, normalized=normalized,
        onesided=onesided, length=length,
    )  # fmt: skip
