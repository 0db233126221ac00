"""Sparse tensors, whose class is that of the dense ones."""

from __future__ import annotations

import warnings
from typing import Any

import torch

from corearray.plugin import hookimpl


@hookimpl
def sparse_array(indices: Any, values: Any, shape: Any, format: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch warns that the format is new, and of checks that corearray makes
        if format == "csr":
            return torch.sparse_csr_tensor(*(part.long() for part in indices), values, shape)
        return torch.sparse_coo_tensor(indices.long(), values, shape)


@hookimpl
def sparse_parts(x: Any) -> Any:
    if not isinstance(x, torch.Tensor) or x.layout not in (torch.sparse_coo, torch.sparse_csr):
        return None
    if x.layout is torch.sparse_csr:
        return ("csr", (x.crow_indices(), x.col_indices()), x.values(), x.shape) if x.values().ndim == 1 else None
    return ("coo", x._indices(), x._values(), x.shape) if x.dense_dim() == 0 else None
