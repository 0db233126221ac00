"""The settings of the current context: which backend is in force, and every default and mode.

All of it is one immutable record in one `ContextVar`, so that threads and asyncio tasks cannot disturb each other and a
change is undone by putting the former record back. A new thread has an empty context: it starts from the record of the
thread that started it (`threading.Thread.start` leaves a note, once any setting was changed), else from the default of
the process, which `set_backend` moves.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.forks import free_at_fork
from corearray.log import told
from corearray.settings.agreement import agreement
from corearray.types import dtypes
from corearray.types.dtypes import DType

if TYPE_CHECKING:
    from corearray.backends.backend import Backend
    from corearray.backends.namespace import Calls
    from corearray.types.devices import Device

__all__ = [
    "DEFAULT_BACKEND",
    "NUMBERS",
    "SCALARS",
    "Settings",
    "change",
    "current_settings",
    "default_dtype",
    "leaving",
    "likely",
    "on_arrays",
    "pop_backend",
    "push_backend",
    "pushed",
    "restore",
    "set_default_dtype",
    "settings",
    "special",
    "unset_backends",
    "unset_default_dtype",
]

_F = TypeVar("_F", bound=Callable[..., Any])

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"

#: The backend of a program that chose none and passed no array yet.
DEFAULT_BACKEND = "numpy"

#: Types of Python scalars, which are weak in promotion.
SCALARS = frozenset({bool, int, float, complex})

#: The same types for `isinstance`: other libraries and `enum` derive numbers of their own from them.
NUMBERS = (bool, int, float, complex)

_PYTHON_KINDS: dict[object, str] = {bool: "bool", int: "integral", float: "real floating", complex: "complex floating"}


#: The default dtypes that a program starts with.
_DTYPES: dict[str, DType] = {
    "bool": dtypes.bool,
    "integral": dtypes.int64,
    "real floating": dtypes.float32,
    "complex floating": dtypes.complex64,
    "unsigned": dtypes.uint64,
}


class Settings:
    """One immutable record of settings; `replaced` makes the next one.

    Attributes
    ----------
    backend
        The backend in force, or `None`.
    implicit
        The backend that arrays of the last calls had, or `None` before the first call.
    stack
        What `set_backend` and `backend_context` pushed: pairs of a backend and whether new threads see it.
    dtypes
        The default dtypes by kind: `"bool"`, `"integral"`, `"real floating"`, `"complex floating"`.
    device
        The default device, or `None` for the backend's own.
    soft_device
        Whether arrays on different devices are brought together.
    native_arrays
        Whether functions return native arrays.
    nestable
        Whether functions map over the leaves of Containers.
    nan_policy
        What is done about NaN in results: `"nothing"`, `"warns"` or `"raise"`.
    shape_arrays
        Whether `shape` returns an array.
    trace
        Whether tracebacks of errors are `"short"` or `"full"`.
    min_denominator, min_base
        What `stable_divide` and `stable_pow` add.
    precision
        Digits after the point in texts of arrays, or `None` for the framework's own.
    inplace
        `"lenient"` if an array that cannot be written in place gets another native one, `"strict"` if that is refused.
    """

    __slots__ = (
        "backend", "calls", "device", "dtypes", "implicit", "implicit_calls", "inplace", "min_base", "min_denominator",
        "nan_policy", "native_arrays", "nestable", "precision", "shape_arrays", "soft_device", "stack", "trace",
    )  # fmt: skip

    backend: Backend | None
    implicit: Backend | None
    stack: tuple[tuple[Backend, bool], ...]
    dtypes: dict[str, DType]
    device: Device | None
    soft_device: bool
    native_arrays: bool
    nestable: bool
    nan_policy: str
    shape_arrays: bool
    trace: str
    min_denominator: float
    min_base: float
    precision: int | None
    inplace: str

    #: The functions of the two backends, where the dispatchers read them.
    calls: Calls | None
    implicit_calls: Calls | None

    def __init__(self) -> None:
        self.backend = self.calls = None
        self.implicit = self.implicit_calls = None
        self.stack = ()
        self.dtypes = _DTYPES
        self.device = None
        self.soft_device = False
        self.native_arrays = False
        self.nestable = True
        self.nan_policy = "nothing"
        self.shape_arrays = False
        self.trace = "short"
        self.min_denominator = 1e-12
        self.min_base = 1e-5
        self.precision = None
        self.inplace = "lenient"

    def replaced(self, **changes: Any) -> Settings:
        """Return a copy with some fields changed; `backend` follows `stack`."""
        new = Settings.__new__(Settings)
        for field in Settings.__slots__:
            setattr(new, field, getattr(self, field))
        for field, value in changes.items():
            setattr(new, field, value)
        if "stack" in changes:
            new.backend = new.stack[-1][0] if new.stack else None
        new.calls = None if new.backend is None else new.backend.calls
        new.implicit_calls = None if new.implicit is None else new.implicit.calls
        return new

    def for_new_thread(self) -> Settings:
        """Return what a thread that is started here begins with: this record, and the process's backends where it has none."""
        if self.stack or not _is_main():
            return self
        return self.replaced(stack=_process.stack)

    def default_dtype_of(self, python_type: type) -> DType:
        """The dtype of Python numbers of this type."""
        return self.dtypes[_PYTHON_KINDS[python_type]]


