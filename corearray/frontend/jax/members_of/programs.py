"""Functions about devices, shapes and printing."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import corearray as ca
from corearray.frontend.jax.configuration import option_set
from corearray.frontend.jax.leaves import Leaves
from corearray.frontend.jax.members_of.mapping import need_callable
from corearray.frontend.jax.members_of.tree import tree_map
from corearray.frontend.jax.promotion import as_dtype
from corearray.frontend.jax.shapes import ShapeDtypeStruct
from corearray.frontend.jax.wrapper import Array, converted

__all__ = [
    "FUNCTIONS", "block_until_ready", "device_get", "device_put", "devices", "eval_shape",
    "named_call", "named_scope", "outlined", "typeof",
]  # fmt: skip


def block_until_ready(x: Any) -> Any:
    """Wait until all arrays of a tree are computed."""
    ca.evaluate(Leaves(x).listed())
    return x


def device_put(x: Any, device: Any = None, *, src: Any = None, donate: Any = False, may_alias: Any = None) -> Any:
    """Return the arrays of a tree, on a device if one is given."""
    given = Leaves(x, everything=True)
    return given.tree({i: y if device is None else y.to_device(device) for i, y in given.arrays.items()})


def device_get(x: Any) -> Any:
    """Return the arrays of a tree as those of NumPy."""
    return tree_map(lambda leaf: ca.to_numpy(leaf.array) if isinstance(leaf, Array) else leaf, x)


def devices(backend: Any = None) -> list[Any]:
    """Return the devices of the backend in force."""
    return list(ca.current_backend().devices())


def outlined(tree: Any) -> Any:
    """Return a tree with zeros in place of each `ShapeDtypeStruct`."""

    def zeros(leaf: Any) -> Any:
        if isinstance(leaf, ShapeDtypeStruct):
            return Array(ca.zeros(leaf.shape, dtype=as_dtype(leaf.dtype)), leaf.weak_type)
        return leaf

    return tree_map(zeros, tree)


def eval_shape(fun: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Return the shapes and dtypes of a function's results, which it computes from zeros."""
    need_callable("eval_shape", fun)
    given, named = outlined((args, options))
    made = Leaves(fun(*given, **named), everything=True)
    outlines = [made.wrapped(i, array).aval for i, array in made.arrays.items()]
    return made.definition.unflatten(outlines)


def named_call(fun: Callable[..., Any], *, name: str | None = None) -> Callable[..., Any]:
    """Return the function."""
    need_callable("named_call", fun)
    return fun


def named_scope(name: str) -> Any:
    """Return a block in which nothing changes."""
    return nullcontext()


def typeof(x: Any) -> Any:
    """Return the shape and dtype of an array or a number, and whether its dtype is weak.

    Raises
    ------
    TypeError
        If it is no array.
    """
    return Array(*converted(x)).aval if not isinstance(x, Array) else x.aval


#: Blocks that set an option of the same name, and change no result.
_OPTIONS = (
    "check_tracer_leaks debug_key_reuse default_device default_matmul_precision enable_checks "
    "enable_custom_prng explain_cache_misses log_compiles transfer_guard"
).split()


def _option(name: str) -> Callable[..., Any]:
    def block(new_val: Any = True) -> Any:
        return option_set(f"jax_{name}", new_val)

    block.__name__ = block.__qualname__ = name
    block.__doc__ = f"Set the option `jax_{name}` within a block."
    return block


FUNCTIONS: dict[str, Any] = {
    one.__name__: one
    for one in (block_until_ready, device_put, device_get, devices, eval_shape, named_call, named_scope)
} | {
    "local_devices": devices, "device_count": lambda: len(devices()), "local_device_count": lambda: len(devices()),
    "default_backend": lambda: "cpu", "process_index": lambda: 0, "process_count": lambda: 1, "clear_caches": lambda: None,
    "ensure_compile_time_eval": nullcontext, "typeof": typeof,
    "host_id": lambda backend=None: 0, "host_count": lambda backend=None: 1, "host_ids": lambda backend=None: [0],
    "process_indices": lambda backend=None: [0], "effects_barrier": lambda: None,
    "checking_leaks": lambda: option_set("jax_check_tracer_leaks", True),
}  # fmt: skip
FUNCTIONS |= {name: _option(name) for name in _OPTIONS}
