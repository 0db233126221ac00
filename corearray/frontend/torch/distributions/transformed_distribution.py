"""Distributions of numbers that are transformed."""

from __future__ import annotations

from typing import Any, ClassVar

from corearray.errors import CoreArrayValueError
from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.distribution import Distribution
from corearray.frontend.torch.distributions.independent import Independent
from corearray.frontend.torch.distributions.transforms import ComposeTransform, Transform
from corearray.frontend.torch.distributions.utils import sum_rightmost
from corearray.frontend.torch.grad_mode import no_grad
from corearray.frontend.torch.size import Size

__all__ = ["TransformedDistribution"]


class TransformedDistribution(Distribution):
    """The distribution of what transforms make of the values of another one."""

    arg_constraints: ClassVar[Any] = {}

    def __init__(self, base_distribution: Any, transforms: Any, validate_args: Any = None) -> None:
        self.transforms = [transforms] if isinstance(transforms, Transform) else transforms
        if not isinstance(self.transforms, list) or not all(isinstance(one, Transform) for one in self.transforms):
            raise CoreArrayValueError(f"transforms must be a Transform or a list of Transforms, got {transforms}")
        whole = ComposeTransform(self.transforms)
        shape = Size((*base_distribution.batch_shape, *base_distribution.event_shape))
        own, taken, made = len(base_distribution.event_shape), whole.domain.event_dim, whole.codomain.event_dim
        if len(shape) < taken:
            raise CoreArrayValueError(
                f"base_distribution needs to have shape with size at least {taken}, but got {shape}."
            )
        result = whole.forward_shape(shape)
        needed = Size(whole.inverse_shape(result))
        if needed != shape:
            base_distribution = base_distribution.expand(needed[: len(needed) - own])
        if taken > own:
            base_distribution = Independent(base_distribution, taken - own)
        self.base_dist = base_distribution
        at = len(result) - max(made, own + made - taken)
        super().__init__(result[:at], result[at:], validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to a shape."""
        new = self._get_checked_instance(TransformedDistribution, _instance)
        shape: Any = Size((*batch_shape, *self.event_shape))
        for one in reversed(self.transforms):
            shape = one.inverse_shape(shape)
        new.base_dist = self.base_dist.expand(Size(shape[: len(shape) - len(self.base_dist.event_shape)]))
        return super().expand(batch_shape, new)

    @constraints.dependent_property(is_discrete=False)
    def support(self) -> Any:
        """The region of the values."""
        if not self.transforms:
            return self.base_dist.support
        support = self.transforms[-1].codomain
        further = len(self.event_shape) - support.event_dim
        return constraints.independent(support, further) if further > 0 else support

    @property
    def has_rsample(self) -> Any:
        """Whether there is `rsample`, which draws samples with gradients."""
        return self.base_dist.has_rsample

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample."""
        with no_grad():
            return self._transformed(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        return self._transformed(self.base_dist.rsample(sample_shape))

    def _transformed(self, x: Any) -> Any:
        for one in self.transforms:
            x = one(x)
        return x

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        self._checked(value)
        axes, found = len(self.event_shape), 0.0
        for one in reversed(self.transforms):
            x = one.inv(value)
            axes += one.domain.event_dim - one.codomain.event_dim
            found = found - sum_rightmost(one.log_abs_det_jacobian(x, value), axes - one.domain.event_dim)
            value = x
        return found + sum_rightmost(self.base_dist.log_prob(value), axes - len(self.base_dist.event_shape))

    def _monotonize_cdf(self, value: Any) -> Any:
        """Return probabilities, or one minus them where the transforms fall."""
        sign = ComposeTransform(self.transforms).sign
        return value if isinstance(sign, int) and sign == 1 else sign * (value - 0.5) + 0.5

    def cdf(self, value: Any) -> Any:
        """Return the probability of values up to this one."""
        for one in reversed(self.transforms):
            value = one.inv(value)
        if self._validate_args:
            self.base_dist._validate_sample(value)
        return self._monotonize_cdf(self.base_dist.cdf(value))

    def icdf(self, value: Any) -> Any:
        """Return the inverse of `cdf`."""
        return self._transformed(self.base_dist.icdf(self._monotonize_cdf(value)))
