"""Normalisation: over the batch, over features, over groups of channels, over neighbouring channels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from corearray.calls.dispatch import resolve
from corearray.errors import CoreArrayValueError
from corearray.functional.data_type import astype
from corearray.functional.norms import batch_norm, group_norm, instance_norm, layer_norm, local_response_norm, rms_norm
from corearray.functional.statistical import mean, var
from corearray.nn.arguments import filled, positive, without_batch
from corearray.nn.marks import Buffer
from corearray.nn.module import Module

if TYPE_CHECKING:
    from corearray.arrays.array import Array

__all__ = [
    "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "GroupNorm", "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d",
    "LayerNorm", "LocalResponseNorm", "RMSNorm",
]  # fmt: skip

#: What `corearray list-functions` says of the classes here.
__kind__ = "convenience"


class _Tracking(Module):
    """A normalisation with running statistics, without a constructor of its own."""

    weight: Array | None
    bias: Array | None
    running_mean: Any
    running_var: Any
    num_batches_tracked: Any

    def __init__(
        self, num_features: Any, eps: float, momentum: float | None, affine: bool, track: bool, bias: bool, dtype: Any,
        device: Any,
    ) -> None:  # fmt: skip
        size = positive(type(self).__name__, "num_features", num_features)
        self.eps = eps
        self.momentum = momentum
        self.weight = filled((size,), 1.0, dtype, device) if affine else None
        self.bias = filled((size,), 0.0, dtype, device) if affine and bias else None
        self.running_mean = self.running_var = self.num_batches_tracked = None
        if track:
            self.running_mean = Buffer(filled((size,), 0.0, dtype, device))
            self.running_var = Buffer(filled((size,), 1.0, dtype, device))
            self.num_batches_tracked = Buffer(resolve(()).zeros((), dtype="int64", device=device))

    def _share(self, count: Array) -> Any:
        """Return the share of the last of some batches in the running statistics."""
        if self.momentum is not None:
            return self.momentum
        return 1.0 / astype(count, self.running_mean.dtype)


class _BatchNorm(_Tracking):
    axes: tuple[int, ...] = ()

    def forward(self, x: Array, /) -> Array:
        """Normalise `x`, and in training bring the running statistics nearer to those of the batch."""
        name = type(self).__name__
        if x.ndim not in self.axes:
            raise CoreArrayValueError(
                f"'{name}' takes arrays with {' or '.join(map(str, self.axes))} axes, got the shape {tuple(x.shape)}"
            )
        options: dict[str, Any] = {"weight": self.weight, "bias": self.bias, "eps": self.eps}
        tracking = self.running_mean is not None
        old, spread = self.running_mean, self.running_var
        if not tracking:
            old = resolve((x,)).zeros((x.shape[1],), dtype=x.dtype)
            spread = old + 1.0
        if not self.training and tracking:
            return batch_norm(x, old, spread, **options).values
        if not (self.training and tracking):
            return batch_norm(x, old, spread, training=True, **options).values
        count = self.num_batches_tracked + 1
        share = self._share(count)
        direct = isinstance(share, float)
        y, new, wide = batch_norm(x, old, spread, training=True, momentum=share if direct else 1.0, **options)
        if not direct:
            new, wide = old + share * (new - old), spread + share * (wide - spread)
        self.running_mean, self.running_var, self.num_batches_tracked = new, wide, count
        return y


class BatchNorm1d(_BatchNorm):
    """Normalise each channel over the batch, `(x - mean) / sqrt(variance + eps) * weight + bias`.

    It takes an array of the shape `(N, C)` or `(N, C, L)`. In training mean and variance are those of the
    batch, in evaluation the running ones.

    Parameters
    ----------
    num_features
        Number of channels.
    eps
        Added to variances.
    momentum
        Share of a batch in the running statistics; `None` for their plain average.
    affine
        Whether there are `weight` and `bias`.
    bias
        Whether there is `bias`, besides `weight`.
    track_running_stats
        Whether there are running statistics; else those of the batch are always used.
    dtype, device
        As in `Linear`.

    Attributes
    ----------
    weight, bias
        Parameters of the shape `(num_features,)`, or `None`.
    running_mean, running_var, num_batches_tracked
        Buffers, or `None`. The running variance is that of a sample, divided by `n - 1`.

    Raises
    ------
    ValueError
        If the number of axes does not fit, or in training a channel has less than two elements.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> norm = nn.BatchNorm1d(3)
    >>> norm(ca.ones((2, 3, 8))).shape, int(norm.num_batches_tracked)
    (Shape((2, 3, 8)), 1)

    Notes
    -----
    S. Ioffe and C. Szegedy, arXiv:1502.03167; `torch.nn.BatchNorm1d`.
    """

    axes = (2, 3)

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        *,
        bias: bool = True,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, bias, dtype, device)


class BatchNorm2d(_BatchNorm):
    """Normalise each channel over the batch, `(x - mean) / sqrt(variance + eps) * weight + bias`.

    It takes an array of the shape `(N, C, H, W)`. In training mean and variance are those of the
    batch, in evaluation the running ones.

    Parameters
    ----------
    num_features
        Number of channels.
    eps
        Added to variances.
    momentum
        Share of a batch in the running statistics; `None` for their plain average.
    affine
        Whether there are `weight` and `bias`.
    bias
        Whether there is `bias`, besides `weight`.
    track_running_stats
        Whether there are running statistics; else those of the batch are always used.
    dtype, device
        As in `Linear`.

    Attributes
    ----------
    weight, bias
        Parameters of the shape `(num_features,)`, or `None`.
    running_mean, running_var, num_batches_tracked
        Buffers, or `None`. The running variance is that of a sample, divided by `n - 1`.

    Raises
    ------
    ValueError
        If the number of axes does not fit, or in training a channel has less than two elements.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> norm = nn.BatchNorm2d(3)
    >>> norm(ca.ones((2, 3, 8, 8))).shape, int(norm.num_batches_tracked)
    (Shape((2, 3, 8, 8)), 1)

    Notes
    -----
    S. Ioffe and C. Szegedy, arXiv:1502.03167; `torch.nn.BatchNorm2d`.
    """

    axes = (4,)

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        *,
        bias: bool = True,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, bias, dtype, device)


class BatchNorm3d(_BatchNorm):
    """Normalise each channel over the batch, `(x - mean) / sqrt(variance + eps) * weight + bias`.

    It takes an array of the shape `(N, C, D, H, W)`. In training mean and variance are those of the
    batch, in evaluation the running ones.

    Parameters
    ----------
    num_features
        Number of channels.
    eps
        Added to variances.
    momentum
        Share of a batch in the running statistics; `None` for their plain average.
    affine
        Whether there are `weight` and `bias`.
    bias
        Whether there is `bias`, besides `weight`.
    track_running_stats
        Whether there are running statistics; else those of the batch are always used.
    dtype, device
        As in `Linear`.

    Attributes
    ----------
    weight, bias
        Parameters of the shape `(num_features,)`, or `None`.
    running_mean, running_var, num_batches_tracked
        Buffers, or `None`. The running variance is that of a sample, divided by `n - 1`.

    Raises
    ------
    ValueError
        If the number of axes does not fit, or in training a channel has less than two elements.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> norm = nn.BatchNorm3d(3)
    >>> norm(ca.ones((2, 3, 4, 8, 8))).shape, int(norm.num_batches_tracked)
    (Shape((2, 3, 4, 8, 8)), 1)

    Notes
    -----
    S. Ioffe and C. Szegedy, arXiv:1502.03167; `torch.nn.BatchNorm3d`.
    """

    axes = (5,)

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        *,
        bias: bool = True,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, bias, dtype, device)


class _InstanceNorm(_Tracking):
    spatial = 0

    def forward(self, x: Array, /) -> Array:
        """Normalise `x`, and in training bring running statistics, if there are any, nearer to its own."""
        found: Array = without_batch(x, self.spatial, self._batched)
        return found

    def _batched(self, x: Array) -> Array:
        if x.ndim != self.spatial + 2:
            raise CoreArrayValueError(
                f"'{type(self).__name__}' takes arrays with {self.spatial + 2} axes, got the shape {tuple(x.shape)}"
            )
        options: dict[str, Any] = {"weight": self.weight, "bias": self.bias, "eps": self.eps}
        if self.running_mean is None:
            return instance_norm(x, **options)
        if not self.training:
            return batch_norm(x, self.running_mean, self.running_var, **options).values
        if x.shape[1] not in (None, *self.running_mean.shape) or x.shape[2:] == (1,) * self.spatial:
            raise CoreArrayValueError(
                f"'{type(self).__name__}' was asked to train on an array of the shape {tuple(x.shape)}; it takes "
                f"{self.running_mean.shape[0]} channels, and more than one value for each"
            )
        share, axes = self.momentum or 0.0, tuple(range(2, x.ndim))  # torch counts no batches here
        y = instance_norm(x, **options)
        new = mean(mean(x, axis=axes), axis=0)
        wide = mean(var(x, axis=axes, correction=1), axis=0)
        new, wide = (old + share * (now - old) for old, now in ((self.running_mean, new), (self.running_var, wide)))
        self.running_mean, self.running_var = new, wide
        return y


class InstanceNorm1d(_InstanceNorm):
    """Normalise each channel of each element of the batch, `(x - mean) / sqrt(variance + eps) * weight + bias`.

    It takes an array of the shape `(N, C, L)`, or one without a batch.

    Parameters
    ----------
    num_features, eps, momentum, dtype, device
        As in `BatchNorm1d`.
    affine
        Whether there are `weight` and `bias`.
    bias
        Whether there is `bias`, besides `weight`.
    track_running_stats
        Whether there are running statistics, which evaluation uses.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.InstanceNorm1d(3)(ca.ones((2, 3, 8))).shape
    Shape((2, 3, 8))

    Notes
    -----
    D. Ulyanov et al., arXiv:1607.08022; `torch.nn.InstanceNorm1d`.
    """

    spatial = 1

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        *,
        bias: bool = True,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, bias, dtype, device)


class InstanceNorm2d(_InstanceNorm):
    """Normalise each channel of each element of the batch, `(x - mean) / sqrt(variance + eps) * weight + bias`.

    It takes an array of the shape `(N, C, H, W)`, or one without a batch.

    Parameters
    ----------
    num_features, eps, momentum, dtype, device
        As in `BatchNorm2d`.
    affine
        Whether there are `weight` and `bias`.
    bias
        Whether there is `bias`, besides `weight`.
    track_running_stats
        Whether there are running statistics, which evaluation uses.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.InstanceNorm2d(3)(ca.ones((2, 3, 8, 8))).shape
    Shape((2, 3, 8, 8))

    Notes
    -----
    D. Ulyanov et al., arXiv:1607.08022; `torch.nn.InstanceNorm2d`.
    """

    spatial = 2

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        *,
        bias: bool = True,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, bias, dtype, device)


class InstanceNorm3d(_InstanceNorm):
    """Normalise each channel of each element of the batch, `(x - mean) / sqrt(variance + eps) * weight + bias`.

    It takes an array of the shape `(N, C, D, H, W)`, or one without a batch.

    Parameters
    ----------
    num_features, eps, momentum, dtype, device
        As in `BatchNorm3d`.
    affine
        Whether there are `weight` and `bias`.
    bias
        Whether there is `bias`, besides `weight`.
    track_running_stats
        Whether there are running statistics, which evaluation uses.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.InstanceNorm3d(3)(ca.ones((2, 3, 4, 8, 8))).shape
    Shape((2, 3, 4, 8, 8))

    Notes
    -----
    D. Ulyanov et al., arXiv:1607.08022; `torch.nn.InstanceNorm3d`.
    """

    spatial = 3

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        *,
        bias: bool = True,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, bias, dtype, device)


def _shape(layer: str, normalized_shape: Any) -> tuple[int, ...]:
    given = tuple(normalized_shape) if isinstance(normalized_shape, (list, tuple)) else (normalized_shape,)
    return tuple(positive(layer, "normalized_shape", size) for size in given)


def _require_end(layer: str, x: Array, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the last axes, which must have some sizes."""
    if tuple(x.shape[-len(shape) :]) != shape and None not in x.shape:
        raise CoreArrayValueError(
            f"'{layer}' takes arrays of the shape (..., {', '.join(map(str, shape))}), got {tuple(x.shape)}"
        )
    return tuple(range(-len(shape), 0))


