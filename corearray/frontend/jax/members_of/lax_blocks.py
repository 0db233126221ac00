"""`gather` and `scatter` of `jax.lax`: blocks of an array at computed places."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.jax.members_of.creation import shape_of
from corearray.frontend.jax.members_of.lax_elementwise import given, primitive
from corearray.frontend.jax.wrapper import Array, converted

__all__ = [
    "FUNCTIONS", "GatherDimensionNumbers", "GatherScatterMode", "ScatterDimensionNumbers", "gather", "scatter_apply",
]  # fmt: skip


class GatherDimensionNumbers(NamedTuple):
    """The axes of the operands and the result of `gather`, as XLA names them."""

    offset_dims: tuple[int, ...]
    collapsed_slice_dims: tuple[int, ...]
    start_index_map: tuple[int, ...]
    operand_batching_dims: tuple[int, ...] = ()
    start_indices_batching_dims: tuple[int, ...] = ()


class ScatterDimensionNumbers(NamedTuple):
    """The axes of the operands and the result of `scatter`, as XLA names them."""

    update_window_dims: Sequence[int]
    inserted_window_dims: Sequence[int]
    scatter_dims_to_operand_dims: Sequence[int]
    operand_batching_dims: Sequence[int] = ()
    scatter_indices_batching_dims: Sequence[int] = ()


class GatherScatterMode(enum.Enum):
    """Modes for blocks that reach beyond the array."""

    CLIP = 1
    FILL_OR_DROP = 2
    PROMISE_IN_BOUNDS = 3
    ONE_HOT = 4

    @staticmethod
    def from_any(s: Any) -> GatherScatterMode:
        """Return the mode of a name; nothing is `FILL_OR_DROP`.

        Raises
        ------
        ValueError
            If there is no such mode.
        """
        name = {None: "FILL_OR_DROP", "fill": "FILL_OR_DROP", "drop": "FILL_OR_DROP"}.get(s, s)
        name = getattr(name, "name", str(name).upper())
        if name not in GatherScatterMode.__members__:
            raise CoreArrayValueError(f'Unknown gather mode "{s}"')
        return GatherScatterMode[name]


def _indices(x: Any, name: str) -> ca.Array:
    indices = converted(x)[0]
    if indices.dtype.category not in ("signed integer", "unsigned integer"):
        raise CoreArrayValueError(f"{name} indices must have an integer type, got {indices.dtype}")
    if not indices.ndim:
        raise CoreArrayTypeError(f"{name} indices need an axis, the last, of the places that they name")
    return indices


def gather(
    operand: Any, start_indices: Any, dimension_numbers: Any, slice_sizes: Any, *, unique_indices: bool = False,
    indices_are_sorted: bool = False, mode: Any = None, fill_value: Any = None,
) -> Any:  # fmt: skip
    """Take blocks that start at computed places."""
    x, weak = converted(operand)
    indices, sizes, d = _indices(start_indices, "gather"), shape_of(slice_sizes), dimension_numbers
    if len(sizes) != x.ndim or any(not 0 <= size <= n for size, n in zip(sizes, x.shape, strict=True)):
        raise CoreArrayTypeError(
            f"Gather op must have one slice size for every input dimension, which fits; got {sizes} for shape {tuple(x.shape)}"
        )
    if len(d.start_index_map) != indices.shape[-1]:
        raise CoreArrayTypeError(
            f"Gather op has {len(d.start_index_map)} elements in start_index_map and the bound of the last dimension of "
            f"start_indices is {indices.shape[-1]}. These two numbers must be equal."
        )
    dropped = (*d.collapsed_slice_dims, *d.operand_batching_dims)
    if len(d.offset_dims) + len(dropped) != x.ndim or any(sizes[axis] > 1 for axis in dropped):
        raise CoreArrayTypeError(
            f"Gather op keeps {len(d.offset_dims)} axes of {x.ndim} and drops those of size 1; got {sizes} without {dropped}"
        )
    chosen = GatherScatterMode.PROMISE_IN_BOUNDS if mode is None else GatherScatterMode.from_any(mode)
    fills = chosen.name in ("FILL_OR_DROP", "ONE_HOT")
    made = primitive("gather")(
        x, indices, dimension_numbers=d._asdict(), slice_sizes=sizes, mode="fill_or_drop" if fills else "clip",
        fill_value=fill_value,
    )  # fmt: skip
    return Array(made, weak)


def _checked(name: str, operand: Any, scatter_indices: Any, updates: Any, d: Any) -> tuple[Any, Any, Any, bool]:
    """Return the operands of a scattering.

    Raises
    ------
    TypeError
        If dtypes or shapes do not fit.
    """
    xs, parts = converted(operand)[0], converted(updates)[0]
    indices = _indices(scatter_indices, "scatter")
    if parts.ndim != len(d.update_window_dims) + indices.ndim - 1:
        raise CoreArrayTypeError(
            f"Updates tensor must be of rank {len(d.update_window_dims) + indices.ndim - 1}; got {parts.ndim}."
        )
    if len(d.scatter_dims_to_operand_dims) != indices.shape[-1]:
        raise CoreArrayTypeError(
            f"Scatter op has {len(d.scatter_dims_to_operand_dims)} elements in scatter_dims_to_operand_dims and the bound of "
            f"the last dimension of scatter_indices is {indices.shape[-1]}. These two numbers must be equal."
        )
    gone = (*d.inserted_window_dims, *d.operand_batching_dims)
    if len(d.update_window_dims) + len(gone) != xs.ndim:
        raise CoreArrayTypeError(
            f"Scatter op has window of size {len(d.update_window_dims) + len(gone)}; doesn't match operand of rank {xs.ndim}."
        )
    if xs.dtype != parts.dtype:
        given(
            name,
            Array(xs[(0,) * xs.ndim]) if xs.size else operand,
            Array(parts[(0,) * parts.ndim]) if parts.size else updates,
        )
    return xs, indices, parts, converted(operand)[1] and converted(updates)[1]


def _scattering(name: str) -> Callable[..., Any]:
    def function(
        operand: Any, scatter_indices: Any, updates: Any, dimension_numbers: Any, *, indices_are_sorted: bool = False,
        unique_indices: bool = False, mode: Any = None,
    ) -> Any:  # fmt: skip
        x, indices, parts, weak = _checked(name, operand, scatter_indices, updates, dimension_numbers)
        chosen = GatherScatterMode.from_any(mode).name.lower()
        made = primitive(name)(x, indices, parts, dimension_numbers=dimension_numbers._asdict(), mode=_mode(chosen))
        return Array(made, weak)

    function.__name__ = name
    function.__doc__ = f"Compute what `jax.lax.{name}` computes."
    return function


def _mode(name: str) -> str:
    """Return a mode of the primitive: a promise that indices lie inside is checked."""
    return "clip" if name == "clip" else "fill_or_drop"


def scatter_apply(
    operand: Any, scatter_indices: Any, func: Callable[[Any], Any], dimension_numbers: Any, *, update_shape: Any = (),
    indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
) -> Any:  # fmt: skip
    """Replace elements at computed places by a function of them; a place that is named twice is replaced twice."""
    x, weak = converted(operand)
    ones = Array(ca.ones(shape_of(update_shape), dtype=ca.int32))
    x, indices, parts, _ = _checked(
        "scatter_apply", Array(ca.zeros(tuple(x.shape), dtype=ca.int32)), scatter_indices, ones, dimension_numbers
    )
    counts = primitive("scatter_add")(
        x,
        indices,
        parts,
        dimension_numbers=dimension_numbers._asdict(),
        mode=_mode(GatherScatterMode.from_any(mode).name.lower()),
    )
    made = converted(operand)[0]
    for number in range(int(ca.max(counts)) if counts.size else 0):
        made = ca.where(counts > number, converted(func(Array(made, weak)))[0], made)
    return Array(made, weak)


FUNCTIONS: dict[str, Any] = {
    "lax.gather": gather, "lax.scatter_apply": scatter_apply, "lax.GatherDimensionNumbers": GatherDimensionNumbers,
    "lax.ScatterDimensionNumbers": ScatterDimensionNumbers, "lax.GatherScatterMode": GatherScatterMode,
}  # fmt: skip
FUNCTIONS |= {
    f"lax.{name}": _scattering(name)
    for name in "scatter scatter_add scatter_sub scatter_mul scatter_min scatter_max".split()
}
