"""Arrays from shapes, ranges, Python objects and other arrays."""

from __future__ import annotations

import array as arrays_of_python
import math
import re
import sys
from collections import deque
from enum import IntEnum
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
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
    MODERATE,
    NAME,
    NUMERIC,
    UNSIGNED,
    Domain,
    array,
    arrays,
    be,
    check,
    covers,
    dtypes_of,
    examples,
    needs_derivatives,
    shapes,
)

import corearray as ca

_FILLED = {"zeros": 0, "ones": 1}


@covers("zeros", "ones", "full", "empty")
@examples
@given(shapes, dtypes_of(ALL), st.data())
def test_filled(shape, dtype, data):
    if len(shape) == 1:
        shape = data.draw(st.sampled_from((shape, shape[0])))
    named = data.draw(st.sampled_from((getattr(ca, dtype), dtype)))
    for name, value in _FILLED.items():
        check((name, shape, dtype), getattr(be, name)(shape, dtype=named), np.full(shape, value, dtype))
    value = data.draw(MODERATE.elements(dtype))
    check(("full", shape, value, dtype), be.full(shape, value, dtype=named), np.full(shape, value, dtype))
    got = be.empty(shape, dtype=named)
    assert got.dtype is getattr(ca, dtype)
    assert got.shape == (shape if isinstance(shape, tuple) else (shape,))


@covers("full", "full_like")
@pytest.mark.parametrize("dtype", HAVE)
def test_filled_with_an_array(dtype):
    """A value without axes gives its dtype, or is cast; what is made shares no memory with it."""
    value = array(np.asarray(1, dtype))
    check(("full", dtype), be.full((2, 3), value), np.ones((2, 3)), dtype)
    wide = "complex128" if dtype in COMPLEX else "float64"
    check(("full", dtype), be.full(2, value, dtype=wide), np.ones(2), wide)
    check(("full_like", dtype), be.full_like(be.zeros((2, 1), dtype=wide), value), np.ones((2, 1)), wide)
    check(("full_like", dtype), be.full_like(be.zeros(0), value, dtype=value.dtype), np.ones(0), dtype)
    made = be.full((), value)
    made[...] = array(np.asarray(0, dtype))
    check(("full", dtype), value, np.ones(()), dtype)
    for function in (lambda x: be.full(2, x), lambda x: be.full_like(x, x)):
        with pytest.raises(ValueError, match="it is one number"):
            function(be.ones(2, dtype=value.dtype))


@covers("asarray")
@pytest.mark.parametrize("dtype", [None, "float32"])
@pytest.mark.parametrize(
    ("value", "named"),
    [
        ("1.5", "'1.5'"),
        (["1.5"], "'1.5'"),
        ([[1.0], "text"], "'text'"),
        (b"abc", "b'abc'"),
        ([1, b"abc"], "b'abc'"),
        (None, "None"),
        ([1, None], "None"),
        ({1: 2}, "an object of type dict"),
        ([{1, 2}], "an object of type set"),
        (object(), "an object of type object"),
        ([1, Fraction(1, 2)], "an object of type Fraction"),
        (int, "an object of type type"),
        (np.asarray(["1.5"]), "an array of the dtype '<U3'"),
        ([np.asarray([None, 1])], "an array of the dtype 'object'"),
    ],
)
def test_what_is_no_number_is_no_array(value, named, dtype):
    """Frameworks make of some the number that a text spells, NaN or bytes, and their errors are of many kinds."""
    with pytest.raises(TypeError, match=f"^'asarray' got {re.escape(named)}[ ,]"):
        be.asarray(value, dtype=dtype)
    if "dtype" not in named:
        with pytest.raises(TypeError, match=re.escape(f"got {named} where it takes an array")):
            be.exp(value)
    with pytest.raises(TypeError, match=f"^'full' got {re.escape(named)}[ ,]"):
        be.full(2, value, dtype=dtype)


