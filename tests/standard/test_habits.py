"""What users of NumPy, PyTorch and JAX type out of habit, on every backend."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from standard.support import array, be, needs_derivatives, numpy_of

import corearray as ca
from corearray.calls.positions import guard_text
from corearray.contract.declaration import DECLARATIONS

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


def _positional():
    """Functions whose first option may be given by position, with its name."""
    for name, declaration in DECLARATIONS.items():
        guard = guard_text(name, declaration.parameters)
        if guard and not guard.endswith(", False)\n"):
            yield name, next(p.name for p in declaration.parameters if p.how == "keyword")


@pytest.mark.parametrize(("name", "option"), list(_positional()))
def test_an_option_by_position_stands_where_numpy_has_it(name, option):
    function = next((getattr(place, name) for place in (np, np.linalg, np.fft) if hasattr(place, name)), None)
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return  # NumPy has no such function, or tells nothing of it
    count = sum(p.how != "keyword" for p in DECLARATIONS[name].parameters)
    positional = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]
    assert positional[count:] == [] or positional[count] == option


@pytest.mark.parametrize("xp", [ca, be], ids=["public", "backend"])
def test_options_by_position(xp):
    x = array(_X)
    for made, expected in [
        (xp.sum(x, 1), _X.sum(1)),
        (xp.mean(x, (0, 1)), _X.mean((0, 1))),
        (xp.tril(x, 1), np.tril(_X, 1)),
        (xp.flip(x, 0), np.flip(_X, 0)),
        (xp.tensordot(x, x, 2), np.tensordot(_X, _X, 2)),
        (xp.concat([x, x], 1), np.concatenate([_X, _X], 1)),
        (xp.roll(x, 1, 0), np.roll(_X, 1, 0)),
        (xp.repeat(x, 2, 0), np.repeat(_X, 2, 0)),
        (xp.softmax(x, -1), np.exp(_X) / np.exp(_X).sum(-1, keepdims=True)),
        (xp.zeros((2, 1), "int8"), np.zeros((2, 1), "int8")),
        (xp.sum(x, 1, keepdims=True), _X.sum(1, keepdims=True)),
    ]:
        np.testing.assert_allclose(numpy_of(made), expected, rtol=1e-6)
    for call, message in [
        (lambda: xp.diff(x, 1), r"'diff' takes its options by keyword; write diff\(x, n=1\); further options are"),
        (lambda: xp.sum(x, 1, True), r"'sum' takes its options by keyword; write sum\(x, axis=1\)$"),
        (lambda: xp.sum(x, 0, axis=1), r"write sum\(x, axis=0\)$"),
        (lambda: xp.isclose(x, x, 1e-3), r"write isclose\(x1, x2, rtol=0\.001\); further options are atol"),
        (lambda: xp.concat(x, x), r"'concat' takes the arrays in one list; write concat\(\[x, y\]\)$"),
        (lambda: xp.zeros(2, 3), r"'zeros' takes the sizes in one tuple; write zeros\(\(2, 3\)\) for two axes$"),
        (lambda: xp.cumulative_sum(x, 5), r"axis"),
    ]:
        with pytest.raises((TypeError, IndexError), match=message):
            call()
