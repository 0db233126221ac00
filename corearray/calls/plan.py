"""Plans of calls for `corearray.calls._accelerator`, which executes them in C.

A `CallPlan` says the same as the text of `corearray.calls.fast_path.kernel_path_text`. Both are made of the declaration and
of the kernels that `install_kernels` has put into the kinds.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from corearray.calls.accelerated import accelerator
from corearray.calls.fast_path import roles_of
from corearray.calls.kernels import by_position, is_possible, stand_in_kernels
from corearray.calls.native import looks_at_types
from corearray.contract.declaration import parameters_of
from corearray.types.dtypes import DTYPES

if TYPE_CHECKING:
    from corearray.calls._accelerator import CallPlan
    from corearray.calls.fast_function import FunctionWriter

__all__ = ["Tables", "native_plan_of", "plan_of"]

#: The native functions of a plan by kind: with every option at its default, and with others. A plan without any applies never.
Tables = tuple[dict[Any, Callable[..., Any]], dict[Any, Callable[..., Any]]]


def plan_of(writer: FunctionWriter, tables: Tables, paths: frozenset[str]) -> CallPlan | None:
    """Make the plan of a function, if it has a kernel path, and fill its tables.

    Parameters
    ----------
    writer
        The function on the backend, with the parameters that a call may give.
    tables
        Shared by all plans of a function on the backend.
    paths
        Its kernel paths, which `install_kernels` returned.
    """
    binding, backend = writer.binding, writer.binding.backend
    guard = _guard(writer, tables)
    indexes = _indexes(writer, tables)
    if guard is None and not indexes and not paths:
        return None
    from_tuples = writer.options.fast.from_tuples if writer.options else None
    for table, name, instead in zip(
        tables, (writer.own_name, f"{writer.own_name}_with"), (from_tuples, None), strict=True
    ):
        for kind in backend.kinds.values():
            function = vars(kind).get(name)
            if function is not None:
                table[kind] = instead or function
    gives = writer.declaration.gives
    return accelerator.CallPlan(
        **_described(writer, with_options=bool(tables[1]), guard=guard),
        calls=backend.calls,
        failed=binding.recovery,
        functions=tables[0],
        with_options=tables[1],
        array=backend.Array,
        dtype=None,
        truth=backend.kinds_named.get("bool"),
        integers=backend.kinds_named.get("int64"),
        gives=None if gives in (None, "same") else backend.kinds_named.get(gives),
        native_type=backend.array_types[0],
        ensured=backend.facts["as_array"] if backend.ensures else None,
        shares=getattr(backend.array_types[0], writer.shares) if writer.shares else None,
        guard=writer.options.when if guard is not None and writer.options else None,
        guarded_at=guard.at if guard is not None else b"",
    )


def _indexes(writer: FunctionWriter, tables: Tables) -> bool:
    """Fill the table of `get_item`, if what shows a part of an array needs no record."""
    function = (writer.options and writer.options.fast.from_tuples) or by_position(writer)
    if [p.role for p in writer.parameters] != ["array", "index"] or function is None or writer.record is not None:
        return False
    if writer.has_fast_path:
        tables[0].update(dict.fromkeys(writer.usable_kinds, function))
    return bool(tables[0])


class _Guard(NamedTuple):
    """The guard of a plan: at which parameters it looks, and whether some are arrays that may be `None`."""

    at: bytes
    with_arrays: bool


def _guard(writer: FunctionWriter, tables: Tables) -> _Guard | None:
    """Fill the tables of a function with a guard, if that looks at parameters only."""
    if writer.options is None or writer.options.when is None or not is_possible(writer):
        return None
    places = {p.name: i for i, p in enumerate(writer.parameters) if p.role != "arrays"}
    looked_at = [p.name for p in parameters_of(cast(FunctionType, writer.options.when))]
    arrays, options = writer.declaration.optional_arrays, writer.declaration.options
    with_arrays = by_position(writer, arrays) if arrays and not options else None
    with_options = by_position(writer, options) if writer.declaration.with_options else None
    functions = with_arrays or by_position(writer), with_options
    if not any(functions) or not places.keys() >= set(looked_at):
        return None
    unsure = {"bool"} if writer.unsure_of_truth else set()
    kinds = writer.kinds_without(writer.excluded | unsure)
    for table, function in zip(tables, functions, strict=True):
        if function is not None:
            table.update(dict.fromkeys(kinds, function))
    return _Guard(bytes(places[name] for name in looked_at), with_arrays is not None)


def native_plan_of(writer: FunctionWriter) -> CallPlan | None:
    """Make the plan of a function on native arrays, which returns what the native function returns, if it has one.

    Where dtypes are to be read (see `corearray.calls.native`), native arrays have to tell theirs by an attribute of their
    class that is no property: Python reads that for less, and mostly it is one of a base class. Elsewhere nothing is looked
    at, and the plan pays if the native function is none of Python: one Python function calls the next for less than C does.
    """
    binding, backend = writer.binding, writer.binding.backend
    options, plans = writer.options, binding.kernel_paths
    if not plans or options is None:
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
    with_options = by_position(writer, writer.declaration.options) if "with options" in plans else None
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


def _described(writer: FunctionWriter, *, with_options: bool, guard: _Guard | None = None) -> dict[str, Any]:
    parameters = writer.parameters
    roles = roles_of(writer.declaration, parameters, with_options=with_options)
    if guard is not None:
        roles = roles.replace("p", "b")  # it looks at values, and takes their types for granted
        if guard.with_arrays:
            roles = "".join(
                "n" if p.name in writer.declaration.optional_arrays else role
                for p, role in zip(parameters, roles, strict=True)
            )
    if writer.options is not None and writer.options.fast.view is True:  # which looks for slices that go backwards
        roles = roles.replace("k", "f")
    return {
        "names": tuple(p.name for p in parameters),
        "roles": roles.replace("v", "t") if writer.options and writer.options.fast.from_tuples else roles,
        "by_name": bytes(p.how != "positional" for p in parameters),
        "by_position": sum(p.how != "keyword" for p in parameters),
        "defaults": tuple(p.default for p in parameters),
    }
