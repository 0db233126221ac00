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
from standard.support import FLOATING, INTEGER, NUMERIC, REAL, Domain

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
