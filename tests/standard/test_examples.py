"""The examples run on every backend, and reach the same figures."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest
from standard.support import be, needs_derivatives

import corearray as ca

FOLDER = Path(__file__).parents[2] / "examples"


def loaded(name, monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    return module


def test_digits(monkeypatch):
    with ca.backend_context(be):
        found = loaded("digits", monkeypatch).main()
    assert found["accuracy"] == pytest.approx(0.9577, abs=5e-5)
    assert found["loss"] == pytest.approx(0.15005, abs=1e-4)


@needs_derivatives
def test_network(monkeypatch, capsys):
    with ca.backend_context(be):
        network = loaded("network", monkeypatch)
        monkeypatch.setattr(network, "EPOCHS", 2)
        monkeypatch.setattr(network, "step", network.step.__wrapped__)  # compiling is tested elsewhere
        found = network.main()
    assert found["accuracy"] > 0.85
    assert capsys.readouterr().out.startswith("epoch 1: loss 1.73")


@needs_derivatives
def test_digits_cnn(monkeypatch, tmp_path):
    with ca.backend_context(be):
        found = loaded("digits_cnn", monkeypatch).main(epochs=2, checkpoint=str(tmp_path / "x"), compile=False)
    assert found["accuracy"] > 0.9 and (tmp_path / "x").exists()


@needs_derivatives
def test_gpt(monkeypatch, tmp_path):
    with ca.backend_context(be):
        losses = loaded("gpt", monkeypatch).main(steps=4, folder=str(tmp_path), compile=False)
    assert losses[-1] < losses[0]
    assert {path.name for path in tmp_path.iterdir()} == {"gpt.safetensors", "loss.svg"}
