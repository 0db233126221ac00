"""Window functions for spectral analysis, computed in float64."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from corearray.contract.declaration import declare
from corearray.functional.precision import _widest

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.types.devices import Device
    from corearray.types.dtypes import DType

__all__ = [
    "blackman_window",
    "hamming_window",
    "hann_window",
    "kaiser_bessel_derived_window",
    "kaiser_window",
    "vorbis_window",
]


@declare(infer="float")
def blackman_window(
    size: int, /, *, periodic: bool = True, dtype: DType | None = None, device: Device | None = None
) -> Array:
    """Return the Blackman window.

    Parameters
    ----------
    size
        Number of weights, at least 0.
    periodic
        Whether the window is the beginning of a symmetric one that is longer by 1, as spectra need it, or is symmetric.
    dtype
        By default the default real dtype.
    device
        Device of the result; by default the default device.

    Returns
    -------
    Array of shape `(size,)`.

    Raises
    ------
    ValueError
        If `size` is negative.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.round(ca.blackman_window(4)[1:] * 100).tolist()
    [34.0, 100.0, 34.0]

    Notes
    -----
    `0.42 - 0.5 cos(2πn/N) + 0.08 cos(4πn/N)`: `scipy.signal.windows.blackman`, `torch.blackman_window`.
    """
    return _cosines(size, (0.42, -0.5, 0.08), periodic, dtype, device, "blackman_window")


@declare(infer="float")
def hamming_window(
    size: int,
    /,
    *,
    periodic: bool = True,
    alpha: float = 0.54,
    beta: float = 0.46,
    dtype: DType | None = None,
    device: Device | None = None,
) -> Array:
    """Return the Hamming window.

    Parameters
    ----------
    size
        Number of weights, at least 0.
    periodic
        As in `blackman_window`.
    alpha, beta
        The two coefficients.
    dtype
        By default the default real dtype.
    device
        Device of the result; by default the default device.

    Returns
    -------
    Array of shape `(size,)`.

    Raises
    ------
    ValueError
        If `size` is negative.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.round(ca.hamming_window(4) * 100).tolist()
    [8.0, 54.0, 100.0, 54.0]

    Notes
    -----
    `alpha - beta cos(2πn/N)`: `scipy.signal.windows.general_hamming`, `torch.hamming_window`.
    """
    return _cosines(size, (alpha, -beta), periodic, dtype, device, "hamming_window")


@declare(infer="float")
def hann_window(
    size: int, /, *, periodic: bool = True, dtype: DType | None = None, device: Device | None = None
) -> Array:
    """Return the Hann window.

    Parameters
    ----------
    size
        Number of weights, at least 0.
    periodic
        As in `blackman_window`.
    dtype
        By default the default real dtype.
    device
        Device of the result; by default the default device.

    Returns
    -------
    Array of shape `(size,)`.

    Raises
    ------
    ValueError
        If `size` is negative.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.hann_window(4).tolist()
    [0.0, 0.5, 1.0, 0.5]

    Notes
    -----
    `0.5 - 0.5 cos(2πn/N)`: `scipy.signal.windows.hann`, `torch.hann_window`.
    """
    return _cosines(size, (0.5, -0.5), periodic, dtype, device, "hann_window")


@declare(infer="float")
def kaiser_window(
    size: int,
    /,
    *,
    periodic: bool = True,
    beta: float = 12.0,
    dtype: DType | None = None,
    device: Device | None = None,
) -> Array:
    """Return the Kaiser window, an approximation of the window with the most energy in its main lobe.

    Parameters
    ----------
    size
        Number of weights, at least 0.
    periodic
        As in `blackman_window`.
    beta
        The larger, the wider is the main lobe and the lower the others; 0 gives ones.
    dtype
        By default the default real dtype.
    device
        Device of the result; by default the default device.

    Returns
    -------
    Array of shape `(size,)`.

    Raises
    ------
    ValueError
        If `size` is negative.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.round(ca.kaiser_window(4, beta=5.0) * 100).tolist()
    [4.0, 55.0, 100.0, 55.0]

    Notes
    -----
    `i0(beta sqrt(1 - (2n/N - 1)²)) / i0(beta)`: `scipy.signal.windows.kaiser`, `torch.kaiser_window`.
    """
    assert dtype is not None
    _require_size(size, "kaiser_window")
    if size == 1:
        return xp.ones((1,), dtype=dtype, device=device)
    steps = xp.arange(size, dtype=_widest(), device=device) / (0.5 * max(size if periodic else size - 1, 1)) - 1.0
    weights = xp.i0(beta * xp.sqrt(xp.maximum(1.0 - steps * steps, 0.0)))
    return xp.astype(weights / xp.i0(xp.full_like(steps, beta)), dtype)


@declare(infer="float")
def kaiser_bessel_derived_window(
    size: int, /, *, beta: float = 12.0, dtype: DType | None = None, device: Device | None = None
) -> Array:
    """Return the Kaiser-Bessel-derived window, which satisfies the Princen-Bradley condition.

    Parameters
    ----------
    size
        Number of weights, even and at least 0.
    beta
        That of `kaiser_window`.
    dtype
        By default the default real dtype.
    device
        Device of the result; by default the default device.

    Returns
    -------
    Array of shape `(size,)`, symmetric.

    Raises
    ------
    ValueError
        If `size` is negative or odd.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.round(ca.kaiser_bessel_derived_window(4, beta=5.0) * 100).tolist()
    [18.0, 98.0, 98.0, 18.0]

    Notes
    -----
    `scipy.signal.windows.kaiser_bessel_derived`, `tf.signal.kaiser_bessel_derived_window`.
    """
    assert dtype is not None
    _require_size(size, "kaiser_bessel_derived_window")
    if size % 2:
        raise ValueError(f"'kaiser_bessel_derived_window' got size={size}; the number of weights is even")
    if size == 0:
        return xp.zeros((0,), dtype=dtype, device=device)
    kaiser = xp.kaiser_window(size // 2 + 1, periodic=False, beta=beta, dtype=_widest(), device=device)
    total = xp.cumulative_sum(kaiser)
    half = xp.sqrt(total[:-1] / total[-1])
    return xp.astype(xp.concat([half, xp.flip(half)]), dtype)


@declare(infer="float")
def vorbis_window(size: int, /, *, dtype: DType | None = None, device: Device | None = None) -> Array:
    """Return the window of the Vorbis audio format.

    Parameters
    ----------
    size
        Number of weights, at least 0.
    dtype
        By default the default real dtype.
    device
        Device of the result; by default the default device.

    Returns
    -------
    Array of shape `(size,)`, symmetric.

    Raises
    ------
    ValueError
        If `size` is negative.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.round(ca.vorbis_window(4) * 100).tolist()
    [23.0, 97.0, 97.0, 23.0]

    Notes
    -----
    `sin(π/2 sin²(π(n + 1/2)/N))`: Vorbis I specification, section 4.3.1; `tf.signal.vorbis_window`.
    """
    assert dtype is not None
    _require_size(size, "vorbis_window")
    phase = (xp.arange(size, dtype=_widest(), device=device) + 0.5) * (math.pi / max(size, 1))
    return xp.astype(xp.sin(xp.square(xp.sin(phase)) * (math.pi / 2)), dtype)


def _cosines(
    size: int, weights: tuple[float, ...], periodic: bool, dtype: DType | None, device: Device | None, name: str
) -> Array:
    """Add up cosines of 0, 1, 2 turns over the window; a window of one weight is 1."""
    assert dtype is not None
    _require_size(size, name)
    if size == 1:
        return xp.ones((1,), dtype=dtype, device=device)
    turn = xp.arange(size, dtype=_widest(), device=device) * (2 * math.pi / max(size if periodic else size - 1, 1))
    total = xp.zeros_like(turn)
    for number, weight in enumerate(weights):
        total = total + weight * xp.cos(number * turn)
    return xp.astype(total, dtype)


def _require_size(size: int, name: str) -> None:
    if size < 0:
        raise ValueError(f"'{name}' got size={size}; the number of weights is at least 0")
