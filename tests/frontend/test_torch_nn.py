"""torch.nn and torch.optim of the frontend beside torch's own: values, gradients, buffers, names, hooks."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest
import torch as native

import corearray as ca
import corearray.frontend.torch as torch
import corearray.frontend.torch.nn.functional as F  # noqa: N812
from corearray.frontend.torch import nn
from corearray.frontend.torch.nn.classes import NAMES
from corearray.frontend.torch.nn.layers import LAYERS
from corearray.frontend.torch.nn.losses import LOSSES


@pytest.fixture(autouse=True)
def on_target(target):
    """Run on the target, or on torch where derivatives are needed and the target has none."""
    with ca.backend_context(target if "reverse_mode" in ca.get_backend(target).facts else "torch"):
        yield


def close(found, wanted, tolerance=1e-5):
    wanted = wanted.detach().numpy()
    assert tuple(found.shape) == wanted.shape
    found = np.asarray(ca.to_numpy(found.array))
    np.testing.assert_allclose(found, wanted, rtol=0, atol=tolerance * max(1.0, np.abs(wanted).max(initial=0)))


def mine(x):
    return torch.tensor(x.tolist(), dtype=getattr(torch, str(x.dtype).removeprefix("torch.")))


def normal(*shape):
    return native.randn(*shape)


#: Layers with their arguments and those of a call, where they are not `()` and an array of the shape (2, 4, 6).
CASES = {
    "Linear": ((6, 3), {}, (2, 4, 6)), "Bilinear": ((6, 5, 3), {}, (2, 6), (2, 5)),
    "Conv1d": ((4, 6, 3), {"padding": 1}, (2, 4, 6)),
    "Conv2d": ((4, 6, 3), {"stride": 2, "groups": 2, "bias": False}, (2, 4, 7, 7)),
    "Conv3d": ((2, 3, 2), {}, (1, 2, 3, 3, 3)),
    "ConvTranspose1d": ((4, 3, 2), {"stride": 2}, (2, 4, 6)), "ConvTranspose2d": ((4, 3, 2), {}, (2, 4, 5, 5)),
    "ConvTranspose3d": ((2, 3, 2), {}, (1, 2, 3, 3, 3)), "BatchNorm1d": ((4,), {}, (5, 4, 6)),
    "BatchNorm2d": ((4,), {}, (2, 4, 3, 3)),
    "BatchNorm3d": ((2,), {}, (2, 2, 3, 3, 3)), "InstanceNorm1d": ((4,), {"affine": True}, (2, 4, 6)),
    "InstanceNorm2d": ((4,), {}, (2, 4, 3, 3)), "InstanceNorm3d": ((2,), {}, (2, 2, 3, 3, 3)),
    "GroupNorm": ((2, 4), {}, (2, 4, 6)), "LayerNorm": ((6,), {}, (2, 4, 6)), "RMSNorm": ((6,), {}, (2, 4, 6)),
    "LSTM": ((6, 5), {"num_layers": 2, "bidirectional": True, "batch_first": True}, (2, 4, 6)),
    "GRU": ((6, 5), {}, (2, 4, 6)),
    "RNN": ((6, 5), {"nonlinearity": "relu"}, (2, 4, 6)), "LSTMCell": ((6, 5), {}, (2, 6)),
    "GRUCell": ((6, 5), {}, (2, 6)),
    "RNNCell": ((6, 5), {}, (2, 6)), "MaxPool2d": ((2,), {}, (2, 4, 6, 6)), "MaxPool3d": ((2,), {}, (1, 2, 4, 4, 4)),
    "MaxPool1d": ((2,), {}, (2, 4, 6)), "AvgPool1d": ((2,), {}, (2, 4, 6)), "AvgPool2d": ((2,), {}, (2, 4, 6, 6)),
    "AvgPool3d": ((2,), {}, (1, 2, 4, 4, 4)), "AdaptiveAvgPool1d": ((3,), {}, (2, 4, 6)),
    "AdaptiveAvgPool2d": ((2,), {}, (2, 4, 5, 6)),
    "AdaptiveAvgPool3d": ((2,), {}, (1, 2, 4, 5, 4)), "ChannelShuffle": ((2,), {}, (2, 4, 3, 3)),
    "ConstantPad1d": ((1, 2.0), {}, (2, 4, 6)),
    "ConstantPad2d": ((1, 2.0), {}, (2, 4, 3, 3)), "ConstantPad3d": ((1, 2.0), {}, (1, 2, 2, 2, 2)),
    "CosineSimilarity": ((), {}, (2, 4), (2, 4)),
    "Flatten": ((), {}, (2, 4, 6)), "Fold": (((4, 5), (2, 2)), {}, (1, 8, 12)), "Unfold": (((2, 2),), {}, (1, 2, 4, 5)),
    "GLU": ((), {}, (2, 4, 6)), "PReLU": ((), {}, (2, 4, 6)), "PixelShuffle": ((2,), {}, (1, 4, 3, 3)),
    "PixelUnshuffle": ((2,), {}, (1, 2, 4, 4)),
    "ReflectionPad1d": ((1,), {}, (2, 4, 6)), "ReflectionPad2d": ((1,), {}, (2, 4, 3, 3)),
    "ReplicationPad1d": ((1,), {}, (2, 4, 6)),
    "ReplicationPad2d": ((1,), {}, (2, 4, 3, 3)), "Softmax": ((-1,), {}, (2, 4, 6)),
    "LogSoftmax": ((-1,), {}, (2, 4, 6)),
    "Threshold": ((0.1, 20.0), {}, (2, 4, 6)), "Unflatten": ((1, (2, 2)), {}, (2, 4, 6)),
    "Upsample": ((), {"scale_factor": 2}, (1, 2, 3, 3)),
    "ZeroPad1d": ((1,), {}, (2, 4, 6)), "ZeroPad2d": ((1,), {}, (1, 2, 3, 3)), "ZeroPad3d": ((1,), {}, (1, 2, 2, 2, 2)),
    "AdaptiveMaxPool1d": ((3,), {}, (2, 4, 6)), "AdaptiveMaxPool2d": ((2,), {}, (2, 4, 5, 6)),
    "AdaptiveMaxPool3d": ((2,), {}, (1, 2, 4, 5, 4)), "CircularPad1d": ((1,), {}, (2, 4, 6)),
    "CircularPad2d": ((1,), {}, (2, 4, 3, 3)), "CircularPad3d": ((1,), {}, (1, 2, 2, 2, 2)),
    "LPPool1d": ((2, 2), {}, (2, 4, 6)), "LPPool2d": ((2, 2), {}, (2, 4, 4, 6)),
    "LPPool3d": ((2, 2), {}, (1, 2, 4, 4, 6)), "LocalResponseNorm": ((2,), {}, (2, 4, 6)),
    "PairwiseDistance": ((), {}, (2, 4), (2, 4)), "ReflectionPad3d": ((1,), {}, (1, 2, 2, 2, 2)),
    "ReplicationPad3d": ((1,), {}, (1, 2, 2, 2, 2)), "Softmax2d": ((), {}, (2, 4, 3, 3)), "Softmin": ((-1,), {}, (2, 4, 6)),
    "UpsamplingBilinear2d": ((), {"scale_factor": 2}, (1, 2, 3, 3)),
    "UpsamplingNearest2d": ((), {"scale_factor": 2}, (1, 2, 3, 3)),
    "ELU": ((0.5,), {}, (2, 4, 6)), "LeakyReLU": ((0.2,), {}, (2, 4, 6)),
}  # fmt: skip
RANDOM = {
    "FractionalMaxPool2d",
    "FractionalMaxPool3d",
    "Dropout",
    "Dropout1d",
    "Dropout2d",
    "Dropout3d",
    "AlphaDropout",
    "FeatureAlphaDropout",
    "RReLU",
}


UNPOOLS = {"MaxUnpool1d", "MaxUnpool2d", "MaxUnpool3d"}


def outputs(made):
    return [
        x
        for part in (made if isinstance(made, tuple) else (made,))
        for x in (outputs(part) if isinstance(part, tuple) else [part])
    ]


@pytest.mark.parametrize("name", sorted(LAYERS - RANDOM - {"Embedding", "EmbeddingBag", *UNPOOLS}))
def test_layers(name):
    native.manual_seed(0)
    args, options, *shapes = CASES.get(name, ((), {}, (2, 4, 6)))
    theirs = getattr(native.nn, name)(*args, **options)
    ours = getattr(nn, name)(*args, **options)
    assert list(ours.state_dict()) == list(theirs.state_dict())
    ours.load_state_dict(theirs.state_dict())
    xs = [normal(*shape).requires_grad_() for shape in shapes]
    ys = [mine(x.detach()).requires_grad_() for x in xs]
    wanted, found = outputs(theirs(*xs)), outputs(ours(*ys))
    assert len(wanted) == len(found)
    for a, b in zip(found, wanted, strict=True):
        close(a, b)
    for buffer, x in theirs.named_buffers():
        close(dict(ours.named_buffers())[buffer], x)
    weights = normal(*wanted[0].shape)
    (wanted[0] * weights).sum().backward()
    (found[0] * mine(weights)).sum().backward()
    for x, y in zip(xs, ys, strict=True):
        close(y.grad, x.grad, 2e-5)
    for path, x in theirs.named_parameters():
        close(ours.get_parameter(path).grad, x.grad, 5e-5)


@pytest.mark.filterwarnings("ignore:LSTM with projections is not supported with oneDNN")
@pytest.mark.parametrize("bias", [True, False])
def test_an_lstm_with_projections(bias):
    theirs = native.nn.LSTM(3, 5, 2, bias=bias, bidirectional=True, proj_size=2)
    ours = nn.LSTM(3, 5, 2, bias=bias, bidirectional=True, proj_size=2)
    ours.load_state_dict(theirs.state_dict())
    x = normal(6, 2, 3)
    wanted = outputs(theirs(x))
    transpiled = ca.transpile(theirs, x, to=ca.current_backend().name)
    again = map(torch.Tensor, outputs(transpiled(mine(x).array)))
    for found in (outputs(ours(mine(x))), list(again)):
        for a, b in zip(found, wanted, strict=True):
            close(a, b)


@pytest.mark.parametrize("count", [2, 3])
def test_fractional_pooling(count):
    x, u = normal(2, 3, *(9, 8, 7)[:count]), native.rand(2, 3, count)
    for options in ({"output_size": (4, 3, 2)[:count]}, {"output_ratio": (0.5, 0.4, 0.7)[:count]}, {"output_size": 1}):
        theirs = getattr(native.nn, f"FractionalMaxPool{count}d")(2, **options, return_indices=True, _random_samples=u)
        ours = getattr(nn, f"FractionalMaxPool{count}d")(2, **options, return_indices=True, _random_samples=mine(u))
        a, b = x.clone().requires_grad_(), mine(x).requires_grad_()
        (values, places), (found, at) = theirs(a), ours(b)
        close(found, values)
        assert at.tolist() == places.tolist()
        values.square().sum().backward()
        (found * found).sum().backward()
        close(b.grad, a.grad)
        function = getattr(torch.nn.functional, f"fractional_max_pool{count}d")
        close(function(mine(x[0]), 2, **options, _random_samples=mine(u[:1])), theirs(x)[0][0])
    assert ours(b)[0].shape == getattr(nn, f"FractionalMaxPool{count}d")(2, 1)(b).shape


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_a_triplet_loss_by_a_distance_with_weights(swap, reduction):
    xs = [normal(4, 3).requires_grad_() for _ in range(3)]
    ys = [mine(x.detach()).requires_grad_() for x in xs]
    weight = normal(3).requires_grad_()
    own = mine(weight.detach()).requires_grad_()
    options = {"margin": 0.5, "swap": swap, "reduction": reduction}
    wanted = native.nn.TripletMarginWithDistanceLoss(
        distance_function=lambda a, b: (weight * (a - b)).abs().sum(-1), **options
    )(*xs)
    found = nn.TripletMarginWithDistanceLoss(distance_function=lambda a, b: (own * (a - b)).abs().sum(-1), **options)(
        *ys
    )
    close(found, wanted)
    wanted.sum().backward()
    found.sum().backward()
    for x, y in zip([*xs, weight], [*ys, own], strict=True):
        close(y.grad, x.grad)


@pytest.mark.filterwarnings("ignore:reduction. 'mean' divides")
@pytest.mark.filterwarnings("ignore:.NLLLoss2d. has been deprecated:FutureWarning")
@pytest.mark.parametrize("name", sorted(LOSSES))
def test_losses(name):
    native.manual_seed(0)
    x, y = normal(3, 5), normal(3, 5)
    by_name = {
        "BCELoss": (x.sigmoid(), y.sigmoid()), "BCEWithLogitsLoss": (x, y.sigmoid()),
        "CTCLoss": (
            normal(6, 3, 5).log_softmax(-1), native.tensor([[1, 2], [3, 3], [4, 1]]), native.tensor([6, 5, 6]),
            native.tensor([2, 2, 1]),
        ),
        "CrossEntropyLoss": (x, native.tensor([1, 0, 4])),
        "NLLLoss": (x.log_softmax(-1), native.tensor([1, 0, 4])),
        "NLLLoss2d": (x.log_softmax(-1), native.tensor([1, 0, 4])), "KLDivLoss": (x.log_softmax(-1), y.softmax(-1)),
        "GaussianNLLLoss": (x, y, y.exp()), "CosineEmbeddingLoss": (x, y, native.tensor([1, -1, 1])),
        "MarginRankingLoss": (x, y, y.sign()), "HingeEmbeddingLoss": (x, y.sign()),
        "MultiMarginLoss": (x, native.tensor([1, 0, 4])),
        "MultiLabelMarginLoss": (x, native.tensor([[1, 0, -1, 0, 0]] * 3)),
        "MultiLabelSoftMarginLoss": (x, (y > 0).float()),
        "SoftMarginLoss": (x, y.sign()), "TripletMarginLoss": (x, y, x * y),
        "TripletMarginWithDistanceLoss": (x, y, x * y), "PoissonNLLLoss": (x, y.exp()),
    }  # fmt: skip
    tensors = by_name.get(name, (x, y))
    for reduction in ("mean", "sum", "none"):
        wanted = getattr(native.nn, name)(reduction=reduction)(*tensors)
        close(getattr(nn, name)(reduction=reduction)(*map(mine, tensors)), wanted)


def test_options_of_losses():
    x, target, weight = normal(3, 5), native.tensor([1, 0, 4]), native.rand(5)
    loss = nn.CrossEntropyLoss(mine(weight), label_smoothing=0.1)
    close(loss(mine(x), mine(target)), native.nn.CrossEntropyLoss(weight, label_smoothing=0.1)(x, target))
    assert [name for name, _ in loss.named_buffers()] == ["weight"]
    with pytest.raises(TypeError, match=r"'MSELoss' takes the options .*reduction.*wrong"):
        nn.MSELoss(wrong=1)


class Network(nn.Module):
    def __init__(self, of=nn):
        super().__init__()
        self.embed = of.Embedding(10, 4, padding_idx=0)
        self.blocks = of.ModuleList([of.Sequential(of.Linear(4, 4), of.ReLU(inplace=True)) for _ in range(2)])
        self.heads = of.ModuleDict({"a": of.Linear(4, 3)})
        self.scale = of.Parameter((torch if of is nn else native).ones(4))
        self.register_buffer("calls", (torch if of is nn else native).zeros(()))

    def forward(self, x):
        y = self.embed(x) * self.scale
        for block in self.blocks:
            y = y + block(y)
        return self.heads["a"](y)


Native = type("Native", (native.nn.Module,), {"forward": Network.forward})


def native_network():
    made = Native()
    made.embed = native.nn.Embedding(10, 4, padding_idx=0)
    made.blocks = native.nn.ModuleList(
        [native.nn.Sequential(native.nn.Linear(4, 4), native.nn.ReLU(inplace=True)) for _ in range(2)]
    )
    made.heads = native.nn.ModuleDict({"a": native.nn.Linear(4, 3)})
    made.scale = native.nn.Parameter(native.ones(4))
    made.register_buffer("calls", native.zeros(()))
    return made


OPTIMIZERS = {
    "SGD": {"lr": 0.1, "momentum": 0.9, "nesterov": True}, "Adam": {"lr": 0.01},
    "AdamW": {"lr": 0.01, "weight_decay": 0.1},
    "RMSprop": {"lr": 0.01}, "Adagrad": {"lr": 0.1}, "Adadelta": {}, "Adamax": {"lr": 0.01}, "NAdam": {"lr": 0.01},
    "RAdam": {"lr": 0.01}, "Adafactor": {"lr": 0.1}, "Rising": {"lr": 0.1},
}  # fmt: skip


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_training(name):
    theirs, ours = native_network(), Network()
    assert list(ours.state_dict()) == list(theirs.state_dict())
    ours.load_state_dict(theirs.state_dict())
    x, target = native.tensor([[1, 2, 0], [3, 4, 9]]), native.tensor([[0, 1, 2], [2, 1, 0]])
    options = {**OPTIMIZERS[name], "foreach": False}
    if name == "Rising":
        name, options["maximize"] = "SGD", True
    a = getattr(native.optim, name)(theirs.parameters(), **options)
    b = getattr(torch.optim, name)(ours.parameters(), **options)
    for _ in range(3):
        for model, optimizer, functional, given, wanted in (
            (theirs, a, native.nn.functional, x, target),
            (ours, b, F, mine(x), mine(target)),
        ):
            optimizer.zero_grad()
            functional.cross_entropy(model(given).reshape(6, 3), wanted.reshape(6)).backward()
            optimizer.step()
            optimizer.param_groups[0]["lr"] *= 0.5
    for path, tensor in theirs.state_dict().items():
        close(ours.state_dict()[path], tensor, 1e-4)


def test_states_of_optimizers():
    def steps(model, optimizer, count):
        for _ in range(count):
            optimizer.zero_grad()
            model(torch.ones(2, 3)).sum().backward()
            optimizer.step()

    one, other = nn.Linear(3, 2), nn.Linear(3, 2)
    first = torch.optim.AdamW(one.parameters(), lr=0.1)
    steps(one, first, 3)
    other.load_state_dict(one.state_dict())
    second = torch.optim.AdamW(other.parameters(), lr=5.0)
    second.load_state_dict(first.state_dict())
    steps(one, first, 2)
    steps(other, second, 2)
    np.testing.assert_array_equal(np.asarray(one.weight.detach()), np.asarray(other.weight.detach()))
    with pytest.raises(ValueError, match=r"groups of \[2\] parameters"):
        torch.optim.AdamW([one.weight]).load_state_dict(first.state_dict())


# --- attention


def compared(theirs, ours, args, options, training=False):
    """Compare a module with torch's own: names, values, and gradients of parameters and arguments."""
    assert list(ours.state_dict()) == list(theirs.state_dict())
    assert [name for name, _ in ours.named_parameters()] == [name for name, _ in theirs.named_parameters()]
    ours.load_state_dict(theirs.state_dict())
    theirs.train(training)
    ours.train(training)
    floats = [x.clone().requires_grad_() for x in args]
    copies = [mine(x).requires_grad_() for x in args]
    wanted = outputs(theirs(*floats, **options))
    given = {name: mine(x) if isinstance(x, native.Tensor) else x for name, x in options.items()}
    found = outputs(ours(*copies, **given))
    for a, b in zip(found, wanted, strict=True):
        assert (a is None) is (b is None)
        if b is not None:
            close(a, b)
    weights = normal(*wanted[0].shape)
    (wanted[0] * weights).sum().backward()
    (found[0] * mine(weights)).sum().backward()
    for a, b in zip(copies, floats, strict=True):
        close(a.grad, b.grad, 5e-5)
    for path, x in theirs.named_parameters():
        close(ours.get_parameter(path).grad, x.grad, 5e-5)


