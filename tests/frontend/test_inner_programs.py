"""Programs of torch with derivatives of their own, `torch.func`, and `torch.autograd.grad`."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from frontend.support import check, close, has_derivatives, on
from torch import nn

import corearray as ca
from corearray.frontend.transpiled import Transpiled


class Swish(torch.autograd.Function):
    """A derivative of saved tensors, computed without gradients."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, slope):
        (x,) = ctx.saved_tensors
        with torch.no_grad():
            s = torch.sigmoid(x)
        return slope * (s * (1 + x * (1 - s)))


class Reversed(torch.autograd.Function):
    """A view of the argument, an option, and a context that is set up apart."""

    @staticmethod
    def forward(x, by):
        return x.view_as(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.by = inputs[1]

    @staticmethod
    def backward(ctx, slope):
        return -ctx.by * slope, None


class Best(torch.autograd.Function):
    """Two results. One has no gradient, the gradients of the other are wrong on purpose."""

    @staticmethod
    def forward(ctx, x, w):
        product = x @ w
        places = product.argmax(-1)
        ctx.save_for_backward(x, w)
        ctx.mark_non_differentiable(places)
        return product, places

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, slope, _):
        x, w = ctx.saved_tensors
        return 2 * slope @ w.t(), 3 * x.t() @ slope


swish = Swish.apply  # bound before anything is recorded


class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 4)
        self.w = nn.Parameter(torch.randn(4, 2))

    def forward(self, x):
        product, _ = Best.apply(torch.relu_(swish(self.linear(x))), self.w)
        return Reversed.apply(product, 0.5) * product


def test_a_backward_is_kept(target):
    t = check(Layers(), torch.randn(5, 3), target=target)
    assert t.report.calls["torch.autograd.function.with_gradient"] == 3
    assert not t.report.notes
    check(lambda x: Swish.apply(Swish.apply(x)), torch.randn(4), target=target)


def test_a_backward_within_torch_autograd_grad(target):
    """The tape within leads through the derivative of one's own."""
    if has_derivatives(target):
        program = lambda x: torch.autograd.grad(Best.apply(x, x.t())[0].sum(), x, create_graph=True)[0]
        check(program, torch.randn(3, 4, requires_grad=True), target=target, gradients=False)


def test_a_backward_is_a_part_of_a_graph_of_torch():
    x = torch.tensor([0.5, -2.0], requires_grad=True)
    t = ca.transpile(lambda x: Reversed.apply(swish(x), 3.0), x, to="torch")
    assert t.graph is not None
    (found,) = torch.autograd.grad(t(x).sum(), x)
    (wanted,) = torch.autograd.grad(Reversed.apply(swish(x), 3.0).sum(), x)
    np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-6)


def test_a_backward_in_files_and_as_text(target, tmp_path):
    model, x = Layers(), torch.randn(5, 3)
    t = ca.transpile(model, x, to=target)
    t.save(tmp_path / "model.zip")
    close(Transpiled.load(tmp_path / "model.zip")(on(target, x)), model(x))
    scope = {}
    exec(t.source, scope)
    with ca.backend_context(target):
        parameters = {name: t.parameters[key] for name, key in zip(t.inputs, t.parameters.key_chains(), strict=True)}
        close(scope["Layers"](parameters, on(target, x)).array, model(x))


def test_a_mapped_program_as_text(target):
    x = torch.randn(3, 2)
    scope = {}
    exec(ca.transpile(program := torch.func.vmap(lambda row: row * row.sum()), x, to=target).source, scope)
    with ca.backend_context(target):
        found = next(value for name, value in scope.items() if callable(value) and name != "torch")
        close(found(on(target, x)).array, program(x))


