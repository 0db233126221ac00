"""Distributions that follow from uniform, normal, gamma and Poisson numbers.

Source: L. Devroye, Non-Uniform Random Variate Generation, 1986, and the references of NumPy's `Generator`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import corearray as ca
from corearray.errors import CoreArrayValueError

__all__ = ["Distributions"]


class Distributions:
    """Methods of `Generator`."""

    if TYPE_CHECKING:
        _generator: Any

        def _out(self, array: ca.Array, size: Any = None) -> Any: ...
        def _sized(self, size: Any, *parameters: Any) -> tuple[Any, ...]: ...
        def _uniform(self, shape: tuple[int, ...]) -> ca.Array: ...
        def _positive(self, name: str, x: Any, *, zero: bool = False) -> None: ...

    def _normals(self, sizes: Any) -> Any:
        return self._generator.normal(shape=sizes, dtype=ca.float64)

    def _squares(self, df: Any, sizes: Any) -> Any:
        """Return numbers of chi-square distributions."""
        return 2.0 * self._generator.gamma(df / 2.0, shape=sizes, dtype=ca.float64)

    def _counts(self, mean: Any, sizes: Any) -> Any:
        return ca.astype(self._generator.poisson(mean, shape=sizes), ca.float64)

    def standard_t(self, df: Any, size: Any = None) -> Any:
        """Return numbers of Student's t distribution."""
        sizes, df = self._sized(size, df)
        self._positive("df", df)
        return self._out(self._normals(sizes) / ca.sqrt(self._squares(df, sizes) / df))

    def f(self, dfnum: Any, dfden: Any, size: Any = None) -> Any:
        """Return numbers of an F distribution."""
        sizes, one, other = self._sized(size, dfnum, dfden)
        self._positive("dfnum", one)
        self._positive("dfden", other)
        return self._out((self._squares(one, sizes) / one) / (self._squares(other, sizes) / other))

    def _shifted_squares(self, df: Any, nonc: Any, sizes: Any) -> Any:
        return self._squares(df + 2.0 * self._counts(nonc / 2.0, sizes), sizes)

    def noncentral_chisquare(self, df: Any, nonc: Any, size: Any = None) -> Any:
        """Return numbers of a noncentral chi-square distribution, a mixture of central ones."""
        sizes, df, nonc = self._sized(size, df, nonc)
        self._positive("df", df)
        self._positive("nonc", nonc, zero=True)
        return self._out(self._shifted_squares(df, nonc, sizes))

    def noncentral_f(self, dfnum: Any, dfden: Any, nonc: Any, size: Any = None) -> Any:
        """Return numbers of a noncentral F distribution."""
        sizes, one, other, nonc = self._sized(size, dfnum, dfden, nonc)
        self._positive("dfnum", one)
        self._positive("dfden", other)
        self._positive("nonc", nonc, zero=True)
        return self._out((self._shifted_squares(one, nonc, sizes) / one) / (self._squares(other, sizes) / other))

    def negative_binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        """Return numbers of failures before `n` successes."""
        sizes, n, p = self._sized(size, n, p)
        self._positive("n", n)
        self._share("p", p)
        rate = self._generator.gamma(n, shape=sizes, dtype=ca.float64) * (1.0 - p) / p
        return self._out(ca.astype(self._generator.poisson(rate, shape=sizes), ca.int64))

    def _share(self, name: str, p: Any) -> None:
        if bool(ca.any(ca.logical_not((p > 0) & (p <= 1)))):
            raise CoreArrayValueError(f"{name} <= 0, {name} > 1 or {name} contains NaNs")

    def wald(self, mean: Any, scale: Any, size: Any = None) -> Any:
        """Return numbers of an inverse Gaussian distribution (Michael, Schucany and Haas, 1976)."""
        sizes, mean, scale = self._sized(size, mean, scale)
        self._positive("mean", mean)
        self._positive("scale", scale)
        y = mean * self._normals(sizes) ** 2
        x = mean + mean / (2.0 * scale) * (y - ca.sqrt(4.0 * scale * y + y * y))
        return self._out(ca.where(self._uniform(sizes) <= mean / (mean + x), x, mean * mean / x))

    def logseries(self, p: Any, size: Any = None) -> Any:
        """Return counts of a logarithmic series distribution (Kemp, 1981)."""
        sizes, p = self._sized(size, p)
        if bool(ca.any(ca.logical_not((p >= 0) & (p < 1)))):
            raise CoreArrayValueError("p < 0, p >= 1 or p is NaN")
        v = 1.0 - self._uniform(sizes)
        q = -ca.expm1(self._uniform(sizes) * ca.log1p(-p))
        inner = (q > 0) & (v <= q * q)
        many = ca.floor(1.0 + ca.log(v) / ca.log(ca.where(inner, q, 0.5)))
        made = ca.where(inner, ca.maximum(many, 1.0), ca.where(v >= q, 1.0, 2.0))
        return self._out(ca.astype(ca.where(v >= p, 1.0, made), ca.int64))

    def _accepted(self, sizes: Any, propose: Any) -> Any:
        """Return proposals, drawn anew until all are accepted."""
        made, good = propose()
        made, good = ca.broadcast_to(made, sizes), ca.broadcast_to(good, sizes)
        while not bool(ca.all(good)):
            again, fits = propose()
            made, good = ca.where(good, made, again), good | fits
        return made

    def zipf(self, a: Any, size: Any = None) -> Any:
        """Return counts of a Zipf distribution, by rejection."""
        sizes, a = self._sized(size, a)
        if bool(ca.any(ca.logical_not(a > 1))):
            raise CoreArrayValueError("a <= 1 or a is NaN")
        b = 2.0 ** (a - 1.0)

        def propose() -> Any:
            u, v = 1.0 - self._uniform(sizes), self._uniform(sizes)
            x = ca.floor(u ** (-1.0 / (a - 1.0)))
            small = x < 2.0**63
            x = ca.where(small, x, 1.0)
            t = (1.0 + 1.0 / x) ** (a - 1.0)
            return x, small & (v * x * (t - 1.0) / (b - 1.0) <= t / b)

        return self._out(ca.astype(self._accepted(sizes, propose), ca.int64))

    def vonmises(self, mu: Any, kappa: Any, size: Any = None) -> Any:
        """Return angles of a von Mises distribution (Best and Fisher, 1979)."""
        sizes, mu, kappa = self._sized(size, mu, kappa)
        self._positive("kappa", kappa, zero=True)
        flat = kappa < 1e-8
        k = ca.where(flat, 1.0, kappa)
        r = 1.0 + ca.sqrt(1.0 + 4.0 * k * k)
        rho = (r - ca.sqrt(2.0 * r)) / (2.0 * k)
        s = ca.where(k < 1e-5, 1.0 / k + k, (1.0 + rho * rho) / (2.0 * rho))

        def propose() -> Any:
            u, v = self._uniform(sizes), 1.0 - self._uniform(sizes)
            z = ca.cos(math.pi * u)
            w = (1.0 + s * z) / (s + z)
            y = k * (s - w)
            return w, (y * (2.0 - y) - v >= 0) | (ca.log(y / v) + 1.0 - y >= 0)

        angle = ca.acos(ca.clip(self._accepted(sizes, propose), -1.0, 1.0))
        angle = ca.where(self._uniform(sizes) < 0.5, -angle, angle) + mu
        angle = ca.where(flat, math.pi * (2.0 * self._uniform(sizes) - 1.0), angle)
        return self._out(ca.remainder(angle + math.pi, 2.0 * math.pi) - math.pi)

    def hypergeometric(self, ngood: Any, nbad: Any, nsample: Any, size: Any = None) -> Any:
        """Return numbers of good ones among those that are drawn without replacement, one after the other."""
        sizes, good, bad, count = self._sized(size, ngood, nbad, nsample)
        for name, x in (("ngood", good), ("nbad", bad), ("nsample", count)):
            self._positive(name, x, zero=True)
        if bool(ca.any(good + bad < count)):
            raise CoreArrayValueError("ngood + nbad < nsample")
        rest, found = ca.broadcast_to(good, sizes), ca.zeros(sizes, dtype=ca.float64)
        for step in range(int(ca.max(count)) if count.size else 0):
            hit = (self._uniform(sizes) * (good + bad - step) < rest) & (step < count)
            rest, found = rest - ca.astype(hit, ca.float64), found + ca.astype(hit, ca.float64)
        return self._out(ca.astype(found, ca.int64))
