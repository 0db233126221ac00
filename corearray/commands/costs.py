"""Compositions that cost much more than a native function, as `corearray list-functions` tells."""

from __future__ import annotations

__all__ = ["SLOW"]

#: How many times as long as the default backend's native function a composition takes on four elements of float32, on a
#: backend with the primary functions alone. Compositions below 40 times are left out. `docs/writing-a-backend.md` has reasons.
SLOW = {
    "igamma": 3600, "betainc": 1300, "erfinv": 500, "digamma": 400, "lgamma": 340, "igammac": 300, "erfc": 220,
    "log10": 150, "log2": 140, "i0": 140, "erf": 120, "sort": 100, "asinh": 80, "hypot": 80, "logaddexp": 80, "sinh": 80,
    "zeta": 70, "atanh": 60, "round": 50,
}  # fmt: skip
