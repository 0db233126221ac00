"""Random number generators, with the same numbers on every backend or the framework's own."""

from typing import TYPE_CHECKING

from corearray.random.context import default_generator, seed
from corearray.random.functions import default_rng, integers, normal, permutation, shuffle, uniform
from corearray.random.generator import Generator

__all__ = [
    "Generator", "default_generator", "default_rng", "integers", "normal", "permutation", "seed", "shuffle", "uniform",
]  # fmt: skip

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Say what draws numbers here: methods of generators (PEP 562)."""
        from corearray.backends.hinting import hint_of_random

        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{hint_of_random(name)}")
