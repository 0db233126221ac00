"""Casts between all dtypes, and what is known about dtypes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from standard.support import (
    ALL,
    COMPLEX,
    FLOAT,
    HAVE,
    INTEGER,
    PROMOTION,
    SIGNED,
    UNSIGNED,
    Domain,
    array,
    arrays,
    be,
    check,
    covers,
    dtypes_of,
    examples,
    shapes,
)

import corearray as ca

_PAIRS = [(one, two) for one in HAVE for two in HAVE if one not in COMPLEX or two in COMPLEX or two == "bool"]


@covers("astype")
@pytest.mark.parametrize(("dtype", "other"), _PAIRS, ids=[f"{one}-{two}" for one, two in _PAIRS])
def test_astype(dtype, other):
    x = Domain(0 if other in UNSIGNED else -100, 100).edges(dtype)
    for values in (x, x[0].reshape(())):
        check(("astype", values, other), be.astype(array(values), getattr(ca, other)), values.astype(other))


@covers("astype")
@examples
@given(st.data(), dtypes_of(ALL), dtypes_of(ALL))
def test_astype_of_any_shape(data, dtype, other):
    assume(dtype not in COMPLEX or other in COMPLEX)
    x = data.draw(arrays(dtype, shapes, Domain(0 if other in UNSIGNED else -100, 100)))
    check(("astype", x, other), be.astype(array(x), getattr(ca, other)), x.astype(other))


@covers("astype")
@pytest.mark.parametrize("dtype", [name for name in HAVE if name in INTEGER])
def test_casts_between_integers_wrap_around(dtype):
    x = Domain(-1e30, 1e30).edges(dtype)
    for other in INTEGER:
        if other in HAVE:
            check(("astype", x, other), be.astype(array(x), getattr(ca, other)), x.astype(other))


@covers("astype")
def test_astype_copies_unless_told_not_to():
    x = array(np.arange(3))
    y = be.astype(x, ca.int64)
    y[0] = 9
    check("x", x, np.arange(3))
    check("copy=False", be.astype(x, ca.int64, copy=False), np.arange(3))
    check("a name", be.astype(x, "float32"), np.arange(3, dtype="float32"))
    check("device", be.astype(x, ca.int8, device=x.device), np.arange(3, dtype="int8"))


@covers("astype")
@pytest.mark.parametrize("dtype", [name for name in HAVE if name in COMPLEX])
def test_complex_is_not_cast_to_real(dtype):
    for other in FLOAT + INTEGER:
        if other in HAVE:
            with pytest.raises(TypeError):
                be.astype(array(np.ones(2, dtype)), getattr(ca, other))


def test_can_cast():
    for (one, two), common in PROMOTION.items():
        assert be.can_cast(getattr(ca, one), getattr(ca, two)) == (common == two), (one, two)
    assert be.can_cast(array(np.ones(2, "int8")), ca.int16)
    assert not be.can_cast(array(np.ones(2, "int16")), ca.int8)


@pytest.mark.parametrize("dtype", [name for name in HAVE if name in FLOAT + COMPLEX])
def test_finfo(dtype):
    want = np.finfo(dtype)
    for asked in (getattr(ca, dtype), array(np.ones(2, dtype))):
        found = be.finfo(asked)
        for name in ("bits", "eps", "max", "min", "smallest_normal"):
            assert getattr(found, name) == getattr(want, name)
            assert type(getattr(found, name)) is (int if name == "bits" else float)
        assert found.dtype is getattr(ca, {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype))


@pytest.mark.parametrize("dtype", [name for name in HAVE if name in INTEGER])
def test_iinfo(dtype):
    want = np.iinfo(dtype)
    for asked in (getattr(ca, dtype), array(np.ones(2, dtype))):
        found = be.iinfo(asked)
        assert (found.bits, found.min, found.max) == (want.bits, want.min, want.max)
        assert found.dtype is getattr(ca, dtype)


_KINDS = {
    "bool": ("bool",),
    "signed integer": SIGNED,
    "unsigned integer": UNSIGNED,
    "integral": INTEGER,
    "real floating": FLOAT,
    "complex floating": COMPLEX,
    "numeric": ALL[1:],
}


@pytest.mark.parametrize("kind", _KINDS)
def test_isdtype(kind):
    for dtype in ALL:
        asked = getattr(ca, dtype)
        assert be.isdtype(asked, kind) is (dtype in _KINDS[kind])
        assert be.isdtype(asked, (kind, "bool")) is (dtype in (*_KINDS[kind], "bool"))
        assert be.isdtype(asked, asked) is True
        assert be.isdtype(asked, (ca.int8, ca.complex64)) is (dtype in ("int8", "complex64"))


def test_isdtype_refuses_an_unknown_kind():
    with pytest.raises(ValueError, match="'floating' is no kind"):
        be.isdtype(ca.float32, "floating")


def test_what_is_known_in_native_dtypes():
    for dtype in HAVE:
        native = getattr(be.native, dtype)
        x = array(np.ones(2, dtype)).native
        assert be.native.isdtype(native, "numeric") == (dtype != "bool")
        assert be.native.result_type(native, x) == native
        assert be.native.can_cast(x, native)
        if dtype in INTEGER:
            assert be.native.iinfo(native).dtype == native
            assert be.native.iinfo(x).max == np.iinfo(dtype).max
        elif dtype != "bool":
            assert be.native.finfo(native).eps == be.native.finfo(x).eps == np.finfo(dtype).eps


@pytest.mark.parametrize("name", HAVE)
@pytest.mark.parametrize("told", [np.dtype, lambda name: np.dtype(name).type], ids=["dtype", "type"])
def test_a_dtype_of_numpy_is_one_on_every_backend(name, told):
    native, dtype = told(name), getattr(ca, name)
    x = array(np.zeros(2, np.float32))
    for made in (be.zeros(3, dtype=native), be.asarray([0, 1], dtype=native), be.astype(x, native)):
        assert made.dtype is dtype
    assert be.isdtype(native, dtype) and be.result_type(native, dtype) is dtype and be.can_cast(native, dtype)
    assert ca.promote_types(native, name) is dtype


@pytest.mark.skipif(
    np.lib.NumpyVersion(np.__version__) < "2.4.0",
    reason="NumPy asks for __numpy_dtype__ from 2.4 on, and refuses other dtypes before",
)
@pytest.mark.parametrize("name", HAVE)
def test_numpy_takes_a_dtype_for_its_own(name):
    dtype, own = getattr(ca, name), np.dtype(name)
    assert np.dtype(dtype) == np.zeros(2, dtype).dtype == np.arange(2).astype(dtype=dtype).dtype == own
    assert np.asarray(be.zeros(2), dtype=dtype).dtype == own and dtype == own


@pytest.mark.parametrize(
    "what", [np.dtype("M8[s]"), np.str_, np.longdouble, np.ndarray, np.float32(1), np.zeros(2), object, [1]]
)
def test_what_is_no_dtype(what):
    for call in (lambda: be.zeros(3, dtype=what), lambda: ca.promote_types(ca.int8, what), lambda: be.finfo(object)):
        with pytest.raises(TypeError, match=r"is no dtype; (use an object|write x\.dtype)"):
            call()


def test_a_dtype_equals_each_spelling_of_itself_and_none_of_another():
    dtype, native = be.ones(1).dtype, be.ones(1).native.dtype
    for spelling in ("float32", np.float32, np.dtype("float32"), native, float, ca.float32):
        assert dtype == spelling
    for other in ("float64", "no dtype", np.int32, int, None, 3, [1], be.ones(1)):
        assert dtype != other
    assert dtype in {"float32"} and {ca.float32: 1}["float32"] == 1 and "float32" in {ca.float32}


@pytest.mark.parametrize("name", HAVE)
def test_a_dtype_has_the_attributes_of_one_of_numpy(name):
    dtype, own = getattr(ca, name), np.dtype(name)
    assert (dtype.kind, dtype.itemsize, dtype.name, str(dtype)) == (own.kind, own.itemsize, own.name, str(own))
    assert be.isdtype(dtype, dtype.category)
