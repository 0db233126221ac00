"""Fixtures over all backends that are installed and ready, in one process; none of them is named here."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest

import corearray as ca
from corearray.settings.context import DEFAULT_BACKEND

#: Backends that compute by another one. What they exchange are that one's arrays.
DERIVED = {
    path.parent.name.removeprefix("corearray-")
    for path in (Path(__file__).parents[2] / "plugins").glob("*/pyproject.toml")
    if f'"corearray-{DEFAULT_BACKEND}>' in path.read_text()
}

READY = [row.name for row in ca.list_backends() if row.status == "ready" and row.name not in DERIVED]


def loaded(name: str) -> ca.Backend:
    """Load a backend; what its framework warns about while it is imported is not the matter of these tests."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ca.get_backend(name)


@pytest.fixture(params=READY)
def be(request: pytest.FixtureRequest) -> Iterator[ca.Backend]:
    """Each backend in turn, not in force: arrays decide."""
    yield loaded(request.param)


@pytest.fixture(params=permutations(READY, 2), ids="-".join)
def pair(request: pytest.FixtureRequest) -> tuple[ca.Backend, ca.Backend]:
    """Every two different backends, in both orders."""
    one, two = request.param
    return loaded(one), loaded(two)


@pytest.fixture
def everywhere() -> list[ca.Backend]:
    """All backends."""
    return [loaded(name) for name in READY]
