"""Windows for spectra: weights that fall off towards the ends. All are computed in float64."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from corearray.declaration import declare
from corearray.functional.precision import _widest

if TYPE_CHECKING:
    import corearray as xp
    from corearray.array import Array
    from corearray.devices import Device
    from corearray.dtypes import DType

__all__ = ["blackman_window", "hamming_window", "hann_window", "vorbis_window"]


@declare(infer="float")
def blackman_window(
    size: int, /, *, periodic: bool = True, dtype: DType | None = None, device: Device | None = None
) -> Array:
    """Blackman window.

    Parameters
    ----------
    size
        Number of weights, at least 0.
    periodic
        Whether the window is the beginning of a symmetric one that is longer by 1, as spectra need it, or is symmetric.
    dtype
        By default the default real dtype.
    device
        Where the array is made; by default on the default device.

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
    """Hamming window.

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
        Where the array is made; by default on the default device.

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
    """Hann window.

    Parameters
    ----------
    size
        Number of weights, at least 0.
    periodic
        As in `blackman_window`.
    dtype
        By default the default real dtype.
    device
        Where the array is made; by default on the default device.

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
def vorbis_window(size: int, /, *, dtype: DType | None = None, device: Device | None = None) -> Array:
    """Window of the Vorbis audio format.

    Parameters
    ----------
    size
        Number of weights, at least 0.
    dtype
        By default the default real dtype.
    device
        Where the array is made; by default on the default device.

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
