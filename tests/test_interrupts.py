"""Exceptions of signal handlers at any point of a change of settings: the state is as before the change, or as after it.

`COREARRAY_TEST_INTERRUPTS` sets the number of exceptions; the default is a sample for CI.
"""

from __future__ import annotations

import os
import random
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

import corearray as ca
from corearray.calls.accelerated import accelerator
from corearray.settings import context

INTERRUPTS = int(os.environ.get("COREARRAY_TEST_INTERRUPTS", "2000"))

pytestmark = [
    pytest.mark.filterwarnings(
        "ignore::pytest.PytestUnraisableExceptionWarning"
    ),  # the timer may hit a callback of Python's
    pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timers that raise signals"),
    pytest.mark.skipif(accelerator is None, reason="in Python a signal may arrive before the first line of `__exit__`"),
]


class TimerError(Exception):
    """What the handler raises."""


class Timer:
    """Raises an exception at a random time of a call."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.armed = False
        self.count = 0

    def handle(self, *_: object) -> None:
        if self.armed:
            self.armed = False
            raise self.random.choice((KeyboardInterrupt, TimerError))

    def interrupts(self, call: Callable[[], object], seconds: float) -> bool:
        """Make a call and return whether the timer interrupted it."""
        self.armed = True
        try:
            signal.setitimer(signal.ITIMER_REAL, self.random.uniform(1e-6, seconds))
            call()
        except (KeyboardInterrupt, TimerError):
            self.count += 1
            return True
        finally:
            self.armed = False
            signal.setitimer(signal.ITIMER_REAL, 0)
        return False


@contextmanager
def timer(seed: int) -> Iterator[Timer]:
    made = Timer(seed)
    former = signal.signal(signal.SIGALRM, made.handle)
    try:
        yield made
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)


@pytest.fixture
def backends(toy):
    ca.get_backend(context.DEFAULT_BACKEND)  # which calls without arrays load
    for name in ("alpha", "beta"):
        toy(name)
    return {name: ca.get_backend(name) for name in ("alpha", "beta")}


def _stack() -> tuple[str, ...]:
    return tuple(backend.name for backend, _ in context.current_settings().stack)


def _default() -> tuple[str, ...]:
    return tuple(backend.name for backend, _ in context._process["default"].stack)


def _is_whole(backends, arrays) -> bool:
    """Whether calls read what the settings say."""
    record = context.current_settings()
    calls = None if record.backend is None else record.backend.calls
    ok = record.backend is (record.stack[-1][0] if record.stack else None) and record.calls is calls
    ok = ok and record.fast_calls is (None if record.slow else record.calls or record.implicit_calls)
    if record.backend is None or record.slow:
        return ok
    other = next(name for name in backends if name != record.backend.name)
    with pytest.raises(ca.BackendMismatchError):
        ca.add(arrays[other], arrays[other])
    return ok and ca.add(arrays[record.backend.name], 1.0).backend is record.backend


def test_of_settings_and_contexts(backends):
    arrays = {name: backend.asarray([1.0, 2.0]) for name, backend in backends.items()}
    with timer(seed=1) as alarm:
        for _ in range(100 * INTERRUPTS):
            if alarm.count >= INTERRUPTS:
                break
            ca.unset_backend()
            ca.unset_nan_policy()
            base = tuple(alarm.random.choice(list(backends)) for _ in range(alarm.random.randrange(3)))
            for name in base:
                ca.set_backend(name, local=alarm.random.random() < 0.5)
            default = _default()
            name, local = alarm.random.choice(list(backends)), alarm.random.random() < 0.5
            kind = alarm.random.randrange(5)
            if kind == 0:
                alarm.interrupts(lambda: ca.set_backend(name, local=local), 1e-4)  # noqa: B023
                assert _stack() in (base, (*base, name))
                assert (_default() == (*default, name)) == (_stack() != base and not local)
            elif kind == 1:
                alarm.interrupts(ca.previous_backend, 1e-4)
                assert _stack() in (base, base[:-1])
            elif kind == 2:
                alarm.interrupts(lambda: _in_a_block(name, arrays[name]), 2e-4)  # noqa: B023
                assert (_stack(), _default()) == (base, default), "the block is left, whatever happened"
            elif kind == 3:
                alarm.interrupts(_in_slow_mode, 2e-4)
                assert _stack() == base and ca.nan_policy() == "nothing"
            else:
                alarm.interrupts(ca.unset_backend, 1e-4)
                assert (_stack(), _default()) in ((base, default), ((), ()))
            assert _is_whole(backends, arrays)
    assert alarm.count == INTERRUPTS


def _in_a_block(name: str, x: ca.Array) -> None:
    with ca.backend_context(name):
        ca.add(x, x)
        with ca.backend_context("alpha"):
            ca.zeros(2)


def _in_slow_mode() -> None:
    with ca.settings(nan_policy="raise"):
        ca.zeros(2)


def _outcome(call: Callable[[], ca.Array]) -> object:
    try:
        return call().tolist()
    except ca.CoreArrayError as error:
        return type(error)


def test_of_first_uses(toy):
    """A function whose composition was interrupted is composed by the next call."""
    names = ("add", "exp", "square", "sum", "mean", "negative", "expm1", "multiply", "reciprocal", "flip")
    with timer(seed=2) as alarm:
        for number in range(20):
            toy(f"alpha{number}")
            toy(f"beta{number}")
            backend, untouched = ca.get_backend(f"alpha{number}"), ca.get_backend(f"beta{number}")
            x, y = backend.asarray([1.0, 2.0]), untouched.asarray([1.0, 2.0])
            for name in names:
                args = (x, x) if name in ("add", "multiply") else (x,)
                space = alarm.random.choice((backend, ca))

                def call(name=name, space=space, args=args):
                    return getattr(space, name)(*args)

                while alarm.interrupts(lambda: _outcome(call), 3e-3):
                    pass
                assert _outcome(call) == _outcome(lambda: getattr(untouched, name)(*[y] * len(args)))  # noqa: B023


def test_a_thread_has_what_its_starter_has_and_keeps_to_itself(backends):
    seen: dict[str, object] = {}

    def started(name: str, then: Callable[[], object] = lambda: None) -> None:
        thread = threading.Thread(target=lambda: (seen.__setitem__(name, _stack()), then()))
        thread.start()
        thread.join()

    started("nothing is set")
    ca.set_backend("alpha", local=True)
    started("local", lambda: (ca.set_backend("beta"), started("of a thread")))
    started("of the starter")
    assert seen == {
        "nothing is set": (),
        "local": ("alpha",),
        "of a thread": ("alpha", "beta"),
        "of the starter": ("alpha",),
    }
    assert _stack() == ("alpha",) and _default() == ()
