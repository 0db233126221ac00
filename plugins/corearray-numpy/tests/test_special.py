"""SciPy is imported by the first function that needs it, and not before."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
import corearray as ca
with ca.backend_context("numpy"):
    x = ca.mean(ca.linspace(0.0, 1.0, 6))
    print("scipy" in sys.modules)
    ca.erf(x)
    print("scipy" in sys.modules)
"""


def test_scipy_is_imported_when_it_is_needed():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
