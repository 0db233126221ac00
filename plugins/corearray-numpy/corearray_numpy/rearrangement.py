"""Axes exchanged."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl


@hookimpl(native=np.swapaxes)
def swapaxes(x: Any, axis1: int, axis2: int, /) -> Any: ...
