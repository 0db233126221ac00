"""How much of TensorFlow's API the frontend has: a table of namespaces, for docs/frontends.md.

python tests/frontend/tensorflow_coverage.py            # the table
python tests/frontend/tensorflow_coverage.py --missing  # the names that are missing, a line for each namespace
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType

import tensorflow as tf

import corearray.frontend.tensorflow as ours

NAMESPACES = ("tf", "tf.math", "tf.nn", "tf.linalg", "tf.signal", "tf.random", "tf.bitwise", "tf.debugging", "tf.nest")


def functions(namespace: str) -> list[str]:
    """Return the public functions and classes of a namespace."""
    module = tf
    for part in namespace.split(".")[1:]:
        module = getattr(module, part)
    found = {name: getattr(module, name) for name in dir(module) if not name.startswith("_")}
    return sorted(name for name, x in found.items() if callable(x) and not isinstance(x, ModuleType))


def has(namespace: str, name: str) -> bool:
    """Whether the frontend has a function or class."""
    place = ours
    try:
        for part in (*namespace.split(".")[1:], name):
            place = getattr(place, part)
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
    version = ".".join(tf.__version__.split(".")[:2])
    lines = [f"| namespace | public names in TensorFlow {version} | here | missing |", "|---|---|---|---|"]
    for namespace, count, names in missing():
        shown = ", ".join(f"`{name}`" for name in names) if len(names) <= 12 else f"{len(names)} names"
        lines.append(f"| `{namespace}` | {count} | {count - len(names)} | {shown} |")
    return "\n".join(lines)


if __name__ == "__main__":
    if "--missing" in sys.argv:
        for namespace, _, names in missing():
            print(f"{namespace}: {', '.join(names)}")
    else:
        print(table())
