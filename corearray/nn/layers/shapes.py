"""Layers without parameters that change shapes, resample, take patches, or compare vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from corearray.functional.channels import channel_shuffle, pixel_shuffle, pixel_unshuffle
from corearray.functional.elementwise import abs
from corearray.functional.interpolation import interpolate
from corearray.functional.linalg import vector_norm
from corearray.functional.manipulation import reshape
from corearray.functional.patches import col2im, im2col
from corearray.functional.rearrangement import flatten, unflatten
from corearray.functional.similarity import cosine_similarity
from corearray.nn.arguments import positive, sizes, without_batch
from corearray.nn.module import Module

if TYPE_CHECKING:
    from corearray.arrays.array import Array

__all__ = [
    "ChannelShuffle", "CosineSimilarity", "Flatten", "Fold", "PairwiseDistance", "PixelShuffle", "PixelUnshuffle",
    "Unflatten", "Unfold", "Upsample", "UpsamplingBilinear2d", "UpsamplingNearest2d",
]  # fmt: skip

#: What `corearray list-functions` says of the classes here.
__kind__ = "convenience"


class Flatten(Module):
    """Join neighbouring axes to one.

    Parameters
    ----------
    start_dim, end_dim
        The first and the last of the axes.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Flatten()(ca.ones((2, 3, 4))).shape
    Shape((2, 12))

    Notes
    -----
    `torch.nn.Flatten`.
    """

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, x: Array, /) -> Array:
        """Return `x` with the axes joined."""
        sizes = list(x.shape)
        if None in sizes:  # while a framework traces for any length of the batch
            start, end = self.start_dim % x.ndim, self.end_dim % x.ndim
            joined = sizes[start : end + 1]
            size = -1 if None in joined else math.prod(joined)
            return reshape(x, [-1 if n is None else n for n in (*sizes[:start], size, *sizes[end + 1 :])])
        return flatten(x, start_axis=self.start_dim, end_axis=self.end_dim)


class Unflatten(Module):
    """Divide an axis into several.

    Parameters
    ----------
    dim
        The axis.
    unflattened_size
        Sizes of the new axes, one of which may be -1.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Unflatten(1, (3, -1))(ca.ones((2, 12))).shape
    Shape((2, 3, 4))

    Notes
    -----
    `torch.nn.Unflatten`.
    """

    def __init__(self, dim: int, unflattened_size: Sequence[int]) -> None:
        self.dim = dim
        self.unflattened_size = tuple(unflattened_size)

    def forward(self, x: Array, /) -> Array:
        """Return `x` with the axis divided."""
        return unflatten(x, self.dim, self.unflattened_size)


class Upsample(Module):
    """Resample the axes behind the channels.

    It takes an array of the shape `(N, C, ...)` with 1 to 3 such axes.

    Parameters
    ----------
    size
        Lengths of the result: an integer, or one for each axis.
    scale_factor
        Factor of the lengths, in place of `size`.
    mode
        `"nearest"`, `"nearest-exact"`, `"linear"`, `"bilinear"`, `"bicubic"` or `"trilinear"`, as in torch, or another mode
        of `interpolate`.
    align_corners
        Whether the corners of array and result are in the same places.
    recompute_scale_factor
        Whether the distance of samples is that of the rounded lengths, and not `1 / scale_factor`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Upsample(scale_factor=2, mode="bilinear")(ca.ones((1, 3, 4, 4))).shape
    Shape((1, 3, 8, 8))

    Notes
    -----
    `torch.nn.Upsample`.
    """

    def __init__(
        self,
        size: int | Sequence[int] | None = None,
        scale_factor: float | Sequence[float] | None = None,
        mode: str = "nearest",
        align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None:
        self.size = size
        self.scale_factor = scale_factor
        self.mode = mode
        self.align_corners = align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def forward(self, x: Array, /) -> Array:
        """Return `x` resampled."""
        size, factor = self.size, self.scale_factor
        if self.recompute_scale_factor and factor is not None:
            factors = factor if isinstance(factor, (list, tuple)) else (factor,) * (x.ndim - 2)
            size, factor = [int(n * f) for n, f in zip(x.shape[2:], factors, strict=True)], None
        mode = "nearest_exact" if self.mode == "nearest-exact" else self.mode  # torch's name of it
        return interpolate(x, size=size, scale_factor=factor, mode=mode, align_corners=bool(self.align_corners))


class UpsamplingNearest2d(Upsample):
    """Resample images by the nearest element.

    Parameters
    ----------
    size, scale_factor
        As in `Upsample`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.UpsamplingNearest2d(scale_factor=2)(ca.ones((1, 3, 4, 4))).shape
    Shape((1, 3, 8, 8))

    Notes
    -----
    `torch.nn.UpsamplingNearest2d`.
    """

    def __init__(
        self, size: int | Sequence[int] | None = None, scale_factor: float | Sequence[float] | None = None
    ) -> None:
        super().__init__(size, scale_factor, "nearest")


class UpsamplingBilinear2d(Upsample):
    """Resample images bilinearly, with aligned corners.

    Parameters
    ----------
    size, scale_factor
        As in `Upsample`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.UpsamplingBilinear2d(scale_factor=2)(ca.ones((1, 3, 4, 4))).shape
    Shape((1, 3, 8, 8))

    Notes
    -----
    `torch.nn.UpsamplingBilinear2d`.
    """

    def __init__(
        self, size: int | Sequence[int] | None = None, scale_factor: float | Sequence[float] | None = None
    ) -> None:
        super().__init__(size, scale_factor, "bilinear", True)


class PixelShuffle(Module):
    """Move channels into space, `(N, C * r * r, H, W)` to `(N, C, H * r, W * r)`.

    Parameters
    ----------
    upscale_factor
        The factor `r`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.PixelShuffle(2)(ca.ones((1, 8, 3, 3))).shape
    Shape((1, 2, 6, 6))

    Notes
    -----
    W. Shi et al., arXiv:1609.05158; `torch.nn.PixelShuffle`.
    """

    def __init__(self, upscale_factor: int) -> None:
        self.upscale_factor = positive("PixelShuffle", "upscale_factor", upscale_factor)

    def forward(self, x: Array, /) -> Array:
        """Return `x` rearranged."""
        return pixel_shuffle(x, self.upscale_factor)


class PixelUnshuffle(Module):
    """Move space into channels, `(N, C, H * r, W * r)` to `(N, C * r * r, H, W)`.

    Parameters
    ----------
    downscale_factor
        The factor `r`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.PixelUnshuffle(2)(ca.ones((1, 2, 6, 6))).shape
    Shape((1, 8, 3, 3))

    Notes
    -----
    `torch.nn.PixelUnshuffle`.
    """

    def __init__(self, downscale_factor: int) -> None:
        self.downscale_factor = positive("PixelUnshuffle", "downscale_factor", downscale_factor)

    def forward(self, x: Array, /) -> Array:
        """Return `x` rearranged."""
        return pixel_unshuffle(x, self.downscale_factor)


class ChannelShuffle(Module):
    """Interleave the channels of groups, in an array of the shape `(N, C, ...)`.

    Parameters
    ----------
    groups
        Number of groups.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.ChannelShuffle(2)(ca.reshape(ca.arange(4), (1, 4, 1, 1))).reshape((4,)).tolist()
    [0, 2, 1, 3]

    Notes
    -----
    X. Zhang et al., arXiv:1707.01083; `torch.nn.ChannelShuffle`.
    """

    def __init__(self, groups: int) -> None:
        self.groups = positive("ChannelShuffle", "groups", groups)

    def forward(self, x: Array, /) -> Array:
        """Return `x` rearranged."""
        return channel_shuffle(x, self.groups)


class Unfold(Module):
    """Take the patches of images as columns, `(N, C, H, W)` to `(N, C * prod(kernel_size), L)`.

    Parameters
    ----------
    kernel_size, dilation, padding, stride
        As in `Conv2d`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Unfold(2)(ca.ones((1, 3, 4, 4))).shape
    Shape((1, 12, 9))

    Notes
    -----
    `torch.nn.Unfold`.
    """

    def __init__(
        self,
        kernel_size: int | Sequence[int],
        dilation: int | Sequence[int] = 1,
        padding: int | Sequence[int] = 0,
        stride: int | Sequence[int] = 1,
    ) -> None:
        self.kernel_size = sizes("Unfold", "kernel_size", kernel_size, 2)
        self.dilation = sizes("Unfold", "dilation", dilation, 2)
        self.padding = sizes("Unfold", "padding", padding, 2, 0)
        self.stride = sizes("Unfold", "stride", stride, 2)

    def forward(self, x: Array, /) -> Array:
        """Return the columns."""
        options: dict[str, Any] = {"strides": self.stride, "padding": self.padding, "dilations": self.dilation}
        found: Array = without_batch(x, 2, lambda x: im2col(x, self.kernel_size, **options))
        return found


class Fold(Module):
    """Add columns of patches up to images, `(N, C * prod(kernel_size), L)` to `(N, C, *output_size)`.

    Parameters
    ----------
    output_size
        Height and width of the result.
    kernel_size, dilation, padding, stride
        As in `Unfold`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Fold((4, 4), 2)(ca.ones((1, 12, 9))).shape
    Shape((1, 3, 4, 4))

    Notes
    -----
    `torch.nn.Fold`.
    """

    def __init__(
        self,
        output_size: int | Sequence[int],
        kernel_size: int | Sequence[int],
        dilation: int | Sequence[int] = 1,
        padding: int | Sequence[int] = 0,
        stride: int | Sequence[int] = 1,
    ) -> None:
        self.output_size = sizes("Fold", "output_size", output_size, 2)
        self.kernel_size = sizes("Fold", "kernel_size", kernel_size, 2)
        self.dilation = sizes("Fold", "dilation", dilation, 2)
        self.padding = sizes("Fold", "padding", padding, 2, 0)
        self.stride = sizes("Fold", "stride", stride, 2)

    def forward(self, x: Array, /) -> Array:
        """Return the images."""
        options: dict[str, Any] = {"strides": self.stride, "padding": self.padding, "dilations": self.dilation}
        found: Array = without_batch(x, 1, lambda x: col2im(x, self.output_size, self.kernel_size, **options))
        return found


class CosineSimilarity(Module):
    """The cosine of the angle between vectors along an axis, `x1 . x2 / (max(|x1|, eps) max(|x2|, eps))`.

    It takes two arrays of shapes that broadcast, and returns one of that shape without the axis.

    Parameters
    ----------
    dim
        The axis.
    eps
        Lower bound of the norms.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.CosineSimilarity()(ca.ones((1, 2)), ca.asarray([[1.0, -1.0]])).tolist()
    [0.0]

    Notes
    -----
    `torch.nn.CosineSimilarity`.
    """

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        self.dim = dim
        self.eps = eps

    def forward(self, x1: Array, x2: Array, /) -> Array:
        """Return the cosines."""
        return cosine_similarity(x1, x2, axis=self.dim, eps=self.eps)


class PairwiseDistance(Module):
    """The distance of vectors along the last axis, `norm(x1 - x2 + eps, p)`.

    It takes two arrays of the shape `(..., D)`, and returns one of the shape `(...)`.

    Parameters
    ----------
    p
        Exponent of the norm.
    eps
        Added to differences, so that the derivative exists where vectors agree.
    keepdim
        Whether the axis stays, with the size 1.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.PairwiseDistance()(ca.ones((1, 2)), ca.asarray([[4.0, 5.0]])).round().tolist()
    [5.0]

    Notes
    -----
    `torch.nn.PairwiseDistance`.
    """

    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> None:
        self.norm = p
        self.eps = eps
        self.keepdim = keepdim

    def forward(self, x1: Array, x2: Array, /) -> Array:
        """Return the distances."""
        return vector_norm(abs(x1 - x2 + self.eps), axis=-1, ord=self.norm, keepdims=self.keepdim)
