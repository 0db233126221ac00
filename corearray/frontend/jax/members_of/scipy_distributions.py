"""`jax.scipy.stats`: more distributions, and distribution functions of the common ones, each by its standard form."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.jax.members_of.lax_elementwise import primitive
from corearray.frontend.jax.members_of.special_functions import FUNCTIONS as SPECIAL
from corearray.frontend.jax.promotion import cast, inexact, promoted
from corearray.frontend.jax.wrapper import Array, converted

__all__ = ["FUNCTIONS"]


def _special(name: str, *xs: Any) -> Any:
    return SPECIAL[f"scipy.special.{name}"](*map(Array, xs)).array


def _log1mexp(x: Any) -> Any:
    """Return `log(1 - exp(-x))`."""
    small = x < math.log(2)
    near = ca.log(-ca.expm1(-ca.where(small, x, 1.0)))
    return ca.where(small, near, ca.log1p(-ca.exp(-ca.where(small, 1.0, x))))


def _between(q: Any, made: Any, *, open_ends: bool = False) -> Any:
    """Return NaN for what is no probability."""
    inside = ca.logical_and(q > 0, q < 1) if open_ends else ca.logical_and(q >= 0, q <= 1)
    return ca.where(inside, made, ca.nan)


def _positive(z: Any) -> Any:
    return ca.maximum(z, 0.0)


def _of_mass(low: Any, high: Any) -> Any:
    """Return the logarithm of the probability of a normal number between bounds."""
    low, high = ca.broadcast_arrays(low, high)
    right = low > 0
    central = ca.logical_not(ca.logical_or(high <= 0, right))
    first, second = ca.where(right, -high, low), ca.where(right, -low, high)
    smaller, larger = _special("log_ndtr", first), _special("log_ndtr", second)
    finite = ca.isfinite(larger)
    gap = ca.where(finite, larger, 0.0) - ca.where(finite, smaller, 0.0)
    tail = ca.where(finite, larger + _log1mexp(gap), larger)
    middle = ca.log1p(-_special("ndtr", low) - _special("ndtr", -high))
    return ca.where(central, middle, tail)


def _truncnorm_logpdf(z: Any, a: Any, b: Any) -> Any:
    made = -0.5 * z * z - 0.5 * math.log(2 * math.pi) - _of_mass(a, b)
    made = ca.where(ca.logical_or(z < a, z > b), -ca.inf, made)
    return ca.where(a >= b, ca.nan, made)


def _truncnorm_logcdf(z: Any, a: Any, b: Any) -> Any:
    z, a, b = ca.broadcast_arrays(z, a, b)
    whole = _of_mass(a, b)
    inside = ca.logical_and(z > a, z < b)
    safe = ca.where(inside, z, (a + b) / 2)
    below, above = _of_mass(a, safe) - whole, _of_mass(safe, b) - whole
    made = ca.where(below > -0.1, ca.log1p(-ca.exp(ca.minimum(above, 0.0))), below)
    made = ca.where(z >= b, 0.0, ca.where(z <= a, -ca.inf, made))
    return ca.where(a >= b, ca.nan, made)


def _uniform_cdf(z: Any) -> Any:
    return ca.clip(z, 0.0, 1.0)


def _wrapcauchy_logpdf(x: Any, c: Any) -> Any:
    made = ca.log(1 - c * c) - math.log(2 * math.pi) - ca.log(1 + c * c - 2 * c * ca.cos(x))
    inside = ca.logical_and(x >= 0, x <= 2 * math.pi)
    return ca.where(ca.logical_and(c > 0, c < 1), ca.where(inside, made, -ca.inf), ca.nan)


#: Functions of the standard form: of `(x - loc) / scale` and the parameters of shape. `logpdf` is without `log(scale)`.
_STANDARD: dict[str, dict[str, Callable[..., Any]]] = {
    "chi2": {
        "logpdf": lambda x, df: ca.where(
            x < 0, -ca.inf, (df / 2 - 1) * ca.log(x) - x / 2 - ca.lgamma(df / 2) - df / 2 * math.log(2)
        ),
        "cdf": lambda x, df: ca.igamma(df / 2, _positive(x) / 2),
        "sf": lambda x, df: ca.igammac(df / 2, _positive(x) / 2),
    },
    "pareto": {
        "logpdf": lambda x, b: ca.where(x < 1, -ca.inf, ca.log(b) - (b + 1) * ca.log(x)),
        "cdf": lambda x, b: ca.where(x < 1, 0.0, 1 - ca.maximum(x, 1.0) ** -b),
        "logcdf": lambda x, b: ca.where(x < 1, -ca.inf, ca.log1p(-(ca.maximum(x, 1.0) ** -b))),
        "logsf": lambda x, b: ca.where(x < 1, 0.0, -b * ca.log(ca.maximum(x, 1.0))),
        "ppf": lambda q, b: _between(q, (1 - q) ** (-1 / b)),
    },
    "gumbel_l": {
        "logpdf": lambda x: x - ca.exp(x),
        "logcdf": lambda x: ca.log(-ca.expm1(-ca.exp(x))),
        "logsf": lambda x: -ca.exp(x),
        "ppf": lambda p: _between(p, ca.log(-ca.log1p(-p)), open_ends=True),
    },
    "gumbel_r": {
        "logpdf": lambda x: -(x + ca.exp(-x)),
        "logcdf": lambda x: -ca.exp(-x),
        "sf": lambda x: 1 - ca.exp(-ca.exp(-x)),
        "logsf": lambda x: _log1mexp(ca.exp(-x)),
        "ppf": lambda p: _between(p, -ca.log(-ca.log(p)), open_ends=True),
    },
    "truncnorm": {
        "logpdf": _truncnorm_logpdf,
        "logcdf": _truncnorm_logcdf,
        "logsf": lambda x, a, b: _truncnorm_logcdf(-x, -b, -a),
    },
    "beta": {
        "cdf": lambda x, a, b: ca.betainc(a, b, ca.clip(x, 0.0, 1.0)),
        "sf": lambda x, a, b: ca.betainc(b, a, 1 - ca.clip(x, 0.0, 1.0)),
    },
    "gamma": {"cdf": lambda x, a: ca.igamma(a, _positive(x)), "sf": lambda x, a: ca.igammac(a, _positive(x))},
    "cauchy": {
        "cdf": lambda x: 0.5 + ca.atan(x) / math.pi,
        "sf": lambda x: 0.5 + ca.atan(-x) / math.pi,
        "ppf": lambda q: ca.tan(math.pi * q - math.pi / 2),
        "isf": lambda q: ca.tan(math.pi / 2 - math.pi * q),
    },
    "expon": {
        "cdf": lambda x: -ca.expm1(-_positive(x)),
        "logcdf": lambda x: ca.log1p(-ca.exp(-_positive(x))),
        "logsf": lambda x: -_positive(x),
        "ppf": lambda q: _between(q, -ca.log1p(-q)),
    },
    "laplace": {"cdf": lambda x: ca.where(x <= 0, 0.5 * ca.exp(-ca.abs(x)), 1 - 0.5 * ca.exp(-ca.abs(x)))},
    "logistic": {
        "cdf": lambda x: ca.sigmoid(x),
        "sf": lambda x: ca.sigmoid(-x),
        "ppf": lambda x: ca.logit(x),
        "isf": lambda x: -ca.logit(x),
    },
    "norm": {"logsf": lambda x: _special("log_ndtr", -x), "isf": lambda q: ca.ndtri(1 - q)},
    "uniform": {"cdf": _uniform_cdf, "ppf": lambda q: _between(q, q)},
}

#: Functions that follow from another one, by `exp` and `log`.
_DERIVED = {
    "pdf": ("logpdf", ca.exp), "pmf": ("logpmf", ca.exp), "cdf": ("logcdf", ca.exp), "logcdf": ("cdf", ca.log),
    "sf": ("logsf", ca.exp), "logsf": ("sf", ca.log),
}  # fmt: skip

#: The functions that JAX has, where they are more than those above and densities.
_NAMES = {
    "chi2": "logpdf pdf cdf logcdf sf logsf", "pareto": "logpdf pdf cdf logcdf sf logsf ppf",
    "gumbel_l": "logpdf pdf cdf logcdf sf logsf ppf", "gumbel_r": "logpdf pdf cdf logcdf sf logsf ppf",
    "truncnorm": "logpdf pdf cdf logcdf sf logsf", "beta": "cdf logcdf sf logsf", "gamma": "cdf logcdf sf logsf",
    "cauchy": "cdf logcdf sf logsf ppf isf", "expon": "cdf logcdf sf logsf ppf", "laplace": "cdf",
    "logistic": "cdf sf ppf isf", "norm": "logsf isf", "uniform": "cdf ppf",
}  # fmt: skip


def _binom_logpmf(k: Any, n: Any, p: Any, loc: Any = 0) -> Any:
    y = k - loc
    chosen = ca.lgamma(n + 1) - ca.lgamma(y + 1) - ca.lgamma(n - y + 1)
    linear = ca.xlogy(y, p) + _special("xlog1py", n - y, -p)
    sure = ca.logical_or(ca.logical_and(y == 0, n == 0), linear == 0)
    inside = ca.logical_and(k >= loc, k < loc + n + 1)
    return ca.where(inside, ca.where(sure, 0.0, chosen + linear), -ca.inf)


def _betaln(a: Any, b: Any) -> Any:
    return ca.lgamma(a) + ca.lgamma(b) - ca.lgamma(a + b)


def _betabinom_logpmf(k: Any, n: Any, a: Any, b: Any, loc: Any = 0) -> Any:
    y = ca.floor(k) - loc
    made = _betaln(y + a, n - y + b) - _betaln(a, b) - ca.log1p(n) - _betaln(n - y + 1, y + 1)
    made = ca.where(ca.logical_and(y == 0, n == 0), 0.0, made)
    outside = ca.logical_or(ca.logical_or(y < -loc, y > n), y + a <= 0)
    wrong = ca.logical_or(ca.logical_or(n < 0, a <= 0), b <= 0)
    return ca.where(wrong, ca.nan, ca.where(outside, -ca.inf, made))


def _geom_logpmf(k: Any, p: Any, loc: Any = 0) -> Any:
    x = k - loc
    return ca.where(x <= 0, -ca.inf, _special("xlog1py", x - 1, -p) + ca.log(p))


def _nbinom_logpmf(k: Any, n: Any, p: Any, loc: Any = 0) -> Any:
    y = k - loc
    made = ca.lgamma(y + n) - ca.lgamma(n) - ca.lgamma(y + 1) + ca.xlogy(n, p) + ca.xlogy(y, 1 - p)
    return ca.where(y < 0, -ca.inf, made)


def _gennorm_cdf(x: Any, beta: Any) -> Any:
    return 0.5 * (1 + ca.sign(x) * ca.igamma(1 / beta, ca.abs(x) ** beta))


def _vonmises_logpdf(x: Any, kappa: Any) -> Any:
    made = kappa * (ca.cos(x) - 1) - ca.log(2 * math.pi * primitive("bessel_i0e")(kappa))
    return ca.where(kappa > 0, made, ca.nan)


def _poisson_cdf(k: Any, mu: Any, loc: Any = 0) -> Any:
    x = k - loc
    return ca.where(x < 0, 0.0, ca.igammac(ca.floor(1 + _positive(x)), mu))


def _bernoulli_cdf(k: Any, p: Any) -> Any:
    made = ca.where(k < 0, 0.0, ca.where(k < 1, 1 - p, 1.0))
    return ca.where(ca.isnan(k), ca.nan, _between(p, made))


def _bernoulli_ppf(q: Any, p: Any) -> Any:
    return _between(p, _between(q, ca.where(q <= 1 - p, 0.0, 1.0)))


def _entropies(mu: Any, count: int, reach: Any) -> Any:
    """Return sums of `-p log p` over numbers below a bound."""
    k = ca.arange(count, dtype=mu.dtype)[:, None]
    logarithms = ca.xlogy(k, mu) - ca.lgamma(k + 1) - mu
    terms = ca.where(k < ca.ceil(reach), -ca.exp(logarithms) * logarithms, 0.0)
    return ca.sum(terms, axis=0)


def _poisson_entropy(mu: Any, loc: Any = 0) -> Any:
    shape = ca.broadcast_shapes(tuple(mu.shape), tuple(getattr(loc, "shape", ())))
    flat = ca.reshape(mu, (-1,))
    small, medium = ca.clip(flat, 0.125, 10.0), ca.clip(flat, 10.0, 100.0)
    near = _entropies(ca.where(flat < 10, ca.maximum(flat, 1e-30), small), 35, small + 20)
    between = _entropies(medium, 250, medium + 10 * ca.sqrt(medium) + 20)
    far = 0.5 * ca.log(2 * math.pi * math.e * flat) - 1.0 / (12 * flat)
    made = ca.where(flat < 10, near, ca.where(flat < 100, between, far))
    return ca.broadcast_to(ca.reshape(ca.where(flat == 0, 0.0, made), tuple(mu.shape)), shape)


def _dirichlet_logpdf(x: Any, alpha: Any) -> Any:
    if alpha.ndim != 1:
        raise CoreArrayValueError(f"`alpha` must be one-dimensional; got alpha.shape={tuple(alpha.shape)}")
    if x.shape[0] not in (alpha.shape[0], alpha.shape[0] - 1):
        raise CoreArrayValueError(
            "`x` must have either the same number of entries as `alpha` or one entry fewer; "
            f"got x.shape={tuple(x.shape)}, alpha.shape={tuple(alpha.shape)}"
        )
    if x.shape[0] != alpha.shape[0]:
        x = ca.concat([x, 1 - ca.sum(x, axis=0, keepdims=True)], axis=0)
    norm = ca.sum(ca.lgamma(alpha)) - ca.lgamma(ca.sum(alpha))
    powers = ca.reshape(alpha, (-1,) + (1,) * (x.ndim - 1)) - 1
    inside = ca.logical_and(ca.all(x > 0, axis=0), ca.abs(ca.sum(x, axis=0) - 1) < 1e-6)
    return ca.where(inside, ca.sum(ca.xlogy(powers, x), axis=0) - norm, -ca.inf)


#: Functions of their own parameters, all arrays of one floating dtype.
_OWN: dict[str, Callable[..., Any]] = {
    "binom.logpmf": _binom_logpmf, "betabinom.logpmf": _betabinom_logpmf, "geom.logpmf": _geom_logpmf,
    "nbinom.logpmf": _nbinom_logpmf, "dirichlet.logpdf": _dirichlet_logpdf, "gennorm.cdf": _gennorm_cdf,
    "gennorm.logpdf": lambda x, beta: ca.log(0.5 * beta) - ca.lgamma(1 / beta) - ca.abs(x) ** beta,
    "vonmises.logpdf": _vonmises_logpdf, "wrapcauchy.logpdf": _wrapcauchy_logpdf, "poisson.cdf": _poisson_cdf,
    "poisson.entropy": _poisson_entropy, "bernoulli.cdf": _bernoulli_cdf, "bernoulli.ppf": _bernoulli_ppf,
}  # fmt: skip


def _named(name: str, signature: inspect.Signature, compute: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of numbers and arrays, which become arrays of one floating dtype."""

    def function(*args: Any, **options: Any) -> Any:
        try:
            bound = signature.bind(*args, **options)
        except TypeError as error:
            raise CoreArrayTypeError(f"jax.scipy.stats.{name}{signature}: {error}") from None
        bound.apply_defaults()
        pairs = [converted(x) for x in bound.arguments.values()]
        own = inexact(promoted([(x.dtype, weak) for x, weak in pairs])[0])
        return Array(compute(*(cast(x, own) for x, _ in pairs)))

    function.__name__ = function.__qualname__ = name.rpartition(".")[2]
    function.__module__ = f"jax.scipy.stats.{name.rpartition('.')[0]}"
    function.__doc__ = f"Compute what `jax.scipy.stats.{name}` computes."
    function.__signature__ = signature  # type: ignore[attr-defined]
    return function


