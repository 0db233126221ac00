"""What becomes a NumPy array, and when memory is shared."""

from __future__ import annotations

from array import array

import numpy as np
import pytest

import corearray as ca

be = ca.get_backend("numpy")


class OnlyDLPack:
    """An array of a library that NumPy reads through DLPack alone."""

    def __init__(self, x):
        self.x = x

    def __dlpack__(self, **options):
        return self.x.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()


class OnlyArray:
    """An array of a library that NumPy reads through `__array__` alone."""

    def __init__(self, x):
        self.x = x

    def __array__(self, dtype=None, copy=None):
        return np.array(self.x, dtype) if copy else np.asarray(self.x, dtype)


@pytest.mark.parametrize("wrap", [OnlyDLPack, OnlyArray, memoryview])
def test_arrays_of_other_libraries_share_their_memory(wrap):
    x = np.arange(3, dtype=np.int16)
    for copy in (None, False):
        y = be.asarray(wrap(x), copy=copy)
        assert y.dtype is ca.int16
        assert np.shares_memory(y.native, x)
    assert not np.shares_memory(be.asarray(wrap(x), copy=True).native, x)
    assert be.asarray(wrap(x), dtype=ca.float64).tolist() == [0.0, 1.0, 2.0]


def test_buffers():
    assert be.asarray(array("d", [1.0, 2.0])).dtype is ca.float64
    assert be.asarray(bytearray(b"\x01\x02")).tolist() == [1, 2]


def test_a_copy_that_is_needed_and_refused():
    for obj in ([1, 2], 1.5, array("i", [1]), np.ones(2, np.float32)):
        with pytest.raises(ValueError, match="copy"):
            be.asarray(obj, dtype=ca.float64, copy=False)


@pytest.mark.parametrize("name", ["float64", "int16", "complex64"])
def test_numbers_in_the_other_byte_order_are_brought_to_ours(name):
    x = np.arange(3).astype(name)
    swapped = x.astype(x.dtype.newbyteorder())
    y = ca.asarray(swapped)
    assert y.dtype is getattr(ca, name)
    assert y.native.dtype is x.dtype
    assert y.tolist() == x.tolist()


@pytest.mark.parametrize("obj", ["1.5", ["1.5"], [None], None, object(), np.array(["a"]), np.ones(2, "m8[s]"), b"ab"])
def test_what_is_no_number_is_refused(obj):
    with pytest.raises(TypeError, match=r"where it takes an array|is none of 'bfloat16', 'bool'"):
        be.asarray(obj)


@pytest.mark.skipif(np.dtype(np.longdouble) in map(np.dtype, ("f8",)), reason="long double is float64 here")
def test_long_double_is_refused():
    with pytest.raises(TypeError, match="which is none of 'bfloat16', 'bool'"):
        be.asarray(np.ones(2, np.longdouble))


@pytest.mark.parametrize(("value", "dtype"), [(300, "int8"), (-1, "uint8"), (2**63, "int64"), (2**64, "uint64")])
def test_integers_that_do_not_fit(value, dtype):
    for make in (lambda: be.asarray([value], dtype=dtype), lambda: be.full(2, value, dtype=dtype)):
        with pytest.raises(OverflowError):
            make()


def test_subclasses_become_plain_arrays():
    for x in (np.ma.masked_array([1.0, 2.0], [0, 1]), np.array([1.0, 2.0]).view(np.recarray)):
        assert type(be.asarray(x).native) is np.ndarray
