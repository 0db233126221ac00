"""Checkpoints that torch wrote, of six architectures: they load strictly, give torch's outputs, and go back as they were."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from nn.architectures import architectures, example
from standard.support import array, be, numpy_of

import corearray as ca
from corearray import nn

HERE = Path(__file__).parent
SCRIPT = next(HERE.parent.parent.glob("plugins/*/tests/checkpoint_oracle.py"))
FRAMEWORK = SCRIPT.parent.parent.name.removeprefix("corearray-")
pytestmark = pytest.mark.skipif(importlib.util.find_spec(FRAMEWORK) is None, reason="the oracle is not installed")

MODELS = architectures(nn, ca.arange, ca.concat, ca.zeros)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("checkpoints")
    subprocess.run([sys.executable, SCRIPT, HERE, made], check=True, timeout=300)
    return made


def tensors(path):
    data = path.read_bytes()
    begin = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:begin])
    return {
        name: (x["dtype"], x["shape"], data[begin + x["data_offsets"][0] : begin + x["data_offsets"][1]])
        for name, x in header.items()
        if name != "__metadata__"
    }


@pytest.mark.parametrize("name", MODELS)
def test_a_checkpoint_loads_and_goes_back(folder, tmp_path, name):
    with ca.backend_context(be), np.load(folder / "outputs.npz") as outputs:
        model = MODELS[name]().eval()
        assert nn.load(model, folder / f"{name}.safetensors") == nn.LoadReport((), (), ())
        found = numpy_of(model(array(example(name))))
        np.testing.assert_allclose(found, outputs[name], rtol=1e-5, atol=1e-5)
        nn.save(model, tmp_path / "back.safetensors")
    assert tensors(tmp_path / "back.safetensors") == tensors(folder / f"{name}.safetensors")


def test_a_wrong_name_is_refused_with_the_nearest(folder):
    with ca.backend_context(be):
        model = MODELS["mlp"]()
        model.replace("2", nn.Identity())
        before = numpy_of(model[0].weight)
        with pytest.raises(KeyError, match=r"unexpected: '2.weight'"):
            nn.load(model, folder / "mlp.safetensors")
        np.testing.assert_array_equal(numpy_of(model[0].weight), before)
        report = nn.load(model, folder / "mlp.safetensors", strict=False)
        assert report.unexpected == ("2.weight", "2.bias") and report.missing == ()
