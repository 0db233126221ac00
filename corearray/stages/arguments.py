"""Arguments that need more than a conversion: `out`, array-likes, guards, arrays of another backend."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from corearray.arrays.array import Array
from corearray.arrays.nested import map_nested, to_native
from corearray.calls.dispatch import is_foreign as in_plain_memory
from corearray.calls.dispatch import is_typed_number, refuse_other_backend
from corearray.calls.settle import forwarding, settled_dtype
from corearray.checks.keys import readable_key, sound_key
from corearray.checks.options import option_settler
from corearray.checks.values import no_array, plain_number
from corearray.contract.declaration import parameters_of
from corearray.errors import CoreArrayTypeError, CoreArrayValueError, InplaceUpdateError
from corearray.plugin import hookimpl
from corearray.settings.context import NUMBERS, SCALARS
from corearray.stages.protocol import is_foreign, taken_over
from corearray.stages.views import wrote
from corearray.types.dtypes import DTYPES, same_kind

if TYPE_CHECKING:
    from corearray.backends.backend import Backend
    from corearray.calls.binding import Binding, Call
    from corearray.contract.info import Options

__all__ = [
    "handle_array_like_without_promotion",
    "handle_backend_invalid",
    "handle_out_argument",
    "handle_partial_mixed_function",
    "refuse_others",
]


@hookimpl
def handle_out_argument(call: Call, function: Binding) -> Call | None:
    """Write the result into `out` and return `out` itself."""
    place = function.place("out")
    if place is None:
        return None
    backend = function.backend
    name = function.declaration.name
    writes_out = function.implementation is not None and any(
        p.name == "out" for p in parameters_of(function.implementation.function)
    )

    def with_out(args: list[Any]) -> Any:
        out = args[place]
        if out is None:
            return call(args)
        if is_foreign(out) or any(is_foreign(args[i]) for i in function.arrays):
            return taken_over(function, args)
        target = out
        if backend.is_native(out):
            if not backend.writes_in_place:
                raise InplaceUpdateError(
                    f"'{name}' cannot write into a native array of backend '{backend.name}', which never change; "
                    "wrap it with corearray.asarray and pass the Array as out"
                )
            target = backend.wrap(out)
        if not isinstance(target, Array):
            hint = f"; write x.round({out})" if name == "round" and type(out) is int else ""
            raise CoreArrayTypeError(f"out of '{name}' must be an Array, got {type(out).__name__}{hint}")
        if writes_out:
            call(args)
            wrote(backend, target, target._native)
            return out
        args = list(args)
        args[place] = None
        result = call(args)
        result = result if isinstance(result, Array) else backend.wrap(result)
        if result.shape != target.shape and not (
            function.declaration.elementwise and _broadcasts(backend, result, target)
        ):
            raise CoreArrayValueError(
                f"the result of '{name}' has the shape {tuple(result.shape)} and does not fit into out, "
                f"whose shape is {tuple(target.shape)}"
            )
        if not same_kind(result.dtype, target.dtype):
            raise CoreArrayTypeError(
                f"the result of '{name}' has the dtype '{result.dtype}', which cannot be cast to '{target.dtype}' of "
                "out within its kind; give an out of a wider kind"
            )
        target[...] = backend.astype(result, target.dtype, copy=False)
        return out

    return with_out


def _broadcasts(backend: Backend, result: Array, target: Array) -> bool:
    try:
        return bool(backend.broadcast_shapes(result.shape, target.shape) == target.shape)
    except CoreArrayValueError:
        return False


@hookimpl
def handle_array_like_without_promotion(call: Call, function: Binding) -> Call | None:
    """Make arrays of lists and scalars that stand in array parameters, and Python's numbers of NumPy's among options."""
    settled = _settled(function)
    return None if settled is None else lambda args: call(settled(args))


def _settled(function: Binding) -> Callable[[list[Any]], list[Any]] | None:
    """Return what makes of the arguments of a call what the declaration means, or nothing where nothing may be made."""
    made, settle_options = _array_likes_made(function), option_settler(function.declaration)
    if settle_options is None:
        return made

    def settled(args: list[Any]) -> list[Any]:
        args = list(args) if made is None else made(args)
        settle_options(args)
        return args

    return settled


def _array_likes_made(function: Binding) -> Callable[[list[Any]], list[Any]] | None:
    """Return what makes arrays of the lists and scalars of a call, or nothing for a function without arrays."""
    backend = function.backend
    parameters = function.declaration.parameters
    places = [
        (i, parameters[i].python or (parameters[i].scalar and bool(function.declaration.promote)))
        for i in function.arrays
    ]
    sequences = function.sequences
    if not places and not sequences:
        return None
    required = {i for i, p in enumerate(parameters) if p.required}
    annotations = function.declaration.function.__annotations__
    counts = [
        i for i in function.arrays if parameters[i].python and "float" not in str(annotations[parameters[i].name])
    ]
    known = {backend.Array, *backend.array_types}
    keys = [i for i in function.nested if parameters[i].role == "index"]

    name = function.declaration.name

    several_devices = len(backend.devices()) > 1

    def made(x: Any, args: list[Any]) -> Any:
        if type(x) in known or backend.is_array(x) or is_foreign(x):
            return x
        if x is None or isinstance(x, (str, bytes)):
            raise no_array(x, name)
        return backend.asarray(x, device=_device_beside(backend, args) if several_devices else None)

    def with_arrays(args: list[Any]) -> list[Any]:
        args = list(args)
        for i, weak in places:
            x = args[i]
            if type(x) in known or (x is None and i not in required) or (weak and type(x) in SCALARS):
                continue
            if isinstance(x, NUMBERS) and not is_typed_number(x):
                x = plain_number(x)
            elif parameters[i].python and is_typed_number(x):
                x = x.tolist()
            args[i] = x if weak and type(x) in SCALARS else made(x, args)
        for i in counts:
            if type(args[i]) is bool:
                args[i] = int(args[i])
            elif type(args[i]) in SCALARS and type(args[i]) is not int:
                raise CoreArrayTypeError(
                    f"'{name}' got {parameters[i].name}={args[i]!r}; it takes an integer or an array of them"
                )
        for i in keys:
            args[i] = sound_key(backend, args[function.arrays[0]], args[i])
        for i in sequences:
            members = args[i]
            if members is None and i not in required:
                continue
            if isinstance(members, Array) or backend.is_native(members):
                members = list(members)
            weak = parameters[i].python
            args[i] = [x if weak and type(x) in SCALARS else made(x, args) for x in members]
        return args

    return with_arrays


def _device_beside(backend: Backend, args: list[Any]) -> Any:
    """Return the device of the first array of a call: what has none goes there."""
    arrays = (x for arg in args for x in (arg if isinstance(arg, (list, tuple)) else (arg,)) if backend.is_array(x))
    found = next((x for x in arrays if not is_typed_number(x)), None)
    return None if found is None else backend.device_of(found)


@hookimpl
def handle_partial_mixed_function(call: Call, function: Binding) -> Call | None:
    """Run the native implementation where its guard holds, else the composition; the guard sees native arrays."""
    implementation = function.implementation
    if implementation is None or not implementation.options.partial:
        return None
    other = function.other_pipeline("handle_partial_mixed_function")
    if other is None:
        return None
    backend = function.backend
    guard = _guard(function, implementation.options)
    settled, promote = _settled(function), _promoted(function)
    places = [i for i in function.arrays if not function.declaration.parameters[i].python]

    def choose(args: list[Any]) -> Any:
        args = args if settled is None else settled(args)
        if any(is_foreign(args[i]) for i in function.arrays):
            return call(args)
        seen = [map_nested(x, to_native) for x in args]
        if promote is not None:
            promote(seen)
        for i in places:
            if type(seen[i]) in SCALARS:
                seen[i] = backend.asarray(seen[i])._native
        return call(args) if guard(seen) else other(args)

    return choose


def _any_call(args: list[Any]) -> bool:
    return True


def _guard(function: Binding, options: Options) -> Callable[[list[Any]], bool]:
    """Return what tells of native arguments whether the implementation computes them."""
    declaration, native_dtypes = function.declaration, function.backend.native_dtypes
    guard: Callable[[list[Any]], bool] = _any_call
    if options.when is not None:
        text = forwarding(declaration.parameters, options.when, lambda i: f"args[{i}]")
        guard = eval(compile(f"lambda args: guard({text})", "<corearray guard>", "eval"), {"guard": options.when})
    if not options.lacks:
        return guard
    lacking = {native_dtypes[DTYPES[name]] for name in options.lacks if DTYPES[name] in native_dtypes}
    promoted = [i for i in function.arrays if declaration.parameters[i].name in declaration.promote]
    places = promoted or function.arrays[:1]  # all of them: a scalar beside them has its own dtype
    return lambda args: not any(getattr(args[i], "dtype", None) in lacking for i in places) and guard(args)


def _promoted(function: Binding) -> Callable[[list[Any]], None] | None:
    """Return what casts native operands of several dtypes to the one in which the implementation gets them."""
    backend, declaration = function.backend, function.declaration
    parameters = declaration.parameters
    singles = [i for i in function.arrays if parameters[i].name in declaration.promote]
    groups = [i for i in function.sequences if parameters[i].name in declaration.promote]
    if len(singles) < 2 and not groups:
        return None

    def promote(args: list[Any]) -> None:
        operands = [args[i] for i in singles] + [x for i in groups for x in args[i] or ()]
        dtypes = dict.fromkeys(x.dtype for x in operands if backend.is_native(x))
        if len(dtypes) < 2:
            return
        found = settled_dtype(list(map(backend.dtype_from_native, dtypes)), [], declaration.floating)
        target = backend.native_dtype(found)

        def cast(x: Any) -> Any:
            return backend.cast(x, target) if backend.is_native(x) and x.dtype != target else x

        for i in singles:
            args[i] = cast(args[i])
        for i in groups:
            args[i] = args[i] and [cast(x) for x in args[i]]

    return promote


@hookimpl
def handle_backend_invalid(call: Call, function: Binding) -> Call | None:
    """Refuse arrays of another backend than the one that computes."""
    backend = function.backend
    keys = [i for i in function.nested if function.declaration.parameters[i].role == "index"]
    places = [*function.arrays, *function.sequences, *keys]
    out = function.place("out")
    if out is not None:
        places.append(out)
    if not places:
        return None

    known = {backend.Array, *backend.array_types, *SCALARS, type(None)}

    name = function.declaration.name

    def same_backend(args: list[Any]) -> Any:
        for i in places:
            if type(args[i]) not in known:
                refuse_others(args[i], backend, name, is_key=i in keys)
        return call(args)

    return same_backend


def refuse_others(value: Any, backend: Backend, name: str, *, is_key: bool = False) -> None:
    """Refuse arrays of other backends in an argument of the function `name`; in a key, integers and NumPy's arrays pass.

    Raises
    ------
    BackendMismatchError
        With both backends and the remedy.
    """
    if isinstance(value, (tuple, list)):
        for item in value:
            refuse_others(item, backend, name, is_key=is_key)
        return
    if value is None or isinstance(value, NUMBERS) or backend.is_array(value):
        return
    if is_key and (in_plain_memory(value) or type(readable_key(backend, value)) is int):
        return
    refuse_other_backend(value, backend, name)
