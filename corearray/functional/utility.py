"""Truth of whole arrays, and differences.

Everything is composed: `all` and `any` count, so that they have a result for empty arrays and for every
dtype.

The names `all` and `any` stand for the public functions in this file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corearray.declaration import declare

if TYPE_CHECKING:
    import corearray as xp
    from corearray.array import Array

__all__ = ["all", "any", "diff"]


@declare(gives="bool")
def all(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    out: Array | None = None,
) -> Array:
    """Whether all elements along axes are true.

    Parameters
    ----------
    x
        Array of any dtype. A number is true if it is not zero, and so is NaN.
    axis
        Axis or axes to reduce; by default all.
    keepdims
        Whether reduced axes stay with length one.
    out
        Array that receives the result.

    Returns
    -------
    Boolean array of the shape of `x` without the reduced axes; true over no elements.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.all(ca.asarray([[1, 0], [2, 3]]), axis=1).tolist()
    [False, True]

    Notes
    -----
    Array API standard 2025.12, `all`.
    """
    return xp.equal(xp.count_nonzero(xp.logical_not(x), axis=axis, keepdims=keepdims), 0)


@declare(gives="bool")
def any(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    out: Array | None = None,
) -> Array:
    """Whether at least one element along axes is true.

    Parameters
    ----------
    x
        Array of any dtype. A number is true if it is not zero, and so is NaN.
    axis
        Axis or axes to reduce; by default all.
    keepdims
        Whether reduced axes stay with length one.
    out
        Array that receives the result.

    Returns
    -------
    Boolean array of the shape of `x` without the reduced axes; false over no elements.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.any(ca.asarray([[1, 0], [0, 0]]), axis=1).tolist()
    [True, False]

    Notes
    -----
    Array API standard 2025.12, `any`.
    """
    return xp.not_equal(xp.count_nonzero(x, axis=axis, keepdims=keepdims), 0)


@declare(promote=("x", "prepend", "append"), gives="same")
def diff(
    x: Array,
    /,
    *,
    axis: int = -1,
    n: int = 1,
    prepend: Array | None = None,
    append: Array | None = None,
) -> Array:
    """Differences of neighbours along an axis, taken `n` times.

    Parameters
    ----------
    x
        Numeric array; of a boolean one the result tells where neighbours differ.
    axis
        Axis along which to subtract, by default the last.
    n
        How many times, at least 0.
    prepend, append
        Arrays that are joined to `x` before and after along `axis`; of the shape of `x` but for that axis.

    Returns
    -------
    Array of the shape of the joined `x`, shorter by `n` along `axis`, of the promoted dtype.

    Raises
    ------
    ValueError
        If `n` is negative.
    IndexError
        If `x` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.diff(ca.asarray([1, 4, 9, 16])).tolist()
    [3, 5, 7]
    >>> ca.diff(ca.asarray([1, 4, 9, 16]), n=2).tolist()
    [2, 2]

    Notes
    -----
    Unsigned integers wrap around. Array API standard 2025.12, `diff`.
    """
    if n < 0:
        raise ValueError(f"'diff' was asked for differences of order {n}; 'n' must be at least 0")
    if not -x.ndim <= axis < x.ndim:
        raise IndexError(f"'diff' was asked for axis {axis} of an array with {x.ndim} axes")
    parts = [part for part in (prepend, x, append) if part is not None]
    result = xp.concat(parts, axis=axis) if len(parts) > 1 else xp.astype(x, x.dtype)
    step = xp.not_equal if xp.isdtype(x.dtype, "bool") else xp.subtract
    before = (slice(None),) * (axis % x.ndim)
    for _ in range(n):
        size = result.shape[axis]
        if size == 0:
            break
        result = step(result[(*before, slice(1, size), ...)], result[(*before, slice(0, size - 1), ...)])
    return result
