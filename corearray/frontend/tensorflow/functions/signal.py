"""`tf.signal`: Fourier and cosine transforms, windows, frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayValueError, FunctionNotImplementedError
from corearray.frontend.tensorflow.conversion import axis_of, integers, tensor
from corearray.frontend.tensorflow.data_types import dtype_of
from corearray.frontend.tensorflow.described import rule, say
from corearray.frontend.tensorflow.operations import raw

__all__: list[str] = []

say("""
tensorflow.signal.fft(input, name=None) = raw.FFT(input)
tensorflow.signal.ifft(input, name=None) = raw.IFFT(input)
tensorflow.signal.fft2d(input, name=None) = raw.FFT2D(input)
tensorflow.signal.ifft2d(input, name=None) = raw.IFFT2D(input)
tensorflow.signal.fft3d(input, name=None) = raw.FFT3D(input)
tensorflow.signal.ifft3d(input, name=None) = raw.IFFT3D(input)
tensorflow.signal.rfft(input_tensor, fft_length=None, name=None) = _of_real(tensor(input_tensor), fft_length, 1)
tensorflow.signal.rfft2d(input_tensor, fft_length=None, name=None) = _of_real(tensor(input_tensor), fft_length, 2)
tensorflow.signal.rfft3d(input_tensor, fft_length=None, name=None) = _of_real(tensor(input_tensor), fft_length, 3)
tensorflow.signal.irfft(input_tensor, fft_length=None, name=None) = _to_real(tensor(input_tensor), fft_length, 1)
tensorflow.signal.irfft2d(input_tensor, fft_length=None, name=None) = _to_real(tensor(input_tensor), fft_length, 2)
tensorflow.signal.irfft3d(input_tensor, fft_length=None, name=None) = _to_real(tensor(input_tensor), fft_length, 3)
tensorflow.signal.fftshift(x, axes=None, name=None) = (
    ca.fft.fftshift(tensor(x), axes=None if axes is None else integers(axes)))
tensorflow.signal.ifftshift(x, axes=None, name=None) = (
    ca.fft.ifftshift(tensor(x), axes=None if axes is None else integers(axes)))
tensorflow.signal.dct(input, type=2, n=None, axis=-1, norm=None, name=None) = (
    _cosines(tensor(input), type, n, axis, norm))
tensorflow.signal.idct(input, type=2, n=None, axis=-1, norm=None, name=None) = (
    _cosines(tensor(input), {1: 1, 2: 3, 3: 2, 4: 4}[type], n, axis, norm))
tensorflow.signal.hann_window(window_length, periodic=True, dtype=ca.float32, name=None) = (
    ca.hann_window(integers(window_length)[0], periodic=periodic, dtype=dtype_of(dtype)))
tensorflow.signal.hamming_window(window_length, periodic=True, dtype=ca.float32, name=None) = (
    ca.hamming_window(integers(window_length)[0], periodic=periodic, dtype=dtype_of(dtype)))
tensorflow.signal.kaiser_window(window_length, beta=12.0, dtype=ca.float32, name=None) = (
    ca.kaiser_window(integers(window_length)[0], periodic=False, beta=float(beta), dtype=dtype_of(dtype)))
tensorflow.signal.kaiser_bessel_derived_window(window_length, beta=12.0, dtype=ca.float32, name=None) = (
    ca.kaiser_bessel_derived_window(integers(window_length)[0], beta=float(beta), dtype=dtype_of(dtype)))
tensorflow.signal.vorbis_window(window_length, dtype=ca.float32, name=None) = (
    ca.vorbis_window(integers(window_length)[0], dtype=dtype_of(dtype)))
