"""Layers of torch with something of their own: lazy ones, adaptive softmax, bases; and what `nn.utils` makes of layers."""

from __future__ import annotations

import numpy as np
import pytest
import torch as native
from frontend.conftest import TARGET

import corearray as ca
import corearray.frontend.torch as torch
from corearray.frontend.torch import nn

not_on_jax = pytest.mark.skipif(TARGET == "jax", reason="JAX compiles each function for each shape: a minute in all")


@pytest.fixture(autouse=True)
def on_target(target):
    """Run on the target, or on torch where derivatives are needed and the target has none."""
    with ca.backend_context(target if "reverse_mode" in ca.get_backend(target).facts else "torch"):
        yield


def mine(x):
    return torch.tensor(x.tolist(), dtype=getattr(torch, str(x.dtype).removeprefix("torch.")))


def close(found, wanted, tolerance=1e-5):
    assert tuple(found.shape) == tuple(wanted.shape)
    np.testing.assert_allclose(found.tolist(), wanted.tolist(), rtol=tolerance, atol=tolerance)


def check(theirs, ours, *args, power=2):
    """Compare the results of two modules with the same state, and their gradients."""
    ours.load_state_dict(theirs.state_dict())
    wanted, found = theirs(*args), ours(*map(mine, args))
    for one, other in zip(found, wanted, strict=True) if isinstance(wanted, tuple) else [(found, wanted)]:
        close(one, other)
    last = (wanted[-1], found[-1]) if isinstance(wanted, tuple) else (wanted, found)
    for one in last if list(theirs.parameters()) else ():
        (one**power).sum().backward()
    slopes = {name: x.grad for name, x in theirs.named_parameters()}
    assert slopes.keys() == {name for name, _ in ours.named_parameters()}
    for name, x in ours.named_parameters():
        assert (x.grad is None) == (slopes[name] is None)
        if x.grad is not None:
            close(x.grad, slopes[name], 1e-4)


# --- lazy layers

LAZY = {
    "LazyLinear": ((4,), {}, (5, 3)),
    "LazyConv1d": ((4, 2), {"bias": False}, (2, 3, 5)),
    "LazyConv2d": ((4, 2), {"groups": 2}, (1, 6, 4, 4)),
    "LazyConvTranspose2d": ((4, 2), {"stride": 2}, (1, 3, 2, 2)),
    "LazyBatchNorm1d": ((), {}, (4, 3)),
    "LazyBatchNorm2d": ((), {"affine": False}, (2, 3, 2, 2)),
    "LazyInstanceNorm1d": ((), {"affine": True}, (2, 3, 4)),
}


@pytest.mark.parametrize("name", LAZY if TARGET == "torch" else ["LazyLinear", "LazyBatchNorm1d"])
def test_lazy_layers(name):
    args, options, shape = LAZY[name]
    x = native.linspace(-1, 1, int(np.prod(shape))).reshape(shape)
    theirs, ours = getattr(native.nn, name)(*args, **options), getattr(nn, name)(*args, **options)
    assert ours.state_dict().keys() == theirs.state_dict().keys()
    assert ours.has_uninitialized_params() == theirs.has_uninitialized_params()
    parameters = list(ours.parameters())
    for one in parameters:
        assert isinstance(one, nn.Parameter) and isinstance(one, nn.UninitializedParameter)
        with pytest.raises(RuntimeError, match="shape of an uninitialized parameter"):
            _ = one.shape
    ours.register_forward_hook(lambda module, given, result: result * 1)
    theirs(x), ours(mine(x))
    assert type(ours) is getattr(nn, type(theirs).__name__) is ours.__class__
    assert all(one is other for one, other in zip(ours.parameters(), parameters, strict=True))
    assert not any(isinstance(one, nn.UninitializedParameter) for one in parameters)
    assert len(ours._after) == 1
    check(theirs, ours, x)


def test_lazy_layers_in_a_model():
    model = nn.Sequential(nn.LazyLinear(4), nn.ReLU(), nn.LazyLinear(2)).double()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    assert "LazyLinear(in_features=0, out_features=4" in repr(model)
    model(torch.ones(3, 5, dtype=torch.float64)).sum().backward()
    optimizer.step()
    assert model[0].weight.shape == (4, 5) and model[0].weight.dtype == torch.float64
    assert optimizer.state[model[0].weight]["exp_avg"].shape == (4, 5)
    fresh = nn.Sequential(nn.LazyLinear(4), nn.ReLU(), nn.LazyLinear(2))
    fresh.load_state_dict(model.state_dict())
    x = torch.ones(1, 5)
    close(fresh(x), model.float()(x))
    assert type(fresh[0]) is nn.Linear


# --- buffers, bases and further layers


