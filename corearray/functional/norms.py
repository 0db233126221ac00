"""Normalisation layers, and normalisation of vectors.

`data_format` gives the position of channels: `"channels_first"` (axis 1, after the batch) or `"channels_last"`. These
names hold for any number of spatial axes; NCHW and NHWC are accepted for two.

Half precision is computed in float32, where squares do not overflow.
"""

from __future__ import annotations

import math
import operator
from functools import reduce
from typing import TYPE_CHECKING, Literal

from corearray.contract.declaration import declare
from corearray.functional.precision import _widened
from corearray.types.namedtuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import corearray as xp
    from corearray.arrays.array import Array

__all__ = [
    "BatchNormResult",
    "batch_norm",
    "channel_axis",
    "clip_matrix_norm",
    "clip_vector_norm",
    "group_norm",
    "instance_norm",
    "l1_normalize",
    "l2_normalize",
    "layer_norm",
    "local_response_norm",
    "lp_normalize",
    "rms_norm",
]


class BatchNormResult(NamedTuple):
    """Result of `batch_norm`.

    Attributes
    ----------
    values
        The normalised array.
    mean, variance
        The running statistics: new ones after training, else those that were given.
    """

    values: Array
    mean: Array
    variance: Array


def _require_axis(x: Array, axis: int | Sequence[int] | None, name: str) -> None:
    ndim = len(x.shape)
    for one in () if axis is None else axis if isinstance(axis, (list, tuple)) else (axis,):
        if not -ndim <= operator.index(one) < ndim:
            raise IndexError(f"'{name}' got axis={axis!r} and an array with {ndim} axes; name axes that it has")


@declare(promote=("x", "mean", "variance", "weight", "bias"), floating=True, real=True)
def batch_norm(
    x: Array,
    mean: Array,
    variance: Array,
    /,
    *,
    weight: Array | None = None,
    bias: Array | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
    data_format: str = "channels_first",
) -> BatchNormResult:
    """Normalise each channel over the batch.

    Parameters
    ----------
    x
        Real array of shape `(N, C, ...)`, or `(N, ..., C)` with channels last; integers are computed in the default
        floating dtype.
    mean, variance
        Running statistics, of shape `(C,)`.
    weight, bias
        Factor and summand of each channel after normalisation, of shape `(C,)`.
    training
        Whether to normalise with the statistics of `x`, and bring the running ones nearer to them; else the running
        statistics are used as they are.
    momentum
        Share of the new statistics in the running ones.
    eps
        Number added to variances to prevent a division by zero.
    data_format
        `"channels_first"` or `"channels_last"`.

    Returns
    -------
    Named tuple `(values, mean, variance)` of the promoted dtype: the normalised array of the shape of `x`, and the running
    statistics, which are copies without a derivative; nothing is changed in place.

    Raises
    ------
    ValueError
        If a shape or an option does not fit, or if training has one value only for a channel.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([[1.0], [3.0]])
    >>> found = ca.batch_norm(x, ca.zeros(1), ca.ones(1), training=True, momentum=0.5, eps=0.0)
    >>> found.values.tolist(), found.mean.tolist(), found.variance.tolist()
    ([[-1.0], [1.0]], [1.0], [1.5])

    Notes
    -----
    The variance that normalises is that of a population, the running one that of a sample, as in
    `torch.nn.functional.batch_norm`. An empty array leaves the running statistics as they are. S. Ioffe and C. Szegedy,
    Batch normalization, arXiv:1502.03167.
    """
    place = channel_axis("batch_norm", x, data_format)
    if not (0.0 <= momentum <= 1.0 and eps >= 0.0):
        raise ValueError(
            f"'batch_norm' got momentum={momentum}, eps={eps}; give a share from 0 to 1, and eps at least 0"
        )
    others = tuple(i for i in range(x.ndim) if i != place)
    along = (place,)
    wide = _widened(x)
    scale, shift = _parameters("batch_norm", x, along, weight, bias)
    centre, spread = (_spread("batch_norm", x, along, _widened(part)) for part in (mean, variance))
    sizes = [x.shape[i] for i in others]
    count = None if None in sizes else math.prod(sizes)
    if training and count == 1:
        raise ValueError(
            f"'batch_norm' was asked to train on an array of shape {tuple(x.shape)}, which has one value for a channel; "
            "give a larger batch"
        )
    if training and count != 0:
        centre = xp.mean(wide, axis=others, keepdims=True)
        wide = wide - centre
        spread = xp.mean(xp.square(wide), axis=others, keepdims=True)
        mean = _nearer(mean, xp.squeeze(centre, axis=others), momentum)
        if count is None:
            of_sample = xp.var(wide, axis=others, correction=1)
        else:
            of_sample = xp.squeeze(spread, axis=others) * (count / (count - 1))
        variance = _nearer(variance, of_sample, momentum)
    else:
        wide = wide - centre
    factor = 1.0 / xp.sqrt(spread + eps)
    values = _affine(wide * (factor if scale is None else factor * scale), None, shift, x)
    return BatchNormResult(values, xp.stop_gradient(mean), xp.stop_gradient(variance))


