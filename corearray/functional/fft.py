"""Discrete Fourier transforms.

`fft` is primary; everything else is composed. An inverse transform is a forward one between two conjugations, a real
transform is one half of a complex one, and a transform along several axes is one transform after the other.

`norm` selects the direction that is divided by the length, so that an inverse swaps the two directions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from corearray.contract.declaration import declare
from corearray.functional.manipulation import _places

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.types.devices import Device
    from corearray.types.dtypes import DType

__all__ = [
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
]

_OPPOSITE: dict[str, Literal["backward", "ortho", "forward"]] = {
    "backward": "forward",
    "ortho": "ortho",
    "forward": "backward",
}


@declare(floating=True, namespace="fft")
def fft(
    x: Array,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
    out: Array | None = None,
) -> Array:
    """Compute the discrete Fourier transform along an axis.

    Parameters
    ----------
    x
        Complex array with at least one axis; a real one is taken as complex.
    n
        Length to which the axis is cut, or filled up with zeros, before; by default its own.
    axis
        Axis to transform.
    norm
        `"backward"`: sums as they are; `"forward"`: divided by `n`; `"ortho"`: divided by the root of `n`.
    out
        Array that receives the result.

    Returns
    -------
    Complex array of the shape of `x` but for the length `n` of `axis`, as precise as `x`.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    ValueError
        If `n` is less than 1 or `norm` is something else.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.real(ca.fft.fft(ca.asarray([1.0, 0.0, 0.0, 0.0]))).tolist()
    [1.0, 1.0, 1.0, 1.0]

    Notes
    -----
    Element `k` is the sum over `m` of `x[m] * exp(-2j * pi * m * k / n)`. Array API standard 2025.12, `fft`.
    """
    ...


@declare(floating=True, namespace="fft")
def fft2(
    x: Array,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: Literal["backward", "ortho", "forward"] = "backward",
    out: Array | None = None,
) -> Array:
    """Compute the discrete Fourier transform along two axes.

    Parameters
    ----------
    x
        Complex array with at least two axes.
    s
        Lengths to which the axes are cut, or filled up with zeros, as in `fftn`.
    axes
        The axes.
    norm
        As in `fftn`.
    out
        Array that receives the result.

    Returns
    -------
    Complex array, as precise as `x`.

    Raises
    ------
    IndexError
        If `x` has no such axes.
    ValueError
        If lengths do not fit, or `norm` is something else.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.real(ca.fft.fft2(ca.ones((2, 2)))).tolist()
    [[4.0, 0.0], [0.0, 0.0]]

    Notes
    -----
    `fftn` over the last two axes; NumPy's `fft.fft2`.
    """
    return xp.fft.fftn(x, s=s, axes=axes, norm=norm)


def _require_length(n: int, name: str) -> None:
    if n < 1:
        raise ValueError(f"'{name}' got the length {n}; it transforms at least 1 element")


def _require_spacing(n: int, d: float, name: str) -> None:
    _require_length(n, name)
    if d == 0:
        raise ValueError(f"'{name}' got d={d}; elements are some distance apart")


def _require_axes(x: Array, axes: Sequence[int] | None, name: str) -> None:
    if len(x.shape if axes is None else axes) == 0:
        raise ValueError(f"'{name}' got no axis to transform; it needs at least one")


@declare(infer="float", namespace="fft", check=_require_spacing)
def fftfreq(n: int, /, *, d: float = 1.0, dtype: DType | None = None, device: Device | None = None) -> Array:
    """Return the frequencies of the elements of `fft`.

    Parameters
    ----------
    n
        Length of the transform, at least 1.
    d
        Distance between samples.
    dtype
        Real floating dtype; by default the default one.
    device
        Device of the result; by default the default device.

    Returns
    -------
    Array of shape `(n,)` in cycles per unit of `d`: 0 and the positive frequencies, then the negative ones,
    each from the smallest to the largest. For even `n` that of index `n // 2` is negative.

    Raises
    ------
    TypeError
        If `dtype` is not real floating.
    ValueError
        If `n` is less than 1, or `d` is 0.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.fft.fftfreq(4).tolist()
    [0.0, 0.25, -0.5, -0.25]

    Notes
    -----
    Array API standard 2025.12, `fftfreq`.
    """
    assert dtype is not None
    _require_frequencies(dtype, "fftfreq")
    index = xp.arange(n, dtype=xp.int64, device=device)
    index = xp.where(index < (n + 1) // 2, index, index - n)
    return xp.astype(index, dtype) / (n * d)


@declare(floating=True, namespace="fft")
def fftn(
    x: Array,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Literal["backward", "ortho", "forward"] = "backward",
    out: Array | None = None,
) -> Array:
    """Compute the discrete Fourier transform along several axes.

    Parameters
    ----------
    x
        Complex array; a real one is taken as complex.
    s
        For each of `axes` the length to which it is cut, or filled up with zeros; -1 leaves it. Only with
        `axes`.
    axes
        Axes to transform; by default all.
    norm
        `"backward"`: sums as they are; `"forward"`: divided by the product of the lengths; `"ortho"`: by its
        root.
    out
        Array that receives the result.

    Returns
    -------
    Complex array of the shape of `x` but for the lengths `s`, as precise as `x`.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    ValueError
        If `s` is given without `axes`, does not match them, or `norm` is something else.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.real(ca.fft.fftn(ca.ones((2, 2)))).tolist()
    [[4.0, 0.0], [0.0, 0.0]]

    Notes
    -----
    Array API standard 2025.12, `fftn`.
    """
    places, lengths = _axes_and_lengths(x, s, axes, "fftn")
    result = _complex(x, copy=not places)
    for place, length in zip(places, lengths, strict=True):
        result = xp.fft.fft(result, n=length, axis=place, norm=norm)
    return result


@declare(namespace="fft", gives="same")
def fftshift(x: Array, /, *, axes: int | Sequence[int] | None = None) -> Array:
    """Move the zero frequency from the start of axes to their middle.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    axes
        Axis or axes to shift; by default all.

    Returns
    -------
    Array of the shape and dtype of `x`.

    Raises
    ------
    IndexError
        If `x` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.fft.fftshift(ca.asarray([0, 1, 2, -2, -1])).tolist()
    [-2, -1, 0, 1, 2]

    Notes
    -----
    Array API standard 2025.12, `fftshift`.
    """
    places = tuple(range(x.ndim)) if axes is None else _places(axes, x.ndim, "fftshift")
    return _rolled(x, places, 1)


@declare(floating=True, namespace="fft")
def hfft(
    x: Array,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
    out: Array | None = None,
) -> Array:
    """Compute the discrete Fourier transform of a Hermitian-symmetric signal from its first half.

    Parameters
    ----------
    x
        Complex array with at least one axis: the signal from 0 on; a real one is taken as complex.
    n
        Length of the axis in the result; `x` is cut or filled up with zeros to `n // 2 + 1`. By default `2 *
        (M - 1)` for the length `M` of the axis.
    axis
        Axis to transform.
    norm
        `"backward"`: sums as they are; `"forward"`: divided by `n`; `"ortho"`: divided by the root of `n`.
    out
        Array that receives the result.

    Returns
    -------
    Real array of the shape of `x` but for the length `n` of `axis`, as precise as `x`.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    ValueError
        If `n` is less than 1 or `norm` is something else.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.fft.hfft(ca.asarray([1.0, 0.0, 0.0])).tolist()
    [1.0, 1.0, 1.0, 1.0]

    Notes
    -----
    Array API standard 2025.12, `hfft`.
    """
    return xp.fft.irfft(xp.conj(_complex(x)), n=n, axis=axis, norm=_opposite(norm, "hfft"))


@declare(floating=True, namespace="fft")
def ifft(
    x: Array,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
    out: Array | None = None,
) -> Array:
    """Compute the inverse discrete Fourier transform along an axis.

    Parameters
    ----------
    x
        Complex array with at least one axis; a real one is taken as complex.
    n
        Length to which the axis is cut, or filled up with zeros, before; by default its own.
    axis
        Axis to transform.
    norm
        `"backward"`: sums divided by `n`; `"forward"`: as they are; `"ortho"`: divided by the root of `n`.
    out
        Array that receives the result.

    Returns
    -------
    Complex array of the shape of `x` but for the length `n` of `axis`, as precise as `x`.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    ValueError
        If `n` is less than 1 or `norm` is something else.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.real(ca.fft.ifft(ca.asarray([4.0, 0.0, 0.0, 0.0]))).tolist()
    [1.0, 1.0, 1.0, 1.0]

    Notes
    -----
    Array API standard 2025.12, `ifft`.
    """
    turned = xp.conj(_complex(x))
    return xp.conj(xp.fft.fft(turned, n=n, axis=axis, norm=_opposite(norm, "ifft")))


@declare(floating=True, namespace="fft")
def ifft2(
    x: Array,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: Literal["backward", "ortho", "forward"] = "backward",
    out: Array | None = None,
) -> Array:
    """Compute the inverse discrete Fourier transform along two axes.

    Parameters
    ----------
    x
        Complex array with at least two axes.
    s
        Lengths to which the axes are cut, or filled up with zeros, as in `ifftn`.
    axes
        The axes.
    norm
        As in `ifftn`.
    out
        Array that receives the result.

    Returns
    -------
    Complex array, as precise as `x`.

    Raises
    ------
    IndexError
        If `x` has no such axes.
    ValueError
        If lengths do not fit, or `norm` is something else.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.real(ca.fft.ifft2(ca.ones((2, 2)))).tolist()
    [[1.0, 0.0], [0.0, 0.0]]

    Notes
    -----
    `ifftn` over the last two axes; NumPy's `fft.ifft2`.
    """
    return xp.fft.ifftn(x, s=s, axes=axes, norm=norm)


@declare(floating=True, namespace="fft")
def ifftn(
    x: Array,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Literal["backward", "ortho", "forward"] = "backward",
    out: Array | None = None,
) -> Array:
    """Compute the inverse discrete Fourier transform along several axes.

    Parameters
    ----------
    x
        Complex array; a real one is taken as complex.
    s
        For each of `axes` the length to which it is cut, or filled up with zeros; -1 leaves it. Only with
        `axes`.
    axes
        Axes to transform; by default all.
    norm
        `"backward"`: sums divided by the product of the lengths; `"forward"`: as they are; `"ortho"`: divided
        by the root of the product.
    out
        Array that receives the result.

    Returns
    -------
    Complex array of the shape of `x` but for the lengths `s`, as precise as `x`.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    ValueError
        If `s` is given without `axes`, does not match them, or `norm` is something else.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.real(ca.fft.ifftn(ca.ones((2, 2)))).tolist()
    [[1.0, 0.0], [0.0, 0.0]]

    Notes
    -----
    Array API standard 2025.12, `ifftn`.
    """
    places, lengths = _axes_and_lengths(x, s, axes, "ifftn")
    result = _complex(x, copy=not places)
    for place, length in zip(places, lengths, strict=True):
        result = xp.fft.ifft(result, n=length, axis=place, norm=norm)
    return result


@declare(namespace="fft", gives="same")
def ifftshift(x: Array, /, *, axes: int | Sequence[int] | None = None) -> Array:
    """Move the zero frequency from the middle of axes back to their start; the inverse of `fftshift`.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    axes
        Axis or axes to shift; by default all.

    Returns
    -------
    Array of the shape and dtype of `x`.

    Raises
    ------
    IndexError
        If `x` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.fft.ifftshift(ca.asarray([-2, -1, 0, 1, 2])).tolist()
    [0, 1, 2, -2, -1]

    Notes
    -----
    Inverse of `fftshift`, from which it differs where a length is odd. Array API standard 2025.12,
    `ifftshift`.
    """
    places = tuple(range(x.ndim)) if axes is None else _places(axes, x.ndim, "ifftshift")
    return _rolled(x, places, -1)


@declare(floating=True, namespace="fft", real=True)
def ihfft(
    x: Array,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
    out: Array | None = None,
) -> Array:
    """Compute the inverse of `hfft`: the first half of a Hermitian-symmetric signal.

    Parameters
    ----------
    x
        Real array with at least one axis.
    n
        Length to which the axis is cut, or filled up with zeros, before; by default its own.
    axis
        Axis to transform.
    norm
        `"backward"`: sums divided by `n`; `"forward"`: as they are; `"ortho"`: divided by the root of `n`.
    out
        Array that receives the result.

    Returns
    -------
    Complex array of the shape of `x` but for the length `n // 2 + 1` of `axis`, as precise as `x`.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    TypeError
        If `x` is complex.
    ValueError
        If `n` is less than 1 or `norm` is something else.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.real(ca.fft.ihfft(ca.asarray([4.0, 0.0, 0.0, 0.0]))).tolist()
    [1.0, 1.0, 1.0]

    Notes
    -----
    Array API standard 2025.12, `ihfft`.
    """
    _require_real(x, "ihfft", "ifft")
    return xp.conj(xp.fft.rfft(x, n=n, axis=axis, norm=_opposite(norm, "ihfft")))


@declare(floating=True, namespace="fft")
def irfft(
    x: Array,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
    out: Array | None = None,
) -> Array:
    """Compute the inverse of `rfft`: a real signal from one half of its transform.

    Parameters
    ----------
    x
        Complex array with at least one axis: the transform from frequency 0 on; a real one is taken as
        complex.
    n
        Length of the axis in the result; `x` is cut or filled up with zeros to `n // 2 + 1`. By default `2 *
        (M - 1)` for the length `M` of the axis; for an odd length it must be given.
    axis
        Axis to transform.
    norm
        `"backward"`: sums divided by `n`; `"forward"`: as they are; `"ortho"`: divided by the root of `n`.
    out
        Array that receives the result.

    Returns
    -------
    Real array of the shape of `x` but for the length `n` of `axis`, as precise as `x`.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    ValueError
        If `n` is less than 1 or `norm` is something else.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.fft.irfft(ca.asarray([4.0, 0.0, 0.0])).tolist()
    [1.0, 1.0, 1.0, 1.0]

    Notes
    -----
    Imaginary parts that a real signal cannot have, at frequency 0 and the highest one of an even `n`, are
    ignored. Array API standard 2025.12, `irfft`.
    """
    (place,) = _places(axis, x.ndim, "irfft")
    rows = xp.moveaxis(_complex(x), place, -1)
    if n is None:
        n = 2 * (rows.shape[-1] - 1)
    _require_length(n, "irfft")
    half = _resized(rows, n // 2 + 1)
    mirrored = xp.conj(xp.flip(half[..., 1 : (n + 1) // 2], axis=-1))
    signal = xp.fft.ifft(xp.concat([half, mirrored], axis=-1), axis=-1, norm=norm)
    return xp.moveaxis(xp.real(signal), -1, place)


@declare(floating=True, namespace="fft")
def irfft2(
    x: Array,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: Literal["backward", "ortho", "forward"] = "backward",
    out: Array | None = None,
) -> Array:
    """Compute the inverse of `rfft2`: a real signal from one half of its transform along two axes.

    Parameters
    ----------
    x
        Complex array with at least two axes.
    s
        Lengths to which the axes are cut, or filled up with zeros, as in `irfftn`.
    axes
        The axes.
    norm
        As in `irfftn`.
    out
        Array that receives the result.

    Returns
    -------
    Real array, as precise as `x`.

    Raises
    ------
    IndexError
        If `x` has no such axes.
    ValueError
        If lengths do not fit, or `norm` is something else.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.fft.irfft2(ca.ones((2, 2)) + 0j).tolist()
    [[1.0, 0.0], [0.0, 0.0]]

    Notes
    -----
    `irfftn` over the last two axes; NumPy's `fft.irfft2`.
    """
    return xp.fft.irfftn(x, s=s, axes=axes, norm=norm)


@declare(floating=True, namespace="fft", check=_require_axes)
def irfftn(
    x: Array,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Literal["backward", "ortho", "forward"] = "backward",
    out: Array | None = None,
) -> Array:
    """Compute the inverse of `rfftn`: a real signal from one half of its transform along several axes.

    Parameters
    ----------
    x
        Complex array with at least one axis; a real one is taken as complex.
    s
        For each of `axes` its length in the result; -1 takes all elements there are, and for the last of
        `axes` an even length. Only with `axes`.
    axes
        Axes to transform, the halved one last; by default all.
    norm
        `"backward"`: sums divided by the product of the lengths; `"forward"`: as they are; `"ortho"`: divided
        by the root of the product.
    out
        Array that receives the result.

    Returns
    -------
    Real array of the shape of `x` but for the lengths `s`, by default `2 * (M - 1)` for the length `M` of the
    last of `axes`; as precise as `x`.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    ValueError
        If there is no axis, `s` is given without `axes` or does not match them, or `norm` is something else.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.fft.irfftn(ca.asarray([[4.0, 0.0], [0.0, 0.0]])).tolist()
    [[1.0, 1.0], [1.0, 1.0]]

    Notes
    -----
    Array API standard 2025.12, `irfftn`.
    """
    places, lengths = _axes_and_lengths(x, s, axes, "irfftn")
    result = _complex(x)
    for place, length in zip(places[:-1], lengths[:-1], strict=True):
        result = xp.fft.ifft(result, n=length, axis=place, norm=norm)
    return xp.fft.irfft(result, n=lengths[-1], axis=places[-1], norm=norm)


@declare(floating=True, namespace="fft", real=True)
def rfft(
    x: Array,
    /,
    *,
    n: int | None = None,
    axis: int = -1,
    norm: Literal["backward", "ortho", "forward"] = "backward",
    out: Array | None = None,
) -> Array:
    """Compute the discrete Fourier transform of a real signal, of which the first half is returned.

    Parameters
    ----------
    x
        Real array with at least one axis.
    n
        Length to which the axis is cut, or filled up with zeros, before; by default its own.
    axis
        Axis to transform.
    norm
        `"backward"`: sums as they are; `"forward"`: divided by `n`; `"ortho"`: divided by the root of `n`.
    out
        Array that receives the result.

    Returns
    -------
    Complex array of the shape of `x` but for the length `n // 2 + 1` of `axis`, as precise as `x`.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    TypeError
        If `x` is complex.
    ValueError
        If `n` is less than 1 or `norm` is something else.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.real(ca.fft.rfft(ca.asarray([1.0, 0.0, 0.0, 0.0]))).tolist()
    [1.0, 1.0, 1.0]

    Notes
    -----
    Array API standard 2025.12, `rfft`.
    """
    _require_real(x, "rfft", "fft")
    (place,) = _places(axis, x.ndim, "rfft")
    rows = xp.moveaxis(_complex(x), place, -1)
    if n is None:
        n = rows.shape[-1]
    _require_length(n, "rfft")
    spectrum = xp.fft.fft(rows, n=n, axis=-1, norm=norm)
    return xp.moveaxis(spectrum[..., : n // 2 + 1], -1, place)


@declare(floating=True, namespace="fft", real=True)
def rfft2(
    x: Array,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: Literal["backward", "ortho", "forward"] = "backward",
    out: Array | None = None,
) -> Array:
    """Compute the discrete Fourier transform of a real signal along two axes, halved along the last one.

    Parameters
    ----------
    x
        Real array with at least two axes.
    s
        Lengths to which the axes are cut, or filled up with zeros, as in `rfftn`.
    axes
        The axes.
    norm
        As in `rfftn`.
    out
        Array that receives the result.

    Returns
    -------
    Complex array, as precise as `x`, with half of the last of the axes.

    Raises
    ------
    IndexError
        If `x` has no such axes.
    ValueError
        If lengths do not fit, or `norm` is something else.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.real(ca.fft.rfft2(ca.ones((2, 2)))).tolist()
    [[4.0, 0.0], [0.0, 0.0]]

    Notes
    -----
    `rfftn` over the last two axes; NumPy's `fft.rfft2`.
    """
    return xp.fft.rfftn(x, s=s, axes=axes, norm=norm)


@declare(infer="float", namespace="fft", check=_require_spacing)
def rfftfreq(n: int, /, *, d: float = 1.0, dtype: DType | None = None, device: Device | None = None) -> Array:
    """Return the frequencies of the elements of `rfft`.

    Parameters
    ----------
    n
        Length of the signal, at least 1.
    d
        Distance between samples.
    dtype
        Real floating dtype; by default the default one.
    device
        Device of the result; by default the default device.

    Returns
    -------
    Array of shape `(n // 2 + 1,)` in cycles per unit of `d`, from 0 to the highest frequency.

    Raises
    ------
    TypeError
        If `dtype` is not real floating.
    ValueError
        If `n` is less than 1, or `d` is 0.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.fft.rfftfreq(4).tolist()
    [0.0, 0.25, 0.5]

    Notes
    -----
    Array API standard 2025.12, `rfftfreq`.
    """
    assert dtype is not None
    _require_frequencies(dtype, "rfftfreq")
    index = xp.arange(n // 2 + 1, dtype=xp.int64, device=device)
    return xp.astype(index, dtype) / (n * d)


@declare(floating=True, namespace="fft", real=True, check=_require_axes)
def rfftn(
    x: Array,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Literal["backward", "ortho", "forward"] = "backward",
    out: Array | None = None,
) -> Array:
    """Compute the discrete Fourier transform of a real signal along several axes, halved along the last one.

    Parameters
    ----------
    x
        Real array with at least one axis.
    s
        For each of `axes` the length to which it is cut, or filled up with zeros; -1 leaves it. Only with
        `axes`.
    axes
        Axes to transform; by default all. Along the last one a half is returned.
    norm
        `"backward"`: sums as they are; `"forward"`: divided by the product of the lengths; `"ortho"`: by its
        root.
    out
        Array that receives the result.

    Returns
    -------
    Complex array of the shape of `x` but for the lengths `s`, and `s[-1] // 2 + 1` along the last of `axes`;
    as precise as `x`.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    TypeError
        If `x` is complex.
    ValueError
        If there is no axis, `s` is given without `axes` or does not match them, or `norm` is something else.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.real(ca.fft.rfftn(ca.ones((2, 2)))).tolist()
    [[4.0, 0.0], [0.0, 0.0]]

    Notes
    -----
    Array API standard 2025.12, `rfftn`.
    """
    _require_real(x, "rfftn", "fftn")
    places, lengths = _axes_and_lengths(x, s, axes, "rfftn")
    result = xp.fft.rfft(x, n=lengths[-1], axis=places[-1], norm=norm)
    for place, length in zip(places[:-1], lengths[:-1], strict=True):
        result = xp.fft.fft(result, n=length, axis=place, norm=norm)
    return result


def _complex(x: Array, *, copy: bool = False) -> Array:
    """Cast a real array to complex of its precision."""
    return xp.astype(x, xp.result_type(x.dtype, xp.complex64), copy=copy)


def _rolled(x: Array, places: tuple[int, ...], sign: int) -> Array:
    """Roll axes by half of their lengths; frameworks differ on rolling no axis."""
    if not places:
        return xp.astype(x, x.dtype, copy=True)
    return xp.roll(x, tuple(sign * (x.shape[place] // 2) for place in places), axis=places)


def _resized(x: Array, length: int) -> Array:
    """Cut the last axis to a length, or fill it up with zeros."""
    missing = length - x.shape[-1]
    if missing <= 0:
        return x[..., :length]
    zeros = xp.zeros((*x.shape[:-1], missing), dtype=x.dtype, device=x.device)
    return xp.concat([x, zeros], axis=-1)


def _axes_and_lengths(
    x: Array, s: Sequence[int] | None, axes: Sequence[int] | None, name: str
) -> tuple[tuple[int, ...], tuple[int | None, ...]]:
    """Settle which axes are transformed, and to which lengths; `None` is the axis' own."""
    if axes is None:
        if s is not None:
            raise ValueError(f"'{name}' got lengths s={tuple(s)} and no axes; say with axes to which axes they belong")
        axes = range(x.ndim)
    places = _places(axes, x.ndim, name)
    if s is None:
        return places, (None,) * len(places)
    if len(s) != len(places):
        raise ValueError(f"'{name}' got {len(s)} lengths for {len(places)} axes; give one for each axis")
    return places, tuple(None if length == -1 else length for length in s)


def _opposite(norm: str, name: str) -> Literal["backward", "ortho", "forward"]:
    if norm not in _OPPOSITE:
        raise ValueError(f"'{name}' got norm={norm!r}; it is 'backward', 'ortho' or 'forward'")
    return _OPPOSITE[norm]


def _require_frequencies(dtype: DType, name: str) -> None:
    if not xp.isdtype(dtype, "real floating"):
        raise TypeError(f"'{name}' got dtype {dtype}; frequencies are real, give a real floating dtype")


def _require_real(x: Array, name: str, instead: str) -> None:
    if xp.isdtype(x.dtype, "complex floating"):
        raise TypeError(
            f"'{name}' takes a real array, this one has the dtype '{x.dtype}'; use {instead} for complex ones"
        )
