"""Interpolation along a line, which NumPy computes in double precision."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl


def _is_given(places: Any, values: Any, period: Any) -> bool:
    return places.ndim == 1 and places.shape == values.shape and places.size > 0 and period != 0


@hookimpl(when=_is_given)
def interp(
    x: Any, places: Any, values: Any, /, *, left: Any = None, right: Any = None, period: float | None = None
) -> Any:
    return np.asarray(np.interp(x, places, values, left, right, period), x.dtype)
