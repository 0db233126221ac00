"""torch's API on every backend: functions, methods, writes, gradients, and programs as text."""

from __future__ import annotations

import numpy as np
import pytest
import torch as native

import corearray as ca
import corearray.frontend.torch as torch

DATA = [[1.0, -2.0, 3.0], [0.5, 4.0, -1.0]]


@pytest.fixture(autouse=True)
def on_target(target):
    with ca.backend_context(target):
        yield


@pytest.fixture
def needs_gradients(target):
    if "reverse_mode" not in ca.get_backend(target).facts:
        pytest.skip("this backend has no derivatives")


def same(found, wanted):
    assert tuple(found.shape) == tuple(wanted.shape)
    assert str(found.dtype) == str(wanted.dtype).removeprefix("torch.")
    np.testing.assert_allclose(np.asarray(found), wanted.detach().numpy(), rtol=1e-5, atol=1e-6)


#: Programs in torch's words, which run on both.
PROGRAMS = [
    lambda t, x: t.relu(x) + 1,
    lambda t, x: x.relu().sum(dim=-1, keepdim=True),
    lambda t, x: (x @ x.T).softmax(-1),
    lambda t, x: x.mT.contiguous().view(-1)[1:4],
    lambda t, x: t.nn.functional.gelu(x, approximate="tanh"),
    lambda t, x: t.cat([x, x[:1] * 2]).reshape(3, -1).flip(0),
    lambda t, x: x.max(dim=1)[0] - x.argmax(dim=1),
    lambda t, x: 2**x / (1 + x.abs()) - 3 % x,
    lambda t, x: (x > 0) & ~(x > 2),
    lambda t, x: t.where(x > 0, x, t.zeros_like(x)).to(t.float64),
    lambda t, x: t.linalg.norm(x, dim=1) + t.fft.rfft(x).abs()[:, 0],
    lambda t, x: t.special.expit(x).long(),
    lambda t, x: t.arange(6).view(2, 3) * x,
    lambda t, x: t.einsum("ij,kj->ik", x, x),
    lambda t, x: t.stack([a * i for i, a in enumerate(x)]),
    lambda t, x: t.tensor([[1, 2], [3, 4]]) // 2,
    lambda t, x: x.T.unsqueeze(0).expand(2, -1, -1).permute(2, 0, 1),
    lambda t, x: t.nn.functional.cross_entropy(x, t.tensor([0, 2])),
    lambda t, x: t.max(x, t.tensor(0.0)),
    lambda t, x: x.new_full((2,), 7) + len(x),
]


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_programs(number):
    same(PROGRAMS[number](torch, torch.tensor(DATA)), PROGRAMS[number](native, native.tensor(DATA)))


@pytest.mark.parametrize(
    ("program", "names"),
    [
        (lambda t, x: x.sort(dim=1), "values indices"),
        (lambda t, x: t.max(x, dim=0), "values indices"),
        (lambda t, x: x.topk(2), "values indices"),
        (lambda t, x: t.cummin(x, 0), "values indices"),
        (lambda t, x: t.aminmax(x), "min max"),
        (lambda t, x: t.linalg.qr(x), "Q R"),
        (lambda t, x: t.linalg.slogdet(x @ x.T), "sign logabsdet"),
    ],
)
def test_results_have_names(program, names):
    found, wanted = program(torch, torch.tensor(DATA)), program(native, native.tensor(DATA))
    for name in names.split():
        same(getattr(found, name), getattr(wanted, name))
    assert len(found) == len(names.split())


def test_results_with_names_are_arguments():
    same(torch.stack(torch.tensor(DATA).aminmax(dim=1)), native.stack(list(native.tensor(DATA).aminmax(dim=1))))


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32", "float64", "complex64"])
def test_limits_of_floats(name):
    found, wanted = torch.finfo(getattr(torch, name)), native.finfo(getattr(native, name))
    for key in ("resolution", "min", "max", "eps", "smallest_normal", "tiny", "bits", "dtype"):
        assert getattr(found, key) == pytest.approx(getattr(wanted, key))
    assert torch.finfo().dtype == "float32"
    assert torch.iinfo(torch.int8).max == 127
    with pytest.raises(TypeError, match="requires a floating point"):
        torch.finfo(torch.int32)
    with pytest.raises(TypeError, match="requires an integer"):
        torch.iinfo(torch.float32)


