"""torch.distributions on every backend."""

from corearray.frontend.torch.distributions.base import Distribution, Independent
from corearray.frontend.torch.distributions.continuous import (
    Cauchy,
    Exponential,
    Gumbel,
    HalfNormal,
    Laplace,
    LogNormal,
    MultivariateNormal,
    Normal,
    Uniform,
)
from corearray.frontend.torch.distributions.discrete import (
    Bernoulli,
    Binomial,
    Categorical,
    Geometric,
    OneHotCategorical,
    Poisson,
)
from corearray.frontend.torch.distributions.divergences import kl_divergence, register_kl
from corearray.frontend.torch.distributions.gamma import Beta, Chi2, Dirichlet, Gamma, StudentT

__all__ = [
    "Bernoulli", "Beta", "Binomial", "Categorical", "Cauchy", "Chi2", "Dirichlet", "Distribution", "Exponential", "Gamma",
    "Geometric", "Gumbel", "HalfNormal", "Independent", "Laplace", "LogNormal", "MultivariateNormal", "Normal",
    "OneHotCategorical", "Poisson", "StudentT", "Uniform", "kl_divergence", "register_kl",
]  # fmt: skip
