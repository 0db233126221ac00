"""The normal distribution of vectors whose covariance is a product of factors and a diagonal."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from corearray.errors import CoreArrayValueError
from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.distribution import Distribution
from corearray.frontend.torch.distributions.utils import lazy_property, standard_normal
from corearray.frontend.torch.owner import torch_of

__all__ = ["LowRankMultivariateNormal"]


class LowRankMultivariateNormal(Distribution):
    """The normal distribution of vectors of the covariance `cov_factor @ cov_factor.T + diag(cov_diag)`.

    With `W` for the factor and `D` for the diagonal, the matrix that is decomposed is `1 + W.T @ D**-1 @ W`: it has a row for
    each column of the factor alone.
    """

    arg_constraints: ClassVar = {
        "loc": constraints.real_vector, "cov_factor": constraints.independent(constraints.real, 2),
        "cov_diag": constraints.independent(constraints.positive, 1),
    }  # fmt: skip
    support = constraints.real_vector
    has_rsample = True
    _batched: ClassVar = {"loc": 1, "cov_factor": 2, "cov_diag": 1, "_capacitance_tril": 2}

    def __init__(self, loc: Any, cov_factor: Any, cov_diag: Any, validate_args: Any = None) -> None:
        if loc.dim() < 1:
            raise CoreArrayValueError("loc must be at least one-dimensional.")
        size = loc.shape[-1]
        if cov_factor.dim() < 2 or cov_factor.shape[-2] != size:
            raise CoreArrayValueError(
                f"cov_factor must be a batch of matrices with shape {size} x m, got {cov_factor.shape}"
            )
        if cov_diag.shape[-1:] != (size,):
            raise CoreArrayValueError(f"cov_diag must be a batch of vectors with shape {(size,)}, got {cov_diag.shape}")
        torch = torch_of(loc)
        batch = torch.broadcast_shapes(loc.shape[:-1], cov_factor.shape[:-2], cov_diag.shape[:-1])
        self.loc, self.cov_diag = loc.expand(*batch, size), cov_diag.expand(*batch, size)
        self.cov_factor = cov_factor.expand(*batch, *cov_factor.shape[-2:])
        super().__init__(batch, (size,), validate_args)
        inner = torch.matmul(self._scaled_factor(), self.cov_factor)
        ones = torch.eye(inner.shape[-1], dtype=inner.dtype, device=inner.device)
        self._capacitance_tril = torch.linalg.cholesky(inner + ones)

    def _scaled_factor(self) -> Any:
        """Return the transposed factor over the diagonal."""
        return self.cov_factor.mT / self.cov_diag.unsqueeze(-2)

    def _solved(self, matrix: Any) -> Any:
        """Return what the triangle of the small matrix makes a matrix of."""
        return torch_of(matrix).linalg.solve_triangular(self._capacitance_tril, matrix, upper=False)

    def _log_det(self) -> Any:
        """Return the logarithm of the covariance's determinant."""
        return 2 * self._capacitance_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1) + self.cov_diag.log().sum(-1)

    def _distance(self, x: Any) -> Any:
        """Return the square of the length of vectors by the inverse of the covariance."""
        inner = torch_of(x).matmul(self._scaled_factor(), x.unsqueeze(-1))
        return (x**2 / self.cov_diag).sum(-1) - (self._solved(inner).squeeze(-1) ** 2).sum(-1)

    @lazy_property
    def scale_tril(self) -> Any:
        """The Cholesky factor of the covariance."""
        return torch_of(self.loc).linalg.cholesky(self.covariance_matrix)

    @lazy_property
    def covariance_matrix(self) -> Any:
        """The covariance."""
        return torch_of(self.loc).matmul(self.cov_factor, self.cov_factor.mT) + self.cov_diag.diag_embed()

    @lazy_property
    def precision_matrix(self) -> Any:
        """The inverse of the covariance."""
        inner = self._solved(self._scaled_factor())
        return self.cov_diag.reciprocal().diag_embed() - torch_of(inner).matmul(inner.mT, inner)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        shape = self._extended_shape(sample_shape)
        drawn = standard_normal(self.loc, (*shape[:-1], self.cov_factor.shape[-1], 1))
        spread = torch_of(drawn).matmul(self.cov_factor, drawn).squeeze(-1)
        return self.loc + spread + self.cov_diag.sqrt() * standard_normal(self.loc, shape)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        self._checked(value)
        size = self.event_shape[0] * math.log(2 * math.pi)
        return -0.5 * (size + self._log_det() + self._distance(value - self.loc))

    def entropy(self) -> Any:
        """Return the entropy."""
        return 0.5 * (self.event_shape[0] * (1.0 + math.log(2 * math.pi)) + self._log_det())

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.loc

    @property
    def mode(self) -> Any:
        """The most likely value."""
        return self.loc

    @property
    def variance(self) -> Any:
        """The variance."""
        return (self.cov_factor**2).sum(-1) + self.cov_diag
