"""Options of every function, written with NumPy's numbers, lists and ranges, and of types that they do not take."""

from __future__ import annotations

import numpy as np
import pytest
from standard.support import NAME, be

from corearray.declaration import DECLARATIONS
from corearray.errors import FunctionNotImplementedError
from corearray.testing.calls import Case
from corearray.testing.comparison import difference
from corearray.testing.reference import function_of, made, seen
from corearray.testing.samples import SAMPLES

#: What stands for values of these types in a program that got them from NumPy.
_OF_NUMPY = {bool: np.bool_, int: np.int64, float: np.float64, complex: np.complex128}


def _as_numpy_has_it(value):
    if isinstance(value, (tuple, list)):
        return [_as_numpy_has_it(item) for item in value]
    return _OF_NUMPY.get(type(value), lambda other: other)(value)


def _options(name):
    """Yield the place and the parameter of each option of numbers."""
    declaration = DECLARATIONS[name]
    for place, parameter in enumerate(declaration.parameters):
        annotation = str(declaration.function.__annotations__[parameter.name])
        of_numbers = annotation.startswith(("bool", "int", "float", "complex", "Sequence[int]"))
        if parameter.role == "plain" and parameter.how != "variadic" and of_numbers:
            yield place, parameter, annotation


_WITH_OPTIONS = [name for name in sorted(SAMPLES) if SAMPLES[name] and any(_options(name))]


def _called(name, args, options):
    return seen(be, function_of(be, name)(*made(be, list(args)), **{key: made(be, x) for key, x in options.items()}))


@pytest.mark.parametrize("name", _WITH_OPTIONS)
def test_options_as_numpy_has_them(name):
    for args, given in SAMPLES[name][:2]:
        left_out = [p for i, p, _ in _options(name) if i >= len(args) and not p.required and p.how != "positional"]
        options = {p.name: p.default for p in left_out} | given
        places = {i: p.name for i, p, _ in _options(name)}
        try:
            wanted = _called(name, args, options)
        except FunctionNotImplementedError as error:
            pytest.skip(str(error))
        changed = [_as_numpy_has_it(x) if i in places else x for i, x in enumerate(args)]
        others = {key: _as_numpy_has_it(x) if key in places.values() else x for key, x in options.items()}
        found = _called(name, changed, others)
        assert difference(Case(name, "", "", args, options), found, wanted) == ""


_WRONG = {
    "bool": (None, "x", 0.5, 1j, [True]),
    "int": (None, "x", 0.5, 1j, [1]),
    "float": (None, "x", 1j, [0.5]),
    "int | None": ("x", 0.5, [1]),
    "int | Sequence[int]": (None, "x", 0.5, (0.5,)),
    "int | Sequence[int] | None": ("x", 0.5, (0.5,)),
    "int | tuple[int, ...] | None": ("x", 0.5, (0.5,)),
    "Sequence[int]": (None, "x", 0.5, (0.5,)),
    "Sequence[int] | None": ("x", 0.5, (0.5,)),
}


@pytest.mark.parametrize("name", _WITH_OPTIONS)
def test_options_of_another_type(name):
    """The error is one of the type, whatever the framework thinks of the value."""
    args, given = SAMPLES[name][0]
    missed = []
    for place, parameter, annotation in _options(name):
        for wrong in _WRONG.get(annotation, ()):
            if (
                NAME == "strict" and name == "permute_dims" and wrong is None
            ):  # of which array-api-strict makes something
                continue
            changed, options = list(args), dict(given)
            if place < len(changed):
                changed[place] = wrong
            else:
                options[parameter.name] = wrong
            try:
                result = _called(name, changed, options)
            except FunctionNotImplementedError as error:
                pytest.skip(str(error))
            except TypeError:
                continue
            except Exception as error:
                result = repr(error)
            missed.append(f"{parameter.name}={wrong!r}: {result}")
    assert not missed, f"{NAME}: {missed}"
