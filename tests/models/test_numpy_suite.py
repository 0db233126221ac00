"""NumPy's own tests on the NumPy frontend: a sample of those that pass, and with `scripts/test --models` all of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numpy._core.tests", reason="the installed NumPy has no tests of its own")
pytest.importorskip("hypothesis", reason="some of NumPy's tests need it")

TARGET = os.environ.get("COREARRAY_BACKEND") or "numpy"
LONG = "COREARRAY_TEST_LONG" in os.environ
SUITE = Path(__file__).with_name("numpy_suite.py")


def run(*options: str) -> str:
    root = SUITE.parents[2]
    paths = [str(root), *map(str, (root / "plugins").glob("corearray-*"))]
    made = subprocess.run(
        [sys.executable, SUITE, "--backend", TARGET, *options],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "TF_CPP_MIN_LOG_LEVEL": "3"},
    )
    assert made.returncode == 0, made.stdout[-4000:] + made.stderr[-2000:]
    return made.stdout


@pytest.mark.skipif(TARGET not in ("numpy", "torch"), reason="a sample runs on two backends, all tests with --models")
def test_a_sample_passes():
    assert "test functions of NumPy pass" in run("--sample", "40", "--seed", "0")


@pytest.mark.skipif(not LONG, reason="all of NumPy's tests take minutes; run scripts/test --models")
@pytest.mark.skipif(TARGET == "strict", reason="the strict backend stands in for any framework")
def test_what_passed_passes():
    print(run("--sample", "100000"))
