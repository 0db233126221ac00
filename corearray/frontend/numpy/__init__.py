"""NumPy's functions on every backend: `import corearray.frontend.numpy as np` runs what `corearray.transpile` writes.

The functions take and return `Array`, with NumPy's signatures and its result types.
"""

from __future__ import annotations

from typing import Any

__all__: list[str] = []


def __getattr__(name: str) -> Any:
    """Find a function, namespace or constant of the frontend (PEP 562)."""
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from corearray.frontend.frontend import get_frontend

    return getattr(get_frontend("numpy"), name)


def __dir__() -> list[str]:
    """Name the functions and namespaces of the frontend."""
    from corearray.frontend.frontend import get_frontend

    return sorted(dir(get_frontend("numpy")))
