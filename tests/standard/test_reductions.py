"""Reductions by a function of two arrays, against NumPy's ufuncs and Python's."""

from __future__ import annotations

from functools import reduce

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from standard.support import array, be, check, covers, examples

import corearray as ca
from corearray.contract.declaration import DECLARATIONS


@covers("reduce")
@examples
@given(
    st.sampled_from([((2, 3), 0), ((2, 3), (1, 0)), ((5,), 0), ((7, 2), -2), ((), ()), ((2, 0), 1), ((3, 1, 2), None)]),
    st.sampled_from([("add", 0, np.add), ("maximum", -99, np.maximum), ("bitwise_xor", 0, np.bitwise_xor)]),
    st.booleans(),
    st.integers(0, 9),
)
def test_reduce(case, function, keepdims, seed):
    shape, axes = case
    name, start, ufunc = function
    x = np.random.default_rng(seed).integers(-9, 9, shape).astype("int32")
    want = ufunc.reduce(x, axis=axes, keepdims=keepdims, initial=start, dtype="int32")
    found = be.reduce(array(x), start, name, axes=axes, keepdims=keepdims)
    check(("reduce", x, start, name, axes), found, np.asarray(want, "int32"))
    found = be.reduce(array(x), array(np.asarray(start, "int64")), getattr(be, name), axes=axes, keepdims=keepdims)
    check(("reduce", x, start, name, axes), found, np.asarray(want, "int64"))


@covers("reduce")
def test_elements_keep_their_order():
    """The maps `x -> a x + b` put together are no commutative product."""
    steps = np.asarray([[2.0, 1.0], [3.0, -1.0], [0.5, 4.0], [-1.0, 2.0], [2.0, 0.25]])
    one, two = (lambda p, q: [p[..., 0] * q[..., 0], p[..., 1] * q[..., 0] + q[..., 1]]), np.stack
    want = reduce(lambda p, q: two(one(p, q), -1), steps)
    x = steps[:, 0] + 1j * steps[:, 1]

    def together(p, q):
        a, b, c, d = be.real(p), be.imag(p), be.real(q), be.imag(q)
        return be.complex(a * c, b * c + d)

    check("reduce", be.reduce(array(x), 1.0, together), np.asarray(want[0] + 1j * want[1]), factor=10)


@covers("sum", "prod", "max", "min")
@pytest.mark.parametrize("name", ["sum", "prod", "max", "min"])
@pytest.mark.parametrize("axis", [(), [], 1, -2, (1,), (0, 1), (-1, 0), None])
@pytest.mark.parametrize("keepdims", [False, True])
def test_axes_of_every_kind(name, axis, keepdims):
    """Without an axis nothing is reduced, in functions of arrays and of native ones."""
    x = np.asarray([[3.0, 1.0, 2.0], [5.0, 7.0, 4.0]])
    want = getattr(np, name)(x, axis=tuple(axis) if isinstance(axis, list) else axis, keepdims=keepdims)
    check((name, axis), getattr(be, name)(array(x), axis=axis, keepdims=keepdims), np.asarray(want))
    check(
        (name, axis), be.wrap(getattr(be.native, name)(array(x).native, axis=axis, keepdims=keepdims)), np.asarray(want)
    )


_ALONG = [
    "all", "any", "argmax", "argmin", "argsort", "count_nonzero", "cummax", "cummin", "cumulative_prod", "cumulative_sum",
    "flip", "max", "mean", "median", "min", "nanmax", "nanmean", "nanmin", "nanprod", "nanstd", "nansum", "nanvar", "prod",
    "softmax", "sort", "std", "sum", "take", "repeat", "unstack", "var",
]  # fmt: skip


@covers(*_ALONG)
@pytest.mark.parametrize("name", _ALONG)
@pytest.mark.parametrize("axis", [0, -1, (0,)])
def test_an_array_without_axes_has_not_the_axis_0(name, axis):
    annotations = DECLARATIONS[name].function.__annotations__
    if isinstance(axis, tuple) and "tuple" not in annotations["axis"]:
        return
    further = {"take": [be.asarray([0])], "repeat": [3]}.get(name, [])
    for dtype in ("float32", "int64", "int16", "uint64", "bool"):
        for options in ({}, {"keepdims": True})[: 1 + ("keepdims" in annotations)]:
            with pytest.raises(ca.AxisError) as caught:
                getattr(be, name)(be.asarray(1, dtype=dtype), *further, axis=axis, **options)
            assert (caught.value.axis, caught.value.ndim) == (-1 if axis == -1 else 0, 0)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["sum", "argmax", "any"])
def test_nor_has_it_while_compiling(name):
    with pytest.raises(ca.AxisError):
        ca.compile(lambda x: getattr(be, name)(x, axis=0))(be.asarray(1.0))


@covers("sum", "max", "all", "argmax", "count_nonzero")
def test_an_array_without_axes_is_reduced_along_none():
    for name in ("sum", "max", "all", "argmax", "count_nonzero"):
        for options in ({"axis": None}, {"axis": ()}, {"axis": None, "keepdims": True})[
            :: 2 if name == "argmax" else 1
        ]:
            found = getattr(be, name)(be.asarray(2.0), **options)
            assert found.shape == ()
            assert float(found) == {"sum": 2, "max": 2, "all": 1, "argmax": 0, "count_nonzero": 1}[name]


def test_no_truth_values():
    assert be.reduce(be.zeros((0, 2), dtype="bool"), be.asarray(False), "logical_or").tolist() == [False, False]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: be.reduce(x, 0, "nothing"), ValueError, "no function of this name"),
        (lambda x: be.reduce(x, 0, 3), TypeError, "it takes a text or a function"),
        (lambda x: be.reduce(x, x, "add"), ValueError, "give one without axes"),
        (lambda x: be.reduce(x, 0, "add", axes=2), IndexError, "axes"),
    ],
)
def test_what_cannot_be_reduced(call, error, message):
    with pytest.raises(error, match=message):
        call(be.ones((2, 3)))


def test_places_one_after_the_other():
    assert list(ca.ndindex(2, 2)) == list(np.ndindex(2, 2))
    assert list(ca.ndindex((2, 0))) == list(ca.ndindex([2, 0])) == []
    assert list(ca.ndindex()) == list(ca.ndindex(())) == [()]
    with pytest.raises(ValueError, match="lengths are at least 0"):
        ca.ndindex(2, -1)
    x = np.asarray([[1, 2], [3, 4]])
    found = list(ca.ndenumerate(array(x)))
    assert [(place, int(value)) for place, value in found] == [
        (place, int(value)) for place, value in np.ndenumerate(x)
    ]
    assert all(isinstance(value, be.Array) and value.shape == () for _, value in found)
    with ca.backend_context(be):
        assert [int(value) for _, value in ca.ndenumerate([[5], [6]])] == [5, 6]
