"""Reductions and scans of ragged arrays: over all elements, along rows, across rows, or within inner axes.

Along and across rows the elements are padded with the neutral element.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from corearray.errors import AxisError, CoreArrayValueError
from corearray.ragged.rows import known, lengths_of, longest, padded

if TYPE_CHECKING:
    from corearray.arrays.array import Array
    from corearray.ragged.ragged import Ragged

__all__ = ["REDUCTIONS", "SCANS", "reduced", "scanned"]

REDUCTIONS = frozenset(
    ("all", "any", "argmax", "argmin", "count_nonzero", "max", "mean", "min", "prod", "std", "sum", "var")
)
SCANS = frozenset(("cumulative_prod", "cumulative_sum"))

_MOMENTS = frozenset(("mean", "std", "var"))
_EXTREMES = {"max": -1, "argmax": -1, "min": 1, "argmin": 1}


def reduced(name: str, x: Ragged, axis: Any, keepdims: bool, options: dict[str, Any]) -> Any:
    """Return the result of a reduction: an array, or a ragged array if only axes within the rows are reduced.

    Parameters
    ----------
    name
        One of `REDUCTIONS`.
    x
        The ragged array.
    axis
        One axis, all of them, or `None` for all.
    keepdims
        Whether reduced axes stay with length one.
    options
        The other options of the function.
    """
    backend = x.backend
    function = getattr(backend, name)
    if isinstance(axis, tuple) and len(axis) == 1:
        axis = axis[0]
    elif isinstance(axis, tuple):
        if len({_place(name, x, one) for one in axis}) != x.ndim:
            raise CoreArrayValueError(
                f"'{name}' got axis={axis} for a ragged array with {x.ndim} axes; give one axis, or None for all"
            )
        axis = None
    if axis is None:
        result = function(x.flat_values, axis=None, **options)
        return backend.reshape(result, (1,) * x.ndim) if keepdims else result
    axis = _place(name, x, axis)
    if axis > 1:
        return x.with_values(function(x.values, axis=axis - 1, keepdims=keepdims, **options))
    if x.ragged_rank > 1:
        raise CoreArrayValueError(
            f"'{name}' got axis={axis} for a ragged array whose rows are ragged too (ragged_rank={x.ragged_rank}); "
            f"reduce axis={x.ragged_rank} first, or give r.to_padded(fill_value)"
        )
    return _along(name, x, axis, keepdims, options)


def scanned(name: str, x: Ragged, axis: Any, options: dict[str, Any]) -> Ragged:
    """Return cumulative sums or products along the rows, or along an inner axis."""
    axis = None if axis is None else _place(name, x, axis)
    function = getattr(x.backend, name)
    if axis is None or axis == 0 or (axis == 1 and x.ragged_rank > 1) or options.pop("include_initial"):
        raise CoreArrayValueError(
            f"'{name}' goes along one axis of a ragged array from {x.ragged_rank} to {x.ndim - 1}, "
            f"without an initial value; it got axis={axis}"
        )
    if axis > 1:
        return x.with_values(function(x.values, axis=axis - 1, **options))
    array, mask = _padded(x, 1 if name == "cumulative_prod" else 0)
    return x.with_values(function(array, axis=1, **options)[mask])


def _place(name: str, x: Ragged, axis: int) -> int:
    if not -x.ndim <= axis < x.ndim:
        valid = f"valid are {-x.ndim} to {x.ndim - 1}"
        error = AxisError(f"'{name}' got axis={axis} for a ragged array with {x.ndim} axes; {valid}")
        error.axis, error.ndim = axis, x.ndim
        raise error
    return axis % x.ndim


def _padded(x: Ragged, fill_value: Any) -> tuple[Array, Array]:
    values: Array = x.values
    return padded(values, x.row_splits, longest(x.row_splits, values.shape[0]), fill_value)


def _along(name: str, x: Ragged, axis: int, keepdims: bool, options: dict[str, Any]) -> Array:
    """Reduce along the rows (`axis=1`) or across them."""
    backend = x.backend
    if name in _MOMENTS:
        return _moment(name, x, axis, keepdims, **options)
    if name in _EXTREMES:
        lengths = known(lengths_of(x.row_splits))
        if axis == 1 and lengths is not None and 0 in lengths:
            raise CoreArrayValueError(
                f"'{name}' got a ragged array whose row {lengths.index(0)} has no element to choose; leave such rows "
                "out, as in r[r.row_lengths > 0]"
            )
        fill_value = _bound(x, _EXTREMES[name])
        if axis == 1 and len(x) == 0:  # no row, hence no row without elements
            return _of_no_rows(name, x, keepdims, options)
    else:
        fill_value = {"prod": 1, "all": True, "any": False}.get(name, 0)
        if x.dtype.category == "bool":
            fill_value = bool(fill_value)
    array, _ = _padded(x, fill_value)
    result: Array = getattr(backend, name)(array, axis=axis, keepdims=keepdims, **options)
    return result


def _of_no_rows(name: str, x: Ragged, keepdims: bool, options: dict[str, Any]) -> Array:
    """Return the extremes along the rows where there are no rows."""
    inner = tuple(x.values.shape[1:])
    padded_rows = x.backend.zeros((0, 1, *inner), dtype=x.dtype, device=x.device)
    result: Array = getattr(x.backend, name)(padded_rows, axis=1, keepdims=keepdims, **options)
    return result


def _bound(x: Ragged, side: int) -> Any:
    """Return the value above or below which there is none in the dtype."""
    if x.dtype.category == "real floating":
        return side * math.inf
    if "integer" in x.dtype.category:
        limits = x.backend.iinfo(x.dtype)
        return limits.max if side > 0 else limits.min
    return 0  # the function itself says what is wrong with the dtype


def _moment(name: str, x: Ragged, axis: int, keepdims: bool, correction: float = 0.0) -> Array:
    """Return the mean, the variance or its square root; NaN where there are no elements."""
    backend = x.backend
    if "floating" not in x.dtype.category:  # integers are computed in the default floating dtype
        one = backend.ones((1,), dtype=x.dtype, device=x.device)
        x = backend.astype(x, backend.mean(one).dtype)
    array, mask = _padded(x, 0)
    inner = tuple(range(2, array.ndim))
    floating = backend.finfo(x.dtype).dtype

    def divided(total: Array, less: float) -> Array:
        counts = backend.astype(backend.count_nonzero(mask, axis=axis, keepdims=True), floating) - less
        counts = backend.where(counts > 0, counts, math.nan)
        result: Array = total / (backend.expand_dims(counts, axis=inner) if inner else counts)
        return result

    result = divided(backend.sum(array, axis=axis, keepdims=True), 0.0)
    if name != "mean":
        offset = array - result
        squares = backend.square(backend.abs(offset))
        squares = backend.where(backend.expand_dims(mask, axis=inner) if inner else mask, squares, 0.0)
        result = divided(backend.sum(squares, axis=axis, keepdims=True), correction)
    if name == "std":
        result = backend.sqrt(result)
    return result if keepdims else backend.squeeze(result, axis=axis)
