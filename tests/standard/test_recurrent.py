"""Recurrent layers against their formulas, in NumPy and float64, one step after the other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from standard.support import (
    array,
    be,
    cast,
    check,
    covers,
    dtypes_of,
    examples,
    float_dtype,
    needs_derivatives,
    numpy_of,
    wide,
)

import corearray as ca

_GATES = {"rnn": 1, "gru": 3, "lstm": 4}

#: Batch, steps of time, features, hidden features, layers, both directions, biases, time first.
_CASES = (
    ((2,), 3, 2, 3, 1, False, True, False),
    ((2,), 3, 2, 3, 2, True, True, False),
    ((3,), 2, 2, 1, 1, True, False, True),
    ((), 4, 1, 2, 2, False, False, False),
    ((2, 2), 2, 2, 2, 1, False, True, True),
    ((0,), 2, 2, 2, 1, True, True, False),
)


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _stepped(name, given, state, weight, bias, nonlinearity):
    added = state[0] @ weight.T + bias
    if name == "rnn":
        whole = given + added
        return (np.tanh(whole) if nonlinearity == "tanh" else np.maximum(whole, 0.0),)
    if name == "gru":
        (r1, z1, n1), (r2, z2, n2) = np.split(given, 3, -1), np.split(added, 3, -1)
        z = _sigmoid(z1 + z2)
        return ((1 - z) * np.tanh(n1 + _sigmoid(r1 + r2) * n2) + z * state[0],)
    i, f, g, o = np.split(given + added, 4, -1)
    c = _sigmoid(f) * state[1] + _sigmoid(i) * np.tanh(g)
    return _sigmoid(o) * np.tanh(c), c


def _expected(name, x, weights, states, directions, biased, nonlinearity="tanh"):
    """Return outputs and last states for an array with time first."""
    each = 4 if biased else 2
    rows = [weights[i : i + each] for i in range(0, len(weights), each)]
    ends = []
    for place in range(0, len(rows), directions):
        ways = []
        for backwards in range(directions):
            row = rows[place + backwards]
            bias, other = row[2:] or (0.0, 0.0)
            state, hidden = tuple(one[place + backwards] for one in states), []
            for one in x[::-1] if backwards else x:
                state = _stepped(name, one @ row[0].T + bias, state, row[1], other, nonlinearity)
                hidden.append(state[0])
            ends.append(state)
            ways.append(np.stack(hidden[::-1] if backwards else hidden))
        x = np.concatenate(ways, -1)
    return x, *(np.stack(parts) for parts in zip(*ends, strict=True))


def _drawn(rng, dtype, *shape):
    return rng.integers(-2, 3, shape).astype(dtype) if dtype == "int32" else rng.normal(size=shape).astype(dtype)


def _problem(rng, name, case, dtype):
    batch, steps, features, size, layers, both, biased, _ = case
    gates, directions = _GATES[name], 1 + both
    weights = []
    for layer in range(layers):
        for _ in range(directions):
            inputs = directions * size if layer else features
            weights += [_drawn(rng, dtype, gates * size, inputs), _drawn(rng, dtype, gates * size, size)]
            weights += [_drawn(rng, dtype, gates * size) for _ in range(2 * biased)]
    x = _drawn(rng, dtype, steps, *batch, features)
    names = ("initial_h", "initial_c")[: 1 + (name == "lstm")]
    states = {key: _drawn(rng, dtype, layers * directions, *batch, size) for key in names}
    return x, weights, states


@covers("rnn", "gru", "lstm")
@pytest.mark.parametrize("name", sorted(_GATES))
def test_layers(name):
    getattr(be, name)  # which the test says that it covers
    for number, case in enumerate(_CASES):
        rng = np.random.default_rng(number)
        dtype = ("float32", "float64", "int32")[number % 3]
        x, weights, states = _problem(rng, name, case, dtype)
        computed = float_dtype(dtype)
        _, _, _, _, _, both, biased, time_major = case
        options = {"bidirectional": both, "time_major": time_major}
        if name == "rnn" and number % 2:
            options["nonlinearity"] = "relu"
        given_states = states if number % 2 else {}
        starts = [wide(cast(one, computed)) * (0 if not given_states else 1) for one in states.values()]
        whole = [wide(cast(one, computed)) for one in weights]
        nonlinearity = options.get("nonlinearity", "tanh")
        want = _expected(name, wide(cast(x, computed)), whole, starts, 1 + both, biased, nonlinearity)
        passed = x if time_major else np.moveaxis(x, 0, -2)
        arrays = {key: array(one) for key, one in given_states.items()}
        found = getattr(be, name)(array(passed), [array(one) for one in weights], **options, **arrays)
        assert type(found) is (ca.LSTMResult if name == "lstm" else ca.RecurrentResult)
        want = (want[0] if time_major else np.moveaxis(want[0], 0, -2), *want[1:])
        for got, one in zip(found, want, strict=True):
            check((name, x, weights, options, given_states), got, one, computed, factor=100, scale=2.0)


@covers("lstm_update")
@examples
@given(
    st.integers(0, 99),
    dtypes_of(("float32", "float64")),
    st.sampled_from(((), (2,), (2, 1))),
    st.sampled_from((0, 1, 2, 3)),
)
def test_lstm_update(seed, dtype, batch, biases):
    rng = np.random.default_rng(seed)
    x, h, c = (_drawn(rng, dtype, *batch, *last) for last in ((3, 2), (2,), (2,)))
    kernel, recurrent = _drawn(rng, dtype, 2, 8), _drawn(rng, dtype, 2, 8)
    bias, other = (_drawn(rng, dtype, 8) if biases & bit else None for bit in (1, 2))
    whole = [0.0 if one is None else wide(one) for one in (bias, other)]
    weights = [wide(kernel).T, wide(recurrent).T, *whole]
    states = [wide(one)[None] for one in (h, c)]
    want = _expected("lstm", np.moveaxis(wide(x), -2, 0), weights, states, 1, True)
    options = {key: array(one) for key, one in (("bias", bias), ("recurrent_bias", other)) if one is not None}
    found = be.lstm_update(*map(array, (x, h, c, kernel, recurrent)), **options)
    assert type(found) is ca.LSTMUpdateResult
    what = ("lstm_update", x, h, c, kernel, recurrent, bias, other)
    check(what, found.h, np.moveaxis(want[0], 0, -2), dtype, factor=20, scale=2.0)
    check(what, found.c, want[2][0], dtype, factor=20, scale=2.0)


@needs_derivatives
@pytest.mark.parametrize("name", sorted(_GATES))
def test_gradients(name):
    """Against central differences in float64."""
    x, weights, _ = _problem(np.random.default_rng(5), name, _CASES[1], "float64")
    along = [_drawn(np.random.default_rng(6), "float64", *one.shape) for one in (x, *weights)]

    def loss(parts):
        found = getattr(ca, name)(parts[0], parts[1:], bidirectional=True)
        return sum(ca.sum(one * one) for one in found)

    def at(step):
        return float(loss([array(np.asarray(one + step * way)) for one, way in zip((x, *weights), along, strict=True)]))

    with ca.backend_context(be):
        x = np.moveaxis(x, 0, -2)
        along[0] = np.moveaxis(along[0], 0, -2)
        slopes = ca.grad(loss)([array(np.ascontiguousarray(one)) for one in (x, *weights)])
        got = sum((numpy_of(slope) * way).sum() for slope, way in zip(slopes, along, strict=True))
        want = (at(1e-5) - at(-1e-5)) / 2e-5
    np.testing.assert_allclose(got, want, rtol=1e-6)


_W = [(3, 2), (3, 3), (3,), (3,)]


@pytest.mark.parametrize(
    "call",
    [
        lambda x, w: be.rnn(x, w, nonlinearity="cube"),
        lambda x, w: be.rnn(x[0, 0, :], w),
        lambda x, w: be.rnn(x[:, :0, :], w),
        lambda x, w: be.rnn(x[:0, ...], w, time_major=True),
        lambda x, w: be.rnn(x, w[:3]),
        lambda x, w: be.rnn(x, []),
        lambda x, w: be.rnn(x, w, bidirectional=True),
        lambda x, w: be.rnn(x, w + w),
        lambda x, w: be.rnn(x[..., :1], w),
        lambda x, w: be.rnn(x, [w[0], w[1][:2, ...]]),
        lambda x, w: be.rnn(x, w, initial_h=be.ones((4, 3))),
        lambda x, w: be.gru(x, w),
        lambda x, w: be.lstm(x, w),
        lambda x, w: be.lstm_update(x, be.ones((4, 1)), be.ones((4, 1)), be.ones((2, 3)), be.ones((1, 4))),
        lambda x, w: be.lstm_update(x, be.ones((3, 1)), be.ones((4, 1)), be.ones((2, 4)), be.ones((1, 4))),
        lambda x, w: be.lstm_update(x, be.ones((4, 1)), be.ones((4, 1)), be.ones(8), be.ones((1, 4))),
        lambda x, w: be.lstm_update(x, be.ones((4, 1)), be.ones((4, 1)), be.ones((2, 4)), be.ones((1, 4)), be.ones(3)),
    ],
)
def test_what_does_not_fit_is_refused(call):
    with pytest.raises(ValueError, match=r"'(rnn|gru|lstm|lstm_update)'"):
        call(be.ones((4, 5, 2)), [be.ones(shape) for shape in _W])


@covers("gru_update")
@pytest.mark.parametrize("batch", [(), (2,), (2, 2)])
@pytest.mark.parametrize("biased", [False, True])
def test_gru_update(batch, biased):
    random = np.random.default_rng(3)
    steps, features, size = 3, 2, 4
    x, h = random.normal(size=(*batch, steps, features)), random.normal(size=(*batch, size))
    kernel, recurrent = random.normal(size=(features, 3 * size)), random.normal(size=(size, 3 * size))
    bias = random.normal(size=3 * size) if biased else np.zeros(3 * size)
    state, want = h, []
    for t in range(steps):
        (state,) = _stepped("gru", x[..., t, :] @ kernel, (state,), recurrent.T, bias, "")
        want.append(state)
    options = {"recurrent_bias": array(bias)} if biased else {}
    got = be.gru_update(array(x), array(h), array(kernel), array(recurrent), **options)
    check("gru_update", got, np.stack(want, axis=-2), "float64", factor=20, scale=1.0)
