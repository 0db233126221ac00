"""JAX's `jax.scipy.sparse` on every backend."""

from __future__ import annotations

from typing import Any

from corearray.frontend.namespaces import attribute, names

__all__: list[str] = []


def __getattr__(name: str) -> Any:
    """Find a function, class or constant of the frontend (PEP 562)."""
    return attribute(__name__, name)


def __dir__() -> list[str]:
    """Name the functions, classes and constants."""
    return names(__name__)
