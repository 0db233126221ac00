"""Settings of the current context: the backend in force, modes and defaults."""

from __future__ import annotations

__all__: list[str] = []
