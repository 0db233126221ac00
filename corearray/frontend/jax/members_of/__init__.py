"""Functions of JAX that are written in its own words, by category: `FUNCTIONS` maps their names to them."""

from __future__ import annotations

__all__: list[str] = []
