"""Functions of `jax.lax` about shapes, slices, joining, reductions and sorting."""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable, Sequence
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayNotImplementedError, CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.jax.members_of.creation import array as made_array
from corearray.frontend.jax.members_of.creation import shape_of
from corearray.frontend.jax.members_of.lax_elementwise import given, primitive
from corearray.frontend.jax.promotion import as_dtype, canonical, cast, requested
from corearray.frontend.jax.wrapper import Array, converted

__all__ = [
    "FUNCTIONS", "bitcast_convert_type", "broadcast", "broadcast_in_dim", "broadcast_shapes", "broadcast_to_rank",
    "broadcasted_iota", "checked_axis", "collapse", "concatenate", "convert_element_type", "empty", "expand_dims",
    "full", "full_like", "iota", "optimization_barrier", "pad", "reshape", "rev", "select", "select_n", "sort",
    "sort_key_val", "split", "squeeze", "stack", "tile", "top_k", "transpose", "unstack", "with_sharding_constraint",
]  # fmt: skip


def _one(x: Any) -> tuple[ca.Array, bool]:
    return converted(x)


def checked_axis(axis: Any, ndim: int, name: str) -> int:
    """Return an axis counted from the front.

    Raises
    ------
    ValueError
        If there is no such axis.
    """
    place = operator.index(axis)
    if not -ndim <= place < ndim:
        raise CoreArrayValueError(f"{name}: axis {axis} is out of bounds for array of dimension {ndim}")
    return place % ndim


def convert_element_type(operand: Any, new_dtype: Any) -> Any:
    """Convert to another dtype."""
    x, _ = _one(operand)
    own = requested(new_dtype, "convert_element_type")
    return Array(cast(x, own))


def bitcast_convert_type(operand: Any, new_dtype: Any) -> Any:
    """Read the bits of numbers as another dtype."""
    x, _ = _one(operand)
    return Array(primitive("bitcast_convert_type")(x, new_dtype=canonical(as_dtype(new_dtype))))


def broadcast(operand: Any, sizes: Sequence[int], *, out_sharding: Any = None) -> Any:
    """Add axes in front."""
    x, weak = _one(operand)
    return Array(ca.broadcast_to(x, (*shape_of(sizes), *x.shape)), weak)


def broadcast_in_dim(operand: Any, shape: Any, broadcast_dimensions: Sequence[int], *, out_sharding: Any = None) -> Any:
    """Put the axes of an array at places of a larger shape."""
    x, weak = _one(operand)
    places = tuple(broadcast_dimensions)
    if len(places) != x.ndim:
        raise CoreArrayTypeError(
            f"broadcast_in_dim broadcast_dimensions must have length equal to operand ndim; got broadcast_dimensions {places} "
            f"for operand ndim {x.ndim}."
        )
    if not all(0 <= place < len(shape) for place in places):
        raise CoreArrayTypeError(
            "broadcast_in_dim broadcast_dimensions must be a subset of output dimensions, got "
            f"{places} for operand ndim {x.ndim} and shape {tuple(shape)}."
        )
    for n, place in zip(x.shape, places, strict=True):
        if n not in (1, shape[place]):
            raise CoreArrayTypeError(
                f"broadcast_in_dim: an axis of length {n} does not become one of length {shape[place]}"
            )
    return Array(primitive("broadcast_in_dim")(x, shape=shape_of(shape), broadcast_dimensions=places), weak)


def broadcast_shapes(*shapes: Any) -> tuple[int, ...]:
    """Return the shape that arrays of several shapes have in common."""
    return tuple(ca.broadcast_shapes(*shapes))


def broadcast_to_rank(x: Any, rank: int) -> Any:
    """Add axes in front up to a number of axes."""
    array, weak = _one(x)
    return Array(ca.reshape(array, ((1,) * (rank - array.ndim) + tuple(array.shape))), weak)


def iota(dtype: Any, size: int, *, out_sharding: Any = None) -> Any:
    """Count from 0."""
    return Array(ca.arange(*shape_of((size,)), dtype=requested(dtype, "iota")))


