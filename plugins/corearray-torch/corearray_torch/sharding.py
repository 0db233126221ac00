"""Arrays over several processes by torch's DeviceMesh and DTensor.

Each process runs the same program and holds a part of each array. torch propagates the placements and inserts the
collectives. A sum whose terms lie in several processes (`Partial`) is whole in a layout: torch adds the terms when they are
needed.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from functools import lru_cache, partial
from math import prod
from typing import Any

import torch

from corearray.plugin import hookimpl


def is_spread(x: Any) -> bool:
    """Return true for a DTensor, without an import of its module, which takes half a second."""
    return hasattr(x, "placements")


def whole(x: Any) -> Any:
    """Return all elements of a DTensor as a plain tensor, and other tensors as they are.

    A collective: all processes of the mesh have to call it.
    """
    return x.full_tensor() if type(x) is not torch.Tensor and is_spread(x) else x


def beside(x: Any, made: Any) -> Any:
    """Return a tensor whose elements every process has, with the placements of a DTensor of the same shape."""
    if not is_spread(x):
        return made
    from torch.distributed.tensor import Replicate

    placements = [Replicate() if placement.is_partial() else placement for placement in x.placements]
    return replicated(made, x.device_mesh).redistribute(x.device_mesh, placements)


def replicated(x: Any, mesh: Any) -> Any:
    """Return a DTensor of a tensor whose elements every process has."""
    from torch.distributed.tensor import DTensor, Replicate

    return DTensor.from_local(x.to(mesh.device_type), mesh, [Replicate()] * mesh.ndim, run_check=False)


def summed(x: Any) -> Any:
    """Return a DTensor after the sum over processes that it waits for, and other tensors as they are.

    torch forgets that the truth of several processes is no sum: as integers it would count them.
    """
    if type(x) is torch.Tensor or not is_spread(x):
        return x
    from torch.distributed.tensor import Replicate

    return x.redistribute(x.device_mesh, [Replicate() if p.is_partial() else p for p in x.placements])


def with_whole_axis(x: Any, axis: int) -> Any:
    """Return a DTensor that is not split along an axis, and other tensors as they are."""
    if type(x) is torch.Tensor or not is_spread(x):
        return x
    from torch.distributed.tensor import Replicate, Shard

    split = Shard(axis % x.ndim)
    return x.redistribute(x.device_mesh, [Replicate() if p == split else p for p in x.placements])


def along_the_batch(*tensors: Any) -> tuple[Any, ...]:
    """Return the first tensor split along its first axis at most, and the others whole in every process.

    torch convolves the parts of other splits as if each were an array of its own.
    """
    if all(type(x) is torch.Tensor or not is_spread(x) for x in tensors):
        return tensors
    from torch.distributed.tensor import Replicate, Shard

    def moved(x: Any, keeps: bool) -> Any:
        if x is None or not is_spread(x):
            return x
        wanted = [p if keeps and p == Shard(0) else Replicate() for p in x.placements]
        return x.redistribute(x.device_mesh, wanted)

    return tuple(moved(x, place == 0) for place, x in enumerate(tensors))


def local(x: Any) -> Any:
    """Return the part of a DTensor that this process holds, and other tensors as they are."""
    return x.to_local() if type(x) is not torch.Tensor and is_spread(x) else x


def is_copied(x: Any) -> bool:
    """Return true for a DTensor that torch made as a view of another one and had to copy, because data moved."""
    return (
        is_spread(x)
        and x._base is not None
        and local(x).untyped_storage().data_ptr() != local(x._base).untyped_storage().data_ptr()
    )


def everything_behind(x: Any) -> Any:
    """Return all elements of the array of which a DTensor is a view, as a plain tensor with its strides. A collective."""
    base = x._base
    return torch.empty_strided(base.shape, base.stride(), dtype=base.dtype, device=base.device).copy_(whole(base))


def shown_in(x: Any, everything: Any) -> Any:
    """Return the view of the tensor of `everything_behind(x)` that shows the elements that a DTensor shows."""
    return x._view_func_unsafe(everything)


def printable(x: Any) -> Any:
    """Return what is printed of a tensor without the other processes: elements, or the layout of a split DTensor."""
    if type(x) is torch.Tensor or not is_spread(x):
        return x
    if all(placement.is_replicate() for placement in x.placements):
        return x.to_local()
    return f"..., placements={x.placements}"


@hookimpl(versions=">=2.6")
def mesh(axes: Mapping[str, int]) -> Any:
    """Make the mesh of all processes, and let tensors that every process holds whole combine with DTensors."""
    import torch.distributed as dist

    size = prod(axes.values())
    shape = " x ".join(map(str, axes.values()))
    started = dist.is_available() and dist.is_initialized()
    count = dist.get_world_size() if started else int(os.environ.get("WORLD_SIZE", "1"))
    if size != count or not (started or "RANK" in os.environ):
        raise ValueError(
            f"a mesh of {shape} needs {size} processes of torch, and there are {count if started else 'none in a group'}; "
            f"start the program by 'torchrun --nproc-per-node={size} program.py', or call "
            "torch.distributed.init_process_group in each process"
        )
    from torch.distributed.device_mesh import init_device_mesh

    kind = torch.accelerator.current_accelerator().type if torch.accelerator.is_available() else "cpu"
    made = init_device_mesh(kind, tuple(axes.values()), mesh_dim_names=tuple(axes))
    complete_operators()
    return made


@hookimpl(versions=">=2.6")
def placed_on(x: Any, mesh: Any, spec: Sequence[Any] | None) -> Any:
    if mesh is None:
        return whole(x)
    from torch.distributed.tensor import DTensor, distribute_tensor

    spread = isinstance(x, DTensor)
    if spec is None:
        if spread:
            return x
        return replicated(x, mesh)
    placements = _placements(mesh, spec)
    if spread and x.device_mesh == mesh:
        return x.redistribute(mesh, placements)
    x = whole(x)
    if x.requires_grad or torch.compiler.is_compiling():  # part of a derivative, which every process computes
        return replicated(x, mesh).redistribute(mesh, placements)
    return distribute_tensor(x, mesh, placements)  # the values of the first process


def _placements(mesh: Any, spec: Sequence[Any]) -> list[Any]:
    """Return the placement for each axis of a mesh."""
    from torch.distributed.tensor import Replicate, Shard

    names = mesh.mesh_dim_names
    placements: list[Any] = [Replicate()] * len(names)
    for axis, entry in enumerate(spec):
        parts = (entry,) if isinstance(entry, str) else entry or ()
        places = [names.index(name) for name in parts]
        if places != sorted(places):
            wanted = tuple(sorted(parts, key=names.index))
            raise ValueError(f"a DTensor is split over the axes of its mesh in their order; give {wanted} for {parts}")
        for place in places:
            placements[place] = Shard(axis)
    return placements


@hookimpl(versions=">=2.6")
def layout_of(x: Any) -> tuple[Mapping[str, int], Sequence[Any]] | None:
    if type(x) is torch.Tensor or not is_spread(x):
        return None
    mesh = x.device_mesh
    names = mesh.mesh_dim_names or tuple(f"axis{place}" for place in range(mesh.ndim))
    parts: list[list[str]] = [[] for _ in range(x.ndim)]
    for name, placement in zip(names, x.placements, strict=True):
        if placement.is_shard():
            parts[placement.dim % x.ndim].append(name)
    spec = [tuple(part) if len(part) > 1 else part[0] if part else None for part in parts]
    return dict(zip(names, mesh.shape, strict=True)), spec


#: What torch switches on for the rest of the process.
_entered = ExitStack()


@lru_cache
def complete_operators() -> None:
    """Let plain tensors combine with DTensors, and say how torch may split operators that it has no rules for.

    Both by its own experimental interfaces, when a program makes its first mesh.
    """
    from torch.distributed.tensor import DTensor
    from torch.distributed.tensor.experimental import implicit_replication, register_sharding

    _entered.enter_context(implicit_replication())
    atexit.register(_entered.close)  # torch's modules are gone when a generator is closed at the very end
    propagator = DTensor._op_dispatcher.sharding_propagator
    tables = (
        getattr(propagator, name, ()) for name in ("op_strategy_funcs", "op_single_dim_strategy_funcs", "op_to_rules")
    )
    known = {operator for table in tables for operator in table}
    for name, splits in _rules().items():
        packet, _, overload = name.partition(".")
        operator = getattr(getattr(torch.ops.aten, packet, None), overload or "default", None)
        if operator is not None and operator not in known:
            register_sharding(operator)(partial(_placements_of, len(operator._schema.returns), splits))


def _placements_of(count: int, splits: Callable[..., Iterable[Any]], *args: Any, **options: Any) -> list[Any]:
    """Return for each possible split the placements of `count` results and of the arguments."""
    from torch.distributed.tensor import Replicate

    tensors = [hasattr(arg, "placements") for arg in args]
    found = []
    for split in ((Replicate(),) * (count + sum(tensors)), *splits(*args)):
        rest = iter(split[count:])
        found.append((list(split[:count]), [next(rest) if is_tensor else None for is_tensor in tensors]))
    return found


def _rules() -> dict[str, Callable[..., Iterable[Any]]]:
    """Return by operator a function of its arguments that returns placements of results and arguments, beside whole ones."""
    from torch.distributed.tensor import Replicate, Shard

    def padded(axes: int) -> Callable[..., Iterable[Any]]:
        return lambda *args: [(Shard(axis),) * (1 + len(args[:-1])) for axis in range(args[0].ndim - axes)]

    def heads(results: int, arguments: int) -> Callable[..., Iterable[Any]]:
        return lambda *args: [(Shard(axis),) * (results + arguments) for axis in (0, 1)]

    return {
        "_conj_physical": lambda x: [(Shard(axis),) * 2 for axis in range(x.ndim)],
        "_scaled_dot_product_flash_attention_for_cpu": heads(2, 3),
        "_scaled_dot_product_flash_attention_for_cpu_backward": heads(3, 6),
        "col2im": lambda x, *_: [(Shard(0),) * 2] * (x.ndim == 3),
        "fill_.Tensor": lambda x, value: [(Shard(axis), Shard(axis), Replicate()) for axis in range(x.ndim)],
        "im2col": lambda x, *_: [(Shard(0),) * 2] * (x.ndim == 4),
        "reflection_pad1d": padded(1),
        "reflection_pad1d_backward": padded(1),
        "scatter_reduce.two": lambda *_: (),
        "searchsorted.Tensor": lambda edges, x: [
            (Shard(axis), Replicate(), Shard(axis)) for axis in range(x.ndim) if edges.ndim == 1
        ],
        "unfold": lambda x, axis, *_: [(Shard(other),) * 2 for other in range(x.ndim) if other != axis % x.ndim],
        "unfold_backward": lambda x, shape, axis, *_: [
            (Shard(other),) * 2 for other in range(len(shape)) if other != axis % len(shape)
        ],
    }


@hookimpl
def evaluated(natives: list[Any]) -> Sequence[Any]:
    """Wait for the GPUs, which compute after the call of a function has returned."""
    if not torch.compiler.is_compiling():
        for device in {x.device for x in natives if x.is_cuda}:
            torch.cuda.synchronize(device)
    return natives
