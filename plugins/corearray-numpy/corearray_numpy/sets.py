"""Arrays as sets. The shape of `np.unique`'s inverse differs between versions, hence the `reshape`."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl


@hookimpl(native=np.isin)
def isin(x1: Any, x2: Any, /, *, invert: bool = False) -> Any: ...


@hookimpl
def unique_all(x: Any, /) -> tuple[Any, ...]:
    values, indices, inverse, counts = np.unique(x, True, True, True, equal_nan=False)
    return values, indices, inverse.reshape(x.shape), counts


@hookimpl
def unique_counts(x: Any, /) -> tuple[Any, ...]:
    return np.unique(x, return_counts=True, equal_nan=False)


@hookimpl
def unique_inverse(x: Any, /) -> tuple[Any, ...]:
    values, inverse = np.unique(x, return_inverse=True, equal_nan=False)
    return values, inverse.reshape(x.shape)


@hookimpl
def unique_values(x: Any, /) -> Any:
    return np.unique(x, equal_nan=False)
