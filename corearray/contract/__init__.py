"""The contract: how a function is declared, and how a plugin describes itself and marks its implementations."""

from __future__ import annotations

__all__: list[str] = []
