"""Hooks that can be taken away."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

__all__ = ["RemovableHandle"]

#: Numbers of hooks: a handle that nobody holds is gone, and its `id` is free for another one.
_numbers = count()


class RemovableHandle:
    """A hook that can be taken away."""

    def __init__(self, hooks: dict[int, Any], hook: Callable[..., Any]) -> None:
        self._hooks, self._number = hooks, next(_numbers)
        hooks[self._number] = hook

    def remove(self) -> None:
        """Take the hook away."""
        self._hooks.pop(self._number, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *_: Any) -> None:
        self.remove()
