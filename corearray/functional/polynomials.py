"""Polynomials of one variable, given by their coefficients."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from corearray.contract.declaration import declare

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.contract.declaration import Scalar

__all__ = ["polyval", "vander"]


@declare(promote=("coefficients", "x"))
def polyval(coefficients: Array, x: Array | Scalar, /) -> Array:
    """Evaluate a polynomial.

    Parameters
    ----------
    coefficients
        One-dimensional numeric array, that of the highest power first.
    x
        Points of evaluation: numeric array of any shape, or a Python scalar.

    Returns
    -------
    Array of the shape of `x` and the promoted dtype; zeros if there are no coefficients.

    Raises
    ------
    ValueError
        If `coefficients` has not one axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.polyval(ca.asarray([1.0, 0.0, -2.0]), ca.asarray([1.0, 3.0])).tolist()
    [-1.0, 7.0]

    Notes
    -----
    By Horner's rule, as NumPy's `polyval`.
    """
    if coefficients.ndim != 1:
        raise ValueError(f"'polyval' got coefficients of shape {tuple(coefficients.shape)}; they have one axis")
    places = cast("Array", x)  # `promote` has made an array of a scalar
    value = xp.zeros_like(places)
    for power in range(coefficients.shape[0]):
        value = value * places + coefficients[power]
    return value


@declare(gives="same")
def vander(x: Array, /, *, N: int | None = None, increasing: bool = False) -> Array:
    """Return the Vandermonde matrix, whose columns are powers of an array.

    Parameters
    ----------
    x
        One-dimensional numeric array.
    N
        Number of columns; by default as many as elements.
    increasing
        Whether the powers increase from left to right, from 0 on, or decrease to 0.

    Returns
    -------
    Array of shape `(len(x), N)` and the dtype of `x`, in which integers wrap around.

    Raises
    ------
    ValueError
        If `x` has not one axis, or `N` is negative.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.vander(ca.asarray([2, 3]), N=3).tolist()
    [[4, 2, 1], [9, 3, 1]]

    Notes
    -----
    NumPy's `vander`, which computes small integers in larger ones.
    """
    columns = x.shape[0] if N is None and x.ndim else N
    if x.ndim != 1 or columns is None or columns < 0:
        raise ValueError(
            f"'vander' got an array of shape {tuple(x.shape)} and N={N}; it takes one axis, and at least 0 columns"
        )
    if not columns:
        return xp.zeros((x.shape[0], 0), dtype=x.dtype, device=x.device)
    factors = xp.broadcast_to(x[:, None], (x.shape[0], columns - 1))
    powers = xp.cumulative_prod(factors, axis=1, dtype=x.dtype, include_initial=True)
    return powers if increasing else xp.astype(xp.flip(powers, axis=1), x.dtype, copy=True)
