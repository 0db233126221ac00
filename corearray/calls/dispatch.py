"""From the arguments of a call to the backend, and the public function that forwards to it.

A public function is a plain Python function whose code is written when it is first called: it reads the settings, looks up
the types of the first arrays if no backend is set, and calls the backend's function. `print(dispatcher_source(corearray.add))`
shows it. The accelerator runs the plans of the backend in force before it.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from types import FunctionType
from typing import TYPE_CHECKING, Any

from corearray.calls.accelerated import accelerator, public_callable, python_of
from corearray.calls.codegen import attribute, compiled, defined, leaving, positions_text, signature_text, when
from corearray.calls.positions import by_position, guard_lines
from corearray.calls.tracebacks import frames_to_user, shorten
from corearray.checks.first_look import LOOKS
from corearray.contract.declaration import DECLARATIONS, Declaration
from corearray.errors import BackendMismatchError
from corearray.logs import log_choice
from corearray.settings.context import DEFAULT_BACKEND, current_settings, settings, take_implicit
from corearray.settings.record import Settings

if TYPE_CHECKING:
    from corearray.arrays.array import Array
    from corearray.backends.backend import Backend
    from corearray.backends.namespace import Calls

__all__ = [
    "CALLS",
    "ROUTES",
    "add_route",
    "advice_about",
    "array_within",
    "backend_of",
    "dispatcher_source",
    "held_elsewhere",
    "is_foreign",
    "is_typed_number",
    "public_function",
    "refuse_other_backend",
    "remove_routes",
    "resolve",
    "share_routes",
]

#: The backend of each array type met so far: `Array` classes and native types of loaded backends.
ROUTES: dict[type, Backend] = {}

#: The functions of these backends, for the dispatchers.
CALLS: dict[type, Calls] = {}

#: Backends with an array type that is also another backend's; they take arrays of it while they are in force.
_SHARING: set[Backend] = set()

#: Functions among them: to a tracer of Python code one that runs in C is a Python function, as it traces that.
_NOT_ARRAYS = (bool, int, float, complex, str, bytes, type(None), slice, type(Ellipsis), FunctionType)


def add_route(kind: type, backend: Backend) -> None:
    """Let arrays of a type decide for a backend, and no numbers, which do where there is no array."""
    if _of_numbers(kind):
        return
    ROUTES[kind] = backend
    CALLS[kind] = backend.calls


def share_routes(backend: Backend) -> None:
    """Let a backend take arrays of its types while it is in force, though they are also another backend's."""
    _SHARING.add(backend)


def remove_routes(backend: Backend | None) -> None:
    """Forget the array types of a backend, which another one of its name may follow."""
    _SHARING.discard(backend)
    if accelerator and backend is not None:
        for declaration in DECLARATIONS.values():
            if declaration.has_kernel:
                declaration.public.plans.pop(backend.calls, None)  # type: ignore[union-attr]
    for kind in [kind for kind, known in ROUTES.items() if known is backend]:
        del ROUTES[kind], CALLS[kind]


def is_typed_number(value: object) -> bool:
    """Whether something is a number that has a dtype, as NumPy's: it tells of its memory as arrays do, but never changes.

    Beside arrays of any backend it is one of its dtype without axes, as `asarray` makes it.
    """
    return _of_numbers(type(value))


def _of_numbers(kind: type) -> bool:
    return hasattr(kind, "__array_interface__") and hasattr(kind, "tolist") and not hasattr(kind, "__setitem__")


def is_foreign(value: object) -> bool:
    """Whether something tells of its dtype and memory as NumPy's arrays and numbers do, and need not be of the backend."""
    kind = type(value)
    return hasattr(kind, "__array_interface__") and hasattr(kind, "dtype")


def backend_of(value: object, depth: int = 0, *, numbers: bool = True) -> Backend | None:
    """Return the backend of the first array in a value; lists, tuples and mappings are searched.

    A number that has a dtype decides where there is no array, unless `numbers` is false.

    The framework of a native array need not be loaded as a backend yet; this loads it.
    """
    kind = type(value)
    if _SHARING and (given := current_settings().backend) in _SHARING and given.is_native(value):
        return given
    found = ROUTES.get(kind)
    if found is not None or kind in _NOT_ARRAYS:
        return found
    if isinstance(value, (list, tuple)):
        items = value
    elif isinstance(value, Mapping):
        items = tuple(value.values())
    elif hasattr(kind, "__corearray_arrays__"):
        items = value.__corearray_arrays__()  # type: ignore[attr-defined]
    else:
        from corearray.manager import manager

        return manager.backend_of_type(kind)
    return _first_of(items, depth + 1, numbers=numbers) if depth < 16 else None


