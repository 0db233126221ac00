"""Graphs of torch's functions."""

from __future__ import annotations

import gc

import pytest
import torch
import torch.nn.functional as F  # noqa: N812

import corearray as ca


@pytest.fixture(autouse=True)
def on_torch():
    with ca.backend_context("torch"):
        yield


def pure_corearray(x):
    y, z = ca.mean(x), ca.sum(x)
    f = ca.var(y)
    return ca.stack([ca.cos(z), ca.sin(f), ca.tan(y)], axis=-1)


def pure_torch(x):
    y, z = torch.mean(x), torch.sum(x)
    f = torch.var(y, correction=0.0)
    return torch.stack([torch.cos(z), torch.sin(f), torch.tan(y)], -1)


def mix(x):
    y, z = ca.mean(x), torch.sum(x.native)
    f = ca.var(y)
    return ca.stack([ca.asarray(torch.cos(z)), ca.sin(f), ca.asarray(y.native.tan())], axis=-1)


def test_three_programs_and_one_graph():
    x = torch.tensor([[1.0, 2.0, 3.0]])
    graph = ca.compile_graph(pure_torch, x)
    assert ca.compile_graph(pure_corearray, ca.asarray(x)) == ca.compile_graph(mix, ca.asarray(x)) == graph
    assert "var(v0, correction=0)" in graph.source
    assert torch.equal(graph(x), pure_torch(x))


def test_operators_and_methods_are_functions():
    x = torch.ones(3)
    one = ca.compile_graph(lambda x: (x * 2 + x).sum(), x)
    assert one == ca.compile_graph(lambda x: torch.sum(torch.add(torch.mul(x, 2), x)), x)
    assert list(one.functions) == ["torch.mul", "torch.add", "torch.sum"]


ONE_SPELLING = [
    ("torch.sum(x)", "x.sum()", "torch.sum(x, None, False, dtype=torch.float32)", "torch.sum(x, dim=None)"),
    ("torch.sum(x, 0)", "x.sum(dim=0)", "torch.sum(x, [0], keepdim=False)", "torch.sum(x, axis=0)", "x.sum((0,))"),
    ("torch.sum(i)", "i.sum(dtype=torch.int64)", "torch.sum(i.long())"),
    ("torch.var(x)", "x.var(unbiased=True)", "torch.var(x, None, correction=1.0)"),
    ("torch.std(x, 1, correction=0)", "x.std(1, unbiased=False)"),
    ("torch.stack([x, x])", "torch.stack((x, x), 0)", "torch.stack([x, x], dim=0)"),
    ("torch.cat([x, x], 1)", "torch.concat((x, x), dim=1)", "torch.concatenate([x, x], axis=1)"),
    ("torch.add(x, x)", "x + x", "x.add(x, alpha=1)", "torch.add(x, other=x)"),
    ("torch.abs(x)", "abs(x)", "x.absolute()"),
    ("torch.reshape(x, (3, 2))", "x.reshape(3, 2)", "x.reshape([3, 2])", "x.reshape(torch.Size((3, 2)))"),
    ("x.mT", "x.T", "x.t()", "torch.transpose(x, 1, 0)", "x.permute(1, 0)", "torch.swapaxes(x, -1, -2)", "x.movedim(0, 1)"),
    ("torch.permute(y, (1, 2, 0))", "y.permute(1, 2, 0)", "torch.movedim(y, 0, 2)", "y.moveaxis(0, -1)"),
    ("x.to(torch.float64)", "x.double()", "x.type(torch.float64)", "x.to('cpu', torch.float64, copy=True)"),
    ("torch.softmax(x, -1)", "F.softmax(x, dim=-1)", "x.softmax(-1)", "torch.softmax(x, dim=-1, dtype=torch.float32)"),
    ("torch.relu(x)", "F.relu(x)", "x.relu()"),
    ("torch.where(x > 1, x, y[0])", "x.where(x > 1, y[0])"),
    ("torch.clamp(x, 0.0, 1.0)", "x.clip(0.0, 1.0)", "torch.clip(x, min=0.0, max=1.0)"),
    ("torch.maximum(x, x)", "torch.max(x, x)", "x.max(x)"),
    ("x[None]", "torch.unsqueeze(x, 0)", "x.unsqueeze(0)", "x[None, ...]", "x[None, :, :]"),
    ("x[0]", "x[0, ...]", "x[0, :]"),
    ("F.conv2d(y[None], k)", "torch.conv2d(y[None], k, None, (1, 1), 0, 1, 1)", "F.conv2d(y[None], k, stride=1)"),
    ("F.linear(x, k[0, 0], v[1:])", "F.linear(x, k[0, 0], bias=v[1:])"),
    ("torch.linalg.det(s)", "torch.det(s)", "s.det()"),
    ("torch.einsum('ij,jk->ik', x, s)", "torch.einsum('ij,jk->ik', [x, s])"),
    ("torch.zeros_like(x)", "torch.zeros_like(x, dtype=torch.float32, device='cpu')"),
    ("torch.split(x, 1, 1)", "x.split(1, dim=1)"),
    ("torch.broadcast_to(v, (2, 3))", "v.expand(2, 3)", "v.expand((2, 3))"),
]  # fmt: skip


