"""What programs of torch use around layers: packed sequences, torch.func, autograd, data, devices."""

from __future__ import annotations

import numpy as np
import pytest
import torch as native
from frontend.conftest import TARGET

import corearray as ca
import corearray.frontend.torch as torch
from corearray.frontend.torch import nn


@pytest.fixture(autouse=True)
def on_target(target):
    """Run on the target, or on torch where derivatives are needed and the target has none."""
    with ca.backend_context(target if "reverse_mode" in ca.get_backend(target).facts else "torch"):
        yield


def close(found, wanted, tolerance=1e-5):
    if isinstance(wanted, (tuple, list)):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            close(one, other, tolerance)
        return
    wanted = wanted.detach().numpy()
    assert tuple(found.shape) == wanted.shape
    np.testing.assert_allclose(np.asarray(ca.to_numpy(found.array)), wanted, rtol=tolerance, atol=tolerance)


def mine(x):
    return torch.tensor(x.tolist(), dtype=getattr(torch, str(x.dtype).removeprefix("torch.")))


# --- packed sequences


@pytest.mark.parametrize("kind", ["LSTM", "GRU"] if TARGET == "torch" else ["GRU"])
def test_packed_sequences(kind):
    native.manual_seed(0)
    theirs = getattr(native.nn, kind)(3, 4, bidirectional=True, batch_first=True)
    ours = getattr(nn, kind)(3, 4, bidirectional=True, batch_first=True)
    ours.load_state_dict(theirs.state_dict())
    x, lengths = native.randn(3, 4, 3), [2, 4, 2]
    results = []
    for package, module, given in (
        (native, theirs, x.clone().requires_grad_()),
        (torch, ours, mine(x).requires_grad_()),
    ):
        rnn = package.nn.utils.rnn
        packed = rnn.pack_padded_sequence(given, lengths, batch_first=True, enforce_sorted=False)
        out, last = module(packed)
        padded, counts = rnn.pad_packed_sequence(out, batch_first=True, total_length=5)
        (padded**2).sum().backward()
        last = last if isinstance(last, tuple) else (last,)
        results.append([packed.data, packed.batch_sizes, out.data, padded, counts, *last, given.grad])
    close(results[1], results[0])


def test_padding_of_sequences():
    rows = [native.ones(3, 2), native.ones(1, 2)]
    rnn, theirs = nn.utils.rnn, native.nn.utils.rnn
    for options in ({}, {"batch_first": True, "padding_value": 7.0, "padding_side": "left"}):
        close(rnn.pad_sequence([mine(x) for x in rows], **options), theirs.pad_sequence(rows, **options))
    unpacked = rnn.unpack_sequence(rnn.pack_sequence([mine(x) for x in rows]))
    close(unpacked, rows)
    with pytest.raises(RuntimeError, match="must be sorted in decreasing order"):
        rnn.pack_padded_sequence(torch.ones(3, 2, 1), [1, 3])


# --- torch.func and autograd


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of torch's own forward mode
def test_func():
    x, w = native.tensor([1.0, 2.0, 3.0]), native.tensor([[0.5, 1.0, -1.0], [2.0, 0.0, 1.0]])

    def programs(package, x, w):
        func = package.func

        def f(x, w):
            return package.tanh(w @ x) * x[:2]

        def loss(tree):
            return (tree["w"] @ tree["x"]).pow(3).sum()

        slopes = func.grad(loss)({"x": x, "w": w})
        value, pull_back = func.vjp(f, x, w)
        rows = func.vmap(lambda row, x: (row * x).sum(), in_dims=(0, None))(w, x)
        two = func.vmap(func.grad(lambda row, x: (row * x).pow(2).sum(), argnums=1), in_dims=(1, None), out_dims=1)(
            w, x[:2]
        )
        return [
            slopes["x"], slopes["w"], value, *pull_back(value), *func.jvp(f, (x, w), (x, w)), *func.jacrev(f, (0, 1))(x, w),
            func.jacfwd(f)(x, w), func.hessian(lambda x: f(x, w).sum())(x), rows, two,
        ]  # fmt: skip

    close(programs(torch, mine(x), mine(w)), programs(native, x, w))


def test_func_with_what_a_function_encloses():
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    slope = torch.func.grad(lambda x: (w * x * x).sum())(torch.tensor([3.0, 4.0]))
    slope.sum().backward()
    close(slope, native.tensor([6.0, 16.0]))
    close(w.grad, native.tensor([6.0, 8.0]))