def broadcasted_iota(dtype: Any, shape: Any, dimension: int, *, out_sharding: Any = None) -> Any:
    """Count along an axis."""
    sizes = shape_of(shape)
    if not 0 <= dimension < len(sizes):
        raise CoreArrayValueError(
            f"iota dimension must be between 0 and len(shape), got dimension={dimension} for shape={sizes}"
        )
    return Array(primitive("iota")(dtype=requested(dtype, "iota"), shape=sizes, dimension=int(dimension)))


def collapse(operand: Any, start_dimension: int, stop_dimension: int | None = None) -> Any:
    """Make one axis of several."""
    x, weak = _one(operand)
    low, high, _ = builtins.slice(start_dimension, stop_dimension).indices(x.ndim)
    if high < low:
        raise CoreArrayValueError(f"collapse: the axes {start_dimension} to {stop_dimension} are none")
    return Array(ca.reshape(x, (*x.shape[:low], -1, *x.shape[high:])), weak)


def concatenate(operands: Sequence[Any], dimension: int) -> Any:
    """Join arrays of one dtype along an axis."""
    if not len(operands):
        raise CoreArrayValueError("concatenate requires a non-empty sequences of arrays")
    arrays, weak = given("concatenate", *operands)
    try:
        return Array(ca.concat(arrays, axis=dimension), weak)
    except ValueError as error:
        raise CoreArrayTypeError(f"Cannot concatenate arrays: {error}") from error


def expand_dims(array: Any, dimensions: Sequence[int]) -> Any:
    """Insert axes of length 1."""
    x, weak = _one(array)
    return Array(ca.expand_dims(x, axis=tuple(dimensions)) if len(dimensions) else x, weak)


def full(shape: Any, fill_value: Any, dtype: Any = None, *, sharding: Any = None) -> Any:
    """Return an array filled with a value."""
    made = made_array(fill_value, dtype)
    if made.ndim:
        raise CoreArrayTypeError(f"full must be called with scalar fill_value, got fill_value.shape {made.shape}.")
    return Array(ca.broadcast_to(made.array, shape_of(shape)), made.weak_type)


def full_like(x: Any, fill_value: Any, dtype: Any = None, shape: Any = None, sharding: Any = None) -> Any:
    """Return an array like another one, filled with a value."""
    like, weak = _one(x)
    own = requested(dtype, "full_like") or like.dtype
    sizes = tuple(like.shape) if shape is None else shape_of(shape)
    return Array(ca.broadcast_to(cast(converted(fill_value)[0], own), sizes), weak and dtype is None)


def empty(shape: Any, dtype: Any, *, out_sharding: Any = None) -> Any:
    """Return an array of zeros, which JAX leaves open."""
    return Array(ca.zeros(shape_of(shape), dtype=requested(dtype, "empty")))


def reshape(operand: Any, new_sizes: Any, dimensions: Any = None, *, out_sharding: Any = None) -> Any:
    """Return the elements in another shape, after a transposition if `dimensions` are given."""
    x, weak = _one(operand)
    if dimensions is not None:
        x = transpose(x, dimensions).array
    return Array(ca.reshape(x, shape_of(new_sizes)), weak)


def transpose(operand: Any, permutation: Sequence[int]) -> Any:
    """Return the array with its axes in another order."""
    x, weak = _one(operand)
    if sorted(permutation) != list(range(x.ndim)):
        raise CoreArrayTypeError(
            "transpose permutation isn't a permutation of operand dimensions, got "
            f"permutation {tuple(permutation)} for operand shape {tuple(x.shape)}."
        )
    return Array(ca.permute_dims(x, tuple(permutation)), weak)


def squeeze(array: Any, dimensions: Any) -> Any:
    """Remove axes of length 1."""
    x, weak = _one(array)
    axes = tuple(dimensions) if isinstance(dimensions, (tuple, list)) else (dimensions,)
    return Array(ca.squeeze(x, axis=axes) if axes else x, weak)


