"""Graphs of several signatures, of trees, in threads and within each other, and the examples of the document they follow."""

from __future__ import annotations

from threading import Thread

import numpy as np
import pytest
from standard.support import array, be, numpy_of
from standard.test_graph import X, Y, agree, clean

import corearray as ca

pytestmark = pytest.mark.skipif("traced_calls" not in be.facts, reason="this backend shows no calls")


@pytest.fixture(autouse=True)
def on_this_backend():
    with ca.backend_context(be):
        yield


def test_arrays_have_the_names_of_their_places():
    def program(x, tree, *rest, scale=1.0, **named):
        return x + tree["w"].b + tree["l"][1] + rest[0] + scale + named["z"]

    tree = {"w": ca.Container(b=array(X)), "l": [3, array(X)]}
    graph = ca.compile_graph(program, array(X), tree, array(X), scale=array(X), z=array(X))
    assert "def program(x, tree_w_b, tree_l_1, x2, scale, z):" in graph.source
    graph = ca.compile_graph(lambda a, a_b: a["b"] + a_b, {"b": array(X)}, array(Y))  # two of one name
    assert "def graph(x0, x1):" in graph.source and graph({"b": array(X)}, array(Y)).tolist() == (X + Y).tolist()
    graph = ca.compile_graph(lambda a: a["if"] + a["1 %"], {"if": array(X), "1 %": array(Y)})
    assert "def graph(a_if, a_1__):" in graph.source


# --- shapes that vary


def test_one_graph_for_several_shapes():
    runs = []

    def program(x, y):
        runs.append(x.shape)
        return {"total": ca.tanh(x) * 2 + y, "n": 3}

    graph = ca.compile_graph(program, array(X), array(Y), dynamic=True)
    for shape in ((1, 3), (2, 3), (4, 5), (2, 3), (1, 3), (7, 1)):
        x = np.random.default_rng(1).normal(size=shape).astype("float32")
        np.testing.assert_allclose(numpy_of(graph(array(x), array(x))["total"]), np.tanh(x) * 2 + x, rtol=1e-5)
    assert len(graph.signatures) == 1 and len(runs) == 4
    graph(array(X[0]), array(X[0]))  # another rank
    graph(array(X.astype("float64")), array(X.astype("float64")))
    assert len(graph.signatures) == 3
    fixed = ca.compile_graph(program, array(X), array(Y))
    fixed(array(X.T), array(X.T))
    assert len(fixed.signatures) == 2


def test_sizes_that_a_program_uses_are_not_kept_for_others():
    def program(x):
        if x.shape[0] > 3:
            return ca.reshape(x, (x.shape[0] * x.shape[1],)) * x.shape[0], x.shape[1]
        return ca.concat([x] * x.shape[0], axis=1), x.shape[1]

    graph = ca.compile_graph(program, array(X), dynamic=True)
    for shape in ((1, 3), (2, 3), (3, 3), (4, 3), (5, 2), (2, 2), (1, 3)):
        x = np.random.default_rng(1).normal(size=shape).astype("float32")
        (wanted, n), (found, m) = program(array(x)), graph(array(x))
        assert n == m and found.shape == wanted.shape
        np.testing.assert_allclose(numpy_of(found), numpy_of(wanted), rtol=1e-6)
    assert len(graph.signatures) == 6


def test_shapes_that_vary_compiled_by_the_framework():
    options = {"backend": "eager"} if "register_tracing" in be.facts else {}
    graph = ca.compile_graph(clean, array(X), array(Y), array(X), dynamic=True).to_backend_compile(**options)
    for shape in ((1, 3), (2, 4), (5, 4), (1, 3)):
        x = np.random.default_rng(1).normal(size=shape).astype("float32")
        np.testing.assert_allclose(numpy_of(graph(*[array(x)] * 3)), x * x + x, rtol=1e-6)
    assert len(graph.signatures) == 1


# --- trees, threads, and what comes in and goes out


def test_compiled_graphs_keep_trees_and_take_new_signatures():
    options = {"backend": "eager"} if "register_tracing" in be.facts else {}

    def program(tree, *, scale):
        return ca.Container(y=tree["x"] * scale), [tree["x"], 7]

    plain = ca.compile_graph(program, {"x": array(X)}, scale=2.0)
    graph = plain.to_backend_compile(**options)
    assert graph == plain and (graph.native is plain.native) == ("compiled_function" not in be.facts)
    for x, scale in ((X, 2.0), (Y[0], 2.0), (Y, 3.0)):
        found, (given, seven) = graph({"x": array(x)}, scale=scale)
        np.testing.assert_allclose(numpy_of(found.y), x * np.float32(scale))
        assert numpy_of(given).tolist() == x.tolist() and seven == 7 and isinstance(found, ca.Container)


def test_threads_run_one_graph_at_once():
    graph = ca.compile_graph(clean, array(X), array(Y), array(X))
    wrong = []

    def work(number):
        with ca.backend_context(be):
            for count in range(30):
                x = np.full((1 + (number + count) % 3, 3), float(number), "float32")
                found = numpy_of(graph(array(x), array(x), array(x)))
                if not np.array_equal(found, x * x + x):
                    wrong.append(number)

    threads = [Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and len(graph.signatures) == 3


def test_arguments_that_are_returned_and_results_without_arrays():
    x = array(X)
    graph = ca.compile_graph(lambda x, y: {"x": x, "again": [x, x], "none": None}, x, array(Y))
    found = graph(x, array(Y))
    assert len(graph) == 0 and found["none"] is None
    assert all(numpy_of(one).tolist() == X.tolist() for one in (found["x"], *found["again"]))
    assert ca.compile_graph(lambda x: ("no", 3), x)(x) == ("no", 3)
    alone = ca.compile_graph(lambda x: ca.ones(2), x)
    assert alone(array(Y)).tolist() == [1.0, 1.0] and len(alone.outputs) == 1


def test_graphs_within_graphs():
    inner = ca.compile_graph(lambda tree, n: {"y": tree["x"] * n}, {"x": array(X)}, 2.0)

    def program(x):
        return inner({"x": ca.sin(x)}, 2.0)["y"] + inner({"x": x}, 3.0)["y"]

    def plain(x):
        return ca.sin(x) * 2.0 + x * 3.0

    graph = agree(program, [array(X)], [array(Y)])
    assert graph == ca.compile_graph(plain, array(X))
    assert ca.compile_graph(graph, array(X)) == graph


def test_a_diagonal_and_a_product_by_the_functions_of_the_framework():
    graph = agree(lambda x, y: ca.matmul(ca.diag(x), y), [array(X[0]), array(Y[0])], [array(Y[0]), array(X[0])])
    root = type(array(X).native).__module__.partition(".")[0].removesuffix("lib")
    assert graph.functions and all(name.startswith((f"{root}.", "operator.")) for name in graph.functions)
    assert len(graph.inputs) == 2 and "corearray" not in graph.source
