"""`jax.scipy.signal`: spectra of parts of signals, and signals of them."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayValueError
from corearray.frontend.jax.members_of.scipy_signal import detrended, floats
from corearray.frontend.jax.promotion import cast
from corearray.frontend.jax.wrapper import Array, converted

__all__ = ["FUNCTIONS", "csd", "istft", "stft", "welch"]

#: Coefficients of windows that are sums of cosines, in SciPy's words.
_COSINES = {
    "boxcar": (1.0,), "box": (1.0,), "ones": (1.0,), "rect": (1.0,), "rectangular": (1.0,),
    "hann": (0.5, 0.5), "hanning": (0.5, 0.5), "han": (0.5, 0.5),
    "hamming": (0.54, 0.46), "hamm": (0.54, 0.46), "ham": (0.54, 0.46),
    "blackman": (0.42, 0.5, 0.08), "black": (0.42, 0.5, 0.08), "blk": (0.42, 0.5, 0.08),
    "nuttall": (0.3635819, 0.4891775, 0.1365995, 0.0106411), "nutl": (0.3635819, 0.4891775, 0.1365995, 0.0106411),
    "blackmanharris": (0.35875, 0.48829, 0.14128, 0.01168), "bkh": (0.35875, 0.48829, 0.14128, 0.01168),
    "flattop": (0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368),
}  # fmt: skip


def _window(name: Any, length: int) -> Any:
    """Return a periodic window by its name, or by a tuple of name and parameters.

    Raises
    ------
    ValueError
        If there is none of that name.
    """
    word, *options = name if isinstance(name, tuple) else (name,)
    if length == 1:
        return ca.ones((1,), dtype=ca.float64)
    places = ca.arange(length, dtype=ca.float64)
    if word in _COSINES and not options:
        turns = 2 * ca.pi / length * places
        return sum((-1) ** k * a * ca.cos(k * turns) for k, a in enumerate(_COSINES[word]))
    middle = length / 2
    if word in ("bartlett", "bart", "brt") and not options:
        return 1 - ca.abs(places - middle) / middle
    if word in ("cosine", "halfcosine") and not options:
        return ca.sin(ca.pi / (length + 1) * (places + 0.5))
    if word in ("kaiser", "ksr") and len(options) == 1:
        return ca.kaiser_window(length, periodic=True, beta=float(options[0]), dtype=ca.float64)
    if word in ("gaussian", "gauss", "gss") and len(options) == 1:
        return ca.exp(-((places - middle) ** 2) / (2 * float(options[0]) ** 2))
    raise CoreArrayValueError(
        f"Unknown window type {name!r}; the windows are {', '.join(_COSINES)}, bartlett, cosine, ('kaiser', beta) and "
        "('gaussian', std). Others are given as arrays."
    )


def _segment(window: Any, nperseg: Any, length: int, dtype: ca.DType) -> tuple[ca.Array, int]:
    """Return a window, and the length of a segment.

    Raises
    ------
    ValueError
        If the window and the length do not fit.
    """
    if isinstance(window, (str, tuple)):
        size = length if nperseg is None else nperseg
        if size > length:
            warnings.warn(f"nperseg={size} is greater than input_length={length}, using nperseg={length}", stacklevel=4)
            size = length
        return cast(_window(window, size), dtype), size
    array = cast(ca.asarray(window) if isinstance(window, list) else converted(window)[0], dtype)
    if array.ndim != 1:
        raise CoreArrayValueError("window must be 1-D")
    if length < array.size:
        raise CoreArrayValueError("window is longer than input signal")
    if nperseg is not None and nperseg != array.size:
        raise CoreArrayValueError("value specified for nperseg is different from length of window")
    return array, array.size


def _extended(x: ca.Array, kind: str | None, n: int) -> ca.Array:
    """Extend the last axis at both ends.

    Raises
    ------
    ValueError
        If the kind is unknown, or the extension is longer than the signal.
    """
    modes: dict[str, Any] = {"even": "reflect", "constant": "edge", "zeros": "constant"}
    if kind is None or n < 1:
        return x
    if kind != "odd":
        return ca.pad(x, ((0, 0),) * (x.ndim - 1) + ((n, n),), mode=modes[kind])
    if n > x.shape[-1] - 1:
        raise CoreArrayValueError(
            f"The extension length n ({n}) is too big. It must not exceed x.shape[axis]-1, which is {x.shape[-1] - 1}."
        )
    left = 2 * x[..., :1] - ca.flip(x[..., 1 : n + 1], axis=-1)
    right = 2 * x[..., -1:] - ca.flip(x[..., -(n + 1) : -1], axis=-1)
    return ca.concat([left, x, right], axis=-1)


def _filled(x: ca.Array, n: int) -> ca.Array:
    """Append zeros to the last axis."""
    return ca.pad(x, ((0, 0),) * (x.ndim - 1) + ((0, n),)) if n else x


def _trend(kind: Any, axis: int) -> Callable[[ca.Array], ca.Array]:
    """Return the function that takes the trend from segments."""
    if isinstance(kind, str):
        return lambda x: detrended(x, -1, kind)
    if callable(kind):

        def own(x: ca.Array) -> ca.Array:
            """Give the function segments with the axis of the signal as the last one, as JAX does."""
            return ca.moveaxis(converted(kind(Array(ca.moveaxis(x, axis, -1))))[0], -1, axis)

        return own
    if kind:
        raise CoreArrayValueError(f"Unsupported detrend type: {kind}")
    return lambda x: x


def _spectra(
    x: Any, y: Any, fs: Any, window: Any, nperseg: Any, noverlap: Any, nfft: Any, detrend: Any, return_onesided: bool,
    scaling: str, axis: int, *, power: bool, boundary: str | None = None, padded: bool = False,
) -> tuple[ca.Array, ca.Array, ca.Array]:  # fmt: skip
    """Return frequencies, times, and the spectra of all segments along the last axis, frequencies at `axis`."""
    kinds = ("even", "odd", "constant", "zeros", None)
    if boundary not in kinds:
        raise CoreArrayValueError(f"Unknown boundary option '{boundary}', must be one of: {list(kinds)}")
    signals = floats(x) if y is None else floats(x, y)
    rank = signals[0].ndim
    if not -rank <= operator.index(axis) < rank:
        raise CoreArrayValueError(f"axis {axis} is out of bounds for array of dimension {rank}")
    axis = operator.index(axis) % rank
    if signals[-1].ndim != rank:
        raise CoreArrayValueError("two-arguments must have the same rank ({x.ndim} vs {y.ndim}).")
    fronts = [(*one.shape[:axis], *one.shape[axis + 1 :]) for one in signals]
    try:
        front = ca.broadcast_shapes(*fronts)
    except ValueError as error:
        raise CoreArrayValueError("x and y cannot be broadcast together.") from error
    own = signals[0].dtype
    wide = ca.complex128 if own in (ca.float64, ca.complex128) else ca.complex64
    real = ca.float64 if wide == ca.complex128 else ca.float32
    if nperseg is not None and operator.index(nperseg) < 1:
        raise CoreArrayValueError("nperseg must be a positive integer")
    win, size = _segment(window, nperseg, signals[0].shape[axis], own)
    overlap = size // 2 if noverlap is None else operator.index(noverlap)
    points = size if nfft is None else operator.index(nfft)
    if not all(one.size for one in signals):
        shape = (*front[:axis], min(one.shape[axis] for one in signals), *front[axis:])
        nothing = ca.zeros(shape, dtype=real)
        return nothing, nothing, ca.zeros(shape, dtype=wide)
    if points < size:
        raise CoreArrayValueError("nfft must be greater than or equal to nperseg.")
    if overlap >= size:
        raise CoreArrayValueError("noverlap must be less than nperseg.")
    step = size - overlap
    signals = [ca.moveaxis(one, axis, -1) for one in signals]
    longest = max(one.shape[-1] for one in signals)
    signals = [_extended(_filled(one, longest - one.shape[-1]), boundary, size // 2) for one in signals]
    if padded:
        signals = [_filled(one, (-(one.shape[-1] - size) % step) % size) for one in signals]
    rate = cast(converted(fs)[0], real)
    if scaling not in ("density", "spectrum"):
        raise CoreArrayValueError(f"Unknown scaling: {scaling}")
    scale = 1.0 / (rate * ca.sum(win * win) if scaling == "density" else ca.sum(win) ** 2)
    scale = scale if power else ca.sqrt(scale)
    one_sided = return_onesided
    if return_onesided and any(one.dtype.category == "complex floating" for one in signals):
        one_sided = False
        warnings.warn("Input data is complex, switching to return_onesided=False", stacklevel=3)
    trend = _trend(detrend, axis)
    found = [_transformed(one, win, trend, size, step, points, one_sided) for one in signals]
    made = ca.conj(found[0]) * found[-1] if power else found[0]
    made = made * cast(scale, made.dtype)
    if one_sided and power:
        end = made.shape[-1] if points % 2 else made.shape[-1] - 1
        counts = [2.0 if 1 <= i < end else 1.0 for i in range(made.shape[-1])]
        made = made * ca.asarray(counts, dtype=real)
    made = cast(made, wide)
    made = ca.real(made) if y is None and power else made
    frequencies = (ca.fft.rfftfreq if one_sided else ca.fft.fftfreq)(points, dtype=real) * rate
    last = signals[0].shape[-1] - size / 2 + 1
    times = ca.arange(size / 2, last, step, dtype=real)
    times = (times - (size / 2 if boundary is not None else 0.0)) / rate
    return frequencies, times, ca.moveaxis(made, -1, axis)


def _transformed(
    x: ca.Array, win: ca.Array, trend: Callable[[ca.Array], ca.Array], size: int, step: int, points: int, one_sided: bool
) -> ca.Array:  # fmt: skip
    """Return the Fourier transforms of segments, which are the last axis but one."""
    starts = ca.arange(0, x.shape[-1] - size + 1, step)
    places = ca.reshape(starts[:, None] + ca.arange(size), (-1,))
    parts = ca.reshape(ca.take(x, places, axis=-1), (*x.shape[:-1], starts.shape[0], size))
    parts = trend(parts)
    parts = win * parts
    if one_sided:
        return ca.fft.rfft(ca.real(parts) if parts.dtype.category == "complex floating" else parts, n=points)
    wide = ca.complex128 if parts.dtype in (ca.float64, ca.complex128) else ca.complex64
    return ca.fft.fft(cast(parts, wide), n=points)


def stft(
    x: Any, fs: Any = 1.0, window: Any = "hann", nperseg: int | None = 256, noverlap: int | None = None,
    nfft: int | None = None, detrend: Any = False, return_onesided: bool = True, boundary: str | None = "zeros",
    padded: bool = True, axis: int = -1,
) -> Any:  # fmt: skip
    """Return frequencies, times and short-time Fourier transforms."""
    made = _spectra(
        x, None, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, "spectrum", axis, power=False,
        boundary=boundary, padded=padded,
    )  # fmt: skip
    return tuple(Array(one) for one in made)


def _bias(count: int) -> float:
    """Return the bias of the median of periodograms (Allen et al., FINDCHIRP, 2012, appendix B)."""
    return 1 + sum(1 / (k + 1) - 1 / k for k in range(2, count, 2))


def csd(
    x: Any, y: Any, fs: Any = 1.0, window: Any = "hann", nperseg: int | None = None, noverlap: int | None = None,
    nfft: int | None = None, detrend: Any = "constant", return_onesided: bool = True, scaling: str = "density",
    axis: int = -1, average: str = "mean",
) -> Any:  # fmt: skip
    """Return frequencies and the cross spectral density of two signals by Welch's method.

    Raises
    ------
    ValueError
        If `average` is neither the mean nor the median, or the options do not fit.
    """
    frequencies, _, made = _spectra(
        x, y, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, power=True
    )
    if made.ndim >= 2 and made.size:
        segments = made.shape[-1]
        if segments == 1:
            made = made[..., 0]
        elif average == "mean":
            made = ca.mean(made, axis=-1)
        elif average == "median":
            if made.dtype.category == "complex floating":
                parts = [ca.median(part, axis=-1) for part in (ca.real(made), ca.imag(made))]
                made = parts[0] + 1j * parts[1]
            else:
                made = ca.median(made, axis=-1)
            made = made / _bias(segments)
        else:
            raise CoreArrayValueError(f'average must be "median" or "mean", got {average}')
    return Array(frequencies), Array(made)


def welch(
    x: Any, fs: Any = 1.0, window: Any = "hann", nperseg: int | None = None, noverlap: int | None = None,
    nfft: int | None = None, detrend: Any = "constant", return_onesided: bool = True, scaling: str = "density",
    axis: int = -1, average: str = "mean",
) -> Any:  # fmt: skip
    """Return frequencies and the power spectral density of a signal by Welch's method."""
    made = csd(x, None, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average)
    return made[0], made[1].real