class LayerNorm(Module):
    """Normalise over the last axes, `(x - mean) / sqrt(variance + eps) * weight + bias`.

    It takes an array of the shape `(..., *normalized_shape)`.

    Parameters
    ----------
    normalized_shape
        Sizes of the last axes: an integer for the last one, or several.
    eps
        Added to variances.
    elementwise_affine
        Whether there are `weight` and `bias`.
    bias
        Whether there is `bias`, besides `weight`.
    dtype, device
        As in `Linear`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.LayerNorm(2)(ca.asarray([[1.0, 3.0]])).round().tolist()
    [[-1.0, 1.0]]

    Notes
    -----
    J. L. Ba et al., arXiv:1607.06450; `torch.nn.LayerNorm`.
    """

    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        *,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        self.normalized_shape = shape = _shape("LayerNorm", normalized_shape)
        self.eps = eps
        self.weight = filled(shape, 1.0, dtype, device) if elementwise_affine else None
        self.bias = filled(shape, 0.0, dtype, device) if elementwise_affine and bias else None

    def forward(self, x: Array, /) -> Array:
        """Normalise `x`."""
        axes = _require_end("LayerNorm", x, self.normalized_shape)
        return layer_norm(x, axis=axes, weight=self.weight, bias=self.bias, eps=self.eps)


