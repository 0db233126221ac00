"""Choices among categories relaxed to probabilities."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.of_categories import OfCategories
from corearray.frontend.torch.distributions.transformed_distribution import TransformedDistribution
from corearray.frontend.torch.distributions.transforms import ExpTransform
from corearray.frontend.torch.distributions.utils import broadcast_all, clamp_probs
from corearray.frontend.torch.owner import torch_of

__all__ = ["ExpRelaxedCategorical", "RelaxedOneHotCategorical"]


class ExpRelaxedCategorical(OfCategories):
    """The distribution of the logarithms of relaxed choices.

    Source: Maddison et al., The Concrete Distribution, 2017.
    """

    support = constraints.real_vector
    has_rsample = True

    def __init__(self, temperature: Any, probs: Any = None, logits: Any = None, validate_args: Any = None) -> None:
        self.temperature = temperature
        super().__init__(probs, logits, validate_args)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        shape = self._extended_shape(sample_shape)
        drawn = clamp_probs(torch_of(self.logits).rand(*shape, dtype=self.logits.dtype, device=self.logits.device))
        return ((self.logits - (-drawn.log()).log()) / self.temperature).log_softmax(-1)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        self._checked(value)
        count = self.event_shape[0]
        logits, value = broadcast_all(self.logits, value)
        (temperature,) = broadcast_all(self.temperature)
        score = (logits - value * temperature).log_softmax(-1).sum(-1)
        return score + math.lgamma(count) + (count - 1) * temperature.log()


class RelaxedOneHotCategorical(TransformedDistribution):
    """Choices among categories relaxed to probabilities, so that gradients flow through samples."""

    arg_constraints: ClassVar = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support = constraints.simplex
    has_rsample = True

    def __init__(self, temperature: Any, probs: Any = None, logits: Any = None, validate_args: Any = None) -> None:
        base = ExpRelaxedCategorical(temperature, probs, logits, validate_args=validate_args)
        super().__init__(base, ExpTransform(), validate_args)

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
