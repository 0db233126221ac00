"""The constants of the array API standard."""

from __future__ import annotations

import math

__all__ = ["CONSTANTS", "e", "inf", "nan", "newaxis", "pi"]

e = math.e
inf = math.inf
nan = math.nan
newaxis = None
pi = math.pi

#: The constants by name.
CONSTANTS: dict[str, float | None] = {"e": e, "inf": inf, "nan": nan, "newaxis": newaxis, "pi": pi}
