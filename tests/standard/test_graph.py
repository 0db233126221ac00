"""`corearray.compile_graph`: the same results by native calls only, and nothing of one run kept in silence."""

from __future__ import annotations

import importlib
from collections import namedtuple
from threading import Thread

import numpy as np
import pytest
from standard.support import arguments, array, be, examples, needs_derivatives, numpy_of

import corearray as ca
from corearray.declaration import DECLARATIONS
from corearray.testing.samples import SAMPLES

X = np.asarray([[1.0, 2.0, 3.0]], "float32")
Y = np.asarray([[2.0, -3.0, 4.0]], "float32")


@pytest.fixture(autouse=True)
def on_this_backend(request):
    if "traced_calls" not in be.facts and request.function is not test_a_backend_that_shows_no_calls_says_so:
        pytest.skip("this backend shows no calls")
    with ca.backend_context(be):
        yield


def agree(fn, *calls, **options):
    """Make a graph with the first arguments and compare what it gives for all of them with what the function gives."""
    graph = ca.compile_graph(fn, *calls[0], **options)
    for args in calls:
        for wanted, found in zip(leaves(fn(*args, **options)), leaves(graph(*args, **options)), strict=True):
            assert type(wanted) is type(found)
            if isinstance(wanted, ca.Array):
                assert (wanted.dtype, wanted.shape) == (found.dtype, found.shape)
                np.testing.assert_allclose(numpy_of(found), numpy_of(wanted), rtol=2e-5, atol=1e-6)
            else:
                assert np.array_equal(np.asarray(wanted), np.asarray(found))
    return graph


def leaves(tree):
    if isinstance(tree, dict):
        tree = list(tree.values())
    return [leaf for item in tree for leaf in leaves(item)] if isinstance(tree, (list, tuple)) else [tree]


def clean(x, w, b):
    return w * x + b


def unclean(x, w, b):
    y = b + w + x
    print("message")
    wx = w * x
    ret = wx + b
    temp = y * wx  # noqa: F841
    return ret


def test_a_backend_that_shows_no_calls_says_so():
    if "traced_calls" not in be.facts:
        with pytest.raises(NotImplementedError, match="shows no native calls"):
            ca.compile_graph(ca.sin, array(X))


def test_dead_code_and_printing_are_left_out(capsys):
    args = [array(X), array(Y), array(X + Y)]
    one, other = ca.compile_graph(clean, *args), ca.compile_graph(unclean, *args)
    capsys.readouterr()
    assert other(*args).tolist() == clean(*args).tolist()
    assert not capsys.readouterr().out
    assert one == other and len(one) == 2 and sum(one.functions.values()) == 2
    kept = ca.compile_graph(unclean, *args, eliminate_dead=False, merge_repeated=False, fold_constants=False)
    assert len(kept) == 5 and kept != one


def test_corearray_and_native_code_give_the_same_graph():
    def wrapped(x):
        return ca.stack([ca.cos(ca.sum(x)), ca.sin(ca.mean(x)), ca.tan(ca.var(x))], axis=-1)

    def native(x):
        xp = be.native
        x = x.native
        return be.wrap(xp.stack([xp.cos(xp.sum(x)), xp.sin(xp.mean(x)), xp.tan(xp.var(x))], axis=-1))

    def mix(x):
        xp = be.native
        mean = ca.mean(x).native
        return ca.stack([ca.cos(ca.sum(x)), be.wrap(xp.sin(mean)), be.wrap(xp.tan(xp.var(x.native)))], axis=-1)

    x = array(X)
    graphs = [agree(fn, [x], [array(Y)]) for fn in (wrapped, native, mix)]
    assert graphs[0].functions == graphs[1].functions == graphs[2].functions
    assert graphs[0] != ca.compile_graph(ca.sin, x)


def test_diagonal_and_product():
    graph = agree(lambda x, y: ca.matmul(ca.diag(x[0]), y[0][:, None]), [array(X), array(Y)], [array(Y), array(X)])
    assert all(found is not None for found in graph.steps) and len(graph.inputs) == 2


