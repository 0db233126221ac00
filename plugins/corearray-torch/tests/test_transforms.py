"""Gradients, `torch.func` and `torch.compile`."""

from __future__ import annotations

import math

import pytest
import torch
from corearray_torch import gradients

import corearray as ca

be = ca.get_backend("torch")

X = [0.25, 0.5, 0.75]

#: Functions of a vector whose derivatives torch knows; each is summed.
DIFFERENTIABLE = {
    "abs": be.abs,
    "astype": lambda x: be.astype(x, be.float64),
    "clip": lambda x: be.clip(x, 0.3, 0.6),
    "concat": lambda x: be.concat([x, x * 2]),
    "cumulative_prod": lambda x: be.cumulative_prod(x, include_initial=True),
    "cumulative_sum": be.cumulative_sum,
    "diff": lambda x: be.diff(x) ** 2,
    "divide": lambda x: 1 / x,
    "einsum": lambda x: be.einsum("i,i,j->j", x, x, x),
    "expm1": be.expm1,
    "fft": lambda x: be.abs(be.fft.fft(x)),
    "flip": lambda x: x[::-1] * x,
    "get_item": lambda x: x[be.asarray([0, 0, 2])],
    "log1p": be.log1p,
    "logaddexp": lambda x: be.logaddexp(x, x * 2),
    "matmul": lambda x: x[:, None] @ x[None, :],
    "max": be.max,
    "mean": be.mean,
    "pow": lambda x: x**2.5,
    "prod": lambda x: be.prod(x[:, None] * x, axis=(0, 1)),
    "remainder": lambda x: be.remainder(x, 0.3),
    "repeat": lambda x: be.repeat(x, 2),
    "roll": lambda x: be.roll(x, 1) * x,
    "solve": lambda x: be.linalg.solve(be.eye(3) + x[:, None] * x, x),
    "sort": lambda x: be.sort(-x) * x,
    "std": lambda x: be.std(x, correction=1),
    "take": lambda x: be.take(x, be.asarray([2, 2])),
    "take_along_axis": lambda x: be.take_along_axis(x, be.asarray([-1])),
    "tanh": be.tanh,
    "tensordot": lambda x: be.tensordot(x, x, axes=0),
    "var": be.var,
    "vector_norm": be.linalg.vector_norm,
    "where": lambda x: be.where(x > 0.3, x, x * 2),
}


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_gradients_flow(name):
    x = torch.tensor(X, requires_grad=True)
    function = DIFFERENTIABLE[name]
    be.sum(function(be.asarray(x))).native.backward()
    step = 1e-3
    for place in range(3):
        moved = [be.asarray(X, dtype=be.float64) for _ in range(2)]
        moved[0][place] += step
        moved[1][place] -= step
        high, low = (float(be.sum(be.astype(function(be.astype(m, be.float32)), be.float64))) for m in moved)
        assert x.grad[place].item() == pytest.approx((high - low) / (2 * step), abs=2e-3, rel=2e-3)


def test_arrays_pass_through_transforms():
    x = be.asarray(X)
    gradient = torch.func.grad(lambda x: be.sum(x * x).native)(x)
    assert type(gradient) is type(x)
    assert gradient.tolist() == [0.5, 1.0, 1.5]
    mapped = torch.func.vmap(lambda x, i: x[i] * 2)(be.ones((3, 4)), be.asarray([0, 1, -1]))
    assert (type(mapped), mapped.tolist()) == (type(x), [2.0, 2.0, 2.0])
    jacobian = torch.func.jacrev(lambda x: x * 2)(x)
    assert jacobian.tolist() == [[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]]


#: Functions on native arrays and their arguments, which are traced without a break.
TRACEABLE = [
    ("add", (torch.ones(3), torch.ones(3))),
    ("sin", (torch.ones(3),)),
    ("log1p", (torch.ones(3),)),
    ("max", (torch.ones(3),)),
    ("sum", (torch.ones(3),)),
    ("std", (torch.ones(3),)),
    ("remainder", (torch.ones(3), torch.ones(3))),
    ("floor_divide", (torch.ones(3), torch.ones(3))),
    ("searchsorted", (torch.ones(3), torch.ones(2))),
    ("flip", (torch.ones(3).to(torch.uint64),)),
    ("sort", (torch.ones(3).to(torch.uint16),)),
    ("matmul", (torch.ones(2, 2), torch.ones(2, 2))),
    ("reshape", (torch.ones(2, 2), (4,))),
]


