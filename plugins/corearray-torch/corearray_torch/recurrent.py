"""Recurrent layers by what the modules of `torch.nn` call, for a batch of sequences.

Half precision is computed in float32: not every device has kernels for it.
"""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl, read_recurrent
from corearray_torch.native import HALF
from corearray_torch.sharding import is_spread


def _layers(
    function: Any, gates: int, x: Any, weights: Any, states: tuple[Any, ...], bidirectional: bool, time_major: bool
) -> Any:
    found = read_recurrent(function.__name__, gates, x, weights, states, bidirectional, time_major)
    shape = (found.layers * found.directions, x.shape[1 if time_major else 0])
    sizes = (found.output, found.size)
    start = [
        x.new_zeros((*shape, size)) if state is None else state for state, size in zip(states, sizes, strict=False)
    ]
    start = start[0] if len(start) == 1 else start
    return function(x, start, list(weights), found.biased, found.layers, 0.0, False, bidirectional, not time_major)


def _fits(gates: int, x: Any, weights: Any, states: tuple[Any, ...], bidirectional: bool, time_major: bool) -> bool:
    try:
        found = read_recurrent("", gates, x, weights, states, bidirectional, time_major)
    except ValueError:
        return False
    # torch has no kernel for projections on CPUs, and warns of it; one to as many features it takes for none.
    if found.projected and (x.is_cpu or found.output >= found.size):
        return False
    return x.ndim == 3 and x.numel() > 0 and found.size > 0 and _are_plain(x, *weights)


def _are_plain(*tensors: Any) -> bool:
    """Whether tensors have memory of their own; there are no rules for what stands for many, or for what is compiled."""
    if torch.compiler.is_compiling() or any(map(is_spread, tensors)):
        return False
    try:
        for x in tensors:
            x.data_ptr()
    except RuntimeError:
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
    function = torch.rnn_tanh if nonlinearity == "tanh" else torch.rnn_relu
    return _layers(function, 1, x, weights, (initial_h,), bidirectional, time_major)


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
    return _layers(torch.lstm, 4, x, weights, (initial_h, initial_c), bidirectional, time_major)


def _fits_gru(x: Any, weights: Any, initial_h: Any, bidirectional: bool, time_major: bool) -> bool:
    return _fits(3, x, weights, (initial_h,), bidirectional, time_major)


@hookimpl(when=_fits_gru, via=HALF)
def gru(
    x: Any, weights: Any, /, *, initial_h: Any = None, bidirectional: bool = False, time_major: bool = False
) -> Any:
    return _layers(torch.gru, 3, x, weights, (initial_h,), bidirectional, time_major)
