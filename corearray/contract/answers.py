"""Answers to reads of elements, for frameworks that trace a program without elements."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import RLock
from typing import Any

from corearray.contract.recording import assumed_reads, refuse_read, untraceable
from corearray.forks import free_at_fork

__all__ = ["Answers", "Unanswered"]

#: What Python reads of an array, by the name of the method: a function of a NumPy array and of the method's arguments.
_READS: dict[str, Callable[..., Any]] = {
    "__bool__": bool,
    "__int__": int,
    "__float__": float,
    "__complex__": complex,
    "__index__": operator.index,
    "__array__": lambda x, *_, **__: x,
    "item": lambda x, *places: x.item(*places),
    "tolist": lambda x: x.tolist(),
}

#: A program that reads more elements is refused: it is traced once for each of them.
_MOST = 1000

_at_work: ContextVar[Answers | None] = ContextVar("corearray.contract.answers", default=None)
_patching = free_at_fork(RLock())


class Unanswered(BaseException):
    """Ends a trace at a read whose answer is not known yet.

    Attributes
    ----------
    tracer
        What stands for the array that is read.
    """

    def __init__(self, tracer: Any) -> None:
        super().__init__("an element is read")
        self.tracer = tracer


class Answers:
    """The elements that a program reads, in its order.

    A trace that meets a new read ends with `Unanswered`. The plugin then computes the array that was read, by the program that
    ends there, adds it, and traces again.

    Parameters
    ----------
    kind
        The class of what stands for an array; its methods answer within `tracing`.
    refusals
        What the methods raise by themselves.
    whole
        Names of further methods of `kind`, which return all elements.
    """

    def __init__(self, kind: type, refusals: tuple[type[BaseException], ...], whole: tuple[str, ...] = ()) -> None:
        self.reads = {**_READS, **dict.fromkeys(whole, _READS["__array__"])}
        self.kind = kind
        self.refusals = refusals
        self.known: list[Any] = []
        self._place = 0

    @property
    def wanted(self) -> bool:
        """True if reads are answered, false if they are refused."""
        return assumed_reads.get() is not None

    def add(self, x: Any) -> None:
        """Add the array that was read next, as one of NumPy."""
        if len(self.known) >= _MOST:
            raise untraceable(f"more than {_MOST} elements are read, and the program is traced once for each of them")
        self.known.append(x)

    @contextmanager
    def tracing(self) -> Iterator[None]:
        """Answer reads for the time of one trace, in this thread."""
        if not self.wanted:
            yield
            return
        noted = assumed_reads.get()
        assert noted is not None
        noted.clear()
        self._place = 0
        with _patching:
            before = {name: vars(self.kind).get(name) for name in self.reads}
            for name, read in self.reads.items():
                setattr(self.kind, name, self._method(name, read, getattr(self.kind, name, None)))
            token = _at_work.set(self)
            try:
                yield
            finally:
                _at_work.reset(token)
                for name, method in before.items():
                    if method is None:
                        delattr(self.kind, name)
                    else:
                        setattr(self.kind, name, method)

    def _method(self, name: str, read: Callable[..., Any], before: Any) -> Callable[..., Any]:
        def method(x: Any, *args: Any, **options: Any) -> Any:
            asked = _at_work.get()
            if asked is None:
                if before is None:
                    raise TypeError(f"'{type(x).__name__}' has no method '{name}'")
                return before(x, *args, **options)
            if before is not None:
                try:
                    return before(x, *args, **options)
                except asked.refusals:
                    pass
            return read(asked._next(x, name), *args, **options)

        return method

    def _next(self, x: Any, name: str) -> Any:
        if self._place == len(self.known):
            raise Unanswered(x)
        self._place += 1
        refuse_read(f"'{name}' reads an element")
        return self.known[self._place - 1]