CAUSAL = native.full((5, 5), float("-inf")).triu(1)
PADDED = native.tensor([[False] * 5, [False] * 3 + [True] * 2])


@pytest.mark.parametrize(
    ("made", "shapes", "called"),
    [
        ({"batch_first": True}, [(2, 5, 8)] * 3, {"attn_mask": CAUSAL, "is_causal": True}),
        ({}, [(5, 2, 8)] * 3, {"key_padding_mask": PADDED, "average_attn_weights": False}),
        ({"kdim": 6, "vdim": 4, "bias": False}, [(3, 2, 8), (5, 2, 6), (5, 2, 4)], {"need_weights": False}),
        ({"add_bias_kv": True, "add_zero_attn": True}, [(3, 8), (5, 8), (5, 8)], {}),
    ],
)
def test_attention(made, shapes, called):
    native.manual_seed(0)
    theirs, ours = (of.nn.MultiheadAttention(8, 2, **made) for of in (native, torch))
    compared(theirs, ours, [normal(*shape) for shape in shapes], called, training=True)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("made", [{"batch_first": True}, {"norm_first": True, "activation": "gelu", "bias": False}])
def test_transformers(made):
    native.manual_seed(0)
    theirs, ours = (of.nn.Transformer(8, 2, 2, 1, 16, dropout=0.0, **made) for of in (native, torch))
    src, tgt = (normal(2, 5, 8), normal(2, 4, 8)) if "batch_first" in made else (normal(5, 2, 8), normal(4, 2, 8))
    masks = {
        "tgt_mask": native.nn.Transformer.generate_square_subsequent_mask(4), "src_key_padding_mask": PADDED,
        "memory_key_padding_mask": PADDED,
    }  # fmt: skip
    compared(theirs, ours, [src, tgt], masks, training=True)
    assert nn.Transformer.generate_square_subsequent_mask(4).tolist() == masks["tgt_mask"].tolist()
    layer = ours.encoder.layers[0]
    assert layer.linear1.weight is not ours.encoder.layers[1].linear1.weight, "layers are copies"


