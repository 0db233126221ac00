"""Dtypes for which TensorFlow has no kernel of a function, against Python's integers."""

from __future__ import annotations

import operator

import numpy as np
import pytest

import corearray as ca

be = ca.get_backend("tensorflow")

SIGNED = [ca.int8, ca.int16, ca.int32, ca.int64]
UNSIGNED = [ca.uint8, ca.uint16, ca.uint32, ca.uint64]
every = pytest.mark.parametrize("dtype", SIGNED + UNSIGNED, ids=str)
unsigned = pytest.mark.parametrize("dtype", UNSIGNED, ids=str)


def values(dtype):
    top = 1 << (dtype.bits - 1)
    if dtype.category == "signed integer":
        return [0, 1, -1, 2, -7, 100, top - 1, -top, 1 - top]
    return [0, 1, 2, 3, 7, 100, top - 1, top, top + 1, 2 * top - 2, 2 * top - 1]


def wrapped(value, dtype):
    low = -(1 << (dtype.bits - 1)) if dtype.category == "signed integer" else 0
    return (value - low) % (1 << dtype.bits) + low


def arrays(dtype):
    x = be.asarray(values(dtype), dtype=dtype)
    return x[:, None], x[None, :]


@every
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
    assert result.tolist() == [[wrapped(exact(a, b), dtype) for b in values(dtype)] for a in values(dtype)]


@every
@pytest.mark.parametrize(("function", "exact"), [(be.floor_divide, operator.floordiv), (be.remainder, operator.mod)])
def test_division(function, exact, dtype):
    x = be.asarray(values(dtype), dtype=dtype)
    result = function(x[:, None], x[None, 1:])
    assert result.dtype is dtype
    assert result.tolist() == [[wrapped(exact(a, b), dtype) for b in values(dtype)[1:]] for a in values(dtype)]


@every
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


@every
def test_powers(dtype):
    x = be.asarray(values(dtype), dtype=dtype)
    exponents = [b for b in values(dtype) if b >= 0]
    result = be.pow(x[:, None], be.asarray(exponents, dtype=dtype)[None, :])
    assert result.tolist() == [[wrapped(pow(a, b, 2**dtype.bits), dtype) for b in exponents] for a in values(dtype)]
    assert (x**2).tolist() == [wrapped(a * a, dtype) for a in values(dtype)]


@every
def test_products_of_matrices(dtype):
    x = be.asarray(values(dtype)[-4:], dtype=dtype)
    known = np.asarray(values(dtype)[-4:], dtype=object)
    square, pair = be.reshape(x, (2, 2)), known.reshape(2, 2)
    for result, exact in (
        (square @ square, pair @ pair),
        (square[None] @ square, (pair @ pair)[None]),
        (be.tensordot(square, square), (pair * pair).sum()),
        (be.vecdot(x, x), known @ known),
        (be.linalg.outer(x, x), np.outer(known, known)),
    ):
        assert result.dtype is dtype
        assert result.tolist() == np.vectorize(lambda value: wrapped(value, dtype), otypes=[object])(exact).tolist()


@every
def test_functions_of_one_array(dtype):
    x, known = be.asarray(values(dtype), dtype=dtype), values(dtype)
    for function, exact in (
        (be.abs, abs),
        (be.negative, operator.neg),
        (be.bitwise_invert, operator.invert),
        (be.square, lambda a: a * a),
        (be.sign, lambda a: (a > 0) - (a < 0)),
        *((function, int) for function in (be.positive, be.floor, be.ceil, be.round, be.trunc)),
    ):
        assert function(x).dtype is dtype
        assert function(x).tolist() == [wrapped(exact(a), dtype) for a in known]
    assert be.logical_not(x).tolist() == [a == 0 for a in known]
    assert (be.isnan(x) | be.isinf(x) | ~be.isfinite(x)).tolist() == [False] * len(known)


@every
def test_reductions(dtype):
    x, known = be.asarray(values(dtype), dtype=dtype), values(dtype)
    wide = ca.uint64 if dtype.category == "unsigned integer" else ca.int64
    assert (be.max(x).tolist(), be.min(x).tolist()) == (max(known), min(known))
    assert (be.argmax(x).tolist(), be.argmin(x).tolist()) == (known.index(max(known)), known.index(min(known)))
    assert be.sum(x).dtype is wide
    assert be.sum(x).tolist() == wrapped(sum(known), wide)
    assert be.sum(x, dtype=dtype).tolist() == wrapped(sum(known), dtype)
    assert be.prod(x[1:4]).tolist() == wrapped(known[1] * known[2] * known[3], wide)
    assert be.cumulative_sum(x, dtype=dtype).tolist()[-1] == wrapped(sum(known), dtype)
    assert be.cumulative_sum(x[:2], include_initial=True).tolist() == [0, 0, 1]
    assert be.cumulative_prod(x[1:3], include_initial=True).tolist() == [1, known[1], known[1] * known[2]]
    assert be.count_nonzero(x).tolist() == len(known) - 1
    assert (be.any(x).tolist(), be.all(x).tolist()) == (True, False)


