"""Known limits of a backend are data, and strict: one that is gone fails the test until its entry is taken out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from standard.support import COMPILES, LONG, NAME, be

from corearray.contract.declaration import DECLARATIONS
from corearray.plugin import matches


class Limit(NamedTuple):
    """What a backend cannot do.

    Attributes
    ----------
    backend, versions
        Which backend, with which versions of its framework.
    test
        File and name of the test, with its parameters in brackets if not all of them fail.
    kind
        `"never"`: the framework refuses it on purpose; `"notyet"`: it will be done; `"notimpl"`: nobody plans to.
    reason
        Why.
    """

    backend: str
    versions: str
    test: str
    kind: str
    reason: str


_WARNS = "NumPy warns of an index outside where nothing is selected, and selects nothing"
_TRUTH = "array-api-strict adds and orders no truth values"
_AGAIN = "the error of a composition is diagnosed again, with the Containers as arguments"

LIMITS: tuple[Limit, ...] = (
    Limit(
        "numpy",
        "<2.3",
        "test_indexing.py::test_indices_outside_are_refused_where_nothing_is_selected",
        "notimpl",
        _WARNS,
    ),
    Limit("strict", "", "test_containers.py::test_structures_that_differ[stack]", "notyet", _AGAIN),
    Limit("strict", "", "test_statistical.py::test_sums_and_products_of_truth_values", "never", _TRUTH),
    Limit("strict", "", "test_statistical.py::test_extremes_of_truth_values", "never", _TRUTH),
    Limit("strict", "", "test_searching.py::test_truth_values_are_searched_for_among_each_other", "never", _TRUTH),
)


#: Modules whose tests of each function are about the core. They run in full on the backends of `CORE`, and elsewhere on the
#: functions of `SMOKE`, unless `scripts/test --long` runs.
OF_THE_CORE = {"test_containers.py", "test_options.py"}
CORE = {"numpy", "strict"}
SMOKE = frozenset(
    "add arange argmax asarray astype clip concat conv2d cumulative_sum dropout einsum exp eye expand_dims full gather "
    "greater layer_norm linspace matmul max mean one_hot pad permute_dims repeat reshape roll softmax sort squeeze stack "
    "std sum take tile unique_counts var where zeros".split()
)


#: Modules whose tests run all functions with the same arguments. On backends that compile, all tests of one function follow
#: each other: JAX forgets the programs of functions that ran long ago.
BY_FUNCTION = {"test_paths.py"}

#: Compositions of some thousand steps, which compilers take half a minute for; `test_derivatives_at_edges.py` has them too.
LONG_TO_COMPILE = {"igamma", "igammac"}


def _name_of(item: pytest.Item) -> str:
    """Return the function that a test is about, if it is one of many by their names."""
    name = getattr(getattr(item, "callspec", None), "params", {}).get("name")
    return name if name in DECLARATIONS else ""


def _is_left_out(item: pytest.Item) -> bool:
    name = getattr(getattr(item, "callspec", None), "params", {}).get("name")
    if COMPILES and name in LONG_TO_COMPILE:
        return item.path.name in ("test_every_derivative.py", "test_graph.py", "test_half.py")
    return item.path.name in OF_THE_CORE and name in DECLARATIONS and name not in SMOKE


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not LONG and NAME not in CORE:
        left_out = [item for item in items if _is_left_out(item)]
        if left_out:
            config.hook.pytest_deselected(items=left_out)
            items[:] = [item for item in items if not _is_left_out(item)]
    if COMPILES:
        places = {item.path: place for place, item in reversed(list(enumerate(items)))}
        items.sort(key=lambda item: (places[item.path], _name_of(item) if item.path.name in BY_FUNCTION else ""))
    for item in items:
        for limit in LIMITS:
            if limit.backend != NAME or not matches(be.framework_version, limit.versions):
                continue
            name = f"{item.path.name}::{item.name}"
            if name == limit.test or name.partition("[")[0] == limit.test:
                item.add_marker(pytest.mark.xfail(reason=f"{limit.kind}: {limit.reason}", strict=True))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[object]:
    """Fail a test that does not reach a function which it says that it exercises."""
    result = yield
    names = getattr(getattr(item, "function", None), "covers", ())
    one = getattr(getattr(item, "callspec", None), "params", {}).get("name")
    names = (one,) if one in names else names
    missed = [name for name in names if name in DECLARATIONS and name not in be._bindings]
    assert not missed, f"the test says that it exercises {missed} and does not"
    return result