def rev(operand: Any, dimensions: Sequence[int]) -> Any:
    """Reverse axes."""
    x, weak = _one(operand)
    if len(set(dimensions)) < len(dimensions) or not all(0 <= axis < x.ndim for axis in dimensions):
        raise CoreArrayTypeError(
            f"rev dimensions must be unique and less than operand ndim {x.ndim}, got {tuple(dimensions)}."
        )
    return Array(primitive("rev")(x, dimensions=tuple(dimensions)), weak)


def tile(operand: Any, reps: Sequence[int]) -> Any:
    """Repeat an array along its axes."""
    x, weak = _one(operand)
    if len(reps) != x.ndim:
        raise CoreArrayTypeError(
            f"reps length must be equal to the ndim of x, got len(reps)={len(reps)} and x.ndim={x.ndim}."
        )
    return Array(ca.tile(x, tuple(reps)), weak)


def pad(operand: Any, padding_value: Any, padding_config: Sequence[Any]) -> Any:
    """Put a value around and between the elements; negative widths cut off."""
    (x, value), weak = given("pad", operand, padding_value)
    return Array(primitive("pad")(x, value, padding_config=[tuple(one) for one in padding_config]), weak)


def split(operand: Any, sizes: Sequence[int], axis: int = 0) -> Any:
    """Cut an array into parts of given sizes."""
    x, weak = _one(operand)
    axis = checked_axis(axis, x.ndim, "split")
    if sum(sizes) != x.shape[axis]:
        raise CoreArrayValueError(
            f"Sum of sizes {sum(sizes)} must be equal to dimension {axis} of the operand shape {tuple(x.shape)}"
        )
    return [Array(part, weak) for part in primitive("split")(x, sizes=tuple(sizes), axis=axis)]


def select(pred: Any, on_true: Any, on_false: Any) -> Any:
    """Choose between two arrays of one shape and dtype."""
    return select_n(pred, on_false, on_true)


def select_n(which: Any, *cases: Any) -> Any:
    """Choose between arrays of one shape and dtype by a truth value or a number."""
    if not cases:
        raise CoreArrayValueError("select_n() must have at least one case")
    arrays, weak = given("select_n", *cases)
    index, _ = _one(which)
    shapes = {tuple(x.shape) for x in arrays}
    if len(shapes) > 1:
        raise CoreArrayTypeError(f"select cases must have the same shapes, got [{', '.join(map(str, shapes))}].")
    if index.ndim and tuple(index.shape) not in shapes:
        raise CoreArrayTypeError(
            "select `which` must be scalar or have the same shape as cases, got "
            f"`which` shape {tuple(index.shape)} but case shape {shapes.pop()}."
        )
    if index.dtype == ca.bool and len(arrays) > 2:
        raise CoreArrayTypeError(f"select with boolean `which` takes two cases, got {len(arrays)}")
    return Array(primitive("select_n")(index, *arrays), weak)


def _cumulative(name: str) -> Callable[..., Any]:
    def function(operand: Any, axis: int = 0, reverse: bool = False) -> Any:
        x, weak = _one(operand)
        return Array(primitive(name)(x, axis=checked_axis(axis, x.ndim, name), reverse=reverse), weak)

    function.__name__ = name
    function.__doc__ = f"Compute what `jax.lax.{name}` computes."
    return function


def _reduction(name: str) -> Callable[..., Any]:
    def function(operand: Any, axes: Sequence[int], *, out_sharding: Any = None) -> Any:
        x, weak = _one(operand)
        axes = tuple(checked_axis(axis, x.ndim, name) for axis in axes)
        return Array(primitive(name)(x, axes=axes), weak)

    function.__name__ = name
    function.__doc__ = f"Compute what `jax.lax.{name}` computes."
    return function


def _place(name: str) -> Callable[..., Any]:
    def function(operand: Any, axis: int, index_dtype: Any) -> Any:
        x, _ = _one(operand)
        own = canonical(as_dtype(index_dtype))
        if own.category not in ("signed integer", "unsigned integer"):
            raise CoreArrayTypeError(f"index_dtype must be an integer type, but got {own}")
        return Array(primitive(name)(x, axes=(checked_axis(axis, x.ndim, name),), index_dtype=own))

    function.__name__ = name
    function.__doc__ = f"Compute what `jax.lax.{name}` computes."
    return function


