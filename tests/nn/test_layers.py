"""Each layer with the oracle's weights: values, buffers after a call, and gradients, in training and evaluation.

The oracle is the script `nn_oracle.py` of a plugin, which computes all cases once, in float64, in a process of its own.
"""

from __future__ import annotations

import copy
import importlib.util
import inspect
import pickle
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from nn.cases import CASES
from standard.support import be, numpy_of

import corearray as ca
from corearray import nn

HERE = Path(__file__).parent
SCRIPT = next(HERE.parent.parent.glob("plugins/*/tests/nn_oracle.py"))
FRAMEWORK = SCRIPT.parent.parent.name.removeprefix("corearray-")
pytestmark = pytest.mark.skipif(importlib.util.find_spec(FRAMEWORK) is None, reason="the oracle is not installed")

WIDE = "float64"
#: For an empty batch torch does not rearrange the axes, or returns memory to which nothing was written.
UNDEFINED_FOR_NOTHING = {"PixelUnshuffle", "MultiMarginLoss", "MultiLabelMarginLoss"}
CALLS = [(number, mode) for number, case in enumerate(CASES) for mode in case.modes]
IDS = [f"{CASES[number].id}-{mode}" for number, mode in CALLS]


@cache
def expected():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "expected.npz")
        subprocess.run([sys.executable, SCRIPT, HERE, path], check=True, timeout=300)
        with np.load(path) as file:
            return dict(file)


@pytest.fixture(autouse=True)
def on_this_backend():
    with ca.backend_context(be):
        ca.random.seed(0)
        yield


def part(number, mode, what):
    prefix = f"{number}/{mode}/{what}/"
    return {key.removeprefix(prefix): x for key, x in expected().items() if key.startswith(prefix)}


def prepared(number, mode, dtype):
    case = CASES[number]
    layer = getattr(nn, case.name)(*case.args, **case.options).astype(dtype)
    layer.train((case.modes[0] if mode in ("alone", "none") else mode) == "train")
    state = part(number, mode, "state")
    layer.load_state_dict({name: ca.asarray(x) for name, x in state.items()})

    def given(x):
        return ca.asarray(x.astype(dtype) if x.dtype.kind == "f" else x)

    inputs = [given(x) for x in part(number, mode, "input").values()]
    call = {name: ca.asarray(x) if x.ndim else x.item() for name, x in part(number, mode, "call").items()}
    return layer, inputs, call


def flat(value):
    if isinstance(value, (tuple, list)):
        return [x for item in value for x in flat(item)]
    return [value]


def close(found, wanted, tolerance):
    found = numpy_of(found)
    assert found.shape == wanted.shape
    scale = max(1.0, float(np.abs(wanted).max(initial=0.0))) if wanted.dtype.kind == "f" else 1.0
    np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance * scale)


@pytest.mark.parametrize(("number", "mode"), CALLS, ids=IDS)
def test_values_and_buffers(number, mode):
    layer, inputs, call = prepared(number, mode, WIDE)
    values, wanted = flat(layer(*inputs, **call)), part(number, mode, "value")
    assert len(values) == len(wanted)
    for x, y in zip(values, wanted.values(), strict=True):
        close(x, y, 1e-6)
    for name, x in part(number, mode, "after").items():
        close(layer.buffers()[name], x, 1e-6)


@pytest.mark.filterwarnings("ignore:invalid value encountered in divide:RuntimeWarning")  # a mean over nothing
@pytest.mark.parametrize("number", range(len(CASES)), ids=[case.id for case in CASES])
def test_arguments_without_a_batch_and_with_an_empty_one(number):
    for kind in ("alone", "none"):
        wanted = part(number, kind, "value")
        if not wanted or (kind == "none" and CASES[number].name in UNDEFINED_FOR_NOTHING):
            continue  # torch refuses it, or its value has no meaning
        layer, inputs, _ = prepared(number, kind, WIDE)
        for x, y in zip(flat(layer(*inputs)), wanted.values(), strict=True):
            close(x, y, 1e-6)
        for name, x in part(number, kind, "after").items():
            close(layer.buffers()[name], x, 1e-6)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
@pytest.mark.parametrize("number", range(len(CASES)), ids=[case.id for case in CASES])
def test_half_precision(number, dtype):
    if dtype not in {str(x) for x in be.native_dtypes}:
        pytest.skip("this framework has no such dtype")
    mode = CASES[number].modes[0]
    layer, inputs, call = prepared(number, mode, "float32")
    layer.astype(dtype)
    inputs = [ca.astype(x, dtype) if x.dtype == ca.float32 else x for x in inputs]
    for x, y in zip(flat(layer(*inputs, **call)), part(number, mode, "value").values(), strict=True):
        if y.dtype.kind == "f":
            assert x.dtype.name == dtype
            close(ca.astype(x, "float32"), y.astype("float32"), 0.05 if dtype == "bfloat16" else 0.01)
    assert {x.dtype.name for x in layer.parameters().values()} <= {dtype}


