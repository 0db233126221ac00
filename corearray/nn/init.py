"""Initial values of weights: functions of a shape, with the layouts of this library, `(out, in, ...)`.

A fan is the number of inputs or outputs of a weight: for the shape `(O, I, *kernel)` it is `I * prod(kernel)` and
`O * prod(kernel)`; a vector has its length for both.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from corearray.calls.dispatch import resolve
from corearray.errors import CoreArrayValueError
from corearray.functional.linalg import qr
from corearray.functional.windows import blackman_window, hamming_window, hann_window
from corearray.nn.arguments import generator_of, one_of
from corearray.types.dtypes import float64

if TYPE_CHECKING:
    from corearray.arrays.array import Array

__all__ = [
    "constant", "dirac", "fans", "glorot_normal", "glorot_uniform", "he_normal", "he_uniform", "identity",
    "kaiming_normal", "kaiming_uniform", "lecun_normal", "lecun_uniform", "normal", "ones", "orthogonal",
    "stft", "truncated_normal", "uniform", "variance_scaling", "xavier_normal", "xavier_uniform", "zeros",
]  # fmt: skip

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"

#: The standard deviation of a standard normal variable that is cut off at 2.
_CUT = 0.87962566103423978


def fans(shape: Sequence[int], /) -> tuple[int, int]:
    """Return the numbers of inputs and outputs of a weight.

    Examples
    --------
    >>> from corearray import nn
    >>> nn.init.fans((8, 4, 3, 3))
    (36, 72)
    """
    sizes = tuple(shape)
    if len(sizes) < 2:
        size = sizes[0] if sizes else 1
        return size, size
    kernel = math.prod(sizes[2:])
    return sizes[1] * kernel, sizes[0] * kernel


def zeros(shape: Sequence[int], /, *, generator: Any = None, dtype: Any = None, device: Any = None) -> Array:
    """Return zeros."""
    return constant(shape, 0.0, dtype=dtype, device=device)


def ones(shape: Sequence[int], /, *, generator: Any = None, dtype: Any = None, device: Any = None) -> Array:
    """Return ones."""
    return constant(shape, 1.0, dtype=dtype, device=device)


def constant(
    shape: Sequence[int], /, value: float = 0.0, *, generator: Any = None, dtype: Any = None, device: Any = None
) -> Array:
    """Return an array of one value."""
    made: Array = resolve(()).full(tuple(shape), float(value), dtype=dtype, device=device)
    return made


def identity(
    shape: Sequence[int], /, gain: float = 1.0, *, generator: Any = None, dtype: Any = None, device: Any = None
) -> Array:
    """Return a matrix with `gain` on the diagonal.

    Raises
    ------
    ValueError
        If the shape is not that of a matrix.
    """
    sizes = tuple(shape)
    if len(sizes) != 2:
        raise CoreArrayValueError(f"'identity' makes a matrix, got the shape {sizes}")
    made: Array = gain * resolve(()).eye(*sizes, dtype=dtype, device=device)
    return made


def dirac(shape: Sequence[int], /, *, generator: Any = None, dtype: Any = None, device: Any = None) -> Array:
    """Return filters of a convolution that pass each channel on as it is, as far as there are as many.

    Raises
    ------
    ValueError
        If the shape has less than 3 axes.
    """
    sizes = tuple(shape)
    if len(sizes) < 3:
        raise CoreArrayValueError(f"'dirac' makes filters of a convolution, (out, in, ...), got the shape {sizes}")
    backend = resolve(())
    plane = backend.eye(sizes[0], sizes[1], dtype=dtype, device=device)
    flat, place = math.prod(sizes[2:]), 0
    for size in sizes[2:]:
        place = place * size + size // 2
    at = backend.astype(backend.arange(flat, device=device) == place, plane.dtype)
    made: Array = backend.reshape(backend.expand_dims(plane, axis=-1) * at, sizes)
    return made


def uniform(
    shape: Sequence[int],
    /,
    low: float = 0.0,
    high: float = 1.0,
    *,
    generator: Any = None,
    dtype: Any = None,
    device: Any = None,
) -> Array:
    """Draw numbers that are uniform between two bounds."""
    return generator_of("uniform", generator).uniform(low, high, shape=tuple(shape), dtype=dtype, device=device)


def normal(
    shape: Sequence[int],
    /,
    mean: float = 0.0,
    std: float = 1.0,
    *,
    generator: Any = None,
    dtype: Any = None,
    device: Any = None,
) -> Array:
    """Draw normally distributed numbers."""
    return generator_of("normal", generator).normal(mean, std, shape=tuple(shape), dtype=dtype, device=device)


def truncated_normal(
    shape: Sequence[int],
    /,
    mean: float = 0.0,
    std: float = 1.0,
    low: float = -2.0,
    high: float = 2.0,
    *,
    generator: Any = None,
    dtype: Any = None,
    device: Any = None,
) -> Array:
    """Draw normally distributed numbers that lie between `mean + low * std` and `mean + high * std`.

    Raises
    ------
    ValueError
        If `low` is not below `high`.

    Notes
    -----
    The inverse of the distribution function of uniform numbers, as `torch.nn.init.trunc_normal_`, whose bounds are
    absolute.
    """
    if not low < high:
        raise CoreArrayValueError(f"'truncated_normal' needs low < high, got {low} and {high}")
    below, above = (math.erf(bound / math.sqrt(2.0)) for bound in (low, high))
    drawn = generator_of("truncated_normal", generator).uniform(below, above, shape=tuple(shape), dtype="float64")
    backend = drawn._backend
    found = backend.clip(math.sqrt(2.0) * backend.erfinv(drawn), low, high) * std + mean
    wanted = backend.zeros((), dtype=dtype).dtype
    made: Array = backend.asarray(backend.astype(found, wanted), device=device)
    return made


def variance_scaling(
    shape: Sequence[int],
    /,
    scale: float = 1.0,
    mode: str = "fan_in",
    distribution: str = "truncated_normal",
    *,
    generator: Any = None,
    dtype: Any = None,
    device: Any = None,
) -> Array:
    """Draw weights of the variance `scale / fan`.

    Parameters
    ----------
    shape
        Shape of the weight.
    scale
        Factor of the variance.
    mode
        `"fan_in"`, `"fan_out"`, or `"fan_avg"` for the mean of both.
    distribution
        `"truncated_normal"`, `"normal"` or `"uniform"`.
    generator, dtype, device
        As in `corearray.nn.Linear`.

    Returns
    -------
    Array of the shape.

    Raises
    ------
    ValueError
        If a word is unknown or the scale is not positive.

    Examples
    --------
    >>> from corearray import nn
    >>> nn.init.variance_scaling((4, 3), 2.0, "fan_out", "uniform").shape
    Shape((4, 3))

    Notes
    -----
    `keras.initializers.VarianceScaling`.
    """
    one_of("variance_scaling", "mode", mode, ("fan_in", "fan_out", "fan_avg"))
    one_of("variance_scaling", "distribution", distribution, ("truncated_normal", "normal", "uniform"))
    if not scale > 0:
        raise CoreArrayValueError(f"'scale' of 'variance_scaling' is above 0, got {scale!r}")
    fan_in, fan_out = fans(shape)
    fan = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[mode]
    std = math.sqrt(scale / max(1.0, fan))
    made: dict[str, Any] = {"generator": generator, "dtype": dtype, "device": device}
    if distribution == "uniform":
        bound = math.sqrt(3.0) * std
        return uniform(shape, -bound, bound, **made)
    if distribution == "normal":
        return normal(shape, 0.0, std, **made)
    return truncated_normal(shape, 0.0, std / _CUT, **made)


def glorot_uniform(shape: Sequence[int], /, gain: float = 1.0, **made: Any) -> Array:
    """Draw uniform weights of the variance `2 gain² / (fan_in + fan_out)`.

    Notes
    -----
    X. Glorot and Y. Bengio, Understanding the difficulty of training deep feedforward neural networks, 2010.
    """
    return variance_scaling(shape, gain**2, "fan_avg", "uniform", **made)


def glorot_normal(shape: Sequence[int], /, gain: float = 1.0, **made: Any) -> Array:
    """Draw truncated normal weights of the variance `2 gain² / (fan_in + fan_out)`."""
    return variance_scaling(shape, gain**2, "fan_avg", "truncated_normal", **made)


def xavier_uniform(shape: Sequence[int], /, gain: float = 1.0, **made: Any) -> Array:
    """Draw as `torch.nn.init.xavier_uniform_`: `glorot_uniform` by another name."""
    return glorot_uniform(shape, gain, **made)


def xavier_normal(shape: Sequence[int], /, gain: float = 1.0, **made: Any) -> Array:
    """Draw as `torch.nn.init.xavier_normal_`: normal weights of the variance `2 gain² / (fan_in + fan_out)`."""
    return variance_scaling(shape, gain**2, "fan_avg", "normal", **made)


def he_uniform(shape: Sequence[int], /, **made: Any) -> Array:
    """Draw uniform weights of the variance `2 / fan_in`.

    Notes
    -----
    K. He et al., arXiv:1502.01852.
    """
    return variance_scaling(shape, 2.0, "fan_in", "uniform", **made)


def he_normal(shape: Sequence[int], /, **made: Any) -> Array:
    """Draw truncated normal weights of the variance `2 / fan_in`."""
    return variance_scaling(shape, 2.0, "fan_in", "truncated_normal", **made)


def kaiming_uniform(shape: Sequence[int], /, a: float = 0.0, mode: str = "fan_in", **made: Any) -> Array:
    """Draw as `torch.nn.init.kaiming_uniform_` for a leaky ReLU of the negative slope `a`."""
    return variance_scaling(shape, 2.0 / (1.0 + a * a), mode, "uniform", **made)


def kaiming_normal(shape: Sequence[int], /, a: float = 0.0, mode: str = "fan_in", **made: Any) -> Array:
    """Draw as `torch.nn.init.kaiming_normal_` for a leaky ReLU of the negative slope `a`."""
    return variance_scaling(shape, 2.0 / (1.0 + a * a), mode, "normal", **made)


def lecun_uniform(shape: Sequence[int], /, **made: Any) -> Array:
    """Draw uniform weights of the variance `1 / fan_in`."""
    return variance_scaling(shape, 1.0, "fan_in", "uniform", **made)


def lecun_normal(shape: Sequence[int], /, **made: Any) -> Array:
    """Draw truncated normal weights of the variance `1 / fan_in`."""
    return variance_scaling(shape, 1.0, "fan_in", "truncated_normal", **made)


def orthogonal(
    shape: Sequence[int], /, gain: float = 1.0, *, generator: Any = None, dtype: Any = None, device: Any = None
) -> Array:
    """Draw a matrix with orthonormal rows or columns, of the shape `(shape[0], prod(shape[1:]))`, and reshape it.

    Raises
    ------
    ValueError
        If the shape has less than 2 axes.

    Notes
    -----
    A. M. Saxe et al., arXiv:1312.6120; `torch.nn.init.orthogonal_`.
    """
    sizes = tuple(shape)
    if len(sizes) < 2:
        raise CoreArrayValueError(f"'orthogonal' needs a shape with at least 2 axes, got {sizes}")
    rows, columns = sizes[0], math.prod(sizes[1:])
    drawn = normal((max(rows, columns), min(rows, columns)), generator=generator, dtype="float64")
    backend = drawn._backend
    q, r = qr(drawn)
    diagonal = backend.sum(r * backend.eye(r.shape[0], r.shape[1], dtype=r.dtype), axis=0)
    q = q * backend.sign(diagonal)
    if rows < columns:
        q = backend.matrix_transpose(q)
    wanted = backend.zeros((), dtype=dtype).dtype
    found: Array = backend.asarray(gain * backend.astype(backend.reshape(q, sizes), wanted), device=device)
    return found


def stft(
    shape: Sequence[int],
    /,
    side: str = "real",
    window: Any = "hann",
    scaling: str | None = "density",
    periodic: bool = False,
    *,
    generator: Any = None,
    dtype: Any = None,
    device: Any = None,
) -> Array:
    """Return filters of `Conv1d` that compute one side of a short-time Fourier transform.

    Parameters
    ----------
    shape
        `(F // 2 + 1, 1, T)`: half of `F` frequencies, one channel, windows of `T` elements.
    side
        `"real"` for the real parts, `"imag"` for the imaginary ones.
    window
        `"hann"`, `"hamming"` or `"blackman"`, an array of the shape `(T,)`, or `None`.
    scaling
        `"density"` divides by the root of the sum of the window's squares, `"spectrum"` by the sum of its elements, and
        `None` by 1.
    periodic
        Whether the window has the period `T` and not `T - 1`.
    generator
        Ignored.
    dtype, device
        As in `corearray.nn.Linear`.

    Raises
    ------
    ValueError
        If a word is unknown, or a shape does not fit.

    Notes
    -----
    `keras.initializers.STFT`, whose axes have the opposite order.
    """
    one_of("stft", "side", side, ("real", "imag"))
    sizes = tuple(shape)
    if len(sizes) != 3 or sizes[0] < 2 or sizes[1] != 1:
        raise CoreArrayValueError(f"'stft' makes filters of the shape (F // 2 + 1, 1, T), got the shape {sizes}")
    count, _, length = sizes
    backend = resolve(())
    angles = -backend.pi / (count - 1) * backend.reshape(backend.arange(count, dtype="float64"), (-1, 1, 1))
    angles = angles * backend.arange(length, dtype="float64")
    found = backend.cos(angles) if side == "real" else backend.sin(angles)
    if window is not None:
        if isinstance(window, str):
            one_of("stft", "window", window, ("hann", "hamming", "blackman"))
            make = {"hann": hann_window, "hamming": hamming_window, "blackman": blackman_window}[window]
            window = make(length, periodic=periodic, dtype=float64)
        window = backend.astype(backend.asarray(window), "float64")
        if tuple(window.shape) != (length,):
            raise CoreArrayValueError(f"'stft' got a window of the shape {tuple(window.shape)}; it is {(length,)}")
        if scaling is not None:
            one_of("stft", "scaling", scaling, ("density", "spectrum"))
            density = scaling == "density"
            window = window / (backend.sqrt(backend.sum(window * window)) if density else backend.sum(abs(window)))
        found = found * window
    made: Array = backend.asarray(found, dtype=backend.zeros((), dtype=dtype).dtype, device=device)
    return made


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Say what a name of `torch.nn.init` is here (PEP 562)."""
        from corearray.nn.hints import of_init

        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{of_init(name, __all__)}")
