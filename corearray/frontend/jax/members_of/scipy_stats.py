"""`jax.scipy.stats`: logarithms of densities, densities and distribution functions of common distributions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayValueError
from corearray.frontend.jax.members_of.special_functions import FUNCTIONS as SPECIAL
from corearray.frontend.jax.promotion import cast, inexact, promoted
from corearray.frontend.jax.wrapper import Array, converted

__all__ = ["FUNCTIONS"]


def _given(*xs: Any) -> list[Any]:
    """Return arrays of one floating dtype."""
    pairs = [converted(x) for x in xs]
    own = inexact(promoted([(x.dtype, weak) for x, weak in pairs])[0])
    return [cast(x, own) for x, _ in pairs]


def _norm_logpdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    x, loc, scale = _given(x, loc, scale)
    squared = ca.square(scale)
    return (ca.log(2 * math.pi * squared) + ca.square(x - loc) / squared) / -2


def _standard(x: Any, loc: Any, scale: Any) -> Any:
    x, loc, scale = _given(x, loc, scale)
    return Array((x - loc) / scale)


def _norm_cdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    return SPECIAL["scipy.special.ndtr"](_standard(x, loc, scale)).array


def _norm_logcdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    return SPECIAL["scipy.special.log_ndtr"](_standard(x, loc, scale)).array


def _norm_ppf(q: Any, loc: Any = 0, scale: Any = 1) -> Any:
    q, loc, scale = _given(q, loc, scale)
    return ca.ndtri(q) * scale + loc


def _norm_sf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    return SPECIAL["scipy.special.ndtr"](-_standard(x, loc, scale)).array


def _uniform_logpdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    x, loc, scale = _given(x, loc, scale)
    outside = ca.logical_or(x > loc + scale, x < loc)
    return ca.where(outside, -ca.inf, -ca.log(scale) + 0 * x)


def _expon_logpdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    x, loc, scale = _given(x, loc, scale)
    return ca.where(x < loc, -ca.inf, -(ca.log(scale) + (x - loc) / scale))


def _laplace_logpdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    x, loc, scale = _given(x, loc, scale)
    return -(ca.log(2 * scale) + ca.abs(x - loc) / scale)


def _logistic_logpdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    x, loc, scale = _given(x, loc, scale)
    half = (x - loc) / scale / 2
    return -2 * ca.logaddexp(half, -half) - ca.log(scale)


def _cauchy_logpdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    x, loc, scale = _given(x, loc, scale)
    return -(ca.log(math.pi * scale) + ca.log1p(ca.square((x - loc) / scale)))


def _t_logpdf(x: Any, df: Any, loc: Any = 0, scale: Any = 1) -> Any:
    x, df, loc, scale = _given(x, df, loc, scale)
    one = 0.5 * (df + 1)
    total = ca.lgamma(one) - ca.lgamma(df / 2) - 0.5 * ca.log(math.pi * df) - ca.log(scale)
    return total - one * ca.log1p(ca.square((x - loc) / scale) / df)


def _gamma_logpdf(x: Any, a: Any, loc: Any = 0, scale: Any = 1) -> Any:
    x, a, loc, scale = _given(x, a, loc, scale)
    y = (x - loc) / scale
    inside = x >= loc
    safe = ca.where(inside, y, 1.0)
    made = ca.xlogy(a - 1, safe) - safe - ca.lgamma(a) - ca.log(scale)
    return ca.where(inside, made, -ca.inf)


def _beta_logpdf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    x, a, b, loc, scale = _given(x, a, b, loc, scale)
    y = (x - loc) / scale
    inside = ca.logical_and(y >= 0, y <= 1)
    safe = ca.where(inside, y, 0.5)
    total = ca.lgamma(a + b) - ca.lgamma(a) - ca.lgamma(b) - ca.log(scale)
    rest = 1 - safe
    corner = ca.logical_and(rest == 0, b != 1)
    tail = ca.where(corner, ca.xlogy(b - 1, rest), (b - 1) * ca.log1p(-ca.where(rest == 0, 0.0, safe)))
    return ca.where(inside, total + ca.xlogy(a - 1, safe) + tail, -ca.inf)


def _poisson_logpmf(k: Any, mu: Any, loc: Any = 0) -> Any:
    k, mu, loc = _given(k, mu, loc)
    x = k - loc
    inside = ca.logical_and(x >= 0, x == ca.round(x))
    safe = ca.where(inside, x, 0.0)
    return ca.where(inside, ca.xlogy(safe, mu) - ca.lgamma(safe + 1) - mu, -ca.inf)


def _bernoulli_logpmf(k: Any, p: Any, loc: Any = 0) -> Any:
    k, p, loc = _given(k, p, loc)
    x = k - loc
    made = ca.xlogy(x, p) + (1 - x) * ca.log1p(-p)
    made = ca.where(x == 1, ca.log(p), made)
    return ca.where(ca.logical_or(x == 0, x == 1), made, -ca.inf)


def _multivariate_normal_logpdf(x: Any, mean: Any, cov: Any, allow_singular: Any = None) -> Any:
    if allow_singular is not None:
        raise NotImplementedError("allow_singular argument of multivariate_normal.logpdf")
    x, mean, cov = _given(x, mean, cov)
    if not mean.shape:
        return -0.5 * ca.square(x - mean) / cov - 0.5 * (math.log(2 * math.pi) + ca.log(cov))
    n = mean.shape[-1]
    if not cov.shape:
        y = x - mean
        return -0.5 * ca.sum(y * y, axis=-1) / cov - n / 2 * (math.log(2 * math.pi) + ca.log(cov))
    if cov.ndim < 2 or tuple(cov.shape[-2:]) != (n, n):
        raise CoreArrayValueError("multivariate_normal.logpdf got incompatible shapes")
    factor = ca.linalg.cholesky(cov)
    y = ca.linalg.solve_triangular(factor, (x - mean)[..., None], lower=True)[..., 0]
    diagonal = ca.sum(ca.log(ca.linalg.diagonal(factor)), axis=-1)
    return -0.5 * ca.sum(y * y, axis=-1) - n / 2 * math.log(2 * math.pi) - diagonal


def _wrapped(name: str, compute: Callable[..., Any], after: Callable[[Any], Any] | None = None) -> Callable[..., Any]:
    def function(*args: Any, **options: Any) -> Any:
        made = compute(*args, **options)
        return Array(made if after is None else after(made))

    function.__name__ = function.__qualname__ = name.rpartition(".")[2]
    function.__module__ = f"jax.scipy.stats.{name.rpartition('.')[0]}"
    function.__doc__ = f"Compute what `jax.scipy.stats.{name}` computes."
    return function


_DENSITIES: dict[str, Callable[..., Any]] = {
    "norm": _norm_logpdf, "uniform": _uniform_logpdf, "expon": _expon_logpdf, "laplace": _laplace_logpdf,
    "logistic": _logistic_logpdf, "cauchy": _cauchy_logpdf, "t": _t_logpdf, "gamma": _gamma_logpdf, "beta": _beta_logpdf,
    "multivariate_normal": _multivariate_normal_logpdf,
}  # fmt: skip
_MASSES: dict[str, Callable[..., Any]] = {"poisson": _poisson_logpmf, "bernoulli": _bernoulli_logpmf}
_OTHERS: dict[str, Callable[..., Any]] = {
    "norm.cdf": _norm_cdf, "norm.logcdf": _norm_logcdf, "norm.ppf": _norm_ppf, "norm.sf": _norm_sf,
}  # fmt: skip

FUNCTIONS: dict[str, Any] = {}
for _kind, _functions in (("pdf", _DENSITIES), ("pmf", _MASSES)):
    for _name, _compute in _functions.items():
        FUNCTIONS[f"scipy.stats.{_name}.log{_kind}"] = _wrapped(f"{_name}.log{_kind}", _compute)
        FUNCTIONS[f"scipy.stats.{_name}.{_kind}"] = _wrapped(f"{_name}.{_kind}", _compute, ca.exp)
FUNCTIONS |= {f"scipy.stats.{name}": _wrapped(name, compute) for name, compute in _OTHERS.items()}