def test_attention_refuses():
    with pytest.raises(ValueError, match="heads that divide the vectors"):
        nn.MultiheadAttention(8, 3)
    x = torch.ones(1, 5, 8)
    with pytest.raises(ValueError, match="without attn_mask"):
        nn.MultiheadAttention(8, 2)(x, x, x, is_causal=True)
    with pytest.raises(ValueError, match="'relu', 'gelu' or a function"):
        nn.TransformerEncoderLayer(8, 2, activation="tanh")
    with pytest.raises(RuntimeError, match="vectors of the length 8"):
        nn.Transformer(8, 2, 1, 1, 8)(x[..., :4], x)


def test_bags_of_embeddings_and_unpooling():
    theirs, ours = (of.nn.EmbeddingBag(7, 3, mode="sum") for of in (native, torch))
    ours.load_state_dict(theirs.state_dict())
    places = native.tensor([[1, 2, 2], [0, 6, 3]])
    close(ours(mine(places)), theirs(places))
    for axes in (1, 2, 3):
        x = normal(1, 2, *[4] * axes)
        y, where = getattr(native.nn.functional, f"max_pool{axes}d")(x, 2, return_indices=True)
        wanted = getattr(native.nn, f"MaxUnpool{axes}d")(2)(y, where)
        close(getattr(nn, f"MaxUnpool{axes}d")(2)(mine(y), mine(where)), wanted)


