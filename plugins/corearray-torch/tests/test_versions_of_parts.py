"""Versions of torch without the private functions that the plugin replaces while a program is recorded."""

from __future__ import annotations

import pytest
import torch

import corearray as ca

ca.get_backend("torch")

from corearray_torch import programs  # noqa: E402  # after the plugin is loaded

X = torch.tensor([1.0, 2.0])


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, slope):
        return slope * 2


def test_functions_that_are_not_there_are_left_out():
    assert programs._present((torch, "no_such_function", X), (None, "grad", X)) == {}
    assert list(programs._present((torch, "relu", X))) == [(torch, "relu")]


@pytest.mark.parametrize("name", ["vmap", "func.grad"])
def test_transforms_are_refused_without_them(monkeypatch, name):
    monkeypatch.setattr(programs, "_REPLACED", {})
    monkeypatch.setattr(programs, "_ORIGINALS", {})
    transform = torch.vmap if name == "vmap" else torch.func.grad
    with pytest.raises(ca.TracingError, match=r"torch\.func"):
        ca.transpile(lambda x: transform(lambda y: torch.sin(y).sum())(x), X, to="torch")


def test_derivatives_of_ones_own_are_those_of_the_calls_without_them(monkeypatch):
    monkeypatch.setattr(programs, "_SingleLevelFunction", None)
    t = ca.transpile(lambda x: Twice.apply(x), X, to="torch")
    assert t(X).tolist() == [2.0, 4.0]
    assert "backward of a torch.autograd.Function" in str(t.report)