class RMSNorm(Module):
    """Divide by the root of the mean square over the last axes, `x / sqrt(mean(x**2) + eps) * weight`.

    It takes an array of the shape `(..., *normalized_shape)`.

    Parameters
    ----------
    normalized_shape
        As in `LayerNorm`.
    eps
        Added to mean squares; by default the distance from 1 to the next number of the dtype.
    elementwise_affine
        Whether there is a `weight`.
    dtype, device
        As in `Linear`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.RMSNorm(2)(ca.asarray([[2.0, -2.0]])).round().tolist()
    [[1.0, -1.0]]

    Notes
    -----
    B. Zhang and R. Sennrich, arXiv:1910.07467; `torch.nn.RMSNorm`.
    """

    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        eps: float | None = None,
        elementwise_affine: bool = True,
        *,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        self.normalized_shape = shape = _shape("RMSNorm", normalized_shape)
        self.eps = eps
        self.weight = filled(shape, 1.0, dtype, device) if elementwise_affine else None

    def forward(self, x: Array, /) -> Array:
        """Normalise `x`."""
        return rms_norm(x, axis=_require_end("RMSNorm", x, self.normalized_shape), weight=self.weight, eps=self.eps)


class GroupNorm(Module):
    """Normalise groups of channels of each element of the batch, `(x - mean) / sqrt(variance + eps) * weight + bias`.

    It takes an array of the shape `(N, C, ...)`.

    Parameters
    ----------
    num_groups
        Number of groups, which divides the number of channels.
    num_channels
        Number of channels.
    eps
        Added to variances.
    affine
        Whether there are `weight` and `bias`, of the shape `(num_channels,)`.
    bias
        Whether there is `bias`, besides `weight`.
    dtype, device
        As in `Linear`.

    Raises
    ------
    ValueError
        If the groups do not divide the channels.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.GroupNorm(2, 4)(ca.ones((1, 4, 3))).shape
    Shape((1, 4, 3))

    Notes
    -----
    Y. Wu and K. He, arXiv:1803.08494; `torch.nn.GroupNorm`.
    """

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        *,
        bias: bool = True,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        self.num_groups = positive("GroupNorm", "num_groups", num_groups)
        size = positive("GroupNorm", "num_channels", num_channels)
        if math.gcd(size, num_groups) != num_groups:
            raise CoreArrayValueError(f"'GroupNorm' cannot divide {size} channels into {num_groups} groups")
        self.eps = eps
        self.weight = filled((size,), 1.0, dtype, device) if affine else None
        self.bias = filled((size,), 0.0, dtype, device) if affine and bias else None

    def forward(self, x: Array, /) -> Array:
        """Normalise `x`."""
        return group_norm(x, self.num_groups, weight=self.weight, bias=self.bias, eps=self.eps)


class LocalResponseNorm(Module):
    """Divide by the squares of neighbouring channels, `x / (k + alpha * mean(neighbours**2)) ** beta`.

    It takes an array of the shape `(N, C, ...)`.

    Parameters
    ----------
    size
        Number of neighbouring channels.
    alpha, beta, k
        As in the formula.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.LocalResponseNorm(2)(ca.ones((1, 4, 3))).shape
    Shape((1, 4, 3))

    Notes
    -----
    A. Krizhevsky et al., ImageNet classification with deep convolutional neural networks, 2012;
    `torch.nn.LocalResponseNorm`.
    """

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> None:
        self.size = positive("LocalResponseNorm", "size", size)
        self.alpha, self.beta, self.k = alpha, beta, k

    def forward(self, x: Array, /) -> Array:
        """Normalise `x`."""
        return local_response_norm(x, self.size, alpha=self.alpha, beta=self.beta, k=self.k)
