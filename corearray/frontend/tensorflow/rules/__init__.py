"""The rules of JAX's primitives, by category."""

from __future__ import annotations

__all__: list[str] = []
