"""NaN, infinities and signed zeros in the basic functions, as the standard's tables of special cases say."""

from __future__ import annotations

import operator

import numpy as np
import pytest
from standard.support import FLOAT, HAVE, array, be, check, covers, numpy_of

INF, NAN = np.inf, np.nan

#: Function, arguments, result; a vector for each, element by element. Zeros are compared with their signs.
CASES = [
    ("abs", [[-0.0, -INF, NAN]], [0.0, INF, NAN]),
    ("acos", [[NAN, 2.0, 1.0]], [NAN, NAN, 0.0]),
    ("acosh", [[NAN, 0.5, 1.0, INF]], [NAN, NAN, 0.0, INF]),
    ("add", [[INF, INF, NAN, -0.0, -0.0], [-INF, 1.0, 1.0, -0.0, 0.0]], [NAN, INF, NAN, -0.0, 0.0]),
    ("asin", [[NAN, 2.0, -0.0]], [NAN, NAN, -0.0]),
    ("asinh", [[NAN, -0.0, INF, -INF]], [NAN, -0.0, INF, -INF]),
    ("atan", [[NAN, -0.0]], [NAN, -0.0]),
    ("atan2", [[NAN, 0.0, -0.0], [1.0, 1.0, 1.0]], [NAN, 0.0, -0.0]),
    ("atanh", [[NAN, -0.0, 1.0, -1.0, 2.0]], [NAN, -0.0, INF, -INF, NAN]),
    ("ceil", [[NAN, -0.5, -0.0, INF, -INF]], [NAN, -0.0, -0.0, INF, -INF]),
    ("copysign", [[0.0, INF, NAN, 1.0], [-1.0, -0.0, 1.0, -INF]], [-0.0, -INF, NAN, -1.0]),
    ("cos", [[NAN, INF, -INF, -0.0]], [NAN, NAN, NAN, 1.0]),
    ("cosh", [[NAN, INF, -INF, -0.0]], [NAN, INF, INF, 1.0]),
    ("divide", [[1.0, -1.0, 0.0, INF, NAN], [0.0, 0.0, 0.0, INF, 1.0]], [INF, -INF, NAN, NAN, NAN]),
    ("divide", [[0.0, 0.0, 1.0], [1.0, -1.0, -INF]], [0.0, -0.0, -0.0]),
    ("equal", [[NAN, 0.0, INF], [NAN, -0.0, INF]], [False, True, True]),
    ("exp", [[NAN, -INF, INF, -0.0]], [NAN, 0.0, INF, 1.0]),
    ("expm1", [[NAN, -0.0, -INF, INF]], [NAN, -0.0, -1.0, INF]),
    ("floor", [[NAN, -0.0, 0.5, INF, -INF]], [NAN, -0.0, 0.0, INF, -INF]),
    ("greater", [[NAN, INF], [1.0, 1.0]], [False, True]),
    ("hypot", [[INF, NAN, NAN, 0.0], [NAN, 1.0, -INF, -0.0]], [INF, NAN, INF, 0.0]),
    ("isfinite", [[NAN, INF, -INF, 0.0]], [False, False, False, True]),
    ("isinf", [[NAN, INF, -INF, 0.0]], [False, True, True, False]),
    ("isnan", [[NAN, INF, 0.0]], [True, False, False]),
    ("less_equal", [[NAN, -INF], [NAN, -INF]], [False, True]),
    ("log", [[NAN, 0.0, -1.0, 1.0, INF]], [NAN, -INF, NAN, 0.0, INF]),
    ("log10", [[NAN, 0.0, -1.0, 1.0, INF]], [NAN, -INF, NAN, 0.0, INF]),
    ("log1p", [[NAN, -1.0, -2.0, -0.0, INF]], [NAN, -INF, NAN, -0.0, INF]),
    ("log2", [[NAN, 0.0, -1.0, 1.0, INF]], [NAN, -INF, NAN, 0.0, INF]),
    ("logaddexp", [[NAN, INF, -INF, -INF], [1.0, 1.0, -INF, 1.0]], [NAN, INF, -INF, 1.0]),
    ("maximum", [[NAN, 1.0, INF], [1.0, NAN, 1.0]], [NAN, NAN, INF]),
    ("minimum", [[NAN, 1.0, -INF], [1.0, NAN, 1.0]], [NAN, NAN, -INF]),
    ("multiply", [[INF, NAN, -1.0, 0.0], [0.0, 1.0, 0.0, 0.0]], [NAN, NAN, -0.0, 0.0]),
    ("negative", [[0.0, -0.0, INF, NAN]], [-0.0, 0.0, -INF, NAN]),
    ("nextafter", [[NAN, 1.0, 0.0], [1.0, NAN, -0.0]], [NAN, NAN, -0.0]),
    ("not_equal", [[NAN, 0.0], [NAN, -0.0]], [True, False]),
    ("positive", [[-0.0, NAN, -INF]], [-0.0, NAN, -INF]),
    ("pow", [[NAN, 1.0, 2.0, 0.0, -0.0, 2.0], [0.0, NAN, NAN, 0.0, 3.0, -INF]], [1.0, 1.0, NAN, 1.0, -0.0, 0.0]),
    ("reciprocal", [[0.0, -0.0, INF, NAN]], [INF, -INF, 0.0, NAN]),
    ("remainder", [[NAN, 1.0, INF, 1.0], [1.0, NAN, 1.0, 0.0]], [NAN, NAN, NAN, NAN]),
    ("round", [[-0.5, -0.0, NAN, INF, 2.5]], [-0.0, -0.0, NAN, INF, 2.0]),
    ("sign", [[NAN, 0.0, -INF]], [NAN, 0.0, -1.0]),
    ("signbit", [[-0.0, 0.0, -INF, INF]], [True, False, True, False]),
    ("sin", [[NAN, INF, -0.0]], [NAN, NAN, -0.0]),
    ("sinh", [[NAN, INF, -INF, -0.0]], [NAN, INF, -INF, -0.0]),
    ("sqrt", [[NAN, -1.0, -0.0, INF]], [NAN, NAN, -0.0, INF]),
    ("square", [[NAN, -0.0, -INF]], [NAN, 0.0, INF]),
    ("subtract", [[INF, 0.0, -0.0], [INF, 0.0, 0.0]], [NAN, 0.0, -0.0]),
    ("tan", [[NAN, INF, -0.0]], [NAN, NAN, -0.0]),
    ("tanh", [[NAN, INF, -INF, -0.0]], [NAN, 1.0, -1.0, -0.0]),
    ("trunc", [[NAN, -0.5, -0.0, INF]], [NAN, -0.0, -0.0, INF]),
]