@every
def test_order_and_sets(dtype):
    known = sorted(values(dtype))
    x = be.asarray(known[::2] + known[::-1], dtype=dtype)
    assert be.sort(x).tolist() == sorted(x.tolist())
    assert be.sort(x, descending=True).tolist() == sorted(x.tolist(), reverse=True)
    assert be.searchsorted(be.asarray(known, dtype=dtype), x).tolist() == [known.index(a) for a in x.tolist()]
    unique = be.unique_all(x)
    assert (unique.values.dtype, unique.counts.dtype) == (dtype, ca.int64)
    assert unique.values.tolist() == known
    assert be.isin(x, be.asarray(known[-1:], dtype=dtype)).tolist() == [a == known[-1] for a in x.tolist()]


@every
def test_rearranging(dtype):
    known = np.asarray(values(dtype)[-8:], dtype=str(dtype)).reshape(2, 4)
    x = be.asarray(known)
    for result, exact in (
        (be.tile(x, (2, 1, 2)), np.tile(known, (2, 1, 2))),
        (be.repeat(x, 2, axis=1), known.repeat(2, 1)),
        (be.repeat(x, be.asarray([2, 0], dtype=dtype), axis=0), known.repeat([2, 0], 0)),
        (be.roll(x, (1, -1), axis=(0, 1)), np.roll(known, (1, -1), (0, 1))),
        (be.flip(x), known[::-1, ::-1]),
        (be.tril(x, k=-1), np.tril(known, -1)),
        (be.triu(x, k=5), np.triu(known, 5)),
        (be.take(x, be.asarray([-1, 0], dtype="int8"), axis=1), known[:, [-1, 0]]),
        (be.concat([x, x], axis=1), np.concatenate([known, known], 1)),
        (be.broadcast_to(x, (3, 2, 4)), np.broadcast_to(known, (3, 2, 4))),
    ):
        assert result.dtype is dtype
        assert result.tolist() == exact.tolist()


@unsigned
def test_indices_of_an_unsigned_dtype(dtype):
    indices = be.asarray([1, 0], dtype=dtype)
    x = be.asarray([10, 20])
    for result in (be.take(x, indices), be.take_along_axis(x, indices), x[indices]):
        assert result.dtype is ca.int64
        assert result.tolist() == [20, 10]


@pytest.mark.parametrize("dtype", [ca.float16, ca.bfloat16], ids=str)
def test_half_precision(dtype):
    x = be.asarray([4.0, -2.25, 0.5, 9.0], dtype=dtype)
    square = be.reshape(be.abs(x), (2, 2))
    for result, exact in (
        (x // 2, [2.0, -2.0, 0.0, 4.0]),
        (x % 2, [0.0, 1.75, 0.5, 1.0]),
        (be.sort(x), [-2.25, 0.5, 4.0, 9.0]),
        (be.hypot(x[:1], be.asarray([3.0], dtype=dtype)), [5.0]),
        (be.copysign(x, -x), [-4.0, 2.25, -0.5, -9.0]),
        (be.linalg.det(square), 4.0 * 9.0 - 2.25 * 0.5),
        (be.var(x[:2]), 3.125**2),
    ):
        assert result.dtype is dtype
        assert be.to_numpy(be.astype(result, ca.float64)) == pytest.approx(np.asarray(exact), rel=0.01)
    assert be.nonzero(x)[0].tolist() == [0, 1, 2, 3]
    assert be.fft.fft(x).dtype is be.fft.rfft(x).dtype is ca.complex64
    bits = 0.0078125 if dtype is ca.bfloat16 else 2**-10
    one, numbers = be.ones((), dtype=dtype), be.asarray([2.0, 0.5, 1.0, ca.nan], dtype=dtype)
    assert be.nextafter(one, numbers).tolist()[:3] == [1.0 + bits, 1.0 - bits / 2, 1.0]
    assert be.isnan(be.nextafter(one, numbers)).tolist() == [False, False, False, True]
    assert be.signbit(be.nextafter(0 * one, -one)).item()


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_sums_of_half_precision_do_not_overflow_on_the_way(dtype):
    x = be.full((4000,), 60.0, dtype=dtype)
    for function, want in ((be.mean, 60.0), (be.std, 0.0), (be.var, 0.0)):
        found = function(x)
        assert str(found.dtype) == dtype and float(found) == want
