"""Elements that do not count: NaNs, and those that a mask leaves out."""

from __future__ import annotations

import warnings
from typing import Any

import corearray as ca
from corearray.frontend.numpy.promotion import array, cast, surely

__all__ = ["counted", "filled", "warned"]


def filled(x: Any, number: Any) -> Any:
    """Return an array with a number in place of NaN."""
    x = array(x)
    if x.dtype.category not in ("real floating", "complex floating"):
        return x
    return ca.where(ca.isnan(x), array(number, x.dtype), x)


def counted(x: Any, where: Any = True) -> Any:
    """Return which elements are no NaN and chosen by a mask."""
    kept = ca.logical_not(ca.isnan(x))
    return kept if where is True else ca.logical_and(kept, cast(array(where), ca.bool))


def warned(condition: Any, text: str) -> None:
    """Warn if a condition holds for any element; within a compiled program, where none is known, do nothing."""
    if surely(ca.any(condition) if isinstance(condition, ca.Array) else condition):
        warnings.warn(text, RuntimeWarning, stacklevel=4)
