"""Random numbers in compiled programs: different ones in each call, from keys that are arguments.

A generator advances in Python, which a compiled program no longer runs. Such a program therefore takes one key for each
generator that it uses: each call spawns children of these generators and passes their keys, and within the program
children with these keys replace the generators. Tracing finds out which generators are used: a generator without a key
aborts the trace (`Met`), which starts again with a key for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from copy import copy
from functools import wraps
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, TypeVar

from corearray.calls.codegen import compiled
from corearray.contract.recording import recording
from corearray.random.loops import MetInLoop, carried, within_loops
from corearray.random.number_dtypes import word_dtype

if TYPE_CHECKING:
    from corearray.backends.backend import Backend
    from corearray.random.source import Source

__all__ = [
    "Known",
    "LoopDraws",
    "Met",
    "Replay",
    "as_rows",
    "being_compiled",
    "being_recorded",
    "called",
    "drawing_by_keys",
    "keyed",
    "loop_with_draws",
    "place_in_call",
    "readable",
    "refusing_draws",
    "spawned",
    "spawning",
    "stand_in",
    "traceable",
    "traced",
    "with_own_code",
]

_Result = TypeVar("_Result")

#: The generators for which a program has keys, in the order of these; `None` is that of the context of each call.
Known = tuple["Source | None", ...]

#: While a program is traced by running it, or run as it is: what stands in for generators.
_running: ContextVar[_Keyed | _Spawning | _InLoop | _Refusing | None] = ContextVar("corearray.running", default=None)

#: While a program is called whose framework traces it by reading it: the generators for which it has keys.
called: ContextVar[Known | None] = ContextVar("corearray.called", default=None)


class _Traced:
    """What the framework finds there is of the program that it reads; threads see another's only where it stops to read."""

    def __init__(self) -> None:
        self.children: Sequence[Source] = ()


#: Where such a framework, which cannot follow context variables, finds what stands in for them.
traced = _Traced()


class Met(BaseException):
    """Signal that a traced program uses a generator without a key. It is no `Exception`, so that no handler catches
    it.
    """

    def __init__(self, source: Source | None) -> None:
        super().__init__("a compiled program draws of a generator for which it has no key")
        self.source = source


class _Keyed:
    """What stands in for generators in a program that is traced: a child with each key that the program was given."""

    def __init__(self, known: Known, children: Sequence[Source]) -> None:
        self._known = known
        self._children = children

    def child_of(self, source: Source) -> Source:
        return self._children[_place(source, self._known)]


class _Spawning:
    """What stands in for generators in a call that is not compiled: the same children, when they are first met."""

    def __init__(self) -> None:
        self._outer = _running.get()
        self._children: dict[Source, Source] = {}

    def child_of(self, source: Source) -> Source:
        child = self._children.get(source)
        if child is None:
            token = _running.set(self._outer)
            try:
                child = self._children[source] = source.spawn(1)[0]
            finally:
                _running.reset(token)
            child._within = True
        return child


class _Refusing:
    """A stand-in for all generators where nothing may be drawn."""

    def child_of(self, source: Source) -> Source:
        raise Met(source)


class _InLoop:
    """The generators' children in a step of a traced loop, outside of compiled programs."""

    def __init__(self, children: dict[Source, Source]) -> None:
        self._children = children

    def child_of(self, source: Source) -> Source:
        if source not in self._children:
            raise Met(source)
        return self._children[source]


class LoopDraws:
    """The positions of generators in a traced loop, which carries them, so that each step draws other numbers.

    Parameters
    ----------
    backend
        The backend of the loop.
    generators
        The generators of which the steps draw.
    children
        For each generator the one whose numbers it draws within the loop, from where that one stands; it may be itself.
    within
        What stands in for other generators during a step, if not what does so already.
    """

    def __init__(
        self, backend: Backend, generators: Sequence[Source], children: Sequence[Source], within: _InLoop | None = None
    ) -> None:
        self._backend = backend
        self._generators = generators
        self._keys = [child._key for child in children]
        self._within = within
        self._used = [0] * len(generators)
        self.made: set[Source] = set()
        self.positions = [backend.asarray(child._place(), dtype=word_dtype(backend)).native for child in children]

    def __call__(self, step: Callable[[], _Result], positions: Sequence[Any]) -> tuple[_Result, list[Any]]:
        """Trace a step with the generators at these positions; return its result and the positions after it."""
        outside = [(generator._key, generator._base, generator._count) for generator in self._generators]
        places = [self._backend.wrap(position) for position in positions]
        token = None if self._within is None else _running.set(self._within)
        outer = within_loops.set((*within_loops.get(), self))
        self.made = set()
        try:
            for generator, key, place in zip(self._generators, self._keys, places, strict=True):
                generator._key, generator._base, generator._count = key, place, 0
            result = step()
            self._used = [generator._count for generator in self._generators]
        finally:
            within_loops.reset(outer)
            if token is not None:
                _running.reset(token)
            for generator, before in zip(self._generators, outside, strict=True):
                generator._key, generator._base, generator._count = before
        return result, [(place + used).native for place, used in zip(places, self._used, strict=True)]

    def carries(self, source: Source) -> bool:
        """Return whether a generator advances from step to step, or is made anew in each."""
        return source in self.made or any(source is generator for generator in self._generators)

    def advance(self, steps: int) -> None:
        """Let the generators stand where so many steps leave them."""
        for generator, used in zip(self._generators, self._used, strict=True):
            generator._count += used * steps


