"""The oracle of optimisers and schedules: a program of a plugin whose framework has its own, run in another process."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

_PROGRAM = sorted((Path(__file__).parents[2] / "plugins").glob("*/tests/optimizers_oracle.py"))


@functools.cache
def _answers(cases: str) -> list[Any]:
    done = subprocess.run(
        [sys.executable, str(_PROGRAM[0])], input=cases, capture_output=True, text=True, timeout=300, check=False
    )
    if "ModuleNotFoundError" in done.stderr:
        pytest.skip("the framework of the oracle is not installed")
    assert done.returncode == 0, done.stderr
    found: list[Any] = json.loads(done.stdout)
    return found


def expected(cases: dict[str, dict[str, Any]], name: str) -> Any:
    """Return what the oracle answers to one of several cases, which it is asked at once."""
    return _answers(json.dumps(list(cases.values())))[list(cases).index(name)]