@pytest.mark.parametrize("texts", ONE_SPELLING, ids=lambda texts: texts[0])
def test_calls_that_do_the_same_are_one(texts):
    names = {
        "x": torch.tensor([[1.0, 2.0, 3.0], [4.0, 6.0, 5.0]]),
        "y": torch.ones(2, 2, 3),
        "k": torch.ones(1, 2, 2, 3),
        "s": torch.tensor([[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 4.0]]),
        "v": torch.ones(3),
        "i": torch.ones(3, dtype=torch.int32),
    }
    space = {"torch": torch, "F": torch.nn.functional}
    programs = [eval(f"lambda {', '.join(names)}: {text}", space) for text in texts]
    graphs = [ca.compile_graph(program, *names.values()) for program in programs]
    assert all(graph == graphs[0] for graph in graphs), [graph.source for graph in graphs]
    found, wanted = graphs[0](*names.values()), programs[0](*names.values())
    assert torch.equal(*map(torch.stack, (found, wanted))) if isinstance(found, tuple) else torch.equal(found, wanted)


def test_calls_that_do_not_do_the_same_are_not():
    x, i = torch.ones(2, 3), torch.ones(2, 3, dtype=torch.int32)
    for one, other in [
        (lambda x: torch.sum(x), lambda x: torch.sum(x, dtype=torch.float64)),
        (lambda x: torch.sum(x, 0), lambda x: torch.sum(x, 0, True)),
        (lambda x: torch.var(x), lambda x: torch.var(x, correction=0)),
        (lambda x: torch.sub(x, x), lambda x: torch.sub(x, x, alpha=2)),
        (lambda x: x.clone() + 1, lambda x: x.add(True)),
        (lambda x: F.softmax(x, 1), lambda x: F.softmax(x, 1, dtype=torch.float64)),
    ]:
        assert ca.compile_graph(one, x) != ca.compile_graph(other, x)
    assert ca.compile_graph(lambda i: torch.sum(i), i) != ca.compile_graph(lambda i: torch.sum(i, dtype=torch.int32), i)
    assert ca.compile_graph(lambda i: torch.sum(i, dtype=torch.int32), i)(i).dtype is torch.int32


def test_random_numbers_are_drawn_by_each_call():
    graph = ca.compile_graph(lambda x: x + torch.rand(3) - torch.rand(3), torch.zeros(3))
    torch.manual_seed(3)
    found = graph(torch.zeros(3))
    torch.manual_seed(3)
    assert torch.equal(found, torch.rand(3) - torch.rand(3))
    with pytest.raises(ca.TracingError, match="seed"):
        ca.compile_graph(lambda x: x + (torch.manual_seed(0) and torch.rand(3)), torch.zeros(3))


@pytest.mark.parametrize(
    "program",
    [
        lambda x: x / x[x > 0].shape[0],
        lambda x: x + len(torch.unique(x)),
        lambda x: torch.func.grad(lambda x: (x * x).sum())(x),
        lambda x: x if x.equal(x + 1) else -x,
        lambda x: x + torch.from_numpy(x.numpy()),
    ],
)
def test_what_a_graph_cannot_hold(program):
    with pytest.raises(ca.TracingError, match=r"test_graph\.py, line \d+"):
        ca.compile_graph(program, torch.tensor([1.0, -2.0, 3.0]))


