"""`jax.scipy.special`: gamma and beta functions, entropies, the normal distribution, and Bessel functions."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayNotImplementedError, CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.jax.members_of.lax_elementwise import primitive
from corearray.frontend.jax.promotion import cast, default, inexact, promoted
from corearray.frontend.jax.wrapper import Array, converted

__all__ = ["FUNCTIONS", "bernoulli", "comb", "factorial", "log_ndtr", "multigammaln", "ndtr", "ndtri", "polygamma"]


def _given(*xs: Any) -> tuple[list[Any], bool]:
    """Return operands as arrays of one floating dtype, and whether it is weak."""
    pairs = [converted(x) for x in xs]
    own, weak = promoted([(x.dtype, one) for x, one in pairs])
    own = inexact(own)
    return [cast(x, own) for x, _ in pairs], weak


def _real(name: str, compute: Callable[..., Any], *, strong: bool = False) -> Callable[..., Any]:
    """Return a function of real arrays, which are promoted."""

    def function(*xs: Any) -> Any:
        arrays, weak = _given(*xs)
        if arrays[0].dtype.category == "complex floating":
            raise CoreArrayValueError(f"{name} does not support complex-valued inputs.")
        return Array(compute(*arrays), weak and not strong)

    function.__name__ = function.__qualname__ = name
    function.__module__ = "jax.scipy.special"
    function.__doc__ = f"Compute what `jax.scipy.special.{name}` computes."
    return function


def _gammasgn(x: ca.Array) -> Any:
    down = ca.floor(x)
    negative = x < 0
    pole = ca.logical_or(ca.logical_and(negative, x == down), ca.isnan(x))
    odd = ca.logical_and(negative, ca.remainder(down, 2) != 0)
    odd = ca.logical_or(odd, ca.logical_and(x == 0, ca.signbit(x)))
    return ca.where(pole, ca.nan, ca.where(odd, -1.0, ca.ones_like(x)))


def _gamma(x: ca.Array) -> Any:
    return _gammasgn(x) * ca.exp(ca.lgamma(x))


def _betaln(a: ca.Array, b: ca.Array) -> Any:
    return ca.lgamma(a) + ca.lgamma(b) - ca.lgamma(a + b)


def _beta(a: ca.Array, b: ca.Array) -> Any:
    return _gammasgn(a) * _gammasgn(b) * _gammasgn(a + b) * ca.exp(_betaln(a, b))


def _poch(z: ca.Array, m: ca.Array) -> Any:
    sign = _gammasgn(z + m) * _gammasgn(z)
    return ca.where(m == 0, 1.0, sign * ca.exp(ca.lgamma(z + m) - ca.lgamma(z)))


def _xlog1py(x: ca.Array, y: ca.Array) -> Any:
    used = ca.logical_or(x != 0, ca.isnan(y))
    return ca.where(used, x * ca.log1p(ca.where(used, y, 0.0)), 0.0)


def _boxcox(logarithm: Callable[[Any], Any]) -> Callable[..., Any]:
    def function(x: ca.Array, power: ca.Array) -> Any:
        zero = power == 0
        safe = ca.where(zero, 1.0, power)
        return ca.where(zero, logarithm(x), ca.expm1(safe * logarithm(x)) / safe)

    return function


def _rel_entr(p: ca.Array, q: ca.Array) -> Any:
    both = ca.logical_and(p > 0, q > 0)
    safe_p, safe_q = ca.where(both, p, 1.0), ca.where(both, q, 1.0)
    found = safe_p * ca.log(safe_p) - safe_p * ca.log(safe_q)
    rest = ca.where(ca.logical_and(p == 0, q >= 0), 0.0, ca.full_like(p, ca.inf))
    return ca.where(both, found, rest)


def _of_torch(name: str) -> Callable[..., Any]:
    """Return a function that the rules of torch's frontend have too."""

    def function(x: ca.Array) -> Any:
        from corearray.frontend.frontend import get_frontend

        return get_frontend("torch").function(f"torch.special.{name}")(x)

    return function


def _i1(x: ca.Array) -> Any:
    return ca.exp(ca.abs(x)) * primitive("bessel_i1e")(x)


def _checked_normal(name: str, x: Any) -> Any:
    """Return an array of float32 or float64.

    Raises
    ------
    TypeError
        If it is of another dtype.
    """
    array, weak = converted(x)
    if array.dtype not in (ca.float32, ca.float64):
        raise CoreArrayTypeError(f"{name}: x.dtype={array.dtype} is not supported, use float32 or float64.")
    return array, weak