@covers("full", "full_like")
@pytest.mark.parametrize("value", [np.float64(1.5), np.asarray(1.5), np.asarray(1.5, ">f8"), np.int8(1), np.uint16(1)])
def test_filled_with_a_number_of_another_library(value):
    check(("full", value), be.full(2, value), np.full(2, value).astype(value.dtype.newbyteorder("=")))
    check(("full_like", value), be.full_like(be.zeros(2), value), np.full(2, value), "float32")
    with pytest.raises(ValueError, match="it is one number"):
        be.full(2, value.reshape(1))
    with pytest.raises(TypeError, match="'full_like' got an array of dtype 'complex64' and dtype='int64'"):
        be.full_like(be.ones(2, dtype="int64"), np.complex64(1j))


@covers("zeros", "ones", "empty", "full", "eye", "linspace", "arange")
def test_default_dtypes():
    for got in (be.zeros(2), be.ones(2), be.empty(2), be.eye(2), be.full(2, 1.5), be.linspace(0, 1, 3)):
        assert got.dtype is ca.float32
    for got in (be.full(2, 1), be.arange(3), be.asarray([1, 2]), be.asarray(7)):
        assert got.dtype is ca.int64
    assert be.full(2, True).dtype is be.asarray([True]).dtype is ca.bool
    assert be.full(2, 1j).dtype is be.asarray([1, 1j]).dtype is be.linspace(0, 1j, 3).dtype is ca.complex64
    assert be.arange(3.0).dtype is be.arange(0, 1, 0.5).dtype is be.asarray([1, 2.0]).dtype is ca.float32
    ca.set_default_dtype(ca.float64)
    ca.set_default_dtype(ca.int32)
    assert be.zeros(2).dtype is be.eye(2).dtype is be.asarray([0.5]).dtype is be.arange(0.5).dtype is ca.float64
    assert be.asarray([1j]).dtype is ca.complex128
    assert be.full(2, 1).dtype is be.arange(3).dtype is be.asarray([1]).dtype is ca.int32


@covers("zeros_like", "ones_like", "full_like", "empty_like")
@examples
@given(shapes, dtypes_of(ALL), st.none() | dtypes_of(ALL), st.data())
def test_like(shape, dtype, other, data):
    x = array(data.draw(arrays(dtype, shape)))
    wanted = other or dtype
    option = None if other is None else getattr(ca, other)
    for name, value in _FILLED.items():
        got = getattr(be, f"{name}_like")(x, dtype=option)
        check((f"{name}_like", shape, dtype, other), got, np.full(shape, value, wanted))
    value = data.draw(MODERATE.elements(wanted))
    got = be.full_like(x, value, dtype=option)
    check(("full_like", shape, dtype, value, other), got, np.full(shape, value, wanted))
    got = be.empty_like(x, dtype=option)
    assert (got.dtype, got.shape) == (getattr(ca, wanted), shape)


@covers("arange")
@examples
@given(dtypes_of(INTEGER), st.integers(-20, 20), st.integers(-20, 20), st.integers(-4, 4).filter(bool))
def test_arange_of_integers(dtype, start, stop, step):
    info = np.iinfo(dtype)
    for args in ((stop,), (start, stop), (start, stop, step)):
        want = np.asarray(range(*args), dtype=np.int64)
        check(("arange", *args), be.arange(*args), want)
        if all(info.min <= value <= info.max for value in (*args, *want)):
            check(("arange", *args, dtype), be.arange(*args, dtype=getattr(ca, dtype)), want, dtype)


@covers("arange")
@examples
@given(dtypes_of(FLOAT), st.integers(-20, 20), st.integers(-20, 20), st.integers(-8, 8).filter(bool))
def test_arange_of_eighths(dtype, start, stop, step):
    args = (start / 4, stop / 4, step / 8)
    check(("arange", *args, dtype), be.arange(*args, dtype=getattr(ca, dtype)), np.arange(*args).astype(dtype))
    check(("arange", *args), be.arange(*args), np.arange(*args).astype(np.float32))


