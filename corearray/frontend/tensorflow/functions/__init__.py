"""TensorFlow's public functions, `tf.*`, by category: each converts its arguments and calls the rules of operations."""

from __future__ import annotations

__all__: list[str] = []
