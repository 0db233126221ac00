"""The conformance kit: what every backend must pass, for those who write one.

A test module of a plugin is one class:

    from corearray.testing import Capabilities, Conformance, Known

    class TestMylib(Conformance):
        backend = "mylib"
        capabilities = Capabilities(dtypes=("bool", "int32", "float32"), gradients=True)
        known = (Known("eig", "notimpl", "mylib has no complex numbers"),)

It needs what `pip install 'corearray[testing]'` brings. One framework a process: run the tests of two plugins apart.
`ExtensionConformance` is the class for extensions. `assert_allclose` and `assert_array_equal` are for the tests of programs.
"""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite(
    "corearray.testing.checks", "corearray.testing.writes"
)  # so that a failed assertion tells what it compared

from corearray.testing.asserting import assert_allclose, assert_array_equal  # noqa: E402
from corearray.testing.extension import ExtensionConformance  # noqa: E402
from corearray.testing.kit import Conformance  # noqa: E402
from corearray.testing.known import Capabilities, Known  # noqa: E402

__all__ = ["Capabilities", "Conformance", "ExtensionConformance", "Known", "assert_allclose", "assert_array_equal"]
