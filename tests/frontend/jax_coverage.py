"""How much of JAX's API the frontend has: a table of namespaces, for docs/frontends.md.

python tests/frontend/jax_coverage.py            # the table
python tests/frontend/jax_coverage.py --missing  # the names that are missing, a line for each namespace
"""

from __future__ import annotations

import inspect
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import jax
import jax.scipy.special

from corearray.frontend import get_frontend

NAMESPACES = (
    "jax.numpy", "jax.numpy.linalg", "jax.numpy.fft", "jax.lax", "jax.nn", "jax.random", "jax.tree", "jax.tree_util",
    "jax.scipy.special", "jax",
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
    try:
        _found(get_frontend("jax"), f"{namespace}.{name}")
    except (NotImplementedError, AttributeError):
        return False
    return True


def missing() -> Iterator[tuple[str, int, list[str]]]:
    """Yield each namespace with the number of its names and those that are missing."""
    for namespace in NAMESPACES:
        names = functions(namespace)
        yield namespace, len(names), [name for name in names if not has(namespace, name)]


def table() -> str:
    """Return the table."""
    version = ".".join(jax.__version__.split(".")[:2])
    lines = [f"| namespace | public names in JAX {version} | here | missing |", "|---|---|---|---|"]
    for namespace, count, names in missing():
        shown = ", ".join(f"`{name}`" for name in names) if len(names) <= 24 else f"{len(names)} names"
        lines.append(f"| `{namespace}` | {count} | {count - len(names)} | {shown} |")
    return "\n".join(lines)


if __name__ == "__main__":
    if "--missing" in sys.argv:
        for namespace, _, names in missing():
            print(f"{namespace}: {', '.join(names)}")
    else:
        print(table())
