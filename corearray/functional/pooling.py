"""Pooling: the maximum, minimum, mean or sum of windows that slide over axes.

All functions call `pool` or `adaptive_pool`, which read the number of axes from the array. The compositions pool one
axis after the other: elements at the same position of all windows are a strided slice, and the slices of all positions
are combined.

`data_format` gives the position of channels, `"channels_first"` or `"channels_last"`. Half precision is accumulated in
float32.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, Literal

from corearray.checks.parsing.sliding import Windows, read_adaptive, read_pooling
from corearray.contract.declaration import declare
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.functional.precision import _widened

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array

__all__ = [
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "adaptive_max_pool1d",
    "adaptive_max_pool2d",
    "adaptive_max_pool3d",
    "adaptive_pool",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
    "pool",
]


@declare(floating=True, gives="same", case_of="adaptive_pool")
def adaptive_avg_pool1d(
    x: Array,
    output_size: int | Sequence[int | None] | None,
    /,
    *,
    data_format: str = "channels_first",
    out: Array | None = None,
) -> Array:
    """Average over one axis into a given number of windows.

    Parameters
    ----------
    x
        Numeric array of shape `(N, C, L)`, or `(N, L, C)` with channels last;
        integers are computed in the default floating dtype.
    output_size
        How long the axes of the result are: an integer, or one for each axis; `None` leaves an axis as it is.
    data_format
        `"channels_first"` or `"channels_last"`.
    out
        Array that receives the result.

    Returns
    -------
    Array of the dtype of `x`, with axes of these lengths.

    Raises
    ------
    ValueError
        If a window does not fit, or an option is unknown.
    TypeError
        If truth values are given, or an option is no integer.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.adaptive_avg_pool1d(ca.ones((1, 2, 5)), 2).shape
    Shape((1, 2, 2))

    Notes
    -----
    As `torch.nn.functional.adaptive_avg_pool1d`.
    """
    read_adaptive("adaptive_avg_pool1d", tuple(x.shape), output_size, data_format, count=1)
    return xp.adaptive_pool(x, output_size, mode="avg", data_format=data_format)


@declare(floating=True, gives="same", case_of="adaptive_pool")
def adaptive_avg_pool2d(
    x: Array,
    output_size: int | Sequence[int | None] | None,
    /,
    *,
    data_format: str = "channels_first",
    out: Array | None = None,
) -> Array:
    """Average over two axes into a given number of windows.

    Parameters
    ----------
    x
        Numeric array of shape `(N, C, H, W)`, or `(N, H, W, C)` with channels last;
        integers are computed in the default floating dtype.
    output_size
        How long the axes of the result are: an integer, or one for each axis; `None` leaves an axis as it is.
    data_format
        `"channels_first"` or `"channels_last"`.
    out
        Array that receives the result.

    Returns
    -------
    Array of the dtype of `x`, with axes of these lengths.

    Raises
    ------
    ValueError
        If a window does not fit, or an option is unknown.
    TypeError
        If truth values are given, or an option is no integer.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.adaptive_avg_pool2d(ca.ones((1, 2, 5, 5)), 2).shape
    Shape((1, 2, 2, 2))

    Notes
    -----
    As `torch.nn.functional.adaptive_avg_pool2d`.
    """
    read_adaptive("adaptive_avg_pool2d", tuple(x.shape), output_size, data_format, count=2)
    return xp.adaptive_pool(x, output_size, mode="avg", data_format=data_format)


@declare(floating=True, gives="same", case_of="adaptive_pool")
def adaptive_avg_pool3d(
    x: Array,
    output_size: int | Sequence[int | None] | None,
    /,
    *,
    data_format: str = "channels_first",
    out: Array | None = None,
) -> Array:
    """Average over three axes into a given number of windows.

    Parameters
    ----------
    x
        Numeric array of shape `(N, C, D, H, W)`, or `(N, D, H, W, C)` with channels last;
        integers are computed in the default floating dtype.
    output_size
        How long the axes of the result are: an integer, or one for each axis; `None` leaves an axis as it is.
    data_format
        `"channels_first"` or `"channels_last"`.
    out
        Array that receives the result.

    Returns
    -------
    Array of the dtype of `x`, with axes of these lengths.

    Raises
    ------
    ValueError
        If a window does not fit, or an option is unknown.
    TypeError
        If truth values are given, or an option is no integer.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.adaptive_avg_pool3d(ca.ones((1, 2, 5, 5, 5)), 2).shape
    Shape((1, 2, 2, 2, 2))

    Notes
    -----
    As `torch.nn.functional.adaptive_avg_pool3d`.
    """
    read_adaptive("adaptive_avg_pool3d", tuple(x.shape), output_size, data_format, count=3)
    return xp.adaptive_pool(x, output_size, mode="avg", data_format=data_format)


@declare(real=True, gives="same", case_of="adaptive_pool")
def adaptive_max_pool1d(
    x: Array,
    output_size: int | Sequence[int | None] | None,
    /,
    *,
    data_format: str = "channels_first",
    out: Array | None = None,
) -> Array:
    """Take maxima over one axis in a given number of windows.

    Parameters
    ----------
    x
        Array of real numbers of shape `(N, C, L)`, or `(N, L, C)` with channels last.
    output_size
        How long the axes of the result are: an integer, or one for each axis; `None` leaves an axis as it is.
    data_format
        `"channels_first"` or `"channels_last"`.
    out
        Array that receives the result.

    Returns
    -------
    Array of the dtype of `x`, with axes of these lengths; NaN where a window has one.

    Raises
    ------
    ValueError
        If a window does not fit, or an option is unknown.
    TypeError
        If truth values or complex numbers are given, or an option is no integer.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.adaptive_max_pool1d(ca.ones((1, 2, 5)), 2).shape
    Shape((1, 2, 2))

    Notes
    -----
    As `torch.nn.functional.adaptive_max_pool1d`.
    """
    read_adaptive("adaptive_max_pool1d", tuple(x.shape), output_size, data_format, count=1)
    return xp.adaptive_pool(x, output_size, mode="max", data_format=data_format)


@declare(real=True, gives="same", case_of="adaptive_pool")
def adaptive_max_pool2d(
    x: Array,
    output_size: int | Sequence[int | None] | None,
    /,
    *,
    data_format: str = "channels_first",
    out: Array | None = None,
) -> Array:
    """Take maxima over two axes in a given number of windows.

    Parameters
    ----------
    x
        Array of real numbers of shape `(N, C, H, W)`, or `(N, H, W, C)` with channels last.
    output_size
        How long the axes of the result are: an integer, or one for each axis; `None` leaves an axis as it is.
    data_format
        `"channels_first"` or `"channels_last"`.
    out
        Array that receives the result.

    Returns
    -------
    Array of the dtype of `x`, with axes of these lengths; NaN where a window has one.

    Raises
    ------
    ValueError
        If a window does not fit, or an option is unknown.
    TypeError
        If truth values or complex numbers are given, or an option is no integer.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.adaptive_max_pool2d(ca.ones((1, 2, 5, 5)), 2).shape
    Shape((1, 2, 2, 2))

    Notes
    -----
    As `torch.nn.functional.adaptive_max_pool2d`.
    """
    read_adaptive("adaptive_max_pool2d", tuple(x.shape), output_size, data_format, count=2)
    return xp.adaptive_pool(x, output_size, mode="max", data_format=data_format)


@declare(real=True, gives="same", case_of="adaptive_pool")
def adaptive_max_pool3d(
    x: Array,
    output_size: int | Sequence[int | None] | None,
    /,
    *,
    data_format: str = "channels_first",
    out: Array | None = None,
) -> Array:
    """Take maxima over three axes in a given number of windows.

    Parameters
    ----------
    x
        Array of real numbers of shape `(N, C, D, H, W)`, or `(N, D, H, W, C)` with channels last.
    output_size
        How long the axes of the result are: an integer, or one for each axis; `None` leaves an axis as it is.
    data_format
        `"channels_first"` or `"channels_last"`.
    out
        Array that receives the result.

    Returns
    -------
    Array of the dtype of `x`, with axes of these lengths; NaN where a window has one.

    Raises
    ------
    ValueError
        If a window does not fit, or an option is unknown.
    TypeError
        If truth values or complex numbers are given, or an option is no integer.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.adaptive_max_pool3d(ca.ones((1, 2, 5, 5, 5)), 2).shape
    Shape((1, 2, 2, 2, 2))

    Notes
    -----
    As `torch.nn.functional.adaptive_max_pool3d`.
    """
    read_adaptive("adaptive_max_pool3d", tuple(x.shape), output_size, data_format, count=3)
    return xp.adaptive_pool(x, output_size, mode="max", data_format=data_format)


@declare()
def adaptive_pool(
    x: Array,
    output_size: int | Sequence[int | None] | None,
    /,
    *,
    mode: Literal["avg", "max"] = "avg",
    data_format: str = "channels_first",
    out: Array | None = None,
) -> Array:
    """Average or take maxima over any number of axes in a given number of windows.

    Parameters
    ----------
    x
        Numeric array of shape `(N, C, ...)`, or `(N, ..., C)` with channels last, with at least three axes.
    output_size
        How long the axes of the result are: an integer, or one for each axis; `None` leaves an axis as it is.
    mode
        `"avg"` for means, of integers in the default floating dtype; `"max"` for the greatest elements.
    data_format
        `"channels_first"` or `"channels_last"`.
    out
        Array that receives the result.

    Returns
    -------
    Array with axes of these lengths, of the dtype of `x`.

    Raises
    ------
    ValueError
        If a window does not fit, or an option is unknown.
    TypeError
        If truth values are given, or complex numbers where elements are compared, or an option is no integer.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.adaptive_pool(ca.asarray([[[1, 5, 2, 4, 3]]]), 3, mode="max").tolist()
    [[[5, 5, 4]]]

    Notes
    -----
    Of an axis of length `n`, window `i` of `m` begins at `i n / m`, rounded down, and ends before `(i + 1) n / m`, rounded up.
    As `torch.nn.functional.adaptive_avg_pool2d` for any number of axes.
    """
    sizes = read_adaptive("adaptive_pool", x.shape, output_size, data_format)
    _check_mode("adaptive_pool", x, mode, ("avg", "max"))
    x = x / 1 if mode == "avg" and xp.isdtype(x.dtype, "integral") else xp.astype(x, x.dtype, copy=True)
    dtype = x.dtype
    x = _widened(x) if mode == "avg" else x
    for place, size in enumerate(sizes, 2 if data_format == "channels_first" else 1):
        length = x.shape[place]
        if length % size == 0:
            x = xp.reshape(x, (*_known(x)[:place], size, length // size, *_known(x)[place + 1 :]))
            x = xp.mean(x, axis=place + 1) if mode == "avg" else xp.max(x, axis=place + 1)
            continue
        outputs = xp.arange(size, device=x.device)[:, None]
        starts, ends = outputs * length // size, ((outputs + 1) * length + (size - 1)) // size
        most = -(-length // size) + 1
        indices = starts + xp.arange(most, device=x.device)
        inside = xp.reshape(indices < ends, (size, most, *(1,) * (x.ndim - place - 1)))
        indices = xp.reshape(xp.minimum(indices, ends - 1), (-1,))
        shape = (*_known(x)[:place], size, most, *_known(x)[place + 1 :])
        x = xp.reshape(xp.take(x, indices, axis=place), shape)
        if mode == "max":
            x = xp.max(x, axis=place + 1)
        else:
            counts = xp.reshape(xp.astype(ends - starts, x.dtype), (size, *(1,) * (x.ndim - place - 2)))
            x = xp.sum(xp.where(inside, x, xp.zeros_like(x)), axis=place + 1) / counts
    return xp.astype(x, dtype, copy=False)


@declare(floating=True, gives="same", case_of="pool")
def avg_pool1d(
    x: Array,
    window_shape: int | Sequence[int],
    /,
    *,
    strides: int | Sequence[int] | None = None,
    padding: str | int | Sequence[int] | Sequence[Sequence[int]] = "valid",
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
    data_format: str = "channels_first",
    out: Array | None = None,
) -> Array:
    """Average windows over one axis.

    Parameters
    ----------
    x
        Numeric array of shape `(N, C, L)`, or `(N, L, C)` with channels last;
        integers are computed in the default floating dtype.
    window_shape
        Size of the window: an integer, or one for each axis.
    strides
        Distance from one window to the next: an integer, or one for each axis; by default that of the window.
    padding
        `"valid"` for none; `"same"` for so much that the result is as long as the array divided by the stride, rounded up, of
        an odd number one more behind; an integer for all ends, one for each axis, or one pair `(before, after)` for each
        axis. Smaller than the window.
    ceil_mode
        Whether a window that begins in the array, or in the padding before it, may end beyond the padding behind it.
    count_include_pad
        Whether a mean counts the zeros of the padding.
    divisor_override
        By what sums are divided, in the place of the number of elements.
    data_format
        `"channels_first"` or `"channels_last"`.
    out
        Array that receives the result.

    Returns
    -------
    Array of the dtype of `x`.

    Raises
    ------
    ValueError
        If a window does not fit, or an option is unknown.
    TypeError
        If truth values are given, or an option is no integer.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.avg_pool1d(ca.asarray([[[1.0, 5.0, 2.0, 4.0]]]), 2).tolist()
    [[[3.0, 3.0]]]
    >>> ca.avg_pool1d(ca.asarray([[[1.0, 5.0]]]), 2, padding=1, count_include_pad=False).tolist()
    [[[1.0, 5.0]]]

    Notes
    -----
    As `torch.nn.functional.avg_pool1d`. TensorFlow and JAX never count the padding.
    """
    read_pooling("avg_pool1d", tuple(x.shape), window_shape, strides, padding, 1, ceil_mode, data_format, count=1)
    return xp.pool(
        x,
        window_shape,
        mode="avg",
        strides=strides,
        padding=padding,
        ceil_mode=ceil_mode,
        count_include_pad=count_include_pad,
        divisor_override=divisor_override,
        data_format=data_format,
    )


@declare(floating=True, gives="same", case_of="pool")
def avg_pool2d(
    x: Array,
    window_shape: int | Sequence[int],
    /,
    *,
    strides: int | Sequence[int] | None = None,
    padding: str | int | Sequence[int] | Sequence[Sequence[int]] = "valid",
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
    data_format: str = "channels_first",
    out: Array | None = None,
) -> Array:
    """Average windows over two axes.

    Parameters
    ----------
    x
        Numeric array of shape `(N, C, H, W)`, or `(N, H, W, C)` with channels last;
        integers are computed in the default floating dtype.
    window_shape
        Size of the window: an integer, or one for each axis.
    strides
        Distance from one window to the next: an integer, or one for each axis; by default that of the window.
    padding
        `"valid"` for none; `"same"` for so much that the result is as long as the array divided by the stride, rounded up, of
        an odd number one more behind; an integer for all ends, one for each axis, or one pair `(before, after)` for each
        axis. Smaller than the window.
    ceil_mode
        Whether a window that begins in the array, or in the padding before it, may end beyond the padding behind it.
    count_include_pad
        Whether a mean counts the zeros of the padding.
    divisor_override
        By what sums are divided, in the place of the number of elements.
    data_format
        `"channels_first"` or `"channels_last"`.
    out
        Array that receives the result.

    Returns
    -------
    Array of the dtype of `x`.

    Raises
    ------
    ValueError
        If a window does not fit, or an option is unknown.
    TypeError
        If truth values are given, or an option is no integer.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.avg_pool2d(ca.asarray([[[[1.0, 2.0], [3.0, 4.0]]]]), 2).tolist()
    [[[[2.5]]]]

    Notes
    -----
    As `torch.nn.functional.avg_pool2d`. TensorFlow and JAX never count the padding.
    """
    read_pooling("avg_pool2d", tuple(x.shape), window_shape, strides, padding, 1, ceil_mode, data_format, count=2)
    return xp.pool(
        x,
        window_shape,
        mode="avg",
        strides=strides,
        padding=padding,
        ceil_mode=ceil_mode,
        count_include_pad=count_include_pad,
        divisor_override=divisor_override,
        data_format=data_format,
    )


@declare(floating=True, gives="same", case_of="pool")
def avg_pool3d(
    x: Array,
    window_shape: int | Sequence[int],
    /,
    *,
    strides: int | Sequence[int] | None = None,
    padding: str | int | Sequence[int] | Sequence[Sequence[int]] = "valid",
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
    data_format: str = "channels_first",
    out: Array | None = None,
) -> Array:
    """Average windows over three axes.

    Parameters
    ----------
    x
        Numeric array of shape `(N, C, D, H, W)`, or `(N, D, H, W, C)` with channels last;
        integers are computed in the default floating dtype.
    window_shape
        Size of the window: an integer, or one for each axis.
    strides
        Distance from one window to the next: an integer, or one for each axis; by default that of the window.
    padding
        `"valid"` for none; `"same"` for so much that the result is as long as the array divided by the stride, rounded up, of
        an odd number one more behind; an integer for all ends, one for each axis, or one pair `(before, after)` for each
        axis. Smaller than the window.
    ceil_mode
        Whether a window that begins in the array, or in the padding before it, may end beyond the padding behind it.
    count_include_pad
        Whether a mean counts the zeros of the padding.
    divisor_override
        By what sums are divided, in the place of the number of elements.
    data_format
        `"channels_first"` or `"channels_last"`.
    out
        Array that receives the result.

    Returns
    -------
    Array of the dtype of `x`.

    Raises
    ------
    ValueError
        If a window does not fit, or an option is unknown.
    TypeError
        If truth values are given, or an option is no integer.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.avg_pool3d(ca.ones((1, 2, 4, 4, 4)), 2).shape
    Shape((1, 2, 2, 2, 2))

    Notes
    -----
    As `torch.nn.functional.avg_pool3d`. TensorFlow and JAX never count the padding.
    """
    read_pooling("avg_pool3d", tuple(x.shape), window_shape, strides, padding, 1, ceil_mode, data_format, count=3)
    return xp.pool(
        x,
        window_shape,
        mode="avg",
        strides=strides,
        padding=padding,
        ceil_mode=ceil_mode,
        count_include_pad=count_include_pad,
        divisor_override=divisor_override,
        data_format=data_format,
    )


@declare(real=True, gives="same", case_of="pool")
def max_pool1d(
    x: Array,
    window_shape: int | Sequence[int],
    /,
    *,
    strides: int | Sequence[int] | None = None,
    padding: str | int | Sequence[int] | Sequence[Sequence[int]] = "valid",
    dilations: int | Sequence[int] = 1,
    ceil_mode: bool = False,
    data_format: str = "channels_first",
    out: Array | None = None,
) -> Array:
    """Take maxima of windows over one axis.

    Parameters
    ----------
    x
        Array of real numbers of shape `(N, C, L)`, or `(N, L, C)` with channels last.
    window_shape
        Size of the window: an integer, or one for each axis.
    strides
        Distance from one window to the next: an integer, or one for each axis; by default that of the window.
    padding
        `"valid"` for none; `"same"` for so much that the result is as long as the array divided by the stride, rounded up, of
        an odd number one more behind; an integer for all ends, one for each axis, or one pair `(before, after)` for each
        axis. Smaller than the window.
    dilations
        Distance from one element of a window to the next: an integer, or one for each axis.
    ceil_mode
        Whether a window that begins in the array, or in the padding before it, may end beyond the padding behind it.
    data_format
        `"channels_first"` or `"channels_last"`.
    out
        Array that receives the result.

    Returns
    -------
    Array of the dtype of `x`; NaN where a window has one. What is padded is smaller than every element.

    Raises
    ------
    ValueError
        If a window does not fit, or an option is unknown.
    TypeError
        If truth values or complex numbers are given, or an option is no integer.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.max_pool1d(ca.asarray([[[1, 5, 2, 4, 3]]]), 2).tolist()
    [[[5, 4]]]

    Notes
    -----
    As `torch.nn.functional.max_pool1d`.
    """
    read_pooling(
        "max_pool1d", tuple(x.shape), window_shape, strides, padding, dilations, ceil_mode, data_format, count=1
    )
    return xp.pool(
        x,
        window_shape,
        mode="max",
        strides=strides,
        padding=padding,
        dilations=dilations,
        ceil_mode=ceil_mode,
        data_format=data_format,
    )


@declare(real=True, gives="same", case_of="pool")
def max_pool2d(
    x: Array,
    window_shape: int | Sequence[int],
    /,
    *,
    strides: int | Sequence[int] | None = None,
    padding: str | int | Sequence[int] | Sequence[Sequence[int]] = "valid",
    dilations: int | Sequence[int] = 1,
    ceil_mode: bool = False,
    data_format: str = "channels_first",
    out: Array | None = None,
) -> Array:
    """Take maxima of windows over two axes.

    Parameters
    ----------
    x
        Array of real numbers of shape `(N, C, H, W)`, or `(N, H, W, C)` with channels last.
    window_shape
        Size of the window: an integer, or one for each axis.
    strides
        Distance from one window to the next: an integer, or one for each axis; by default that of the window.
    padding
        `"valid"` for none; `"same"` for so much that the result is as long as the array divided by the stride, rounded up, of
        an odd number one more behind; an integer for all ends, one for each axis, or one pair `(before, after)` for each
        axis. Smaller than the window.
    dilations
        Distance from one element of a window to the next: an integer, or one for each axis.
    ceil_mode
        Whether a window that begins in the array, or in the padding before it, may end beyond the padding behind it.
    data_format
        `"channels_first"` or `"channels_last"`.
    out
        Array that receives the result.

    Returns
    -------
    Array of the dtype of `x`; NaN where a window has one. What is padded is smaller than every element.

    Raises
    ------
    ValueError
        If a window does not fit, or an option is unknown.
    TypeError
        If truth values or complex numbers are given, or an option is no integer.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.max_pool2d(ca.reshape(ca.arange(9), (1, 1, 3, 3)), 2, strides=1).tolist()
    [[[[4, 5], [7, 8]]]]

    Notes
    -----
    As `torch.nn.functional.max_pool2d`.
    """
    read_pooling(
        "max_pool2d", tuple(x.shape), window_shape, strides, padding, dilations, ceil_mode, data_format, count=2
    )
    return xp.pool(
        x,
        window_shape,
        mode="max",
        strides=strides,
        padding=padding,
        dilations=dilations,
        ceil_mode=ceil_mode,
        data_format=data_format,
    )


@declare(real=True, gives="same", case_of="pool")
def max_pool3d(
    x: Array,
    window_shape: int | Sequence[int],
    /,
    *,
    strides: int | Sequence[int] | None = None,
    padding: str | int | Sequence[int] | Sequence[Sequence[int]] = "valid",
    dilations: int | Sequence[int] = 1,
    ceil_mode: bool = False,
    data_format: str = "channels_first",
    out: Array | None = None,
) -> Array:
    """Take maxima of windows over three axes.

    Parameters
    ----------
    x
        Array of real numbers of shape `(N, C, D, H, W)`, or `(N, D, H, W, C)` with channels last.
    window_shape
        Size of the window: an integer, or one for each axis.
    strides
        Distance from one window to the next: an integer, or one for each axis; by default that of the window.
    padding
        `"valid"` for none; `"same"` for so much that the result is as long as the array divided by the stride, rounded up, of
        an odd number one more behind; an integer for all ends, one for each axis, or one pair `(before, after)` for each
        axis. Smaller than the window.
    dilations
        Distance from one element of a window to the next: an integer, or one for each axis.
    ceil_mode
        Whether a window that begins in the array, or in the padding before it, may end beyond the padding behind it.
    data_format
        `"channels_first"` or `"channels_last"`.
    out
        Array that receives the result.

    Returns
    -------
    Array of the dtype of `x`; NaN where a window has one. What is padded is smaller than every element.

    Raises
    ------
    ValueError
        If a window does not fit, or an option is unknown.
    TypeError
        If truth values or complex numbers are given, or an option is no integer.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.max_pool3d(ca.ones((1, 2, 4, 4, 4)), 3, strides=2, padding="same").shape
    Shape((1, 2, 2, 2, 2))

    Notes
    -----
    As `torch.nn.functional.max_pool3d`.
    """
    read_pooling(
        "max_pool3d", tuple(x.shape), window_shape, strides, padding, dilations, ceil_mode, data_format, count=3
    )
    return xp.pool(
        x,
        window_shape,
        mode="max",
        strides=strides,
        padding=padding,
        dilations=dilations,
        ceil_mode=ceil_mode,
        data_format=data_format,
    )


@declare()
def pool(
    x: Array,
    window_shape: int | Sequence[int],
    /,
    *,
    mode: Literal["max", "min", "avg", "sum"] = "max",
    strides: int | Sequence[int] | None = None,
    padding: str | int | Sequence[int] | Sequence[Sequence[int]] = "valid",
    dilations: int | Sequence[int] = 1,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
    data_format: str = "channels_first",
    out: Array | None = None,
) -> Array:
    """Reduce windows over any number of axes by maximum, minimum, mean or sum.

    Parameters
    ----------
    x
        Numeric array of shape `(N, C, ...)`, or `(N, ..., C)` with channels last, with at least three axes.
    window_shape
        Size of the window: an integer, or one for each axis.
    mode
        `"max"` and `"min"` for the greatest and smallest elements, of real numbers; `"avg"` for means, of integers in the
        default floating dtype; `"sum"` for sums, in which integers wrap around.
    strides
        Distance from one window to the next: an integer, or one for each axis; by default that of the window.
    padding
        `"valid"` for none; `"same"` for so much that the result is as long as the array divided by the stride, rounded up, of
        an odd number one more behind; an integer for all ends, one for each axis, or one pair `(before, after)` for each
        axis. Smaller than the window.
    dilations
        Distance from one element of a window to the next: an integer, or one for each axis.
    ceil_mode
        Whether a window that begins in the array, or in the padding before it, may end beyond the padding behind it.
    count_include_pad
        Whether a mean counts the zeros of the padding.
    divisor_override
        By what sums are divided for a mean, in the place of the number of elements.
    data_format
        `"channels_first"` or `"channels_last"`.
    out
        Array that receives the result.

    Returns
    -------
    Array of the dtype of `x`. NaN where a window has one. For `"max"` what is padded is smaller than every element, for `"min"`
    greater, else zero.

    Raises
    ------
    ValueError
        If a window does not fit, or an option is unknown.
    TypeError
        If truth values are given, or complex numbers where elements are compared, or an option is no integer.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.pool(ca.asarray([[[1, 5, 2, 4, 3]]]), 3, mode="sum", strides=2).tolist()
    [[[8, 9]]]

    Notes
    -----
    Axes are pooled one after the other. As the functions of `torch.nn.functional` for one to three axes.
    """
    windows = read_pooling("pool", x.shape, window_shape, strides, padding, dilations, ceil_mode, data_format)
    _check_mode("pool", x, mode, ("max", "min", "avg", "sum"))
    if divisor_override is not None and divisor_override == 0:
        raise CoreArrayValueError("'pool' got divisor_override=0; give a number by which can be divided")
    dtype = x.dtype
    first = 2 if data_format == "channels_first" else 1
    if mode == "avg":
        wide = _widened(x / 1 if xp.isdtype(dtype, "integral") else x)
        options: Any = {"strides": windows.strides, "padding": windows.padding, "dilations": windows.dilations}
        total = xp.pool(wide, window_shape, mode="sum", ceil_mode=ceil_mode, data_format=data_format, **options)
        found = total / _divisor(total, x.shape, windows, first, count_include_pad, divisor_override, ceil_mode)
        return found if xp.isdtype(dtype, "integral") else xp.astype(found, dtype, copy=False)
    x = _widened(x) if mode == "sum" else x
    join = {"max": xp.maximum, "min": xp.minimum, "sum": xp.add}[mode]
    widths = [(0, 0)] * x.ndim
    beyond = windows.beyond(x.shape[first:])
    for place, ((before, after), more) in enumerate(zip(windows.padding, beyond, strict=True), first):
        widths[place] = (before, after + more)
    if any(map(any, widths)):
        x = xp.pad(x, widths, constant_values=_least(x, mode))
    else:
        x = xp.astype(x, x.dtype, copy=True)
    for place, (size, stride, gap) in enumerate(
        zip(windows.kernel, windows.strides, windows.dilations, strict=True), first
    ):
        last = (size - 1) * gap
        taps = [slice(start, start - last or None, stride) for start in range(0, last + 1, gap)]
        x = reduce(join, [x[(*(slice(None),) * place, tap, ...)] for tap in taps])
    return xp.astype(x, dtype, copy=False)


def _check_mode(name: str, x: Array, mode: str, known: Sequence[str]) -> None:
    if mode not in known:
        raise CoreArrayValueError(f"'{name}' got mode={mode!r}; it is one of {', '.join(map(repr, known))}")
    kinds = "numeric" if mode in ("avg", "sum") else ("integral", "real floating")
    if not xp.isdtype(x.dtype, kinds):
        raise CoreArrayTypeError(
            f"'{name}' with mode={mode!r} got an array of {x.dtype}, which it does not take; cast it"
        )


def _known(x: Array) -> list[int]:
    """Return the lengths of axes, -1 for one that is not known while a function is traced."""
    return [-1 if length is None else length for length in x.shape]


def _least(x: Array, mode: str) -> complex:
    """Return what changes no result."""
    if mode == "sum":
        return 0
    if xp.isdtype(x.dtype, "integral"):
        limits = xp.iinfo(x.dtype)
        return int(limits.min if mode == "max" else limits.max)
    return -math.inf if mode == "max" else math.inf


def _divisor(
    total: Array, shape: Sequence[Any], windows: Windows, first: int, padded: bool, override: int | None, ceil: bool
) -> Any:
    """Return by what the sums of windows are divided: a number, or an array where some count less elements."""
    if override is not None:
        return override
    if not ceil and (padded or not any(map(any, windows.padding))):
        return math.prod(windows.kernel)
    counts: Any = 1
    for place, (before, after) in enumerate(windows.padding, first):
        size, stride, gap = (option[place - first] for option in (windows.kernel, windows.strides, windows.dilations))
        low, high = (-before, shape[place] + after) if padded else (0, shape[place])
        starts = xp.arange(total.shape[place], device=total.device) * stride - before
        ends = (xp.clip((limit - starts + (gap - 1)) // gap, 0, size) for limit in (high, low))
        number = next(ends) - next(ends)
        counts = counts * xp.reshape(number, (-1, *(1,) * (len(shape) - place - 1)))
    return xp.astype(counts, total.dtype)
