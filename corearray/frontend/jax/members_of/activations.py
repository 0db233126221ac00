"""`jax.nn`: activations, softmax, one-hot codes, attention; and `jax.scipy.special`'s elementary functions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.jax.members_of.custom_derivatives import custom_gradient_of
from corearray.frontend.jax.promotion import cast, inexact, promoted, requested
from corearray.frontend.jax.wrapper import Array, converted, numpy_function

__all__ = [
    "FUNCTIONS", "celu", "dot_product_attention", "elu", "expit", "gelu", "glu", "hard_sigmoid", "hard_silu",
    "hard_tanh", "identity", "leaky_relu", "log1mexp", "log_sigmoid", "log_softmax", "logmeanexp", "logsumexp",
    "mish", "one_hot", "relu", "relu6", "selu", "sigmoid", "silu", "soft_sign", "softmax", "softplus",
    "sparse_plus", "sparse_sigmoid", "squareplus", "standardize",
]  # fmt: skip


def _np(name: str, *args: Any, **options: Any) -> Any:
    return numpy_function(name)(*args, **options)


def _given(x: Any) -> Any:
    return x if isinstance(x, Array) else Array(*converted(x))


def _inexact(x: Any) -> Any:
    """Return a floating array that keeps a weak dtype."""
    array, weak = converted(x)
    return Array(cast(array, inexact(array.dtype)), weak)


def relu(x: Any) -> Any:
    """Return positive numbers, and zero for others; the derivative at zero is zero."""
    if isinstance(x, ca.Array):  # in the text of a transpiled program
        return ca.relu(x)
    given = _given(x)
    return Array(ca.relu(given.array), given.weak_type) if given.array.dtype != ca.bool else given


def relu6(x: Any) -> Any:
    """Return numbers between 0 and 6; the derivative is zero at both."""
    given = _given(x)
    made = ca.minimum(ca.maximum(given.array, 0), 6)
    if given.array.dtype.category != "real floating":
        return _np("minimum", _np("maximum", given, 0), 6.0)
    inner = ca.astype(ca.logical_and(given.array > 0, given.array < 6), made.dtype)
    return custom_gradient_of(
        lambda y: Array(ca.minimum(ca.maximum(y.array, 0.0), 6.0), given.weak_type),
        lambda _, slope: (slope * Array(inner),),
        (given,),
    )


def sigmoid(x: Any) -> Any:
    """Return the logistic function."""
    given = _inexact(x)
    return Array(ca.sigmoid(given.array), given.weak_type)


def softplus(x: Any) -> Any:
    """Return log(1 + exp(x))."""
    return _np("logaddexp", x, 0)


def soft_sign(x: Any) -> Any:
    """Return x / (1 + |x|)."""
    given = _given(x)
    return given / (abs(given) + 1)


def silu(x: Any) -> Any:
    """Return x times its logistic function."""
    given = _given(x)
    return given * sigmoid(given)


def mish(x: Any) -> Any:
    """Return x tanh(softplus(x))."""
    given = _given(x)
    return given * _np("tanh", softplus(given))


def log_sigmoid(x: Any) -> Any:
    """Return the logarithm of the logistic function."""
    return -softplus(-_given(x))


def elu(x: Any, alpha: Any = 1.0) -> Any:
    """Return x, and alpha (exp(x) - 1) below zero."""
    given = _given(x)
    low = _np("expm1", _np("where", given > 0, 0.0, given))
    return _np("where", given > 0, given, alpha * low)


def leaky_relu(x: Any, negative_slope: Any = 0.01) -> Any:
    """Return x, and a multiple of it below zero."""
    given = _given(x)
    return _np("where", given >= 0, given, negative_slope * given)


def hard_tanh(x: Any) -> Any:
    """Return numbers between -1 and 1."""
    given = _given(x)
    return _np("where", given > 1, 1, _np("where", given < -1, -1, given))


def celu(x: Any, alpha: Any = 1.0) -> Any:
    """Return x, and alpha (exp(x / alpha) - 1) below zero."""
    return _np("maximum", x, 0.0) + alpha * _np("expm1", _np("minimum", x, 0.0) / alpha)


def selu(x: Any) -> Any:
    """Return the self-normalising exponential linear unit."""
    return 1.0507009873554805 * elu(x, 1.6732632423543772)


def gelu(x: Any, approximate: bool = True) -> Any:
    """Return x times the normal distribution function, by its approximation with tanh or by erf."""
    array = _inexact(x).array
    return Array(ca.gelu(array, approximate="tanh" if approximate else "none"))


def glu(x: Any, axis: int = -1) -> Any:
    """Return the first half times the logistic function of the second."""
    given = _given(x)
    if given.shape[axis] % 2:
        raise CoreArrayValueError(f"axis size must be divisible by 2, got {given.shape[axis]}")
    one, other = _np("split", given, 2, axis=axis)
    return one * sigmoid(other)


def hard_sigmoid(x: Any) -> Any:
    """Return relu6(x + 3) / 6."""
    return relu6(_given(x) + 3.0) / 6.0


def hard_silu(x: Any) -> Any:
    """Return x times its hard logistic function."""
    given = _given(x)
    return given * hard_sigmoid(given)


def squareplus(x: Any, b: Any = 4) -> Any:
    """Return (x + sqrt(x^2 + b)) / 2."""
    given = _given(x)
    return (given + _np("sqrt", _np("square", given) + b)) / 2


def sparse_plus(x: Any) -> Any:
    """Return 0 up to -1, x from 1 on, and a parabola between."""
    given = _given(x)
    return _np("where", given <= -1.0, 0.0, _np("where", given >= 1.0, given, (given + 1.0) ** 2 / 4))


def sparse_sigmoid(x: Any) -> Any:
    """Return (x + 1) / 2, between 0 and 1."""
    return 0.5 * _np("clip", _given(x) + 1.0, 0.0, 2.0)


def identity(x: Any) -> Any:
    """Return the argument."""
    return _given(x)


def softmax(x: Any, axis: Any = -1, where: Any = None) -> Any:
    """Return exponentials that add up to 1."""
    array = _inexact(x).array
    if where is None and isinstance(axis, int):
        return Array(ca.softmax(array, axis=axis))
    mask = None if where is None else cast(converted(where)[0], ca.bool)
    safe = array if mask is None else ca.where(mask, array, -ca.inf)
    powers = ca.exp(safe - ca.stop_gradient(ca.max(safe, axis=axis, keepdims=True)))
    powers = powers if mask is None else ca.where(mask, powers, 0.0)
    return Array(powers / ca.sum(powers, axis=axis, keepdims=True))


def log_softmax(x: Any, axis: Any = -1, where: Any = None) -> Any:
    """Return the logarithm of softmax."""
    array = _inexact(x).array
    if where is None and isinstance(axis, int):
        return Array(ca.log_softmax(array, axis=axis))
    total = logsumexp(Array(array), axis, keepdims=True, where=where).array
    made = array - total
    return Array(made if where is None else ca.where(cast(converted(where)[0], ca.bool), made, -ca.inf))


def logsumexp(
    a: Any, axis: Any = None, b: Any = None, keepdims: bool = False, return_sign: bool = False, where: Any = None
) -> Any:
    """Return the logarithm of a sum of exponentials, with factors `b`."""
    array = _inexact(a).array
    mask = None if where is None else cast(converted(where)[0], ca.bool)
    safe = array if mask is None else ca.where(mask, array, -ca.inf)
    if b is None and not return_sign:
        return Array(ca.logsumexp(safe, axis=axis, keepdims=keepdims))
    factors = ca.ones_like(safe) if b is None else cast(converted(b)[0], safe.dtype)
    top = ca.max(ca.where(factors == 0, -ca.inf, safe), axis=axis, keepdims=True)
    top = ca.stop_gradient(ca.where(ca.isfinite(top), top, 0.0))
    total = ca.sum(factors * ca.exp(safe - top), axis=axis, keepdims=True)
    made = ca.log(ca.abs(total)) + top
    sign = ca.sign(total)
    if not keepdims:
        gone = tuple(range(array.ndim)) if axis is None else axis
        made, sign = (ca.squeeze(x, axis=gone) if array.ndim else x for x in (made, sign))
    if return_sign:
        return Array(made), Array(sign)
    return Array(ca.where((ca.squeeze(total, axis=gone) if not keepdims and array.ndim else total) < 0, ca.nan, made))


def logmeanexp(x: Any, axis: Any = None, where: Any = None, keepdims: bool = False) -> Any:
    """Return the logarithm of a mean of exponentials."""
    given = _inexact(x)
    count = _np("sum", _np("ones_like", given), axis=axis, keepdims=keepdims, where=where)
    return logsumexp(given, axis, keepdims=keepdims, where=where) - _np("log", count)


def log1mexp(x: Any) -> Any:
    """Return log(1 - exp(-x))."""
    given = _inexact(x)
    near = given < math.log(2.0)
    return _np("where", near, _np("log", -_np("expm1", -given)), _np("log1p", -_np("exp", -given)))


def standardize(
    x: Any, axis: Any = -1, mean: Any = None, variance: Any = None, epsilon: Any = 1e-5, where: Any = None, **_: Any
) -> Any:
    """Return numbers less their mean, divided by their standard deviation."""
    given = _given(x)
    if mean is None:
        mean = _np("mean", given, axis=axis, keepdims=True, where=True if where is None else where)
    if variance is None:
        squares = _np("mean", _np("square", given), axis=axis, keepdims=True, where=True if where is None else where)
        variance = _np("clip", squares - _np("square", mean), 0)
    return (given - mean) / _np("sqrt", variance + epsilon)


def one_hot(x: Any, num_classes: int, *, dtype: Any = None, axis: int = -1) -> Any:
    """Return vectors with a 1 at the place of each number, and zeros for numbers outside."""
    array = converted(x)[0]
    place = axis % (array.ndim + 1)
    line = ca.reshape(ca.arange(int(num_classes)), tuple(-1 if i == place else 1 for i in range(array.ndim + 1)))
    made = ca.expand_dims(array, axis=place) == cast(line, array.dtype)
    return Array(cast(made, requested(float if dtype is None else dtype, "one_hot")))


def dot_product_attention(
    query: Any, key: Any, value: Any, bias: Any = None, mask: Any = None, *, scale: float | None = None,
    is_causal: bool = False, **options: Any,
) -> Any:  # fmt: skip
    """Return attention of queries `(..., T, heads, features)` to keys and values.

    Raises
    ------
    TypeError
        If an option has no counterpart here.
    """
    unknown = sorted(name for name, x in options.items() if x is not None and name not in ("implementation",))
    if unknown:
        raise CoreArrayTypeError(f"dot_product_attention has no options {', '.join(unknown)} here; write a mask")
    q, k, v = (ca.swapaxes(converted(x)[0], -2, -3) for x in (query, key, value))
    if q.shape[-3] != k.shape[-3]:
        k, v = (ca.repeat(x, q.shape[-3] // x.shape[-3], axis=-3) for x in (k, v))
    scores = ca.matmul(q, ca.matrix_transpose(k)) * (1.0 / math.sqrt(q.shape[-1]) if scale is None else scale)
    if bias is not None:
        scores = scores + cast(converted(bias)[0], scores.dtype)
    shown = None if mask is None else cast(converted(mask)[0], ca.bool)
    if is_causal:
        lower = ca.tril(ca.ones((q.shape[-2], k.shape[-2]), dtype=ca.bool))
        shown = lower if shown is None else ca.logical_and(shown, lower)
    if shown is not None:
        scores = ca.where(shown, scores, -0.7 * ca.finfo(scores.dtype).max)
    weights = cast(ca.softmax(ca.astype(scores, ca.float32) if scores.dtype.bits < 32 else scores, axis=-1), v.dtype)
    return Array(ca.swapaxes(ca.matmul(weights, v), -2, -3))


def _special(name: str, ours: str) -> Callable[..., Any]:
    def function(*xs: Any) -> Any:
        pairs = [converted(x) for x in xs]
        own, weak = promoted([(x.dtype, one) for x, one in pairs])
        own = inexact(own)
        return Array(getattr(ca, ours)(*(cast(x, own) for x, _ in pairs)), weak)

    function.__name__ = name
    function.__doc__ = f"Compute what `jax.scipy.special.{name}` computes."
    return function


def expit(x: Any) -> Any:
    """Return the logistic function."""
    return sigmoid(x)


_NN = (
    relu, relu6, sigmoid, softplus, soft_sign, silu, mish, log_sigmoid, elu, leaky_relu, hard_tanh, celu, selu, gelu, glu,
    hard_sigmoid, hard_silu, squareplus, sparse_plus, sparse_sigmoid, identity, softmax, log_softmax, logsumexp, logmeanexp,
    log1mexp, standardize, one_hot, dot_product_attention,
)  # fmt: skip
_SPECIAL = "erf erfc erfinv digamma gammaln=lgamma betainc xlogy zeta i0 logit gammainc=igamma gammaincc=igammac"

FUNCTIONS: dict[str, Any] = {f"nn.{one.__name__}": one for one in _NN}
FUNCTIONS |= {"nn.swish": silu, "nn.hard_swish": hard_silu, "nn.tanh": lambda x: _np("tanh", x)}
FUNCTIONS |= {
    f"scipy.special.{word.partition('=')[0]}": _special(word.partition("=")[0], word.partition("=")[2] or word)
    for word in _SPECIAL.split()
}
FUNCTIONS |= {
    "scipy.special.logsumexp": logsumexp, "scipy.special.expit": expit, "scipy.special.softmax": softmax,
    "scipy.special.log_softmax": log_softmax,
}  # fmt: skip
