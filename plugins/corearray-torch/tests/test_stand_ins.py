"""`uint16`, `uint32` and `uint64`, for which torch has few kernels, against Python's integers."""

from __future__ import annotations

import operator

import pytest

import corearray as ca

be = ca.get_backend("torch")

DTYPES = [ca.uint16, ca.uint32, ca.uint64]


def values(dtype):
    top = 1 << (dtype.bits - 1)
    return [0, 1, 2, 3, 7, 100, top - 1, top, top + 1, 2 * top - 2, 2 * top - 1]


def arrays(dtype):
    x = be.asarray(values(dtype), dtype=dtype)
    return x[:, None], x[None, :]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("function", "exact"),
    [
        (be.add, operator.add),
        (be.subtract, operator.sub),
        (be.multiply, operator.mul),
        (be.bitwise_and, operator.and_),
        (be.bitwise_or, operator.or_),
        (be.bitwise_xor, operator.xor),
        (be.maximum, max),
        (be.minimum, min),
    ],
)
def test_arithmetic_wraps_around(function, exact, dtype):
    result = function(*arrays(dtype))
    assert result.dtype is dtype
    assert result.tolist() == [[exact(a, b) % 2**dtype.bits for b in values(dtype)] for a in values(dtype)]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("function", "exact"), [(be.floor_divide, operator.floordiv), (be.remainder, operator.mod)])
def test_division(function, exact, dtype):
    x = be.asarray(values(dtype), dtype=dtype)
    result = function(x[:, None], x[None, 1:])
    assert result.dtype is dtype
    assert result.tolist() == [[exact(a, b) for b in values(dtype)[1:]] for a in values(dtype)]
    for number in (1, 7, values(dtype)[-1]):
        assert function(x, number).tolist() == [exact(a, number) for a in values(dtype)]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("function", "exact"),
    [
        (be.less, operator.lt),
        (be.less_equal, operator.le),
        (be.greater, operator.gt),
        (be.greater_equal, operator.ge),
        (be.equal, operator.eq),
        (be.not_equal, operator.ne),
    ],
)
def test_comparisons(function, exact, dtype):
    result = function(*arrays(dtype))
    assert result.dtype is ca.bool
    assert result.tolist() == [[exact(a, b) for b in values(dtype)] for a in values(dtype)]


@pytest.mark.parametrize("dtype", DTYPES)
def test_shifts(dtype):
    x, by = be.asarray(values(dtype), dtype=dtype), range(dtype.bits)
    for function, exact in ((be.bitwise_left_shift, operator.lshift), (be.bitwise_right_shift, operator.rshift)):
        result = function(x[:, None], be.asarray(by, dtype=dtype)[None, :])
        assert result.tolist() == [[exact(a, b) % 2**dtype.bits for b in by] for a in values(dtype)]
    assert (x >> 1).tolist() == [a >> 1 for a in values(dtype)]


@pytest.mark.parametrize("dtype", DTYPES)
def test_powers(dtype):
    x = be.asarray(values(dtype), dtype=dtype)
    exponents = values(dtype)
    result = be.pow(x[:, None], be.asarray(exponents, dtype=dtype)[None, :])
    assert result.tolist() == [[pow(a, b, 2**dtype.bits) for b in exponents] for a in values(dtype)]
    assert (x**2).tolist() == [a * a % 2**dtype.bits for a in values(dtype)]


@pytest.mark.parametrize("dtype", DTYPES)
def test_functions_of_one_array(dtype):
    x, known, wrap = be.asarray(values(dtype), dtype=dtype), values(dtype), 2**dtype.bits
    assert be.abs(x).tolist() == be.floor(x).tolist() == be.positive(x).tolist() == known
    assert be.negative(x).tolist() == [-a % wrap for a in known]
    assert be.bitwise_invert(x).tolist() == [wrap - 1 - a for a in known]
    assert be.square(x).tolist() == [a * a % wrap for a in known]
    assert be.sign(x).tolist() == [int(a > 0) for a in known]
    assert be.logical_not(x).tolist() == [a == 0 for a in known]


