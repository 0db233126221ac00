"""Between `Array` and native arrays, `Shape` and native shapes, in both directions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from corearray.arrays.array import Array
from corearray.arrays.nested import as_functions_return, map_nested
from corearray.plugin import hookimpl
from corearray.settings.context import current_settings
from corearray.types.shape import Shape

if TYPE_CHECKING:
    from corearray.calls.binding import Binding, Call

__all__ = [
    "inputs_to_arrays",
    "inputs_to_native_arrays",
    "inputs_to_native_shapes",
    "outputs_to_arrays",
    "outputs_to_native_arrays",
    "outputs_to_shapes",
]


def _converted(call: Call, function: Binding, change: Callable[[Any], Any]) -> Call | None:
    """Convert the array arguments of a call, in sequences, keys and nested values too."""
    single = function.arrays
    nested = [*function.sequences, *function.nested]
    out = function.place("out")
    if out is not None:
        single = [*single, out]
    if not single and not nested:
        return None

    def convert(args: list[Any]) -> Any:
        args = list(args)
        for i in single:
            args[i] = change(args[i])
        for i in nested:
            args[i] = map_nested(args[i], change)
        return call(args)

    return convert


@hookimpl
def outputs_to_arrays(call: Call, function: Binding) -> Call | None:
    """Wrap native arrays that are returned, unless native array mode is on."""
    if function.implementation is None or not function.returns_arrays:
        return None
    backend = function.backend

    principal = backend.array_types[0]

    def wrap(value: Any) -> Any:
        return backend.wrap(backend.ensured(value)) if backend.is_native(value) else value

    def wrapped(args: list[Any]) -> Any:
        result = call(args)
        if current_settings().native_arrays:
            return map_nested(result, backend.ensured)
        return backend.wrap(result) if type(result) is principal else map_nested(result, wrap)

    return wrapped


@hookimpl
def outputs_to_shapes(call: Call, function: Binding) -> Call | None:
    """Make a `Shape` of a native shape that is returned, or in shape array mode an array of that of an array."""
    if function.forced("outputs_to_shapes"):
        return lambda args: _as_shape(call(args))
    if function.declaration.returns != "Shape":
        return None
    if not function.arrays:
        return lambda args: Shape(call(args))
    backend = function.backend

    def shaped(args: list[Any]) -> Any:
        sizes = Shape(call(args))
        settings = current_settings()
        return backend.asarray(list(sizes), dtype=settings.dtypes["integral"]) if settings.shape_arrays else sizes

    return shaped


def _as_shape(result: Any) -> Any:
    """Return a `Shape` for a tuple or list of sizes; everything else stays what it is."""
    return Shape(result) if type(result) in (tuple, list) and all(type(size) is int for size in result) else result


@hookimpl
def outputs_to_native_arrays(call: Call, function: Binding) -> Call | None:
    """Unwrap what a composition returns, in native array mode, which rests for the functions that it calls."""
    if not function.returns_arrays:
        return None
    if function.implementation is not None and not function.forced("outputs_to_native_arrays"):
        return None

    return as_functions_return(call)


@hookimpl
def inputs_to_native_arrays(call: Call, function: Binding) -> Call | None:
    """Unwrap the `Array`s in the arguments of a native implementation."""
    if function.implementation is None:
        return None
    own, plain = function.backend.Array, function.backend.plain
    converted = _converted(call, function, lambda x: x._native if isinstance(x, own) else plain(x))
    parameters = function.declaration.parameters
    place = next((i for i in function.nested if parameters[i].role == "object"), None)
    if converted is None or place is None:
        return converted

    def same_array(args: list[Any]) -> Any:
        """Return the very `Array` that was given where nothing had to be done, so that both names see later writes."""
        result = converted(args)
        given = args[place]
        if isinstance(given, own) and isinstance(result, own) and result._native is given._native:
            return given
        return result

    return same_array


@hookimpl
def inputs_to_native_shapes(call: Call, function: Binding) -> Call | None:
    """Make a plain tuple of a shape, or of one integer that stands for it."""
    parameters = function.declaration.parameters
    places = [i for i, p in enumerate(parameters) if p.name in ("shape", "newshape")]
    forced = function.forced("inputs_to_native_shapes")
    others = [i for i in range(len(parameters)) if i not in places] if forced else []
    if not places and not others:
        return None

    def with_tuples(args: list[Any]) -> Any:
        args = list(args)
        for i in places:
            shape = args[i]
            if isinstance(shape, (tuple, list)):
                args[i] = tuple(shape)
            elif isinstance(shape, Array):  # that a framework traces: all others have been read
                args[i] = (shape,) if shape.ndim == 0 else shape
            elif hasattr(shape, "__index__"):
                args[i] = (shape.__index__(),)
        for i in others:
            if type(args[i]) is Shape:
                args[i] = tuple(args[i])
        return call(args)

    return with_tuples


@hookimpl
def inputs_to_arrays(call: Call, function: Binding) -> Call | None:
    """Wrap the native arrays in the arguments of a composition."""
    if function.implementation is not None and not function.forced("inputs_to_arrays"):
        return None
    backend = function.backend

    def wrap(value: Any) -> Any:
        return backend.wrap(backend.plain(backend.ensured(value))) if backend.is_native(value) else value

    return _converted(call, function, wrap)
