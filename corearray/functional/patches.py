"""Sliding windows: gathering, the inverse of gathering, pooling with indices, and reduction by any function.

Indices of maxima, which unpooling needs, count positions over all spatial axes; the last axis changes fastest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, cast

from corearray.checks.parsing.sliding import per_axis, read_columns, read_pooling, read_windows, spatial_shape
from corearray.contract.declaration import declare
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.functional.convolution import _padded, _spaced
from corearray.functional.layers import _generator
from corearray.functional.manipulation import _places
from corearray.functional.pooling import _check_mode, _known, _least
from corearray.functional.precision import _widened
from corearray.types.namedtuples import NamedTuple

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.backends.backend import Backend
    from corearray.random import Generator

__all__ = [
    "MaxPoolResult",
    "col2im",
    "fractional_max_pool",
    "im2col",
    "max_pool_with_indices",
    "max_unpool1d",
    "max_unpool2d",
    "max_unpool3d",
    "reduce_window",
    "sliding_window",
]


class MaxPoolResult(NamedTuple):
    """Result of `max_pool_with_indices` and `fractional_max_pool`.

    Attributes
    ----------
    values
        The greatest element of each window.
    indices
        Where it stands in its channel.
    """

    values: Array
    indices: Array


@declare(gives="same")
def col2im(
    x: Array,
    output_size: int | Sequence[int],
    window_shape: int | Sequence[int],
    /,
    *,
    strides: int | Sequence[int] = 1,
    padding: str | int | Sequence[int] | Sequence[Sequence[int]] = "valid",
    dilations: int | Sequence[int] = 1,
    out: Array | None = None,
) -> Array:
    """Add overlapping windows back to an image; the adjoint of `im2col`.

    Parameters
    ----------
    x
        Numeric array of shape `(N, C * K, L)`, with the `K` elements of `L` windows.
    output_size
        How long the axes are over which the windows slid: as many integers, or one for two axes.
    window_shape, strides, padding, dilations
        As those of `im2col`.
    out
        Array that receives the result.

    Returns
    -------
    Array of shape `(N, C, *output_size)` and the dtype of `x`; what stood in the padding is left out.

    Raises
    ------
    ValueError
        If the shape of `x` does not fit, or an option is unknown.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.ones((1, 4, 2), dtype=ca.int64)
    >>> ca.col2im(x, (2, 3), 2).tolist()
    [[[[1, 2, 1], [1, 2, 1]]]]

    Notes
    -----
    As `torch.nn.functional.fold`, for any number of axes. The gradient of `im2col`.
    """
    lengths, windows = read_columns("col2im", x.shape, output_size, window_shape, strides, padding, dilations)
    size, number = math.prod(windows.kernel), math.prod(windows.lengths)
    dtype, batch, channels = x.dtype, _known(x)[0], x.shape[1] // size
    padded = [length + sum(pair) for length, pair in zip(lengths, windows.padding, strict=True)]
    places = xp.zeros((1, 1), dtype=xp.int64, device=x.device)
    for length, k, s, d, n in zip(
        padded, windows.kernel, windows.strides, windows.dilations, windows.lengths, strict=True
    ):
        along = xp.arange(k, device=x.device)[:, None] * d + xp.arange(n, device=x.device) * s
        places = places[:, None, :, None] * length + along[:, None, :]
        places = xp.reshape(places, (places.shape[0] * k, -1))
    parts = xp.moveaxis(xp.reshape(_widened(x), (batch, channels, size * number)), -1, 0)
    whole = xp.unsorted_segment_sum(parts, xp.reshape(places, (-1,)), math.prod(padded))
    whole = xp.reshape(xp.moveaxis(whole, 0, -1), (batch, channels, *padded))
    kept = (slice(before, before + length) for (before, _), length in zip(windows.padding, lengths, strict=True))
    return xp.astype(whole[(..., *kept)], dtype)


@declare(gives="same")
def im2col(
    x: Array,
    window_shape: int | Sequence[int],
    /,
    *,
    strides: int | Sequence[int] = 1,
    padding: str | int | Sequence[int] | Sequence[Sequence[int]] = "valid",
    dilations: int | Sequence[int] = 1,
    out: Array | None = None,
) -> Array:
    """Gather the elements of each sliding window of an image into a column.

    Parameters
    ----------
    x
        Array of shape `(N, C, ...)`, with at least three axes.
    window_shape
        Size of the window: an integer, or one for each axis.
    strides
        Distance from one window to the next: an integer, or one for each axis.
    padding
        Zeros around the array, as in `conv2d`.
    dilations
        Distance from one element of a window to the next: an integer, or one for each axis.
    out
        Array that receives the result.

    Returns
    -------
    Array of shape `(N, C * K, L)` and the dtype of `x`, with the `K` elements of `L` windows: all of a channel stand together.

    Raises
    ------
    ValueError
        If a window does not fit, or an option is unknown.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.im2col(ca.reshape(ca.arange(6), (1, 1, 2, 3)), 2).tolist()
    [[[0, 1], [1, 2], [3, 4], [4, 5]]]

    Notes
    -----
    As `torch.nn.functional.unfold`, for any number of axes.
    """
    _, lengths = spatial_shape("im2col", x.shape, "channels_first")
    windows = read_windows("im2col", lengths, window_shape, strides, padding, dilations)
    axes = tuple(range(2, x.ndim))
    x = xp.pad(x, ((0, 0), (0, 0), *windows.padding)) if any(map(any, windows.padding)) else x
    found = xp.sliding_window(x, windows.kernel, axis=axes, strides=windows.strides, dilations=windows.dilations)
    found = xp.moveaxis(found, tuple(range(x.ndim, found.ndim)), axes)
    batch, channels, *_ = _known(x)
    return xp.reshape(found, (batch, channels * math.prod(windows.kernel), math.prod(windows.lengths)))


@declare(real=True)
def fractional_max_pool(
    x: Array,
    window_shape: int | Sequence[int],
    output_shape: int | Sequence[int],
    /,
    *,
    samples: Array | None = None,
    generator: Generator | None = None,
) -> MaxPoolResult:
    """Compute the maxima of windows at random places, and their indices.

    The windows of an axis lie at distances of `floor(a)` or `ceil(a)`, where `a = (length - window) / (output - 1)`: window
    `i` begins at `floor((i + u) * a) - floor(u * a)`, with a random number `u` for each channel and axis. The last window ends
    with the axis. Windows overlap where they are longer than their distance.

    Parameters
    ----------
    x
        Array of real numbers of shape `(N, C, ...)`, with at least three axes.
    window_shape
        Size of a window: an integer, or one for each axis.
    output_shape
        Number of windows: an integer, or one for each axis.
    samples
        Floating-point array of the numbers `u` from 0 up to 1, of shape `(N, C, n)` with the `n` axes of the windows last. By
        default random numbers of `generator`, in float32.
    generator
        The generator, by default that of the context.

    Returns
    -------
    Named tuple `(values, indices)`: the greatest elements, of the dtype of `x`, and their places in the flattened channel as
    `int64`, of the first one where several are equal or NaN.

    Raises
    ------
    ValueError
        If windows do not fit, or `samples` has another shape.
    TypeError
        If truth values or complex numbers are given, or samples that are no floating-point numbers.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([[[1.0, 5.0, 2.0, 4.0, 3.0]]])
    >>> found = ca.fractional_max_pool(x, 2, 3, samples=ca.asarray([[[0.5]]]))
    >>> found.values.tolist(), found.indices.tolist()
    ([[[5.0, 4.0, 4.0]]], [[[1, 3, 3]]])

    Notes
    -----
    Graham, "Fractional max-pooling", 2014; `torch.nn.functional.fractional_max_pool2d` and `fractional_max_pool3d`.
    """
    name = "fractional_max_pool"
    windows = read_pooling(name, x.shape, window_shape, 1, "valid", 1, False, "channels_first")
    _check_mode(name, x, "max", ("max",))
    lengths, front = _known(x)[2:], _known(x)[:2]
    counts = per_axis(name, "output_shape", output_shape, len(lengths))
    for length, size, number in zip(lengths, windows.kernel, counts, strict=True):
        if number > length - size + 1:
            raise CoreArrayValueError(
                f"'{name}' was asked for {number} windows of {size} along an axis of {length}; ask for at most "
                f"{length - size + 1}"
            )
    if samples is None:
        drawn = _generator(name, generator)._fractions(cast("Backend", xp), (*front, len(lengths)), 24)
        samples = xp.astype(drawn, xp.float32).to_device(x.device)
    elif not xp.isdtype(samples.dtype, "real floating"):
        raise CoreArrayTypeError(f"'{name}' got samples of dtype '{samples.dtype}'; give floating-point numbers")
    elif tuple(samples.shape) != (*front, len(lengths)):
        raise CoreArrayValueError(
            f"'{name}' got samples of shape {tuple(samples.shape)} for an array of shape {tuple(x.shape)}; give them the shape "
            f"{(*front, len(lengths))}"
        )
    flat: Any = 0  # places of the elements of all windows, of the shape (N, C, *counts, *kernel)
    ahead = len(front)
    for axis, (length, size, number) in enumerate(zip(lengths, windows.kernel, counts, strict=True)):
        starts = _random_starts(samples[:, :, axis : axis + 1], length, size, number)
        places = xp.expand_dims(starts, axis=-1) + xp.arange(size, dtype=xp.int64, device=x.device)
        shape = [*front, *[1] * (2 * len(lengths))]
        shape[ahead + axis], shape[ahead + len(lengths) + axis] = number, size
        flat = flat * length + xp.reshape(places, tuple(shape))
    number, size = math.prod(counts), math.prod(windows.kernel)
    rows, flat = xp.reshape(x, (*front, math.prod(lengths))), xp.reshape(flat, (*front, number * size))
    parts = xp.reshape(xp.take_along_axis(rows, flat, axis=-1), (*front, number, size))
    chosen = xp.expand_dims(xp.argmax(parts, axis=-1), axis=-1)
    found = xp.take_along_axis(xp.reshape(flat, (*front, number, size)), chosen, axis=-1)
    indices = xp.reshape(found, (*front, number))
    values = xp.take_along_axis(rows, indices, axis=-1)
    return MaxPoolResult(*(xp.reshape(y, (*front, *counts)) for y in (values, indices)))


def _random_starts(u: Array, length: int, size: int, number: int) -> Array:
    """Return where windows begin along an axis, for random numbers of shape `(N, C, 1)`."""
    last = xp.full((*_known(u)[:2], 1), length - size, dtype=xp.int64, device=u.device)
    if number == 1:
        return last
    step = xp.asarray(length - size, dtype=u.dtype, device=u.device) / (number - 1)
    steps = xp.arange(number - 1, dtype=u.dtype, device=u.device)
    starts = xp.astype((steps + u) * step, xp.int64) - xp.astype(u * step, xp.int64)
    return xp.concat([starts, last], axis=-1)


@declare(real=True)
def max_pool_with_indices(
    x: Array,
    window_shape: int | Sequence[int],
    /,
    *,
    strides: int | Sequence[int] | None = None,
    padding: str | int | Sequence[int] | Sequence[Sequence[int]] = "valid",
    dilations: int | Sequence[int] = 1,
    ceil_mode: bool = False,
    data_format: str = "channels_first",
) -> MaxPoolResult:
    """Compute the maxima of windows over any number of axes, and their indices.

    Parameters
    ----------
    x
        Array of real numbers of shape `(N, C, ...)`, or `(N, ..., C)` with channels last, with at least three axes.
    window_shape, strides, padding, dilations, ceil_mode, data_format
        As those of `pool`.

    Returns
    -------
    Named tuple `(values, indices)`: the greatest elements, of the dtype of `x`, and their places as `int64`, of the first
    one where several are equal or NaN.

    Raises
    ------
    ValueError
        If a window does not fit, or an option is unknown.
    TypeError
        If truth values or complex numbers are given.

    Examples
    --------
    >>> import corearray as ca
    >>> found = ca.max_pool_with_indices(ca.asarray([[[1, 5, 2, 4]]]), 2)
    >>> found.values.tolist(), found.indices.tolist()
    ([[[5, 4]]], [[[1, 3]]])

    Notes
    -----
    As `torch.nn.functional.max_pool2d` with `return_indices=True`.
    """
    name = "max_pool_with_indices"
    windows = read_pooling(name, x.shape, window_shape, strides, padding, dilations, ceil_mode, data_format)
    _check_mode(name, x, "max", ("max",))
    x = x if data_format == "channels_first" else xp.moveaxis(x, -1, 1)
    lengths, size, number = x.shape[2:], math.prod(windows.kernel), math.prod(windows.lengths)
    beyond = windows.beyond(lengths)
    widths = [(before, after + more) for (before, after), more in zip(windows.padding, beyond, strict=True)]

    def gathered(y: Array, ahead: int, value: complex) -> Array:
        axes = tuple(range(ahead, y.ndim))
        y = xp.pad(y, [(0, 0)] * ahead + widths, constant_values=value)
        y = xp.sliding_window(y, windows.kernel, axis=axes, strides=windows.strides, dilations=windows.dilations)
        return xp.reshape(y, (*_known(y)[:ahead], number, size))

    parts = gathered(x, 2, _least(x, "max"))
    places = gathered(xp.reshape(xp.arange(math.prod(lengths), dtype=xp.int64, device=x.device), lengths), 0, -1)
    chosen = xp.argmax(parts, axis=-1) + xp.arange(number, device=x.device) * size
    found = xp.reshape(xp.take(xp.reshape(places, (-1,)), xp.reshape(chosen, (-1,))), (*_known(x)[:2], number))
    first = xp.min(xp.where(places < 0, math.prod(lengths), places), axis=-1)
    shape = (*_known(x)[:2], *windows.lengths)
    results = [xp.reshape(y, shape) for y in (xp.max(parts, axis=-1), xp.where(found < 0, first, found))]
    return MaxPoolResult(*(y if data_format == "channels_first" else xp.moveaxis(y, 1, -1) for y in results))


@declare(gives="same")
def max_unpool1d(
    x: Array,
    indices: Array,
    window_shape: int | Sequence[int],
    /,
    *,
    strides: int | Sequence[int] | None = None,
    padding: str | int | Sequence[int] | Sequence[Sequence[int]] = "valid",
    output_size: int | Sequence[int] | None = None,
    data_format: str = "channels_first",
) -> Array:
    """Write the maxima of windows over one axis back to their positions, and zeros elsewhere.

    Parameters
    ----------
    x
        Array of shape `(N, C, L)`, or `(N, L, C)` with channels last.
    indices
        Integer array of this shape, with the places that `max_pool_with_indices` returned.
    window_shape, strides, padding
        As for the pooling; not `"same"`, from which the length of the array cannot be inferred.
    output_size
        How long the axes were; by default as short as they can have been.
    data_format
        `"channels_first"` or `"channels_last"`.

    Returns
    -------
    Array of the dtype of `x`.

    Raises
    ------
    ValueError
        If the shapes differ, or an option is unknown.

    Examples
    --------
    >>> import corearray as ca
    >>> found = ca.max_pool_with_indices(ca.asarray([[[1, 5, 2, 4]]]), 2)
    >>> ca.max_unpool1d(*found, 2).tolist()
    [[[0, 5, 0, 4]]]

    Notes
    -----
    As `torch.nn.functional.max_unpool1d`.
    """
    options = (window_shape, strides, padding, output_size, data_format)
    return _unpooled("max_unpool1d", 1, x, indices, *options)


@declare(gives="same")
def max_unpool2d(
    x: Array,
    indices: Array,
    window_shape: int | Sequence[int],
    /,
    *,
    strides: int | Sequence[int] | None = None,
    padding: str | int | Sequence[int] | Sequence[Sequence[int]] = "valid",
    output_size: int | Sequence[int] | None = None,
    data_format: str = "channels_first",
) -> Array:
    """Write the maxima of windows over two axes back to their positions, and zeros elsewhere.

    Parameters
    ----------
    x
        Array of shape `(N, C, H, W)`, or `(N, H, W, C)` with channels last.
    indices
        Integer array of this shape, with the places that `max_pool_with_indices` returned.
    window_shape, strides, padding
        As for the pooling; not `"same"`, from which the length of the array cannot be inferred.
    output_size
        How long the axes were; by default as short as they can have been.
    data_format
        `"channels_first"` or `"channels_last"`.

    Returns
    -------
    Array of the dtype of `x`.

    Raises
    ------
    ValueError
        If the shapes differ, or an option is unknown.

    Examples
    --------
    >>> import corearray as ca
    >>> found = ca.max_pool_with_indices(ca.ones((1, 2, 5, 5)), 2)
    >>> ca.max_unpool2d(*found, 2, output_size=5).shape
    Shape((1, 2, 5, 5))

    Notes
    -----
    As `torch.nn.functional.max_unpool2d`.
    """
    options = (window_shape, strides, padding, output_size, data_format)
    return _unpooled("max_unpool2d", 2, x, indices, *options)


@declare(gives="same")
def max_unpool3d(
    x: Array,
    indices: Array,
    window_shape: int | Sequence[int],
    /,
    *,
    strides: int | Sequence[int] | None = None,
    padding: str | int | Sequence[int] | Sequence[Sequence[int]] = "valid",
    output_size: int | Sequence[int] | None = None,
    data_format: str = "channels_first",
) -> Array:
    """Write the maxima of windows over three axes back to their positions, and zeros elsewhere.

    Parameters
    ----------
    x
        Array of shape `(N, C, D, H, W)`, or `(N, D, H, W, C)` with channels last.
    indices
        Integer array of this shape, with the places that `max_pool_with_indices` returned.
    window_shape, strides, padding
        As for the pooling; not `"same"`, from which the length of the array cannot be inferred.
    output_size
        How long the axes were; by default as short as they can have been.
    data_format
        `"channels_first"` or `"channels_last"`.

    Returns
    -------
    Array of the dtype of `x`.

    Raises
    ------
    ValueError
        If the shapes differ, or an option is unknown.

    Examples
    --------
    >>> import corearray as ca
    >>> found = ca.max_pool_with_indices(ca.ones((1, 2, 5, 5, 5)), 2)
    >>> ca.max_unpool3d(*found, 2, output_size=5).shape
    Shape((1, 2, 5, 5, 5))

    Notes
    -----
    As `torch.nn.functional.max_unpool3d`.
    """
    options = (window_shape, strides, padding, output_size, data_format)
    return _unpooled("max_unpool3d", 3, x, indices, *options)


@declare(gives="same")
def reduce_window(
    x: Array,
    init_value: complex,
    computation: Callable[[Array, Array], Array],
    window_shape: int | Sequence[int],
    /,
    *,
    strides: int | Sequence[int] = 1,
    padding: str | int | Sequence[int] | Sequence[Sequence[int]] = "valid",
    dilations: int | Sequence[int] = 1,
    x_dilations: int | Sequence[int] = 1,
    out: Array | None = None,
) -> Array:
    """Reduce the elements of sliding windows with any function of two arrays.

    Parameters
    ----------
    x
        Array of any dtype with at least one axis.
    init_value
        Python number with which each window begins, and what is padded and put into gaps.
    computation
        Function of two arrays of one shape, such as `corearray.add`, that joins them element by element. It should not matter
        how three elements are grouped.
    window_shape
        Size of the window: an integer, or one for each axis.
    strides
        Distance from one window to the next: an integer, or one for each axis.
    padding
        As in `conv_general_dilated`, for all axes.
    dilations
        Distance from one element of a window to the next: an integer, or one for each axis.
    x_dilations
        Distance from one element of the array to the next: an integer, or one for each axis.
    out
        Array that receives the result.

    Returns
    -------
    Array of the dtype of `x`, with one element for each window.

    Raises
    ------
    ValueError
        If a window does not fit, or an option is unknown.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.reduce_window(ca.asarray([1, 2, 3, 4]), 1, ca.multiply, 2).tolist()
    [2, 6, 12]

    Notes
    -----
    As `jax.lax.reduce_window`. `pool` is faster where it has the function.
    """
    if x.ndim == 0:
        raise CoreArrayValueError("'reduce_window' got an array without axes, over which no window slides")
    gaps = per_axis("reduce_window", "x_dilations", x_dilations, x.ndim)
    lengths = [max((length - 1) * gap + 1, 0) for length, gap in zip(x.shape, gaps, strict=True)]
    windows = read_windows("reduce_window", lengths, window_shape, strides, padding, dilations, negative=True)
    whole = _spaced(xp.reshape(x, (1, *x.shape, 1)), gaps, init_value)
    whole = _padded(whole, windows.padding, init_value)[0, ..., 0]
    result = xp.full(windows.lengths, init_value, dtype=x.dtype, device=x.device)
    for place in product(*map(range, windows.kernel)):
        starts = [at * gap for at, gap in zip(place, windows.dilations, strict=True)]
        ends = [a + (n - 1) * s + 1 for a, n, s in zip(starts, windows.lengths, windows.strides, strict=True)]
        result = computation(result, whole[tuple(map(slice, starts, ends, windows.strides))])
    return xp.astype(result, x.dtype, copy=False)


@declare(gives="same")
def sliding_window(
    x: Array,
    window_shape: int | Sequence[int],
    /,
    *,
    axis: int | Sequence[int] | None = None,
    strides: int | Sequence[int] = 1,
    dilations: int | Sequence[int] = 1,
) -> Array:
    """Gather the elements of windows that slide over axes.

    Parameters
    ----------
    x
        Array of any dtype.
    window_shape
        Size of the window: an integer, or one for each axis.
    axis
        Axis or axes over which the windows slide; by default all.
    strides
        Distance from one window to the next: an integer, or one for each axis.
    dilations
        Distance from one element of a window to the next: an integer, or one for each axis.

    Returns
    -------
    Array of the dtype of `x`, with as many elements along each of the axes as there are windows, and behind the others
    one axis for each with the elements of the window. It shares no memory with `x`.

    Raises
    ------
    ValueError
        If a window does not fit, an axis is named twice, or an option is no positive integer.
    IndexError
        If `x` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.sliding_window(ca.arange(5), 3).tolist()
    [[0, 1, 2], [1, 2, 3], [2, 3, 4]]
    >>> ca.sliding_window(ca.arange(7), 3, strides=2, dilations=2).tolist()
    [[0, 2, 4], [2, 4, 6]]

    Notes
    -----
    As `numpy.lib.stride_tricks.sliding_window_view`, which has no strides and dilations, and gives a view.
    """
    places = _places(range(x.ndim) if axis is None else axis, x.ndim, "sliding_window")
    lengths = [x.shape[place] for place in places]
    windows = read_windows("sliding_window", lengths, window_shape, strides, "valid", dilations)
    if not places:
        return xp.astype(x, x.dtype, copy=True)
    for place, size, stride, dilation, length in zip(
        places, windows.kernel, windows.strides, windows.dilations, windows.lengths, strict=True
    ):
        starts = xp.arange(length, device=x.device)[:, None] * stride
        indices = starts + xp.arange(size, device=x.device) * dilation
        x = xp.take(x, xp.reshape(indices, (-1,)), axis=place)
    split = {place: pair for place, *pair in zip(places, windows.lengths, windows.kernel, strict=True)}
    sizes = [-1 if length is None else length for length in x.shape]
    shape = [size for place, length in enumerate(sizes) for size in split.get(place, (length,))]
    behind = [place + sum(other <= place for other in places) for place in places]
    others = [place for place in range(len(shape)) if place not in behind]
    return xp.permute_dims(xp.reshape(x, shape), (*others, *behind))


def _unpooled(
    name: str,
    count: int,
    x: Array,
    indices: Array,
    window_shape: Any,
    strides: Any,
    padding: Any,
    output_size: Any,
    data_format: str,
) -> Array:
    """Put elements to their places in each channel."""
    if tuple(x.shape) != tuple(indices.shape):
        raise CoreArrayValueError(
            f"'{name}' got an array of shape {tuple(x.shape)} and indices of shape {tuple(indices.shape)}; these are the same"
        )
    _, lengths = spatial_shape(name, x.shape, data_format, count)
    if isinstance(padding, str) and padding.lower() == "same":
        raise CoreArrayValueError(f"'{name}' got padding={padding!r}; give it in numbers, with 'output_size'")
    kernel = per_axis(name, "window", window_shape, count)
    windows = read_windows(name, kernel, kernel, kernel if strides is None else strides, padding, 1)
    shortest = [
        (n - 1) * stride + size - sum(pair)
        for n, stride, size, pair in zip(lengths, windows.strides, kernel, windows.padding, strict=True)
    ]
    sizes = shortest if output_size is None else per_axis(name, "output_size", output_size, count)
    x, indices = (y if data_format == "channels_first" else xp.moveaxis(y, -1, 1) for y in (x, indices))
    ahead = _known(x)[:2]
    flat = [xp.reshape(y, (*ahead, math.prod(lengths))) for y in (x, indices)]
    found = xp.zeros((*x.shape[:2], math.prod(sizes)), dtype=x.dtype, device=x.device)
    found = xp.reshape(xp.scatter_along_axis(found, flat[1], flat[0]), (*ahead, *sizes))
    return found if data_format == "channels_first" else xp.moveaxis(found, 1, -1)
