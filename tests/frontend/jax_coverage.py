"""The public names of JAX, for `coverage.py`."""

from __future__ import annotations

import inspect
import warnings
from typing import Any

import jax
import jax.image
import jax.lax.linalg
import jax.nn.initializers
import jax.scipy.fft
import jax.scipy.linalg
import jax.scipy.signal
import jax.scipy.special
import jax.scipy.stats
from frontend.coverage import Coverage, has_path

from corearray.frontend import get_frontend
from corearray.frontend.jax.absent import ABSENT

NAMESPACES = (
    "jax.numpy", "jax.numpy.linalg", "jax.numpy.fft", "jax.lax", "jax.nn", "jax.random", "jax.tree", "jax.tree_util",
    "jax.scipy.special", "jax.scipy.linalg", "jax.scipy.signal",
    "jax.scipy.stats", "jax.scipy.fft", "jax.image", "jax.nn.initializers", "jax.lax.linalg", "jax",
)  # fmt: skip


def _found(root: Any, path: str) -> Any:
    place = root
    for part in path.split(".")[1:]:
        place = getattr(place, part)
    return place


def functions(namespace: str) -> list[str]:
    """Return the public names of a namespace of JAX that are no modules and no primitives."""
    module, names = _found(jax, namespace), []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in dir(module):
            try:
                value = getattr(module, name)
            except AttributeError:  # removed
                continue
            if not name.startswith("_") and not inspect.ismodule(value) and not name.endswith("_p"):
                names.append(name)
    return names


def has(namespace: str, name: str) -> bool:
    """Whether the frontend has a name."""
    return has_path(get_frontend("jax"), f"{namespace}.{name}".split(".")[1:])


COVERAGE = Coverage("JAX", jax.__version__, NAMESPACES, functions, has, ABSENT)
