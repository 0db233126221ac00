"""Products of arrays and convolutions."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import corearray as ca
from corearray.frontend.jax.described import rule
from corearray.frontend.jax.rules.manipulation import pad

__all__: list[str] = []


@rule("jax.lax.dot_general_p")
def dot_general(
    a: ca.Array,
    b: ca.Array,
    *,
    dimension_numbers: Any,
    precision: Any = None,
    preferred_element_type: Any = None,
    out_sharding: Any = None,
) -> Any:
    """Sum products over contracted axes: batches of matrix products."""
    if isinstance(preferred_element_type, ca.DType):
        a, b = (x if x.dtype == preferred_element_type else ca.astype(x, preferred_element_type) for x in (a, b))
    (left, right), (left_batch, right_batch) = dimension_numbers
    left_free = [axis for axis in range(a.ndim) if axis not in (*left, *left_batch)]
    right_free = [axis for axis in range(b.ndim) if axis not in (*right, *right_batch)]
    batch = [a.shape[axis] for axis in left_batch]
    rows, columns = [a.shape[axis] for axis in left_free], [b.shape[axis] for axis in right_free]
    inner = prod([a.shape[axis] for axis in left])
    one = _arranged(a, (*left_batch, *left_free, *left), (*batch, prod(rows), inner))
    if (
        tuple(right_batch) == tuple(range(len(right_batch)))
        and len(right) == len(right_free) == 1
        and right[0] == b.ndim - 1
    ):
        other = ca.matrix_transpose(b)  # which needs no copy
    else:
        other = _arranged(b, (*right_batch, *right, *right_free), (*batch, inner, prod(columns)))
    made = ca.matmul(one, other)
    shape = (*batch, *rows, *columns)
    return made if tuple(made.shape) == shape else ca.reshape(made, shape)


def _arranged(x: ca.Array, order: Sequence[int], shape: Sequence[int]) -> Any:
    if tuple(order) != tuple(range(x.ndim)):
        x = ca.permute_dims(x, tuple(order))
    return x if tuple(x.shape) == tuple(shape) else ca.reshape(x, tuple(shape))


@rule("jax.lax.conv_general_dilated_p")
def conv_general_dilated(
    lhs: ca.Array,
    rhs: ca.Array,
    *,
    window_strides: Any,
    padding: Any,
    lhs_dilation: Any,
    rhs_dilation: Any,
    dimension_numbers: Any,
    feature_group_count: int = 1,
    batch_group_count: int = 1,
    **_: Any,
) -> Any:
    """Convolve; channels go first, and groups of the batch become groups of channels."""
    places = [dimension_numbers[name] for name in ("lhs_spec", "rhs_spec", "out_spec")]
    x, filters = (_moved(array, place) for array, place in zip((lhs, rhs), places[:2], strict=True))
    groups = feature_group_count
    if batch_group_count > 1:
        groups, sizes = batch_group_count, x.shape
        apart = ca.reshape(x, (groups, sizes[0] // groups, *sizes[1:]))
        x = ca.reshape(ca.swapaxes(apart, 0, 1), (sizes[0] // groups, groups * sizes[1], *sizes[2:]))
    if any(width < 0 for pair in padding for width in pair):  # of derivatives
        around = [(*pair, step - 1) for pair, step in zip(padding, lhs_dilation, strict=True)]
        x = pad(x, 0, padding_config=[(0, 0, 0), (0, 0, 0), *around])
        padding, lhs_dilation = [(0, 0)] * len(padding), (1,) * len(padding)
    if 0 in x.shape or 0 in filters.shape:
        made = _empty(x, filters, window_strides, padding, lhs_dilation, rhs_dilation)
    else:
        made = ca.conv_general_dilated(
            x,
            filters,
            strides=tuple(window_strides),
            padding=[tuple(pair) for pair in padding],
            dilations=tuple(rhs_dilation),
            x_dilations=tuple(lhs_dilation),
            groups=groups,
        )
    back = [0] * made.ndim
    for axis, place in enumerate(places[2]):
        back[place] = axis
    return _moved(made, back)


def _moved(x: ca.Array, order: Sequence[int]) -> Any:
    return x if tuple(order) == tuple(range(x.ndim)) else ca.permute_dims(x, tuple(order))


def _empty(x: ca.Array, filters: ca.Array, strides: Any, padding: Any, lhs_dilation: Any, rhs_dilation: Any) -> Any:
    """Return the sums of no products."""
    sizes = []
    for axis, ((low, high), stride, left, right) in enumerate(
        zip(padding, strides, lhs_dilation, rhs_dilation, strict=True), 2
    ):
        length = max(0, (x.shape[axis] - 1) * left + 1 if x.shape[axis] else 0) + low + high
        window = (filters.shape[axis] - 1) * right + 1 if filters.shape[axis] else 0
        sizes.append(max(0, (length - window) // stride + 1))
    return ca.zeros((x.shape[0], filters.shape[0], *sizes), dtype=x.dtype)
