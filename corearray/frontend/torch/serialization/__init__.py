"""torch.serialization on every backend: files of tensors in torch's own format."""

from __future__ import annotations

from corearray.frontend.torch.serialization.pickled import (
    add_safe_globals,
    clear_safe_globals,
    get_safe_globals,
    safe_globals,
)
from corearray.frontend.torch.serialization.reading import load
from corearray.frontend.torch.serialization.writing import save

__all__ = ["add_safe_globals", "clear_safe_globals", "get_safe_globals", "load", "safe_globals", "save"]
