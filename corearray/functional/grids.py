"""Logarithmic scales, grid indices and one-hot encoding."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from corearray.checks.parsing.ranges import require_dtype_of
from corearray.contract.declaration import declare
from corearray.functional.creation import _require_dtype_and_axis
from corearray.functional.manipulation import _places
from corearray.functional.precision import _widest

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.types.devices import Device
    from corearray.types.dtypes import DType

__all__ = ["geomspace", "indices", "logspace", "one_hot"]


@declare(infer="float")
def geomspace(
    start: float,
    stop: float,
    /,
    num: int,
    *,
    dtype: DType | None = None,
    device: Device | None = None,
    endpoint: bool = True,
) -> Array:
    """Return values in geometric progression: each is the one before times a constant factor.

    Parameters
    ----------
    start
        First value, not 0.
    stop
        Last value, or the one that would follow the last if `endpoint` is false; of the sign of `start`.
    num
        Number of values, at least 0.
    dtype
        By default the default real dtype. An integer dtype takes the values rounded down.
    device
        Device of the result; by default the default device.
    endpoint
        Whether `stop` is the last value.

    Returns
    -------
    Array of shape `(num,)`.

    Raises
    ------
    ValueError
        If `num` is negative, or `start` and `stop` are not of one sign.
    OverflowError
        If an integer dtype does not hold `start` and `stop`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.geomspace(1, 8, 4).tolist()
    [1.0, 2.0, 4.0, 8.0]

    Notes
    -----
    NumPy's `geomspace`, for real numbers. Computed in float64.
    """
    if num < 0:
        raise ValueError(f"'geomspace' got num={num}; the number of values is at least 0")
    if not start * math.copysign(1.0, stop) > 0 or not stop:
        raise ValueError(f"'geomspace' got start={start} and stop={stop}; both must be positive, or both negative")
    if num > 0:
        require_dtype_of("geomspace", start, stop if endpoint and num > 1 else start, dtype)
    low, high = math.log(abs(start)), math.log(abs(stop))
    intervals = num - 1 if endpoint else num
    index = xp.arange(num, dtype=_widest(), device=device)
    values = xp.exp(index * ((high - low) / max(intervals, 1)) + low) * math.copysign(1.0, start)
    values = xp.where(index == 0, float(start), values)
    if endpoint and num > 1:
        values = xp.where(index == intervals, float(stop), values)
    return _cast(values, dtype)


@declare()
def indices(
    dimensions: Sequence[int], /, *, sparse: bool = False, dtype: DType | None = None, device: Device | None = None
) -> Array | tuple[Array, ...]:
    """Return the indices of a grid, one array for each axis.

    Parameters
    ----------
    dimensions
        Shape of the array.
    sparse
        Whether to give arrays that broadcast to the shape instead of one array of all indices.
    dtype
        By default the default integer dtype.
    device
        Device of the result; by default the default device.

    Returns
    -------
    Array of shape `(N, *dimensions)` for `N` axes; or, with `sparse`, a tuple of `N` arrays, each of length 1 but along
    its own axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.indices((2, 2)).tolist()
    [[[0, 0], [1, 1]], [[0, 1], [0, 1]]]

    Notes
    -----
    NumPy's `indices`.
    """
    shape = tuple(dimensions)
    along = []
    for place, size in enumerate(shape):
        numbers = xp.arange(size, dtype=dtype, device=device)
        along.append(xp.reshape(numbers, tuple(size if other == place else 1 for other in range(len(shape)))))
    if sparse:
        return tuple(along)
    if not along:
        return xp.arange(0, dtype=dtype, device=device)
    return xp.stack([xp.broadcast_to(numbers, shape) for numbers in along], axis=0)


def _require_axis(start: Any, stop: Any, num: int, endpoint: bool, axis: int, name: str) -> None:
    _require_dtype_and_axis(start, stop, num, None, endpoint, axis, name)


@declare(infer="value", floating=True, real=True, check=_require_axis)
def logspace(
    start: float | Array,
    stop: float | Array,
    /,
    num: int,
    *,
    base: float = 10.0,
    dtype: DType | None = None,
    device: Device | None = None,
    endpoint: bool = True,
    axis: int = 0,
) -> Array:
    """Return powers of a base with evenly spaced exponents, on an interval or on each of several intervals.

    Parameters
    ----------
    start
        First exponent; or a real array of them, one for each interval.
    stop
        Last exponent, or the one that would follow the last if `endpoint` is false; or an array of them. `start` and
        `stop` are broadcast.
    num
        Number of values, at least 0.
    base
        Base of the powers, greater than 0.
    dtype
        By default the floating dtype of the arrays; of numbers alone the default real dtype. An integer dtype takes the
        values rounded down.
    device
        Device of the result; by default that of the arrays, else the default device.
    endpoint
        Whether `stop` is the last exponent.
    axis
        Axis of the result along which the values lie; the others are those of `start` and `stop`.

    Returns
    -------
    Array of shape `(num,)`; of arrays their broadcast shape with an axis of length `num` inserted.

    Raises
    ------
    ValueError
        If `num` is negative, `base` is not positive, or shapes cannot be broadcast.
    IndexError
        If the result has no such axis.
    TypeError
        If `start` or `stop` is complex.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.logspace(0, 3, 4, base=2).tolist()
    [1.0, 2.0, 4.0, 8.0]
    >>> ca.logspace(ca.asarray([0.0, 1.0]), 2, 2, axis=1).tolist()
    [[1.0, 100.0], [10.0, 100.0]]

    Notes
    -----
    NumPy's `logspace`. Computed in float64. Differentiable in `start` and `stop`.
    """
    if not base > 0:
        raise ValueError(f"'logspace' got base={base}; it is greater than 0")
    exponents = xp.linspace(start, stop, num, dtype=_widest(), device=device, endpoint=endpoint, axis=axis)
    return _cast(xp.pow(float(base), exponents), dtype)


@declare(infer="float")
def one_hot(
    indices: Array,
    num_classes: int,
    /,
    *,
    on_value: complex = 1,
    off_value: complex = 0,
    axis: int = -1,
    dtype: DType | None = None,
    device: Device | None = None,
) -> Array:
    """Encode indices as one-hot vectors along a new axis.

    Parameters
    ----------
    indices
        Integer array of any shape; an index that is no class, a negative one too, marks nothing.
    num_classes
        Length of the new axis.
    on_value, off_value
        Python numbers: what stands at the places of the indices, and elsewhere.
    axis
        Place of the new axis in the result; by default the last.
    dtype
        By default the default real dtype.
    device
        Device of the result; by default that of `indices`.

    Returns
    -------
    Array of the shape of `indices` with one more axis.

    Raises
    ------
    TypeError
        If the indices are not integers.
    ValueError
        If `num_classes` is negative.
    IndexError
        If the place of the new axis lies outside the result.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.one_hot(ca.asarray([2, 0]), 3).tolist()
    [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]

    Notes
    -----
    `jax.nn.one_hot` and `tf.one_hot`; torch's of this name gives integers, as `dtype="int64"` does here.
    """
    if not xp.isdtype(indices.dtype, "integral"):
        raise TypeError(f"'one_hot' got indices of dtype {indices.dtype}; they are integers")
    if num_classes < 0:
        raise ValueError(f"'one_hot' got num_classes={num_classes}; the number of classes is at least 0")
    assert dtype is not None
    (place,) = _places(axis, indices.ndim + 1, "one_hot")
    classes = xp.arange(num_classes, dtype=xp.int64, device=device)
    classes = xp.reshape(classes, (-1, *(1,) * (indices.ndim - place)))
    on = xp.expand_dims(xp.astype(indices, xp.int64, copy=False, device=device), axis=place) == classes
    if isinstance(on_value, int) and isinstance(off_value, int) and (on_value, off_value) == (1, 0):
        return xp.astype(on, dtype)
    values = (xp.asarray(value, dtype=dtype, device=device) for value in (on_value, off_value))
    return xp.where(on, *values)


def _cast(values: Array, dtype: DType | None) -> Array:
    """Round powers down to integers where those are wanted, but not those that miss one by their last bits."""
    assert dtype is not None
    if xp.isdtype(dtype, "integral"):
        nearest = xp.round(values)
        values = xp.where(xp.abs(values - nearest) <= 1e-14 * xp.abs(values), nearest, xp.floor(values))
    return xp.astype(values, dtype)
