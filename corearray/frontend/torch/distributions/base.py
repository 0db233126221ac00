"""`Distribution`, what its kinds share, and `Independent`."""

from __future__ import annotations

from typing import Any

from corearray.errors import CoreArrayNotImplementedError, CoreArrayValueError
from corearray.frontend.frontend import get_frontend
from corearray.frontend.torch.grad_mode import no_grad
from corearray.frontend.torch.size import Size
from corearray.frontend.torch.wrapper import Tensor

__all__ = ["Distribution", "Independent", "broadcast", "torch_of"]


def torch_of(*values: Any) -> Any:
    """Return the frontend of the first tensor, or that of the installed version."""
    return next((x._frontend for x in values if isinstance(x, Tensor)), None) or get_frontend("torch")


def broadcast(*values: Any) -> list[Any]:
    """Return parameters, tensors or numbers, as tensors of one shape."""
    torch = torch_of(*values)
    dtype = next(
        (x.dtype for x in values if isinstance(x, Tensor) and x.is_floating_point()), torch.get_default_dtype()
    )
    given = [x if isinstance(x, Tensor) else torch.tensor(x, dtype=dtype) for x in values]
    return list(torch.broadcast_tensors(*given))


class Distribution:
    """A probability distribution.

    Attributes
    ----------
    batch_shape
        The shape of the parameters: so many distributions.
    event_shape
        The shape of one sample.
    """

    has_rsample = False

    def __init__(self, batch_shape: Any = (), event_shape: Any = (), validate_args: Any = None) -> None:
        self.batch_shape, self.event_shape = Size(batch_shape), Size(event_shape)

    def _need(self, name: str, values: Any, allowed: Any) -> None:
        """Refuse a parameter outside of its range."""
        if not bool(allowed.all()):
            raise CoreArrayValueError(
                f"'{type(self).__name__}' got a parameter {name} outside of its range: {values.detach().tolist()}"
            )

    def _extended(self, sample_shape: Any) -> Size:
        return Size((*sample_shape, *self.batch_shape, *self.event_shape))

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow to the parameters."""
        raise CoreArrayNotImplementedError(f"'{type(self).__name__}' has no samples with gradients; use sample")

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample of the shape `sample_shape + batch_shape + event_shape`, without gradients."""
        with no_grad():
            return self.rsample(sample_shape)

    def sample_n(self, n: int) -> Any:
        """Draw `n` samples."""
        return self.sample((n,))

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability of a value."""
        raise CoreArrayNotImplementedError(f"'{type(self).__name__}' has no log_prob")

    def entropy(self) -> Any:
        """Return the entropy."""
        raise CoreArrayNotImplementedError(f"'{type(self).__name__}' has no entropy")

    def cdf(self, value: Any) -> Any:
        """Return the probability of values up to this one."""
        raise CoreArrayNotImplementedError(f"'{type(self).__name__}' has no cdf")

    def icdf(self, value: Any) -> Any:
        """Return the inverse of `cdf`."""
        raise CoreArrayNotImplementedError(f"'{type(self).__name__}' has no icdf")

    @property
    def mean(self) -> Any:
        """The mean."""
        raise CoreArrayNotImplementedError(f"'{type(self).__name__}' has no mean")

    @property
    def variance(self) -> Any:
        """The variance."""
        raise CoreArrayNotImplementedError(f"'{type(self).__name__}' has no variance")

    @property
    def stddev(self) -> Any:
        """The standard deviation."""
        return self.variance.sqrt()

    def perplexity(self) -> Any:
        """Return `exp(entropy)`."""
        return self.entropy().exp()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(batch_shape={self.batch_shape}, event_shape={self.event_shape})"


class Independent(Distribution):
    """A distribution whose last batch axes are axes of the event."""

    def __init__(
        self, base_distribution: Distribution, reinterpreted_batch_ndims: int, validate_args: Any = None
    ) -> None:
        count = reinterpreted_batch_ndims
        shape = base_distribution.batch_shape
        if count > len(shape):
            raise CoreArrayValueError(
                f"Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual {count} vs {len(shape)}"
            )
        self.base_dist, self.reinterpreted_batch_ndims = base_distribution, count
        self.has_rsample = base_distribution.has_rsample
        at = len(shape) - count
        super().__init__(shape[:at], (*shape[at:], *base_distribution.event_shape))

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        return self.base_dist.rsample(sample_shape)

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample."""
        return self.base_dist.sample(sample_shape)

    def summed(self, x: Any) -> Any:
        """Sum over the axes of the event that were axes of the batch."""
        count = self.reinterpreted_batch_ndims
        return x.sum(tuple(range(-count, 0))) if count else x

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density."""
        return self.summed(self.base_dist.log_prob(value))

    def entropy(self) -> Any:
        """Return the entropy."""
        return self.summed(self.base_dist.entropy())

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.base_dist.mean

    @property
    def variance(self) -> Any:
        """The variance."""
        return self.base_dist.variance
