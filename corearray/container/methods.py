"""The most used functions as methods of a Container: `c.sum(axis=0)` is `corearray.sum(c, axis=0)`.

There are few on purpose: a name here is a key that cannot be read as an attribute. Every other function takes a
Container as it is. Options may be Containers too, with a value for each leaf.
"""

from __future__ import annotations

from typing import Any

from corearray.arrays import methods
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
    """Functions of each leaf; a Container with the results is returned."""

    __slots__ = ()

    @property
    def _functions(self) -> Any:
        return _PUBLIC

    def to_list(self) -> Any:
        """`corearray.to_list` of each leaf."""
        return _PUBLIC.to_list(self)
