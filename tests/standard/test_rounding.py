"""Rounding, which is exact, halves to even; signs and neighbours of floating-point numbers."""

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
from standard.support import ANY, FLOAT, NUMERIC, REAL, Domain

_HALVES = Domain(-300, 300, step=0.25)

UNARY = {
    "ceil": Case(np.ceil, REAL, domain=_HALVES),
    "floor": Case(np.floor, REAL, domain=_HALVES),
    "round": Case(lambda x: x if x.dtype == object else np.round(x), NUMERIC, domain=_HALVES),
    "signbit": Case(np.signbit, FLOAT, "bool", ANY, plain=True),
    "trunc": Case(np.trunc, REAL, domain=_HALVES),
}

BINARY = {
    "copysign": Case(np.copysign, FLOAT, domain=ANY, plain=True),
    "nextafter": Case(np.nextafter, FLOAT, domain=ANY, plain=True),
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
