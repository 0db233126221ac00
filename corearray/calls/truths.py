"""Truth values of arrays for checks that read elements where that is possible."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corearray.arrays.array import Array

__all__ = ["known_truth"]


def known_truth(x: Array) -> bool | None:
    """Return the value of a boolean array without axes; `None` while a framework traces, or if it computes chunks later.

    A tracer of Python code traces a function that returns `None` in place of this one.
    """
    if "mapped_chunks" in x.backend.facts:
        return None
    try:
        return bool(x)
    except Exception:  # each framework has an error of its own for it
        return None
