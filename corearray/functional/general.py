"""Indexing, and the ways between arrays and Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corearray.declaration import declare

if TYPE_CHECKING:
    from corearray.array import Array
    from corearray.declaration import Index

__all__ = ["get_item", "to_list", "to_numpy"]


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
def to_list(x: Array, /) -> Any:
    """Return the elements as nested lists of Python scalars, or one scalar for an array without axes.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.to_list(ca.asarray([[1, 2]]))
    [[1, 2]]
    """
    ...


@declare()
def to_numpy(x: Array, /) -> Any:
    """Return the elements as a NumPy array, which may share their memory.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.to_numpy(ca.asarray([1, 2])).tolist()
    [1, 2]
    """
    ...
