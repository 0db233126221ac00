"""What corearray asks of every backend."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy", minversion="2.1")  # which the kit needs

from corearray.testing import Capabilities, Conformance, Known


class TestTorch(Conformance):
    backend = "torch"
    capabilities = Capabilities(gradients=True, writes_in_place=True)
    known = (Known("zeta", "notyet", "torch has poles at q = 0, -1, ..., where the composition gives NaN"),)