_PRECISIONS = [name for name in HAVE if name in FLOAT]


@pytest.mark.parametrize("dtype", _PRECISIONS)
@pytest.mark.parametrize(("name", "arguments", "result"), CASES, ids=[f"{i}-{case[0]}" for i, case in enumerate(CASES)])
def test_special_values(name, arguments, result, dtype):
    given = [np.asarray(values, dtype) for values in arguments]
    want = np.asarray(result) if isinstance(result[0], bool) else np.asarray(result, dtype)
    with np.errstate(all="ignore"):
        got = getattr(be, name)(*map(array, given))
        single = [getattr(be, name)(*(array(x[i]) for x in given)) for i in range(len(result))]
    check((name, *given), got, want)
    for i, one in enumerate(single):
        check((name, *(x[i] for x in given)), one, want[i])
    if want.dtype.kind == "f":
        zeros = want == 0
        signs = np.signbit(numpy_of(got)[zeros])
        assert signs.tolist() == np.signbit(want[zeros]).tolist(), f"{name}({given}): found {numpy_of(got)}"


@pytest.mark.parametrize("dtype", _PRECISIONS)
@covers("max", "min", "argmax", "argmin", "sum", "prod", "mean", "std", "cumulative_sum", "count_nonzero")
def test_nan_passes_through_reductions(dtype):
    x = np.asarray([[1.0, NAN, 3.0], [4.0, 5.0, 6.0]], dtype)
    for name in ("max", "min", "sum", "prod", "mean", "std", "var"):
        got = numpy_of(getattr(be, name)(array(x), axis=1))
        assert np.isnan(got).tolist() == [True, False]
        assert np.isnan(numpy_of(getattr(be, name)(array(x))))
    for name in ("argmax", "argmin"):
        assert getattr(be, name)(array(x), axis=1).tolist() == [1, 2 if name == "argmax" else 0]
    assert np.isnan(numpy_of(be.cumulative_sum(array(x[0])))).tolist() == [False, True, True]
    assert be.count_nonzero(array(x)).tolist() == 6


@pytest.mark.parametrize("dtype", _PRECISIONS)
@covers("max", "min", "sum", "clip", "where")
def test_infinities_and_zeros(dtype):
    x = np.asarray([1.0, INF, -INF, -0.0], dtype)
    assert be.max(array(x)).tolist() == INF
    assert be.min(array(x)).tolist() == -INF
    with np.errstate(invalid="ignore"):
        assert np.isnan(be.sum(array(x)).tolist())
    check("clip", be.clip(array(x), -2.0, 2.0), np.asarray([1.0, 2.0, -2.0, -0.0], dtype))
    check("clip", be.clip(array(np.asarray([NAN, 5.0], dtype)), 0.0, 1.0), np.asarray([NAN, 1.0], dtype))
    mask = np.asarray([True, False])
    check("where", be.where(array(mask), array(np.asarray([1.0, NAN], dtype)), NAN), np.asarray([1.0, NAN], dtype))


