"""What corearray asks of every backend."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy", minversion="2.1")  # which the kit needs

from corearray.testing import Capabilities, Conformance


class TestTensorflow(Conformance):
    backend = "tensorflow"
    capabilities = Capabilities(gradients=True)
    every_dtype = False  # every new one is compiled
