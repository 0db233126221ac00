"""Whether calls are recorded for `backward`."""

from __future__ import annotations

from contextlib import ContextDecorator
from contextvars import ContextVar
from typing import Any, Self

__all__ = ["enable_grad", "gradients_enabled", "no_grad", "set_grad_enabled"]

_enabled: ContextVar[bool] = ContextVar("corearray.frontend.torch.gradients", default=True)


def gradients_enabled() -> bool:
    """Return whether calls are recorded; torch calls it `is_grad_enabled`.

    Examples
    --------
    >>> with no_grad():
    ...     gradients_enabled()
    False
    """
    return _enabled.get()


class set_grad_enabled(ContextDecorator):  # noqa: N801  torch's name
    """Switch the record of calls on or off, for good or for a block."""

    def __init__(self, mode: bool) -> None:
        self._mode = bool(mode)
        self._token = _enabled.set(self._mode)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        _enabled.reset(self._token)


class _Mode(ContextDecorator):
    _mode = True

    def __init__(self) -> None:
        self._tokens: list[Any] = []

    def __enter__(self) -> Self:
        self._tokens.append(_enabled.set(self._mode))
        return self

    def __exit__(self, *_: Any) -> None:
        _enabled.reset(self._tokens.pop())


class no_grad(_Mode):  # noqa: N801  torch's name
    """A block, or with `@no_grad()` a function, whose calls are not recorded."""

    _mode = False


class enable_grad(_Mode):  # noqa: N801  torch's name
    """A block, or with `@enable_grad()` a function, whose calls are recorded."""

    _mode = True
