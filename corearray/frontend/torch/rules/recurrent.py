"""Recurrent layers, with torch's lists of weights."""

from __future__ import annotations

from itertools import accumulate, groupby
from typing import Any

import corearray as ca
from corearray.frontend.torch.described import rule

__all__: list[str] = []


def _numbers(sizes: Any) -> list[int]:
    return [int(n) for n in (sizes.tolist() if isinstance(sizes, ca.Array) else sizes)]


def _stacked(
    run: Any, x: ca.Array, states: tuple[ca.Array, ...], params: Any, layers: int, dropout: float, batch_first: bool
) -> tuple[ca.Array, ...]:
    """Run layers with dropout between them, or all at once without it; return outputs and last states."""
    params = list(params)
    if not dropout or layers == 1:
        return tuple(run(x, params, states, time_major=not batch_first))
    each, after = len(params) // layers, []
    for number in range(layers):
        share = states[0].shape[0] // layers
        own = tuple(state[number * share : (number + 1) * share] for state in states)
        x = ca.dropout(x, dropout) if number else x
        x, *last = run(x, params[number * each : (number + 1) * each], own, time_major=not batch_first)
        after.append(last)
    return (x, *(ca.concat(list(parts)) for parts in zip(*after, strict=True)))


def _recurrent(run: Any, *arguments: Any) -> tuple[ca.Array, ...]:
    """Compute torch's recurrent layers by `run(x, weights, states, time_major=...)`.

    The arguments are torch's: those of a padded input, or steps of a packed one followed by the batch sizes.
    """
    if not isinstance(arguments[3], (list, tuple)):
        x, hx, params, _, layers, dropout, train, _, batch_first = arguments
        states = tuple(hx) if isinstance(hx, (list, tuple)) else (hx,)
        return _stacked(run, x, states, params, layers, dropout if train else 0.0, batch_first)
    data, sizes, hx, params, _, layers, dropout, train, _ = arguments
    states, sizes = tuple(hx) if isinstance(hx, (list, tuple)) else (hx,), _numbers(sizes)
    rows, lengths = pad_packed_sequence(data, sizes, True), _lengths(sizes)
    outputs, last, start = [], [], 0
    for length, group in groupby(lengths):  # the sequences of one length at a time
        end = start + len(list(group))
        own = tuple(state[:, start:end] for state in states)
        made, *after = _stacked(run, rows[0][start:end, :length], own, params, layers, dropout if train else 0.0, True)
        outputs.append(ca.pad(made, [(0, 0), (0, len(sizes) - length), (0, 0)]))
        last.append(after)
        start = end
    packed, _ = pack_padded_sequence(ca.concat(outputs), lengths, True)
    return (packed, *(ca.concat(list(parts), axis=1) for parts in zip(*last, strict=True)))


@rule("torch.lstm")
def lstm(
    input: ca.Array, hx: Any, params: Any, has_biases: Any, num_layers: Any, dropout: Any, train: Any, bidirectional: Any,
    batch_first: bool,
) -> tuple[ca.Array, ...]:  # fmt: skip
    both = batch_first if isinstance(has_biases, (list, tuple)) else bidirectional

    def run(x: ca.Array, weights: Any, states: Any, *, time_major: bool) -> Any:
        h, c = states
        return ca.lstm(x, weights, initial_h=h, initial_c=c, bidirectional=both, time_major=time_major)

    return _recurrent(run, input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)


@rule("torch.gru")
def gru(
    input: ca.Array, hx: Any, params: Any, has_biases: Any, num_layers: Any, dropout: Any, train: Any, bidirectional: Any,
    batch_first: bool,
) -> tuple[ca.Array, ...]:  # fmt: skip
    both = batch_first if isinstance(has_biases, (list, tuple)) else bidirectional

    def run(x: ca.Array, weights: Any, states: Any, *, time_major: bool) -> Any:
        return ca.gru(x, weights, initial_h=states[0], bidirectional=both, time_major=time_major)

    return _recurrent(run, input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)


def _simple(nonlinearity: str, *arguments: Any) -> tuple[ca.Array, ...]:
    both = arguments[8] if isinstance(arguments[3], (list, tuple)) else arguments[7]

    def run(x: ca.Array, weights: Any, states: Any, *, time_major: bool) -> Any:
        return ca.rnn(
            x, weights, initial_h=states[0], nonlinearity=nonlinearity, bidirectional=both, time_major=time_major
        )

    return _recurrent(run, *arguments)


@rule("torch.rnn_tanh")
def rnn_tanh(
    input: ca.Array, hx: Any, params: Any, has_biases: Any, num_layers: Any, dropout: Any, train: Any, bidirectional: Any,
    batch_first: bool,
) -> tuple[ca.Array, ...]:  # fmt: skip
    return _simple("tanh", input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)


