"""Optimisers with steps of their own and averages of weights beside torch's own."""

from __future__ import annotations

import numpy as np
import pytest
import torch as native

import corearray as ca
import corearray.frontend.torch as torch


@pytest.fixture(autouse=True)
def on_target(target):
    """Run on the target, or on torch where the target has no derivatives."""
    with ca.backend_context(target if "reverse_mode" in ca.get_backend(target).facts else "torch"):
        yield


OPTIMIZERS = {
    "Rprop": {"lr": 0.05},
    "ASGD": {"lr": 0.1, "t0": 5, "weight_decay": 0.01, "lambd": 0.01},
    "LBFGS": {"lr": 0.5, "max_iter": 3, "history_size": 2},
    "LBFGS wolfe": {"line_search_fn": "strong_wolfe", "max_iter": 4},
}


def losses(of, name, options, count):
    x = of.linspace(-1, 1, 24, dtype=of.float64).reshape(8, 3)
    w = of.nn.Parameter(of.tensor([[0.5, -0.2], [0.1, 0.7], [-0.6, 0.3]], dtype=of.float64))
    b = of.nn.Parameter(of.tensor([0.1, -0.3], dtype=of.float64))
    optimizer = getattr(of.optim, name.split()[0])([w, b], **options)

    def closure():
        optimizer.zero_grad()
        found = of.tanh(x @ w + b)
        loss = ((found - of.sin(3 * x[:, :2])) ** 2).sum() + 0.1 * (w**4).sum() + (1 - b[0]) ** 2
        loss.backward()
        return loss

    values = [float(optimizer.step(closure).detach()) for _ in range(count)]
    return [*values, *w.detach().reshape(-1).tolist(), *b.detach().tolist()]


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_steps(name):
    np.testing.assert_allclose(
        losses(torch, name, OPTIMIZERS[name], 20), losses(native, name, OPTIMIZERS[name], 20), rtol=1e-5, atol=1e-7
    )


def test_derived_optimizer():
    class Momentum(torch.optim.Optimizer):
        @torch.no_grad()
        def step(self):
            for group in self.param_groups:
                for p in group["params"]:
                    buffer = self.state[p].setdefault("buffer", torch.zeros_like(p))
                    buffer.mul_(0.5).add_(p.grad)
                    p.sub_(group["lr"] * buffer)

    w = torch.nn.Parameter(torch.tensor([1.0, 2.0]))
    optimizer = Momentum([w], {"lr": 0.5})
    for _ in range(2):
        optimizer.zero_grad()
        (w * w).sum().backward()
        optimizer.step()
    assert w.tolist() == [-0.5, -1.0]
    assert optimizer.state_dict()["state"][0]["buffer"].tolist() == [1.0, 2.0]
    with pytest.raises(NotImplementedError, match="no method 'step'"):
        torch.optim.Optimizer([w], {}).step()
    with pytest.raises(TypeError, match="takes a closure"):
        torch.optim.LBFGS([w]).step()


@pytest.mark.parametrize("average", ["swa", "ema"])
def test_averaged_model(average):
    results = []
    for of in (native, torch):
        utils = of.optim.swa_utils
        model = of.nn.Sequential(of.nn.Linear(2, 2), of.nn.BatchNorm1d(2))
        with of.no_grad():
            model[0].weight.copy_(of.tensor([[0.5, -0.2], [0.1, 0.7]]))
            model[0].bias.copy_(of.tensor([0.1, 0.2]))
        chosen = {} if average == "swa" else {"multi_avg_fn": utils.get_ema_multi_avg_fn(0.9)}
        averaged = utils.AveragedModel(model, **chosen)
        optimizer = of.optim.SGD(model.parameters(), lr=0.5)
        schedule = utils.SWALR(optimizer, swa_lr=0.05, anneal_epochs=3)
        x = of.linspace(-1, 1, 8).reshape(4, 2)
        rates = []
        for _ in range(5):
            optimizer.zero_grad()
            ((model(x) - x) ** 2).sum().backward()
            optimizer.step()
            averaged.update_parameters(model)
            schedule.step()
            rates.append(schedule.get_last_lr()[0])
        utils.update_bn([x, x + 1], averaged)
        averaged.eval()
        results.append([*rates, int(averaged.n_averaged), *averaged(x).detach().reshape(-1).tolist()])
        assert "module.0.weight" in averaged.state_dict()
    np.testing.assert_allclose(results[1], results[0], rtol=1e-4, atol=1e-5)


