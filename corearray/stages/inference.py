"""What a call leaves open is filled in from its arguments or from the settings: device and dtype."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from corearray.arrays.nested import to_native
from corearray.calls.dispatch import backend_of
from corearray.calls.settle import settled_dtype
from corearray.checks.values import Values, known_dtype
from corearray.errors import CoreArrayTypeError, DeviceError, options
from corearray.plugin import hookimpl
from corearray.settings.context import SCALARS, current_settings
from corearray.types.devices import Device
from corearray.types.dtypes import DType, as_dtype

if TYPE_CHECKING:
    from corearray.backends.backend import Backend
    from corearray.calls.binding import Binding, Call

__all__ = ["NOT_VALUES", "accumulated", "handle_device_shifting", "infer_device", "infer_dtype"]


@hookimpl
def infer_device(call: Call, function: Binding) -> Call | None:
    """Fill `device` from the first array argument, else from the default device."""
    place = function.place("device")
    if place is None:
        return None
    backend = function.backend
    native = function.implementation is not None
    like = [*function.arrays, *function.nested]
    left_open = not like and function.declaration.infer is None  # from_dlpack: the data stay where they are

    def with_device(args: list[Any]) -> Any:
        wanted = args[place]
        if wanted is None and left_open:
            return call(args)
        args, settings = list(args), current_settings()
        arrays = [args[i] for i in like if type(args[i]) not in SCALARS and backend.is_array(args[i])]
        usual = wanted is None or (type(wanted) is Device and wanted == backend.devices()[0])
        if settings.mesh is not None and native and usual and not arrays:
            return whole_everywhere(args, backend.mesh(settings.mesh))
        if wanted is None:
            if arrays and native:
                args[place] = backend.beside(to_native(arrays[0]))
                return call(args)
            wanted = backend.device_of(arrays[0]) if arrays else settings.device or backend.devices()[0]
        found = backend.place(wanted)
        args[place] = found if native else wanted
        return call(args)

    def whole_everywhere(args: list[Any], mesh: Any) -> Any:
        """Create an array on a native mesh."""
        args[place] = backend.usual_device
        return backend.facts["placed_on"](call(args), mesh, None)

    return with_device


@hookimpl
def handle_device_shifting(call: Call, function: Binding) -> Call | None:
    """Refuse arrays on different devices, or move them to the first one's in soft device mode."""
    backend = function.backend
    places = [*function.arrays, *function.sequences]
    if not function.sequences and len(function.arrays) < 2:
        return None
    if len(backend.devices()) < 2:
        return None
    name_of = backend.facts["device_of"]

    def on_one_device(args: list[Any]) -> Any:
        values: list[Any] = []
        for i in places:
            values.extend(args[i] if i in function.sequences and args[i] is not None else (args[i],))
        given = [x for x in values if backend.is_array(x)]
        arrays = [x for x in given if backend.stays(to_native(x))]
        soft = current_settings().soft_device
        if soft and 0 < len(arrays) < len(given) and any(map(is_split, given)):
            return call(with_changed(args, freed))
        if len({name_of(to_native(x)) for x in arrays}) < 2:
            return call(args)
        devices = [backend.device_of(x) for x in arrays]
        if not soft:
            raise DeviceError(
                f"'{function.declaration.name}' got arrays on the devices {options(set(devices))}; move them to one "
                "with x.to_device(device), or switch the soft device mode on"
            )
        target = devices[0]
        return call(with_changed(args, lambda native: backend.moved(native, target)))

    def is_split(x: Any) -> bool:
        return "layout_of" in backend.facts and backend.facts["layout_of"](to_native(x)) is not None

    def freed(native: Any) -> Any:
        """Return an array on one device as one that its framework moves to split arrays."""
        return backend.native.asarray(backend.fact("to_numpy", native))

    def with_changed(args: list[Any], change: Callable[[Any], Any]) -> list[Any]:
        """Return arguments with new arrays in place of those that are tied to one device."""

        def changed(x: Any) -> Any:
            if not backend.is_array(x) or not backend.stays(to_native(x)):
                return x
            return change(x) if backend.is_native(x) else backend.wrap(change(to_native(x)))

        args = list(args)
        for i in places:
            several = i in function.sequences and args[i] is not None
            args[i] = [changed(x) for x in args[i]] if several else changed(args[i])
        return args

    return on_one_device


