"""Polynomials against NumPy, in Python's integers and in float64."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from standard.support import NUMERIC, Domain, array, arrays, be, check, covers, dtypes_of, examples, shapes, wide

_SMALL = Domain(-3.0, 3.0, step=0.5)


@covers("polyval")
@examples
@given(st.data(), dtypes_of(NUMERIC), st.integers(0, 4))
def test_polyval(data, dtype, count):
    coefficients = data.draw(arrays(dtype, (count,), _SMALL))
    x = data.draw(arrays(dtype, shapes, _SMALL))
    want = np.asarray(np.polyval(wide(coefficients), wide(x)))
    check(("polyval", coefficients, x), be.polyval(array(coefficients), array(x)), want, dtype, factor=10, scale=500.0)


@covers("polyval")
def test_polyval_of_a_number_and_of_two_dtypes():
    check("polyval", be.polyval(array(np.int32([1, 2])), 3), np.int32(5))
    check("polyval", be.polyval(array(np.int32([1, 2])), array(np.float64([0.5]))), np.float64([2.5]))
    check("polyval", be.polyval(array(np.float32([])), array(np.float32([0.5]))), np.float32([0.0]))
    with pytest.raises(ValueError, match="polyval"):
        be.polyval(be.zeros((2, 2)), 1.0)


@covers("vander")
@examples
@given(st.data(), dtypes_of(NUMERIC), st.none() | st.integers(0, 5), st.booleans())
def test_vander(data, dtype, columns, increasing):
    x = data.draw(arrays(dtype, st.tuples(st.integers(0, 4)), _SMALL))
    count = len(x) if columns is None else columns
    powers = range(count) if increasing else range(count)[::-1]
    want = np.stack([wide(x) ** power for power in powers], axis=1) if count else np.zeros((len(x), 0))
    got = be.vander(array(x), N=columns, increasing=increasing)
    check(("vander", x, columns, increasing), got, want, dtype, factor=10)


@covers("vander")
def test_what_has_no_powers():
    for x in (be.zeros(()), be.zeros((2, 2))):
        with pytest.raises(ValueError, match="vander"):
            be.vander(x)
    with pytest.raises(ValueError, match="vander"):
        be.vander(be.zeros(2), N=-1)