@pytest.mark.skipif("reverse_mode" not in be.facts, reason="this framework does not differentiate")
@pytest.mark.parametrize("number", range(len(CASES)), ids=[case.id for case in CASES])
def test_gradients(number):
    mode = CASES[number].modes[0]
    wanted, by_input = part(number, mode, "slope"), part(number, mode, "slope_of")
    if not wanted and not by_input:
        pytest.skip("nothing is differentiated")
    layer, inputs, call = prepared(number, mode, WIDE)
    real = [i for i, x in enumerate(inputs) if x.dtype.category == "real floating"]

    def total(parameters, arguments):
        given = list(inputs)
        for i, x in zip(real, arguments, strict=True):
            given[i] = x
        values = [x for x in flat(layer.apply(parameters, *given, **call)) if x.dtype.category == "real floating"]
        weights = [np.cos(np.arange(x.size, dtype="float64")).reshape(tuple(x.shape)) for x in values]
        return sum(ca.sum(x * ca.asarray(w)) for x, w in zip(values, weights, strict=True))

    parameters = dict(layer.parameters())
    by_name, by_place = {}, []
    if parameters:
        by_name = ca.grad(total)(parameters, [inputs[i] for i in real])
    if real:
        by_place = ca.grad(total, argnums=1)(parameters, [inputs[i] for i in real])
    for name, x in wanted.items():
        close(by_name[name], x, 1e-6)
    for i, x in zip(real, by_place, strict=True):
        close(x, by_input[str(i)], 1e-6)


@pytest.mark.parametrize("number", range(len(CASES)), ids=[case.id for case in CASES])
def test_single_precision_text_and_copies(number):
    mode = CASES[number].modes[-1]
    layer, inputs, call = prepared(number, mode, "float32")
    value = flat(layer(*inputs, **call))
    for x, y in zip(value, part(number, mode, "value").values(), strict=True):
        close(x, y.astype("float32") if y.dtype.kind == "f" else y, 2e-5)
    assert repr(layer).startswith(f"{CASES[number].name}(")
    if mode == "eval":
        for other in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
            for x, y in zip(flat(other(*inputs, **call)), value, strict=True):
                np.testing.assert_array_equal(numpy_of(x), numpy_of(y))
            assert repr(other) == repr(layer)


def test_every_layer_has_a_case_and_a_complete_docstring():
    classes = {name: value for name in nn.layers.__all__ if inspect.isclass(value := getattr(nn, name))}
    assert len(classes) >= 80
    alone = {
        "AdaptiveLogSoftmaxResult",
        "FractionalMaxPool2d",
        "FractionalMaxPool3d",
        "KeyValueCache",
        "RotaryEmbedding",
        "MaxUnpool1d",
        "MaxUnpool2d",
        "MaxUnpool3d",
        "TransformerEncoder",
        "TransformerDecoder",
    }
    assert classes.keys() - {case.name for case in CASES} == alone
    for name, kind in classes.items():
        if name not in ("AdaptiveLogSoftmaxResult", "KeyValueCache"):
            assert ">>> " in kind.__doc__ and "Notes\n" in kind.__doc__, name


def test_dropout_drops_what_it_says():
    x = ca.ones((200, 50))
    for layer, axes in ((nn.Dropout(0.25), 0), (nn.Dropout1d(0.25), 1)):
        y = numpy_of(layer(x if axes == 0 else ca.ones((200, 50, 3))))
        assert set(np.unique(np.round(y, 5))) <= {0.0, np.float32(1.33333)}
        assert abs((y == 0).mean() - 0.25) < 0.03
        assert axes == 0 or (y == y[..., :1]).all()
    z = numpy_of(nn.AlphaDropout(0.3)(ca.asarray(np.random.default_rng(0).normal(size=(400, 100)).astype("f4"))))
    assert abs(z.mean()) < 0.02 and abs(z.std() - 1.0) < 0.02
    r = numpy_of(nn.RReLU(0.1, 0.3)(-ca.ones(5000)))
    assert -0.3 <= r.min() < -0.29 and -0.11 < r.max() <= -0.1
    with pytest.raises(ValueError, match=r"'p' of 'Dropout' is a number from 0 to 1, got 1.5"):
        nn.Dropout(1.5)


