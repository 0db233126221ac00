"""Traced loops around a draw: which generators advance from one of their steps to the next."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corearray.random.programs import LoopDraws
    from corearray.random.source import Source

__all__ = ["MetInLoop", "carried", "made_in_step", "within_loops"]

#: The traced loops whose steps are traced at present, the outermost first.
within_loops: ContextVar[tuple[LoopDraws, ...]] = ContextVar("corearray.loops", default=())


class MetInLoop(BaseException):
    """Signal that a step of a traced loop draws from a generator of the program whose position the loop does not carry."""

    def __init__(self, loop: LoopDraws, source: Source) -> None:
        super().__init__("a step of a traced loop draws of a generator from outside of it")
        self.loop = loop
        self.source = source


def made_in_step(source: Source) -> None:
    """Note a new generator, which the step of a traced loop that makes it need not carry."""
    loops = within_loops.get()
    if loops:
        loops[-1].made.add(source)


def carried(source: Source) -> Source:
    """Return a generator of a program if each traced loop around carries it, or interrupt the first one that does not."""
    loops = within_loops.get()
    for place, loop in enumerate(loops):
        if any(source in inner.made for inner in loops[place:]):
            continue
        if not loop.carries(source):
            raise MetInLoop(loop, source)
    return source
