"""Sets of values. The number of distinct values is not known to a compiler, so that NumPy finds them."""

from __future__ import annotations

from typing import Any

import numpy as np
from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax.native import INDEX, beside, compiled, elements


@compiled("invert")
def _isin(x1: Any, x2: Any, invert: bool) -> Any:
    return jnp.isin(x1, x2, invert=invert)


@hookimpl
def isin(x1: Any, x2: Any, /, invert: bool = False) -> Any:
    return _isin(x1, x2, invert)


@hookimpl
def unique_all(x: Any, /) -> tuple[Any, ...]:
    values, first, inverse, counts = np.unique(elements(x), True, True, True, equal_nan=False)
    inverse = inverse.reshape(x.shape)
    return beside(x, values), *(beside(x, found.astype(INDEX)) for found in (first, inverse, counts))


@hookimpl
def unique_counts(x: Any, /) -> tuple[Any, ...]:
    values, counts = np.unique(elements(x), return_counts=True, equal_nan=False)
    return beside(x, values), beside(x, counts.astype(INDEX))


@hookimpl
def unique_inverse(x: Any, /) -> tuple[Any, ...]:
    values, inverse = np.unique(elements(x), return_inverse=True, equal_nan=False)
    return beside(x, values), beside(x, inverse.reshape(x.shape).astype(INDEX))


@hookimpl
def unique_values(x: Any, /) -> Any:
    return beside(x, np.unique(elements(x), equal_nan=False))
