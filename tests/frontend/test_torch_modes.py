"""What decides about calls from around them: autocasting, default dtypes and devices, generators, recording."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import torch as native

import corearray as ca
import corearray.frontend.torch as torch


@pytest.fixture(autouse=True)
def on_target(target):
    with ca.backend_context(target if "reverse_mode" in ca.get_backend(target).facts else "torch"):
        yield


def plain(x):
    if isinstance(x, native.Tensor):
        return x.detach().double().numpy()
    return np.asarray(ca.to_numpy(ca.astype(x.array, "float32")), dtype=float)


def calls(t):
    """Calls on the same numbers in torch's and in the frontend's words."""
    functional = t.nn.functional

    def wide(*shape):
        numbers = np.sin(np.arange(np.prod(shape)) + 1).reshape(shape)
        return t.tensor(numbers.tolist())

    def half(*shape):
        return wide(*shape).to(t.bfloat16)

    labels = t.tensor([0, 1, 2])
    square, narrow = wide(3, 3), half(3, 3)
    return {
        "matmul": lambda: square @ square,
        "addbmm": lambda: t.addbmm(square, wide(2, 3, 3), wide(2, 3, 3)),
        "dot": lambda: t.dot(wide(3), wide(3)),
        "einsum": lambda: t.einsum("ij,jk->ik", square, square),
        "linear": lambda: functional.linear(square, square, wide(3)),
        "conv2d": lambda: functional.conv2d(wide(1, 2, 5, 5), wide(2, 2, 3, 3)),
        "double": lambda: square.double() @ square.double(),
        "cat": lambda: t.cat([square, narrow]),
        "stack": lambda: t.stack([narrow, narrow]),
        "add": lambda: square + narrow,
        "softmax": lambda: t.softmax(narrow, -1),
        "cross_entropy": lambda: functional.cross_entropy(narrow, labels),
        "mse_loss": lambda: functional.mse_loss(half(3), half(3) + 1),
        "prod": lambda: half(3).prod(),
        "layer_norm": lambda: functional.layer_norm(narrow, (3,), wide(3), wide(3)),
        "batch_norm": lambda: functional.batch_norm(half(3, 4), wide(4), wide(4).abs(), wide(4), wide(4)),
        "group_norm": lambda: functional.group_norm(half(3, 4, 2), 2, wide(4), wide(4)),
        "pad": lambda: functional.pad(half(1, 2, 5), (1, 1), mode="reflect"),
        "constant pad": lambda: functional.pad(half(1, 2, 5), (1, 1)),
        "inverse": lambda: t.linalg.inv((square @ square.T).float() + 3 * t.eye(3)),
        "out": lambda: t.mm(square, square, out=t.zeros(3, 3)),
        "in place": lambda: square.clone().addmm_(square, square),
    }  # fmt: skip


def test_autocast_casts_as_torch_does():
    mine, theirs = calls(torch), calls(native)
    for name, call in theirs.items():
        with native.autocast("cpu"):
            wanted = call()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            found = mine[name]()
        assert str(found.dtype) == str(wanted.dtype).removeprefix("torch."), name
        np.testing.assert_allclose(plain(found), plain(wanted), rtol=3e-2, atol=3e-2, err_msg=name)


def test_blocks_of_autocast():
    x = torch.ones(2, 2)
    with torch.amp.autocast(device_type="cpu", dtype=torch.bfloat16):
        assert torch.is_autocast_enabled("cpu") and torch.get_autocast_dtype("cpu") == torch.bfloat16
        with torch.autocast("cpu", enabled=False):
            assert (x @ x).dtype == torch.float32
        assert (x @ x).dtype == torch.bfloat16
    assert not torch.is_autocast_enabled() and (x @ x).dtype == torch.float32

    @torch.autocast("cpu")
    def product(x):
        return x @ x

    assert product(x).dtype == torch.bfloat16
    with pytest.warns(UserWarning, match="CUDA is not available"), torch.cuda.amp.autocast():
        assert (x @ x).dtype == torch.float32
    with pytest.warns(UserWarning, match="autocast to float32"):
        torch.autocast("cpu", dtype=torch.float32)
    with pytest.raises(RuntimeError, match="unsupported autocast device_type"):
        torch.autocast("abacus")
    with ca.backend_context("numpy"), pytest.warns(UserWarning, match="the backend 'numpy'"):
        torch.autocast("cpu")


def test_gradients_of_autocast_have_the_dtype_of_parameters():
    found = []
    for t in (native, torch):
        layer = t.nn.Linear(3, 2)
        with t.no_grad():
            layer.weight.copy_(t.tensor([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]))
            layer.bias.zero_()
        with t.autocast("cpu", dtype=t.bfloat16):
            loss = t.nn.functional.mse_loss(layer(t.tensor([[1.0, 2.0, 3.0]])), t.zeros(1, 2))
        loss.backward()
        assert "float32" in str(layer.weight.grad.dtype) and "float32" in str(loss.dtype)
        found.append(plain(layer.weight.grad))
    np.testing.assert_allclose(*found, rtol=1e-2)


def trained(t):
    """A training with scaled losses, one of which is infinite."""
    w = t.nn.Parameter(t.tensor([1.0, 2.0]))
    optimizer = t.optim.SGD([w], lr=0.1)
    scaler = t.amp.GradScaler("cpu", init_scale=16.0, growth_interval=2)
    seen = []
    for factor in (1.0, float("inf"), 1.0, 1.0):
        optimizer.zero_grad()
        scaler.scale((w * w).sum() * factor).backward()
        scaler.unscale_(optimizer)
        scaler.step(optimizer)
        scaler.update()
        seen.append((scaler.get_scale(), w.tolist()))
    return seen, scaler


def test_scaled_gradients():
    (mine, scaler), (theirs, native_scaler) = trained(torch), trained(native)
    for (scale, w), (native_scale, native_w) in zip(mine, theirs, strict=True):
        assert scale == native_scale
        np.testing.assert_allclose(w, native_w, rtol=1e-6)
    assert scaler.state_dict() == native_scaler.state_dict()
    other = torch.amp.GradScaler("cpu")
    other.load_state_dict(native_scaler.state_dict())
    assert other.get_scale() == scaler.get_scale()
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=0.1)
    other.unscale_(optimizer)
    with pytest.raises(RuntimeError, match="already been called"):
        other.unscale_(optimizer)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        off = torch.cuda.amp.GradScaler()
    assert off.scale(3.0) == 3.0 and not off.is_enabled() and off.state_dict() == {}


def of_defaults(t):
    made = (
        t.zeros(2),
        t.tensor([1.5]),
        t.ones(2, dtype=t.int64) / 2,
        t.tensor(1 + 2j),
        t.arange(2.0),
        t.rand(1),
        t.tensor([1]),
    )
    return [str(x.dtype).removeprefix("torch.") for x in made] + [str(t.get_default_dtype()).removeprefix("torch.")]


def test_default_dtype():
    for dtype in ("float64", "float32"):
        for t in (torch, native):
            t.set_default_dtype(getattr(t, dtype))
        try:
            assert of_defaults(torch) == of_defaults(native)
            assert str(torch.nn.Linear(2, 1).weight.dtype) == dtype
        finally:
            for t in (torch, native):
                t.set_default_dtype(t.float32)
    with pytest.raises(TypeError, match="only floating-point types"):
        torch.set_default_dtype(torch.int32)


def test_devices():
    assert torch.zeros(2, device="cpu").device == torch.device("cpu") == torch.get_default_device()
    assert torch.zeros(2).to("cpu").cpu().device.type == "cpu"
    torch.set_default_device("cpu")
    torch.set_default_device(None)
    with torch.device("cpu"):
        assert torch.ones(1).device.type == "cpu"
    if not torch.cuda.is_available():
        for call in (
            lambda: torch.zeros(2, device="cuda"),
            lambda: torch.zeros(2).to(torch.device("cuda:1")),
            torch.zeros(2).cuda,
        ):
            with pytest.raises(ValueError, match="has no device 'gpu"):
                call()


def test_generators():
    def drawn(generator):
        return [
            torch.rand(2, generator=generator).tolist(), torch.randperm(5, generator=generator).tolist(),
            torch.empty(2).normal_(generator=generator).tolist(),
            torch.nn.init.uniform_(torch.empty(2), generator=generator).tolist(),
            [list(x) for x in torch.utils.data.random_split(range(4), [2, 2], generator=generator)],
            [x.tolist() for x in torch.utils.data.DataLoader(range(4), shuffle=True, generator=generator)],
        ]  # fmt: skip

    torch.manual_seed(1)
    generator = torch.Generator().manual_seed(7)
    first = drawn(generator)
    assert first == drawn(torch.Generator(device="cpu").manual_seed(7)) != drawn(generator)
    state = generator.get_state()
    again = drawn(generator)
    generator.set_state(state)
    assert drawn(generator) == again and generator.initial_seed() == 7
    untouched = torch.rand(2).tolist()
    torch.manual_seed(1)
    assert torch.rand(2).tolist() == untouched
    state = torch.get_rng_state()
    with torch.random.fork_rng():
        torch.rand(3)
    wanted = torch.rand(2).tolist()
    torch.set_rng_state(state)
    assert torch.rand(2).tolist() == wanted
    with pytest.raises(RuntimeError, match="25 bytes"):
        torch.set_rng_state(torch.zeros(3, dtype=torch.uint8))


def test_gradients_of_numbers_from_a_generator():
    x = torch.ones(50, requires_grad=True)
    y = x * torch.rand_like(x, generator=torch.Generator().manual_seed(3))
    y.sum().backward()
    np.testing.assert_array_equal(plain(x.grad), plain(y.detach()))


def test_nothing_is_recorded_in_inference():
    x = torch.ones(2, requires_grad=True)
    with torch.inference_mode():
        assert torch.is_inference_mode_enabled() and not (x * 2).requires_grad
    with torch.inference_mode(False):
        assert (x * 2).requires_grad and not torch.is_inference_mode_enabled()

    @torch.inference_mode
    def bare(x):
        return x * 2

    @torch.inference_mode()
    def called(x):
        return x * 2

    @torch.no_grad
    def other(x):
        return x * 2

    assert not any(function(x).requires_grad for function in (bare, called, other))


def test_samplers():
    data = torch.utils.data
    assert list(data.BatchSampler(data.SequentialSampler(range(5)), 2, False)) == [[0, 1], [2, 3], [4]]
    assert sorted(data.SubsetRandomSampler([3, 1, 2])) == [1, 2, 3]
    assert set(data.WeightedRandomSampler([0.0, 1.0, 1.0], 20)) <= {1, 2}
    assert sorted(data.WeightedRandomSampler([0.1, 1.0, 1.0], 3, replacement=False)) == [0, 1, 2]
    assert len(list(data.RandomSampler(range(3), replacement=True, num_samples=7))) == 7
    assert sorted(data.RandomSampler(range(3), num_samples=6)) == [0, 0, 1, 1, 2, 2]
    batches = data.BatchSampler(data.RandomSampler(range(5)), 2, True)
    assert len(list(data.DataLoader(range(5), batch_sampler=batches))) == len(batches) == 2
    assert data.get_worker_info() is None


# --- hooks


def hooked(t):
    """Hooks of leaves, of tensors that calls have made, and of modules; gradients that are kept and written into."""
    seen, added = [], []
    x = t.tensor([1.0, 2.0, 3.0], requires_grad=True)
    layer = t.nn.Linear(3, 2)
    with t.no_grad():
        layer.weight.copy_(t.tensor([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]))
        layer.bias.zero_()
    outer = layer.register_full_backward_hook(lambda module, before, behind: seen.extend([*before, *behind]))
    y = x * 2
    y.retain_grad()
    y.register_hook(lambda slope: slope * 10)
    z = layer(y)
    handle = z.register_hook(seen.append)
    loss = (z**2).sum() + y.sum()
    loss.retain_grad()
    loss.register_hook(lambda slope: slope * 3)
    after = layer.weight.register_post_accumulate_grad_hook(lambda w: added.append(w.grad.clone()))
    loss.backward()
    found = [x.grad.clone(), y.grad, loss.grad, layer.weight.grad.clone(), *seen, *added]
    x.grad.zero_()
    layer.weight.grad.zero_()
    for one in (outer, handle, after):
        one.remove()
    (layer(x * 2) ** 2).sum().backward()
    return [*found, x.grad, layer.weight.grad, len(seen), len(added), y.retains_grad]


def test_hooks():
    for one, other in zip(hooked(torch), hooked(native), strict=True):
        if isinstance(other, native.Tensor):
            np.testing.assert_allclose(plain(one), plain(other), rtol=1e-5)
        else:
            assert one == other
    with pytest.raises(RuntimeError, match="doesn't require gradient"):
        torch.ones(2).register_hook(print)


def hooked_twice(of):
    """Return gradients of gradients that hooks have changed."""
    x, w = (of.tensor(values, requires_grad=True) for values in ([1.0, -2.0, 0.5], [0.3, 0.2, -0.7]))
    seen = []
    y = of.sin(x * w)
    y.register_hook(lambda slope: (seen.append(slope.detach()), slope * y.detach() * 2)[1])
    z = y * y * w
    z.register_hook(lambda slope: slope * 3)
    slopes = of.autograd.grad((z * y).sum(), [x, w], create_graph=True)
    ((slopes[0] ** 2).sum() + (slopes[1] * x).sum()).backward()
    cube = x**3
    cube.retain_grad()
    first = x.grad.clone()
    x.grad = None
    (cube**2).sum().backward(create_graph=True)
    penalty = x.grad
    x.grad = None
    penalty.sum().backward()
    return [*slopes, first, w.grad, *seen, penalty, cube.grad, x.grad]


@pytest.mark.filterwarnings("ignore:Using backward.. with create_graph=True:UserWarning")
def test_hooks_with_gradients_of_gradients():
    for one, other in zip(hooked_twice(torch), hooked_twice(native), strict=True):
        np.testing.assert_allclose(plain(one), plain(other), rtol=1e-4, atol=1e-6)


def test_gradients_have_elements_of_their_own():
    x, y = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    (x + y).sum().backward()
    x.grad.zero_()
    assert y.grad.tolist() == [1.0, 1.0]
