"""Functions in NumPy's own words: each takes the frontend as its first argument, and uses its functions."""

from __future__ import annotations

__all__: list[str] = []
