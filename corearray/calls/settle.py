"""The innermost call: dtypes settled, then the implementation.

Promotion, the weak Python scalars, the floating dtype for integer input and the dtypes that a framework cannot compute
in are settled here, once for native functions and compositions alike, so that an implementation is close to one
native call.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from types import FunctionType
from typing import TYPE_CHECKING, Any, cast

from corearray.calls.constants import constants_of
from corearray.calls.keywords import from_synonym
from corearray.checks.options import option_reader, option_settler, option_unwrapper
from corearray.contract.declaration import Declaration, Parameter, parameters_of
from corearray.errors import CoreArrayError, CoreArrayOverflowError, CoreArrayTypeError
from corearray.settings.context import SCALARS, current_settings
from corearray.types.dtypes import DTYPES, DType, integer_limits, promote_types

if TYPE_CHECKING:
    from corearray.calls.binding import Binding

__all__ = ["Call", "called", "checked", "forwarding", "invocation", "kernel", "settled_dtype"]

Call = Callable[[list[Any]], Any]

_INTEGRAL = ("bool", "signed integer", "unsigned integer")


def settled_dtype(dtypes: list[DType], scalars: list[Any], floating: bool) -> DType:
    """Return the common dtype of array operands and weak Python scalars.

    Examples
    --------
    >>> import corearray as ca
    >>> settled_dtype([ca.int8], [2.5], floating=False)
    corearray.float32
    """
    defaults = current_settings().dtypes
    if dtypes:
        alike = all(dtype is dtypes[0] for dtype in dtypes)  # of what is kept, a tracer of Python code warns
        found = dtypes[0] if alike else reduce(promote_types, dtypes)
    else:
        found = DTYPES["bool"]
    for scalar in scalars:
        if isinstance(scalar, bool):
            continue
        if isinstance(scalar, int):
            if found.category == "bool":
                found = defaults["integral"]
        elif isinstance(scalar, float):
            if found.category in _INTEGRAL:
                found = defaults["real floating"]
        elif found.category in _INTEGRAL:
            found = defaults["complex floating"]
        elif found.category == "real floating":
            found = promote_types(found, DTYPES["complex64"])
    if floating and found.category in _INTEGRAL:
        found = defaults["real floating"]
    return found


def checked(scalar: Any, dtype: DType) -> Any:
    """Return a Python scalar that the dtype holds.

    Raises
    ------
    CoreArrayOverflowError
        If it is an integer beyond the dtype's limits.
    """
    if type(scalar) is not int or dtype.category == "bool":
        return scalar
    if dtype.category in _INTEGRAL:
        low, high = integer_limits(dtype)
        if not low <= scalar <= high:
            raise CoreArrayOverflowError(
                f"the Python integer {_shown(scalar)} does not fit into '{dtype}', which holds {low} to {high}; "
                "cast the array to a wider dtype first"
            )
    elif scalar.bit_length() > 1024:
        raise CoreArrayOverflowError(f"the Python integer {_shown(scalar)} is beyond every floating dtype")
    return scalar


def _shown(scalar: int) -> str:
    return str(scalar) if scalar.bit_length() < 200 else f"of {scalar.bit_length()} bits"


class _Access:
    """How the settling below reads and casts: on native arrays, or on `Array` for compositions."""

    __slots__ = ("cast", "dtype_of", "scalar")

    def __init__(self, binding: Binding) -> None:
        backend = binding.backend
        self.dtype_of: Callable[[Any], DType]
        self.cast: Callable[[Any, DType], Any]
        self.scalar: Callable[[Any, DType, Any], Any]
        if binding.implementation is None:
            self.dtype_of = lambda x: x.dtype
            self.cast = lambda x, dtype: backend.astype(x, dtype)

            def wrapped(value: Any, dtype: DType, like: Any) -> Any:
                constant = constants_of(backend)
                if like is None or constant is None:
                    return backend.asarray(value, dtype=dtype, device=None if like is None else like.device)
                return backend.wrap(constant(value, backend.kinds[backend.native_dtype(dtype)], like._native))

            self.scalar = wrapped
            return

        def scalar(value: Any, dtype: DType, like: Any) -> Any:
            native = backend.native_dtype(dtype)
            if like is None:
                return backend.native.asarray(value, dtype=native)
            constant = constants_of(backend)
            return constant(value, backend.kinds[native], like) if constant else backend.number(value, native, like)

        table = backend.dtype_of_native
        self.dtype_of = lambda x: table.get(x.dtype) or backend.dtype_from_native(x.dtype)
        self.cast = lambda x, dtype: backend.cast(x, backend.native_dtype(dtype))
        self.scalar = scalar


def _promoting(binding: Binding, access: _Access) -> Callable[[list[Any]], None]:
    """Bring the promoted operands of a call to one dtype."""
    backend, parameters = binding.backend, binding.declaration.parameters
    names = binding.declaration.promote
    singles = [i for i, p in enumerate(parameters) if p.name in names and p.role != "arrays"]
    groups = [i for i, p in enumerate(parameters) if p.name in names and p.role == "arrays"]
    floating = binding.declaration.floating
    options = binding.implementation.options if binding.implementation else None
    weak_scalars = options is not None and options.scalars
    by_stand_in = set(options.via) if options is not None else set()

    def settle(args: list[Any]) -> None:
        operands = [args[i] for i in singles if args[i] is not None]
        for i in groups:
            if args[i] is not None:
                args[i] = list(args[i])
                operands.extend(args[i])
        arrays = [x for x in operands if type(x) not in SCALARS]
        scalars = [x for x in operands if type(x) in SCALARS]
        dtypes = [access.dtype_of(x) for x in arrays]
        target = settled_dtype(dtypes, scalars, floating)
        if scalars and target not in dtypes:  # a default
            target = backend.own_dtype(target)
        if not scalars and all(dtype is target for dtype in dtypes):
            return
        like = arrays[0] if arrays else None

        def cast_operands(x: Any) -> Any:
            if type(x) in SCALARS:
                checked(x, target)
                weak = weak_scalars and arrays and type(x) is not bool and target.category != "bool"
                weak = weak and (type(x) is not int or -(2**63) <= x < 2**63)  # some frameworks read C integers
                if weak and target.name not in by_stand_in:
                    return x
                return access.scalar(x, target, like)
            return x if access.dtype_of(x) is target else access.cast(x, target)

        for i in singles:
            if args[i] is not None:
                args[i] = cast_operands(args[i])
        for i in groups:
            if args[i] is not None:
                args[i] = [cast_operands(x) for x in args[i]]

    return settle


def _floating(binding: Binding, access: _Access) -> Callable[[list[Any]], None]:
    """Cast integer and boolean arrays to the default floating dtype, or to the one that the call asks for."""
    parameters, backend = binding.declaration.parameters, binding.backend
    places = [i for i, p in enumerate(parameters) if p.role == "array"]
    mean = binding.declaration.infer == "mean"
    asked = next((i for i, p in enumerate(parameters) if p.role == "dtype" and mean), None)
    native = binding.implementation is not None

    def settle(args: list[Any]) -> None:
        for i in places:
            if args[i] is not None and type(args[i]) not in SCALARS and access.dtype_of(args[i]).category in _INTEGRAL:
                dtype = None if asked is None else args[asked]
                if dtype is None:
                    dtype = current_settings().dtypes["real floating"]
                elif native:
                    dtype = backend.dtype_from_native(dtype)
                args[i] = access.cast(args[i], dtype)

    return settle


def forwarding(declared: tuple[Parameter, ...], target: Callable[..., Any], write: Callable[[int], str]) -> str:
    """Write the arguments of a call of an implementation.

    Parameters
    ----------
    declared
        Parameters of the declaration.
    target
        The implementation or guard; it names the parameters that it takes.
    write
        From the place of a declared parameter to the expression of its value.
    """
    places = {p.name: i for i, p in enumerate(declared)}
    parts = []
    for parameter in parameters_of(target):
        if parameter.name not in places:
            continue
        text = write(places[parameter.name])
        if parameter.how == "keyword":
            text = f"{parameter.name}={text}"
        elif parameter.how == "variadic":
            text = f"*{text}"
        parts.append(text)
    return ", ".join(parts)


def _via(binding: Binding, call: Call) -> Call:
    """Compute dtypes that the framework lacks through those that stand in for them."""
    implementation = binding.implementation
    assert implementation is not None
    backend = binding.backend
    table = {
        backend.native_dtypes[DTYPES[name]]: via
        for name, via in implementation.options.via.items()
        if DTYPES[name] in backend.native_dtypes
    }
    parameters = binding.declaration.parameters
    arrays = [i for i, p in enumerate(parameters) if p.role == "array"]
    groups = [i for i, p in enumerate(parameters) if p.role == "arrays"]
    deciding = [i for i in arrays if parameters[i].name in binding.declaration.promote] or arrays[:1]
    dtype_at = next((i for i, p in enumerate(parameters) if p.role == "dtype"), None)
    #: Indices beside the operands, for which integers of another order or with other bits could not stand in.
    beside = [i for i in arrays if binding.declaration.promote and i not in deciding]
    floating = {
        dtype: via for dtype, via in table.items() if backend.dtype_from_native(dtype).category not in _INTEGRAL
    }

    def forward(x: Any, table: dict[Any, Any] = table) -> Any:
        via = table.get(getattr(x, "dtype", None))
        if via is None:
            return x
        return via.forward(x) if via.forward else backend.cast(x, backend.native_dtypes[DTYPES[via.dtype]])

    def stand_in(args: list[Any]) -> Any:
        wanted = next((args[i].dtype for i in deciding if hasattr(args[i], "dtype")), None)
        dtype = args[dtype_at] if dtype_at is not None else None
        for i in arrays:
            if args[i] is not None:
                if dtype is not None and dtype not in table and getattr(args[i], "dtype", None) in table:
                    args[i] = backend.cast(args[i], dtype)
                args[i] = forward(args[i], floating if i in beside else table)
        for i in groups:
            if args[i]:
                wanted = args[i][0].dtype
                args[i] = [forward(x) for x in args[i]]
        if dtype_at is not None and dtype is not None:
            wanted = dtype
            if wanted in table:
                args[dtype_at] = backend.native_dtypes[DTYPES[table[wanted].dtype]]
        result = call(args)
        via = table.get(wanted)
        if via is None or not via.back:
            return result
        stand = backend.native_dtypes[DTYPES[via.dtype]]

        def back(x: Any) -> Any:
            if isinstance(x, (tuple, list)):
                return type(x)(*map(back, x)) if hasattr(x, "_fields") else type(x)(map(back, x))
            if getattr(x, "dtype", None) != stand:
                return x
            return via.backward(x) if via.backward else backend.cast(x, wanted)

        return back(result)

    return stand_in


def called(binding: Binding, target: Callable[..., Any], function: Callable[..., Any] | None = None) -> Call:
    """Return the call of a target on the list of bound arguments, or of a function that takes the same ones."""
    text = forwarding(binding.declaration.parameters, target, lambda i: f"args[{i}]")
    code = compile(f"lambda args: target({text})", "<corearray kernel>", "eval")
    return cast("Call", eval(code, {"target": function or target, "__package__": __package__}))


def invocation(binding: Binding) -> Call:
    """Return the call of the implementation, through other dtypes where it needs them, or of the composition."""
    implementation = binding.implementation
    if implementation is None:
        assert binding.composition is not None
        return binding.fused or called(binding, binding.composition)
    invoke = called(binding, implementation.function, implementation.call)
    if implementation.options.via:
        invoke = _via(binding, invoke)
    result = binding.result_type
    return invoke if result is None else lambda args: _named(result, invoke(args))


def kernel(binding: Binding, innermost: Callable[[Call], Call] | None = None) -> Call:
    """Return the innermost call of a function on a backend, on the list of its bound arguments.

    Parameters
    ----------
    binding
        The function on the backend.
    innermost
        Wraps the call of the implementation, which gets the arguments as it takes them.
    """
    declaration = binding.declaration
    invoke = invocation(binding) if innermost is None else innermost(invocation(binding))
    access = _Access(binding)
    steps: list[Callable[[list[Any]], None]] = []
    steps += [from_synonym(declaration, i) for i, p in enumerate(declaration.parameters) if p.role == "synonym"]
    settle_options = option_settler(declaration)
    if settle_options is not None:
        steps.append(settle_options)
    wrong_option = option_reader(declaration)
    if wrong_option is not None:
        steps.append(_refusing(wrong_option))
    unwrap_options = option_unwrapper(declaration) if binding.implementation else None
    if unwrap_options is not None:
        steps.append(unwrap_options)
    if declaration.check is not None:
        steps.append(_checking(declaration))
    steps += [_refusing_numbers(declaration, i, access) for i in binding.arrays if declaration.parameters[i].condition]
    if declaration.real:
        steps.append(_refusing_complex(binding, access))
    if declaration.promote:
        steps.append(_promoting(binding, access))
    elif declaration.floating:
        steps.append(_floating(binding, access))
    if not steps:
        return invoke

    def settled(args: list[Any]) -> Any:
        args = list(args)
        for step in steps:
            step(args)
        return invoke(args)

    return settled


def _checking(declaration: Declaration) -> Callable[[list[Any]], None]:
    """Call the check of a declaration with the arguments that it takes."""
    places = {p.name: i for i, p in enumerate(declaration.parameters)}
    check = cast(FunctionType, declaration.check)
    names = [p.name for p in parameters_of(check)]
    named = partial(check, name=declaration.name) if "name" in names else check
    wanted = [(name, places[name]) for name in names if name != "name"]
    return lambda args: named(**{name: args[i] for name, i in wanted})


def _refusing(wrong: Callable[[list[Any]], CoreArrayError | None]) -> Callable[[list[Any]], None]:
    """Refuse options that the declaration does not take."""

    def refuse(args: list[Any]) -> None:
        found = wrong(args)
        if found is not None:
            raise found

    return refuse


def _refusing_numbers(declaration: Declaration, place: int, access: _Access) -> Callable[[list[Any]], None]:
    """Refuse a condition that is not boolean."""
    name, argument = declaration.name, declaration.parameters[place].name

    def refuse(args: list[Any]) -> None:
        dtype = access.dtype_of(args[place])
        if dtype.category != "bool":
            raise CoreArrayTypeError(f"'{name}' got a {argument} of dtype '{dtype}'; it is boolean, write x != 0")

    return refuse


def _refusing_complex(binding: Binding, access: _Access) -> Callable[[list[Any]], None]:
    """Refuse complex operands of a function of real numbers."""
    places, sequences = binding.arrays, binding.sequences
    name = binding.declaration.name

    def refuse(args: list[Any]) -> None:
        given = [(i, args[i]) for i in places]
        given += [(i, x) for i in sequences for x in args[i] or ()]
        for i, x in given:
            if x is None:
                continue
            if type(x) is complex or (type(x) not in SCALARS and access.dtype_of(x).category == "complex floating"):
                raise CoreArrayTypeError(
                    f"'{name}' is a function of real numbers, and argument {i + 1} is complex; "
                    "take corearray.abs(x) or corearray.real(x) first"
                )

    return refuse


def _named(result: type, value: Any) -> Any:
    return value if isinstance(value, result) else result(*value)
