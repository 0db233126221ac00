"""The settings of the current context: the backend in force, every default and every mode.

All of them are fields of one immutable `Settings` record in one `ContextVar`, so threads and asyncio tasks cannot disturb
each other, and one assignment undoes a change. Calls read the same record to find their backend.

A new thread has an empty context. It starts from the record of the thread that started it (`threading.Thread.start`
leaves a note, once any setting was changed), else from the default of the process, which `set_backend` in the main thread
moves.
"""

from __future__ import annotations

import gc
import operator
import os
import threading
from collections import deque
from collections.abc import Callable
from contextvars import ContextVar
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

from corearray.calls.accelerated import accelerator
from corearray.forks import free_at_fork
from corearray.logs import log_debug, on_change
from corearray.settings.record import Settings
from corearray.settings.scope import Scope

if TYPE_CHECKING:
    from corearray.backends.backend import Backend

__all__ = [
    "DEFAULT_BACKEND",
    "NUMBERS",
    "SCALARS",
    "change",
    "changed",
    "current_settings",
    "in_slow_mode",
    "on_arrays",
    "pop_backend",
    "push_backend",
    "pushed",
    "pushed_on_entry",
    "restore",
    "settings",
    "take_implicit",
    "unset_backends",
]

_F = TypeVar("_F", bound=Callable[..., Any])

#: The backend of a program that chose none and passed no array yet.
DEFAULT_BACKEND = "numpy"

#: Types of Python scalars, which are weak in promotion.
SCALARS = frozenset({bool, int, float, complex})

#: The same types for `isinstance`: other libraries and `enum` derive numbers of their own from them.
NUMBERS = (bool, int, float, complex)

#: The record of a context that never touched a setting. No backend is in force there, so calls ask `resolve`.
_UNSET = Settings()
_variable: ContextVar[Settings] = ContextVar("corearray", default=_UNSET)
#: What contexts start from that never touched a setting. In a dictionary, so that one call in C replaces it.
_process: dict[str, Settings] = {"default": Settings()}
_lock = free_at_fork(threading.RLock())
_environment_pending = True

#: The record of the current context as calls read it: possibly the empty one of a new thread.
settings: Callable[[], Settings] = _variable.get

if accelerator:
    accelerator.read_settings_from(_variable, Settings)


def _derive_all() -> None:
    """Let the records of all threads and tasks follow the level of the log. Only the garbage collector knows them all."""
    for record in gc.get_objects():
        if type(record) is Settings:
            record.derive()


on_change(_derive_all)


def in_slow_mode() -> bool:
    """Return whether a mode is in force that only the pipeline of stages knows."""
    return current_settings().slow


def _commit(record: Settings, *, default: Settings | None = None) -> None:
    """Put a record in force, and with it a default of the process.

    Both happen in one call in C, between whose steps Python handles no signal: an exception of a signal handler leaves
    both as they were, or both done.
    """
    if default is None:
        _variable.set(record)
    else:
        steps: list[Callable[[], object]] = [
            partial(_variable.set, record),
            partial(_process.__setitem__, "default", default),
        ]
        deque(map(cast("Callable[[object], object]", operator.call), steps), maxlen=0)


def current_settings() -> Settings:
    """Return the record of the current context, entering it first in a new thread."""
    record = _variable.get()
    if record is _UNSET:
        record = _inherited()
        _variable.set(record)
    return record


def change(**changes: Any) -> Settings:
    """Replace fields of the current record and return the former record."""
    former = current_settings()
    _note_new_threads()
    _commit(former.replaced(**changes))
    return former


def take_implicit(backend: Backend) -> None:
    """Let calls run on this backend from now on where none is set.

    The records are memoised, so that a program which uses two backends in turn pays for one assignment a switch.
    """
    former = current_settings()
    if former.implicit is backend:
        return
    record = former.by_class.get(backend.Array)
    if record is None:
        record = former.replaced(implicit=backend)
        if record.backend is None and record.fast_calls is not None:
            record.by_class = former.by_class
            record.by_class[backend.Array] = record
    _note_new_threads()
    _commit(record)
    log_debug("backend '%s' is taken from here on where none is set", backend.name)


def restore(former: Settings, *fields: str) -> None:
    """Put fields of a former record back, leaving what else was changed meanwhile."""
    _commit(current_settings().replaced(**{field: getattr(former, field) for field in fields}))


def changed(choose: Callable[[], dict[str, Any]]) -> Scope[None]:
    """Replace fields of the record within a block."""

    def make() -> tuple[None, Callable[[], Settings], Callable[[], None]]:
        changes, former = choose(), current_settings()
        return None, partial(change, **changes), partial(restore, former, *changes)

    return Scope(make)