def advice_about(value: object) -> str | None:
    """Return what a loaded backend advises about an object of its framework that is no array."""
    from corearray.manager import manager

    return next(filter(None, (backend.fact("advice", value) for backend in manager.loaded())), None)


def held_elsewhere(value: object, backend: Backend, name: str) -> Any:
    """Return the array that an object offers by the protocol of another backend's framework, or `None`.

    The protocol of a framework whose backend is not loaded yet is a method such as `__jax_array__` or `__tf_tensor__`; the
    array that it returns loads the backend.

    Raises
    ------
    BackendMismatchError
        If its derivative is being recorded, which would end here.
    """
    from corearray.manager import manager

    for other in manager.loaded():
        held = other.fact("held_array", value) if other is not backend else None
        if held is not None:
            break
    else:
        held = _offered(value)
    owner = None if held is None else backend_of(held)
    if owner is not None and owner is not backend and owner.fact("records_gradient", held):
        refuse_other_backend(held, backend, name)
    return held


#: The names of methods by which classes offer arrays of a framework, such as `__jax_array__`. Arrow is no array framework: a
#: table's `__arrow_array__` copies, and raises an error without pyarrow.
_PROTOCOL = re.compile(r"__(?!arrow_|corearray_)[a-z0-9]+_(array|tensor)__")


def _offered(value: object) -> Any:
    """Return what the first such method of an object returns; what is no array of a backend is left out."""
    kind = type(value)
    if kind in ROUTES or isinstance(value, type):
        return None
    found = (getattr(value, method)() for method in dir(kind) if _PROTOCOL.fullmatch(method))
    return next((held for held in found if backend_of(held) is not None), None)


def _first_of(values: Iterable[object], depth: int = 0, *, numbers: bool = True) -> Backend | None:
    left = []
    for value in values:
        if is_typed_number(value):
            left.append(value)
        elif (found := backend_of(value, depth, numbers=False)) is not None:
            return found
        elif type(value) not in _NOT_ARRAYS:
            left.append(value)
    return next((found for value in left if (found := backend_of(value, depth)) is not None), None) if numbers else None


def array_within(value: Any) -> Array | None:
    """Return the array that an object of a frontend holds and its method `__corearray_array__` returns, else `None`."""
    return value.__corearray_array__() if hasattr(type(value), "__corearray_array__") else None


def _first_held(values: Iterable[object], depth: int = 0) -> Backend | None:
    """Return the backend of the first array that an object holds, as those of the frontends do."""
    for value in values:
        if (array := array_within(value)) is not None:
            return ROUTES.get(type(array))
        if isinstance(value, (list, tuple)) and depth < 16 and (found := _first_held(value, depth + 1)) is not None:
            return found
    return None


def refuse_other_backend(value: object, backend: Backend, name: str, *, numbers: bool = True) -> None:
    """Refuse an array of another backend in an argument of the function `name`; `numbers` of its library pass.

    Raises
    ------
    BackendMismatchError
        With both backends and the remedy.
    """
    mine = backend in _SHARING and backend.is_native(value)
    other = None if mine or (numbers and is_typed_number(value)) else backend_of(value, numbers=not numbers)
    if other is not None and other is not backend:
        raise BackendMismatchError(
            f"'{name}' runs on backend '{backend.name}' and got an array of backend "
            f"'{other.name}' ({type(getattr(value, '_native', value)).__name__}); convert it with "
            f'corearray.to_backend(x, "{backend.name}")' + _unset_remedy(other)
        )


def _unset_remedy(other: Backend) -> str:
    """Return what to do about an array that was made while no backend was set."""
    state: Settings = current_settings()
    if state.backend is not None and other is not state.implicit:
        return ""
    return (
        ". An array that is made while no backend is set is of the backend of the last call; call corearray.set_backend "
        "first, or decorate the function of a library with @corearray.agnostic"
    )


