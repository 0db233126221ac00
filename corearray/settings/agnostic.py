"""`agnostic`: a function of a library that runs on the backend of the arrays it is given."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import contextmanager
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

from corearray.arrays.array import Array
from corearray.arrays.nested import map_nested, to_native
from corearray.calls.dispatch import backend_of
from corearray.errors import CoreArrayTypeError
from corearray.settings.context import changed, pushed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corearray.backends.backend import Backend

__all__ = ["STEPS", "agnostic", "run_on"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"

_F = TypeVar("_F", bound=Callable[..., Any])


def agnostic(fn: _F, /) -> _F:
    """Make a function run on the backend of the arrays it is given.

    Within the function that backend is in force, so that constants (`ca.asarray([0.5, 0.5])`, `ca.zeros(3)`) are made on
    it. No setting of the caller is read for it, and none is changed: the next call may be of another backend. This is for
    the functions of libraries.

    Parameters
    ----------
    fn
        A function, a generator function, a coroutine function, or an asynchronous generator function.

    Returns
    -------
    A function of the same kind and arguments. It takes the framework's own arrays and `Array`, nested in lists, tuples and
    dictionaries too; within `fn` they are `Array`. If no argument is an `Array` and one is the framework's own, it returns
    the framework's own arrays, else `Array`. Without arrays it runs on the backend that is in force.

    Raises
    ------
    TypeError
        If `fn` is no function.
    BackendMismatchError
        When `fn` computes with arrays of several backends.

    Examples
    --------
    >>> import corearray as ca
    >>> @ca.agnostic
    ... def weighted(x):
    ...     return ca.sum(x * ca.asarray([0.25, 0.75]))
    >>> x = ca.get_backend("numpy").asarray([4.0, 8.0])
    >>> float(weighted(x)), type(weighted(x.native)).__name__
    (7.0, 'ndarray')
    """
    import inspect  # takes a tenth of the import of corearray

    if not callable(fn):
        raise CoreArrayTypeError(f"'agnostic' takes a function, got an object of type {type(fn).__name__}")
    if inspect.isasyncgenfunction(fn):

        @wraps(fn)
        async def steps(*args: Any, **kwargs: Any) -> AsyncGenerator[Any, Any]:
            backend, native = _backend_of(args, kwargs)
            made = fn(*_given(backend, args), **_given(backend, kwargs))
            step: Callable[[], Awaitable[Any]] = made.__anext__
            while True:
                try:
                    with _in_force(backend):
                        value = await step()
                except StopAsyncIteration:
                    return
                try:
                    sent = yield map_nested(value, to_native) if native else value
                except GeneratorExit:
                    with _in_force(backend):
                        await made.aclose()
                    raise
                except BaseException as error:
                    step = partial(made.athrow, error)
                else:
                    step = partial(made.asend, _given(backend, sent))

        return cast(_F, steps)
    if inspect.iscoroutinefunction(fn):

        @wraps(fn)
        async def awaited(*args: Any, **kwargs: Any) -> Any:
            backend, native = _backend_of(args, kwargs)
            with _in_force(backend):
                value = await fn(*_given(backend, args), **_given(backend, kwargs))
            return map_nested(value, to_native) if native else value

        return cast(_F, awaited)
    if inspect.isgeneratorfunction(fn):

        @wraps(fn)
        def generated(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
            backend, native = _backend_of(args, kwargs)
            return (yield from _generated(fn(*_given(backend, args), **_given(backend, kwargs)), backend, native))

        return cast(_F, generated)

    @wraps(fn)
    def called(*args: Any, **kwargs: Any) -> Any:
        return run_on(fn, args, kwargs)

    return cast(_F, called)


def run_on(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function on the backend of its arguments; a tracer of Python code is given another one to follow."""
    backend, native = _backend_of(args, kwargs)
    with _in_force(backend):
        value = fn(*_given(backend, args), **_given(backend, kwargs))
    return map_nested(value, to_native) if native else value


def _backend_of(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Backend | None, bool]:
    """Return the backend of arguments, and whether they are the framework's own arrays."""
    backend = backend_of((args, kwargs))
    if backend is None:
        return None, False
    found = {"own": False, "native": False}

    def look(leaf: Any) -> None:
        found["own"] |= isinstance(leaf, Array)
        found["native"] |= backend.is_native(leaf)

    map_nested((args, kwargs), look)
    return backend, found["native"] and not found["own"]


def _given(backend: Backend | None, arguments: Any) -> Any:
    """Return arguments with `Array` in the place of the framework's own arrays."""
    if backend is None:
        return arguments
    return map_nested(arguments, lambda leaf: backend.wrap(leaf) if backend.is_native(leaf) else leaf)


@contextmanager
def _in_force(backend: Backend | None) -> Iterator[None]:
    """Put a backend in force, and let functions return `Array`."""
    if backend is None:
        yield
        return
    with pushed(backend), changed(lambda: {"native_arrays": False}):
        yield


#: The functions around the user's own, whose source no tracer needs to rewrite.
STEPS = (_backend_of, _given, _in_force, map_nested)


def _generated(steps: Generator[Any, Any, Any], backend: Backend | None, native: bool) -> Generator[Any, Any, Any]:
    """Run a generator with its backend in force during its steps alone, not while it waits for the next."""

    def result(value: Any) -> Any:
        return map_nested(value, to_native) if native else value

    def step(call: Callable[[], Any]) -> Any:
        with _in_force(backend):
            return call()

    call: Callable[[], Any] = lambda: next(steps)  # noqa: E731
    while True:
        try:
            value = step(call)
        except StopIteration as stop:
            return result(stop.value)
        try:
            sent = yield result(value)
        except GeneratorExit:
            step(steps.close)
            raise
        except BaseException as error:
            call = lambda error=error: steps.throw(error)  # type: ignore[misc]  # noqa: E731
        else:
            call = lambda sent=sent: steps.send(_given(backend, sent))  # type: ignore[misc]  # noqa: E731
