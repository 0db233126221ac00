"""Types of the library itself: dtypes, devices, shapes, constants, named tuples."""

from __future__ import annotations

__all__: list[str] = []