@rule("torch.rnn_relu")
def rnn_relu(
    input: ca.Array, hx: Any, params: Any, has_biases: Any, num_layers: Any, dropout: Any, train: Any, bidirectional: Any,
    batch_first: bool,
) -> tuple[ca.Array, ...]:  # fmt: skip
    return _simple("relu", input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)


def _lengths(sizes: list[int]) -> list[int]:
    return [sum(size > row for size in sizes) for row in range(sizes[0])]


def _places(sizes: list[int], lengths: list[int]) -> list[list[int]]:
    """Return the place in packed steps of each step of each sequence, and the place behind the last for missing steps."""
    starts = [0, *accumulate(sizes)]
    return [
        [starts[step] + row if step < length else starts[-1] for step in range(len(sizes))]
        for row, length in enumerate(lengths)
    ]


@rule("torch._pack_padded_sequence")
def pack_padded_sequence(input: ca.Array, lengths: Any, batch_first: bool) -> tuple[ca.Array, ca.Array]:
    rows = input if batch_first else ca.swapaxes(input, 0, 1)
    counts, steps = _numbers(lengths), rows.shape[1]
    sizes = [sum(n > step for n in counts) for step in range(counts[0])]
    places = [row * steps + step for step, size in enumerate(sizes) for row in range(size)]
    flat = ca.reshape(rows, (-1, *rows.shape[2:]))
    return ca.take(flat, ca.asarray(places, dtype=ca.int64), axis=0), ca.asarray(sizes, dtype=ca.int64)


@rule("torch._pad_packed_sequence")
def pad_packed_sequence(
    data: ca.Array, batch_sizes: Any, batch_first: bool, padding_value: float = 0.0, total_length: int = 0
) -> tuple[ca.Array, ca.Array]:
    sizes = _numbers(batch_sizes)
    lengths = _lengths(sizes)
    behind = ca.full((1, *data.shape[1:]), padding_value, dtype=data.dtype)
    places = ca.asarray(_places(sizes, lengths), dtype=ca.int64)
    rows = ca.take(ca.concat([data, behind]), places, axis=0)
    further = max(0, total_length - len(sizes))
    if further:
        width = [(0, 0), (0, further), *[(0, 0)] * (rows.ndim - 2)]
        rows = ca.pad(rows, width, constant_values=padding_value)
    return rows if batch_first else ca.swapaxes(rows, 0, 1), ca.asarray(lengths, dtype=ca.int64)


def _affine(x: ca.Array, weight: ca.Array, bias: ca.Array | None) -> ca.Array:
    return ca.linear(x, weight, bias=bias)


@rule("torch.lstm_cell")
def lstm_cell(
    input: ca.Array, hx: Any, w_ih: ca.Array, w_hh: ca.Array, b_ih: ca.Array | None = None, b_hh: ca.Array | None = None
) -> tuple[ca.Array, ca.Array]:
    i, f, g, o = ca.split(_affine(input, w_ih, b_ih) + _affine(hx[0], w_hh, b_hh), 4, axis=-1)
    cell = ca.sigmoid(f) * hx[1] + ca.sigmoid(i) * ca.tanh(g)
    return ca.sigmoid(o) * ca.tanh(cell), cell


@rule("torch.gru_cell")
def gru_cell(
    input: ca.Array,
    hx: ca.Array,
    w_ih: ca.Array,
    w_hh: ca.Array,
    b_ih: ca.Array | None = None,
    b_hh: ca.Array | None = None,
) -> ca.Array:
    ri, zi, ni = ca.split(_affine(input, w_ih, b_ih), 3, axis=-1)
    rh, zh, nh = ca.split(_affine(hx, w_hh, b_hh), 3, axis=-1)
    update = ca.sigmoid(zi + zh)
    new = ca.tanh(ni + ca.sigmoid(ri + rh) * nh)
    return new + update * (hx - new)


@rule("torch.rnn_tanh_cell")
def rnn_tanh_cell(
    input: ca.Array,
    hx: ca.Array,
    w_ih: ca.Array,
    w_hh: ca.Array,
    b_ih: ca.Array | None = None,
    b_hh: ca.Array | None = None,
) -> ca.Array:
    return ca.tanh(_affine(input, w_ih, b_ih) + _affine(hx, w_hh, b_hh))


@rule("torch.rnn_relu_cell")
def rnn_relu_cell(
    input: ca.Array,
    hx: ca.Array,
    w_ih: ca.Array,
    w_hh: ca.Array,
    b_ih: ca.Array | None = None,
    b_hh: ca.Array | None = None,
) -> ca.Array:
    return ca.relu(_affine(input, w_ih, b_ih) + _affine(hx, w_hh, b_hh))