@covers("arange")
@examples
@given(
    dtypes_of(INTEGER), st.integers(0, 20), st.integers(-20, 20), st.sampled_from([0.25, 0.5, 0.75, 1.5, -0.5, -1.25])
)
def test_arange_of_an_integer_dtype_rounds_down(dtype, start, length, step):
    args = (start + 0.5, start + length / 4, step)
    want = np.floor(np.arange(*args))
    if not want.size or (want.min() >= 0 and want.max() < 128):
        check(("arange", *args, dtype), be.arange(*args, dtype=dtype), want, dtype)


@covers("arange")
@pytest.mark.parametrize(
    ("args", "dtype", "want"),
    [
        ((2.5,), "int64", [0, 1, 2]),
        ((-0.5, 2.5), "int64", [-1, 0, 1]),
        ((5, 0, -1.5), "int32", [5, 3, 2, 0]),
        ((3, -1, -1), "uint8", [3, 2, 1, 0]),
        ((2**24, 2**24 + 4), "float32", [2.0**24, 2.0**24, 2.0**24 + 2, 2.0**24 + 4]),
        ((1, 1.3, 0.1), "float64", [1.0, 1.1, 1.2, 1.3]),
        ((0, 10**30, 5 * 10**29), "float64", [0.0, 5e29]),
        ((0, 3), "bool", [False, True, True]),
        ((0, 2, 0.5), "complex64", [0, 0.5, 1, 1.5]),
        ((0, 3, float("inf")), "float32", []),
        ((float("inf"), 3), "float32", []),
        ((True, 3), "int64", [1, 2]),
    ],
)
def test_arange_in_each_kind_of_dtype(args, dtype, want):
    if dtype in HAVE:
        check(("arange", *args, dtype), be.arange(*args, dtype=dtype), np.asarray(want, dtype))


@covers("arange")
def test_arange_far_from_zero():
    """NumPy's own adds the rounded difference of the first two again and again."""
    got = be.arange(1000.0, 1100.0, 0.1)
    check("arange", got, (1000 + np.arange(1000) * 0.1).astype("float32"))


