"""Operands that are not arrays of the backend: objects that offer or hold an array."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from corearray.calls.dispatch import (
    array_within,
    backend_of,
    held_elsewhere,
    is_foreign,
    is_typed_number,
    refuse_other_backend,
)

if TYPE_CHECKING:
    from corearray.arrays.array import Array
    from corearray.backends.backend import Backend

__all__ = ["held", "is_operand", "operand"]

#: The methods by which a class offers its elements as an array.
_OFFERS = ("__array__", "__array_interface__", "__dlpack__")


def is_operand(backend: Backend, value: Any, method: str) -> bool:
    """Return true if an operator of a backend's arrays computes with an object, or raises the error that explains it.

    Parameters
    ----------
    backend
        The backend.
    value
        An object that is neither a number nor an array of the backend.
    method
        The method that Python calls next, such as `"__radd__"`. If the class of the object has it, the result is false.

    Examples
    --------
    >>> import corearray as ca, numpy
    >>> is_operand(ca.get_backend("numpy"), numpy.ones(1), "__radd__"), is_operand(ca.get_backend("numpy"), [1.0], "__radd__")
    (True, False)
    """
    if isinstance(value, (list, tuple, Mapping)) or (array_within(value) is not None and hasattr(type(value), method)):
        return False
    if backend_of(value) is not None or held(backend, value) is not None:
        return True
    if getattr(type(value), method, None) not in (None, getattr(object, method, None)):
        return False
    return _offers_array(value) or held_elsewhere(value, backend, "asarray") is not None


def operand(backend: Backend, value: Any, beside: Array) -> Any:
    """Return what an operator computes with in place of an object.

    Parameters
    ----------
    backend, value
        As in `is_operand`.
    beside
        The array on the other side of the operator.

    Returns
    -------
    An array for what offers or holds one, else the value.

    Examples
    --------
    >>> import corearray as ca, numpy
    >>> x = ca.asarray([1.0])
    >>> operand(x.backend, numpy.ones(1), x), operand(x.backend, 2, x)
    (Array([1.], dtype=float64, backend=numpy, device=cpu), 2)
    """
    if is_typed_number(value):
        return value
    found = held(backend, value)
    if found is not None:
        return found
    if is_foreign(value) or (
        backend_of(value) is None and (_offers_array(value) or held_elsewhere(value, backend, "asarray") is not None)
    ):
        return backend.asarray(value, device=None if len(backend.devices()) == 1 else beside.device)
    return value


def held(backend: Backend, value: Any) -> Any:
    """Return the native array of a backend that an object holds, or `None`.

    Libraries of layers have such objects: their classes have a protocol of the framework's, or dtype, shape and `value`.
    Those of the frontends have `__corearray_array__`, which returns an `Array`.

    Examples
    --------
    >>> import corearray as ca
    >>> held(ca.get_backend("numpy"), object())
    """
    if (array := array_within(value)) is not None:
        if array.backend is backend:
            return array._native
        if array.backend.fact("records_gradient", array._native):
            refuse_other_backend(array, backend, "asarray")
        return None
    found = backend.fact("held_array", value)
    if found is None and not isinstance(value, type) and hasattr(value, "dtype") and hasattr(value, "shape"):
        found = getattr(value, "value", None)
        found = found if backend.is_native(found) else None
    return found


def _offers_array(value: object) -> bool:
    kind = type(value)
    return any(hasattr(kind, offer) for offer in _OFFERS) and not hasattr(kind, "__corearray_function__")
