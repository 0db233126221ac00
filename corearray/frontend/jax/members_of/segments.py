"""`jax.ops`, reductions of segments, and `jax.flatten_util`."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayValueError
from corearray.frontend.jax.members_of.lax_blocks import GatherScatterMode
from corearray.frontend.jax.members_of.tree import tree_flatten
from corearray.frontend.jax.promotion import cast, promoted
from corearray.frontend.jax.wrapper import Array, converted

__all__ = ["FUNCTIONS", "ravel_pytree"]


def _first(method: str, dtype: ca.DType) -> Any:
    """Return the value of a segment without elements."""
    if method in ("add", "multiply"):
        return int(method == "multiply")
    if dtype.category == "real floating":
        return ca.inf if method == "min" else -ca.inf
    if dtype == ca.bool:
        return method == "min"
    return ca.iinfo(dtype).max if method == "min" else ca.iinfo(dtype).min


def _segments(name: str, method: str) -> Callable[..., Any]:
    def function(
        data: Any, segment_ids: Any, num_segments: int | None = None, indices_are_sorted: bool = False,
        unique_indices: bool = False, bucket_size: int | None = None, mode: Any = None, out_sharding: Any = None,
    ) -> Any:  # fmt: skip
        x, ids = converted(data)[0], converted(segment_ids)[0]
        if num_segments is None:
            num_segments = int(ca.max(ids)) + 1 if ids.size else 0
        if num_segments < 0:
            raise CoreArrayValueError("num_segments must be non-negative.")
        if GatherScatterMode.from_any(mode) is GatherScatterMode.CLIP:
            places = ca.clip(ids, 0, max(num_segments - 1, 0))
        else:
            places = ca.where(ca.logical_or(ids < 0, ids >= num_segments), num_segments, ids)
        made = ca.full((num_segments, *x.shape[ids.ndim :]), _first(method, x.dtype), dtype=x.dtype, device=x.device)
        return getattr(Array(made).at[Array(places)], method)(Array(x), mode="drop")

    function.__name__ = function.__qualname__ = name
    function.__module__ = "jax.ops"
    function.__doc__ = (
        f"Compute what `jax.ops.{name}` computes. Elements of no segment are left out unless `mode` is `clip`; "
        "`bucket_size` and `out_sharding` have no effect."
    )
    return function


def ravel_pytree(pytree: Any) -> tuple[Any, Callable[[Any], Any]]:
    """Return the elements of all leaves in one axis, and the function that makes the tree of them again."""
    leaves, definition = tree_flatten(pytree)
    arrays = [converted(leaf)[0] for leaf in leaves]
    own = promoted([(x.dtype, False) for x in arrays])[0] if arrays else ca.float32
    flat = ca.concat([ca.reshape(cast(x, own), (-1,)) for x in arrays]) if arrays else ca.zeros((0,), dtype=own)
    kinds = [(tuple(x.shape), x.dtype) for x in arrays]

    def unravel(values: Any) -> Any:
        x, start, made = converted(values)[0], 0, []
        if tuple(x.shape) != tuple(flat.shape):
            raise CoreArrayValueError(
                f"The unravel function expected an array of shape {tuple(flat.shape)}, but got shape {tuple(x.shape)}."
            )
        for shape, dtype in kinds:
            made.append(Array(cast(ca.reshape(x[start : start + prod(shape)], shape), dtype)))
            start += prod(shape)
        return definition.unflatten(made)

    return Array(flat), unravel


FUNCTIONS: dict[str, Any] = {
    f"ops.segment_{name}": _segments(f"segment_{name}", method)
    for name, method in (("sum", "add"), ("prod", "multiply"), ("max", "max"), ("min", "min"))
}
FUNCTIONS["flatten_util.ravel_pytree"] = ravel_pytree
