"""Whole models on a backend, compared with torch; see README.md of this folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

pytest.importorskip("torch", reason="the models are compared with torch")

from judge import all_names, judged

import corearray as ca

TARGET = os.environ.get("COREARRAY_BACKEND") or "numpy"
LONG = "COREARRAY_TEST_LONG" in os.environ
HERE = Path(__file__).parent

pytestmark = pytest.mark.skipif(TARGET == "strict", reason="the strict backend stands in for any framework")


@pytest.mark.parametrize("name", ["nn_recurrent", "nn_tuples"])
def test_a_small_model(name):
    verdict = judged(name, TARGET)
    assert not verdict.wrong, verdict


def test_a_wrong_model_is_noticed(monkeypatch):
    import judge

    error_of = judge.error_of

    def worse(found, wanted, scale):
        return error_of(found, wanted, scale) + 1e-3 * isinstance(found, ca.Array)

    monkeypatch.setattr(judge, "error_of", worse)
    assert "outputs off by 1.0e-03" in judged("nn_tuples", TARGET).wrong


class Server:
    """A process that judges models by name; a new one if it has died."""

    def __init__(self, python: Path, environment: dict[str, str]) -> None:
        self._python = python
        self._environment = environment
        self._process: subprocess.Popen[str] | None = None

    def judged(self, name: str) -> dict[str, Any]:
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                [self._python, HERE / "judge.py", "--to", TARGET, "--served"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env=self._environment,
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(name + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, f"the process ended while it judged {name}"
        found: dict[str, Any] = json.loads(line)
        return found

    def close(self) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.communicate()


@pytest.fixture(scope="module")
def server(models_python: Path, models_environment: dict[str, str]) -> Iterator[Server]:
    made = Server(models_python, models_environment)
    yield made
    made.close()


@pytest.mark.skipif(not LONG, reason="whole models take minutes; run scripts/test --models")
@pytest.mark.parametrize("name", all_names())
def test_a_model(name, server):
    verdict = server.judged(name)
    assert not verdict["wrong"], verdict
