"""Tapes in force, and the record of calls on them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakValueDictionary

from corearray.frontend.modes import Mode

__all__ = ["Tape", "active", "alive", "reads", "stopped", "tracking"]

_active: Mode[tuple[Tape, ...]] = Mode("corearray.frontend.tensorflow.tapes", default=(), followed=())
#: The variables that a program reads, by their identities, while it is noted for `tf.function`.
reads: Mode[dict[int, Any] | None] = Mode("corearray.frontend.tensorflow.reads", default=None, followed={})
_alive: WeakValueDictionary[int, Tape] = WeakValueDictionary()


class Tape:
    """A record of calls; the base of `GradientTape`.

    Attributes
    ----------
    number
        Tells tapes apart.
    watched
        The leaves by which there may be gradients, by their identities.
    """

    _count = 0

    def __init__(self, watch_accessed_variables: bool) -> None:
        self.number = 0
        self.watched: dict[int, Any] = {}
        self._accessed = watch_accessed_variables
        self.renew()

    def renew(self) -> None:
        """Take another number, so that earlier calls no longer belong to the tape."""
        Tape._count += 1
        self.number = Tape._count
        _alive[self.number] = self

    def begin(self) -> None:
        """Record the calls that follow."""
        _active.set((*_active.get(), self))

    def end(self) -> None:
        """Record no more calls."""
        _active.set(tuple(tape for tape in _active.get() if tape is not self))

    @property
    def is_active(self) -> bool:
        """True while calls are recorded."""
        return self in _active.get()

    def tracks(self, x: Any) -> bool:
        """Return true if gradients may flow to an argument: a leaf that is watched, or the result of a recorded call."""
        if self._accessed and x._variable is not None and x._variable.trainable:
            self.watched[id(x._variable)] = x._variable
        if (id(x) if x._variable is None else id(x._variable)) in self.watched:
            return True
        return x._node is not None and self.number in x._node.tapes


def active() -> tuple[Tape, ...]:
    """Return the tapes in force."""
    return _active.get()


def alive(tapes: frozenset[int]) -> bool:
    """Return true if one of the tapes still exists, so that its gradients may be needed."""
    return any(number in _alive for number in tapes)


def tracking(xs: list[Any]) -> tuple[list[Any], frozenset[int]]:
    """Return the arguments that tapes in force track, and the numbers of these tapes."""
    inputs, tapes = [], set()
    for x in xs:
        found = [tape.number for tape in _active.get() if tape.tracks(x)]
        if found:
            inputs.append(x)
            tapes.update(found)
    return inputs, frozenset(tapes)


@contextmanager
def stopped() -> Iterator[None]:
    """Record no calls within a block."""
    token = _active.set(())
    try:
        yield
    finally:
        _active.reset(token)
