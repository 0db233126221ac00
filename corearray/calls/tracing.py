"""For frameworks that trace the Python code of a program, line by line, and not the calls of its native functions.

Such a tracer cannot follow how a function is composed, and refuses the context variable that holds the settings. Both
are set apart in a few functions, which it may call instead of looking into them, and it is given a function to trace in
place of each dispatcher. Frameworks that trace a program by running it need nothing of this.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from types import FunctionType, SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from corearray.arrays.array import Array
from corearray.arrays.nested import map_nested, to_native
from corearray.calls.accelerated import ACCELERATED
from corearray.calls.memo import ANSWERED, MEMOISED, TRACING
from corearray.calls.truths import known_truth
from corearray.checks.values import foreign_dtype
from corearray.contract.declaration import DECLARATIONS
from corearray.contract.traced import followed_function
from corearray.errors import BackendMismatchError
from corearray.logs import log_choice
from corearray.random import Generator
from corearray.random.context import default_generator
from corearray.random.loops import made_in_step
from corearray.random.programs import being_compiled, being_recorded, place_in_call, stand_in
from corearray.random.programs import traced as traced_program
from corearray.random.words import operators_take_numbers
from corearray.settings.agnostic import STEPS, run_on
from corearray.settings.context import DEFAULT_BACKEND, current_settings, take_implicit
from corearray.settings.record import Settings
from corearray.stages.views import link_copy, wrote
from corearray.types.devices import device_named
from corearray.types.dtypes import name_told

if TYPE_CHECKING:
    from corearray.backends.backend import Backend
    from corearray.calls.binding import Candidate
    from corearray.types.dtypes import DType

__all__ = ["call_of", "make_traceable"]

#: The backends for whose frameworks' tracers functions were marked, each with what its dispatchers do in a traced call.
_TRACED: list[tuple[Backend, Callable[[], None]]] = []


def call_of(name: str, namespace: str, kinds: tuple[type, ...]) -> Callable[..., Any]:
    """Return the function to trace for a public one that is called with arguments of some types.

    It is one of the backend that was marked for a tracer last. If there is none yet, the backend of the arguments is
    loaded, and the one to trace is the one that the call would run on.
    """
    if not _TRACED:
        from corearray.manager import manager

        settings = current_settings()
        found = (manager.backend_of_type(kind) for kind in kinds)
        backend = settings.backend or next(filter(None, found), settings.implicit) or manager.load(DEFAULT_BACKEND)
        if not _TRACED:
            return _with_arrays(name, namespace, backend)
    backend, choose = _TRACED[-1]
    choose()
    return _with_arrays(name, namespace, backend)


@cache
def _with_arrays(name: str, namespace: str, backend: Backend) -> Callable[..., Any]:
    """Return a backend's function with native arrays wrapped before it is called.

    To a tracer, native arrays within a transform may seem to have every attribute, those of an `Array` too.
    """
    owner = getattr(backend, namespace) if namespace else backend
    native = backend.array_types

    def wrapped(value: Any) -> Any:
        if isinstance(value, native):
            return backend.wrap(value)
        if type(value) in (list, tuple):
            return type(value)([wrapped(item) for item in value])
        return value

    def call(*args: Any, **options: Any) -> Any:
        return getattr(owner, name)(*[wrapped(arg) for arg in args], **options)

    return call


#: What is asked of a plugin while it computes. A tracer notes what was not found in a table, and would trace again.
_FACTS = (
    "adam_updated", "astype", "custom_gradient", "device_beside", "device_name", "device_of", "error_kind", "forward_mode",
    "is_layout", "move", "moved", "native_device", "random_words", "records_gradient", "rematerialized", "reverse_mode",
    "scanned", "set_item", "to_list", "truth", "usual_device", "vectorized",
)  # fmt: skip


def make_traceable(backend: Backend) -> None:
    """Offer a backend's framework the functions that users call, and what it needs to trace programs of them."""
    for declaration in DECLARATIONS.values():
        backend.fact("register_function", declaration.public)
    for method in vars(Array).values():
        if isinstance(method, FunctionType):
            backend.fact("register_function", method)
    for step in STEPS:
        backend.fact("register_function", step)
    if "register_tracing" in backend.facts:
        backend.facts.prepare(_FACTS)
        _ = backend.usual_device
        _ = backend.asarray  # which numbers that have a dtype go through: composed while it traces, it would begin anew
        for device in backend.devices():
            device_named(backend.fact("device_name", backend.native_device(device)))
        backend.fact("register_tracing", *_tracing(backend))
        TRACING.add(backend)


