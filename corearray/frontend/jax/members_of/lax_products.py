"""Products and convolutions of `jax.lax`, by their primitives, with JAX's tests of shapes and dtypes."""

from __future__ import annotations

import enum
import operator
from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.jax.members_of.lax_elementwise import given, primitive
from corearray.frontend.jax.members_of.lax_windows import dilated, padtype_to_pads
from corearray.frontend.jax.promotion import cast, requested
from corearray.frontend.jax.wrapper import Array, converted

__all__ = [
    "FUNCTIONS", "ConvDimensionNumbers", "ConvGeneralDilatedDimensionNumbers", "DotDimensionNumbers", "Precision",
    "PrecisionLike", "batch_matmul", "conv", "conv_dimension_numbers", "conv_general_dilated",
    "conv_general_dilated_local", "conv_general_dilated_patches", "conv_general_permutations", "conv_general_shape_tuple",
    "conv_shape_tuple", "conv_transpose", "conv_transpose_shape_tuple", "conv_with_general_padding", "dot", "dot_general",
]  # fmt: skip


class Precision(enum.Enum):
    """The precisions of products. They have no effect: each backend uses its own."""

    DEFAULT = 0
    HIGH = 1
    HIGHEST = 2


class ConvDimensionNumbers(NamedTuple):
    """The places of batch, channels and spatial axes in the operands and the result of a convolution."""

    lhs_spec: Sequence[int]
    rhs_spec: Sequence[int]
    out_spec: Sequence[int]


#: JAX's names for types in annotations.
DotDimensionNumbers = tuple[tuple[Sequence[int], Sequence[int]], tuple[Sequence[int], Sequence[int]]]
ConvGeneralDilatedDimensionNumbers = tuple[str, str, str] | ConvDimensionNumbers | None
PrecisionLike = str | Precision | tuple[str, str] | tuple[Precision, Precision] | None


def _width(dtype: ca.DType) -> tuple[Any, ...]:
    """Return the order of dtypes in products: complex after real ones, floating after integers, signed after unsigned."""
    is_complex, is_real = dtype.category == "complex floating", dtype.category == "real floating"
    bits = dtype.bits // 2 if is_complex else dtype.bits
    exponent = {16: 16, 32: 128, 64: 1024}.get(bits, -1) if is_real or is_complex else -1
    exponent = 128 if str(dtype) == "bfloat16" else exponent
    mantissa = {"bfloat16": 7, "float16": 10}.get(str(dtype), {32: 23, 64: 52}.get(bits, -1) if exponent > 0 else -1)
    return is_complex, exponent, mantissa, bits, dtype.category != "unsigned integer"


def _result_type(own: ca.DType, asked: Any, name: str) -> ca.DType:
    """Return the dtype of a convolution with `preferred_element_type`.

    Raises
    ------
    TypeError
        If it is of another kind than the operands, or narrower.
    """
    wanted = requested(asked, name) or own
    kinds = [_family(own), _family(wanted)]
    if kinds[0] != kinds[1] and kinds != ["integer", "real floating"]:
        raise CoreArrayTypeError(
            "Input type is incompatible with `preferred_element_type`. The compatible combinations of (input_type, "
            "preferred_element_type) are (integral, integral), (integral, floating), (floating, floating), (complex, complex); "
            f"got ({own}, {wanted})."
        )
    _refuse_narrower(own, wanted)
    return wanted


def _refuse_narrower(own: ca.DType, wanted: ca.DType) -> None:
    if wanted.bits < own.bits:
        raise CoreArrayTypeError(
            "`preferred_element_type` must not be narrower than the original type, got preferred_element_type of "
            f"{wanted} for result type of {own}."
        )


def _family(dtype: ca.DType) -> str:
    return "integer" if dtype.category in ("signed integer", "unsigned integer") else dtype.category


def _axes(x: Any) -> tuple[int, ...]:
    return tuple(operator.index(axis) for axis in x)


