"""Arrays that are evaluated, and layouts of arrays on one device, on every backend."""

from __future__ import annotations

from standard.support import be

import corearray as ca


def test_evaluate():
    x, y = be.arange(3), be.ones((2, 2))
    tree = {"x": x, "more": [y, (x.native, 2.0), ca.Container(a=x + 1)], "name": "n", "none": None}
    found = ca.evaluate(tree)
    assert found["x"].tolist() == [0, 1, 2]
    assert type(found["more"][1][0]) is type(x.native)
    assert found["more"][2].a.tolist() == [1, 2, 3]
    assert (found["name"], found["none"], found["more"][1][1]) == ("n", None, 2.0)
    assert type(ca.evaluate(x)) is type(x)


def test_evaluate_keeps_views():
    x = be.arange(3)
    row = ca.evaluate(x[1:])
    x[1] = 7
    assert row.tolist() == [7, 2]


def test_one_device():
    x = be.ones(3)
    assert ca.layout(x) is None
    assert ca.unshard(x) is x
    assert ca.unshard({"x": x})["x"] is x