def _tracing(backend: Backend) -> tuple[list[FunctionType], dict[FunctionType, FunctionType]]:
    """Return what a tracer may call and keep, and what it is to trace in place of what."""
    noted = SimpleNamespace()

    def note() -> None:
        """Put the settings where a tracer can read them."""
        noted.settings = current_settings()

    def noted_settings() -> Settings:
        note()
        return noted.settings  # type: ignore[no-any-return]

    def note_generator() -> None:
        noted.generator = default_generator()

    def noted_generator() -> Generator:
        note_generator()
        return noted.generator  # type: ignore[no-any-return]

    def noted_stand_in(source: Generator) -> Any:
        if source._within:
            return source
        place = place_in_call(source)
        return source if place < 0 else traced_program.children[place]

    def choose() -> None:
        """Do once, for the calls that are traced, what their dispatchers do."""
        settings = current_settings()
        if settings.backend is not None and settings.backend is not backend:
            raise BackendMismatchError(
                f"a program is traced for backend '{backend.name}' while '{settings.backend.name}' is in force; put it "
                f'into a block "with corearray.backend_context({backend.name!r}):", or call corearray.unset_backend()'
            )
        take_implicit(backend)

    made = cast("Candidate", backend.binding("asarray").implementation).function

    def dtype_made(value: Any, name: str) -> DType:
        """Return the dtype of the framework's own array that a tracer has in place of one of another library."""
        return backend.dtype_of_native[made(value).dtype]

    namespaces = (
        backend,
        backend.linalg,
        backend.native,
        backend.pipelines,
    )  # the innermost calls are kept as chains are
    composing = [type(namespace).compose for namespace in namespaces]
    constants = [
        *composing,
        type(backend).compose_operator,
        name_told,
        log_choice,
        Generator._taken,
        place_in_call,
        note,
        note_generator,
        operators_take_numbers,
        *ANSWERED,
    ]
    _TRACED.append((backend, choose))
    traced: dict[Any, Any] = {
        declaration.public: followed_function(declaration) for declaration in DECLARATIONS.values()
    }
    importlib.import_module("corearray.transforms.tree")  # which has functions that C leads
    sent: Any = importlib.import_module("corearray.transforms.sent")
    traced[sent.transformed] = sent.as_it_is
    again: Any = importlib.import_module("corearray.transforms.rematerialized")
    traced[again.rematerialized] = again.traced_call
    traced[run_on] = _traced_on(backend)
    traced |= MEMOISED | ACCELERATED
    traced[cast(Any, Array.shape).fget] = _plain_shape
    traced[current_settings] = noted_settings
    traced[default_generator] = noted_generator
    traced[stand_in] = noted_stand_in
    traced[being_compiled] = lambda: True
    traced[being_recorded] = lambda: False
    traced[made_in_step] = lambda source: None  # a tracer of bytecode takes the steps of loops one by one
    traced[known_truth] = lambda x: None
    traced[foreign_dtype] = dtype_made
    traced[link_copy] = _no_link
    traced[wrote] = _replaced
    return cast("list[FunctionType]", constants), traced


def _traced_on(backend: Backend) -> Callable[..., Any]:
    """Return what is traced for `run_on`: the backend of a program is chosen before, and its settings stay as they are."""
    native = backend.array_types

    def run(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        own: list[bool] = []

        def given(leaf: Any) -> Any:
            if isinstance(leaf, Array):
                own.append(True)
            return backend.wrap(leaf) if isinstance(leaf, native) else leaf

        args, kwargs = map_nested(args, given), map_nested(kwargs, given)
        value = fn(*args, **kwargs)
        return value if own else map_nested(value, to_native)

    return run


def _plain_shape(x: Array) -> tuple[int, ...]:
    """Return the shape that a tracer knows: to it, one of a class of ours is no constant, which `torch.zeros` could take."""
    return cast("tuple[int, ...]", x._native.shape)


def _no_link(backend: Backend, view: Any, base: Any, step: Any) -> None:
    """Leave a copy alone: a tracer follows native arrays, and would note every change of what links them."""


def _replaced(backend: Backend, x: Array, native: Any, key: Any = ...) -> None:
    x._native = native
