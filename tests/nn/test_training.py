"""Losses of three models over 30 steps are the same on every backend: those of `losses.json`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from nn import models
from standard.support import be, needs_derivatives

import corearray as ca

EXPECTED = json.loads(Path(__file__).with_name("losses.json").read_text())
OPTIONS = {"backend": "eager", "fullgraph": True} if "register_tracing" in be.facts else {}

pytestmark = needs_derivatives


@pytest.mark.parametrize("name", models.MODELS)
def test_losses_are_those_of_every_backend(name):
    with ca.backend_context(be):
        found, step = models.losses(name, 30, **OPTIONS)
    np.testing.assert_allclose(found, EXPECTED[name], rtol=1e-3 if name == "cnn" else 1e-5)
    assert found[-1] < 0.75 * found[0]
    assert step.traces <= 2, "once, and once more for a program that draws"


def test_eager_steps_are_the_compiled_ones():
    with ca.backend_context(be):
        found, _ = models.losses("cnn", 4, compile=False)
    np.testing.assert_allclose(found, EXPECTED["cnn"][:4], rtol=1e-5)
