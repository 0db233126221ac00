"""Complex functions in which NumPy loses digits or has other special values than the standard."""

from __future__ import annotations

import cmath
import math

import pytest

import corearray as ca

be = ca.get_backend("numpy")
inf, nan = math.inf, math.nan


def parts(z):
    """Return text of both parts in which signs of zeros and NaN compare."""
    return [str(z.real), str(z.imag)]


@pytest.mark.parametrize("shape", [(), (1,)])
@pytest.mark.parametrize(
    ("z", "expected"),
    [
        (complex(-0.0, 0.0), complex(0.0, 0.0)),
        (complex(inf, 0.0), complex(inf, 0.0)),
        (complex(-inf, inf), complex(-1.0, 0.0)),
        (complex(-inf, nan), complex(-1.0, 0.0)),
        (complex(nan, 0.0), complex(nan, 0.0)),
        (complex(1e-300, 1e-300), complex(1e-300, 1e-300)),
    ],
)
def test_expm1(z, expected, shape):
    got = be.expm1(be.full(shape, z, dtype="complex128"))
    assert got.shape == shape
    assert parts(be.reshape(got, (1,))[0].item()) == parts(expected)


@pytest.mark.filterwarnings("ignore:overflow")
def test_expm1_of_large_numbers_is_no_nan():
    assert parts(be.expm1(be.asarray(complex(1e200, 0.0), dtype="complex128")).item()) == ["inf", "0.0"]


@pytest.mark.parametrize("z", [1e-8, -1e-8, 1e-8j, 1e-20 + 1e-20j, 0.3 - 0.2j, -0.4 + 0.1j, 3 + 4j, -2 + 1e-8j])
def test_log1p_keeps_its_digits(z):
    z = complex(z)
    if abs(z) < 1e-6:
        expected = complex(z.real + (z.imag**2 - z.real**2) / 2, z.imag - z.real * z.imag)
    else:
        expected = cmath.log(1 + z)
    got = be.log1p(be.asarray(z, dtype="complex128")).item()
    assert math.isclose(got.imag, expected.imag, rel_tol=1e-12, abs_tol=0)
    assert math.isclose(got.real, expected.real, rel_tol=1e-12, abs_tol=1e-16)


def test_log1p_overflows_no_sooner_than_its_result():
    got = be.log1p(be.asarray([complex(1e308, 1.5e308), complex(1e308, -0.0)], dtype="complex128"))
    assert be.all(be.isfinite(got))
    assert math.copysign(1.0, got[1].item().imag) == -1.0
