"""Convolutions and transposed convolutions over 1 to 3 axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from corearray.errors import CoreArrayValueError
from corearray.functional.convolution import (
    conv1d,
    conv1d_transpose,
    conv2d,
    conv2d_transpose,
    conv3d,
    conv3d_transpose,
)
from corearray.functional.manipulation import expand_dims, squeeze
from corearray.functional.padding import pad
from corearray.nn.arguments import drawn_bias, one_of, positive, sizes, uniform
from corearray.nn.module import Module

if TYPE_CHECKING:
    from corearray.arrays.array import Array
    from corearray.random import Generator
    from corearray.types.devices import Device
    from corearray.types.dtypes import DType

__all__ = [
    "Conv1d",
    "Conv2d",
    "Conv3d",
    "ConvTranspose1d",
    "ConvTranspose2d",
    "ConvTranspose3d",
]


#: What `corearray list-functions` says of the classes here.
__kind__ = "convenience"


class _Conv(Module):
    """A convolution over some number of axes, without a constructor of its own."""

    weight: Array
    bias: Array | None

    def __init__(
        self, axes: int, in_channels: Any, out_channels: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any,
        groups: Any, bias: bool, padding_mode: str, generator: Any, dtype: Any, device: Any,
    ) -> None:  # fmt: skip
        layer = type(self).__name__
        made = {"generator": generator, "dtype": dtype, "device": device}
        kernel, groups, inner, size = _channels(layer, axes, in_channels, out_channels, kernel_size, groups)
        bound = 1.0 / math.sqrt(inner // groups * math.prod(kernel))
        self.weight = uniform(layer, (size, inner // groups, *kernel), bound, **made)
        self.bias = drawn_bias(layer, bias, size, bound, **made)
        self.stride = sizes(layer, "stride", stride, axes)
        self.dilation = sizes(layer, "dilation", dilation, axes)
        self.padding: str | tuple[int, ...] = (
            one_of(layer, "padding", padding, ("valid", "same"))
            if isinstance(padding, str)
            else sizes(layer, "padding", padding, axes, 0)
        )
        if self.padding == "same" and set(self.stride) != {1}:
            raise CoreArrayValueError(f"'{layer}' with padding='same' has the stride 1, got {stride!r}")
        self.groups = groups
        self.padding_mode = one_of(layer, "padding_mode", padding_mode, tuple(_MODES))

    def forward(self, x: Array, /) -> Array:
        """Convolve an array of the shape `(N, C, ...)`, or `(C, ...)` for one without a batch."""
        axes = len(self.stride)
        single = x.ndim == axes + 1
        if single:
            x = expand_dims(x, axis=0)
        padding = self.padding
        if self.padding_mode != "zeros":
            x = pad(x, ((0, 0), (0, 0), *self._ends()), mode=_MODES[self.padding_mode])
            padding = "valid"
        y = _FORWARD[axes](
            x,
            self.weight,
            bias=self.bias,
            strides=self.stride,
            padding=padding,
            dilations=self.dilation,
            groups=self.groups,
        )
        return squeeze(y, axis=0) if single else y

    def _ends(self) -> list[tuple[int, int]]:
        if isinstance(self.padding, tuple):
            return [(p, p) for p in self.padding]
        if self.padding == "valid":
            return [(0, 0)] * len(self.stride)
        spans = [d * (k - 1) for d, k in zip(self.dilation, self.weight.shape[2:], strict=True)]
        return [(span // 2, span - span // 2) for span in spans]


class _ConvTranspose(Module):
    """A transposed convolution over some number of axes, without a constructor of its own."""

    weight: Array
    bias: Array | None

    def __init__(
        self, axes: int, in_channels: Any, out_channels: Any, kernel_size: Any, stride: Any, padding: Any,
        output_padding: Any, groups: Any, bias: bool, dilation: Any, padding_mode: str, generator: Any, dtype: Any,
        device: Any,
    ) -> None:  # fmt: skip
        layer = type(self).__name__
        one_of(layer, "padding_mode", padding_mode, ("zeros",))
        made = {"generator": generator, "dtype": dtype, "device": device}
        kernel, groups, inner, size = _channels(layer, axes, in_channels, out_channels, kernel_size, groups)
        bound = 1.0 / math.sqrt(size // groups * math.prod(kernel))
        self.weight = uniform(layer, (inner, size // groups, *kernel), bound, **made)
        self.bias = drawn_bias(layer, bias, size, bound, **made)
        self.stride = sizes(layer, "stride", stride, axes)
        self.padding = sizes(layer, "padding", padding, axes, 0)
        self.output_padding = sizes(layer, "output_padding", output_padding, axes, 0)
        self.dilation = sizes(layer, "dilation", dilation, axes)
        self.groups = groups

    def forward(self, x: Array, /) -> Array:
        """Convolve an array of the shape `(N, C, ...)`, or `(C, ...)` for one without a batch."""
        axes = len(self.stride)
        single = x.ndim == axes + 1
        if single:
            x = expand_dims(x, axis=0)
        y = _BACK[axes](
            x, self.weight, bias=self.bias, strides=self.stride, padding=self.padding,
            output_padding=self.output_padding, dilations=self.dilation, groups=self.groups,
        )  # fmt: skip
        return squeeze(y, axis=0) if single else y


_FORWARD = {1: conv1d, 2: conv2d, 3: conv3d}
_BACK = {1: conv1d_transpose, 2: conv2d_transpose, 3: conv3d_transpose}
_MODES = {"zeros": "constant", "reflect": "reflect", "replicate": "edge", "circular": "wrap"}


def _channels(
    layer: str, axes: int, in_channels: Any, out_channels: Any, kernel_size: Any, groups: Any
) -> tuple[tuple[int, ...], int, int, int]:
    inner, size = positive(layer, "in_channels", in_channels), positive(layer, "out_channels", out_channels)
    groups = positive(layer, "groups", groups)
    if inner % groups or size % groups:
        raise CoreArrayValueError(f"'{layer}' needs channels that 'groups' divides, got {inner} and {size} by {groups}")
    return sizes(layer, "kernel_size", kernel_size, axes), groups, inner, size


class Conv1d(_Conv):
    """A convolution of sequences: at each place the sum of the products of a window with each filter, plus a bias.

    It takes an array of the shape `(N, C, L)`, or one without a batch. An axis of the length `L` gets the length
    `(L + 2 * padding - dilation * (kernel_size - 1) - 1) // stride + 1`.

    Parameters
    ----------
    in_channels, out_channels
        Numbers of channels.
    kernel_size
        Size of a window: an integer, or one for each axis; so are `stride`, `padding` and `dilation`.
    stride
        Distance between windows.
    padding
        Number of elements added to both ends of an axis, `"valid"` for none, or `"same"` for a result as long as the array.
    dilation
        Distance between the elements of a window.
    groups
        Number of groups of channels that are convolved apart.
    bias
        Whether to add a number to each channel.
    padding_mode
        Values of the padding: `"zeros"`, `"reflect"`, `"replicate"` or `"circular"`.
    generator, dtype, device
        As in `Linear`.

    Attributes
    ----------
    weight
        Array of the shape `(out_channels, in_channels // groups, *kernel_size)`.
    bias
        Array of the shape `(out_channels,)`, or `None`.

    Raises
    ------
    TypeError, ValueError
        If a size is no integer, or does not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Conv1d(3, 4, 3)(ca.ones((2, 3, 8))).shape
    Shape((2, 4, 6))

    Notes
    -----
    `torch.nn.Conv1d`. Weights and bias begin uniform in `±1 / sqrt(in_channels // groups * prod(kernel_size))`.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] = 1,
        padding: int | Sequence[int] | str = 0,
        dilation: int | Sequence[int] = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        *,
        generator: Generator | None = None,
        dtype: DType | str | None = None,
        device: Device | str | None = None,
    ) -> None:
        super().__init__(
            1, in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, generator,
            dtype, device,
        )  # fmt: skip


