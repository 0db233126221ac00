"""Python scalars beside arrays, on the short way: those that change no dtype, and that the framework takes as they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from corearray.calls.kernels import shorts_of

if TYPE_CHECKING:
    from corearray.calls.fast_function import Flat

__all__ = ["bounds_text", "is_weak", "numbers_text", "scalars_text"]

#: By how an annotation names them, the types of Python numbers that are meant.
_NUMBERS = {"int": frozenset((int,)), "float": frozenset((int, float))}


def scalars_text(flat: Flat, tests: Sequence[str]) -> str:
    """Write what follows the test that two operands are of one type: one of them may be a Python scalar."""
    masks = [p for p in flat.arrays if p not in flat.promoted]
    if flat.options is None or not flat.options.scalars or not all(p.condition for p in masks):
        return ""
    one, two = (p.name for p in flat.promoted)
    backend, shorts = flat.binding.backend, shorts_of(flat)
    flat.scope[f"_shorts_{flat.name}"] = {backend.kind_named(dtype.name): short for dtype, short in shorts.items()}
    text = ""
    for array, scalar in ((one, two), (two, one)):
        conditions = [is_weak(flat, scalar), *(f"{p.name}._kind is kind.as_bool" for p in masks), *tests]
        conditions += [f"{p.name} is None" for p in flat.optional]
        natives = {name: f"{name}._native" for name in (array, *(p.name for p in masks))}
        if callable(flat.options.scalars):
            flat.scope[f"_scalar_{flat.name}"] = flat.options.scalars
            natives[scalar] = f"_scalar_{flat.name}({scalar}, {array}._native)"
        given = ", ".join(f"{array}._native" if name == array else name for name in (one, two))
        own = (
            (f"kind in _shorts_{flat.name}", f"_shorts_{flat.name}[kind]({given})")
            if shorts and not masks
            else ("", "")
        )
        text += (
            f"        elif _type({array}) is _Array:\n"
            f"            kind = {array}._kind\n"
            f"            if {' and '.join(conditions)}:\n"
            f"{flat.call_text(' ' * 16, natives, own)}"
        )
    return text


def bounds_text(flat: Flat, tests: Sequence[str], *, known: bool) -> str:
    """Write the short way of one array with Python scalars for the others, which may be left out; `known` is `kind`."""
    bounds = [p.name for p in flat.optional if p.scalar]
    if flat.options is None or not flat.options.scalars or len(bounds) < len(flat.optional) or not bounds:
        return ""
    conditions = [f"kind in _fast_{flat.name}", *tests]
    conditions += [f"({name} is None or {is_weak(flat, name)})" for name in bounds]
    array = flat.first.name
    kind = "" if known else f"        kind = {array}._kind\n"
    return (
        f"{kind}        if {' and '.join(conditions)}:\n"
        f"{flat.call_text(' ' * 12, {array: f'{array}._native'}, optional=True)}"
    )


def numbers_text(flat: Flat, tests: Sequence[str]) -> str:
    """Write the short way of one array with a Python number that stays what it is, as in `repeat(x, 2)`."""
    others = flat.arrays[1:]
    if not others or flat.arrays[0].python or not all(p.python for p in others):
        return ""
    array = flat.arrays[0].name
    conditions = [f"kind in _fast_{flat.name}", *tests]
    for p in others:
        annotation = str(flat.declaration.function.__annotations__[p.name])
        named = _NUMBERS.keys() & set(annotation.split(" | "))
        flat.scope[f"_numbers_{flat.name}_{p.name}"] = frozenset().union(*map(_NUMBERS.__getitem__, named))
        conditions.insert(0, f"_type({p.name}) in _numbers_{flat.name}_{p.name}")
    return (
        f"        kind = {array}._kind\n"
        f"        if {' and '.join(conditions)}:\n"
        f"{flat.call_text(' ' * 12, {array: f'{array}._native'}, optional=True)}"
    )


def is_weak(flat: Flat, scalar: str) -> str:
    """Write the test that a Python scalar changes nothing beside an array of `kind`."""
    kinds = flat.binding.backend.kinds
    native = flat.binding.backend.native_dtypes
    usable = {dtype: kinds[native[dtype]] for dtype in flat.usable.keys() | shorts_of(flat).keys()}
    complexes = frozenset(kind for dtype, kind in usable.items() if dtype.kind == "complex floating")
    floats = complexes | frozenset(kind for dtype, kind in usable.items() if dtype.kind == "real floating")
    integers = floats | frozenset(kind for dtype, kind in usable.items() if dtype.kind.endswith("integer"))
    flat.scope.setdefault(f"_weak_{flat.name}", {int: integers, float: floats, complex: complexes}.get)
    weak = f"kind in _weak_{flat.name}(_type({scalar}), ())"
    return f"{weak} and (_type({scalar}) is not int or kind.least <= {scalar} <= kind.most)"
