"""`kl_divergence` of two distributions of one kind, and the registry of all.

Source: https://docs.pytorch.org/docs/stable/distributions.html#module-torch.distributions.kl
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

from corearray.errors import CoreArrayNotImplementedError, CoreArrayValueError
from corearray.frontend.torch.distributions.bernoulli import Bernoulli
from corearray.frontend.torch.distributions.beta import Beta
from corearray.frontend.torch.distributions.binomial import Binomial
from corearray.frontend.torch.distributions.categorical import Categorical
from corearray.frontend.torch.distributions.cauchy import Cauchy
from corearray.frontend.torch.distributions.continuous_bernoulli import ContinuousBernoulli
from corearray.frontend.torch.distributions.dirichlet import Dirichlet
from corearray.frontend.torch.distributions.distribution import Distribution
from corearray.frontend.torch.distributions.exp_family import ExponentialFamily, mean_statistics
from corearray.frontend.torch.distributions.exponential import Exponential
from corearray.frontend.torch.distributions.gamma import Gamma
from corearray.frontend.torch.distributions.geometric import Geometric
from corearray.frontend.torch.distributions.gumbel import Gumbel
from corearray.frontend.torch.distributions.half_normal import HalfNormal
from corearray.frontend.torch.distributions.independent import Independent
from corearray.frontend.torch.distributions.laplace import Laplace
from corearray.frontend.torch.distributions.lowrank_multivariate_normal import LowRankMultivariateNormal
from corearray.frontend.torch.distributions.multivariate_normal import MultivariateNormal
from corearray.frontend.torch.distributions.normal import Normal
from corearray.frontend.torch.distributions.one_hot_categorical import OneHotCategorical
from corearray.frontend.torch.distributions.pareto import Pareto
from corearray.frontend.torch.distributions.poisson import Poisson
from corearray.frontend.torch.distributions.transformed_distribution import TransformedDistribution
from corearray.frontend.torch.distributions.uniform import Uniform
from corearray.frontend.torch.distributions.utils import chosen, euler_constant, filled, sum_rightmost
from corearray.frontend.torch.distributions.wishart import Wishart
from corearray.frontend.torch.owner import torch_of

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

    def apart(kinds: tuple[type, type]) -> tuple[int, int]:
        return type(p).__mro__.index(kinds[0]), type(q).__mro__.index(kinds[1])

    nearest, other = min(fitting, key=apart), min(fitting, key=lambda kinds: apart(kinds)[::-1])
    if _KNOWN[nearest] is not _KNOWN[other]:
        warnings.warn(
            f"Ambiguous kl_divergence({type(p).__name__}, {type(q).__name__}). Please register_kl({nearest[0].__name__}, "
            f"{other[1].__name__})",
            RuntimeWarning,
            stacklevel=2,
        )
    return _KNOWN[nearest](p, q)


@register_kl(Normal, Normal)
def _normal(p: Normal, q: Normal) -> Any:
    ratio = (p.scale / q.scale).pow(2)
    return 0.5 * (ratio + ((p.loc - q.loc) / q.scale).pow(2) - 1 - ratio.log())


@register_kl(HalfNormal, HalfNormal)
def _half_normal(p: HalfNormal, q: HalfNormal) -> Any:
    return _normal(p.base_dist, q.base_dist)


@register_kl(Bernoulli, Bernoulli)
def _bernoulli(p: Bernoulli, q: Bernoulli) -> Any:
    softplus = torch_of(p.logits).nn.functional.softplus
    one = p.probs * (softplus(-q.logits) - softplus(-p.logits))
    zero = (1 - p.probs) * (softplus(q.logits) - softplus(p.logits))
    one = chosen(p.probs == 0, 0.0, chosen(q.probs == 0, math.inf, one))
    return one + chosen(p.probs == 1, 0.0, chosen(q.probs == 1, math.inf, zero))


@register_kl(Binomial, Binomial)
def _binomial(p: Binomial, q: Binomial) -> Any:
    if bool((p.total_count < q.total_count).any()):
        raise CoreArrayNotImplementedError(
            "KL between Binomials where q.total_count > p.total_count is not implemented"
        )
    each = p.probs * (p.logits - q.logits) + (-p.probs).log1p() - (-q.probs).log1p()
    return chosen(p.total_count > q.total_count, math.inf, p.total_count * each)


@register_kl(Categorical, Categorical)
def _categorical(p: Any, q: Any) -> Any:
    each = p.probs * (p.logits - q.logits)
    return chosen(p.probs == 0, 0.0, chosen(q.probs == 0, math.inf, each)).sum(-1)


@register_kl(OneHotCategorical, OneHotCategorical)
def _one_hot(p: Any, q: Any) -> Any:
    return _categorical(p._categorical, q._categorical)


@register_kl(ContinuousBernoulli, ContinuousBernoulli)
def _continuous_bernoulli(p: ContinuousBernoulli, q: ContinuousBernoulli) -> Any:
    norms = p._cont_bern_log_norm() - q._cont_bern_log_norm()
    return p.mean * (p.logits - q.logits) + norms + (-p.probs).log1p() - (-q.probs).log1p()


@register_kl(Gamma, Gamma)
def _gamma(p: Gamma, q: Gamma) -> Any:
    found = q.concentration * (p.rate / q.rate).log() + q.concentration.lgamma() - p.concentration.lgamma()
    found = found + (p.concentration - q.concentration) * p.concentration.digamma()
    return found + (q.rate - p.rate) * (p.concentration / p.rate)


@register_kl(Geometric, Geometric)
def _geometric(p: Geometric, q: Geometric) -> Any:
    return -p.entropy() - (-q.probs).log1p() / p.probs - q.logits


@register_kl(Gumbel, Gumbel)
def _gumbel(p: Gumbel, q: Gumbel) -> Any:
    ratio, apart = p.scale / q.scale, (p.loc - q.loc) / q.scale
    return apart - ratio.log() + (ratio - 1) * euler_constant + ((1 + ratio).lgamma() - apart).exp() - 1


@register_kl(Dirichlet, Dirichlet)
def _dirichlet(p: Dirichlet, q: Dirichlet) -> Any:
    a, b = p.concentration, q.concentration
    total = a.sum(-1)
    found = total.lgamma() - b.sum(-1).lgamma() + (b.lgamma() - a.lgamma()).sum(-1)
    return found + ((a - b) * (a.digamma() - total.digamma().unsqueeze(-1))).sum(-1)


@register_kl(Beta, Beta)
def _beta(p: Beta, q: Beta) -> Any:
    return _dirichlet(p._dirichlet, q._dirichlet)


@register_kl(Exponential, Exponential)
def _exponential(p: Exponential, q: Exponential) -> Any:
    ratio = q.rate / p.rate
    return ratio - ratio.log() - 1


@register_kl(Laplace, Laplace)
def _laplace(p: Laplace, q: Laplace) -> Any:
    ratio, distance = p.scale / q.scale, (p.loc - q.loc).abs()
    return -ratio.log() + distance / q.scale + ratio * (-distance / p.scale).exp() - 1


@register_kl(Cauchy, Cauchy)
def _cauchy(p: Cauchy, q: Cauchy) -> Any:
    return ((p.scale + q.scale) ** 2 + (p.loc - q.loc) ** 2).log() - (4 * p.scale * q.scale).log()


@register_kl(Pareto, Pareto)
def _pareto(p: Pareto, q: Pareto) -> Any:
    ratio = q.alpha / p.alpha
    found = q.alpha * (p.scale / q.scale).log() - ratio.log() + ratio - 1
    return chosen(p.scale < q.scale, math.inf, found)


@register_kl(Poisson, Poisson)
def _poisson(p: Poisson, q: Poisson) -> Any:
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


@register_kl(Uniform, Uniform)
def _uniform(p: Uniform, q: Uniform) -> Any:
    found = ((q.high - q.low) / (p.high - p.low)).log()
    return chosen((q.low > p.low) | (q.high < p.high), math.inf, found)


def _same_events(p: Any, q: Any) -> Any:
    """Return the size of the vectors of two distributions."""
    if p.event_shape != q.event_shape:
        raise CoreArrayValueError(
            f"normal distributions of vectors of other sizes have no divergence: {p.event_shape} and {q.event_shape}"
        )
    return p.event_shape[0]


def _trace(matrix: Any) -> Any:
    """Return the trace of a matrix times its transpose."""
    return (matrix**2).sum((-2, -1))


@register_kl(MultivariateNormal, MultivariateNormal)
def _multivariate(p: MultivariateNormal, q: MultivariateNormal) -> Any:
    size, solve = _same_events(p, q), torch_of(p.loc).linalg.solve_triangular
    squares = _trace(solve(q._factor, p._factor, upper=False))
    squares = squares + _trace(solve(q._factor, (q.loc - p.loc).unsqueeze(-1), upper=False))
    return q._half_log_det() - p._half_log_det() + 0.5 * (squares - size)


@register_kl(LowRankMultivariateNormal, MultivariateNormal)
def _low_rank_and_full(p: LowRankMultivariateNormal, q: MultivariateNormal) -> Any:
    size, solve = _same_events(p, q), torch_of(p.loc).linalg.solve_triangular
    parts = (p.cov_factor, p.cov_diag.sqrt().diag_embed(), (q.loc - p.loc).unsqueeze(-1))
    squares: Any = sum(_trace(solve(q._factor, part, upper=False)) for part in parts)
    return q._half_log_det() - 0.5 * p._log_det() + 0.5 * (squares - size)


def _from_low_rank(p: Any, q: LowRankMultivariateNormal, columns: Any, log_det: Any) -> Any:
    """Return the divergence of a distribution whose covariance is the sum of the columns' squares."""
    torch, size = torch_of(p.loc), _same_events(p, q)
    inner = q._solved(torch.matmul(q._scaled_factor(), columns))
    squares = _trace(columns / q.cov_diag.sqrt().unsqueeze(-1)) - _trace(inner)
    return 0.5 * (q._log_det() - log_det + squares + q._distance(q.loc - p.loc) - size)


