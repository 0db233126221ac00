"""The array as a Python object: conversions, copies, printing, assignment; on the default backend and on toys."""

from __future__ import annotations

import copy
import enum
import gc
import inspect
import operator
import pickle
import re
import sys
import weakref

import numpy as np
import pytest

import corearray as ca
from corearray.errors import CoreArrayBufferError
from corearray.settings.context import DEFAULT_BACKEND

SECOND = enum.IntEnum("SECOND", ["ONE", "TWO"])


@pytest.fixture
def be():
    with ca.backend_context(DEFAULT_BACKEND) as backend:
        yield backend


@pytest.fixture
def alpha(toy):
    """A toy backend, whose arrays cannot be written in place."""
    toy("alpha")
    with ca.backend_context("alpha") as backend:
        yield backend


# --- attributes


def test_what_an_array_says_of_itself(alpha):
    x = ca.asarray([1.0, 2.0], device="gpu:0")
    assert x.backend is alpha and x.backend.name == "alpha"
    assert ca.get_backend("alpha").is_native(x.native)
    assert (x.shape, x.ndim, x.size, x.dtype, x.device) == ((2,), 1, 2, ca.float32, "gpu:0")
    assert x.__array_namespace__() is alpha
    assert x.__array_namespace__(api_version="2021.12") is alpha
    with pytest.raises(ValueError, match=r"edition '2019.12' of the array API standard is not known; known are"):
        x.__array_namespace__(api_version="2019.12")


def test_arrays_come_from_functions():
    with pytest.raises(TypeError, match=r"not made by calling the class; use corearray.asarray\(obj\)"):
        ca.Array([1])


def test_a_typo_is_an_attribute_error(be):
    x = ca.zeros(2)
    with pytest.raises(AttributeError, match="'Array' object has no attribute 'shpae'") as caught:
        x.shpae
    assert caught.value.name == "shpae" and caught.value.obj is x
    with pytest.raises(AttributeError):
        x.label = "speed"


def test_arrays_have_no_hash(be):
    with pytest.raises(TypeError, match="unhashable type: 'Array'"):
        hash(ca.zeros(2))


def test_weak_references(be):
    x = ca.zeros(2)
    reference = weakref.ref(x)
    assert reference() is x
    del x
    gc.collect()
    assert reference() is None


# --- Python numbers


def test_an_array_without_axes_converts_to_python_numbers(be):
    two = ca.asarray(2)
    assert (bool(two), int(two), float(two), complex(two)) == (True, 2, 2.0, 2 + 0j)
    assert [type(kind(two)) for kind in (bool, int, float, complex)] == [bool, int, float, complex]
    assert operator.index(two) == 2 and "abc"[two] == "c" and list(range(two)) == [0, 1]
    assert int(ca.asarray(-2.7)) == -2 and complex(ca.asarray(1j)) == 1j and not ca.asarray(0.0)


@pytest.mark.parametrize(
    ("convert", "kind", "text"),
    [
        (lambda: bool(ca.zeros(2)), ValueError, r"truth of an array of shape \(2,\) is ambiguous; use any\(x\) or all"),
        (lambda: bool(ca.zeros((0,))), ValueError, r"shape \(0,\)"),
        (lambda: int(ca.zeros(1)), TypeError, r"only an array without axes converts to int, this one has .* \(1,\)"),
        (lambda: float(ca.zeros((2, 2))), TypeError, r"converts to float, .* \(2, 2\); index it or reduce it first"),
        (lambda: float(ca.asarray(1j)), TypeError, r"a complex number does not convert to float; take real\(x\)"),
        (lambda: int(ca.asarray(1j)), TypeError, r"a complex number does not convert to int"),
        (lambda: operator.index(ca.asarray(2.0)), TypeError, r"only an integer array is an index, .* 'float32'"),
        (lambda: operator.index(ca.asarray(True)), TypeError, r"only an integer array is an index, .* 'bool'"),
        (lambda: operator.index(ca.zeros(2, dtype="int64")), TypeError, r"without axes converts to an index"),
        (lambda: len(ca.asarray(1)), TypeError, "an array without axes has no length"),
        (lambda: iter(ca.asarray(1)), TypeError, "an array without axes cannot be iterated over"),
        (lambda: ca.zeros(2).item(), ValueError, r"only an array of size 1 has an item"),
        (lambda: ca.zeros(2).to_device("cpu", stream=1), ValueError, "takes no stream"),
        (lambda: ca.zeros(2).to_device("gpu:3"), ValueError, r"has no device 'gpu:3'; it has 'cpu'"),
    ],
)
def test_what_does_not_convert(be, convert, kind, text):
    with pytest.raises(kind, match=text) as caught:
        convert()
    assert isinstance(caught.value, ca.CoreArrayError)


