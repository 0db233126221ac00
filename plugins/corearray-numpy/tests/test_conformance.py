"""What corearray asks of every backend."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy", minversion="2.1")  # which the kit needs

from corearray.testing import Capabilities, Conformance


class TestNumpy(Conformance):
    backend = "numpy"
    capabilities = Capabilities(writes_in_place=True)
