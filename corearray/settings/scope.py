"""Context managers whose change is undone whatever happens, exceptions of signal handlers included."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ContextDecorator
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from corearray.calls.accelerated import accelerator

__all__ = ["Scope"]

_T = TypeVar("_T")

#: How often an undoing is tried that exceptions of signal handlers interrupt.
_TRIES = 100


class _PythonScope:
    """The same as the accelerator's `Scope`. A signal that arrives before the first line of `__exit__` leaves the change."""

    def __init__(self, make: Callable[[], tuple[Any, Callable[[], Any], Callable[[], None]]]) -> None:
        self._make = make
        self._undo: Callable[[], None] | None = None

    def __enter__(self) -> Any:
        value, change, self._undo = self._make()
        try:
            change()
        except BaseException:
            self._leave()
            raise
        return value

    def __exit__(self, *error: object) -> None:
        self._leave()

    def _leave(self) -> None:
        undo, self._undo = self._undo, None
        interrupted: BaseException | None = None
        for _ in range(_TRIES):
            try:
                if undo is not None:
                    undo()
                break
            except BaseException as error:
                interrupted = interrupted or error
        if interrupted is not None:
            raise interrupted


if TYPE_CHECKING or not accelerator:
    _Scope = _PythonScope
else:
    _Scope = accelerator.Scope


class Scope(_Scope, ContextDecorator, Generic[_T]):
    """A context manager, and a decorator, that makes a change and undoes it.

    With the accelerator entering and leaving are calls in C, between whose steps Python handles no signal.

    Parameters
    ----------
    make
        Called on entering. Returns the value of the `with` statement, what makes the change, and what undoes it. The
        latter may be called more than once, and when nothing was changed yet.
    """

    def __init__(self, make: Callable[[], tuple[_T, Callable[[], Any], Callable[[], None]]]) -> None:
        super().__init__(make)
        self._again = make

    def _recreate_cm(self) -> Scope[_T]:
        """Return a scope of its own for each call of a decorated function."""
        return Scope(self._again)

    if TYPE_CHECKING:

        def __enter__(self) -> _T: ...