# --- initial values, and functions of gradients


@pytest.mark.parametrize(
    "call",
    [
        lambda init, w: init.uniform_(w, -1, 3), lambda init, w: init.normal_(w, 1, 2),
        lambda init, w: init.trunc_normal_(w, 1, 2, 0, 1.5), lambda init, w: init.constant_(w, 2.5),
        lambda init, w: init.xavier_uniform_(w, 2), lambda init, w: init.xavier_normal_(w),
        lambda init, w: init.kaiming_uniform_(w, a=5**0.5), lambda init, w: init.kaiming_normal_(w, 0, "fan_out", "relu"),
        lambda init, w: init.orthogonal_(w, 3.0), lambda init, w: init.sparse_(w, 0.25, 2.0), lambda init, w: init.eye_(w),
        lambda init, w: init.ones_(w), lambda init, w: init.zeros_(w),
    ],
)  # fmt: skip
def test_initial_values_are_distributed_as_those_of_torch(call):
    native.manual_seed(0)
    torch.manual_seed(0)
    theirs, ours = native.nn.Parameter(native.empty(120, 90)), nn.Parameter(torch.zeros(120, 90))
    call(native.nn.init, theirs)
    assert call(nn.init, ours) is ours
    a, b = np.asarray(ours.detach()), theirs.detach().numpy()
    scale = max(np.abs(b).max(), 1e-3)
    np.testing.assert_allclose(
        [a.mean(), a.std(), a.min(), a.max()], [b.mean(), b.std(), b.min(), b.max()], atol=0.3 * scale
    )
    np.testing.assert_allclose([a.mean(), a.std()], [b.mean(), b.std()], atol=0.05 * scale)
    np.testing.assert_allclose((a == 0).mean(), (b == 0).mean(), atol=0.01)


