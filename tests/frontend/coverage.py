"""How much of a framework's API its frontend has: a table of namespaces for docs/frontends.md, and the missing names.

PYTHONPATH=tests python -m frontend.coverage jax            # the table of JAX; also torch, tensorflow
PYTHONPATH=tests python -m frontend.coverage jax --missing  # the names that are missing, a line for each namespace

`torch_coverage.py`, `jax_coverage.py` and `tensorflow_coverage.py` say which names a framework has.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple

__all__ = ["Coverage", "coverage_of", "has_path"]


def has_path(root: Any, path: Sequence[str]) -> bool:
    """Whether a frontend has a name, within the namespaces before it."""
    try:
        for part in path:
            root = getattr(root, part)
    except (NotImplementedError, AttributeError):
        return False
    return True


class Coverage(NamedTuple):
    """The namespaces of a framework, and what its frontend has of them.

    Attributes
    ----------
    framework, version
        Its name in the table, and its installed version.
    namespaces
        The names of its namespaces.
    functions
        Function of a namespace that returns its public names.
    has
        Function of a namespace and a name: whether the frontend has it.
    reasons
        Why names are missing: each reason with its names. Their table follows the table of namespaces.
    """

    framework: str
    version: str
    namespaces: Sequence[str]
    functions: Callable[[str], Iterable[str]]
    has: Callable[[str, str], bool]
    reasons: Mapping[str, str] = MappingProxyType({})

    def missing(self) -> Iterator[tuple[str, int, list[str]]]:
        """Yield each namespace with the number of its names and those that are missing."""
        for namespace in self.namespaces:
            names = sorted(self.functions(namespace))
            yield namespace, len(names), [name for name in names if not self.has(namespace, name)]

    def table(self) -> str:
        """Return the table; up to 24 missing names are written out."""
        version = ".".join(self.version.split(".")[:2])
        lines = [f"| namespace | public names in {self.framework} {version} | here | missing |", "|---|---|---|---|"]
        for namespace, count, names in self.missing():
            shown = ", ".join(f"`{name}`" for name in names) if len(names) <= 24 else f"{len(names)} names"
            lines.append(f"| `{namespace}` | {count} | {count - len(names)} | {shown} |")
        if self.reasons:
            lines += ["", "| missing | because |", "|---|---|"]
        for reason, names in self.reasons.items():
            lines.append(f"| {', '.join(f'`{name}`' for name in names.split())} | {reason} |")
        return "\n".join(lines)

    def unexplained(self) -> set[str]:
        """Return names that are missing without a reason, and those that have a reason and are there."""
        given = [name for names in self.reasons.values() for name in names.split()]
        patterns = [name for name in given if "*" in name]
        missing = {name for _, _, names in self.missing() for name in names}
        return (set(given) - set(patterns)) ^ {
            name for name in missing if not any(fnmatchcase(name, pattern) for pattern in patterns)
        }


def coverage_of(framework: str) -> Coverage:
    """Return what the module of a framework, which imports the framework, says."""
    found: Coverage = import_module(f"frontend.{framework}_coverage").COVERAGE
    return found


def main() -> None:
    """Print the table, or with `--missing` the missing names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("framework", choices=("torch", "jax", "tensorflow"))
    parser.add_argument("--missing", action="store_true")
    asked = parser.parse_args()
    coverage = coverage_of(asked.framework)
    if asked.missing:
        for namespace, _, names in coverage.missing():
            print(f"{namespace}: {', '.join(names)}")
    else:
        print(coverage.table())


if __name__ == "__main__":
    main()