def test_unpooling_inverts_pooling():
    x = np.random.default_rng(0).normal(size=(2, 3, 6, 8))
    pooled, places = nn.MaxPool2d(2, return_indices=True)(ca.asarray(x))
    y = numpy_of(nn.MaxUnpool2d(2)(pooled, places))
    assert y.shape == x.shape and (y[y != 0] == x[y != 0]).all() and (y != 0).sum() == pooled.size


@pytest.mark.parametrize("groups", [4, 2, 1])
def test_attention_with_a_cache_is_that_of_the_whole(groups):
    attention = nn.MultiheadAttention(8, 4, num_kv_heads=groups)
    x = ca.asarray(np.random.default_rng(0).normal(size=(2, 6, 8)).astype("f4"))
    whole, cache, steps = attention(x, is_causal=True), attention.cache(2), []
    for begin, end in ((0, 3), (3, 4), (4, 6)):
        y, cache = attention(x[:, begin:end, :], is_causal=True, cache=cache)
        steps.append(numpy_of(y))
    np.testing.assert_allclose(np.concatenate(steps, axis=1), numpy_of(whole), rtol=1e-4, atol=1e-5)
    assert cache.keys.shape == (2, groups, 6, 2)


def test_self_attention_projects_by_one_product_of_matrices():
    attention, x = nn.MultiheadAttention(8, 2), ca.asarray(np.random.default_rng(0).normal(size=(2, 5, 8)))
    x = ca.astype(x, "float32")
    apart = attention(x, x, x + 0.0)
    np.testing.assert_allclose(numpy_of(attention(x)), numpy_of(apart), rtol=1e-5, atol=1e-6)
    if "traced_calls" not in be.facts:
        pytest.skip("this backend shows no native calls")
    texts = [attention.compile_graph(*given).source for given in ((x,), (x, x + 1.0, x))]
    alone, three = (sum(map(text.count, ("linear(", "matmul(", "MatMul", "dot_general"))) for text in texts)
    assert alone == three - 2


def test_attention_returns_weights_and_refuses():
    attention, x = nn.MultiheadAttention(8, 2), ca.ones((1, 4, 8))
    y, weights = attention(x, need_weights=True)
    assert y.shape == (1, 4, 8) and weights.shape == (1, 4, 4)
    np.testing.assert_allclose(numpy_of(ca.sum(weights, axis=-1)), 1.0, rtol=1e-5)
    with pytest.raises(ValueError, match="needs heads that divide the vectors"):
        nn.MultiheadAttention(8, 3)


def test_wrong_arguments_are_refused():
    for make, text in (
        (lambda: nn.Conv2d(3, 4, (3, 3, 3)), "'kernel_size' of 'Conv2d' is an integer or 2 of them"),
        (lambda: nn.Conv2d(3, 4, 3, groups=2), "needs channels that 'groups' divides"),
        (lambda: nn.Conv1d(3, 4, 3, 2, "same"), "with padding='same' has the stride 1"),
        (lambda: nn.BatchNorm2d(3)(ca.ones((2, 3))), "takes arrays with 4 axes"),
        (lambda: nn.LayerNorm(3)(ca.ones((2, 4))), r"takes arrays of the shape \(\.\.\., 3\)"),
        (lambda: nn.GroupNorm(3, 4), "cannot divide 4 channels into 3 groups"),
        (lambda: nn.Embedding(3, 4, padding_idx=3), "is one of 3 rows, got 3"),
        (lambda: nn.LSTM(3, 4)(ca.ones(3)), "takes arrays with 2 or 3 axes"),
        (lambda: nn.MaxPool2d(2, padding=2), "is at most half of 'kernel_size'"),
        (lambda: nn.TransformerEncoderLayer(8, 2, activation="sin"), "is one of 'relu', 'gelu', got 'sin'"),
    ):
        with pytest.raises((TypeError, ValueError), match=text):
            make()


INITIALISERS = [
    name for name in nn.init.__all__ if name not in ("fans", "constant", "identity", "dirac", "stft", "zeros", "ones")
]