def test_gradients_switched_off_within():
    def program(x):
        with torch.no_grad():
            y = x * 2
        return y + x

    x = torch.ones(3, requires_grad=True)
    graph = ca.compile_graph(program, x)
    for fn in (program, graph):
        (slope,) = torch.autograd.grad(fn(x).sum(), x)
        assert slope.tolist() == [1.0, 1.0, 1.0]


def test_writes():
    def program(x):
        y, unused = x.clone(), x.clone()
        unused.add_(1)
        y[0] += 1
        torch.exp(x[:1], out=y[1:])
        return y.mul_(x)

    x = torch.tensor([1.0, 2.0])
    graph = ca.compile_graph(program, x)
    assert torch.equal(graph(x), program(x)) and x.tolist() == [1.0, 2.0]
    assert graph.functions["torch.clone"] == 1


def test_gradients_by_torchs_own_tape():
    w = torch.ones(2, 2, requires_grad=True)

    def program(x):
        return torch.sin(x @ w).sum()

    graph = ca.compile_graph(program, torch.ones(2, 2))
    x = torch.rand(2, 2, requires_grad=True)
    for one, other in zip(torch.autograd.grad(graph(x), (x, w)), torch.autograd.grad(program(x), (x, w)), strict=True):
        assert torch.equal(one, other)


def test_a_step_with_the_tape_within():
    def step(x, w):
        leaf = w.detach().requires_grad_()
        (slope,) = torch.autograd.grad((x @ leaf).square().sum(), leaf)
        return w - 0.1 * slope

    x, w = torch.rand(3, 2), torch.rand(2)
    graph = ca.compile_graph(step, x, w)
    assert torch.allclose(graph(x + 1, w), step(x + 1, w))
    assert "torch.autograd.grad" in graph.functions


def test_whether_derivatives_are_recorded_tells_signatures_apart():
    def program(x):
        return ca.grad(lambda x: ca.sum(x * x * x))(x)

    graph = ca.compile_graph(program, torch.ones(2))
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (slope,) = torch.autograd.grad(graph(x).sum(), x)
    assert slope.tolist() == [6.0, 12.0] and not graph(x.detach()).requires_grad


def test_without_derivatives_around_it():
    def program(x):
        with torch.no_grad():
            y = x * 2
        return y + 1

    graph = ca.compile_graph(program, torch.ones(2))
    with torch.no_grad():
        graph(torch.ones(2))
        assert not torch.is_grad_enabled()


def test_views_that_are_there_already():
    graph = ca.compile_graph(lambda x: x.T.T.reshape(2, 3).expand(2, 3)[:] + 1, torch.ones(2, 3))
    assert list(graph.functions) == ["torch.add"]
    kept = ca.compile_graph(lambda x: x.contiguous().view(-1) + 1, torch.ones(2, 2))
    assert kept(torch.tensor([[1.0, 2.0], [3.0, 4.0]]).T).tolist() == [2.0, 4.0, 3.0, 5.0]


# --- derivatives of one's own


class Scaled(torch.autograd.Function):
    """Ten times the true derivative, made of what `forward` has computed, and a result without one."""

    @staticmethod
    def forward(ctx, x, by):
        product = x * by
        ctx.save_for_backward(product)
        ctx.by = by
        return product.sin(), product > 1

    @staticmethod
    def backward(ctx, slope, _):
        (product,) = ctx.saved_tensors
        return 10 * slope * product.cos() * ctx.by, None


def slope_of(function, x):
    x = x.clone().requires_grad_()
    return torch.autograd.grad(function(x).sum(), x)[0]


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")  # of torch's compiler
def test_a_backward_is_a_part_of_the_graph():
    x = torch.tensor([0.5, 2.0])

    def program(x):
        sine, places = Scaled.apply(x, 2.0)
        return torch.where(places, sine, sine * 3)

    graph = ca.compile_graph(program, x)
    assert torch.equal(graph(x), program(x))
    assert torch.equal(slope_of(graph, x), slope_of(program, x))
    assert torch.equal(slope_of(graph.to_backend_compile(), x), slope_of(program, x))
    assert torch.equal(torch.func.grad(lambda x: graph(x).sum())(x), slope_of(program, x))
    assert torch.equal(
        torch.vmap(torch.func.grad(lambda x: graph(torch.stack([x, x])).sum()))(x), 2 * slope_of(program, x)
    )