def test_initial_values_of_convolutions():
    theirs, ours = native.empty(4, 2, 3, 3), nn.Parameter(torch.zeros(4, 2, 3, 3))
    close(nn.init.dirac_(ours, 2), native.nn.init.dirac_(theirs, 2))
    assert nn.init.calculate_gain("leaky_relu", 0.2) == native.nn.init.calculate_gain("leaky_relu", 0.2)
    for wrong in (
        lambda: nn.init.xavier_uniform_(nn.Parameter(torch.zeros(3))),
        lambda: nn.init.calculate_gain("gelu"),
    ):
        with pytest.raises(ValueError, match=r"at least 2 axes|no gain"):
            wrong()


def test_clipping_of_gradients():
    x = normal(4, 3)
    for call in (
        lambda of, ws: of.nn.utils.clip_grad_norm_(ws, 0.5),
        lambda of, ws: of.nn.utils.clip_grad_norm_(ws, 0.1, norm_type=float("inf")),
        lambda of, ws: of.nn.utils.clip_grad_value_(ws, 0.2),
    ):
        found = []
        for of, given in ((native, x), (torch, mine(x))):
            ws = [of.nn.Parameter(given * 1), of.nn.Parameter(of.ones(2))]
            ((ws[0] * given).sum() + (ws[1] ** 2).sum()).backward()
            found.append([call(of, ws), *(w.grad for w in ws)])
        for a, b in zip(found[1], found[0], strict=True):
            assert (a is None) is (b is None)
            if b is not None:
                close(a, b)
    w = nn.Parameter(torch.ones(2))
    (w * float("inf")).sum().backward()
    with pytest.raises(RuntimeError, match="cannot be clipped"):
        nn.utils.clip_grad_norm_([w], 1.0, error_if_nonfinite=True)