tensorflow.signal.mfccs_from_log_mel_spectrograms(log_mel_spectrograms, name=None) = _coefficients(tensor(log_mel_spectrograms))
""")


def _of_real(x: ca.Array, lengths: Any, count: int) -> Any:
    axes = tuple(range(-count, 0))
    sizes = tuple(x.shape[-count:]) if lengths is None else integers(lengths)
    return ca.fft.rfftn(x, s=sizes, axes=axes)


def _to_real(x: ca.Array, lengths: Any, count: int) -> Any:
    axes = tuple(range(-count, 0))
    if lengths is None:
        sizes = (*x.shape[-count:-1], max(2 * (x.shape[-1] - 1), 0))
    else:
        sizes = integers(lengths)
    return ca.fft.irfftn(x, s=sizes, axes=axes)


def _cosines(x: ca.Array, kind: int, n: Any, axis: int, norm: Any) -> Any:
    if axis != -1:
        raise FunctionNotImplementedError(f"axis must be -1, as in TensorFlow. Got: {axis}")
    return ca.dct(x, type=kind, n=n, norm=norm)  # type: ignore[arg-type]


def _coefficients(x: ca.Array) -> Any:
    return ca.dct(x, type=2) * (1.0 / (2.0 * x.shape[-1]) ** 0.5)


@rule("tensorflow.signal.frame")
def frame(
    signal: Any,
    frame_length: Any,
    frame_step: Any,
    pad_end: bool = False,
    pad_value: Any = 0,
    axis: int = -1,
    name: Any = None,
) -> Any:
    """Divide an axis into frames that overlap: it becomes two axes, of frames and of places in a frame."""
    x = tensor(signal)
    length, step = integers(frame_length)[0], integers(frame_step)[0]
    place = axis_of(axis, x.ndim)
    size = x.shape[place]
    if pad_end:
        count = -(-size // step)
        rest = max(0, length + step * (count - 1) - size)
        around = [(0, 0)] * x.ndim
        around[place] = (0, rest)
        x = raw.PadV2(x, around, tensor(pad_value, dtype=x.dtype))
    else:
        count = max(0, 1 + (size - length) // step)
    places = ca.reshape(ca.arange(count)[:, None] * step + ca.arange(length)[None, :], (-1,))
    made = ca.take(x, places, axis=place)
    return ca.reshape(made, (*x.shape[:place], count, length, *x.shape[place + 1 :]))


@rule("tensorflow.signal.overlap_and_add")
def overlap_and_add(signal: Any, frame_step: Any, name: Any = None) -> Any:
    """Add frames that overlap up to a signal."""
    x, step = tensor(signal), integers(frame_step)[0]
    count, length = x.shape[-2:]
    total = length + step * (count - 1)
    flat = ca.reshape(x, (-1, count * length))
    places = ca.reshape(ca.arange(count)[:, None] * step + ca.arange(length)[None, :], (-1,))
    made = ca.unsorted_segment_sum(ca.matrix_transpose(flat), places, total)
    return ca.reshape(ca.matrix_transpose(made), (*x.shape[:-2], total))


def _hann(length: int, dtype: ca.DType) -> Any:
    return ca.hann_window(length, dtype=dtype)


def _vorbis(length: int, dtype: ca.DType) -> Any:
    return ca.vorbis_window(length, dtype=dtype)


def _window(window_fn: Callable[..., Any], length: int, dtype: ca.DType) -> Any:
    """Return the array of a window, also of one that the caller's function returns as a tensor."""
    made = window_fn(length, dtype=dtype)
    return getattr(made, "array", made)


def _power_of_two(length: int) -> int:
    return 1 << max(length - 1, 0).bit_length()


@rule("tensorflow.signal.stft")
def stft(
    signals: Any,
    frame_length: Any,
    frame_step: Any,
    fft_length: Any = None,
    window_fn: Any = _hann,
    pad_end: bool = False,
    name: Any = None,
) -> Any:
    """Return the Fourier transforms of frames under a window."""
    x = tensor(signals)
    length = integers(frame_length)[0]
    size = _power_of_two(length) if fft_length is None else integers(fft_length)[0]
    frames = frame(x, length, frame_step, pad_end=pad_end)
    if window_fn is not None:
        frames = frames * _window(window_fn, length, x.dtype)
    return ca.fft.rfft(frames, n=size)


@rule("tensorflow.signal.inverse_stft")
def inverse_stft(
    stfts: Any, frame_length: Any, frame_step: Any, fft_length: Any = None, window_fn: Any = _hann, name: Any = None
) -> Any:
    """Return the signal of Fourier transforms of frames."""
    x = tensor(stfts)
    length = integers(frame_length)[0]
    size = _power_of_two(length) if fft_length is None else integers(fft_length)[0]
    frames = ca.fft.irfft(x, n=size)
    if size > length:
        frames = frames[..., :length]
    elif size < length:
        frames = ca.pad(frames, [(0, 0)] * (frames.ndim - 1) + [(0, length - size)])
    if window_fn is not None:
        frames = frames * _window(window_fn, length, frames.dtype)
    return overlap_and_add(frames, frame_step)