_UNFIT = [
    (ValueError, "'arange' got a step of 0", lambda: be.arange(0, 3, 0)),
    (ValueError, "'arange' got a step of 0", lambda: be.arange(0, 3, 0.0, dtype="int32")),
    (ValueError, "no finite number of values", lambda: be.arange(0, float("inf"))),
    (ValueError, "no finite number of values", lambda: be.arange(0, float("nan"))),
    (ValueError, "no finite number of values", lambda: be.arange(0, 3, float("nan"))),
    (OverflowError, "start=-1, .* do not fit into 'uint8', which holds 0 to 255", lambda: be.arange(-1, 3, dtype="uint8")),
    (OverflowError, "'arange' got .* do not fit into 'uint8'", lambda: be.arange(3, -3, -1, dtype="uint8")),
    (OverflowError, "'arange' got .* do not fit into 'uint8'", lambda: be.arange(-0.5, 3, dtype="uint8")),
    (OverflowError, "'arange' got .* do not fit into 'int8'", lambda: be.arange(0, 300, 100, dtype="int8")),
    (OverflowError, "'arange' got .* do not fit into 'int64'", lambda: be.arange(2**63, 2**63 + 3)),
    (OverflowError, "'arange' got .* do not fit into 'int64'", lambda: be.arange(0, 10**30, 10**29)),
    (OverflowError, "'linspace' got .* do not fit into 'uint8'", lambda: be.linspace(0, 300, 3, dtype="uint8")),
    (OverflowError, "'linspace' got .* do not fit into 'uint8'", lambda: be.linspace(-1, 3, 3, dtype="uint8")),
    (OverflowError, "'geomspace' got .* do not fit into 'uint8'", lambda: be.geomspace(1, 256, 9, dtype="uint8")),
    (TypeError, "'linspace' got .*, 1j and 4, and dtype='float32'", lambda: be.linspace(1j, 4, 3, dtype="float32")),
    (TypeError, "'linspace' got complex numbers, 0 and 1j, and dtype='int32'", lambda: be.linspace(0, 1j, 3, dtype="int32")),
    (TypeError, "'linspace' got complex numbers and dtype='int8'", lambda: be.linspace(be.asarray([1j]), 1, 3, dtype="int8")),
    (IndexError, "'linspace' got axis 1 where there are 1 axes", lambda: be.linspace(0, 1, 3, axis=1)),
    (TypeError, "'asarray' got the complex number 1j and dtype='float32'", lambda: be.asarray(1j, dtype="float32")),
    (TypeError, "'asarray' got the complex number 1j and dtype='int32'", lambda: be.asarray([0, 1j], dtype="int32")),
    (TypeError, "'full' got the complex number 1j and dtype='float32'", lambda: be.full(2, 1j, dtype="float32")),
    (ValueError, "NaN is no integer", lambda: be.asarray(float("nan"), dtype="int32")),
    (ValueError, "NaN is no integer", lambda: be.full(2, float("nan"), dtype="int32")),
    (OverflowError, "the number inf does not fit into 'int32'", lambda: be.asarray([float("inf")], dtype="int32")),
    (OverflowError, "the number -1.0 does not fit into 'uint8'", lambda: be.asarray(-1.0, dtype="uint8")),
    (OverflowError, "the number -1.5 does not fit into 'uint64'", lambda: be.asarray([3, -1.5], dtype="uint64")),
    (OverflowError, "the number 1e.20 does not fit into 'uint64'", lambda: be.asarray([[1e20]], dtype="uint64")),
    (OverflowError, "the number 9.2.* does not fit into 'int64'", lambda: be.asarray([2.0**63], dtype="int64")),
    (ValueError, "NaN is no integer", lambda: be.asarray([float("nan")], dtype="uint64")),
]  # fmt: skip


@pytest.mark.parametrize(("error", "message", "call"), _UNFIT, ids=[str(i) for i in range(len(_UNFIT))])
def test_numbers_that_a_dtype_does_not_hold(error, message, call):
    for _ in range(2):
        with pytest.raises(error, match=message) as caught:
            call()
        assert isinstance(caught.value, ca.CoreArrayError)


@covers("asarray", "full")
@pytest.mark.parametrize("dtype", ["int8", "uint8", "uint16", "uint32", "uint64"])
def test_numbers_are_cut_to_integers(dtype):
    """Also those between -1 and 0, which an unsigned dtype holds as 0."""
    assert be.asarray([[-0.5, 2], [2.75, 126.5]], dtype=dtype).tolist() == [[0, 2], [2, 126]]
    assert be.asarray(-0.5, dtype=dtype).tolist() == 0
    assert be.full(2, -0.5, dtype=dtype).tolist() == [0, 0]


@covers("linspace")
def test_linspace_of_large_integers_and_beside_the_end():
    check("linspace", be.linspace(0, 2 * 10**30, 3), np.asarray([0, 1e30, 2e30], "float32"))
    check("linspace", be.linspace(0, 256, 4, dtype="uint8", endpoint=False), np.asarray([0, 64, 128, 192], "uint8"))
    check("linspace", be.linspace(be.asarray(1.0), be.asarray(2.0), 3), np.asarray([1, 1.5, 2], "float32"))


