"""Special functions."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl


@hookimpl(native=torch.erf, tries=True)
def erf(x: Any, /) -> Any: ...


@hookimpl(native=torch.erfc, tries=True)
def erfc(x: Any, /) -> Any: ...
