"""Rounding, and functions of the floating-point representation.

Three are primary: `floor`, from which every other rounding follows exactly; `copysign`, the only function that
distinguishes signs of zeros and NaN; and `nextafter`, which needs the bits.

The name `round` is the public function in this file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corearray.contract.declaration import declare

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.contract.declaration import Scalar

__all__ = [
    "ceil",
    "copysign",
    "floor",
    "nextafter",
    "round",
    "signbit",
    "trunc",
]


@declare(real=True, gives="same")
def ceil(x: Array, /, out: Array | None = None) -> Array:
    """Round each element up.

    Parameters
    ----------
    x
        Real array of any shape; integers come back as they are.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape and dtype of `x`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.ceil(ca.asarray([-1.5, 0.25, 2.0])).tolist()
    [-1.0, 1.0, 2.0]

    Notes
    -----
    Infinities, NaN and the sign of zero pass through. Array API standard 2025.12, `ceil`.
    """
    _require_real(x, "ceil")
    if not xp.isdtype(x.dtype, "real floating"):
        return xp.positive(x)
    return xp.negative(xp.floor(xp.negative(x)))


@declare(promote=("x1", "x2"), floating=True, real=True, gives="same")
def copysign(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Combine the magnitude of `x1` with the sign of `x2`.

    Parameters
    ----------
    x1
        Real array of magnitudes; or a Python scalar, if `x2` is an array.
    x2
        Real array of signs, broadcastable with `x1`; or a Python scalar, if `x1` is an array.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype; integers give the default floating dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.copysign(ca.asarray([1.0, -2.0]), ca.asarray([-0.0, 3.0])).tolist()
    [-1.0, 2.0]

    Notes
    -----
    The sign bit counts, also that of a zero and of a NaN. Array API standard 2025.12, `copysign`.
    """
    ...


@declare(real=True, gives="same")
def floor(x: Array, /, out: Array | None = None) -> Array:
    """Round each element down.

    Parameters
    ----------
    x
        Real array of any shape; integers come back as they are.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape and dtype of `x`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.floor(ca.asarray([-1.5, 0.25, 2.0])).tolist()
    [-2.0, 0.0, 2.0]

    Notes
    -----
    Infinities, NaN and the sign of zero pass through. Array API standard 2025.12, `floor`.
    """
    ...


@declare(promote=("x1", "x2"), floating=True, real=True, gives="same")
def nextafter(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Return the next representable number after `x1` towards `x2`.

    Parameters
    ----------
    x1
        Start value: real floating array; or a Python scalar, if `x2` is an array.
    x2
        Direction: real floating array, broadcastable with `x1`; or a Python scalar, if `x1` is an array.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype; integers give the default floating dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> (ca.nextafter(ca.asarray([1.0]), 2.0) - 1.0).tolist() == [ca.finfo(ca.float32).eps]
    True

    Notes
    -----
    Equal arguments give `x2`, a NaN gives NaN. Array API standard 2025.12, `nextafter`.
    """
    ...


@declare(gives="same")
def round(x: Array, /, out: Array | None = None) -> Array:
    """Round each element to the nearest integral value, and ties to even.

    Parameters
    ----------
    x
        Numeric array of any shape; integers come back as they are, the parts of complex numbers are rounded
        each.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape and dtype of `x`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.round(ca.asarray([0.5, 1.5, -2.25])).tolist()
    [0.0, 2.0, -2.0]

    Notes
    -----
    Infinities, NaN and the sign of zero pass through. Array API standard 2025.12, `round`.
    """
    if xp.isdtype(x.dtype, "complex floating"):
        return xp.complex(xp.round(xp.real(x)), xp.round(xp.imag(x)))
    if not xp.isdtype(x.dtype, "real floating"):
        return xp.positive(x)
    size = xp.abs(x)
    fractional = size < 1.0 / float(xp.finfo(x.dtype).eps)  # larger numbers are integral
    held = xp.where(fractional, size, 0.0)
    even = 2.0 * xp.floor(0.5 * held)
    rest = held - even
    nearest = even + xp.astype(rest > 0.5, x.dtype) + xp.astype(rest >= 1.5, x.dtype)
    return xp.where(fractional, xp.copysign(nearest, x), x)


@declare(floating=True, real=True, gives="bool")
def signbit(x: Array, /, out: Array | None = None) -> Array:
    """Test elementwise whether the sign bit is set.

    Parameters
    ----------
    x
        Real array of any shape.
    out
        Array that receives the result.

    Returns
    -------
    Boolean array of the shape of `x`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.signbit(ca.asarray([-1.0, -0.0, 0.0, 2.0])).tolist()
    [True, True, False, False]

    Notes
    -----
    True for negative numbers, the negative zero and a NaN with that bit. Array API standard 2025.12,
    `signbit`.
    """
    return xp.copysign(1.0, x) < 0


@declare(real=True, gives="same")
def trunc(x: Array, /, out: Array | None = None) -> Array:
    """Round each element towards zero.

    Parameters
    ----------
    x
        Real array of any shape; integers come back as they are.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape and dtype of `x`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.trunc(ca.asarray([-1.5, 0.25, 2.0])).tolist()
    [-1.0, 0.0, 2.0]

    Notes
    -----
    Infinities, NaN and the sign of zero pass through. Array API standard 2025.12, `trunc`.
    """
    _require_real(x, "trunc")
    if not xp.isdtype(x.dtype, "real floating"):
        return xp.positive(x)
    return xp.copysign(xp.floor(xp.abs(x)), x)


def _require_real(x: Array, name: str) -> None:
    if xp.isdtype(x.dtype, "complex floating"):
        raise TypeError(f"'{name}' got an array of dtype {x.dtype}; complex numbers have no order")
