"""The bare path: the function on native arrays, `be.native.f`.

It is the framework's own where that does by itself all that the standard asks. Otherwise its source is written here: what it
returns is what the framework's function returned, and only dtypes that need care go to the implementation's chain.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from corearray.arrays.nested import map_nested, to_native
from corearray.calls.codegen import (
    ENTERED,
    GUARD,
    attempt,
    attribute,
    defined,
    pairwise_lines,
    positions_text,
    signature_text,
    when,
)
from corearray.calls.fast_function import FunctionWriter, preferred
from corearray.calls.fused import case_by_options
from corearray.calls.positions import guard_lines
from corearray.calls.tracebacks import shorten
from corearray.contract.declaration import parameters_of
from corearray.types.dtypes import DTYPES

if TYPE_CHECKING:
    from corearray.calls.binding import Binding

__all__ = ["framework_function", "looks_at_types", "native_text"]


def framework_function(binding: Binding) -> Callable[..., Any] | None:
    """Return the framework's function that stands for one on native arrays with nothing around it, if there is one.

    It takes arrays, and options by the same names, computes in every dtype of which the standard defines the result, and
    promotes as the standard does. What the standard leaves open (operands of several kinds, numbers and lists in the place
    of arrays, integers where floating-point numbers are meant) is then what the framework makes of it.
    """
    declaration, implementation = binding.declaration, binding.implementation
    if implementation is None or declaration.check is not None or binding.has_own_native_stages:
        return None
    options = implementation.options
    if options.partial or options.via or options.stages_add or options.stages_skip:
        return None
    if options.fast.call not in (None, options.native) or declaration.returns != "Array":
        return None
    roles = [p.role for p in declaration.parameters if p.required]
    if not {*roles} <= {"array", "arrays"} or (roles != ["array"] and not binding.backend.promotes_arrays):
        return None
    named = (
        {p.name for p in parameters_of(implementation.function) if p.how == "keyword"} if options.fast.call else set()
    )
    if any(
        p.role != "out" and (p.role != "plain" or p.name not in named) for p in declaration.parameters if not p.required
    ):
        return None  # that it has the same defaults is said by `fast`
    return options.native


def native_text(binding: Binding, scope: dict[str, Any]) -> str:
    """Write the source of a function on native arrays: the implementation alone where dtypes need no care."""
    parameters = binding.declaration.parameters
    name = binding.declaration.name
    guard = guard_lines(name, parameters)
    writer = FunctionWriter(binding, parameters, GUARD if guard else "", of_natives=True)
    fast_path = _composed(writer, scope) if binding.implementation is None else _native(writer, scope)
    to_stages = [*guard, f"return _call([{', '.join(p.name for p in parameters)}])"]
    return defined(name, signature_text(parameters), [*fast_path, *to_stages])


def _native(writer: FunctionWriter, scope: dict[str, Any]) -> list[str]:
    """Write the fast path of an implementation, or nothing for a function that has none."""
    binding, implementation, options = writer.binding, writer.binding.implementation, writer.options
    if implementation is None or options is None or not writer.has_fast_path:
        return []
    if any(p.role == "object" for p in writer.parameters):
        return []
    scope["_raw"] = implementation.call
    written: dict[str, str] = {}
    if writer.like:
        written = writer.beside(writer.first.name, scope)
    elif writer.dtype is not None and not writer.casts:
        written = {writer.dtype.name: f"{writer.first.name}.dtype"}
    call = f"_raw({writer.arguments(implementation.function, written)})"
    if options.fast.with_options is not None:
        scope["_with_options"] = options.fast.with_options
        names = [*(p.name for p in writer.parameters if p.required), *binding.declaration.options]
        call = f"_with_options({', '.join(names)})"
    call = preferred(writer.common_call({}, scope), call)
    if binding.result_type is not None:
        scope["_result"] = binding.result_type
        call = f"_result(*({call}))"
    tests = writer.open_tests(scope)
    tests += [f"({p.name} is None or {p.name}.dtype is {writer.first.name}.dtype)" for p in writer.optional]
    tests += [f"{writer.guard} is None"] if writer.guard else []
    if options.when is not None:
        scope["_guard"] = options.when
        tests.append(f"_guard({writer.arguments(options.when, written)})")
    if looks_at_types(writer):
        first, *others = writer.promoted
        same = [f"_type({first.name}) is _type({p.name})" for p in others]
        tests = [*same, f"_type({first.name}) in {_known(writer, scope)}", *tests]
    case = [ENTERED, f"return {call}"]
    if options.trusts_framework and binding.declaration.complex_input == "entire":
        cases = when(tests, case)
    else:
        scope["_fast"] = frozenset(writer.usable.values())
        cases = _of_dtypes(writer, scope, tests, case)
    return attempt(cases, _recovery(writer, scope))


def looks_at_types(writer: FunctionWriter) -> bool:
    """Whether no dtypes are looked at, but operands may be numbers, of which the framework makes an array of its own."""
    options = writer.options
    return options is not None and options.trusts_framework and bool(options.scalars) and len(writer.promoted) > 1


def _composed(writer: FunctionWriter, scope: dict[str, Any]) -> list[str]:
    """Write the fast path of a composition, or nothing for a function that has none."""
    if not writer.arrays or any(p.role in ("arrays", "index", "object") for p in writer.parameters):
        return []
    return (_through_arrays if writer.declaration.case_of is None else _as_a_case)(writer, scope)


def _as_a_case(writer: FunctionWriter, scope: dict[str, Any]) -> list[str]:
    """Write the function for a composition that calls one function with other options: on the native arrays themselves.

    Options that it does not take go to the pipeline, which explains what is wrong.
    """
    backend = writer.binding.backend
    case = scope["_case"] = writer.binding.composition_with(backend.native)
    parameters = [p for p in writer.parameters if p.role != "out"]
    given = [f"{p.name}={p.name}" if p.how == "keyword" else p.name for p in parameters]
    lines = [ENTERED]
    program = case_by_options(writer.binding, case)
    if program is not None:
        scope["_program"] = program
        scope["_floats"] = {
            native for dtype, native in backend.native_dtypes.items() if dtype.category == "real floating"
        }
        arrays = ", ".join(p.name for p in parameters if p.role == "array")
        options = ", ".join(p.name for p in parameters if p.role != "array")
        lines += when([f"{writer.first.name}.dtype in _floats"], [f"return _program(({options},))({arrays})"])
    lines.append(f"return _case({', '.join(given)})")
    return attempt(when(_all_known(writer, scope), lines), _recovery(writer, scope))


def _recovery(writer: FunctionWriter, scope: dict[str, Any]) -> str:
    """Write what follows the error of a native call."""
    scope.update(_recover=lambda *args: writer.binding.native_recovery.after(*args), _shorten=shorten)
    return f"_recover(_error, [{', '.join(p.name for p in writer.parameters)}])"


def _through_arrays(writer: FunctionWriter, scope: dict[str, Any]) -> list[str]:
    """Write the function for a composition: the function of the backend, on arrays that are made of native ones."""
    backend = writer.binding.backend
    arrays = [p for p in writer.parameters if p.role == "array"]
    scope.update(_Array=backend.Array, _calls=backend.calls, _wrap=backend.wrap)
    scope["_through"] = lambda result: map_nested(result, to_native)
    lines = [f"{p.name} = {'' if p.required else f'None if {p.name} is None else '}_wrap({p.name})" for p in arrays]
    lines.append(f"r = {attribute('_calls', writer.name)}({positions_text(writer.parameters)})")
    lines.append("return r._native if _type(r) is _Array else _through(r)")
    return when(_all_known(writer, scope), lines)


def _all_known(writer: FunctionWriter, scope: dict[str, Any]) -> list[str]:
    """Write the tests that arrays are native ones, and that nothing but a result is asked for."""
    arrays = [p for p in writer.parameters if p.role == "array"]
    known = _known(writer, scope)
    tests = [f"_type({p.name}) in {known}" for p in arrays if p.required]
    tests += [f"({p.name} is None or _type({p.name}) in {known})" for p in arrays if not p.required]
    tests += [f"{p.name} is None" for p in writer.parameters if p.role == "out"]
    return [*tests, *([f"{writer.guard} is None"] if writer.guard else [])]


def _known(writer: FunctionWriter, scope: dict[str, Any]) -> str:
    """Return the name of the set of native types; the first call with one takes the stages, and shows that it is one."""
    backend = writer.binding.backend
    known: set[type] = set()
    slow = scope["_call"]

    def call(args: list[Any]) -> Any:
        for i in writer.binding.arrays:
            x = args[i]
            if type(x) not in known and backend.is_native(x) and backend.ensured(x) is x:
                known.add(type(x))
        return slow(args)

    scope.update(_call=call, _known=known)
    return "_known"


def _of_dtypes(writer: FunctionWriter, scope: dict[str, Any], tests: list[str], case: list[str]) -> list[str]:
    """Write a case under the further tests that native arrays have one dtype, and one that needs no care.

    The usual dtype comes first: to see that it is that one takes less time than its hash.
    """
    scope["_usual"] = usual = writer.usable.get(DTYPES["float32"])

    def known(dtype: str) -> list[str]:
        test = f"({dtype} is _usual or {dtype} in _fast)" if usual is not None else f"{dtype} in _fast"
        return [test] if writer.excluded else []

    if writer.sequence is not None and not writer.arrays:
        arrays = writer.sequence.name
        lines = pairwise_lines(arrays, attribute="dtype", found="dtype_of_x")
        lines += when(["dtype_of_x is not None", *known("dtype_of_x"), *tests], case)
        return when([f"(_type({arrays}) is list or _type({arrays}) is tuple)"], lines)
    first, *others = writer.promoted or [writer.first]
    once = writer.sequence is None and len(others) < (1 if writer.excluded else 2)
    dtype = f"{first.name}.dtype" if once else "dtype_of_x"
    more = [f"{dtype} is {p.name}.dtype" for p in others]
    if writer.sequence is not None:
        arrays = writer.sequence.name
        more.append(f"(_type({arrays}) is list or _type({arrays}) is tuple)")
        more.append(f"not [x for x in {arrays} if x.dtype is not {dtype}]")
    more += known(dtype)
    if writer.excluded and writer.options is not None and writer.options.via:
        beside = [p for p in writer.arrays if p is not first and p not in writer.promoted and not p.condition]
        more += [f"{p.name}.dtype in _fast" for p in beside]
    return [*([] if once else [f"{dtype} = {first.name}.dtype"]), *when([*more, *tests], case)]
