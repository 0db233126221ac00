"""Arithmetic of truth values, which the standard leaves open, gives what NumPy gives."""

from __future__ import annotations

import numpy as np
import pytest
from standard.support import NAME, array, be, numpy_of

pytestmark = pytest.mark.skipif(NAME == "strict", reason="refuses what the standard does not promise")

_X = np.asarray([[True, False, True], [False, False, True]])
_Y = np.asarray([[True, True, False], [False, True, True]])
_ONE = {
    "abs": np.abs, "ceil": np.ceil, "floor": np.floor, "trunc": np.trunc, "square": np.square,
    "conj": np.asarray, "positive": np.asarray, "round": np.asarray, "sign": np.asarray,
}  # fmt: skip
_TWO = {
    "add": np.add, "multiply": np.multiply, "maximum": np.maximum, "minimum": np.minimum, "greater": np.greater,
    "greater_equal": np.greater_equal, "less": np.less, "less_equal": np.less_equal, "pow": np.power,
    "bitwise_left_shift": np.left_shift, "bitwise_right_shift": np.right_shift,
}  # fmt: skip
_DIVISIONS = {"floor_divide": np.floor_divide, "remainder": np.remainder, "fmod": np.fmod}


def _same(got, want):
    assert str(got.dtype) == str(want.dtype)
    assert np.array_equal(numpy_of(got), want)


@pytest.mark.parametrize("name", _ONE)
def test_functions_of_one_array(name):
    _same(getattr(be, name)(array(_X)), _ONE[name](_X))


@pytest.mark.parametrize("name", _TWO)
def test_functions_of_two_arrays(name):
    _same(getattr(be, name)(array(_X), array(_Y)), _TWO[name](_X, _Y))


@pytest.mark.parametrize("name", _DIVISIONS)
def test_divisions(name):
    ones = np.ones_like(_X)
    _same(getattr(be, name)(array(_X), array(ones)), _DIVISIONS[name](_X, ones))


def test_products():
    many = np.ones((2, 256), "bool")
    _same(be.matmul(array(many), array(many.T)), many @ many.T)
    _same(be.tensordot(array(_X), array(_Y.T), axes=1), np.tensordot(_X, _Y.T, axes=1))
    _same(be.linalg.outer(array(_X[0]), array(_Y[0])), np.outer(_X[0], _Y[0]))


def test_operators():
    x, y = array(_X), array(_Y)
    _same(x + y, _X + _Y)
    _same(x * y, _X * _Y)
    _same(x @ array(_Y.T), _X @ _Y.T)
    _same(x < y, _X < _Y)


@pytest.mark.parametrize("name", ["relu", "relu6"])
def test_activations_count(name):
    got = getattr(be, name)(array(_X))
    assert str(got.dtype) == "int64"
    assert np.array_equal(numpy_of(got), _X)


def test_differences_are_refused():
    with pytest.raises(TypeError, match="subtract"):
        array(_X) - array(_Y)
