"""Losses as classes: those that take other than normal numbers, class weights, reductions and errors."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from standard.support import array, be, numpy_of

import corearray as ca
from corearray import nn

RANDOM = np.random.default_rng(0)
P, T = RANDOM.uniform(0.1, 0.9, (4, 3)).astype("f4"), RANDOM.uniform(size=(4, 3)).astype("f4")
SIGN = np.array([1.0, -1.0, 1.0, -1.0], "f4")


@pytest.fixture(autouse=True)
def on_this_backend():
    with ca.backend_context(be):
        yield


def value(loss, *args):
    return numpy_of(loss(*map(array, args)))


def test_binary_cross_entropy_refuses_what_is_no_probability():
    for outside in (1.5, -0.5, np.nan):
        for target in (0.0, 1.0):
            with pytest.raises(ValueError, match=r"'BCELoss' takes predictions from 0 to 1, .* BCEWithLogitsLoss"):
                nn.BCELoss()(array(np.full(1, outside, "f4")), array(np.full(1, target, "f4")))
    if "reverse_mode" in be.facts:  # a program that is compiled or mapped knows no elements
        pred, target = array(np.full((2, 1), 1.5, "f4")), array(np.ones(1, "f4"))
        options = {"backend": "eager", "fullgraph": True} if "register_tracing" in be.facts else {}
        assert np.isnan(numpy_of(ca.compile(lambda x: nn.BCELoss()(x, target), **options)(pred)))
        assert np.isnan(numpy_of(ca.vmap(lambda x: nn.BCELoss()(x, target))(pred))).all()


@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning")
def test_losses_of_probabilities_signs_and_variances():
    bce = -T * np.log(P) - (1 - T) * np.log(1 - P)
    np.testing.assert_allclose(value(nn.BCELoss(), P, T), bce.mean(), rtol=1e-5)
    np.testing.assert_allclose(value(nn.BCELoss(array(T[0]), reduction="sum"), P, T), (T[0] * bce).sum(), rtol=1e-5)
    assert value(nn.BCELoss(), np.zeros(1, "f4"), np.ones(1, "f4")) == 100.0
    logits = np.log(P / (1 - P))
    weighted = nn.BCEWithLogitsLoss(pos_weight=array(np.array([2.0, 3.0, 1.0], "f4")), reduction="none")
    wanted = -T * [2.0, 3.0, 1.0] * np.log(P) - (1 - T) * np.log(1 - P)
    np.testing.assert_allclose(value(weighted, logits, T), wanted, rtol=1e-4)
    signs = SIGN[:, None] * np.ones((1, 3), "f4")
    np.testing.assert_allclose(
        value(nn.HingeEmbeddingLoss(0.5), P, signs), np.where(signs == 1, P, np.maximum(0, 0.5 - P)).mean(), rtol=1e-5
    )
    np.testing.assert_allclose(value(nn.SoftMarginLoss(), P, signs), np.log1p(np.exp(-signs * P)).mean(), rtol=1e-5)
    cos = (P * T).sum(1) / np.linalg.norm(P, axis=1) / np.linalg.norm(T, axis=1)
    wanted = np.where(SIGN == 1, 1 - cos, np.maximum(0, cos - 0.2))
    found = value(nn.CosineEmbeddingLoss(0.2, reduction="none"), P, T, SIGN)
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-6)
    wanted = 0.5 * (np.log(P) + (P - T) ** 2 / P + np.log(2 * np.pi))
    np.testing.assert_allclose(value(nn.GaussianNLLLoss(full=True), P, T, P), wanted.mean(), rtol=1e-4)


def test_class_weights():
    weight, classes = np.array([1.0, 2.0, 0.5], "f4"), np.array([2, 0, -100, 1])
    logs = P - np.log(np.exp(P).sum(1, keepdims=True))
    kept, some = classes >= 0, weight[classes[classes >= 0]]
    wanted = -(some * logs[kept, classes[kept]]).sum() / some.sum()
    np.testing.assert_allclose(value(nn.CrossEntropyLoss(array(weight)), P, classes), wanted, rtol=1e-5)
    np.testing.assert_allclose(value(nn.NLLLoss(array(weight)), logs, classes), wanted, rtol=1e-5)
    loss = nn.CrossEntropyLoss(array(weight), label_smoothing=0.1, reduction="none")
    np.testing.assert_allclose(value(loss, P, T), -(weight * (0.9 * T + 0.1 / 3) * logs).sum(1), rtol=1e-5)
    assert list(loss.buffers()) == ["weight"] and len(loss.parameters()) == 0


def test_sequences_without_blanks():
    logs = np.log(np.full((2, 1, 3), 1 / 3, "f4"))
    found = value(nn.CTCLoss(reduction="sum"), logs, np.array([[1, 2]]), np.array([2]), np.array([2]))
    np.testing.assert_allclose(found, 2 * np.log(3.0), rtol=1e-5)


def test_every_loss_is_at_both_places_and_refuses_an_unknown_reduction():
    for name in nn.losses.__all__:
        kind = getattr(nn.losses, name)
        assert getattr(nn, name) is kind and inspect.isclass(kind)
        assert "Examples\n" in kind.__doc__ and "Notes\n" in kind.__doc__
        with pytest.raises(ValueError, match=f"'reduction' of '{name}' is one of 'mean', 'sum'"):
            kind(reduction="men")
