"""Convolutions over any number of axes, as in neural networks: cross-correlation, the filters are not flipped.

All functions call `conv_general_dilated` or `conv_general_transpose`, which read the number of axes from the arrays.
The composition gathers the elements under each position of the filters into a row (`sliding_window`) and multiplies
these rows by the filters as a matrix. A transposed convolution inserts zeros between the elements and convolves with
flipped filters.

`data_format` and `filter_format` give the position of channels. Filters have the shape `(O, C, *kernel)`, or `(*kernel,
C, O)` with channels last, for `O` filters of `C` channels per group. Filters of transposed convolutions have the shape
`(C, O, *kernel)`, or `(*kernel, O, C)`, for `O` output channels per group. Half precision is accumulated in float32.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from corearray.checks.parsing.sliding import read_convolution, read_transposed, spatial_shape
from corearray.contract.declaration import declare
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.functional.precision import _widened

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array

__all__ = [
    "conv1d",
    "conv1d_transpose",
    "conv2d",
    "conv2d_transpose",
    "conv3d",
    "conv3d_transpose",
    "conv_general_dilated",
    "conv_general_transpose",
    "depthwise_conv2d",
]


@declare(promote=("x", "filters", "bias"), gives="same", case_of="conv_general_dilated")
def conv1d(
    x: Array,
    filters: Array,
    /,
    *,
    bias: Array | None = None,
    strides: int | Sequence[int] = 1,
    padding: str | int | Sequence[int] | Sequence[Sequence[int]] = "valid",
    dilations: int | Sequence[int] = 1,
    groups: int = 1,
    data_format: str = "channels_first",
    filter_format: str = "channels_first",
    out: Array | None = None,
) -> Array:
    """Convolve over one axis.

    Parameters
    ----------
    x
        Numeric array of shape `(N, C, L)`, or `(N, L, C)` with channels last.
    filters
        Array of shape `(O, C / groups, K)`, or `(K, C / groups, O)` with channels last.
    bias
        Bias of each output channel, of shape `(O,)`.
    strides
        Distance from one place of the filters to the next: an integer, or one for each axis.
    padding
        `"valid"` for none; `"same"` for so many zeros that the result is as long as the array divided by the stride, rounded
        up, and of an odd number one more behind; an integer for all ends, one for each axis, or one pair `(before, after)` for
        each axis.
    dilations
        Distance from one element of a filter to the next: an integer, or one for each axis.
    groups
        Into how many groups of neighbours channels and filters are divided; each group of filters sees its channels only.
    data_format, filter_format
        `"channels_first"` or `"channels_last"`, of the arrays and of the filters.
    out
        Array that receives the result.

    Returns
    -------
    Array of the promoted dtype, with `O` channels. Integers wrap around.

    Raises
    ------
    ValueError
        If shapes do not fit, an option is unknown, or a filter reaches beyond the padded array.
    TypeError
        If truth values are given, or an option is no integer.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([[[1, 2, 3, 4]]])
    >>> ca.conv1d(x, ca.asarray([[[1, 10]]])).tolist()
    [[[21, 32, 43]]]
    >>> ca.conv1d(x, ca.asarray([[[1, 10]]]), strides=2, padding=((1, 0),)).tolist()
    [[[10, 32]]]

    Notes
    -----
    As `torch.nn.functional.conv1d`: cross-correlation, the filters are not flipped. `"same"` is that of JAX and TensorFlow.
    """
    return _convolved("conv1d", 1, x, filters, bias, strides, padding, dilations, groups, data_format, filter_format)


@declare(promote=("x", "filters", "bias"), gives="same", case_of="conv_general_dilated")
def conv2d(
    x: Array,
    filters: Array,
    /,
    *,
    bias: Array | None = None,
    strides: int | Sequence[int] = 1,
    padding: str | int | Sequence[int] | Sequence[Sequence[int]] = "valid",
    dilations: int | Sequence[int] = 1,
    groups: int = 1,
    data_format: str = "channels_first",
    filter_format: str = "channels_first",
    out: Array | None = None,
) -> Array:
    """Convolve over two axes.

    Parameters
    ----------
    x
        Numeric array of shape `(N, C, H, W)`, or `(N, H, W, C)` with channels last.
    filters
        Array of shape `(O, C / groups, KH, KW)`, or `(KH, KW, C / groups, O)` with channels last.
    bias
        Bias of each output channel, of shape `(O,)`.
    strides
        Distance from one place of the filters to the next: an integer, or one for each axis.
    padding
        `"valid"` for none; `"same"` for so many zeros that the result is as long as the array divided by the stride, rounded
        up, and of an odd number one more behind; an integer for all ends, one for each axis, or one pair `(before, after)` for
        each axis.
    dilations
        Distance from one element of a filter to the next: an integer, or one for each axis.
    groups
        Into how many groups of neighbours channels and filters are divided; each group of filters sees its channels only.
    data_format, filter_format
        `"channels_first"` or `"channels_last"`, of the arrays and of the filters.
    out
        Array that receives the result.

    Returns
    -------
    Array of the promoted dtype, with `O` channels. Integers wrap around.

    Raises
    ------
    ValueError
        If shapes do not fit, an option is unknown, or a filter reaches beyond the padded array.
    TypeError
        If truth values are given, or an option is no integer.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.reshape(ca.arange(9), (1, 1, 3, 3))
    >>> ca.conv2d(x, ca.asarray([[[[1, 0], [0, 1]]]])).tolist()
    [[[[4, 6], [10, 12]]]]

    Notes
    -----
    As `torch.nn.functional.conv2d`: cross-correlation, the filters are not flipped. `"same"` is that of JAX and TensorFlow.
    """
    return _convolved("conv2d", 2, x, filters, bias, strides, padding, dilations, groups, data_format, filter_format)


@declare(promote=("x", "filters", "bias"), gives="same", case_of="conv_general_dilated")
def conv3d(
    x: Array,
    filters: Array,
    /,
    *,
    bias: Array | None = None,
    strides: int | Sequence[int] = 1,
    padding: str | int | Sequence[int] | Sequence[Sequence[int]] = "valid",
    dilations: int | Sequence[int] = 1,
    groups: int = 1,
    data_format: str = "channels_first",
    filter_format: str = "channels_first",
    out: Array | None = None,
) -> Array:
    """Convolve over three axes.

    Parameters
    ----------
    x
        Numeric array of shape `(N, C, D, H, W)`, or `(N, D, H, W, C)` with channels last.
    filters
        Array of shape `(O, C / groups, KD, KH, KW)`, or `(KD, KH, KW, C / groups, O)` with channels last.
    bias
        Bias of each output channel, of shape `(O,)`.
    strides
        Distance from one place of the filters to the next: an integer, or one for each axis.
    padding
        `"valid"` for none; `"same"` for so many zeros that the result is as long as the array divided by the stride, rounded
        up, and of an odd number one more behind; an integer for all ends, one for each axis, or one pair `(before, after)` for
        each axis.
    dilations
        Distance from one element of a filter to the next: an integer, or one for each axis.
    groups
        Into how many groups of neighbours channels and filters are divided; each group of filters sees its channels only.
    data_format, filter_format
        `"channels_first"` or `"channels_last"`, of the arrays and of the filters.
    out
        Array that receives the result.

    Returns
    -------
    Array of the promoted dtype, with `O` channels. Integers wrap around.

    Raises
    ------
    ValueError
        If shapes do not fit, an option is unknown, or a filter reaches beyond the padded array.
    TypeError
        If truth values are given, or an option is no integer.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.conv3d(ca.ones((1, 2, 3, 3, 3)), ca.ones((4, 2, 2, 2, 2)), strides=2).shape
    Shape((1, 4, 1, 1, 1))

    Notes
    -----
    As `torch.nn.functional.conv3d`: cross-correlation, the filters are not flipped. `"same"` is that of JAX and TensorFlow.
    """
    return _convolved("conv3d", 3, x, filters, bias, strides, padding, dilations, groups, data_format, filter_format)


@declare(promote=("x", "filters", "bias"), gives="same", case_of="conv_general_transpose")
def conv1d_transpose(
    x: Array,
    filters: Array,
    /,
    *,
    bias: Array | None = None,
    strides: int | Sequence[int] = 1,
    padding: str | int | Sequence[int] | Sequence[Sequence[int]] = "valid",
    output_padding: int | Sequence[int] = 0,
    output_shape: int | Sequence[int] | None = None,
    dilations: int | Sequence[int] = 1,
    groups: int = 1,
    data_format: str = "channels_first",
    filter_format: str = "channels_first",
    out: Array | None = None,
) -> Array:
    """Compute the transposed convolution over one axis, which is the gradient of `conv1d` by its input.

    Parameters
    ----------
    x
        Numeric array of shape `(N, C, L)`, or `(N, L, C)` with channels last.
    filters
        Array of shape `(C, O / groups, K)`, or `(K, O / groups, C)` with channels last.
    bias
        Bias of each output channel, of shape `(O,)`.
    strides
        Distance in the result from what one element is spread to to the next: an integer, or one for each axis.
    padding
        Padding, which crops the whole result of length `(L - 1) * stride + (K - 1) * dilation + 1`: nothing for `"valid"`;
        for `"same"` so much that it is as long as the array times the stride; else as many elements as a convolution with
        the same options would pad: an integer for all ends, one for each axis, or one pair `(before, after)` for each axis.
    output_padding
        By how much longer the result is at the ends of axes: an integer, or one for each axis, smaller than the stride or the
        dilation.
    output_shape
        How long these axes of the result are, in the place of `output_padding`.
    dilations
        Distance from one element of a filter to the next: an integer, or one for each axis.
    groups
        Into how many groups of neighbours the channels of the array and of the result are divided.
    data_format, filter_format
        `"channels_first"` or `"channels_last"`, of the arrays and of the filters.
    out
        Array that receives the result.

    Returns
    -------
    Array of the promoted dtype, with `O` channels. Integers wrap around.

    Raises
    ------
    ValueError
        If shapes do not fit, an option is unknown, or nothing of the result would be left.
    TypeError
        If truth values are given, or an option is no integer.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.conv1d_transpose(ca.asarray([[[1, 2]]]), ca.asarray([[[1, 10, 100]]]), strides=2).tolist()
    [[[1, 10, 102, 20, 200]]]

    Notes
    -----
    As `torch.nn.functional.conv_transpose1d`. `"same"` is that of JAX and TensorFlow.
    """
    more = {"output_padding": output_padding, "output_shape": output_shape}
    return _transposed(
        "conv1d_transpose", 1, x, filters, bias, strides, padding, more, dilations, groups, data_format, filter_format
    )


@declare(promote=("x", "filters", "bias"), gives="same", case_of="conv_general_transpose")
def conv2d_transpose(
    x: Array,
    filters: Array,
    /,
    *,
    bias: Array | None = None,
    strides: int | Sequence[int] = 1,
    padding: str | int | Sequence[int] | Sequence[Sequence[int]] = "valid",
    output_padding: int | Sequence[int] = 0,
    output_shape: int | Sequence[int] | None = None,
    dilations: int | Sequence[int] = 1,
    groups: int = 1,
    data_format: str = "channels_first",
    filter_format: str = "channels_first",
    out: Array | None = None,
) -> Array:
    """Compute the transposed convolution over two axes, which is the gradient of `conv2d` by its input.

    Parameters
    ----------
    x
        Numeric array of shape `(N, C, H, W)`, or `(N, H, W, C)` with channels last.
    filters
        Array of shape `(C, O / groups, KH, KW)`, or `(KH, KW, O / groups, C)` with channels last.
    bias
        Bias of each output channel, of shape `(O,)`.
    strides
        Distance in the result from what one element is spread to to the next: an integer, or one for each axis.
    padding
        Padding, which crops the whole result of length `(L - 1) * stride + (K - 1) * dilation + 1`: nothing for `"valid"`;
        for `"same"` so much that it is as long as the array times the stride; else as many elements as a convolution with
        the same options would pad: an integer for all ends, one for each axis, or one pair `(before, after)` for each axis.
    output_padding
        By how much longer the result is at the ends of axes: an integer, or one for each axis, smaller than the stride or the
        dilation.
    output_shape
        How long these axes of the result are, in the place of `output_padding`.
    dilations
        Distance from one element of a filter to the next: an integer, or one for each axis.
    groups
        Into how many groups of neighbours the channels of the array and of the result are divided.
    data_format, filter_format
        `"channels_first"` or `"channels_last"`, of the arrays and of the filters.
    out
        Array that receives the result.

    Returns
    -------
    Array of the promoted dtype, with `O` channels. Integers wrap around.

    Raises
    ------
    ValueError
        If shapes do not fit, an option is unknown, or nothing of the result would be left.
    TypeError
        If truth values are given, or an option is no integer.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.conv2d_transpose(ca.ones((1, 2, 3, 3)), ca.ones((2, 4, 2, 2)), strides=2).shape
    Shape((1, 4, 6, 6))

    Notes
    -----
    As `torch.nn.functional.conv_transpose2d`. `"same"` is that of JAX and TensorFlow.
    """
    more = {"output_padding": output_padding, "output_shape": output_shape}
    return _transposed(
        "conv2d_transpose", 2, x, filters, bias, strides, padding, more, dilations, groups, data_format, filter_format
    )


@declare(promote=("x", "filters", "bias"), gives="same", case_of="conv_general_transpose")
def conv3d_transpose(
    x: Array,
    filters: Array,
    /,
    *,
    bias: Array | None = None,
    strides: int | Sequence[int] = 1,
    padding: str | int | Sequence[int] | Sequence[Sequence[int]] = "valid",
    output_padding: int | Sequence[int] = 0,
    output_shape: int | Sequence[int] | None = None,
    dilations: int | Sequence[int] = 1,
    groups: int = 1,
    data_format: str = "channels_first",
    filter_format: str = "channels_first",
    out: Array | None = None,
) -> Array:
    """Compute the transposed convolution over three axes, which is the gradient of `conv3d` by its input.

    Parameters
    ----------
    x
        Numeric array of shape `(N, C, D, H, W)`, or `(N, D, H, W, C)` with channels last.
    filters
        Array of shape `(C, O / groups, KD, KH, KW)`, or `(KD, KH, KW, O / groups, C)` with channels last.
    bias
        Bias of each output channel, of shape `(O,)`.
    strides
        Distance in the result from what one element is spread to to the next: an integer, or one for each axis.
    padding
        Padding, which crops the whole result of length `(L - 1) * stride + (K - 1) * dilation + 1`: nothing for `"valid"`;
        for `"same"` so much that it is as long as the array times the stride; else as many elements as a convolution with
        the same options would pad: an integer for all ends, one for each axis, or one pair `(before, after)` for each axis.
    output_padding
        By how much longer the result is at the ends of axes: an integer, or one for each axis, smaller than the stride or the
        dilation.
    output_shape
        How long these axes of the result are, in the place of `output_padding`.
    dilations
        Distance from one element of a filter to the next: an integer, or one for each axis.
    groups
        Into how many groups of neighbours the channels of the array and of the result are divided.
    data_format, filter_format
        `"channels_first"` or `"channels_last"`, of the arrays and of the filters.
    out
        Array that receives the result.

    Returns
    -------
    Array of the promoted dtype, with `O` channels. Integers wrap around.

    Raises
    ------
    ValueError
        If shapes do not fit, an option is unknown, or nothing of the result would be left.
    TypeError
        If truth values are given, or an option is no integer.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.conv3d_transpose(ca.ones((1, 2, 3, 3, 3)), ca.ones((2, 4, 3, 3, 3)), padding=1).shape
    Shape((1, 4, 3, 3, 3))

    Notes
    -----
    As `torch.nn.functional.conv_transpose3d`. `"same"` is that of JAX and TensorFlow.
    """
    more = {"output_padding": output_padding, "output_shape": output_shape}
    return _transposed(
        "conv3d_transpose", 3, x, filters, bias, strides, padding, more, dilations, groups, data_format, filter_format
    )


@declare(promote=("x", "filters", "bias"), gives="same", case_of="conv_general_dilated")
def depthwise_conv2d(
    x: Array,
    filters: Array,
    /,
    *,
    bias: Array | None = None,
    strides: int | Sequence[int] = 1,
    padding: str | int | Sequence[int] | Sequence[Sequence[int]] = "valid",
    dilations: int | Sequence[int] = 1,
    data_format: str = "channels_first",
    filter_format: str = "channels_first",
    out: Array | None = None,
) -> Array:
    """Convolve each channel over two axes with its own filters.

    Parameters
    ----------
    x
        Numeric array of shape `(N, C, H, W)`, or `(N, H, W, C)` with channels last.
    filters
        Array of shape `(C, M, KH, KW)`, or `(KH, KW, C, M)` with channels last: `M` filters for each channel.
    bias
        Bias of each output channel, of shape `(C * M,)`.
    strides, padding, dilations
        As those of `conv2d`.
    data_format, filter_format
        `"channels_first"` or `"channels_last"`, of the arrays and of the filters.
    out
        Array that receives the result.

    Returns
    -------
    Array of the promoted dtype, with `C * M` channels: all of the first one, then all of the second.

    Raises
    ------
    ValueError
        If shapes do not fit, an option is unknown, or a filter reaches beyond the padded array.
    TypeError
        If truth values are given, or an option is no integer.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([[[[1, 2]], [[3, 4]]]])
    >>> ca.depthwise_conv2d(x, ca.asarray([[[[1]]], [[[10]]]])).tolist()
    [[[[1, 2]], [[30, 40]]]]

    Notes
    -----
    As `tf.nn.depthwise_conv2d`: a `conv2d` with as many groups as channels.
    """
    channels, _ = spatial_shape("depthwise_conv2d", tuple(x.shape), data_format, 2)
    shape = tuple(filters.shape)
    first = filter_format == "channels_first"
    if len(shape) != 4 or (shape[0] if first else shape[2]) != channels or channels == 0:
        raise CoreArrayValueError(
            f"'depthwise_conv2d' got an array of shape {tuple(x.shape)} and filters of shape {shape}; these have 4 axes, with "
            f"the channels of the array in one ({data_format=}, {filter_format=})"
        )
    filters = xp.reshape(filters, (-1, 1, *shape[2:]) if first else (*shape[:2], 1, -1))
    return _convolved(
        "depthwise_conv2d", 2, x, filters, bias, strides, padding, dilations, channels, data_format, filter_format
    )


@declare(promote=("x", "filters", "bias"), gives="same")
def conv_general_dilated(
    x: Array,
    filters: Array,
    /,
    *,
    bias: Array | None = None,
    strides: int | Sequence[int] = 1,
    padding: str | int | Sequence[int] | Sequence[Sequence[int]] = "valid",
    dilations: int | Sequence[int] = 1,
    x_dilations: int | Sequence[int] = 1,
    groups: int = 1,
    data_format: str = "channels_first",
    filter_format: str = "channels_first",
    out: Array | None = None,
) -> Array:
    """Convolve over any number of axes, with strides, groups and dilation of filters and input.

    Parameters
    ----------
    x
        Numeric array of shape `(N, C, ...)`, or `(N, ..., C)` with channels last, with at least three axes.
    filters
        Array of shape `(O, C / groups, *kernel)`, or `(*kernel, C / groups, O)` with channels last.
    bias
        Bias of each output channel, of shape `(O,)`.
    strides
        Distance from one place of the filters to the next: an integer, or one for each axis.
    padding
        `"valid"` for none; `"same"` for so many zeros that the result is as long as the array divided by the stride, rounded
        up, and of an odd number one more behind; an integer for all ends, one for each axis, or one pair `(before, after)` for
        each axis;
        negative numbers cut elements off.
    dilations
        Distance from one element of a filter to the next: an integer, or one for each axis.
    x_dilations
        Distance from one element of the array to the next, with zeros between them: an integer, or one for each axis. What is
        padded is the array with the zeros.
    groups
        Into how many groups of neighbours channels and filters are divided; each group of filters sees its channels only.
    data_format, filter_format
        `"channels_first"` or `"channels_last"`, of the arrays and of the filters.
    out
        Array that receives the result.

    Returns
    -------
    Array of the promoted dtype, with `O` channels. Integers wrap around.

    Raises
    ------
    ValueError
        If shapes do not fit, an option is unknown, or a filter reaches beyond the padded array.
    TypeError
        If truth values are given, or an option is no integer.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([[[1, 2, 3]]])
    >>> ca.conv_general_dilated(x, ca.asarray([[[1, 10]]]), x_dilations=2).tolist()
    [[[1, 20, 2, 30]]]

    Notes
    -----
    As `jax.lax.conv_general_dilated`, whose `lhs_dilation` is here `x_dilations`, and `rhs_dilation` is `dilations`.
    """
    windows = read_convolution(
        "conv_general_dilated",
        x.shape,
        filters.shape,
        _shape(bias),
        strides,
        padding,
        dilations,
        x_dilations,
        groups,
        data_format,
        filter_format,
    )
    _check_numbers("conv_general_dilated", x)
    dtype = x.dtype
    x, filters = (_widened(part) for part in (x, filters))
    if data_format == "channels_first":
        x = xp.moveaxis(x, 1, -1)
    if filter_format == "channels_first":
        filters = xp.moveaxis(filters, (1, 0), (-2, -1))
    *kernel, inside, number = filters.shape
    size, batch = math.prod(kernel) * inside, -1 if x.shape[0] is None else x.shape[0]
    x = _padded(_spaced(x, windows.x_dilations), windows.padding)
    axes = tuple(range(1, x.ndim - 1))
    columns = xp.sliding_window(x, windows.kernel, axis=axes, strides=windows.strides, dilations=windows.dilations)
    rows = -1 if batch < 0 else batch * math.prod(windows.lengths)
    columns = xp.moveaxis(xp.reshape(columns, (rows, groups, size)), 1, 0)
    weights = xp.reshape(xp.moveaxis(filters, -2, 0), (size, groups, number // groups))
    product = xp.moveaxis(xp.matmul(columns, xp.moveaxis(weights, 1, 0)), 0, 1)
    result = xp.reshape(product, (batch, *windows.lengths, number))
    if bias is not None:
        result = result + _widened(bias)
    if data_format == "channels_first":
        result = xp.moveaxis(result, -1, 1)
    return xp.astype(result, dtype, copy=False)


@declare(promote=("x", "filters", "bias"), gives="same")
def conv_general_transpose(
    x: Array,
    filters: Array,
    /,
    *,
    bias: Array | None = None,
    strides: int | Sequence[int] = 1,
    padding: str | int | Sequence[int] | Sequence[Sequence[int]] = "valid",
    output_padding: int | Sequence[int] = 0,
    output_shape: int | Sequence[int] | None = None,
    dilations: int | Sequence[int] = 1,
    groups: int = 1,
    data_format: str = "channels_first",
    filter_format: str = "channels_first",
    out: Array | None = None,
) -> Array:
    """Compute the transposed convolution over any number of axes.

    Parameters
    ----------
    x
        Numeric array of shape `(N, C, ...)`, or `(N, ..., C)` with channels last, with at least three axes.
    filters
        Array of shape `(C, O / groups, *kernel)`, or `(*kernel, O / groups, C)` with channels last.
    bias
        Bias of each output channel, of shape `(O,)`.
    strides
        Distance in the result from what one element is spread to to the next: an integer, or one for each axis.
    padding
        Padding, which crops the whole result of length `(L - 1) * stride + (K - 1) * dilation + 1`: nothing for `"valid"`;
        for `"same"` so much that it is as long as the array times the stride; else as many elements as a convolution with
        the same options would pad: an integer for all ends, one for each axis, or one pair `(before, after)` for each axis.
    output_padding
        By how much longer the result is at the ends of axes: an integer, or one for each axis, smaller than the stride or the
        dilation.
    output_shape
        How long these axes of the result are, in the place of `output_padding`.
    dilations
        Distance from one element of a filter to the next: an integer, or one for each axis.
    groups
        Into how many groups of neighbours the channels of the array and of the result are divided.
    data_format, filter_format
        `"channels_first"` or `"channels_last"`, of the arrays and of the filters.
    out
        Array that receives the result.

    Returns
    -------
    Array of the promoted dtype, with `O` channels. Integers wrap around.

    Raises
    ------
    ValueError
        If shapes do not fit, an option is unknown, or nothing of the result would be left.
    TypeError
        If truth values are given, or an option is no integer.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([[[1, 2]]])
    >>> ca.conv_general_transpose(x, ca.asarray([[[1, 10, 100]]]), strides=2, padding="same").tolist()
    [[[1, 10, 102, 20]]]

    Notes
    -----
    As `torch.nn.functional.conv_transpose2d`: the gradient of a convolution by its input.
    """
    windows = read_transposed(
        "conv_general_transpose",
        x.shape,
        filters.shape,
        _shape(bias),
        strides,
        padding,
        output_padding,
        output_shape,
        dilations,
        groups,
        data_format,
        filter_format,
    )
    _check_numbers("conv_general_transpose", x)
    if filter_format == "channels_first":
        filters = xp.moveaxis(filters, (1, 0), (-2, -1))
    *kernel, number, channels = filters.shape
    filters = xp.reshape(
        xp.flip(filters, axis=tuple(range(len(kernel)))), (*kernel, number, groups, channels // groups)
    )
    filters = xp.reshape(xp.swapaxes(filters, -1, -3), (*kernel, channels // groups, groups * number))
    edges = [
        ((size - 1) * dilation - before, (size - 1) * dilation - after)
        for size, dilation, (before, after) in zip(kernel, windows.dilations, windows.padding, strict=True)
    ]
    return xp.conv_general_dilated(
        x,
        filters,
        bias=bias,
        padding=edges,
        dilations=windows.dilations,
        x_dilations=windows.strides,
        groups=groups,
        data_format=data_format,
        filter_format="channels_last",
    )


def _convolved(
    name: str,
    count: int,
    x: Array,
    filters: Array,
    bias: Array | None,
    strides: Any,
    padding: Any,
    dilations: Any,
    groups: int,
    data_format: str,
    filter_format: str,
) -> Array:
    """Check the arguments of a convolution over so many axes, in its name, and compute it."""
    shapes = tuple(x.shape), tuple(filters.shape), _shape(bias)
    read_convolution(name, *shapes, strides, padding, dilations, 1, groups, data_format, filter_format, count=count)
    _check_numbers(name, x)
    return xp.conv_general_dilated(
        x,
        filters,
        bias=bias,
        strides=strides,
        padding=padding,
        dilations=dilations,
        groups=groups,
        data_format=data_format,
        filter_format=filter_format,
    )


def _transposed(
    name: str,
    count: int,
    x: Array,
    filters: Array,
    bias: Array | None,
    strides: Any,
    padding: Any,
    more: Any,
    dilations: Any,
    groups: int,
    data_format: str,
    filter_format: str,
) -> Array:
    """Check the arguments of a transposed convolution over so many axes, in its name, and compute it."""
    formats = {"data_format": data_format, "filter_format": filter_format}
    options = {"strides": strides, "padding": padding, "dilations": dilations, "groups": groups, **formats, **more}
    read_transposed(name, tuple(x.shape), tuple(filters.shape), _shape(bias), **options, count=count)
    _check_numbers(name, x)
    return xp.conv_general_transpose(x, filters, bias=bias, **options)


def _check_numbers(name: str, x: Array) -> None:
    if xp.isdtype(x.dtype, "bool"):
        raise CoreArrayTypeError(f"'{name}' got truth values; cast them to a dtype of numbers")


def _shape(x: Array | None) -> Sequence[int] | None:
    return None if x is None else tuple(x.shape)


def _spaced(x: Array, distances: Sequence[int], value: complex = 0) -> Array:
    """Put zeros, or another number, between the elements along the axes between the first and the last."""
    if all(distance == 1 for distance in distances):
        return x
    batch, *lengths, channels = (-1 if length is None else length for length in x.shape)
    x = xp.reshape(x, (batch, *(part for length in lengths for part in (length, 1)), channels))
    x = xp.pad(
        x,
        [(0, 0), *(pair for distance in distances for pair in ((0, 0), (0, distance - 1))), (0, 0)],
        constant_values=value,
    )
    x = xp.reshape(x, (batch, *map(operator.mul, lengths, distances), channels))
    ends = [max(length * distance - distance + 1, 0) for length, distance in zip(lengths, distances, strict=True)]
    return x[(slice(None), *(slice(0, end) for end in ends), ...)]


def _padded(x: Array, pairs: Sequence[tuple[int, int]], value: complex = 0) -> Array:
    """Put zeros, or another number, around the elements along the axes between the first and the last, or cut some off."""
    widths = [(0, 0), *((max(before, 0), max(after, 0)) for before, after in pairs), (0, 0)]
    x = xp.pad(x, widths, constant_values=value) if any(map(any, widths)) else x
    if all(width >= 0 for pair in pairs for width in pair):
        return x
    kept = [slice(max(-before, 0), min(after, 0) or None) for before, after in pairs]
    return x[(slice(None), *kept, ...)]