@register_kl(MultivariateNormal, LowRankMultivariateNormal)
def _full_and_low_rank(p: MultivariateNormal, q: LowRankMultivariateNormal) -> Any:
    return _from_low_rank(p, q, p._factor, 2 * p._half_log_det())


@register_kl(LowRankMultivariateNormal, LowRankMultivariateNormal)
def _low_rank(p: LowRankMultivariateNormal, q: LowRankMultivariateNormal) -> Any:
    columns = torch_of(p.loc).cat([p.cov_factor, p.cov_diag.sqrt().diag_embed()], -1)
    return _from_low_rank(p, q, columns, p._log_det())


@register_kl(TransformedDistribution, TransformedDistribution)
def _transformed(p: TransformedDistribution, q: TransformedDistribution) -> Any:
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise CoreArrayNotImplementedError("distributions of other transforms have no divergence here")
    return kl_divergence(p.base_dist, q.base_dist)


@register_kl(Independent, Independent)
def _independent(p: Independent, q: Independent) -> Any:
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise CoreArrayNotImplementedError("two Independent distributions of other numbers of axes")
    return sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


@register_kl(ExponentialFamily, ExponentialFamily)
def _family(p: ExponentialFamily, q: ExponentialFamily) -> Any:
    if type(p) is not type(q):
        raise CoreArrayNotImplementedError("exponential families of two kinds have no divergence by their normalisers")
    given, normaliser, slopes = mean_statistics(p)
    found = q._log_normalizer(*q._natural_params) - normaliser
    for one, other, slope in zip(given, q._natural_params, slopes, strict=True):
        found = found - sum_rightmost((other - one) * slope, one.dim() - len(p.batch_shape))
    return found


@register_kl(Wishart, Wishart)
def _wishart(p: Wishart, q: Wishart) -> Any:
    return -p.entropy() - q._mean_log_density(p)


@register_kl(Bernoulli, Poisson)
def _bernoulli_and_poisson(p: Bernoulli, q: Poisson) -> Any:
    return q.rate - p.probs * q.rate.log() - p.entropy()


@register_kl(Poisson, Bernoulli)
@register_kl(Poisson, Binomial)
def _poisson_and_bounded(p: Poisson, q: Any) -> Any:
    return filled(p.rate, p.rate.shape, math.inf)
