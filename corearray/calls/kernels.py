"""Kernels: the native functions that compute a function by themselves on arrays of one kind, each one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from corearray.contract.declaration import parameters_of
from corearray.contract.hookimpl import FastPathMiss

if TYPE_CHECKING:
    from corearray.arrays.kind import Kind
    from corearray.backends.backend import Backend
    from corearray.calls.fast_function import FunctionWriter
    from corearray.types.dtypes import DType

__all__ = [
    "Kernels", "by_position", "is_possible", "kernels_of", "natives_of", "stand_in_kernels", "takes_optional_arrays",
]  # fmt: skip


class Kernels(NamedTuple):
    """Kernels by kind: for calls with every option at its default, and for calls with options, which take all by position."""

    functions: dict[Any, Callable[..., Any]]
    with_options: dict[Any, Callable[..., Any]]


def kernels_of(writer: FunctionWriter) -> Kernels:
    """Return the kernels of a function on its backend."""
    options, declaration, backend = writer.options, writer.declaration, writer.binding.backend
    function = (options and options.fast.from_tuples) or by_position(writer)
    with_options = None
    if is_possible(writer):
        if takes_optional_arrays(writer):
            function = by_position(writer, declaration.optional_arrays)
        if declaration.with_options and (function or writer.guarded):
            with_options = by_position(writer, declaration.options)
    elif (
        writer.record is not None
        or not writer.has_fast_path
        or [p.role for p in writer.parameters] != ["array", "index"]
    ):
        return Kernels({}, {})
    kernels = Kernels({}, {})
    unsure = backend.kinds_named.get("bool") if writer.unsure_of_truth else None
    for table, kernel in zip(kernels, (function, with_options), strict=True):
        if kernel is not None:
            table.update(dict.fromkeys(writer.usable_kinds, kernel))
        if unsure is not None and unsure in table:
            table[unsure] = _keeping_kind(table[unsure], backend, unsure)
    if kernels.functions:
        kernels.functions.update({backend.kinds_named[d.name]: fast for d, fast in stand_in_kernels(writer).items()})
    return kernels


def takes_optional_arrays(writer: FunctionWriter) -> bool:
    """Whether the kernel takes optional arrays. Only a guarded implementation gets them, since its guard tests them."""
    arrays = writer.declaration.optional_arrays
    return bool(writer.guarded and arrays and not writer.declaration.options and by_position(writer, arrays))


def stand_in_kernels(writer: FunctionWriter) -> dict[DType, Callable[..., Any]]:
    """Return what computes the function for arrays of dtypes that go by another one, where the plugin says that."""
    native = writer.binding.backend.native_dtypes
    vias = {} if writer.options is None else writer.options.via
    return {dtype: fast for dtype in native if dtype.name in vias and (fast := vias[dtype.name].fast) is not None}


def is_possible(writer: FunctionWriter) -> bool:
    """Whether one native call can compute the function and its result needs no record as a view."""
    gives = writer.declaration.gives
    known = gives in (None, "same") or gives in writer.binding.backend.kinds_named
    return (
        writer.declaration.has_kernel
        and writer.options is not None
        and writer.has_fast_path
        and known
        and writer.record is None
    )


def _keeping_kind(function: Callable[..., Any], backend: Backend, kind: Kind) -> Callable[..., Any]:
    """Return a function that gives arrays of one kind only, and leaves calls that give another to the stages.

    The first result shows which it is: later calls of one that gives another do not enter the native function here.
    """
    kinds = backend.kinds
    gives_another: list[bool] = []

    def kept(*natives: Any) -> Any:
        if gives_another:
            raise FastPathMiss
        result = function(*natives)
        if kinds.get(result.dtype) is not kind:
            gives_another.append(True)
            raise FastPathMiss
        return result

    return kept


def by_position(writer: FunctionWriter, further: Sequence[str] = ()) -> Callable[..., Any] | None:
    """Return what takes the required arguments, and further ones, by position as they are declared."""
    implementation, options = writer.binding.implementation, writer.options
    if implementation is None or options is None:
        return None
    if writer.common is not None and not further:
        return writer.common
    if options.fast.with_options is not None and list(further) == writer.declaration.options:
        return options.fast.with_options
    own = parameters_of(implementation.function)
    taken = [p.name for p in own if p.how != "keyword"]
    declared = writer.declaration.parameters
    wanted = [*(p.name for p in declared if p.required), *further]
    defaults = {p.name: repr(p.default) for p in declared if not p.required}
    others = own[len(wanted) :]
    if taken[: len(wanted)] != wanted or any(p.required or repr(p.default) != defaults[p.name] for p in others):
        return None
    if writer.dtype is not None or (options.native is not None and any(p.name != "out" for p in others)):
        return None
    return implementation.call


def natives_of(arrays: Any, kind: Kind) -> list[Any] | None:
    """Return the native arrays of a list or tuple of arrays of one kind, or `None` where it is anything else."""
    if type(arrays) is not list and type(arrays) is not tuple:
        return None
    natives = [x._native for x in arrays if x._kind is kind]
    return natives if len(natives) == len(arrays) else None
