"""The public names of TensorFlow, for `coverage.py`."""

from __future__ import annotations

from types import ModuleType

import tensorflow as tf
from frontend.coverage import Coverage, has_path

import corearray.frontend.tensorflow as ours
from corearray.frontend.tensorflow.absent import ABSENT

NAMESPACES = (
    "tf",
    "tf.math",
    "tf.nn",
    "tf.linalg",
    "tf.signal",
    "tf.image",
    "tf.random",
    "tf.bitwise",
    "tf.debugging",
    "tf.nest",
    "tf.ragged",
)


def functions(namespace: str) -> list[str]:
    """Return the public functions and classes of a namespace."""
    module = tf
    for part in namespace.split(".")[1:]:
        module = getattr(module, part)
    found = {name: getattr(module, name) for name in dir(module) if not name.startswith("_")}
    return sorted(name for name, x in found.items() if callable(x) and not isinstance(x, ModuleType))


def has(namespace: str, name: str) -> bool:
    """Whether the frontend has a function or class."""
    return has_path(ours, (*namespace.split(".")[1:], name))


COVERAGE = Coverage("TensorFlow", tf.__version__, NAMESPACES, functions, has, ABSENT)
