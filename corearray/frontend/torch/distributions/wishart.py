"""The Wishart distribution."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import corearray as ca
from corearray.calls.truths import known_truth
from corearray.errors import CoreArrayValueError
from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.chi2 import Chi2
from corearray.frontend.torch.distributions.exp_family import ExponentialFamily
from corearray.frontend.torch.distributions.multivariate_normal import given_matrix, scale_tril_of
from corearray.frontend.torch.distributions.utils import chosen, lazy_property, standard_normal
from corearray.frontend.torch.owner import torch_of
from corearray.frontend.torch.wrapper import Tensor

__all__ = ["Wishart"]


class Wishart(ExponentialFamily):
    """The distribution of sums of squares of normal vectors, by a covariance, its inverse, or its Cholesky factor.

    Source: Odell and Feiveson, A numerical procedure to generate a sample covariance matrix, 1966.
    """

    support = constraints.positive_definite
    has_rsample = True
    _mean_carrier_measure = 0
    _batched: ClassVar = {"df": 0, "covariance_matrix": 2, "precision_matrix": 2, "scale_tril": 2, "_factor": 2}

    def __init__(
        self, df: Any, covariance_matrix: Any = None, precision_matrix: Any = None, scale_tril: Any = None,
        validate_args: Any = None,
    ) -> None:  # fmt: skip
        ((name, matrix),) = given_matrix(covariance_matrix, precision_matrix, scale_tril).items()
        torch, shape = torch_of(matrix), matrix.shape[-2:]
        df = df if isinstance(df, Tensor) else torch.tensor(df, dtype=matrix.dtype, device=matrix.device)
        batch = torch.broadcast_shapes(matrix.shape[:-2], df.shape)
        self.df = df.expand(*batch)
        vars(self)[name] = matrix = matrix.expand(*batch, *shape)
        if known_truth((self.df > shape[-1] - 1).all().array) is False:
            raise CoreArrayValueError(
                f"Value of df={df.tolist()} expected to be greater than ndim - 1 = {shape[-1] - 1}."
            )
        super().__init__(batch, shape, validate_args)
        self._factor = scale_tril_of({name: matrix})

    @property
    def arg_constraints(self) -> Any:
        """The regions of the parameters."""
        return {
            "covariance_matrix": constraints.positive_definite, "precision_matrix": constraints.positive_definite,
            "scale_tril": constraints.lower_cholesky, "df": constraints.greater_than(self.event_shape[-1] - 1),
        }  # fmt: skip

    @lazy_property
    def scale_tril(self) -> Any:
        """The Cholesky factor of the covariance."""
        return self._factor

    @lazy_property
    def covariance_matrix(self) -> Any:
        """The covariance."""
        return torch_of(self.df).matmul(self._factor, self._factor.mT)

    @lazy_property
    def precision_matrix(self) -> Any:
        """The inverse of the covariance."""
        torch = torch_of(self.df)
        return torch.cholesky_solve(
            torch.eye(self.event_shape[-1], dtype=self._factor.dtype, device=self._factor.device), self._factor
        )

    def rsample(self, sample_shape: Any = (), max_try_correction: Any = None) -> Any:
        """Draw a sample through which gradients flow; singular ones are drawn again, some times at most."""
        drawn = self._draw(sample_shape)
        for _ in range(10 if max_try_correction is None else max_try_correction):
            fits = self.support.check(drawn)
            if known_truth(fits.all().array) is not False:
                break
            drawn = chosen(fits[..., None, None], drawn, self._draw(sample_shape))
        return drawn

    def _draw(self, sample_shape: Any) -> Any:
        """Draw by a triangle of normal numbers below roots of chi-square ones."""
        torch, size = torch_of(self.df), self.event_shape[-1]
        degrees = self.df.unsqueeze(-1) - torch.arange(size, dtype=self._factor.dtype, device=self._factor.device)
        roots = Chi2(degrees, validate_args=False).rsample(sample_shape).sqrt()
        roots = roots.clamp(min=float(ca.finfo(roots.dtype).eps))
        below = standard_normal(roots, self._extended_shape(sample_shape)).tril(-1)
        factor = torch.matmul(self._factor, below + roots.diag_embed())
        return torch.matmul(factor, factor.mT)

    def _half_log_det(self) -> Any:
        """Return the logarithm of the root of the determinant of twice the covariance."""
        size = self.event_shape[-1] * math.log(2) / 2
        return size + self._factor.diagonal(dim1=-2, dim2=-1).log().sum(-1)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        self._checked(value)
        return self._density(value, torch_of(value).linalg.slogdet(value).logabsdet)

    def _density(self, value: Any, log_det: Any) -> Any:
        """Return the logarithm of the density, which is linear in a value and in the logarithm of its determinant."""
        torch, size = torch_of(self.df), self.event_shape[-1]
        trace = torch.cholesky_solve(value, self._factor).diagonal(dim1=-2, dim2=-1).sum(-1)
        found = (self.df - size - 1) / 2 * log_det - trace / 2
        return found - self.df * self._half_log_det() - torch.mvlgamma(self.df / 2, size)

    def _mean_log_density(self, p: Wishart) -> Any:
        """Return the mean of the logarithm of the density over the values of another distribution."""
        return self._density(p.mean, p._mean_log_det())

    def _mean_log_det(self) -> Any:
        """Return the mean of the logarithm of the determinant."""
        halves = (
            self.df.unsqueeze(-1)
            - torch_of(self.df).arange(self.event_shape[-1], dtype=self._factor.dtype, device=self._factor.device)
        ) / 2
        return halves.digamma().sum(-1) + 2 * self._half_log_det()

    def entropy(self) -> Any:
        """Return the entropy."""
        return -self._mean_log_density(self)

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.df[..., None, None] * self.covariance_matrix

    @property
    def mode(self) -> Any:
        """The most likely value."""
        factor = self.df - self.event_shape[-1] - 1
        return chosen(factor > 0, factor, math.nan)[..., None, None] * self.covariance_matrix

    @property
    def variance(self) -> Any:
        """The variance."""
        diagonal = self.covariance_matrix.diagonal(dim1=-2, dim2=-1)
        products = diagonal.unsqueeze(-1) * diagonal.unsqueeze(-2)
        return self.df[..., None, None] * (self.covariance_matrix**2 + products)

    @property
    def _natural_params(self) -> Any:
        return -self.precision_matrix / 2, (self.df - self.event_shape[-1] - 1) / 2

    def _log_normalizer(self, x: Any, y: Any) -> Any:
        torch, size = torch_of(x), self.event_shape[-1]
        a = y + (size + 1) / 2
        return a * (size * math.log(2) - torch.linalg.slogdet(-2 * x).logabsdet) + torch.mvlgamma(a, size)
