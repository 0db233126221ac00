"""PyTorch's data loaders: `default_collate` stacks arrays of any backend, so that batches stay with it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import corearray as ca

__all__ = ["collate", "register"]


def register() -> None:
    """Add `Array` to the table of functions that `default_collate` reads."""
    import_module("torch.utils.data._utils.collate").default_collate_fn_map[ca.Array] = collate


def collate(batch: Any, *, collate_fn_map: Any = None) -> Any:
    """Stack the arrays of a batch, in the signature of `default_collate_fn_map`."""
    return ca.stack(list(batch))
