"""`nn.to_torch` and `nn.from_torch`: the same values, state and training as the module."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import corearray as ca


@pytest.fixture(autouse=True)
def on_torch():
    with ca.backend_context("torch"):
        ca.random.seed(0)
        yield


def network():
    nn = ca.nn
    return nn.Sequential(
        nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(256, 3)
    )  # fmt: skip


def test_a_module_becomes_one_of_torch_and_trains_there():
    model = network().freeze("0.bias")
    made = ca.nn.to_torch(model)
    assert list(made.state_dict()) and set(made.state_dict()) == set(model.state_dict())
    assert not made.get_parameter("0.bias").requires_grad and made.get_parameter("0.weight").requires_grad
    x = torch.rand(8, 1, 8, 8)
    torch.testing.assert_close(made.eval()(x), model.eval()(x).native)
    made.train()
    optimizer = torch.optim.Adam([p for p in made.parameters() if p.requires_grad], 1e-2)
    losses = []
    for _ in range(20):
        loss = torch.nn.functional.cross_entropy(made(x), torch.arange(8) % 3)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.5 * losses[0]
    assert int(made.get_buffer("1.num_batches_tracked")) == 20 and int(model[1].num_batches_tracked) == 0
    model.load_state_dict(made.state_dict())
    torch.testing.assert_close(model.eval()(x).native, made.eval()(x).detach())


MODULES = {
    "chain": lambda: torch.nn.Sequential(
        torch.nn.Conv2d(1, 4, 3, stride=2, padding=1, bias=False), torch.nn.BatchNorm2d(4), torch.nn.GELU("tanh"),
        torch.nn.MaxPool2d(2), torch.nn.Flatten(), torch.nn.Dropout(0.3), torch.nn.Linear(16, 3),
    ),
    "norms": lambda: torch.nn.Sequential(torch.nn.GroupNorm(1, 1, affine=False), torch.nn.LayerNorm(8), torch.nn.PReLU()),
    "bare": lambda: torch.nn.ConvTranspose2d(1, 2, 3, output_padding=1, stride=2),
}  # fmt: skip


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.parametrize("backend", ["torch", "numpy"])
def test_modules_of_torch_are_converted(name, backend):
    torch.manual_seed(0)
    module, x = MODULES[name]().eval(), torch.rand(2, 1, 8, 8)
    with ca.backend_context(backend):
        made = ca.nn.from_torch(module)
        found = ca.to_numpy(made(ca.asarray(x.numpy())))
    assert not made.training and set(made.state_dict()) == set(module.state_dict())
    np.testing.assert_allclose(found, module(x).detach().numpy(), rtol=1e-5, atol=1e-6)


def test_recurrent_layers_and_attention_are_converted():
    torch.manual_seed(0)
    x = torch.rand(2, 5, 8)
    rnn = torch.nn.LSTM(8, 3, 2, batch_first=True, bidirectional=True)
    torch.testing.assert_close(ca.nn.from_torch(rnn)(ca.asarray(x))[0].native, rnn(x)[0].detach())
    attention = torch.nn.MultiheadAttention(8, 2, batch_first=True)
    torch.testing.assert_close(ca.nn.from_torch(attention)(ca.asarray(x)).native, attention(x, x, x)[0].detach())


def test_what_is_not_known_is_refused():
    class Own(torch.nn.Module):
        pass

    with pytest.raises(
        TypeError, match=r"does not know the class 'Own' of '0'; convert the module with corearray.transpile"
    ):
        ca.nn.from_torch(torch.nn.Sequential(Own()))
    with pytest.raises(TypeError, match=r"'from_torch' takes a torch.nn.Module, got int"):
        ca.nn.from_torch(3)
    with ca.backend_context("numpy"):
        model = ca.nn.Linear(2, 2)
    with pytest.raises(ca.FunctionNotImplementedError, match="needs arrays of another backend than 'numpy'"):
        ca.nn.to_torch(model)
    with pytest.raises(ca.FunctionNotImplementedError, match="'to_keras' needs arrays of another backend than 'torch'"):
        ca.nn.to_keras(network())
