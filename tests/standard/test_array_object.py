"""The array: operators, indexing, conversions, protocols."""

from __future__ import annotations

import copy
import math
import operator
import pickle
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard.support import (
    ALL,
    ANY,
    COMPLEX,
    FLOAT,
    FLOATING,
    HAVE,
    INTEGER,
    NAME,
    NUMERIC,
    REAL,
    Domain,
    array,
    arrays,
    be,
    check,
    covers,
    dtypes_of,
    examples,
    numpy_of,
    shapes,
    with_scalar,
)

import corearray as ca

_SMALL = Domain(1, 5, step=0.5, nonzero=True)
_BITS = ("bool", *INTEGER)

#: Operator: the function of the standard, and the dtypes that it takes.
_OPERATORS = {
    "+": (operator.add, operator.iadd, "add", NUMERIC),
    "-": (operator.sub, operator.isub, "subtract", NUMERIC),
    "*": (operator.mul, operator.imul, "multiply", NUMERIC),
    "/": (operator.truediv, operator.itruediv, "divide", FLOATING),
    "//": (operator.floordiv, operator.ifloordiv, "floor_divide", REAL),
    "%": (operator.mod, operator.imod, "remainder", REAL),
    "**": (operator.pow, operator.ipow, "pow", NUMERIC),
    "&": (operator.and_, operator.iand, "bitwise_and", _BITS),
    "|": (operator.or_, operator.ior, "bitwise_or", _BITS),
    "^": (operator.xor, operator.ixor, "bitwise_xor", _BITS),
    "<<": (operator.lshift, operator.ilshift, "bitwise_left_shift", INTEGER),
    ">>": (operator.rshift, operator.irshift, "bitwise_right_shift", INTEGER),
    "==": (operator.eq, None, "equal", ALL),
    "!=": (operator.ne, None, "not_equal", ALL),
    "<": (operator.lt, None, "less", REAL),
    "<=": (operator.le, None, "less_equal", REAL),
    ">": (operator.gt, None, "greater", REAL),
    ">=": (operator.ge, None, "greater_equal", REAL),
}


def same(what, got, want):
    check(what, got, numpy_of(want), want.dtype.name)


@pytest.mark.parametrize("symbol", _OPERATORS)
@examples
@given(st.data())
def test_operators(symbol, data):
    """An operator is the function of its name, also reflected, with Python scalars, and in place."""
    plain, in_place, name, takes = _OPERATORS[symbol]
    dtype = data.draw(dtypes_of(takes))
    found = data.draw(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, min_side=0, max_side=3))
    x1, x2 = (data.draw(arrays(dtype, shape, _SMALL)) for shape in found.input_shapes)
    function = getattr(be, name)
    same((symbol, x1, x2), plain(array(x1), array(x2)), function(array(x1), array(x2)))
    scalar = data.draw(st.sampled_from(_scalars(dtype)))
    same((symbol, x1, scalar), plain(array(x1), scalar), function(array(x1), scalar))
    same((symbol, scalar, x1), plain(scalar, array(x1)), function(scalar, array(x1)))
    if in_place is None:
        return
    x = kept = array(np.broadcast_to(x1, found.result_shape))
    x = in_place(x, array(x2))
    assert x is kept
    same((f"{symbol}=", x1, x2), kept, function(array(np.broadcast_to(x1, found.result_shape)), array(x2)))
    x = kept = array(x1)
    if with_scalar(dtype, scalar) == dtype:
        x = in_place(x, scalar)
        assert x is kept
        same((f"{symbol}=", x1, scalar), kept, function(array(x1), scalar))


def _scalars(dtype):
    if dtype == "bool":
        return [True, False]
    return [2, 3] if dtype in INTEGER else [2, 1.5] if dtype in FLOAT else [2, 1.5, 1 + 2j]


@examples
@given(st.data())
def test_operators_of_one_operand(data):
    x = data.draw(arrays(data.draw(dtypes_of(NUMERIC)), shapes))
    y = array(x)
    same(("-", x), -y, be.negative(y))
    same(("+", x), +y, be.positive(y))
    same(("abs", x), abs(y), be.abs(y))
    z = data.draw(arrays(data.draw(dtypes_of(_BITS)), shapes, ANY))
    same(("~", z), ~array(z), be.bitwise_invert(array(z)))


@pytest.mark.parametrize("dtype", [name for name in HAVE if name in NUMERIC])
def test_matrix_product(dtype):
    x = np.arange(4).reshape(2, 2).astype(dtype)
    check("@", array(x) @ array(x), x @ x)
    y = kept = array(x)
    y @= array(x)
    assert y is kept
    check("@=", y, x @ x)
    with pytest.raises((TypeError, ValueError)):
        array(x) @ 2
    with pytest.raises((TypeError, ValueError)):
        2 @ array(x)


