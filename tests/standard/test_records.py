"""Dataclasses and registered classes as nodes of trees."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from standard.support import array, be, needs_derivatives, numpy_of

import corearray as ca


@dataclass(frozen=True)
class Line:
    slope: object
    offset: object
    name: str = field(default="line", metadata={"static": True})


@ca.register_tree
class Plain:
    def __init__(self, x):
        self.x = x


class Pair:
    def __init__(self, one, two):
        self.one, self.two = one, two


ca.register_tree(Pair, lambda pair: ((pair.one,), pair.two), lambda two, children: Pair(children[0], two))


class Fields:
    """As attrs makes them."""

    __attrs_attrs__ = (type("Attribute", (), {"name": "x", "metadata": {}}),)

    def __init__(self, x):
        self.x = x


ca.register_tree(Fields)


def test_tree_map():
    found = ca.tree_map(lambda x: x + 1, [Line(1, 2, "n"), Plain(3), Pair(4, "kept"), Fields(5)])
    line, plain, pair, fields = found
    assert (line.slope, line.offset, line.name) == (2, 3, "n")
    assert (plain.x, pair.one, pair.two, fields.x) == (4, 5, "kept", 6)
    both = ca.tree_map(lambda x, y: x * y, Line(2, 3), Line(10, 10))
    assert both == Line(20, 30)
    for other in (Line(1, 2, "other"), Plain(1)):
        with pytest.raises(ValueError, match="not alike"):
            ca.tree_map(lambda x, y: x, Line(1, 2), other)


@needs_derivatives
def test_derivatives():
    line = Line(array(np.asarray([2.0, 3.0])), 1.0)
    slopes = ca.grad(lambda line, x: ca.sum(line.slope * x * x) + line.offset)(line, array(np.asarray([1.0, 2.0])))
    assert type(slopes) is Line and slopes.name == "line"
    assert slopes.slope.tolist() == [1.0, 4.0] and slopes.offset.tolist() == 1.0
    again = ca.grad(lambda line: ca.sum(ca.remat(lambda line: line.slope * line.slope)(line)))(line)
    assert again.slope.tolist() == [4.0, 6.0]


def test_vmap():
    line = Line(array(np.asarray([2.0, 3.0])), array(np.asarray([1.0, 2.0])))
    found = ca.vmap(lambda line: Plain(line.slope + line.offset))(line)
    assert numpy_of(found.x).tolist() == [3.0, 5.0]
    assert type(found) is Plain and found.x.dtype == be.float64


def test_compiled():
    """Each class and each static field has a program; other arrays and numbers have none of their own."""
    calls = []

    def moved(line, *, by):
        calls.append(line.name)
        return Line(line.slope * by, line.offset, "moved")

    options = {"backend": "eager"} if "register_tracing" in be.facts else {}
    moved = ca.compile(moved, **options)
    x = array(np.asarray([2.0, 3.0]))
    for name, factor in (("line", 2.0), ("line", 3.0), ("other", 3.0)):
        found = moved(Line(x * factor, x, name), by=x)
        assert type(found) is Line and found.name == "moved"
        assert numpy_of(found.slope).tolist() == [4.0 * factor, 9.0 * factor] and found.offset.tolist() == [2.0, 3.0]
    assert calls in (["line", "other"], ["line", "line", "other"])  # without a compiler


def test_compiled_programs_return_records_and_take_nested_ones():
    """Also of arrays alone, and beside static arguments, which stay what they are."""
    options = {"backend": "eager"} if "register_tracing" in be.facts else {}
    x = array(np.asarray([2.0, 3.0]))
    found = ca.compile(lambda x: [Plain(2.0 * x), x], **options)
    for factor in (1.0, 2.0):
        made, given = found(x * factor)
        assert type(made) is Plain and made.x.tolist() == [4.0 * factor, 6.0 * factor]
        assert given.tolist() == [2.0 * factor, 3.0 * factor]
    nested = ca.compile(lambda lines: sum(line.slope for line in lines["all"]), **options)
    assert nested({"all": [Line(x, 0.0), Line(x, 0.0)]}).tolist() == [4.0, 6.0]
    repeated = ca.compile(lambda line, count, *, by: ca.zeros(count) + line.slope[0] * by, static_argnums=1, **options)
    assert repeated(Line(x, 0.0), 3, by=2).tolist() == [4.0, 4.0, 4.0]
    assert repeated(Line(x, 0.0), 2, by=2).tolist() == [4.0, 4.0]
    assert repeated(Line(x, 0.0), count=1, by=2).tolist() == [4.0]
    named = ca.compile(lambda line, count: ca.zeros(count) + line.slope[0], static_argnames="count", **options)
    assert named(Line(x, 0.0), 2).tolist() == named(Line(x, 0.0), count=2).tolist() == [2.0, 2.0]


def test_what_is_refused():
    with pytest.raises(TypeError, match="takes a class"):
        ca.register_tree(3)
    with pytest.raises(TypeError, match="together"):
        ca.register_tree(Line, lambda line: ((), None))
