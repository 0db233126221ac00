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


def test_norms():
    weight, bias, mean, variance = (torch.linspace(a, 2.0, 4, dtype=torch.float64) for a in (0.5, -1.0, 0.0, 1.0))
    w, b, m, v = map(be.wrap, (weight, bias, mean, variance))
    last = be.permute_dims(be.wrap(X), (0, 2, 1))
    x = be.wrap(X)
    same(be.layer_norm(x, axis=(1, 2)), functional.layer_norm(X, (4, 5)))
    for groups in (1, 2, 4):
        want = functional.group_norm(X, groups, weight, bias)
        same(be.group_norm(x, groups, weight=w, bias=b), want)
        got = be.group_norm(last, groups, weight=w, bias=b, data_format="channels_last")
        same(be.permute_dims(got, (0, 2, 1)), want)
    same(be.instance_norm(x, weight=w, bias=b), functional.instance_norm(X, weight=weight, bias=bias))
    same(be.local_response_norm(x, 3, alpha=0.1), functional.local_response_norm(X, 3, alpha=0.1))
    same(be.lp_normalize(x, p=3.0, axis=1), functional.normalize(X, p=3.0))
    for training in (False, True):
        running = mean.clone(), variance.clone()
        want = functional.batch_norm(X, *running, weight, bias, training, 0.2)
        for native in (True, False):
            options = {"training": training, "momentum": 0.2, "weight": w, "bias": b}
            if native:
                found = be.batch_norm(x, m, v, **options)
            else:
                found = be.batch_norm(last, m, v, data_format="channels_last", **options)
            same(found.values if native else be.permute_dims(found.values, (0, 2, 1)), want)
            same(found.mean, running[0])
            same(found.variance, running[1])
    same(m, torch.linspace(0.0, 2.0, 4, dtype=torch.float64))


@pytest.mark.filterwarnings("ignore:reduction.*'mean' divides:UserWarning")
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("hinge_embedding_loss", {"margin": 2.0}),
        ("huber_loss", {"delta": 1.5}),
        ("kl_div", {}),
        ("kl_div", {"log_target": True}),
        ("l1_loss", {}),
        ("poisson_nll_loss", {"full": True}),
        ("poisson_nll_loss", {"log_input": False, "full": True}),
        ("smooth_l1_loss", {"beta": 2.0}),
        ("soft_margin_loss", {}),
    ],
)
def test_losses(name, options, reduction):
    pred, target = X, X.flip(0) * 1.3
    if name == "hinge_embedding_loss":
        target = target.sign()
    elif not options.get("log_target"):
        pred, target = pred.abs(), target.abs()
    got = getattr(be, name)(be.wrap(pred), be.wrap(target), reduction=reduction, **options)
    same(got, getattr(functional, name)(pred, target, reduction=reduction, **options))


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_cross_entropies(reduction):
    x = be.wrap(X)
    wanted = functional.softmax(X.flip(0), 1)
    classes = torch.arange(15).reshape(3, 5) % 4
    for smoothing in (0.0, 0.2):
        options = {"label_smoothing": smoothing, "reduction": reduction}
        same(be.cross_entropy(x, be.wrap(wanted), axis=1, **options), functional.cross_entropy(X, wanted, **options))
        got = be.sparse_cross_entropy(x, be.wrap(classes), axis=1, **options)
        same(got, functional.cross_entropy(X, classes, **options))
    probabilities = functional.softmax(X, 1)
    got = be.binary_cross_entropy(be.wrap(probabilities), be.wrap(wanted), reduction=reduction)
    same(got, functional.binary_cross_entropy(probabilities, wanted, reduction=reduction))
    weight = torch.linspace(0.5, 2.0, 5, dtype=torch.float64)
    same(
        be.binary_cross_entropy(x, be.wrap(wanted), from_logits=True, pos_weight=be.wrap(weight), reduction=reduction),
        functional.binary_cross_entropy_with_logits(X, wanted, pos_weight=weight, reduction=reduction),
    )


@pytest.mark.filterwarnings("ignore")
def test_a_network_is_one_graph():
    def loss(x, classes):
        x = be.batch_norm(be.wrap(x), be.zeros(4), be.ones(4), training=True).values
        x = be.layer_norm(be.gelu(x), axis=(1, 2))
        return be.sparse_cross_entropy(be.softplus(x), be.wrap(classes), axis=1, label_smoothing=0.1).native

    classes = torch.arange(15).reshape(3, 5) % 4
    compiled = torch.compile(loss, fullgraph=True, backend="eager")
    torch.testing.assert_close(compiled(X.float(), classes), loss(X.float(), classes))