def resolve(arguments: tuple[object, ...], name: str = "") -> Backend:
    """Choose the backend of a call: the one in force, else that of the first array, else the implicit one."""
    state: Settings = current_settings()
    if state.backend is not None:
        log_choice(state.backend.name, "the stack", name)
        return state.backend
    found = _first_of(arguments) or _first_held(arguments)
    backend = found or state.implicit
    if backend is None:
        from corearray.manager import manager

        backend = manager.load(DEFAULT_BACKEND)
    take_implicit(backend)
    log_choice(backend.name, "the arguments" if found else "the last call, as the implicit one", name)
    return backend


def _dispatcher_text(declaration: Declaration) -> str:
    """Write a public function."""
    parameters = declaration.parameters
    name = declaration.name
    everything = "".join(f"{p.name}, " for p in parameters)
    found = [f"route(_type({p.name}))" for p in parameters if p.role == "array" and p.how != "keyword"][:2]
    found = found or [f"first({p.name})" for p in parameters if p.role == "arrays"] or ["None"]
    choice = [
        f"calls = {' or '.join(found)}",
        *when(
            ["(calls is None or calls is not state.implicit_calls)"],
            [f"calls = resolve(({everything}), {name!r}).calls"],
        ),
    ]
    lines = [
        *guard_lines(name, parameters),
        "state = settings()",
        "calls = state.calls",
        *when(["calls is None"], choice),
        f"return {attribute('calls', name)}({positions_text(parameters)})",
    ]
    return defined(name, signature_text(parameters), leaving(lines))


def _first(arrays: object) -> Calls | None:
    return CALLS.get(type(arrays[0])) if isinstance(arrays, (list, tuple)) and arrays else None


def _first_call(declaration: Declaration, *args: Any, **kwargs: Any) -> Any:
    """Write the code of a public function and make the call."""
    public = declaration.public
    assert public is not None
    written_for = python_of(public)
    namespace = written_for.__globals__
    namespace.update(
        _by_position=by_position,
        settings=settings,
        route=CALLS.get,
        first=_first,
        resolve=resolve,
        _shorten=shorten,
    )
    for loaded in set(ROUTES.values()):
        if not hasattr(loaded.calls, declaration.name):
            loaded.calls.add_function(declaration.name)
        loaded.install_plan(declaration)
    _rewrite(written_for, compiled(declaration.name, _dispatcher_text(declaration), namespace, "dispatch"))
    if declaration.name in LOOKS:
        text = ""
        with suppress(
            AttributeError, LookupError, RuntimeError, TypeError, ValueError
        ):  # what cannot be read, or is wrong
            text = LOOKS[declaration.name](args, kwargs)
        if text:
            warnings.warn(text, UserWarning, stacklevel=frames_to_user())
    return public(*args, **kwargs)


def _rewrite(public: FunctionType, function: FunctionType) -> None:
    """Give a public function the code of another one."""
    public.__defaults__ = function.__defaults__
    public.__kwdefaults__ = function.__kwdefaults__
    public.__code__ = function.__code__


def _unwritten(*args: Any, **kwargs: Any) -> Any:
    try:
        return first_call(declaration, *args, **kwargs)  # type: ignore[name-defined]  # noqa: F821
    except Exception as error:
        shorten(error)
        raise


def public_function(declaration: Declaration) -> FunctionType:
    """Make the public function of a declaration; its code is written at the first call."""
    written = declaration.function
    namespace: dict[str, Any] = {
        "__builtins__": __builtins__,
        "__name__": written.__module__,
        "first_call": _first_call,
        "shorten": shorten,
        "declaration": declaration,
    }
    public = FunctionType(_unwritten.__code__, namespace, declaration.name)
    public.__doc__ = written.__doc__
    public.__module__ = written.__module__
    public.__qualname__ = written.__qualname__
    public.__annotations__ = written.__annotations__
    public.__wrapped__ = written  # type: ignore[attr-defined]
    return public_callable(public, with_plans=declaration.has_kernel)


def dispatcher_source(function: Callable[..., Any]) -> str:
    """Return the source that a public function runs."""
    return _dispatcher_text(function.__globals__["declaration"])
