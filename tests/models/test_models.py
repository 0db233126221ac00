"""Whole models on a backend, compared with torch; see README.md of this folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
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

    def __init__(self, python: Path) -> None:
        self._python = python
        self._process: subprocess.Popen[str] | None = None

    def judged(self, name: str) -> dict[str, Any]:
        if self._process is None or self._process.poll() is not None:
            paths = [str(HERE.parents[1]), *map(str, (HERE.parents[1] / "plugins").glob("corearray-*"))]
            self._process = subprocess.Popen(
                [self._python, HERE / "judge.py", "--to", TARGET, "--served"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "TF_CPP_MIN_LOG_LEVEL": "3"},
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
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    known = os.environ.get("COREARRAY_TEST_MODELS_PYTHON")
    made = Server(Path(known) if known else environment(tmp_path_factory.mktemp("models") / "environment"))
    yield made
    made.close()


def environment(folder: Path) -> Path:
    """Make an environment that has this one's packages and those of `requirements.txt`, and return its Python."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    found = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True,
        capture_output=True,
        text=True,
    )
    Path(found.stdout.strip(), "development.pth").write_text(sysconfig.get_path("purelib") + "\n")
    subprocess.run([python, "-m", "pip", "install", "--quiet", "-r", HERE / "requirements.txt"], check=True)
    return python


@pytest.mark.skipif(not LONG, reason="whole models take minutes; run scripts/test --models")
@pytest.mark.parametrize("name", all_names())
def test_a_model(name, server):
    verdict = server.judged(name)
    assert not verdict["wrong"], verdict
