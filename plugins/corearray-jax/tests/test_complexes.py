"""Complex functions: NumPy, which follows C99, is the oracle of values, difference quotients that of derivatives."""

from __future__ import annotations

import cmath
import itertools
import math

import jax
import numpy as np
import pytest
from jax import numpy as jnp

import corearray as ca

be = ca.get_backend("jax")

PARTS = (0.0, -0.0, 0.25, -0.25, 1.0, -1.0, 3.0, -3.0, 50.0, -50.0, math.inf, -math.inf, math.nan)
NUMBERS = [complex(a, b) for a, b in itertools.product(PARTS, PARTS)]
FUNCTIONS = (
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "cos",
    "cosh",
    "exp",
    "log",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
)

#: Where C99 and the standard leave a sign open, or the standard has another one than C99 (`tanh` at infinity).
_OPEN_SIGN = {
    "cosh": lambda z: not math.isfinite(z.real) or not math.isfinite(z.imag),
    "sinh": lambda z: not math.isfinite(z.imag),
    "tanh": lambda z: math.isinf(z.real),
    "exp": lambda z: math.isinf(z.real) and not math.isfinite(z.imag),
    "asinh": lambda z: math.isnan(z.real),
    "atanh": lambda z: math.isnan(z.real),
    "acos": lambda z: math.isnan(z.imag),
    "sqrt": lambda z: math.isnan(z.imag),
}
_OPEN_SIGN["cos"] = lambda z: _OPEN_SIGN["cosh"](complex(-z.imag, z.real))
_OPEN_SIGN["sin"] = lambda z: _OPEN_SIGN["sinh"](complex(-z.imag, z.real))
_OPEN_SIGN["tan"] = lambda z: _OPEN_SIGN["tanh"](complex(-z.imag, z.real))
_OPEN_SIGN["asin"] = lambda z: _OPEN_SIGN["asinh"](complex(-z.imag, z.real))
_OPEN_SIGN["atan"] = lambda z: _OPEN_SIGN["atanh"](complex(-z.imag, z.real))


def same(got: float, wanted: float, tolerance: float, sign: bool) -> bool:
    if math.isnan(wanted):
        return math.isnan(got)
    if not sign:
        got, wanted = abs(got), abs(wanted)
    if got == wanted:
        return math.copysign(1, got) == math.copysign(1, wanted)
    return abs(got - wanted) <= tolerance * abs(wanted) + 1.2e-38


@pytest.mark.parametrize(("dtype", "tolerance"), [("complex128", 1e-13), ("complex64", 1e-5)])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_values(name, dtype, tolerance):
    got = getattr(be, name)(be.asarray(NUMBERS, dtype=dtype)).tolist()
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(np.array(NUMBERS, dtype)).tolist()
    signed = [not _OPEN_SIGN.get(name, lambda z: False)(z) for z in NUMBERS]
    wrong = [
        (z, result, wanted)
        for z, result, wanted, sign in zip(NUMBERS, got, expected, signed, strict=True)
        if not (same(result.real, wanted.real, tolerance, sign) and same(result.imag, wanted.imag, tolerance, sign))
    ]
    assert wrong == []


@pytest.mark.parametrize("name", [*FUNCTIONS, "expm1", "log1p", "log2", "log10", "sign", "abs"])
def test_derivatives(name):
    """Also on the axes, where the corrections of signs are."""
    function = getattr(be.native, name)
    step = 1e-6
    for z in (0.5 + 0.25j, -0.5 - 0.75j, 2.0 + 0.5j, 0.5 + 0j, 0.5j):
        for direction in (1.0, 1j):
            if (
                name in ("acosh", "atanh", "acos", "asin", "atan", "log", "sqrt", "log2", "log10")
                and z.imag == 0
                and direction == 1j
            ):
                continue  # a branch cut may lie there
            if name in ("acosh",) and z == 0.5:
                continue
            _, found = jax.jvp(function, (jnp.asarray(z),), (jnp.asarray(direction + 0j),))
            slope = (function(jnp.asarray(z + step * direction)) - function(jnp.asarray(z - step * direction))) / (
                2 * step
            )
            assert complex(found) == pytest.approx(complex(slope), rel=1e-7, abs=1e-9), (z, direction)


def test_large_numbers_do_not_overflow_halfway():
    assert complex(be.exp(be.asarray(710 + 1e-300j, dtype=ca.complex128))).imag == pytest.approx(
        math.exp(700) * 1e-300 * math.exp(10)
    )
    assert complex(be.sinh(be.asarray(710.2 + 1.5j, dtype=ca.complex128))) == pytest.approx(cmath.sinh(710.2 + 1.5j))
    assert complex(be.abs(be.asarray(1e200 + 1e200j, dtype=ca.complex128))) == pytest.approx(math.sqrt(2) * 1e200)


@pytest.mark.parametrize("z", [complex(5e-324, math.nan), complex(math.nan, math.inf), complex(-3e-310, math.nan)])
def test_the_tiniest_numbers_are_no_zeros(z):
    """XLA's comparisons on CPU hold them for zeros, for which the tables say something else."""
    got = complex(be.acos(be.asarray(z, dtype=ca.complex128)))
    assert math.isnan(got.real)