@covers("linspace", "logspace")
@pytest.mark.parametrize("name", ["linspace", "logspace"])
@pytest.mark.parametrize("shapes", [((3,), (3,)), ((2, 1), (3,)), ((2,), None), (None, ())])
def test_linspace_and_logspace_of_arrays(name, shapes):
    values = [1.5 if shape is None else np.arange(math.prod(shape)).reshape(shape) / 4 - 1 for shape in shapes]
    for dtype in ("float32", "float64"):
        bounds = [x if shape is None else be.asarray(x, dtype=dtype) for x, shape in zip(values, shapes, strict=True)]
        for axis in (0, -1):
            for options in ({"num": 1}, {"num": 4}, {"num": 4, "endpoint": False}):
                got = getattr(be, name)(*bounds, axis=axis, **options)
                check(
                    (name, shapes, options),
                    got,
                    getattr(np, name)(*values, axis=axis, **options),
                    dtype,
                    factor=4,
                    scale=1,
                )
                assert str(got.dtype) == dtype


@covers("linspace", "logspace")
def test_linspace_of_integers_of_lists_and_of_complex_numbers():
    assert be.linspace(be.asarray([1, 2]), 4, 3).dtype is be.ones(()).dtype
    check("linspace", be.linspace([1, 2], 4, 3, dtype="int32"), np.linspace([1, 2], 4, 3, dtype="int32"))
    check("linspace", be.linspace(be.asarray([1j, 2]), 4, 3), np.linspace([1j, 2], 4, 3), "complex64")
    assert be.linspace(np.float64(0), 1, 3).dtype is be.ones(()).dtype  # as other numbers of the program
    with pytest.raises(TypeError, match="'logspace' is a function of real numbers"):
        be.logspace(1j, 2, 3)


@covers("linspace", "logspace")
@needs_derivatives
def test_gradients_of_linspace_and_logspace():
    with ca.backend_context(be):
        x = be.asarray([0.5, 1.0])
        slope = ca.grad(lambda x: ca.sum(ca.linspace(x, 2.0, 5)[1] + ca.logspace(0.0, x, 3)[1]))(x)
    check("linspace", slope, 0.75 + np.log(10) / 2 * 10 ** (np.asarray([0.5, 1.0]) / 2), "float32", factor=4)


@covers("asarray")
@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("kind", ["i4", "u2", "i8", "f4", "f8", "c8", "c16"])
def test_asarray_of_either_byte_order(kind, order):
    memory = np.asarray([[1, 2, 3], [4, 5, 700]], f"{order}{kind}")
    want = memory.astype(memory.dtype.newbyteorder("="))
    if want.dtype.name in HAVE:
        check("an array", be.asarray(memory), want)
        check("a buffer", be.asarray(memoryview(memory)), want)
        check("one with gaps", be.asarray(memoryview(memory[:, ::-2])), want[:, ::-2])
        check(
            "read-only",
            be.asarray(memoryview(memory.tobytes()).cast("B")[:2]),
            np.frombuffer(memory.tobytes(), "u1")[:2],
        )
        check("in a list", be.asarray([memoryview(memory), want.tolist()]), np.stack([want, want]))
        check("as another dtype", be.asarray(memoryview(memory), dtype="complex64"), want.astype("complex64"))
        check("a number", be.asarray(memory[0, 1]), want[0, 1])


@covers("asarray")
@pytest.mark.parametrize(
    "buffer",
    [
        memoryview(b"abcd").cast("c"),
        memoryview(b"abcdefgh").cast("P"),
        memoryview(np.asarray([(1,), (2,)], [("a", "i4")])),
        memoryview(np.asarray([1, 2], "longdouble")),
        arrays_of_python.array("w" if sys.version_info >= (3, 13) else "u", "ab"),
    ],
    ids=["characters", "pointers", "records", "long double", "text"],
)
def test_asarray_of_buffers_that_hold_no_numbers_of_a_dtype(buffer):
    for value in (buffer, [buffer]):
        with pytest.raises(TypeError, match=r"'asarray' got a buffer of the format '.*', which holds no numbers"):
            be.asarray(value)