@pytest.mark.parametrize(("name", "arguments"), TRACEABLE)
@pytest.mark.filterwarnings("ignore")
def test_bodies_are_traced_as_one_graph(name, arguments):
    function = getattr(be.native, name)
    expected = function(*arguments)
    torch.compiler.reset()
    traced = torch.compile(lambda *args: function(*args), backend="eager", fullgraph=True)
    assert torch.equal(traced(*arguments), expected)


@pytest.mark.filterwarnings("ignore")
def test_arrays_pass_through_compile():
    def function(x):
        return be.sum(be.sin(x)[::-1] * x, axis=0)

    x = be.asarray(X)
    expected = function(x)
    traced = torch.compile(function, backend="eager", fullgraph=True)(x)
    assert type(traced) is type(x)
    assert traced.tolist() == pytest.approx(expected.tolist())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("transform", ["second derivative", "hessian"])
def test_higher_derivatives_where_the_compiler_leaves_a_function_to_python(transform):
    def cubes(x):
        squares = x * x
        torch._dynamo.graph_break()
        return ca.sum(x * squares)

    with ca.backend_context("torch"):
        x = ca.asarray([1.0, 2.0])
        if transform == "hessian":
            found, wanted = ca.compile(ca.hessian(cubes), backend="aot_eager")(x), [[6.0, 0.0], [0.0, 12.0]]
        else:
            slopes = ca.grad(lambda x: ca.sum(ca.grad(cubes)(x)))
            found, wanted = ca.compile(slopes, backend="aot_eager")(x), [6.0, 12.0]
    torch.testing.assert_close(found.native, torch.tensor(wanted))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(not hasattr(torch.library, "custom_op"), reason="this torch takes no operators from Python")
def test_a_draw_is_one_operator_of_a_compiled_program():
    sizes = []

    def counting(graph, examples):
        sizes.append(len(graph.graph.nodes))
        return graph

    def dropped(x):
        return ca.dropout(x, 0.25)

    with ca.backend_context("torch"):
        x = ca.ones((4, 300))
        ca.random.seed(3)
        wanted = ca.compile(dropped, backend="eager")(x).tolist()
        for dynamic in (False, True):
            ca.random.seed(3)
            assert ca.compile(dropped, backend=counting, dynamic=dynamic, fullgraph=True)(x).tolist() == wanted
    assert max(sizes) < 40


def test_a_function_may_write_into_an_array_that_it_holds():
    """As with torch's tape; its transforms refuse it."""
    seen = be.zeros(2)

    def loss(x):
        seen[:] = be.stop_gradient(x)
        return be.sum(x * x)

    value, slope = ca.value_and_grad(loss)(be.asarray([1.0, 3.0]))
    assert float(value) == 10.0
    assert slope.tolist() == [2.0, 6.0]
    assert seen.tolist() == [1.0, 3.0]


_BY_INDEX = {
    "take": lambda x, i: ca.take(x, i, axis=0),
    "take_along_axis": lambda x, i: ca.take_along_axis(x, i[:, None], axis=0),
    "embedding": lambda x, i: ca.embedding(i, x),
    "scatter_along_axis": lambda x, i: ca.scatter_along_axis(x, i[:, None], ca.zeros((3, 1)), axis=0),
    "scatter_nd": lambda x, i: ca.scatter_nd(i[:, None], ca.ones((3, 2)), base=x),
    "gelu": lambda x, i: ca.gelu(ca.exp(100.0 * x)),
}


