"""Variants of a function by the version of the framework: how ranges are named, and which variant is bound.

The framework of these toys is pluggy, whichever version is installed; `tests/test_versions_installed.py` goes on with
real frameworks of several versions.
"""

from __future__ import annotations

from importlib.metadata import version

import fake_frameworks
import pytest

import corearray as ca
from corearray.contract.declaration import DECLARATIONS
from corearray.contract.versions import choose, matches, split_name
from corearray.manager import manager
from corearray.plugin import hookimpl

INSTALLED = version("pluggy")
MAJOR, MINOR = map(int, INSTALLED.split(".")[:2])


@pytest.fixture
def bound():
    """Register a toy whose own implementation of some hooks is replaced by variants, and return its backend."""

    def make(*variants, without=()):
        kind = type("VersionsArray", (fake_frameworks.ToyArray,), {"__module__": "versions_framework"})
        members = dict.fromkeys(without) | {f.__name__: staticmethod(f) for f in variants}
        manager.register(type("Plugin", (fake_frameworks.ToyPlugin,), members)("versions", kind))
        return ca.get_backend("versions")

    yield make
    manager.unregister("versions")


def named(name, value, **options):
    """Return a variant of `sin` of some name that gives one value."""

    def function(x, /):
        return type(x)([value], x.dtype)

    function.__name__ = function.__qualname__ = name
    return hookimpl(**options)(function)


def sin_on(backend):
    return backend.sin(backend.asarray([0.0])).tolist()


@pytest.mark.parametrize(
    ("name", "function", "inside", "outside"),
    [
        ("f_v_1p12_and_above", "f", ["1.12", "1.12.0", "1.12rc1", "1.13", "2.0"], ["1.11.9", "1.2", "0.12"]),
        ("f_v_1p13_and_below", "f", ["1.13", "1.13.9", "1.13.9+cpu", "1.2", "0.3"], ["1.14", "1.14.0rc1", "2.0"]),
        ("f_v_1p01_to_1p1", "f", ["1.1", "1.1.9", "1.01"], ["1.2", "1.0.9", "1.10", "1.11"]),
        ("f_v_0p3p0_to_0p3p1", "f", ["0.3.0", "0.3", "0.3.1", "0.3.1.post1"], ["0.3.2", "0.2.9", "0.4"]),
        ("f_v_2_and_above", "f", ["2", "2.0.1", "3.1"], ["1.99"]),
        ("f_v_2_to_2", "f", ["2.0", "2.9.9"], ["1.9", "3.0"]),
        ("a_v_b_v_1p0_and_below", "a_v_b", ["1.0", "1.0.5", "0.1"], ["1.1"]),
    ],
)
def test_names_are_ranges(name, function, inside, outside):
    """Both ends count, at the precision written; `1p01` is release 1.1, as PEP 440 reads numbers."""
    split, text = split_name(name)
    assert split == function
    assert [v for v in inside if not matches(v, text)] == []
    assert [v for v in outside if matches(v, text)] == []


@pytest.mark.parametrize("name", ["f", "f_v", "f_v_", "f_v_1p12", "f_v_one_and_above", "f_v_1p2_and_abovex", "fft2"])
def test_other_names_are_names(name):
    assert split_name(name) == (name, "")


def test_a_name_that_holds_no_version():
    with pytest.raises(ValueError, match=r"'f_v_2p0_to_1p9' names an empty range: 2\.0 lies above 1\.9"):
        split_name("f_v_2p0_to_1p9")
    with pytest.raises(ValueError, match="names an empty range"):
        named("sin_v_2p0_to_1p9", 0.0)


def test_the_variant_for_the_installed_version_is_bound(bound):
    backend = bound(
        named("sin_of_now", 1.0, specname="sin", versions=f">={MAJOR}.{MINOR}"),
        named("sin_of_old", 2.0, specname="sin", versions=f"<{MAJOR}.{MINOR}"),
        without=["sin"],
    )
    assert sin_on(backend) == [1.0]
    assert backend.binding("sin").implementation.function.__name__ == "sin_of_now"