@declare(floating=True, gives="same")
def clip_matrix_norm(
    x: Array, /, max_norm: float, *, ord: int | float | Literal["fro", "nuc"] = "fro", out: Array | None = None
) -> Array:
    """Scale matrices so that their norm does not exceed a maximum.

    Parameters
    ----------
    x
        Numeric array of shape `(..., M, N)`; integers are computed in the default floating dtype.
    max_norm
        The greatest norm, at least 0.
    ord
        The order of the norm, as in `matrix_norm`.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Raises
    ------
    ValueError
        If `x` has less than two axes, or `max_norm` is negative.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.clip_matrix_norm(ca.asarray([[0.0, 8.0], [6.0, 0.0]]), 5.0).tolist()
    [[0.0, 4.0], [3.0, 0.0]]

    Notes
    -----
    `tf.clip_by_norm`, for each matrix of a stack.
    """
    if x.ndim < 2:
        raise ValueError(f"'clip_matrix_norm' got an array of shape {tuple(x.shape)}; it takes matrices")
    if 0 in x.shape:
        return xp.asarray(x, copy=True)
    return _clipped(
        "clip_matrix_norm", x, max_norm, (-2, -1), lambda scaled: xp.linalg.matrix_norm(scaled, ord=ord, keepdims=True)
    )


@declare(floating=True, gives="same")
def clip_vector_norm(
    x: Array,
    /,
    max_norm: float,
    *,
    axis: int | tuple[int, ...] | None = None,
    ord: int | float = 2,
    out: Array | None = None,
) -> Array:
    """Scale vectors so that their norm does not exceed a maximum.

    Parameters
    ----------
    x
        Numeric array; integers are computed in the default floating dtype.
    max_norm
        The greatest norm, at least 0.
    axis
        Axis or axes along which a vector lies, all for `None`.
    ord
        The order of the norm, as in `vector_norm`.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    ValueError
        If `max_norm` is negative.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.clip_vector_norm(ca.asarray([[6.0, 8.0], [0.0, 1.0]]), 5.0, axis=-1).tolist()
    [[3.0, 4.0], [0.0, 1.0]]

    Notes
    -----
    `tf.clip_by_norm`, `torch.nn.utils.clip_grad_norm_`.
    """
    if 0 in x.shape:
        return xp.asarray(x, copy=True)
    return _clipped(
        "clip_vector_norm",
        x,
        max_norm,
        axis,
        lambda scaled: xp.linalg.vector_norm(scaled, axis=axis, ord=ord, keepdims=True),
    )