@hookimpl
def infer_dtype(call: Call, function: Binding) -> Call | None:
    """Fill `dtype` in by the declaration's rule, and bring every way to name a dtype to one."""
    place = function.place("dtype")
    if place is None:
        return None
    backend = function.backend
    native = function.implementation is not None
    name, rule, read = function.declaration.name, _rule(function), _reader(function)
    infer = function.declaration.infer
    summed = function.arrays[0] if infer in ("sum", "mean") else None

    required = function.declaration.parameters[place].required
    known = backend.dtype_of_native
    own = next((i for i, p in enumerate(function.declaration.parameters) if p.role == "object" and i == 0), None)

    def with_dtype(args: list[Any]) -> Any:
        given = args[place]
        if given is None and own is not None and backend.is_native(args[own]) and args[own].dtype in known:
            return call(args)  # it keeps its dtype
        if given is None and required:
            raise CoreArrayTypeError(f"'{name}' got dtype=None; give a dtype or its name")
        args = list(args)
        values = None if read is None else read(args)
        dtype = rule(args, values) if given is None else as_dtype(given)
        if dtype is not None:
            chosen = given is None and (values is None or dtype not in values[0])
            dtype = backend.own_dtype(dtype) if chosen or given is int else dtype
        if values is not None and dtype is not None:
            _refuse_loss(name, values[0], dtype)
            if given is not None and own is not None:
                args[own] = _readable(args[own], dtype, backend)
            if complex in values[1] and dtype.category not in _WITH_COMPLEX:
                raise CoreArrayTypeError(
                    f"'{name}' got the complex number {values[1][complex]} and dtype='{dtype}'; give its real part, or a "
                    "complex dtype"
                )
        elif given is not None and dtype is not None and summed is not None:
            if infer == "mean" and dtype.category not in ("real floating", "complex floating"):
                raise CoreArrayTypeError(f"'{name}' got dtype='{dtype}'; give a floating dtype")
            _refuse_loss(name, [backend.dtype_of(args[summed])], dtype)
        args[place] = backend.native_dtype(dtype) if native and dtype is not None else dtype
        return call(args)

    return with_dtype


def _readable(value: Any, dtype: DType, backend: Backend) -> Any:
    """Return an array of another framework in the dtype that is asked for, where the backend lacks the array's own."""
    owner = (
        None
        if type(value) in SCALARS or backend.is_array(value) or isinstance(value, (list, tuple))
        else backend_of(value)
    )
    if owner is None or owner is backend:
        return value
    native = getattr(value, "_native", value)
    if owner.dtype_of_native.get(native.dtype, dtype) in backend.native_dtypes or dtype not in owner.native_dtypes:
        return value
    return owner.native.astype(native, owner.native_dtype(dtype))


#: Kinds of dtypes of which complex numbers are made.
_WITH_COMPLEX = ("complex floating", "bool")


def _refuse_loss(name: str, dtypes: Iterable[DType], wanted: DType) -> None:
    """Refuse to leave the imaginary parts of numbers out, as `astype` does."""
    if wanted.category in _WITH_COMPLEX:
        return
    for dtype in dtypes:
        if dtype.category == "complex floating":
            raise CoreArrayTypeError(
                f"'{name}' got an array of dtype '{dtype}' and dtype='{wanted}'; "
                "take corearray.real(x) or corearray.abs(x) first"
            )