def test_options_of_layers_can_be_set():
    x = [[1.0, -2.0], [3.0, -4.0]]
    for of in (native, torch):
        layer = of.nn.LeakyReLU(0.1)
        layer.negative_slope = 0.5
        assert layer(of.tensor(x)).tolist() == [[1.0, -1.0], [3.0, -2.0]]
        norm = of.nn.BatchNorm1d(2)
        norm(of.tensor(x))
        norm.reset_running_stats()
        assert norm.running_mean.tolist() == [0, 0] and norm.running_var.tolist() == [1, 1]
        norm.momentum = None
        norm(of.tensor(x))
        assert norm.running_mean.tolist() == [2, -3]
        assert not hasattr(layer, "reset_running_stats")


NAMED = [
    ("SGD", {"momentum": 0.9}), ("Adam", {"amsgrad": True}), ("AdamW", {}), ("RMSprop", {"momentum": 0.9, "centered": True}),
    ("Adagrad", {}), ("Adadelta", {}), ("Adamax", {}), ("NAdam", {}), ("RAdam", {}), ("Adafactor", {}), ("Muon", {}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "options"), NAMED, ids=[name for name, _ in NAMED])
def test_states_have_the_names_of_torch(name, options):
    results, made = [], []
    for of in (native, torch):
        w = of.nn.Parameter(of.tensor([[0.5, -0.2], [0.1, 0.7]]))
        optimizer = getattr(of.optim, name)([w], lr=0.1, **options)
        assert bool(optimizer.state[w]) == (name == "Adagrad")
        for i in range(2):
            w.grad = of.tensor([[1.0, 2.0], [-1.0, i + 1.0]])
            optimizer.step()
        results.append({key: x for key, x in optimizer.state[w].items() if x is not None})
        made.append((w, optimizer))
    assert results[1].keys() == results[0].keys()
    for key, x in results[0].items():
        np.testing.assert_allclose(results[1][key].tolist(), x.tolist(), rtol=1e-5, err_msg=key)
    state = made[0][1].state_dict()  # of torch itself
    w = torch.nn.Parameter(torch.tensor(made[0][0].tolist()))
    optimizer = getattr(torch.optim, name)([w], lr=0.5, **options)
    optimizer.load_state_dict(state)
    assert optimizer.param_groups[0]["lr"] == 0.1
    for one in (optimizer, made[1][1], made[0][1]):
        one.param_groups[0]["params"][0].grad = (native if one is made[0][1] else torch).tensor(
            [[1.0, 2.0], [3.0, 4.0]]
        )
        one.step()
    tolerance = 0.05 if name == "Muon" else 1e-5  # torch makes matrices orthogonal in bfloat16
    np.testing.assert_allclose(w.tolist(), made[0][0].tolist(), rtol=tolerance)
    np.testing.assert_allclose(made[1][0].tolist(), made[0][0].tolist(), rtol=tolerance)


def test_states_can_be_set():
    w, b = torch.nn.Parameter(torch.tensor([1.0, 2.0])), torch.nn.Parameter(torch.tensor([1.0]))
    optimizer = torch.optim.Adam([w, b], lr=0.1)
    w.grad = torch.tensor([1.0, 1.0])
    optimizer.step()
    assert [x is w for x in optimizer.state] == [True]
    optimizer.state[w]["exp_avg"].zero_()
    optimizer.state[w]["exp_avg_sq"] = torch.tensor([3.0, 4.0])
    assert optimizer.state[w]["exp_avg"].tolist() == [0, 0]
    assert optimizer.state[w]["exp_avg_sq"].tolist() == [3, 4]
    with pytest.raises(ValueError, match="has step, exp_avg, exp_avg_sq, got 'x'"):
        optimizer.state[w]["x"] = 1
    with pytest.raises(ValueError, match=r"the shape \(2,\), got \(3,\)"):
        optimizer.state[w]["exp_avg"] = torch.zeros(3)
    optimizer.state = {}
    assert not optimizer.state


def test_adam_of_few_rows():
    results = []
    for of in (native, torch):
        w = of.nn.Parameter(of.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))
        optimizer = of.optim.SparseAdam([w], lr=0.1)
        for rows in ([[1.0, 0.0], [0.0, 0.0], [2.0, 1.0]], [[0.0, 0.0], [1.0, 2.0], [1.0, 1.0]]):
            gradient = of.tensor(rows)
            w.grad = gradient.to_sparse(1) if of is native else gradient
            optimizer.step()
        state = optimizer.state[w]
        results.append([w.tolist(), state["exp_avg"].tolist(), state["exp_avg_sq"].tolist(), state["step"]])
    for found, wanted in zip(results[1], results[0], strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-6)
    with pytest.raises(ValueError, match="takes lr > 0"):
        torch.optim.SparseAdam([w], lr=-1.0)
