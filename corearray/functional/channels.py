"""Elements moved between channels and space, and channels in another order."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING

from corearray.contract.declaration import declare

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array

__all__ = [
    "channel_shuffle",
    "pixel_shuffle",
    "pixel_unshuffle",
]


@declare(gives="same")
def channel_shuffle(
    x: Array, /, groups: int, *, data_format: str = "channels_first", out: Array | None = None
) -> Array:
    """Interleave groups of channels: the first channel of each group, then the second of each, and so on.

    Parameters
    ----------
    x
        Array of any dtype and shape `(N, C, ...)`, with channels last `(N, ..., C)`.
    groups
        Number of groups, a divisor of `C`.
    data_format
        `"channels_first"` or `"channels_last"`.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape and dtype of `x`, a copy.

    Raises
    ------
    ValueError
        If the channels cannot be divided into groups, or `x` has fewer than two axes.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.channel_shuffle(ca.asarray([[1, 2, 3, 4, 5, 6]]), 2).tolist()
    [[1, 4, 2, 5, 3, 6]]

    Notes
    -----
    X. Zhang et al., ShuffleNet, arXiv:1707.01083; `torch.nn.functional.channel_shuffle`.
    """
    groups = index(groups)
    axis = _axis("channel_shuffle", x, data_format, 0)
    shape = tuple(x.shape)
    if groups < 1 or shape[axis] % groups:
        raise ValueError(
            f"'channel_shuffle' was asked for {groups} groups of {shape[axis]} channels; give a divisor of their number"
        )
    before, behind = shape[:axis], shape[axis + 1 :]
    parts = xp.reshape(x, (*before, groups, shape[axis] // groups, *behind))
    order = (*range(axis), axis + 1, axis, *range(axis + 2, x.ndim + 1))
    return xp.reshape(xp.permute_dims(parts, order), shape, copy=True)


@declare(gives="same")
def pixel_shuffle(
    x: Array, /, upscale_factor: int, *, data_format: str = "channels_first", out: Array | None = None
) -> Array:
    """Rearrange channels into pixels: an image becomes `r` times as high and as wide.

    Parameters
    ----------
    x
        Array of any dtype and shape `(..., C * r**2, H, W)`, with channels last `(..., H, W, C * r**2)`.
    upscale_factor
        The factor `r`, at least 1.
    data_format
        `"channels_first"` or `"channels_last"`.
    out
        Array that receives the result.

    Returns
    -------
    Array of the dtype of `x` and shape `(..., C, H * r, W * r)` or `(..., H * r, W * r, C)`, a copy.

    Raises
    ------
    ValueError
        If the number of channels is no multiple of `r**2`, or `x` has fewer than three axes.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.pixel_shuffle(ca.asarray([[[1]], [[2]], [[3]], [[4]]]), 2).tolist()
    [[[1, 2], [3, 4]]]

    Notes
    -----
    W. Shi et al., Real-time single image and video super-resolution using an efficient sub-pixel convolutional neural
    network, arXiv:1609.05158; `torch.nn.functional.pixel_shuffle`. With channels last the order of the channels is that of
    torch, which differs from `tf.nn.depth_to_space` if `C > 1`.
    """
    r = index(upscale_factor)
    first = _axis("pixel_shuffle", x, data_format, 2)
    *batch, channels, height, width = _first(x, first)
    if r < 1 or channels % (r * r):
        raise ValueError(
            f"'pixel_shuffle' was asked for upscale_factor={r} with {channels} channels; their number must be a multiple of "
            "the square of the factor"
        )
    n, c = len(batch), channels // (r * r)
    if first == x.ndim - 1:
        parts = xp.reshape(x, (*batch, height, width, c, r, r))
        order = (n, n + 3, n + 1, n + 4, n + 2)
        shape = (*batch, height * r, width * r, c)
    else:
        parts = xp.reshape(x, (*batch, c, r, r, height, width))
        order = (n, n + 3, n + 1, n + 4, n + 2)
        shape = (*batch, c, height * r, width * r)
    return xp.reshape(xp.permute_dims(parts, (*range(n), *order)), shape, copy=True)


@declare(gives="same")
def pixel_unshuffle(
    x: Array, /, downscale_factor: int, *, data_format: str = "channels_first", out: Array | None = None
) -> Array:
    """Rearrange pixels into channels; the inverse of `pixel_shuffle`.

    Parameters
    ----------
    x
        Array of any dtype and shape `(..., C, H * r, W * r)`, with channels last `(..., H * r, W * r, C)`.
    downscale_factor
        The factor `r`, at least 1.
    data_format
        `"channels_first"` or `"channels_last"`.
    out
        Array that receives the result.

    Returns
    -------
    Array of the dtype of `x` and shape `(..., C * r**2, H, W)` or `(..., H, W, C * r**2)`, a copy.

    Raises
    ------
    ValueError
        If height or width is no multiple of the factor, or `x` has fewer than three axes.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.pixel_unshuffle(ca.asarray([[[1, 2], [3, 4]]]), 2).tolist()
    [[[1]], [[2]], [[3]], [[4]]]

    Notes
    -----
    `torch.nn.functional.pixel_unshuffle`.
    """
    r = index(downscale_factor)
    first = _axis("pixel_unshuffle", x, data_format, 2)
    *batch, channels, height, width = _first(x, first)
    if r < 1 or height % r or width % r:
        raise ValueError(
            f"'pixel_unshuffle' was asked for downscale_factor={r} of an image of {height} by {width}; both must be "
            "multiples of the factor"
        )
    n = len(batch)
    if first == x.ndim - 1:
        parts = xp.reshape(x, (*batch, height // r, r, width // r, r, channels))
        order = (n, n + 2, n + 4, n + 1, n + 3)
        shape = (*batch, height // r, width // r, channels * r * r)
    else:
        parts = xp.reshape(x, (*batch, channels, height // r, r, width // r, r))
        order = (n, n + 2, n + 4, n + 1, n + 3)
        shape = (*batch, channels * r * r, height // r, width // r)
    return xp.reshape(xp.permute_dims(parts, (*range(n), *order)), shape, copy=True)


def _axis(name: str, x: Array, data_format: str, spatial: int) -> int:
    """Return the axis of the channels; `spatial` is the number of axes of an image, 0 for any number after a batch."""
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError(f"'{name}' got data_format={data_format!r}; it is one of 'channels_first', 'channels_last'")
    least = spatial + 1 if spatial else 2
    if x.ndim < least:
        raise ValueError(f"'{name}' got an array of shape {tuple(x.shape)}; it takes one with at least {least} axes")
    if data_format == "channels_last":
        return x.ndim - 1
    return x.ndim - 1 - spatial if spatial else 1


def _first(x: Array, axis: int) -> tuple[int, ...]:
    """Return the shape of a batch of images with the channels in front of height and width."""
    shape = tuple(x.shape)
    return (*shape[:-3], shape[-1], shape[-3], shape[-2]) if axis == x.ndim - 1 else shape