def test_arrays_of_numpy_go_to_the_backend_in_force(target):
    for make in (torch.tensor, torch.as_tensor, torch.asarray, torch.from_numpy):
        assert make(np.ones(3, "float32")).array.backend.name == target


def windows(t, x):
    image = x[None, None]
    columns = t.nn.functional.unfold(image, 2, padding=1, stride=1)
    return t.nn.functional.fold(columns, (2, 3), kernel_size=2, padding=1) + x.unfold(1, 2, 1).sum()


def test_the_function_unfold_is_not_the_method():
    same(windows(torch, torch.tensor(DATA)), windows(native, native.tensor(DATA)))


def test_layers_that_cut():
    x = torch.tensor([DATA])
    same(torch.nn.ZeroPad2d((0, 1, 1, -1))(x), native.nn.ZeroPad2d((0, 1, 1, -1))(native.tensor([DATA])))


def written(t, x):
    y = x.clone()
    row, flat = y[0], y.view(-1)
    row.add_(10)
    flat[-1] = 7
    y[:, 1] *= 2
    y.t()[0].zero_()
    y.relu_().clamp_(max=9)
    return y + row.sum() + flat[0]


def test_writes_are_seen_through_views():
    same(written(torch, torch.tensor(DATA)), written(native, native.tensor(DATA)))


def test_writes_that_change_the_shape():
    x = torch.tensor(DATA)
    assert x.unsqueeze_(0) is x
    assert x.shape == (1, 2, 3)
    out = torch.empty(2)
    assert torch.sum(torch.tensor(DATA), dim=1, out=out) is out
    assert out.tolist() == [2.0, 3.5]


def test_what_functions_take():
    with_array = torch.relu(ca.asarray([-1.0, 2.0]))
    assert isinstance(with_array, torch.Tensor)
    assert torch.relu(ca.asarray([-1.0]).native).tolist() == [0.0]
    assert torch.add(torch.ones(2), 1).tolist() == [2.0, 2.0]
    assert torch.tensor([1.0, 2.0]).array.backend.name == ca.current_backend().name
    assert repr(torch.tensor([1])) == "tensor([1], dtype=torch.int64)"
    assert torch.Size((2, 3)).numel() == 6
    shape = torch.ones(2, 3, 4).shape
    for made in (shape[:2], shape[1:] + (5,), (5,) + shape, shape * 2, 2 * shape):  # noqa: RUF005
        assert type(made) is torch.Size
    assert shape[:2].numel() == 6 and shape[0] == 2 and (5,) + shape == (5, 2, 3, 4)  # noqa: RUF005
    assert torch.float32 is ca.float32 is torch.float


