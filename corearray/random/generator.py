"""Random numbers from generators that are objects."""

from __future__ import annotations

from corearray.random.continuous import Continuous
from corearray.random.discrete import Discrete

__all__ = ["Child", "Generator"]


class Generator(Continuous, Discrete):
    """A source of random numbers, by default ones that are the same on every backend.

    Calls advance it; calls from several threads get different numbers. Two generators of one seed give the same numbers,
    and so does a copy, or one that was pickled. `uniform`, `normal`, `exponential` and whatever draws integers or
    permutes give the same numbers on every backend with float64, to the last bit; the other distributions agree up to the
    rounding of `log` and `exp`. Arrays are made on the backend in force and on the default device.

    A function made by `corearray.compile` draws other numbers in each call: those of a child of the generator, which the
    call spawns, with the words of all backends even if the generator is `native`. A generator that is made within it begins
    anew in each call. What a framework is given directly, as by `jax.jit`, and the body of a loop that it traces once, draw
    when they are traced, and the numbers are constants from then on: draw them outside and pass them in. `gamma`, `beta`,
    `dirichlet` and `poisson` cannot be drawn in a program that is compiled.

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


class Child(Generator):
    """What stands in for a generator in a program that is compiled: its key, set when it is made, is an array."""

    def __init__(self, seed: int = 0, *, native: bool = False) -> None:
        self._key = (0, 0)
        self._count = 0
        self._native = False
        self._within = True

    def _taken(self, count: int) -> int:
        start = self._count
        self._count = start + count
        return start
