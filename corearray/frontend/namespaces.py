"""Names of the modules that stand for namespaces of frameworks, such as `corearray.frontend.jax.numpy`."""

from __future__ import annotations

from typing import Any

__all__ = ["attribute", "names"]

_ROOT = "corearray.frontend."


def _namespace(module: str) -> Any:
    """Return the namespace that a module stands for, of the installed version or the latest known one."""
    from corearray.frontend.frontend import get_frontend

    framework, *path = module.removeprefix(_ROOT).split(".")
    found: Any = get_frontend(framework).namespace
    for name in path:
        found = getattr(found, name)
    return found


def attribute(module: str, name: str) -> Any:
    """Return what the `__getattr__` of a module returns (PEP 562): a function, class, namespace or constant."""
    if name.startswith("__") and name != "__version__":
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    return getattr(_namespace(module), name)


def names(module: str) -> list[str]:
    """Return what the `__dir__` of a module returns: the names of its namespace."""
    return sorted(dir(_namespace(module)))
