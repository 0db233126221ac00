"""Polynomials of one variable, given by their coefficients."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from corearray.contract.declaration import declare

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.contract.declaration import Scalar

__all__ = [
    "polyfit",
    "polyval",
    "vander",
]


@declare(promote=("x", "y", "w"), floating=True, gives="same")
def polyfit(x: Array, y: Array, /, deg: int, *, w: Array | None = None) -> Array:
    """Fit a polynomial in the sense of least squares.

    Parameters
    ----------
    x
        Where the polynomial is to have given values: numeric array of shape `(M,)`.
    y
        The values, of shape `(M,)`, or `(M, K)` for several polynomials.
    deg
        Degree of the polynomial, at least 0.
    w
        Weights of the residuals (not of their squares), of shape `(M,)`.

    Returns
    -------
    Coefficients, that of the highest power first, of shape `(deg + 1,)` or `(deg + 1, K)` and the promoted floating dtype.

    Raises
    ------
    ValueError
        If `deg` is negative or a shape does not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([0.0, 1.0, 2.0, 3.0])
    >>> ca.round(ca.polyfit(x, 2.0 * x * x - 3.0, 2)).tolist()[::2]
    [2.0, -3.0]

    Notes
    -----
    NumPy's `polyfit`: columns are scaled to norm 1, and singular values below `M * eps` times the largest count as zero.
    """
    if deg < 0:
        raise ValueError(f"'polyfit' was asked for the degree {deg}; it is at least 0")
    if x.ndim != 1 or not x.shape[0] or y.ndim not in (1, 2) or y.shape[0] != x.shape[0]:
        raise ValueError(
            f"'polyfit' got arrays of the shapes {tuple(x.shape)} and {tuple(y.shape)}; they must have the shapes (M,) and "
            "(M,) or (M, K)"
        )
    columns = xp.vander(x, N=deg + 1)
    if w is not None:
        if tuple(w.shape) != tuple(x.shape):
            raise ValueError(f"'polyfit' got weights of shape {tuple(w.shape)} for an array of shape {tuple(x.shape)}")
        columns = columns * xp.expand_dims(w, 1)
        y = y * (xp.expand_dims(w, 1) if y.ndim == 2 else w)
    norms = xp.linalg.vector_norm(columns, axis=0)
    norms = xp.where(norms == 0.0, 1.0, norms)
    share = float(xp.finfo(norms.dtype).eps) * x.shape[0]
    scale = xp.astype(norms, columns.dtype, copy=False)
    found = xp.linalg.lstsq(columns / scale, y, rcond=share).solution
    return found / (xp.expand_dims(scale, 1) if y.ndim == 2 else scale)


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
