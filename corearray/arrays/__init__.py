"""The `Array` class: kinds, operators, methods, assignment, interchange."""

from __future__ import annotations

__all__: list[str] = []
