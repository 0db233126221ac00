"""Diagonals and triangles of matrices: construction, filling and indices."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from corearray.contract.declaration import declare

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.contract.declaration import Scalar
    from corearray.types.devices import Device
    from corearray.types.dtypes import DType

__all__ = ["diag", "diagflat", "eye_like", "fill_diagonal", "tril_indices", "triu_indices"]


@declare(gives="same")
def diag(x: Array, /, *, k: int = 0) -> Array:
    """Build a matrix from a diagonal, or extract the diagonal of a matrix.

    Parameters
    ----------
    x
        Array of any dtype with one axis, the diagonal, or with two, the matrix.
    k
        Index of the diagonal: 0 for the main diagonal, positive above it, negative below.

    Returns
    -------
    Of one axis: square matrix that holds `x` on the diagonal and zeros elsewhere. Of two: the diagonal, as by
    `linalg.diagonal`; writes into it are seen in `x`.

    Raises
    ------
    ValueError
        If `x` has neither one axis nor two.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.diag(ca.asarray([1, 2])).tolist()
    [[1, 0], [0, 2]]
    >>> ca.diag(ca.asarray([[1, 2], [3, 4]]), k=1).tolist()
    [2]

    Notes
    -----
    NumPy's `diag`.
    """
    if x.ndim == 2:
        return xp.linalg.diagonal(x, offset=k)
    if x.ndim != 1:
        raise ValueError(f"'diag' got an array of shape {tuple(x.shape)}; it takes a diagonal or a matrix")
    size = x.shape[0] + abs(k)
    padded = xp.pad(x, (0, abs(k))) if k else x
    on = xp.eye(size, k=k, dtype=xp.bool, device=x.device)
    return xp.where(on, padded[:, None] if k >= 0 else padded[None, :], xp.zeros((), dtype=x.dtype, device=x.device))


@declare(gives="same")
def diagflat(x: Array, /, *, k: int = 0) -> Array:
    """Build a matrix with the elements of an array on a diagonal.

    Parameters
    ----------
    x
        Array of any shape and dtype, taken in row-major order.
    k
        Index of the diagonal: 0 for the main diagonal, positive above it, negative below.

    Returns
    -------
    Square matrix of the dtype of `x`, with zeros elsewhere.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.diagflat(ca.asarray([[1, 2]]), k=-1).tolist()
    [[0, 0, 0], [1, 0, 0], [0, 2, 0]]

    Notes
    -----
    NumPy's `diagflat`.
    """
    return xp.diag(xp.reshape(x, (-1,)), k=k)


@declare(infer="like")
def eye_like(x: Array, /, *, k: int = 0, dtype: DType | None = None, device: Device | None = None) -> Array:
    """Return matrices with the shape of an array, with ones on one diagonal and zeros elsewhere.

    Parameters
    ----------
    x
        Array of shape `(..., M, N)`.
    k
        Index of the diagonal: 0 for the main diagonal, positive above it, negative below.
    dtype
        By default that of `x`.
    device
        Device of the result; by default that of `x`.

    Returns
    -------
    Array of the shape of `x`.

    Raises
    ------
    ValueError
        If `x` has fewer than two axes.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.eye_like(ca.asarray([[5, 6], [7, 8]])).tolist()
    [[1, 0], [0, 1]]

    Notes
    -----
    The operator `EyeLike` of ONNX, for stacks of matrices too.
    """
    if x.ndim < 2:
        raise ValueError(f"'eye_like' got an array of shape {tuple(x.shape)}; it takes matrices, of shape (..., M, N)")
    one = xp.eye(x.shape[-2], x.shape[-1], k=k, dtype=dtype, device=device)
    return one if x.ndim == 2 else xp.astype(xp.broadcast_to(one, tuple(x.shape)), one.dtype, copy=True)


@declare()
def fill_diagonal(x: Array, value: Array | Scalar, /, *, wrap: bool = False) -> Array:
    """Overwrite the main diagonal of an array in place.

    Parameters
    ----------
    x
        Array with two axes, or with more that are equally long; its views see the result too.
    value
        Diagonal elements: a Python scalar, or an array whose elements are taken in row-major order and again
        from the first when they run out. They are cast to the dtype of `x` within its kind: no float becomes an integer.
    wrap
        Whether the diagonal of a matrix with more rows than columns begins again below its end, after a row without it.

    Returns
    -------
    `x` itself.

    Raises
    ------
    ValueError
        If `x` has fewer than two axes, or more of different lengths, or `value` has no elements.
    TypeError
        If `value` is of a higher kind than `x`.
    InplaceUpdateError
        In the strict in-place mode, if the framework cannot write in place.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([[1, 2], [3, 4]])
    >>> _ = ca.fill_diagonal(x, 0)
    >>> x.tolist()
    [[0, 2], [3, 0]]

    Notes
    -----
    NumPy's `fill_diagonal`, which returns `None`. `fill_diagonal(asarray(x, copy=True), value)` leaves `x` as it is.
    """
    shape = tuple(x.shape)
    if len(shape) < 2 or (len(shape) > 2 and len(set(shape)) > 1):
        raise ValueError(f"'fill_diagonal' got an array of shape {shape}; it takes two axes, or more of one length")
    given = xp.reshape(xp.asarray(value, device=x.device), (-1,)) if hasattr(value, "shape") else None
    if given is not None and not given.shape[0]:
        raise ValueError("'fill_diagonal' got no value for the diagonal; give a number or at least one element")
    if len(shape) == 2 and (not wrap or shape[0] <= shape[1]):
        diagonal = xp.linalg.diagonal(x)
        if given is not None and given.shape[0] > 1:
            given = xp.take(given, xp.arange(min(shape), dtype=xp.int64, device=x.device) % given.shape[0], axis=0)
        diagonal[...] = cast("Array", value) if given is None else given
        return x
    size = math.prod(shape)
    step = 1 + sum(math.prod(shape[place:]) for place in range(1, len(shape)))
    places = xp.arange(size, dtype=xp.int64, device=x.device)
    values = xp.full(1, cast("Scalar", value), dtype=x.dtype, device=x.device) if given is None else given
    filled = xp.where(
        places % step == 0, xp.take(values, places // step % values.shape[0], axis=0), xp.reshape(x, (-1,))
    )
    x[...] = xp.reshape(filled, shape)
    return x


def _require_sizes(n: int, m: int | None, name: str) -> None:
    if n < 0 or (m is not None and m < 0):
        raise ValueError(f"'{name}' got n={n} and m={m}; sizes are at least 0")


@declare(check=_require_sizes)
def tril_indices(n: int, /, *, k: int = 0, m: int | None = None, device: Device | None = None) -> tuple[Array, Array]:
    """Return the indices of the lower triangle of a matrix.

    Parameters
    ----------
    n
        Number of rows.
    k
        Highest diagonal of the triangle: 0 the main one, positive above it, negative below.
    m
        Number of columns; by default as many as rows.
    device
        Device of the result; by default the default device.

    Returns
    -------
    The rows and the columns, in row-major order, of the default index dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> [index.tolist() for index in ca.tril_indices(2)]
    [[0, 1, 1], [0, 0, 1]]

    Notes
    -----
    NumPy's `tril_indices`.
    """
    return _triangle(n, n if m is None else m, k + 1, device)


@declare(check=_require_sizes)
def triu_indices(n: int, /, *, k: int = 0, m: int | None = None, device: Device | None = None) -> tuple[Array, Array]:
    """Return the indices of the upper triangle of a matrix.

    Parameters
    ----------
    n
        Number of rows.
    k
        Lowest diagonal of the triangle: 0 the main one, positive above it, negative below.
    m
        Number of columns; by default as many as rows.
    device
        Device of the result; by default the default device.

    Returns
    -------
    The rows and the columns, in row-major order, of the default index dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> [index.tolist() for index in ca.triu_indices(2)]
    [[0, 0, 1], [0, 1, 1]]

    Notes
    -----
    NumPy's `triu_indices`.
    """
    return _triangle(n, n if m is None else m, k, device, upper=True)


def _triangle(rows: int, columns: int, k: int, device: Device | None, *, upper: bool = False) -> tuple[Array, Array]:
    """List the elements before column `row + k` of each row, or those from there on.

    Their number follows from the sizes, so that no array is looked at.
    """
    k = min(max(k, -rows), columns)
    below = _clipped_sum(rows + k - 1, columns) - _clipped_sum(k - 1, columns)
    numbers = xp.arange(rows * columns - below if upper else below, dtype=xp.int64, device=device)
    if not numbers.shape[0]:
        return numbers, xp.zeros_like(numbers)
    limits = xp.clip(xp.arange(k, rows + k, dtype=xp.int64, device=device), 0, columns)
    before = xp.cumulative_sum(columns - limits if upper else limits)
    row = xp.searchsorted(before, numbers, side="right")
    ends = xp.full_like(limits, columns) if upper else limits
    return row, numbers - xp.take(before, row, axis=0) + xp.take(ends, row, axis=0)


def _clipped_sum(last: int, limit: int) -> int:
    """Add the integers from 1 to `last`, with `limit` in place of larger ones."""
    small = max(min(last, limit), 0)
    return small * (small + 1) // 2 + max(last - limit, 0) * limit