def test_trees_options_and_values():
    pair = namedtuple("pair", "one two")

    def program(tree, power, *, scale, name="x"):
        total = ca.sum(tree["box"].w) * scale
        return {name: [tree["parts"][0] ** power, tree["parts"][1]], "box": ca.Container(t=total), "n": (3, None)}

    tree = {"parts": pair(array(X), array(Y)), "box": ca.Container(w=array(Y))}
    graph = ca.compile_graph(program, tree, 2, scale=array(X), name="y")
    found = graph(tree, 2, scale=array(X), name="y")
    assert isinstance(found["box"], ca.Container) and found["n"] == (3, None)
    assert found["y"][0].tolist() == [[1.0, 4.0, 9.0]] and found["y"][1].tolist() == Y.tolist()
    assert graph(tree, 3, scale=array(X))["x"][0].tolist() == [[1.0, 8.0, 27.0]]
    with pytest.raises(TypeError, match="must be hashable, got set"):
        graph(tree, {2}, scale=array(X))


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


def test_static_arguments():
    graph = ca.compile_graph(lambda x, sizes: ca.sum(x) * len(sizes), array(X), (1, 2), static_argnums=1)
    assert float(graph(array(X), (1, 2))) == 12.0 and float(graph(array(X), (1, 2, 3))) == 18.0


def test_numbers_that_are_equal_and_not_the_same():
    graph = ca.compile_graph(lambda x, n: x * 0 + n, array(np.asarray([1, 2])), 0)
    assert graph(array(np.asarray([1, 2])), 0).dtype == ca.int64
    assert graph(array(np.asarray([1, 2])), 0.0).dtype == ca.default_dtype()
    signs = ca.compile_graph(lambda x, n: ca.signbit(n * x), array(np.ones(1)), 0.0)
    assert signs(array(np.ones(1)), -0.0).tolist() == [True] and signs(array(np.ones(1)), 0.0).tolist() == [False]


def test_several_signatures():
    runs = []

    def program(x):
        runs.append(x.shape)
        return ca.sum(x * x)

    graph = ca.compile_graph(program, array(X))
    for x in (X, np.ones(5, "float32"), X, np.ones(5, "float64"), np.ones(5, "float32")):
        assert float(graph(array(x))) == pytest.approx(float((x * x).sum()))
    assert runs == [(1, 3), (5,), (5,)]


def test_native_and_wrapped_arguments():
    graph = ca.compile_graph(lambda x: x + x, array(X).native)
    assert be.is_native(graph(array(X).native)) and isinstance(graph(array(X)), be.Array)


def test_constants_and_results_of_no_argument():
    w = array(Y)
    graph = agree(lambda x: (x, w * x, ca.ones(2), w, 7), [array(X)], [array(Y)])
    assert len(graph) <= 2


def test_repeated_calls_are_made_once():
    def program(x):
        return ca.exp(x) + ca.exp(x) * ca.exp(x)

    assert len(ca.compile_graph(program, array(X))) == 3
    assert len(ca.compile_graph(program, array(X), merge_repeated=False)) == 5
    agree(program, [array(X)], [array(Y)])


def test_writes_keep_their_order():
    def program(x):
        y = x * 1
        view = y[0]
        before = y + 0
        view[1] = 9.0
        z = y[0] * 2
        z += y[0]
        unused = x * 2
        unused[0, 0] = 1.0
        return before, y, y + 0, z

    agree(program, [array(X)], [array(Y)])


def test_arguments_that_are_written_into():
    def program(x):
        x[0, 1] = 5.0
        return x * 2

    if not be.writes_in_place:
        with pytest.raises(ca.TracingError, match="writes into an argument"):
            ca.compile_graph(program, array(X))
        return
    x = array(X)
    graph = ca.compile_graph(program, x)
    assert x.tolist() == X.tolist()
    assert graph(x).tolist() == [[2.0, 10.0, 6.0]] and x.tolist() == [[1.0, 5.0, 3.0]]


