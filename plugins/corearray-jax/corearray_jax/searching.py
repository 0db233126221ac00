"""Places of elements. What depends on values alone (`nonzero`) has no shape to compile for and is done by NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax.native import INDEX, beside, compiled, elements, ordered


@compiled("axis", "keepdims")
def _argmax(x: Any, axis: int | None, keepdims: bool) -> Any:
    return jnp.argmax(x, axis=axis, keepdims=keepdims).astype(INDEX)


@hookimpl(fast=ordered(lambda x: jnp.argmax(x).astype(INDEX)), trusts_framework=True)
def argmax(x: Any, /, axis: int | None = None, keepdims: bool = False) -> Any:
    return _argmax(x, axis, keepdims)


@compiled("axis", "keepdims")
def _argmin(x: Any, axis: int | None, keepdims: bool) -> Any:
    return jnp.argmin(x, axis=axis, keepdims=keepdims).astype(INDEX)


@hookimpl(fast=ordered(lambda x: jnp.argmin(x).astype(INDEX)), trusts_framework=True)
def argmin(x: Any, /, axis: int | None = None, keepdims: bool = False) -> Any:
    return _argmin(x, axis, keepdims)


@compiled("axis", "keepdims")
def _count_nonzero(x: Any, axis: Any, keepdims: bool) -> Any:
    return jnp.sum(x != 0, axis=axis, keepdims=keepdims, dtype=INDEX)


@hookimpl
def count_nonzero(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return _count_nonzero(x, axis, keepdims)


@hookimpl
def nonzero(x: Any, /) -> tuple[Any, ...]:
    if x.ndim == 0:
        raise ValueError("an array without axes has no indices; compare it with zero instead")
    return tuple(beside(x, indices.astype(INDEX)) for indices in np.nonzero(elements(x)))


@compiled("side")
def _searchsorted(x1: Any, x2: Any, side: str, sorter: Any) -> Any:
    if sorter is not None:
        if sorter.shape != x1.shape:
            raise ValueError(f"a sorter of shape {sorter.shape} for {x1.shape}")
        x1 = x1[sorter]
    return jnp.searchsorted(x1, x2, side=side).astype(INDEX)


@hookimpl
def searchsorted(x1: Any, x2: Any, /, side: str = "left", sorter: Any = None) -> Any:
    return _searchsorted(x1, x2, side, sorter)


_where = compiled()(jnp.where)


@hookimpl(native=_where, scalars=True)
def where(condition: Any, x1: Any, x2: Any, /) -> Any: ...
