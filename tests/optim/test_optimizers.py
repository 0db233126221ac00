"""Each optimiser against the framework's own over 20 steps; those without one against their formulas in NumPy."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from standard.support import be

import corearray as ca
from corearray import nn, optim
from corearray.transforms.tree import Tree

sys.path.insert(0, str(Path(__file__).parent))
from oracle import expected

STEPS = 20
RANDOM = np.random.default_rng(0)
SHAPES = [(3, 4), (4,), (5, 2)]
PARAMETERS = [RANDOM.normal(size=shape) for shape in SHAPES]
TARGETS = [RANDOM.normal(size=shape) for shape in SHAPES]
NOISE = [[RANDOM.normal(size=shape) for shape in SHAPES] for _ in range(STEPS)]

#: The name of the class, its options there, and the same optimiser here.
CASES = {
    "sgd": ("SGD", {"lr": 0.05}, optim.sgd(0.05)),
    "momentum": (
        "SGD",
        {"lr": 0.05, "momentum": 0.9, "weight_decay": 0.1},
        optim.sgd(0.05, momentum=0.9, weight_decay=0.1),
    ),
    "dampening": ("SGD", {"lr": 0.05, "momentum": 0.9, "dampening": 0.5}, optim.sgd(0.05, momentum=0.9, dampening=0.5)),
    "nesterov": ("SGD", {"lr": 0.05, "momentum": 0.9, "nesterov": True}, optim.sgd(0.05, momentum=0.9, nesterov=True)),
    "adam": ("Adam", {"lr": 0.05, "weight_decay": 0.1}, optim.adam(0.05, weight_decay=0.1)),
    "amsgrad": ("Adam", {"lr": 0.05, "amsgrad": True}, optim.adam(0.05, amsgrad=True)),
    "adam by default": ("Adam", {}, optim.adam()),
    "adamw": ("AdamW", {"lr": 0.05, "betas": [0.8, 0.95]}, optim.adamw(0.05, betas=(0.8, 0.95))),
    "adamw by default": ("AdamW", {}, optim.adamw()),
    "nadam": ("NAdam", {"lr": 0.05, "weight_decay": 0.1}, optim.nadam(0.05, weight_decay=0.1)),
    "radam": ("RAdam", {"lr": 0.05, "weight_decay": 0.1}, optim.radam(0.05, weight_decay=0.1)),
    "nadam, decoupled": (
        "NAdam",
        {"lr": 0.05, "weight_decay": 0.1, "decoupled_weight_decay": True},
        optim.nadam(0.05, weight_decay=0.1, decoupled_weight_decay=True),
    ),
    "radam, decoupled": (
        "RAdam",
        {"lr": 0.05, "weight_decay": 0.1, "decoupled_weight_decay": True},
        optim.radam(0.05, weight_decay=0.1, decoupled_weight_decay=True),
    ),
    "adam, decoupled": (
        "Adam",
        {"lr": 0.05, "weight_decay": 0.1, "decoupled_weight_decay": True},
        optim.adam(0.05, weight_decay=0.1, decoupled_weight_decay=True),
    ),
    "radam, short": ("RAdam", {"lr": 0.05, "betas": [0.9, 0.9]}, optim.radam(0.05, betas=(0.9, 0.9))),
    "adamax": ("Adamax", {"lr": 0.05, "weight_decay": 0.1}, optim.adamax(0.05, weight_decay=0.1)),
    "adagrad": (
        "Adagrad",
        {"lr": 0.05, "lr_decay": 0.1, "initial_accumulator_value": 0.5, "weight_decay": 0.1},
        optim.adagrad(0.05, lr_decay=0.1, initial_accumulator_value=0.5, weight_decay=0.1),
    ),
    "adadelta": ("Adadelta", {"lr": 0.5, "weight_decay": 0.1}, optim.adadelta(0.5, weight_decay=0.1)),
    "rmsprop": ("RMSprop", {"lr": 0.05, "weight_decay": 0.1}, optim.rmsprop(0.05, weight_decay=0.1)),
    "rmsprop, centered": (
        "RMSprop",
        {"lr": 0.05, "momentum": 0.9, "centered": True, "alpha": 0.9},
        optim.rmsprop(0.05, momentum=0.9, centered=True, alpha=0.9),
    ),
    "adafactor": ("Adafactor", {"lr": 0.05, "weight_decay": 0.1}, optim.adafactor(0.05, weight_decay=0.1)),
    "adafactor, fast": (
        "Adafactor",
        {"lr": 0.9, "d": 2.0, "eps": [1e-6, 0.1]},
        optim.adafactor(0.9, d=2.0, eps=(1e-6, 0.1)),
    ),
    "muon": ("Muon", {"lr": 0.05}, optim.muon(0.05)),
    "muon as adamw": (
        "Muon",
        {"lr": 0.05, "nesterov": False, "adjust_lr_fn": "match_rms_adamw"},
        optim.muon(0.05, nesterov=False, adjust_lr_fn="match_rms_adamw"),
    ),
    "clipped": ("SGD", {"lr": 0.05}, optim.chain(optim.clip_by_global_norm(0.7), optim.sgd(0.05))),
}


@pytest.fixture(autouse=True)
def on_this_backend():
    with ca.backend_context(be):
        yield


def _chosen(name, what):
    """Leave vectors out for the optimiser of matrices."""
    return [x for x in what if x.ndim == 2] if name.startswith("muon") else what


def _question(name, dtype):
    cls, options, _ = CASES[name]
    return {
        "name": cls,
        "options": options,
        "dtype": dtype,
        "parameters": [x.tolist() for x in _chosen(name, PARAMETERS)],
        "targets": [x.tolist() for x in _chosen(name, TARGETS)],
        "noise": [[x.tolist() for x in _chosen(name, noise)] for noise in NOISE],
        "clip": 0.7 if name == "clipped" else None,
    }


QUESTIONS = {f"{name}, {dtype}": _question(name, dtype) for name in CASES for dtype in ("float64", "float32")}


def _taken(optimizer, name, dtype):
    parameters, targets, *noise = (
        [be.asarray(x.astype(dtype)) for x in _chosen(name, one)] for one in (PARAMETERS, TARGETS, *NOISE)
    )
    state = optimizer.init(parameters)
    for one in noise:
        gradients = [p - t + n for p, t, n in zip(parameters, targets, one, strict=True)]
        parameters, state = optimizer.update(gradients, state, parameters)
    return [be.to_numpy(p) for p in parameters]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", CASES)
def test_an_optimiser_equals_the_framework_s_own(name, dtype):
    want = expected(QUESTIONS, f"{name}, {dtype}")
    found = _taken(CASES[name][2], name, dtype)
    tolerance = 1e-6 if dtype == "float64" else 5e-6
    for x, y in zip(found, want, strict=True):
        assert str(x.dtype) == dtype
        np.testing.assert_allclose(x, np.asarray(y), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("make", [optim.adam, optim.adamw, optim.nadam])
def test_a_square_that_overflows_makes_no_nan(make):
    parameters, optimizer = [be.asarray([1.0], dtype="float32")], make(0.1)
    state = optimizer.init(parameters)
    with np.errstate(over="ignore"):
        for gradient in (1e30, 1.0, 1.0):
            parameters, state = optimizer.update([be.asarray([gradient], dtype="float32")], state, parameters)
    assert np.isfinite(be.to_numpy(parameters[0])).all()


def _by_hand(step):
    """Take the steps of a function of a gradient, a parameter, its own state and the number of the step."""
    found = []
    for i, p in enumerate(PARAMETERS):
        state = {}
        for n in range(1, STEPS + 1):
            p = step(p - TARGETS[i] + NOISE[n - 1][i], p, state, n)
        found.append(p)
    return found


def _lion(g, p, state, n):
    m = state.get("m", 0.0)
    state["m"] = 0.99 * m + 0.01 * g
    return p - 0.05 * (np.sign(0.9 * m + 0.1 * g) + 0.1 * p)


def _lamb(g, p, state, n):
    state["m"] = 0.9 * state.get("m", 0.0) + 0.1 * g
    state["v"] = 0.999 * state.get("v", 0.0) + 0.001 * g * g
    r = state["m"] / (1 - 0.9**n) / (np.sqrt(state["v"] / (1 - 0.999**n)) + 1e-6) + 0.1 * p
    return p - 0.05 * np.linalg.norm(p) / np.linalg.norm(r) * r


def _lars(g, p, state, n):
    g = g + 0.1 * p
    state["v"] = 0.9 * state.get("v", 0.0) + 0.5 * 0.1 * np.linalg.norm(p) / np.linalg.norm(g) * g
    return p - state["v"]


@pytest.mark.parametrize(
    ("optimizer", "step"),
    [
        (optim.lion(0.05, weight_decay=0.1), _lion),
        (optim.lamb(0.05, weight_decay=0.1), _lamb),
        (optim.lars(0.5, trust_coefficient=0.1, weight_decay=0.1), _lars),
    ],
)
def test_an_optimiser_equals_its_formula(optimizer, step):
    for x, y in zip(_taken(optimizer, "", "float64"), _by_hand(step), strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-6, atol=1e-7)


def test_muon_with_another_optimiser_for_the_rest():
    found = _taken(optim.muon(0.05, rest=optim.sgd(0.05)), "", "float64")
    np.testing.assert_allclose(found[1], _taken(optim.sgd(0.05), "", "float64")[1])
    np.testing.assert_allclose(found[0], _taken(optim.muon(0.05), "muon", "float64")[0])
    with pytest.raises(ValueError, match="it takes matrices"):
        _taken(optim.muon(0.05), "", "float64")


@pytest.mark.parametrize("decay", [0.75, None])
def test_averages_of_weights(decay):
    optimizer = optim.chain(optim.sgd(0.1), optim.average_weights(decay))
    p = be.asarray(np.asarray([4.0]))
    state, seen = optimizer.init([p]), []
    for _ in range(6):
        (p,), state = optimizer.update([p], state, [p])
        seen.append(float(p[0]))
    want = np.mean(seen) if decay is None else seen[0]
    for x in seen[1:] if decay is not None else ():
        want = decay * want + (1 - decay) * x
    np.testing.assert_allclose(float(optim.averaged(state)[0][0]), want, rtol=1e-6)
    with pytest.raises(ValueError, match="average_weights"):
        optim.averaged(optim.sgd(0.1).init([p]))


CLASSES = [
    "SGD",
    "Adam",
    "AdamW",
    "NAdam",
    "RAdam",
    "Adamax",
    "Adagrad",
    "Adadelta",
    "RMSprop",
    "Adafactor",
    "Lion",
    "LAMB",
    "LARS",
]


@pytest.mark.parametrize("name", CLASSES)
def test_classes_write_into_trees(name):
    parameters = {"w": be.asarray(PARAMETERS[0]), "deep": [be.asarray(PARAMETERS[1])]}
    before = {"w": parameters["w"], "deep": [parameters["deep"][0]]}
    optimizer = getattr(optim, name)(parameters, lr=0.1)
    function = getattr(optim, name.lower())(0.1)
    state = function.init(before)
    for _ in range(3):
        before, state = function.update(before, state, before)
        optimizer.step({"w": parameters["w"], "deep": list(parameters["deep"])})
    np.testing.assert_allclose(be.to_numpy(parameters["w"]), be.to_numpy(before["w"]))
    np.testing.assert_allclose(be.to_numpy(parameters["deep"][0]), be.to_numpy(before["deep"][0]))
    optimizer.learning_rate = 0.0
    assert float(optimizer.learning_rate) == 0.0
    saved = optimizer.state_dict()
    optimizer.load_state_dict(saved)
    with pytest.raises(ValueError, match="other parameters"):
        optimizer.load_state_dict(saved[1:])
    assert isinstance(optim.chain(optim.clip_by_value(1.0), optimizer), optim.Transformation)


def test_a_class_optimises_a_module():
    class Model:
        def __init__(self):
            self.w = be.asarray(np.asarray([1.0, 2.0]))

        def parameters(self, *, trainable=None):
            return {"w": self.w}

        def set_parameters(self, parameters):
            self.w = parameters["w"]

    model = Model()
    optim.SGD(model, lr=0.5).step({"w": be.asarray(np.asarray([1.0, 1.0]))})
    assert model.w.tolist() == [0.5, 1.5]


def test_gradients_by_a_module():
    model = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2))
    model[0].freeze("bias")
    before, bias = be.to_numpy(model[0].weight), be.to_numpy(model[0].bias)
    optim.SGD(model, lr=0.5).step(ca.tree_map(be.ones_like, model))
    np.testing.assert_allclose(be.to_numpy(model[0].weight), before - 0.5, rtol=1e-6)
    np.testing.assert_array_equal(be.to_numpy(model[0].bias), bias)
    with pytest.raises(TypeError, match=r"1\.num_batches_tracked.*leave it out"):
        optim.adam().init(model)


def test_names_of_parameters_in_objects():
    @dataclass
    class Pair:
        first: dict
        second: list

    tree = {"a": Pair({"weight": be.ones((2, 3))}, [be.ones(2), None]), "b": be.ones(3)}
    seen = []
    decay = optim.add_decayed_weights(0.1, mask=lambda name, p: seen.append(name) or p.ndim == 2)
    decay.transform(tree, decay.init(tree), tree)
    assert list(dict.fromkeys(seen)) == ["a.0.weight", "a.1.0", "b"]


@pytest.mark.parametrize("name", ["nadam", "radam", "adafactor", "adadelta", "muon"])
def test_half_precision_keeps_its_dtype(name):
    if ca.bfloat16 not in be.native_dtypes:
        return
    parameters = [be.ones((2, 3), dtype=be.bfloat16)]
    optimizer = getattr(optim, name)(0.1)
    state = optimizer.init(parameters)
    for _ in range(2):
        parameters, state = optimizer.update([be.ones((2, 3), dtype=be.bfloat16)], state, parameters)
    assert parameters[0].dtype is ca.bfloat16


WHOLE = {
    "adam": optim.adam(0.05, weight_decay=0.1, mask=r"0|2"),
    "amsgrad": optim.adam(0.05, amsgrad=True),
    "adamw": optim.adamw(optim.warmup_cosine(0.1, 3, 20), weight_decay=0.1, mask=lambda name, p: p.ndim == 2),
    "clipped": optim.chain(optim.clip_by_global_norm(0.7), optim.chain(optim.adamw(0.05, amsgrad=True))),
}


def _leaves(tree):
    return [be.to_numpy(x) for x in Tree(tree).leaves]


@pytest.mark.parametrize("layout", ["in order", "transposed", "mixed"])
@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_step_equals_its_direction_added_to_the_parameters(name, layout):
    optimizer = WHOLE[name]
    dtypes = ["float32", "float64", "float32"] if layout == "mixed" else ["float32"] * 3

    def arrays(values):
        made = [be.asarray(x, dtype=dtype) for x, dtype in zip(values, dtypes, strict=True)]
        if layout == "transposed":  # not in the order of memory
            made = [
                be.matrix_transpose(be.asarray(be.matrix_transpose(x), copy=True)) if x.ndim == 2 else x for x in made
            ]
        return made

    parameters = other = arrays(PARAMETERS)
    state = same = optimizer.init(parameters)
    first = _leaves((parameters, state))
    for noise in NOISE[:5]:
        before, gradients = (parameters, state), arrays(noise)
        held = _leaves(before)
        parameters, state = optimizer.update(gradients, state, parameters)
        for x, y in zip(_leaves(before), held, strict=True):  # the arrays before the step are kept
            np.testing.assert_array_equal(x, y)
        updates, same = optimizer.transform(gradients, same, other)
        other = optim.apply_updates(other, updates)
        for x, y in zip(_leaves((parameters, state)), _leaves((other, same)), strict=True):
            assert x.dtype == y.dtype
            np.testing.assert_allclose(x, y, rtol=3e-6, atol=3e-7)
    assert any(not np.array_equal(x, y) for x, y in zip(_leaves((parameters, state)), first, strict=True))


def test_a_step_of_adam_is_differentiable():
    if be.name in ("numpy", "strict"):
        pytest.skip("nothing is differentiated")
    optimizer, start = optim.adamw(0.1, weight_decay=0.5), be.asarray(PARAMETERS[0])
    state = optimizer.init([start])

    def after(scale, step):
        gradients = [scale * start]
        if step == "whole":
            new, _ = optimizer.update(gradients, state, [start])
        else:
            new = optim.apply_updates([start], optimizer.transform(gradients, state, [start])[0])
        return be.sum(new[0] * be.asarray(TARGETS[0]))

    scale = be.asarray(1e-8, dtype="float64")  # where `eps` matters, and the direction changes
    whole, parts = (float(ca.grad(lambda x, step=step: after(x, step))(scale)) for step in ("whole", "parts"))
    assert whole != 0
    np.testing.assert_allclose(whole, parts, rtol=1e-6)
