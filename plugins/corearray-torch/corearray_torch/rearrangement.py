"""Axes exchanged."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import with_axes


@hookimpl
def swapaxes(x: Any, axis1: int, axis2: int, /) -> Any:
    return torch.swapaxes(with_axes(x), axis1, axis2)
