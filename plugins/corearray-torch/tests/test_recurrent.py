"""Recurrent layers against the modules and cells of torch, whose parameters are handed in as they are."""

from __future__ import annotations

import pytest
import torch

import corearray as ca


@pytest.fixture(autouse=True)
def on_torch():
    torch.manual_seed(0)
    with ca.backend_context("torch"):
        yield


@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("name", ["RNN", "GRU", "LSTM"])
def test_modules(name, bias, bidirectional):
    layer = getattr(torch.nn, name)(3, 4, num_layers=2, bias=bias, bidirectional=bidirectional, batch_first=True)
    x = torch.randn(2, 5, 3)
    for given in (x, x[0]):
        outputs, states = layer(given)
        found = getattr(ca, name.lower())(given, list(layer.parameters()), bidirectional=bidirectional)
        wanted = (outputs, *states) if name == "LSTM" else (outputs, states)
        for got, want in zip(found, wanted, strict=True):
            torch.testing.assert_close(got.native, want)


def test_lstm_update_cell_by_cell():
    cell = torch.nn.LSTMCell(3, 4, dtype=torch.float64)
    x = torch.randn(2, 5, 3, dtype=torch.float64)
    h, c = torch.randn(2, 2, 4, dtype=torch.float64)
    arguments = (x, h, c, cell.weight_ih.T, cell.weight_hh.T, cell.bias_ih, cell.bias_hh)
    found = ca.lstm_update(*arguments)
    hidden = []
    for t in range(5):
        h, c = cell(x[:, t], (h, c))
        hidden.append(h)
    torch.testing.assert_close(found.h.native, torch.stack(hidden, 1))
    torch.testing.assert_close(found.c.native, c)


def test_within_transforms():
    layer = torch.nn.LSTM(3, 4)
    weights = [weight.detach() for weight in layer.parameters()]
    x = torch.randn(2, 5, 3)
    rows = ca.vmap(lambda row: ca.lstm(row, weights).outputs)(x)
    torch.testing.assert_close(rows.native, ca.lstm(x, weights).outputs.native)
    batches = ca.vmap(lambda one: ca.lstm(one, weights).outputs)(x[None])
    torch.testing.assert_close(batches.native[0], ca.lstm(x, weights).outputs.native)
    slope = lambda x: ca.sum(ca.lstm(x, weights).outputs ** 2)  # noqa: E731
    twice = ca.grad(lambda x: ca.sum(ca.grad(slope)(x) ** 2))(ca.asarray(x))
    assert twice.shape == x.shape
