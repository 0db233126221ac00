"""What becomes a tensor: numbers that fit, zeros with their sign, and memory that TensorFlow may use."""

from __future__ import annotations

import math
from array import array

import numpy as np
import pytest
import tensorflow as tf

import corearray as ca

be = ca.get_backend("tensorflow")


class OnlyDLPack:
    """An array of a library that is read through DLPack alone."""

    def __init__(self, x):
        self.x = x

    def __dlpack__(self, **options):
        return self.x.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()


def memory(offset):
    """Return nine numbers in memory that begins so many numbers after a multiple of 64 bytes."""
    whole = np.zeros(64)
    start = -whole.__array_interface__["data"][0] % 64 // 8
    x = whole[start + offset : start + offset + 9]
    x[:] = range(9)
    return x


def test_aligned_memory_is_shared():
    x = memory(0)
    y = be.asarray(OnlyDLPack(x), copy=False)
    x[0] = 5.0
    assert y.tolist()[0] == 5.0
    assert be.asarray(OnlyDLPack(x), copy=True).tolist() == y.tolist()
    x[0] = 6.0
    assert be.from_dlpack(OnlyDLPack(x)).tolist()[0] == 6.0


@pytest.mark.parametrize("read", [be.asarray, be.from_dlpack])
def test_memory_that_is_not_aligned_is_copied(read):
    x = memory(1)
    y = read(OnlyDLPack(x))
    x[0] = 5.0
    assert be.sum(y[1:] * 2).tolist() == 72.0
    assert y.tolist()[0] == 0.0
    with pytest.raises(ValueError, match="copy"):
        read(OnlyDLPack(x), copy=False)


@pytest.mark.parametrize("cut", [np.s_[::2], np.s_[::-1], np.s_[:, None], np.s_[:0]])
def test_memory_of_any_shape(cut):
    x = memory(0)[cut]
    assert be.from_dlpack(OnlyDLPack(x)).tolist() == be.asarray(x).tolist() == x.tolist()


def test_arrays_never_share_the_memory_of_numpy():
    x = np.zeros(1000)
    y = be.asarray(x)
    x[0] = 1.0
    assert y.tolist()[0] == 0.0
    be.to_numpy(y)[0] = 2.0
    assert y.tolist()[0] == 0.0


def test_buffers_and_other_byte_orders():
    assert be.asarray(array("d", [1.0, 2.0])).dtype is ca.float64
    assert be.asarray(bytearray(b"\x01\x02")).tolist() == [1, 2]
    assert be.asarray(np.arange(3, dtype=">i4")).tolist() == [0, 1, 2]


@pytest.mark.parametrize("copy", [None, True, False])
def test_tensors(copy):
    x = tf.constant([1.0, 2.0])
    assert (be.asarray(x, copy=copy).native is x) is (not copy)
    if copy is False:
        with pytest.raises(ValueError, match="copy"):
            be.asarray(x, dtype=ca.float64, copy=copy)
    else:
        assert be.asarray(x, dtype=ca.float64, copy=copy).dtype is ca.float64


def test_lists_with_arrays_in_them():
    x = be.asarray([1.0, 2.0])
    assert be.asarray([[x[0], 3], [4.0, x[1]]]).tolist() == [[1.0, 3.0], [4.0, 2.0]]


@pytest.mark.parametrize(("value", "dtype"), [(300, "int8"), (-1, "uint8"), (2**63, "int64"), (2**64, "uint64")])
def test_integers_that_do_not_fit(value, dtype):
    for make in (
        lambda: be.asarray(value, dtype=dtype),
        lambda: be.asarray([value], dtype=dtype),
        lambda: be.full(2, value, dtype=dtype),
        lambda: be.zeros(2, dtype=dtype) + value,
    ):
        with pytest.raises(OverflowError):
            make()


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_zeros_keep_their_sign(dtype):
    tf.constant(0.0), tf.constant(-0.0)
    for sign in (1.0, -1.0, 1.0):
        zero = math.copysign(0.0, sign)
        x = be.ones(1, dtype=dtype)
        results = [
            be.asarray(zero, dtype=dtype), be.full(1, zero, dtype=dtype), x * zero, zero * x, zero / x,
            be.where(x > 2, x, zero), be.where(x < 2, zero, x), x / (1 / (x * zero)), be.asarray([zero], dtype=dtype),
        ]  # fmt: skip
        assert [be.signbit(result).item() for result in results] == [sign < 0] * len(results)
    assert math.copysign(1.0, be.real(be.asarray(complex(-0.0, 1.0))).item()) == -1.0


@pytest.mark.parametrize("args", [(5,), (2, 9, 3), (9, 2, -3), (0,), (3, 1), (0.5, 3.0, 0.25), (1.0, -1.0, -0.3)])
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "float32", "float64"])
def test_ranges(args, dtype):
    if (dtype == "uint8" and min(args) < 0) or ("int" in dtype and type(args[0]) is float):
        return
    assert be.to_numpy(be.arange(*args, dtype=dtype)) == pytest.approx(np.arange(*args).astype(dtype))


def test_numbers_at_the_end_of_the_range():
    top = 2**64
    assert be.arange(top - 3, top, dtype=ca.uint64).tolist() == [top - 3, top - 2, top - 1]
    assert be.arange(-(2**63), -(2**63) + 2).tolist() == [-(2**63), -(2**63) + 1]
    assert be.full(2, top - 1, dtype=ca.uint64).tolist() == [top - 1] * 2
    x = be.asarray([0, top - 1], dtype=ca.uint64)
    assert (x < top - 1).tolist() == [True, False]
    assert (top - 1 - x).tolist() == [top - 1, 0]
    assert be.astype(x, ca.float64).tolist() == [0.0, 2.0**64]
    assert be.astype(be.asarray([2.0**63, 2.0**64 - 2048], dtype=ca.float64), ca.uint64).tolist() == [2**63, top - 2048]


def test_values_of_several_replicas_are_refused_with_what_to_write():
    from tensorflow.python.distribute import values

    several = values.PerReplica((tf.ones(2), tf.ones(2)))
    with pytest.raises(TypeError, match=r"an object of type PerReplica .*; compute on each .* within strategy.run\("):
        ca.exp(several)
