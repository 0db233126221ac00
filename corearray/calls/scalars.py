"""Python scalars beside arrays, on the fast path: those that change no dtype, and that the framework takes as they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from corearray.calls.codegen import when
from corearray.calls.constants import constants_of
from corearray.calls.kernels import stand_in_kernels

if TYPE_CHECKING:
    from corearray.calls.fast_function import FunctionWriter

__all__ = ["bounds_case", "is_weak", "numbers_case", "scalars_cases"]

#: By how an annotation names them, the types of Python numbers that are meant.
_NUMBERS = {"int": frozenset((int,)), "float": frozenset((int, float))}


def scalars_cases(writer: FunctionWriter, tests: Sequence[str]) -> list[str]:
    """Write what follows the test that two operands are of one type: one of them may be a Python scalar."""
    masks = [p for p in writer.arrays if p not in writer.promoted]
    taken = writer.options is not None and writer.options.scalars
    if not all(p.condition for p in masks) or not (taken or _keep_constants(writer)):
        return []
    one, two = (p.name for p in writer.promoted)
    backend, stand_ins = writer.binding.backend, stand_in_kernels(writer)
    writer.scope[f"_stand_ins_{writer.name}"] = {
        backend.kinds_named[dtype.name]: kernel for dtype, kernel in stand_ins.items()
    }
    lines: list[str] = []
    pairs = zip((one, two), reversed(writer.promoted), strict=True)
    for array, scalar in [(array, p.name) for array, p in pairs if p.scalar]:
        conditions = [is_weak(writer, scalar), *(f"{p.name}._kind is kind.as_bool" for p in masks), *tests]
        conditions += [f"{p.name} is None" for p in writer.optional]
        natives = {name: f"{name}._native" for name in (array, *(p.name for p in masks))}
        first = []
        if not taken:  # in place of the number: if the native call fails, its error is final for these arguments
            constant = f"_constant({scalar}, kind, {array}._native)"
            first = [f"{scalar} = {constant if writer.options else f'_wrap({constant})'}"]
        elif writer.options is not None and callable(writer.options.scalars):
            writer.scope[f"_scalar_{writer.name}"] = writer.options.scalars
            natives[scalar] = f"_scalar_{writer.name}({scalar}, {array}._native)"
        given = ", ".join(f"{array}._native" if name == array else name for name in (one, two))
        own = (
            ([f"kind in _stand_ins_{writer.name}"], f"_stand_ins_{writer.name}[kind]({given})")
            if stand_ins and not masks
            else None
        )
        case = [f"kind = {array}._kind", *when(conditions, [*first, *writer.call_lines(natives, own)])]
        lines += when([f"_type({array}) is _Array"], case, word="elif")
    return lines


def _keep_constants(writer: FunctionWriter) -> bool:
    """Return whether the backend keeps arrays of Python scalars, after the scope has what the text names."""
    writer.scope.setdefault("_wrap", writer.binding.backend.wrap)
    return constants_of(writer.binding.backend) is not None


def bounds_case(writer: FunctionWriter, tests: Sequence[str]) -> list[str]:
    """Write the case of one array with Python scalars for the others, which may be left out."""
    bounds = [p.name for p in writer.optional if p.scalar]
    if writer.options is None or not writer.options.scalars or len(bounds) < len(writer.optional) or not bounds:
        return []
    weak = [f"({name} is None or {is_weak(writer, name)})" for name in bounds]
    return _beside_numbers(writer, [*tests, *weak])


def numbers_case(writer: FunctionWriter, tests: Sequence[str]) -> list[str]:
    """Write the case of one array with a Python number that stays what it is, as in `repeat(x, 2)`."""
    others = writer.arrays[1:]
    if not others or writer.arrays[0].python or not all(p.python for p in others):
        return []
    typed = []
    for p in others:
        annotation = str(writer.declaration.function.__annotations__[p.name])
        named = _NUMBERS.keys() & set(annotation.split(" | "))
        writer.scope[f"_numbers_{writer.name}_{p.name}"] = frozenset().union(*map(_NUMBERS.__getitem__, named))
        typed.append(f"_type({p.name}) in _numbers_{writer.name}_{p.name}")
    return _beside_numbers(writer, [*typed, *tests])


def _beside_numbers(writer: FunctionWriter, tests: list[str]) -> list[str]:
    """Write the case of one array where the other arguments are no arrays."""
    array = writer.arrays[0].name
    call = writer.call_lines({array: f"{array}._native"})
    return [f"kind = {array}._kind", *when([f"kind in _fast_{writer.name}", *tests], call)]


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
