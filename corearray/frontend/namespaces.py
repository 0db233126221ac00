"""What the modules of frontends share, of which each is a namespace of a framework: `corearray.frontend.jax.numpy`, say."""

from __future__ import annotations

from typing import Any

__all__ = ["attribute", "names"]

_ROOT = "corearray.frontend."


def _namespace(module: str) -> Any:
    """Return the namespace of the installed version, or of the latest known one, of which a module has the name."""
    from corearray.frontend.frontend import get_frontend

    framework, *path = module.removeprefix(_ROOT).split(".")
    found: Any = get_frontend(framework)
    for name in path:
        found = getattr(found, name)
    return found


def attribute(module: str, name: str) -> Any:
    """Return a function, class, namespace or constant for the `__getattr__` of a module (PEP 562)."""
    if name.startswith("__") and name != "__version__":
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    return getattr(_namespace(module), name)


def names(module: str) -> list[str]:
    """Return the names of a namespace for the `__dir__` of a module."""
    return sorted(dir(_namespace(module)))
