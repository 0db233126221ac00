"""TensorFlow's operations on every backend: `import corearray.frontend.tensorflow as tensorflow` runs what `transpile` writes.

The functions are those of `tf.raw_ops`, such as `tensorflow.raw_ops.MatMul`, with TensorFlow's keywords. They take and return
`Array`, and programs, such as the body of a loop, as functions that return a list of arrays.
"""

from __future__ import annotations

from typing import Any

__all__: list[str] = []


def __getattr__(name: str) -> Any:
    """Find a function, namespace or constant of the frontend (PEP 562)."""
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from corearray.frontend.frontend import get_frontend

    return getattr(get_frontend("tensorflow"), name)


def __dir__() -> list[str]:
    """Name the functions and namespaces of the frontend."""
    from corearray.frontend.frontend import get_frontend

    return sorted(dir(get_frontend("tensorflow")))
