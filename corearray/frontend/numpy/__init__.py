"""NumPy's functions on every backend: `import corearray.frontend.numpy as np`, and the rest of the code stays as it is.

Its functions take and return `ndarray` and scalars such as `float64`, and also take arrays of corearray and of the frameworks,
lists and numbers. What a function is depends on the version of NumPy that is installed, or the newest known one;
`corearray.frontend.get_frontend` gives other versions.
"""

from __future__ import annotations

from typing import Any

from corearray.frontend.namespaces import attribute, names

__all__: list[str] = []


def __getattr__(name: str) -> Any:
    """Find a function, namespace, class or constant of the frontend (PEP 562)."""
    return attribute(__name__, name)


def __dir__() -> list[str]:
    """Name the functions and namespaces of the frontend."""
    return names(__name__)
