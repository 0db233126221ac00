"""Gather and scatter: blocks of an array at computed places.

Both compute places in the flattened array: a start for each index and an offset for each element of a block. Where an index
chooses whole rows of one axis, `take` and `scatter_nd` are used instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import corearray as ca
from corearray.frontend.jax.described import rule
from corearray.frontend.operands import as_array, is_floating

__all__: list[str] = []


def _default_fill(dtype: ca.DType) -> Any:
    """Return what JAX puts in place of elements outside."""
    if is_floating(dtype):
        return ca.nan
    if dtype == ca.bool:
        return True
    limits = ca.iinfo(dtype)
    return limits.max if dtype.category == "unsigned integer" else limits.min


def _starts(
    shape: Sequence[int],
    sizes: Sequence[int],
    indices: ca.Array,
    axes: Sequence[int],
    batches: Sequence[tuple[int, int]],
    *,
    checked: bool,
) -> tuple[Any, Any]:
    """Return where each block starts in the flattened array, moved inside, and which of them lay inside."""
    strides = [prod(shape[axis + 1 :]) for axis in range(len(shape))]
    count = tuple(indices.shape[:-1])
    found: Any = ca.zeros(count, dtype=ca.int64)
    inside: Any = None
    for column, axis in enumerate(axes):
        start = ca.astype(indices[..., column], ca.int64)
        last = shape[axis] - sizes[axis]
        if checked:
            within = (start >= 0) & (start <= last)
            inside = within if inside is None else inside & within
        found = found + ca.clip(start, 0, max(last, 0)) * strides[axis]
    for axis, of_indices in batches:
        line = ca.arange(count[of_indices], dtype=ca.int64) * strides[axis]
        found = found + ca.reshape(line, (-1, *(1,) * (len(count) - of_indices - 1)))
    return found, inside


def _offsets(shape: Sequence[int], axes: Sequence[int], sizes: Sequence[int]) -> Any:
    """Return where the elements of a block lie behind its start, in the flattened array."""
    found: Any = ca.zeros((1,) * len(axes), dtype=ca.int64)
    for place, axis in enumerate(axes):
        line = ca.arange(sizes[axis], dtype=ca.int64) * prod(shape[axis + 1 :])
        found = found + ca.reshape(line, (-1, *(1,) * (len(axes) - place - 1)))
    return found


def _arranged(made: ca.Array, placed: Sequence[int], given: Sequence[int]) -> Any:
    """Move the axes `given` of an array to the places `placed`; the rest keep their order."""
    order: list[Any] = [None] * made.ndim
    for place, axis in zip(placed, given, strict=True):
        order[place] = axis
    rest = iter(axis for axis in range(made.ndim) if axis not in given)
    order = [next(rest) if axis is None else axis for axis in order]
    return made if order == list(range(made.ndim)) else ca.permute_dims(made, tuple(order))


@rule("jax.lax.gather_p")
def gather(
    x: ca.Array,
    indices: ca.Array,
    *,
    dimension_numbers: Any,
    slice_sizes: Any,
    mode: Any = "promise_in_bounds",
    fill_value: Any = None,
    **_: Any,
) -> Any:
    """Take blocks that start at indices."""
    d = dimension_numbers
    axes, collapsed, placed = d["start_index_map"], d["collapsed_slice_dims"], d["offset_dims"]
    batches = list(zip(d.get("operand_batching_dims", ()), d.get("start_indices_batching_dims", ()), strict=True))
    fills = mode == "fill_or_drop"
    fill = _default_fill(x.dtype) if fill_value is None else fill_value
    dropped = {*collapsed, *(axis for axis, _ in batches)}
    kept = [axis for axis in range(x.ndim) if axis not in dropped]
    count = indices.ndim - 1
    if 0 in x.shape:
        shape = (*indices.shape[:-1], *(slice_sizes[axis] for axis in kept))
        made = ca.full(shape, fill if fills else 0, dtype=x.dtype)
        return _arranged(made, placed, range(count, made.ndim))
    rows = len(axes) == 1 and tuple(collapsed) == tuple(axes) and not batches
    if rows and all(slice_sizes[axis] == x.shape[axis] for axis in kept):
        (axis,) = axes
        line = ca.astype(indices[..., 0], ca.int64)
        made = ca.take(x, ca.reshape(ca.clip(line, 0, x.shape[axis] - 1), (-1,)), axis=axis)
        made = ca.reshape(made, (*x.shape[:axis], *line.shape, *x.shape[axis + 1 :]))
        inside = (line >= 0) & (line < x.shape[axis]) if fills else None
        given = [*range(axis), *range(axis + count, made.ndim)]
        made = _arranged(made, placed, given)
    else:
        start, inside = _starts(x.shape, slice_sizes, indices, axes, batches, checked=fills)
        places = ca.reshape(start, (*start.shape, *(1,) * len(kept))) + _offsets(x.shape, kept, slice_sizes)
        made = ca.reshape(ca.take(ca.reshape(x, (-1,)), ca.reshape(places, (-1,))), places.shape)
        made = _arranged(made, placed, range(count, made.ndim))
    if inside is None:
        return made
    sizes = iter(inside.shape)
    shape = tuple(1 if axis in placed else next(sizes) for axis in range(made.ndim))
    return ca.where(ca.reshape(inside, shape), made, ca.asarray(fill, dtype=x.dtype))


def _scattering(reduction: str, sign: int = 1) -> Callable[..., Any]:
    def scatter(
        x: ca.Array,
        indices: ca.Array,
        updates: Any,
        *,
        dimension_numbers: Any,
        mode: Any = None,
        update_jaxpr: Any = None,
        **_: Any,
    ) -> Any:
        if reduction == "replace" and update_jaxpr is not None:
            return _applied(x, indices, as_array(updates, x), dimension_numbers, mode, update_jaxpr)
        return _scattered(x, indices, as_array(updates, x), dimension_numbers, mode, reduction, sign)

    return scatter


def _applied(x: ca.Array, indices: ca.Array, updates: ca.Array, d: Any, mode: Any, function: Callable[..., Any]) -> Any:
    """Apply a function to the elements at indices, to one that is named twice two times."""
    once = ca.ones(updates.shape, dtype=ca.int32)
    left = _scattered(ca.zeros(x.shape, dtype=ca.int32), indices, once, d, mode, "sum", 1)

    def applied(state: tuple[ca.Array, ca.Array]) -> tuple[ca.Array, ca.Array]:
        x, left = state
        (made,) = function(x, ca.zeros_like(x))
        return ca.where(left > 0, made, x), left - 1

    if all(size == 1 for size in indices.shape[:-1]):  # a single window: no element occurs twice
        return applied((x, left))[0]
    return ca.while_loop(lambda state: ca.any(state[1] > 0), applied, (x, left))[0]


for _name, _reduction, _sign in (
    ("scatter", "replace", 1),
    ("scatter_add", "sum", 1),
    ("scatter_sub", "sum", -1),
    ("scatter_mul", "prod", 1),
    ("scatter_min", "min", 1),
    ("scatter_max", "max", 1),
):
    rule(f"jax.lax.{_name}_p")(_scattering(_reduction, _sign))


def _scattered(x: ca.Array, indices: ca.Array, updates: Any, d: Any, mode: Any, reduction: Any, sign: int) -> Any:
    """Write blocks that start at indices; those that do not lie inside are left out, or moved inside by `clip`."""
    window, inserted, axes = d["update_window_dims"], d["inserted_window_dims"], d["scatter_dims_to_operand_dims"]
    batches = list(zip(d.get("operand_batching_dims", ()), d.get("scatter_indices_batching_dims", ()), strict=True))
    drops = mode not in ("clip", "promise_in_bounds")
    if 0 in updates.shape or 0 in x.shape:
        return x
    updates = -updates if sign < 0 else updates
    dropped = {*inserted, *(axis for axis, _ in batches)}
    kept = [axis for axis in range(x.ndim) if axis not in dropped]
    order = [axis for axis in range(updates.ndim) if axis not in window]
    updates = (
        ca.permute_dims(updates, (*order, *window)) if [*order, *window] != sorted(order + list(window)) else updates
    )
    sizes = [1] * x.ndim
    for axis, size in zip(kept, updates.shape[len(order) :], strict=True):
        sizes[axis] = size
    whole = all(sizes[axis] == x.shape[axis] for axis in kept)
    if (
        tuple(inserted) == tuple(axes) == tuple(range(len(axes)))
        and axes
        and whole
        and not batches
        and reduction == "sum"
    ):
        limits = ca.asarray([x.shape[axis] - 1 for axis in axes], dtype=ca.int64)
        given = ca.astype(indices, ca.int64)
        if drops:
            inside = ca.all((given >= 0) & (given <= limits), axis=-1)
            inside = ca.reshape(inside, (*inside.shape, *(1,) * len(kept)))
            updates = ca.where(inside, updates, ca.zeros((), dtype=updates.dtype))
        return ca.scatter_nd(ca.clip(given, 0, limits), updates, base=x, reduction=reduction)
    start, inside = _starts(x.shape, sizes, indices, axes, batches, checked=drops)
    places = ca.reshape(start, (*start.shape, *(1,) * len(kept))) + _offsets(x.shape, kept, sizes)
    flat = ca.reshape(x, (-1,))
    count = flat.shape[0]
    if inside is not None:  # what lies outside goes to an element behind the last
        places = ca.where(ca.reshape(inside, (*inside.shape, *(1,) * len(kept))), places, count)
        flat = ca.concat([flat, ca.zeros((1,), dtype=x.dtype)], axis=0)
    made = ca.scatter_flat(ca.reshape(places, (-1,)), ca.reshape(updates, (-1,)), base=flat, reduction=reduction)
    return ca.reshape(made[:count], tuple(x.shape))