def test_python_raises_what_it_always_raises_for_infinity_and_nan(be):
    with pytest.raises(OverflowError):
        int(ca.asarray(ca.inf))
    with pytest.raises(ValueError, match="NaN"):
        int(ca.asarray(ca.nan))


def test_sequences(be):
    x = ca.asarray([[1, 2], [3, 4], [5, 6]])
    assert len(x) == 3
    assert [row.tolist() for row in x] == [[1, 2], [3, 4], [5, 6]]
    assert all(isinstance(row, ca.Array) for row in x)
    assert 3 in x and 7 not in x and ca.asarray([5, 6]) in x
    assert None not in x and "text" not in x
    first, *_, last = x
    assert (first.tolist(), last.tolist()) == ([1, 2], [5, 6])
    assert list(reversed(ca.asarray([1, 2]))) == [2, 1]


# --- copies and pickles


def test_copies_are_independent(be):
    x = ca.asarray([[1, 2], [3, 4]])
    for duplicate in (copy.copy(x), copy.deepcopy(x)):
        duplicate[0, 0] = 9
        assert x.tolist() == [[1, 2], [3, 4]] and duplicate.tolist() == [[9, 2], [3, 4]]
    both = copy.deepcopy({"one": x, "again": x})
    assert both["one"] is both["again"] and both["one"] is not x


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickles(be, protocol):
    for name in be.__array_namespace_info__().dtypes():
        x = ca.astype(ca.asarray([[0, 1, 2], [3, 4, 5]]), name)
        again = pickle.loads(pickle.dumps(x, protocol))
        assert again.dtype is x.dtype and again.shape == x.shape and again.backend is be
        assert again.tolist() == x.tolist()
    nothing = pickle.loads(pickle.dumps(ca.zeros((0, 3)), protocol))
    assert nothing.shape == (0, 3)
    assert pickle.loads(pickle.dumps(ca.asarray(2.5), protocol)).tolist() == 2.5


def test_pickled_elements_travel_out_of_band(be):
    buffers = []
    x = ca.ones(100_000)
    head = pickle.dumps(x, 5, buffer_callback=buffers.append)
    assert len(head) < 1000 and len(buffers) == 1
    again = pickle.loads(head, buffers=buffers)
    again[0] = 2.0
    assert again.tolist()[:2] == [2.0, 1.0]


def test_a_pickle_loads_its_backend(be, run_python):
    text = pickle.dumps(ca.asarray([1.5, 2.5], dtype="float64")).hex()
    found = run_python(
        f"import pickle; x = pickle.loads(bytes.fromhex('{text}')); print(x.dtype, x.tolist(), x.backend)"
    )
    assert found.startswith(f"float64 [1.5, 2.5] <corearray backend '{be.name}'")


def test_a_pickle_of_a_device_that_is_not_here_comes_to_the_backends_own(alpha, monkeypatch):
    text = pickle.dumps(ca.asarray([1.0], device="gpu:0"))
    assert pickle.loads(text).device == "gpu:0"
    monkeypatch.setattr(alpha, "_devices", (ca.Device("cpu"),), raising=False)
    assert pickle.loads(text).device == "cpu"


