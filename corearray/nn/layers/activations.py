"""Activation functions as layers: those without parameters hold their options only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corearray.errors import CoreArrayValueError
from corearray.functional.activations import (
    celu,
    elu,
    gelu,
    glu,
    hardshrink,
    hardsigmoid,
    hardswish,
    hardtanh,
    leaky_relu,
    log_softmax,
    logsigmoid,
    mish,
    prelu,
    relu,
    relu6,
    selu,
    sigmoid,
    silu,
    softmax,
    softplus,
    softshrink,
    softsign,
    tanhshrink,
    threshold,
)
from corearray.functional.searching import where
from corearray.functional.trigonometric import tanh
from corearray.nn.arguments import filled, positive
from corearray.nn.module import Module
from corearray.random.context import default_generator

if TYPE_CHECKING:
    from corearray.arrays.array import Array

__all__ = [
    "CELU",
    "ELU",
    "GELU",
    "GLU",
    "SELU",
    "Hardshrink",
    "Hardsigmoid",
    "Hardswish",
    "Hardtanh",
    "LeakyReLU",
    "LogSigmoid",
    "LogSoftmax",
    "Mish",
    "PReLU",
    "RReLU",
    "ReLU",
    "ReLU6",
    "SiLU",
    "Sigmoid",
    "Softmax",
    "Softmax2d",
    "Softmin",
    "Softplus",
    "Softshrink",
    "Softsign",
    "Tanh",
    "Tanhshrink",
    "Threshold",
]


#: What `corearray list-functions` says of the classes here.
__kind__ = "convenience"


class CELU(Module):
    """The continuously differentiable exponential linear unit, `max(0, x) + min(0, alpha * (exp(x / alpha) - 1))`.

    It takes and returns an array of any shape.

    Parameters
    ----------
    alpha
        Scale of the exponential.
    inplace
        No effect, for programs from torch: the result is a new array.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.CELU()(ca.asarray([-1.0, 0.0, 2.0])).shape
    Shape((3,))

    Notes
    -----
    J. T. Barron, arXiv:1704.07483; `torch.nn.CELU`.
    """

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        self.alpha = alpha

    def forward(self, x: Array, /) -> Array:
        """Apply the function to each element of `x`."""
        return celu(x, alpha=self.alpha)


class ELU(Module):
    """The exponential linear unit, `x if x > 0 else alpha * (exp(x) - 1)`.

    It takes and returns an array of any shape.

    Parameters
    ----------
    alpha
        Limit for large negative numbers, with the opposite sign.
    inplace
        No effect, for programs from torch: the result is a new array.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.ELU()(ca.asarray([-1.0, 0.0, 2.0])).shape
    Shape((3,))

    Notes
    -----
    D. Clevert et al., arXiv:1511.07289; `torch.nn.ELU`.
    """

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        self.alpha = alpha

    def forward(self, x: Array, /) -> Array:
        """Apply the function to each element of `x`."""
        return elu(x, alpha=self.alpha)


class GELU(Module):
    """The Gaussian error linear unit, `x * Phi(x)`.

    It takes and returns an array of any shape.

    Parameters
    ----------
    approximate
        `"none"`, or `"tanh"` for the approximation by the hyperbolic tangent.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.GELU()(ca.asarray([-1.0, 0.0, 2.0])).shape
    Shape((3,))

    Notes
    -----
    D. Hendrycks and K. Gimpel, arXiv:1606.08415; `torch.nn.GELU`.
    """

    def __init__(self, approximate: str = "none") -> None:
        self.approximate = approximate

    def forward(self, x: Array, /) -> Array:
        """Apply the function to each element of `x`."""
        return gelu(x, approximate=self.approximate)


class GLU(Module):
    """The gated linear unit, `a * sigmoid(b) for the halves a and b of x`.

    It takes and returns an array of any shape, and halves one axis.

    Parameters
    ----------
    dim
        Axis along which the array is halved; its size is even.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.GLU()(ca.ones((2, 6))).shape
    Shape((2, 3))

    Notes
    -----
    Y. N. Dauphin et al., arXiv:1612.08083; `torch.nn.GLU`.
    """

    def __init__(self, dim: int = -1) -> None:
        self.dim = dim

    def forward(self, x: Array, /) -> Array:
        """Apply the function to each element of `x`."""
        return glu(x, axis=self.dim)


class Hardshrink(Module):
    """The hard shrinkage, `x if abs(x) > lambd else 0`.

    It takes and returns an array of any shape.

    Parameters
    ----------
    lambd
        The threshold.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Hardshrink()(ca.asarray([-1.0, 0.0, 2.0])).shape
    Shape((3,))

    Notes
    -----
    `torch.nn.Hardshrink`.
    """

    def __init__(self, lambd: float = 0.5) -> None:
        self.lambd = lambd

    def forward(self, x: Array, /) -> Array:
        """Apply the function to each element of `x`."""
        return hardshrink(x, lambd=self.lambd)


class Hardsigmoid(Module):
    """A sigmoid of straight lines, `clip(x / 6 + 1 / 2, 0, 1)`.

    It takes and returns an array of any shape.

    Parameters
    ----------
    inplace
        No effect, for programs from torch: the result is a new array.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Hardsigmoid()(ca.asarray([-1.0, 0.0, 2.0])).shape
    Shape((3,))

    Notes
    -----
    `torch.nn.Hardsigmoid`.
    """

    def __init__(self, inplace: bool = False) -> None:
        pass

    def forward(self, x: Array, /) -> Array:
        """Apply the function to each element of `x`."""
        return hardsigmoid(x)


class Hardswish(Module):
    """A swish of straight lines, `x * clip(x / 6 + 1 / 2, 0, 1)`.

    It takes and returns an array of any shape.

    Parameters
    ----------
    inplace
        No effect, for programs from torch: the result is a new array.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Hardswish()(ca.asarray([-1.0, 0.0, 2.0])).shape
    Shape((3,))

    Notes
    -----
    A. Howard et al., arXiv:1905.02244; `torch.nn.Hardswish`.
    """

    def __init__(self, inplace: bool = False) -> None:
        pass

    def forward(self, x: Array, /) -> Array:
        """Apply the function to each element of `x`."""
        return hardswish(x)


class Hardtanh(Module):
    """A hyperbolic tangent of straight lines, `clip(x, min_val, max_val)`.

    It takes and returns an array of any shape.

    Parameters
    ----------
    min_val
        The lower bound.
    max_val
        The upper bound.
    inplace
        No effect, for programs from torch: the result is a new array.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Hardtanh()(ca.asarray([-1.0, 0.0, 2.0])).shape
    Shape((3,))

    Notes
    -----
    `torch.nn.Hardtanh`.
    """

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> None:
        self.min_val = min_val
        self.max_val = max_val

    def forward(self, x: Array, /) -> Array:
        """Apply the function to each element of `x`."""
        return hardtanh(x, min_val=self.min_val, max_val=self.max_val)


class LeakyReLU(Module):
    """The leaky rectifier, `x if x > 0 else negative_slope * x`.

    It takes and returns an array of any shape.

    Parameters
    ----------
    negative_slope
        Slope for negative numbers.
    inplace
        No effect, for programs from torch: the result is a new array.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.LeakyReLU()(ca.asarray([-1.0, 0.0, 2.0])).shape
    Shape((3,))

    Notes
    -----
    `torch.nn.LeakyReLU`.
    """

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None:
        self.negative_slope = negative_slope

    def forward(self, x: Array, /) -> Array:
        """Apply the function to each element of `x`."""
        return leaky_relu(x, negative_slope=self.negative_slope)


class LogSigmoid(Module):
    """The logarithm of the sigmoid, `-log(1 + exp(-x))`.

    It takes and returns an array of any shape.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.LogSigmoid()(ca.asarray([-1.0, 0.0, 2.0])).shape
    Shape((3,))

    Notes
    -----
    `torch.nn.LogSigmoid`.
    """

    def forward(self, x: Array, /) -> Array:
        """Apply the function to each element of `x`."""
        return logsigmoid(x)


class LogSoftmax(Module):
    """The logarithm of the softmax along an axis, `x - log(sum(exp(x)))`.

    It takes and returns an array of any shape.

    Parameters
    ----------
    dim
        The axis.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.LogSoftmax()(ca.asarray([-1.0, 0.0, 2.0])).shape
    Shape((3,))

    Notes
    -----
    `torch.nn.LogSoftmax`.
    """

    def __init__(self, dim: int = -1) -> None:
        self.dim = dim

    def forward(self, x: Array, /) -> Array:
        """Apply the function to each element of `x`."""
        return log_softmax(x, axis=self.dim)


class Mish(Module):
    """The mish, `x * tanh(log(1 + exp(x)))`.

    It takes and returns an array of any shape.

    Parameters
    ----------
    inplace
        No effect, for programs from torch: the result is a new array.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Mish()(ca.asarray([-1.0, 0.0, 2.0])).shape
    Shape((3,))

    Notes
    -----
    D. Misra, arXiv:1908.08681; `torch.nn.Mish`.
    """

    def __init__(self, inplace: bool = False) -> None:
        pass

    def forward(self, x: Array, /) -> Array:
        """Apply the function to each element of `x`."""
        return mish(x)


class PReLU(Module):
    """The leaky rectifier with learned slopes, `x if x > 0 else weight * x`.

    Parameters
    ----------
    num_parameters
        1 for one slope, or the number of channels, axis 1.
    init
        Initial slope.
    dtype, device
        As in `Linear`.

    Attributes
    ----------
    weight
        Array of the shape `(num_parameters,)`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.PReLU()(ca.asarray([[-4.0, 2.0]])).tolist()
    [[-1.0, 2.0]]

    Notes
    -----
    K. He et al., arXiv:1502.01852; `torch.nn.PReLU`.
    """

    def __init__(self, num_parameters: int = 1, init: float = 0.25, *, dtype: Any = None, device: Any = None) -> None:
        self.weight = filled((positive("PReLU", "num_parameters", num_parameters),), init, dtype, device)

    def forward(self, x: Array, /) -> Array:
        """Apply the function to an array of the shape `(N, C, ...)`."""
        return prelu(x, self.weight) if x.ndim > 1 else prelu(x, self.weight, axis=0)


class RReLU(Module):
    """The leaky rectifier with random slopes, `x if x > 0 else a * x`.

    It takes and returns arrays of any shape. In training `a` is drawn for each element, uniformly from `lower` to `upper`; in
    evaluation it is their mean.

    Parameters
    ----------
    lower, upper
        Bounds of the slope.
    inplace
        No effect, for programs from torch: the result is a new array.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.RReLU(0.25, 0.75).eval()(ca.asarray([-4.0, 2.0])).tolist()
    [-2.0, 2.0]

    Notes
    -----
    B. Xu et al., arXiv:1505.00853; `torch.nn.RReLU`.
    """

    def __init__(self, lower: float = 1 / 8, upper: float = 1 / 3, inplace: bool = False) -> None:
        if not lower <= upper:
            raise CoreArrayValueError(f"'RReLU' needs lower <= upper, got {lower} and {upper}")
        self.lower = lower
        self.upper = upper

    def forward(self, x: Array, /) -> Array:
        """Apply the function to each element of `x`."""
        if not self.training:
            return leaky_relu(x, negative_slope=(self.lower + self.upper) / 2)
        shape = tuple(x.shape)
        slopes = default_generator().uniform(self.lower, self.upper, shape=shape, dtype=x.dtype, device=x.device)
        return where(x > 0, x, slopes * x)


class ReLU(Module):
    """The rectifier, `max(0, x)`.

    It takes and returns an array of any shape.

    Parameters
    ----------
    inplace
        No effect, for programs from torch: the result is a new array.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.ReLU()(ca.asarray([-1.0, 2.0])).tolist()
    [0.0, 2.0]

    Notes
    -----
    `torch.nn.ReLU`.
    """

    def __init__(self, inplace: bool = False) -> None:
        pass

    def forward(self, x: Array, /) -> Array:
        """Apply the function to each element of `x`."""
        return relu(x)


class ReLU6(Module):
    """The rectifier with an upper bound, `min(max(0, x), 6)`.

    It takes and returns an array of any shape.

    Parameters
    ----------
    inplace
        No effect, for programs from torch: the result is a new array.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.ReLU6()(ca.asarray([-1.0, 8.0])).tolist()
    [0.0, 6.0]

    Notes
    -----
    `torch.nn.ReLU6`.
    """

    def __init__(self, inplace: bool = False) -> None:
        pass

    def forward(self, x: Array, /) -> Array:
        """Apply the function to each element of `x`."""
        return relu6(x)


class SELU(Module):
    """The scaled exponential linear unit, `1.0507 * (x if x > 0 else 1.6733 * (exp(x) - 1))`.

    It takes and returns an array of any shape.

    Parameters
    ----------
    inplace
        No effect, for programs from torch: the result is a new array.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.SELU()(ca.asarray([-1.0, 0.0, 2.0])).shape
    Shape((3,))

    Notes
    -----
    G. Klambauer et al., arXiv:1706.02515; `torch.nn.SELU`.
    """

    def __init__(self, inplace: bool = False) -> None:
        pass

    def forward(self, x: Array, /) -> Array:
        """Apply the function to each element of `x`."""
        return selu(x)


class SiLU(Module):
    """The sigmoid linear unit, or swish, `x * sigmoid(x)`.

    It takes and returns an array of any shape.

    Parameters
    ----------
    inplace
        No effect, for programs from torch: the result is a new array.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.SiLU()(ca.asarray([-1.0, 0.0, 2.0])).shape
    Shape((3,))

    Notes
    -----
    `torch.nn.SiLU`.
    """

    def __init__(self, inplace: bool = False) -> None:
        pass

    def forward(self, x: Array, /) -> Array:
        """Apply the function to each element of `x`."""
        return silu(x)


class Sigmoid(Module):
    """The sigmoid, `1 / (1 + exp(-x))`.

    It takes and returns an array of any shape.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Sigmoid()(ca.asarray([-1.0, 0.0, 2.0])).shape
    Shape((3,))

    Notes
    -----
    `torch.nn.Sigmoid`.
    """

    def forward(self, x: Array, /) -> Array:
        """Apply the function to each element of `x`."""
        return sigmoid(x)


class Softmax(Module):
    """The softmax along an axis, `exp(x) / sum(exp(x))`.

    It takes and returns an array of any shape.

    Parameters
    ----------
    dim
        The axis.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Softmax()(ca.zeros((1, 2))).tolist()
    [[0.5, 0.5]]

    Notes
    -----
    `torch.nn.Softmax`.
    """

    def __init__(self, dim: int = -1) -> None:
        self.dim = dim

    def forward(self, x: Array, /) -> Array:
        """Apply the function to each element of `x`."""
        return softmax(x, axis=self.dim)


class Softmax2d(Module):
    """The softmax over channels at each place of an image, `exp(x) / sum(exp(x))`.

    It takes and returns an array of shape `(N, C, H, W)` or `(C, H, W)`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Softmax2d()(ca.zeros((1, 2, 3, 3))).shape
    Shape((1, 2, 3, 3))

    Notes
    -----
    `torch.nn.Softmax2d`.
    """

    def forward(self, x: Array, /) -> Array:
        """Apply the function to each element of `x`."""
        return softmax(x, axis=-3)


class Softmin(Module):
    """The softmax of the opposite numbers along an axis, `exp(-x) / sum(exp(-x))`.

    It takes and returns an array of any shape.

    Parameters
    ----------
    dim
        The axis.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Softmin()(ca.asarray([-1.0, 0.0, 2.0])).shape
    Shape((3,))

    Notes
    -----
    `torch.nn.Softmin`.
    """

    def __init__(self, dim: int = -1) -> None:
        self.dim = dim

    def forward(self, x: Array, /) -> Array:
        """Apply the function to each element of `x`."""
        return softmax(-x, axis=self.dim)


class Softplus(Module):
    """A smooth rectifier, `log(1 + exp(beta * x)) / beta`.

    It takes and returns an array of any shape.

    Parameters
    ----------
    beta
        Sharpness of the bend.
    threshold
        The result is `x` where `beta * x` is above it.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Softplus()(ca.asarray([-1.0, 0.0, 2.0])).shape
    Shape((3,))

    Notes
    -----
    `torch.nn.Softplus`.
    """

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        self.beta = beta
        self.threshold = threshold

    def forward(self, x: Array, /) -> Array:
        """Apply the function to each element of `x`."""
        return softplus(x, beta=self.beta, threshold=self.threshold)


class Softshrink(Module):
    """The soft shrinkage, `sign(x) * max(abs(x) - lambd, 0)`.

    It takes and returns an array of any shape.

    Parameters
    ----------
    lambd
        The threshold.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Softshrink()(ca.asarray([-1.0, 0.0, 2.0])).shape
    Shape((3,))

    Notes
    -----
    `torch.nn.Softshrink`.
    """

    def __init__(self, lambd: float = 0.5) -> None:
        self.lambd = lambd

    def forward(self, x: Array, /) -> Array:
        """Apply the function to each element of `x`."""
        return softshrink(x, lambd=self.lambd)


class Softsign(Module):
    """A sigmoid of rational functions, `x / (1 + abs(x))`.

    It takes and returns an array of any shape.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Softsign()(ca.asarray([-1.0, 0.0, 2.0])).shape
    Shape((3,))

    Notes
    -----
    `torch.nn.Softsign`.
    """

    def forward(self, x: Array, /) -> Array:
        """Apply the function to each element of `x`."""
        return softsign(x)


class Tanh(Module):
    """The hyperbolic tangent, `tanh(x)`.

    It takes and returns an array of any shape.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Tanh()(ca.asarray([-1.0, 0.0, 2.0])).shape
    Shape((3,))

    Notes
    -----
    `torch.nn.Tanh`.
    """

    def forward(self, x: Array, /) -> Array:
        """Apply the function to each element of `x`."""
        return tanh(x)


class Tanhshrink(Module):
    """The shrinkage by the hyperbolic tangent, `x - tanh(x)`.

    It takes and returns an array of any shape.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Tanhshrink()(ca.asarray([-1.0, 0.0, 2.0])).shape
    Shape((3,))

    Notes
    -----
    `torch.nn.Tanhshrink`.
    """

    def forward(self, x: Array, /) -> Array:
        """Apply the function to each element of `x`."""
        return tanhshrink(x)


class Threshold(Module):
    """A threshold, `x if x > threshold else value`.

    It takes and returns an array of any shape.

    Parameters
    ----------
    threshold
        The threshold.
    value
        What replaces smaller numbers.
    inplace
        No effect, for programs from torch: the result is a new array.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.Threshold()(ca.asarray([-1.0, 0.0, 2.0])).shape
    Shape((3,))

    Notes
    -----
    `torch.nn.Threshold`.
    """

    def __init__(self, threshold: float = 0.0, value: float = 0.0, inplace: bool = False) -> None:
        self.threshold = threshold
        self.value = value

    def forward(self, x: Array, /) -> Array:
        """Apply the function to each element of `x`."""
        return threshold(x, self.threshold, self.value)
