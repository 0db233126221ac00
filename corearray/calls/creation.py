"""The fast path of functions that make arrays of sizes and numbers: `zeros`, `arange`, `asarray` of a list or an array;
and of those that make one beside another, in the default dtype: `one_hot`.

What the pipeline finds out in many steps, dtype and device, follows from the settings and from the types of the
numbers. Everything else goes to the pipeline, as in `corearray.calls.fast_function`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from corearray.calls.codegen import ENTERED, attempt, when
from corearray.calls.settle import forwarding
from corearray.checks.options import option_tests
from corearray.settings.context import SCALARS, current_settings
from corearray.stages.inference import NOT_VALUES
from corearray.types.devices import Device

if TYPE_CHECKING:
    from corearray.backends.backend import Backend
    from corearray.calls.fast_function import FunctionWriter
    from corearray.settings.record import Settings
    from corearray.types.dtypes import DType

__all__ = ["creation_lines"]

_ROLES = {"array", "plain", "object", "dtype", "device"}


def creation_lines(writer: FunctionWriter) -> list[str]:
    """Write the fast path of a function that makes an array, or nothing for all others."""
    declaration, implementation, scope = writer.declaration, writer.binding.implementation, writer.scope
    roles = {p.role for p in writer.parameters}
    if declaration.infer not in ("float", "value") or not {"dtype", "device"} <= roles <= _ROLES:
        return []
    if implementation is None or writer.binding.has_own_stages:
        return []
    options = implementation.options
    if options.stages_add or options.stages_skip or declaration.returns != "Array":
        return []
    arrays = [
        p for p in writer.arrays if not p.python
    ]  # others hold numbers here, and `_dtype_of` leaves arrays to the pipeline
    if len(arrays) > 1 or (arrays and options.via):  # of which the table of kinds below knows nothing
        return []
    backend, name = writer.binding.backend, writer.name
    values = [
        p.name for p in writer.parameters if p.python or (p.role in ("plain", "object") and p.name not in NOT_VALUES)
    ]
    chosen = 'state.dtypes["real floating"] if dtype is None else dtype'
    if declaration.infer == "value":
        chosen = f"_dtype_of(state, dtype, ({', '.join(values)},), {declaration.floating})"
    tests = [*([f"{writer.guard} is None"] if writer.guard else []), *option_tests(declaration, scope)]
    scope.update(
        _current_settings=current_settings,
        _dtype_of=_dtype_of,
        _native_dtypes=backend.spelled_dtypes,
        _kinds=backend.kinds,
        _kind_of=backend.kind_of,
        _Array=backend.Array,
        _sizes=_sizes,
        _place=_place_on(backend),
    )
    scope[f"_fast_{name}"] = writer.usable_kinds
    scope[f"_raw_{name}"] = implementation.call
    written = {"dtype": "native", "device": "place", "shape": "sizes"}
    place, fast = "_place(state, device)", [f"kind in _fast_{name}"]
    if arrays:
        array = arrays[0].name
        written[array] = f"{array}._native"
        scope["_beside"] = backend.beside
        place = f"_beside({array}._native) if device is None else {place}"
        fast = [f"{array}._kind in _fast_{name}"]
        tests.insert(0, f"_type({array}) is _Array")
    if options.when is not None:
        scope[f"_guard_{name}"] = options.when
        fast.append(f"_guard_{name}({writer.arguments(options.when, written)})")
    names = [p.name for p in writer.parameters]
    call = forwarding(writer.parameters, implementation.function, lambda i: written.get(names[i], names[i]))
    case = [
        "state = _current_settings()",
        f"native = _native_dtypes[{chosen}]",
        "kind = _kinds[native]",
        f"place = {place}",
        *(["sizes = _sizes(shape)"] if "shape" in names else []),
        *when(fast, [ENTERED, f"r = _raw_{name}({call})", *writer.made("kind")]),
    ]
    cases = [*(_of_an_array(writer, tests) if writer.parameters[0].role == "object" else []), *when(tests, case)]
    return attempt(cases, f"_recoveries.{name}.after(_error, [{', '.join(names)}])")


def _of_an_array(writer: FunctionWriter, tests: list[str]) -> list[str]:
    """Write what `asarray` does with an array of the backend: it is its result, unless a copy is asked for."""
    given = writer.parameters[0].name
    itself = [*when(["not copy"], [f"return {given}"]), ENTERED, f"return kind.calls.astype({given}, kind.dtype)"]
    fits = [f"kind = {given}._kind", *when(["(dtype is None or _kind_of[dtype] is kind)"], itself)]
    return when([f"_type({given}) is _Array", "device is None", *tests], fits)


def _place_on(backend: Backend) -> Callable[[Settings, Any], Any]:
    """Return what finds the native device, given or the default one; one that was not used before raises."""
    known = backend.known_devices
    first, usual = backend.devices()[0], backend.usual_device

    def place(state: Settings, device: Any) -> Any:
        if state.mesh is not None:
            raise KeyError(state.mesh)  # the pipeline places the array on the mesh
        if device is None:
            device = state.device
        return usual if device is None or (type(device) is Device and device == first) else known[device]

    return place


def _sizes(shape: Any) -> tuple[int, ...]:
    """Return a shape as a tuple; one that is no integer, of which some framework makes one, raises."""
    if type(shape) is int:
        return (shape,)
    for size in shape:
        if type(size) is not int:
            raise TypeError("no size")
    return tuple(shape)


def _dtype_of(state: Settings, dtype: DType | None, values: tuple[Any, ...], floating: bool) -> DType:
    """Return a given dtype, or the default one of Python numbers, alone or in nested lists; other values raise."""
    types: set[type] = set()
    for value in values:
        if value is not None:
            _collect(value, types)
    if not types or types - SCALARS:
        raise TypeError("no numbers")
    if dtype is not None:
        return dtype
    if types == {int, float} or (floating and complex not in types):
        types = {float}
    (one,) = types
    return state.default_dtype_of(one)


def _collect(value: Any, types: set[type]) -> None:
    if type(value) is not list and type(value) is not tuple:
        types.add(type(value))
        return
    found = set(map(type, value))
    if list in found or tuple in found:
        for item in value:
            _collect(item, types)
    else:
        types |= found
