"""What the kinds of a backend hold of a function: the native functions of the direct way (`corearray.calls.fast_path`).

They stand there as soon as the function is first called, by whatever way, so that a public function needs no more for its
first call; the text of the backend's own function is written when that is called.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import BuiltinFunctionType
from typing import TYPE_CHECKING, Any

from corearray.calls.codegen import compiled
from corearray.calls.fast_path import direct_name, switch
from corearray.contract.declaration import parameters_of
from corearray.contract.hookimpl import FastPathMiss

if TYPE_CHECKING:
    from corearray.arrays.kind import Kind
    from corearray.backends.backend import Backend
    from corearray.calls.fast_function import Flat
    from corearray.types.dtypes import DType

__all__ = ["by_position", "is_possible", "natives_of", "offer", "shorts_of", "takes_a_tuple"]


def takes_a_tuple(function: object) -> bool:
    """Whether each call of a function makes a tuple of the arguments, as of torch's, which are static methods in C.

    To hand it over ready takes up to 30 ns less; other functions would take longer.
    """
    return isinstance(function, BuiltinFunctionType) and function.__self__ is None


def offer(flat: Flat) -> frozenset[str]:
    """Put what computes the function directly into the kinds of the backend.

    Returns
    -------
    Whether there is something: `"direct"` for calls with every option at its default, `"with options"` for others; and
    `"by a tuple"` if the former takes its arguments so.
    """
    backend = flat.binding.backend
    usable = flat.kinds_without(flat.excluded)
    possible = is_possible(flat) and flat.options is not None and flat.options.when is None
    with_options = flat.declaration.with_options
    direct = by_position(flat) if possible else None
    options = by_position(flat, flat.declaration.options) if direct and with_options else None
    own = direct_name(flat.name, backend)
    public = _for_the_public(flat, direct, with_options=False)
    functions = {flat.name: public, own: direct}
    if with_options:
        functions |= {f"{flat.name}_with": _for_the_public(flat, options, with_options=True), f"{own}_with": options}
    offered: dict[str, Any] = dict(functions)
    offered[switch(flat.name)] = backend.calls if public else False
    # What public functions call stays beside a switch that is off: a call in another thread may have passed the switch.
    if public is None:
        del offered[flat.name]
    refused: dict[str, Any] = dict.fromkeys((own, f"{own}_with") if with_options else (own,)) | {
        switch(flat.name): False
    }
    unsure_kind = backend.kind_named("bool") if flat.unsure_of_truth else None
    shorts = {backend.kind_named(dtype.name): short for dtype, short in shorts_of(flat).items()} if direct else {}
    for kind in backend.kinds.values():
        if kind in shorts:
            short = {flat.name: _for_the_public(flat, shorts[kind], with_options=False), own: shorts[kind]}
            vars(kind).update(refused | short | {switch(flat.name): backend.calls})
        elif kind not in usable:
            vars(kind).update(refused)
        elif kind is unsure_kind:
            kept = {name: _keeping(function, backend, kind) for name, function in functions.items() if function}
            vars(kind).update(offered | kept)
        else:
            vars(kind).update(offered)
    found = {"direct": direct is not None, "with options": options is not None, "by a tuple": takes_a_tuple(direct)}
    return frozenset(way for way, there in found.items() if there)


def shorts_of(flat: Flat) -> dict[DType, Callable[..., Any]]:
    """Return what computes the function for arrays of dtypes that go by another one, where the plugin says that."""
    native = flat.binding.backend.native_dtypes
    vias = {} if flat.options is None else flat.options.via
    return {dtype: fast for dtype in native if dtype.name in vias and (fast := vias[dtype.name].fast) is not None}


def is_possible(flat: Flat) -> bool:
    """Whether a function may have a direct way on a backend: one native call, of whose result no view is to be noted."""
    gives = flat.declaration.gives
    known = gives in (None, "same") or flat.binding.backend.kind_named(gives) is not None
    return flat.declaration.direct and flat.options is not None and flat.has_one() and known and flat.record is None


def _keeping(function: Callable[..., Any], backend: Backend, kind: Kind) -> Callable[..., Any]:
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
    flat: Flat, function: Callable[..., Any] | None, *, with_options: bool
) -> Callable[..., Any] | None:
    """Put around a function what the text of the public function, one for all backends, does not know."""
    ensured = flat.ensuring() if with_options or not flat.surely else ""
    if function is None or not (flat.shares or ensured):
        return function
    names = ", ".join(p.name for p in flat.parameters if p.required)
    names += "".join(f", {name}" for name in (flat.declaration.options if with_options else ()))
    scope = {**flat.scope, "_function": function}
    call = f"_function({names})"
    lines = [f"r = {call}", *ensured.splitlines(), "return r"] if ensured else [f"return {call}"]
    if flat.shares:
        scope["_FastPathMiss"] = FastPathMiss
        lines = [f"if not {flat.first.name}.{flat.shares}():", "    raise _FastPathMiss", *lines]
    text = f"def {flat.name}({names}):\n" + "".join(f"    {line}\n" for line in lines)
    return compiled(flat.name, text, scope, f"for the public function on {flat.binding.backend.name}:")


def by_position(flat: Flat, further: Sequence[str] = ()) -> Callable[..., Any] | None:
    """Return what takes the required arguments, and further ones, by position as they are declared."""
    implementation, options = flat.binding.implementation, flat.options
    if implementation is None or options is None:
        return None
    if flat.short is not None and not further:
        return flat.short
    if options.fast.with_options is not None and list(further) == flat.declaration.options:
        return options.fast.with_options
    own = parameters_of(implementation.function)
    taken = [p.name for p in own if p.how != "keyword"]
    declared = flat.declaration.parameters
    wanted = [*(p.name for p in declared if p.required), *further]
    defaults = {p.name: repr(p.default) for p in declared if not p.required}
    others = own[len(wanted) :]
    if taken[: len(wanted)] != wanted or any(p.required or repr(p.default) != defaults[p.name] for p in others):
        return None
    if flat.dtype is not None or (options.native is not None and any(p.name != "out" for p in others)):
        return None
    return implementation.call


def natives_of(arrays: Any, kind: Kind) -> list[Any] | None:
    """Return the native arrays of a list or tuple of arrays of one kind, or `None` where it is anything else."""
    if type(arrays) is not list and type(arrays) is not tuple:
        return None
    natives = [x._native for x in arrays if x._kind is kind]
    return natives if len(natives) == len(arrays) else None