@pytest.mark.parametrize("name", _BY_INDEX)
def test_what_is_looked_at_is_right_where_nobody_can_look(name):
    """Negative indices, which torch's functions refuse, and infinities, of which its `gelu` is NaN on CPUs."""
    function = _BY_INDEX[name]
    with ca.backend_context("torch"):
        x, i = ca.reshape(ca.arange(1.0, 9.0), (4, 2)), ca.asarray([0, -1, 2])
        want = function(x, ca.asarray([0, 3, 2])).tolist()
        assert function(x, i).tolist() == want
        assert ca.vmap(lambda i: function(x, i))(ca.stack([i, i])).tolist() == [want, want]
        assert ca.vmap(lambda x: function(x, i))(ca.stack([x, x])).tolist() == [want, want]
        assert ca.compile(function, backend="eager")(x, i).tolist() == want
        graph = ca.compile_graph(function, 0.01 * x, ca.asarray([0, 1, 2]))
        assert graph(x, i).tolist() == want


@pytest.mark.parametrize("direct", [True, False])
def test_a_gradient_is_that_of_autograd(direct, monkeypatch):
    """With and without torch's own look at the arguments: what is used, what is not, and what leads elsewhere."""
    if not direct:
        monkeypatch.setattr(gradients, "_run_backward", None)
    outer = torch.tensor([2.0, 3.0], requires_grad=True)
    value, slopes = ca.value_and_grad(lambda xs: ca.sum(xs[0] ** 2))([be.asarray([1.0, 2.0]), be.ones(3)])
    assert (float(value), slopes[0].tolist(), slopes[1].tolist()) == (5.0, [2.0, 4.0], [0.0] * 3)
    assert not value.native.requires_grad and not slopes[0].native.requires_grad

    slope = ca.grad(lambda x: be.sum(x**2 * be.wrap(outer)))(be.asarray([1.0, 2.0]))
    assert slope.tolist() == [4.0, 12.0]
    assert torch.autograd.grad(slope.native.sum(), outer)[0].tolist() == [2.0, 4.0]
    assert outer.grad is None


def test_a_gradient_by_nothing_touches_no_other_tensor():
    outer = torch.tensor([2.0, 3.0], requires_grad=True)
    value, slope = ca.value_and_grad(lambda _: be.sum(be.wrap(outer) ** 2))(None)
    assert float(value) == 13.0 and slope is None and outer.grad is None


def test_a_step_of_parameters_is_constant():
    weights = torch.nn.Parameter(torch.ones(2))
    for constant in (True, False):
        found = ca.gradient_descent_update(be.wrap(weights), be.ones(2), 0.5, stop_gradients=constant)
        assert found.native.requires_grad is not constant and found.tolist() == [0.5, 0.5]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_compiled_mantissas_and_exponents():
    """Many elements, which the compiler computes by vectors."""
    special = [0.0, -0.0, 1.0, -3.0, 5e-324, -1e-310, 1.7976931348623157e308, math.inf, -math.inf, math.nan, 2.0**-1022]
    x = torch.tensor(special * 6, dtype=torch.float64)
    mantissa, exponent = torch.compile(lambda x: tuple(map(ca.to_native, be.frexp(x))))(x)
    wanted = torch.frexp(x)
    torch.testing.assert_close(mantissa, wanted.mantissa, rtol=0, atol=0, equal_nan=True)
    assert exponent.dtype is torch.int32
    assert torch.equal(exponent, wanted.exponent)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_compiled_programs_draw_normal_numbers():
    ca.random.seed(5)
    wanted = ca.random.default_generator().spawn(1)[0].normal(shape=(5, 8))
    ca.random.seed(5)
    found = ca.compile(lambda x: x + ca.random.normal(shape=(5, 8)))(be.zeros(()))
    assert torch.equal(found.native, wanted.native)


def test_derivatives_of_branches_that_read_arrays_of_the_scope_are_mapped():
    weight = be.asarray(2.0)

    def function(x):
        return ca.if_else(x > 0.5, lambda: ca.log(x) * weight, lambda: x * 3.0 * weight)

    assert ca.vmap(ca.grad(function))(be.asarray([0.0, 1.0, 2.0])).tolist() == [6.0, 2.0, 1.0]
