"""The adapter passes the conformance kit; the other backends have this test among those of their plugins."""

from __future__ import annotations

from standard.support import NAME

from corearray.testing import Capabilities, Conformance

if NAME == "strict":

    class TestStrict(Conformance):
        backend = "strict"
        capabilities = Capabilities()
