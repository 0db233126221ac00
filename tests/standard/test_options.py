"""Options of every function, written with NumPy's numbers, lists and ranges, and of types that they do not take."""

from __future__ import annotations

import re

import numpy as np
import pytest
from standard.support import NAME, be

import corearray as ca
from corearray.contract.declaration import DECLARATIONS
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


def _as_an_array(value):
    if isinstance(value, (tuple, list)) and value and all(type(item) is int for item in value):
        return be.asarray(value)
    if isinstance(value, (tuple, list)):
        return [_as_an_array(item) for item in value]
    return be.asarray(value) if type(value) in (bool, int) else value


def _as_arrays(value):
    return tuple(map(_as_arrays, value)) if isinstance(value, (tuple, list)) else _as_an_array(value)


@pytest.mark.parametrize("way", [_as_numpy_has_it, _as_an_array, _as_arrays], ids=["numpy", "array", "arrays"])
@pytest.mark.parametrize("name", _WITH_OPTIONS)
def test_options_as_arrays_have_them(name, way):
    """Numbers of NumPy's, and arrays of integers of the backend without axes and with one, in the place of Python's."""
    for args, given in SAMPLES[name][:2]:
        left_out = [p for i, p, _ in _options(name) if i >= len(args) and not p.required and p.how != "positional"]
        options = {p.name: p.default for p in left_out} | given
        places = {i: p.name for i, p, _ in _options(name)}
        try:
            wanted = _called(name, args, options)
        except FunctionNotImplementedError as error:
            pytest.skip(str(error))
        changed = [way(x) if i in places else x for i, x in enumerate(args)]
        others = {key: way(x) if key in places.values() else x for key, x in options.items()}
        found = _called(name, changed, others)
        assert difference(Case(name, "", "", args, options), found, wanted) == ""


@pytest.mark.parametrize(
    "size", [2.5, (2.5, 3), be.asarray(2.0), (be.asarray(2.0), 3), be.asarray([2.0, 3.0])], ids=str
)
def test_sizes_are_integers(size):
    """NumPy cuts a fraction off, and so do frameworks that ask it; an array of others is told as a number is."""
    x = be.arange(6)
    for function in (be.zeros, be.empty, lambda shape: be.full(shape, 1), lambda shape: be.reshape(x, shape)):
        with pytest.raises(TypeError):
            function(size)
    for function in (lambda shape: be.broadcast_to(x[:3], shape), lambda widths: be.pad(x, widths)):
        with pytest.raises(TypeError):
            function(size)


_WHOLE = [
    ("reshape", lambda x, number: be.reshape(x, (number(3), 2))),
    ("reshape", lambda x, number: be.reshape(x, (-1, number(3)))),
    ("broadcast_to", lambda x, number: be.broadcast_to(x, (number(2), 6))),
    ("expand", lambda x, number: be.expand(x, (number(2), -1))),
    ("unflatten", lambda x, number: be.unflatten(x, 0, (number(2), -1))),
    ("as_strided", lambda x, number: be.as_strided(x, (number(2), 2), (1, 2))),
    ("fold", lambda x, number: be.fold(be.ones((2, 3)), mode=0, shape=(number(2), 3))),
    ("nansum", lambda x, number: be.nansum(be.ones((2, 3)), axis=(number(0), 1))),
    ("nanvar", lambda x, number: be.nanvar(be.ones((2, 3)), axis=(0, number(1)))),
    ("tensordot", lambda x, number: be.tensordot(be.ones((2, 3)), be.ones((2, 3)), axes=((number(0), 1), (0, 1)))),
    ("dct", lambda x, number: be.dct(be.ones(4), type=number(3))),
    ("idct", lambda x, number: be.idct(be.ones(4), type=number(3))),
]


@pytest.mark.parametrize(("name", "call"), _WHOLE)
def test_integers_are_not_remembered_for_numbers_that_equal_them(name, call):
    """2.0 equals 2 and has its hash, so that what is kept for one must not be found by the other."""
    x = be.arange(6.0)
    found = call(x, int)
    for _ in range(2):
        for kind in (float, np.float32):
            with pytest.raises((TypeError, ValueError), match=f"'{name}' got") as caught:
                call(x, kind)
            assert isinstance(caught.value, TypeError) or name.endswith("dct")
    assert be.all(call(x, np.int64) == found)


def test_counts_are_integers():
    assert be.repeat(be.arange(2), True).tolist() == [0, 1]
    assert (
        be.repeat(be.arange(2), np.int64(2)).tolist() == be.repeat(be.arange(2), np.uint8(2)).tolist() == [0, 0, 1, 1]
    )
    assert be.repeat(be.arange(2), np.True_).tolist() == [0, 1]
    assert be.histogram(be.arange(4.0), np.int64(2))[1].tolist() == [0.0, 1.5, 3.0]
    with pytest.raises(TypeError, match=r"'repeat' got repeats=2\.0; it takes an integer or an array of them"):
        be.repeat(be.arange(2), np.float64(2))
    with pytest.raises(TypeError, match=r"'repeat' got repeats=2\.0; it takes an integer or an array of them"):
        be.repeat(be.arange(2), 2.0)


def test_floating_point_arrays_among_options():
    assert be.arange(be.asarray(2.5)).tolist() == [0, 1, 2]
    with pytest.raises(TypeError, match="'sum' got axis=an object of type Array; it takes an integer"):
        be.sum(be.ones((2, 3)), axis=be.asarray(1.0))


def test_sizes_that_are_traced():
    """What a framework traces is a size where it can be, and else this is said, in the words of no framework."""
    options = {"backend": "eager"} if "register_tracing" in be.facts else {}
    programs = {
        "zeros": (lambda n: be.zeros((n, 3)), (2, 3)),
        "sum": (lambda n: be.sum(be.ones((1, 2, 3)), axis=n), (1, 2)),
    }
    for name, (program, shape) in programs.items():
        with ca.backend_context(be):
            try:
                assert ca.compile(program, **options)(be.asarray(2)).shape == shape
            except ca.TracingError as error:
                assert re.search(rf"'{name}' .* got an array for (axis|shape) that is not known while", str(error))


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
