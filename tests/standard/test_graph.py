"""`corearray.compile_graph`: the same results by native calls only, and nothing of one run kept in silence."""

from __future__ import annotations

import copy
import gc
import pickle
import re
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import numpy as np
import pytest
from standard.support import COMPILES, LONG, arguments, array, be, needs_derivatives, numpy_of

import corearray as ca
from corearray.contract.declaration import DECLARATIONS
from corearray.contract.text import PART
from corearray.random.programs import spawning
from corearray.testing.samples import SAMPLES

X = np.asarray([[1.0, 2.0, 3.0]], "float32")
Y = np.asarray([[2.0, -3.0, 4.0]], "float32")

#: An array that is no argument.
OUTSIDE = array(Y)


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
    assert len(graph) <= 4


def begun(a):
    total = ca.zeros(3)
    total += a[0, :]
    return total


def filled(a):
    found = ca.empty(3)
    for i in range(3):
        found[i] = a[0, i] * i
    return found + a


def with_out(a):
    found = ca.zeros((1, 3))
    ca.exp(a, out=found)
    return found


def both(a):
    zeros = ca.zeros(3)
    return zeros, zeros + a


@pytest.mark.parametrize(
    "program",
    [
        lambda a: ca.zeros(3),
        lambda a: ca.arange(3.0),
        lambda a: ca.linspace(0.0, 1.0, 3),
        lambda a: ca.eye(3),
        lambda a: ca.full(3, 2.0),
        lambda a: ca.fft.fftfreq(3),
        lambda a: ca.exp(OUTSIDE),
        lambda a: OUTSIDE[:1],
        lambda a: OUTSIDE,
        both,
        begun,
        filled,
        with_out,
    ],
)
def test_arrays_that_a_program_makes_are_its_own(program):
    graph = agree(program, [array(X)], [array(Y)])
    made = graph(array(X))
    wanted = [numpy_of(x).copy() for x in leaves(made)]
    for x in leaves(made):
        x[...] = 100.0
    for x, want in zip(leaves(graph(array(X))), wanted, strict=True):
        np.testing.assert_allclose(numpy_of(x), want)
    assert OUTSIDE.tolist() == Y.tolist()


def test_arrays_from_outside_are_those_of_its_making():
    kept = {"w": array(X), "v": array(X)}
    graph = ca.compile_graph(lambda a: a + kept["w"] + kept["v"], array(Y))
    kept["w"][0, 0] = 100.0  # of which the page says that it is seen where it is written in place
    kept["v"] = array(100 * Y)
    wanted = 2 * X + Y
    wanted[0, 0] += 99.0 if be.writes_in_place else 0.0
    np.testing.assert_allclose(numpy_of(graph(array(Y))), wanted)


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


def test_a_program_longer_than_a_function():
    outside = array(X)

    def program(x, y):
        first, total, middle = x * y, x * 1, None
        for place in range(120):
            former = total
            total = ca.sin(total) + first
            total[0, place % 3] = 0.5
            if place % 40 == 39:
                first = first - former * outside
            if place == 60:
                middle = total * x
        return total, middle, first, outside, x

    agree(program, [array(X), array(Y)], [array(Y), array(X)])
    graph = ca.compile_graph(program, array(X), array(Y))
    assert len(graph) > 2 * PART
    assert graph.source.count("def ") == 1, "the text is one function"


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


def test_random_numbers_are_those_of_the_compiled_program():
    own = ca.random.Generator(1)

    def noisy(x):
        return ca.dropout(x, 0.5) + own.uniform(shape=(1, 3)), x

    x = array(X)
    ca.random.seed(7)
    state = own.__getstate__()
    graph = ca.compile_graph(noisy, x)
    assert own.__getstate__() == state  # tracing draws nothing
    found = [graph(x), graph(x)]
    ca.random.seed(7)
    own.__setstate__(state)
    compiled = spawning(noisy)  # what `ca.compile` draws, without a compiler
    for pair in found:
        for one, other in zip(pair, compiled(x), strict=True):
            np.testing.assert_allclose(numpy_of(one), numpy_of(other), rtol=1e-12)
    assert found[0][0].tolist() != found[1][0].tolist()
    assert graph.inputs[-1].shape == (2, 2) and "random_keys" in graph.source


@pytest.mark.parametrize("native", [False, True])
def test_a_generator_that_is_made_within_begins_anew_in_each_call(native):
    def noisy(x):
        return x + ca.random.Generator(5, native=native).uniform(shape=(3,))

    x = array(np.zeros(3))
    graph = ca.compile_graph(noisy, x)
    wanted = ca.random.Generator(5).uniform(shape=(3,))
    for found in (graph(x), graph(x)):
        np.testing.assert_allclose(numpy_of(found), numpy_of(wanted), rtol=1e-6)


_DRAWING = {
    "normal": lambda x: x + ca.random.default_generator().normal(shape=(1, 3)),
    "integers": lambda x: x + ca.random.default_generator().integers(0, 9, shape=(1, 3)),
    "network": lambda x: ca.softmax(ca.dropout(ca.relu(x @ OUTSIDE.mT + x), 0.5)),
}


