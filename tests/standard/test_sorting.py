"""Orders along an axis, in both directions, equal elements in their order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard.support import (
    ANY,
    FLOAT,
    INTEGER,
    REAL,
    Domain,
    array,
    arrays,
    axis_of,
    be,
    check,
    covers,
    dtypes_of,
    examples,
    needs_derivatives,
    numpy_of,
)

import corearray as ca

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


@covers("top_k")
@examples
@given(st.data(), dtypes_of(REAL))
def test_top_k(data, dtype):
    shape = hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=6)
    x = data.draw(arrays(dtype, shape, data.draw(st.sampled_from((ANY, _FEW)))))
    axis = data.draw(axis_of(x.ndim))
    k = data.draw(st.integers(0, x.shape[axis]))
    options = {} if axis in (-1, x.ndim - 1) else {"axis": axis}
    if data.draw(st.booleans()):
        options["largest"] = data.draw(st.booleans())
    order = np.take(_order(x, axis, options.get("largest", True)), np.arange(k), axis)
    values, indices = np.take_along_axis(x, order, axis), order
    found = be.top_k(array(x), k, **options)
    assert found._fields == ("values", "indices")
    check(("top_k", x, k, options), found.values, values)
    check(("top_k", x, k, options), found.indices, indices, "int64")
    found = be.top_k(array(x), k, **options, sorted=False)
    check(("top_k", x, k, "in any order"), be.sort(found.values, axis=axis), np.sort(values, axis))
    check(("top_k", x, k, "in any order"), found.values, np.take_along_axis(x, numpy_of(found.indices), axis))


@covers("top_k")
def test_nan_is_the_largest():
    x = array(np.asarray([1.0, np.nan, 3.0]))
    check("top_k", be.top_k(x, 2).values, [np.nan, 3.0])
    check("top_k", be.top_k(x, 2, largest=False).indices, [0, 2])
    for k in (-1, 4):
        for ordered in (True, False):
            with pytest.raises(ValueError):
                be.top_k(x, k, sorted=ordered)
    with pytest.raises(IndexError):
        be.top_k(x, 1, axis=1)


@covers("top_k")
@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("dtype", [*FLOAT, "int64", "uint64"])
def test_equal_ones_stand_in_their_order(dtype, largest):
    """Zeros of both signs are equal, NaN of both signs too, the limits of integers have no opposites."""
    inf, nan = np.inf, np.nan
    few = [0.0, -0.0, nan, -nan, inf, -inf, 1.0, -1.0]
    if dtype not in FLOAT:
        few = [np.iinfo(dtype).min, np.iinfo(dtype).max, 0, 1]
    x = np.random.default_rng(3).choice(np.asarray(few, dtype), (3, 40))
    for k in (1, 7, 40):
        order = _order(x, -1, largest)[:, :k]
        found = be.top_k(array(x), k, largest=largest)
        check(("top_k", k), found.indices, order, "int64")
        check(("top_k", k), found.values, np.take_along_axis(x, order, -1))


@covers("top_k")
def test_the_greatest_of_numbers_that_all_differ():
    x = np.random.default_rng(3).permutation(600)
    for dtype in ("float32", "float64", "int32"):
        rows = x.reshape(3, 200).astype(dtype)
        for largest in (True, False):
            order = _order(rows, 0, largest)[:2]
            check("top_k", be.top_k(array(rows), 2, axis=0, largest=largest).indices, order, "int64")
            order = _order(rows, 1, largest)
            check("top_k", be.top_k(array(rows), 200, largest=largest).indices, order, "int64")


@covers("top_k")
@needs_derivatives
def test_top_k_is_differentiated_and_mapped():
    x = array(np.asarray([[3.0, 0.0, 5.0], [1.0, 2.0, 0.0]]))
    slope = ca.grad(lambda x: be.sum(be.top_k(x, 2).values ** 2))(x)
    check("top_k", slope, [[6.0, 0.0, 10.0], [2.0, 4.0, 0.0]])
    check("top_k", ca.vmap(lambda row: be.top_k(row, 2).indices)(x), [[2, 0], [1, 0]], "int64")


@covers("msort")
@examples
@given(_sorted())
def test_msort(drawn):
    x, _ = drawn
    check(("msort", x), be.msort(array(x)), np.sort(x, axis=0))


@covers("lexsort")
@examples
@given(st.data(), hnp.array_shapes(min_dims=1, max_dims=2, min_side=0, max_side=5))
def test_lexsort(data, shape):
    dtypes = data.draw(st.lists(dtypes_of(REAL), min_size=1, max_size=3))
    keys = [data.draw(arrays(dtype, shape, _FEW)) for dtype in dtypes]
    axis = data.draw(axis_of(len(shape)))
    options = {} if axis == -1 else {"axis": axis}
    want = np.lexsort([key.astype("float64") for key in keys], axis=axis)
    check(("lexsort", keys, options), be.lexsort([array(key) for key in keys], **options), want, "int64")


@covers("lexsort")
def test_what_is_no_key():
    for keys in ([], [be.zeros(2), be.zeros(3)]):
        with pytest.raises(ValueError):
            be.lexsort(keys)
    for keys, axis in (([be.zeros(2)], 1), ([be.zeros(())], -1)):
        with pytest.raises(IndexError):
            be.lexsort(keys, axis=axis)


@covers("invert_permutation")
@examples
@given(st.data(), dtypes_of(INTEGER))
def test_invert_permutation(data, dtype):
    x = np.asarray([data.draw(st.permutations(range(5))) for _ in range(data.draw(st.integers(0, 2)))], dtype).reshape(
        -1, 5
    )
    check(("invert_permutation", x), be.invert_permutation(array(x)), np.argsort(x, -1), "int64")
    with pytest.raises(TypeError, match="integers"):
        be.invert_permutation(be.zeros(2))