def test_parameters_as_one_vector():
    model = nn.Linear(3, 2)
    vector = nn.utils.parameters_to_vector(model.parameters())
    nn.utils.vector_to_parameters(vector * 2, model.parameters())
    assert vector.shape == (8,)
    np.testing.assert_allclose(np.asarray(nn.utils.parameters_to_vector(model.parameters()).detach()),
                               2 * np.asarray(vector.detach()), rtol=1e-6)  # fmt: skip


def test_names_of_a_module():
    model = Network()
    theirs = native_network()
    for method in ("named_parameters", "named_buffers", "named_modules"):
        assert [name for name, _ in getattr(model, method)()] == [name for name, _ in getattr(theirs, method)()]
    assert isinstance(model.scale, nn.Parameter) and isinstance(model.scale, torch.Tensor)
    assert model.get_submodule("blocks.0.0") is model.blocks[0][0]
    assert model.blocks[0][0].in_features == 4
    assert "(embed): Embedding(" in repr(model)
    assert not model.eval().blocks[0].training
    model.requires_grad_(False)
    assert not any(p.requires_grad for p in model.parameters())
    assert model.double().scale.dtype == ca.float64


def test_states_that_do_not_fit():
    model = Network()
    state = model.state_dict()
    with pytest.raises(RuntimeError, match="missing: scale; unexpected: other"):
        model.load_state_dict({**{k: v for k, v in state.items() if k != "scale"}, "other": state["scale"]})
    with pytest.raises(RuntimeError, match=r"'scale' has the shape \(2,\), and not \(4,\)"):
        model.load_state_dict({**state, "scale": state["scale"][:2]})
    found = model.load_state_dict({"other": state["scale"]}, strict=False)
    assert found.unexpected_keys == ["other"]