def test_operators_with_native_arrays_and_other_operands():
    x = array(np.asarray([1.0, 2.0], "float32"))
    check("+ native", x + x.native, np.asarray([2.0, 4.0], "float32"))
    assert x.__add__("text") is NotImplemented
    assert x.__eq__(None) is NotImplemented
    assert (x == None) is False  # noqa: E711

    class Other:
        def __radd__(self, other):
            return "other's"

    assert x + Other() == "other's"


def test_arrays_are_not_hashable():
    with pytest.raises(TypeError, match="unhashable"):
        hash(array(np.ones(2)))


# --- indexing


@st.composite
def standard_key(draw, shape):
    """Draw a key that the standard defines: integers, slices within bounds, one ellipsis or a key for each axis."""
    parts = [draw(_part(side)) for side in shape]
    if draw(st.booleans()):
        start = draw(st.integers(0, len(parts)))
        parts[start : draw(st.integers(start, len(parts)))] = [...]
    key = tuple(parts)
    return key[0] if len(key) == 1 and draw(st.booleans()) else key


@st.composite
def _part(draw, side):
    if side and draw(st.booleans()):
        return draw(st.integers(-side, side - 1))
    step = draw(st.sampled_from((None, 1, 2, -1, -2)))
    if side == 0 or draw(st.booleans()):
        return slice(None, None, step)
    if (step or 1) > 0:
        return slice(draw(st.integers(-side, side - 1)), draw(st.integers(-side, side)), step)
    return slice(draw(st.integers(-side, side - 1)), draw(st.none() | st.integers(-side, side - 1)), step)


_TALL = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)


@covers("get_item")
@examples
@given(st.data(), dtypes_of(ALL))
def test_get_by_slices_and_integers(data, dtype):
    x = data.draw(arrays(dtype, _TALL, ANY))
    key = data.draw(standard_key(x.shape))
    check(("get", x, key), array(x)[key], np.asarray(x[key]))


@covers("get_item")
@examples
@given(st.data(), dtypes_of(ALL))
def test_get_with_new_axes(data, dtype):
    x = data.draw(arrays(dtype, _TALL, ANY))
    key = data.draw(standard_key(x.shape))
    parts = list(key if isinstance(key, tuple) else (key,))
    for _ in range(data.draw(st.integers(1, 2))):
        parts.insert(data.draw(st.integers(0, len(parts))), ca.newaxis)
    check(("get", x, parts), array(x)[tuple(parts)], np.asarray(x[tuple(parts)]))


@covers("get_item")
@examples
@given(st.data(), dtypes_of(ALL))
def test_get_by_a_mask(data, dtype):
    x = data.draw(arrays(dtype, _TALL, ANY))
    mask = data.draw(arrays("bool", x.shape))
    check(("get", x, mask), array(x)[array(mask)], x[mask])


@covers("get_item")
@examples
@given(st.data(), dtypes_of(ALL))
def test_get_by_integer_arrays(data, dtype):
    x = data.draw(arrays(dtype, hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=4), ANY))
    shape = hnp.mutually_broadcastable_shapes(num_shapes=x.ndim, max_dims=2, min_side=0, max_side=3)
    parts = []
    for side, sides in zip(x.shape, data.draw(shape).input_shapes, strict=True):
        place = st.integers(-side, side - 1)
        whole = data.draw(hnp.arrays(data.draw(dtypes_of(("int64", "int32", "int8"))), sides, elements=place))
        parts.append(data.draw(st.sampled_from((whole, data.draw(place)))))
    if not any(isinstance(part, np.ndarray) for part in parts):
        parts[0] = np.asarray([0, -1])
    given = tuple(array(part) if isinstance(part, np.ndarray) else part for part in parts)
    check(("get", x, parts), array(x)[given], np.asarray(x[tuple(parts)]))
    if x.ndim == 1:
        check(("get", x, parts[0]), array(x)[given[0]], np.asarray(x[parts[0]]))


