"""Each schedule against the framework's own, step by step."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from standard.support import be

import corearray as ca
from corearray import optim

sys.path.insert(0, str(Path(__file__).parent))
from oracle import expected

LR = 0.3
#: The name of the class, its options there, the same schedule here, and for how many steps.
CASES = {
    "step": ("StepLR", {"step_size": 7, "gamma": 0.3}, optim.step_decay(LR, 7, 0.3), 60),
    "multistep": ("MultiStepLR", {"milestones": [5, 9], "gamma": 0.2}, optim.multistep_decay(LR, [5, 9], 0.2), 20),
    "exponential": ("ExponentialLR", {"gamma": 0.93}, optim.exponential_decay(LR, 0.93), 60),
    "cosine": ("CosineAnnealingLR", {"T_max": 30, "eta_min": 0.01}, optim.cosine_decay(LR, 30, end=0.01), 30),
    "restarts": (
        "CosineAnnealingWarmRestarts",
        {"T_0": 5, "T_mult": 2, "eta_min": 0.01},
        optim.cosine_restarts(LR, 5, factor=2, end=0.01),
        60,
    ),
    "equal restarts": ("CosineAnnealingWarmRestarts", {"T_0": 7}, optim.cosine_restarts(LR, 7), 60),
    "linear": (
        "LinearLR",
        {"start_factor": 0.25, "end_factor": 0.9, "total_iters": 9},
        optim.linear(0.25 * LR, 0.9 * LR, 9),
        20,
    ),
    "polynomial": ("PolynomialLR", {"total_iters": 12, "power": 2.0}, optim.polynomial_decay(LR, 12, power=2.0), 20),
    "one cycle": ("OneCycleLR", {"max_lr": 0.9, "total_steps": 40}, optim.one_cycle(0.9, 40), 40),
    "one linear cycle": (
        "OneCycleLR",
        {"max_lr": 0.9, "total_steps": 40, "anneal_strategy": "linear", "three_phase": True, "pct_start": 0.4},
        optim.one_cycle(0.9, 40, anneal="linear", three_phase=True, pct_start=0.4),
        40,
    ),
    "constant": ("ConstantLR", {"factor": 1.0}, optim.constant(LR), 9),
    "join": (
        "SequentialLR",
        {
            "schedulers": [
                ["LinearLR", {"start_factor": 0.1, "total_iters": 5}],
                ["ExponentialLR", {"gamma": 0.9}],
            ],
            "milestones": [5],
        },
        optim.join([optim.linear(0.1 * LR, LR, 5), optim.exponential_decay(LR, 0.9)], [5]),
        30,
    ),
    "warm-up": (
        "SequentialLR",
        {
            "schedulers": [
                ["LinearLR", {"start_factor": 0.1, "total_iters": 5}],
                ["CosineAnnealingLR", {"T_max": 20}],
            ],
            "milestones": [5],
        },
        optim.warmup_cosine(LR, warmup=5, steps=25, start=0.1 * LR),
        25,
    ),
}
QUESTIONS = {
    name: {"name": cls, "options": options, "lr": LR, "steps": n} for name, (cls, options, _, n) in CASES.items()
}

VALUES = [3.0, 2.0, 2.5, 2.4, 2.3, 1.0, 0.9999, 1.2, 1.1, 1.3, 0.5, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6]
PLATEAUS = {
    "default": {"patience": 2, "factor": 0.5},
    "cooldown": {"patience": 1, "factor": 0.5, "cooldown": 2},
    "absolute": {"patience": 1, "factor": 0.5, "threshold": 0.3, "threshold_mode": "abs"},
    "rising": {"patience": 1, "factor": 0.5, "mode": "max"},
    "rising absolutely": {"patience": 1, "factor": 0.5, "mode": "max", "threshold": 0.2, "threshold_mode": "abs"},
    "least": {"patience": 0, "factor": 0.5, "min_lr": 0.05},
}
QUESTIONS |= {
    f"plateau, {name}": {
        "name": "ReduceLROnPlateau",
        "options": options,
        "lr": LR,
        "steps": len(VALUES),
        "values": VALUES,
    }
    for name, options in PLATEAUS.items()
}


@pytest.fixture(autouse=True)
def on_this_backend():
    with ca.backend_context(be):
        yield


@pytest.mark.parametrize("name", CASES)
def test_a_schedule_equals_the_framework_s_own(name):
    _, _, schedule, steps = CASES[name]
    want = expected(QUESTIONS, name)
    found = be.to_numpy(schedule(be.arange(steps)))
    assert str(found.dtype) == "float32"
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-7 * LR)
    for step in (0, 1, steps - 1):
        np.testing.assert_allclose(float(schedule(step)), want[step], rtol=1e-6, atol=1e-7 * LR)


@pytest.mark.parametrize("name", PLATEAUS)
def test_plateaus(name):
    want = expected(QUESTIONS, f"plateau, {name}")
    options = dict(PLATEAUS[name])
    if "min_lr" in options:
        options["min_scale"] = options.pop("min_lr") / LR
    optimizer = optim.chain(optim.plateau(**options), optim.sgd(LR))
    zero, one = be.zeros(1), be.ones(1)
    state, found = optimizer.init([zero]), []
    for value in VALUES:
        (after,), state = optimizer.update([one], state, [zero], value=be.asarray(value))
        found.append(-float(after[0]))
    np.testing.assert_allclose(found, want, rtol=1e-6)


def test_a_plateau_over_several_steps():
    falling = optim.plateau(0.5, patience=0, every=2)
    state, one = falling.init([be.ones(1)]), [be.ones(1)]
    scales = []
    for value in (3.0, 1.0, 2.0, 2.0, 9.0, 9.0):
        _, state = falling.transform(one, state, one, value=value)
        scales.append(float(state["scale"]))
    assert scales == [1.0, 1.0, 1.0, 0.5, 0.5, 0.25]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: optim.step_decay(1.0, 0), "there is at least 1"),
        (lambda: optim.exponential_decay(1.0, 0.0), "above 0"),
        (lambda: optim.polynomial_decay(1.0, 3, power=0.0), "above 0"),
        (lambda: optim.cosine_restarts(1.0, 3, factor=0.5), "integer from 1 up"),
        (lambda: optim.one_cycle(1.0, 3, anneal="up"), "'cos', 'linear'"),
        (lambda: optim.one_cycle(1.0, 3, pct_start=2.0), "between 0 and 1"),
        (lambda: optim.warmup_cosine(1.0, 5, 5), "more steps than warm-up"),
        (lambda: optim.join([optim.constant(1.0)], [3]), "one boundary less"),
        (lambda: optim.join([optim.constant(1.0), 3.0], [3]), "takes schedules"),
        (lambda: optim.plateau(2.0), "between 0 and 1"),
        (lambda: optim.plateau(mode="up"), "'min', 'max'"),
        (lambda: optim.plateau(every=0), "at least 1"),
        (lambda: optim.plateau().transform([], optim.plateau().init([be.ones(1)]), []), "needs the loss"),
        (lambda: optim.sgd(-0.1), "at least 0"),
        (lambda: optim.muon(adjust_lr_fn="up"), "'original', 'match_rms_adamw'"),
        (lambda: optim.adafactor(d=0.5), "d is at least 1"),
        (lambda: optim.get_learning_rate(()), "no learning rate"),
    ],
)
def test_what_is_wrong_is_refused(wrong, message):
    with pytest.raises((TypeError, ValueError), match=message):
        wrong()
