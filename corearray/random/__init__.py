"""Random numbers from generators that are objects: the same on every backend, or the framework's own."""

from corearray.random.context import default_generator, seed
from corearray.random.generator import Generator

__all__ = ["Generator", "default_generator", "seed"]