def test_a_pickle_without_its_backend_says_what_is_missing(alpha):
    text = pickle.dumps(ca.asarray([1.0]))
    ca.manager.manager.unregister("alpha")
    with pytest.raises(ca.BackendNotFoundError, match=r"there is no backend 'alpha'; installed are '.*pip install"):
        pickle.loads(text)


# --- to NumPy


def test_numpy_takes_arrays(be):
    x = ca.asarray([[0.0, 1.0]])
    assert type(np.asarray(x)) is np.ndarray and np.asarray(x).dtype == "float32"
    assert np.asarray(x, dtype="int8").dtype == "int8"
    np.testing.assert_array_equal(np.sin(x), np.sin([[0.0, 1.0]], dtype="float32"))
    assert type(np.sin(x)) is type(x)
    assert np.shares_memory(np.asarray(x, copy=False), x.native)
    assert not np.shares_memory(np.array(x, copy=True), x.native)
    with pytest.raises(ValueError, match=r"of dtype 'float32' of backend .* cannot be exported without a copy"):
        np.asarray(x, dtype="int8", copy=False)


def test_memory_that_cannot_be_shared_is_an_error(alpha):
    x = ca.asarray([1.0, 2.0])
    assert np.asarray(x).tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match=r"of backend 'alpha' on device 'cpu' cannot be exported without a copy"):
        np.asarray(x, copy=False)
    with pytest.raises(BufferError, match="'to_dlpack' on backend 'alpha' failed with BufferError: toys") as caught:
        x.__dlpack__()
    assert isinstance(caught.value, CoreArrayBufferError) and isinstance(caught.value.__cause__, BufferError)
    assert x.__dlpack_device__() == (1, 0)


@pytest.mark.parametrize(
    "op", [operator.add, operator.sub, operator.mul, operator.pow, operator.eq, operator.lt, operator.matmul]
)
def test_operators_beside_native_arrays(be, op):
    x, native = ca.asarray([1.0, 2.0]), np.asarray([3.0, 4.0], dtype="float32")
    for mixed in (op(x, native), op(native, x)):
        assert isinstance(mixed, ca.Array)
    assert op(x, native).tolist() == op(x.native, native).tolist()
    assert op(native, x).tolist() == op(native, x.native).tolist()


def test_operators_beside_arrays_of_another_backend(be, alpha):
    x = ca.asarray([1.0, 2.0])
    y = be.asarray([1.0])
    for mixed in (lambda: x + y, lambda: y + x, lambda: operator.iadd(x, y), lambda: y + x.native):
        with pytest.raises(ca.BackendMismatchError, match=r"'alpha'"):
            mixed()


def test_arrays_of_numpy_are_operands_on_every_backend(alpha):
    """Constants of the backend and device of the array, of their own dtype; functions refuse them."""
    x, native = ca.asarray([1.0, 2.0], device="gpu:0"), np.asarray([3.0, 4.0])
    for sum_ in (x + native, native + x):
        assert type(sum_) is alpha.Array and sum_.tolist() == [4.0, 6.0]
        assert sum_.dtype is ca.float64 and sum_.device == "gpu:0"
    remedy = re.escape('convert it with corearray.to_backend(x, "alpha")')
    with pytest.raises(ca.BackendMismatchError, match=f"'add' runs on backend 'alpha' .*{remedy}"):
        ca.add(x, native)
    with pytest.raises(TypeError, match="dtype '<U1'"):
        x + np.asarray(["a", "b"])
    kept = x
    x += native
    assert x is kept and x.dtype is ca.float32 and x.tolist() == [4.0, 6.0]


def test_numbers_of_derived_classes_are_weak(be, alpha):
    x = ca.asarray([1.0, 2.0])
    assert (x + SECOND.TWO).tolist() == (SECOND.TWO + x).tolist() == [3.0, 4.0]
    assert (x + SECOND.TWO).dtype is ca.float32
    assert ca.asarray([1, 2])[SECOND.ONE].tolist() == 2
    assert (be.asarray([1], dtype="int8") + SECOND.TWO).dtype is ca.int8


