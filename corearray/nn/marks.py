"""Marks of arrays that are no trainable parameters, and the counter of changes to modules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corearray.errors import CoreArrayTypeError
from corearray.nn.slots import array_kind

__all__ = ["Buffer", "Marks", "changes"]

#: What `corearray list-functions` says of the classes here.
__kind__ = "convenience"


class Buffer:
    """A mark for an array that is state and no parameter: running statistics, counters, masks.

    `self.mean = nn.Buffer(x)` stores `x` itself as the attribute `mean`, and remembers that `mean` is a buffer, also when
    another array is assigned later.

    Parameters
    ----------
    value
        Array of any dtype.
    persistent
        Whether `state_dict`, and so files, contain it.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> class Counter(nn.Module):
    ...     def __init__(self):
    ...         self.calls = nn.Buffer(ca.asarray(0))
    ...     def forward(self, x):
    ...         self.calls = self.calls + 1
    ...         return x
    >>> counter = Counter()
    >>> _ = counter(ca.ones(2))
    >>> int(counter.calls), list(counter.buffers()), list(counter.parameters())
    (1, ['calls'], [])
    """

    __slots__ = ("persistent", "value")

    def __init__(self, value: Any, /, *, persistent: bool = True) -> None:
        if array_kind(value) is None:
            raise CoreArrayTypeError(
                f"'Buffer' marks an array, got {type(value).__name__}; make one with corearray.asarray"
            )
        self.value = value
        self.persistent = persistent


class Marks:
    """The buffers of a module, with their persistence, and the names of its frozen parameters; never changed in place."""

    __slots__ = ("buffers", "frozen")

    def __init__(self, buffers: Mapping[str, bool], frozen: frozenset[str]) -> None:
        self.buffers = buffers
        self.frozen = frozen

    def __reduce__(self) -> tuple[Any, ...]:
        return Marks, (self.buffers, self.frozen)


class _Changes:
    """A counter of changes to the structure of any module, by which a compiled step notices that it may be out of date."""

    __slots__ = ("count",)

    def __init__(self) -> None:
        self.count = 0


changes = _Changes()
