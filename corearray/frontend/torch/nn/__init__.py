"""torch.nn on every backend: `Module`, `Parameter`, containers, layers and losses by torch's names, and `functional`."""

from __future__ import annotations

from typing import Any

from corearray.frontend.namespaces import attribute, names

__all__ = ["functional"]


def __getattr__(name: str) -> Any:
    """Find a class or function of the frontend (PEP 562)."""
    return attribute(__name__, name)


def __dir__() -> list[str]:
    """Name the classes and functions."""
    from corearray.frontend.torch.nn.classes import NAMES

    return sorted({*NAMES, *names(__name__)})
