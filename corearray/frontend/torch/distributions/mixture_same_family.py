"""Mixtures of distributions of one kind."""

from __future__ import annotations

from typing import Any, ClassVar

from corearray.errors import CoreArrayValueError
from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.categorical import Categorical
from corearray.frontend.torch.distributions.distribution import Distribution
from corearray.frontend.torch.grad_mode import no_grad

__all__ = ["MixtureSameFamily"]


class MixtureSameFamily(Distribution):
    """A mixture of the distributions along the last axis of a batch."""

    arg_constraints: ClassVar[dict[str, Any]] = {}

    def __init__(self, mixture_distribution: Any, component_distribution: Any, validate_args: Any = None) -> None:
        if not isinstance(mixture_distribution, Categorical):
            raise CoreArrayValueError("the mixture distribution must be a torch.distributions.Categorical")
        if not isinstance(component_distribution, Distribution):
            raise CoreArrayValueError("the component distribution must be a torch.distributions.Distribution")
        self._mixture_distribution, self._component_distribution = mixture_distribution, component_distribution
        mixture, batch = mixture_distribution.batch_shape, component_distribution.batch_shape
        if any(
            one != other and 1 not in (one, other) for one, other in zip(mixture[::-1], batch[-2::-1], strict=False)
        ):
            raise CoreArrayValueError(
                f"`mixture_distribution.batch_shape` ({mixture}) is not compatible with "
                f"`component_distribution.batch_shape` ({batch})"
            )
        count = mixture_distribution.param_shape[-1]
        if count != batch[-1]:
            raise CoreArrayValueError(
                f"`mixture_distribution component` ({count}) does not equal `component_distribution.batch_shape[-1]` "
                f"({batch[-1]})"
            )
        self._event_ndims = len(component_distribution.event_shape)
        super().__init__(batch[:-1], component_distribution.event_shape, validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to a shape."""
        new = self._get_checked_instance(MixtureSameFamily, _instance)
        count = self._component_distribution.batch_shape[-1]
        new._component_distribution = self._component_distribution.expand((*batch_shape, count))
        new._mixture_distribution = self._mixture_distribution.expand(batch_shape)
        return super().expand(batch_shape, new)

    @constraints.dependent_property
    def support(self) -> Any:
        """The region of the values."""
        return constraints.MixtureSameFamilyConstraint(self._component_distribution.support)

    @property
    def mixture_distribution(self) -> Any:
        """The choice among the components."""
        return self._mixture_distribution

    @property
    def component_distribution(self) -> Any:
        """The components."""
        return self._component_distribution

    def _over_components(self, x: Any) -> Any:
        """Return the mean over the components, by their probabilities."""
        probs = self._mixture_distribution.probs
        return (probs.reshape(*probs.shape, *[1] * self._event_ndims) * x).sum(-1 - self._event_ndims)

    @property
    def mean(self) -> Any:
        """The mean."""
        return self._over_components(self._component_distribution.mean)

    @property
    def variance(self) -> Any:
        """The variance."""
        parts = self._component_distribution
        apart = parts.mean - self.mean.unsqueeze(-1 - self._event_ndims)
        return self._over_components(parts.variance) + self._over_components(apart**2)

    def cdf(self, value: Any) -> Any:
        """Return the probability of values up to this one."""
        found = self._component_distribution.cdf(value.unsqueeze(-1 - self._event_ndims))
        return (found * self._mixture_distribution.probs).sum(-1)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        self._checked(value)
        found = self._component_distribution.log_prob(value.unsqueeze(-1 - self._event_ndims))
        return (found + self._mixture_distribution.logits.log_softmax(-1)).logsumexp(-1)

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample."""
        with no_grad():
            drawn = self._component_distribution.sample(sample_shape)
            places = self._mixture_distribution.expand(self.batch_shape).sample(sample_shape)
            axis = places.dim()
            places = places.reshape(*places.shape, *[1] * (self._event_ndims + 1))
            places = places.expand(*places.shape[: axis + 1], *self.event_shape)
            return drawn.gather(axis, places).squeeze(axis)

    def __repr__(self) -> str:
        return f"MixtureSameFamily({self._mixture_distribution}, {self._component_distribution})"
