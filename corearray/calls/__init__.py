"""Calls: from a public function to the framework's own."""

from __future__ import annotations

__all__: list[str] = []
