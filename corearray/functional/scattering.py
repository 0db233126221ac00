"""Scattering: writing elements to indices, with a reduction where several meet.

Everything is composed of segment reductions. Their composition sorts the elements by segment and combines neighbours at
distances of 1, 2, 4, ... in the same segment, so that there is no loop over elements and no difference of running sums.
Of several elements that replace one, the last in row-major order wins, on every backend.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from corearray.contract.declaration import declare
from corearray.functional.manipulation import _places
from corearray.functional.precision import _widened
from corearray.functional.searching import _integers

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.contract.declaration import Scalar
    from corearray.types.dtypes import DType

__all__ = [
    "put_along_axis",
    "scatter_along_axis",
    "scatter_flat",
    "scatter_nd",
    "unsorted_segment_max",
    "unsorted_segment_mean",
    "unsorted_segment_min",
    "unsorted_segment_prod",
    "unsorted_segment_sum",
]

_Reduction: TypeAlias = Literal["sum", "prod", "min", "max", "replace"]
_REDUCTIONS = ("sum", "prod", "min", "max", "replace")


@declare()
def put_along_axis(
    x: Array,
    /,
    indices: Array,
    values: Array | Scalar,
    *,
    axis: int | None = -1,
    reduction: _Reduction = "replace",
) -> Array:
    """Write elements along an axis in place, by an array of indices for each position on the other axes.

    Parameters
    ----------
    x
        Array with at least one axis, of any dtype; its views see the result too.
    indices
        Integer array with as many axes, broadcastable to the shape of `x` but for `axis`; negative indices count from
        the end.
    values
        Values to write: array, broadcastable to the shape of the broadcast indices, or a Python scalar. They are cast
        to the dtype of `x` within its kind: no float becomes an integer.
    axis
        Axis along which the indices count, by default the last. `None` counts through all elements in row-major order.
    reduction
        As in `scatter_along_axis`.

    Returns
    -------
    `x` itself.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    ValueError
        If the shapes do not fit together or `reduction` is something else.
    TypeError
        If the values are of a higher kind than `x`.
    InplaceUpdateError
        In the strict in-place mode, if the framework cannot write in place.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([[1, 2, 3], [4, 5, 6]])
    >>> _ = ca.put_along_axis(x, ca.asarray([[0], [2]]), 9)
    >>> x.tolist()
    [[9, 2, 3], [4, 5, 9]]

    Notes
    -----
    NumPy's `put_along_axis`, which returns `None`. `scatter_along_axis` returns a new array instead.
    """
    if axis is None:
        if indices.ndim != 1:
            raise ValueError(
                f"'put_along_axis' got axis=None and indices of shape {tuple(indices.shape)}; give one axis"
            )
        flat = xp.reshape(x, (-1,))
        _written("put_along_axis", flat, indices, 0, reduction)
        x[...] = xp.reshape(xp.scatter_along_axis(flat, indices, values, axis=0, reduction=reduction), tuple(x.shape))
        return x
    _written("put_along_axis", x, indices, axis, reduction)
    x[...] = xp.scatter_along_axis(x, indices, values, axis=axis, reduction=reduction)
    return x


def _written(name: str, x: Array, indices: Array, axis: int, reduction: str) -> tuple[int, tuple[int, ...]]:
    _require_reduction(reduction, name)
    (place,) = _places(axis, x.ndim, name)
    shape, wanted = tuple(x.shape), tuple(indices.shape)
    if len(wanted) != len(shape) or any(
        i != place and side not in (1, size) for i, (side, size) in enumerate(zip(wanted, shape, strict=True))
    ):
        raise ValueError(
            f"'{name}' got an array of shape {shape} and indices of shape {wanted}; "
            f"they must have as many axes, and the same lengths or 1 but for axis {place}"
        )
    return place, tuple(wanted[i] if i == place else size for i, size in enumerate(shape))


@declare(promote=("x", "values"), gives="same")
def scatter_along_axis(
    x: Array,
    indices: Array,
    values: Array | Scalar,
    /,
    *,
    axis: int = -1,
    reduction: _Reduction = "replace",
) -> Array:
    """Return a copy with elements along an axis replaced, by an array of indices for each position on the other axes.

    Parameters
    ----------
    x
        Array with at least one axis, of any dtype.
    indices
        Integer array with as many axes, broadcastable to the shape of `x` but for `axis`; negative indices count from
        the end.
    values
        Values to write: array, broadcastable to the shape of the broadcast indices, or a Python scalar.
    axis
        Axis along which the indices count, by default the last.
    reduction
        `"replace"` writes the value, the last one where an index occurs more than once; `"sum"`, `"prod"`, `"min"` and
        `"max"` join the values with the element of `x`.

    Returns
    -------
    New array of the shape of `x` and the promoted dtype.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    ValueError
        If the shapes do not fit together or `reduction` is something else.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([[1, 2, 3], [4, 5, 6]])
    >>> ca.scatter_along_axis(x, ca.asarray([[0], [2]]), 9).tolist()
    [[9, 2, 3], [4, 5, 9]]

    Notes
    -----
    `torch.scatter` and `torch.scatter_reduce` with broadcasting, and `ScatterElements` of ONNX. It is the opposite of
    `take_along_axis`; `put_along_axis` writes into the array itself. An index beyond the axis has no defined result.
    """
    place, target = _written("scatter_along_axis", x, indices, axis, reduction)
    shape, others = tuple(x.shape), [1 if i == place else size for i, size in enumerate(x.shape)]
    numbers = _integers(indices, "scatter_along_axis")
    numbers = xp.broadcast_to(xp.where(numbers < 0, numbers + shape[place], numbers), target)
    updates = xp.broadcast_to(cast("Array", values), target)  # `promote` has made an array of a scalar
    rows = xp.reshape(xp.arange(math.prod(others), dtype=xp.int64, device=x.device), tuple(others))
    inner = math.prod(shape[place + 1 :])
    places = (rows // inner * shape[place] + numbers) * inner + rows % inner if inner else numbers
    flat = _scattered(xp.reshape(places, (-1,)), xp.reshape(updates, (-1,)), xp.reshape(x, (-1,)), reduction)
    return xp.reshape(flat, shape)


@declare(promote=("updates", "base"))
def scatter_flat(
    indices: Array,
    updates: Array,
    /,
    size: int | None = None,
    *,
    base: Array | None = None,
    reduction: _Reduction = "sum",
) -> Array:
    """Scatter elements into a one-dimensional array.

    Parameters
    ----------
    indices
        One-dimensional integer array; negative indices count from the end.
    updates
        Array of the same shape: what is written to each index.
    size
        Length of the result, if there is no `base`.
    base
        One-dimensional array onto which is written.
    reduction
        As in `scatter_nd`.

    Returns
    -------
    New array of the given length or the shape of `base`, as in `scatter_nd`.

    Raises
    ------
    ValueError
        If there are not as many updates as indices, `reduction` is something else, or not one of `size` and `base` is
        given.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.scatter_flat(ca.asarray([0, 2, 0]), ca.asarray([1, 2, 3]), 4).tolist()
    [4, 0, 2, 0]

    Notes
    -----
    `scatter_nd` of one axis.
    """
    if indices.ndim != 1 or tuple(indices.shape) != tuple(updates.shape) or (base is not None and base.ndim != 1):
        raise ValueError(
            f"'scatter_flat' got indices of shape {tuple(indices.shape)} and updates of shape {tuple(updates.shape)}; "
            "it writes as many elements as there are indices into an array with one axis"
        )
    if (size is None) is (base is None):
        raise ValueError("'scatter_flat' takes either 'size', for zeros to write onto, or 'base'")
    if isinstance(size, int) and size < 0:
        raise ValueError(f"'scatter_flat' got size={size}; sizes are at least 0")
    shape = None if size is None else (size,)
    return xp.scatter_nd(xp.expand_dims(indices, axis=-1), updates, shape, base=base, reduction=reduction)


@declare(promote=("updates", "base"))
def scatter_nd(
    indices: Array,
    updates: Array,
    /,
    shape: Sequence[int] | None = None,
    *,
    base: Array | None = None,
    reduction: _Reduction = "sum",
) -> Array:
    """Scatter elements or slices to indices over several axes.

    Parameters
    ----------
    indices
        Integer array of shape `(..., K)`: along the last axis stands one index for each of the first `K` axes of the
        result. Negative indices count from the end.
    updates
        Array of shape `indices.shape[:-1] + shape[K:]`: what is written to each index.
    shape
        Shape of the result, if there is no `base`.
    base
        Array onto which is written.
    reduction
        What becomes of updates with the same index: `"sum"`, `"prod"`, `"min"`, `"max"`, of which the element of
        `base` is one; or `"replace"`, by which the last one in row-major order stays.

    Returns
    -------
    New array of the given shape or that of `base`, of the promoted dtype. Where nothing is written it is as `base`, or
    zero.

    Raises
    ------
    ValueError
        If the shapes do not fit together, `reduction` is something else, or not one of `shape` and `base` is given.
    TypeError
        If the indices are not integers.

    Examples
    --------
    >>> import corearray as ca
    >>> indices, updates = ca.asarray([[1], [3], [1]]), ca.asarray([5, 6, 7])
    >>> ca.scatter_nd(indices, updates, (4,)).tolist()
    [0, 12, 0, 6]
    >>> ca.scatter_nd(indices, updates, base=ca.asarray([1, 1, 1, 1]), reduction="replace").tolist()
    [1, 7, 1, 6]

    Notes
    -----
    `tf.scatter_nd` and `tf.tensor_scatter_nd_add` and its kin; the operator `ScatterND` of ONNX. An index beyond an
    axis has no defined result.
    """
    _require_reduction(reduction, "scatter_nd")
    if (shape is None) == (base is None):
        raise ValueError("'scatter_nd' takes either 'shape', for zeros to write onto, or 'base'")
    whole = tuple(shape) if shape is not None else tuple(cast("Array", base).shape)
    wanted = tuple(indices.shape)
    count = wanted[-1] if wanted else 0
    if not wanted or count > len(whole) or tuple(updates.shape) != (*wanted[:-1], *whole[count:]):
        raise ValueError(
            f"'scatter_nd' got indices of shape {wanted} and updates of shape {tuple(updates.shape)} for a result of shape "
            f"{whole}; for indices of shape (..., K) the updates have the shape (...) and behind it all but K axes of it"
        )
    numbers = _integers(indices, "scatter_nd")
    places = xp.zeros(wanted[:-1], dtype=xp.int64, device=indices.device)
    for number, size in enumerate(whole[:count]):
        index = numbers[..., number]
        places = places * size + xp.where(index < 0, index + size, index)
    rows, rest = math.prod(whole[:count]), whole[count:]
    updates = xp.reshape(updates, (math.prod(wanted[:-1]), *rest))
    onto = (
        xp.zeros((rows, *rest), dtype=updates.dtype, device=updates.device)
        if base is None
        else xp.reshape(base, (rows, *rest))
    )
    found = _scattered(xp.reshape(places, (-1,)), updates, onto, reduction, zeros=base is None)
    return xp.reshape(found, whole)


@declare(real=True, gives="same")
def unsorted_segment_max(x: Array, segment_ids: Array, num_segments: int, /) -> Array:
    """Compute maxima of segments.

    Parameters
    ----------
    x
        Real array of shape `(..., *rest)`.
    segment_ids
        Integer array of shape `(...)`, the first axes of `x`: the segment to which each element or slice belongs. What
        belongs to none of 0 to `num_segments - 1` is left out.
    num_segments
        Number of segments.

    Returns
    -------
    Array of shape `(num_segments, *rest)` and the dtype of `x`; of a segment without elements -infinity, or the smallest
    integer of the dtype. NaN comes through.

    Raises
    ------
    ValueError
        If the shapes do not fit together or `num_segments` is negative.
    TypeError
        If `x` is not of real numbers or the ids are not integers.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.unsorted_segment_max(ca.asarray([5, 1, 7]), ca.asarray([0, 1, 0]), 2).tolist()
    [7, 1]

    Notes
    -----
    `tf.math.unsorted_segment_max`, `jax.ops.segment_max`.
    """
    return _segments(x, segment_ids, num_segments, xp.maximum, _extreme(x.dtype, -1), "unsorted_segment_max")


@declare()
def unsorted_segment_mean(x: Array, segment_ids: Array, num_segments: int, /) -> Array:
    """Compute means of segments.

    Parameters
    ----------
    x
        Numeric array of shape `(..., *rest)`; integers are computed in the default real dtype.
    segment_ids
        As in `unsorted_segment_max`.
    num_segments
        Number of segments.

    Returns
    -------
    Array of shape `(num_segments, *rest)`; of a segment without elements 0.

    Raises
    ------
    ValueError
        If the shapes do not fit together or `num_segments` is negative.
    TypeError
        If the ids are not integers.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.unsorted_segment_mean(ca.asarray([5.0, 1.0, 7.0]), ca.asarray([0, 1, 0]), 3).tolist()
    [6.0, 1.0, 0.0]

    Notes
    -----
    `tf.math.unsorted_segment_mean`.
    """
    dtype = xp.result_type(x, 1.0)
    x = _widened(xp.astype(x, dtype, copy=False))
    total = xp.unsorted_segment_sum(x, segment_ids, num_segments)
    ones = xp.ones(segment_ids.shape, dtype=xp.int64, device=x.device)
    counts = xp.maximum(xp.unsorted_segment_sum(ones, segment_ids, num_segments), 1)
    counts = xp.reshape(xp.astype(counts, total.dtype), (-1, *(1,) * (total.ndim - 1)))
    return xp.astype(total / counts, dtype, copy=False)


@declare(real=True, gives="same")
def unsorted_segment_min(x: Array, segment_ids: Array, num_segments: int, /) -> Array:
    """Compute minima of segments.

    Parameters
    ----------
    x
        Real array of shape `(..., *rest)`.
    segment_ids
        As in `unsorted_segment_max`.
    num_segments
        Number of segments.

    Returns
    -------
    Array of shape `(num_segments, *rest)` and the dtype of `x`; of a segment without elements infinity, or the largest
    integer of the dtype. NaN comes through.

    Raises
    ------
    ValueError
        If the shapes do not fit together or `num_segments` is negative.
    TypeError
        If `x` is not of real numbers or the ids are not integers.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.unsorted_segment_min(ca.asarray([5, 1, 7]), ca.asarray([0, 1, 0]), 2).tolist()
    [5, 1]

    Notes
    -----
    `tf.math.unsorted_segment_min`, `jax.ops.segment_min`.
    """
    return _segments(x, segment_ids, num_segments, xp.minimum, _extreme(x.dtype, 1), "unsorted_segment_min")


@declare(gives="same")
def unsorted_segment_prod(x: Array, segment_ids: Array, num_segments: int, /) -> Array:
    """Compute products of segments.

    Parameters
    ----------
    x
        Numeric array of shape `(..., *rest)`.
    segment_ids
        As in `unsorted_segment_max`.
    num_segments
        Number of segments.

    Returns
    -------
    Array of shape `(num_segments, *rest)` and the dtype of `x`, in which integers wrap around; of a segment without
    elements 1.

    Raises
    ------
    ValueError
        If the shapes do not fit together or `num_segments` is negative.
    TypeError
        If `x` is not of numbers or the ids are not integers.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.unsorted_segment_prod(ca.asarray([5, 1, 7]), ca.asarray([0, 1, 0]), 3).tolist()
    [35, 1, 1]

    Notes
    -----
    `tf.math.unsorted_segment_prod`, `jax.ops.segment_prod`.
    """
    return _segments(x, segment_ids, num_segments, xp.multiply, 1, "unsorted_segment_prod")


@declare(gives="same")
def unsorted_segment_sum(x: Array, segment_ids: Array, num_segments: int, /) -> Array:
    """Compute sums of segments.

    Parameters
    ----------
    x
        Numeric array of shape `(..., *rest)`.
    segment_ids
        As in `unsorted_segment_max`.
    num_segments
        Number of segments.

    Returns
    -------
    Array of shape `(num_segments, *rest)` and the dtype of `x`, in which integers wrap around; of a segment without
    elements 0.

    Raises
    ------
    ValueError
        If the shapes do not fit together or `num_segments` is negative.
    TypeError
        If `x` is not of numbers or the ids are not integers.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.unsorted_segment_sum(ca.asarray([5, 1, 7]), ca.asarray([0, 1, 0]), 2).tolist()
    [12, 1]

    Notes
    -----
    `tf.math.unsorted_segment_sum`, `jax.ops.segment_sum`.
    """
    return _segments(x, segment_ids, num_segments, xp.add, 0, "unsorted_segment_sum")


def _segments(
    x: Array, ids: Array, count: int, join: Callable[[Array, Array], Array], empty: complex, name: str
) -> Array:
    """Join the elements of each segment, in row-major order."""
    if not xp.isdtype(x.dtype, "numeric"):
        raise TypeError(f"'{name}' got an array of dtype {x.dtype}; it takes numbers")
    shape = tuple(x.shape)
    if count < 0 or shape[: ids.ndim] != tuple(ids.shape):
        raise ValueError(
            f"'{name}' got an array of shape {shape}, ids of shape {tuple(ids.shape)} and {count} segments; "
            "the shape of the array begins with that of the ids, and the number is at least 0"
        )
    length, rest = math.prod(tuple(ids.shape)), shape[ids.ndim :]
    ids = _integers(ids, name)
    nothing = xp.full((count, *rest), empty, dtype=x.dtype, device=x.device)
    if not length:
        return nothing
    ids = xp.reshape(ids, (-1,))
    order = xp.argsort(ids)
    ids, x = xp.take(ids, order, axis=0), xp.take(xp.reshape(x, (length, *rest)), order, axis=0)
    apart = 1
    while apart < length:
        same = xp.reshape(ids[apart:] == ids[: length - apart], (-1, *(1,) * len(rest)))
        later = x[apart:, ...]
        x = xp.concat([x[:apart, ...], xp.where(same, join(x[: length - apart, ...], later), later)], axis=0)
        apart *= 2
    numbers = xp.arange(count, dtype=xp.int64, device=x.device)
    last = xp.maximum(xp.searchsorted(ids, numbers, side="right") - 1, 0)
    hit = xp.take(ids, last, axis=0) == numbers
    return xp.where(xp.reshape(hit, (-1, *(1,) * len(rest))), xp.take(x, last, axis=0), nothing)


def _scattered(places: Array, updates: Array, base: Array, reduction: str, *, zeros: bool = False) -> Array:
    """Write updates to places along the first axis of a base; of one of zeros, what is written replaces them."""
    length, count = places.shape[0], base.shape[0]
    if not length or not count:
        return xp.astype(base, base.dtype, copy=True)
    if reduction == "sum":
        total = xp.unsorted_segment_sum(updates, places, count)
        return total if zeros else base + total
    numbers = xp.arange(length, dtype=xp.int64, device=places.device)
    last = xp.unsorted_segment_max(numbers, places, count)
    hit = xp.reshape(last >= 0, (-1, *(1,) * (base.ndim - 1)))
    if reduction == "replace":
        found = xp.take(updates, xp.maximum(last, 0), axis=0)
    elif reduction == "prod":
        found = xp.unsorted_segment_prod(updates, places, count)
        found = found if zeros else base * found
    elif reduction == "min":
        found = xp.unsorted_segment_min(updates, places, count)
        found = found if zeros else xp.minimum(base, found)
    else:
        found = xp.unsorted_segment_max(updates, places, count)
        found = found if zeros else xp.maximum(base, found)
    return xp.where(hit, found, base)


def _extreme(dtype: DType, sign: int) -> float:
    """Return the largest or smallest value of a dtype."""
    if xp.isdtype(dtype, "integral"):
        return xp.iinfo(dtype).max if sign > 0 else xp.iinfo(dtype).min
    return sign * xp.inf


def _require_reduction(reduction: str, name: str) -> None:
    if reduction not in _REDUCTIONS:
        raise ValueError(f"'{name}' got reduction={reduction!r}; it is one of {', '.join(map(repr, _REDUCTIONS))}")
