"""Functions of neural networks against `torch.nn.functional`, where both have the same name and options."""

from __future__ import annotations

import pytest
import torch
from torch.nn import functional

import corearray as ca

be = ca.get_backend("torch")
X = torch.linspace(-7, 7, 60, dtype=torch.float64).reshape(3, 4, 5)


def same(got, want):
    torch.testing.assert_close(got.native, want, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("celu", {"alpha": 0.5}),
        ("elu", {"alpha": 0.5}),
        ("gelu", {}),
        ("gelu", {"approximate": "tanh"}),
        ("hardshrink", {"lambd": 1.0}),
        ("hardsigmoid", {}),
        ("hardswish", {}),
        ("hardtanh", {"min_val": -2.0, "max_val": 3.0}),
        ("leaky_relu", {"negative_slope": 0.2}),
        ("logsigmoid", {}),
        ("mish", {}),
        ("relu", {}),
        ("relu6", {}),
        ("selu", {}),
        ("sigmoid", {}),
        ("silu", {}),
        ("softplus", {"beta": 2.0, "threshold": 5.0}),
        ("softshrink", {"lambd": 1.0}),
        ("softsign", {}),
        ("tanhshrink", {}),
        ("threshold", {"threshold": 0.5, "value": -3.0}),
    ],
)
def test_activations(name, options):
    same(getattr(be, name)(be.wrap(X), **options), getattr(functional, name)(X, **options))


def test_softmax_and_prelu():
    for axis in (0, 1, -1):
        same(be.softmax(be.wrap(X), axis=axis), functional.softmax(X, dim=axis))
        same(be.log_softmax(be.wrap(X), axis=axis), functional.log_softmax(X, dim=axis))
    for weight in (torch.tensor([0.3]).double(), torch.arange(4.0).double()):
        same(be.prelu(be.wrap(X), be.wrap(weight)), functional.prelu(X, weight))
    same(be.logit(be.wrap(X), eps=0.1), torch.logit(X, eps=0.1))


def test_gradients_of_compositions_are_those_of_torch():
    """Also where a composition chooses between two branches."""
    x = torch.tensor([-30.0, -1.0, 0.0, 0.3, 30.0], dtype=torch.float64, requires_grad=True)
    for name in ("gelu", "softsign", "tanhshrink", "sigmoid", "silu"):
        (got,) = torch.autograd.grad(getattr(be, name)(be.wrap(x)).native.sum(), x)
        (want,) = torch.autograd.grad(getattr(functional, name)(x).sum(), x)
        torch.testing.assert_close(got, want, rtol=1e-9, atol=1e-9)
