"""Checks of arguments, and explanations of what is wrong with them."""

from __future__ import annotations

__all__: list[str] = []
