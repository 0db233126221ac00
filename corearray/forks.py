"""Locks that a fork finds free, so that no child waits for a thread that it does not have."""

from __future__ import annotations

import os
import time
from typing import Any, TypeVar
from weakref import ref

__all__ = ["first_at_fork", "free_at_fork", "give_way"]

#: For how many seconds a fork waits for locks, such as that of a framework's import in another thread. A thread that forks
#: while it holds one itself, or is waited for by the one that does, would wait for ever.
_PATIENCE = 30.0

#: Not a WeakSet: one thread may read them while another makes one, which the copy of a plain set bears.
_locks: set[ref[Any]] = set()
_held: list[Any] = []
_waiting: list[int] = []

_L = TypeVar("_L", bound=Any)


def free_at_fork(lock: _L) -> _L:
    """Return a lock that is free in the child of a fork, where what it guards is whole.

    A fork waits until no other thread holds such a lock.

    Parameters
    ----------
    lock
        A `threading.Lock` or `threading.RLock`.

    Examples
    --------
    >>> from threading import Lock
    >>> with free_at_fork(Lock()) as held:
    ...     held
    True
    """
    _locks.add(ref(lock, _locks.discard))
    return lock


def _living() -> list[Any]:
    return [lock for each in _locks.copy() if (lock := each()) is not None]


def _take_all() -> None:
    """Take all locks, waiting for one at a time and holding no other meanwhile: threads take them in several orders."""
    if _held:
        return
    given_up = time.monotonic() + _PATIENCE
    _waiting.append(1)
    try:
        _take_until(given_up)
    finally:
        _waiting.pop()


def _take_until(given_up: float) -> None:
    awaited: list[Any] = []
    while (left := given_up - time.monotonic()) > 0:
        taken: list[Any] = []
        for lock in (*awaited, *(lock for lock in _living() if lock not in awaited)):
            if not (lock.acquire(timeout=left) if lock in awaited else lock.acquire(blocking=False)):
                break
            taken.append(lock)
        else:
            _held[:] = taken
            return
        for lock in reversed(taken):
            lock.release()
        awaited = [lock]


def give_way() -> None:
    """Let a fork that waits in another thread go first, before a thread takes a lock once more."""
    patience = 100
    while _waiting and patience:
        time.sleep(0.001)
        patience -= 1


def _give_back() -> None:
    while _held:
        _held.pop().release()


def _make_new() -> None:
    _held.clear()
    _waiting.clear()
    for lock in _living():
        lock._at_fork_reinit()


def first_at_fork() -> None:
    """Let a fork take these locks before those of libraries that were imported up to now.

    A fork takes the locks that were registered last first, and a thread takes those of libraries that it calls last.
    """
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=_take_all, after_in_parent=_give_back, after_in_child=_make_new)


first_at_fork()
