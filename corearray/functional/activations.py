"""Activation functions of neural networks.

All are compositions that avoid overflow and cancellation. Functions that multiply an element by a vanishing factor
(`silu`, `gelu`, `mish`, `hardswish`) return NaN at negative infinity, as the frameworks do.

Functions of complex numbers take `complex_mode`. Its default follows JAX: a function with a formula is the
complex-analytic one, and comparisons are lexicographic in real and imaginary part. Where JAX has no useful definition,
the function is applied to real and imaginary parts separately.

The name `threshold` is the public function in this file, except where a parameter has that name.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from corearray.contract.declaration import declare
from corearray.functional.precision import _widened

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.contract.declaration import Scalar

__all__ = [
    "celu",
    "elu",
    "gelu",
    "glu",
    "hardshrink",
    "hardsigmoid",
    "hardswish",
    "hardtanh",
    "leaky_relu",
    "log_softmax",
    "logit",
    "logsigmoid",
    "mish",
    "prelu",
    "relu",
    "relu6",
    "scaled_tanh",
    "selu",
    "sigmoid",
    "silu",
    "softmax",
    "softplus",
    "softshrink",
    "softsign",
    "tanhshrink",
    "threshold",
    "thresholded_relu",
]


@declare(floating=True, real=True, gives="same")
def celu(x: Array, /, *, alpha: float = 1.0, out: Array | None = None) -> Array:
    """Apply the continuously differentiable exponential linear unit: `x`, or `alpha * expm1(x / alpha)` for negative
    `x`.

    Parameters
    ----------
    x
        Real array of any shape; integers are computed in the default floating dtype.
    alpha
        Negated limit for large negative elements; not zero.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Raises
    ------
    ValueError
        If `alpha` is zero.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.celu(ca.asarray([2.0, 0.0, -ca.inf]), alpha=0.5).tolist()
    [2.0, 0.0, -0.5]

    Notes
    -----
    J. T. Barron, Continuously differentiable exponential linear units, arXiv:1704.07483; `torch.nn.functional.celu`.
    """
    if alpha == 0:
        raise ValueError("'celu' was asked for alpha=0; it divides by 'alpha', give another number")
    return xp.where(x > 0.0, x, alpha * xp.expm1(xp.where(x > 0.0, 0.0, x) / alpha))


@declare(floating=True, real=True, gives="same")
def elu(x: Array, /, *, alpha: float = 1.0, out: Array | None = None) -> Array:
    """Apply the exponential linear unit: `x`, or `alpha * expm1(x)` for negative `x`.

    Parameters
    ----------
    x
        Real array of any shape; integers are computed in the default floating dtype.
    alpha
        Negated limit for large negative elements.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.elu(ca.asarray([2.0, 0.0, -ca.inf]), alpha=0.5).tolist()
    [2.0, 0.0, -0.5]

    Notes
    -----
    D.-A. Clevert et al., Fast and accurate deep network learning by exponential linear units, arXiv:1511.07289;
    `torch.nn.functional.elu`.
    """
    return xp.where(x > 0.0, x, alpha * xp.expm1(xp.where(x > 0.0, 0.0, x)))


@declare(floating=True, real=True, gives="same", complex_input="split")
def gelu(x: Array, /, *, approximate: str = "none", complex_mode: str = "jax", out: Array | None = None) -> Array:
    """Apply the Gaussian error linear unit, `x` times the standard normal distribution function of `x`.

    Parameters
    ----------
    x
        Array of any shape; integers are computed in the default floating dtype.
    approximate
        `"none"`, or `"tanh"` for `x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x**3)))`.
    complex_mode
        Of complex numbers `"magnitude"` computes the absolute value and keeps the angle; `"jax"` and `"split"` compute
        both parts, each by itself.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Raises
    ------
    ValueError
        If `approximate` is something else.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.gelu(ca.asarray([100.0, 0.0, -100.0])).tolist()
    [100.0, 0.0, -0.0]

    Notes
    -----
    D. Hendrycks and K. Gimpel, Gaussian error linear units, arXiv:1606.08415; `torch.nn.functional.gelu`. The error is
    a few units in the last place of `x`, so that small results of torch, far below zero, have fewer digits.
    """
    if approximate == "none":
        return 0.5 * x * xp.erfc(x * -math.sqrt(0.5))
    if approximate == "tanh":  # half of one plus a tanh is the sigmoid of twice the argument
        wide = _widened(x)
        cubic = wide * (1.0 + 0.044715 * wide * wide)
        return xp.astype(wide * xp.sigmoid(math.sqrt(8.0 / math.pi) * cubic), x.dtype, copy=False)
    raise ValueError(f"'gelu' got approximate={approximate!r}; it is one of 'none', 'tanh'")


@declare(floating=True, real=True, gives="same")
def glu(x: Array, /, *, axis: int = -1, out: Array | None = None) -> Array:
    """Apply the gated linear unit: the first half of an axis times the sigmoid of the second half.

    Parameters
    ----------
    x
        Real array; integers are computed in the default floating dtype.
    axis
        Axis of even length that is divided into halves.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` with half the length along `axis`, of its floating dtype.

    Raises
    ------
    ValueError
        If the length along `axis` is odd.
    IndexError
        If `x` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.glu(ca.asarray([2.0, 3.0, 0.0, 100.0])).tolist()
    [1.0, 3.0]

    Notes
    -----
    Y. N. Dauphin et al., Language modeling with gated convolutional networks, arXiv:1612.08083; `torch.nn.functional.glu`.
    """
    if not -x.ndim <= axis < x.ndim:
        raise IndexError(f"'glu' was asked for axis {axis} of an array with {x.ndim} axes")
    if x.shape[axis] % 2:
        raise ValueError(f"'glu' got {x.shape[axis]} elements along axis {axis}; give an even number, for two halves")
    value, gate = xp.split(x, 2, axis=axis)
    return value * xp.sigmoid(gate)


@declare(floating=True, real=True, gives="same")
def hardshrink(x: Array, /, *, lambd: float = 0.5, out: Array | None = None) -> Array:
    """Set elements with an absolute value of at most `lambd` to zero.

    Parameters
    ----------
    x
        Real array of any shape; integers are computed in the default floating dtype.
    lambd
        Size up to which elements vanish.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.hardshrink(ca.asarray([-1.0, -0.5, 0.25, 2.0])).tolist()
    [-1.0, 0.0, 0.0, 2.0]

    Notes
    -----
    `torch.nn.functional.hardshrink`.
    """
    return xp.where(xp.abs(x) <= lambd, 0.0, x)


@declare(floating=True, real=True, gives="same")
def hardsigmoid(x: Array, /, out: Array | None = None) -> Array:
    """Apply the piecewise linear sigmoid, `x / 6 + 1 / 2` clipped to the interval from 0 to 1.

    Parameters
    ----------
    x
        Real array of any shape; integers are computed in the default floating dtype.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.hardsigmoid(ca.asarray([-4.0, 0.0, 3.0])).tolist()
    [0.0, 0.5, 1.0]

    Notes
    -----
    `torch.nn.functional.hardsigmoid`.
    """
    return xp.relu6(x + 3.0) / 6.0


@declare(floating=True, real=True, gives="same", complex_input="split")
def hardswish(x: Array, /, *, complex_mode: str = "jax", out: Array | None = None) -> Array:
    """Apply hard swish, `x * hardsigmoid(x)`, also called hard SiLU.

    Parameters
    ----------
    x
        Array of any shape; integers are computed in the default floating dtype.
    complex_mode
        Of complex numbers `"magnitude"` computes the absolute value and keeps the angle; `"jax"` and `"split"` compute
        both parts, each by itself.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.hardswish(ca.asarray([-3.0, 0.0, 4.0])).tolist()
    [-0.0, 0.0, 4.0]

    Notes
    -----
    A. Howard et al., Searching for MobileNetV3, arXiv:1905.02244; `torch.nn.functional.hardswish`.
    """
    return x * xp.hardsigmoid(x)


@declare(floating=True, real=True, gives="same")
def hardtanh(x: Array, /, *, min_val: float = -1.0, max_val: float = 1.0, out: Array | None = None) -> Array:
    """Clip elements to an interval.

    Parameters
    ----------
    x
        Real array of any shape; integers are computed in the default floating dtype.
    min_val, max_val
        Ends of the interval.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Raises
    ------
    ValueError
        If `min_val` is greater than `max_val`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.hardtanh(ca.asarray([-4.0, 0.5, 3.0])).tolist()
    [-1.0, 0.5, 1.0]

    Notes
    -----
    `torch.nn.functional.hardtanh`; `clip` keeps integers.
    """
    if min_val > max_val:
        raise ValueError(f"'hardtanh' got min_val={min_val} above max_val={max_val}; give the smaller one first")
    return xp.where(x <= min_val, min_val, xp.where(x >= max_val, max_val, x))


@declare(floating=True, gives="same")
def leaky_relu(
    x: Array, /, *, negative_slope: float = 0.01, complex_mode: str = "jax", out: Array | None = None
) -> Array:
    """Apply the leaky rectified linear unit: multiply negative elements by a small slope.

    Parameters
    ----------
    x
        Array of any shape; integers are computed in the default floating dtype.
    negative_slope
        Slope of negative elements.
    complex_mode
        Of complex numbers `"jax"` takes those for negative whose real part is, or is zero beside a negative imaginary
        part; `"split"` computes both parts, each by itself; `"magnitude"` the absolute value, and keeps the angle.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.leaky_relu(ca.asarray([-4.0, 3.0]), negative_slope=0.5).tolist()
    [-2.0, 3.0]

    Notes
    -----
    A. L. Maas et al., Rectifier nonlinearities improve neural network acoustic models, ICML 2013;
    `torch.nn.functional.leaky_relu`.
    """
    if xp.isdtype(x.dtype, "complex floating"):
        return xp.where(_is_negative(x), negative_slope * x, x)
    return xp.where(x > 0.0, x, negative_slope * x)


@declare(floating=True, gives="same")
def log_softmax(x: Array, /, *, axis: int = -1, complex_mode: str = "jax", out: Array | None = None) -> Array:
    """Compute the logarithm of `softmax` without underflow.

    Parameters
    ----------
    x
        Array with at least one axis; integers are computed in the default floating dtype.
    axis
        Axis along which the exponentials of the result sum to one.
    complex_mode
        Of complex numbers `"jax"` takes the complex exponential and logarithm; `"split"` computes both parts, each by
        itself; `"magnitude"` the absolute value, and keeps the angle.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Raises
    ------
    IndexError
        If `x` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.log_softmax(ca.asarray([-1000.0, 0.0])).tolist()
    [-1000.0, 0.0]

    Notes
    -----
    If an element is NaN or positive infinity, or all are negative infinity, there is NaN along the axis.
    `torch.nn.functional.log_softmax`.
    """
    below = _below_zero("log_softmax", _widened(x), axis)
    if x.shape[axis] == 0:
        return xp.positive(x)
    return xp.astype(below - xp.log(xp.sum(xp.exp(below), axis=axis, keepdims=True)), x.dtype, copy=False)


@declare(floating=True, real=True, gives="same")
def logit(x: Array, /, *, eps: float | None = None, out: Array | None = None) -> Array:
    """Compute the log-odds `log(x / (1 - x))`, the inverse of `sigmoid`.

    Parameters
    ----------
    x
        Real array of any shape; integers are computed in the default floating dtype.
    eps
        If given, elements are limited to the interval from `eps` to `1 - eps` first.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype; NaN beyond 0 and 1.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.logit(ca.asarray([0.0, 0.5, 1.0])).tolist()
    [-inf, 0.0, inf]

    Notes
    -----
    Near one half the logarithm of the quotient would lose what is sought. `scipy.special.logit`, `torch.logit`.
    """
    if eps is not None:
        x = xp.clip(x, eps, 1.0 - eps)
    middle = xp.abs(x - 0.5) <= 0.25
    near = 2.0 * xp.atanh(xp.where(middle, 2.0 * x - 1.0, 0.0))
    return xp.where(middle, near, xp.log(x) - xp.log1p(-x))


@declare(floating=True, real=True, gives="same")
def logsigmoid(x: Array, /, out: Array | None = None) -> Array:
    """Compute the logarithm of `sigmoid` without overflow or underflow.

    Parameters
    ----------
    x
        Real array of any shape; integers are computed in the default floating dtype.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype, at most 0.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.logsigmoid(ca.asarray([-1000.0, ca.inf])).tolist()
    [-1000.0, -0.0]

    Notes
    -----
    `scipy.special.log_expit`, `torch.nn.functional.logsigmoid`.
    """
    return -xp.logaddexp(-x, 0.0)


@declare(floating=True, gives="same")
def mish(x: Array, /, *, complex_mode: str = "jax", out: Array | None = None) -> Array:
    """Apply mish, `x * tanh(softplus(x))`.

    Parameters
    ----------
    x
        Array of any shape; integers are computed in the default floating dtype.
    complex_mode
        Of complex numbers `"jax"` takes the complex functions; `"split"` computes both parts, each by itself;
        `"magnitude"` the absolute value, and keeps the angle.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.mish(ca.asarray([-1000.0, 0.0, 1000.0])).tolist()
    [-0.0, 0.0, 1000.0]

    Notes
    -----
    D. Misra, Mish: a self regularized non-monotonic activation function, arXiv:1908.08681;
    `torch.nn.functional.mish`.
    """
    return x * xp.tanh(xp.softplus(x))


@declare(promote=("x", "weight"), floating=True, real=True, gives="same")
def prelu(x: Array, weight: Array | Scalar, /, *, axis: int = 1, out: Array | None = None) -> Array:
    """Apply the parametric rectified linear unit: multiply negative elements by the slope of their channel.

    Parameters
    ----------
    x
        Real array; integers are computed in the default floating dtype.
    weight
        The slope: a number, an array with one element, or a one-dimensional one with as many as `x` has along `axis`.
    axis
        Axis of the channels, if there are several slopes.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and the promoted dtype.

    Raises
    ------
    ValueError
        If `weight` has another shape.
    IndexError
        If `x` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([[-1.0, -1.0], [2.0, -3.0]])
    >>> ca.prelu(x, ca.asarray([0.5, 0.25])).tolist()
    [[-0.5, -0.25], [2.0, -0.75]]

    Notes
    -----
    K. He et al., Delving deep into rectifiers, arXiv:1502.01852; `torch.nn.functional.prelu`.
    """
    # `promote` has made an array of a scalar before a composition runs.
    slope = cast("Array", weight)
    if slope.ndim > 1:
        raise ValueError(f"weight of 'prelu' has the shape {tuple(slope.shape)}; give one number, or one axis of them")
    if slope.ndim == 1 and slope.shape[0] != 1:
        if not -x.ndim <= axis < x.ndim:
            raise IndexError(f"'prelu' was asked for axis {axis} of an array with {x.ndim} axes")
        if slope.shape[0] != x.shape[axis]:
            raise ValueError(
                f"'prelu' got {slope.shape[0]} slopes for the axis {axis} of an array of shape {tuple(x.shape)}; give "
                f"{x.shape[axis]}, or name the axis of the channels"
            )
        slope = xp.expand_dims(slope, tuple(i for i in range(x.ndim) if i != axis % x.ndim))
    elif slope.ndim == 1:
        slope = slope[0]
    return xp.where(x < 0.0, slope * x, x)


@declare(gives="same")
def relu(x: Array, /, *, complex_mode: str = "jax", out: Array | None = None) -> Array:
    """Apply the rectified linear unit, `maximum(x, 0)`.

    Parameters
    ----------
    x
        Numeric array of any shape.
    complex_mode
        Of complex numbers `"jax"` makes those zero whose real part is negative, or is zero beside a negative imaginary
        part; `"split"` computes both parts, each by itself; `"magnitude"` the absolute value, and keeps the angle.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape and dtype of `x`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.relu(ca.asarray([-4, 3])).tolist()
    [0, 3]

    Notes
    -----
    `torch.nn.functional.relu`.
    """
    if xp.isdtype(x.dtype, "complex floating"):
        return xp.where(_is_negative(x), 0.0, x)
    return xp.maximum(x, 0)


@declare(real=True, gives="same")
def relu6(x: Array, /, out: Array | None = None) -> Array:
    """Clip elements to the interval from 0 to 6.

    Parameters
    ----------
    x
        Real array of any shape.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape and dtype of `x`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.relu6(ca.asarray([-4, 3, 7])).tolist()
    [0, 3, 6]

    Notes
    -----
    A. Howard et al., MobileNets, arXiv:1704.04861; `torch.nn.functional.relu6`.
    """
    return xp.clip(x, 0, 6)


@declare(floating=True, gives="same")
def scaled_tanh(x: Array, /, *, alpha: float = 1.7159, beta: float = 2.0 / 3.0, out: Array | None = None) -> Array:
    """Apply the scaled hyperbolic tangent, `alpha * tanh(beta * x)`.

    Parameters
    ----------
    x
        Numeric array of any shape; integers are computed in the default floating dtype.
    alpha
        Limit for large elements.
    beta
        Factor of the elements.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.scaled_tanh(ca.asarray([0.0, ca.inf]), alpha=2.0).tolist()
    [0.0, 2.0]

    Notes
    -----
    With its defaults 1 at 1 and -1 at -1: Y. LeCun et al., Efficient BackProp, 1998.
    """
    return alpha * xp.tanh(beta * x)


@declare(floating=True, real=True, gives="same")
def selu(x: Array, /, out: Array | None = None) -> Array:
    """Apply the scaled exponential linear unit, which keeps mean 0 and variance 1 of normally distributed elements.

    Parameters
    ----------
    x
        Real array of any shape; integers are computed in the default floating dtype.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.selu(ca.asarray([0.0, 1.0], dtype=ca.float64)).tolist()
    [0.0, 1.0507009873554805]

    Notes
    -----
    G. Klambauer et al., Self-normalizing neural networks, arXiv:1706.02515; `torch.nn.functional.selu`.
    """
    return 1.0507009873554804934193349852946 * xp.elu(x, alpha=1.6732632423543772848170429916717)


@declare(floating=True, gives="same")
def sigmoid(x: Array, /, *, complex_mode: str = "jax", out: Array | None = None) -> Array:
    """Apply the logistic function, `1 / (1 + exp(-x))`.

    Parameters
    ----------
    x
        Array of any shape; integers are computed in the default floating dtype.
    complex_mode
        Of complex numbers `"jax"` takes the complex function; `"split"` computes both parts, each by itself;
        `"magnitude"` the absolute value, and keeps the angle.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.sigmoid(ca.asarray([-ca.inf, 0.0, 1000.0])).tolist()
    [0.0, 0.5, 1.0]

    Notes
    -----
    `scipy.special.expit`, `torch.nn.functional.sigmoid`.
    """
    positive = _along(x) >= 0.0
    power = xp.exp(xp.where(positive, -x, x))  # never large
    return xp.where(positive, 1.0, power) / (1.0 + power)


@declare(floating=True, gives="same")
def silu(x: Array, /, *, complex_mode: str = "jax", out: Array | None = None) -> Array:
    """Apply the sigmoid linear unit, `x * sigmoid(x)`, also called swish.

    Parameters
    ----------
    x
        Array of any shape; integers are computed in the default floating dtype.
    complex_mode
        Of complex numbers `"jax"` takes the complex function; `"split"` computes both parts, each by itself;
        `"magnitude"` the absolute value, and keeps the angle.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.silu(ca.asarray([-1000.0, 0.0, 1000.0])).tolist()
    [-0.0, 0.0, 1000.0]

    Notes
    -----
    S. Elfwing et al., Sigmoid-weighted linear units, arXiv:1702.03118; `torch.nn.functional.silu`.
    """
    return x * xp.sigmoid(x)


@declare(floating=True, gives="same")
def softmax(x: Array, /, *, axis: int = -1, complex_mode: str = "jax", out: Array | None = None) -> Array:
    """Compute the softmax along an axis: exponentials divided by their sum.

    Parameters
    ----------
    x
        Array with at least one axis; integers are computed in the default floating dtype.
    axis
        Axis along which the result sums to one.
    complex_mode
        Of complex numbers `"jax"` takes the complex exponential; `"split"` computes both parts, each by itself;
        `"magnitude"` the absolute value, and keeps the angle.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Raises
    ------
    IndexError
        If `x` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.softmax(ca.asarray([[1000.0, 1000.0], [0.0, -ca.inf]])).tolist()
    [[0.5, 0.5], [1.0, 0.0]]

    Notes
    -----
    If an element is NaN or positive infinity, or all are negative infinity, there is NaN along the axis.
    `torch.nn.functional.softmax`.
    """
    powers = xp.exp(_below_zero("softmax", _widened(x), axis))
    return xp.astype(powers / xp.sum(powers, axis=axis, keepdims=True), x.dtype, copy=False)


@declare(floating=True, gives="same")
def softplus(
    x: Array,
    /,
    *,
    beta: float = 1.0,
    threshold: float | None = None,
    complex_mode: str = "jax",
    out: Array | None = None,
) -> Array:
    """Compute `log(1 + exp(beta * x)) / beta`, a smooth `relu`.

    Parameters
    ----------
    x
        Array of any shape; integers are computed in the default floating dtype.
    beta
        How sharp the bend is; not zero.
    threshold
        If given, elements with `beta * x` above it are returned as they are. Nothing overflows without it.
    complex_mode
        Of complex numbers `"jax"` takes the complex functions, and the real part beside the threshold; `"split"`
        computes both parts, each by itself; `"magnitude"` the absolute value, and keeps the angle.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Raises
    ------
    ValueError
        If `beta` is zero.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.softplus(ca.asarray([-ca.inf, 1000.0])).tolist()
    [0.0, 1000.0]

    Notes
    -----
    `torch.nn.functional.softplus`, whose threshold is 20 by default; that changes the result by at most `2.1e-9 / beta`.
    """
    if beta == 0:
        raise ValueError("'softplus' was asked for beta=0; it divides by 'beta', give another number")
    scaled = x if beta == 1 else beta * x
    if xp.isdtype(x.dtype, "complex floating"):
        positive = xp.real(scaled) > 0.0
        result = xp.log1p(xp.exp(xp.where(positive, -scaled, scaled))) + xp.where(positive, scaled, 0.0)
        angle = xp.imag(result)  # brought between -pi and pi
        result = xp.complex(xp.real(result), xp.atan2(xp.sin(angle), xp.cos(angle)))
    else:
        result = xp.logaddexp(scaled, 0.0)
    if beta != 1:
        result = result / beta
    return result if threshold is None else xp.where(_along(scaled) > threshold, x, result)


@declare(floating=True, real=True, gives="same")
def softshrink(x: Array, /, *, lambd: float = 0.5, out: Array | None = None) -> Array:
    """Move elements towards zero by `lambd`, and set smaller ones to zero.

    Parameters
    ----------
    x
        Real array of any shape; integers are computed in the default floating dtype.
    lambd
        By how much, at least 0.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Raises
    ------
    ValueError
        If `lambd` is negative.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.softshrink(ca.asarray([-2.0, 0.25, 1.0])).tolist()
    [-1.5, 0.0, 0.5]

    Notes
    -----
    `torch.nn.functional.softshrink`.
    """
    if lambd < 0:
        raise ValueError(f"'softshrink' was asked for lambd={lambd}; it must be at least 0")
    return x - xp.clip(x, -lambd, lambd)


@declare(floating=True, real=True, gives="same", complex_input="magnitude")
def softsign(x: Array, /, *, complex_mode: str = "jax", out: Array | None = None) -> Array:
    """Compute `x / (1 + abs(x))`.

    Parameters
    ----------
    x
        Array of any shape; integers are computed in the default floating dtype.
    complex_mode
        Of complex numbers `"split"` computes both parts, each by itself; `"jax"` and `"magnitude"` compute the absolute
        value and keep the angle, as the formula does.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype, between -1 and 1.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.softsign(ca.asarray([-1.0, 0.0, 3.0, ca.inf])).tolist()
    [-0.5, 0.0, 0.75, 1.0]

    Notes
    -----
    `torch.nn.functional.softsign`, which is NaN at infinities.
    """
    wide = _widened(x)
    largest = float(xp.finfo(wide.dtype).max)
    finite = xp.clip(wide, -largest, largest)
    return xp.astype(finite / (1.0 + xp.abs(finite)), x.dtype, copy=False)


@declare(floating=True, real=True, gives="same")
def tanhshrink(x: Array, /, out: Array | None = None) -> Array:
    """Compute `x - tanh(x)`.

    Parameters
    ----------
    x
        Real array of any shape; integers are computed in the default floating dtype.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype. It is exact to the rounding of `x`, which is larger near zero.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.tanhshrink(ca.asarray([0.0, 100.0])).tolist()
    [0.0, 99.0]

    Notes
    -----
    `torch.nn.functional.tanhshrink`.
    """
    wide = _widened(x)
    return xp.astype(wide - xp.tanh(wide), x.dtype, copy=False)


@declare(floating=True, real=True, gives="same")
def threshold(x: Array, /, threshold: float = 0.0, value: float = 0.0, *, out: Array | None = None) -> Array:
    """Keep elements above a threshold and replace the rest by a value.

    Parameters
    ----------
    x
        Real array of any shape; integers are computed in the default floating dtype.
    threshold
        Threshold; greater elements stay.
    value
        Replacement for the other elements.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype. NaN stays.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.threshold(ca.asarray([1.0, 2.0, 3.0]), 2.0, -7.0).tolist()
    [-7.0, -7.0, 3.0]

    Notes
    -----
    `torch.nn.functional.threshold`.
    """
    return xp.where(x <= threshold, value, x)


@declare(floating=True, real=True, gives="same")
def thresholded_relu(x: Array, /, *, threshold: float = 1.0, out: Array | None = None) -> Array:
    """Keep elements above a threshold and set the rest to zero.

    Parameters
    ----------
    x
        Real array of any shape; integers are computed in the default floating dtype.
    threshold
        Threshold; greater elements stay.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype. NaN stays.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.thresholded_relu(ca.asarray([-2.0, 0.5, 3.0])).tolist()
    [0.0, 0.0, 3.0]

    Notes
    -----
    K. Konda et al., Zero-bias autoencoders and the benefits of co-adapting features, arXiv:1402.3337; the operator
    ThresholdedRelu of ONNX.
    """
    return xp.threshold(x, threshold, 0.0)


def _along(x: Array) -> Array:
    """Return the real parts."""
    return xp.real(x) if xp.isdtype(x.dtype, "complex floating") else x


def _is_negative(x: Array) -> Array:
    """Whether elements stand before zero in the order of real parts, then of imaginary ones."""
    if not xp.isdtype(x.dtype, "complex floating"):
        return x < 0.0
    along = xp.real(x)
    return (along < 0.0) | ((along == 0.0) & (xp.imag(x) < 0.0))


def _below_zero(name: str, x: Array, axis: int) -> Array:
    """Take the largest real part along an axis off, so that no exponential overflows; their ratios stay."""
    if not -x.ndim <= axis < x.ndim:
        raise IndexError(f"'{name}' was asked for axis {axis} of an array with {x.ndim} axes")
    return x if x.shape[axis] == 0 else x - xp.max(_along(x), axis=axis, keepdims=True)
