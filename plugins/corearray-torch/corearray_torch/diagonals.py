"""Matrices with a diagonal, and the diagonals of matrices, which are views."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl


@hookimpl
def diag(x: Any, /, *, k: int = 0) -> Any:
    if x.ndim == 2:
        return x.diagonal(k)
    if x.ndim != 1:
        raise ValueError(f"an array of shape {tuple(x.shape)} is no diagonal and no matrix")
    return torch.diag_embed(x, k)