@covers("get_item")
@pytest.mark.parametrize(
    "key",
    [
        (0,),
        1,
        slice(1, 100),
        slice(-100, 2),
        slice(100, None, -1),
        (slice(5, 2), 1),
        (slice(None), [2, 0]),
        ([1, 0], slice(None), [[1], [0]]),
        (..., [0, 1]),
        (0, [True, False, True]),
        (slice(None), [[True, False], [False, True], [True, True]]),
        (None, [1, 0], 0, None),
        True,
        False,
        (False, 0),
        np.True_,
        (np.False_, np.int64(0)),
        (np.int8(1), slice(np.int64(0), np.uint8(2))),
        range(1),
        (range(2), 0),
        [],
    ],
    ids=str,
)
def test_keys_beyond_the_standard(key):
    """What the standard leaves open is as in NumPy: fewer keys than axes, slices that end outside, mixed arrays."""
    x = np.arange(12).reshape(2, 3, 2)

    def with_arrays(convert):
        if isinstance(key, tuple):
            return tuple(convert(np.asarray(part)) if isinstance(part, list) else part for part in key)
        return convert(np.asarray(key, "int64")) if isinstance(key, list) else key

    check(("get", x, key), array(x)[with_arrays(array)], np.asarray(x[with_arrays(np.asarray)]))
    y, z = array(x), x.copy()
    y[with_arrays(array)] = -1
    z[with_arrays(np.asarray)] = -1
    check(("set", x, key), y, z)


@examples
@given(st.data(), dtypes_of(ALL))
def test_set_by_slices_and_integers(data, dtype):
    x = data.draw(arrays(dtype, _TALL))
    key = data.draw(standard_key(x.shape))
    part = x[key]
    sides = [data.draw(st.sampled_from((1, side))) for side in part.shape]
    value = data.draw(arrays(dtype, tuple(sides[data.draw(st.integers(0, len(sides))) :])))
    scalar = data.draw(st.booleans())
    want, got = x.copy(), array(x)
    want[key] = value[(0,) * value.ndim] if scalar and value.size else value
    got[key] = value[(0,) * value.ndim].item() if scalar and value.size else array(value)
    check(("set", x, key, value), got, want)


@pytest.mark.parametrize("key", [[], False, slice(0, 0)], ids=str)
def test_set_where_nothing_is_selected_takes_what_fits(key):
    x = np.arange(6).reshape(2, 3)
    y = array(x)
    fitting = [1, [1, 2, 3], [[1, 2, 3]], [[[7]]]]
    for value in fitting:
        y[key] = array(np.asarray(value)) if value != 1 else value
    for value in ([1, 2], [[1, 2]], np.ones((2, 2, 3), "int64")):
        with pytest.raises(ValueError, match="does not broadcast"):
            y[key] = array(np.asarray(value))
    check(("set", key), y, x)


@examples
@given(st.data(), dtypes_of(ALL))
def test_set_by_a_mask(data, dtype):
    x = data.draw(arrays(dtype, _TALL))
    mask = data.draw(arrays("bool", x.shape))
    value = data.draw(arrays(dtype, ()))
    want, got = x.copy(), array(x)
    want[mask] = value
    got[array(mask)] = array(value)
    check(("set", x, mask, value), got, want)
    got[array(mask)] = value.item()
    check(("set", x, mask, value), got, want)


def test_set_casts_within_its_kind_and_wider():
    x = array(np.zeros(3, "float64"))
    x[0] = 2
    x[1] = array(np.asarray(1.5, "float32"))
    x[2] = True
    check("set", x, np.asarray([2.0, 1.5, 1.0]))
    y = array(np.zeros(2, "complex64"))
    y[0] = 1.5
    y[1] = 2j
    check("set", y, np.asarray([1.5, 2j], "complex64"))


def test_set_of_one_array_leaves_others_alone():
    x = array(np.arange(4))
    y, z = be.positive(x), be.asarray(x, copy=True)
    x[0] = 9
    check("y", y, np.arange(4))
    check("z", z, np.arange(4))


# --- to Python and back


@pytest.mark.parametrize("dtype", HAVE)
def test_to_python_scalars(dtype):
    x = array(np.asarray(1, dtype))
    assert bool(x) is True
    assert bool(array(np.asarray(0, dtype))) is False
    assert complex(x) == 1 and type(complex(x)) is complex
    if dtype in COMPLEX:
        for convert in (int, float, operator.index):
            with pytest.raises(TypeError):
                convert(x)
        return
    assert int(x) == 1 and type(int(x)) is int
    assert float(x) == 1.0 and type(float(x)) is float
    if dtype in INTEGER:
        assert operator.index(x) == 1
        assert [5, 6][x] == 6
    else:
        with pytest.raises(TypeError):
            operator.index(x)
    assert x.item() == 1 and type(x.item()) is type(np.asarray(1, dtype).item())


def test_conversions_of_extremes():
    assert int(array(np.asarray(2**64 - 1, "uint64"))) == 2**64 - 1
    assert int(array(np.asarray(-(2**63), "int64"))) == -(2**63)
    assert float(array(np.asarray(np.inf, "float32"))) == math.inf
    assert math.isnan(float(array(np.asarray(np.nan))))
    assert bool(array(np.asarray(np.nan))) is True
    for convert in (bool, int, float, complex, operator.index):
        with pytest.raises((TypeError, ValueError)):
            convert(array(np.ones(2, "int32")))