def loop_with_draws(backend: Backend, length: int | None, loop: Callable[[LoopDraws], _Result]) -> _Result:
    """Call a function that traces a loop with the generators of which its steps draw.

    In a compiled program a loop of known length draws the numbers of its steps in order. A loop of unknown length draws from
    children, because nobody knows where the generators would stand after it. The steps tell of which other generators they
    draw, such as those that the program has made: the loop is traced again with each of them.

    Parameters
    ----------
    backend
        The backend of the loop.
    length
        The number of steps, if it is known.
    loop
        The function.
    """
    state, replay = _running.get(), _replaying.get()
    met: dict[Source, Source] = {}
    further: list[Source] = []
    while True:
        if isinstance(state, _Keyed):
            found = list(state._children)
        else:
            found = list((state._children if isinstance(state, _InLoop) else met).values())
        generators = [source if replay is None else replay.source_of(source) for source in found] + further
        children = generators if length is not None else [generator.spawn(1)[0] for generator in generators]
        draws = LoopDraws(backend, generators, children, _InLoop(met) if state is None else None)
        try:
            result = loop(draws)
        except MetInLoop as error:
            if error.loop is not draws:
                raise
            further.append(error.source)
            continue
        except Met as error:
            if state is not None or error.source is None:
                raise
            words = [backend.asarray(word, dtype=word_dtype(backend)) for word in error.source.spawn(1)[0]._key]
            met[error.source] = keyed(*words)
            continue
        if length is not None:
            draws.advance(length)
        return result


#: While a function runs that may be computed again: where its generators begin.
_replaying: ContextVar[Replay | None] = ContextVar("corearray.replaying", default=None)


class Replay:
    """Runs of one function that draw the same random numbers; `with replay:` surrounds each of them.

    The first run notes where each generator begins, and advances it. A later run draws from copies that begin there.
    """

    def __init__(self) -> None:
        self._starts: dict[Source, tuple[Any, int]] = {}
        self._copies: dict[Source, Source] | None = None
        self._is_first = True

    def __enter__(self) -> None:
        self._copies = None if self._is_first else {}
        self._is_first = False
        self._outer = _replaying.get()
        self._token = _replaying.set(self)

    def __exit__(self, *error: object) -> None:
        _replaying.reset(self._token)

    def source_of(self, source: Source) -> Source:
        """Return the generator that draws in place of another in this run."""
        if self._outer is not None:
            source = self._outer.source_of(source)
        if self._copies is None:
            self._starts.setdefault(source, (source._base, source._count))
            return source
        if source not in self._starts:  # which a run has made for itself
            return source
        found = self._copies.get(source)
        if found is None:
            found = self._copies[source] = copy(source)
            (found._base, found._count), found._within = self._starts[source], source._within
        return found


def being_compiled() -> bool:
    """Return whether a program is being traced or called for a compiler; generators created within it restart in
    each call.
    """
    return _running.get() is not None or called.get() is not None


def being_recorded() -> bool:
    """Return whether `corearray.compile_graph` runs the program, with values in place of arrays."""
    return recording.get()


def stand_in(source: Source) -> Source:
    """Return the generator that draws in place of another: itself, or a child within `corearray.compile`."""
    state = _running.get()
    if source._within and not isinstance(state, _Refusing):
        found = source
    elif state is not None:
        found = state.child_of(source)
    else:  # a call that a tracer of bytecode does not follow has its children too
        place = place_in_call(source)
        found = source if place < 0 else traced.children[place]
    replay = _replaying.get()
    found = found if replay is None else replay.source_of(found)
    return carried(found) if found._within else found


