"""`recipe`: optimisers and schedules show the call that made them, and can be pickled by it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from types import FunctionType
from typing import Any, NamedTuple, ParamSpec, SupportsIndex, TypeVar, cast

from corearray.calls.keywords import unknown_option

__all__ = ["Curve", "Recorded", "recipe"]

_Parameters = ParamSpec("_Parameters")
_Made = TypeVar("_Made")


class _Call(NamedTuple):
    """A call of a function of `corearray.optim`."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    options: dict[str, Any]

    def __str__(self) -> str:
        given = [*map(repr, self.args), *(f"{name}={value!r}" for name, value in self.options.items())]
        return f"{self.function.__name__}({', '.join(given)})"


class Recorded:
    """An object that knows the call that made it, if it was one of `corearray.optim`."""

    __slots__ = ("_call",)

    _call: _Call | None

    def __repr__(self) -> str:
        return super().__repr__() if self._call is None else str(self._call)

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        if self._call is None:
            return super().__reduce_ex__(protocol)
        return partial(self._call.function, **self._call.options), self._call.args


class Curve(Recorded):
    """A schedule: a function of the number of steps."""

    __slots__ = ("_function",)

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self._function = function
        self._call = None

    def __call__(self, step: Any) -> Any:
        """Return the rate after a number of steps."""
        return self._function(step)


def recipe(function: Callable[_Parameters, _Made]) -> Callable[_Parameters, _Made]:
    """Decorate a function that makes a transformation or a schedule: what it returns records the call.

    Examples
    --------
    >>> from corearray import optim
    >>> optim.chain(optim.clip_by_value(1.0), optim.adam(optim.constant(0.5), eps=1e-6))
    chain(clip_by_value(1.0), adam(constant(0.5), eps=1e-06))
    """
    code = cast(FunctionType, function).__code__
    known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]

    @wraps(function)
    def recorded(*args: _Parameters.args, **options: _Parameters.kwargs) -> _Made:
        for name in options:
            if name not in known:
                raise unknown_option(function.__name__, name, known)
        made: Any = function(*args, **options)
        if isinstance(made, FunctionType):
            made = Curve(made)
        made._call = _Call(recorded, args, options)
        return cast(_Made, made)

    return recorded
