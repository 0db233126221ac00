"""`corearray.compile`: the same results, compiled once where that is possible."""

from __future__ import annotations

import numpy as np
import pytest
from standard.support import array, be, needs_derivatives

import corearray as ca

COMPILES = "compiled_function" in be.facts

#: Whether the framework reads the program's code and does not run it; then it also can do without a compiler of C++.
READS = "register_tracing" in be.facts
OPTIONS = {"backend": "eager"} if READS else {}


@pytest.fixture(autouse=True)
def on_this_backend():
    with ca.backend_context(be):
        yield


def test_trees_static_and_named_arguments():
    runs = []

    def function(tree, power, *, scale, name="x"):
        runs.append(power)
        parts = [part**power for part in tree["parts"]]
        return {"parts": parts, name: ca.Container(total=ca.sum(tree["box"].w) * scale)}

    compiled = ca.compile(function, static_argnums=1, static_argnames=["scale", "name"], **OPTIONS)
    tree = {
        "parts": [array(np.array([1.0, 2.0])), array(np.array(3.0))],
        "box": ca.Container(w=array(np.array([1.0, 3.0]))),
    }
    for power in (2, 2, 3):
        found = compiled(tree, power, scale=2.0, name="y")
        assert found["parts"][0].tolist() == [1.0, 2.0**power] and float(found["parts"][1]) == 3.0**power
        assert isinstance(found["y"], ca.Container) and float(found["y"].total) == 8.0
        assert isinstance(found["parts"][0], be.Array)
    if COMPILES and not READS:
        assert sorted(set(runs)) == [2, 3] and len(runs) <= 4


def test_of_several_lengths():
    compiled = ca.compile(lambda x: ca.sum(x * x), dynamic=True, **OPTIONS)
    assert [float(compiled(be.ones(n))) for n in (3, 4, 5)] == [3.0, 4.0, 5.0]


def test_methods_are_compiled():
    x = np.arange(6.0).reshape(2, 3)
    compiled = ca.compile(lambda x: x.reshape(3, 2).cumsum(0).astype(ca.float32).transpose().max(1), **OPTIONS)
    assert compiled(array(x)).tolist() == x.reshape(3, 2).cumsum(0).T.max(1).tolist()


@needs_derivatives
def test_derivatives_within_and_around():
    def loss(x):
        return ca.sum(x**3)

    x = array(np.array([1.0, 2.0]))
    assert ca.compile(ca.grad(loss), **OPTIONS)(x).tolist() == [3.0, 12.0]
    rows = ca.compile(ca.vmap(ca.grad(lambda x: x**3)), **OPTIONS)(x)
    assert rows.tolist() == [3.0, 12.0]


def test_examples_are_compiled_for_at_once():
    seen = []

    def function(x):
        seen.append(x.shape)
        return x + 1

    compiled = ca.compile(function, example_inputs=(be.ones(2),), **OPTIONS)
    assert compiled.__name__ == "function"
    before = len(seen)
    assert compiled(be.ones(2)).tolist() == [2.0, 2.0]
    if COMPILES and not READS:
        assert before == len(seen) == 1


def test_what_cannot_be_compiled():
    with pytest.raises(TypeError, match="'compile' takes a function, got 3"):
        ca.compile(3)
