"""Exponential functions, logarithms, powers and roots against NumPy in float64 and complex128."""

from __future__ import annotations

import numpy as np
import pytest
from standard.elementwise import (
    Case,
    binary_of_every_dtype,
    binary_property,
    of_every_dtype,
    unary_of_every_dtype,
    unary_property,
)
from standard.support import (
    FLOATING,
    INTEGER,
    NUMERIC,
    REAL,
    Domain,
    array,
    be,
    composition,
    covers,
    needs_derivatives,
    numpy_of,
)

import corearray as ca

_EXPONENTS = Domain(-20, 20)
_POSITIVE = Domain(1e-3, 1e6)
_PLANE = Domain(-50, 50, off_axes=True)


def _pow(x1, x2):
    if x1.dtype.kind != "O":
        with np.errstate(invalid="ignore"):  # a complex number to the power of 0
            return np.power(x1, x2)
    return np.asarray([a**b for a, b in zip(x1.flat, x2.flat, strict=True)], dtype=object).reshape(x1.shape)


def _log2(x):
    return np.log(x) / np.log(2) if x.dtype.kind == "c" else np.log2(x)


UNARY = {
    "exp": Case(np.exp, NUMERIC, "float", _EXPONENTS),
    "expm1": Case(np.expm1, NUMERIC, "float", _EXPONENTS),
    "log": Case(np.log, NUMERIC, "float", _POSITIVE, complex_domain=_PLANE),
    "log10": Case(np.log10, NUMERIC, "float", _POSITIVE, complex_domain=_PLANE),
    "log1p": Case(np.log1p, NUMERIC, "float", Domain(-0.999, 1e6), complex_domain=_PLANE),
    "log2": Case(_log2, NUMERIC, "float", _POSITIVE, complex_domain=_PLANE),
    "sqrt": Case(np.sqrt, NUMERIC, "float", Domain(0, 1e6), complex_domain=_PLANE),
    "square": Case(np.square, NUMERIC, domain=Domain(-1e15, 1e15)),
}

BINARY = {
    "logaddexp": Case(np.logaddexp, REAL, "float", Domain(-100, 100)),
    "pow": Case(
        lambda x1, x2: _pow(*np.broadcast_arrays(x1, x2)),
        INTEGER + FLOATING,
        domain=Domain(0.1, 8),
        second=Domain(0, 6),
        complex_domain=Domain(-3, 3, off_axes=True),
    ),
}


@of_every_dtype(UNARY)
def test_one_operand_of_every_dtype(name, dtype):
    unary_of_every_dtype(name, dtype, UNARY[name])


@pytest.mark.parametrize("name", UNARY)
def test_one_operand(name):
    unary_property(name, UNARY[name])


@of_every_dtype(BINARY)
def test_two_operands_of_every_dtype(name, dtype):
    binary_of_every_dtype(name, dtype, BINARY[name])


@pytest.mark.parametrize("name", BINARY)
def test_two_operands(name):
    binary_property(name, BINARY[name])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["log2", "log10"])
@covers("log2", "log10")
def test_logarithms_of_powers_of_the_base_are_integral(name, dtype):
    limits = np.finfo(dtype)
    base, lowest = (2.0, limits.minexp) if name == "log2" else (10.0, int(np.ceil(np.log10(limits.tiny))))
    powers = np.arange(lowest, int(np.log2(limits.max) / np.log2(base)) + (name == "log10"))
    x = base ** powers.astype(np.longdouble)
    got = numpy_of(composition(name)(array(x.astype(dtype))))
    np.testing.assert_array_equal(got, powers.astype(dtype))
    between = numpy_of(composition(name)(array((1.3 * x[:-4]).astype(dtype))))
    np.testing.assert_allclose(between, powers[:-4] + np.log(1.3) / np.log(base), rtol=4 * limits.eps)


@needs_derivatives
@pytest.mark.parametrize("name", ["log2", "log10"])
def test_derivatives_of_composed_logarithms(name):
    x = np.asarray([0.0, 0.125, 0.1, 1.0, 3.0, 8.0, 100.0, np.inf])
    slope = ca.grad(lambda x: be.sum(composition(name)(x)))(array(x))
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(numpy_of(slope), 1.0 / (x * np.log({"log2": 2.0, "log10": 10.0}[name])), rtol=1e-12)
