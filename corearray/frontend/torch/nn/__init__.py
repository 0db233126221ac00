"""torch.nn on every backend: `Module`, `Parameter`, containers, layers and losses by torch's names, and `functional`."""

from __future__ import annotations

from typing import Any

__all__ = ["functional"]


def __getattr__(name: str) -> Any:
    """Find a class or function of the frontend (PEP 562)."""
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from corearray.frontend.frontend import get_frontend

    return getattr(get_frontend("torch").nn, name)


def __dir__() -> list[str]:
    """Name the classes and functions."""
    from corearray.frontend.frontend import get_frontend
    from corearray.frontend.torch.nn.classes import NAMES

    return sorted({*NAMES, *dir(get_frontend("torch").nn)})
