"""`jax.scipy.stats.gaussian_kde`: densities estimated from samples."""

from __future__ import annotations

import math
from typing import Any

from corearray.errors import CoreArrayNotImplementedError, CoreArrayValueError
from corearray.frontend.jax.members_of.scipy_linalg import cho_factor, cho_solve, cholesky
from corearray.frontend.jax.members_of.tree import register_pytree_node_class
from corearray.frontend.jax.wrapper import numpy_function

__all__ = ["FUNCTIONS", "gaussian_kde"]


@register_pytree_node_class
class gaussian_kde:  # noqa: N801  JAX's name
    """A density estimated from samples: a mean of normal ones around them.

    Parameters
    ----------
    dataset
        The samples, `(n,)` or `(d, n)`.
    bw_method
        "scott" (the default), "silverman", a number, or a function of the estimate: the width of the normal densities as a
        share of the deviation of the samples.
    weights
        Weights of the samples.

    Raises
    ------
    ValueError
        If there are fewer than two numbers, or `weights` has another length.
    NotImplementedError
        If samples are complex.
    """

    def __init__(self, dataset: Any, bw_method: Any = None, weights: Any = None) -> None:
        np = numpy_function
        dataset = np("atleast_2d")(np("asarray")(dataset))
        if dataset.dtype.kind == "c":
            raise CoreArrayNotImplementedError("gaussian_kde does not support complex data")
        if not dataset.size > 1:
            raise CoreArrayValueError("`dataset` input should have multiple elements.")
        d, n = dataset.shape
        self.dataset = dataset * np("ones")((), dtype=dataset.dtype if dataset.dtype.kind == "f" else float)
        if weights is None:
            self.weights = np("full")(n, 1.0 / n, dtype=self.dataset.dtype)
        else:
            weights = np("atleast_1d")(np("asarray")(weights))
            if weights.ndim != 1:
                raise CoreArrayValueError("`weights` input should be one-dimensional.")
            if len(weights) != n:
                raise CoreArrayValueError("`weights` input should be of length n")
            self.weights = weights / np("sum")(weights)
        self.neff = 1 / np("sum")(self.weights**2)
        if bw_method is None or (isinstance(bw_method, str) and bw_method == "scott"):
            factor = self.neff ** (-1.0 / (d + 4))
        elif isinstance(bw_method, str) and bw_method == "silverman":
            factor = (self.neff * (d + 2) / 4.0) ** (-1.0 / (d + 4))
        elif callable(bw_method):
            factor = bw_method(self)
        elif isinstance(bw_method, str) or np("ndim")(bw_method):
            raise CoreArrayValueError("`bw_method` should be 'scott', 'silverman', a scalar, or a callable.")
        else:
            factor = bw_method
        spread = np("atleast_2d")(np("cov")(self.dataset, rowvar=True, bias=False, aweights=self.weights))
        self.covariance = spread * factor**2
        linalg: Any = np("linalg")
        self.inv_cov = linalg.inv(spread) / factor**2

    def tree_flatten(self) -> tuple[tuple[Any, ...], None]:
        """Return the arrays."""
        return (self.neff, self.dataset, self.weights, self.covariance, self.inv_cov), None

    @classmethod
    def tree_unflatten(cls, aux_data: None, children: Any) -> gaussian_kde:
        """Return an estimate of arrays."""
        made = cls.__new__(cls)
        made.neff, made.dataset, made.weights, made.covariance, made.inv_cov = children
        return made

    @property
    def d(self) -> int:
        """The number of dimensions."""
        return int(self.dataset.shape[0])

    @property
    def n(self) -> int:
        """The number of samples."""
        return int(self.dataset.shape[1])

    def _exponents(self, points: Any) -> Any:
        """Return the logarithms of the normal density of each sample at each point, `(points, samples)`."""
        np = numpy_function
        points = np("atleast_2d")(np("asarray")(points))
        if points.dtype.kind == "c":
            raise CoreArrayNotImplementedError("gaussian_kde does not support complex coordinates")
        if points.shape[0] != self.d:
            if points.shape != (1, self.d):
                raise CoreArrayValueError(f"points have dimension {points.shape[0]}, dataset has dimension {self.d}")
            points = np("reshape")(points, (self.d, 1))
        whitening = cholesky(self.inv_cov, lower=True)
        apart = (points.T @ whitening)[:, None] - (self.dataset.T @ whitening)[None]
        scale = np("sum")(np("log")(np("diagonal")(whitening))) - 0.5 * self.d * math.log(2 * math.pi)
        return scale - 0.5 * np("sum")(apart**2, axis=-1)

    def evaluate(self, points: Any) -> Any:
        """Return the density at points, `(m,)` or `(d, m)`."""
        return numpy_function("exp")(self._exponents(points)) @ self.weights

    __call__ = pdf = evaluate

    def logpdf(self, x: Any) -> Any:
        """Return the logarithm of the density at points."""
        np = numpy_function
        exponents = self._exponents(x) + np("log")(self.weights)
        most = np("max")(exponents, axis=1, keepdims=True)
        return np("log")(np("sum")(np("exp")(exponents - most), axis=1)) + most[:, 0]

    def _convolved(self, covariance: Any, means: Any) -> Any:
        """Return the integrals of the density times normal ones, by their means, `(d, m)`."""
        np = numpy_function
        factor = cho_factor(self.covariance + covariance)
        apart = self.dataset[:, None] - means[:, :, None]
        flat = np("reshape")(apart, (self.d, -1))
        squares = np("reshape")(np("sum")(flat * cho_solve(factor, flat), axis=0), apart.shape[1:])
        norm = math.sqrt(2 * math.pi) ** self.d * np("prod")(np("diagonal")(factor[0]))
        return np("exp")(-0.5 * squares) @ self.weights / norm

    def integrate_gaussian(self, mean: Any, cov: Any) -> Any:
        """Return the integral of the density times a normal one."""
        np = numpy_function
        mean, cov = np("atleast_1d")(np("squeeze")(np("asarray")(mean))), np("atleast_2d")(np("asarray")(cov))
        if mean.shape != (self.d,):
            raise CoreArrayValueError(f"mean does not have dimension {self.d}")
        if cov.shape != (self.d, self.d):
            raise CoreArrayValueError(f"covariance does not have dimension {self.d}")
        return self._convolved(cov, mean[:, None])[0]

    def integrate_kde(self, other: gaussian_kde) -> Any:
        """Return the integral of the product of two densities."""
        if other.d != self.d:
            raise CoreArrayValueError("KDEs are not the same dimensionality")
        return self._convolved(other.covariance, other.dataset) @ other.weights

    def integrate_box_1d(self, low: Any, high: Any) -> Any:
        """Return the integral of a density of one dimension between bounds."""
        np = numpy_function
        if self.d != 1:
            raise CoreArrayValueError("integrate_box_1d() only handles 1D pdfs")
        if np("ndim")(low) or np("ndim")(high):
            raise CoreArrayValueError("the limits of integration in integrate_box_1d must be scalars")
        from corearray.frontend.frontend import get_frontend

        ndtr, scale = get_frontend("jax").scipy.special.ndtr, np("sqrt")(self.covariance[0, 0])
        between = ndtr((high - self.dataset[0]) / scale) - ndtr((low - self.dataset[0]) / scale)
        return np("sum")(self.weights * between)

    def resample(self, key: Any, shape: tuple[int, ...] = ()) -> Any:
        """Draw from the density, `(d, *shape)`."""
        from corearray.frontend.frontend import get_frontend

        random, np = get_frontend("jax").random, numpy_function
        of_place, of_noise = random.split(key)
        places = random.choice(of_place, self.n, shape=shape, p=self.weights)
        center = np("zeros")(self.d, dtype=self.covariance.dtype)
        noise = random.multivariate_normal(of_noise, center, self.covariance, shape=shape, dtype=self.dataset.dtype)
        return self.dataset[:, places] + noise.T

    def integrate_box(self, low_bounds: Any, high_bounds: Any, maxpts: Any = None) -> Any:
        """Raise an error, as JAX does."""
        raise CoreArrayNotImplementedError("only 1D box integrations are supported; use `integrate_box_1d`")

    def set_bandwidth(self, bw_method: Any = None) -> None:
        """Raise an error, as JAX does."""
        raise CoreArrayNotImplementedError("dynamically changing the bandwidth method is not supported")


FUNCTIONS: dict[str, Any] = {"scipy.stats.gaussian_kde": gaussian_kde}
