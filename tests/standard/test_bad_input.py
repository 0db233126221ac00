"""Wrong arguments are refused by the same Python error with the same words on every backend, before anything is computed."""

from __future__ import annotations

import re

import pytest
from standard.bad_calls import CALLS, Bad
from standard.support import arguments, be

import corearray as ca
from corearray.checks.options import option_reader
from corearray.contract.declaration import DECLARATIONS
from corearray.testing.samples import SAMPLES

#: What a text says: what was asked or found, and what is right.
_FORM = re.compile(
    r"'[\w.]+' .*\b(got|asked|found|function of|takes?|cannot|needs?|is to|multiplies|splits)\b", re.DOTALL
)

#: Options that are looked at only beside another one, or whose every value means something.
_FREE = {
    ("eigh_tridiagonal", "select_range"), ("eigvalsh_tridiagonal", "select_range"), ("pad", "reflect_type"),
    ("pad", "end_values"), ("pad", "constant_values"),
}  # fmt: skip


def changed(name, argument, value):
    """Make the first sample call of a function with another value for one argument."""
    args, options = SAMPLES[name][0]
    declared = [p for p in DECLARATIONS[name].parameters if p.role != "out"]
    places = [p.name for p in declared if p.how not in ("keyword", "variadic")]
    args, options = list(args), dict(options)
    if argument in places and places.index(argument) < len(args):
        args[places.index(argument)] = value
    elif any(p.name == argument and p.how == "variadic" for p in declared):
        args[len(places) :] = value
    else:
        positional = [p for p in declared if p.name == argument and p.how == "positional"]
        if positional:
            args += [p.default for p in declared[len(args) : places.index(argument)]] + [value]
        else:
            options[argument] = value
    space = DECLARATIONS[name].namespace
    function = getattr(getattr(be, space) if space else be, name)
    return lambda: function(*map(arguments, args), **{key: arguments(item) for key, item in options.items()})


def refused(call, kind, words):
    """Check the error of a call: its Python kind, its words, and that these are not the framework's."""
    with pytest.raises(kind) as caught:
        call()
    text = str(caught.value)
    assert isinstance(caught.value, ca.CoreArrayError)
    assert words in text, text
    assert " failed with " not in text
    assert _FORM.match(text), text


@pytest.mark.parametrize(("name", "case"), [(name, case) for name, cases in CALLS.items() for case in cases], ids=str)
def test_bad_calls(name, case: Bad):
    refused(changed(name, case.argument, case.value), case.kind, case.words)


_ARRAYS = [(d.name, p.name) for d in DECLARATIONS.values() for p in d.parameters if p.role == "array"]


@pytest.mark.parametrize(("name", "argument"), _ARRAYS)
def test_a_text_is_no_array(name, argument):
    refused(changed(name, argument, "text"), TypeError, "got 'text' where it takes an array")


def _options():
    for declaration in DECLARATIONS.values():
        for place, parameter in enumerate(declaration.parameters):
            if parameter.role == "plain" and (declaration.name, parameter.name) not in _FREE:
                yield declaration, place, parameter.name


_CHECKED = []
for _declaration, _place, _name in _options():
    _read = option_reader(_declaration)
    for _wrong in ({"a": "mapping"}, "sideways", 1.5):
        _values = [p.default if p.how != "variadic" else () for p in _declaration.parameters]
        _good = [None if p.required else p.default for p in _declaration.parameters]
        _values = list(_good)
        _values[_place] = _wrong
        _found = _read(_values) if _read else None
        if _found is not None and f"got {_name}=" in str(_found):
            _CHECKED.append((_declaration.name, _name, _wrong, type(_found), str(_found)))


@pytest.mark.parametrize(("name", "argument", "value", "kind", "words"), _CHECKED, ids=str)
def test_options_of_another_type_and_unknown_words(name, argument, value, kind, words):
    refused(changed(name, argument, value), kind, words)


_AXES = [
    (d.name, p.name)
    for d in DECLARATIONS.values()
    for p in d.parameters
    if p.name in ("axis", "axes", "axis1", "axis2", "source", "destination", "start_axis", "end_axis")
    and d.name not in ("tensordot", "tensorsolve", "prelu", "concat_from_sequence")
]


@pytest.mark.parametrize("axis", [99, -99])
@pytest.mark.parametrize(("name", "argument"), _AXES)
def test_axes_that_are_not_there(name, argument, axis):
    written = str(DECLARATIONS[name].function.__annotations__[argument])
    value = axis if "int" in written.replace("Sequence[int]", "") else (axis,) * max(SAMPLES[name][0][0][0].ndim, 1)
    refused(changed(name, argument, value), (IndexError, ValueError), "'")


def test_each_function_with_options_has_rows():
    """Elementwise functions are asked by `test_errors.py`, and whatever takes words or types by its annotations here."""
    asked = set(CALLS) | {row[0] for row in _CHECKED} | {row[0] for row in _AXES}
    with_options = {
        n for n, d in DECLARATIONS.items() if any(p.how != "variadic" for p in d.parameters if p.name in d.options)
    }
    assert with_options - asked == set()


def test_the_table_names_functions_and_arguments():
    for name, cases in CALLS.items():
        known = {p.name for p in DECLARATIONS[name].parameters}
        assert {case.argument for case in cases} <= known
