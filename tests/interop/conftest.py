"""Fixtures over all backends that are installed and ready, in one process; none of them is named here."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from itertools import permutations

import pytest

import corearray as ca

READY = [row.name for row in ca.list_backends() if row.status == "ready"]


def loaded(name: str) -> ca.Backend:
    """Load a backend; what its framework warns about while it is imported is not the matter of these tests."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ca.get_backend(name)


@pytest.fixture
def lazy() -> Callable[[ca.Backend], bool]:
    """Whether a backend computes values when they are asked for; its arrays have no memory of their own."""

    def is_lazy(be: ca.Backend) -> bool:
        with ca.settings(compute="raise"):
            try:
                be.asarray(1.0).tolist()
            except RuntimeError:
                return True
        return False

    return is_lazy


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