def test_buffers():
    class Held(nn.Module):
        def __init__(self):
            super().__init__()
            self.kept = nn.Buffer(torch.ones(2))
            self.passing = nn.Buffer(torch.zeros(1), persistent=False)

    held = Held()
    assert [name for name, _ in held.named_buffers()] == ["kept", "passing"]
    assert list(held.state_dict()) == ["kept"]
    assert isinstance(held.kept, nn.Buffer) and not list(held.parameters())
    assert (held.kept + 1).tolist() == [2, 2]
    held.kept = torch.ones(3)
    assert held.state_dict()["kept"].tolist() == [1, 1, 1]


def test_bases_tell_layers_apart():
    modules = nn.modules
    assert isinstance(nn.BatchNorm2d(2), modules.batchnorm._BatchNorm)
    assert isinstance(nn.SyncBatchNorm(2), modules.batchnorm._BatchNorm)
    assert not isinstance(nn.InstanceNorm2d(2), modules.batchnorm._BatchNorm)
    assert isinstance(nn.Conv1d(1, 1, 1), modules.conv._ConvNd)
    assert isinstance(nn.Dropout2d(), modules.dropout._DropoutNd)
    assert isinstance(nn.LSTM(1, 1), nn.RNNBase) and isinstance(nn.GRUCell(1, 1), nn.RNNCellBase)
    assert not isinstance(nn.Linear(1, 1), (nn.RNNBase, nn.RNNCellBase))
    assert modules.linear.Linear is nn.Linear and nn.parameter.Parameter is nn.Parameter
    with pytest.raises(NotImplementedError, match=r"'torch.nn.RNNBase' is the base of layers"):
        nn.RNNBase("LSTM", 2, 3)


@not_on_jax
def test_batch_norm_of_all_processes():
    model = nn.Sequential(nn.Conv2d(1, 2, 1), nn.Sequential(nn.BatchNorm2d(2)))
    x = torch.arange(8.0).reshape(2, 1, 2, 2)
    wanted = model.eval()(x)
    names = list(model.state_dict())
    made = nn.SyncBatchNorm.convert_sync_batchnorm(model)
    assert type(made[1][0]) is nn.SyncBatchNorm and list(made.state_dict()) == names
    close(made(x), wanted)
    for shape in ((4, 2), (4, 2, 3), (2, 2, 2, 2, 2)):
        values = native.linspace(-1, 1, int(np.prod(shape))).reshape(shape)
        kind = {2: "BatchNorm1d", 3: "BatchNorm1d", 5: "BatchNorm3d"}[len(shape)]
        check(getattr(native.nn, kind)(2), nn.SyncBatchNorm(2), values, power=3)
    with pytest.raises(ValueError, match="at least 2D"):
        nn.SyncBatchNorm(2)(torch.ones(2))


@pytest.mark.parametrize("size", [3, 4])
def test_norms_across_channels(size):
    x = native.linspace(-1, 2, 48).reshape(2, 6, 2, 2)
    close(nn.CrossMapLRN2d(size, 0.5, 0.6, 2)(mine(x)), native.nn.CrossMapLRN2d(size, 0.5, 0.6, 2)(x))


@not_on_jax
def test_adaptive_softmax():
    theirs = native.nn.AdaptiveLogSoftmaxWithLoss(8, 12, [3, 7], div_value=2.0, head_bias=True)
    ours = nn.AdaptiveLogSoftmaxWithLoss(8, 12, [3, 7], div_value=2.0, head_bias=True)
    x, target = native.linspace(-1, 1, 40).reshape(5, 8).sin(), native.tensor([0, 4, 11, 6, 2])
    check(theirs, ours, x, target)
    close(ours.log_prob(mine(x)), theirs.log_prob(x))
    assert ours.predict(mine(x)).tolist() == theirs.predict(x).tolist()
    close(ours(mine(x[0]), mine(target[1])).output, theirs(x[0], target[1]).output)
    with pytest.raises(RuntimeError, match=r"should be in \[0, 11\]"):
        ours(mine(x), mine(target + 1))
    with pytest.raises(ValueError, match="increasing order"):
        nn.AdaptiveLogSoftmaxWithLoss(8, 12, [7, 3])


def test_cross_entropy_of_a_linear_layer():
    theirs, ours = (of.nn.LinearCrossEntropyLoss(3, 4, bias=True, label_smoothing=0.1) for of in (native, torch))
    assert repr(nn.LinearCrossEntropyOptions()) == repr(native.nn.LinearCrossEntropyOptions())
    check(theirs, ours, native.linspace(-1, 1, 6).reshape(2, 3), native.tensor([1, 3]))


