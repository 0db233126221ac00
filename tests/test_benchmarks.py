"""The benchmark that counts: it is to notice what makes a call dearer, on any machine."""

from __future__ import annotations

import pytest

import corearray as ca
from corearray.calls.codegen import compiled
from corearray.calls.fast_function import function_text
from corearray.settings.context import DEFAULT_BACKEND

cost = pytest.importorskip("benchmarks.cost", reason="the benchmarks stand beside the tests in the repository only")

DEFAULT = DEFAULT_BACKEND


def add_with(planted: str):
    """Return `be.add` of the default backend with a line planted into its text, and what it takes to call it."""
    be = ca.get_backend(DEFAULT)
    lines = function_text(be.binding("add")).splitlines(keepends=True)
    lines[2:2] = [f"        {planted}\n"] if planted else []
    function = compiled("add", "".join(lines), be.scope, "planted")
    x = be.ones(3)
    call = lambda: function(x, x)
    call()
    return cost.counted(call, [])


def test_counts_are_the_same_every_time():
    assert add_with("") == add_with("") == add_with("")
    assert add_with("").instructions > 20


def test_a_call_that_leaves_the_way_in_c_is_noticed():
    """It executes Python, where nothing of it was recorded."""
    recorded = {"be.f, accelerated": {"add": cost.Cost(0, 0)}}
    (line,) = cost.dearer(DEFAULT, {"be.f, accelerated": {"add": add_with("")}}, recorded)
    assert line.startswith(f"{DEFAULT}: be.f, accelerated 'add' takes")


@pytest.mark.parametrize("planted", ["_type(x1) is _type(x2)", "kind = x1._kind is x2._kind or x1", "hash(x1._kind)"])
def test_a_slowdown_by_a_fifth_is_noticed(planted):
    """The planted lines take a fifth of the instructions, or make a call into C."""
    recorded, found = ({"be.f": {"add": add_with(line)}} for line in ("", planted))
    assert cost.dearer(DEFAULT, recorded, recorded) == []
    (line,) = cost.dearer(DEFAULT, found, recorded)
    assert line.startswith(f"{DEFAULT}: be.f 'add' takes")


def test_what_is_known_to_take_more_stands_in_a_benchmark_and_ends_with_a_version():
    from benchmarks import functions, large
    from benchmarks.known import KNOWN, known

    rows = {"functions": functions.CASES, "large": large.CALLS}
    for excess in KNOWN:
        assert excess.row in rows[excess.benchmark]
        assert excess.kind in ("correction", "python")
        assert bool(excess.same) is (excess.kind == "correction")
        first, _, last = excess.versions.removeprefix(">=").partition(",<")
        assert known(*excess[:3], f"{excess.backend} {first}+local") is excess
        assert known(*excess[:3], f"{excess.backend} {last}") is None
        assert known(excess.benchmark, excess.row, "other", f"other {first}") is None
