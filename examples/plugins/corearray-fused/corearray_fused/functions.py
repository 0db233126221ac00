"""The declaration. Its body is the composition for backends without a kernel; `xp` stands for the backend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corearray.plugin import declare

if TYPE_CHECKING:
    import corearray as xp
    from corearray import Array

__all__ = ["multiply_add"]


@declare(promote=("x1", "x2", "x3"), gives="same")
def multiply_add(x1: Array, x2: Array, x3: Array, /, *, out: Array | None = None) -> Array:
    """Multiply two arrays and add a third one.

    Parameters
    ----------
    x1, x2, x3
        Numeric arrays of shapes that broadcast.
    out
        An array to write the result into.

    Returns
    -------
    `x1 * x2 + x3`, of the promoted dtype and the joint shape.
    """
    return xp.add(xp.multiply(x1, x2), x3)