class ConvTranspose1d(_ConvTranspose):
    """A transposed convolution of sequences: the derivative of `Conv1d` by its input, as a layer that enlarges.

    It takes an array of the shape `(N, C, L)`, or one without a batch. An axis of the length `L` gets the length
    `(L - 1) * stride - 2 * padding + dilation * (kernel_size - 1) + output_padding + 1`.

    Parameters
    ----------
    in_channels, out_channels, kernel_size, stride, groups, bias, dilation, generator, dtype, device
        As in `Conv1d`.
    padding
        Number of elements left out at both ends of the result.
    output_padding
        Number of elements added at the second end of the result; smaller than `stride` or `dilation`.
    padding_mode
        `"zeros"`, the only mode, as in torch.

    Attributes
    ----------
    weight
        Array of the shape `(in_channels, out_channels // groups, *kernel_size)`.
    bias
        Array of the shape `(out_channels,)`, or `None`.

    Raises
    ------
    TypeError, ValueError
        If a size is no integer, or does not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.ConvTranspose1d(3, 4, 3, stride=2)(ca.ones((2, 3, 8))).shape
    Shape((2, 4, 17))

    Notes
    -----
    `torch.nn.ConvTranspose1d`.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] = 1,
        padding: int | Sequence[int] = 0,
        output_padding: int | Sequence[int] = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: int | Sequence[int] = 1,
        padding_mode: str = "zeros",
        *,
        generator: Generator | None = None,
        dtype: DType | str | None = None,
        device: Device | str | None = None,
    ) -> None:
        super().__init__(
            1, in_channels, out_channels, kernel_size, stride, padding, output_padding, groups, bias, dilation,
            padding_mode, generator, dtype, device,
        )  # fmt: skip


class Conv2d(_Conv):
    """A convolution of images: at each place the sum of the products of a window with each filter, plus a bias.

    It takes an array of the shape `(N, C, H, W)`, or one without a batch. An axis of the length `L` gets the length
    `(L + 2 * padding - dilation * (kernel_size - 1) - 1) // stride + 1`.

    Parameters
    ----------
    in_channels, out_channels
        Numbers of channels.
    kernel_size
        Size of a window: an integer, or one for each axis; so are `stride`, `padding` and `dilation`.
    stride
        Distance between windows.
    padding
        Number of elements added to both ends of an axis, `"valid"` for none, or `"same"` for a result as long as the array.
    dilation
        Distance between the elements of a window.
    groups
        Number of groups of channels that are convolved apart.
    bias
        Whether to add a number to each channel.
    padding_mode
        Values of the padding: `"zeros"`, `"reflect"`, `"replicate"` or `"circular"`.
    generator, dtype, device
        As in `Linear`.

    Attributes
    ----------
    weight
        Array of the shape `(out_channels, in_channels // groups, *kernel_size)`.
    bias
        Array of the shape `(out_channels,)`, or `None`.

    Raises
    ------
    TypeError, ValueError
        If a size is no integer, or does not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Conv2d(3, 4, 3)(ca.ones((2, 3, 8, 8))).shape
    Shape((2, 4, 6, 6))

    Notes
    -----
    `torch.nn.Conv2d`. Weights and bias begin uniform in `±1 / sqrt(in_channels // groups * prod(kernel_size))`.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] = 1,
        padding: int | Sequence[int] | str = 0,
        dilation: int | Sequence[int] = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        *,
        generator: Generator | None = None,
        dtype: DType | str | None = None,
        device: Device | str | None = None,
    ) -> None:
        super().__init__(
            2, in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, generator,
            dtype, device,
        )  # fmt: skip


