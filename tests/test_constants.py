"""Arrays that a backend keeps for the Python scalars beside arrays."""

import math

import pytest

import corearray as ca
from corearray.calls.constants import constants_of


@pytest.fixture
def be(toy):
    return ca.get_backend(toy("toy_of_constants").info.name)


def test_one_array_for_one_number(be):
    x, constant = be.asarray([1.0, 2.0]), constants_of(be)
    one = constant(1.0, x._kind, x.native)
    assert constant(1, x._kind, x.native) is one
    assert constant(2.0, x._kind, x.native) is not one
    assert constant(math.nan, x._kind, x.native) is constant(math.nan, x._kind, x.native)


def test_zeros_of_both_signs(be):
    x, constant = be.asarray([1.0, 2.0]), constants_of(be)
    for zero in (0.0, -0.0, 0.0):
        assert math.copysign(1.0, constant(zero, x._kind, x.native).values) == math.copysign(1.0, zero)


def test_one_array_for_one_table(be):
    x, constant = be.asarray([1.0, 2.0]), constants_of(be)
    table = constant((1.0, 2.0, 3.0), x._kind, x.native)
    assert be.wrap(table).tolist() == [1.0, 2.0, 3.0]
    assert constant((1.0, 2.0, 3.0), x._kind, x.native) is table
    other = be.asarray([1.0], dtype="float64")
    assert be.wrap(constant((1.0, 2.0, 3.0), other._kind, other.native)).dtype == ca.float64


def test_each_dtype_and_device(be):
    x, y = be.asarray([1.0]), be.asarray([1.0], device="gpu:0")
    z = be.asarray([1.0], dtype="float64")
    for _ in range(2):
        for array in (x, y, z):
            found = constants_of(be)(3.0, array._kind, array.native)
            assert (found.device, found.dtype) == (array.native.device, array.native.dtype)
            result = array + 3.0
            assert (result.tolist(), result.dtype, str(result.device)) == ([4.0], array.dtype, str(array.device))


def test_beside_a_tracer_a_new_one(be):
    x, constant = be.asarray([1.0]), constants_of(be)
    traced = type("Traced", (type(x.native),), {})([1.0])
    assert constant(1.0, x._kind, traced) is not constant(1.0, x._kind, traced)


def test_memory_is_bounded(be):
    x, constant = be.asarray([1.0]), constants_of(be)
    first = constant(-1.0, x._kind, x.native)
    for number in range(1, 3000):
        constant(number, x._kind, x.native)
    assert constant(-1.0, x._kind, x.native) is not first


def test_a_write_changes_no_constant(be):
    x = be.asarray([1.0, 2.0])
    five = constants_of(be)(5.0, x._kind, x.native)
    number = be.asarray(1.0)
    number[...] = 5.0
    assert number.native is not five
    number += 1.0
    assert five.values == 5.0
    assert (x + 5.0).tolist() == [6.0, 7.0]


def test_none_where_arrays_change_or_numbers_are_taken():
    numpy = ca.get_backend("numpy")
    assert numpy.writes_in_place
    assert constants_of(numpy) is None