def test_modules_of_older_programs():
    parallel = nn.DataParallel(nn.Linear(2, 1))
    assert list(parallel.state_dict()) == ["module.weight", "module.bias"]
    assert parallel(torch.ones(3, 2)).shape == (3, 1)
    assert [name for name, _ in nn.Container(a=nn.ReLU()).named_children()] == ["a"]
    found = nn.NLLLoss2d()(torch.zeros(1, 2, 1, 1), torch.zeros(1, 1, 1, dtype=torch.int64))
    assert float(found) == 0


# --- nn.utils


@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4)] if TARGET == "torch" else [(4, 2)])
@pytest.mark.parametrize("kind", ["matrix_exp", "cayley", "householder"] if TARGET == "torch" else ["householder"])
@pytest.mark.parametrize("based", [True, False])
def test_orthogonal_weights(shape, kind, based):
    theirs, ours = native.nn.Linear(*shape), nn.Linear(*shape)
    ours.load_state_dict(theirs.state_dict())
    for of, layer in ((native, theirs), (torch, ours)):
        of.nn.utils.parametrizations.orthogonal(layer, orthogonal_map=kind, use_trivialization=based)
    if kind == "householder" and not based:
        close(ours.weight, theirs.weight, 1e-4)
    with native.no_grad():
        origin = theirs.parametrizations.weight.original
        shift = 0.1 * native.arange(float(origin.numel())).reshape(origin.shape).sin()
        origin += shift.tril(-1) if shape[0] <= shape[1] else shift.triu(1)  # where the maps read it
    check(theirs, ours, native.linspace(-1, 1, 2 * shape[0]).reshape(2, shape[0]), power=3)


def test_orthogonal_weights_of_no_matrix():
    parametrizations = nn.utils.parametrizations
    with pytest.raises(ValueError, match="Got a tensor of 1 dimensions"):
        parametrizations.orthogonal(nn.Linear(2, 2), "bias")
    with pytest.raises(ValueError, match="orthogonal_map has to be one of"):
        parametrizations.orthogonal(nn.Linear(2, 2), orthogonal_map="x")
    layer = parametrizations.orthogonal(nn.Linear(2, 2))
    layer.weight = torch.tensor([[0.0, 1.0], [1.0, 0.0]])
    close(layer.weight, torch.tensor([[0.0, 1.0], [1.0, 0.0]]))
    assert nn.utils.parametrize.type_before_parametrizations(layer) is nn.Linear


@not_on_jax
def test_spectral_norm_by_hooks():
    theirs, ours = native.nn.utils.spectral_norm(native.nn.Conv2d(2, 3, 2)), nn.utils.spectral_norm(nn.Conv2d(2, 3, 2))
    x = native.linspace(-1, 1, 18).reshape(1, 2, 3, 3)
    assert list(ours.state_dict()) == list(theirs.state_dict())
    check(theirs, ours, x)
    close(ours.weight_u, theirs.weight_u)
    with pytest.raises(RuntimeError, match="Cannot register two"):
        nn.utils.spectral_norm(ours)
    native.nn.utils.remove_spectral_norm(theirs), nn.utils.remove_spectral_norm(ours)
    close(ours.weight, theirs.weight)
    with pytest.raises(ValueError, match="not found"):
        nn.utils.remove_spectral_norm(ours)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("kind", ["Conv2d", "ConvTranspose2d", "Linear"] if TARGET == "torch" else ["Linear"])
def test_layers_fused_with_norms(kind, bias):
    args, shape = ((2, 3), (3, 2)) if kind == "Linear" else ((2, 3, 2), (1, 2, 4, 4))
    layer, norm = getattr(nn, kind)(*args, bias=bias), nn.BatchNorm1d(3) if kind == "Linear" else nn.BatchNorm2d(3)
    norm.weight, norm.bias = nn.Parameter(torch.tensor([1.0, 2.0, 3.0])), nn.Parameter(torch.tensor([0.1, 0.2, 0.3]))
    x = mine(native.linspace(-1, 1, int(np.prod(shape))).reshape(shape))
    norm(layer(x))
    with pytest.raises(ValueError, match="only for eval"):
        nn.utils.fusion.fuse_conv_bn_eval(layer, norm)
    layer.eval(), norm.eval()
    options = {"transpose": True} if kind == "ConvTranspose2d" else {}
    fused = (nn.utils.fuse_linear_bn_eval if kind == "Linear" else nn.utils.fuse_conv_bn_eval)(layer, norm, **options)
    close(fused(x), norm(layer(x)).detach(), 1e-4)
    assert type(fused) is type(layer)


def test_modules_without_initial_values():
    assert nn.utils.skip_init(nn.Linear, 3, 2).weight.shape == (2, 3)
    with pytest.raises(RuntimeError, match="Expected a Module"):
        nn.utils.skip_init(int)