class ConvTranspose2d(_ConvTranspose):
    """A transposed convolution of images: the derivative of `Conv2d` by its input, as a layer that enlarges.

    It takes an array of the shape `(N, C, H, W)`, or one without a batch. An axis of the length `L` gets the length
    `(L - 1) * stride - 2 * padding + dilation * (kernel_size - 1) + output_padding + 1`.

    Parameters
    ----------
    in_channels, out_channels, kernel_size, stride, groups, bias, dilation, generator, dtype, device
        As in `Conv2d`.
    padding
        Number of elements left out at both ends of the result.
    output_padding
        Number of elements added at the second end of the result; smaller than `stride` or `dilation`.
    padding_mode
        `"zeros"`, the only mode, as in torch.

    Attributes
    ----------
    weight
        Array of the shape `(in_channels, out_channels // groups, *kernel_size)`.
    bias
        Array of the shape `(out_channels,)`, or `None`.

    Raises
    ------
    TypeError, ValueError
        If a size is no integer, or does not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.ConvTranspose2d(3, 4, 3, stride=2)(ca.ones((2, 3, 8, 8))).shape
    Shape((2, 4, 17, 17))

    Notes
    -----
    `torch.nn.ConvTranspose2d`.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] = 1,
        padding: int | Sequence[int] = 0,
        output_padding: int | Sequence[int] = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: int | Sequence[int] = 1,
        padding_mode: str = "zeros",
        *,
        generator: Generator | None = None,
        dtype: DType | str | None = None,
        device: Device | str | None = None,
    ) -> None:
        super().__init__(
            2, in_channels, out_channels, kernel_size, stride, padding, output_padding, groups, bias, dilation,
            padding_mode, generator, dtype, device,
        )  # fmt: skip


class Conv3d(_Conv):
    """A convolution of volumes: at each place the sum of the products of a window with each filter, plus a bias.

    It takes an array of the shape `(N, C, D, H, W)`, or one without a batch. An axis of the length `L` gets the length
    `(L + 2 * padding - dilation * (kernel_size - 1) - 1) // stride + 1`.

    Parameters
    ----------
    in_channels, out_channels
        Numbers of channels.
    kernel_size
        Size of a window: an integer, or one for each axis; so are `stride`, `padding` and `dilation`.
    stride
        Distance between windows.
    padding
        Number of elements added to both ends of an axis, `"valid"` for none, or `"same"` for a result as long as the array.
    dilation
        Distance between the elements of a window.
    groups
        Number of groups of channels that are convolved apart.
    bias
        Whether to add a number to each channel.
    padding_mode
        Values of the padding: `"zeros"`, `"reflect"`, `"replicate"` or `"circular"`.
    generator, dtype, device
        As in `Linear`.

    Attributes
    ----------
    weight
        Array of the shape `(out_channels, in_channels // groups, *kernel_size)`.
    bias
        Array of the shape `(out_channels,)`, or `None`.

    Raises
    ------
    TypeError, ValueError
        If a size is no integer, or does not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Conv3d(3, 4, 3)(ca.ones((2, 3, 8, 8, 8))).shape
    Shape((2, 4, 6, 6, 6))

    Notes
    -----
    `torch.nn.Conv3d`. Weights and bias begin uniform in `±1 / sqrt(in_channels // groups * prod(kernel_size))`.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] = 1,
        padding: int | Sequence[int] | str = 0,
        dilation: int | Sequence[int] = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        *,
        generator: Generator | None = None,
        dtype: DType | str | None = None,
        device: Device | str | None = None,
    ) -> None:
        super().__init__(
            3, in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, generator,
            dtype, device,
        )  # fmt: skip


