"""What corearray asks of every backend."""

from __future__ import annotations

import os

import pytest

pytest.importorskip("dask", minversion="2025.1")

import dask

from corearray.testing import Capabilities, Conformance


@pytest.fixture(autouse=True)
def _in_this_thread():
    with dask.config.set(scheduler="sync"):
        yield


class TestDask(Conformance):
    backend = "dask"
    capabilities = Capabilities(writes_in_place=False)
    every_dtype = "COREARRAY_TEST_LONG" in os.environ  # a call takes some milliseconds
