"""Recurrent layers as loops of XLA, compiled as one and not once for each step of time."""

from __future__ import annotations

from typing import Any

import jax
from jax import lax
from jax import numpy as jnp

from corearray.plugin import RecurrentLayers, hookimpl, read_recurrent
from corearray_jax.native import HALF, compiled


def _tanh(given: Any, state: Any) -> Any:
    return (jnp.tanh(given + state[1]),)


def _relu(given: Any, state: Any) -> Any:
    return (jax.nn.relu(given + state[1]),)


def _lstm(given: Any, state: Any) -> Any:
    _, added, c = state
    enter, keep, new, leave = jnp.split(given + added, 4, axis=-1)
    c = lax.logistic(keep) * c + lax.logistic(enter) * jnp.tanh(new)
    return lax.logistic(leave) * jnp.tanh(c), c


def _gru(given: Any, state: Any) -> Any:
    h, added = state
    reset, update, new = zip(jnp.split(given, 3, axis=-1), jnp.split(added, 3, axis=-1), strict=True)
    keep = sum(update)
    found = jnp.tanh(new[0] + lax.logistic(sum(reset)) * new[1])
    return (lax.logistic(-keep) * found + lax.logistic(keep) * h,)


@compiled("cell", "found", "time_major")
def _layers(cell: Any, x: Any, weights: Any, states: Any, found: RecurrentLayers, time_major: bool) -> Any:
    """Return what the core's composition returns: outputs, and of each state the last values."""
    each = found.each
    values = x if time_major else jnp.moveaxis(x, -2, 0)
    zeros = [jnp.zeros((*values.shape[1:-1], size), x.dtype) for size in (found.output, found.size)]
    last: list[Any] = []
    for _ in range(found.layers):
        ways = []
        for backwards in range(found.directions):
            weight, recurrent, *more = weights[len(last) * each : (len(last) + 1) * each]
            bias, recurrent_bias = more[:2] if found.biased else (0, 0)
            start = tuple(empty if one is None else one[len(last)] for one, empty in zip(states, zeros, strict=False))
            own = (recurrent, recurrent_bias, more[-1] if found.projected else None)

            def step(state: Any, given: Any, own: Any = own) -> Any:
                h, *others = state
                recurrent, recurrent_bias, projection = own
                state = cell(given, (h, h @ recurrent.T + recurrent_bias, *others))
                if projection is not None:
                    state = (state[0] @ projection.T, *state[1:])
                return state, state[0]

            end, hidden = lax.scan(step, start, values @ weight.T + bias, reverse=bool(backwards))
            last.append(end)
            ways.append(hidden)
        values = jnp.concatenate(ways, -1)
    ends = [jnp.stack(parts) for parts in zip(*last, strict=True)]
    return [values if time_major else jnp.moveaxis(values, 0, -2), *ends]


def _fits(
    gates: int, x: Any, weights: Any, states: tuple[Any, ...], bidirectional: bool = False, time_major: bool = False
) -> bool:
    try:
        read_recurrent("", gates, x, weights, states, bidirectional, time_major)
    except ValueError:
        return False
    return True


def _fits_rnn(x: Any, weights: Any, initial_h: Any, nonlinearity: str, bidirectional: bool, time_major: bool) -> bool:
    return nonlinearity in ("tanh", "relu") and _fits(1, x, weights, (initial_h,), bidirectional, time_major)


@hookimpl(when=_fits_rnn, via=HALF)
def rnn(
    x: Any,
    weights: Any,
    /,
    *,
    initial_h: Any = None,
    nonlinearity: str = "tanh",
    bidirectional: bool = False,
    time_major: bool = False,
) -> Any:
    found = read_recurrent("rnn", 1, x, weights, (initial_h,), bidirectional, time_major)
    cell = _tanh if nonlinearity == "tanh" else _relu
    return _layers(cell, x, tuple(weights), (initial_h,), found, time_major)


def _fits_lstm(x: Any, weights: Any, initial_h: Any, initial_c: Any, bidirectional: bool, time_major: bool) -> bool:
    return _fits(4, x, weights, (initial_h, initial_c), bidirectional, time_major)


@hookimpl(when=_fits_lstm, via=HALF)
def lstm(
    x: Any,
    weights: Any,
    /,
    *,
    initial_h: Any = None,
    initial_c: Any = None,
    bidirectional: bool = False,
    time_major: bool = False,
) -> Any:
    found = read_recurrent("lstm", 4, x, weights, (initial_h, initial_c), bidirectional, time_major)
    return _layers(_lstm, x, tuple(weights), (initial_h, initial_c), found, time_major)


def _fits_gru(x: Any, weights: Any, initial_h: Any, bidirectional: bool, time_major: bool) -> bool:
    return _fits(3, x, weights, (initial_h,), bidirectional, time_major)


@hookimpl(when=_fits_gru, via=HALF)
def gru(
    x: Any, weights: Any, /, *, initial_h: Any = None, bidirectional: bool = False, time_major: bool = False
) -> Any:
    found = read_recurrent("gru", 3, x, weights, (initial_h,), bidirectional, time_major)
    return _layers(_gru, x, tuple(weights), (initial_h,), found, time_major)


def _as_layer(kernel: Any, recurrent_kernel: Any, bias: Any, recurrent_bias: Any) -> tuple[Any, ...]:
    weights = [one.T for one in (kernel, recurrent_kernel)]
    if bias is None and recurrent_bias is None:
        return tuple(weights)
    return (*weights, *(jnp.zeros_like(kernel[0]) if one is None else one for one in (bias, recurrent_bias)))


def _fits_update(
    x: Any, init_h: Any, init_c: Any, kernel: Any, recurrent_kernel: Any, bias: Any, recurrent_bias: Any
) -> bool:
    if kernel.ndim != 2 or recurrent_kernel.ndim != 2 or not kernel.shape[0]:
        return False
    weights = _as_layer(kernel, recurrent_kernel, bias, recurrent_bias)
    return _fits(4, x, weights, (init_h[None], init_c[None]))


@hookimpl(when=_fits_update, via=HALF)
def lstm_update(
    x: Any,
    init_h: Any,
    init_c: Any,
    kernel: Any,
    recurrent_kernel: Any,
    /,
    bias: Any = None,
    recurrent_bias: Any = None,
) -> Any:
    weights = _as_layer(kernel, recurrent_kernel, bias, recurrent_bias)
    states = (init_h[None], init_c[None])
    found = read_recurrent("lstm_update", 4, x, weights, states, False, False)
    outputs, _, c = _layers(_lstm, x, weights, states, found, False)
    return outputs, c[0]
