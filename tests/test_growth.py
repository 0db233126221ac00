"""Costs that stay proportional to the size of a problem, counted in instructions of Python instead of seconds."""

from __future__ import annotations

import gc
import sys
from contextlib import nullcontext
from itertools import pairwise
from typing import Any

import hypothesis.extra.numpy as hnp
import importlib_metadata
import numpy as np
import pytest
from fake_frameworks import ToyArray, ToyPlugin
from hypothesis import given
from hypothesis import strategies as st

import corearray as ca
from benchmarks.cost import executed
from corearray.arrays.view_index import ViewIndex, overlap, region_of
from corearray.backends.hooks import core_hooks
from corearray.backends.metadata import identity
from corearray.contract.declaration import DECLARATIONS
from corearray.contract.recording import Recording, Step, Value
from corearray.contract.text import Written
from corearray.manager import manager
from corearray.plugin import hookimpl


def test_the_count_notices_a_square():
    assert executed(lambda: [0 for _ in range(200)]) < 2.1 * executed(lambda: [0 for _ in range(100)])
    square = lambda n: [0 for _ in range(n) for _ in range(n)]
    assert executed(lambda: square(40)) > 3 * executed(lambda: square(20))


# --- loading


def test_hooks_are_made_in_one_look_at_the_declarations(monkeypatch):
    looks = 0

    def all_of(self):
        nonlocal looks
        looks += 1
        return self._made

    monkeypatch.setattr(type(DECLARATIONS), "_all", all_of)
    core_hooks()
    assert 0 < looks <= 3 * len(DECLARATIONS)


@pytest.mark.parametrize("breaks", [False, True])
@pytest.mark.parametrize("was_on", [True, False])
def test_the_collector_is_off_only_while_a_backend_is_loaded(was_on, breaks):
    states = []

    class Watching(ToyPlugin):
        @hookimpl
        def dtypes(self):
            states.append(gc.isenabled())
            return {"nothing": 0} if breaks else super().dtypes()

    manager.register(Watching("watched", type("WatchedArray", (ToyArray,), {"__module__": __name__})))
    try:
        (gc.enable if was_on else gc.disable)()
        with pytest.raises(ca.BackendBrokenError) if breaks else nullcontext():
            ca.get_backend("watched")
        states.append(gc.isenabled())
    finally:
        gc.enable()
        manager.unregister("watched")
    assert states == [False, was_on]


