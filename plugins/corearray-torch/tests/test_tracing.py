"""A program of corearray's functions under `torch.compile`: one graph, arrays in and out of it."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
import textwrap

import numpy as np
import pytest
import torch
from corearray_torch import gradients

import corearray as ca
from corearray.contract.declaration import DECLARATIONS

pytestmark = pytest.mark.filterwarnings("ignore")

be = ca.get_backend("torch")


def classify(x, w, b):
    """Standardise, a linear layer, softmax, and what is said of the result."""
    x = (x - ca.mean(x, axis=0)) / (ca.std(x, axis=0) + 1e-3)
    h = ca.matmul(x, w) + b
    e = ca.exp(h - ca.max(h, axis=1, keepdims=True))
    p = e / ca.sum(e, axis=1, keepdims=True)
    best = ca.argmax(p, axis=1)
    sure = ca.where(p > 0.5, p, 0.0)
    right = ca.sum(ca.astype(best == 1, ca.float32))
    return {"p": p, "best": best, "rows": sure[::2, 1:], "right": right, "all": ca.concat([p, sure], axis=1)}


def write(x):
    """What changes an array in place."""
    y = ca.zeros(x.shape, dtype=x.dtype) + x
    y[0] = 5.0
    y[1:, 0] = x[1:, 1]
    y[1:] = y[:-1]
    y[y > 4] = 3
    y += 1
    y *= x
    y[:, -1] -= x[:, 0]
    return y


def compose(x):
    """Functions that the core composes of others, extensions, dtypes that must be promoted."""
    spread = ca.linalg.vector_norm(x, axis=1) + ca.linalg.trace(x[:3, :3])
    tiled, grids = ca.tile(ca.diff(x, axis=0), (2, 1)), ca.meshgrid(x[0], x[1])
    mixed = ca.arange(4) + x, ca.mean(ca.arange(4)), ca.concat([ca.ones(2), x[0]]), ca.asarray([1, 2]) * 2.5
    return tiled, grids, spread, ca.fft.fftshift(x), ca.linalg.solve(x + 3 * ca.eye(4), x[0]), ca.var(x), mixed


def of_one_backend(x):
    """The same by the names of the backend, on arrays and on native arrays."""
    u = be.unique_counts(be.asarray([2, 1, 2]))
    native = be.native.linalg.matrix_norm(be.native.logaddexp(x.native, x.native))
    return be.hypot(x, 2.0), be.linalg.det(x), be.fft.fft(x), u.counts + u.values, be.wrap(native)


def of_containers(x):
    """Functions and operators of Containers."""
    c = ca.Container(a=x, b={"c": x[0]})
    return (2 * c + ca.square(c)).leaves()


def arrays(*shapes):
    generator = torch.Generator().manual_seed(0)
    return tuple(be.asarray(torch.rand(shape, generator=generator)) for shape in shapes)


PROGRAMS = {
    "classify": (classify, arrays((6, 4), (4, 3), (3,))),
    "write": (write, arrays((3, 4))),
    "compose": (compose, arrays((4, 4))),
    "of_one_backend": (of_one_backend, arrays((3, 3))),
    "of_containers": (of_containers, arrays((2, 3))),
}


class Graphs:
    """A compiler that runs graphs as they are and counts them."""

    def __init__(self):
        self.count = 0

    def __call__(self, graph, inputs):
        self.count += 1
        return graph.forward


def same(found, expected):
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        found, expected = list(found.values()), list(expected.values())
    if isinstance(expected, (list, tuple)):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            same(one, other)
    else:
        assert type(found) is type(expected)
        assert found.dtype is expected.dtype
        torch.testing.assert_close(found.native, expected.native, equal_nan=True)


@pytest.fixture(autouse=True)
def fresh():
    torch.compiler.reset()


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_are_traced_as_one_graph(name):
    program, inputs = PROGRAMS[name]
    graphs = Graphs()
    traced = torch.compile(program, backend=graphs, fullgraph=True)
    for _ in range(3):
        same(traced(*inputs), program(*inputs))
    assert graphs.count == 1


def in_a_new_process(program):
    command = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_hooks_that_were_never_asked_for_are_not_chosen_while_torch_traces():
    """torch would read how they are chosen, and warn of the caches in it."""
    in_a_new_process("""
        import warnings, torch, corearray as ca
        ca.set_backend("torch")
        doubled = lambda x: ca.bind_custom_gradient_function(lambda v: v * 2, lambda *given: given[-1])(x)
        adapted = lambda x: ca.optim.adam(0.1).update(x, ca.optim.adam(0.1).init(x), x)
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            for program in (doubled, adapted):
                ca.compile(program, backend="eager")(ca.ones(3))
        assert not [w for w in found if "lru_cache" in str(w.message)], found
    """)


def test_functions_that_were_never_called_are_traced():
    """Each of them is composed while torch traces: public functions, operators, a backend's, extensions'."""
    in_a_new_process("""
        import torch, corearray as ca
        be = ca.get_backend("torch")
        count = []
        def counted(graph, inputs):
            count.append(1)
            return graph.forward
        def program(x):
            y = 2 * ca.tan(x) - ca.cumulative_sum(x) / (1 + abs(-x))
            z = ca.meshgrid(be.sin(y), y)[0] + be.linalg.outer(ca.sort(y), ca.flip(y))
            z[0] = 1
            return ca.linalg.trace(z), be.fft.fft(z), z >= 0, be.native.cosh(x.native), ca.ones(3) + ca.asarray([1, 2, 3])
        x = be.wrap(torch.tensor([0.1, 0.7, 0.3]))
        traced = torch.compile(program, backend=counted, fullgraph=True)
        for _ in range(3):
            found = traced(x)
        assert len(count) == 1, count
        for one, other in zip(found, program(x)):
            assert type(one) is type(other) and torch.allclose(ca.to_native(one), ca.to_native(other)), (one, other)
    """)


def test_loading_the_backend_does_not_load_the_compiler():
    in_a_new_process("""
        import sys, corearray as ca
        ca.get_backend("torch").ones(2) + 1
        assert "torch._dynamo" not in sys.modules
    """)


def test_functions_are_marked_as_the_decorator_of_torch_marks_them():
    def function():
        pass

    torch.compiler.assume_constant_result(function)
    assert vars(function).items() <= vars(type(be).compose).items()


#: Functions of arrays alone, with arguments that suit most of them.
ELEMENTWISE = [
    name
    for name, declaration in DECLARATIONS.items()
    if declaration.category in ("elementwise", "exponential", "trigonometric", "rounding", "comparison", "statistical")
    and {p.role for p in declaration.parameters if p.required} == {"array"}
]


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_traced_and_not_are_equal(name):
    public = getattr(ca, name)
    count = sum(parameter.required for parameter in DECLARATIONS[name].parameters)
    kind = {"imag": ca.complex64, "gcd": ca.int32, "lcm": ca.int32}.get(name, ca.float32)
    kind = ca.bool if name.startswith("logical") else kind
    inputs = [be.asarray([0.25, 0.5, 1.0], dtype=kind) for _ in range(count)]
    traced = torch.compile(lambda *arrays: public(*arrays), backend="eager", fullgraph=True)
    same(traced(*inputs), public(*inputs))


def test_batches_of_any_size_are_traced_once():
    _, (x, w, b) = PROGRAMS["classify"]
    graphs = Graphs()
    traced = torch.compile(lambda *args: classify(*args)["all"], backend=graphs, fullgraph=True, dynamic=True)
    for size in (6, 5, 3):
        part = be.asarray(x[:size], copy=True)
        same(traced(part, w, b), classify(part, w, b)["all"])
    assert graphs.count == 1


def test_native_arrays_go_in_and_out():
    inputs = [x.native for x in PROGRAMS["classify"][1]]
    traced = torch.compile(
        lambda *args: ca.to_native(classify(*map(ca.asarray, args))["p"]), backend="eager", fullgraph=True
    )
    found = traced(*inputs)
    assert type(found) is torch.Tensor
    torch.testing.assert_close(found, classify(*map(ca.asarray, inputs))["p"].native)


def loss(w, x):
    return ca.sum(ca.square(ca.matmul(x, w)) + ca.std(w[1:])).native


def test_a_module_is_trained():
    """Forward and backward graphs of `aot_autograd` against `torch.autograd` without a compiler."""

    class Layer(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.w = torch.nn.Parameter(torch.linspace(-1, 1, 12).reshape(4, 3))

        def forward(self, x):
            return loss(ca.asarray(self.w), ca.tanh(x))

    x = torch.rand(5, 4, generator=torch.Generator().manual_seed(0))
    found = []
    for wrapped in (lambda layer: layer, lambda layer: torch.compile(layer, backend="aot_eager", fullgraph=True)):
        layer = Layer()
        wrapped(layer)(x).backward()
        found.append(layer.w.grad)
    assert found[0].abs().min() > 0
    torch.testing.assert_close(*found)


@pytest.mark.parametrize("compiled", [False, True])
def test_gradients_of_each_of_a_batch(compiled):
    w, x = arrays((4, 3), (5, 2, 4))
    each = torch.func.vmap(torch.func.grad(loss), in_dims=(None, 0))
    alone = torch.stack([torch.func.grad(loss)(w, x[i]).native for i in range(5)])
    traced = torch.compile(each, backend="aot_eager", fullgraph=True) if compiled else each
    found = traced(w, x)
    assert type(found) is be.Array
    torch.testing.assert_close(found.native, alone)


def test_a_program_is_exported():
    class Program(torch.nn.Module):
        def forward(self, x):
            return ca.to_native(ca.tanh(ca.sum(x, axis=0)))

    exported = torch.export.export(Program(), (torch.ones(2, 4),)).module()
    torch.testing.assert_close(exported(torch.ones(2, 4)), torch.full((4,), 2.0).tanh())


@pytest.mark.skipif(shutil.which("c++") is None, reason="inductor needs a C++ compiler")
def test_inductor_compiles():
    program, inputs = PROGRAMS["classify"]
    found = torch.compile(program, fullgraph=True)(*inputs)
    np.testing.assert_allclose(np.asarray(found["all"]), np.asarray(program(*inputs)["all"]), rtol=1e-5)


def test_the_backend_in_force_is_traced_and_another_refused():
    _, inputs = PROGRAMS["classify"]
    traced = torch.compile(classify, backend="eager", fullgraph=True)
    with ca.backend_context("torch"):
        same(traced(*inputs), classify(*inputs))
    torch.compiler.reset()
    with ca.backend_context("numpy"), pytest.raises(Exception, match="traced for backend 'torch' while 'numpy'"):
        traced(*inputs)


def test_settings_are_those_at_the_time_of_tracing():
    ca.set_default_dtype(ca.float64)
    try:
        traced = torch.compile(lambda: ca.ones(2), backend="eager", fullgraph=True)
        assert traced().dtype is ca.float64
    finally:
        ca.unset_default_dtype()
    torch.compiler.reset()
    assert traced().dtype is ca.float32


def test_shapes_are_those_that_torch_traces():
    def program(x):
        y = ca.sum(ca.reshape(x, (-1,))) + ca.zeros(x.shape)
        return ca.reshape(y * math.prod(x.shape), (*x.shape, 1)), torch.zeros(x.shape), x.size, x.ndim

    x = ca.asarray(torch.ones(2, 3))
    for dynamic in (False, True):
        found = torch.compile(program, backend="eager", fullgraph=True, dynamic=dynamic)(x)
        assert found[0].tolist() == [[[36.0]] * 3] * 2 and found[1].shape == (2, 3) and found[2:] == (6, 2)


def test_operators_that_torch_cannot_trace_break_the_graph_and_work():
    """It traces `@` and `~` for tensors only; `ca.matmul` and `ca.bitwise_invert` are traced."""
    x, w, _ = PROGRAMS["classify"][1]
    traced = torch.compile(lambda x, w: ca.sum(x @ w, axis=0), backend="eager")
    same(traced(x, w), ca.sum(x @ w, axis=0))


@pytest.fixture
def looked_at(monkeypatch):
    """The names of what torch looks at before a call of a program that `corearray.compile` made."""
    if not hasattr(torch.compiler, "skip_guard_on_globals_unsafe"):
        pytest.skip("this torch does not say what it looks at")
    torch.compiler.reset()
    found = []

    def noted(guards):
        kept = chosen(guards)
        found.append([guard.name for guard, keep in zip(guards, kept, strict=True) if keep])
        return kept

    chosen = gradients._looked_at
    monkeypatch.setattr(gradients, "_looked_at", noted)
    return found


def test_torch_does_not_look_into_corearray_before_each_call(looked_at):
    def step(x, w):
        value, slope = ca.value_and_grad(lambda w: ca.mean(ca.square(ca.matmul(x, w))))(w)
        return value, w - 0.1 * slope

    inputs = arrays((3, 4), (4, 2))
    found = ca.compile(step, backend="eager")(*inputs)
    np.testing.assert_allclose(np.asarray(found[1]), np.asarray(step(*inputs)[1]), rtol=1e-6)
    (names,) = looked_at
    assert {"x._native", "w._native", "G['ca']"} <= set(names)
    beyond = ("G['ca'].", "_torchdynamo_inline", "_kind.", "'_fast_", "functional_dot_nest'].")
    assert not [name for name in names if any(part in name for part in beyond)]


SCALE = 2.0


def test_torch_looks_at_what_is_the_users(looked_at, monkeypatch):
    """Globals, what functions hold, also those that corearray holds, and the arrays of Containers."""
    settings = {"power": 2}

    def scaled(x, by):
        return SCALE * settings["power"] * ca.sum(x.a * x.b * by)

    slopes = ca.grad(scaled)
    program = ca.compile(lambda x: (slopes(x, by).a, ca.vmap(lambda row: row * by, in_axes=axis)(x.a)), backend="eager")
    by, axis = 1.0, 0
    x = ca.Container(a=be.asarray([[1.0, 2.0]]), b=be.asarray([[3.0, 4.0]]))
    assert [part.tolist() for part in program(x)] == [[[12.0, 16.0]], [[1.0, 2.0]]]
    settings["power"] = 3
    assert program(x)[0].tolist() == [[18.0, 24.0]]
    monkeypatch.setitem(globals(), "SCALE", 1.0)
    assert program(x)[0].tolist() == [[9.0, 12.0]]
    by = 2.0
    assert [part.tolist() for part in program(x)] == [[[18.0, 24.0]], [[2.0, 4.0]]]
    axis = 1
    assert program(x)[1].tolist() == [[2.0], [4.0]]
    wide = ca.Container(a=be.ones((1, 2), dtype=ca.float64), b=be.ones((1, 2), dtype=ca.float64))
    assert program(wide)[0].dtype is ca.float64
    assert len(looked_at) == 6


def test_random_numbers_break_no_graph():
    rng = ca.random.Generator(5)

    def step(x):
        kept = ca.dropout(x, 0.5, generator=rng)
        return kept + rng.normal(shape=8) + rng.spawn(1)[0].integers(0, 9, shape=8)

    one = ca.compile(step, backend="eager", fullgraph=True)
    found = [one(be.ones(8)).tolist() for _ in range(2)]
    rng = ca.random.Generator(5)
    assert [ca.compile(step, backend="eager", fullgraph=True)(be.ones(8)).tolist()] == found[:1]
    assert found[0] != found[1]


def test_what_torch_leaves_to_python_draws_other_numbers_too():
    def program(x):
        first = ca.dropout(x, 0.5)
        torch._dynamo.graph_break()
        return first, ca.dropout(x, 0.5)

    compiled = ca.compile(program, backend="eager")
    found = [tuple(part.tolist()) for _ in range(3) for part in compiled(be.ones(64))]
    assert len(set(found)) == 6


def test_many_programs_that_draw_are_compiled_each():
    def adding(number):
        return ca.compile(lambda x: ca.dropout(x, 0.5) + number, backend="eager", fullgraph=True)

    assert [adding(number)(be.zeros(2)).tolist() for number in range(9)] == [[number] * 2 for number in range(9)]


@pytest.mark.parametrize(
    "program",
    [
        lambda x: ca.vmap(ca.sin)(x),
        lambda x: ca.grad(ca.sum)(x),
        lambda x: ca.nested_map(ca.exp, [x, x])[0],
    ],
    ids=["vmap", "grad", "nested_map"],
)
def test_public_functions_are_handed_over_in_a_program(program):
    x = ca.get_backend("torch").ones(3)
    assert ca.compile(program, backend="eager", fullgraph=True)(x).tolist() == program(x).tolist()


@pytest.mark.parametrize("pure", ["", "1"])
def test_a_fresh_process_compiles_before_any_call(pure):
    """No backend is loaded and no function was named when torch reads the program."""
    program = """
        import torch
        import corearray as ca

        def loss(w, x):
            return ca.mean(ca.square(ca.tanh(ca.matmul(x, w)))).native

        def of_lists(w, x):
            return ca.stack([w, w + 1.0], axis=0).native

        def own(w, x):
            return torch.mean(torch.square(torch.tanh(torch.matmul(x, w))))

        w, x = torch.rand(3, 2), torch.rand(4, 3)
        torch.testing.assert_close(torch.compile(torch.func.grad(loss), fullgraph=True)(w, x), torch.func.grad(own)(w, x))
        torch.testing.assert_close(torch.compile(loss, fullgraph=True)(w, x), own(w, x))
        torch.testing.assert_close(torch.compile(of_lists, fullgraph=True)(w, x), torch.stack([w, w + 1.0]))
    """
    environment = {key: value for key, value in os.environ.items() if not key.startswith("COREARRAY_")}
    if pure:
        environment["COREARRAY_PURE"] = pure
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]


def _descends(weights, x):
    return ca.gradient_descent_update(weights, ca.grad(_cost)(weights, x), 0.1)


def _adapts(weights, x):
    zeros = ca.nested_map(ca.zeros_like, weights)
    return ca.adam_update(weights, ca.grad(_cost)(weights, x), 0.1, zeros, zeros, 1)[0]


def _cost(weights, x):
    return ca.mean(ca.square(ca.matmul(x, weights[0] if isinstance(weights, list) else weights["w"])))


def _draws(weights, x):
    generator = ca.random.Generator(7)
    one, _ = generator.spawn(2)
    return one.uniform(shape=(2,)) + generator.normal(shape=(2,))


@pytest.mark.parametrize(
    ("step", "kind"),
    [
        (_descends, lambda w: {"w": w}),
        (_adapts, lambda w: [w]),
        (_adapts, lambda w: ca.Container(w=w)),
        (_draws, lambda w: w),
        (lambda weights, x: ca.dropout(x, 0.0), lambda w: w),
    ],
    ids=["dictionary", "list", "Container", "Generator", "dropout"],
)
def test_a_step_is_one_graph(step, kind):
    """Updates of parameters, and generators that are made within the program."""
    weights, x = kind(be.asarray([[1.0], [2.0]])), be.asarray([[3.0, 4.0]])
    torch._dynamo.reset()
    with ca.backend_context("torch"):
        found = torch.compile(step, backend="eager", fullgraph=True)(weights, x)
        for one, other in zip(_leaves(found), _leaves(step(weights, x)), strict=True):
            assert ca.allclose(one, other)


def _leaves(tree):
    found = []
    ca.nested_map(found.append, tree)
    return found
