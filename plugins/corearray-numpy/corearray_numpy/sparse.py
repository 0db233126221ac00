"""Sparse arrays of SciPy, which is imported when one is made."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from corearray.plugin import hookimpl


@hookimpl
def sparse_array(indices: Any, values: Any, shape: Any, format: str) -> Any:
    from scipy import sparse

    if format == "csr":
        return sparse.csr_array((values, indices[1], indices[0]), shape=shape)
    return sparse.coo_array((values, tuple(indices)), shape=shape)


@hookimpl
def sparse_parts(x: Any) -> Any:
    sparse = sys.modules.get("scipy.sparse")
    if sparse is None or not sparse.issparse(x):
        return None
    if x.format == "csr":
        return "csr", (x.indptr, x.indices), x.data, x.shape
    x = x.tocoo()
    return "coo", np.stack(x.coords if hasattr(x, "coords") else (x.row, x.col)), x.data, x.shape
