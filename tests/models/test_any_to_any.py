"""Models of every framework on every other one, trained there and brought back; see README.md of this folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

TARGET = os.environ.get("COREARRAY_BACKEND") or "numpy"
LONG = "COREARRAY_TEST_LONG" in os.environ

if TARGET == "strict" or (TARGET != "torch" and not LONG):
    pytest.skip("TensorFlow takes seconds to import; run scripts/test --models", allow_module_level=True)
pytest.importorskip("jax", reason="one of the sources")
pytest.importorskip("keras", reason="one of the sources")

import matrix_judge  # noqa: E402
import training_judge  # noqa: E402
from verdicts import judged  # noqa: E402

#: The models of the normal run, one of each source.
FEW = ("numpy_convolutional", "torch_recurrent", "jax_perceptron", "tensorflow_convolutional")

#: The target of each pair of `training_judge`, by the end of its name.
OPTIMISERS = {"torch": "torch", "jax": "optax", "tensorflow": "keras"}
TRAINED = [name for name in training_judge.PAIRS if name.endswith(OPTIMISERS.get(TARGET, "nowhere"))]


@pytest.mark.parametrize("name", [name for name in matrix_judge.MODELS if LONG or name in FEW])
def test_a_model_there_and_back(name):
    verdict = judged(matrix_judge.judge, name, TARGET)
    assert not verdict.wrong, verdict


@pytest.mark.parametrize("name", [name for name in TRAINED if name not in training_judge.LIBRARIES])
def test_a_model_trained_there(name):
    verdict = judged(training_judge.judge, name, TARGET)
    assert not verdict.wrong, verdict


@pytest.mark.skipif(not LONG, reason="flax and optax are no requirements of development; run scripts/test --models")
def test_models_of_libraries_trained_there(models_python, models_environment):
    chosen = [name for name in TRAINED if name in training_judge.LIBRARIES]
    if not chosen:
        pytest.skip("NumPy has no derivatives")
    done = subprocess.run(
        [models_python, HERE / "training_judge.py", *chosen],
        capture_output=True,
        text=True,
        env=models_environment,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(
    not LONG, reason="lightning and optax are no requirements of development; run scripts/test --models"
)
@pytest.mark.parametrize("loop", {"torch": ["lightning"], "jax": ["optax"]}.get(TARGET, []))
def test_modules_in_the_training_loops_of_others(loop, models_python, models_environment):
    done = subprocess.run(
        [models_python, HERE / "guests_judge.py", loop],
        capture_output=True,
        text=True,
        env=models_environment,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
