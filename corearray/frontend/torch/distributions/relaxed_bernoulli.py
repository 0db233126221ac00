"""Bernoulli numbers relaxed to numbers between zero and one."""

from __future__ import annotations

from typing import Any, ClassVar

from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.of_probability import OfProbability
from corearray.frontend.torch.distributions.transformed_distribution import TransformedDistribution
from corearray.frontend.torch.distributions.transforms import SigmoidTransform
from corearray.frontend.torch.distributions.utils import broadcast_all, clamp_probs, probs_to_logits
from corearray.frontend.torch.owner import torch_of

__all__ = ["LogitRelaxedBernoulli", "RelaxedBernoulli"]


class LogitRelaxedBernoulli(OfProbability):
    """The distribution of the logarithms of odds of relaxed Bernoulli numbers.

    Source: Maddison et al., The Concrete Distribution, 2017.
    """

    support = constraints.real
    has_rsample = True

    def __init__(self, temperature: Any, probs: Any = None, logits: Any = None, validate_args: Any = None) -> None:
        self.temperature = temperature
        self._take(probs, logits)
        super().__init__(self._param.shape, validate_args=validate_args)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        probs = clamp_probs(self.probs.expand(*self._extended_shape(sample_shape)))
        drawn = clamp_probs(torch_of(probs).rand(*probs.shape, dtype=probs.dtype, device=probs.device))
        return (probs_to_logits(drawn, True) + probs_to_logits(probs, True)) / self.temperature

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        self._checked(value)
        logits, value = broadcast_all(self.logits, value)
        apart = logits - value * self.temperature
        (temperature,) = broadcast_all(self.temperature)
        return temperature.log() + apart - 2 * torch_of(apart).nn.functional.softplus(apart)


class RelaxedBernoulli(TransformedDistribution):
    """Bernoulli numbers relaxed to numbers between zero and one, so that gradients flow through samples."""

    arg_constraints: ClassVar = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.unit_interval
    has_rsample = True

    def __init__(self, temperature: Any, probs: Any = None, logits: Any = None, validate_args: Any = None) -> None:
        base = LogitRelaxedBernoulli(temperature, probs, logits, validate_args=validate_args)
        super().__init__(base, SigmoidTransform(), validate_args)

    @property
    def temperature(self) -> Any:
        """The temperature."""
        return self.base_dist.temperature

    @property
    def logits(self) -> Any:
        """The logarithms of the probabilities, or of their odds."""
        return self.base_dist.logits

    @property
    def probs(self) -> Any:
        """The probabilities."""
        return self.base_dist.probs
