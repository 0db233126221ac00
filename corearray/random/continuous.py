"""Distributions of floating-point numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from corearray.calls.dispatch import resolve
from corearray.errors import CoreArrayValueError
from corearray.random.arguments import floating, real, sized, wanted_shape
from corearray.random.source import Source, scaled

if TYPE_CHECKING:
    from corearray.arrays.array import Array
    from corearray.types.devices import Device
    from corearray.types.dtypes import DType

__all__ = ["Continuous"]


class Continuous(Source):
    """Methods that draw floating-point numbers."""

    @sized
    def uniform(
        self,
        low: float | Array = 0.0,
        high: float | Array = 1.0,
        *,
        shape: int | Sequence[int] | None = None,
        dtype: DType | str | None = None,
        device: Device | str | None = None,
    ) -> Array:
        """Draw from uniform distributions; the lower bound is included.

        Parameters
        ----------
        low, high
            The bounds: numbers, or real arrays.
        shape
            The shape of the result, to which the bounds broadcast; by default theirs.
        dtype
            A real floating dtype, by default the default one.
        device
            Where the result is; by default on the device of the array parameters, else on the default device.

        Returns
        -------
        Array of the shape and dtype, of 2**53 equally likely numbers, in float32 2**24. Rounding may reach `high`.

        Raises
        ------
        TypeError, ValueError
            If `dtype` is no real floating dtype, a bound no real number or array, or not finite, or the bounds do not
            broadcast to the shape.

        Examples
        --------
        >>> import corearray as ca
        >>> x = ca.random.Generator(7).uniform(-1.0, 1.0, shape=1000)
        >>> bool(ca.all((x >= -1.0) & (x < 1.0)))
        True
        """
        be, dtype = resolve((low, high)), floating(dtype)
        low, high = real(be, "uniform", "low", low), real(be, "uniform", "high", high)
        if isinstance(low, (int, float)) and isinstance(high, (int, float)) and not -math.inf < high - low < math.inf:
            raise CoreArrayValueError(f"'uniform' got the bounds {low} and {high}; give finite ones")
        size = wanted_shape(be, "uniform", shape, low, high)
        bits = {"float16": 11, "bfloat16": 8, "float32": 24}.get(dtype.name, 53)
        return scaled(be, self._fractions(be, size, bits), high - low, low, dtype, device)

    @sized
    def normal(
        self,
        mean: float | Array = 0.0,
        std: float | Array = 1.0,
        *,
        shape: int | Sequence[int] | None = None,
        dtype: DType | str | None = None,
        device: Device | str | None = None,
    ) -> Array:
        """Draw from normal distributions.

        Parameters
        ----------
        mean, std
            Means and standard deviations: numbers, or real arrays.
        shape, dtype, device
            As in `uniform`.

        Returns
        -------
        Array of the shape and dtype.

        Raises
        ------
        TypeError, ValueError
            As in `uniform`; and if a number `std` is below 0.

        Examples
        --------
        >>> import corearray as ca
        >>> x = ca.random.Generator(7).normal(5.0, 2.0, shape=10000)
        >>> round(float(ca.mean(x)), 1), round(float(ca.std(x)), 1)
        (5.0, 2.0)

        Notes
        -----
        Box and Muller, "A note on the generation of random normal deviates", 1958.
        """
        be, dtype = resolve((mean, std)), floating(dtype)
        mean, std = real(be, "normal", "mean", mean), real(be, "normal", "std", std, least=0.0)
        size = wanted_shape(be, "normal", shape, mean, std)
        return scaled(be, self._normal(be, size), std, mean, dtype, device)

    @sized
    def exponential(
        self,
        scale: float | Array = 1.0,
        *,
        shape: int | Sequence[int] | None = None,
        dtype: DType | str | None = None,
        device: Device | str | None = None,
    ) -> Array:
        """Draw from exponential distributions.

        Parameters
        ----------
        scale
            Means: numbers, or a real array.
        shape, dtype, device
            As in `uniform`.

        Returns
        -------
        Array of the shape and dtype.

        Raises
        ------
        TypeError, ValueError
            As in `uniform`; and if a number `scale` is below 0.

        Examples
        --------
        >>> import corearray as ca
        >>> x = ca.random.Generator(7).exponential(3.0, shape=10000)
        >>> round(float(ca.mean(x)), 1)
        3.0
        """
        be, dtype = resolve((scale,)), floating(dtype)
        scale = real(be, "exponential", "scale", scale, least=0.0)
        size = wanted_shape(be, "exponential", shape, scale)
        return scaled(be, self._exponential(be, size), scale, 0.0, dtype, device)

    @sized
    def gamma(
        self,
        a: float | Array,
        scale: float | Array = 1.0,
        *,
        shape: int | Sequence[int] | None = None,
        dtype: DType | str | None = None,
        device: Device | str | None = None,
    ) -> Array:
        """Draw from gamma distributions with mean `a * scale`.

        Parameters
        ----------
        a
            Shape parameters above 0: numbers, or a real array.
        scale
            Scales: numbers, or a real array.
        shape, dtype, device
            As in `uniform`.

        Returns
        -------
        Array of the shape and dtype.

        Raises
        ------
        TypeError, ValueError
            As in `uniform`; and if an `a` is not above 0, or not finite. A compiled program, which cannot read elements,
            gives NaN for it.

        Examples
        --------
        >>> import corearray as ca
        >>> x = ca.random.Generator(7).gamma(4.0, 0.5, shape=10000)
        >>> round(float(ca.mean(x)), 1), round(float(ca.std(x)), 1)
        (2.0, 1.0)

        Notes
        -----
        `numpy.random.Generator.gamma`. Marsaglia and Tsang, "A simple method for generating gamma variables", 2000.
        """
        be, dtype = resolve((a, scale)), floating(dtype)
        a, scale = real(be, "gamma", "a", a), real(be, "gamma", "scale", scale, least=0.0)
        drawn = be.exp(self._log_gamma(be, "gamma", wanted_shape(be, "gamma", shape, a, scale), a))
        return scaled(be, drawn, scale, 0.0, dtype, device)

    @sized
    def beta(
        self,
        a: float | Array,
        b: float | Array,
        *,
        shape: int | Sequence[int] | None = None,
        dtype: DType | str | None = None,
        device: Device | str | None = None,
    ) -> Array:
        """Draw from beta distributions with mean `a / (a + b)`.

        Parameters
        ----------
        a, b
            Parameters above 0: numbers, or real arrays.
        shape, dtype, device
            As in `uniform`.

        Returns
        -------
        Array of the shape and dtype, of numbers from 0 to 1.

        Raises
        ------
        TypeError, ValueError
            As in `gamma`.

        Examples
        --------
        >>> import corearray as ca
        >>> x = ca.random.Generator(7).beta(2.0, 6.0, shape=10000)
        >>> round(float(ca.mean(x)), 2)
        0.25

        Notes
        -----
        `numpy.random.Generator.beta`. The share of the first of two numbers of gamma distributions.
        """
        be, dtype = resolve((a, b)), floating(dtype)
        a, b = real(be, "beta", "a", a), real(be, "beta", "b", b)
        size = wanted_shape(be, "beta", shape, a, b)
        one, two = (self._log_gamma(be, "beta", size, parameter) for parameter in (a, b))
        return scaled(be, be.exp(one - be.logaddexp(one, two)), 1.0, 0.0, dtype, device)

    @sized
    def dirichlet(
        self,
        alpha: Array,
        *,
        shape: int | Sequence[int] = (),
        dtype: DType | str | None = None,
        device: Device | str | None = None,
    ) -> Array:
        """Draw from Dirichlet distributions: probabilities that sum to one.

        Parameters
        ----------
        alpha
            Parameters above 0: real array, of which the last axis is that of the probabilities.
        shape
            The axes to put in front: how many draws.
        dtype, device
            As in `uniform`.

        Returns
        -------
        Array of the shape `(*shape, *alpha.shape)` and the dtype.

        Raises
        ------
        TypeError, ValueError
            As in `gamma`; and if `alpha` has no axis.

        Examples
        --------
        >>> import corearray as ca
        >>> x = ca.random.Generator(7).dirichlet(ca.asarray([1.0, 2.0, 5.0]), shape=4)
        >>> x.shape, bool(ca.all(ca.abs(ca.sum(x, axis=-1) - 1.0) < 1e-6))
        (Shape((4, 3)), True)

        Notes
        -----
        `numpy.random.Generator.dirichlet`.
        """
        be, dtype = resolve((alpha,)), floating(dtype)
        alpha = be.asarray(real(be, "dirichlet", "alpha", alpha))
        if alpha.ndim == 0:
            raise CoreArrayValueError("'dirichlet' takes an array of parameters with at least one axis")
        size = (*wanted_shape(be, "dirichlet", shape), *alpha.shape)
        shares = be.softmax(self._log_gamma(be, "dirichlet", size, alpha), axis=-1)
        return scaled(be, shares, 1.0, 0.0, dtype, device)
