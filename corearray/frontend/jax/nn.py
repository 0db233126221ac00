"""JAX's `jax.nn` on every backend."""

from __future__ import annotations

from typing import Any

__all__: list[str] = []


def __getattr__(name: str) -> Any:
    """Find a function, class or constant of the frontend (PEP 562)."""
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from corearray.frontend.frontend import get_frontend

    return getattr(get_frontend("jax").nn, name)


def __dir__() -> list[str]:
    """Name the functions, classes and constants."""
    from corearray.frontend.frontend import get_frontend

    return sorted(dir(get_frontend("jax").nn))
