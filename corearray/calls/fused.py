"""Compositions that a framework compiles as a whole, where each of their steps alone would cost a call of its own.

A plugin says which (`compiled_composition`). The arrays of a call are then arguments of a compiled function, and all else
is written down in a key, for each value of which it is traced anew: the other arguments with their types, and every
setting that a composition may read. Cases of another function (`max_pool2d` of `pool`) are compiled for native arrays of
floating-point numbers too (`compiled_case`), whose values depend on no setting: a program for each set of options. Nobody
looks for NaN there, as nobody does around the framework's own functions.

A compiled program would draw the same random numbers in each call. A composition that draws while it is traced, such as
attention with dropout, therefore runs step by step for these options.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from corearray.arrays.nested import map_nested, to_native
from corearray.calls.memo import memoised_by_key
from corearray.calls.settle import Call, called
from corearray.random.programs import Met, refusing_draws
from corearray.settings.context import SCALARS, current_settings
from corearray.settings.record import Settings
from corearray.types.devices import Device
from corearray.types.dtypes import DType

if TYPE_CHECKING:
    from corearray.calls.binding import Binding

__all__ = ["case_by_options", "compile_composition"]

#: Types whose texts tell apart what a composition could tell apart: 1 from 1.0 and from True, 0.0 from -0.0.
_TOLD_APART = frozenset({*SCALARS, str, type(None), DType, Device})

#: Settings that change nothing in what a composition computes.
_WITHOUT_EFFECT = {
    "backend", "by_class", "calls", "fast_calls", "implicit", "implicit_calls", "precision", "slow", "stack", "trace",
}  # fmt: skip
_SETTINGS = sorted(set(Settings.__slots__) - _WITHOUT_EFFECT)


class _Static:
    """The arguments of a call that are no arrays, equal to others if the same program comes of them."""

    __slots__ = ("args", "key")

    def __init__(self, args: list[Any]) -> None:
        self.args = args
        self.key = f"{args} {_settings_text(current_settings())}"

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Static) and self.key == other.key


#: The last record of settings that a call found, which is immutable, and its text.
_last: tuple[Settings, str] = (Settings(), "")


def _settings_text(settings: Settings) -> str:
    global _last
    found, text = _last
    if found is not settings or not text:
        text = f"{[getattr(settings, name) for name in _SETTINGS]}"
        _last = settings, text
    return text


def compile_composition(binding: Binding) -> Call | None:
    """Return the call of a composition on the list of its bound arguments, compiled, if the plugin says so."""
    backend = binding.backend
    if binding.composition is None or binding.nested or "compiled_composition" not in backend.facts:
        return None
    call = called(binding, binding.composition)
    own = backend.Array
    arrays, sequences = binding.arrays, binding.sequences

    def traced(natives: dict[int, Any], static: _Static) -> Any:
        args = list(static.args)
        for place, found in natives.items():
            args[place] = map_nested(found, backend.wrap)
        return map_nested(call(args), to_native)

    if any(p.name == "generator" for p in binding.declaration.parameters):
        traced = refusing_draws(traced)
    compiled = backend.fact("compiled_composition", binding.declaration.name, traced)
    if compiled is None:
        return None
    drawing: set[_Static] = set()

    def run(args: list[Any]) -> Any:
        natives, others = {}, list(args)
        for place in arrays:
            if type(args[place]) is own:
                natives[place], others[place] = args[place]._native, None
        for place in sequences:
            if args[place] and all(type(x) is own for x in args[place]):
                natives[place], others[place] = [x._native for x in args[place]], None
        if not natives or not _told_apart(others):
            return call(args)
        static = _Static(others)
        if drawing and static in drawing:
            return call(args)
        try:
            found = compiled(natives, static)
        except Met:
            drawing.add(static)
            return call(args)
        return backend.wrap(found) if backend.is_native(found) else map_nested(found, wrapped)

    def wrapped(x: Any) -> Any:
        return backend.wrap(x) if backend.is_native(x) else x

    return run


def _told_apart(value: Any) -> bool:
    if type(value) in (list, tuple):
        return all(map(_told_apart, value))
    return type(value) in _TOLD_APART


def case_by_options(binding: Binding, case: Callable[..., Any]) -> Callable[[tuple[Any, ...]], Any] | None:
    """Return what finds the compiled program of a case of another function for its options, if the plugin compiles such."""
    backend = binding.backend
    if "compiled_case" not in backend.facts:
        return None
    parameters = [p for p in binding.declaration.parameters if p.role != "out"]

    def compiled(options: tuple[Any, ...]) -> Any:
        def program(*natives: Any) -> Any:
            arrays, others = iter(natives), iter(options)
            given = {p.name: next(arrays if p.role == "array" else others) for p in parameters}
            places = [given.pop(p.name) for p in parameters if p.how != "keyword"]
            return case(*places, **given)

        return backend.fact("compiled_case", program)

    return memoised_by_key(compiled)
