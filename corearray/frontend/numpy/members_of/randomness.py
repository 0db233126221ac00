"""`numpy.random` over corearray's generator: NumPy's names and arguments, corearray's numbers, the same on every backend."""

from __future__ import annotations

from typing import Any

from corearray.frontend.numpy.generators import Generator, RandomState

__all__ = ["FUNCTIONS"]


def _shared(np: Any) -> Generator:
    """Return the generator of the functions of `numpy.random`."""
    known = np.__dict__
    if "_random_state" not in known:
        known["_random_state"] = np.random.RandomState(None)
    return known["_random_state"]


def _method(name: str) -> Any:
    def method(np: Any, *args: Any, **options: Any) -> Any:
        return getattr(_shared(np), name)(*args, **options)

    method.__doc__ = f"Return what `RandomState.{name}` of the shared generator returns."
    return method


def _default_rng(np: Any, seed: Any = None) -> Any:
    """Return a new generator, or the one that is given."""
    return seed if isinstance(seed, np.random.Generator) else np.random.Generator(seed)


FUNCTIONS = {f"random.{name}": _method(name) for name in dir(RandomState) if name[0] != "_" and name != "bit_generator"}
FUNCTIONS["random.default_rng"] = _default_rng
