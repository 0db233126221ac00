"""Diagonals and triangles: exact against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard.support import ALL, ANY, array, arrays, be, check, covers, dtypes_of, examples, numpy_of, shapes

_PLACES = st.integers(-4, 4)


@covers("diag", "diagflat")
@examples
@given(st.data(), dtypes_of(ALL), _PLACES)
def test_diag(data, dtype, k):
    options = {"k": k} if k else {}
    for ndim in (1, 2):
        x = data.draw(arrays(dtype, hnp.array_shapes(min_dims=ndim, max_dims=ndim, min_side=0, max_side=3), ANY))
        if ndim == 1 or abs(k) < min(x.shape):  # beyond it NumPy may raise
            check(("diag", x, options), be.diag(array(x), **options), np.diag(x, **options))
    x = data.draw(arrays(dtype, shapes, ANY))
    check(("diagflat", x, options), be.diagflat(array(x), **options), np.diagflat(x, **options))


@covers("diag")
def test_the_diagonal_is_a_view():
    x = array(np.zeros((2, 2)))
    y = be.diag(x)
    y[...] = 1.0
    np.testing.assert_array_equal(numpy_of(x), np.eye(2))
    for shape in ((), (1, 1, 1)):
        with pytest.raises(ValueError, match="diag"):
            be.diag(be.zeros(shape))


@covers("eye_like")
@examples
@given(st.data(), dtypes_of(ALL), _PLACES)
def test_eye_like(data, dtype, k):
    x = data.draw(arrays(dtype, hnp.array_shapes(min_dims=2, max_dims=3, min_side=0, max_side=3), ANY))
    want = np.broadcast_to(np.eye(*x.shape[-2:], k=k), x.shape)
    check(("eye_like", x, k), be.eye_like(array(x), k=k), want.astype(dtype))
    check(("eye_like", x, k), be.eye_like(array(x), k=k, dtype="float64"), want, "float64")


@covers("eye_like")
def test_no_eye_without_a_matrix():
    with pytest.raises(ValueError, match="eye_like"):
        be.eye_like(be.zeros(3))


@covers("fill_diagonal")
@examples
@given(st.data(), dtypes_of(ALL))
def test_fill_diagonal(data, dtype):
    side = data.draw(st.integers(1, 4))
    shape = data.draw(st.sampled_from(((side, 3), (3, side), (9, 2), (side,) * 3, (2,) * 4)))
    x = data.draw(arrays(dtype, shape, ANY))
    value = data.draw(arrays(dtype, data.draw(st.sampled_from(((), (1,), (2,), (2, 2)))), ANY))
    options = {"wrap": True} if data.draw(st.booleans()) else {}
    want = x.copy()
    np.fill_diagonal(want, value, **options)
    y = array(x)
    view = y.mT if y.ndim == 2 else y
    found = be.fill_diagonal(y, array(value), **options)
    assert found is y
    check(("fill_diagonal", x, value, options), y, want)
    check("a view", view, want.T if y.ndim == 2 else want)


@covers("fill_diagonal")
def test_fill_diagonal_with_a_number():
    check(
        "fill_diagonal", be.fill_diagonal(array(np.ones((2, 2), "float32")), 3), np.asarray([[3, 1], [1, 3]], "float32")
    )
    check("nothing", be.fill_diagonal(array(np.ones((0, 2), "float32")), 3), np.ones((0, 2), "float32"))
    for shape in ((3,), (2, 2, 3)):
        with pytest.raises(ValueError, match="fill_diagonal"):
            be.fill_diagonal(be.zeros(shape), 1.0)
    with pytest.raises(ValueError, match="fill_diagonal"):
        be.fill_diagonal(be.zeros((2, 2)), be.zeros(0))


@covers("tril_indices", "triu_indices")
@examples
@given(st.integers(0, 5), st.none() | st.integers(0, 5), _PLACES)
def test_triangles(n, m, k):
    for name in ("tril_indices", "triu_indices"):
        want = getattr(np, name)(n, k, m)
        got = getattr(be, name)(n, k=k, m=m)
        assert isinstance(got, tuple)
        for one, other in zip(got, want, strict=True):
            check((name, n, k, m), one, other, "int64")
