"""Comparisons and logic, which are exact; in the common dtype of the operands, as the standard says."""

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
from standard.support import ALL, ANY, NUMERIC, REAL

UNARY = {
    "isfinite": Case(np.isfinite, NUMERIC, "bool", ANY, plain=True),
    "isinf": Case(np.isinf, NUMERIC, "bool", ANY, plain=True),
    "isnan": Case(np.isnan, NUMERIC, "bool", ANY, plain=True),
    "logical_not": Case(np.logical_not, ALL, "bool", ANY, plain=True),
}

BINARY = {
    "equal": Case(np.equal, ALL, "bool", ANY, plain=True),
    "greater": Case(np.greater, REAL, "bool", ANY, plain=True),
    "greater_equal": Case(np.greater_equal, REAL, "bool", ANY, plain=True),
    "less": Case(np.less, REAL, "bool", ANY, plain=True),
    "less_equal": Case(np.less_equal, REAL, "bool", ANY, plain=True),
    "logical_and": Case(np.logical_and, ALL, "bool", ANY, plain=True),
    "logical_or": Case(np.logical_or, ALL, "bool", ANY, plain=True),
    "logical_xor": Case(np.logical_xor, ALL, "bool", ANY, plain=True),
    "not_equal": Case(np.not_equal, ALL, "bool", ANY, plain=True),
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