def test_states_of_other_frameworks_load():
    theirs = native.nn.Linear(3, 2)
    with ca.backend_context("numpy"):
        layer, other = nn.Linear(3, 2), nn.Linear(3, 2)
        layer.load_state_dict(theirs.state_dict())
        other.load_state_dict({name: ca.get_backend("torch").wrap(x) for name, x in theirs.state_dict().items()})
        for one in (layer, other):
            close(one(torch.ones(1, 3)), theirs(native.ones(1, 3)))
            assert one.weight.array.backend.name == "numpy"


def test_hooks_stay_though_nobody_holds_their_handles():
    layer, seen = nn.Identity(), []
    for number in range(20):
        layer.register_forward_hook(lambda module, args, result, number=number: seen.append(number))
    layer(torch.ones(1))
    assert seen == list(range(20))


def test_hooks_of_modules():
    layer = nn.Linear(3, 2)
    seen = []
    before = layer.register_forward_pre_hook(lambda module, args: (args[0] * 2,))
    after = layer.register_forward_hook(lambda module, args, result: seen.append(tuple(result.shape)) or result + 1)
    x = torch.ones(4, 3)
    found = layer(x)
    before.remove()
    after.remove()
    np.testing.assert_allclose(np.asarray(found.detach()), np.asarray((layer(x * 2) + 1).detach()), rtol=1e-6)
    assert seen == [(4, 2)]


def test_dropout_has_the_gradient_of_the_call_that_was_made():
    torch.manual_seed(0)
    x = torch.ones(200, requires_grad=True)
    for call in (nn.Dropout(0.5), lambda x: F.dropout(x, 0.5), nn.Sequential(nn.Dropout(0.5), nn.Identity())):
        x.grad = None
        y = call(x)
        y.sum().backward()
        assert 40 < int((y == 0).sum()) < 160
        np.testing.assert_array_equal(np.asarray(x.grad), np.asarray(y.detach()))
    layer = nn.Dropout(0.5).eval()
    assert bool((layer(x) == x).all())


@pytest.mark.parametrize("arguments", [((True,), {}), ((), {"inplace": True})])
def test_an_activation_in_place(arguments):
    args, options = arguments
    x = torch.tensor([-1.0, 2.0])
    assert nn.ReLU(*args, **options)(x) is x
    assert x.tolist() == [0.0, 2.0]


def test_what_is_refused():
    with pytest.raises(TypeError, match=r"'torch\.nn\.Linear' has no option 'wrong'"):
        nn.Linear(3, 2, wrong=1)
    with pytest.raises(NotImplementedError, match="leave 'scale_grad_by_freq' out"):
        nn.Embedding(3, 2, scale_grad_by_freq=True)
    with pytest.raises(NotImplementedError, match=r"torch\.nn\.QuantStub"):
        _ = nn.QuantStub
    with pytest.raises(TypeError, match="several tensors"):
        torch.optim.SGD(nn.Parameter(torch.ones(2)), lr=0.1)
    with pytest.raises(ValueError, match="no parameters"):
        torch.optim.SGD([], lr=0.1)
    with pytest.raises(AttributeError, match=r"call super\(\).__init__\(\)"):
        type("Late", (nn.Module,), {"__init__": lambda self: setattr(self, "x", 1)})()


def test_classes_are_stable():
    assert nn.Linear is torch.nn.Linear is ca.frontend.get_frontend("torch").nn.Linear
    assert all(getattr(nn, name).__name__ == name for name in NAMES)


def test_the_example_runs(target, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["torch_code.py", target if target != "numpy" else "torch"])
    runpy.run_path(str(Path(__file__).parents[2] / "examples" / "torch_code.py"), run_name="__main__")
    losses = [float(line.split()[-1]) for line in capsys.readouterr().out.splitlines() if line.startswith("epoch")]
    assert losses[-1] < 0.5 * losses[0]


def written(t):
    w = t.tensor([1.0, 2.0, 3.0])
    w.requires_grad_()
    a = w * 3
    b = a * 2
    a.add_(w)
    z = t.tensor([1.0, 1.0, 2.0])
    z.mul_(w)
    d = z * 5
    z.add_(w * w)
    (b + a.sin() + d * 2 + z.exp()).sum().backward()
    return w.grad


