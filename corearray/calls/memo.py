"""Readers whose answer is kept: what does not depend on the elements of an array is read once for each shape."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from marshal import dumps
from typing import TYPE_CHECKING, Any, TypeVar, cast
from weakref import WeakSet

from corearray.calls.accelerated import accelerator

if TYPE_CHECKING:
    from corearray.backends.backend import Backend

__all__ = ["ANSWERED", "MEMOISED", "TRACING", "answered", "follow", "kept", "memoised", "memoised_by_key"]

_F = TypeVar("_F", bound=Callable[..., Any])

#: Of how many calls each reader keeps the answer.
_CALLS = 4096

#: Each function that keeps answers, and the one that it asks, which a tracer of Python code is to follow instead.
MEMOISED: dict[Callable[..., Any], Callable[..., Any]] = {}

#: Functions that a tracer of Python code calls in place of following them; their results are constants of the program.
ANSWERED: list[Callable[..., Any]] = []

#: The loaded backends with a tracer of Python code, which hear of functions that are memoised later.
TRACING: WeakSet[Backend] = WeakSet()


def kept(read: _F) -> _F:
    """Keep what a function returns for each call, as `lru_cache` does, whose functions torch's tracer warns of."""
    found = lru_cache(maxsize=_CALLS)(read)

    @wraps(read)
    def asked(*args: Any) -> Any:
        return found(*args)

    follow(asked, read)
    return cast(_F, asked)


def follow(asked: Callable[..., Any], read: Callable[..., Any]) -> None:
    """Let tracers of Python code follow the second function where a program calls the first one."""
    MEMOISED[asked] = read
    for backend in TRACING:
        backend.fact("register_tracing", [], {asked: read})


def answered(function: _F) -> _F:
    """Let tracers of Python code call a function, with constants as arguments, in place of following it; a decorator."""
    ANSWERED.append(function)
    for backend in TRACING:
        backend.fact("register_tracing", [function], {})
    return function


def _key_of(args: tuple[Any, ...], options: dict[str, Any]) -> bytes | None:
    """Return what tells calls with plain arguments apart, in which 1, 1.0 and True differ."""
    plain = [tuple(arg) if isinstance(arg, tuple) else arg for arg in args]  # of a framework's class for shapes too
    try:
        return dumps((plain, options), 2)
    except ValueError:
        return None


_key = accelerator.key_of if accelerator else _key_of


def memoised(read: _F) -> _F:
    """Keep what a function returns for plain arguments: integers, strings, `None`, and tuples and lists of these.

    Others, such as lengths that are not known while a framework traces, are read each time, as are arguments of which the
    accelerator would make a key of more than a kilobyte; what raises is not kept.
    """
    answers: dict[bytes | None, Any] = {}

    @wraps(read)
    def asked(*args: Any, **options: Any) -> Any:
        key = _key(args, options)
        if key in answers:
            return answers[key]
        answer = read(*args, **options)
        if key is not None:
            if len(answers) >= _CALLS:
                answers.clear()
            answers[key] = answer
        return answer

    follow(asked, read)
    return cast(_F, asked)


def memoised_by_key(make: Callable[[tuple[Any, ...]], Any]) -> Callable[[tuple[Any, ...]], Any]:
    """Keep what is made of plain options, such as a program; of others, of which there is no key, nothing is made.

    Raises
    ------
    TypeError
        If an option is not plain.
    """
    made: dict[bytes, Any] = {}
    none: dict[str, Any] = {}

    def found(options: tuple[Any, ...]) -> Any:
        key = _key(options, none)
        if key in made:
            return made[key]
        if key is None:
            raise TypeError(f"{options} are no plain options")
        if len(made) >= _CALLS:
            made.clear()
        return made.setdefault(key, make(options))

    return found
