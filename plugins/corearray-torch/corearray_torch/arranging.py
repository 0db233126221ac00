"""Axes exchanged."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl


@hookimpl(native=torch.swapaxes)
def swapaxes(x: Any, axis1: int, axis2: int, /) -> Any: ...
