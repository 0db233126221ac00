"""Modules made without initial values, which torch skips to save time."""

from __future__ import annotations

from typing import Any

from corearray.errors import CoreArrayRuntimeError
from corearray.frontend.torch.nn.module import Module

__all__ = ["skip_init"]


def skip_init(module_cls: type[Module], *args: Any, **kwargs: Any) -> Module:
    """Make a module whose parameters are to be set; here they have their initial values.

    Raises
    ------
    RuntimeError
        If the class is no module.
    """
    if not (isinstance(module_cls, type) and issubclass(module_cls, Module)):
        raise CoreArrayRuntimeError(f"Expected a Module; got {module_cls}")
    return module_cls(*args, **kwargs)