@pytest.mark.parametrize("name", _DRAWING)
def test_a_saved_graph_draws_of_the_context(name, tmp_path):
    graph = ca.compile_graph(_DRAWING[name], array(X))
    graph.save(tmp_path / "noisy")
    again = ca.load_graph(tmp_path / "noisy")
    assert again == graph and again != ca.compile_graph(lambda x: ca.dropout(x, 0.25), array(X))
    again.save(tmp_path / "again")
    ca.random.seed(7)
    want = [graph(array(X)).tolist() for _ in range(2)]
    for loaded in (again, ca.load_graph(tmp_path / "again"), pickle.loads(pickle.dumps(again))):
        ca.random.seed(7)
        assert [loaded(array(X)).tolist() for _ in range(2)] == want


def test_a_saved_graph_draws_the_same_numbers_in_another_process(tmp_path):
    if be.name not in [row.name for row in ca.list_backends()]:
        pytest.skip("another process does not know this backend")
    graph = ca.compile_graph(_DRAWING["network"], array(X))
    graph.save(tmp_path / "noisy")
    ca.random.seed(7)
    want = graph(array(X)).tolist()
    text = (
        "import corearray as ca; graph = ca.load_graph('noisy'); ca.random.seed(7); "
        f"print(graph(graph.backend.asarray({X.tolist()}, dtype='float32')).tolist())"
    )
    run = subprocess.run([sys.executable, "-c", text], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == str(want)


def test_a_saved_graph_draws_of_no_other_generator(tmp_path):
    own = ca.random.Generator(1)
    with pytest.raises(TypeError, match="draws of a generator of its own"):
        ca.compile_graph(lambda x: x + own.uniform(shape=3), array(X)).save(tmp_path / "own")


@needs_derivatives
@pytest.mark.parametrize(
    "program",
    [
        lambda x: ca.sum(ca.relu(x * 2 - 4) ** 2),
        lambda x: ca.sum(ca.softmax(ca.dropout(x, 0.5)) ** 2),
        lambda x: ca.sum(ca.if_else(x[0, 0] > 0, lambda y: y**3 * OUTSIDE, lambda y: y, x)),
        lambda x: ca.scan(lambda c, y: (c * y, c), x[0, 0], x[0, :])[0],
    ],
)
def test_derivatives_of_a_saved_graph(program, tmp_path):
    try:
        graph = ca.compile_graph(program, array(X))
    except ca.TracingError:
        pytest.skip("a branch that Python chooses")
    graph.save(tmp_path / "graph")
    loaded = ca.load_graph(tmp_path / "graph")
    for derived in (ca.grad, lambda f: ca.grad(lambda x: ca.sum(ca.grad(f)(x) ** 2))):
        ca.random.seed(3)
        wanted = derived(graph)(array(X))
        ca.random.seed(3)
        np.testing.assert_allclose(numpy_of(derived(loaded)(array(X))), numpy_of(wanted), rtol=1e-6)


def test_numbers_whose_drawing_reads_elements():
    def drawn(x):  # the keys are arguments of the graph
        return x + ca.random.default_generator().gamma(2.0, shape=(1, 3))

    if "looped" in be.facts and "register_tracing" not in be.facts:  # the graphs have loops
        graph = ca.compile_graph(drawn, array(X))
        ca.random.seed(3)
        found = graph(array(X))
        ca.random.seed(3)
        wanted = array(X) + ca.random.default_generator().spawn(1)[0].gamma(2.0, shape=(1, 3))
        np.testing.assert_allclose(numpy_of(found), numpy_of(wanted), rtol=1e-6)
    else:
        with pytest.raises(ca.TracingError):
            ca.compile_graph(drawn, array(X))
    try:  # these are the same in each call: torch computes them once
        graph = ca.compile_graph(lambda x: x + ca.random.Generator(1).gamma(2.0, shape=(1, 3)), array(X))
    except ca.TracingError:
        return
    wanted = array(X) + ca.random.Generator(1).gamma(2.0, shape=(1, 3))
    np.testing.assert_allclose(numpy_of(graph(array(X))), numpy_of(wanted), rtol=1e-6)


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
    with pytest.raises(ca.FileFormatError, match="holds no graph"):
        ca.load_graph(tmp_path / "other")


def test_pickled_and_copied():
    w = array(Y)
    graph = ca.compile_graph(lambda x: {"y": ca.exp(x) * w}, array(X))
    sent = pickle.loads(pickle.dumps(graph))
    assert sent == graph and sent(array(X))["y"].tolist() == graph(array(X))["y"].tolist()
    with pytest.raises(TypeError, match="only arguments like those of its making"):
        sent(array(X[0]))
    for made in (copy.copy(graph), copy.deepcopy({"graph": graph})["graph"]):
        assert made(array(X[0]))["y"].tolist() == graph(array(X[0]))["y"].tolist()


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


@pytest.mark.parametrize(
    "call",
    [
        lambda x, ragged: ca.compile_graph(lambda r: r * 2, ragged),
        lambda x, ragged: ca.compile_graph(lambda x: ca.Ragged.from_row_splits(x[0, :], [0, 2, 3]), x),
        lambda x, ragged: ca.compile_graph(lambda x: {"one": x, "other": ragged}, x),
        lambda x, ragged: ca.compile_graph(lambda x: x * 2, x)(ragged),
    ],
)
def test_ragged_arrays_are_refused(call):
    with pytest.raises(
        TypeError, match=r"'compile_graph' takes and returns no ragged array, got Ragged; give r\."
    ) as caught:
        call(array(X), ca.Ragged.from_rows([[1.0], [2.0, 3.0]]))
    assert isinstance(caught.value, ca.CoreArrayError)


def test_ragged_arrays_within_a_program():
    def program(values, splits):
        return ca.sum(2 * ca.Ragged.from_row_splits(values, splits), axis=1)

    agree(program, [array(X[0]), array(np.asarray([0, 2, 3]))])


def test_a_trace_keeps_no_views():
    before = set(be.copies)
    graph = ca.compile_graph(lambda x: ca.reshape(ca.flip(ca.reshape(x.mT, (6,))), (3, 2)) + 1, array(np.ones((2, 3))))
    gc.collect()
    assert set(be.copies) <= before
    assert graph(array(np.ones((2, 3)))).tolist() == [[2.0] * 2] * 3


_TABLE = (Path(__file__).parents[2] / "docs" / "graphs.md").read_text(encoding="utf-8")


def _refused():
    """Read the table of what cannot be traced: the functions that are refused on this backend."""
    rows = [line.split("|")[1:3] for line in _TABLE.splitlines() if line.startswith("| `")]
    return {name for names, backends in rows if be.name in backends for name in re.findall(r"`(\w+)`", names)}


#: Without defined elements.
_LEFT_OUT = {"empty", "empty_like"}

_REFUSED = _refused()


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("if_else", lambda x: ca.if_else(ca.all(x > 0.0), ca.sin, ca.cos, x)),
        ("while_loop", lambda x: ca.while_loop(lambda s: ca.sum(s) < 50.0, lambda s: s * 2.0, x)),
        ("for_loop", lambda x: ca.for_loop(0, ca.astype(x[0, 2], ca.int64), lambda i, s: s + 1.0, x)),
    ],
)
def test_branches_and_loops_are_right_or_refused(name, call):
    if name in _REFUSED:
        with pytest.raises(ca.TracingError, match=r"reads elements of .* such as where in place of Python's if"):
            ca.compile_graph(call, array(X))
    else:
        agree(call, [array(X)], [array(Y)])


