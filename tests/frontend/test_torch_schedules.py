"""torch.optim.lr_scheduler of the frontend beside torch's own: rates and momenta of each step."""

from __future__ import annotations

import pytest
import torch as native

import corearray.frontend.torch as torch
from corearray.frontend.torch.optim import lr_scheduler as schedules


def cyclic(s, o, **options):
    return s.CyclicLR(o, 0.1, 1.0, step_size_up=4, step_size_down=7, **options)


CASES = {
    "lambda": lambda s, o: s.LambdaLR(o, [lambda n: 0.9**n, lambda n: 1 / (1 + n)]),
    "multiplicative": lambda s, o: s.MultiplicativeLR(o, lambda n: 0.9),
    "step": lambda s, o: s.StepLR(o, 3, 0.5),
    "steps": lambda s, o: s.MultiStepLR(o, [2, 5, 5, 9], 0.5),
    "constant": lambda s, o: s.ConstantLR(o, 0.5, 4),
    "linear": lambda s, o: s.LinearLR(o, 0.25, 0.75, 6),
    "exponential": lambda s, o: s.ExponentialLR(o, 0.8),
    "polynomial": lambda s, o: s.PolynomialLR(o, 7, 2.0),
    "cosine": lambda s, o: s.CosineAnnealingLR(o, 5, 0.01),
    "restarts": lambda s, o: s.CosineAnnealingWarmRestarts(o, 4, 2, 0.01),
    "same restarts": lambda s, o: s.CosineAnnealingWarmRestarts(o, 4),
    "cycle": cyclic,
    "cycle 2": lambda s, o: cyclic(s, o, mode="triangular2", cycle_momentum=False),
    "cycle 3": lambda s, o: cyclic(s, o, mode="exp_range", gamma=0.9),
    "cycle 4": lambda s, o: cyclic(s, o, scale_fn=lambda x: 1 / x),
    "one cycle": lambda s, o: s.OneCycleLR(o, 1.0, total_steps=30),
    "one cycle of three": lambda s, o: s.OneCycleLR(
        o, [1.0, 2.0], epochs=5, steps_per_epoch=6, three_phase=True, anneal_strategy="linear"
    ),
    "sequence": lambda s, o: s.SequentialLR(
        o, [s.LinearLR(o, 0.1, 1.0, 4), s.MultiplicativeLR(o, lambda n: 0.9), s.CosineAnnealingLR(o, 9)], [5, 12]
    ),
    "chain": lambda s, o: s.ChainedScheduler([s.ConstantLR(o, 0.1, 3), s.ExponentialLR(o, 0.9)], o),
    "chain in a sequence": lambda s, o: s.SequentialLR(
        o, [s.ChainedScheduler([s.ConstantLR(o, 0.1, 3), s.ExponentialLR(o, 0.9)]), s.StepLR(o, 2, 0.5)], [7]
    ),
}


def optimizers(kind, **options):
    made = []
    for of in (native, torch):
        ws = [of.nn.Parameter(of.ones(2)) for _ in range(2)]
        groups = [{"params": [ws[0]]}, {"params": [ws[1]], "lr": 0.5}]
        made.append(getattr(of.optim, kind)(groups, lr=1.0, **options))
    return made


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", ["SGD", "Adam"])
@pytest.mark.parametrize("name", CASES)
def test_rates(name, kind):
    theirs, ours = optimizers(kind, **({"momentum": 0.5} if kind == "SGD" else {}))
    a, b = CASES[name](native.optim.lr_scheduler, theirs), CASES[name](schedules, ours)
    for step in range(29):
        assert b.get_last_lr() == pytest.approx(a.get_last_lr(), rel=1e-6, abs=1e-9), step
        for one, other in zip(ours.param_groups, theirs.param_groups, strict=True):
            assert one["lr"] == pytest.approx(other["lr"], rel=1e-6, abs=1e-9)
            for word in ("momentum", "betas"):
                assert one.get(word) == pytest.approx(other.get(word)) or one.get(word) == other.get(word)
        if step == 11:
            saved = b.state_dict()
            b = CASES[name](schedules, ours)
            b.load_state_dict(saved)
            for one, other in zip(ours.param_groups, theirs.param_groups, strict=True):
                one.update({word: x for word, x in other.items() if word != "params"})
        a.step()
        b.step()


@pytest.mark.parametrize("options", [{}, {"mode": "max", "threshold_mode": "abs", "threshold": 0.2, "cooldown": 2}])
def test_rates_by_a_measure(options):
    theirs, ours = optimizers("SGD")
    a = native.optim.lr_scheduler.ReduceLROnPlateau(theirs, factor=0.5, patience=1, **options)
    b = schedules.ReduceLROnPlateau(ours, factor=0.5, patience=1, **options)
    for measure in (3.0, 2.0, 2.0, 2.1, 2.2, 2.5, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.5, 2.9):
        a.step(measure)
        b.step(torch.tensor(measure))
        assert b.get_last_lr() == a.get_last_lr()


def test_what_is_refused():
    _, ours = optimizers("Adadelta")
    with pytest.raises(TypeError, match="an optimiser of this frontend, got Module"):
        schedules.StepLR(torch.nn.Module(), 2)
    with pytest.raises(ValueError, match="no momentum to cycle"):
        schedules.OneCycleLR(ours, 1.0, total_steps=5)
    with pytest.raises(ValueError, match="total_steps, or epochs"):
        schedules.OneCycleLR(ours, 1.0)
    with pytest.raises(ValueError, match="3 values, and the optimiser 2 groups"):
        schedules.LambdaLR(ours, [abs, abs, abs])
    with pytest.raises(ValueError, match="a milestone between two schedules"):
        schedules.SequentialLR(ours, [schedules.StepLR(ours, 2)], [3])
    with pytest.raises(ValueError, match="different optimisers"):
        schedules.ChainedScheduler([schedules.StepLR(ours, 2)], optimizers("SGD")[1])
    with pytest.raises(ValueError, match="'initial_lr' is not in group 0"):
        schedules.StepLR(optimizers("SGD")[1], 2, last_epoch=3)


def test_options_of_groups_that_change_count():
    """A schedule of momenta changed dictionaries that no step read."""
    import numpy as np

    import corearray as ca

    with ca.backend_context("torch"):
        theirs, ours = optimizers("SGD", momentum=0.5)
        for step in range(4):
            for of, optimizer in ((native, theirs), (torch, ours)):
                for group in optimizer.param_groups:
                    group["momentum"] = 0.2 * step
                    group["weight_decay"] = 0.1 * step
                    (w,) = group["params"]
                    w.grad = None
                    (w * w * of.arange(1, 3)).sum().backward()
                optimizer.step()
        for one, other in zip(ours.param_groups, theirs.param_groups, strict=True):
            np.testing.assert_allclose(np.asarray(one["params"][0].detach()), other["params"][0].detach(), rtol=1e-6)
