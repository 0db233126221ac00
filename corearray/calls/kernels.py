"""What the kinds of a backend hold of a function: the native functions of the kernel path (`corearray.calls.fast_path`).

They are installed when the public function or the backend's own is first called. The text of the backend's own function is
written when that is called.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import BuiltinFunctionType
from typing import TYPE_CHECKING, Any

from corearray.calls.codegen import compiled
from corearray.contract.declaration import parameters_of
from corearray.contract.hookimpl import FastPathMiss

if TYPE_CHECKING:
    from corearray.arrays.kind import Kind
    from corearray.backends.backend import Backend
    from corearray.calls.fast_function import FunctionWriter
    from corearray.types.dtypes import DType

__all__ = ["by_position", "install_kernels", "is_possible", "natives_of", "stand_in_kernels", "takes_a_tuple"]


def takes_a_tuple(function: object) -> bool:
    """Whether each call of a function makes a tuple of the arguments, as of torch's, which are static methods in C.

    To hand it over ready takes up to 30 ns less; other functions would take longer.
    """
    return isinstance(function, BuiltinFunctionType) and function.__self__ is None


def install_kernels(writer: FunctionWriter) -> frozenset[str]:
    """Put the native functions of a function into the kinds of the backend.

    Returns
    -------
    Whether there is something: `"direct"` for calls with every option at its default, `"with options"` for others; and
    `"by a tuple"` if the former takes its arguments so.
    """
    backend = writer.binding.backend
    usable = writer.usable_kinds
    possible = is_possible(writer) and writer.options is not None and writer.options.when is None
    with_options = writer.with_options
    direct = by_position(writer) if possible else None
    options = by_position(writer, writer.declaration.options) if direct and with_options else None
    own = writer.own_name
    public = _for_the_public(writer, direct, with_options=False)
    functions = {writer.name: public, own: direct}
    if with_options:
        functions |= {
            f"{writer.name}_with": _for_the_public(writer, options, with_options=True),
            f"{own}_with": options,
        }
    offered: dict[str, Any] = dict(functions)
    offered[writer.switch] = backend.calls if public else False
    # What public functions call stays beside a switch that is off: a call in another thread may have passed the switch.
    if public is None:
        del offered[writer.name]
    refused: dict[str, Any] = dict.fromkeys((own, f"{own}_with") if with_options else (own,)) | {writer.switch: False}
    unsure_kind = backend.kinds_named.get("bool") if writer.unsure_of_truth else None
    shorts = (
        {backend.kinds_named[dtype.name]: short for dtype, short in stand_in_kernels(writer).items()} if direct else {}
    )
    for kind in backend.kinds.values():
        if kind in shorts:
            short = {writer.name: _for_the_public(writer, shorts[kind], with_options=False), own: shorts[kind]}
            vars(kind).update(refused | short | {writer.switch: backend.calls})
        elif kind not in usable:
            vars(kind).update(refused)
        elif kind is unsure_kind:
            kept = {name: _keeping_kind(function, backend, kind) for name, function in functions.items() if function}
            vars(kind).update(offered | kept)
        else:
            vars(kind).update(offered)
    found = {"direct": direct is not None, "with options": options is not None, "by a tuple": takes_a_tuple(direct)}
    return frozenset(path for path, there in found.items() if there)


def stand_in_kernels(writer: FunctionWriter) -> dict[DType, Callable[..., Any]]:
    """Return what computes the function for arrays of dtypes that go by another one, where the plugin says that."""
    native = writer.binding.backend.native_dtypes
    vias = {} if writer.options is None else writer.options.via
    return {dtype: fast for dtype in native if dtype.name in vias and (fast := vias[dtype.name].fast) is not None}


def is_possible(writer: FunctionWriter) -> bool:
    """Whether a function may have a kernel path on a backend: one native call, of whose result no view is to be noted."""
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


def _for_the_public(
    writer: FunctionWriter, function: Callable[..., Any] | None, *, with_options: bool
) -> Callable[..., Any] | None:
    """Put around a function what the text of the public function, one for all backends, does not know."""
    ensured = writer.array_check() if with_options or not writer.always_array else ""
    if function is None or not (writer.shares or ensured):
        return function
    names = ", ".join(p.name for p in writer.parameters if p.required)
    names += "".join(f", {name}" for name in (writer.declaration.options if with_options else ()))
    scope = {**writer.scope, "_function": function}
    call = f"_function({names})"
    lines = [f"r = {call}", *ensured.splitlines(), "return r"] if ensured else [f"return {call}"]
    if writer.shares:
        scope["_FastPathMiss"] = FastPathMiss
        lines = [f"if not {writer.first.name}.{writer.shares}():", "    raise _FastPathMiss", *lines]
    text = f"def {writer.name}({names}):\n" + "".join(f"    {line}\n" for line in lines)
    return compiled(writer.name, text, scope, f"for the public function on {writer.binding.backend.name}:")


def by_position(writer: FunctionWriter, further: Sequence[str] = ()) -> Callable[..., Any] | None:
    """Return what takes the required arguments, and further ones, by position as they are declared."""
    implementation, options = writer.binding.implementation, writer.options
    if implementation is None or options is None:
        return None
    if writer.short is not None and not further:
        return writer.short
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
