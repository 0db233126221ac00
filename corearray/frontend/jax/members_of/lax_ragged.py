"""Products of `jax.lax` with groups of rows of different lengths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import corearray as ca
from corearray.errors import CoreArrayNotImplementedError, CoreArrayTypeError
from corearray.frontend.jax.members_of.lax_products import dot_general
from corearray.frontend.jax.wrapper import Array, converted

__all__ = ["FUNCTIONS", "RaggedDotDimensionNumbers", "ragged_dot", "ragged_dot_general"]


class RaggedDotDimensionNumbers(NamedTuple):
    """Axes of a ragged product: contracted, batch, the axis of `lhs` that has groups, the axis of `rhs` that counts them."""

    dot_dimension_numbers: Any
    lhs_ragged_dimensions: Sequence[int]
    rhs_group_dimensions: Sequence[int]


class _Groups(NamedTuple):
    """The kind of the ragged axis, the axis, and the axes of `group_sizes` before its axis of groups."""

    kind: str
    axis: int
    prefix: list[int]


def _groups(ndim: int, ragged: int, batch: Sequence[int], contracted: Sequence[int]) -> _Groups:
    rest = [axis for axis in range(ndim) if axis not in (*batch, *contracted)]
    if ragged in contracted:
        return _Groups("contracted", ragged, [*batch, *contracted[: list(contracted).index(ragged)]])
    if ragged in batch:
        return _Groups("batch", ragged, list(batch[: list(batch).index(ragged)]))
    return _Groups("free", ragged, [*batch, *rest[: rest.index(ragged)]])


def _expanded(x: ca.Array, groups: _Groups, sizes: ca.Array) -> Any:
    """Return an array with a first axis of groups: each holds its part of the ragged axis, and zeros elsewhere."""
    count = sizes.shape[-1]
    ends = ca.moveaxis(ca.cumulative_sum(sizes, axis=-1), -1, 0)
    starts = ends - ca.moveaxis(sizes, -1, 0)
    order = sorted(range(len(groups.prefix)), key=groups.prefix.__getitem__)
    shape = [n if axis in groups.prefix else 1 for axis, n in enumerate(x.shape)]
    starts, ends = (
        ca.reshape(ca.permute_dims(one, (0, *(i + 1 for i in order))), (count, *shape)) for one in (starts, ends)
    )
    line = [n if axis == groups.axis else 1 for axis, n in enumerate(x.shape)]
    places = ca.reshape(ca.arange(x.shape[groups.axis], dtype=sizes.dtype), tuple(line))
    inside = ca.logical_and(starts <= places, places < ends)
    return ca.where(inside, x, ca.zeros((), dtype=x.dtype))


def _checked(a: ca.Array, b: ca.Array, sizes: ca.Array, numbers: RaggedDotDimensionNumbers) -> _Groups:
    """Return the groups of `lhs`.

    Raises
    ------
    TypeError
        If an axis is none, or a number or shape does not fit.
    """
    ragged, of_rhs = list(numbers.lhs_ragged_dimensions), list(numbers.rhs_group_dimensions)
    (contracted, rhs_contracted), (batch, rhs_batch) = numbers.dot_dimension_numbers
    if len(ragged) != 1:
        raise CoreArrayTypeError("ragged_dot_general expects exactly one lhs ragged dimension.")
    for axis, x, name in ((ragged[0], a, "lhs ragged"), *((one, b, "rhs group") for one in of_rhs[:1])):
        if not 0 <= axis < x.ndim:
            raise CoreArrayTypeError(
                f"ragged_dot_general requires {name} dimension numbers to be nonnegative and less than the number of axes of "
                f"the value, got {axis} for rank {x.ndim}."
            )
    if sizes.dtype.category not in ("signed integer", "unsigned integer"):
        raise CoreArrayTypeError("ragged_dot_general requires that group_sizes.dtype is subtype of np.integer.")
    if not sizes.ndim:
        raise CoreArrayTypeError("expected rank of group_sizes to be >=1.")
    groups = _groups(a.ndim, ragged[0], batch, contracted)
    wanted = (*(a.shape[axis] for axis in groups.prefix), sizes.shape[-1])
    if sizes.ndim != 1 and tuple(sizes.shape) != wanted:
        raise CoreArrayTypeError(f"expected group_sizes to have shape {wanted}, got {tuple(sizes.shape)}.")
    if len(of_rhs) != (groups.kind == "free"):
        raise CoreArrayTypeError(
            "ragged_dot_general requires exactly one rhs group dimension when lhs ragged dimension is noncontracting, and "
            f"zero group dimensions when it is contracting or batch; got {of_rhs}."
        )
    if of_rhs and (of_rhs[0] in (*rhs_batch, *rhs_contracted) or b.shape[of_rhs[0]] != sizes.shape[-1]):
        raise CoreArrayTypeError(
            "ragged_dot_general requires an rhs group dimension that is distinct from contracting and batch dimensions and "
            f"of size {sizes.shape[-1]}, got dimension {of_rhs[0]} of shape {tuple(b.shape)}."
        )
    return groups


def ragged_dot_general(
    lhs: Any, rhs: Any, group_sizes: Any, ragged_dot_dimension_numbers: Any, precision: Any = None,
    preferred_element_type: Any = None, group_offset: Any = None, out_sharding: Any = None,
) -> Any:  # fmt: skip
    """Sum products over contracted axes, for each batch, with groups along one axis of `lhs`.

    Parameters
    ----------
    lhs, rhs
        Arrays.
    group_sizes
        Lengths of the groups, one after the other: one axis, or one more for each axis in front of the ragged one.
    ragged_dot_dimension_numbers
        `RaggedDotDimensionNumbers`. An axis of rows multiplies each group with its own matrices of `rhs`; a contracted axis
        gives a product for each group, in front; a batch axis changes nothing.
    precision, out_sharding
        Without effect.
    preferred_element_type
        The dtype of the result.
    group_offset
        `None`.

    Raises
    ------
    TypeError
        If axes, dtypes or shapes do not fit.
    NotImplementedError
        If `group_offset` is given.
    """
    numbers = RaggedDotDimensionNumbers(
        ragged_dot_dimension_numbers.dot_dimension_numbers,
        ragged_dot_dimension_numbers.lhs_ragged_dimensions,
        ragged_dot_dimension_numbers.rhs_group_dimensions,
    )
    (a, weak), (b, rhs_weak) = converted(lhs), converted(rhs)
    sizes = converted(group_sizes)[0]
    (contracted, rhs_contracted), (batch, rhs_batch) = (tuple(map(tuple, one)) for one in numbers.dot_dimension_numbers)
    groups = _checked(a, b, sizes, numbers)
    if group_offset is not None:
        raise CoreArrayNotImplementedError("Unimplemented group_offset support.")
    if groups.kind == "batch":
        return dot_general(lhs, rhs, numbers.dot_dimension_numbers, precision, preferred_element_type)
    if sizes.ndim == 1:
        sizes = ca.broadcast_to(sizes, (*(a.shape[axis] for axis in groups.prefix), sizes.shape[0]))
    left = Array(_expanded(a, groups, sizes), weak)
    axes = tuple(axis + 1 for axis in contracted)
    fronts = tuple(axis + 1 for axis in batch)
    if groups.kind == "free":
        dims = (((*axes, 0), (*rhs_contracted, numbers.rhs_group_dimensions[0])), (fronts, rhs_batch))
        return dot_general(left, rhs, dims, precision, preferred_element_type)
    other = _groups(b.ndim, rhs_contracted[contracted.index(groups.axis)], rhs_batch, rhs_contracted)
    right = Array(_expanded(b, other, sizes), rhs_weak)
    dims = ((axes, tuple(axis + 1 for axis in rhs_contracted)), ((0, *fronts), (0, *(axis + 1 for axis in rhs_batch))))
    return dot_general(left, right, dims, precision, preferred_element_type)


def ragged_dot(
    lhs: Any, rhs: Any, group_sizes: Any, precision: Any = None, preferred_element_type: Any = None,
    group_offset: Any = None, out_sharding: Any = None,
) -> Any:  # fmt: skip
    """Multiply groups of rows with a matrix each.

    Parameters
    ----------
    lhs
        An array of the shape `(m, k)`.
    rhs
        An array of the shape `(g, k, n)`.
    group_sizes
        The numbers of rows of the `g` groups; rows beyond their sum give zeros.
    precision, preferred_element_type, group_offset, out_sharding
        As in `ragged_dot_general`.
    """
    numbers = RaggedDotDimensionNumbers((((1,), (1,)), ((), ())), (0,), (0,))
    return ragged_dot_general(lhs, rhs, group_sizes, numbers, precision, preferred_element_type, group_offset)


FUNCTIONS: dict[str, Any] = {
    f"lax.{one.__name__}": one for one in (ragged_dot, ragged_dot_general, RaggedDotDimensionNumbers)
}
