"""Modules that hold parameters: `Module`, the base class, and `Linear`."""

from corearray.modules.linear import Linear
from corearray.modules.module import Module

__all__ = ["Linear", "Module"]