@pytest.mark.parametrize("name", INITIALISERS)
def test_initialisers(name):
    shape = (60, 50, 3)
    x = numpy_of(getattr(nn.init, name)(shape, generator=ca.random.Generator(1)))
    again = numpy_of(getattr(nn.init, name)(shape, generator=ca.random.Generator(1)))
    assert x.shape == shape and x.dtype == np.float32 and (x == again).all()
    fan_in, fan_out = nn.init.fans(shape)
    variance = {
        "glorot": 2 / (fan_in + fan_out), "xavier": 2 / (fan_in + fan_out), "he": 2 / fan_in, "kaiming": 2 / fan_in,
        "orthogonal": 1 / 150, "lecun": 1 / fan_in, "variance": 1 / fan_in, "uniform": 1 / 12, "normal": 1.0,
        "truncated": 0.7737,
    }[name.partition("_")[0]]  # fmt: skip
    assert x.var() == pytest.approx(variance, rel=0.05)
    if name == "orthogonal":
        np.testing.assert_allclose(x.reshape(60, 150) @ x.reshape(60, 150).T, np.eye(60), atol=1e-5)


def test_initialisers_of_fixed_values():
    assert numpy_of(nn.init.identity((2, 3), 2.0)).tolist() == [[2.0, 0.0, 0.0], [0.0, 2.0, 0.0]]
    assert numpy_of(nn.init.constant((2,), 3.0)).tolist() == [3.0, 3.0]
    x = np.random.default_rng(0).normal(size=(1, 2, 5, 5)).astype("f4")
    passed = ca.conv2d(ca.asarray(x), nn.init.dirac((2, 2, 3, 3)), padding=1)
    np.testing.assert_allclose(numpy_of(passed), x, rtol=1e-6)


#: Of `keras.initializers`, by the names here where they differ.
KERAS = {
    "constant", "glorot_normal", "glorot_uniform", "he_normal", "he_uniform", "identity", "lecun_normal", "lecun_uniform",
    "normal", "ones", "orthogonal", "stft", "truncated_normal", "uniform", "variance_scaling", "zeros",
}  # fmt: skip


def test_initialisers_are_those_of_keras_with_its_limits():
    assert set(nn.init.__all__) >= KERAS
    dense, filters = (300, 200), (40, 30, 3, 5)
    assert nn.init.fans(dense) == (200, 300) and nn.init.fans(filters) == (450, 600)
    for shape in (dense, filters):
        fan_in, fan_out = nn.init.fans(shape)
        for name, variance in (("glorot", 2 / (fan_in + fan_out)), ("he", 2 / fan_in), ("lecun", 1 / fan_in)):
            std = variance**0.5
            x = numpy_of(getattr(nn.init, f"{name}_uniform")(shape)).astype("f8")
            assert 0.99 < np.abs(x).max() / (3**0.5 * std) <= 1.0 + 1e-6
            z = numpy_of(getattr(nn.init, f"{name}_normal")(shape)).astype("f8")
            assert 0.99 < np.abs(z).max() / (2 * std / 0.87962566) <= 1.0 + 1e-6
            for y in (x, z):
                assert abs(y.mean()) < 5 * std / y.size**0.5 and y.std() == pytest.approx(std, rel=0.02)
    x = numpy_of(nn.init.truncated_normal((40000,), 1.0, 0.5)).astype("f8")
    assert -1e-6 <= x.min() < 0.02 and 1.98 < x.max() <= 2.0 + 1e-6
    assert x.mean() == pytest.approx(1.0, abs=0.02) and x.std() == pytest.approx(0.5 * 0.87962566, rel=0.02)
    for shape in (dense, (200, 300), filters):
        q = numpy_of(nn.init.orthogonal(shape, 2.0, dtype="float64")).reshape(shape[0], -1)
        gram = q @ q.T if q.shape[0] <= q.shape[1] else q.T @ q
        np.testing.assert_allclose(gram, 4.0 * np.eye(len(gram)), atol=1e-9)


@pytest.mark.parametrize("window", ["hann", "hamming", "blackman", None])
@pytest.mark.parametrize("scaling", ["density", "spectrum", None])
def test_filters_of_a_fourier_transform(window, scaling):
    count, length = 9, 12
    weights = np.ones(length) if window is None else numpy_of(getattr(ca, f"{window}_window")(length, periodic=False))
    scale = {"density": (weights**2).sum() ** 0.5, "spectrum": np.abs(weights).sum(), None: 1.0}[scaling]
    scale = 1.0 if window is None else scale
    times = np.exp(-2j * np.pi * np.outer(np.arange(count), np.arange(length)) / (2 * (count - 1))) * weights / scale
    for side, wanted in (("real", times.real), ("imag", times.imag)):
        found = nn.init.stft((count, 1, length), side, window, scaling, dtype="float64")
        np.testing.assert_allclose(numpy_of(found)[:, 0], wanted, atol=1e-6)
    with pytest.raises(ValueError, match=r"filters of the shape \(F // 2 \+ 1, 1, T\), got the shape \(9, 2, 12\)"):
        nn.init.stft((9, 2, 12))
