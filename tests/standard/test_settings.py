"""Settings that a backend has a part in."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from standard.support import HAVE, NAME, array, be, covers

import corearray as ca


@pytest.mark.parametrize("dtype", [d for d in ("float32", "float64", "complex64", "bfloat16") if d in HAVE])
def test_print_precision(dtype):
    x = be.astype(array(np.asarray([0.12345, 2.0], "float32")), dtype)
    with ca.settings(print_precision=2):
        assert "0.12" in repr(x) and "0.123" not in repr(x)
        assert "0.12" in str(x[0]) and "0.123" not in str(x[0])
        assert repr(array(np.asarray([1, 200]))).startswith("Array([")
    assert "0.123" in repr(x)


@covers("shape")
def test_shape_array_mode():
    x = array(np.zeros((2, 3), "float32"))
    with ca.settings(shape_array_mode=True):
        shape = be.shape(x)
    assert isinstance(shape, be.Array) and shape.tolist() == [2, 3] and shape.dtype is ca.int64
    assert be.shape(x) == (2, 3) and be.native.shape(x.native) == (2, 3)


@covers("stable_divide", "stable_pow")
def test_stable_functions():
    x = array(np.asarray([0.0, 4.0]))
    assert be.stable_divide(x, x).tolist() == pytest.approx([0.0, 1.0])
    assert be.stable_divide(2, x).tolist() == pytest.approx([2e12, 0.5])
    assert be.stable_pow(x, 2).tolist() == pytest.approx([1e-10, (4 + 1e-5) ** 2])
    with ca.settings(min_denominator=1.0, min_base=1.0):
        assert be.stable_divide(x, x).tolist() == pytest.approx([0.0, 0.8])
        assert be.stable_pow(x, 2).tolist() == pytest.approx([1.0, 25.0])


_NAN = """
import sys
sys.path.insert(0, sys.argv[1])
from standard.support import array, be
import numpy as np
import corearray as ca
x = array(np.asarray([1.0, np.nan]))
safe = array(np.asarray([1.0, 2.0]))
calls = (
    lambda: be.add(x, x), lambda: x + 1.0, lambda: be.mean(x), lambda: be.mean(x, axis=0), lambda: be.concat([x, x]),
    lambda: ca.add(x, x), lambda: ca.max(x, axis=0), lambda: ca.reshape(x, (2, 1)),
)
for call in calls:  # so that each has a short way to be left
    call(), call()
ca.set_nan_policy("raise")
for call in (*calls, lambda: be.complex(x, x)):
    try:
        call()
    except ca.NaNError as error:
        assert "has NaN" in str(error)
    else:
        raise SystemExit("NaN was not found")
be.where(be.isnan(x), 0.0, 1.0)
be.isfinite(x), be.astype(safe, "int64"), safe + safe, be.unstack(safe), be.std(safe), be.linalg.svd(be.stack([safe, safe]))
"""


def test_nan_policy():
    """In a Python of its own: once the policy was switched, calls do not take the short ways any more."""
    done = subprocess.run(
        [sys.executable, "-c", _NAN, str(Path(__file__).parent.parent)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{NAME}: {done.stderr}"