def test_numbers_of_numpy_are_arrays_of_their_dtype(be, alpha):
    """Beside the arrays of any backend, and none of them decides for NumPy where there is an array."""
    x = ca.asarray([1.0, 2.0])
    for kind in (np.float32, np.float64):
        for sum_ in (x + kind(2), kind(2) + x, ca.add(x, kind(2)), ca.add(kind(2), x)):
            assert type(sum_) is alpha.Array and sum_.tolist() == [3.0, 4.0]
            assert sum_.dtype is getattr(ca, kind.__name__)
    assert x[np.int64(1)].tolist() == 2.0
    far = ca.asarray([1.0], device="gpu:0")
    assert (far + np.float32(1)).device == (np.float32(1) + far).device == "gpu:0"


def test_other_objects_decide_themselves(be):
    class Unit:
        def __radd__(self, other):
            return "radd"

        def __eq__(self, other):
            return "eq"

        __hash__ = None

    x = ca.zeros(2)
    assert x + Unit() == "radd"
    assert (x == Unit()) == "eq"
    assert (x == "text") is False and (x != None) is True  # noqa: E711
    for wrong in (None, "text", [1.0], {}):
        with pytest.raises(TypeError, match="unsupported operand"):
            x + wrong


# --- texts


def test_repr_says_backend_dtype_and_device(be):
    assert repr(ca.asarray([1, 2])) == f"Array([1, 2], dtype=int64, backend={be.name}, device=cpu)"
    assert repr(ca.asarray(2.5)) == f"Array(2.5, dtype=float32, backend={be.name}, device=cpu)"
    assert repr(ca.zeros((0, 3))) == f"Array([], shape=(0, 3), dtype=float32, backend={be.name}, device=cpu)"
    assert repr(ca.zeros(0)) == f"Array([], dtype=float32, backend={be.name}, device=cpu)"


def test_repr_aligns_its_lines(be):
    expected = f"""
        Array([[[0, 1],
                [2, 3]],

               [[4, 5],
                [6, 7]]], dtype=int64, backend={be.name}, device=cpu)
    """
    assert repr(ca.reshape(ca.arange(8), (2, 2, 2))) == inspect.cleandoc(expected)


def test_repr_shortens_long_arrays(be):
    text = repr(ca.zeros((1000, 1000)))
    assert len(text) < 1000 and "..." in text and "shape=(1000, 1000)" in text
    for long in (text, repr(ca.linspace(0, 1e-9, 1001, dtype="float64"))):
        assert max(map(len, long.splitlines())) <= 100
    assert long.splitlines()[-1] == f"      dtype=float64, backend={be.name}, device=cpu)"


def test_repr_of_an_array_without_elements_to_show(alpha, monkeypatch):
    def fails(x):
        raise RuntimeError("this is traced")

    monkeypatch.setitem(alpha.facts, "text", fails)
    x = ca.asarray([1.0, 2.0])
    assert repr(x) == "Array(shape=(2,), AlphaArray, dtype=float32, backend=alpha, device=cpu)"
    monkeypatch.setitem(alpha.facts, "to_list", fails)
    assert str(ca.asarray(1.0)) == "Array(shape=(), AlphaArray, dtype=float32, backend=alpha, device=cpu)"
    with pytest.raises(RuntimeError, match=r"^this is traced"):  # of a function outside of the plugin
        float(ca.asarray(1.0))


def test_formats(be):
    x = ca.asarray(2.5)
    assert f"{x:.3f}|{x}|{ca.asarray(7):04d}|{ca.asarray(1 + 2j):.1f}" == "2.500|2.5|0007|1.0+2.0j"
    assert str(x) == "2.5" and f"{ca.asarray([1])}" == repr(ca.asarray([1]))
    with pytest.raises(TypeError, match=r"the format '.3f' is for numbers, this is an array of the shape \(2,\)"):
        f"{ca.zeros(2):.3f}"
    with pytest.raises(ValueError, match="format"):
        f"{x:d}"


# --- writing

