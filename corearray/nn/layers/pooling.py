"""Pooling over 1 to 3 axes: maxima, means and power means of windows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from corearray.errors import CoreArrayValueError
from corearray.functional.activations import relu
from corearray.functional.elementwise import abs, sign
from corearray.functional.manipulation import flip
from corearray.functional.patches import (
    fractional_max_pool,
    max_pool_with_indices,
    max_unpool1d,
    max_unpool2d,
    max_unpool3d,
)
from corearray.functional.pooling import (
    adaptive_avg_pool1d,
    adaptive_avg_pool2d,
    adaptive_avg_pool3d,
    adaptive_max_pool1d,
    adaptive_max_pool2d,
    adaptive_max_pool3d,
    avg_pool1d,
    avg_pool2d,
    avg_pool3d,
    max_pool1d,
    max_pool2d,
    max_pool3d,
)
from corearray.nn.arguments import sizes, without_batch
from corearray.nn.marks import Buffer
from corearray.nn.module import Module
from corearray.nn.windows import maxima_with_places

if TYPE_CHECKING:
    from corearray.arrays.array import Array

__all__ = [
    "AdaptiveAvgPool1d",
    "AdaptiveAvgPool2d",
    "AdaptiveAvgPool3d",
    "AdaptiveMaxPool1d",
    "AdaptiveMaxPool2d",
    "AdaptiveMaxPool3d",
    "AvgPool1d",
    "AvgPool2d",
    "AvgPool3d",
    "FractionalMaxPool2d",
    "FractionalMaxPool3d",
    "LPPool1d",
    "LPPool2d",
    "LPPool3d",
    "MaxPool1d",
    "MaxPool2d",
    "MaxPool3d",
    "MaxUnpool1d",
    "MaxUnpool2d",
    "MaxUnpool3d",
]


#: What `corearray list-functions` says of the classes here.
__kind__ = "convenience"


class _Pool(Module):
    """A layer of windows over some number of axes, without a constructor of its own."""

    def __init__(self, axes: int, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool) -> None:
        layer = type(self).__name__
        self.kernel_size = sizes(layer, "kernel_size", kernel_size, axes)
        self.stride = self.kernel_size if stride is None else sizes(layer, "stride", stride, axes)
        self.padding = sizes(layer, "padding", padding, axes, 0)
        if any(2 * p > k for p, k in zip(self.padding, self.kernel_size, strict=True)):
            raise CoreArrayValueError(f"'padding' of '{layer}' is at most half of 'kernel_size', got {padding!r}")
        self.ceil_mode = ceil_mode

    def _options(self) -> dict[str, Any]:
        return {"strides": self.stride, "padding": self.padding, "ceil_mode": self.ceil_mode}


class AdaptiveAvgPool1d(Module):
    """The mean of each of a given number of windows of sequences, which cover them evenly.

    It takes an array of the shape `(N, C, L)`, or one without a batch.

    Parameters
    ----------
    output_size
        Number of windows along the axes: an integer, or one for each axis; `None` for as many as there are elements.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.AdaptiveAvgPool1d(4)(ca.ones((2, 3, 8))).shape
    Shape((2, 3, 4))

    Notes
    -----
    `torch.nn.AdaptiveAvgPool1d`.
    """

    def __init__(self, output_size: int | Sequence[int | None] | None) -> None:
        self.output_size = output_size

    def forward(self, x: Array, /) -> Array:
        """Return the means."""
        found: Array = without_batch(x, 1, lambda x: adaptive_avg_pool1d(x, self.output_size))
        return found


class AdaptiveAvgPool2d(Module):
    """The mean of each of a given number of windows of images, which cover them evenly.

    It takes an array of the shape `(N, C, H, W)`, or one without a batch.

    Parameters
    ----------
    output_size
        Number of windows along the axes: an integer, or one for each axis; `None` for as many as there are elements.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.AdaptiveAvgPool2d(4)(ca.ones((2, 3, 8, 8))).shape
    Shape((2, 3, 4, 4))

    Notes
    -----
    `torch.nn.AdaptiveAvgPool2d`.
    """

    def __init__(self, output_size: int | Sequence[int | None] | None) -> None:
        self.output_size = output_size

    def forward(self, x: Array, /) -> Array:
        """Return the means."""
        found: Array = without_batch(x, 2, lambda x: adaptive_avg_pool2d(x, self.output_size))
        return found


class AdaptiveAvgPool3d(Module):
    """The mean of each of a given number of windows of volumes, which cover them evenly.

    It takes an array of the shape `(N, C, D, H, W)`, or one without a batch.

    Parameters
    ----------
    output_size
        Number of windows along the axes: an integer, or one for each axis; `None` for as many as there are elements.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.AdaptiveAvgPool3d(4)(ca.ones((2, 3, 8, 8, 8))).shape
    Shape((2, 3, 4, 4, 4))

    Notes
    -----
    `torch.nn.AdaptiveAvgPool3d`.
    """

    def __init__(self, output_size: int | Sequence[int | None] | None) -> None:
        self.output_size = output_size

    def forward(self, x: Array, /) -> Array:
        """Return the means."""
        found: Array = without_batch(x, 3, lambda x: adaptive_avg_pool3d(x, self.output_size))
        return found


class AdaptiveMaxPool1d(Module):
    """The maximum of each of a given number of windows of sequences, which cover them evenly.

    It takes an array of the shape `(N, C, L)`, or one without a batch.

    Parameters
    ----------
    output_size
        Number of windows along the axes: an integer, or one for each axis; `None` for as many as there are elements.
    return_indices
        Whether to return a pair with the flat places of the maxima, as `MaxPool1d`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.AdaptiveMaxPool1d(4)(ca.ones((2, 3, 8))).shape
    Shape((2, 3, 4))

    Notes
    -----
    `torch.nn.AdaptiveMaxPool1d`.
    """

    def __init__(self, output_size: int | Sequence[int | None] | None, return_indices: bool = False) -> None:
        self.output_size, self.return_indices = output_size, return_indices

    def forward(self, x: Array, /) -> Any:
        """Return the maxima, with `return_indices` a pair of them and their places."""
        if self.return_indices:
            return without_batch(x, 1, lambda x: maxima_with_places(x, self.output_size, 1))
        return without_batch(x, 1, lambda x: adaptive_max_pool1d(x, self.output_size))


class AdaptiveMaxPool2d(Module):
    """The maximum of each of a given number of windows of images, which cover them evenly.

    It takes an array of the shape `(N, C, H, W)`, or one without a batch.

    Parameters
    ----------
    output_size
        Number of windows along the axes: an integer, or one for each axis; `None` for as many as there are elements.
    return_indices
        Whether to return a pair with the flat places of the maxima, as `MaxPool2d`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.AdaptiveMaxPool2d(4)(ca.ones((2, 3, 8, 8))).shape
    Shape((2, 3, 4, 4))

    Notes
    -----
    `torch.nn.AdaptiveMaxPool2d`.
    """

    def __init__(self, output_size: int | Sequence[int | None] | None, return_indices: bool = False) -> None:
        self.output_size, self.return_indices = output_size, return_indices

    def forward(self, x: Array, /) -> Any:
        """Return the maxima, with `return_indices` a pair of them and their places."""
        if self.return_indices:
            return without_batch(x, 2, lambda x: maxima_with_places(x, self.output_size, 2))
        return without_batch(x, 2, lambda x: adaptive_max_pool2d(x, self.output_size))


class AdaptiveMaxPool3d(Module):
    """The maximum of each of a given number of windows of volumes, which cover them evenly.

    It takes an array of the shape `(N, C, D, H, W)`, or one without a batch.

    Parameters
    ----------
    output_size
        Number of windows along the axes: an integer, or one for each axis; `None` for as many as there are elements.
    return_indices
        Whether to return a pair with the flat places of the maxima, as `MaxPool3d`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.AdaptiveMaxPool3d(4)(ca.ones((2, 3, 8, 8, 8))).shape
    Shape((2, 3, 4, 4, 4))

    Notes
    -----
    `torch.nn.AdaptiveMaxPool3d`.
    """

    def __init__(self, output_size: int | Sequence[int | None] | None, return_indices: bool = False) -> None:
        self.output_size, self.return_indices = output_size, return_indices

    def forward(self, x: Array, /) -> Any:
        """Return the maxima, with `return_indices` a pair of them and their places."""
        if self.return_indices:
            return without_batch(x, 3, lambda x: maxima_with_places(x, self.output_size, 3))
        return without_batch(x, 3, lambda x: adaptive_max_pool3d(x, self.output_size))


class AvgPool1d(_Pool):
    """The mean of each window of sequences.

    It takes an array of the shape `(N, C, L)`, or one without a batch.

    Parameters
    ----------
    kernel_size, stride, padding, ceil_mode
        As in `MaxPool1d`; the padding are zeros.
    count_include_pad
        Whether the means count the padding.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.AvgPool1d(2)(ca.ones((2, 3, 8))).shape
    Shape((2, 3, 4))

    Notes
    -----
    `torch.nn.AvgPool1d`.
    """

    def __init__(
        self,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] | None = None,
        padding: int | Sequence[int] = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__(1, kernel_size, stride, padding, ceil_mode)
        self.count_include_pad = count_include_pad

    def forward(self, x: Array, /) -> Array:
        """Return the means."""
        options = self._options() | {"count_include_pad": self.count_include_pad}
        found: Array = without_batch(x, 1, lambda x: avg_pool1d(x, self.kernel_size, **options))
        return found


class AvgPool2d(_Pool):
    """The mean of each window of images.

    It takes an array of the shape `(N, C, H, W)`, or one without a batch.

    Parameters
    ----------
    kernel_size, stride, padding, ceil_mode
        As in `MaxPool2d`; the padding are zeros.
    count_include_pad
        Whether the means count the padding.
    divisor_override
        Number by which sums are divided in place of the number of elements.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.AvgPool2d(2)(ca.ones((2, 3, 8, 8))).shape
    Shape((2, 3, 4, 4))

    Notes
    -----
    `torch.nn.AvgPool2d`.
    """

    def __init__(
        self,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] | None = None,
        padding: int | Sequence[int] = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__(2, kernel_size, stride, padding, ceil_mode)
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override

    def forward(self, x: Array, /) -> Array:
        """Return the means."""
        options = self._options() | {"count_include_pad": self.count_include_pad}
        options["divisor_override"] = self.divisor_override
        found: Array = without_batch(x, 2, lambda x: avg_pool2d(x, self.kernel_size, **options))
        return found


class AvgPool3d(_Pool):
    """The mean of each window of volumes.

    It takes an array of the shape `(N, C, D, H, W)`, or one without a batch.

    Parameters
    ----------
    kernel_size, stride, padding, ceil_mode
        As in `MaxPool3d`; the padding are zeros.
    count_include_pad
        Whether the means count the padding.
    divisor_override
        Number by which sums are divided in place of the number of elements.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.AvgPool3d(2)(ca.ones((2, 3, 8, 8, 8))).shape
    Shape((2, 3, 4, 4, 4))

    Notes
    -----
    `torch.nn.AvgPool3d`.
    """

    def __init__(
        self,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] | None = None,
        padding: int | Sequence[int] = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__(3, kernel_size, stride, padding, ceil_mode)
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override

    def forward(self, x: Array, /) -> Array:
        """Return the means."""
        options = self._options() | {"count_include_pad": self.count_include_pad}
        options["divisor_override"] = self.divisor_override
        found: Array = without_batch(x, 3, lambda x: avg_pool3d(x, self.kernel_size, **options))
        return found


class _FractionalMaxPool(Module):
    """A layer of windows at random places over some number of axes, without a constructor of its own."""

    def __init__(
        self, axes: int, kernel_size: Any, output_size: Any, output_ratio: Any, return_indices: bool, samples: Any
    ) -> None:
        layer = type(self).__name__
        self.kernel_size = sizes(layer, "kernel_size", kernel_size, axes)
        if (output_size is None) == (output_ratio is None):
            raise CoreArrayValueError(f"'{layer}' takes either 'output_size' or 'output_ratio'")
        self.output_size = None if output_size is None else sizes(layer, "output_size", output_size, axes)
        self.output_ratio = None if output_ratio is None else _ratios(layer, output_ratio, axes)
        self.return_indices = return_indices
        self._random_samples: Any = samples if samples is None else Buffer(samples)

    def _computed(self, x: Array, samples: Array | None) -> Any:
        lengths = x.shape[-len(self.kernel_size) :]
        counts = self.output_size or tuple(
            int(length * ratio) for length, ratio in zip(lengths, self.output_ratio or (), strict=True)
        )

        def compute(x: Array) -> Any:
            found = fractional_max_pool(x, self.kernel_size, counts, samples=samples)
            return tuple(found) if self.return_indices else found.values

        return without_batch(x, len(self.kernel_size), compute)


def _ratios(layer: str, value: Any, axes: int) -> tuple[float, ...]:
    given = tuple(value) if isinstance(value, (list, tuple)) else (value,) * axes
    if len(given) != axes or not all(isinstance(ratio, float) and 0 < ratio < 1 for ratio in given):
        raise CoreArrayValueError(
            f"'output_ratio' of '{layer}' is a number between 0 and 1 or {axes} of them, got {value!r}"
        )
    return given


class FractionalMaxPool2d(_FractionalMaxPool):
    """The maximum of each window of images, with windows at random places that cover these.

    It takes an array of the shape `(N, C, H, W)`, or one without a batch. Window `i` along an axis begins at
    `floor((i + u) * a) - floor(u * a)`, where `a = (length - window) / (output - 1)`, with a random number `u` for each
    channel and axis; the last window ends with the axis. The places are random in evaluation too.

    Parameters
    ----------
    kernel_size
        Size of a window: an integer, or one for each axis.
    output_size
        Number of windows: an integer, or one for each axis.
    output_ratio
        Number of windows as a part of the length, between 0 and 1, in place of `output_size`.
    return_indices
        Whether to return a pair with the flat places of the maxima, for `MaxUnpool2d`.
    _random_samples
        The numbers `u`, an array of the shape `(N, C, 2)`, the number of the last axis first; a buffer.

    Raises
    ------
    ValueError
        If neither or both of `output_size` and `output_ratio` are given, or a number is out of range; when it is called, if
        windows do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.FractionalMaxPool2d(2, (3, 4))(ca.ones((2, 3, 7, 8))).shape
    Shape((2, 3, 3, 4))

    Notes
    -----
    `corearray.fractional_max_pool`; `torch.nn.FractionalMaxPool2d`.
    """

    def __init__(
        self,
        kernel_size: int | Sequence[int],
        output_size: int | Sequence[int] | None = None,
        output_ratio: float | Sequence[float] | None = None,
        return_indices: bool = False,
        _random_samples: Array | None = None,
    ) -> None:
        super().__init__(2, kernel_size, output_size, output_ratio, return_indices, _random_samples)

    def forward(self, x: Array, /) -> Any:
        """Return the maxima, with `return_indices` a pair of them and their places."""
        samples = self._random_samples
        return self._computed(x, samples if samples is None else flip(samples, axis=-1))


class FractionalMaxPool3d(_FractionalMaxPool):
    """The maximum of each window of volumes, with windows at random places that cover these.

    It takes an array of the shape `(N, C, D, H, W)`, or one without a batch. Window `i` along an axis begins at
    `floor((i + u) * a) - floor(u * a)`, where `a = (length - window) / (output - 1)`, with a random number `u` for each
    channel and axis; the last window ends with the axis. The places are random in evaluation too.

    Parameters
    ----------
    kernel_size
        Size of a window: an integer, or one for each axis.
    output_size
        Number of windows: an integer, or one for each axis.
    output_ratio
        Number of windows as a part of the length, between 0 and 1, in place of `output_size`.
    return_indices
        Whether to return a pair with the flat places of the maxima, for `MaxUnpool3d`.
    _random_samples
        The numbers `u`, an array of the shape `(N, C, 3)`, in the order of the axes; a buffer.

    Raises
    ------
    ValueError
        If neither or both of `output_size` and `output_ratio` are given, or a number is out of range; when it is called, if
        windows do not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.FractionalMaxPool3d(2, 3)(ca.ones((2, 3, 7, 8, 9))).shape
    Shape((2, 3, 3, 3, 3))

    Notes
    -----
    `corearray.fractional_max_pool`; `torch.nn.FractionalMaxPool3d`.
    """

    def __init__(
        self,
        kernel_size: int | Sequence[int],
        output_size: int | Sequence[int] | None = None,
        output_ratio: float | Sequence[float] | None = None,
        return_indices: bool = False,
        _random_samples: Array | None = None,
    ) -> None:
        super().__init__(3, kernel_size, output_size, output_ratio, return_indices, _random_samples)

    def forward(self, x: Array, /) -> Any:
        """Return the maxima, with `return_indices` a pair of them and their places."""
        return self._computed(x, self._random_samples)


class LPPool1d(_Pool):
    """The power mean without division of each window of sequences, `sum(x**p) ** (1 / p)`.

    It takes an array of the shape `(N, C, L)`, or one without a batch.

    Parameters
    ----------
    norm_type
        The exponent `p`.
    kernel_size, stride, ceil_mode
        As in `MaxPool1d`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.LPPool1d(2.0, 2)(ca.ones((2, 3, 8))).shape
    Shape((2, 3, 4))

    Notes
    -----
    `torch.nn.LPPool1d`.
    """

    def __init__(
        self,
        norm_type: float,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] | None = None,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__(1, kernel_size, stride, 0, ceil_mode)
        self.norm_type = float(norm_type)

    def forward(self, x: Array, /) -> Array:
        """Return the power means."""
        size = math.prod(self.kernel_size)
        means = without_batch(x, 1, lambda x: avg_pool1d(x**self.norm_type, self.kernel_size, **self._options()))
        return (sign(means) * relu(abs(means)) * size) ** (1.0 / self.norm_type)


class LPPool2d(_Pool):
    """The power mean without division of each window of images, `sum(x**p) ** (1 / p)`.

    It takes an array of the shape `(N, C, H, W)`, or one without a batch.

    Parameters
    ----------
    norm_type
        The exponent `p`.
    kernel_size, stride, ceil_mode
        As in `MaxPool2d`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.LPPool2d(2.0, 2)(ca.ones((2, 3, 8, 8))).shape
    Shape((2, 3, 4, 4))

    Notes
    -----
    `torch.nn.LPPool2d`.
    """

    def __init__(
        self,
        norm_type: float,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] | None = None,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__(2, kernel_size, stride, 0, ceil_mode)
        self.norm_type = float(norm_type)

    def forward(self, x: Array, /) -> Array:
        """Return the power means."""
        size = math.prod(self.kernel_size)
        means = without_batch(x, 2, lambda x: avg_pool2d(x**self.norm_type, self.kernel_size, **self._options()))
        return (sign(means) * relu(abs(means)) * size) ** (1.0 / self.norm_type)


class LPPool3d(_Pool):
    """The power mean without division of each window of volumes, `sum(x**p) ** (1 / p)`.

    It takes an array of the shape `(N, C, D, H, W)`, or one without a batch.

    Parameters
    ----------
    norm_type
        The exponent `p`.
    kernel_size, stride, ceil_mode
        As in `MaxPool3d`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.LPPool3d(2.0, 2)(ca.ones((2, 3, 8, 8, 8))).shape
    Shape((2, 3, 4, 4, 4))

    Notes
    -----
    `torch.nn.LPPool3d`.
    """

    def __init__(
        self,
        norm_type: float,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] | None = None,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__(3, kernel_size, stride, 0, ceil_mode)
        self.norm_type = float(norm_type)

    def forward(self, x: Array, /) -> Array:
        """Return the power means."""
        size = math.prod(self.kernel_size)
        means = without_batch(x, 3, lambda x: avg_pool3d(x**self.norm_type, self.kernel_size, **self._options()))
        return (sign(means) * relu(abs(means)) * size) ** (1.0 / self.norm_type)


class MaxPool1d(_Pool):
    """The maximum of each window of sequences.

    It takes an array of the shape `(N, C, L)`, or one without a batch.

    Parameters
    ----------
    kernel_size
        Size of a window: an integer, or one for each axis; so are `stride`, `padding` and `dilation`.
    stride
        Distance between windows, by default `kernel_size`.
    padding
        Number of elements added to both ends, which are never the maximum.
    dilation
        Distance between the elements of a window.
    return_indices
        Whether to return a pair with the flat places of the maxima, for `MaxUnpool1d`.
    ceil_mode
        Whether the last window may reach beyond the end.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.MaxPool1d(2)(ca.ones((2, 3, 8))).shape
    Shape((2, 3, 4))

    Notes
    -----
    `torch.nn.MaxPool1d`.
    """

    def __init__(
        self,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] | None = None,
        padding: int | Sequence[int] = 0,
        dilation: int | Sequence[int] = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__(1, kernel_size, stride, padding, ceil_mode)
        self.dilation = sizes("MaxPool1d", "dilation", dilation, 1)
        self.return_indices = return_indices

    def forward(self, x: Array, /) -> Any:
        """Return the maxima, with `return_indices` a pair of them and their places."""
        options = self._options() | {"dilations": self.dilation}
        if self.return_indices:
            return without_batch(x, 1, lambda x: tuple(max_pool_with_indices(x, self.kernel_size, **options)))
        return without_batch(x, 1, lambda x: max_pool1d(x, self.kernel_size, **options))


class MaxPool2d(_Pool):
    """The maximum of each window of images.

    It takes an array of the shape `(N, C, H, W)`, or one without a batch.

    Parameters
    ----------
    kernel_size
        Size of a window: an integer, or one for each axis; so are `stride`, `padding` and `dilation`.
    stride
        Distance between windows, by default `kernel_size`.
    padding
        Number of elements added to both ends, which are never the maximum.
    dilation
        Distance between the elements of a window.
    return_indices
        Whether to return a pair with the flat places of the maxima, for `MaxUnpool2d`.
    ceil_mode
        Whether the last window may reach beyond the end.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.MaxPool2d(2)(ca.ones((2, 3, 8, 8))).shape
    Shape((2, 3, 4, 4))

    Notes
    -----
    `torch.nn.MaxPool2d`.
    """

    def __init__(
        self,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] | None = None,
        padding: int | Sequence[int] = 0,
        dilation: int | Sequence[int] = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__(2, kernel_size, stride, padding, ceil_mode)
        self.dilation = sizes("MaxPool2d", "dilation", dilation, 2)
        self.return_indices = return_indices

    def forward(self, x: Array, /) -> Any:
        """Return the maxima, with `return_indices` a pair of them and their places."""
        options = self._options() | {"dilations": self.dilation}
        if self.return_indices:
            return without_batch(x, 2, lambda x: tuple(max_pool_with_indices(x, self.kernel_size, **options)))
        return without_batch(x, 2, lambda x: max_pool2d(x, self.kernel_size, **options))


class MaxPool3d(_Pool):
    """The maximum of each window of volumes.

    It takes an array of the shape `(N, C, D, H, W)`, or one without a batch.

    Parameters
    ----------
    kernel_size
        Size of a window: an integer, or one for each axis; so are `stride`, `padding` and `dilation`.
    stride
        Distance between windows, by default `kernel_size`.
    padding
        Number of elements added to both ends, which are never the maximum.
    dilation
        Distance between the elements of a window.
    return_indices
        Whether to return a pair with the flat places of the maxima, for `MaxUnpool3d`.
    ceil_mode
        Whether the last window may reach beyond the end.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.MaxPool3d(2)(ca.ones((2, 3, 8, 8, 8))).shape
    Shape((2, 3, 4, 4, 4))

    Notes
    -----
    `torch.nn.MaxPool3d`.
    """

    def __init__(
        self,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] | None = None,
        padding: int | Sequence[int] = 0,
        dilation: int | Sequence[int] = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__(3, kernel_size, stride, padding, ceil_mode)
        self.dilation = sizes("MaxPool3d", "dilation", dilation, 3)
        self.return_indices = return_indices

    def forward(self, x: Array, /) -> Any:
        """Return the maxima, with `return_indices` a pair of them and their places."""
        options = self._options() | {"dilations": self.dilation}
        if self.return_indices:
            return without_batch(x, 3, lambda x: tuple(max_pool_with_indices(x, self.kernel_size, **options)))
        return without_batch(x, 3, lambda x: max_pool3d(x, self.kernel_size, **options))


class MaxUnpool1d(_Pool):
    """Put maxima back to their places in sequences of zeros: a partial inverse of `MaxPool1d`.

    It takes an array of the shape `(N, C, L)` and the places of its elements.

    Parameters
    ----------
    kernel_size, stride, padding
        As in the `MaxPool1d`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> pooled, places = nn.MaxPool1d(2, return_indices=True)(ca.ones((2, 3, 8)))
    >>> nn.MaxUnpool1d(2)(pooled, places).shape
    Shape((2, 3, 8))

    Notes
    -----
    `torch.nn.MaxUnpool1d`.
    """

    def __init__(
        self,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] | None = None,
        padding: int | Sequence[int] = 0,
    ) -> None:
        super().__init__(1, kernel_size, stride, padding, False)

    def forward(self, x: Array, indices: Array, /, output_size: Sequence[int] | None = None) -> Array:
        """Return the array; `output_size` is its shape, or the lengths of its last axes."""
        lengths = None if output_size is None else tuple(output_size)[-1:]
        return max_unpool1d(
            x, indices, self.kernel_size, strides=self.stride, padding=self.padding, output_size=lengths
        )


class MaxUnpool2d(_Pool):
    """Put maxima back to their places in images of zeros: a partial inverse of `MaxPool2d`.

    It takes an array of the shape `(N, C, H, W)` and the places of its elements.

    Parameters
    ----------
    kernel_size, stride, padding
        As in the `MaxPool2d`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> pooled, places = nn.MaxPool2d(2, return_indices=True)(ca.ones((2, 3, 8, 8)))
    >>> nn.MaxUnpool2d(2)(pooled, places).shape
    Shape((2, 3, 8, 8))

    Notes
    -----
    `torch.nn.MaxUnpool2d`.
    """

    def __init__(
        self,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] | None = None,
        padding: int | Sequence[int] = 0,
    ) -> None:
        super().__init__(2, kernel_size, stride, padding, False)

    def forward(self, x: Array, indices: Array, /, output_size: Sequence[int] | None = None) -> Array:
        """Return the array; `output_size` is its shape, or the lengths of its last axes."""
        lengths = None if output_size is None else tuple(output_size)[-2:]
        return max_unpool2d(
            x, indices, self.kernel_size, strides=self.stride, padding=self.padding, output_size=lengths
        )


class MaxUnpool3d(_Pool):
    """Put maxima back to their places in volumes of zeros: a partial inverse of `MaxPool3d`.

    It takes an array of the shape `(N, C, D, H, W)` and the places of its elements.

    Parameters
    ----------
    kernel_size, stride, padding
        As in the `MaxPool3d`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> pooled, places = nn.MaxPool3d(2, return_indices=True)(ca.ones((2, 3, 8, 8, 8)))
    >>> nn.MaxUnpool3d(2)(pooled, places).shape
    Shape((2, 3, 8, 8, 8))

    Notes
    -----
    `torch.nn.MaxUnpool3d`.
    """

    def __init__(
        self,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] | None = None,
        padding: int | Sequence[int] = 0,
    ) -> None:
        super().__init__(3, kernel_size, stride, padding, False)

    def forward(self, x: Array, indices: Array, /, output_size: Sequence[int] | None = None) -> Array:
        """Return the array; `output_size` is its shape, or the lengths of its last axes."""
        lengths = None if output_size is None else tuple(output_size)[-3:]
        return max_unpool3d(
            x, indices, self.kernel_size, strides=self.stride, padding=self.padding, output_size=lengths
        )
