"""Logarithm, cosine, sine and square root with identical bits on every backend.

Libraries round these functions differently. The versions here consist of sums, products, quotients and selections,
which IEEE 754 rounds in one way; their errors are a few units in the last place.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from corearray.random.number_dtypes import widest

if TYPE_CHECKING:
    from corearray.backends.backend import Backend

__all__ = ["log_of_rest", "on_circle", "root"]

#: Taylor's series in the square of the argument: of `atanh(s) / s`, `cos(x)` and `sin(x) / x`.
_ATANH = [1.0 / (2 * k + 1) for k in range(12)]
_COS = [(-1.0) ** k / math.factorial(2 * k) for k in range(10)]
_SIN = [(-1.0) ** k / math.factorial(2 * k + 1) for k in range(10)]


def log_of_rest(be: Backend, u: Any) -> Any:
    """Compute `log(1 - u)` of multiples of `2**-53` from 0 up to 1, which is excluded."""
    mantissa, exponent = be.frexp(1.0 - u)
    low = mantissa < math.sqrt(0.5)
    mantissa = be.where(low, mantissa * 2.0, mantissa)  # about 1, where no error is greater than the logarithm
    exponent = be.astype(exponent, widest(be)) - be.astype(low, widest(be))
    s = (mantissa - 1.0) / (mantissa + 1.0)
    return s * _series(_ATANH, s * s) * 2.0 + exponent * math.log(2.0)


def on_circle(be: Backend, turns: Any) -> tuple[Any, Any]:
    """Compute cosine and sine of angles given as fractions of a full turn, multiples of `2**-53` from 0 to 1."""
    quarter = be.floor(turns * 4.0 + 0.5)
    angle = (turns * 4.0 - quarter) * (0.5 * math.pi)
    square = angle * angle
    x, y = _series(_COS, square), angle * _series(_SIN, square)
    odd = (quarter == 1.0) | (quarter == 3.0)
    x, y = be.where(odd, y, x), be.where(odd, x, y)
    left, below = (quarter == 1.0) | (quarter == 2.0), (quarter == 2.0) | (quarter == 3.0)
    return be.where(left, -x, x), be.where(below, -y, y)


def root(be: Backend, x: Any) -> Any:
    """Compute correctly rounded square roots: the framework's, with the last bit corrected by the residual.

    The square is exact: T. J. Dekker, "A floating-point technique for extending the available precision", 1971.
    """
    y = be.sqrt(x)
    high = y * (134217729.0 if widest(be) is be.float64 else 4097.0)
    high = high - (high - y)
    low = y - high
    rest = x - high * high - 2.0 * high * low - low * low
    return y + rest / be.where(y > 0.0, y + y, 1.0)


def _series(coefficients: list[float], x: Any) -> Any:
    *rest, total = coefficients
    for coefficient in reversed(rest):
        total = total * x + coefficient
    return total