def test_writes_do_not_reach_calls_before_them():
    close(written(torch), written(native))


def test_gradients_of_computed_tensors():
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    y = w * w
    (slope,) = torch.autograd.grad((y * 3).sum(), [y])
    assert slope.tolist() == [3.0, 3.0]


# --- weights that are computed


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize(
    "make",
    [
        lambda t: t.nn.utils.parametrizations.weight_norm(t.nn.Conv1d(3, 4, 3)),
        lambda t: t.nn.utils.parametrizations.weight_norm(t.nn.Linear(7, 4), dim=None),
        lambda t: t.nn.utils.parametrizations.spectral_norm(t.nn.Conv1d(3, 4, 3)),
        lambda t: t.nn.utils.parametrizations.spectral_norm(t.nn.ConvTranspose1d(3, 4, 3)),
        lambda t: t.nn.utils.weight_norm(t.nn.Conv1d(3, 4, 3)),
    ],
)
def test_normed_weights(make, target):
    mine, theirs = make(torch), make(native)
    mine.load_state_dict(theirs.state_dict())
    x = native.randn(2, 3, 7)
    for _ in range(2):  # the power method goes on in each call
        found, wanted = mine(torch.tensor(x.numpy())), theirs(x)
        np.testing.assert_allclose(found.detach().numpy(), wanted.detach().numpy(), rtol=2e-5, atol=1e-6)
    assert sorted(mine.state_dict()) == sorted(theirs.state_dict())
    for name, value in theirs.state_dict().items():
        np.testing.assert_allclose(np.asarray(mine.state_dict()[name]), value.numpy(), rtol=2e-5, atol=1e-6)
    if "reverse_mode" in ca.get_backend(target).facts:
        (found**2).sum().backward()
        (wanted**2).sum().backward()
        slopes = {name: p.grad.numpy() for name, p in mine.named_parameters()}
        for name, p in theirs.named_parameters():
            np.testing.assert_allclose(slopes[name], p.grad.numpy(), rtol=1e-4, atol=1e-4)


def test_parametrizations_of_the_users():
    class Symmetric(torch.nn.Module):
        def forward(self, x):
            return x.triu() + x.triu(1).T

        def right_inverse(self, x):
            return x.triu()

    class Scaled(torch.nn.Module):
        def forward(self, x):
            return x * 2

        def right_inverse(self, x):
            return x / 2

    parametrize = torch.nn.utils.parametrize
    layer = torch.nn.Linear(3, 3)
    parametrize.register_parametrization(layer, "weight", Symmetric())
    assert parametrize.is_parametrized(layer, "weight")
    assert not parametrize.is_parametrized(layer, "bias")
    assert layer.weight.detach().tolist() == layer.weight.T.detach().tolist()
    layer.weight = torch.eye(3) * 4
    assert layer.weight.detach().tolist() == [[4, 0, 0], [0, 4, 0], [0, 0, 4]]
    parametrize.register_parametrization(layer, "weight", Scaled())
    assert layer.weight.detach().sum().item() == 24
    parametrize.remove_parametrizations(layer, "weight")
    assert not parametrize.is_parametrized(layer)
    assert [name for name, _ in layer.named_parameters()] == ["bias", "weight"]
    assert layer.weight.detach().sum().item() == 24
    with pytest.raises(ValueError, match="no parametrization of 'weight'"):
        parametrize.remove_parametrizations(layer, "weight")
    with pytest.raises(ValueError, match="no parameter, parametrization or buffer 'other'"):
        parametrize.register_parametrization(layer, "other", Scaled())


def test_hooked_weights_can_be_removed():
    layer = torch.nn.utils.weight_norm(torch.nn.Linear(3, 2))
    x = torch.ones(1, 3)
    before = layer(x).detach().numpy()
    torch.nn.utils.remove_weight_norm(layer)
    assert sorted(layer.state_dict()) == ["bias", "weight"]
    np.testing.assert_allclose(layer(x).detach().numpy(), before, rtol=1e-6)
    with pytest.raises(ValueError, match="weight_norm of 'weight'"):
        torch.nn.utils.remove_weight_norm(layer)


def test_what_is_made_of_a_parameter_is_none(target):
    p = nn.Parameter(torch.ones(2))
    for made in (p.detach(), p.data, nn.Linear(2, 2).state_dict()["weight"]):
        assert not isinstance(made, nn.Parameter)
        assert not made.requires_grad
    if "reverse_mode" in ca.get_backend(target).facts:
        (p * p).sum().backward()
        (slope,) = torch.autograd.grad((p * p).sum(), [p])
        for made in (p.grad, slope):
            assert made.numpy().tolist() == [2, 2]
