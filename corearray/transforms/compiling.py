"""Compilation of a program with the compiler of the framework that runs it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Sequence
from functools import update_wrapper, wraps
from inspect import Parameter, signature
from types import FunctionType
from typing import TYPE_CHECKING, Any

from corearray.calls.dispatch import resolve
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.errors import options as listed
from corearray.random import Generator
from corearray.random.programs import Known, Met, as_rows, called, readable, spawned, spawning, traceable
from corearray.random.words import compiled_words
from corearray.settings.context import NUMBERS
from corearray.transforms.sent import Transformed, transformed
from corearray.transforms.tree import Tree, has_records, is_array, name_of, need_function

if TYPE_CHECKING:
    from corearray.backends.backend import Backend

__all__ = ["compile", "compiled_for"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"

#: Types of arguments that are no arrays, and of which a program has few values.
_TELLING = (bool, str, type(None), Generator)


def compile(
    fn: Callable[..., Any],
    /,
    *,
    static_argnums: int | Sequence[int] = (),
    static_argnames: str | Sequence[str] = (),
    dynamic: bool = False,
    example_inputs: Sequence[Any] | None = None,
    **options: Any,
) -> Callable[..., Any]:
    """Compile a function with the framework's compiler: `torch.compile`, `jax.jit` or `tf.function`.

    Parameters
    ----------
    fn
        Function of trees of arrays (lists, tuples, dictionaries, Containers, dataclasses) that returns one, made of
        corearray's functions and of those of the framework. It is run or read while it is compiled, so that what it does
        besides happens then.
    static_argnums, static_argnames
        Arguments that are no arrays, by place or by name: hashable, as a `random.Generator` is, and the function is compiled
        for each value.
    dynamic
        Compile once for arrays of several lengths where the framework can: torch and TensorFlow. JAX compiles for each shape.
    example_inputs
        Arguments to compile for at once; else it is done at the first call.
    options
        Passed on to the framework's compiler, such as `backend="eager"` for torch or `donate_argnums=0` for JAX.

    Returns
    -------
    Function of the same arguments. It is compiled for each backend by which it is called; one without a compiler, as NumPy,
    runs it as it is. Settings, such as the default dtype, are read when the framework traces the function: at the first call
    with arrays of its dtypes and shapes, and no more at later ones. Random numbers are other ones in each call, and the same
    ones for a seed on every backend: each call draws from children of the generators that the function draws of, see
    `corearray.random.Generator`. For each of these it is traced once more, at the first call with a static argument's value.

    Raises
    ------
    TypeError
        If `fn` is no function, or what is static is no integer or name.
    ValueError
        If `fn` has no such argument.

    Examples
    --------
    >>> import corearray as ca
    >>> @ca.compile
    ... def wave(x):
    ...     return ca.sin(x) * ca.cos(x)
    >>> wave(ca.asarray([0.0])).tolist()
    [0.0]
    """
    need_function("compile", fn)
    places = _several("static_argnums", static_argnums, int)
    names = _several("static_argnames", static_argnames, str)
    _require_arguments(fn, places, names)
    programs: dict[Backend, Callable[..., Any]] = {}
    by_structure: dict[Hashable, Callable[[list[Any]], Any]] = {}
    returning_records: set[Backend] = set()

    def call(*args: Any, **keywords: Any) -> Any:
        has_some = has_records((args, keywords))
        backend = resolve((Tree((args, keywords)).leaves,) if has_some else (args, keywords))
        if backend in returning_records or (
            _knows_no_records(backend) and has_records((args, keywords), or_modules=True)
        ):
            tree = Tree(_with_static(fn, args, keywords, places, names))
            return _called_by_leaves(fn, tree, by_structure, {"dynamic": dynamic, **options})
        program = programs.get(backend)
        if program is None:
            if "compiled_function" in backend.facts:
                traced = _without_records(fn) if _knows_no_records(backend) else fn
                program = _program(traced, backend, (places, names, dynamic, options))
                behind = fn.func if isinstance(fn, Transformed) else fn
                if "register_tracing" in backend.facts and isinstance(behind, FunctionType):  # within another program
                    backend.fact("register_tracing", (), {call: behind})
            else:
                program = spawning(fn)
            programs[backend] = program
        try:
            return program(*args, **keywords)
        except _ReturnsRecords:
            returning_records.add(backend)
        return call(*args, **keywords)

    update_wrapper(call, fn)
    if example_inputs is not None:
        call(*example_inputs)
    how = {"static_argnums": places, "static_argnames": names, "dynamic": dynamic, **options}
    return transformed(call, fn, compile, how)


class _ReturnsRecords(BaseException):
    """A program turns out to return Modules or dataclasses while it is traced; no handler of errors within is to see it."""


class _Static:
    """A leaf that stands for a static argument."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Static) and type(self.value) is type(other.value) and bool(self.value == other.value)

    def __hash__(self) -> int:
        return hash(self.value)


