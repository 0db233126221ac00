"""`Independent`: a distribution whose last batch axes are axes of the event."""

from __future__ import annotations

from typing import Any, ClassVar

from corearray.errors import CoreArrayNotImplementedError, CoreArrayValueError
from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.distribution import Distribution
from corearray.frontend.torch.distributions.utils import sum_rightmost

__all__ = ["Independent"]


class Independent(Distribution):
    """A distribution whose last batch axes are axes of the event."""

    arg_constraints: ClassVar[dict[str, Any]] = {}

    def __init__(
        self, base_distribution: Distribution, reinterpreted_batch_ndims: int, validate_args: Any = None
    ) -> None:
        count, shape = reinterpreted_batch_ndims, base_distribution.batch_shape
        if count > len(shape):
            raise CoreArrayValueError(
                f"Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual {count} vs {len(shape)}"
            )
        self.base_dist, self.reinterpreted_batch_ndims = base_distribution, count
        at = len(shape) - count
        super().__init__(shape[:at], (*shape[at:], *base_distribution.event_shape), validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to a shape."""
        new = self._get_checked_instance(Independent, _instance)
        new.base_dist = self.base_dist.expand((*batch_shape, *self.event_shape[: self.reinterpreted_batch_ndims]))
        return super().expand(batch_shape, new)

    @property
    def has_rsample(self) -> Any:
        """Whether there is `rsample`, which draws samples with gradients."""
        return self.base_dist.has_rsample

    @property
    def has_enumerate_support(self) -> Any:
        """Whether `enumerate_support` exists."""
        return not self.reinterpreted_batch_ndims and self.base_dist.has_enumerate_support

    @constraints.dependent_property
    def support(self) -> Any:
        """The region of the values."""
        count, support = self.reinterpreted_batch_ndims, self.base_dist.support
        return constraints.independent(support, count) if count else support

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        return self.base_dist.rsample(sample_shape)

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample."""
        return self.base_dist.sample(sample_shape)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density."""
        return sum_rightmost(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self) -> Any:
        """Return the entropy."""
        return sum_rightmost(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def enumerate_support(self, expand: bool = True) -> Any:
        """Return all values, along a new first axis."""
        if self.reinterpreted_batch_ndims:
            raise CoreArrayNotImplementedError("values of several independent axes cannot be enumerated")
        return self.base_dist.enumerate_support(expand)

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.base_dist.mean

    @property
    def mode(self) -> Any:
        """The most likely value."""
        return self.base_dist.mode

    @property
    def variance(self) -> Any:
        """The variance."""
        return self.base_dist.variance

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_dist}, {self.reinterpreted_batch_ndims})"
