"""Wrong arguments of layers, losses and optimisers: errors in this library's words, which name the layer; nothing changes."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from standard.support import be, numpy_of

import corearray as ca
from corearray import nn, optim


@pytest.fixture(autouse=True)
def on_this_backend():
    with ca.backend_context(be):
        yield


def ones(*shape):
    return ca.ones(shape)


WRONG = {
    "Linear, last axis": (lambda: nn.Linear(4, 3), [(2, 5)], r"the shape \(2, 5\) and weights of the shape \(3, 4\)"),
    "Linear, no axes": (lambda: nn.Linear(4, 3), [()], r"vectors of the shape \(\)"),
    "Linear, a text": (lambda: nn.Linear(4, 3), ["x"], "got 'x' where it takes an array"),
    "Bilinear": (lambda: nn.Bilinear(3, 4, 5), [(2, 3), (2, 5)], "the lengths 4 and 5"),
    "Conv2d, two axes": (lambda: nn.Conv2d(3, 4, 3), [(5, 5)], r"shape \(5, 5\); it takes one with 4 axes"),
    "Conv2d, channels": (lambda: nn.Conv2d(3, 4, 3), [(2, 4, 5, 5)], "4 channels, and filters .* take 3"),
    "Conv2d, too small": (lambda: nn.Conv2d(3, 4, 3), [(2, 3, 2, 2)], "a window must fit into the axis"),
    "ConvTranspose1d": (lambda: nn.ConvTranspose1d(3, 4, 3), [(2, 4, 5)], "4 channels, and filters .* take 3"),
    "Embedding, floats": (lambda: nn.Embedding(5, 3), [(2,)], "indices of the dtype 'float32'; give integers"),
    "EmbeddingBag, floats": (lambda: nn.EmbeddingBag(5, 3), [(2, 2)], "integers"),
    "LSTM, last axis": (lambda: nn.LSTM(3, 5), [(6, 2, 4)], "has 4 features, and weights .* take 3"),
    "LSTM, one state": (lambda: nn.LSTM(3, 5), [(6, 2, 3), (1, 2, 5)], r"a pair \(h, c\) as its first states, got Array"),
    "LSTM, a pair of one": (lambda: nn.LSTM(3, 5), [(6, 2, 3), [(1, 2, 5)]], r"a pair \(h, c\).*a tuple of 1"),
    "LSTM, batch": (lambda: nn.LSTM(3, 5), [(6, 2, 3), [(1, 3, 5)] * 2], r"shape \(1, 3, 5\); it must be \(1, 2, 5\)"),
    "GRU, state": (lambda: nn.GRU(3, 5), [(6, 2, 3), (1, 2, 4)], r"shape \(1, 2, 4\); it must be \(1, 2, 5\)"),
    "GRU, a pair": (lambda: nn.GRU(3, 5), [(6, 2, 3), [(1, 2, 5)] * 2], "one array as its first state, got a tuple of 2"),
    "LSTMCell, batch": (lambda: nn.LSTMCell(3, 5), [(2, 3), [(3, 5)] * 2], r"shape \(3, 5\) .* it must be \(2, 5\)"),
    "LSTMCell, one": (lambda: nn.LSTMCell(3, 5), [(2, 3), (2, 5)], r"a pair \(h, c\)"),
    "GRUCell": (lambda: nn.GRUCell(3, 5), [(2, 3), (1, 5)], r"shape \(1, 5\) .* it must be \(2, 5\)"),
    "LayerNorm": (lambda: nn.LayerNorm(4), [(2, 3)], r"shape \(..., 4\), got \(2, 3\)"),
    "BatchNorm2d, channels": (lambda: nn.BatchNorm2d(3), [(2, 4, 5, 5)], r"they must have the shape \(4,\)"),
    "BatchNorm1d, one value": (lambda: nn.BatchNorm1d(3), [(1, 3)], "one value for a channel; give a larger batch"),
    "InstanceNorm1d, one value": (
        lambda: nn.InstanceNorm1d(3, track_running_stats=True), [(2, 3, 1)], "3 channels, and more than one value",
    ),
    "InstanceNorm1d, channels": (
        lambda: nn.InstanceNorm1d(3, track_running_stats=True), [(2, 1, 4)], r"the shape \(2, 1, 4\); it takes 3 channels",
    ),
    "GroupNorm": (lambda: nn.GroupNorm(2, 4), [(2, 6, 3)], r"they must have the shape \(6,\)"),
    "PReLU": (lambda: nn.PReLU(3), [(2, 4)], "3 slopes for the axis 1"),
    "MultiheadAttention": (lambda: nn.MultiheadAttention(8, 2), [(2, 5, 6)], r"vectors of the shape \(2, 5, 6\)"),
    "MaxPool2d": (lambda: nn.MaxPool2d(2), [(3, 3)], r"shape \(3, 3\); it takes one with 4 axes"),
    "Unflatten": (lambda: nn.Unflatten(1, (2, 2)), [(2, 3)], "must multiply to 3"),
    "CrossEntropyLoss": (nn.CrossEntropyLoss, [(4, 3), np.array([0, 1, 2])], r"targets of shape \(3,\)"),
    "NLLLoss": (nn.NLLLoss, [(2, 3), (2,)], "targets of dtype 'float32'; give the numbers of the classes"),
    "MSELoss": (nn.MSELoss, [(2, 3), (4, 3)], r"shapes \(2, 3\) and \(4, 3\), which do not broadcast"),
}  # fmt: skip


def given(what):
    if isinstance(what, list):
        return tuple(map(given, what))
    return ones(*what) if isinstance(what, tuple) else ca.asarray(what) if isinstance(what, np.ndarray) else what


@pytest.mark.parametrize("name", WRONG)
def test_the_error_says_what_is_wrong_and_names_the_layer(name):
    make, args, text = WRONG[name]
    layer = make()
    before = {key: numpy_of(x) for key, x in layer.state_dict().items()}
    model = nn.Sequential(nn.Sequential(nn.Identity(), layer))
    args = [given(x) for x in args]
    with pytest.raises((TypeError, ValueError, IndexError), match=text) as caught:
        layer(*args)
    assert isinstance(caught.value, ca.CoreArrayError)
    kind = type(layer).__name__
    (note,) = [x for x in caught.value.__notes__ if x.startswith("in ")]
    assert note.startswith(f"in {kind}") and " called with " in note
    if len(args) == 1:
        with pytest.raises(type(caught.value), match=rf"in layer '0.1' of 'Sequential', {kind}"):
            model(*args)
    for key, x in layer.state_dict().items():
        np.testing.assert_array_equal(numpy_of(x), before[key])


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: nn.Linear(3, 4, bais=False), r"'Linear' has no option 'bais'; write Linear\(in_features, out_features, bias="),
        (lambda: nn.Linear(3, 4, True, "cpu"), "takes in_features, out_features, bias by position, got 4; give .* device by"),
        (lambda: nn.Linear(3), r"'Linear' needs out_features; write Linear\(in_features, out_features\)"),
        (lambda: nn.Tanh(3), "'Tanh' takes no arguments, got 1"),
        (lambda: nn.GRU(3, 4, proj_size=2), "'GRU' has no option 'proj_size'; only LSTM has projections"),
        (lambda: nn.MSELoss(size_average=True), "'size_average'; write reduction='mean' or reduction='sum'"),
        (lambda: nn.ConvTranspose2d(1, 1, 2, padding_mode="reflect"), "'padding_mode' of 'ConvTranspose2d' is one of 'zeros'"),
        (lambda: nn.Embedding(3, 4, scale_grad_by_freq=True), "leave 'scale_grad_by_freq' out"),
        (lambda: nn.Embedding.from_pretrained(ones(3)), r"takes a table with 2 axes, got the shape \(3,\)"),
        (lambda: optim.SGD([{"params": [ones(3)], "lr": 0.1}]), "groups of parameters .* write optim.partition"),
    ],
)  # fmt: skip
def test_constructors_say_what_they_take(make, text):
    with pytest.raises(Exception, match=text) as caught:
        make()
    assert isinstance(caught.value, ca.CoreArrayError)


def test_the_constructors_of_users_raise_python_s_errors():
    class Own(nn.Linear):
        def __init__(self, size):
            super().__init__(size, size)

    class Bare(nn.Module):
        def forward(self, x):
            return x

    assert Own(3).weight.shape == (3, 3)
    with pytest.raises(TypeError, match="unexpected keyword argument 'width'"):
        Own(3, width=4)
    with pytest.raises(TypeError, match="'Bare' takes no arguments, got 1"):
        Bare(3)


def test_options_of_torch_without_an_effect():
    x = ca.asarray([[-1.0, 2.0]])
    for layer in (nn.ReLU(inplace=True), nn.ReLU(True), nn.LeakyReLU(0.0, True), nn.Threshold(0.0, 0.0, inplace=True)):
        assert layer(x).tolist() == [[0.0, 2.0]] and x.tolist() == [[-1.0, 2.0]]
    assert nn.Dropout(0.5, inplace=True).eval()(x) is x
    layer = nn.TransformerEncoderLayer(8, 2, 16, dtype="float16", device=ones(1).device)
    assert {p.dtype.name for p in layer.parameters().values()} == {"float16"}
    assert len(nn.TransformerEncoder(layer, 2, enable_nested_tensor=False, mask_check=False).layers) == 2
    table = nn.Embedding.from_pretrained(x, sparse=True)
    assert table.weight is x and len(table.parameters(trainable=True)) == 0
    bags = nn.EmbeddingBag.from_pretrained(ca.asarray([[3.0, 4.0], [0.5, 0.0]]), max_norm=1.0, mode="sum")
    assert ca.round(10 * bags(ca.asarray([[0, 1]]))).tolist() == [[11.0, 8.0]]
    ends = nn.EmbeddingBag.from_pretrained(bags.weight, mode="sum", include_last_offset=True)
    assert ends(ca.asarray([0, 1, 1]), ca.asarray([0, 1, 3])).tolist() == [[3.0, 4.0], [1.0, 0.0]]
    fused = optim.SGD({"w": ones(1)}, lr=0.5, fused=True, foreach=False, maximize=True)
    fused.step({"w": ones(1)})
    assert fused.parameters["w"].tolist() == [1.5]


def test_names_of_torch_say_what_to_write():
    layer = nn.Linear(2, 2)
    for owner, name, text in (
        (layer, "register_buffer", r"'Linear' object has no attribute 'register_buffer'; write self.name = nn.Buffer"),
        (layer, "zero_grad", "gradients are values"),
        (layer, "register_forward_hook", "sees arguments and results"),
        (layer, "wieght", "has no attribute 'wieght'$"),
        (nn, "Parameter", "is a parameter: self.weight ="),
        (nn, "LazyLinear", "explicit sizes: write Linear"),
        (nn.init, "kaiming_normal_", r"layer.weight = init.kaiming_normal\(shape\)"),
        (nn.init, "nothing_", "'nothing_'$"),
        (optim, "lr_scheduler", "a schedule is the learning rate"),
        (optim, "CosineAnnealingLR", "a schedule is the learning rate"),
        (optim, "Adamm", "'Adamm'$"),
    ):
        with pytest.raises(AttributeError, match=text):
            getattr(owner, name)


def test_an_error_ends_in_the_user_s_line_and_can_be_pickled():
    class Network(nn.Module):
        def __init__(self):
            self.head = nn.Linear(3, 2)

        def forward(self, x):
            return self.head(x)

    with pytest.raises(ValueError, match=r"in layer 'head' of 'Network', Linear\(") as caught:
        Network()(ones(2, 4))
    assert caught.traceback[-1].name == "forward" and str(caught.traceback[-1].path) == __file__
    assert pickle.loads(pickle.dumps(caught.value)).args == caught.value.args


def test_indices_outside_of_a_table():
    """Backends that look at no index have no defined result there, as `embedding` says."""
    try:
        nn.Embedding(5, 3)(ca.asarray([1, 5]))
    except IndexError as error:
        assert "index 5 is out of range for axis 0 of length 5; valid are -5 to 4" in str(error)


def test_sizes_are_integers_of_any_library():
    assert nn.Linear(np.int64(3), np.int32(2)).weight.shape == (2, 3)
    assert nn.Conv2d(np.int64(3), 4, (np.int64(3), 1)).weight.shape == (4, 3, 3, 1)
    for wrong in (3.0, True, "3", np.float32(3.0), np.ones(2, int)):
        with pytest.raises(TypeError, match="'in_features' of 'Linear' is an integer"):
            nn.Linear(wrong, 2)


def test_a_loss_of_one_number_is_its_own_mean_over_the_batch():
    x = ca.asarray(0.5)
    assert float(nn.KLDivLoss(reduction="batchmean")(x, x)) == float(nn.KLDivLoss(reduction="sum")(x, x))


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: optim.adam("1e-3"), "the learning rate is a number or a schedule, a function of the step; got '1e-3'"),
        (lambda: optim.sgd(None), "a number or a schedule"),
        (lambda: optim.adam(-1e-3), "at least 0"),
        (lambda: optim.adamw(eps=-1.0), "'adam' got eps=-1.0; it is at least 0"),
        (lambda: optim.adadelta(eps="small"), "'adadelta' got eps='small'; it is a number"),
        (lambda: optim.adagrad(lr_decay=-1.0), "'adagrad' got lr_decay=-1.0"),
        (lambda: optim.rmsprop(momentum=-0.5), "'rmsprop' got momentum=-0.5"),
        (lambda: optim.nadam(momentum_decay=-1.0), "'nadam' got momentum_decay=-1.0"),
        (lambda: optim.radam(eps=float("nan")), "'radam' got eps=nan"),
    ],
)
def test_options_of_optimisers(make, text):
    with pytest.raises((TypeError, ValueError), match=text):
        make()


def test_parameters_and_gradients_that_do_not_fit_are_named():
    for optimizer in (optim.sgd(0.1), optim.adamw(0.1)):
        with pytest.raises(TypeError, match=r"floating arrays, and 'a.0' is of the dtype 'int64'"):
            optimizer.init({"a": [ca.asarray([1, 2], dtype="int64")]})
        parameters = {"a": [ones(2)]}
        state = optimizer.init(parameters)
        for shape in ((3,), (1,), (2, 2), ()):  # (1,) and () would broadcast to the parameter
            with pytest.raises(
                ValueError, match=r"the gradient of 'a.0' has the shape \(.*\), and the parameter \(2,\)"
            ):
                optimizer.update({"a": [ones(*shape)]}, state, parameters)
    model = nn.Linear(2, 2)
    before = {key: numpy_of(x) for key, x in model.state_dict().items()}
    step = optim.AdamW(model, lr=0.1)
    with pytest.raises(ValueError, match="the gradient of 'weight'"):
        step.step({"weight": ones(2), "bias": ones(2)})
    for key, x in model.state_dict().items():
        np.testing.assert_array_equal(numpy_of(x), before[key])