def test_what_is_outside_is_not_written_into():
    outside = array(X)

    def program(x):
        outside[0, 0] = x[0, 0]
        return outside + x

    if be.writes_in_place:
        with pytest.raises(ca.TracingError, match=r"outside|into an array|is no argument of the function"):
            ca.compile_graph(program, array(Y))


@pytest.mark.parametrize(
    "program",
    [
        lambda x: x if ca.sum(x) > 0 else -x,
        lambda x: x * float(ca.sum(x)),
        lambda x: x + x[0, 0].tolist(),
        lambda x: x[:, : int(x[0, 0])],
        lambda x: ca.asarray(np.asarray(x)) + x,
        lambda x: [x for i in range(3) if i < x[0, i]],
    ],
)
def test_elements_are_not_kept_in_silence(program):
    with pytest.raises(TypeError, match=r"test_graph\.py, line \d+, in `lambda x: ") as caught:
        ca.compile_graph(program, array(X))
    assert isinstance(caught.value, ca.TracingError)


def test_random_numbers_are_not_kept_in_silence():
    generator = ca.random.Generator(1)
    with pytest.raises(ca.TracingError, match="a generator of random numbers advances"):
        ca.compile_graph(lambda x: x + generator.uniform(shape=(1, 3)), array(X))


def test_source_is_what_runs():
    graph = ca.compile_graph(clean, array(X), array(Y), array(X))
    assert "def clean(x, w, b):" in graph.source and "ca." not in graph.source
    scope = {}
    exec(graph.source, scope)
    natives = [array(x).native for x in (X, Y, X)]
    assert be.wrap(scope["clean"](*natives)[0]).tolist() == be.wrap(graph.native(*natives)[0]).tolist()
    rows = str(graph).splitlines()
    assert rows[0].split() == ["x", "float32[1,", "3]", "argument"] and rows[-1].endswith("returned")
    assert "2 native calls" in repr(graph)


def test_saved_and_loaded(tmp_path):
    w = array(Y)

    def program(x, n):
        return {"y": ca.exp(x * w)[:, ::-1] + n}

    graph = ca.compile_graph(program, array(X), 2)
    graph.save(tmp_path / "graph")
    loaded = ca.load_graph(tmp_path / "graph")
    assert loaded == graph
    assert loaded(array(X), 2)["y"].tolist() == graph(array(X), 2)["y"].tolist()
    with pytest.raises(TypeError, match="only arguments like those of its making"):
        loaded(array(X[0]), 2)
    (tmp_path / "other").write_bytes(b"\x80\x04K\x01.")
    with pytest.raises(TypeError, match="holds no graph"):
        ca.load_graph(tmp_path / "other")


def test_a_graph_of_a_graph():
    inner = ca.compile_graph(clean, array(X), array(Y), array(X))
    assert ca.compile_graph(lambda *args: inner(*args), array(X), array(Y), array(X)) == inner


@needs_derivatives
def test_gradients_flow_through():
    graph = ca.compile_graph(lambda x: ca.sum(ca.sin(x) * x), array(X))
    found, wanted = ca.grad(graph)(array(X)), ca.grad(lambda x: ca.sum(ca.sin(x) * x))(array(X))
    np.testing.assert_allclose(numpy_of(found), numpy_of(wanted), rtol=1e-6)


def test_compiled_by_the_framework():
    options = {"backend": "eager"} if "register_tracing" in be.facts else {}
    graph = ca.compile_graph(clean, array(X), array(Y), array(X)).to_backend_compile(**options)
    assert graph(array(X), array(Y), array(X)).tolist() == clean(array(X), array(Y), array(X)).tolist()


def test_what_is_no_function():
    with pytest.raises(TypeError, match="'compile_graph' takes a function, got 3"):
        ca.compile_graph(3)


#: Without defined elements.
_LEFT_OUT = {"empty", "empty_like"}


def _turned(value):
    """Return other numbers of the same dtypes and shapes, in the reverse order."""
    if isinstance(value, np.ndarray):
        return np.flip(value).copy()
    return type(value)(map(_turned, value)) if isinstance(value, (list, tuple)) else value


