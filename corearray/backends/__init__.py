"""Backends: discovery of plugins, the loaded backend and its namespaces."""

from __future__ import annotations

__all__: list[str] = []
