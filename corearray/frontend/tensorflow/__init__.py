"""TensorFlow's functions on every backend: `import corearray.frontend.tensorflow as tf`, and other code stays as it is.

Its functions take and return `Tensor`, and also take `Variable`, arrays of corearray and of the frameworks, lists and numbers.
What a function is depends on the version of TensorFlow that is installed, or the newest known one;
`corearray.frontend.get_frontend` gives other versions. Operations of `tf.raw_ops` that get no tensors take and return `Array`:
the text of transpiled programs calls them.
"""

from __future__ import annotations

from typing import Any

__all__: list[str] = []

#: Names that `Frontend` has for something else.
_TAKEN = ("__version__", "function", "version")


def __getattr__(name: str) -> Any:
    """Find a function, namespace, class or constant of the frontend (PEP 562)."""
    if name.startswith("__") and name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from corearray.frontend.frontend import get_frontend

    frontend = get_frontend("tensorflow")
    return frontend._public(f"tensorflow.{name}") if name in _TAKEN else getattr(frontend, name)


def __dir__() -> list[str]:
    """Name the functions and namespaces of the frontend."""
    from corearray.frontend.frontend import get_frontend

    return sorted(dir(get_frontend("tensorflow")))
