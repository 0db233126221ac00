"""The default generator: one for each context, so that threads share none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corearray.random import Generator

__all__ = ["default_generator", "drawing_from", "seed"]

_variable: ContextVar[Generator | None] = ContextVar("corearray.default_generator", default=None)


def default_generator() -> Generator:
    """Return the generator of the current context, which functions use if you pass none.

    Each thread has its own, with a seed from the operating system. An asyncio task shares the generator of the context
    in which it was created, if there was one. Pass a `Generator` of your own for reproducible numbers.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.random.default_generator() is ca.random.default_generator()
    True
    """
    found = _variable.get()
    if found is None:
        from corearray.random import Generator

        found = Generator()
        _make_default(found)
    return found


def seed(seed: int | None = None, /, *, native: bool = False) -> Generator:
    """Reset the generator of the current context.

    Parameters
    ----------
    seed, native
        As in `Generator`.

    Returns
    -------
    The new generator, which `default_generator` returns from now on, in this context.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.random.seed(7) is ca.random.default_generator()
    True
    """
    from corearray.random import Generator

    generator = Generator(seed, native=native)
    _make_default(generator)
    return generator


def _make_default(generator: Generator) -> None:
    generator._within = False  # it outlives the program that is compiled, if there is one
    _variable.set(generator)


@contextmanager
def drawing_from(generator: Generator) -> Iterator[None]:
    """Let functions that are given no generator draw from this one, in this context."""
    token = _variable.set(generator)
    try:
        yield
    finally:
        _variable.reset(token)
