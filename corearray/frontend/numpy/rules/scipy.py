"""Functions of SciPy in programs of NumPy: special functions and a few of matrices."""

from __future__ import annotations

from math import sqrt
from typing import Any

import corearray as ca
from corearray.frontend.numpy.described import same, say
from corearray.frontend.numpy.promotion import array, common, floating
from corearray.frontend.numpy.templates import binary_floating, unary_floating

__all__: list[str] = []

same(
    unary_floating,
    "scipy.special.{}",
    "erf erfc erfinv gammaln=lgamma loggamma=lgamma psi=digamma digamma expit=sigmoid logit i0 entr ndtri exp2 expm1 cbrt log1p",
)
same(
    binary_floating,
    "scipy.special.{}",
    "gammainc=igamma gammaincc=igammac zeta xlogy rel_entr",
)

say("""
scipy.special.i0e(x, /, out=None) = ca.exp(-ca.abs(floating(x))) * ca.i0(floating(x))
scipy.special.ndtr(x, /, out=None) = 0.5 * ca.erfc(floating(x) * -ROOT)
scipy.special.gamma(x, /, out=None) = _gamma(floating(x))
scipy.special.betaln(a, b, /, out=None) = _betaln(*map(floating, common(a, b)))
scipy.special.xlog1py(x, y, /, out=None) = _xlog1py(*map(floating, common(x, y)))
scipy.special.betainc(a, b, x, /, out=None) = ca.betainc(*map(floating, common(a, b, x)))
scipy.special.logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False) = _logsumexp(a, axis, b, keepdims, return_sign)
scipy.special.softmax(x, axis=None) = _normalized(ca.softmax, x, axis)
scipy.special.log_softmax(x, axis=None) = _normalized(ca.log_softmax, x, axis)
scipy.linalg.expm(A) = ca.linalg.matrix_exp(floating(A))
scipy.linalg.solve_sylvester(a, b, q) = ca.linalg.solve_sylvester(*map(floating, common(a, b, q)))
""")

ROOT = sqrt(0.5)


def _gamma(x: ca.Array) -> Any:
    negative = ca.logical_and(x < 0, ca.remainder(ca.floor(x), 2) != 0)
    made = ca.exp(ca.lgamma(x)) * ca.where(negative, -1.0, 1.0)
    return ca.where(ca.logical_and(x < 0, x == ca.floor(x)), ca.nan, made)


def _betaln(a: ca.Array, b: ca.Array) -> Any:
    return ca.lgamma(a) + ca.lgamma(b) - ca.lgamma(a + b)


def _xlog1py(x: ca.Array, y: ca.Array) -> Any:
    used = ca.logical_or(x != 0, ca.isnan(y))
    return ca.where(used, x * ca.log1p(ca.where(used, y, 0.0)), 0.0)


def _logsumexp(a: Any, axis: Any, b: Any, keepdims: bool, return_sign: bool) -> Any:
    x = floating(a)
    if b is None and not return_sign:
        return ca.logsumexp(x, axis=axis, keepdims=keepdims)
    factors = ca.ones_like(x) if b is None else floating(array(b))
    top = ca.max(ca.where(factors == 0, -ca.inf, x), axis=axis, keepdims=True)
    top = ca.where(ca.isfinite(top), top, 0.0)
    total = ca.sum(factors * ca.exp(x - top), axis=axis, keepdims=True)
    found, sign = ca.log(ca.abs(total)) + top, ca.sign(total)
    if not keepdims and x.ndim:
        gone = tuple(range(x.ndim)) if axis is None else axis
        found, sign = ca.squeeze(found, axis=gone), ca.squeeze(sign, axis=gone)
    return (found, sign) if return_sign else ca.where(sign < 0, ca.nan, found)


def _normalized(function: Any, x: Any, axis: Any) -> Any:
    given = floating(x)
    if isinstance(axis, int):
        return function(given, axis=axis)
    flat = function(ca.reshape(given, (-1,)), axis=0)
    return ca.reshape(flat, tuple(given.shape))
