"""Special functions against SciPy in float64."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.special
from standard.elementwise import Case, of_every_dtype, unary_of_every_dtype, unary_property
from standard.support import FLOAT, REAL, TOLERANCE, Domain, array, be, check, covers

#: In float32 the rounding of the argument counts `2 * x**2` times in the tail of `erfc`.
UNARY = {
    "erf": Case(scipy.special.erf, REAL, "float"),
    "erfc": Case(scipy.special.erfc, REAL, "float", Domain(-1000, 9), factor=10),
}


@of_every_dtype(UNARY)
def test_one_operand_of_every_dtype(name, dtype):
    unary_of_every_dtype(name, dtype, UNARY[name])


@pytest.mark.parametrize("name", UNARY)
def test_one_operand(name):
    unary_property(name, UNARY[name])


@covers("erf", "erfc")
@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize("dtype", FLOAT)
def test_all_sizes(name, dtype):
    """From the tiniest numbers to infinity, with both signs, and NaN; the sign of zero passes through `erf`."""
    sizes = np.concatenate([np.geomspace(1e-35, 0.1, 50), np.linspace(0.1, 8, 100), [26, 30, 1e4, 1e30, np.inf, 0]])
    x = np.concatenate([sizes, -sizes, [np.nan]]).astype(dtype)
    want = getattr(scipy.special, name)(x.astype("float64"))
    smallest = np.finfo(dtype).tiny / TOLERANCE[dtype]
    got = getattr(be, name)(array(x))
    check((name, x), got, np.where(np.abs(want) < smallest, be.to_numpy(got), want), dtype, factor=10)
    if name == "erf":
        assert np.signbit(be.to_numpy(be.erf(array(np.asarray([0.0, -0.0], dtype))))).tolist() == [False, True]
