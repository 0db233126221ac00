"""`Distribution`: what its kinds share."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

from corearray.calls.truths import known_truth
from corearray.errors import CoreArrayNotImplementedError, CoreArrayValueError
from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.grad_mode import no_grad
from corearray.frontend.torch.size import Size
from corearray.frontend.torch.wrapper import Tensor

__all__ = ["Distribution"]


class Distribution:
    """A probability distribution.

    Attributes
    ----------
    batch_shape
        The shape of the parameters: so many distributions.
    event_shape
        The shape of one sample.
    arg_constraints
        The regions of the parameters, by name.
    support
        The region of the values.
    """

    has_rsample: Any = False
    has_enumerate_support: Any = False
    arg_constraints: ClassVar[Any] = {}
    _validate_args = __debug__

    #: The attributes that `expand` expands, each with the number of last axes that are no axes of the batch.
    _batched: ClassVar[dict[str, int]] = {}

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Check parameters and values by default, or do not."""
        if value not in (True, False):
            raise CoreArrayValueError(f"validation is on or off, got {value!r}")
        Distribution._validate_args = value

    def __init__(self, batch_shape: Any = (), event_shape: Any = (), validate_args: Any = None) -> None:
        self._batch_shape, self._event_shape = Size(batch_shape), Size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            for name, constraint in self.arg_constraints.items():
                self._check_parameter(name, constraint)

    def _check_parameter(self, name: str, constraint: Any) -> None:
        """Refuse a parameter outside of its region. One that was given in another form is not computed for it."""
        lazy = isinstance(getattr(type(self), name, None), cached_property) and name not in vars(self)
        if lazy or constraints.is_dependent(constraint):
            return
        value = getattr(self, name)
        if known_truth(constraint.check(value).all().array) is False:
            raise CoreArrayValueError(
                f"'{type(self).__name__}' got a parameter {name} outside of its region {constraint!r}: "
                f"{value.detach().tolist()}"
            )

    def _get_checked_instance(self, cls: type, _instance: Any = None) -> Any:
        """Return what `expand` of a derived class fills."""
        return object.__new__(type(self)) if _instance is None else _instance

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to a shape; `_instance` is one to fill."""
        new = self._get_checked_instance(Distribution, _instance)
        batch = Size(batch_shape)
        for name, value in vars(self).items():
            if name in vars(new):
                continue
            if name in self._batched:
                vars(new)[name] = _expanded(value, batch, self._batched[name])
            elif not isinstance(getattr(type(self), name, None), cached_property):
                vars(new)[name] = value
        new._batch_shape = batch
        return new

    @property
    def batch_shape(self) -> Size:
        """The shape of the parameters."""
        return self._batch_shape

    @property
    def event_shape(self) -> Size:
        """The shape of one sample."""
        return self._event_shape

    @property
    def support(self) -> Any:
        """The region of the values."""
        raise CoreArrayNotImplementedError(f"'{type(self).__name__}' has no support")

    def _extended_shape(self, sample_shape: Any = ()) -> Size:
        """Return the shape of samples."""
        return Size((*sample_shape, *self._batch_shape, *self._event_shape))

    def _validate_sample(self, value: Any) -> None:
        """Refuse a value of another shape, or outside of the support."""
        if not isinstance(value, Tensor):
            raise CoreArrayValueError(f"The value argument to log_prob must be a Tensor, got {type(value).__name__}")
        wanted, shape = (*self._batch_shape, *self._event_shape), value.shape
        if tuple(shape[len(shape) - len(self._event_shape) :]) != tuple(self._event_shape):
            raise CoreArrayValueError(f"a value of shape {shape} does not end with the event_shape {self._event_shape}")
        for one, other in zip(reversed(shape), reversed(wanted), strict=False):
            if one != other and 1 not in (one, other):
                raise CoreArrayValueError(
                    f"Value is not broadcastable with batch_shape+event_shape: {shape} vs {Size(wanted)}."
                )
        try:
            support = self.support
        except NotImplementedError:
            return
        if known_truth(support.check(value).all().array) is False:
            raise CoreArrayValueError(
                f"'{type(self).__name__}' got a value outside of its support {support!r}: {value.detach().tolist()}"
            )

    def _checked(self, value: Any) -> None:
        """Check a value if checks are on."""
        if self._validate_args:
            self._validate_sample(value)

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

    def enumerate_support(self, expand: bool = True) -> Any:
        """Return all values, along a new first axis."""
        raise CoreArrayNotImplementedError(f"'{type(self).__name__}' has no enumerate_support")

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
    def mode(self) -> Any:
        """The most likely value."""
        raise CoreArrayNotImplementedError(f"'{type(self).__name__}' has no mode")

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
        known = {name: vars(self)[name] for name in self.arg_constraints if name in vars(self)}
        texts = (f"{name}: {x if x.numel() == 1 else x.shape}" for name, x in known.items())
        return f"{type(self).__name__}({', '.join(texts)})"


def _expanded(value: Any, batch: Size, further: int) -> Any:
    """Return a tensor or distribution expanded to a batch and the last axes of its own."""
    shape = value.batch_shape if isinstance(value, Distribution) else value.shape
    wanted = (*batch, *shape[len(shape) - further :])
    return value.expand(wanted) if isinstance(value, Distribution) else value.expand(*wanted)
