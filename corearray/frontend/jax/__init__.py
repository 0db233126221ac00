"""JAX's functions on every backend: `import corearray.frontend.jax as jax`, and the rest of the code stays as it is.

`jax.numpy` and its kin take and return `jax.Array`, with JAX's result types and weak types. The primitives of a jaxpr, such as
`jax.lax.dot_general_p`, are functions of corearray's arrays, with which `corearray.transpile` writes programs.
"""

from __future__ import annotations

from typing import Any

from corearray.frontend.namespaces import attribute, names

__all__: list[str] = []


def __getattr__(name: str) -> Any:
    """Find a function, namespace or constant of the frontend (PEP 562)."""
    return attribute(__name__, name)


def __dir__() -> list[str]:
    """Name the functions and namespaces of the frontend."""
    return names(__name__)
