"""Names of other libraries: who looks for one is told what it is here."""

from __future__ import annotations

import re
from operator import attrgetter

import pytest

import corearray as ca
from corearray.backends.hints import OF_ARRAYS, OF_RANDOM, RENAMED, TOOLS, WAYS
from corearray.settings.context import DEFAULT_BACKEND

be = ca.get_backend(DEFAULT_BACKEND)


@pytest.mark.parametrize(("name", "ours"), RENAMED.items())
def test_each_is_told_and_what_it_is_here_is_there(name, ours):
    for owner in (ca, be, be.native):
        assert not hasattr(owner, name)
        found = attrgetter(ours)(owner)
        assert callable(found) or isinstance(found, float)
        with pytest.raises(AttributeError, match=f"'{name}'.*; it is '{ours}' here$"):
            getattr(owner, name)


@pytest.mark.parametrize(("name", "tools"), TOOLS.items())
def test_tools_are_those_of_the_package(name, tools):
    listed = tools.split(", ")
    assert all(attrgetter(tool)(ca) is not None for tool in listed)
    words = re.escape(" or ".join(f"'corearray.{tool}'" for tool in listed))
    for owner in (ca, be, be.native):
        assert not hasattr(owner, name)
        with pytest.raises(AttributeError, match=f"'{name}'.*; it is {words} here$"):
            getattr(owner, name)


@pytest.mark.parametrize(("name", "way"), WAYS.items())
def test_names_without_a_counterpart(name, way):
    with pytest.raises(AttributeError, match=f"'{name}'; write {re.escape(way)}$"):
        getattr(ca, name)


@pytest.mark.parametrize(("name", "way"), OF_ARRAYS.items())
def test_attributes_of_other_arrays(name, way):
    x = be.asarray([[1.0, 2.0], [3.0, 4.0]])
    for owner in (x, type(x)):
        assert not hasattr(owner, name)
    assert name not in dir(x)
    with pytest.raises(AttributeError, match=f"'{name}'; write {re.escape(way)}$"):
        getattr(x, name)
    for path in re.findall(r"\b(x|corearray)((?:\.\w+)+)", way):
        assert attrgetter(path[1][1:])(x if path[0] == "x" else ca) is not None


@pytest.mark.parametrize("name", ["inv", "fft2"])
def test_functions_of_extensions(name):
    for owner in (ca, be, be.native):
        with pytest.raises(AttributeError, match=rf"'{name}'.*; it is '\w+\.{name}' here$"):
            getattr(owner, name)


def test_names_of_linear_algebra():
    with pytest.raises(
        AttributeError, match=r"module 'corearray\.linalg' has no .*; write linalg.vector_norm\(x\), or linalg"
    ):
        ca.linalg.norm
    with pytest.raises(AttributeError, match=r"has no attribute 'graad'$"):
        ca.linalg.graad


@pytest.mark.parametrize(("name", "ours"), [*OF_RANDOM.items(), ("gamma", "default_generator().gamma")])
def test_what_draws_numbers(name, ours):
    assert callable(eval(ours, {"default_generator": ca.random.default_generator}, vars(ca.random)))
    with pytest.raises(AttributeError, match=rf"has no attribute '{name}'; it is '{re.escape(ours)}' here$"):
        getattr(ca.random, name)
    with pytest.raises(AttributeError, match=r"module 'corearray\.random' has no attribute 'graad'$"):
        ca.random.graad


@pytest.mark.parametrize(
    ("owner", "name", "end"),
    [
        (ca, "abs_", "; write x[...] = abs(x)"),
        (ca, "cholesky_", "; write x[...] = linalg.cholesky(x)"),
        (ca, "unsqueeze_copy", "; write expand_dims(x, axis)"),
        (ca, "normal", "; 'corearray.random.normal' has it"),
        (ca, "psum", "; arrays over several devices are those of corearray.Mesh and corearray.shard"),
        (ca, "double", "; it is 'corearray.float64' here"),
        (ca.linalg, "multi_dot", "; it is 'corearray.multi_dot' here"),
        (be.ones((2, 2)), "sqrt_", "; write x[...] = x.sqrt()"),
        (be.ones((2, 2)), "subtract", "; write corearray.subtract(x1, x2)"),
        (be.ones((2, 2)), "data_ptr", "; memory is the framework's own; ask x.native"),
    ],
)
def test_hints_that_rules_make(owner, name, end):
    with pytest.raises(AttributeError, match=re.escape(f"'{name}'{end}") + "$"):
        getattr(owner, name)


def test_what_nobody_knows():
    for owner, end in ((ca, "'graad'"), (be, r"see dir\(\) for the functions there are"), (be.native, "what there is")):
        for name in ("graad", "_private"):
            with pytest.raises(AttributeError, match=f"{end}$".replace("graad", name)):
                getattr(owner, name)


def test_the_module_of_arrays_is_imported_as_any_other():
    import corearray.arrays.array as module
    from corearray.arrays import array

    assert array is module and module.Array is ca.Array
