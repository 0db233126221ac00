"""The rules of NumPy's functions, by category."""

from __future__ import annotations

__all__: list[str] = []
