"""Recovery from a native call that failed on a fast path: its error explained, or the slow path.

A fast path tests its arguments first and enters the native function once. An exception of that function is final, unless
the pipeline of stages would call it with other arguments (promoted, or with options read), or it says by `FastPathMiss`
that the fast path does not apply. The pipeline runs once more up to the native call, to explain the error by its checks.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from corearray.arrays.array import Array
from corearray.calls.tracebacks import came_from_user, shorten
from corearray.contract.hookimpl import FastPathMiss

if TYPE_CHECKING:
    from corearray.backends.backend import Backend
    from corearray.calls.binding import Binding, Call

__all__ = ["Recovery", "is_foreign_error", "unless_final"]

#: Errors that frameworks raise for wrong arguments and that become members of the family; private classes beside them
#: steer the framework itself.
_STANDARD = (
    ArithmeticError, AssertionError, AttributeError, BufferError, LookupError, MemoryError, NameError, OSError, RuntimeError,
    TypeError, ValueError,
)  # fmt: skip


class _Failure(threading.local):
    """The failed native call that the slow path of this thread is explaining."""

    error: Exception | None = None
    args: tuple[Any, ...] = ()


_failure = _Failure()


def is_foreign_error(error: BaseException, backend: Backend) -> bool:
    """Whether an exception is not about the arguments of a native call, and passes unchanged.

    Those are exceptions of user code that the native function called, of Python's stack, and those by which a framework
    steers itself.
    """
    if isinstance(error, (RecursionError, Warning)):
        return True
    if not isinstance(error, _STANDARD) and type(error).__name__.startswith("_"):
        return True
    return came_from_user(error, backend.plugin_roots)


class Recovery:
    """A callable that the fast paths of one function on one backend call after a native error.

    Parameters
    ----------
    binding
        The function on the backend.
    pipeline
        The slow path.
    explaining
        The slow path that raises the error again where it would make the same native call.
    """

    def __init__(self, binding: Binding, pipeline: Callable[[], Call], explaining: Callable[[], Call]) -> None:
        self._binding = binding
        self._parameters = binding.declaration.parameters
        self._pipeline, self._explaining = pipeline, explaining

    def __call__(self, error: Exception, /, *args: Any, **options: Any) -> Any:
        """Take the arguments as the call was given them."""
        try:
            return self.after(error, self._bound(args, options))
        except Exception as raised:
            shorten(raised)
            raise

    def _bound(self, args: tuple[Any, ...], options: dict[str, Any]) -> list[Any]:
        given = list(args)
        return given + [options.get(p.name, p.default) for p in self._parameters[len(given) :]]

    def after(self, error: Exception, args: list[Any]) -> Any:
        """Take the arguments in the order of the parameters."""
        if isinstance(error, FastPathMiss):
            return self._pipeline()(args)
        if is_foreign_error(error, self._binding.backend):
            raise error
        former = _failure.error, _failure.args
        _failure.error, _failure.args = error, tuple(args)
        try:
            return self._explaining()(args)
        finally:
            _failure.error, _failure.args = former


def unless_final(binding: Binding, invoke: Call, *, native: bool = False) -> Call:
    """Return the innermost call of the pipeline that explains a failure: it raises the error again, if that is final.

    Parameters
    ----------
    binding
        The function on the backend.
    invoke
        The call of the implementation.
    native
        Whether the fast path handed dtypes and devices over as they were given.
    """
    options = binding.implementation.options if binding.implementation else None
    roles = [p.role for p in binding.declaration.parameters]

    def call(args: list[Any]) -> Any:
        error, given = _failure.error, _failure.args
        _failure.error = None
        if error is None:
            return invoke(args)
        for role, one, other in zip(roles, given, args, strict=True):
            if not _is_same(role, one, other, native=native):
                return invoke(args)
        if options is not None and any(getattr(x, "dtype", None) in binding.stand_ins for x in args):
            return invoke(args)
        raise error

    return call


def _is_same(role: str, given: Any, settled: Any, *, native: bool) -> bool:
    """Whether an argument is after the stages what it was on the fast path."""
    if role in ("dtype", "device"):
        return not native or given is None or given is settled
    if role in ("out", "mode", "synonym"):
        return True
    given = given._native if isinstance(given, Array) and not isinstance(settled, Array) else given
    if given is settled:
        return True
    if isinstance(given, (list, tuple)) and (type(given) is type(settled) or role == "arrays"):
        return len(given) == len(settled) and all(
            _is_same(role, x, y, native=native) for x, y in zip(given, settled, strict=True)
        )
    plain = (bool, int, float, complex, str, type(None), slice)
    return type(given) is type(settled) and isinstance(given, plain) and bool(given == settled)