def dot_general(
    lhs: Any, rhs: Any, dimension_numbers: Any, precision: Any = None, preferred_element_type: Any = None, *,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """Sum products over contracted axes, for each place of the batch axes."""
    (a, a_weak), (b, b_weak) = converted(lhs), converted(rhs)
    (contracted, of_rhs), (batch, rhs_batch) = dimension_numbers
    numbers = [[_axes(contracted), _axes(of_rhs)], [_axes(batch), _axes(rhs_batch)]]
    for side, (x, name) in enumerate(((a, "lhs"), (b, "rhs"))):
        both = (*numbers[0][side], *numbers[1][side])
        if not all(0 <= axis < x.ndim for axis in both) or len(set(both)) < len(both):
            raise CoreArrayTypeError(
                f"dot_general requires {name} dimension numbers to be distinct, nonnegative and less than the number of axes "
                f"of the {name} value, got {name}_batch of {numbers[1][side]} and {name}_contracting of {numbers[0][side]} for "
                f"{name} of rank {x.ndim}"
            )
    for (one, other), what in zip(numbers, ("contracting", "batch"), strict=True):
        shapes = [tuple(x.shape[axis] for axis in axes) for x, axes in ((a, one), (b, other))]
        if shapes[0] != shapes[1]:
            raise CoreArrayTypeError(
                f"dot_general requires {what} dimensions to have the same shape, got {shapes[0]} and {shapes[1]}."
            )
    if a.dtype != b.dtype and _width(a.dtype) == _width(b.dtype):
        raise CoreArrayTypeError(f"lax.dot_general argument type error: {a.dtype}, {b.dtype}")
    own = a.dtype if _width(a.dtype) >= _width(b.dtype) else b.dtype
    wanted = requested(preferred_element_type, "dot_general") or own
    if own.category != "real floating":
        _refuse_narrower(own, wanted)
    wide = wanted if _width(wanted) > _width(own) else own
    made = primitive("dot_general")(cast(a, wide), cast(b, wide), dimension_numbers=numbers)
    return Array(cast(made, wanted), a_weak and b_weak)


def dot(
    lhs: Any, rhs: Any, dimension_numbers: Any = None, precision: Any = None, preferred_element_type: Any = None, *,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """Return products of vectors and matrices, or of any arrays with `dimension_numbers`."""
    shapes = [tuple(converted(x)[0].shape) for x in (lhs, rhs)]
    if dimension_numbers is None:
        if not all(1 <= len(shape) <= 2 for shape in shapes) or shapes[0][-1] != shapes[1][0]:
            raise CoreArrayValueError(
                "jax.lax.dot: dimension_numbers must be specified when not performing simple un-batched matrix-matrix, "
                f"matrix-vector, or vector-vector products; got lhs_shape={shapes[0]} rhs_shape={shapes[1]}"
            )
        dimension_numbers = (((len(shapes[0]) - 1,), (0,)), ((), ()))
    return dot_general(lhs, rhs, dimension_numbers, precision, preferred_element_type)


def batch_matmul(lhs: Any, rhs: Any, precision: Any = None) -> Any:
    """Multiply matrices for each place of the axes before them."""
    a, b = converted(lhs)[0], converted(rhs)[0]
    if a.ndim < 2 or a.ndim != b.ndim:
        raise CoreArrayValueError(
            f"Arguments to batch_matmul must be matrices of one rank, got ndims {a.ndim} and {b.ndim}"
        )
    front = tuple(range(a.ndim - 2))
    return dot_general(lhs, rhs, (((a.ndim - 1,), (a.ndim - 2,)), (front, front)))


def conv_general_permutations(dimension_numbers: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """Return the places of the letters N, C (or O, I) and of the spatial axes in three texts."""
    pairs = ("NC", "OI", "NC")
    for i, (text, pair) in enumerate(zip(dimension_numbers, pairs, strict=True)):
        if not text.count(pair[0]) == text.count(pair[1]) == 1 or len(set(text)) < len(text):
            raise CoreArrayTypeError(
                f"convolution dimension_numbers[{i}] must contain the characters '{pair[0]}' and '{pair[1]}' exactly once, and "
                f"no duplicate characters, got {text}."
            )
    spatial = [set(text) - set(pair) for text, pair in zip(dimension_numbers, pairs, strict=True)]
    if not spatial[0] == spatial[1] == spatial[2]:
        raise CoreArrayTypeError(
            f"convolution dimension_numbers elements must each have the same set of spatial characters, "
            f"got {dimension_numbers}."
        )
    order = [letter for letter in dimension_numbers[1] if letter not in "OI"]
    return tuple(
        tuple(text.index(letter) for letter in (*pair, *order))
        for text, pair in zip(dimension_numbers, pairs, strict=True)
    )


def conv_dimension_numbers(lhs_shape: Any, rhs_shape: Any, dimension_numbers: Any) -> ConvDimensionNumbers:
    """Return `dimension_numbers`, three texts or nothing, as places of axes."""
    if isinstance(dimension_numbers, ConvDimensionNumbers):
        return dimension_numbers
    if len(lhs_shape) != len(rhs_shape):
        raise CoreArrayTypeError(
            f"convolution requires lhs and rhs ndim to be equal, got {len(lhs_shape)} and {len(rhs_shape)}."
        )
    if dimension_numbers is None:
        places = tuple(range(len(lhs_shape)))
        return ConvDimensionNumbers(places, places, places)
    if not isinstance(dimension_numbers, (list, tuple)) or len(dimension_numbers) != 3:
        raise CoreArrayTypeError(
            f"convolution dimension_numbers must be three texts or None, got {dimension_numbers!r}."
        )
    for i, text in enumerate(dimension_numbers):
        if not isinstance(text, str) or len(text) != len(lhs_shape):
            raise CoreArrayTypeError(
                f"convolution dimension_numbers[{i}] must be a text with len equal to the ndim of lhs and rhs, got {text!r} "
                f"for lhs and rhs shapes {tuple(lhs_shape)} and {tuple(rhs_shape)}."
            )
    return ConvDimensionNumbers(*conv_general_permutations(dimension_numbers))


def conv_shape_tuple(
    lhs_shape: Any, rhs_shape: Any, strides: Any, pads: Any, batch_group_count: int = 1
) -> tuple[int, ...]:
    """Return the shape of a convolution whose operands have their channels first."""
    if isinstance(pads, str):
        pads = padtype_to_pads(lhs_shape[2:], rhs_shape[2:], strides, pads)
    if len(pads) != len(lhs_shape) - 2:
        raise CoreArrayTypeError(
            f"Wrong number of explicit pads for convolution: expected {len(lhs_shape) - 2}, got {len(pads)}."
        )
    sizes = [n + low + high for n, (low, high) in zip(lhs_shape[2:], pads, strict=True)]
    if any(n < 0 for n in sizes):
        raise CoreArrayValueError(
            "Negative padding is larger than the size of the corresponding dimension: "
            f"got padding={pads} for lhs_shape[2:]={tuple(lhs_shape[2:])}"
        )
    places = [max(0, (n - k) // stride + 1) for n, k, stride in zip(sizes, rhs_shape[2:], strides, strict=True)]
    return (lhs_shape[0] // batch_group_count, rhs_shape[0], *places)


def conv_general_shape_tuple(
    lhs_shape: Any, rhs_shape: Any, window_strides: Any, padding: Any, dimension_numbers: Any
) -> Any:
    """Return the shape of a convolution."""
    of_lhs, of_rhs, of_out = conv_general_permutations(dimension_numbers)
    image, filters = (tuple(shape[i] for i in places) for shape, places in ((lhs_shape, of_lhs), (rhs_shape, of_rhs)))
    made = conv_shape_tuple(image, filters, window_strides, padding)
    return tuple(made[of_out.index(axis)] for axis in range(len(of_out)))


def conv_transpose_shape_tuple(
    lhs_shape: Any, rhs_shape: Any, window_strides: Any, padding: Any, dimension_numbers: Any
) -> Any:
    """Return the shape of a transposed convolution."""
    of_lhs, of_rhs, of_out = conv_general_permutations(dimension_numbers)
    image, filters = (tuple(shape[i] for i in places) for shape, places in ((lhs_shape, of_lhs), (rhs_shape, of_rhs)))
    pads = padding
    if isinstance(padding, str):
        pads = [_transposed_padding(*one, padding) for one in zip(filters[2:], window_strides, strict=True)]
    sizes = zip(image[2:], filters[2:], window_strides, pads, strict=True)
    made = (image[0], filters[0], *((n - 1) * stride - k + 2 + low + high for n, k, stride, (low, high) in sizes))
    return tuple(made[of_out.index(axis)] for axis in range(len(of_out)))


def _pairs(padding: Any) -> list[tuple[int, int]]:
    try:
        return [(operator.index(low), operator.index(high)) for low, high in padding]
    except (ValueError, TypeError) as error:
        raise CoreArrayValueError(
            f"padding argument to conv_general_dilated should be a string or a sequence of (low, high) pairs, got {padding}"
        ) from error


def conv_general_dilated(
    lhs: Any, rhs: Any, window_strides: Sequence[int], padding: Any, lhs_dilation: Any = None, rhs_dilation: Any = None,
    dimension_numbers: Any = None, feature_group_count: int = 1, batch_group_count: int = 1, precision: Any = None,
    preferred_element_type: Any = None, out_sharding: Any = None,
) -> Any:  # fmt: skip
    """Convolve over any number of axes, in any layout."""
    shapes = [tuple(converted(x)[0].shape) for x in (lhs, rhs)]
    numbers = conv_dimension_numbers(shapes[0], shapes[1], dimension_numbers)
    count = len(shapes[0]) - 2
    if isinstance(padding, str) and lhs_dilation is not None and set(lhs_dilation) - {1}:
        raise CoreArrayValueError(
            "String padding is not implemented for transposed convolution using this op. Please either exactly specify the "
            "required padding or use conv_transpose."
        )
    before, between = (tuple(one) if one is not None else (1,) * count for one in (lhs_dilation, rhs_dilation))
    image, filters = (tuple(shape[i] for i in places) for shape, places in zip(shapes, numbers[:2], strict=True))
    groups = int(feature_group_count)
    _check_groups(image, filters, groups, int(batch_group_count))
    if len(window_strides) != count:
        raise CoreArrayValueError(
            "conv_general_dilated window and window_strides must have the same number of dimensions, but got "
            f"{count} and {len(window_strides)}"
        )
    spread = dilated(filters[2:], between)
    pads = padtype_to_pads(image[2:], spread, window_strides, padding) if isinstance(padding, str) else _pairs(padding)
    conv_shape_tuple((*image[:2], *dilated(image[2:], before)), (*filters[:2], *spread), window_strides, pads)
    (x, y), weak = given("conv_general_dilated", lhs, rhs)
    wanted = _result_type(x.dtype, preferred_element_type, "conv_general_dilated")
    made = primitive("conv_general_dilated")(
        cast(x, wanted), cast(y, wanted), window_strides=tuple(window_strides), padding=pads, lhs_dilation=before,
        rhs_dilation=between, dimension_numbers=numbers._asdict(), feature_group_count=groups,
        batch_group_count=int(batch_group_count),
    )  # fmt: skip
    return Array(made, weak)


def _check_groups(image: Sequence[int], filters: Sequence[int], groups: int, batches: int) -> None:
    """Refuse counts of groups that do not divide the channels or the batch."""
    for name, count in (("feature_group_count", groups), ("batch_group_count", batches)):
        if count <= 0:
            raise CoreArrayValueError(f"conv_general_dilated {name} must be a positive integer, got {count}.")
        if filters[0] % count:
            raise CoreArrayValueError(
                f"conv_general_dilated rhs output feature dimension size must be a multiple of {name}, but {filters[0]} is "
                f"not a multiple of {count}."
            )
    if image[1] % groups or image[1] // groups != filters[1]:
        raise CoreArrayValueError(
            "conv_general_dilated lhs feature dimension size divided by feature_group_count must equal the rhs input feature "
            f"dimension size, but {image[1]} // {groups} != {filters[1]}."
        )
    if image[0] % batches:
        raise CoreArrayValueError(
            f"conv_general_dilated batch_group_count must divide lhs batch dimension size, but {batches} "
            f"does not divide {image[0]}."
        )
    if batches > 1 and groups > 1:
        raise CoreArrayValueError(
            "At most one of batch_group_count and feature_group_count may be > 1, got "
            f"batch_group_count={batches} and feature_group_count={groups}"
        )


def conv(
    lhs: Any,
    rhs: Any,
    window_strides: Sequence[int],
    padding: str,
    precision: Any = None,
    preferred_element_type: Any = None,
) -> Any:
    """Convolve with channels first."""
    return conv_general_dilated(lhs, rhs, window_strides, padding, preferred_element_type=preferred_element_type)


def conv_with_general_padding(
    lhs: Any, rhs: Any, window_strides: Sequence[int], padding: Any, lhs_dilation: Any, rhs_dilation: Any,
    precision: Any = None, preferred_element_type: Any = None,
) -> Any:  # fmt: skip
    """Convolve with channels first and any padding."""
    return conv_general_dilated(
        lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation, preferred_element_type=preferred_element_type
    )


def _transposed_padding(window: int, stride: int, padding: Any) -> tuple[int, int]:
    """Return the padding of a transposed convolution. The argument is the padding of the convolution."""
    if padding == "SAME":
        total = window + stride - 2
        low = window - 1 if stride > window - 1 else -(-total // 2)
    elif padding == "VALID":
        total, low = window + stride - 2 + max(window - stride, 0), window - 1
    elif isinstance(padding, tuple):
        pads = [window - one - 1 for one in padding]
        total, low = sum(pads), pads[0]
    else:
        raise CoreArrayValueError(f"Invalid padding mode: {padding}")
    return low, total - low


_CHANNELS_LAST = {
    2: ("NC", "IO", "NC"), 3: ("NHC", "HIO", "NHC"), 4: ("NHWC", "HWIO", "NHWC"), 5: ("NHWDC", "HWDIO", "NHWDC"),
}  # fmt: skip


def conv_transpose(
    lhs: Any, rhs: Any, strides: Sequence[int], padding: Any, rhs_dilation: Any = None, dimension_numbers: Any = None,
    transpose_kernel: bool = False, precision: Any = None, preferred_element_type: Any = None,
    use_consistent_padding: bool = False,
) -> Any:  # fmt: skip
    """Convolve with gaps of `strides` between the elements; channels are last, if `dimension_numbers` do not say otherwise."""
    shape, filters = (tuple(converted(x)[0].shape) for x in (lhs, rhs))
    if dimension_numbers is None and len(shape) not in _CHANNELS_LAST:
        raise CoreArrayValueError("No 4+ dimensional dimension_number defaults.")
    numbers = conv_dimension_numbers(
        shape, filters, _CHANNELS_LAST[len(shape)] if dimension_numbers is None else dimension_numbers
    )
    gaps = tuple(rhs_dilation) if rhs_dilation is not None else (1,) * (len(shape) - 2)
    pads = padding
    if use_consistent_padding or padding in ("SAME", "VALID"):
        windows = dilated([filters[axis] for axis in numbers.rhs_spec[2:]], gaps)
        each = [padding] * len(strides) if isinstance(padding, str) else padding
        pads = [_transposed_padding(*one) for one in zip(windows, strides, each, strict=True)]
    if transpose_kernel:
        array, weak = converted(rhs)
        array = ca.flip(array, axis=tuple(numbers.rhs_spec[2:])) if len(shape) > 2 else array
        rhs = Array(ca.swapaxes(array, numbers.rhs_spec[0], numbers.rhs_spec[1]), weak)
    return conv_general_dilated(
        lhs, rhs, (1,) * (len(shape) - 2), pads, strides, gaps, numbers, preferred_element_type=preferred_element_type
    )


def conv_general_dilated_patches(
    lhs: Any, filter_shape: Sequence[int], window_strides: Sequence[int], padding: Any, lhs_dilation: Any = None,
    rhs_dilation: Any = None, dimension_numbers: Any = None, precision: Any = None, preferred_element_type: Any = None,
) -> Any:  # fmt: skip
    """Return the elements below each place of a window as channels."""
    x, weak = converted(lhs)
    window = tuple(filter_shape)
    numbers = conv_dimension_numbers(tuple(x.shape), (1, 1, *window), dimension_numbers)
    channels, size = x.shape[numbers.lhs_spec[1]], prod(window)
    filters = ca.reshape(ca.tile(ca.eye(size, dtype=x.dtype), (channels, 1)), (channels * size, 1, *window))
    filters = ca.moveaxis(filters, (0, 1), tuple(numbers.rhs_spec[:2]))
    return conv_general_dilated(
        Array(x, weak), Array(filters), window_strides, padding, lhs_dilation, rhs_dilation, numbers, channels,
        preferred_element_type=preferred_element_type,
    )  # fmt: skip


def conv_general_dilated_local(
    lhs: Any, rhs: Any, window_strides: Sequence[int], padding: Any, filter_shape: Sequence[int], lhs_dilation: Any = None,
    rhs_dilation: Any = None, dimension_numbers: Any = None, precision: Any = None,
) -> Any:  # fmt: skip
    """Convolve with a filter of its own at each place of the result.

    Parameters
    ----------
    lhs
        An array.
    rhs
        The filters. Their spatial axes are those of the result; the axis of input channels holds all elements of a window,
        channel after channel.
    filter_shape
        The shape of the window.
    window_strides, padding, lhs_dilation, rhs_dilation, dimension_numbers
        As in `conv_general_dilated`.
    precision
        Without effect.
    """
    shape = tuple(converted(lhs)[0].shape)
    patches = conv_general_dilated_patches(
        lhs, filter_shape, window_strides, padding, lhs_dilation, rhs_dilation, dimension_numbers
    )
    _, of_rhs, of_out = conv_dimension_numbers(shape, (1, 1, *filter_shape), dimension_numbers)
    spatial = sorted(zip(of_out[2:], of_rhs[2:], strict=True))
    batch = tuple(one for one, _ in spatial), tuple(other for _, other in spatial)
    made = dot_general(patches, rhs, (((of_out[1],), (of_rhs[1],)), batch))
    return Array(ca.moveaxis(made.array, (-2, -1), (of_out[0], of_out[1])), made.weak_type)


FUNCTIONS: dict[str, Any] = {
    f"lax.{one.__name__}": one
    for one in (
        dot_general, dot, batch_matmul, conv, conv_dimension_numbers, conv_general_dilated, conv_general_dilated_local,
        conv_general_dilated_patches, conv_general_permutations, conv_general_shape_tuple, conv_shape_tuple, conv_transpose,
        conv_transpose_shape_tuple, conv_with_general_padding, ConvDimensionNumbers, Precision,
    )
} | {
    "lax.DotDimensionNumbers": DotDimensionNumbers,
    "lax.ConvGeneralDilatedDimensionNumbers": ConvGeneralDilatedDimensionNumbers,
    "lax.PrecisionLike": PrecisionLike,
}  # fmt: skip
