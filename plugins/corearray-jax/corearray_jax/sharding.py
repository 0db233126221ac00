"""Arrays over several devices by JAX's own meshes and shardings.

The axes of a mesh are of the type `Auto`: XLA propagates shardings and inserts the collectives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import jax
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec

from corearray.plugin import hookimpl
from corearray_jax.native import default_device, elements, is_layout, is_traced, spans_processes


@hookimpl
def mesh(axes: Mapping[str, int]) -> Any:
    devices, sizes = jax.devices(), tuple(axes.values())
    count = int(np.prod(sizes))
    if count > len(devices):
        raise ValueError(
            f"a mesh of {' x '.join(map(str, sizes))} needs {count} devices, and JAX has {len(devices)}; for a trial set "
            f"XLA_FLAGS=--xla_force_host_platform_device_count={count} before JAX is imported"
        )
    return jax.sharding.Mesh(np.asarray(devices[:count]).reshape(sizes), tuple(axes))


@hookimpl
def placed_on(x: Any, mesh: Any, spec: Sequence[Any] | None) -> Any:
    if mesh is None:
        return jax.device_put(elements(x) if spans_processes(x) else x, default_device())
    if spec is None:
        return x if is_traced(x) else jax.device_put(x, NamedSharding(mesh, PartitionSpec()))
    sharding = NamedSharding(mesh, PartitionSpec(*spec))
    return jax.lax.with_sharding_constraint(x, sharding) if is_traced(x) else jax.device_put(x, sharding)


@hookimpl
def layout_of(x: Any) -> tuple[Mapping[str, int], Sequence[Any]] | None:
    if is_traced(x) or not is_layout(sharding := x.sharding):
        return None
    if not isinstance(sharding, NamedSharding):
        return _unnamed(sharding, x.shape)
    return dict(sharding.mesh.shape), (*sharding.spec, *(None,) * (x.ndim - len(sharding.spec)))


def _unnamed(sharding: Any, shape: tuple[int, ...]) -> tuple[Mapping[str, int], Sequence[Any]]:
    """Name the axes of a mesh after the axes of the array that they split, "rest" that over which parts are repeated."""
    sides = zip(shape, sharding.shard_shape(shape), strict=True)
    parts = {f"axis{axis}": -(-size // max(side, 1)) for axis, (size, side) in enumerate(sides)}
    rest = len(sharding.device_set) // int(np.prod([*parts.values()]))
    split = {name: count for name, count in parts.items() if count > 1}
    return split | ({"rest": rest} if rest > 1 else {}), tuple(name if name in split else None for name in parts)


@hookimpl
def evaluated(natives: list[Any]) -> Sequence[Any]:
    jax.block_until_ready([x for x in natives if not is_traced(x)])
    return natives
