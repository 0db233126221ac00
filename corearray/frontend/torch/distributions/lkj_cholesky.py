"""The distribution of Lewandowski, Kurowicka and Joe, of Cholesky factors of correlation matrices."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import corearray as ca
from corearray.errors import CoreArrayValueError
from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.beta import Beta
from corearray.frontend.torch.distributions.distribution import Distribution
from corearray.frontend.torch.distributions.utils import broadcast_all, chosen, standard_normal
from corearray.frontend.torch.grad_mode import no_grad
from corearray.frontend.torch.owner import torch_of

__all__ = ["LKJCholesky"]


class LKJCholesky(Distribution):
    """Cholesky factors of correlation matrices, whose density is proportional to a power of the determinant.

    Source: Lewandowski, Kurowicka and Joe, Generating random correlation matrices based on vines and extended onion method,
    2009: the onion method of section 3.2, and the constant of theorem 5.
    """

    arg_constraints: ClassVar = {"concentration": constraints.positive}
    support = constraints.corr_cholesky
    _batched: ClassVar = {"concentration": 0, "_beta": 1}

    def __init__(self, dim: int, concentration: Any = 1.0, validate_args: Any = None) -> None:
        if dim < 2:
            raise CoreArrayValueError(f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}.")
        self.dim = dim
        (self.concentration,) = broadcast_all(concentration)
        super().__init__(self.concentration.shape, (dim, dim), validate_args)
        rows = (
            torch_of(self.concentration)
            .arange(-1, dim - 1, dtype=self.concentration.dtype, device=self.concentration.device)
            .clamp(min=0)
        )
        beyond = self.concentration.unsqueeze(-1) + 0.5 * (dim - 2) - 0.5 * rows
        self._beta = Beta(rows + 0.5, beyond, validate_args=False)

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample."""
        with no_grad():
            squares = self._beta.sample(sample_shape).unsqueeze(-1)
            drawn = standard_normal(squares, self._extended_shape(sample_shape)).tril(-1)
            lengths = (drawn**2).sum(-1, keepdim=True).sqrt()
            below = squares.sqrt() * chosen(lengths == 0, 0.0, drawn / chosen(lengths == 0, 1.0, lengths))
            tiny = float(ca.finfo(below.dtype).smallest_normal)
            return below + (1 - (below**2).sum(-1)).clamp(min=tiny).sqrt().diag_embed()

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        self._checked(value)
        torch, size = torch_of(self.concentration), self.dim - 1
        rows = torch.arange(size - 1, -1, -1, dtype=self.concentration.dtype, device=self.concentration.device)
        powers = 2 * (self.concentration - 1).unsqueeze(-1) + rows
        found = (powers * value.diagonal(dim1=-1, dim2=-2)[..., 1:].log()).sum(-1)
        alpha = self.concentration + 0.5 * size
        norm = 0.5 * size * math.log(math.pi) + torch.mvlgamma(alpha - 0.5, size) - alpha.lgamma() * size
        return found - norm