def accumulated(dtype: DType) -> DType:
    """Return the dtype in which a sum of this dtype is taken: integers at least as wide as the default.

    Examples
    --------
    >>> import corearray as ca
    >>> accumulated(ca.int8), accumulated(ca.uint8), accumulated(ca.float32)
    (corearray.int64, corearray.uint64, corearray.float32)
    """
    defaults = current_settings().dtypes
    if dtype.category == "bool":
        return defaults["integral"]
    if dtype.category == "signed integer":
        return dtype if dtype.bits > defaults["integral"].bits else defaults["integral"]
    if dtype.category == "unsigned integer":
        return dtype if dtype.bits > defaults["unsigned"].bits else defaults["unsigned"]
    return dtype


#: The dtypes of the arrays among the values of a call, and one Python number of each type.
_Found = tuple[Iterable[DType], dict[type, Any]]


def _reader(function: Binding) -> Callable[[list[Any]], _Found] | None:
    """Return what reads the values of which an array is made, or with which one is filled, if a function has some."""
    parameters = function.declaration.parameters
    place = next((i for i, p in enumerate(parameters) if p.role == "object"), None)
    if place is None:
        return None
    backend, name = function.backend, function.declaration.name
    made = any(p.role == "array" or p.name == "shape" for p in parameters)  # which is filled with one number

    def read(args: list[Any]) -> _Found:
        dtype = None if made else known_dtype(backend, args[place], name)
        if dtype is not None:
            return (dtype,), {}
        values = Values(backend, name)
        value = args[place] = values.read(args[place])
        if made and type(value) not in SCALARS and not backend.is_native(value):
            args[place] = backend.native.asarray(value)
        return values.dtypes, values.scalars

    return read


def _rule(function: Binding) -> Callable[[list[Any], _Found | None], DType | None]:
    backend = function.backend
    infer = function.declaration.infer
    if infer == "float":
        return lambda args, values: current_settings().dtypes["real floating"]
    if infer in ("like", "sum", "mean"):
        array = function.arrays[0]
        if infer == "like":
            return lambda args, values: backend.dtype_of(args[array])
        if infer == "mean":
            return lambda args, values: settled_dtype([backend.dtype_of(args[array])], [], floating=True)
        return lambda args, values: accumulated(backend.dtype_of(args[array]))
    if infer == "value":
        parameters = function.declaration.parameters
        plain = [i for i, p in enumerate(parameters) if (p.role == "plain" and p.name not in NOT_VALUES) or p.python]
        first = next(i for i, p in enumerate(parameters) if p.role in ("plain", "object"))
        keeps, floating = parameters[first].role == "object", function.declaration.floating

        def from_values(args: list[Any], values: _Found | None) -> DType | None:
            if keeps and backend.is_array(args[first]):
                return None
            found, scalars = values or ((), {})
            dtypes = list(found)
            for i in plain:
                _collect(args[i], backend, dtypes, scalars)
            if len(dtypes) == 1 and not scalars and not floating:
                return dtypes[0]
            if not dtypes and not scalars:
                return current_settings().dtypes["real floating"] if _is_empty(args[first]) else None
            return settled_dtype(dtypes, list(scalars.values()), floating)

        return from_values
    return lambda args, values: None


#: Parameters of numbers that say nothing about the dtype of the result.
NOT_VALUES = ("shape", "num", "copy", "endpoint", "n_rows", "n_cols", "k", "axis", "base")


def _is_nest(value: Any) -> bool:
    return isinstance(value, (list, tuple))


def _is_empty(value: Any) -> bool:
    return _is_nest(value) and all(map(_is_empty, value))


def _collect(value: Any, backend: Backend, dtypes: list[DType], scalars: dict[type, Any]) -> None:
    """Gather the dtype of an array, or a Python number."""
    if type(value) in SCALARS:
        scalars[type(value)] = value
    elif backend.is_array(value):
        dtypes.append(backend.dtype_of(value))