def place_in_call(source: Source) -> int:
    """Return the index of a generator's key while a program is traced by its bytecode, or -1 outside
    `corearray.compile`.
    """
    known = called.get()
    return -1 if known is None else _place(source, known)


def _place(source: Source, known: Known) -> int:
    from corearray.random.context import default_generator

    met = None if source is default_generator() else source
    for place, other in enumerate(known):
        if other is met:
            return place
    raise Met(met)


def spawned(known: Known) -> list[tuple[Any, Any]]:
    """Return the keys of new children of generators: numbers, or arrays in a traced program."""
    from corearray.random.context import default_generator

    return [(source or default_generator()).spawn(1)[0]._key for source in known]


def as_rows(backend: Backend, keys: list[tuple[Any, Any]]) -> Any:
    """Return keys as the rows of a native array."""
    dtype = word_dtype(backend)
    if all(type(word) is int for key in keys for word in key):
        return backend.asarray(keys, dtype=dtype).native
    rows = [backend.stack([backend.asarray(word, dtype=dtype) for word in key]) for key in keys]
    return backend.stack(rows).native


def _children(backend: Backend, keys: Any) -> list[Source]:
    rows = backend.wrap(keys)
    return [keyed(rows[i, 0], rows[i, 1]) for i in range(rows.shape[0])]


def keyed(one: Any, two: Any) -> Any:
    """Return a generator for a traced program, whose key is two arrays of a 32-bit word each."""
    from corearray.random.generator import Child

    child = Child()
    child._key = (one, two)
    return child


def refusing_draws(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function whose program is kept for other calls: a draw of a generator raises `Met`."""

    @wraps(function)
    def without_draws(*args: Any) -> Any:
        token = _running.set(_Refusing())
        try:
            return function(*args)
        finally:
            _running.reset(token)

    return without_draws


def spawning(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a program that no framework compiles, so that it draws the numbers that it would draw compiled."""

    @wraps(function)
    def program(*args: Any, **keywords: Any) -> Any:
        token = _running.set(_Spawning())
        try:
            return function(*args, **keywords)
        finally:
            _running.reset(token)

    return program


@contextmanager
def drawing_by_keys(backend: Backend, known: Known, keys: Any) -> Iterator[None]:
    """Let children of generators draw in their place, whose keys are the rows of a native array."""
    children = _children(backend, keys) if known else []
    token = _running.set(_Keyed(known, children))
    try:
        yield
    finally:
        _running.reset(token)


def traceable(function: Callable[..., Any], backend: Backend, known: Known) -> Callable[..., Any]:
    """Wrap a program for a framework that traces by running; keys are keyword arguments."""

    @wraps(function)
    def program(*args: Any, corearray_keys: Any = None, **keywords: Any) -> Any:
        with drawing_by_keys(backend, known, corearray_keys):
            return function(*args, **keywords)

    if known:
        _add_keys_to_signature(program)
    return program


def readable(function: Callable[..., Any], backend: Backend, known: Known) -> Callable[..., Any]:
    """Wrap a program for a framework that traces bytecode; keys are keyword arguments.

    The wrapper has its own code object, because such a framework caches a limited number of compiled programs for each
    code object.
    """
    if not known:
        return function
    text = (
        "def program(*args, corearray_keys, **keywords):\n"
        "    traced.children = children(backend, corearray_keys)\n"
        "    result = function(*args, **keywords)\n"
        "    traced.children = ()\n"
        "    return result\n"
    )
    scope = {"traced": traced, "children": _children, "backend": backend, "function": function}
    return compiled("program", text, scope, "with keys:")


def with_own_code(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls another one, with code that no other function has."""
    text = "def program(*args, **keywords):\n    return function(*args, **keywords)\n"
    return compiled("program", text, {"function": function}, "with code of its own:")


def _add_keys_to_signature(program: Callable[..., Any]) -> None:
    """Let a framework that asks for the parameters of a program find `corearray_keys` among them."""
    try:
        written = signature(program)
    except (TypeError, ValueError):  # of what is written in C
        return
    parameters = list(written.parameters.values())
    behind = [parameters.pop()] if parameters and parameters[-1].kind is Parameter.VAR_KEYWORD else []
    keys = Parameter("corearray_keys", Parameter.KEYWORD_ONLY)
    # Functions may have one (PEP 362), of which their type says nothing.
    program.__signature__ = written.replace(parameters=[*parameters, keys, *behind])  # type: ignore[attr-defined]
