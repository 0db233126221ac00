"""`Mode`: a context variable that a program may read and set while a compiler follows its Python code."""

from __future__ import annotations

from contextvars import ContextVar, Token
from typing import Any, Generic, TypeVar

from corearray.calls.memo import follow

__all__ = ["Mode"]

_T = TypeVar("_T")


class Mode(Generic[_T]):
    """A context variable, such as whether calls are recorded.

    Parameters
    ----------
    name, default
        As those of `ContextVar`.
    followed
        The value within a program that a compiler such as `torch.compile` follows; it cannot be set there.
    """

    __slots__ = ("_followed", "_variable")

    def __init__(self, name: str, default: _T, followed: Any) -> None:
        self._variable: ContextVar[_T] = ContextVar(name, default=default)
        self._followed = followed

    def get(self) -> _T:
        """Return the value."""
        return self._variable.get()

    def set(self, value: _T) -> Token[_T]:
        """Set the value, and return what `reset` takes."""
        return self._variable.set(value)

    def reset(self, token: Token[_T]) -> None:
        """Undo a change."""
        self._variable.reset(token)


follow(Mode.get, lambda mode: mode._followed)
follow(Mode.set, lambda mode, value: None)
follow(Mode.reset, lambda mode, token: None)