def test_functional_call():
    theirs = native.nn.Linear(3, 2)
    ours = nn.Linear(3, 2)
    ours.load_state_dict(theirs.state_dict())
    x = native.randn(5, 3)
    state = {name: mine(y) * 2 for name, y in theirs.state_dict().items()}
    close(torch.func.functional_call(ours, state, (mine(x),)), 2 * theirs(x))
    close(ours(mine(x)), theirs(x))
    parameters, buffers = torch.func.stack_module_state([ours, ours])
    calls = torch.func.vmap(lambda p, x: torch.func.functional_call(ours, (p, buffers), (x,)), in_dims=(0, None))
    close(calls(parameters, mine(x)), native.stack([theirs(x)] * 2))


def test_derivatives_of_derivatives():
    def program(package, x):
        x = x.requires_grad_()
        (slope,) = package.autograd.grad((x**3).sum(), x, create_graph=True)
        (slope**2).sum().backward()
        functional = package.autograd.functional
        plain = x.detach()
        return [
            slope, x.grad, functional.jacobian(lambda x: x**2, plain), functional.hessian(lambda x: (x**3).sum(), plain),
            *functional.vjp(lambda x: x**2, plain, plain), *functional.hvp(lambda x: (x**3).sum(), plain, plain),
            *functional.jacobian(lambda x, y: x * y, (plain, plain)),
        ]  # fmt: skip

    x = native.tensor([1.0, -2.0])
    close(program(torch, mine(x)), program(native, x))


def test_grad_of_several_outputs_and_unused_inputs():
    x, y, z = (torch.tensor([value], requires_grad=True) for value in (1.0, 2.0, 3.0))
    found = torch.autograd.grad([x * y, x * x], [x, y, z], allow_unused=True)
    assert [None if one is None else one.item() for one in found] == [4.0, 1.0, None]
    with pytest.raises(RuntimeError, match="not have been used in the graph"):
        torch.autograd.grad(x * y, [z])


def test_functions_with_their_own_derivative():
    def of(package):
        class Scaled(package.autograd.Function):
            @staticmethod
            def forward(ctx, x, factor):
                ctx.save_for_backward(x)
                ctx.factor = factor
                return x * factor, x.round()

            @staticmethod
            def backward(ctx, slope, rounded):
                (x,) = ctx.saved_tensors
                return slope * ctx.factor * x + rounded, None

        return Scaled

    results = []
    for package, x in ((native, native.tensor([1.4, 2.0])), (torch, torch.tensor([1.4, 2.0]))):
        x.requires_grad_()
        one, two = of(package).apply(x * 2, 3.0)
        (one.sum() + 5 * two.sum()).backward()
        results.append([one, two, x.grad])
    close(results[1], results[0])


# --- data, devices, and what stands around


def test_data_loaders():
    data = torch.utils.data
    x, y = torch.arange(10.0).reshape(5, 2), torch.tensor([0, 1, 0, 1, 1])
    loader = data.DataLoader(data.TensorDataset(x, y), batch_size=2)
    assert [tuple(a.shape) for a, _ in loader] == [(2, 2), (2, 2), (1, 2)]
    assert len(loader) == 3
    shuffled = data.DataLoader(data.TensorDataset(x, y), batch_size=2, shuffle=True, drop_last=True)
    assert len(shuffled) == len(list(shuffled)) == 2

    class Named(data.Dataset):
        def __len__(self):
            return 3

        def __getitem__(self, i):
            return {"x": np.full(2, i, dtype="float32"), "n": i, "name": str(i)}

    (batch,) = data.DataLoader(Named(), batch_size=3)
    assert batch["name"] == ["0", "1", "2"]
    close(batch["x"], native.tensor([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]))
    close(batch["n"], native.tensor([0, 1, 2]))
    parts = data.random_split(Named(), [0.5, 0.5])
    assert sorted(i for part in parts for i in part.indices) == [0, 1, 2]


def test_what_stands_around_programs():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    assert device.type in ("cuda", "cpu")
    assert torch.device("cuda", 1) == torch.device("cuda:1")
    model = torch.compile(nn.Linear(2, 1)).to(device)
    assert tuple(model(torch.FloatTensor([[1, 2]]).to(device)).shape) == (1, 1)
    assert torch.LongTensor(2, 3).dtype == torch.int64
    assert torch.zeros(2, 3).contiguous(memory_format=torch.contiguous_format).shape == (2, 3)
    with pytest.raises(RuntimeError, match="Invalid device string"):
        torch.device("a b")


def test_batch_norm_with_a_cumulative_mean():
    theirs, ours = native.nn.BatchNorm1d(2, momentum=None), nn.BatchNorm1d(2, momentum=None)
    for _ in range(3):
        x = native.randn(4, 2)
        close(ours(mine(x)), theirs(x), 1e-4)
    close(ours.running_mean, theirs.running_mean)
    close(ours.running_var, theirs.running_var)
    assert int(ours.num_batches_tracked) == 3
