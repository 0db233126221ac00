"""Barriers for derivatives. The derivatives themselves are in `corearray.transforms`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corearray.contract.declaration import declare

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array

__all__ = ["stop_gradient"]


@declare(gives="same")
def stop_gradient(x: Array, /) -> Array:
    """Return a copy of an array through which no gradient flows.

    Parameters
    ----------
    x
        Array of any shape and dtype.

    Returns
    -------
    Array of the same elements, constant to whatever differentiates.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.stop_gradient(ca.asarray([1.0, 2.0])).tolist()
    [1.0, 2.0]
    """
    return xp.asarray(x, copy=True)