def sort(operand: Any, dimension: int = -1, is_stable: bool = True, num_keys: int = 1) -> Any:
    """Sort an array, or several by the first of them."""
    several = isinstance(operand, (tuple, list))
    xs = [_one(x) for x in (operand if several else (operand,))]
    axis = checked_axis(dimension, xs[0][0].ndim, "sort")
    made = primitive("sort")(*(x for x, _ in xs), dimension=axis, is_stable=is_stable, num_keys=num_keys)
    wrapped = tuple(Array(x, weak) for x, (_, weak) in zip(made, xs, strict=True))
    return wrapped if several else wrapped[0]


def sort_key_val(keys: Any, values: Any, dimension: int = -1, is_stable: bool = True) -> Any:
    """Sort keys, and values with them."""
    return sort((keys, values), dimension, is_stable)


def top_k(operand: Any, k: int, *, axis: int = -1) -> Any:
    """Return the largest elements along an axis, and their places."""
    x, weak = _one(operand)
    axis = checked_axis(axis, x.ndim, "top_k")
    if not 0 <= k <= x.shape[axis]:
        raise CoreArrayValueError(
            f"k argument to top_k must be no larger than size along axis; got k={k} for shape {tuple(x.shape)} and axis={axis}"
        )
    values, places = primitive("top_k")(x, k=int(k), axis=axis)
    return [Array(values, weak), Array(places)]


def _approximate(is_max: bool) -> Callable[..., Any]:
    def function(
        operand: Any, k: int, reduction_dimension: int = -1, recall_target: float = 0.95,
        reduction_input_size_override: int = -1, aggregate_to_topk: bool = True,
    ) -> Any:  # fmt: skip
        if not aggregate_to_topk:
            raise CoreArrayNotImplementedError(
                "approximate maxima are exact here: aggregate_to_topk=False has no parts"
            )
        x, weak = _one(operand)
        values, places = primitive("approx_top_k")(
            x, k=int(k), reduction_dimension=checked_axis(reduction_dimension, x.ndim, "approx_top_k"), is_max_k=is_max
        )
        return [Array(values, weak), Array(places)]

    function.__name__ = "approx_max_k" if is_max else "approx_min_k"
    function.__doc__ = "Return the largest or smallest elements along an axis, and their places."
    return function


def stack(operands: Sequence[Any], axis: int = 0) -> Any:
    """Join arrays along a new axis."""
    arrays, weak = given("stack", *operands)
    return Array(ca.stack(arrays, axis=axis), weak)


def unstack(x: Any, axis: int = 0) -> Any:
    """Cut an array along an axis."""
    array, weak = _one(x)
    return [Array(part, weak) for part in ca.unstack(array, axis=axis)]


def optimization_barrier(operand: Any, /) -> Any:
    """Return the operand."""
    return operand


def with_sharding_constraint(x: Any, shardings: Any, *args: Any) -> Any:
    """Return the operand: meshes of devices are corearray's own (`corearray.shard`)."""
    return x


FUNCTIONS: dict[str, Any] = {
    f"lax.{one.__name__}": one
    for one in (
        convert_element_type, bitcast_convert_type, broadcast, broadcast_in_dim, broadcast_shapes, broadcast_to_rank,
        iota, broadcasted_iota, collapse, concatenate, expand_dims, full, full_like, empty, reshape, transpose,
        squeeze, rev, tile, pad, split, select, select_n, sort, sort_key_val, top_k, stack, unstack,
        optimization_barrier, with_sharding_constraint,
    )
}  # fmt: skip
FUNCTIONS |= {f"lax.{name}": _cumulative(name) for name in "cumsum cumprod cummax cummin cumlogsumexp".split()}
FUNCTIONS |= {f"lax.reduce_{name}": _reduction(f"reduce_{name}") for name in "sum prod max min and or xor".split()}
FUNCTIONS |= {f"lax.{name}": _place(name) for name in ("argmax", "argmin")}
FUNCTIONS |= {"lax.approx_max_k": _approximate(True), "lax.approx_min_k": _approximate(False)}
