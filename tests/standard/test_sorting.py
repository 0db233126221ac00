"""Orders along an axis, in both directions, equal elements in their order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard.support import ANY, REAL, Domain, array, arrays, axis_of, be, check, covers, dtypes_of, examples, numpy_of

_FEW = Domain(-2, 2, step=0.5)


def _order(x, axis, descending):
    """Return the stable order; the descending one keeps equal elements in their order too."""
    if not descending:
        return np.argsort(x, axis=axis, kind="stable")
    last = x.shape[axis] - 1
    return np.flip(last - np.argsort(np.flip(x, axis), axis=axis, kind="stable"), axis)


@st.composite
def _sorted(draw):
    domain = draw(st.sampled_from((ANY, _FEW)))
    x = draw(arrays(draw(dtypes_of(REAL)), hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=6), domain))
    options = {}
    if draw(st.booleans()):
        options["axis"] = draw(axis_of(x.ndim))
    if draw(st.booleans()):
        options["descending"] = draw(st.booleans())
    if draw(st.booleans()):
        options["stable"] = draw(st.booleans())
    return x, options


@covers("sort")
@examples
@given(_sorted())
def test_sort(drawn):
    x, options = drawn
    axis = options.get("axis", -1)
    order = _order(x, axis, options.get("descending", False))
    check(("sort", x, options), be.sort(array(x), **options), np.take_along_axis(x, order, axis))


@covers("argsort")
@examples
@given(_sorted())
def test_argsort(drawn):
    x, options = drawn
    axis = options.get("axis", -1)
    want = _order(x, axis, options.get("descending", False))
    got = be.argsort(array(x), **options)
    if options.get("stable", True):
        check(("argsort", x, options), got, want, "int64")
        return
    found = numpy_of(got)
    check(("argsort", x, options), be.sort(got, axis=axis), np.sort(want, axis))
    assert np.array_equal(np.take_along_axis(x, found, axis), np.take_along_axis(x, want, axis))


@pytest.mark.parametrize("descending", [False, True])
@covers("sort", "argsort")
def test_many_equal_elements_keep_their_order(descending):
    x = np.random.default_rng(3).integers(0, 5, 500)
    for dtype in ("int64", "uint8", "float32"):
        values = x.astype(dtype)
        want = _order(values, -1, descending)
        check("argsort", be.argsort(array(values), descending=descending), want, "int64")
        check("sort", be.sort(array(values), descending=descending), values[want])