@covers("to_list", "to_numpy")
@examples
@given(st.data(), dtypes_of(ALL))
def test_lists_and_numpy(data, dtype):
    x = data.draw(arrays(dtype, shapes, ANY))
    y = array(x)
    assert y.tolist() == ca.to_list(y) == x.tolist()
    for found in (np.asarray(y), ca.to_numpy(y), y.__array__()):
        assert found.dtype == x.dtype
        np.testing.assert_array_equal(found, x)
    if dtype in FLOAT:
        assert np.asarray(y, dtype="complex128").dtype == "complex128"
    copied = np.array(y, copy=True)
    assert copied.flags.writeable
    copied[...] = 0
    check("unchanged", y, x)


def test_attributes():
    x = array(np.ones((2, 0, 3), "int16"))
    assert (x.dtype, x.ndim, x.size) == (ca.int16, 3, 0)
    assert x.shape == (2, 0, 3) and type(x.shape) is ca.Shape
    assert x.device in be.devices()
    assert x.backend is be and be.is_native(x.native)
    assert ca.is_array(x) and ca.is_array(x.native) and not ca.is_array([1])
    assert isinstance(x, ca.Array) and type(x) is be.Array
    with pytest.raises(AttributeError):
        x.anything = 1


def test_transposes():
    x = np.arange(6).reshape(2, 3)
    check("T", array(x).T, x.T)
    check("mT", array(x).mT, x.T)
    check("mT", array(x[None]).mT, x.T[None])


def test_length_and_iteration():
    x = np.arange(6, dtype="int32").reshape(3, 2)
    assert len(array(x)) == 3
    rows = list(array(x))
    assert len(rows) == 3
    for row, want in zip(rows, x, strict=True):
        check("row", row, want)
    assert [int(v) for v in array(x[:, 0])] == [0, 2, 4]
    _, _, last = array(x)
    check("unpacked", last, x[2])
    assert list(array(np.zeros((0, 2)))) == []


@pytest.mark.parametrize("dtype", HAVE)
def test_pickle_and_copy(dtype):
    x = np.asarray([[1, 0], [0, 1]], dtype)
    for copied in (pickle.loads(pickle.dumps(array(x))), copy.copy(array(x)), copy.deepcopy(array(x))):
        check("copied", copied, x)
        assert copied.backend is be
    y = array(x)
    z = copy.copy(y)
    z[0, 0] = array(np.asarray(0, dtype))
    check("original", y, x)
    nested = copy.deepcopy({"a": [y]})
    assert nested["a"][0] is not y


def test_dtypes_and_backends_pickle():
    assert pickle.loads(pickle.dumps(ca.float32)) is ca.float32
    assert pickle.loads(pickle.dumps(be)) is be


def test_repr_and_format():
    x = array(np.asarray([1.5, -2.0], "float32"))
    text = repr(x)
    assert text.startswith("Array(") and "1.5" in text and "-2" in text
    assert "float32" in text and NAME in text and "device=" in text
    assert "complex64" in repr(array(np.asarray(1j, "complex64")))
    repr(array(np.zeros((0, 3))))
    assert len(repr(array(np.arange(100000)))) < 2000
    assert f"{array(np.asarray(2.5)):.2f}" == "2.50"
    assert f"{x}" == repr(x) == str(x)


# --- other libraries


@pytest.mark.parametrize("dtype", [name for name in HAVE if name != "bool"])
def test_dlpack_round_trip(dtype):
    x = np.arange(6).reshape(2, 3).astype(dtype)
    y = array(x)
    assert y.__dlpack_device__()[0] in (1, 2)
    found = np.from_dlpack(y)
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, x)
    check("round trip", be.from_dlpack(found.copy()), x)
    check("max_version", be.from_dlpack(_Exporter(y)), x)


class _Exporter:
    """Asks for the capsule with every parameter of the standard."""

    def __init__(self, x):
        self.x = x

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        return self.x.__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()


def test_to_device():
    x = array(np.ones(2))
    assert x.to_device(x.device) is x
    assert x.to_device(str(x.device)) is x
    with pytest.raises(ValueError):
        x.to_device("tpu:9")


def test_arrow_asks_an_array(monkeypatch):
    """pyarrow calls `__arrow_array__`; here a module of its name stands for it."""
    given = SimpleNamespace(array=lambda values, type: (values, type))
    monkeypatch.setitem(sys.modules, "pyarrow", given)
    values, kind = array(np.asarray([1.0, 2.0], "float32")).__arrow_array__(type="float64")
    assert kind == "float64" and isinstance(values, np.ndarray) and values.tolist() == [1.0, 2.0]