def test_headers_are_read_without_the_parser_of_e_mail(tmp_path):
    for text, want in (
        ("Metadata-Version: 2.1\nName: one\nVersion: 1.0\n\nVersion: 2.0\n", ("one", "1.0")),
        ("Metadata-Version: 2.1\nName: one\n\nVersion: 2.0\n", ("one", "")),
        ("Metadata-Version: 2.1\n", ("?", "")),
    ):
        (tmp_path / "METADATA").write_text(text)
        assert identity(importlib_metadata.PathDistribution(tmp_path))[:2] == want
    (tmp_path / "METADATA").rename(tmp_path / "PKG-INFO")
    (tmp_path / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: egg\nVersion: 3\n")
    assert identity(importlib_metadata.PathDistribution(tmp_path))[:2] == ("egg", "3")


# --- graphs


def chain(length: int) -> Recording:
    """A recording of a chain of calls, each of the result of the one before."""
    values = [Value((), "float64") for _ in range(length + 1)]
    recording = Recording()
    recording.inputs, recording.outputs = values[:1], values[-1:]
    recording.steps = [Step(abs, "builtins.abs", (x,), {}, y) for x, y in pairwise(values)]
    return recording


def test_the_text_of_a_graph_is_linear_in_its_steps():
    small, large = (executed(lambda n=n: Written(chain(n), "f", ["x"])) for n in (200, 800))
    assert large < 4.2 * small
    text = Written(chain(3), "f", ["x"]).function
    assert text.splitlines()[1:] == [
        "    v0 = abs(x)", "    v1 = abs(v0)", "    del v0", "    v2 = abs(v1)", "    return v2,",
    ]  # fmt: skip


# --- Containers


def nested(depth: int) -> ca.Container:
    c = ca.Container(x=1)
    for _ in range(depth):
        c = ca.Container(a=c)
    return c


def test_the_text_of_a_container_is_linear_in_its_depth():
    one, two = nested(300), nested(600)
    assert executed(lambda: repr(two)) < 2.1 * executed(lambda: repr(one))
    assert len(repr(two)) < 2.1 * len(repr(one))


def test_a_container_deeper_than_calls_may_be_has_a_text():
    c = nested(10 * sys.getrecursionlimit())
    lines = repr(c).splitlines()
    assert lines[:2] == ["Container(", "    a=Container("]
    assert max(map(len, lines)) <= 88
    assert repr(c).count("(") == repr(c).count(")") == 10 * sys.getrecursionlimit() + 1


# --- views of arrays that never change


@pytest.mark.parametrize("which", ["root", "view", "element of a view"])
def test_a_write_costs_what_shows_it_and_not_the_views_alive(toy, which):
    plugin = toy("alpha")
    costs = []
    with ca.backend_context("alpha"):
        for size in (64, 1024):
            x = ca.zeros(size)
            parts = [x[i : i + 1] for i in range(size)]

            def write(i, x=x, parts=parts):
                if which == "root":
                    x[i] = 1.0
                elif which == "view":
                    parts[i] += 1.0
                else:
                    parts[i][0] = 1.0

            write(1)
            write(2)
            costs.append(executed(lambda: write(3)))
            assert [part.tolist() for part in parts[:5]] == [[0.0], [1.0], [1.0], [1.0], [0.0]]
            assert x.tolist()[:5] == [0.0, 1.0, 1.0, 1.0, 0.0]
    assert costs[1] < 1.3 * costs[0], plugin


@given(data=st.data(), shape=hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=5))
def test_a_region_holds_what_keys_show(data, shape):
    places = np.arange(np.prod(shape)).reshape(shape)
    view, steps = places, []
    for _ in range(data.draw(st.integers(1, 3))):
        key = data.draw(hnp.basic_indices(view.shape, allow_newaxis=True, max_dims=4))
        view, steps = view[key], [*steps, ("get_item", (key,))]
    region = region_of(shape, steps)
    assert np.isin(view, places[tuple(slice(*interval) for interval in region)]).all()
    for axis, (low, high) in enumerate(region):  # and nothing more at its ends
        at = np.nonzero(np.isin(places, view))[axis]
        if view.size:
            assert (low, high) == (at.min(), at.max() + 1)


class Part:
    def __init__(self, steps: Any) -> None:
        self._link = None, steps


@given(data=st.data(), shape=hnp.array_shapes(min_dims=1, max_dims=2, max_side=40))
def test_an_index_finds_the_views_that_overlap(data, shape):
    index, living = ViewIndex(), []
    step = st.one_of(hnp.basic_indices(shape).map(lambda key: ("get_item", (key,))), st.just(("flip", (0,))))
    for _ in range(data.draw(st.integers(1, 12))):
        for one in data.draw(st.lists(step, max_size=8)):
            living.append(Part((one,)))
            index.note(living[-1])
        del living[: data.draw(st.integers(0, 3))]
        region = data.draw(st.none() | step.map(lambda one: region_of(shape, (one,))))
        found = index.overlapping(shape, region)
        regions = {id(part): region_of(shape, part._link[1]) for part in living}
        shown = {key for key, one in regions.items() if all(low < high for low, high in one)}
        wanted = {key for key in shown if region is None or overlap(region, regions[key])}
        assert len(found) == len({*map(id, found)})
        assert {*map(id, found)} == wanted
        del found  # which keeps views alive


def test_an_index_leaves_out_the_dead():
    index, living = ViewIndex(), [Part((("get_item", (i,)),)) for i in range(50)]
    for i in range(5000):
        index.note(Part((("get_item", (i % 50,)),)) if i % 100 else living[i // 100])
        if i % 7 == 0:
            index.overlapping((50,), ((0, 1),))
    assert len(index) <= 2 * len(living) + 64
    assert len(index.overlapping((50,), None)) == 50