def ndtr(x: Any) -> Any:
    """Return the normal distribution function."""
    array, _ = _checked_normal("ndtr", x)
    return Array(0.5 * ca.erfc(-array * math.sqrt(0.5)))


def log_ndtr(x: Any, series_order: int = 3) -> Any:
    """Return the logarithm of the normal distribution function, which is right far below zero too."""
    if not isinstance(series_order, int):
        raise CoreArrayTypeError("series_order must be a Python integer.")
    if not 0 <= series_order <= 30:
        raise CoreArrayValueError(f"series_order must be non-negative and <= 30, got {series_order}.")
    return Array(_of_torch("log_ndtr")(_checked_normal("log_ndtr", x)[0]))


def ndtri(p: Any) -> Any:
    """Return the inverse of the normal distribution function."""
    return Array(ca.ndtri(_checked_normal("ndtri", p)[0]))


def factorial(n: Any, exact: bool = False) -> Any:
    """Return n!, zero for negative numbers."""
    if exact:
        raise CoreArrayNotImplementedError("factorial with exact=True")
    (x,), weak = _given(n)
    return Array(ca.where(x < 0, 0.0, ca.exp(ca.lgamma(x + 1))), weak)


def comb(N: Any, k: Any, *, repetition: bool = False) -> Any:
    """Return the number of ways to choose k of N things."""
    (n, taken), weak = _given(N, k)
    total = n + taken - 1 if repetition else n
    inside = ca.logical_and(taken <= total, ca.logical_and(total >= 0, taken >= 0))
    safe, part = ca.where(inside, total, 0.0), ca.where(inside, taken, 0.0)
    made = ca.where(inside, ca.exp(ca.lgamma(safe + 1) - ca.lgamma(part + 1) - ca.lgamma(safe + 1 - part)), 0.0)
    if repetition:
        made = ca.where(ca.logical_and(taken == 0, n >= 0), 1.0, made)
    return Array(made, weak)


def multigammaln(a: Any, d: Any) -> Any:
    """Return the logarithm of the multivariate gamma function."""
    (x,), _ = _given(a)
    size = operator.index(d)
    steps = ca.arange(size, dtype=x.dtype) / 2
    return Array(ca.sum(ca.lgamma(x[..., None] - steps), axis=-1) + 0.25 * size * (size - 1) * math.log(math.pi))


def polygamma(n: Any, x: Any) -> Any:
    """Return the n-th derivative of digamma."""
    kind = converted(n)[0].dtype.category
    if kind not in ("signed integer", "unsigned integer"):
        raise CoreArrayValueError(
            f"Argument `n` to polygamma must be of integer type. Got dtype {converted(n)[0].dtype}."
        )
    (order, array), weak = _given(n, x)
    return Array(primitive("polygamma")(order, array), weak)


def bernoulli(n: Any) -> Any:
    """Return the Bernoulli numbers up to the n-th."""
    count = operator.index(n)
    if count < 0:
        raise CoreArrayValueError("n must be a non-negative integer.")
    made = [1.0, -0.5, 1 / 6][: count + 1] + [0.0] * (count - 2)
    product = 1.0
    for m in range(4, count + 1, 2):
        product *= -(m - 1) * m / (4 * math.pi**2)
        made[m] = product / math.pi**2 * sum(k**-m for k in range(1, 50))
    return Array(ca.asarray(made, dtype=default(float)))


_COMPUTED: dict[str, Callable[..., Any]] = {
    "gammasgn": _gammasgn,
    "gamma": _gamma,
    "loggamma": lambda x: ca.where(x > 0, ca.lgamma(x), ca.nan),
    "beta": _beta,
    "betaln": _betaln,
    "poch": _poch,
    "xlog1py": _xlog1py,
    "entr": lambda x: ca.where(x < 0, -ca.inf, -ca.xlogy(x, x)),
    "boxcox": _boxcox(ca.log),
    "boxcox1p": _boxcox(ca.log1p),
    "rel_entr": _rel_entr,
    "kl_div": lambda p, q: _rel_entr(p, q) - p + q,
    "i0e": lambda x: primitive("bessel_i0e")(x),
    "i1e": lambda x: primitive("bessel_i1e")(x),
    "i1": _i1,
    "erfcx": _of_torch("erfcx"),
}

FUNCTIONS: dict[str, Any] = {f"scipy.special.{name}": _real(name, compute) for name, compute in _COMPUTED.items()}
FUNCTIONS |= {
    f"scipy.special.{one.__name__}": one
    for one in (ndtr, log_ndtr, ndtri, factorial, comb, multigammaln, polygamma, bernoulli)
}
