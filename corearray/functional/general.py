"""Indexing, in-place updates, and conversion to Python and NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corearray.contract.declaration import declare

if TYPE_CHECKING:
    from corearray.arrays.array import Array
    from corearray.contract.declaration import Index

__all__ = ["get_item", "inplace_decrement", "inplace_increment", "inplace_update", "to_list", "to_numpy"]


@declare(gives="same")
def get_item(x: Array, key: Index, /) -> Array:
    """Index an array, as `x[key]` does.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    key
        Integers, slices, `None`, `...`, integer and boolean arrays, or a tuple of these.

    Returns
    -------
    The selected part, of the dtype of `x`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.get_item(ca.asarray([1, 2, 3]), slice(1, None)).tolist()
    [2, 3]

    Notes
    -----
    Array API standard 2025.12, "Indexing".
    """
    ...


@declare()
def inplace_decrement(x: Array, value: Array | float, /) -> Array:
    """Subtract a value from an array in place, as `x -= value` does.

    Parameters
    ----------
    x
        Array; its views see the result too.
    value
        Array or Python number; it broadcasts to the shape of `x`, and the difference has the dtype of `x`.

    Returns
    -------
    `x` itself.

    Raises
    ------
    ValueError, TypeError
        If the difference has another shape or dtype than `x`.
    InplaceUpdateError
        In the strict in-place mode, if the framework cannot write in place.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([3, 4])
    >>> ca.inplace_decrement(x, 1).tolist(), x.tolist()
    ([2, 3], [2, 3])
    """
    x -= value
    return x


@declare()
def inplace_increment(x: Array, value: Array | float, /) -> Array:
    """Add a value to an array in place, as `x += value` does.

    Parameters
    ----------
    x
        Array; its views see the result too.
    value
        Array or Python number; it broadcasts to the shape of `x`, and the sum has the dtype of `x`.

    Returns
    -------
    `x` itself.

    Raises
    ------
    ValueError, TypeError
        If the sum has another shape or dtype than `x`.
    InplaceUpdateError
        In the strict in-place mode, if the framework cannot write in place.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([3, 4])
    >>> ca.inplace_increment(x, 1).tolist(), x.tolist()
    ([4, 5], [4, 5])
    """
    x += value
    return x


@declare()
def inplace_update(x: Array, value: Array | float, /) -> Array:
    """Overwrite all elements of an array with a value, as `x[...] = value` does.

    Parameters
    ----------
    x
        Array; its views see the result too.
    value
        Array or Python number; it broadcasts to the shape of `x` and is cast to its dtype within its kind: no float
        becomes an integer.

    Returns
    -------
    `x` itself.

    Raises
    ------
    ValueError, TypeError
        If the value does not broadcast to the shape of `x`, or is of a higher kind.
    InplaceUpdateError
        In the strict in-place mode, if the framework cannot write in place.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.zeros(3)
    >>> ca.inplace_update(x[1:], 5).tolist(), x.tolist()
    ([5.0, 5.0], [0.0, 5.0, 5.0])
    """
    x[...] = value
    return x


@declare()
def to_list(x: Array, /) -> Any:
    """Return the elements as nested lists of Python scalars; an array without axes gives one scalar.

    Parameters
    ----------
    x
        Array of any dtype and shape. A lazy array is computed.

    Returns
    -------
    Lists nested as deep as `x` has axes, of `bool`, `int`, `float` or `complex`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.to_list(ca.asarray([[1, 2]]))
    [[1, 2]]
    """
    ...


@declare()
def to_numpy(x: Array, /) -> Any:
    """Return the elements as a NumPy array, which may share memory.

    Parameters
    ----------
    x
        Array of any dtype, shape and device. A lazy array is computed; a split one is gathered.

    Returns
    -------
    `numpy.ndarray` of the same shape and dtype. `bfloat16`, which NumPy lacks, is float32 or the dtype of `ml_dtypes`,
    as the framework has it.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.to_numpy(ca.asarray([1, 2])).tolist()
    [1, 2]
    """
    ...
