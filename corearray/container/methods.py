"""Common functions as methods of a Container: `c.sum(axis=0)` is `corearray.sum(c, axis=0)`.

The list is short because each name here hides a key from attribute access. Every other function takes a Container as an
argument. Options may be Containers too, with one value for each leaf.
"""

from __future__ import annotations

from typing import Any, Never, Self

from corearray.arrays import methods
from corearray.calls.keywords import unknown_in_method
from corearray.contract.declaration import DECLARATIONS

__all__ = ["Methods"]


class _Public:
    """The public functions, which map over Containers."""

    def __getattr__(self, name: str) -> Any:
        if name not in DECLARATIONS:
            raise AttributeError(name)
        return DECLARATIONS[name].public


_PUBLIC = _Public()


class Methods(methods.Methods):
    """Functions that map over leaves and return a Container of the results."""

    __slots__ = ()

    _functions = _PUBLIC

    def sort(self, axis: int = -1, *, descending: bool = False, stable: bool = True, **other: Never) -> Self:
        """`corearray.sort` of each leaf: sorted copies."""
        if other:
            raise unknown_in_method(self.sort, other)
        return self._functions.sort(self, axis=axis, descending=descending, stable=stable)  # type: ignore[no-any-return]

    def to_list(self) -> Any:
        """Apply `corearray.to_list` to each leaf."""
        return _PUBLIC.to_list(self)