@pytest.mark.parametrize("dtype", DTYPES)
def test_reductions(dtype):
    x, known = be.asarray(values(dtype), dtype=dtype), values(dtype)
    assert be.max(x).tolist() == max(known)
    assert be.min(x[1:]).tolist() == 1
    assert be.argmax(x).tolist() == len(known) - 1
    assert be.sum(x).dtype is ca.uint64
    assert be.sum(x).tolist() == sum(known) % 2**64
    assert be.sum(x, dtype=dtype).tolist() == sum(known) % 2**dtype.bits
    assert be.sum(x, dtype=ca.float64).tolist() == pytest.approx(sum(known))
    assert be.cumulative_sum(x, dtype=dtype).tolist()[-1] == sum(known) % 2**dtype.bits
    assert be.count_nonzero(x).tolist() == len(known) - 1
    assert be.any(x).tolist() is True
    assert be.all(x).tolist() is False


@pytest.mark.parametrize("dtype", DTYPES)
def test_order_and_sets(dtype):
    known = values(dtype)
    x = be.asarray(known[::2] + known[::-1], dtype=dtype)
    assert be.sort(x).tolist() == sorted(x.tolist())
    assert be.sort(x, descending=True).tolist() == sorted(x.tolist(), reverse=True)
    assert be.searchsorted(be.asarray(known, dtype=dtype), x).tolist() == [known.index(a) for a in x.tolist()]
    unique = be.unique_all(x)
    assert (unique.values.dtype, unique.counts.dtype) == (dtype, ca.int64)
    assert unique.values.tolist() == known
    assert be.take(unique.values, be.reshape(unique.inverse_indices, (-1,))).tolist() == x.tolist()
    assert be.isin(x, be.asarray(known[-1:], dtype=dtype)).tolist() == [a == known[-1] for a in x.tolist()]


@pytest.mark.parametrize("dtype", DTYPES)
def test_indexing_and_writing(dtype):
    x, known = be.asarray(values(dtype), dtype=dtype), values(dtype)
    assert x[x > 7].tolist() == [a for a in known if a > 7]
    assert x[be.asarray([-1, 0])].tolist() == [known[-1], known[0]]
    assert be.take(x, be.asarray([3, 1], dtype=dtype)).tolist() == [known[3], known[1]]
    x[x > 7] = known[-1]
    x[be.asarray([0])] = known[-1]
    assert x.tolist() == [known[-1], *known[1:5], *[known[-1]] * 6]
    part = x[1:3]
    part[0] = 5
    assert x.tolist()[1] == 5


def test_indices_of_an_unsigned_dtype_do_not_change_the_dtype_of_the_result():
    for dtype in DTYPES:
        indices = be.asarray([1, 0], dtype=dtype)
        assert be.take(be.asarray([10, 20]), indices).dtype is ca.int64
        assert be.take_along_axis(be.asarray([10, 20]), indices).tolist() == [20, 10]
        assert be.repeat(be.asarray([10, 20]), be.asarray([2, 1], dtype=dtype)).tolist() == [10, 10, 20]


def test_numbers_at_the_end_of_the_range():
    assert be.arange(2**64 - 3, 2**64, dtype=ca.uint64).tolist() == [2**64 - 3, 2**64 - 2, 2**64 - 1]
    assert be.full(2, 2**64 - 1, dtype=ca.uint64).tolist() == [2**64 - 1] * 2
    x = be.asarray([0, 2**64 - 1], dtype=ca.uint64)
    assert (x < 2**64 - 1).tolist() == [True, False]
    assert (2**64 - 1 - x).tolist() == [2**64 - 1, 0]
    assert be.astype(x, ca.float64).tolist() == [0.0, 2.0**64]
