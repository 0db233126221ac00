"""Spectral transforms: discrete cosine transforms, short-time Fourier transforms, the mel scale.

A cosine transform of length N is composed of a zero-padded Fourier transform of length 2N between two multiplications.
Angles are computed in float64.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

from corearray.contract.declaration import declare
from corearray.functional.manipulation import _places
from corearray.functional.precision import _is_half, _widest

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.types.devices import Device
    from corearray.types.dtypes import DType

__all__ = ["dct", "idct", "istft", "mel_weight_matrix", "stft"]


@declare(floating=True, gives="same")
def dct(
    x: Array,
    /,
    *,
    type: Literal[1, 2, 3, 4] = 2,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["ortho"] | None = None,
) -> Array:
    """Compute the discrete cosine transform along an axis.

    Parameters
    ----------
    x
        Numeric array with at least one axis; integers are computed in the default floating dtype.
    type
        Type of the transform, 1 to 4; see the notes.
    n
        Length to which the axis is cut, or filled up with zeros, before; by default its own.
    axis
        Axis to transform.
    norm
        `"ortho"` makes the matrix of the transform orthogonal.

    Returns
    -------
    Array of the shape of `x` but for the length `n` of `axis`, and of its floating dtype.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    ValueError
        If the length is less than 1, or than 2 for the first type, or an option is something else.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.round(ca.dct(ca.asarray([1.0, 1.0]), norm="ortho") * 100).tolist()
    [141.0, 0.0]

    Notes
    -----
    Element `k`, where sums run over `m` from 0 to `n - 1`:

    1. `x[0] + (-1)**k * x[n - 1] + 2 * sum(x[m] * cos(pi * k * m / (n - 1)))` without the first and last `m`
    2. `2 * sum(x[m] * cos(pi * k * (2 * m + 1) / (2 * n)))`
    3. `x[0] + 2 * sum(x[m] * cos(pi * (2 * k + 1) * m / (2 * n)))` without the first `m`
    4. `2 * sum(x[m] * cos(pi * (2 * k + 1) * (2 * m + 1) / (4 * n)))`

    `scipy.fft.dct`.
    """
    if type not in (1, 2, 3, 4) or norm not in (None, "ortho"):
        raise ValueError(f"'dct' got type={type!r}, norm={norm!r}; the types are 1 to 4, the norms None and 'ortho'")
    if xp.isdtype(x.dtype, "complex floating"):
        parts = (xp.dct(part, type=type, n=n, axis=axis, norm=norm) for part in (xp.real(x), xp.imag(x)))
        return xp.complex(*parts)
    if _is_half(x):
        return xp.astype(xp.dct(xp.astype(x, xp.float32), type=type, n=n, axis=axis, norm=norm), x.dtype)
    (place,) = _places(axis, x.ndim, "dct")
    length = int(x.shape[place]) if n is None else n
    if length < 1 + (type == 1):
        raise ValueError(
            f"'dct' of type {type} was asked to transform {length} elements; it takes at least {1 + (type == 1)}"
        )
    rows = xp.moveaxis(x, place, -1)
    missing = length - rows.shape[-1]
    if missing:
        rows = xp.pad(rows, {-1: (0, missing)}) if missing > 0 else rows[..., :length]
    period = 2 * length - 2 if type == 1 else 2 * length
    places = xp.arange(length, dtype=_widest(), device=x.device)
    ends = (places == 0) | (places == length - 1) if type == 1 else places == 0
    one, root = xp.ones_like(places), math.sqrt(0.5)
    if type in (1, 3):
        rows = rows * xp.astype(xp.where(ends, root if norm else 0.5, one), x.dtype)
    if type in (3, 4):
        rows = xp.complex(*(rows * part for part in _turn(places * (math.pi / period), x.dtype)))
        found = xp.fft.fft(rows, n=period)[..., :length]
    else:
        found = xp.fft.rfft(rows, n=period)[..., :length]
    result = xp.real(found)
    if type in (2, 4):
        cosine, sine = _turn((places + 0.5 * (type == 4)) * (math.pi / period), x.dtype)
        result = result * cosine - xp.imag(found) * sine
    scale = 2.0 / math.sqrt(period) if norm else 2.0
    if norm and type in (1, 2):
        result = result * xp.astype(xp.where(ends, root, one) * scale, x.dtype)
    else:
        result = result * scale
    return xp.moveaxis(result, -1, place)


@declare(floating=True, gives="same")
def idct(
    x: Array,
    /,
    *,
    type: Literal[1, 2, 3, 4] = 2,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["ortho"] | None = None,
) -> Array:
    """Compute the inverse of `dct` with the same options.

    Parameters
    ----------
    x
        Numeric array with at least one axis; integers are computed in the default floating dtype.
    type
        The type of the transform that is to be undone.
    n
        Length to which the axis is cut, or filled up with zeros, before; by default its own.
    axis
        Axis to transform.
    norm
        That of the transform that is to be undone.

    Returns
    -------
    Array of the shape of `x` but for the length `n` of `axis`, and of its floating dtype.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    ValueError
        If the length is less than 1, or than 2 for the first type, or an option is something else.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.round(ca.idct(ca.dct(ca.asarray([1.0, 2.0, 3.0])))).tolist()
    [1.0, 2.0, 3.0]

    Notes
    -----
    `scipy.fft.idct`.
    """
    if type not in (1, 2, 3, 4):
        raise ValueError(f"'idct' got type={type!r}; the types are 1 to 4")
    undone: tuple[Literal[1, 2, 3, 4], ...] = (1, 3, 2, 4)
    found = xp.dct(x, type=undone[type - 1], n=n, axis=axis, norm=norm)
    length = x.shape[axis] if n is None else n
    return found if norm else found / (2 * length - 2 * (type == 1))


def _turn(angle: Array, dtype: DType) -> tuple[Array, Array]:
    """Return the parts of `exp(-1j * angle)`."""
    return xp.astype(xp.cos(angle), dtype), xp.astype(-xp.sin(angle), dtype)


@declare(promote=("x", "window"), floating=True)
def stft(
    x: Array,
    /,
    n_fft: int,
    *,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Array | None = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: bool | None = None,
) -> Array:
    """Compute the short-time Fourier transform of a signal.

    Parameters
    ----------
    x
        Numeric array of shape `(..., L)`; integers are computed in the default floating dtype.
    n_fft
        Length of the pieces.
    hop_length
        Distance from one piece to the next; by default a quarter of `n_fft`.
    win_length
        Length of the window, at most `n_fft` and by default as long; zeros on both sides fill it up.
    window
        Weights of the elements of a piece, of shape `(win_length,)`; by default ones.
    center
        Whether the signal is padded by `n_fft // 2` at both ends, so that the middle of a piece is at a multiple of
        `hop_length`.
    pad_mode
        How, see `pad`.
    normalized
        Whether the transforms are divided by the root of `n_fft`.
    onesided
        Whether only the frequencies from 0 on are computed, which determine the others of a real signal; by default
        for real signals and windows.

    Returns
    -------
    Complex array of shape `(..., n_fft // 2 + 1, T)`, or `(..., n_fft, T)` if not `onesided`, as precise as `x`, where
    `T` is `1 + L // hop_length`, and without `center` `1 + (L - n_fft) // hop_length`.

    Raises
    ------
    ValueError
        If a length does not fit, or the signal is shorter than a piece.
    TypeError
        If one half is asked for where the signal or the window is complex.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.real(ca.stft(ca.asarray([1.0, 1.0, 1.0, 1.0, 1.0]), 4, hop_length=2)).tolist()
    [[4.0, 4.0, 4.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]

    Notes
    -----
    `torch.stft`.
    """
    hop, size = _frame("stft", x, 1, n_fft, hop_length, win_length, window)
    turning = xp.isdtype(x.dtype, "complex floating")
    onesided = not turning if onesided is None else onesided
    if onesided and turning:
        raise TypeError("'stft' computes one half of the frequencies of real signals with real windows only")
    weights = _window(x, n_fft, size, window)
    if center:
        x = xp.pad(x, {-1: n_fft // 2}, mode=pad_mode)
    if x.shape[-1] < n_fft:
        raise ValueError(
            f"'stft' got a signal of length {x.shape[-1]} for pieces of n_fft={n_fft}; it is at least as long"
        )
    count = 1 + (x.shape[-1] - n_fft) // hop
    starts = xp.arange(count, dtype=xp.int64, device=x.device) * hop
    places = xp.expand_dims(starts, 1) + xp.arange(n_fft, dtype=xp.int64, device=x.device)
    frames = xp.take(x, xp.reshape(places, (-1,)), axis=-1)
    frames = xp.reshape(frames, (*_sides(x, 1), count, n_fft)) * weights
    norm: Literal["ortho", "backward"] = "ortho" if normalized else "backward"
    found = xp.fft.rfft(frames, norm=norm) if onesided else xp.fft.fft(frames, norm=norm)
    return xp.matrix_transpose(found)


@declare(floating=True)
def istft(
    x: Array,
    /,
    n_fft: int,
    *,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Array | None = None,
    center: bool = True,
    normalized: bool = False,
    onesided: bool | None = None,
    length: int | None = None,
) -> Array:
    """Compute the inverse of `stft` with the same options: the least-squares signal.

    Parameters
    ----------
    x
        Complex array of shape `(..., n_fft // 2 + 1, T)`, or `(..., n_fft, T)` if not `onesided`.
    n_fft, hop_length, win_length, window, center, normalized
        As they were given to `stft`.
    onesided
        Whether `x` has the frequencies from 0 on only; by default if it has not `n_fft` of them.
    length
        To which length the signal is cut or filled up with zeros; by default that which the pieces cover, without the
        padding of `center`.

    Returns
    -------
    Array of shape `(..., L)`, as precise as `x`; real if `onesided`. Where all windows are zero the signal is, too.

    Raises
    ------
    ValueError
        If a length does not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([1.0, 2.0, 3.0, 4.0, 5.0])
    >>> ca.round(ca.istft(ca.stft(x, 4), 4)).tolist()
    [1.0, 2.0, 3.0, 4.0, 5.0]

    Notes
    -----
    `torch.istft`, which refuses windows that leave gaps. D. W. Griffin and J. S. Lim, Signal estimation from modified
    short-time Fourier transform, IEEE Transactions on ASSP 32 (1984), 236-243.
    """
    hop, size = _frame("istft", x, 2, n_fft, hop_length, win_length, window)
    onesided = x.shape[-2] != n_fft if onesided is None else onesided
    wanted = n_fft // 2 + 1 if onesided else n_fft
    if x.shape[-2] != wanted or x.shape[-1] < 1:
        raise ValueError(
            f"'istft' got an array of shape {tuple(x.shape)}; with n_fft={n_fft} and onesided={onesided} it takes "
            f"{wanted} frequencies of at least one piece"
        )
    norm: Literal["ortho", "backward"] = "ortho" if normalized else "backward"
    rows = xp.matrix_transpose(x)
    frames = xp.fft.irfft(rows, n=n_fft, norm=norm) if onesided else xp.fft.ifft(rows, norm=norm)
    weights = _window(frames, n_fft, size, window)
    total = _overlapped(frames * weights, hop)
    squares = xp.broadcast_to(xp.square(weights), (x.shape[-1], n_fft))
    share = _overlapped(squares, hop)
    covered = xp.abs(share) > 1e-11
    signal = xp.where(covered, total / xp.where(covered, share, 1.0), 0.0)
    start = n_fft // 2 if center else 0
    stop = signal.shape[-1] - start if length is None else start + length
    if stop > signal.shape[-1]:
        signal = xp.pad(signal, {-1: (0, stop - signal.shape[-1])})
    return signal[..., start:stop]


def _frame(
    name: str, x: Array, least: int, n_fft: int, hop_length: int | None, win_length: int | None, window: Array | None
) -> tuple[int, int]:
    """Return the distance of pieces and the length of the window."""
    hop = max(n_fft // 4, 1) if hop_length is None else hop_length
    size = n_fft if win_length is None else win_length
    if x.ndim < least or not 1 <= size <= n_fft or hop < 1:
        raise ValueError(
            f"'{name}' got an array of shape {tuple(x.shape)}, n_fft={n_fft}, hop_length={hop} and win_length={size}; it takes "
            f"an array with {least} axes or more, a distance of at least 1, and windows of 1 to n_fft elements"
        )
    if window is not None and tuple(window.shape) != (size,):
        raise ValueError(f"'{name}' got a window of shape {tuple(window.shape)}; it is of shape ({size},)")
    return hop, size


def _window(x: Array, n_fft: int, size: int, window: Array | None) -> Array:
    """Return a window in the dtype of the signal, with zeros on both sides."""
    weights = xp.ones((size,), dtype=x.dtype, device=x.device) if window is None else xp.astype(window, x.dtype)
    before = (n_fft - size) // 2
    return xp.pad(weights, (before, n_fft - size - before)) if size < n_fft else weights


def _overlapped(frames: Array, hop: int) -> Array:
    """Add up pieces, of shape (..., count, length), each `hop` elements behind the one before.

    Each is cut into parts of `hop` elements, which are laid out by their number, and shifted by it: a row that is longer
    by one element than it is read shifts all that follow.
    """
    count, length = frames.shape[-2:]
    sides = _sides(frames, 2)
    parts = -(-length // hop)
    cut = xp.reshape(xp.pad(frames, {-1: (0, parts * hop - length)}), (*sides, count, parts, hop))
    rows = xp.pad(xp.moveaxis(cut, -2, -3), {-2: (0, parts)})
    flat = xp.reshape(rows, (*sides, parts * (count + parts), hop))[..., : parts * (count + parts - 1), :]
    total = xp.sum(xp.reshape(flat, (*sides, parts, count + parts - 1, hop)), axis=-3)
    return xp.reshape(total, (*sides, (count + parts - 1) * hop))[..., : length + hop * (count - 1)]


def _sides(x: Array, axes: int) -> tuple[int, ...]:
    """Return the shape without the last axes, with -1 for a length that is unknown while tracing."""
    return tuple(-1 if side is None else side for side in x.shape[: x.ndim - axes])


@declare(infer="float")
def mel_weight_matrix(
    num_mel_bins: int,
    dft_length: int,
    sample_rate: int,
    /,
    *,
    lower_edge_hertz: float = 0.0,
    upper_edge_hertz: float = 3000.0,
    dtype: DType | None = None,
    device: Device | None = None,
) -> Array:
    """Return the matrix that maps a linear-frequency spectrum to mel bands.

    Parameters
    ----------
    num_mel_bins
        Number of bands, at least 1.
    dft_length
        Length of the Fourier transforms of which `dft_length // 2 + 1` frequencies are given.
    sample_rate
        Samples of the signal per second.
    lower_edge_hertz, upper_edge_hertz
        Lower edge of the first band and upper edge of the last one, of at most half the sample rate.
    dtype
        By default the default real dtype.
    device
        Device of the result; by default the default device.

    Returns
    -------
    Array of shape `(dft_length // 2 + 1, num_mel_bins)`: triangles, each from the middle of the band before it to that of
    the next, equally spaced in mel. A spectrum times this matrix is one of bands.

    Raises
    ------
    ValueError
        If a number is too small, or the edges are not in order.

    Examples
    --------
    >>> import corearray as ca
    >>> tuple(ca.mel_weight_matrix(4, 16, 8000).shape)
    (9, 4)

    Notes
    -----
    `tf.signal.linear_to_mel_weight_matrix`: `1127 * log(1 + f / 700)` mel are `f` hertz, and the frequency 0 has no weight.
    """
    assert dtype is not None
    bins = dft_length // 2 + 1
    if num_mel_bins < 1 or dft_length < 1 or not 0 <= lower_edge_hertz < upper_edge_hertz <= sample_rate / 2:
        raise ValueError(
            f"'mel_weight_matrix' got num_mel_bins={num_mel_bins}, dft_length={dft_length}, sample_rate={sample_rate} and "
            f"edges at {lower_edge_hertz} and {upper_edge_hertz}; numbers are at least 1, and the edges ascend from 0 to "
            "half the sample rate"
        )
    first, last = (1127.0 * math.log1p(edge / 700.0) for edge in (lower_edge_hertz, upper_edge_hertz))
    steps = xp.arange(bins, dtype=_widest(), device=device) * (sample_rate / 2 / max(bins - 1, 1))
    mel = xp.expand_dims(1127.0 * xp.log1p(steps / 700.0), 1)
    width = (last - first) / (num_mel_bins + 1)
    lower = first + width * xp.arange(num_mel_bins, dtype=_widest(), device=device)
    height = 1.0 - xp.abs((mel - lower) / width - 1.0)
    found = xp.where(xp.expand_dims(steps, 1) > 0.0, xp.maximum(height, 0.0), 0.0)
    return xp.astype(found, dtype)
