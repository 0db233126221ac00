"""TensorFlow's functions on every backend: `import corearray.frontend.tensorflow as tf`, and other code stays as it is.

Its functions take and return `Tensor`, and also take `Variable`, arrays of corearray and of the frameworks, lists and numbers.
What a function is depends on the version of TensorFlow that is installed, or the newest known one;
`corearray.frontend.get_frontend` gives other versions. Operations of `tf.raw_ops` that get no tensors take and return `Array`:
the text of transpiled programs calls them.
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