#: What the variable holds in a context that never touched it. The dispatchers see no backend in it and ask `resolve`.
_UNSET = Settings()
_process = Settings()
_variable: ContextVar[Settings] = ContextVar("corearray", default=_UNSET)
_likely: ContextVar[Calls | None] = ContextVar("corearray.likely", default=None)
_lock = free_at_fork(threading.Lock())
_environment_pending = True

#: Whether any context ever switched a mode that the flat paths do not know; then all of them leave every call to the
#: chain. It is read and written under `leaving`, and so are the short ways themselves: no thread finds one open that
#: another has just composed, once the mode is in force.
special = {"used": False}
leaving = free_at_fork(threading.Lock())

#: The record of the current context as the dispatchers read it: possibly the empty one of a new thread.
settings: Callable[[], Settings] = _variable.get

#: The functions of the backend in force, else of the implicit one: a call on arrays of this backend is computed there and
#: changes no setting. In a variable of its own, because every call reads it.
likely: Callable[[], Calls | None] = _likely.get


def _enter(record: Settings) -> None:
    calls = record.calls or record.implicit_calls
    agreement.enter(calls)
    _variable.set(record)
    _likely.set(calls)


def _begin(stack: tuple[tuple[Backend, bool], ...]) -> None:
    """Let contexts that never touched a setting begin with a stack of backends."""
    global _process
    record = _process.replaced(stack=stack)
    agreement.begin(record.calls)
    _process = record


def current_settings() -> Settings:
    """Return the record of the current context, entering it first in a new thread."""
    record = _variable.get()
    if record is _UNSET:
        record = _inherited()
        _enter(record)
    return record


def _former() -> Settings:
    """Return the record that another one is to replace; one that was not entered yet never will be."""
    record = _variable.get()
    return _inherited() if record is _UNSET else record


def change(**changes: Any) -> Settings:
    """Replace fields of the current record and return the former record."""
    former = _former()
    _note_new_threads()
    _enter(former.replaced(**changes))
    return former


def restore(former: Settings, *fields: str) -> None:
    """Put fields of a former record back, leaving what else was changed meanwhile."""
    _enter(current_settings().replaced(**{field: getattr(former, field) for field in fields}))


def on_arrays(function: _F) -> _F:
    """Let functions return an `Array` while this one runs, also in native array mode."""

    @wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        if not current_settings().native_arrays:
            return function(*args, **kwargs)
        former = change(native_arrays=False)
        try:
            return function(*args, **kwargs)
        finally:
            restore(former, "native_arrays")

    return cast(_F, called)


def _inherited() -> Settings:
    note = getattr(threading.current_thread(), "_corearray_settings", None)
    if note is not None:
        return note  # type: ignore[no-any-return]
    _read_environment()
    return _process


def _read_environment() -> None:
    """Set the start value that `COREARRAY_BACKEND` names, once, when it is first needed."""
    global _environment_pending
    if not _environment_pending:
        return
    with _lock:
        if not _environment_pending:
            return
        name = os.environ.get("COREARRAY_BACKEND", "")
        stack = _process.stack
        if name:
            from corearray.manager import manager

            stack = ((manager.load(name), True), *stack)
        _begin(stack)
        _environment_pending = False


