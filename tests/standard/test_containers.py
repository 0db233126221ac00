"""Every function takes Containers, for any of its arguments, and computes for each leaf what it computes without."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from standard.support import arguments, be

import corearray as ca
from corearray.contract.declaration import DECLARATIONS
from corearray.testing.samples import SAMPLES

_NAMES = sorted(set(SAMPLES) & set(DECLARATIONS))
#: Options that some call has no reason to look at, so that the fast path does not fail: of arrays that never change, of
#: integers, of another mode of padding.
_NOT_LOOKED_AT = {
    ("nan_to_num", "nan"),
    ("nan_to_num", "neginf"),
    ("nan_to_num", "posinf"),
    ("pad", "constant_values"),
    ("pad", "end_values"),
    ("pad", "reflect_type"),
    ("pad", "stat_length"),
    ("reshape", "copy"),
}
every_function = pytest.mark.parametrize("name", _NAMES)


def _public(name):
    declaration = DECLARATIONS[name]
    return getattr(be if declaration.main else getattr(be, declaration.namespace), name)


def _bound(name, args, options):
    """Return all arguments of a call by parameter, defaults too."""
    given = {key: arguments(value) for key, value in options.items()}
    bound = inspect.signature(DECLARATIONS[name].function).bind(*arguments(args), **given)
    bound.apply_defaults()
    return bound


def _same(name, got, want):
    if isinstance(want, tuple) and hasattr(want, "_fields"):
        assert type(got) is type(want)
        got, want = tuple(got), tuple(want)
    if name in ("empty", "empty_like"):
        assert (got.shape, got.dtype) == (want.shape, want.dtype)
    elif isinstance(want, np.ndarray):
        np.testing.assert_array_equal(got, want)
    else:
        assert ca.Container(result=got).equals(ca.Container(result=want)), (got, want)


def _leaf(result, chain):
    """Return what there is for one leaf; named tuples are returned inside out."""
    if isinstance(result, tuple) and hasattr(result, "_fields"):
        return type(result)(*(field[chain] for field in result))
    assert type(result) is ca.Container
    return result[chain]


def _twice(value):
    """Return a Container of a value and, for functions that write into it, of a copy."""
    again = be.asarray(value, copy=True) if isinstance(value, ca.Array) else value
    return ca.Container({"a/b": value, "c": again})


_WRITING = {"fill_diagonal", "inplace_decrement", "inplace_increment", "put_along_axis"}


@every_function
def test_a_container_for_each_parameter_alone(name):
    """All others are arrays, so that the fast path may be tried first; it must not make sense of a Container."""
    for args, options in SAMPLES[name]:
        want = _public(name)(*arguments(args), **{key: arguments(value) for key, value in options.items()})
        for parameter in DECLARATIONS[name].parameters:
            if parameter.role == "out" or (name, parameter.name) in _NOT_LOOKED_AT:
                continue
            if name in _WRITING and parameter is not DECLARATIONS[name].parameters[0]:
                continue  # each leaf writes into the same array
            bound = _bound(name, args, options)
            value = bound.arguments[parameter.name]
            if parameter.how == "variadic" and not value:
                continue
            bound.arguments[parameter.name] = (
                (_twice(value[0]), *value[1:]) if parameter.how == "variadic" else _twice(value)
            )
            result = _public(name)(*bound.args, **bound.kwargs)
            for chain in ("a/b", "c"):
                _same(name, _leaf(result, chain), want)


@every_function
def test_containers_for_all_parameters(name):
    for args, options in SAMPLES[name]:
        want = _public(name)(*arguments(args), **{key: arguments(value) for key, value in options.items()})
        bound = _bound(name, args, options)
        for parameter in DECLARATIONS[name].parameters:
            value = bound.arguments[parameter.name]
            if parameter.how == "variadic":
                bound.arguments[parameter.name] = tuple(map(_twice, value))
            elif parameter.role != "out":
                bound.arguments[parameter.name] = _twice(value)
        result = _public(name)(*bound.args, **bound.kwargs)
        for chain in ("a/b", "c"):
            _same(name, _leaf(result, chain), want)


@every_function
def test_a_container_without_leaves(name):
    args, options = SAMPLES[name][0]
    bound = _bound(name, args, options)
    first = DECLARATIONS[name].parameters[0]
    empty = ca.Container(a={})
    bound.arguments[first.name] = (empty,) if first.how == "variadic" else empty
    result = _public(name)(*bound.args, **bound.kwargs)
    for each in result if isinstance(result, tuple) else (result,):
        assert each.equals(empty)


@pytest.mark.parametrize(
    "name", [name for name in _NAMES if any(p.role == "out" for p in DECLARATIONS[name].parameters)]
)
def test_out(name):
    args, options = SAMPLES[name][0]
    want = _public(name)(*arguments(args), **{key: arguments(value) for key, value in options.items()})
    out = _twice(None).map(lambda _: be.zeros(want.shape, dtype=want.dtype))
    leaves = out.leaves()
    first, *others = arguments(args)
    options = {key: arguments(value) for key, value in options.items()}
    assert _public(name)(_twice(first), *others, **options, out=out) is out
    for leaf, found in zip(leaves, out.leaves(), strict=True):
        assert leaf is found
        _same(name, leaf, want)
    assert _public(name)(first, *others, **options, out=out) is out
    with pytest.raises(
        TypeError, match=rf"'{name}' got a Container for '.*' and an out of type Array; give a Container"
    ):
        _public(name)(_twice(first), *others, **options, out=leaves[0])


@every_function
def test_structures_that_differ(name):
    parameters = DECLARATIONS[name].parameters
    args, options = SAMPLES[name][0]
    bound = _bound(name, args, options)
    names = [p.name for p in parameters if p.how != "variadic" and p.role != "out"]
    if len(names) < 2:
        return
    for key, tree in zip(names, ({"a": {"b": 0}}, {"a": 0}), strict=False):
        bound.arguments[key] = ca.Container(tree).map(lambda _, value=bound.arguments[key]: value)
    where = f"Containers among the arguments of '{name}' differ in structure: at the key chain 'a' '{names[0]}' has a "
    with pytest.raises(ValueError, match=f"{where}Container and '{names[1]}' has a leaf"):
        _public(name)(*bound.args, **bound.kwargs)
