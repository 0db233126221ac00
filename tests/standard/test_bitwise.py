"""Bits of integers and booleans against NumPy's, shifts against Python's."""

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
from standard.support import ANY, INTEGER, Domain

_BITS = ("bool", *INTEGER)
_PLACES = Domain(0, 7)

UNARY = {"bitwise_invert": Case(np.invert, _BITS, domain=ANY, plain=True)}

BINARY = {
    "bitwise_and": Case(np.bitwise_and, _BITS, domain=ANY, plain=True),
    "bitwise_left_shift": Case(np.left_shift, INTEGER, domain=ANY, second=_PLACES),
    "bitwise_or": Case(np.bitwise_or, _BITS, domain=ANY, plain=True),
    "bitwise_right_shift": Case(np.right_shift, INTEGER, domain=ANY, second=_PLACES),
    "bitwise_xor": Case(np.bitwise_xor, _BITS, domain=ANY, plain=True),
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