WRITTEN = {
    "a float into floats": ("float32", 1.5, [1.5, 0, 0]),
    "an int into floats": ("float32", 2, [2.0, 0, 0]),
    "a bool into ints": ("int64", True, [1, 0, 0]),
    "a complex number into complex numbers": ("complex64", 1j, [1j, 0, 0]),
    "a list": ("int8", [5], [5, 0, 0]),
    "an array of the same kind": ("int8", lambda: ca.asarray(7, dtype="int64"), [7, 0, 0]),
    "a wider float": ("float32", lambda: ca.asarray(1.5, dtype="float64"), [1.5, 0, 0]),
    "ints into floats": ("float64", lambda: ca.asarray(3), [3.0, 0, 0]),
    "a native array": ("float32", lambda: np.asarray(3.0), [3.0, 0, 0]),
    "a buffer": ("uint8", lambda: memoryview(b"\x07"), [7, 0, 0]),
}


@pytest.mark.parametrize("what", WRITTEN)
def test_values_that_may_be_written(be, what):
    dtype, value, after = WRITTEN[what]
    x = ca.zeros(3, dtype=dtype)
    x[:1] = value() if callable(value) else value
    assert x.tolist() == after and x.dtype == ca.zeros(0, dtype=dtype).dtype


REFUSED = {
    "a float into ints": ("int64", 1.5, TypeError, r"1.5 cannot be written into an array of dtype 'int64'"),
    "a whole float into ints": ("int64", 2.0, TypeError, r"of a lower kind; cast the value first"),
    "an int into booleans": ("bool", 1, TypeError, r"number 1 cannot be written"),
    "a complex number into floats": ("float64", 1j, TypeError, r"number 1j cannot be written"),
    "a list of floats into ints": ("int64", [1.5], TypeError, r"number 1.5 cannot be written"),
    "an array of floats into ints": ("int64", lambda: ca.asarray(1.5), TypeError, r"array of dtype 'float32' cannot"),
    "signed into unsigned": ("uint8", lambda: ca.asarray(1), TypeError, r"array of dtype 'int64' cannot"),
    "complex numbers into floats": ("float32", lambda: ca.asarray([1j]), TypeError, r"of dtype 'complex64' cannot"),
    "an array in a list": ("int64", lambda: [ca.asarray(1.5)], TypeError, r"array of dtype 'float32' cannot"),
    "a native array in a list": ("int64", lambda: [ca.asarray(1.5).native, 2], TypeError, r"of dtype 'float32' cannot"),
    "too large an int": ("int8", 128, OverflowError, r"128 does not fit into 'int8', which holds -128 to 127"),
    "a negative int into unsigned": ("uint8", -1, OverflowError, r"-1 does not fit into 'uint8', which holds 0 to 255"),
    "too large an int in a list": ("int8", [1, 300, 2], OverflowError, r"300 does not fit into 'int8'"),
    "too large an int for any float": ("float64", 2**2000, OverflowError, r"of 2001 bits is beyond every floating"),
    "nothing": ("float32", None, TypeError, r"None cannot be written into an array of dtype 'float32'"),
    "a text": ("float32", "1.0", TypeError, r"'1.0' cannot be written"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_values_that_are_refused(be, what):
    dtype, value, kind, text = REFUSED[what]
    x = ca.zeros(3, dtype=dtype)
    with pytest.raises(kind, match=text) as caught:
        x[...] = value() if callable(value) else value
    assert isinstance(caught.value, ca.CoreArrayError)
    assert x.tolist() == [0, 0, 0]


def test_wrong_keys_and_shapes_to_write_to(be):
    x = ca.zeros((2, 3))
    with pytest.raises(IndexError, match=r"indexed with \(0, 3\); index 3 is out of range for axis 1 of length 3"):
        x[0, 3] = 1.0
    with pytest.raises(ValueError, match=r"value of the shape \(2,\), which does not broadcast to .* shape \(3,\)"):
        x[0] = [1.0, 2.0]
    with pytest.raises(IndexError, match="keys are made of integers, slices"):
        x["a"] = 1.0


def test_keys_that_hold_lists_and_foreign_integers(alpha):
    x = ca.asarray([1.0, 2.0, 3.0])
    assert x[np.int64(1)].tolist() == 2.0
    x[np.int64(1)] = 5.0
    assert x.tolist() == [1.0, 5.0, 3.0]
    x[0] = np.asarray(7.0)
    assert x.tolist() == [7.0, 5.0, 3.0]


def test_lists_are_index_arrays(be):
    x = ca.asarray([1, 2, 3])
    assert x[[2, 0]].tolist() == [3, 1]
    assert x[[True, False, True]].tolist() == [1, 3]
    assert x[[]].tolist() == []
    x[[0, 2]] = [7, 8]
    assert x.tolist() == [7, 2, 8]


def test_writing_keeps_the_array_where_native_ones_never_change(alpha):
    x = kept = ca.asarray([1.0, 2.0])
    native = x.native
    x[0] = 5
    x += 1
    x *= ca.asarray([2.0, 2.0])
    assert x is kept and x.tolist() == [12.0, 6.0]
    assert native.values == [1.0, 2.0], "the native array is not to be touched"


@pytest.mark.parametrize(
    "op",
    [
        operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ifloordiv, operator.imod,
        operator.ipow,
    ],
)  # fmt: skip
def test_in_place_operators_keep_the_array(be, op):
    x = kept = ca.asarray([[1.0, 2.0], [3.0, 4.0]])
    seen_through = x[0]
    expected = op(np.asarray([[1.0, 2.0], [3.0, 4.0]], dtype="float32"), 2)
    x = op(x, 2)
    assert x is kept and x.tolist() == expected.tolist()
    assert seen_through.tolist() == expected[0].tolist()
    x[...] = 2.0
    x = op(x, x)
    assert x is kept and x.tolist() == [[op(2.0, 2.0)] * 2] * 2


def test_in_place_operators_of_bits_and_matrices(be):
    x = kept = ca.asarray([6, 5])
    x &= 3
    x |= 8
    x ^= 1
    x <<= 2
    x >>= 1
    assert x is kept and x.tolist() == [(((6 & 3) | 8) ^ 1) * 2, (((5 & 3) | 8) ^ 1) * 2]
    m = same = ca.asarray([[1.0, 1.0], [0.0, 1.0]])
    m @= m
    assert m is same and m.tolist() == [[1.0, 2.0], [0.0, 1.0]]


def test_in_place_operators_cast_within_a_kind(be):
    x = kept = ca.ones(2, dtype="int8")
    x += ca.asarray([1, 300], dtype="int64")
    assert x is kept and x.dtype is ca.int8 and x.tolist() == [2, 45]
    y = ca.ones(2, dtype="float32")
    y *= ca.asarray([0.5, 0.1], dtype="float64")
    assert y.dtype is ca.float32 and y.tolist() == pytest.approx([0.5, 0.1], rel=1e-7)


def test_in_place_operators_change_neither_shape_nor_kind(be):
    x = ca.ones(2, dtype="int8")
    with pytest.raises(TypeError, match=r"cannot change the dtype from 'int8' to 'float32'; write x = x \+ y"):
        x += 1.5
    with pytest.raises(TypeError, match=r"cannot change the dtype from 'uint8' to 'int64'"):
        u = ca.ones(2, dtype="uint8")
        u += ca.ones(2, dtype="int64")
    with pytest.raises(ValueError, match=r"cannot change the shape from \(2,\) to \(3, 2\)"):
        x += ca.ones((3, 2), dtype="int8")
    with pytest.raises(OverflowError, match="300 does not fit into 'int8'"):
        x += 300
    with pytest.raises(TypeError, match="unsupported operand"):
        x += "text"
    assert x.tolist() == [1, 1]


def test_an_array_takes_64_bytes_beyond_its_data(be):
    place = 8 * (sys.version_info >= (3, 12))  # for a dictionary, which comes with that for weak references
    assert sys.getsizeof(be.ones(3)) <= 64 + place  # with the 16 that the garbage collector keeps