def _turned(value):
    """Return other numbers of the same dtypes and shapes, in the reverse order."""
    if isinstance(value, np.ndarray):
        return np.flip(value).copy()
    return type(value)(map(_turned, value)) if isinstance(value, (list, tuple)) else value


#: Where every shape is compiled anew some of them have to do, unless `scripts/test --long` runs.
_NAMES = sorted((set(SAMPLES) & set(DECLARATIONS)) - _LEFT_OUT)
_NAMES = [name for i, name in enumerate(_NAMES) if LONG or not COMPILES or i % 12 == 0]


@pytest.mark.parametrize("name", _NAMES)
def test_every_function_is_right_or_refused(name):
    """Make a graph with one set of arguments and call it with another; what is refused is in the documentation."""
    declaration = DECLARATIONS[name]
    fn = getattr(be if declaration.main else getattr(be, declaration.namespace), name)
    refused = set()
    for args, options in SAMPLES[name][:2]:
        try:
            graph = ca.compile_graph(fn, *arguments(list(args)), **arguments(options))
        except ca.CoreArrayError as error:
            refused.add(str(error))
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
    if be.name in _TABLE:
        assert bool(refused) == (name in _REFUSED), refused or "it is traced; take it out of docs/graphs.md"


def natives(tree):
    """Return the same arguments with native arrays."""
    if isinstance(tree, dict):
        return {key: natives(value) for key, value in tree.items()}
    if isinstance(tree, (list, tuple)):
        return type(tree)(map(natives, tree))
    return tree.native if isinstance(tree, ca.Array) else tree


@pytest.mark.parametrize("name", _NAMES)
def test_the_graph_is_the_same_whichever_path_a_call_takes(name):
    """Each function has paths of its own for Arrays, for native arrays, and in its native namespace."""
    declaration = DECLARATIONS[name]
    fn = getattr(be if declaration.main else getattr(be, declaration.namespace), name)
    for args, options in SAMPLES[name][:2]:
        given, keywords = arguments(list(args)), arguments(options)
        try:
            graph = ca.compile_graph(fn, *given, **keywords)
        except ca.CoreArrayError:
            continue
        assert ca.compile_graph(fn, *given, **keywords) == graph
        assert ca.compile_graph(fn, *natives(given), **natives(keywords)) == graph
