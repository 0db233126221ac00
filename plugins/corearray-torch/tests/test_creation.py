"""What becomes a tensor, and when memory is shared."""

from __future__ import annotations

from array import array

import numpy as np
import pytest
import torch

import corearray as ca

be = ca.get_backend("torch")


class OnlyDLPack:
    """An array of a library that torch reads through DLPack alone."""

    def __init__(self, x):
        self.x = x

    def __dlpack__(self, **options):
        return self.x.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()


class OnlyArray:
    """An array of a library that torch reads through `__array__` alone."""

    def __init__(self, x):
        self.x = x

    def __array__(self, dtype=None, copy=None):
        return np.array(self.x, dtype, copy=copy)


@pytest.mark.parametrize("wrap", [OnlyDLPack, OnlyArray, memoryview, np.asarray])
def test_arrays_of_other_libraries_share_their_memory(wrap):
    x = np.arange(3, dtype=np.int16)
    for copy in (None, False):
        y = be.asarray(wrap(x), copy=copy)
        assert y.dtype is ca.int16
        assert y.native.data_ptr() == x.ctypes.data
    assert be.asarray(wrap(x), copy=True).native.data_ptr() != x.ctypes.data
    assert be.asarray(wrap(x), dtype=ca.float64).tolist() == [0.0, 1.0, 2.0]


def test_what_torch_cannot_share_is_copied():
    x = np.arange(6.0).reshape(2, 3)
    protected = x.copy()
    protected.flags.writeable = False
    for other in (x[::-1], x[:, ::-1], protected, np.broadcast_to(x[0], (2, 3)), x.astype(">f8"), memoryview(b"abc")):
        wanted = np.asarray(other)
        assert be.asarray(other).tolist() == wanted.tolist()
        with pytest.raises(ValueError, match="copy"):
            be.asarray(other, copy=False)


def test_negative_strides_through_dlpack_do_not_end_the_process():
    x = np.arange(3.0)
    assert be.from_dlpack(x[::-1]).tolist() == [2.0, 1.0, 0.0]
    reversed_one = ca.get_backend("numpy").asarray(x)[::-1]
    assert be.from_dlpack(reversed_one).tolist() == [2.0, 1.0, 0.0]
    assert be.asarray(reversed_one).tolist() == [2.0, 1.0, 0.0]


def test_dlpack_there_and_back():
    x = torch.arange(3.0)
    assert be.from_dlpack(x).native.data_ptr() == x.data_ptr()
    assert be.from_dlpack(x, copy=True).native.data_ptr() != x.data_ptr()
    assert np.from_dlpack(be.asarray(x)).ctypes.data == x.data_ptr()
    assert np.from_dlpack(be.asarray(torch.tensor([1j]).conj())).tolist() == [-1j]


def test_buffers():
    assert be.asarray(array("d", [1.0, 2.0])).dtype is ca.float64
    assert be.asarray(array("d")).shape == (0,)
    assert be.asarray(bytearray(b"\x01\x02")).tolist() == [1, 2]
    assert be.asarray(memoryview(array("i", range(6))).cast("B").cast("i", (2, 3))).tolist() == [[0, 1, 2], [3, 4, 5]]
    with pytest.raises(TypeError, match="where it takes an array; give an array"):
        be.asarray(object())


@pytest.mark.parametrize("name", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
def test_integers_that_do_not_fit(name):
    limits = ca.iinfo(name)
    for number in (limits.min - 1, limits.max + 1):
        for make in (lambda n: be.asarray(n, dtype=name), lambda n: be.asarray([[0], [n]], dtype=name)):
            with pytest.raises(OverflowError):
                make(number)
    assert be.asarray([limits.min, limits.max], dtype=name).tolist() == [limits.min, limits.max]


def test_numbers_too_large_for_a_floating_dtype_are_infinite():
    assert be.asarray(1e300, dtype=ca.float32).tolist() == ca.inf
    assert be.full(2, -1e300, dtype=ca.float16).tolist() == [-ca.inf] * 2
    assert (be.ones(1) < 1e300).tolist() == [True]


def test_tensors_in_lists_keep_their_gradient():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = be.asarray([[x[0], 3.0], [x[1], x[0]]])
    be.sum(y).native.backward()
    assert x.grad.tolist() == [2.0, 1.0]


def test_copy():
    x = be.asarray([1.0, 2.0])
    assert be.asarray(x.native).native is x.native
    assert be.asarray(x.native, copy=True).native is not x.native
    with pytest.raises(ValueError, match="copy"):
        be.asarray(x.native, dtype=ca.float64, copy=False)
    with pytest.raises(ValueError, match="copy"):
        be.asarray([1.0], copy=False)
    with pytest.raises(ValueError, match="view"):
        be.reshape(be.permute_dims(be.ones((2, 3)), (1, 0)), (6,), copy=False)


def test_linspace_is_rounded_once():
    expected = np.linspace(0.1, 0.9, 1001).astype("float32")
    assert np.array_equal(np.asarray(be.linspace(0.1, 0.9, 1001)), expected)


def test_negated_and_conjugated_views_are_read_with_their_sign():
    """The memory of such a view holds the numbers of its base."""
    z = torch.tensor([1 + 2j]).conj()
    default = ca.get_backend()
    for backend in (default, be):
        assert backend.asarray(z.imag).tolist() == [-2.0] and backend.asarray(z).tolist() == [1 - 2j]
        assert backend.asarray([z.imag, z.imag]).tolist() == [[-2.0], [-2.0]]
