"""Sparse arrays of `jax.experimental.sparse`, which is imported when one is made."""

from __future__ import annotations

import sys
from typing import Any

from jax import numpy as jnp

from corearray.plugin import hookimpl


@hookimpl
def sparse_array(indices: Any, values: Any, shape: Any, format: str) -> Any:
    from jax.experimental import sparse

    if format == "csr":
        return sparse.BCSR((values, indices[1], indices[0]), shape=shape)
    return sparse.BCOO((values, indices.T), shape=shape)


@hookimpl
def sparse_parts(x: Any) -> Any:
    """Return no parts of arrays with batch axes or dense ones, and not what fills arrays of a fixed length up."""
    sparse = sys.modules.get("jax.experimental.sparse")
    if sparse is None or not isinstance(x, (sparse.BCOO, sparse.BCSR)) or x.n_batch or x.n_dense:
        return None
    if isinstance(x, sparse.BCSR):
        return "csr", (x.indptr, x.indices), x.data, x.shape
    inside = (x.indices < jnp.asarray(x.shape)).all(-1)
    return "coo", x.indices[inside].T, x.data[inside], x.shape
