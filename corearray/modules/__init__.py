"""Parts of networks that hold their parameters: `Module`, of which others are made, and `Linear`."""

from corearray.modules.linear import Linear
from corearray.modules.module import Module

__all__ = ["Linear", "Module"]
