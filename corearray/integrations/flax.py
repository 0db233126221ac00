"""flax: arrays in the trees that `flax.serialization` writes and reads."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayValueError

__all__ = ["from_state", "register", "to_state"]


def register() -> None:
    """Register the class of arrays of each loaded backend, since flax looks for the very type."""
    serialization = import_module("flax.serialization")
    for kind in ca.Array.__subclasses__():
        serialization.register_serialization_state(kind, to_state, from_state, override=True)


def to_state(x: Any) -> Any:
    """Return what flax writes: a NumPy array."""
    return ca.to_numpy(x)


def from_state(target: Any, state: Any) -> Any:
    """Return an array with the backend and device of the target, which gives no more than these and the shape."""
    if tuple(state.shape) != tuple(target.shape):
        raise CoreArrayValueError(f"the target has the shape {target.shape}, and the state {tuple(state.shape)}")
    return target.__array_namespace__().asarray(state, dtype=target.dtype, device=target.device, copy=True)
