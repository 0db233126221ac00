"""The layers, by category: what `corearray.nn` offers besides modules, containers and training."""

from corearray.nn.layers.linear import Bilinear, Identity, Linear

__all__ = ["Bilinear", "Identity", "Linear"]