def test_variants_with_a_range_in_their_names(bound):
    backend = bound(
        named(f"sin_v_{MAJOR}p{MINOR}_and_above", 1.0),
        named(f"sin_v_{MAJOR - 1}p0_to_{MAJOR - 1}p99", 2.0),
        named(f"sin_v_{MAJOR - 1}_and_below", 3.0) if MAJOR > 1 else named("sin_v_0p0_to_0p0", 3.0),
        without=["sin"],
    )
    assert sin_on(backend) == [1.0]
    assert backend.binding("sin").kind == "native"


def test_a_range_that_is_given_counts_more_than_the_name(bound):
    backend = bound(named("sin_v_99p0_and_above", 1.0, versions=f"<={INSTALLED}"), without=["sin"])
    assert sin_on(backend) == [1.0]


def test_two_variants_for_the_installed_version_are_an_error_that_names_both(bound):
    with pytest.raises(ca.BackendBrokenError) as caught:
        bound(
            named("sin_v_0p1_and_above", 1.0),
            named("sin_of_old", 2.0, specname="sin", versions="<99"),
            named("sin_of_nobody", 3.0, specname="sin", versions=">99"),
            without=["sin"],
        )
    text = str(caught.value)
    assert "sin_v_0p1_and_above' and '" in text or "sin_of_old' and '" in text
    assert f"both implement 'sin' for version {INSTALLED}; make their ranges disjoint" in text
    assert "sin_of_nobody" not in text
    assert [row.status for row in ca.list_backends() if row.name == "versions"] == ["broken"]


def test_a_variant_beside_one_for_every_version_is_an_error(bound):
    with pytest.raises(ca.BackendBrokenError, match="both implement 'sin'"):
        bound(named("sin_v_0p1_and_above", 1.0))


def test_without_a_variant_the_composition_runs(bound):
    def square(x, /):
        raise AssertionError("for another version")

    assert DECLARATIONS["square"].compositional
    backend = bound(hookimpl(specname="square", versions=">99")(square))
    assert backend.square(backend.asarray([3.0])).tolist() == [9.0]
    assert backend.binding("square").kind == "composed"


def test_without_a_variant_and_a_composition_the_error_says_which_there_are(bound):
    assert not DECLARATIONS["sin"].compositional
    backend = bound(named("sin_v_99p0_and_above", 1.0), without=["sin"])
    with pytest.raises(ca.FunctionNotImplementedError) as caught:
        sin_on(backend)
    assert str(caught.value) == (
        f"'sin' has no implementation on backend 'versions' (pluggy {INSTALLED}) and no composition "
        "('sin_v_99p0_and_above' is for pluggy>=99.0); use another backend, or implement the hook in a plugin"
    )


def test_without_a_variant_the_error_of_an_inner_function_names_the_one_that_was_called(bound):
    def tan(x, /):
        raise AssertionError("for another version")

    variants = [hookimpl(specname="tan", versions=">99")(tan), named("sin_v_99p0_and_above", 1.0)]
    backend = bound(*variants, without=["sin"])
    for function, x in ((backend.tan, backend.asarray([1.0])), (backend.native.tan, backend.asarray([1.0]).native)):
        with pytest.raises(ca.FunctionNotImplementedError) as caught:
            function(x)
        assert str(caught.value) == (
            f"'tan' has no implementation on backend 'versions' (pluggy {INSTALLED}) ('tan' is for pluggy>99), and its "
            "composition needs 'sin', which has none ('sin_v_99p0_and_above' is for pluggy>=99.0); use another backend, "
            "or implement the hook in a plugin"
        )


def test_a_range_that_nobody_can_read_breaks_the_backend(bound):
    with pytest.raises(ca.BackendBrokenError, match=r"'1\.x' is no version range; write it as in '>=2\.0,<2\.3'"):
        bound(named("sin_of_some", 1.0, specname="sin", versions="1.x"), without=["sin"])


def test_choosing_among_variants():
    with pytest.raises(
        ValueError,
        match=r"^sin: version 2\.1 lies in the ranges of two variants, '>=2' \('a'\) and '<3' \('b'\)",
    ):
        choose([(">=2", "a"), ("<3", "b"), ("<2", "c")], "2.1", "sin")
    assert choose([(">=2", "a"), ("<2", "b")], "2.1rc1", "sin") == "a"
    assert choose([("<2", "b")], "2.1", "sin") is None
