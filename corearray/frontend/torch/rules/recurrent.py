"""Recurrent layers, with torch's lists of weights."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.frontend.torch.described import rule

__all__: list[str] = []


def _refuse_dropout(dropout: float, train: bool, num_layers: int) -> None:
    if dropout and train and num_layers > 1:
        raise NotImplementedError("dropout between recurrent layers in training")


@rule("torch.lstm")
def lstm(
    input: ca.Array, hx: Any, params: Any, has_biases: bool, num_layers: int, dropout: float, train: bool,
    bidirectional: bool, batch_first: bool,
) -> tuple[ca.Array, ...]:  # fmt: skip
    _refuse_dropout(dropout, train, num_layers)
    return tuple(
        ca.lstm(
            input, list(params), initial_h=hx[0], initial_c=hx[1], bidirectional=bidirectional,
            time_major=not batch_first,
        )
    )  # fmt: skip


@rule("torch.gru")
def gru(
    input: ca.Array, hx: ca.Array, params: Any, has_biases: bool, num_layers: int, dropout: float, train: bool,
    bidirectional: bool, batch_first: bool,
) -> tuple[ca.Array, ...]:  # fmt: skip
    _refuse_dropout(dropout, train, num_layers)
    return tuple(ca.gru(input, list(params), initial_h=hx, bidirectional=bidirectional, time_major=not batch_first))


def _simple(nonlinearity: str, arguments: tuple[Any, ...]) -> tuple[ca.Array, ...]:
    input, hx, params, _, num_layers, dropout, train, bidirectional, batch_first = arguments
    _refuse_dropout(dropout, train, num_layers)
    return tuple(
        ca.rnn(
            input, list(params), initial_h=hx, nonlinearity=nonlinearity, bidirectional=bidirectional,
            time_major=not batch_first,
        )
    )  # fmt: skip


@rule("torch.rnn_tanh")
def rnn_tanh(
    input: ca.Array, hx: ca.Array, params: Any, has_biases: bool, num_layers: int, dropout: float, train: bool,
    bidirectional: bool, batch_first: bool,
) -> tuple[ca.Array, ...]:  # fmt: skip
    return _simple("tanh", (input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first))


@rule("torch.rnn_relu")
def rnn_relu(
    input: ca.Array, hx: ca.Array, params: Any, has_biases: bool, num_layers: int, dropout: float, train: bool,
    bidirectional: bool, batch_first: bool,
) -> tuple[ca.Array, ...]:  # fmt: skip
    return _simple("relu", (input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first))


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