def _standardized(name: str, kind: str) -> Callable[..., Any]:
    """Return a function with `loc` and `scale` of one of the standard form."""
    table = _STANDARD[name]
    base, after = (kind, None) if kind in table else _DERIVED[kind]
    compute = table[base]
    parameters = [*inspect.signature(compute).parameters.values()]
    empty = inspect.Parameter.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature(
        [*parameters, *(inspect.Parameter(one, empty, default=n) for one, n in (("loc", 0), ("scale", 1)))]
    )

    def function(x: Any, *rest: Any) -> Any:
        *shapes, loc, scale = rest
        if kind in ("ppf", "isf"):
            return compute(x, *shapes) * scale + loc
        made = compute((x - loc) / scale, *shapes)
        made = made - ca.log(scale) if base == "logpdf" else made
        made = ca.where(scale > 0, made, ca.nan) if name.startswith("gumbel") else made
        return made if after is None else after(made)

    return _named(f"{name}.{kind}", signature, function)


def _multinomial_logpmf(x: Any, n: Any, p: Any) -> Any:
    counts, total, shares = (converted(one)[0] for one in (x, n, p))
    for one in (counts, total):
        if one.dtype.category not in ("signed integer", "unsigned integer"):
            raise CoreArrayValueError(
                f"x and n must be of integer type; got x.dtype={counts.dtype}, n.dtype={total.dtype}"
            )
    shares = cast(shares, inexact(shares.dtype))
    same = ca.sum(counts) == total
    counts, total = cast(counts, shares.dtype), cast(total, shares.dtype)
    made = ca.lgamma(total + 1) + ca.sum(ca.xlogy(counts, shares) - ca.lgamma(counts + 1), axis=-1)
    return Array(ca.where(same, made, -ca.inf))


def _multinomial_pmf(x: Any, n: Any, p: Any) -> Any:
    return Array(ca.exp(_multinomial_logpmf(x, n, p).array))


FUNCTIONS: dict[str, Any] = {
    f"scipy.stats.{name}.{kind}": _standardized(name, kind) for name, kinds in _NAMES.items() for kind in kinds.split()
} | {"scipy.stats.multinomial.logpmf": _multinomial_logpmf, "scipy.stats.multinomial.pmf": _multinomial_pmf}
for _path, _compute in _OWN.items():
    _name, _, _kind = _path.rpartition(".")
    _signature = inspect.signature(_compute)
    FUNCTIONS[f"scipy.stats.{_path}"] = _named(_path, _signature, _compute)
    if _kind.startswith("log"):
        FUNCTIONS[f"scipy.stats.{_name}.{_kind[3:]}"] = _named(
            f"{_name}.{_kind[3:]}", _signature, lambda *xs, _of=_compute: ca.exp(_of(*xs))
        )
