"""Where NumPy's arithmetic is not the standard's, and what its `out` and its warnings do here."""

from __future__ import annotations

import math

import numpy as np
import pytest

import corearray as ca

be = ca.get_backend("numpy")
inf, nan = math.inf, math.nan


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize(
    ("x1", "x2", "quotient"),
    [(inf, 2.0, inf), (inf, -2.0, -inf), (-inf, 2.0, -inf), (3.0, inf, 0.0), (3.0, -inf, -0.0), (-3.0, inf, -0.0)],
)
def test_floor_divide_by_and_of_infinities(x1, x2, quotient, dtype):
    a, b = be.asarray([x1, 7.0], dtype=dtype), be.asarray([x2, 2.0], dtype=dtype)
    expected = [quotient, 3.0]
    for got in (a // b, be.floor_divide(a[0], b)[:1], a // x2, x1 // b):
        assert got.dtype is a.dtype
        assert got[0].item() == quotient
        assert math.copysign(1.0, got[0].item()) == math.copysign(1.0, quotient)
    assert (a // b).tolist() == expected


def test_floor_divide_keeps_integers_exact():
    assert (be.asarray([2**63 - 1, -7]) // 2).tolist() == [2**62 - 1, -4]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_complex_keeps_the_precision(dtype):
    for x in (be.asarray([1.0, -0.0], dtype=dtype), be.asarray(1.0, dtype=dtype)):
        got = be.complex(x, x)
        assert got.dtype is (ca.complex128 if dtype == "float64" else ca.complex64)
        assert be.real(got).tolist() == be.imag(got).tolist() == x.tolist()


@pytest.mark.parametrize("shape", [(), (1,)])
def test_sign_of_large_and_small_complex_numbers(shape):
    half = math.sqrt(0.5)
    for z, expected in ((1.5e308 + 1.5e308j, half + half * 1j), (-1e-310j, -1j), (0j, 0j)):
        got = be.sign(be.full(shape, z, dtype="complex128"))
        assert (got.dtype, got.shape) == (ca.complex128, shape)
        assert abs(be.reshape(got, (1,))[0].item() - expected) < 1e-15
    for dtype in ("complex64", "complex128"):
        assert be.sign(be.full(shape, 2j, dtype=dtype)).dtype is getattr(ca, dtype)


def test_parts_of_real_arrays():
    x = be.asarray([1.0, 2.0])
    assert be.real(x).tolist() == [1.0, 2.0]
    assert be.imag(x).tolist() == [0.0, 0.0]


def test_clip_without_bounds_copies():
    x = be.asarray([1.0, 2.0])
    y = be.clip(x)
    y[0] = 5.0
    assert x.tolist() == [1.0, 2.0]


def test_out_is_written_by_numpy_itself():
    x, out = be.asarray([1.5, 2.5], dtype="float64"), be.zeros(2, dtype="float32")
    memory = out.native
    assert be.add(x, 1, out=out) is out
    assert out.native is memory
    assert out.tolist() == [2.5, 3.5]
    with pytest.raises(TypeError):
        be.add(x, 1, out=be.zeros(2, dtype="int64"))


def test_warnings_are_numpys_and_the_users():
    x = be.asarray([1.0, 0.0])
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        assert (1.0 / x).tolist() == [1.0, inf]
    with np.errstate(divide="ignore"):
        assert (1.0 / x).tolist() == [1.0, inf]
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        1.0 / x


def test_a_defined_result_warns_of_nothing():
    x = be.asarray([inf, -inf, 1.0])
    (x // 2.0, be.mean(be.zeros((0, 2)), axis=0), be.var(be.zeros(0)), be.tanh(be.complex(x, x)))
