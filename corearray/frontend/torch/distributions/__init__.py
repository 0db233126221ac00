"""torch.distributions on every backend."""

from corearray.frontend.torch.distributions import (
    bernoulli,
    beta,
    binomial,
    categorical,
    cauchy,
    chi2,
    constraint_registry,
    constraints,
    continuous_bernoulli,
    dirichlet,
    distribution,
    exp_family,
    exponential,
    fishersnedecor,
    gamma,
    generalized_pareto,
    geometric,
    gumbel,
    half_cauchy,
    half_normal,
    independent,
    inverse_gamma,
    kl,
    kumaraswamy,
    laplace,
    lkj_cholesky,
    log_normal,
    logistic_normal,
    lowrank_multivariate_normal,
    mixture_same_family,
    multinomial,
    multivariate_normal,
    negative_binomial,
    normal,
    one_hot_categorical,
    pareto,
    poisson,
    relaxed_bernoulli,
    relaxed_categorical,
    studentT,
    transformed_distribution,
    transforms,
    uniform,
    utils,
    von_mises,
    weibull,
    wishart,
)
from corearray.frontend.torch.distributions import cross_entropies as _cross_entropies  # noqa: F401  registers divergences
from corearray.frontend.torch.distributions.bernoulli import Bernoulli
from corearray.frontend.torch.distributions.beta import Beta
from corearray.frontend.torch.distributions.binomial import Binomial
from corearray.frontend.torch.distributions.categorical import Categorical
from corearray.frontend.torch.distributions.cauchy import Cauchy
from corearray.frontend.torch.distributions.chi2 import Chi2
from corearray.frontend.torch.distributions.constraint_registry import biject_to, transform_to
from corearray.frontend.torch.distributions.continuous_bernoulli import ContinuousBernoulli
from corearray.frontend.torch.distributions.dirichlet import Dirichlet
from corearray.frontend.torch.distributions.distribution import Distribution
from corearray.frontend.torch.distributions.exp_family import ExponentialFamily
from corearray.frontend.torch.distributions.exponential import Exponential
from corearray.frontend.torch.distributions.fishersnedecor import FisherSnedecor
from corearray.frontend.torch.distributions.gamma import Gamma
from corearray.frontend.torch.distributions.generalized_pareto import GeneralizedPareto
from corearray.frontend.torch.distributions.geometric import Geometric
from corearray.frontend.torch.distributions.gumbel import Gumbel
from corearray.frontend.torch.distributions.half_cauchy import HalfCauchy
from corearray.frontend.torch.distributions.half_normal import HalfNormal
from corearray.frontend.torch.distributions.independent import Independent
from corearray.frontend.torch.distributions.inverse_gamma import InverseGamma
from corearray.frontend.torch.distributions.kl import kl_divergence, register_kl
from corearray.frontend.torch.distributions.kumaraswamy import Kumaraswamy
from corearray.frontend.torch.distributions.laplace import Laplace
from corearray.frontend.torch.distributions.lkj_cholesky import LKJCholesky
from corearray.frontend.torch.distributions.log_normal import LogNormal
from corearray.frontend.torch.distributions.logistic_normal import LogisticNormal
from corearray.frontend.torch.distributions.lowrank_multivariate_normal import LowRankMultivariateNormal
from corearray.frontend.torch.distributions.mixture_same_family import MixtureSameFamily
from corearray.frontend.torch.distributions.multinomial import Multinomial
from corearray.frontend.torch.distributions.multivariate_normal import MultivariateNormal
from corearray.frontend.torch.distributions.negative_binomial import NegativeBinomial
from corearray.frontend.torch.distributions.normal import Normal
from corearray.frontend.torch.distributions.one_hot_categorical import (
    OneHotCategorical,
    OneHotCategoricalStraightThrough,
)
from corearray.frontend.torch.distributions.pareto import Pareto
from corearray.frontend.torch.distributions.poisson import Poisson
from corearray.frontend.torch.distributions.relaxed_bernoulli import RelaxedBernoulli
from corearray.frontend.torch.distributions.relaxed_categorical import RelaxedOneHotCategorical
from corearray.frontend.torch.distributions.studentT import StudentT
from corearray.frontend.torch.distributions.transformed_distribution import TransformedDistribution
from corearray.frontend.torch.distributions.transforms import (
    AbsTransform,
    AffineTransform,
    CatTransform,
    ComposeTransform,
    CorrCholeskyTransform,
    CumulativeDistributionTransform,
    ExpTransform,
    IndependentTransform,
    LowerCholeskyTransform,
    PositiveDefiniteTransform,
    PowerTransform,
    ReshapeTransform,
    SigmoidTransform,
    SoftmaxTransform,
    SoftplusTransform,
    StackTransform,
    StickBreakingTransform,
    TanhTransform,
    Transform,
    identity_transform,
)
from corearray.frontend.torch.distributions.uniform import Uniform
from corearray.frontend.torch.distributions.von_mises import VonMises
from corearray.frontend.torch.distributions.weibull import Weibull
from corearray.frontend.torch.distributions.wishart import Wishart

__all__ = [
    "AbsTransform", "AffineTransform", "Bernoulli", "Beta", "Binomial", "CatTransform", "Categorical", "Cauchy",
    "Chi2", "ComposeTransform", "ContinuousBernoulli", "CorrCholeskyTransform", "CumulativeDistributionTransform",
    "Dirichlet", "Distribution", "ExpTransform", "Exponential", "ExponentialFamily", "FisherSnedecor", "Gamma",
    "GeneralizedPareto", "Geometric", "Gumbel", "HalfCauchy", "HalfNormal", "Independent", "IndependentTransform",
    "InverseGamma", "Kumaraswamy", "LKJCholesky", "Laplace", "LogNormal", "LogisticNormal",
    "LowRankMultivariateNormal", "LowerCholeskyTransform", "MixtureSameFamily", "Multinomial", "MultivariateNormal",
    "NegativeBinomial", "Normal", "OneHotCategorical", "OneHotCategoricalStraightThrough", "Pareto", "Poisson",
    "PositiveDefiniteTransform", "PowerTransform", "RelaxedBernoulli", "RelaxedOneHotCategorical", "ReshapeTransform",
    "SigmoidTransform", "SoftmaxTransform", "SoftplusTransform", "StackTransform", "StickBreakingTransform",
    "StudentT", "TanhTransform", "Transform", "TransformedDistribution", "Uniform", "VonMises", "Weibull", "Wishart",
    "bernoulli", "beta", "biject_to", "binomial", "categorical", "cauchy", "chi2", "constraint_registry",
    "constraints", "continuous_bernoulli", "dirichlet", "distribution", "exp_family", "exponential", "fishersnedecor",
    "gamma", "generalized_pareto", "geometric", "gumbel", "half_cauchy", "half_normal", "identity_transform",
    "independent", "inverse_gamma", "kl", "kl_divergence", "kumaraswamy", "laplace", "lkj_cholesky", "log_normal",
    "logistic_normal", "lowrank_multivariate_normal", "mixture_same_family", "multinomial", "multivariate_normal",
    "negative_binomial", "normal", "one_hot_categorical", "pareto", "poisson", "register_kl", "relaxed_bernoulli",
    "relaxed_categorical", "studentT", "transform_to", "transformed_distribution", "transforms", "uniform", "utils",
    "von_mises", "weibull", "wishart",
]  # fmt: skip