@rule("tensorflow.signal.inverse_stft_window_fn")
def inverse_stft_window_fn(frame_step: Any, forward_window_fn: Any = _hann, name: Any = None) -> Callable[..., Any]:
    """Return a window function for `inverse_stft` that undoes the window of `stft`."""
    step = integers(frame_step)[0]

    def window(frame_length: Any, dtype: Any) -> Any:
        length = integers(frame_length)[0]
        weights = _window(forward_window_fn, length, dtype_of(dtype))
        count = -(-length // step)
        squares = ca.pad(ca.square(weights), [(0, count * step - length)])
        total = ca.sum(ca.reshape(squares, (count, step)), axis=0, keepdims=True)
        return weights / ca.reshape(ca.broadcast_to(total, (count, step)), (-1,))[:length]

    return window


@rule("tensorflow.signal.mdct")
def mdct(
    signals: Any,
    frame_length: Any,
    window_fn: Any = _vorbis,
    pad_end: bool = False,
    norm: Any = None,
    name: Any = None,
) -> Any:
    """Return the modified cosine transforms of frames that overlap by half."""
    x, length = tensor(signals), integers(frame_length)[0]
    if length % 4:
        raise CoreArrayValueError("frame_length must be a multiple of 4.")
    half = length // 2
    frames = frame(x, length, half, pad_end=pad_end)
    if window_fn is None:
        frames = frames * 2.0**-0.5
    else:
        frames = frames * _window(window_fn, length, x.dtype)
    a, b, c, d = (frames[..., n * half // 2 : (n + 1) * half // 2] for n in range(4))
    first = -ca.flip(c, axis=-1) - d
    second = a - ca.flip(b, axis=-1)
    return ca.dct(ca.concat([first, second], axis=-1), type=4, norm=norm)


@rule("tensorflow.signal.inverse_mdct")
def inverse_mdct(mdcts: Any, window_fn: Any = _vorbis, norm: Any = None, name: Any = None) -> Any:
    """Return the signal of modified cosine transforms."""
    x = tensor(mdcts)
    half = x.shape[-1]
    made = ca.dct(x, type=4, norm=norm)
    if norm is None:
        made = made * (0.5 / half)
    first, second = made[..., : half // 2], made[..., half // 2 :]
    whole = ca.concat([second, -ca.flip(second, axis=-1), -ca.flip(first, axis=-1), -first], axis=-1)
    if window_fn is None:
        whole = whole * 2.0**-0.5
    else:
        whole = whole * _window(window_fn, 2 * half, x.dtype)
    return overlap_and_add(whole, half)


@rule("tensorflow.signal.linear_to_mel_weight_matrix")
def linear_to_mel_weight_matrix(
    num_mel_bins: int = 20,
    num_spectrogram_bins: Any = 129,
    sample_rate: Any = 8000,
    lower_edge_hertz: Any = 125.0,
    upper_edge_hertz: Any = 3800.0,
    dtype: Any = ca.float32,
    name: Any = None,
) -> Any:
    """Return the matrix that turns linear spectrograms into mel spectrograms."""
    own = dtype_of(dtype)

    def mel(frequency: Any) -> Any:
        return 1127.0 * ca.log1p(frequency / 700.0)

    low, high = (ca.asarray(float(x), dtype=ca.float64) for x in (lower_edge_hertz, upper_edge_hertz))
    count = integers(num_spectrogram_bins)[0]
    bins = mel(ca.linspace(0.0, float(sample_rate) / 2.0, count, dtype=ca.float64)[1:])[:, None]
    steps = ca.arange(num_mel_bins + 2, dtype=ca.float64) / (num_mel_bins + 1)
    edges = mel(low) + (mel(high) - mel(low)) * steps
    left, centre, right = edges[None, :-2], edges[None, 1:-1], edges[None, 2:]
    slopes = ca.maximum(
        ca.minimum((bins - left) / (centre - left), (right - bins) / (right - centre)), ca.zeros_like(bins)
    )
    return ca.astype(ca.pad(slopes, [(1, 0), (0, 0)]), own)
