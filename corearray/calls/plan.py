"""Plans of calls for `corearray.calls._accelerator`, which executes them in C.

A `CallPlan` is the case of arrays of one kind, which `FunctionWriter` writes as text: a role for each parameter, and the
kernel for each kind.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any, cast

from corearray.calls.accelerated import accelerator
from corearray.calls.kernels import by_position, stand_in_kernels, takes_optional_arrays
from corearray.calls.native import looks_at_types
from corearray.contract.declaration import parameters_of
from corearray.types.dtypes import DTYPES

if TYPE_CHECKING:
    from corearray.calls._accelerator import CallPlan
    from corearray.calls.fast_function import FunctionWriter
    from corearray.contract.declaration import Parameter

__all__ = ["native_plan_of", "plan_of"]


def plan_of(writer: FunctionWriter) -> CallPlan | None:
    """Make the plan of a function with the parameters that a call may give, if it has kernels."""
    binding, backend = writer.binding, writer.binding.backend
    functions, with_options = binding.kernels
    guard = writer.options.when if writer.options else None
    looked_at = _looked_at(writer, guard)
    if not (functions or with_options) or looked_at is None:
        return None
    gives = writer.declaration.gives
    return accelerator.CallPlan(
        **_described(writer, with_options=bool(with_options)),
        calls=backend.calls,
        failed=binding.recovery,
        functions=functions,
        with_options=with_options,
        array=backend.Array,
        dtype=None,
        truth=backend.kinds_named.get("bool"),
        integers=backend.kinds_named.get("int64"),
        gives=None if gives in (None, "same") else backend.kinds_named.get(gives),
        native_type=backend.array_types[0],
        ensured=backend.facts["as_array"] if backend.ensures else None,
        shares=getattr(backend.array_types[0], writer.shares) if writer.shares else None,
        guard=guard,
        guarded_at=looked_at,
    )


def _looked_at(writer: FunctionWriter, guard: Callable[..., Any] | None) -> bytes | None:
    """Return the places of the parameters that a guard looks at, or `None` if a plan cannot call it with them."""
    places = {p.name: i for i, p in enumerate(writer.parameters) if p.role != "arrays"}
    names = [p.name for p in parameters_of(cast(FunctionType, guard))] if guard else []
    return bytes(places[name] for name in names) if places.keys() >= set(names) else None


def native_plan_of(writer: FunctionWriter) -> CallPlan | None:
    """Make the plan of a function on native arrays, which returns what the native function returns, if it has one.

    Where dtypes are to be read (see `corearray.calls.native`), native arrays have to tell theirs by an attribute of their
    class that is no property: Python reads that for less, and mostly it is one of a base class. Elsewhere nothing is looked
    at, and the plan pays if the native function is none of Python: one Python function calls the next for less than C does.
    """
    binding, backend = writer.binding, writer.binding.backend
    options, kernels = writer.options, binding.kernels
    if not kernels.functions or options is None or writer.guarded or not writer.declaration.has_kernel:
        return None
    native_type = backend.array_types[0]
    reads = not options.trusts_framework and (
        writer.sequence is not None or bool(writer.excluded) or len(writer.promoted) > 1
    )
    dtype = getattr(native_type, "dtype", None) if reads else None
    function = options.fast.from_tuples or by_position(writer)
    if reads:
        possible = writer.sequence is None and hasattr(type(dtype), "__get__") and type(dtype) is not property
    else:
        possible = type(function) is not FunctionType and not looks_at_types(writer)
    if function is None or not possible:
        return None
    with_options = by_position(writer, writer.declaration.options) if kernels.with_options else None
    kinds = writer.usable.values() if reads else [None]
    described = _described(writer, with_options=with_options is not None)
    values = str.maketrans("c" if reads else "cois", "v" if reads else "vvvv")  # what need not be looked at is one
    return accelerator.CallPlan(
        **described | {"roles": described["roles"].translate(values)},
        calls=None,
        failed=binding.native_recovery,
        functions=dict.fromkeys(kinds, function)
        | ({backend.native_dtypes[d]: f for d, f in stand_in_kernels(writer).items()} if reads else {}),
        with_options=dict.fromkeys(kinds, with_options) if with_options else {},
        array=native_type if reads else None,
        dtype=dtype,
        truth=backend.native_dtypes.get(DTYPES["bool"]),
        integers=backend.native_dtypes.get(DTYPES["int64"]),
        gives=None,
        native_type=None,
        ensured=None,
        shares=None,
        guard=None,
        guarded_at=b"",
    )


def _described(writer: FunctionWriter, *, with_options: bool) -> dict[str, Any]:
    roles = [_role(writer, p, with_options=with_options) for p in writer.parameters]
    return {
        "names": tuple(p.name for p in writer.parameters),
        "roles": "".join(roles),
        "by_name": bytes(p.how != "positional" for p in writer.parameters),
        "by_position": sum(p.how != "keyword" for p in writer.parameters),
        "defaults": tuple(p.default for p in writer.parameters),
    }


def _role(writer: FunctionWriter, parameter: Parameter, *, with_options: bool) -> str:
    """Return the role of a parameter in a plan as a letter, see `accelerator/call_plan.h`."""
    fast = writer.options.fast if writer.options else None
    if parameter in writer.arrays:
        if parameter in (writer.promoted or writer.arrays[:1]):
            return "o"
        return "c" if parameter.condition else "i"
    if parameter.role == "arrays":
        return "s"
    if parameter.role == "index":
        return "f" if fast and fast.view is True else "k"  # a view of slices that go backwards is none
    if parameter.required:
        return "t" if fast and fast.from_tuples else "v"
    if parameter.role == "array" and takes_optional_arrays(writer):
        return "n"
    if not with_options or parameter.role != "plain":
        return "d"
    # Frameworks accept 1 where `True` is meant, and guards do not test types: such an option must have the type of its default.
    return "b" if writer.guarded or type(parameter.default) in (bool, float) else "p"