#: Where every shape is compiled anew some of them have to do; COREARRAY_TEST_EXAMPLES asks for all.
_NAMES = sorted((set(SAMPLES) & set(DECLARATIONS)) - _LEFT_OUT)[:: 12 if examples.max_examples < 25 else 1]


@pytest.mark.parametrize("name", _NAMES)
def test_every_function_is_right_or_refused(name):
    """Make a graph with one set of arguments and call it with another."""
    declaration = DECLARATIONS[name]
    fn = getattr(be if declaration.main else getattr(be, declaration.namespace), name)
    for args, options in SAMPLES[name][:2]:
        try:
            graph = ca.compile_graph(fn, *arguments(list(args)), **arguments(options))
        except ca.CoreArrayError:
            continue
        for change in (lambda value: value, _turned):
            values = [change(list(args)), {key: change(value) for key, value in options.items()}]
            made = [[arguments(part) for part in values] for _ in range(2)]
            try:
                wanted = fn(*made[0][0], **made[0][1])
            except Exception:
                continue
            found = graph(*made[1][0], **made[1][1])
            for one, other in zip(leaves(wanted), leaves(found), strict=True):
                if isinstance(one, ca.Array):
                    assert (one.dtype, one.shape) == (other.dtype, other.shape)
                    np.testing.assert_allclose(numpy_of(other), numpy_of(one), rtol=2e-5, atol=1e-6)


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

    graph = ca.compile_graph(program, {"x": array(X)}, scale=2.0).to_backend_compile(**options)
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


# --- the examples of the document that this follows


#: By framework: its module, and its mean, sum, variance and stack, as one writes them for speed.
FRAMEWORKS = {
    "numpy": ("numpy", lambda np: (
        lambda x: np.add.reduce(x, axis=None) / x.size,
        lambda x: np.add.reduce(x, axis=None),
        lambda x: np.add.reduce(np.square(x - np.add.reduce(x, axis=None, keepdims=True) / 1), axis=None) / 1.0,
        lambda xs: np.concatenate([x[..., None] for x in xs], -1),
    )),
    "torch": ("torch", lambda torch: (
        torch.mean, torch.sum, lambda x: torch.var(x, correction=0), lambda xs: torch.stack(xs, -1),
    )),
    "jax": ("jax.numpy", lambda jnp: (jnp.mean, jnp.sum, jnp.var, lambda xs: jnp.stack(xs, -1))),
    "tensorflow": ("tensorflow", lambda tf: (tf.reduce_mean, tf.reduce_sum, tf.math.reduce_variance, tf.stack)),
}  # fmt: skip


def test_pure_native_and_mixed_programs_give_the_same_graph():
    module, functions = FRAMEWORKS[be.name]
    xp = importlib.import_module(module)
    mean, total, var, stack = functions(xp)

    def pure(x):
        y, z = ca.mean(x), ca.sum(x)
        return ca.stack([ca.cos(z), ca.sin(ca.var(y)), ca.tan(y)], axis=-1)

    def native(x):
        y, z = mean(x.native), total(x.native)
        return be.wrap(stack([xp.cos(z), xp.sin(var(y)), xp.tan(y)]))

    def mix(x):
        y, z = ca.mean(x), total(x.native)
        return ca.stack([be.wrap(xp.cos(z)), ca.sin(ca.var(y)), be.wrap(xp.tan(y.native))], axis=-1)

    graphs = [agree(fn, [array(X)], [array(Y)]) for fn in (pure, native, mix)]
    assert graphs[0] == graphs[1] == graphs[2]
    assert graphs[0].functions == graphs[1].functions


def test_a_diagonal_and_a_product_by_the_functions_of_the_framework():
    graph = agree(lambda x, y: ca.matmul(ca.diag(x), y), [array(X[0]), array(Y[0])], [array(Y[0]), array(X[0])])
    root = FRAMEWORKS[be.name][0].partition(".")[0]
    assert graph.functions and all(name.startswith((f"{root}.", "operator.")) for name in graph.functions)
    assert len(graph.inputs) == 2 and "corearray" not in graph.source
