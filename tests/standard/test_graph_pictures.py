"""`Graph.draw`: pictures that show every call, in which nothing overlaps and no line runs through a box."""

from __future__ import annotations

import itertools
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from standard.support import array, be

import corearray as ca
from corearray.graph.layout import Box, Layout, Wire
from corearray.graph.picture import picture

X = np.asarray([[1.0, 2.0, 3.0]], "float32")
SVG = "{http://www.w3.org/2000/svg}"

pytestmark = pytest.mark.skipif("traced_calls" not in be.facts, reason="this backend shows no calls")


@pytest.fixture(autouse=True)
def on_this_backend():
    with ca.backend_context(be):
        yield


def small(x, y):
    total = ca.tanh(x * y + 0.5)
    return {"loss": ca.sum(total), "rest": [total, x]}


def recurrent(x, w, b, count=3):
    """A program whose arguments are used everywhere."""
    h = x
    for _ in range(count):
        i, f = ca.split(ca.concat([h @ w, h + b], axis=-1), 2, axis=-1)
        h = ca.tanh(i) * ca.sigmoid(f)
    return h


def graph_of(fn, least=0):
    """Make a graph of at least so many calls."""
    if fn is small:
        return ca.compile_graph(fn, array(X), array(X))
    args = array(X), array(np.ones((3, 3), "float32")), array(X[0])
    return ca.compile_graph(fn, *args, 1 + least * 4 // len(ca.compile_graph(fn, *args)))


@pytest.mark.parametrize(("fn", "least"), [(small, 3), (recurrent, 500)])
def test_all_is_shown_and_nothing_overlaps(fn, least):
    graph = graph_of(fn, least)
    assert least <= len(graph) < 2 * least + 10
    root = ET.fromstring(picture(graph._first))
    width, height = float(root.get("width")), float(root.get("height"))
    groups = [group for group in root.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None]
    boxes = [group for group in groups if group.find(f"{SVG}rect") is not None]
    shown = {kind: [box for box in boxes if box.get("class") == f"ca-{kind}"] for kind in ("input", "call", "output")}
    assert len(shown["call"]) == len(graph) and len(shown["output"]) == len(graph.outputs)
    assert len(shown["input"]) == len(graph.inputs)
    for box, step in zip(shown["call"], graph.steps, strict=True):
        assert step.name in box.find(f"{SVG}title").text
    places = [[float(box.find(f"{SVG}rect").get(name)) for name in ("x", "y", "width", "height")] for box in boxes]
    for number, (x, y, wide, high) in enumerate(places):
        assert y + high <= height and wide <= width
        for x2, y2, wide2, high2 in places[number + 1 :]:
            assert x + wide < x2 or x2 + wide2 < x or y + high < y2 or y2 + high2 < y
    types = [text.text for text in root.iter(f"{SVG}text") if text.get("class") == "ca-type"]
    assert any(text.endswith("float32[1, 3]") for text in types)


def test_lines_pass_beside_boxes():
    """Each box within a layer keeps its distance from every line that passes the layer."""
    boxes = [Box("call", str(number), "", "") for number in range(60)]
    random = np.random.default_rng(0)
    wires = []
    for number, box in enumerate(boxes[:-1]):
        box.width, box.height = 60.0 + number, 28.0
        wire = Wire(box, "")
        wire.targets = [boxes[i] for i in sorted({*random.integers(number + 1, 60, 3)})]
        wires.append(wire)
    boxes[-1].width = 60.0
    layout = Layout(boxes, wires)
    assert all(wire.source.layer < box.layer for wire in wires for box in wire.targets)
    for row in layout.layers:
        number = row[0].layer
        spans = [(box.x - box.width / 2, box.x + box.width / 2) for box in row]
        spans += [(wire.way[number],) * 2 for wire in wires if number in wire.way]
        spans.sort()
        assert all(before[1] + 10 < after[0] for before, after in itertools.pairwise(spans))


def test_what_is_written_comes_before_what_reads_it():
    def program(x):
        y = x * 2
        y[0, 0] = 1.0
        return y + 1

    text = picture(ca.compile_graph(program, array(X))._first)
    assert ("in this order, because" in text) == be.writes_in_place
    assert ('class="ca-write"' in text) == be.writes_in_place


def test_no_call_and_long_names():
    assert "0 native calls" in picture(ca.compile_graph(lambda x: x, array(X))._first)
    made = picture(ca.compile_graph(lambda x: {"<&>" * 20: x}, array(X))._first)
    assert "&lt;&amp;&gt;" in made and ET.fromstring(made) is not None


def test_files_and_notebooks(tmp_path, monkeypatch):
    graph = graph_of(small)
    graph.draw(tmp_path / "graph.svg")
    assert (tmp_path / "graph.svg").read_text(encoding="utf-8") == graph._repr_svg_() == picture(graph._first)
    with pytest.raises(ValueError, match=r"'draw' writes SVG, and '.*graph\.png' does not end in \.svg"):
        graph.draw(tmp_path / "graph.png")
    monkeypatch.setitem(sys.modules, "igraph", None)
    with pytest.raises(ImportError, match=r"run: pip install .*(igraph|draw)"):
        graph.draw(tmp_path / "graph.svg")
    assert graph._repr_svg_() is None