@covers("eye")
@examples
@given(st.integers(0, 5), st.none() | st.integers(0, 5), st.integers(-6, 6), dtypes_of(ALL))
def test_eye(rows, columns, k, dtype):
    want = np.eye(rows, columns, k, dtype)
    check(("eye", rows, columns, k, dtype), be.eye(rows, columns, k=k, dtype=getattr(ca, dtype)), want)


@covers("linspace")
@examples
@given(dtypes_of(FLOATING), st.integers(0, 9), st.booleans(), st.data())
def test_linspace(dtype, num, endpoint, data):
    start, stop = (data.draw(MODERATE.elements(dtype)) for _ in range(2))
    want = np.linspace(start, stop, num, endpoint=endpoint)
    got = be.linspace(start, stop, num, dtype=getattr(ca, dtype), endpoint=endpoint)
    check(("linspace", start, stop, num, endpoint, dtype), got, want, dtype, scale=max(abs(start), abs(stop)))
    if dtype in FLOAT and num > 1 and endpoint:
        assert float(got[num - 1]) == float(np.asarray(stop, dtype))


@covers("meshgrid")
@examples
@given(st.data(), dtypes_of(NUMERIC), st.integers(0, 3), st.sampled_from(("xy", "ij")))
def test_meshgrid(data, dtype, count, indexing):
    found = [data.draw(arrays(dtype, hnp.array_shapes(max_dims=1, min_side=0, max_side=3))) for _ in range(count)]
    assume(found)
    got = be.meshgrid(*map(array, found), indexing=indexing)
    want = np.meshgrid(*found, indexing=indexing)
    assert isinstance(got, (list, tuple)) and len(got) == len(want)
    for one, other in zip(got, want, strict=True):
        check(("meshgrid", found, indexing), one, other)


@covers("tril", "triu")
@examples
@given(st.data(), dtypes_of(ALL), st.integers(-4, 4))
def test_triangles(data, dtype, k):
    x = data.draw(arrays(dtype, hnp.array_shapes(min_dims=2, max_dims=4, min_side=0, max_side=3)))
    check(("tril", x, k), be.tril(array(x), k=k), np.tril(x, k))
    check(("triu", x, k), be.triu(array(x), k=k), np.triu(x, k))


# --- asarray