def _knows_no_records(backend: Backend) -> bool:
    """Whether a framework compiles by tracing, and so knows only the classes of trees that are registered with it."""
    return "compiled_function" in backend.facts and "register_tracing" not in backend.facts


def _without_records(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a program so that it raises an exception in place of returning Modules and dataclasses."""

    @wraps(fn)
    def program(*args: Any, **keywords: Any) -> Any:
        value = fn(*args, **keywords)
        if has_records((value,), or_modules=True):
            raise _ReturnsRecords
        return value

    return program


def _with_static(
    fn: Callable[..., Any],
    args: tuple[Any, ...],
    keywords: dict[str, Any],
    places: tuple[int, ...],
    names: tuple[str, ...],
) -> tuple[Any, Any]:
    """Return the arguments with leaves for static ones, which are named or placed and may be given either way."""
    if not places and not names:
        return args, keywords
    kinds = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    known = [p.name for p in signature(fn).parameters.values() if p.kind in kinds]
    static = {place % len(args) for place in places if -len(args) <= place < len(args)}
    static |= {i for i, name in enumerate(known) if name in names}
    named = {*names, *(known[place] for place in places if -len(known) <= place < len(known))}
    return (
        tuple(_Static(x) if i in static else x for i, x in enumerate(args)),
        {name: _Static(x) if name in named else x for name, x in keywords.items()},
    )


def _called_by_leaves(
    fn: Callable[..., Any], tree: Tree, programs: dict[Hashable, Callable[[list[Any]], Any]], how: dict[str, Any]
) -> Any:
    """Call a compiled function of the arrays and numbers in a tree, for compilers that do not know its nodes."""
    places = [i for i, leaf in enumerate(tree.leaves) if is_array(leaf) or isinstance(leaf, NUMBERS)]
    kept = [None if i in places else leaf for i, leaf in enumerate(tree.leaves)]
    key = (tree._structure, tuple([(type(leaf), leaf) for leaf in kept]))
    try:
        program = programs.get(key)
    except TypeError:
        raise CoreArrayTypeError(
            f"'compile' of '{name_of(fn)}' got an object with an attribute that is no array and cannot be hashed"
        ) from None
    if program is None:
        returned: dict[Hashable, Tree] = {}

        def by_leaves(*given: Any) -> list[Any]:
            leaves = list(kept)
            for i, leaf in zip(places, given, strict=True):
                leaves[i] = leaf
            args, keywords = tree.of([leaf.value if isinstance(leaf, _Static) else leaf for leaf in leaves])
            value = returned[()] = Tree(fn(*args, **keywords))
            return [leaf for leaf in value.leaves if is_array(leaf)]

        flat = compile(by_leaves, **how)

        def program(given: list[Any]) -> Any:
            outputs = iter(flat(*given))
            value = returned[()]
            return value.of([next(outputs) if is_array(leaf) else leaf for leaf in value.leaves])

        programs[key] = program
    return program([tree.leaves[i] for i in places])


def compiled_for(
    backend: Backend, fn: Callable[..., Any], /, *, donated: tuple[int, ...] = (), **options: Any
) -> Callable[..., Any]:
    """Compile a function for one backend, as `compile` does when it is first called there.

    Parameters
    ----------
    backend
        The backend of its arrays.
    fn
        Function of trees of native arrays.
    donated
        Places of arguments whose memory the program may use for its results.
    options
        Options of the framework's compiler.
    """
    if "compiled_function" not in backend.facts:
        return spawning(fn)
    if donated and "donating" in backend.facts:
        options = {**backend.fact("donating", donated), **options}
    return _program(fn, backend, ((), (), bool(options.pop("dynamic", False)), options))


def _several(option: str, value: Any, kind: type) -> tuple[Any, ...]:
    """Return one value or several as a tuple."""
    found = tuple(value) if isinstance(value, (list, tuple, set, frozenset)) else (value,)
    if kind is int:
        found = tuple(operator.index(x) if hasattr(type(x), "__index__") else x for x in found)
    if not all(isinstance(x, kind) for x in found):
        what = "integers, the places" if kind is int else "texts, the names"
        raise CoreArrayTypeError(f"'compile' got {option}={value!r}; it takes {what} of arguments")
    return found


def _require_arguments(fn: Callable[..., Any], places: tuple[int, ...], names: tuple[str, ...]) -> None:
    """Refuse static arguments that a function cannot get."""
    if not places and not names:
        return
    try:
        parameters = signature(fn).parameters.values()
    except (TypeError, ValueError):  # of a function in C
        return
    kinds = {p.kind for p in parameters}
    count = sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)
    wrong: list[Any] = []
    if Parameter.VAR_POSITIONAL not in kinds:
        wrong += [place for place in places if not -count <= place < count]
    if Parameter.VAR_KEYWORD not in kinds:
        wrong += [name for name in names if name not in {p.name for p in parameters}]
    if wrong:
        raise CoreArrayValueError(
            f"'compile' got the static argument {wrong[0]!r}, which '{getattr(fn, '__name__', fn)}' does not take; it takes "
            f"{listed(p.name for p in parameters)}"
        )


def _program(fn: Callable[..., Any], backend: Backend, how: tuple[Any, ...]) -> Callable[..., Any]:
    """Return a function that its framework compiles, with keys for the generators of which it turns out to draw."""
    reads = "register_tracing" in backend.facts
    functions: dict[Known, Callable[..., Any]] = {}
    drawn: dict[Hashable, Known] = {}

    def compiled_with(known: Known) -> Callable[..., Any]:
        if known:
            compiled_words(backend, within=True)  # made here, for a framework that reads programs
        program = (readable if reads else traceable)(fn, backend, known)
        return functions.setdefault(known, backend.fact("compiled_function", program, *how))

    compiled_with(())

    def program(*args: Any, **keywords: Any) -> Any:
        known = drawn.get(_told_apart(args, keywords, how), ()) if drawn else ()
        keys: list[tuple[Any, Any]] = []
        while True:
            function = functions.get(known) or compiled_with(known)
            if known:
                keys += spawned(known[len(keys) :])
                keywords["corearray_keys"] = as_rows(backend, keys)
            token = called.set(known) if reads else None
            try:
                return function(*args, **keywords)
            except Met as met:
                known = (*known, met.source)
                keywords.pop("corearray_keys", None)
                drawn[_told_apart(args, keywords, how)] = known
            finally:
                if token is not None:
                    called.reset(token)

    return program


def _told_apart(args: tuple[Any, ...], keywords: dict[str, Any], how: tuple[Any, ...]) -> Hashable:
    """Return what of the arguments may decide of which generators a program draws: only these advance with a call."""
    places, names = how[:2]
    found = (
        tuple((i, x) for i, x in enumerate(args) if i in places or isinstance(x, _TELLING)),
        tuple((name, x) for name, x in keywords.items() if name in names or isinstance(x, _TELLING)),
    )
    try:
        hash(found)
    except TypeError:  # of which the framework tells, if it minds
        return None
    return found
