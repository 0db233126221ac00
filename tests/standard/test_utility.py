"""Truth of whole arrays along any axes, and differences of neighbours."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.integrate import trapezoid
from standard.support import (
    ALL,
    FLOAT,
    FLOATING,
    NUMERIC,
    REAL,
    SMALL,
    Domain,
    array,
    arrays,
    axes_of,
    axis_of,
    be,
    cast,
    check,
    covers,
    dtypes_of,
    examples,
    float_dtype,
    shapes,
    wide,
)

_FEW = Domain(-1, 1, step=0.5)


@covers("all", "any")
@pytest.mark.parametrize("name", ["all", "any"])
@examples
@given(st.data(), dtypes_of(ALL))
def test_truth(name, data, dtype):
    x = data.draw(arrays(dtype, shapes, _FEW))
    options = {"axis": data.draw(axes_of(x.ndim)), "keepdims": data.draw(st.booleans())}
    check((name, x, options), getattr(be, name)(array(x), **options), getattr(np, name)(x, **options))
    check((name, x), getattr(be, name)(array(x)), getattr(np, name)(x))


@covers("all", "any")
def test_nan_is_true():
    x = array(np.asarray([np.nan, 1.0], "float32"))
    assert be.all(x)
    assert be.any(x[:1])


@covers("diff")
@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
@pytest.mark.parametrize("axis", [0, 1, -1, -2])
def test_differences_of_complex_numbers_are_taken_part_by_part(axis):
    x = np.asarray([[complex(np.inf, 1.0), 1 + 2j, complex(1.0, np.nan)], [complex(2.0, -np.inf), 3j, -1.0]])
    for n, options in ((1, {}), (1, {"prepend": x[:1, :1] + np.zeros((2, 1) if axis % 2 else (1, 3))}), (0, {})):
        found = be.diff(array(x), axis=axis, n=n, **{key: array(part) for key, part in options.items()})
        whole = np.concatenate([options["prepend"], x], axis=axis) if options else x
        for part, of in ((be.real, np.real), (be.imag, np.imag)):
            check(("diff", axis, n), part(found), np.diff(of(whole), n, axis=axis))
    for wrong in (2, -3):
        with pytest.raises(IndexError):
            be.diff(array(x), axis=wrong)


@covers("diff")
@examples
@given(st.data(), dtypes_of(NUMERIC))
def test_diff(data, dtype):
    x = data.draw(arrays(dtype, hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=5)))
    axis = data.draw(axis_of(x.ndim))
    options = {} if axis in (-1, x.ndim - 1) and data.draw(st.booleans()) else {"axis": axis}
    if data.draw(st.booleans()):
        options["n"] = data.draw(st.integers(0, 3))
    around = {}
    for name in ("prepend", "append"):
        if data.draw(st.booleans()):
            sides = list(x.shape)
            sides[axis] = data.draw(st.integers(0, 2))
            around[name] = data.draw(arrays(dtype, tuple(sides)))
    whole = np.concatenate([y for y in (around.get("prepend"), x, around.get("append")) if y is not None], axis)
    want = np.diff(wide(whole), **options)
    got = be.diff(array(x), **options, **{name: array(y) for name, y in around.items()})
    check(("diff", x, options, around), got, want, dtype, scale=5000.0)


@covers("diff")
def test_diff_of_booleans_and_its_errors():
    x = np.asarray([True, True, False])
    check("diff", be.diff(array(x)), np.asarray([False, True]))
    with pytest.raises(ValueError):
        be.diff(array(np.arange(3)), n=-1)
    with pytest.raises((IndexError, ValueError)):
        be.diff(array(np.arange(3)), axis=1)


@covers("allclose", "array_equal")
@examples
@given(st.data())
def test_equality_of_whole_arrays(data):
    dtype = data.draw(dtypes_of(ALL))
    x1 = data.draw(arrays(dtype, shapes, _FEW))
    x2 = data.draw(st.sampled_from([x1, x1[..., None], x1.reshape(-1)]) | arrays(dtype, x1.shape, _FEW))
    check(("array_equal", x1, x2), be.array_equal(array(x1), array(x2)), np.asarray(np.array_equal(x1, x2)))
    options = {"rtol": data.draw(st.sampled_from([0.0, 1.0])), "atol": data.draw(st.sampled_from([0.0, 0.5]))}
    lifted = [x.astype(float_dtype(dtype)) for x in (x1, x1 + x1)]
    want = np.asarray(np.allclose(*lifted, **options))
    check(("allclose", *lifted, options), be.allclose(*map(array, lifted), **options), want)


@covers("allclose", "array_equal")
@pytest.mark.parametrize("dtype", FLOATING)
def test_nan_is_equal_if_it_is_said(dtype):
    x = np.asarray([1.0, np.nan, np.inf], dtype)
    for name in ("allclose", "array_equal"):
        function = getattr(be, name)
        assert not bool(function(array(x), array(x)))
        assert bool(function(array(x), array(x), equal_nan=True))
        assert not bool(function(array(x), array(x[::-1]), equal_nan=True))
        assert bool(function(array(x[:0]), array(x[:0])))


@covers("trapezoid")
@examples
@given(st.data())
def test_trapezoid(data):
    dtype = data.draw(dtypes_of(NUMERIC))
    y = data.draw(arrays(dtype, hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=4), Domain(-100, 100)))
    axis = data.draw(axis_of(y.ndim))
    lifted = wide(y.astype(float_dtype(dtype)))
    scale = 1000 * max(np.abs(lifted).max(initial=0.0), 1.0)
    dx = data.draw(st.sampled_from([1.0, 0.25, -2.0]))
    got = be.trapezoid(array(y), dx=dx, axis=axis)
    check(("trapezoid", y, dx, axis), got, trapezoid(lifted, dx=dx, axis=axis), float_dtype(dtype), scale=scale)
    shape = data.draw(st.sampled_from([y.shape, y.shape[axis : axis + 1 or None]]))
    x = data.draw(arrays(float_dtype(dtype) if dtype not in FLOATING else dtype, shape, SMALL))
    got = be.trapezoid(array(y), array(x), axis=axis)
    want = trapezoid(lifted, wide(x), axis=axis)
    check(("trapezoid", y, x, axis), got, want, float_dtype(dtype), scale=scale)


@covers("gradient")
@examples
@given(st.data())
def test_gradient(data):
    dtype = data.draw(dtypes_of(NUMERIC))
    f = data.draw(arrays(dtype, hnp.array_shapes(min_dims=1, max_dims=3, min_side=3, max_side=5), Domain(-100, 100)))
    axes = data.draw(st.sampled_from([None, 0, -1, (0, -1)[: f.ndim]]))
    number = f.ndim if axes is None else 1 if isinstance(axes, int) else len(axes)
    kind = data.draw(st.sampled_from(["none", "one", "each", "coordinates"]))
    places = range(f.ndim) if axes is None else (axes,) if isinstance(axes, int) else axes
    spacing = {
        "none": [],
        "one": [0.1],
        "each": [0.25, -2.0, 4][:number],
        "coordinates": [np.cumsum(np.arange(1.0, f.shape[i] + 1)) for i in places],
    }[kind]
    options = {"axis": axes, "edge_order": data.draw(st.sampled_from([1, 2]))}
    lifted = wide(f.astype(float_dtype(dtype)))
    spaced = [
        x.astype("float32") if isinstance(x, np.ndarray) and float_dtype(dtype).endswith(("t32", "x64")) else x
        for x in spacing
    ]
    found = be.gradient(array(f), *(array(x) if isinstance(x, np.ndarray) else x for x in spaced), **options)
    want = np.gradient(lifted, *spacing, **options)
    assert isinstance(found, tuple) == (number > 1)
    for got, wanted in zip(found if number > 1 else [found], want if number > 1 else [want], strict=True):
        check(("gradient", f, *spacing, options), got, wanted, float_dtype(dtype), factor=10, scale=1e4)


@covers("gradient")
@pytest.mark.parametrize("dtype", FLOAT)
def test_gradient_is_exact_for_parabolas(dtype):
    x = np.asarray([0.0, 1.0, 3.0, 4.0, 8.0], dtype)
    got = be.gradient(array(x * x), array(x), edge_order=2)
    check(("gradient", x), got, 2 * x, factor=10, scale=16)


@covers("gradient")
def test_a_gap_does_not_spoil_the_derivatives_beside_it():
    """Between equal steps the derivative does not depend on the middle element."""
    places = np.arange(6.0)
    for gap in (np.nan, np.inf):
        f = np.asarray([1.0, 4.0, gap, 9.0, 16.0, 25.0])
        for spacing in ((), (0.5,), (places,)):
            with np.errstate(invalid="ignore"):
                found = be.gradient(array(f), *(array(x) if isinstance(x, np.ndarray) else x for x in spacing))
                check(("gradient", f, spacing), found, np.gradient(f, *spacing), "float64")


@covers("gradient", "trapezoid")
def test_what_does_not_fit_is_refused():
    x = array(np.ones((3, 2)))
    for wrong in ({"edge_order": 3}, {"edge_order": 2}):
        with pytest.raises(ValueError, match="edge_order"):
            be.gradient(x, **wrong)
    with pytest.raises(ValueError, match="got 3 spacings for 2 axes"):
        be.gradient(x, 1.0, 1.0, 1.0)
    with pytest.raises(ValueError, match="coordinates of shape"):
        be.gradient(x, array(np.ones(2)), axis=0)
    with pytest.raises(ValueError, match="got x of shape"):
        be.trapezoid(x, array(np.ones(3)))
    for function in (be.gradient, be.trapezoid):
        with pytest.raises(IndexError, match="axis 2"):
            function(x, axis=2)


@covers("fourier_encode")
@examples
@given(st.data(), dtypes_of(REAL), st.sampled_from((1, 3)), st.booleans(), st.booleans(), st.booleans())
def test_fourier_encode(data, dtype, bands, linear, include, flatten):
    x = data.draw(arrays(dtype, st.sampled_from(((2,), (3, 2), (0, 2))), SMALL))
    computed = float_dtype(dtype)
    whole = wide(cast(x, computed))[..., None]
    scales = np.linspace(1.0, 4.0, bands) if linear else np.geomspace(1.0, 4.0, bands)
    want = np.concatenate([whole] * include + [np.sin(np.pi * whole * scales), np.cos(np.pi * whole * scales)], -1)
    want = want.reshape(*x.shape[:-1], -1) if flatten and want.size else want
    options = {"num_bands": bands, "linear": linear, "include_input": include, "flatten": flatten}
    found = be.fourier_encode(array(x), 8.0, **options)
    if x.size:
        check(("fourier_encode", x, options), found, want, computed, factor=10, scale=50.0)
    assert found.ndim == x.ndim + (not flatten)


@covers("fourier_encode")
def test_fourier_encode_refuses_what_does_not_fit():
    for x, most, bands in ((be.asarray(1.0), 2.0, 1), (be.ones(2), 0.0, 1), (be.ones(2), 2.0, 0)):
        with pytest.raises(ValueError, match="'fourier_encode'"):
            be.fourier_encode(x, most, num_bands=bands)


@covers("has_nans")
def test_has_nans():
    for values, infs, want in (
        ([1.0, np.nan], True, True),
        ([1.0, np.nan], False, True),
        ([1.0, -np.inf], True, True),
        ([1.0, -np.inf], False, False),
        ([1.0, 2.0], True, False),
        ([complex(1, np.nan)], False, True),
        ([complex(np.inf, 0)], True, True),
        ([1, 2], True, False),
        ([True], False, False),
        ([], True, False),
    ):
        check(("has_nans", values), be.has_nans(be.asarray(values), include_infs=infs), np.asarray(want), "bool")
