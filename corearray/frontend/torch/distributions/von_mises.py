"""The von Mises distribution, of angles."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import corearray as ca
from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.distribution import Distribution
from corearray.frontend.torch.distributions.utils import broadcast_all, chosen
from corearray.frontend.torch.grad_mode import no_grad
from corearray.frontend.torch.owner import torch_of

__all__ = ["VonMises"]


class VonMises(Distribution):
    """The von Mises distribution of angles around `loc`."""

    arg_constraints: ClassVar = {"loc": constraints.real, "concentration": constraints.positive}
    support = constraints.real
    _batched: ClassVar = {"loc": 0, "concentration": 0}

    def __init__(self, loc: Any, concentration: Any, validate_args: Any = None) -> None:
        self.loc, self.concentration = broadcast_all(loc, concentration)
        super().__init__(self.loc.shape, validate_args=validate_args)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        self._checked(value)
        scaled = torch_of(self.loc).special.i0e(self.concentration)
        return self.concentration * ((value - self.loc).cos() - 1) - math.log(2 * math.pi) - scaled.log()

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample."""
        with no_grad():
            loc, kappa = self.loc.double(), self.concentration.double()
            return _angles(loc, kappa, self._extended_shape(sample_shape)).to(self.loc.dtype)

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
        special = torch_of(self.loc).special
        return 1 - special.i1e(self.concentration) / special.i0e(self.concentration)


def _angles(loc: Any, kappa: Any, shape: Any) -> Any:
    """Draw angles by rejection of wrapped Cauchy numbers; a share of one half to two thirds is accepted at once.

    Source: Best and Fisher, Efficient simulation of the von Mises distribution, 1979.
    """
    torch = torch_of(loc)
    tau = 1 + (1 + 4 * kappa**2).sqrt()
    rho = (tau - (2 * tau).sqrt()) / (2 * kappa)
    r = chosen(kappa < 1e-5, 1 / kappa + kappa, (1 + rho**2) / (2 * rho))
    found = torch.zeros(*shape, dtype=ca.float64, device=loc.device)
    done = torch.zeros(*shape, dtype=ca.bool, device=loc.device)
    while not bool(done.all()):
        u1, u2, u3 = torch.rand(3, *shape, dtype=ca.float64, device=loc.device).unbind()
        z = (math.pi * u1).cos()
        cosine = (1 + r * z) / (r + z)
        c = kappa * (r - cosine)
        fits = (c * (2 - c) > u2) | ((c / u2).log() + 1 - c >= 0)
        found = chosen(done | ~fits, found, (u3 - 0.5).sign() * cosine.clamp(min=-1, max=1).acos())
        done = done | fits
    return (found + math.pi + loc) % (2 * math.pi) - math.pi
