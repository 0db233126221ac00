"""The direct way of a function on a backend for `corearray.calls._accelerator`, which goes it in C.

What a `Way` holds says the same as the text of `corearray.calls.fast_path.direct_text`: both are made of the declaration and of
what `offer` has put into the kinds.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from corearray.calls.accelerated import accelerator
from corearray.calls.fast_path import direct_name, roles_of
from corearray.calls.kernels import by_position, is_possible, shorts_of
from corearray.calls.native import looks_at_types
from corearray.contract.declaration import parameters_of
from corearray.types.dtypes import DTYPES

if TYPE_CHECKING:
    from corearray.calls._accelerator import Way
    from corearray.calls.fast_function import Flat

__all__ = ["Tables", "native_way_of", "way_of"]

#: The native functions of a way by kind: with every option at its default, and with others. Emptied, a way is closed.
Tables = tuple[dict[Any, Callable[..., Any]], dict[Any, Callable[..., Any]]]


def way_of(flat: Flat, tables: Tables) -> Way | None:
    """Make the way of a function, if it has one, and fill its tables.

    Parameters
    ----------
    flat
        The function on the backend, with the parameters that a call may give.
    tables
        Shared by all ways of a function on the backend.
    """
    binding, backend = flat.binding, flat.binding.backend
    guard = _guard(flat, tables)
    indexes = _indexes(flat, tables)
    if guard is None and not indexes and not flat.binding.direct_ways:
        return None
    from_tuples = flat.options.fast.from_tuples if flat.options else None
    own = direct_name(flat.name, backend)
    for table, name, instead in zip(tables, (own, f"{own}_with"), (from_tuples, None), strict=True):
        for kind in backend.kinds.values():
            function = vars(kind).get(name)
            if function is not None:
                table[kind] = instead or function
    gives = flat.declaration.gives
    return accelerator.Way(
        **_described(flat, with_options=bool(tables[1]), guard=guard),
        calls=backend.calls,
        failed=binding.recovery,
        functions=tables[0],
        with_options=tables[1],
        array=backend.Array,
        dtype=None,
        truth=backend.kind_named("bool"),
        integers=backend.kind_named("int64"),
        gives=None if gives in (None, "same") else backend.kind_named(gives),
        native_type=backend.array_types[0],
        ensured=backend.facts["as_array"] if backend.ensures else None,
        shares=getattr(backend.array_types[0], flat.shares) if flat.shares else None,
        guard=flat.options.when if guard is not None and flat.options else None,
        guarded_at=guard.at if guard is not None else b"",
    )


def _indexes(flat: Flat, tables: Tables) -> bool:
    """Fill the table of `get_item`, if what shows a part of an array needs no record."""
    function = (flat.options and flat.options.fast.from_tuples) or by_position(flat)
    if [p.role for p in flat.parameters] != ["array", "index"] or function is None or flat.record is not None:
        return False
    if flat.has_one():
        tables[0].update(dict.fromkeys(flat.kinds_without(flat.excluded), function))
    return bool(tables[0])


class _Guard(NamedTuple):
    """What a way holds of a guard: at which parameters it looks, and whether some are arrays that may be `None`."""

    at: bytes
    with_arrays: bool


def _guard(flat: Flat, tables: Tables) -> _Guard | None:
    """Fill the tables of a function with a guard, if that looks at parameters only."""
    if flat.options is None or flat.options.when is None or not is_possible(flat):
        return None
    places = {p.name: i for i, p in enumerate(flat.parameters) if p.role != "arrays"}
    looked_at = [p.name for p in parameters_of(cast(FunctionType, flat.options.when))]
    arrays, options = flat.declaration.optional_arrays, flat.declaration.options
    with_arrays = by_position(flat, arrays) if arrays and not options else None
    with_options = by_position(flat, options) if flat.declaration.with_options else None
    functions = with_arrays or by_position(flat), with_options
    if not any(functions) or not places.keys() >= set(looked_at):
        return None
    unsure = {"bool"} if flat.unsure_of_truth else set()
    kinds = flat.kinds_without(flat.excluded | unsure)
    for table, function in zip(tables, functions, strict=True):
        if function is not None:
            table.update(dict.fromkeys(kinds, function))
    return _Guard(bytes(places[name] for name in looked_at), with_arrays is not None)


def native_way_of(flat: Flat) -> Way | None:
    """Make the way of a function on native arrays, which returns what the native function returns, if it has one.

    Where dtypes are to be read (see `corearray.calls.native`), native arrays have to tell theirs by an attribute of their
    class that is no property: Python reads that for less, and mostly it is one of a base class. Elsewhere nothing is looked
    at, and the way pays if the native function is none of Python: one Python function calls the next for less than C does.
    """
    binding, backend = flat.binding, flat.binding.backend
    options, ways = flat.options, binding.direct_ways
    if not ways or options is None:
        return None
    native_type = backend.array_types[0]
    reads = not options.trusts_framework and (
        flat.sequence is not None or bool(flat.excluded) or len(flat.promoted) > 1
    )
    dtype = getattr(native_type, "dtype", None) if reads else None
    function = options.fast.from_tuples or by_position(flat)
    if reads:
        possible = flat.sequence is None and hasattr(type(dtype), "__get__") and type(dtype) is not property
    else:
        possible = type(function) is not FunctionType and not looks_at_types(flat)
    if function is None or not possible:
        return None
    with_options = by_position(flat, flat.declaration.options) if "with options" in ways else None
    kinds = flat.usable.values() if reads else [None]
    described = _described(flat, with_options=with_options is not None)
    values = str.maketrans("c" if reads else "cois", "v" if reads else "vvvv")  # what need not be looked at is one
    return accelerator.Way(
        **described | {"roles": described["roles"].translate(values)},
        calls=None,
        failed=binding.native_recovery,
        functions=dict.fromkeys(kinds, function)
        | ({backend.native_dtypes[d]: f for d, f in shorts_of(flat).items()} if reads else {}),
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


def _described(flat: Flat, *, with_options: bool, guard: _Guard | None = None) -> dict[str, Any]:
    parameters = flat.parameters
    roles = roles_of(flat.declaration, parameters, with_options=with_options)
    if guard is not None:
        roles = roles.replace("p", "b")  # it looks at values, and takes their types for granted
        if guard.with_arrays:
            roles = "".join(
                "n" if p.name in flat.declaration.optional_arrays else role
                for p, role in zip(parameters, roles, strict=True)
            )
    if flat.options is not None and flat.options.fast.view is True:  # which looks for slices that go backwards
        roles = roles.replace("k", "f")
    return {
        "names": tuple(p.name for p in parameters),
        "roles": roles.replace("v", "t") if flat.options and flat.options.fast.from_tuples else roles,
        "by_name": bytes(p.how != "positional" for p in parameters),
        "by_position": sum(p.how != "keyword" for p in parameters),
        "defaults": tuple(p.default for p in parameters),
    }
