"""Windows that slide over the axes of an array: their sizes, steps, gaps and edges, read and checked.

Convolutions and pooling read their shapes and options here, once for the composition and for every plugin, so that the
same mistake has the same words on every backend. A length that is not known while a function is traced is `None`.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

from corearray.calls.memo import memoised
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.types.namedtuples import NamedTuple

__all__ = [
    "Windows",
    "is_one",
    "per_axis",
    "read_adaptive",
    "read_columns",
    "read_convolution",
    "read_pooling",
    "read_transposed",
    "read_windows",
    "spatial_shape",
]

#: Where the channels stand.
_FORMATS = ("channels_first", "channels_last")


class Windows(NamedTuple):
    """How windows slide: each field has one entry for each axis over which they do.

    Attributes
    ----------
    kernel
        Number of elements of a window.
    strides
        Distance from one window to the next.
    padding
        How many elements are put before and after; negative ones are taken away.
    dilations
        Distance from one element of a window to the next.
    lengths
        Number of windows, which is the length of the result.
    x_dilations
        Of convolutions, the distance from one element of the array to the next, with zeros between them.
    """

    kernel: tuple[int, ...]
    strides: tuple[int, ...]
    padding: tuple[tuple[int, int], ...]
    dilations: tuple[int, ...]
    lengths: tuple[Any, ...]
    x_dilations: tuple[int, ...] = ()

    def beyond(self, lengths: Sequence[Any]) -> tuple[int, ...]:
        """Return how far the last windows end beyond the padding, for axes of these lengths."""
        found = []
        for length, size, stride, pair, gap, number in zip(lengths, *self[:5], strict=False):
            end = 0 if length is None else (number - 1) * stride + (size - 1) * gap + 1
            found.append(max(end - sum(pair) - length, 0) if end else 0)
        return tuple(found)


@memoised
def read_windows(
    name: str,
    lengths: Sequence[Any],
    kernel: Any,
    strides: Any,
    padding: Any,
    dilations: Any,
    *,
    ceil_mode: bool = False,
    negative: bool = False,
) -> Windows:
    """Read the options of windows over axes of these lengths.

    Parameters
    ----------
    name
        The function, for messages.
    lengths
        How long the axes are.
    kernel, strides, dilations
        An integer for all axes, or one for each.
    padding
        `"valid"` for none, `"same"` for so much that the number of windows is the length divided by the stride, rounded up;
        an integer for all ends, one for each axis, or one pair `(before, after)` for each axis.
    ceil_mode
        Whether a window that begins in the array may end beyond it.
    negative
        Whether padding may be negative.

    Raises
    ------
    CoreArrayValueError, CoreArrayTypeError
        If an option is none of these, or a window does not fit into an axis.

    Examples
    --------
    >>> read_windows("conv1d", [7], 3, 2, "same", 1).padding
    ((1, 1),)
    """
    count = len(lengths)
    kernel = per_axis(name, "window", kernel, count)
    strides = per_axis(name, "strides", strides, count)
    dilations = per_axis(name, "dilations", dilations, count)
    spans = [(size - 1) * dilation + 1 for size, dilation in zip(kernel, dilations, strict=True)]
    if _word(name, padding, count) == "same":
        padding = tuple(map(_same, [name] * count, lengths, spans, strides))
    else:
        padding = _pairs(name, padding, count, negative)
    found: list[int | None] = []
    for length, stride, span, pair in zip(lengths, strides, spans, padding, strict=True):
        if length is None:
            found.append(None)
            continue
        room = length + sum(pair) - span
        if room < 0 and not (ceil_mode and room > -stride):  # where one window begins in the array, and ends beyond it
            raise CoreArrayValueError(
                f"'{name}' got windows that reach over {span} elements, and an axis of length {length} with a padding of "
                f"{pair}; a window must fit into the axis"
            )
        number = room // stride + 1
        found.append(number + (ceil_mode and room % stride > 0 and number * stride < length + pair[0]))
    return Windows(kernel, strides, padding, dilations, tuple(found))


@memoised
def read_convolution(
    name: str,
    shape: Sequence[Any],
    filters: Sequence[Any],
    bias: Sequence[Any] | None,
    strides: Any,
    padding: Any,
    dilations: Any,
    x_dilations: Any,
    groups: Any,
    data_format: str,
    filter_format: str,
    *,
    count: int | None = None,
) -> Windows:
    """Read the options of a convolution.

    Parameters
    ----------
    name
        The function, for messages.
    shape, filters, bias
        The shapes of the arguments.
    strides, padding, dilations, x_dilations, groups, data_format, filter_format
        As given by the user. Padding may be negative where `count` is not given.
    count
        Number of axes over which the filters slide; by default as many as the array has beside batch and channels.

    Raises
    ------
    CoreArrayValueError, CoreArrayTypeError
        If they do not fit.
    """
    channels, lengths = spatial_shape(name, shape, data_format, count)
    number, inside, kernel = _filter_shape(name, filters, filter_format, len(lengths))
    (groups,) = per_axis(name, "groups", groups, 1)
    if channels is not None and channels != inside * groups:
        raise CoreArrayValueError(
            f"'{name}' got an array of shape {tuple(shape)}, which has {channels} channels, and filters of shape "
            f"{tuple(filters)}, which take {inside} in each of {groups} groups ({data_format=}, {filter_format=})"
        )
    _check_groups(name, "filters", number, groups)
    _check_bias(name, bias, number)
    x_dilations = per_axis(name, "x_dilations", x_dilations, len(lengths))
    spread = [None if n is None else max((n - 1) * gap + 1, 0) for n, gap in zip(lengths, x_dilations, strict=True)]
    found = read_windows(name, spread, kernel, strides, padding, dilations, negative=count is None)
    return found._replace(x_dilations=x_dilations)


@memoised
def read_transposed(
    name: str,
    shape: Sequence[Any],
    filters: Sequence[Any],
    bias: Sequence[Any] | None,
    strides: Any,
    padding: Any,
    output_padding: Any,
    output_shape: Any,
    dilations: Any,
    groups: Any,
    data_format: str,
    filter_format: str,
    *,
    count: int | None = None,
) -> Windows:
    """Read the options of a transposed convolution, as `read_convolution`.

    In what it returns, `padding` is what is cut off from the whole result before and after, negative where zeros are added,
    and `lengths` are those of the result.
    """
    channels, lengths = spatial_shape(name, shape, data_format, count)
    number, inside, kernel = _filter_shape(name, filters, filter_format, len(lengths))
    (groups,) = per_axis(name, "groups", groups, 1)
    if channels is not None and channels != number:
        raise CoreArrayValueError(
            f"'{name}' got an array of shape {tuple(shape)}, which has {channels} channels, and filters of shape "
            f"{tuple(filters)}, which take {number} ({data_format=}, {filter_format=})"
        )
    _check_groups(name, "channels", number, groups)
    _check_bias(name, bias, inside * groups)
    count = len(lengths)
    kernel = per_axis(name, "window", kernel, count)
    strides = per_axis(name, "strides", strides, count)
    dilations = per_axis(name, "dilations", dilations, count)
    extra = per_axis(name, "output_padding", output_padding, count, 0)
    wanted = (None,) * count if output_shape is None else per_axis(name, "output_shape", output_shape, count)
    same = _word(name, padding, count) == "same"
    pairs = ((0, 0),) * count if same else _pairs(name, padding, count, False)
    cuts, found = [], []
    for n, size, s, d, (before, after), more, length in zip(
        lengths, kernel, strides, dilations, pairs, extra, wanted, strict=True
    ):
        whole = None if n is None else (n - 1) * s + (size - 1) * d + 1
        if same:
            if length is not None and n is not None and -(-length // s) != n:
                raise CoreArrayValueError(
                    f"'{name}' got output_shape={output_shape!r}, of which {length} divided by the stride {s} is not {n}, "
                    "the length of the axis"
                )
            total = (size - 1) * d + 1 - s if length is None or whole is None else whole - length
            before = max(total, 0) // 2
            after = total - before
        elif length is not None and whole is not None:
            more = length - (whole - before - after)
        if not 0 <= more < max(s, d):
            raise CoreArrayValueError(
                f"'{name}' got output_padding={output_padding!r} and output_shape={output_shape!r}, for which {more} elements "
                f"are added to an axis; these are at least 0 and fewer than the stride {s} or the dilation {d}"
            )
        after -= more
        out = None if whole is None else whole - before - after
        if out is not None and (out < 1 or n == 0):
            raise CoreArrayValueError(
                f"'{name}' got an axis of length {n}, of which with padding={padding!r} nothing would be left"
            )
        cuts.append((before, after))
        found.append(out)
    return Windows(kernel, strides, tuple(cuts), dilations, tuple(found))


def is_one(option: Any) -> bool:
    """Return whether strides or dilations are 1 along all axes, given as a number or as one for each axis."""
    return bool(option == 1 or (isinstance(option, (tuple, list)) and all(number == 1 for number in option)))


@memoised
def read_pooling(
    name: str,
    shape: Sequence[Any],
    window_shape: Any,
    strides: Any,
    padding: Any,
    dilations: Any,
    ceil_mode: bool,
    data_format: str,
    *,
    count: int | None = None,
) -> Windows:
    """Read the options of pooling; strides that are `None` are as long as the windows.

    Raises
    ------
    CoreArrayValueError, CoreArrayTypeError
        If they do not fit, or a window would see nothing but padding.
    """
    _, lengths = spatial_shape(name, shape, data_format, count)
    strides = window_shape if strides is None else strides
    windows = read_windows(name, lengths, window_shape, strides, padding, dilations, ceil_mode=ceil_mode)
    for length, size, gap, pair in zip(lengths, windows.kernel, windows.dilations, windows.padding, strict=True):
        if length == 0 or max(pair) > (size - 1) * gap:
            raise CoreArrayValueError(
                f"'{name}' got an axis of length {length} with a padding of {pair}, and windows that reach over "
                f"{(size - 1) * gap + 1} elements, of which one would see nothing but padding"
            )
    return windows


@memoised
def read_columns(
    name: str, shape: Sequence[Any], output_size: Any, window_shape: Any, strides: Any, padding: Any, dilations: Any
) -> tuple[tuple[int, ...], Windows]:
    """Return the lengths of the axes from which windows were gathered in columns, and the windows.

    Raises
    ------
    CoreArrayValueError, CoreArrayTypeError
        If they do not fit the shape of the columns.
    """
    count = len(output_size) if isinstance(output_size, Sequence) else 2
    lengths = per_axis(name, "output_size", output_size, count)
    windows = read_windows(name, lengths, window_shape, strides, padding, dilations)
    size, number = math.prod(windows.kernel), math.prod(windows.lengths)
    if len(shape) != 3 or shape[1] % size or shape[2] != number:
        raise CoreArrayValueError(
            f"'{name}' got an array of shape {tuple(shape)}; it takes one with 3 axes, of which the second is a multiple of "
            f"{size}, the elements of a window, and the third {number} windows"
        )
    return lengths, windows


@memoised
def read_adaptive(
    name: str, shape: Sequence[Any], output_size: Any, data_format: str, *, count: int | None = None
) -> tuple[int, ...]:
    """Return how long each axis of an adaptive pooling becomes; `None` leaves one as it is.

    Raises
    ------
    CoreArrayValueError, CoreArrayTypeError
        If the sizes do not fit, or an axis has no elements.
    """
    _, lengths = spatial_shape(name, shape, data_format, count)
    given = output_size if isinstance(output_size, Sequence) else (output_size,) * len(lengths)
    if len(given) == len(lengths):
        given = tuple(length if size is None else size for size, length in zip(given, lengths, strict=True))
    sizes = per_axis(name, "output_size", given, len(lengths))
    if 0 in lengths:
        raise CoreArrayValueError(f"'{name}' got an array of shape {tuple(shape)}, which has nothing to pool")
    return sizes


def spatial_shape(name: str, shape: Sequence[Any], data_format: str, count: int | None = None) -> tuple[Any, list[Any]]:
    """Return the number of channels of an array, and the lengths of its axes beside these and the batch.

    Raises
    ------
    CoreArrayValueError
        If it has not `count` such axes, or not one of them, or if the format is unknown.
    """
    _check_format(name, "data_format", data_format)
    if len(shape) != count + 2 if count is not None else len(shape) < 3:
        raise CoreArrayValueError(
            f"'{name}' got an array of shape {tuple(shape)}; it takes one with {'at least 3' if count is None else count + 2} "
            f"axes: a batch, channels and {'others' if count is None else count} to slide over"
        )
    first = data_format == "channels_first"
    return (shape[1], list(shape[2:])) if first else (shape[-1], list(shape[1:-1]))


def per_axis(name: str, option: str, value: Any, count: int, least: int = 1) -> tuple[int, ...]:
    """Return an integer for each axis."""
    if type(value) is int and value >= least:
        return (value,) * count
    given = value if isinstance(value, Sequence) and not isinstance(value, str) else (value,) * count
    try:
        found = tuple(map(operator.index, given))
    except TypeError:
        raise CoreArrayTypeError(
            f"'{name}' got {option}={value!r}; give an integer, or {count} of them, one for each axis"
        ) from None
    if len(found) != count or any(number < least for number in found):
        raise CoreArrayValueError(
            f"'{name}' got {option}={value!r}; give an integer of at least {least}, or {count} of them, one for each axis"
        )
    return found


def _word(name: str, padding: Any, count: int) -> str:
    """Return which of the two words padding is, if any."""
    if not isinstance(padding, str):
        return ""
    if padding.lower() not in ("same", "valid"):
        raise CoreArrayValueError(f"'{name}' got padding={padding!r}; {_paddings(count)}")
    return padding.lower()


def _paddings(count: int) -> str:
    return f"it is 'valid', 'same', an integer, or a sequence of {count} integers or pairs (before, after)"


def _pairs(name: str, padding: Any, count: int, negative: bool) -> tuple[tuple[int, int], ...]:
    """Return a pair for each axis."""
    if isinstance(padding, str) or (type(padding) is int and padding == 0):
        return ((0, 0),) * count
    given = padding if isinstance(padding, Sequence) else (padding,) * count
    try:
        found = tuple(
            (operator.index(row[0]), operator.index(row[1]))
            if isinstance(row, Sequence)
            else (operator.index(row),) * 2
            for row in given
            if not isinstance(row, Sequence) or len(row) == 2
        )
    except TypeError:
        raise CoreArrayTypeError(f"'{name}' got padding={padding!r}; {_paddings(count)}") from None
    if (
        len(found) != count
        or len(given) != count
        or (not negative and any(width < 0 for row in found for width in row))
    ):
        least = "" if negative else ", none of them negative"
        raise CoreArrayValueError(f"'{name}' got padding={padding!r}; {_paddings(count)}{least}")
    return found


def _same(name: str, length: Any, span: int, stride: int) -> tuple[int, int]:
    """Return the padding with which there are as many windows as the length divided by the stride."""
    if length is None and stride > 1:
        raise CoreArrayValueError(
            f"'{name}' got padding='same' and a stride for an axis whose length is not known yet; give the padding in numbers"
        )
    total = span - 1 if stride == 1 else max((length - 1) // stride * stride + span - length, 0)
    return total // 2, total - total // 2


def _filter_shape(
    name: str, filters: Sequence[Any], filter_format: str, count: int
) -> tuple[Any, Any, tuple[Any, ...]]:
    """Return how many filters there are, how many channels each has, and their sizes."""
    _check_format(name, "filter_format", filter_format)
    if len(filters) != count + 2:
        raise CoreArrayValueError(
            f"'{name}' got filters of shape {tuple(filters)} for {count} axes to slide over; they have {count + 2} axes"
        )
    if filter_format == "channels_first":
        return filters[0], filters[1], tuple(filters[2:])
    return filters[-1], filters[-2], tuple(filters[:-2])


def _check_format(name: str, option: str, value: str) -> None:
    if value not in _FORMATS:
        raise CoreArrayValueError(f"'{name}' got {option}={value!r}; it is one of {', '.join(map(repr, _FORMATS))}")


def _check_groups(name: str, what: str, number: int, groups: int) -> None:
    if number % groups:
        raise CoreArrayValueError(f"'{name}' got {number} {what}, which cannot be divided into {groups} groups")


def _check_bias(name: str, bias: Sequence[Any] | None, number: int) -> None:
    if bias is not None and tuple(bias) != (number,):
        raise CoreArrayValueError(f"'{name}' got a bias of shape {tuple(bias)}; it has the shape ({number},)")
