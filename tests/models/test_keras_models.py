"""Models of Keras on a backend, compared with Keras; see README.md of this folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

TARGET = os.environ.get("COREARRAY_BACKEND") or "numpy"
LONG = "COREARRAY_TEST_LONG" in os.environ

if TARGET == "strict" or (TARGET != "torch" and not LONG):
    pytest.skip("TensorFlow takes seconds to import; run scripts/test --models", allow_module_level=True)
pytest.importorskip("keras", reason="the models are compared with Keras")

from keras_judge import MODELS, SMALL, judge  # noqa: E402
from verdicts import error_of, judged  # noqa: E402

import corearray as ca  # noqa: E402


@pytest.mark.parametrize("name", SMALL)
def test_a_small_model(name):
    verdict = judged(judge, name, TARGET)
    assert not verdict.wrong, verdict


@pytest.mark.skipif(not LONG, reason="applications take minutes; run scripts/test --models")
@pytest.mark.parametrize("name", [name for name in MODELS if name not in SMALL])
def test_an_application(name):
    verdict = judged(judge, name, TARGET)
    assert not verdict.wrong, verdict


def test_a_wrong_result_is_noticed():
    right = ca.get_backend(TARGET).asarray([1.0, 2.0], dtype="float32")
    assert error_of([right], [ca.to_numpy(right)]) == 0
    assert error_of([right], [ca.to_numpy(right) * 1.5]) > 0.3
    assert error_of([right], [ca.to_numpy(right).astype("float64")]) == float("inf")
