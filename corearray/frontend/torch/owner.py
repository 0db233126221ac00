"""The frontend that a tensor belongs to, for code that calls torch's functions without being given one."""

from __future__ import annotations

from typing import Any

from corearray.frontend.frontend import get_frontend
from corearray.frontend.torch.wrapper import Tensor

__all__ = ["torch_of"]


def torch_of(*values: Any) -> Any:
    """Return the frontend of the first tensor, or that of the installed version."""
    return next((x._frontend for x in values if isinstance(x, Tensor)), None) or get_frontend("torch")
