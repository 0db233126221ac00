"""Trigonometric and hyperbolic functions against NumPy in float64 and complex128, away from poles and branch cuts."""

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
from standard.support import NUMERIC, REAL, Domain

_ANGLES = Domain(-30, 30)
_UNIT = Domain(-0.999, 0.999)
_PLANE = Domain(-20, 20, off_axes=True)
_STRIP = Domain(-8, 8)


def _case(oracle, domain, complex_domain=_STRIP, **options):
    return Case(oracle, NUMERIC, "float", domain, complex_domain=complex_domain, **options)


UNARY = {
    "acos": _case(np.arccos, _UNIT, _PLANE),
    "acosh": _case(np.arccosh, Domain(1.001, 1e6), _PLANE),
    "asin": _case(np.arcsin, _UNIT, _PLANE),
    "asinh": _case(np.arcsinh, Domain(-1e6, 1e6), _PLANE),
    "atan": _case(np.arctan, Domain(-1e6, 1e6), _PLANE),
    "atanh": _case(np.arctanh, _UNIT, _PLANE),
    "cos": _case(np.cos, _ANGLES),
    "cosh": _case(np.cosh, Domain(-20, 20)),
    "sin": _case(np.sin, _ANGLES),
    "sinh": _case(np.sinh, Domain(-20, 20)),
    "tan": _case(np.tan, _ANGLES),
    "tanh": _case(np.tanh, Domain(-20, 20)),
}

BINARY = {"atan2": Case(np.arctan2, REAL, "float", Domain(-1e6, 1e6))}


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
