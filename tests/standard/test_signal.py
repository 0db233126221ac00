"""Convolution, correlation and unwrapping against NumPy in float64."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard.support import (
    NUMERIC,
    PROMOTION,
    REAL,
    SMALL,
    array,
    arrays,
    axis_of,
    be,
    cast,
    check,
    covers,
    dtypes_of,
    examples,
    float_dtype,
    wide,
)

_LENGTHS = hnp.array_shapes(min_dims=1, max_dims=1, min_side=1, max_side=6)


@covers("convolve", "correlate")
@pytest.mark.parametrize("name", ["convolve", "correlate"])
@examples
@given(st.data())
def test_sums_of_products(name, data):
    one = data.draw(dtypes_of(NUMERIC))
    two = data.draw(dtypes_of([dtype for dtype in NUMERIC if PROMOTION[one, dtype]]))
    x, y = data.draw(arrays(one, _LENGTHS, SMALL)), data.draw(arrays(two, _LENGTHS, SMALL))
    mode = data.draw(st.sampled_from(("full", "same", "valid")))
    want = getattr(np, name)(*(wide(cast(z, PROMOTION[one, two])) for z in (x, y)), mode=mode)
    got = getattr(be, name)(array(x), array(y), mode=mode)
    check((name, x, y, mode), got, want, PROMOTION[one, two], factor=20, scale=500.0)


@covers("unwrap")
@examples
@given(st.data(), dtypes_of(REAL))
def test_unwrap(data, dtype):
    shape = data.draw(hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=4))
    x = cast(data.draw(hnp.arrays("int8", shape, elements=st.integers(0, 20))), dtype)
    axis = data.draw(axis_of(len(shape)))
    options = {"axis": axis, "period": data.draw(st.sampled_from((4.0, 6.5)))}
    if data.draw(st.booleans()):
        options["discont"] = data.draw(st.sampled_from((1.0, 5.0)))
    want = np.unwrap(wide(cast(x, float_dtype(dtype))), **options)
    check(("unwrap", x, options), be.unwrap(array(x), **options), want, float_dtype(dtype), factor=10, scale=30.0)


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (ValueError, lambda x: be.convolve(x, x)),
        (ValueError, lambda x: be.correlate(x[0, ...], x[0, :0])),
        (ValueError, lambda x: be.convolve(x[0, ...], x[0, ...], mode="half")),
        (ValueError, lambda x: be.unwrap(x, period=0.0)),
        (IndexError, lambda x: be.unwrap(x, axis=2)),
    ],
)
def test_what_does_not_fit_is_refused(error, call):
    with pytest.raises(error):
        call(be.ones((2, 3)))