def _note_new_threads() -> None:
    """Make `Thread.start` leave the starter's record with the new thread."""
    start = threading.Thread.start
    if getattr(start, "_corearray", False):
        return

    def start_with_settings(self: threading.Thread) -> None:
        record = _variable.get()
        if record is not _UNSET:
            self._corearray_settings = record.for_new_thread()  # type: ignore[attr-defined]
        start(self)

    start_with_settings._corearray = True  # type: ignore[attr-defined]
    start_with_settings.__doc__ = start.__doc__
    threading.Thread.start = start_with_settings  # type: ignore[method-assign]


def push_backend(backend: Backend, *, local: bool) -> None:
    """Put a loaded backend in force in this context and, in the main thread and unless `local`, for new threads.

    Another thread's switch is its own and that of the threads it starts.
    """
    shared = not local and _is_main()
    change(stack=(*_former().stack, (backend, shared)))
    told(
        "backend '%s' is in force, set by set_backend; the stack is %s", backend.name, _names(current_settings().stack)
    )
    if shared:
        with _lock:
            _begin((*_process.stack, (backend, True)))


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()


def _names(stack: tuple[tuple[Backend, bool], ...]) -> list[str]:
    return [backend.name for backend, _ in stack]


def pop_backend() -> Backend | None:
    """Take the backend in force away and return it, or `None` if none was set."""
    stack = current_settings().stack
    if not stack:
        return None
    backend = stack[-1][0]
    change(stack=stack[:-1])
    _leave(stack[-1:])
    told("backend '%s' is taken from the stack by previous_backend; the stack is %s", backend.name, _names(stack[:-1]))
    return backend


def _leave(entries: tuple[tuple[Backend, bool], ...]) -> None:
    """Let new threads of the process begin without what the main thread put in force last."""
    if not _is_main():
        return
    with _lock:
        for backend, shared in reversed(entries):
            if shared and _process.stack and _process.stack[-1][0] is backend:
                _begin(_process.stack[:-1])


def unset_backends() -> None:
    """Clear the stack of this context and, in the main thread, the default of new threads."""
    change(stack=())
    told("no backend is in force: unset_backend cleared the stack")
    if _is_main():
        with _lock:
            _begin(())


@contextmanager
def pushed(backend: Backend) -> Iterator[Backend]:
    """Put a loaded backend in force within a block, threads started there included, and disturb nobody else.

    What is set in the block ends with it, for new threads of the process too.
    """
    inside = (*_former().stack, (backend, True))
    former = change(stack=inside)
    told("backend '%s' is in force in a block", backend.name)
    try:
        yield backend
    finally:
        stack = current_settings().stack
        restore(former, "stack")
        if stack[: len(inside)] == inside:
            _leave(stack[len(inside) :])


def default_dtype(kind: str = "real floating") -> DType:
    """Return the default dtype of a kind in the current context.

    Parameters
    ----------
    kind
        `"real floating"`, `"complex floating"`, `"integral"` or `"bool"`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.default_dtype(), ca.default_dtype("integral")
    (corearray.float32, corearray.int64)
    """
    try:
        return current_settings().dtypes[kind]
    except KeyError:
        raise CoreArrayValueError(
            f"'{kind}' is no kind with a default dtype; use 'real floating', 'complex floating', 'integral' or 'bool'"
        ) from None


def set_default_dtype(dtype: object) -> None:
    """Make a dtype the default of its kind in the current context.

    A real floating dtype also moves the complex default to the same precision, an integer one the unsigned default.

    Parameters
    ----------
    dtype
        A floating, complex or signed integer dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_default_dtype(ca.float64)
    >>> ca.zeros(1).dtype
    corearray.float64
    >>> ca.unset_default_dtype()
    """
    wanted = dtypes.as_dtype(dtype)
    table = dict(current_settings().dtypes)
    if wanted.kind == "real floating":
        table["real floating"] = wanted
        table["complex floating"] = dtypes.complex128 if wanted.bits == 64 else dtypes.complex64
    elif wanted.kind == "complex floating":
        table["complex floating"] = wanted
    elif wanted.kind == "signed integer":
        table["integral"] = wanted
        table["unsigned"] = dtypes.DTYPES[f"uint{wanted.bits}"]
    else:
        raise CoreArrayTypeError(
            f"'{wanted}' cannot be a default dtype; give a floating, complex or signed integer dtype"
        )
    change(dtypes=table)


def unset_default_dtype() -> None:
    """Return to the default dtypes that a program starts with: float32, int64, complex64.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_default_dtype(ca.float64)
    >>> ca.unset_default_dtype()
    >>> ca.default_dtype()
    corearray.float32
    """
    change(dtypes=_DTYPES)
