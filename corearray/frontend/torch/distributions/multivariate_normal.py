"""The normal distribution of vectors."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from corearray.errors import CoreArrayValueError
from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.distribution import Distribution
from corearray.frontend.torch.distributions.utils import lazy_property, standard_normal
from corearray.frontend.torch.owner import torch_of

__all__ = ["MultivariateNormal", "given_matrix", "scale_tril_of"]


def given_matrix(covariance_matrix: Any, precision_matrix: Any, scale_tril: Any) -> dict[str, Any]:
    """Return the one matrix that is given, by its name."""
    given = {"covariance_matrix": covariance_matrix, "precision_matrix": precision_matrix, "scale_tril": scale_tril}
    found = {name: x for name, x in given.items() if x is not None}
    if len(found) != 1:
        raise CoreArrayValueError(
            "Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified."
        )
    for name, x in found.items():
        if x.dim() < 2:
            raise CoreArrayValueError(
                f"{name} must be at least two-dimensional, with optional leading batch dimensions"
            )
    return found


def scale_tril_of(matrix: dict[str, Any]) -> Any:
    """Return the Cholesky factor of the covariance that a matrix tells."""
    ((name, x),) = matrix.items()
    torch = torch_of(x)
    if name == "scale_tril":
        return x
    if name == "covariance_matrix":
        return torch.linalg.cholesky(x)
    back = torch.linalg.cholesky(x.flip((-2, -1))).flip((-2, -1)).mT  # x is `back.T @ back`, of a lower triangle
    return torch.linalg.solve_triangular(
        back, torch.eye(back.shape[-1], dtype=back.dtype, device=back.device), upper=False
    )


class MultivariateNormal(Distribution):
    """The normal distribution of vectors, by its covariance, the inverse of that, or its Cholesky factor."""

    arg_constraints: ClassVar = {
        "loc": constraints.real_vector, "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite, "scale_tril": constraints.lower_cholesky,
    }  # fmt: skip
    support = constraints.real_vector
    has_rsample = True
    _batched: ClassVar = {"loc": 1, "covariance_matrix": 2, "precision_matrix": 2, "scale_tril": 2, "_factor": 2}

    def __init__(
        self, loc: Any, covariance_matrix: Any = None, precision_matrix: Any = None, scale_tril: Any = None,
        validate_args: Any = None,
    ) -> None:  # fmt: skip
        if loc.dim() < 1:
            raise CoreArrayValueError("loc must be at least one-dimensional.")
        ((name, matrix),) = given_matrix(covariance_matrix, precision_matrix, scale_tril).items()
        batch = torch_of(loc).broadcast_shapes(loc.shape[:-1], matrix.shape[:-2])
        self.loc = loc.expand(*batch, loc.shape[-1])
        vars(self)[name] = matrix = matrix.expand(*batch, *matrix.shape[-2:])
        super().__init__(batch, loc.shape[-1:], validate_args)
        self._factor = scale_tril_of({name: matrix})

    @lazy_property
    def scale_tril(self) -> Any:
        """The Cholesky factor of the covariance."""
        return self._factor

    @lazy_property
    def covariance_matrix(self) -> Any:
        """The covariance."""
        return torch_of(self.loc).matmul(self._factor, self._factor.mT)

    @lazy_property
    def precision_matrix(self) -> Any:
        """The inverse of the covariance."""
        torch = torch_of(self.loc)
        return torch.cholesky_solve(
            torch.eye(self.event_shape[0], dtype=self.loc.dtype, device=self.loc.device), self._factor
        )

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        drawn = standard_normal(self.loc, self._extended_shape(sample_shape))
        return self.loc + torch_of(drawn).matmul(self._factor, drawn.unsqueeze(-1)).squeeze(-1)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        self._checked(value)
        apart = (value - self.loc).unsqueeze(-1)
        solved = torch_of(apart).linalg.solve_triangular(self._factor, apart, upper=False).squeeze(-1)
        size = self.event_shape[0] * math.log(2 * math.pi)
        return -0.5 * ((solved**2).sum(-1) + size) - self._half_log_det()

    def _half_log_det(self) -> Any:
        """Return the logarithm of the root of the covariance's determinant."""
        return self._factor.diagonal(dim1=-2, dim2=-1).log().sum(-1)

    def entropy(self) -> Any:
        """Return the entropy."""
        return self.event_shape[0] * 0.5 * (1 + math.log(2 * math.pi)) + self._half_log_det()

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
        return (self._factor**2).sum(-1)
