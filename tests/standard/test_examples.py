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
    checkpoint, picture = tmp_path / "gpt.safetensors", tmp_path / "loss.svg"
    with ca.backend_context(be):
        gpt = loaded("gpt", monkeypatch)
        losses = gpt.main(steps=4, checkpoint=str(checkpoint), picture=str(picture), compile=False)
        more = gpt.main(steps=1, checkpoint=str(checkpoint), compile=False)
    assert losses[-1] < losses[0] and more[0] < losses[0], "the same batch, after four steps"
    assert {path.name for path in tmp_path.iterdir()} == {"gpt.safetensors", "loss.svg"}


@needs_derivatives
def test_finetune(monkeypatch, tmp_path):
    file, picture = tmp_path / "half.safetensors", tmp_path / "loss.svg"
    with ca.backend_context(be):
        finetune = loaded("finetune", monkeypatch)
        monkeypatch.setattr(finetune, "BATCH", 256)
        quick = (
            "register_tracing" not in be.facts
        )  # one program compiles faster than many functions, where it is traced
        found = finetune.main(epochs=1, file=str(file), picture=str(picture), compile=quick)
    assert found["losses"][-1] < 0.7 * found["losses"][0] and file.exists() and picture.exists()
