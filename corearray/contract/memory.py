"""Which memory two libraries may share."""

from __future__ import annotations

__all__ = ["is_constant"]


def is_constant(x: object) -> bool:
    """Return true for an array whose elements cannot be written, as those of libraries whose arrays never change.

    `asarray` of a plugin asks this about arrays of other libraries. It shares memory if both libraries write in place or
    neither does; otherwise a write into one array would change one that must never change, and it copies.

    Parameters
    ----------
    x
        Array of any library, or an `Array`.

    Returns
    -------
    What the buffer protocol says of the memory; for arrays without it, as those on GPUs, true if the library has `+` and no
    `+=` of its own.

    Examples
    --------
    >>> from corearray.plugin import is_constant
    >>> is_constant(bytearray(4)), is_constant(bytes(4))
    (False, True)
    """
    native = getattr(x, "native", x)
    try:
        return memoryview(native).readonly  # type: ignore[arg-type]
    except (TypeError, ValueError, BufferError, RuntimeError):
        return hasattr(type(native), "__add__") and not hasattr(type(native), "__iadd__")
