"""`ExponentialFamily`: distributions by natural parameters and the logarithm of their normaliser."""

from __future__ import annotations

from typing import Any

from corearray.errors import CoreArrayNotImplementedError
from corearray.frontend.torch.autograd import grad
from corearray.frontend.torch.distributions.distribution import Distribution
from corearray.frontend.torch.distributions.utils import sum_rightmost

__all__ = ["ExponentialFamily", "mean_statistics"]


class ExponentialFamily(Distribution):
    """A distribution of the density `exp(<t(x), natural parameters> - log normaliser + k(x))`."""

    @property
    def _natural_params(self) -> Any:
        raise CoreArrayNotImplementedError(f"'{type(self).__name__}' has no natural parameters")

    def _log_normalizer(self, *natural_params: Any) -> Any:
        raise CoreArrayNotImplementedError(f"'{type(self).__name__}' has no logarithm of its normaliser")

    @property
    def _mean_carrier_measure(self) -> Any:
        raise CoreArrayNotImplementedError(f"'{type(self).__name__}' has no mean of its carrier measure")

    def entropy(self) -> Any:
        """Return the entropy, by the derivative of the normaliser."""
        carrier = self._mean_carrier_measure
        given, normaliser, slopes = mean_statistics(self)
        found = normaliser - carrier
        for one, slope in zip(given, slopes, strict=True):
            found = found - sum_rightmost(one * slope, one.dim() - len(self.batch_shape))
        return found


def mean_statistics(p: ExponentialFamily) -> tuple[list[Any], Any, Any]:
    """Return the natural parameters, the log normaliser, and its derivatives: the means of the statistics."""
    given = [one.detach().requires_grad_() for one in p._natural_params]
    normaliser = p._log_normalizer(*given)
    return given, normaliser, grad(normaliser.sum(), given, create_graph=True)
