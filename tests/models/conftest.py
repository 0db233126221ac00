"""An environment with the libraries that whole models come from."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def models_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the Python of an environment that has this one's packages and those of `requirements.txt`."""
    known = os.environ.get("COREARRAY_TEST_MODELS_PYTHON")
    if known:
        return Path(known)
    folder = tmp_path_factory.mktemp("models") / "environment"
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


@pytest.fixture(scope="session")
def models_environment() -> dict[str, str]:
    """Return the environment variables of a process that judges models: it imports this checkout."""
    paths = [str(HERE.parents[1]), *map(str, (HERE.parents[1] / "plugins").glob("corearray-*"))]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "TF_CPP_MIN_LOG_LEVEL": "3"}