def _joined(x: ca.Array, step: int) -> ca.Array:
    """Return the sum of frames `(..., frames, length)`, each `step` behind the one before it."""
    frames, length = x.shape[-2:]
    total = step * (frames - 1) + length
    places = ca.arange(frames)[:, None] * step + ca.arange(length)
    flat = ca.reshape(x, (*x.shape[:-2], frames * length))
    rows = ca.moveaxis(flat, -1, 0)
    made = ca.unsorted_segment_sum(rows, ca.reshape(places, (-1,)), total)
    return ca.moveaxis(made, 0, -1)


def istft(
    Zxx: Any, fs: Any = 1.0, window: Any = "hann", nperseg: int | None = None, noverlap: int | None = None,
    nfft: int | None = None, input_onesided: bool = True, boundary: bool = True, time_axis: int = -1, freq_axis: int = -2,
) -> Any:  # fmt: skip
    """Return times and the signal of short-time Fourier transforms.

    Raises
    ------
    ValueError
        If the options do not fit.
    """
    z = converted(Zxx)[0]
    if z.ndim < 2:
        raise CoreArrayValueError("Input stft must be at least 2d!")
    for axis in (time_axis, freq_axis):
        if not -z.ndim <= axis < z.ndim:
            raise CoreArrayValueError(f"axis {axis} is out of bounds for array of dimension {z.ndim}")
    time_axis, freq_axis = time_axis % z.ndim, freq_axis % z.ndim
    if time_axis == freq_axis:
        raise CoreArrayValueError("Must specify differing time and frequency axes!")
    wide = z.dtype.bits == 128 or z.dtype == ca.float64
    z = cast(z, ca.complex128 if wide else ca.complex64)
    usual = 2 * (z.shape[freq_axis] - 1) if input_onesided else z.shape[freq_axis]
    size = operator.index(nperseg or usual)
    if size < 1:
        raise CoreArrayValueError("nperseg must be a positive integer")
    odd = input_onesided and size == usual + 1
    points = usual + odd if nfft is None else operator.index(nfft)
    if points < size:
        raise CoreArrayValueError(f"FFT length ({points}) must be longer than nperseg ({size}).")
    overlap = operator.index(noverlap or size // 2)
    if overlap >= size:
        raise CoreArrayValueError("noverlap must be less than nperseg.")
    rows = ca.moveaxis(z, (freq_axis, time_axis), (-1, -2))  # frames of spectra
    frames = (ca.fft.irfft if input_onesided else ca.fft.ifft)(rows, n=points)[..., :size]
    if isinstance(window, (str, tuple)):
        win = cast(_window(window, size), frames.dtype)
    else:
        win = ca.asarray(window) if isinstance(window, list) else converted(window)[0]
        if win.ndim != 1:
            raise CoreArrayValueError("window must be 1-D")
        if win.shape[0] != size:
            raise CoreArrayValueError(f"window must have length of {size}")
    made = _joined(frames * ca.sum(win) * win, size - overlap)
    norm = _joined(ca.broadcast_to(win * win, tuple(frames.shape[-2:])), size - overlap)
    if boundary:
        cut = size // 2
        made, norm = made[..., cut:-cut], norm[..., cut:-cut]
    big = ca.real(norm) if norm.dtype.category == "complex floating" else norm
    made = made / ca.where(big > 1e-10, norm, 1.0)
    if made.ndim > 1 and time_axis != z.ndim - 1:
        made = ca.moveaxis(made, -1, time_axis - (freq_axis < time_axis))
    real = ca.float64 if wide else ca.float32
    return Array(ca.arange(made.shape[0], dtype=real) / cast(converted(fs)[0], real)), Array(made)


FUNCTIONS: dict[str, Any] = {f"scipy.signal.{one.__name__}": one for one in (csd, istft, stft, welch)}
