"""Between backends, and out of the library."""

from __future__ import annotations

from typing import Any

from corearray.array import Array
from corearray.choice import get_backend
from corearray.dispatch import backend_of
from corearray.errors import CoreArrayTypeError
from corearray.nest import through
from corearray.nest import to_native as _native_of

__all__ = ["is_array", "to_backend", "to_native"]


def to_backend(x: Any, backend: str) -> Array:
    """Bring an array to another backend, without a copy where both frameworks can share the memory (DLPack).

    Parameters
    ----------
    x
        An array of any backend, native or not.
    backend
        Name of the backend.

    Returns
    -------
    An `Array` of that backend with the shape, dtype and elements of `x`; `x` itself if it is one already.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.to_backend(ca.asarray([1.0]), "numpy").backend.name
    'numpy'
    """
    target = get_backend(backend)
    source = backend_of(x)
    if source is None:
        raise CoreArrayTypeError(f"to_backend takes an array, got {type(x).__name__}; use corearray.asarray first")
    array = x if isinstance(x, Array) else source.wrap(x)
    if source is target:
        return array
    try:
        return target.from_dlpack(array)  # type: ignore[no-any-return]
    except Exception:  # a dtype or device that one of the two cannot exchange: copy through the host
        return target.asarray(source.fact("to_numpy", array._native), dtype=array.dtype)  # type: ignore[no-any-return]


def to_native(x: Any) -> Any:
    """Return the framework's own array of an `Array`, also within lists, tuples and dictionaries.

    Examples
    --------
    >>> import corearray as ca
    >>> type(ca.to_native(ca.asarray([1.0]))).__name__
    'ndarray'
    """
    return through(x, _native_of)


def is_array(x: Any) -> bool:
    """Tell whether a value is an array of some backend, native or not.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.is_array(ca.zeros(1)), ca.is_array([0.0])
    (True, False)
    """
    return isinstance(x, Array) or (backend_of(x) is not None and not isinstance(x, (list, tuple, dict)))
