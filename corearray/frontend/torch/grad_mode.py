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


class _Mode:
    _mode = True

    def __new__(cls, function: Any = None) -> Any:
        """Return a block, or the decorated function if the class is the decorator."""
        return super().__new__(cls) if function is None else cls()(function)

    def __init__(self, function: Any = None) -> None:
        self._tokens: list[Any] = []

    def __call__(self, function: Any) -> Any:
        """Return the function within such a block."""
        kind = type(self)

        @wraps(function)
        def within(*args: Any, **options: Any) -> Any:
            with kind():
                return function(*args, **options)

        return within

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


class inference_mode:  # noqa: N801  torch's name
    """A block, or a decorated function, whose calls are not recorded; its tensors may be used outside too."""

    def __new__(cls, mode: Any = True) -> Any:
        """Return a block, or the decorated function if the class is the decorator."""
        return super().__new__(cls) if isinstance(mode, bool) else cls()(mode)

    def __init__(self, mode: Any = True) -> None:
        self._mode = mode
        self._tokens: list[Any] = []

    def __call__(self, function: Any) -> Any:
        """Return the function within such a block."""
        mode = self._mode

        @wraps(function)
        def within(*args: Any, **options: Any) -> Any:
            with inference_mode(mode):
                return function(*args, **options)

        return within

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
