"""`kl_divergence` of two distributions of numbers that are of different kinds.

The divergence is the cross entropy minus the entropy of `p`. The logarithm of the density of `q` is a sum of few functions of
a value: the value, its square, its logarithm, `log(1 - x)` and an exponential. Their means under `p` have closed forms.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from corearray.frontend.torch.distributions.beta import Beta
from corearray.frontend.torch.distributions.continuous_bernoulli import ContinuousBernoulli
from corearray.frontend.torch.distributions.distribution import Distribution
from corearray.frontend.torch.distributions.exponential import Exponential
from corearray.frontend.torch.distributions.gamma import Gamma
from corearray.frontend.torch.distributions.gumbel import Gumbel
from corearray.frontend.torch.distributions.kl import register_kl
from corearray.frontend.torch.distributions.laplace import Laplace
from corearray.frontend.torch.distributions.normal import Normal
from corearray.frontend.torch.distributions.pareto import Pareto
from corearray.frontend.torch.distributions.uniform import Uniform
from corearray.frontend.torch.distributions.utils import chosen, euler_constant, filled
from corearray.frontend.torch.owner import torch_of

__all__: list[str] = []


# --- means under p


def _mean_of_log(p: Any) -> Any:
    """Return the mean of the logarithm of a value."""
    if isinstance(p, Beta):
        return p.concentration1.digamma() - (p.concentration1 + p.concentration0).digamma()
    if isinstance(p, Exponential):
        return -euler_constant - p.rate.log()
    if isinstance(p, Gamma):
        return p.concentration.digamma() - p.rate.log()
    if isinstance(p, Pareto):
        return p.scale.log() + p.alpha.reciprocal()
    return _between(p.low, p.high)


def _mean_of_log_of_rest(p: Uniform) -> Any:
    """Return the mean of `log(1 - x)`."""
    return _between(1 - p.high, 1 - p.low)


def _between(low: Any, high: Any) -> Any:
    """Return the mean of the logarithm of uniform numbers."""
    xlogy = torch_of(low).xlogy
    return (xlogy(high, high) - xlogy(low, low)) / (high - low) - 1


def _mean_of_exp(p: Any, scale: Any) -> Any:
    """Return the mean of `exp(-x / scale)`."""
    if isinstance(p, Exponential):
        return p.rate * scale / (p.rate * scale + 1)
    if isinstance(p, Gamma):
        return (1 + (p.rate * scale).reciprocal()).pow(-p.concentration)
    if isinstance(p, Normal):
        return (0.5 * (p.scale / scale) ** 2 - p.loc / scale).exp()
    return scale / (p.high - p.low) * ((-p.low / scale).exp() - (-p.high / scale).exp())


# --- means of the logarithm of the density of q


def _exponential(p: Any, q: Exponential) -> Any:
    return q.rate.log() - q.rate * p.mean


def _gamma(p: Any, q: Gamma) -> Any:
    a = q.concentration
    return a * q.rate.log() - a.lgamma() + (a - 1) * _mean_of_log(p) - q.rate * p.mean


def _normal(p: Any, q: Normal) -> Any:
    square = p.variance + (p.mean - q.loc) ** 2
    return -0.5 * math.log(2 * math.pi) - q.scale.log() - square / (2 * q.scale**2)


def _gumbel(p: Any, q: Gumbel) -> Any:
    return -q.scale.log() - (p.mean - q.loc) / q.scale - (q.loc / q.scale).exp() * _mean_of_exp(p, q.scale)


def _laplace(p: Normal, q: Laplace) -> Any:
    apart = (p.loc - q.loc) / p.scale
    distance = math.sqrt(2 / math.pi) * (-0.5 * apart**2).exp() + apart * (apart / math.sqrt(2)).erf()
    return -(2 * q.scale).log() - p.scale * distance / q.scale


def _uniform(p: Any, q: Uniform) -> Any:
    return -(q.high - q.low).log()


def _continuous_bernoulli(p: Any, q: ContinuousBernoulli) -> Any:
    return p.mean * q.logits + (-q.probs).log1p() + q._cont_bern_log_norm()


def _beta(p: Uniform, q: Beta) -> Any:
    a, b = q.concentration1, q.concentration0
    norm = a.lgamma() + b.lgamma() - (a + b).lgamma()
    return (a - 1) * _mean_of_log(p) + (b - 1) * _mean_of_log_of_rest(p) - norm


def _pareto(p: Uniform, q: Pareto) -> Any:
    return q.alpha.log() + q.alpha * q.scale.log() - (q.alpha + 1) * _mean_of_log(p)


#: By the kinds of p and q: the mean, and where the support of q lacks values of p, so that the divergence is infinite.
_FINITE: dict[tuple[type, type], tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any] | None]] = {
    (Beta, ContinuousBernoulli): (_continuous_bernoulli, None),
    (Beta, Exponential): (_exponential, None),
    (Beta, Gamma): (_gamma, None),
    (Beta, Normal): (_normal, None),
    (Beta, Uniform): (_uniform, lambda p, q: (q.low > 0) | (q.high < 1)),
    (ContinuousBernoulli, Exponential): (_exponential, None),
    (ContinuousBernoulli, Normal): (_normal, None),
    # torch counts uniform distributions from zero or to one as if they lacked values
    (ContinuousBernoulli, Uniform): (_uniform, lambda p, q: (q.low >= 0) | (q.high <= 1)),
    (Exponential, Gamma): (_gamma, None),
    (Exponential, Gumbel): (_gumbel, None),
    (Exponential, Normal): (_normal, None),
    (Gamma, Exponential): (_exponential, None),
    (Gamma, Gumbel): (_gumbel, None),
    (Gamma, Normal): (_normal, None),
    (Gumbel, Normal): (_normal, None),
    (Laplace, Normal): (_normal, None),
    (Normal, Gumbel): (_gumbel, None),
    (Normal, Laplace): (_laplace, None),
    (Pareto, Exponential): (_exponential, lambda p, q: p.alpha <= 1),
    (Pareto, Gamma): (_gamma, lambda p, q: p.alpha <= 1),
    (Pareto, Normal): (_normal, lambda p, q: p.alpha <= 2),
    (Uniform, Beta): (_beta, lambda p, q: (p.high > 1) | (p.low < 0)),
    (Uniform, ContinuousBernoulli): (_continuous_bernoulli, lambda p, q: (p.high >= 1) | (p.low <= 0)),  # as above
    (Uniform, Exponential): (_exponential, lambda p, q: p.low < 0),
    (Uniform, Gamma): (_gamma, lambda p, q: p.low < 0),
    (Uniform, Gumbel): (_gumbel, None),
    (Uniform, Normal): (_normal, None),
    (Uniform, Pareto): (_pareto, lambda p, q: p.low < q.scale),
}

#: Kinds of p with the kinds of q that never have all their values.
_INFINITE: dict[type, tuple[type, ...]] = {
    Beta: (Pareto,),
    ContinuousBernoulli: (Pareto,),
    Exponential: (Beta, ContinuousBernoulli, Pareto, Uniform),
    Gamma: (Beta, ContinuousBernoulli, Pareto, Uniform),
    Gumbel: (Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform),
    Laplace: (Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform),
    Normal: (Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform),
    Pareto: (Beta, ContinuousBernoulli, Uniform),
}


def _divergence(log_density: Callable[[Any, Any], Any], lacks: Callable[[Any, Any], Any] | None) -> Any:
    def divergence(p: Distribution, q: Distribution) -> Any:
        found = -p.entropy() - log_density(p, q)
        return found if lacks is None else chosen(lacks(p, q), math.inf, found)

    return divergence


def _infinite(p: Distribution, q: Distribution) -> Any:
    like = p.entropy()
    return filled(like, like.shape, math.inf)


for _kinds, _parts in _FINITE.items():
    register_kl(*_kinds)(_divergence(*_parts))
for _kind, _others in _INFINITE.items():
    for _other in _others:
        register_kl(_kind, _other)(_infinite)