def test_a_rule_uses_arrays_that_enclose_it():
    def loss(x):
        scale = ca.stop_gradient(ca.sum(x))
        rule = lambda args, value, slope: (slope * scale * 3,)  # noqa: E731  # beside the function that it belongs to
        return ca.sum(ca.bind_custom_gradient_function(lambda y: y * scale, rule)(x * x))

    x = ca.get_backend("torch").asarray([1.0, 2.0])
    graph = ca.compile_graph(loss, x)
    assert ca.grad(graph)(2 * x).tolist() == ca.grad(loss)(2 * x).tolist() == [72.0, 144.0]


def test_equal_backwards_are_merged_and_others_are_not():
    def doubled(factor):
        return ca.bind_custom_gradient_function(lambda x: 2.0 * x, lambda args, value, slope: (factor * slope,))

    x = ca.get_backend("torch").asarray([1.0, 2.0])
    one, two = (
        ca.compile_graph(lambda x: doubled(3.0)(x) + doubled(3.0)(x), x),
        ca.compile_graph(lambda x: doubled(3.0)(x) + doubled(4.0)(x), x),
    )
    assert (len(one), len(two)) == (3, 4)
    assert ca.grad(lambda x: ca.sum(two(x)))(x).tolist() == [7.0, 7.0]
    assert ca.compile_graph(doubled(3.0), x) == ca.compile_graph(doubled(3.0), x) != ca.compile_graph(doubled(4.0), x)


def test_a_backward_that_cannot_be_recorded_raises_its_error_when_it_is_needed():
    class Odd(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, slope):
            (x,) = ctx.saved_tensors
            return slope if x.max() > 0 else -slope

    x = torch.ones(2)
    graph = ca.compile_graph(Odd.apply, x)
    assert graph(x).tolist() == [2.0, 2.0]
    with pytest.raises(ca.TracingError, match="reads elements"):
        slope_of(graph, x)


def test_a_function_that_writes_into_its_argument():
    class Dirty(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx, slope):
            return slope * 5

    with pytest.raises(ca.TracingError, match=r"'Dirty' writes into its argument.*under torch\.no_grad"):
        ca.compile_graph(lambda x: Dirty.apply(x * 1), torch.ones(2))

    @torch.no_grad
    def without(x):
        return Dirty.apply(x * 1)

    assert ca.compile_graph(without, torch.ones(2))(torch.ones(2)).tolist() == [2.0, 2.0]


def test_graphs_with_a_backward_are_not_saved(tmp_path):
    graph = ca.compile_graph(lambda x: Scaled.apply(x, 2.0)[0], torch.ones(2))
    with pytest.raises(TypeError, match=r"cannot be saved: it calls 'torch\.autograd\.function\.with_gradient'"):
        graph.save(tmp_path / "graph")


def test_calls_with_and_without_gradients_are_not_merged():
    def program(x):
        with torch.no_grad():
            fixed = x * x
        return x * x + fixed

    x = torch.tensor([1.0, 2.0])
    assert torch.equal(slope_of(ca.compile_graph(program, x.requires_grad_()), x.detach()), 2 * x)


def test_derivatives_where_gradients_are_off():
    @torch.no_grad
    def program(x):
        return ca.grad(lambda x: ca.sum(x**3))(x)

    x = ca.get_backend("torch").asarray([1.0, 2.0])
    assert ca.compile_graph(program, x)(x).tolist() == [3.0, 12.0]


def test_constants_are_found_that_the_collector_has_set_aside():
    """More than are searched for one by one."""
    constants = [torch.full((2,), float(n)) for n in range(20)]

    def program(x):
        for constant in constants:
            x = x + constant
        return x

    gc.freeze()
    try:
        found = ca.transpile(program, torch.zeros(2), to="torch")(torch.ones(2))
    finally:
        gc.unfreeze()
    assert found.tolist() == [191.0, 191.0]
