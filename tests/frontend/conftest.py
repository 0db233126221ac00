"""The frontends' tests: programs of a framework on the backend that `COREARRAY_BACKEND` names, by default the default one."""

from __future__ import annotations

import os

import pytest

import corearray as ca

pytest.importorskip("torch", reason="the tests of the torch frontend compare with torch")

TARGET = os.environ.get("COREARRAY_BACKEND") or "numpy"


@pytest.fixture
def target() -> str:
    """The backend on which programs are to run."""
    return TARGET


@pytest.fixture(autouse=True)
def on_no_backend() -> None:
    ca.unset_backend()
