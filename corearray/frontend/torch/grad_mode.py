"""Whether calls are recorded for `backward`."""

from __future__ import annotations

from contextlib import ContextDecorator
from functools import wraps
from typing import Any, Self

from corearray.frontend.modes import Mode

__all__ = [
    "enable_grad", "gradients_enabled", "inference_mode", "is_inference_mode_enabled", "no_grad", "set_grad_enabled",
]  # fmt: skip

_enabled: Mode[bool] = Mode("corearray.frontend.torch.gradients", default=True, followed=False)
_inference: Mode[bool] = Mode("corearray.frontend.torch.inference", default=False, followed=False)


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


class _Block:
    """A block, or a decorator with or without parentheses: each call of the decorated function has a block of its own."""

    _mode: Any = True

    def __new__(cls, given: Any = None) -> Any:
        """Return a block, or the decorated function if the class is the decorator."""
        return cls()(given) if callable(given) else super().__new__(cls)

    def __init__(self, given: Any = None) -> None:
        if given is not None:
            self._mode = given
        self._tokens: list[Any] = []

    def __call__(self, function: Any) -> Any:
        """Return the function within such a block."""
        kind, mode = type(self), self._mode

        @wraps(function)
        def within(*args: Any, **options: Any) -> Any:
            with kind(mode):
                return function(*args, **options)

        return within

    def __enter__(self) -> Self:
        self._tokens.append(_enabled.set(self._mode))
        return self

    def __exit__(self, *_: Any) -> None:
        _enabled.reset(self._tokens.pop())


class no_grad(_Block):  # noqa: N801  torch's name
    """A block, or with `@no_grad()` a function, whose calls are not recorded."""

    _mode = False


class enable_grad(_Block):  # noqa: N801  torch's name
    """A block, or with `@enable_grad()` a function, whose calls are recorded."""


class inference_mode(_Block):  # noqa: N801  torch's name
    """A block, or a decorated function, whose calls are not recorded; its tensors may be used outside too.

    `inference_mode(False)` changes nothing but `is_inference_mode_enabled`.
    """

    def __enter__(self) -> Self:
        before = _enabled.set(gradients_enabled() and not self._mode)
        self._tokens.append((before, _inference.set(bool(self._mode))))
        return self

    def __exit__(self, *_: Any) -> None:
        before, inference = self._tokens.pop()
        _enabled.reset(before)
        _inference.reset(inference)


def is_inference_mode_enabled() -> bool:
    """Return whether calls are made within `inference_mode`."""
    return _inference.get()
