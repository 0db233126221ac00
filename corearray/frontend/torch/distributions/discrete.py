"""Distributions of whole numbers.

Source: https://docs.pytorch.org/docs/stable/distributions.html
"""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.errors import CoreArrayValueError
from corearray.frontend.torch.distributions.base import Distribution, broadcast, torch_of
from corearray.frontend.torch.grad_mode import no_grad

__all__ = ["Bernoulli", "Binomial", "Categorical", "Geometric", "OneHotCategorical", "Poisson"]


def _one_of(name: str, probs: Any, logits: Any) -> None:
    if (probs is None) == (logits is None):
        raise CoreArrayValueError(f"Either `probs` or `logits` must be specified to '{name}', but not both.")


def _clamped(probs: Any) -> Any:
    eps = float(ca.finfo(probs.dtype).eps)
    return probs.clamp(min=eps, max=1 - eps)


def _logits_of(probs: Any) -> Any:
    given = _clamped(probs)
    return given.log() - (-given).log1p()


class _OfProbability(Distribution):
    """A distribution of one probability, given as such or by `logits`."""

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: Any = None) -> None:
        _one_of(type(self).__name__, probs, logits)
        if probs is not None:
            (self.probs,) = broadcast(probs)
            self._need("probs", self.probs, (self.probs >= 0) & (self.probs <= 1))
            self.logits = _logits_of(self.probs)
        else:
            (self.logits,) = broadcast(logits)
            self.probs = self.logits.sigmoid()
        super().__init__(self.probs.shape)


class Bernoulli(_OfProbability):
    """One with a probability, zero otherwise."""

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample."""
        with no_grad():
            return self.probs.expand(*self._extended(sample_shape)).contiguous().bernoulli()

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        functional = torch_of(self.logits).nn.functional
        logits, value = broadcast(self.logits, value)
        return -functional.binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self) -> Any:
        """Return the entropy."""
        functional = torch_of(self.logits).nn.functional
        return functional.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.probs

    @property
    def variance(self) -> Any:
        """The variance."""
        return self.probs * (1 - self.probs)


class Geometric(_OfProbability):
    """The number of failures before the first success."""

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample."""
        with no_grad():
            shape = self._extended(sample_shape)
            drawn = torch_of(self.probs).rand(*shape, dtype=self.probs.dtype)
            return ((-drawn).log1p() / (-self.probs).log1p()).floor()

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        return value * (-self.probs).log1p() + self.probs.log()

    def entropy(self) -> Any:
        """Return the entropy."""
        functional = torch_of(self.logits).nn.functional
        return functional.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none") / self.probs

    @property
    def mean(self) -> Any:
        """The mean."""
        return 1.0 / self.probs - 1.0

    @property
    def variance(self) -> Any:
        """The variance."""
        return (1.0 / self.probs - 1.0) / self.probs


class Binomial(Distribution):
    """The number of successes among `total_count` trials."""

    def __init__(self, total_count: Any = 1, probs: Any = None, logits: Any = None, validate_args: Any = None) -> None:
        _one_of("Binomial", probs, logits)
        self.total_count, given = broadcast(total_count, probs if probs is not None else logits)
        self.probs = given if probs is not None else given.sigmoid()
        self.logits = given if probs is None else _logits_of(given)
        super().__init__(given.shape)

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample."""
        with no_grad():
            most = int(self.total_count.max())
            drawn = torch_of(self.probs).rand(most, *self._extended(sample_shape), dtype=self.probs.dtype)
            counts = torch_of(self.probs).arange(most).reshape(most, *[1] * (drawn.dim() - 1))
            return ((drawn < self.probs) & (counts < self.total_count)).sum(0).to(self.probs.dtype)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        n = self.total_count
        ways = (n + 1).lgamma() - (value + 1).lgamma() - (n - value + 1).lgamma()
        return ways + value * self.logits - n * torch_of(self.logits).nn.functional.softplus(self.logits)

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.total_count * self.probs

    @property
    def variance(self) -> Any:
        """The variance."""
        return self.mean * (1 - self.probs)


class Poisson(Distribution):
    """The Poisson distribution of a rate."""

    def __init__(self, rate: Any, validate_args: Any = None) -> None:
        (self.rate,) = broadcast(rate)
        super().__init__(self.rate.shape)
        self._need("rate", self.rate, self.rate >= 0)

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample."""
        with no_grad():
            return torch_of(self.rate).poisson(self.rate.expand(*self._extended(sample_shape)).contiguous())

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        return torch_of(self.rate).xlogy(value, self.rate) - self.rate - (value + 1).lgamma()

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.rate

    @property
    def variance(self) -> Any:
        """The variance."""
        return self.rate


class Categorical(Distribution):
    """A choice among the places of the last axis, by probabilities or their logarithms, up to a factor."""

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: Any = None) -> None:
        _one_of(type(self).__name__, probs, logits)
        (given,) = broadcast(probs if logits is None else logits)
        if given.dim() < 1:
            raise CoreArrayValueError("`probs` and `logits` parameters must be at least one-dimensional.")
        if probs is not None:
            self._need("probs", given, given >= 0)
            self.probs = given / given.sum(-1, keepdim=True)
            self.logits = _clamped(self.probs).log()
        else:
            self.logits = given - given.logsumexp(-1, keepdim=True)
            self.probs = self.logits.softmax(-1)
        super().__init__(given.shape[:-1])

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample."""
        with no_grad():
            rows = self.probs.reshape(-1, self.probs.shape[-1])
            count = 1
            for n in sample_shape:
                count *= n
            drawn = torch_of(rows).multinomial(rows, count, True).t()
            return drawn.reshape(*sample_shape, *self.batch_shape)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        torch = torch_of(self.logits)
        places, logits = torch.broadcast_tensors(value.long().unsqueeze(-1), self.logits)
        return logits.gather(-1, places[..., :1]).squeeze(-1)

    def entropy(self) -> Any:
        """Return the entropy."""
        least = float(ca.finfo(self.logits.dtype).min)
        return -(self.logits.clamp(min=least) * self.probs).sum(-1)

    @property
    def mode(self) -> Any:
        """The most likely value."""
        return self.probs.argmax(-1)

    @property
    def param_shape(self) -> Any:
        """The shape of the parameters."""
        return self.logits.shape


class OneHotCategorical(Distribution):
    """A choice among the places of the last axis, as a vector with a one at its place."""

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: Any = None) -> None:
        self._categorical = Categorical(probs, logits)
        self.probs, self.logits = self._categorical.probs, self._categorical.logits
        super().__init__(self._categorical.batch_shape, self.probs.shape[-1:])

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample."""
        places = self._categorical.sample(sample_shape)
        return torch_of(self.probs).nn.functional.one_hot(places, self.event_shape[0]).to(self.probs.dtype)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        return self._categorical.log_prob(value.argmax(-1))

    def entropy(self) -> Any:
        """Return the entropy."""
        return self._categorical.entropy()

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.probs
