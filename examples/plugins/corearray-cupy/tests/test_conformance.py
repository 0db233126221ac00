"""What corearray asks of every backend. Known failures are data, and strict: one that passes must be taken out."""

from corearray.testing import Capabilities, Conformance


class TestCupy(Conformance):
    backend = "cupy"
    capabilities = Capabilities(devices=("gpu:0",), writes_in_place=True)