def test_torch_is_as_it_was():
    class Odd(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            raise ValueError("of the user")

    before = torch.autograd.Function.apply, torch._functorch.apis.vmap_impl
    with pytest.raises(ValueError, match="of the user"):
        ca.transpile(Odd.apply, torch.ones(2), to="numpy", source="torch")
    assert (torch.autograd.Function.apply, torch._functorch.apis.vmap_impl) == before
    assert "apply" not in vars(torch.autograd.function._SingleLevelFunction)
    assert torch.is_grad_enabled()


# torch's own transforms use torch.jit.script, which it calls deprecated
ignored = pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated:DeprecationWarning")


def rows(x, w):
    scale = x.mean()
    mapped = torch.vmap(lambda row, v: ((row @ v) * scale, row * 2), in_dims=(1, None), out_dims=(1, 0))(x.t(), w)
    return mapped[0].sum(0) + mapped[1].sum()


def pairs(x):
    return torch.vmap(lambda a: torch.vmap(lambda b: (a * b).sum())(x))(x)


@ignored
@pytest.mark.parametrize("program", [rows, pairs])
def test_vmap(target, program):
    x = torch.randn(4, 3)
    check(program, *((x, torch.randn(3, 5)) if program is rows else (x,)), target=target)


def energy(x):
    return (x.sin() * x.sum()).sum()


@ignored
@pytest.mark.parametrize(
    "program",
    [
        torch.func.vmap(torch.func.grad(energy)),
        lambda x: torch.func.grad_and_value(lambda y: (energy(y), y * 2), has_aux=True)(x)[1][1],
        lambda x: torch.func.hessian(energy)(x[0]),
        lambda x: torch.func.jvp(lambda y: y * y.sum(), (x,), (x * 2,))[1],
        lambda x: torch.func.vjp(lambda y: y * y.sum(), x)[1](x * 2)[0],
    ],
)
def test_derivatives_of_functions(target, program):
    x = torch.randn(2, 3)
    if has_derivatives(target):
        check(program, x, target=target, source="torch")
    else:
        with pytest.raises(NotImplementedError, match="needs a framework that differentiates"):
            ca.transpile(program, x, to=target, source="torch")(on(target, x))


class Critic(nn.Module):
    """The penalty of a critic's gradient; layers that write in place."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(3, 4), nn.LeakyReLU(0.2, inplace=True), nn.Linear(4, 1), nn.Tanh())

    def forward(self, x):
        x = x.detach().requires_grad_(True)
        score = self.layers(x)
        (slope,) = torch.autograd.grad(score, x, torch.ones_like(score), create_graph=True)
        return ((slope.norm(dim=1) - 1) ** 2).mean()


class Field(nn.Module):
    """The residual of a differential equation, with a second derivative."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))

    def forward(self, t, z):
        t, z = t.clone().requires_grad_(), z.clone().requires_grad_()
        u = self.layers(torch.stack([t, z], -1)).squeeze(-1)
        by_t, by_z = torch.autograd.grad(u.sum(), (t, z), create_graph=True)
        (twice,) = torch.autograd.grad(by_z.sum(), z, create_graph=True)
        return by_t + u * by_z - 0.01 * twice


@pytest.mark.parametrize("model", [Critic, Field])
def test_gradients_within_a_program(target, model):
    if not has_derivatives(target):
        pytest.skip("NumPy has no derivatives")
    torch.manual_seed(0)
    check(model(), *([torch.randn(5, 3)] if model is Critic else [torch.randn(5), torch.randn(5)]), target=target)


@ignored
def test_a_mapped_function_writes_nothing_outside(target):
    def program(x):
        total = torch.zeros(3)
        torch.vmap(lambda row: total.add_(1) + row)(x)
        return total + x

    with pytest.raises(ca.TracingError, match=r"'torch.vmap' writes into a tensor that it has not made"):
        ca.transpile(program, torch.ones(2, 3), to=target, source="torch")


@pytest.mark.parametrize("call", ["silu", "leaky_relu"])
def test_writes_in_place_keep_gradients_on_torch(call):
    check(lambda x: getattr(nn.functional, call)(x * 2, inplace=True), torch.randn(3, 4), target="torch")


class DoubledExp(torch.autograd.Function):
    """Its derivative is twice the result, which it saves."""

    @staticmethod
    def forward(context, x):
        y = x.exp()
        context.save_for_backward(y)
        return y

    @staticmethod
    def backward(context, slope):
        (y,) = context.saved_tensors
        return 2 * slope * y


def test_a_second_derivative_passes_through_a_saved_result(target):
    if target == "numpy":
        pytest.skip("NumPy has no derivatives")

    def program(x):
        return DoubledExp.apply(DoubledExp.apply(x) * 0.3).sum()

    x = torch.tensor([0.5, 1.0], dtype=torch.float64, requires_grad=True)
    (slope,) = torch.autograd.grad(program(x), x, create_graph=True)
    (second,) = torch.autograd.grad(slope.sum(), x)
    first = ca.grad(ca.transpile(program, x.detach(), to=target))
    given = ca.get_backend(target).asarray(x.detach().numpy())
    np.testing.assert_allclose(ca.to_numpy(first(given)), slope.detach(), rtol=1e-12)
    np.testing.assert_allclose(ca.to_numpy(ca.grad(lambda x: ca.sum(first(x)))(given)), second, rtol=1e-12)


def test_a_graph_of_derivatives_has_derivatives_on_torch():
    net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))

    class Field(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = net

        def forward(self, x):
            return torch.func.grad(lambda z: self.net(z).sum())(x)

    t = check(Field(), torch.randn(3, 2), target="torch")
    x = torch.randn(3, 2)
    assert not t(x).requires_grad
    close(t(x), Field()(x))