@pytest.mark.parametrize("dtype", HAVE)
@covers("asarray", "to_numpy", "to_list")
def test_asarray_of_numpy_and_back(dtype):
    x = ANY.edges(dtype)
    for values in (x, x[0], x[:0].reshape(0, 2), x[: len(x) // 2 * 2].reshape(2, -1), x[::-2]):
        check(("asarray", values), be.asarray(values), np.asarray(values))
        assert be.to_list(be.asarray(values)) == values.tolist()


@covers("asarray")
@examples
@given(st.data(), dtypes_of(ALL))
def test_asarray_of_nested_lists(data, dtype):
    x = data.draw(arrays(dtype, shapes, MODERATE))
    got = be.asarray(x.tolist(), dtype=getattr(ca, dtype))
    check(("asarray", x.tolist(), dtype), got, x if x.size else np.asarray(x.tolist(), dtype))


@covers("asarray")
def test_asarray_infers_the_dtype_of_python_values():
    for values, dtype in (
        (True, "bool"),
        ([True, False], "bool"),
        ([True, 2], "int64"),
        ([[1], [2]], "int64"),
        ([True, 0.5], "float32"),
        ((1, 2.5), "float32"),
        ([1, 2.5, 1j], "complex64"),
        ([], "float32"),
        ([[], []], "float32"),
    ):
        check(("asarray", values), be.asarray(values), np.asarray(values).astype(dtype))


@covers("asarray")
def test_asarray_of_lists_that_hold_arrays():
    one, two = np.asarray([1, 2], "int16"), np.asarray([3, 4], "int16")
    check("asarray", be.asarray([array(one), array(two)]), np.stack([one, two]))
    check("asarray", be.asarray([array(one[0]), array(two[0])]), np.stack([one[0], two[0]]))


@covers("asarray")
@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([np.float64(1.5), 2], "float64"),
        ([2, np.float64(1.5)], "float64"),
        ((((np.float64(1.5),), [2])), "float64"),
        ([np.asarray([1.5]), [2]], "float64"),
        ([np.asarray([1.5], ">f8"), [2]], "float64"),
        ([np.float32(2.5), True], "float32"),
        ([np.float32(2.5), 1], "float32"),
        ([np.float32(2.5), 1.5], "float32"),
        ([np.float32(2.5), np.int8(1)], "float32"),
        ([np.uint64(2**63), 1], "uint64"),
        ([np.complex64(1 + 2j), 2], "complex64"),
        ([np.complex64(1 + 2j), 2.5], "complex64"),
        ([np.int8(1), 2], "int8"),
        ([np.int8(1), 2.5], "float32"),
        ([np.bool_(True), 2], "int64"),
        ([arrays_of_python.array("d", [1.5, 2]), [1, 2]], "float64"),
        ([memoryview(np.asarray([1.5, 2])), deque([1, 2])], "float64"),
        ([range(2), (1.5, 2)], "float32"),
        ([IntEnum("Axis", ["ROWS"]).ROWS, 2.5], "float32"),
        (deque([1, 2.5]), "float32"),
        (range(2), "int64"),
    ],
)
def test_asarray_of_numbers_of_several_kinds(values, dtype):
    """An array of another library counts with its dtype, as one of the backend does; Python's numbers keep it."""
    want = np.asarray(values).astype(dtype)
    check(("asarray", values), be.asarray(values), want)
    check(("asarray beside an array", values), be.asarray([array(want), values]), np.stack([want, want]))


@covers("asarray", "where", "stack")
def test_lists_of_numbers_of_several_kinds_in_the_place_of_arrays():
    """NumPy's double precision is a number of Python's, too, and so is let in beside arrays of the backend."""
    values = [np.float64(1.5), 2]
    check("where", be.where(array(np.asarray([True, False])), values, 0), np.asarray([1.5, 0]))
    check("stack", be.stack([[1, 2], values]), np.asarray([[1, 2], values]))
    x = be.zeros(2)
    x[...] = values
    check("set_item", x, np.asarray(values), "float32")
    with pytest.raises(IndexError, match="arrays of 'float64' are no indices"):
        x[[np.float64(0), 1]]


@covers("asarray")
def test_asarray_loses_no_imaginary_part():
    for values in (np.complex64(1j), [np.complex64(1j), 2], [array(np.asarray(1j)), 2]):
        with pytest.raises(TypeError, match=r"'asarray' got an array of dtype 'complex\d+' and dtype='int64'"):
            be.asarray(values, dtype="int64")
    with pytest.raises(TypeError, match="'uint64' and 'int64' have no common integer dtype"):
        be.asarray([np.uint64(2**63), np.int64(1)])
    with pytest.raises(OverflowError):
        be.asarray([np.int8(1), 300])


@covers("asarray")
@pytest.mark.parametrize("dtype", [">f8", ">i2", ">c8"])
def test_asarray_of_the_other_byte_order(dtype):
    x = np.asarray([1, 2], dtype)
    native = x.astype(x.dtype.newbyteorder("="))
    check(("asarray", dtype), be.asarray(x), native)
    check(("asarray", dtype), be.asarray(x, dtype="complex128"), x.astype("complex128"))
    with pytest.raises(ValueError, match="copy"):
        be.asarray(x, copy=False)


