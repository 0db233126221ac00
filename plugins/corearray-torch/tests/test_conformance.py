"""What corearray asks of every backend."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy", minversion="2.1")  # which the kit needs

from corearray.testing import Capabilities, Conformance


class TestTorch(Conformance):
    backend = "torch"
    capabilities = Capabilities(gradients=True, writes_in_place=True, compile_options={"backend": "eager"})
