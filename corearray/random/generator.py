"""The random number generator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corearray.random.continuous import Continuous
from corearray.random.discrete import Discrete
from corearray.random.loops import made_in_step

__all__ = ["Child", "Generator"]


class Generator(Continuous, Discrete):
    """A random number generator; by default its numbers are the same on every backend.

    Each call advances the generator, and calls from several threads get different numbers. Generators with the same
    seed give the same numbers, and so do copies and pickles. `uniform`, `normal`, `exponential`, the integer
    distributions and permutations agree on every backend with float64 to the last bit; the other distributions agree up
    to the rounding of `log` and `exp`. Arrays are created on the current backend and its default device.

    A function compiled by `corearray.compile` draws different numbers in each call: the call spawns a child of the
    generator, which draws the portable numbers even if the generator is `native`. A generator that is created within
    the function restarts in each call. Functions that a framework traces directly, as by `jax.jit`, draw once, and the numbers
    are constants from then on: draw them outside and pass them in. Each step of a loop draws other numbers; those of a
    compiled `while_loop` are not those of an uncompiled one. A generator that is spawned outside of a traced loop draws the
    same in each step. torch's compiler breaks the graph at `gamma`, `beta`, `dirichlet` and `poisson`, whose draws are
    repeated until all are accepted.

    Parameters
    ----------
    seed
        An integer from 0 up, or `None` for one that the operating system draws.
    native
        Whether the framework's own generator makes the words, which is many times faster. The numbers are then the same for
        one seed on one backend, of one version of its framework on one kind of device; those of two backends differ. A
        backend that has no such generator makes those of all backends.

    Examples
    --------
    >>> import corearray as ca
    >>> rng = ca.random.Generator(7)
    >>> rng.integers(0, 10, shape=5).tolist() == ca.random.Generator(7).integers(0, 10, shape=5).tolist()
    True
    >>> rng.normal(shape=(2, 3)).shape
    Shape((2, 3))
    """

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            """Say what a method of other libraries is here."""
            from corearray.backends.hints import OF_RANDOM

            method = OF_RANDOM.get(name, "")
            said = f"; it is '{method}' here" if hasattr(Generator, method) else ""
            raise AttributeError(f"'Generator' object has no attribute {name!r}{said}")


class Child(Generator):
    """A substitute for a generator in a compiled program, whose key is an array."""

    def __init__(self, seed: int = 0, *, native: bool = False) -> None:
        self._key = (0, 0)
        self._count = 0
        self._native = False
        self._within = True
        made_in_step(self)

    def _taken(self, count: int) -> int:
        start = self._count
        self._count = start + count
        return start