def test_identities_are_stable():
    assert torch.relu is torch.relu
    assert torch.nn.functional.relu is torch.nn.functional.relu
    assert torch.Tensor is ca.frontend.get_frontend("torch").Tensor
    old = ca.frontend.get_frontend("torch", "1.12")
    assert old.Tensor is not torch.Tensor
    assert old.floor_divide(old.tensor([-7]), 2).tolist() == [-3]
    assert torch.floor_divide(torch.tensor([-7]), 2).tolist() == [-4]
    assert (old.tensor([-7]) // 2).tolist() == [-3]


def test_names_that_are_not_there():
    with pytest.raises(AttributeError, match=r"has no rule for 'torch\.relux'; near it are"):
        torch.relux
    with pytest.raises(AttributeError, match="'Tensor' has no attribute 'relux' here"):
        torch.ones(1).relux
    with pytest.raises(AttributeError):
        torch.nn.functional.nothing
    assert "relu" in dir(torch)
    assert "gelu" in dir(torch.nn.functional)


def test_random_numbers():
    torch.manual_seed(3)
    one = torch.rand(3, 2)
    torch.manual_seed(3)
    assert torch.rand(3, 2).tolist() == one.tolist()
    x = torch.empty(4000).normal_(2.0, 3.0)
    assert abs(float(x.mean()) - 2) < 0.3
    assert abs(float(x.std()) - 3) < 0.3


# --- gradients


def loss(t, x, w):
    y = t.tanh(x @ w) * 2
    y = y + 1
    y *= 2
    y[0] = x[0, :2]
    with t.no_grad():
        scale = y.abs().max()
    return (y / scale).sum() + y.detach().sum() * w.sum()


@pytest.mark.usefixtures("needs_gradients")
def test_backward():
    weights = [[0.1, -0.2], [0.3, 0.4], [-0.5, 0.6]]
    found = []
    for t in (torch, native):
        x, w = t.tensor(DATA, requires_grad=True), t.tensor(weights, requires_grad=True)
        for _ in range(2):
            loss(t, x, w).backward()
        found.append((x.grad, w.grad))
    for mine, theirs in zip(*found, strict=True):
        np.testing.assert_allclose(np.asarray(mine), theirs.numpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.usefixtures("needs_gradients")
def test_gradients_by_name_and_hooks():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (slope,) = torch.autograd.grad((x**3).sum(), x)
    assert slope.tolist() == [3.0, 12.0]
    assert x.grad is None
    x.register_hook(lambda g: g * 10)
    (x * torch.tensor([1.0, 2.0])).backward(torch.tensor([1.0, 1.0]))
    assert x.grad.tolist() == [10.0, 20.0]


def test_gradients_that_are_refused():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with pytest.raises(RuntimeError, match="a leaf that requires gradients"):
        x.add_(1)
    with pytest.raises(RuntimeError, match="needs no gradients"):
        torch.ones(1).backward()
    with pytest.raises(RuntimeError, match="a gradient is needed to begin with"):
        (x * 2).backward()
    with pytest.raises(RuntimeError, match=r"call x\.detach\(\)\.numpy\(\)"):
        x.numpy()
    with pytest.raises(RuntimeError, match="only floating and complex"):
        torch.tensor([1]).requires_grad_()
    with torch.no_grad():
        assert not (x * 2).requires_grad
        x.add_(1)
    assert x.tolist() == [2.0, 3.0]
    assert not x.detach().requires_grad


# --- programs as text


def test_the_source_of_a_transpiled_program_runs(target):
    class Block(native.nn.Module):
        def __init__(self):
            super().__init__()
            self.norm, self.up = native.nn.LayerNorm(4), native.nn.Linear(4, 6)
            self.register_buffer("scale", native.tensor(2.0))

        def forward(self, x, mask):
            y = native.nn.functional.gelu(self.up(self.norm(x))) * self.scale
            y = y.masked_fill(mask[:, None], -5.0).softmax(-1, dtype=native.float32)
            a, b = y.chunk(2, dim=-1)
            return {"sum": (a + b).nan_to_num_(), "parts": [a[..., 0], b.mT]}

    block, x, mask = Block(), native.randn(3, 4), native.tensor([True, False, False])
    t = ca.transpile(block, x, mask, to=target)
    scope = {}
    exec(t.source, scope)
    held = {name: torch.from_numpy(x.detach().numpy()) for name, x in block.named_parameters()}
    buffers = {name: torch.from_numpy(x.numpy()) for name, x in block.named_buffers()}
    found = scope["Block"](held, buffers, torch.from_numpy(x.numpy()), torch.from_numpy(mask.numpy()))
    wanted = block(x, mask)
    same(found["sum"], wanted["sum"])
    same(found["parts"][1], wanted["parts"][1])


@pytest.mark.parametrize("name", ["relu_", "elu_", "leaky_relu_", "hardtanh_", "selu_", "celu_"])
def test_functions_in_place_write(name):
    x = torch.tensor([-1.5, 2.0])
    view = x[:1]
    made = getattr(torch.nn.functional, name)(x)
    assert made is x
    assert view.tolist() == made[:1].tolist() != [-1.5]
