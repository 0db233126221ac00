"""Python scalars beside arrays, on the fast path: those that change no dtype, and that the framework takes as they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from corearray.calls.constants import constants_of
from corearray.calls.kernels import stand_in_kernels

if TYPE_CHECKING:
    from corearray.calls.fast_function import FunctionWriter

__all__ = ["bounds_text", "is_weak", "numbers_text", "scalars_text"]

#: By how an annotation names them, the types of Python numbers that are meant.
_NUMBERS = {"int": frozenset((int,)), "float": frozenset((int, float))}


def scalars_text(writer: FunctionWriter, tests: Sequence[str]) -> str:
    """Write what follows the test that two operands are of one type: one of them may be a Python scalar."""
    masks = [p for p in writer.arrays if p not in writer.promoted]
    taken = writer.options is not None and writer.options.scalars
    if not all(p.condition for p in masks) or not (taken or _keep_constants(writer)):
        return ""
    one, two = (p.name for p in writer.promoted)
    backend, shorts = writer.binding.backend, stand_in_kernels(writer)
    writer.scope[f"_shorts_{writer.name}"] = {backend.kinds_named[dtype.name]: short for dtype, short in shorts.items()}
    text = ""
    for array, scalar in ((one, two), (two, one)):
        conditions = [is_weak(writer, scalar), *(f"{p.name}._kind is kind.as_bool" for p in masks), *tests]
        conditions += [f"{p.name} is None" for p in writer.optional]
        natives = {name: f"{name}._native" for name in (array, *(p.name for p in masks))}
        first = ""
        if not taken:  # in place of the number: if the native call fails, its error is final for these arguments
            constant = f"_constant({scalar}, kind, {array}._native)"
            first = f"{' ' * 16}{scalar} = {constant if writer.options else f'_wrap({constant})'}\n"
        elif writer.options is not None and callable(writer.options.scalars):
            writer.scope[f"_scalar_{writer.name}"] = writer.options.scalars
            natives[scalar] = f"_scalar_{writer.name}({scalar}, {array}._native)"
        given = ", ".join(f"{array}._native" if name == array else name for name in (one, two))
        own = (
            (f"kind in _shorts_{writer.name}", f"_shorts_{writer.name}[kind]({given})")
            if shorts and not masks
            else ("", "")
        )
        text += (
            f"        elif _type({array}) is _Array:\n"
            f"            kind = {array}._kind\n"
            f"            if {' and '.join(conditions)}:\n"
            f"{first}{writer.call_text(' ' * 16, natives, own)}"
        )
    return text


def _keep_constants(writer: FunctionWriter) -> bool:
    """Return whether the backend keeps arrays of Python scalars, after the scope has what the text names."""
    writer.scope.setdefault("_wrap", writer.binding.backend.wrap)
    return constants_of(writer.binding.backend) is not None


def bounds_text(writer: FunctionWriter, tests: Sequence[str], *, known: bool) -> str:
    """Write the fast path of one array with Python scalars for the others, which may be left out; `known` is `kind`."""
    bounds = [p.name for p in writer.optional if p.scalar]
    if writer.options is None or not writer.options.scalars or len(bounds) < len(writer.optional) or not bounds:
        return ""
    conditions = [f"kind in _fast_{writer.name}", *tests]
    conditions += [f"({name} is None or {is_weak(writer, name)})" for name in bounds]
    array = writer.first.name
    kind = "" if known else f"        kind = {array}._kind\n"
    return (
        f"{kind}        if {' and '.join(conditions)}:\n"
        f"{writer.call_text(' ' * 12, {array: f'{array}._native'}, optional=True)}"
    )


def numbers_text(writer: FunctionWriter, tests: Sequence[str]) -> str:
    """Write the fast path of one array with a Python number that stays what it is, as in `repeat(x, 2)`."""
    others = writer.arrays[1:]
    if not others or writer.arrays[0].python or not all(p.python for p in others):
        return ""
    array = writer.arrays[0].name
    conditions = [f"kind in _fast_{writer.name}", *tests]
    for p in others:
        annotation = str(writer.declaration.function.__annotations__[p.name])
        named = _NUMBERS.keys() & set(annotation.split(" | "))
        writer.scope[f"_numbers_{writer.name}_{p.name}"] = frozenset().union(*map(_NUMBERS.__getitem__, named))
        conditions.insert(0, f"_type({p.name}) in _numbers_{writer.name}_{p.name}")
    return (
        f"        kind = {array}._kind\n"
        f"        if {' and '.join(conditions)}:\n"
        f"{writer.call_text(' ' * 12, {array: f'{array}._native'}, optional=True)}"
    )


def is_weak(writer: FunctionWriter, scalar: str) -> str:
    """Write the test that a Python scalar changes nothing beside an array of `kind`."""
    kinds = writer.binding.backend.kinds
    native = writer.binding.backend.native_dtypes
    usable = {dtype: kinds[native[dtype]] for dtype in writer.usable.keys() | stand_in_kernels(writer).keys()}
    complexes = frozenset(kind for dtype, kind in usable.items() if dtype.category == "complex floating")
    floats = complexes | frozenset(kind for dtype, kind in usable.items() if dtype.category == "real floating")
    integers = floats | frozenset(kind for dtype, kind in usable.items() if dtype.category.endswith("integer"))
    truth = frozenset(kind for dtype, kind in usable.items() if dtype.category == "bool")
    if constants_of(writer.binding.backend) is None or (writer.unsure_of_truth and writer.options is not None):
        truth = frozenset()
    types = {bool: truth, int: integers, float: floats, complex: complexes}
    writer.scope.setdefault(f"_weak_{writer.name}", types.get)
    weak = f"kind in _weak_{writer.name}(_type({scalar}), ())"
    return f"{weak} and (_type({scalar}) is not int or kind.least <= {scalar} <= kind.most)"
