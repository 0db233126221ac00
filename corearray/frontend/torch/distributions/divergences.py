"""`kl_divergence` of pairs of distributions.

Source: https://docs.pytorch.org/docs/stable/distributions.html#module-torch.distributions.kl
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corearray.errors import CoreArrayNotImplementedError
from corearray.frontend.torch.distributions.base import Distribution, Independent, torch_of
from corearray.frontend.torch.distributions.continuous import (
    Exponential,
    Laplace,
    LogNormal,
    MultivariateNormal,
    Normal,
    Uniform,
)
from corearray.frontend.torch.distributions.discrete import Bernoulli, Categorical, OneHotCategorical, Poisson
from corearray.frontend.torch.distributions.gamma import Beta, Dirichlet, Gamma

__all__ = ["kl_divergence", "register_kl"]

_KNOWN: dict[tuple[type, type], Callable[[Any, Any], Any]] = {}


def register_kl(type_p: type, type_q: type) -> Callable[..., Any]:
    """Mark a function as the divergence of two kinds of distributions."""

    def mark(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        _KNOWN[type_p, type_q] = function
        return function

    return mark


def kl_divergence(p: Distribution, q: Distribution) -> Any:
    """Return the Kullback-Leibler divergence from `q` to `p`.

    Raises
    ------
    NotImplementedError
        If there is none for these kinds.
    """
    fitting = [kinds for kinds in _KNOWN if isinstance(p, kinds[0]) and isinstance(q, kinds[1])]
    if not fitting:
        raise CoreArrayNotImplementedError(
            f"No KL(p || q) is implemented for p type {type(p).__name__} and q type {type(q).__name__}"
        )
    nearest = min(fitting, key=lambda kinds: (type(p).__mro__.index(kinds[0]), type(q).__mro__.index(kinds[1])))
    return _KNOWN[nearest](p, q)


@register_kl(Normal, Normal)
def _normal(p: Normal, q: Normal) -> Any:
    ratio = (p.scale / q.scale).pow(2)
    return 0.5 * (ratio + ((p.loc - q.loc) / q.scale).pow(2) - 1 - ratio.log())


@register_kl(LogNormal, LogNormal)
def _log_normal(p: LogNormal, q: LogNormal) -> Any:
    return _normal(p, q)


@register_kl(Bernoulli, Bernoulli)
def _bernoulli(p: Bernoulli, q: Bernoulli) -> Any:
    softplus = torch_of(p.logits).nn.functional.softplus
    return p.probs * (softplus(-q.logits) - softplus(-p.logits)) + (1 - p.probs) * (
        softplus(q.logits) - softplus(p.logits)
    )


@register_kl(Categorical, Categorical)
def _categorical(p: Any, q: Any) -> Any:
    return (p.probs * (p.logits - q.logits)).sum(-1)


@register_kl(OneHotCategorical, OneHotCategorical)
def _one_hot(p: Any, q: Any) -> Any:
    return _categorical(p, q)


@register_kl(Gamma, Gamma)
def _gamma(p: Gamma, q: Gamma) -> Any:
    found = q.concentration * (p.rate / q.rate).log() + q.concentration.lgamma() - p.concentration.lgamma()
    found = found + (p.concentration - q.concentration) * p.concentration.digamma()
    return found + (q.rate - p.rate) * (p.concentration / p.rate)


@register_kl(Dirichlet, Dirichlet)
def _dirichlet(p: Dirichlet, q: Dirichlet) -> Any:
    a, b = p.concentration, q.concentration
    total = a.sum(-1)
    found = total.lgamma() - b.sum(-1).lgamma() + (b.lgamma() - a.lgamma()).sum(-1)
    return found + ((a - b) * (a.digamma() - total.digamma().unsqueeze(-1))).sum(-1)


@register_kl(Beta, Beta)
def _beta(p: Beta, q: Beta) -> Any:
    return _dirichlet(p._both, q._both)


@register_kl(Exponential, Exponential)
def _exponential(p: Exponential, q: Exponential) -> Any:
    ratio = q.rate / p.rate
    return ratio - ratio.log() - 1


@register_kl(Laplace, Laplace)
def _laplace(p: Laplace, q: Laplace) -> Any:
    ratio, distance = p.scale / q.scale, (p.loc - q.loc).abs()
    return -ratio.log() + distance / q.scale + ratio * (-distance / p.scale).exp() - 1


@register_kl(Poisson, Poisson)
def _poisson(p: Poisson, q: Poisson) -> Any:
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


@register_kl(Uniform, Uniform)
def _uniform(p: Uniform, q: Uniform) -> Any:
    found = ((q.high - q.low) / (p.high - p.low)).log()
    return torch_of(found).where((q.low > p.low) | (q.high < p.high), float("inf"), found)


@register_kl(MultivariateNormal, MultivariateNormal)
def _multivariate(p: MultivariateNormal, q: MultivariateNormal) -> Any:
    torch = torch_of(p.loc)
    inner = torch.linalg.solve_triangular(q.scale_tril, p.scale_tril, upper=False)
    shift = torch.linalg.solve_triangular(q.scale_tril, (q.loc - p.loc).unsqueeze(-1), upper=False)
    squares = (inner**2).sum((-2, -1)) + (shift**2).sum((-2, -1))
    return q.half_log_det() - p.half_log_det() + 0.5 * (squares - p.event_shape[0])


@register_kl(Independent, Independent)
def _independent(p: Independent, q: Independent) -> Any:
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise CoreArrayNotImplementedError("two Independent distributions of other numbers of axes")
    return p.summed(kl_divergence(p.base_dist, q.base_dist))