@pytest.mark.parametrize("dtype", _PRECISIONS)
@covers("sort", "argsort", "searchsorted")
def test_nan_counts_as_the_greatest(dtype):
    x = np.asarray([NAN, 1.0, -INF, INF, NAN, 0.0], dtype)
    check("sort", be.sort(array(x)), np.sort(x))
    check("argsort", be.argsort(array(x)), np.asarray([2, 5, 1, 3, 0, 4]))
    check("sort", be.sort(array(x), descending=True), np.sort(x)[::-1])
    check("argsort", be.argsort(array(x), descending=True), np.asarray([0, 4, 3, 1, 5, 2]))
    zeros = np.asarray([0.0, -0.0, 0.0, -1.0], dtype)
    check("argsort", be.argsort(array(zeros)), np.asarray([3, 0, 1, 2]))
    found = be.searchsorted(array(np.asarray([-INF, 0.0, INF], dtype)), array(np.asarray([-INF, -0.0, NAN], dtype)))
    check("searchsorted", found, np.asarray([0, 1, 3]))


@pytest.mark.parametrize("dtype", [name for name in HAVE if name.startswith("complex")])
@covers("add", "multiply", "isnan", "isinf", "isfinite", "conj", "abs", "exp", "sqrt")
def test_complex(dtype):
    x = np.asarray([complex(NAN, 1.0), complex(1.0, INF), complex(1.0, 2.0), complex(-0.0, 0.0)], dtype)
    check("isnan", be.isnan(array(x)), np.asarray([True, False, False, False]))
    check("isinf", be.isinf(array(x)), np.asarray([False, True, False, False]))
    check("isfinite", be.isfinite(array(x)), np.asarray([False, False, True, True]))
    assert np.signbit(numpy_of(be.real(array(x))))[3]
    assert np.signbit(numpy_of(be.imag(be.conj(array(x)))))[3]
    with np.errstate(all="ignore"):
        check("abs", be.abs(array(x)), np.abs(x))
        check("equal", be.equal(array(x), array(x)), np.asarray([False, True, True, True]))
        assert bool(be.isnan(be.add(array(x), 1.0))[0])
        assert bool(be.isnan(be.multiply(array(x), 2.0))[0])
        assert bool(be.isnan(be.exp(array(x)))[0])
    check("sqrt", be.sqrt(array(np.asarray([-1.0 + 0j, -0.0 + 0j], dtype))), np.asarray([1j, 0j], dtype))
    assert np.isfinite(numpy_of(be.sum(array(x[2:]))))
    assert bool(array(np.asarray(complex(0.0, NAN), dtype)))


@pytest.mark.parametrize("dtype", [name for name in HAVE if name.startswith("complex")])
def test_complex_numbers_are_added_in_place_part_by_part(dtype):
    x = np.asarray([complex(INF, 1.0), complex(1.0, -INF), complex(1.0, 2.0), complex(-2.0, 0.5)], dtype)
    y = np.asarray([complex(1.0, 2.0), complex(INF, 1.0), complex(1.0, INF), complex(3.0, 4.0)], dtype)
    for sign, write in ((1.0, operator.iadd), (-1.0, operator.isub)):
        parts = [part(x) + sign * part(y) for part in (np.real, np.imag)]
        total = array(x)
        whole = write(total, array(y))
        assert whole is total
        for part, want in zip((be.real, be.imag), parts, strict=True):
            check("+=", part(total), want)
        rows = write(array(np.stack([x, x])), array(y))
        check("+=", be.real(rows), np.stack([parts[0]] * 2))
        number = write(array(x), 2.5)
        check("+=", be.real(number), np.real(x) + np.asarray(sign * 2.5, parts[0].dtype))
        check("+=", be.imag(number), np.imag(x))
        shifted = array(x[2:])
        shifted = write(shifted, be.flip(shifted))
        check("+=", be.imag(shifted), np.imag(x[2:]) + np.asarray(sign, parts[0].dtype) * np.imag(x[:1:-1]))


def test_the_sign_of_zero_survives_the_ways_in_and_out():
    x = np.asarray([-0.0, 0.0], "float32")
    for found in (array(x), be.asarray(x.tolist(), dtype="float32"), be.reshape(array(x), (2, 1))):
        assert np.signbit(numpy_of(found)).ravel().tolist() == [True, False]
    assert np.signbit(be.to_list(array(x)[0]))