@covers("asarray")
def test_asarray_of_what_offers_its_data():
    memory = np.arange(6, dtype="int32").reshape(2, 3)

    class WithArray:
        def __array__(self, dtype=None, copy=None):
            return memory if dtype is None else memory.astype(dtype)

    class WithInterface:  # and nothing else, as an image of Pillow's
        __array_interface__ = property(lambda self: {**memory.__array_interface__, "data": memory.tobytes()})

    class WithDLPack:
        def __dlpack__(self, **options):
            return memory.__dlpack__(**options)

        def __dlpack_device__(self):
            return memory.__dlpack_device__()

    check("asarray of __array__", be.asarray(WithArray()), memory)
    check("asarray of __array_interface__", be.asarray(WithInterface()), memory)
    check("asarray of several", be.asarray([WithInterface(), WithArray()]), np.stack([memory, memory]))
    check("sum of __array_interface__", be.sum(WithInterface(), axis=0), memory.sum(axis=0))
    check("asarray of __dlpack__", be.asarray(WithDLPack()), memory)
    check("asarray of a buffer", be.asarray(memoryview(memory)), memory)
    check("asarray of a buffer", be.asarray(bytearray(b"abc")), np.asarray([97, 98, 99], "uint8"))


@covers("asarray")
def test_asarray_copies_when_asked_to():
    memory = np.arange(4)
    x = be.asarray(memory, copy=True)
    memory[0] = 9
    check("copied from NumPy", x, np.arange(4))
    y = be.asarray(x, copy=True)
    y[1] = 9
    check("copied from an array", x, np.arange(4))
    z = be.asarray(x)
    check("not copied", z, np.arange(4))
    check("not copied", be.asarray(x, copy=False), np.arange(4))
    with pytest.raises(ValueError):
        be.asarray(x, dtype=ca.float32, copy=False)
    with pytest.raises(ValueError):
        be.asarray([1, 2], copy=False)


@covers("asarray")
@examples
@given(st.data(), dtypes_of(ALL), dtypes_of(ALL))
def test_asarray_casts(data, dtype, other):
    assume(dtype not in COMPLEX or other in COMPLEX)
    x = data.draw(arrays(dtype, shapes, Domain(0, 100) if other in UNSIGNED else Domain(-100, 100)))
    check(("asarray", x, other), be.asarray(array(x), dtype=getattr(ca, other)), x.astype(other))


@covers("from_dlpack")
@pytest.mark.parametrize("dtype", [name for name in HAVE if name != "bool"])
def test_from_dlpack(dtype):
    x = np.arange(6).reshape(2, 3).astype(dtype)
    check("from_dlpack of NumPy", be.from_dlpack(x.copy()), x)
    check("from_dlpack of itself", be.from_dlpack(array(x)), x)
    check("from_dlpack of a native array", be.from_dlpack(array(x).native), x)
    copied = be.from_dlpack(array(x), copy=True)
    copied[0, 0] = 5
    check("from_dlpack with a copy", copied, np.asarray([[5, 1, 2], [3, 4, 5]], dtype))


@covers("from_dlpack")
@pytest.mark.parametrize("values", ["text", [None]])
def test_from_dlpack_takes_numbers(values):
    with pytest.raises(BufferError, match="'from_dlpack'"):
        be.from_dlpack(np.asarray(values))


def test_devices():
    device = be.devices()[0]
    x = be.zeros(2, device=device)
    assert x.device == device
    for got in (be.asarray([1], device=device), be.ones_like(x, device=device), be.astype(x, ca.int8, device=device)):
        assert got.device == device
    assert be.asarray([1], device=str(device)).device == device
    with pytest.raises(ca.DeviceError, match=f"backend '{NAME}' has no device 'tpu:9'"):
        be.zeros(2, device="tpu:9")
    with pytest.raises(ca.DeviceError, match="'5' is no device"):
        be.zeros(2, device=5)


@covers("linspace")
@pytest.mark.parametrize("endpoint", [True, False])
def test_fewer_numbers_than_none(endpoint):
    with pytest.raises(ValueError, match=r"'linspace' .* got num=-1; the number of values is at least 0"):
        be.linspace(0, 1, -1, endpoint=endpoint)
