"""torch's functions take arrays and return them, in eager mode, in graphs and in torch's compiler."""

from __future__ import annotations

import contextvars
import sys

import pytest
import torch

import corearray as ca
from corearray.calls.accelerated import accelerator

X = [[1.0, 2.0, 3.0]]


@pytest.fixture(autouse=True)
def on_torch():
    with ca.backend_context("torch"):
        yield


def pure(x):
    y, z = ca.mean(x), ca.sum(x)
    f = ca.var(y)
    return ca.stack([ca.cos(z), ca.sin(f), ca.tan(y)], axis=-1)


def mix(x):
    y, z = ca.mean(x), torch.sum(x)
    f = ca.var(y)
    return ca.stack([torch.cos(z), ca.sin(f), torch.tan(y)], axis=-1)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: torch.sum(x, 0),
        lambda x: torch.stack([x, x], dim=1),
        lambda x: torch.nn.functional.linear(x, x),
        lambda x: torch.max(x, 0).values,
        lambda x: torch.split(x, 1)[0],
        lambda x: torch.where(x > 1, x, 0.0),
        lambda x: torch.einsum("ij,ij->i", x, x),
    ],
)
def test_functions_give_arrays_back(call):
    x = ca.asarray(X)
    found = call(x)
    assert isinstance(found, ca.Array) and found.tolist() == call(x.native).tolist()


def test_what_is_no_array_is_returned_as_it_is():
    x = ca.asarray(X)
    assert torch.is_floating_point(x) is True and torch.allclose(x, x) is True


def test_out_and_writes():
    x, out = ca.asarray(X), ca.zeros((1, 3))
    assert torch.add(x, 1, out=out) is out and out.tolist() == [[2.0, 3.0, 4.0]]
    assert torch.relu_(x - 2.0).tolist() == [[0.0, 0.0, 1.0]]


def test_operators_follow_the_librarys_promotion():
    i, x = torch.ones(3, dtype=torch.int64), ca.asarray(X)
    for found in (i + x, i - x, i * x, i / x, i < x, i == x, x + i, i**x, torch.ones(3, 1) @ x):
        assert isinstance(found, ca.Array)
    assert (torch.ones(1, dtype=torch.int32) + ca.ones(1, dtype="float64")).dtype == ca.float64


def test_gradients_flow_through_both():
    slope = ca.grad(lambda x: ca.sum(torch.sin(x) * x))(ca.asarray(X))
    x = torch.tensor(X, requires_grad=True)
    (wanted,) = torch.autograd.grad((torch.sin(x) * x).sum(), x)
    assert torch.allclose(slope.native, wanted)


def test_graphs_and_compilers():
    x = ca.asarray(X)
    graph = ca.compile_graph(mix, x)
    assert graph == ca.compile_graph(pure, x) and ca.allclose(graph(x), mix(x))
    compiled = torch.compile(mix, backend="eager", fullgraph=True)
    assert isinstance(compiled(x), ca.Array) and ca.allclose(compiled(x), mix(x))
    assert ca.allclose(ca.compile(mix, backend="eager", fullgraph=True)(x), mix(x))


def test_a_function_of_torch_after_one_of_the_library_is_compiled():
    x = ca.asarray([[1.0, 2.0], [3.0, 4.0]])

    def program(x):
        return torch.cos(ca.add(x, 1.0)) * 2

    compiled = torch.compile(program, backend="eager", fullgraph=True)(x)
    assert isinstance(compiled, ca.Array) and ca.allclose(compiled, program(x))
    assert ca.allclose(ca.compile(program, backend="eager")(x), program(x))


def _functions_entered(call):
    """Names of the Python functions that a call enters."""
    entered = []
    sys.setprofile(lambda frame, event, argument: entered.append(frame.f_code.co_name) if event == "call" else None)
    try:
        call()
    finally:
        sys.setprofile(None)
    return entered


def test_two_backends_in_turn_run_no_python():
    if not accelerator:
        pytest.skip("only the accelerator runs calls without Python")
    with ca.backend_context("numpy"):
        x = ca.asarray([1.0])
    y = ca.asarray([1.0])

    def in_turn():
        return ca.add(x, x), ca.add(y, y)

    def run():
        ca.unset_backend()
        in_turn(), in_turn()
        assert _functions_entered(in_turn) == ["in_turn"]

    contextvars.Context().run(run)
