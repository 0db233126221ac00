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
    with ca.settings(shape_array_mode=True):
        for made in (
            be.zeros(shape),
            be.full(shape, 1),
            be.reshape(be.arange(6), shape),
            be.broadcast_to(x[0, ...], shape),
        ):
            assert tuple(made._native.shape) == (2, 3)
        assert tuple(be.zeros((shape[1], 2))._native.shape) == (3, 2)


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
for call in calls:  # so that each has a fast path to be left
    call(), call()
ca.set_nan_policy("raise")
row = lambda values: ca.Ragged.from_row_lengths(values, be.asarray([values.shape[0]], dtype=ca.int64))
nested = (lambda: be.add(ca.Container(a=safe, b={"c": x}), 1.0), lambda: be.add(row(x), 1.0), lambda: row(x) * 2.0)
for call in (*calls, *nested, lambda: be.complex(x, x)):
    try:
        call()
    except ca.NaNError as error:
        assert "has NaN" in str(error)
    else:
        raise SystemExit("NaN was not found")
be.where(be.isnan(x), 0.0, 1.0)
be.add(ca.Container(a=safe), 1.0), be.add(row(safe), 1.0)
be.isfinite(x), be.astype(safe, "int64"), safe + safe, be.unstack(safe), be.std(safe), be.linalg.svd(be.stack([safe, safe]))
"""


_NATIVE = """
import copy, pickle, sys
sys.path.insert(0, sys.argv[1])
from standard.support import array, be
import numpy as np
import corearray as ca
x, y, out = (array(np.asarray([1.0, 2.0])) for _ in range(3))
container, draw = ca.Container(a=array(np.asarray([1.0]))), ca.random.Generator(7)
drawn = [ca.random.Generator(7).normal(shape=2).tolist(), ca.random.Generator(7).permutation(3).tolist()]
with ca.settings(array_mode=False), ca.backend_context(be):
    x += 1
    x *= y.native
    y[:] = [3, 4]
    y[1:] = y[:1]
    y[0] = 5
    assert be.exp(x, out=out) is out
    assert 6.0 in x and 5.0 not in x
    container += 1
    for again in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert type(again) is be.Array and again.tolist() == [2.0, 6.0], again
    natives = [x.flatten(), draw.uniform(shape=2), draw.integers(5, shape=2), draw.choice(5), draw.bernoulli(shape=2)]
    natives += [ca.random.Generator(7).normal(shape=2), ca.random.Generator(7).permutation(3)]
    assert all(be.is_native(native) for native in natives), natives
    layer = ca.Linear(2, 2)
    ragged = ca.Ragged.from_row_lengths(x, be.asarray([1, 1], dtype=ca.int64))
    assert type(ragged + 1) is ca.Ragged and (ragged + 1).tolist() == [[3.0], [7.0]]
assert x.tolist() == [2.0, 6.0] and y.tolist()[1] == 3.0 and y.tolist()[0] == 5.0
assert container.a.tolist() == [2.0] and np.allclose(out.tolist(), np.exp([2.0, 6.0]))
assert [be.wrap(native).tolist() for native in natives[-2:]] == drawn
"""


@pytest.mark.parametrize("program", [_NAN, _NATIVE], ids=["nan_policy", "array_mode"])
def test_modes(program):
    """In a Python of its own: once such a mode was switched, calls do not take the fast paths any more."""
    code = [sys.executable, "-c", program, str(Path(__file__).parent.parent)]
    done = subprocess.run(code, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{NAME}: {done.stderr}"
