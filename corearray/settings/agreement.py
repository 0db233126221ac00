"""Whether all contexts agree on one backend, so that a call need not ask its own.

Most programs choose a backend once, or none. Then every context leads to the same backend, and the public functions are
written for it alone (`corearray.calls.dispatch`): on its arrays they compute without a look at the context. With the first
record of settings that leads elsewhere this is over, and they are written anew, for good.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from corearray.forks import free_at_fork

if TYPE_CHECKING:
    from corearray.backends.namespace import Calls

__all__ = ["Agreement", "agreement"]


class Agreement:
    """What is known of the backends to which the contexts of a process lead.

    A context leads to the backend in force, else to that of its last arrays. One that leads to none yet begins with the
    default backend, so that it agrees with that.

    Attributes
    ----------
    lock
        Held while functions are written that rely on the agreement, and while it ends.
    on_end
        What is called when the agreement that somebody relies on ends.
    """

    def __init__(self) -> None:
        self.lock = free_at_fork(threading.RLock())
        self.on_end: list[Callable[[], None]] = []
        self._led_to: set[Calls | None] = set()
        self._new_contexts: Calls | None = None
        self._known = False
        self._over = False
        self._relied_on: Calls | None = None

    def found(self) -> Calls | None:
        """Return the functions of the backend to which every context leads, if there is one."""
        with self.lock:
            backends = [calls for calls in self._led_to if calls is not None]
            if len(backends) != 1 or not self._known:
                return None
            calls = backends[0]
            others = {*self._led_to, self._new_contexts} - {calls}
            return calls if not others or (others == {None} and calls.is_default) else None

    def rely_on(self, calls: Calls) -> bool:
        """Whether the contexts still agree on a backend; if so, `on_end` is called when they do no more. Holds `lock`."""
        if self.found() is not calls:
            return False
        self._relied_on = calls
        return True

    def enter(self, calls: Calls | None) -> None:
        """Take note, beforehand, that a context leads to a backend, or to none yet."""
        if self._over or calls in self._led_to:
            return
        with self.lock:
            self._led_to.add(calls)
            if len(self._led_to - {None}) > 1:
                self.end()
            self._look()

    def begin(self, calls: Calls | None) -> None:
        """Take note of the backend to which contexts lead that never touched a setting."""
        with self.lock:
            self._new_contexts = calls
            self._known = True
            self._look()

    def end(self) -> None:
        """Let every call ask its context from now on."""
        with self.lock:
            self._over = True
            self._led_to.clear()
            self._look()

    def _look(self) -> None:
        if self._relied_on is not None and self.found() is not self._relied_on:
            self._relied_on = None
            for undo in self.on_end:
                undo()


#: That of this process.
agreement = Agreement()
