"""Options of a type, or words, that the declaration does not take: what its annotations say is asked of the values.

The stages ask before a call, since a framework may make something of what is wrong, an axis 1 of `axis=1.5` or an empty
array of a size below zero. Where a fast path of a call fails, the stages follow and tell why.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from numbers import Integral
from operator import index
from types import FunctionType
from typing import TYPE_CHECKING, Any, cast

from corearray.arrays.array import Array
from corearray.arrays.nested import map_nested, to_native
from corearray.container import Container
from corearray.contract.declaration import parameters_of
from corearray.errors import CoreArrayError, CoreArrayTypeError, CoreArrayValueError, TracingError
from corearray.ragged import Ragged
from corearray.types.shape import Shape

if TYPE_CHECKING:
    from corearray.contract.declaration import Declaration

__all__ = ["is_integral", "option_reader", "option_settler", "option_tests", "option_unwrapper"]

_Test = Callable[[Any], bool]


def option_reader(declaration: Declaration) -> Callable[[Sequence[Any]], CoreArrayError | None] | None:
    """Return what looks at the values of all parameters, and returns the error that one of them deserves, if any.

    Nothing is returned for a function without options that could be told wrong.
    """
    readers = []
    for i, parameter in enumerate(declaration.parameters):
        if parameter.role == "plain" and parameter.how != "variadic":
            read = _read(str(declaration.function.__annotations__.get(parameter.name, "object")))
            if read is not None:
                readers.append((i, parameter.name, *read))
    if not readers:
        return None

    def wrong(args: Sequence[Any]) -> CoreArrayError | None:
        for i, name, tests, choices, words in readers:
            value = args[i]
            if isinstance(value, (Container, Ragged)):  # each leaf of which is an option of one call
                continue
            for test in tests:
                if test(value):
                    break
            else:
                kind = CoreArrayValueError if type(value) in choices else CoreArrayTypeError
                shown = f"{value!r:.200}" if type(value) in _SHOWN else f"an object of type {type(value).__name__}"
                if (
                    i == 1
                    and words == "takes an integer"
                    and isinstance(value, (Array, tuple))
                    and _has_no_axes(args[0])
                ):
                    return CoreArrayTypeError(
                        f"'{declaration.name}' takes the array first; write {declaration.name}(x, {name})"
                    )
                return kind(f"'{declaration.name}' got {name}={shown}; it {words}")
        return None

    return wrong


def _has_no_axes(value: Any) -> bool:
    """Return true for a number, and for the array without axes that was made of one."""
    return type(value) in _SETTLED or len(getattr(value, "shape", (0,))) == 0


def option_settler(declaration: Declaration) -> Callable[[list[Any]], None] | None:
    """Return what makes Python's own numbers, truth values and tuples of options, as frameworks do not take all others.

    NumPy's numbers are made Python's, and its arrays tuples of them, and so is an `Array` of integers; truth values are
    integers where those are meant, and integers truth values; lists and ranges are tuples. Sizes that a tracer does not know
    yet, and arrays of frameworks, stay.

    Nothing is returned for a function without options of numbers.
    """
    places = _of_numbers(declaration)
    if not places:
        return None

    def settle(args: list[Any]) -> None:
        for i, is_truth in places:
            if type(args[i]) is not bool or not is_truth:
                value = _settled(args[i])
                args[i] = bool(value) if is_truth and type(value) is int else value

    return settle


_INTEGRAL = ("bool", "signed integer", "unsigned integer")
_OF_NUMBERS = re.compile(r"\b(bool|int|float|complex|[0-9]+)\b")

#: Types of what stays as it is.
_SETTLED = frozenset((int, float, complex, str, type(None)))


def _settled(value: Any) -> Any:
    kind = type(value)
    if kind in _SETTLED:
        return value
    if kind is tuple or kind is list or kind is range:
        return tuple(map(_settled, value))
    if isinstance(value, Array):
        read = _read_integers(value)
        return value if read is None else _settled(read)
    if hasattr(kind, "__array_interface__") and hasattr(kind, "tolist"):
        return _settled(value.tolist())
    return index(value) if isinstance(value, Integral) else value


def is_integral(value: Any) -> bool:
    """Whether something is an `Array` of integers or truth values."""
    return isinstance(value, Array) and value.dtype.category in _INTEGRAL


def _read_integers(x: Array) -> Any:
    """Return what an array of integers holds; `None` for other numbers, and while a framework traces it."""
    if not is_integral(x):
        return None
    try:
        return x._backend.facts["to_list"](x._native)
    except TracingError:  # of a graph that is recorded, which says what to do
        raise
    except Exception:
        return None


def option_unwrapper(declaration: Declaration) -> Callable[[list[Any]], None] | None:
    """Return what gives a framework its own arrays among options: numbers that it traces, of which it may make something."""
    places = _of_numbers(declaration)
    if not places:
        return None

    def unwrap(args: list[Any]) -> None:
        for i, _ in places:
            if type(args[i]) not in _SETTLED:
                args[i] = map_nested(args[i], to_native)

    return unwrap


def _of_numbers(declaration: Declaration) -> list[tuple[int, bool]]:
    """Return the places of options of numbers, and which of them are truth values."""
    annotations = declaration.function.__annotations__
    plain = [(i, str(annotations[p.name])) for i, p in enumerate(declaration.parameters) if p.role == "plain"]
    return [(i, text.startswith("bool")) for i, text in plain if _OF_NUMBERS.search(text)]


def option_tests(declaration: Declaration, scope: dict[str, Any], *, composed: bool = False) -> list[str]:
    """Write the tests of a fast path that options are of the types that users write, and call the declaration's check.

    Parameters
    ----------
    declaration
        The function.
    scope
        Globals of the text; what the tests need is put there.
    composed
        Whether a composition computes, of which nobody knows what it makes of a size with a fraction.
    """
    name = declaration.name
    tests = []
    for p in declaration.parameters:
        annotation = str(declaration.function.__annotations__[p.name]) if p.role == "plain" else ""
        types = _plain_types(annotation) if annotation else None
        if annotation.startswith("Literal[") and annotation.endswith("]"):
            tests.append(f"{p.name} in ({annotation[8:-1]},)")
            if annotation[8].isdigit():
                tests.append(f"_type({p.name}) is int")
        elif types == frozenset((bool,)):
            tests.append(f"_type({p.name}) is bool")
        elif types is not None:
            scope[f"_types_{name}_{p.name}"] = types
            tests.append(f"_type({p.name}) in _types_{name}_{p.name}")
            if composed and tuple in types and "float" not in annotation:
                scope["_holds_no_fraction"] = _holds_no_fraction
                tests.append(f"_holds_no_fraction({p.name})")
    if declaration.check is not None:  # which raises, and the stages tell why
        scope[f"_check_{name}"] = declaration.check
        names = [p.name for p in parameters_of(cast(FunctionType, declaration.check))]
        tests.append(f"_check_{name}({', '.join(repr(name) if one == 'name' else one for one in names)}) is None")
    return tests


def _plain_types(annotation: str) -> frozenset[type] | None:
    """Return the very types of the values that users write for an option, which need no look, if these tell enough."""
    found: set[type] = set()
    for term in _split(annotation):
        kinds = _PLAIN.get(term.partition("[")[0])
        if kinds is None:
            return None
        found.update(kinds)
    return frozenset(found)


def _holds_no_fraction(value: Any) -> bool:
    """Whether an option is no sequence, or one without numbers of floating point."""
    return type(value) not in (list, tuple, Shape) or float not in map(type, value)


_PLAIN: dict[str, tuple[type, ...]] = {
    "bool": (bool,),
    "int": (int,),
    "float": (int, float),
    "complex": (int, float, complex),
    "str": (str,),
    "None": (type(None),),
    "Sequence": (list, tuple, Shape),
    "tuple": (tuple, Shape),
}

_SHOWN = (bool, int, float, complex, str, bytes, list, tuple, dict, type(None))


def _is_integer(value: Any) -> bool:
    return hasattr(type(value), "__index__") and (not isinstance(value, Array) or is_integral(value))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) or _converts(value, "__float__") or _is_integer(value)


def _is_complex(value: Any) -> bool:
    return isinstance(value, complex) or _converts(value, "__complex__") or _is_number(value)


def _converts(value: Any, method: str) -> bool:
    """Whether something can be made a number: no array with axes can."""
    return hasattr(type(value), method) and (not isinstance(value, Array) or value.ndim == 0)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_truth(value: Any) -> bool:
    """Whatever has a truth value by itself passes; a text, a list or a class would be true by mistake."""
    return value is not None and not isinstance(value, (str, bytes, list, tuple, dict, float, complex, type))


def _is_none(value: Any) -> bool:
    return value is None


def _is_generator(value: Any) -> bool:
    from corearray.random import Generator  # imported late, as the module is

    return isinstance(value, Generator)


_SIMPLE: dict[str, tuple[_Test, str, str]] = {
    "int": (_is_integer, "an integer", "integers"),
    "float": (_is_number, "a number", "numbers"),
    "complex": (_is_complex, "a number", "numbers"),
    "str": (_is_text, "a text", "texts"),
    "bool": (_is_truth, "True or False", "truth values"),
    "None": (_is_none, "None", "None"),
    "Generator": (_is_generator, "a random generator", "random generators"),
}


@lru_cache(maxsize=256)
def _read(annotation: str) -> tuple[tuple[_Test, ...], frozenset[type], str] | None:
    """Return the tests of which a value passes one, the types of words to choose from, and what is taken in words."""
    tests: list[_Test] = []
    members: list[_Test] = []
    words: list[str] = []
    choices: set[type] = set()
    for term in _split(annotation):
        test: _Test | None
        if term in _SIMPLE:
            test, one, _ = _SIMPLE[term]
            if term == "str":
                choices.add(str)
        elif term.startswith("Literal["):
            known = ast.literal_eval(f"({term[8:-1]},)")
            choices.update(map(type, known))
            test = partial(_is_one_of, known)
            one = f"one of {', '.join(map(repr, known))}" if len(known) > 1 else repr(known[0])
        elif term.startswith(("Sequence[", "tuple[")):
            inside = term[term.index("[") + 1 : -1].removesuffix(", ...")
            inside = inside if term.startswith("Sequence[") else inside.split(", ", 1)[0]
            found = _read(inside)
            if found is None:
                return None
            members.extend(found[0])
            one = f"a sequence of {_SIMPLE[inside][2]}" if inside in _SIMPLE else "a sequence of these"
            test = None
        elif term.startswith("Mapping["):
            test, one = _is_mapping, "a mapping"
        elif term.startswith("Callable["):
            test, one = callable, "a function"
        else:
            return None
        if one not in words:
            words.append(one)
        if test is not None:
            tests.append(test)
    if members:  # which may be mixed, as in padding=((1, 2), 0)
        tests.append(_members(tuple(members)))
    listed = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
    listed = f"is {listed}" if listed.startswith("one of") else f"takes {listed}"
    return tuple(tests), frozenset(choices), listed


def _split(annotation: str) -> list[str]:
    """Take the terms of a union apart."""
    terms, depth, term = [], 0, ""
    for part in annotation.split(" | "):
        term = f"{term} | {part}" if term else part
        depth += part.count("[") - part.count("]")
        if depth == 0:
            terms.append(term)
            term = ""
    return terms


def _is_one_of(known: tuple[Any, ...], value: Any) -> bool:
    """Whether a value is one of those to choose from, of which 1.0 is none where 1 is."""
    return value in known and not isinstance(value, float)


def _is_mapping(value: Any) -> bool:
    return isinstance(value, Mapping)


def _members(tests: tuple[_Test, ...]) -> _Test:
    def each(value: Any) -> bool:
        if isinstance(value, (list, tuple)):
            return all(any(test(member) for test in tests) for member in value)
        if isinstance(value, Array):
            return is_integral(value) or not {_is_number, _is_complex}.isdisjoint(tests)
        return hasattr(type(value), "__iter__") and not isinstance(value, (str, bytes, Mapping))

    return each