@declare(promote=("x", "weight", "bias"), floating=True, real=True, gives="same")
def group_norm(
    x: Array,
    /,
    num_groups: int,
    *,
    weight: Array | None = None,
    bias: Array | None = None,
    eps: float = 1e-5,
    data_format: str = "channels_first",
    out: Array | None = None,
) -> Array:
    """Normalise groups of channels, separately for each sample.

    Parameters
    ----------
    x
        Real array of shape `(N, C, ...)`, or `(N, ..., C)` with channels last; integers are computed in the default
        floating dtype.
    num_groups
        Into how many groups of neighbours the channels are divided.
    weight, bias
        Factor and summand of each channel after normalisation, of shape `(C,)`.
    eps
        Number added to variances to prevent a division by zero.
    data_format
        `"channels_first"` or `"channels_last"`.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and the promoted dtype.

    Raises
    ------
    ValueError
        If the channels cannot be divided, or if a shape or an option does not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.group_norm(ca.asarray([[1.0, 3.0, 5.0, 5.0]]), 2, eps=0.0078125).tolist()[0][2:]
    [0.0, 0.0]

    Notes
    -----
    Y. Wu and K. He, Group normalization, arXiv:1803.08494; `torch.nn.functional.group_norm`.
    """
    place = channel_axis("group_norm", x, data_format)
    channels = x.shape[place]
    if num_groups < 1 or channels % num_groups:
        raise ValueError(
            f"'group_norm' was asked to divide {channels} channels into num_groups={num_groups}; give a divisor"
        )
    scale, shift = _parameters("group_norm", x, (place,), weight, bias)
    shape = [-1 if side is None else side for side in x.shape]
    divided = (*shape[:place], num_groups, channels // num_groups, *shape[place + 1 :])
    within = tuple(i for i in range(1, x.ndim + 1) if i != place)
    values = xp.reshape(_standardised(xp.reshape(_widened(x), divided), within, eps), tuple(shape))
    return _affine(values, scale, shift, x)


@declare(promote=("x", "weight", "bias"), floating=True, real=True, gives="same")
def instance_norm(
    x: Array,
    /,
    *,
    weight: Array | None = None,
    bias: Array | None = None,
    eps: float = 1e-5,
    data_format: str = "channels_first",
    out: Array | None = None,
) -> Array:
    """Normalise each channel, separately for each sample.

    Parameters
    ----------
    x
        Real array of shape `(N, C, ...)`, or `(N, ..., C)` with channels last, with at least one spatial axis; integers
        are computed in the default floating dtype.
    weight, bias
        Factor and summand of each channel after normalisation, of shape `(C,)`.
    eps
        Number added to variances to prevent a division by zero.
    data_format
        `"channels_first"` or `"channels_last"`.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and the promoted dtype.

    Raises
    ------
    ValueError
        If a shape or an option does not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.instance_norm(ca.asarray([[[1.0, 3.0], [2.0, 4.0]]]), eps=0.0).tolist()
    [[[-1.0, 1.0], [-1.0, 1.0]]]

    Notes
    -----
    D. Ulyanov et al., Instance normalization, arXiv:1607.08022; `torch.nn.functional.instance_norm` without running
    statistics.
    """
    place = channel_axis("instance_norm", x, data_format)
    if x.ndim < 3:
        raise ValueError(
            f"'instance_norm' got an array of shape {tuple(x.shape)}; it takes a batch, channels and at least one more axis"
        )
    scale, shift = _parameters("instance_norm", x, (place,), weight, bias)
    within = tuple(i for i in range(1, x.ndim) if i != place)
    return _affine(_standardised(_widened(x), within, eps), scale, shift, x)


@declare(floating=True, gives="same", check=_require_axis)
def l1_normalize(
    x: Array, /, *, axis: int | tuple[int, ...] | None = -1, eps: float = 1e-12, out: Array | None = None
) -> Array:
    """Divide vectors by the sums of their absolute values.

    Parameters
    ----------
    x
        Numeric array; integers are computed in the default floating dtype.
    axis
        Axis or axes along which a vector lies, all for `None`.
    eps
        The least number that is divided by, so that a vector of zeros stays one.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Raises
    ------
    IndexError
        If `x` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.l1_normalize(ca.asarray([[1.0, -3.0], [0.0, 0.0]])).tolist()
    [[0.25, -0.75], [0.0, 0.0]]

    Notes
    -----
    `torch.nn.functional.normalize` with `p=1`.
    """
    return xp.lp_normalize(x, p=1.0, axis=axis, eps=eps)


@declare(floating=True, gives="same", check=_require_axis)
def l2_normalize(
    x: Array, /, *, axis: int | tuple[int, ...] | None = -1, eps: float = 1e-12, out: Array | None = None
) -> Array:
    """Divide vectors by their Euclidean norms.

    Parameters
    ----------
    x
        Numeric array; integers are computed in the default floating dtype.
    axis
        Axis or axes along which a vector lies, all for `None`.
    eps
        The least number that is divided by, so that a vector of zeros stays one.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Raises
    ------
    IndexError
        If `x` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.l2_normalize(ca.asarray([[0.0, -2.0], [0.0, 0.0]])).tolist()
    [[0.0, -1.0], [0.0, 0.0]]

    Notes
    -----
    `torch.nn.functional.normalize`, whose axis is 1 by default.
    """
    return xp.lp_normalize(x, p=2.0, axis=axis, eps=eps)


@declare(promote=("x", "weight", "bias"), floating=True, real=True, gives="same", check=_require_axis)
def layer_norm(
    x: Array,
    /,
    *,
    weight: Array | None = None,
    bias: Array | None = None,
    axis: int | tuple[int, ...] = -1,
    eps: float = 1e-5,
    out: Array | None = None,
) -> Array:
    """Subtract the mean along axes and divide by the standard deviation.

    Parameters
    ----------
    x
        Real array; integers are computed in the default floating dtype.
    weight, bias
        Factor and summand of the elements after normalisation, of the shape that `x` has along the axes, in their order
        in `x`.
    axis
        Axis or axes over which mean and variance are taken.
    eps
        Number added to variances to prevent a division by zero.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and the promoted dtype.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    ValueError
        If `weight` or `bias` has another shape.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.layer_norm(ca.asarray([[1.0, 3.0], [5.0, -5.0]]), bias=ca.asarray([1.0, 0.0]), eps=0.0).tolist()
    [[0.0, 1.0], [2.0, -1.0]]

    Notes
    -----
    J. L. Ba et al., Layer normalization, arXiv:1607.06450; `torch.nn.functional.layer_norm`, which names the shape of the
    last axes in place of the axes.
    """
    axes = (axis,) if isinstance(axis, int) else axis
    axes = tuple(sorted(i % x.ndim for i in axes))
    scale, shift = _parameters("layer_norm", x, axes, weight, bias)
    return _affine(_standardised(_widened(x), axes, eps), scale, shift, x)


@declare(floating=True, real=True, gives="same")
def local_response_norm(
    x: Array,
    /,
    size: int,
    *,
    alpha: float = 1e-4,
    beta: float = 0.75,
    k: float = 1.0,
    data_format: str = "channels_first",
    out: Array | None = None,
) -> Array:
    """Divide each element by `(k + alpha * mean(x**2)) ** beta` over neighbouring channels.

    Parameters
    ----------
    x
        Real array of shape `(N, C, ...)`, or `(N, ..., C)` with channels last; integers are computed in the default
        floating dtype.
    size
        Number of channels in the mean, half of them before and the rest from the own one on; beyond the ends
        there are zeros.
    alpha, beta, k
        As in the formula.
    data_format
        `"channels_first"` or `"channels_last"`.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Raises
    ------
    ValueError
        If `size` is not positive, or if a shape or an option does not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.local_response_norm(ca.asarray([[3.0, 0.0, 1.0]]), 2, alpha=2.0, beta=1.0).tolist()[0][1:]
    [0.0, 0.5]

    Notes
    -----
    A. Krizhevsky et al., ImageNet classification with deep convolutional neural networks, 2012, section 3.3, with the
    mean in place of the sum as in `torch.nn.functional.local_response_norm`.
    """
    place = channel_axis("local_response_norm", x, data_format)
    if size < 1:
        raise ValueError(f"'local_response_norm' was asked for size={size}; it must be at least 1")
    if not x.shape[place]:
        return x
    before = (slice(None),) * place
    wide = _widened(x)
    squares = xp.square(wide)
    nothing = xp.zeros_like(squares[(*before, slice(0, 1), ...)])
    padded = xp.concat([nothing] * (size // 2) + [squares] + [nothing] * ((size - 1) // 2), axis=place)
    windows = [padded[(*before, slice(i, i + x.shape[place]), ...)] for i in range(size)]
    total = reduce(lambda one, other: one + other, windows)
    return xp.astype(wide / (k + alpha / size * total) ** beta, x.dtype, copy=False)


@declare(floating=True, gives="same", check=_require_axis)
def lp_normalize(
    x: Array,
    /,
    *,
    p: float = 2.0,
    axis: int | tuple[int, ...] | None = -1,
    eps: float = 1e-12,
    out: Array | None = None,
) -> Array:
    """Divide vectors by their p-norms, `sum(abs(x)**p)**(1/p)`.

    Parameters
    ----------
    x
        Numeric array; integers are computed in the default floating dtype.
    p
        The order of the norm, as `ord` of `vector_norm`.
    axis
        Axis or axes along which a vector lies, all for `None`.
    eps
        The least number that is divided by, so that a vector of zeros stays one. It is never below the smallest normal
        number of the dtype.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Raises
    ------
    IndexError
        If `x` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.lp_normalize(ca.asarray([[1.0, -4.0], [0.0, 0.0]]), p=ca.inf).tolist()
    [[0.25, -1.0], [0.0, 0.0]]

    Notes
    -----
    `torch.nn.functional.normalize`, whose axis is 1 by default.
    """
    largest = xp.linalg.vector_norm(x, axis=axis, ord=math.inf, keepdims=True)
    # So that no power overflows or vanishes; the result does not depend on it.
    scale = xp.stop_gradient(xp.where((largest > 0.0) & xp.isfinite(largest), largest, 1.0))
    least = max(eps, float(xp.finfo(scale.dtype).smallest_normal)) / scale
    scaled = x / scale
    return scaled / xp.maximum(xp.linalg.vector_norm(scaled, axis=axis, ord=p, keepdims=True), least)


@declare(promote=("x", "weight"), floating=True, real=True, gives="same", check=_require_axis)
def rms_norm(
    x: Array,
    /,
    *,
    weight: Array | None = None,
    axis: int | tuple[int, ...] = -1,
    eps: float | None = None,
    out: Array | None = None,
) -> Array:
    """Divide by the root of the mean square along axes, `x / sqrt(mean(x**2) + eps)`.

    Parameters
    ----------
    x
        Real array; integers are computed in the default floating dtype.
    weight
        Factor of the elements after normalisation, of the shape that `x` has along the axes, in their order in `x`.
    axis
        Axis or axes over which the mean is taken.
    eps
        Added to the mean square; by default the `eps` of the dtype in which it is computed.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and the promoted dtype. Half precision is computed in float32.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    ValueError
        If `weight` has another shape.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.rms_norm(ca.asarray([[2.0, -2.0]]), weight=ca.asarray([1.0, 3.0]), eps=0.0).tolist()
    [[1.0, -3.0]]

    Notes
    -----
    B. Zhang and R. Sennrich, Root mean square layer normalization, arXiv:1910.07467; `torch.nn.functional.rms_norm`, which
    names the shape of the last axes in place of the axes.
    """
    axes = (axis,) if isinstance(axis, int) else axis
    axes = tuple(sorted(i % x.ndim for i in axes))
    (scale,) = _parameters("rms_norm", x, axes, weight)
    wide = _widened(x)
    least = float(xp.finfo(wide.dtype).eps) if eps is None else eps
    return _affine(wide / xp.sqrt(xp.mean(xp.square(wide), axis=axes, keepdims=True) + least), scale, None, x)


def channel_axis(name: str, x: Array, data_format: str) -> int:
    """Return the axis of the channels for a data format."""
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError(f"'{name}' got data_format={data_format!r}; it is one of 'channels_first', 'channels_last'")
    if x.ndim < 2:
        raise ValueError(f"'{name}' got an array of shape {tuple(x.shape)}; it takes one with a batch and channels")
    return 1 if data_format == "channels_first" else x.ndim - 1


def _clipped(
    name: str, x: Array, max_norm: float, axis: int | tuple[int, ...] | None, norm: Callable[[Array], Array]
) -> Array:
    """Scale so that no norm is greater; the norm is taken of numbers up to one, so that no power overflows or vanishes."""
    if not max_norm >= 0.0:
        raise ValueError(f"'{name}' was asked for max_norm={max_norm}; it is at least 0")
    wide = _widened(x)
    largest = xp.linalg.vector_norm(wide, axis=axis, ord=math.inf, keepdims=True)
    scale = xp.stop_gradient(xp.where((largest > 0.0) & xp.isfinite(largest), largest, 1.0))
    found = norm(wide / scale)
    large = found > max_norm / scale
    factor = xp.where(large, max_norm / scale / xp.where(large, found, 1.0), 1.0)
    return xp.astype(wide * factor, x.dtype, copy=False)


def _parameters(name: str, x: Array, axes: tuple[int, ...], *parts: Array | None) -> list[Array | None]:
    return [None if part is None else _spread(name, x, axes, part) for part in parts]


def _spread(name: str, x: Array, axes: tuple[int, ...], part: Array) -> Array:
    """Give numbers for each place along some axes the other axes too, with length one."""
    wanted = tuple(x.shape[i] for i in axes)
    if tuple(part.shape) != wanted:
        raise ValueError(
            f"'{name}' got parameters of shape {tuple(part.shape)} for an array of shape {tuple(x.shape)}; they must have "
            f"the shape {wanted}"
        )
    others = tuple(i for i in range(x.ndim) if i not in axes)
    return xp.expand_dims(part, others) if others else part


def _standardised(x: Array, axes: tuple[int, ...], eps: float) -> Array:
    offset = x - xp.mean(x, axis=axes, keepdims=True)
    return offset / xp.sqrt(xp.mean(xp.square(offset), axis=axes, keepdims=True) + eps)


def _affine(values: Array, scale: Array | None, shift: Array | None, x: Array) -> Array:
    """Multiply and add, in the dtype of `x`."""
    if scale is not None:
        values = values * scale
    if shift is not None:
        values = values + shift
    return xp.astype(values, x.dtype, copy=False)


def _nearer(running: Array, found: Array, momentum: float) -> Array:
    return xp.astype((1.0 - momentum) * running + momentum * found, running.dtype, copy=False)