class ConvTranspose3d(_ConvTranspose):
    """A transposed convolution of volumes: the derivative of `Conv3d` by its input, as a layer that enlarges.

    It takes an array of the shape `(N, C, D, H, W)`, or one without a batch. An axis of the length `L` gets the length
    `(L - 1) * stride - 2 * padding + dilation * (kernel_size - 1) + output_padding + 1`.

    Parameters
    ----------
    in_channels, out_channels, kernel_size, stride, groups, bias, dilation, generator, dtype, device
        As in `Conv3d`.
    padding
        Number of elements left out at both ends of the result.
    output_padding
        Number of elements added at the second end of the result; smaller than `stride` or `dilation`.
    padding_mode
        `"zeros"`, the only mode, as in torch.

    Attributes
    ----------
    weight
        Array of the shape `(in_channels, out_channels // groups, *kernel_size)`.
    bias
        Array of the shape `(out_channels,)`, or `None`.

    Raises
    ------
    TypeError, ValueError
        If a size is no integer, or does not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.ConvTranspose3d(3, 4, 3, stride=2)(ca.ones((2, 3, 8, 8, 8))).shape
    Shape((2, 4, 17, 17, 17))

    Notes
    -----
    `torch.nn.ConvTranspose3d`.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] = 1,
        padding: int | Sequence[int] = 0,
        output_padding: int | Sequence[int] = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: int | Sequence[int] = 1,
        padding_mode: str = "zeros",
        *,
        generator: Generator | None = None,
        dtype: DType | str | None = None,
        device: Device | str | None = None,
    ) -> None:
        super().__init__(
            3, in_channels, out_channels, kernel_size, stride, padding, output_padding, groups, bias, dilation,
            padding_mode, generator, dtype, device,
        )  # fmt: skip
