"""What users of NumPy, PyTorch and JAX type out of habit, on every backend."""

from __future__ import annotations

import numpy as np
import pytest
from standard.support import array, be, needs_derivatives, numpy_of

import corearray as ca

_X = np.arange(12.0).reshape(3, 4)

_KEYS = [
    np.asarray([2, 0]),
    np.asarray([[1], [-1]], dtype="int32"),
    np.asarray([True, False, True]),
    (slice(None), np.asarray([1, 1])),
    (np.asarray([2, 0]), np.asarray([3, 1])),
    _X > 5,
    ((0, 2), slice(None)),
    ((0, 2), (1, 3)),
    (..., (True, False, False, True)),
]


@pytest.mark.parametrize("key", _KEYS, ids=repr)
def test_arrays_of_numpy_and_tuples_within_keys(key):
    x = array(_X)
    np.testing.assert_array_equal(numpy_of(x[key]), _X[key])
    y, expected = array(_X.copy()), _X.copy()
    y[key] = 0.0
    expected[key] = 0.0
    np.testing.assert_array_equal(numpy_of(y), expected)


def test_arrays_of_numpy_are_no_other_keys():
    x = array(_X)
    with pytest.raises(IndexError, match="no indices"):
        x[np.asarray([1.5])]
    with pytest.raises(IndexError):
        x[np.asarray([True, False])]


def test_arrays_of_numpy_are_operands():
    x, y = array(_X.astype("float32")), np.linspace(1.0, 2.0, 4)
    for made, expected in [
        (x + y, _X + y),
        (y - x, y - _X),
        (x @ y, _X @ y),
        (y**x, y**_X),
        (x > y, y < _X),
        (y == x, y == _X),
    ]:
        assert isinstance(made, ca.Array) and made.backend is x.backend
        np.testing.assert_allclose(numpy_of(made), expected, rtol=1e-6)
    assert (x + y).dtype is ca.float64 and (x + y.astype("int16")).dtype is ca.float32
    kept = x
    x += y
    assert x is kept and x.dtype is ca.float32
    x[0] = y
    np.testing.assert_allclose(numpy_of(x)[0], y, rtol=1e-6)


@needs_derivatives
def test_gradients_pass_operands_of_numpy():
    y = np.asarray([2.0, 3.0])
    gradient = ca.grad(lambda x: be.sum(x * y) + be.sum((y - x)[np.asarray([0])]))(array(np.ones(2)))
    np.testing.assert_allclose(numpy_of(gradient), [1.0, 3.0])


def test_transposes_of_vectors_and_numbers():
    assert be.asarray([1.0, 2.0]).T.tolist() == [1.0, 2.0]
    assert be.asarray(3.0).T.tolist() == 3.0