def on_arrays(function: _F) -> _F:
    """Let functions return an `Array` while this one runs, also in native array mode."""

    @wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        if not current_settings().native_arrays:
            return function(*args, **kwargs)
        with changed(lambda: {"native_arrays": False}):
            return function(*args, **kwargs)

    return cast(_F, called)


def _inherited() -> Settings:
    note = getattr(threading.current_thread(), "_corearray_settings", None)
    if note is not None:
        return note  # type: ignore[no-any-return]
    _read_environment()
    return _process["default"]


def _read_environment() -> None:
    """Set the start value that `COREARRAY_BACKEND` names, once, when it is first needed."""
    global _environment_pending
    if not _environment_pending:
        return
    with _lock:
        if not _environment_pending:
            return
        name = os.environ.get("COREARRAY_BACKEND", "")
        if name:
            from corearray.manager import manager

            default = _process["default"]
            _process["default"] = default.replaced(stack=((manager.load(name), True), *default.stack))
        _environment_pending = False


def _note_new_threads() -> None:
    """Make `Thread.start` leave the starter's record with the new thread."""
    start = threading.Thread.start
    if getattr(start, "_corearray", False):
        return

    def start_with_settings(self: threading.Thread) -> None:
        record = _variable.get()
        if record is not _UNSET:
            self._corearray_settings = record  # type: ignore[attr-defined]
        start(self)

    start_with_settings._corearray = True  # type: ignore[attr-defined]
    start_with_settings.__doc__ = start.__doc__
    threading.Thread.start = start_with_settings  # type: ignore[method-assign]


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


def push_backend(backend: Backend, *, local: bool) -> None:
    """Put a loaded backend in force in this context.

    In the main thread contexts that never touched a setting start from it too, unless it is `local`. Threads that this
    one starts inherit it in any case.
    """
    former = current_settings()
    _note_new_threads()
    shared = not local and _in_main_thread()
    record = former.replaced(stack=(*former.stack, (backend, shared)))
    with _lock:
        default = _process["default"]
        _commit(record, default=default.replaced(stack=(*default.stack, (backend, True))) if shared else None)
    log_debug("backend '%s' is in force, set by set_backend; the stack is %s", backend.name, _names(record.stack))


def _names(stack: tuple[tuple[Backend, bool], ...]) -> list[str]:
    return [backend.name for backend, _ in stack]


def pop_backend() -> Backend | None:
    """Take the backend in force away and return it, or `None` if none was set."""
    former = current_settings()
    if not former.stack:
        log_debug("previous_backend found no backend that was set")
        return None
    record = former.replaced(stack=former.stack[:-1])
    with _lock:
        _commit(record, default=_default_without(former.stack[-1:]))
    backend = former.stack[-1][0]
    log_debug(
        "backend '%s' is taken from the stack by previous_backend; the stack is %s", backend.name, _names(record.stack)
    )
    return backend


def _default_without(entries: tuple[tuple[Backend, bool], ...]) -> Settings | None:
    """Return the default of the process without what the main thread put in force last, or `None` if it stays."""
    if not _in_main_thread():
        return None
    default = _process["default"]
    stack = default.stack
    for backend, shared in reversed(entries):
        if shared and stack and stack[-1][0] is backend:
            stack = stack[:-1]
    return None if stack is default.stack else default.replaced(stack=stack)


def unset_backends() -> None:
    """Clear the stack of this context and, in the main thread, the default of the process."""
    former = current_settings()
    _note_new_threads()
    with _lock:
        default = _process["default"].replaced(stack=()) if _in_main_thread() else None
        _commit(former.replaced(stack=()), default=default)
    log_debug("no backend is in force: unset_backend cleared the stack")


def pushed(backend: Backend) -> Scope[Backend]:
    """Put a backend in force within a block, see `pushed_on_entry`."""
    return pushed_on_entry(lambda: backend)


def pushed_on_entry(choose: Callable[[], Backend]) -> Scope[Backend]:
    """Put a backend that is chosen on entry in force within a block, and disturb nobody else.

    Threads started in the block inherit the backend. What is set in the block ends with it.
    """

    def make() -> tuple[Backend, Callable[[], None], Callable[[], None]]:
        backend = choose()
        former = current_settings()
        inside = (*former.stack, (backend, False))
        _note_new_threads()

        record_inside = former.replaced(stack=inside)

        def undo() -> None:
            record = current_settings()
            if record is record_inside:
                _commit(former)
                return
            further = record.stack[len(inside) :] if record.stack[: len(inside)] == inside else ()
            with _lock:
                _commit(record.replaced(stack=former.stack), default=_default_without(further))

        log_debug("backend '%s' is in force in a block", backend.name)
        return backend, partial(_commit, record_inside), undo

    return Scope(make)
