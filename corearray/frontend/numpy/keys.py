"""Reading and writing by NumPy's keys: masks, arrays of indices, mixtures of both with slices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import corearray as ca
from corearray.errors import CoreArrayIndexError, CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.sharing import of_its_own

if TYPE_CHECKING:
    from corearray.frontend.numpy.wrapper import ndarray

__all__ = ["item", "set_item", "stripped_key"]


def _part(part: Any, types: Any) -> Any:
    if part is None or part is Ellipsis or isinstance(part, (bool, int)):
        return part
    if isinstance(part, slice):
        return slice(*(None if x is None else _index(x) for x in (part.start, part.stop, part.step)))
    if isinstance(part, (float, complex, str, bytes)):
        raise CoreArrayIndexError(
            "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid "
            f"indices, got {part!r}"
        )
    if isinstance(part, types.generic):
        if part.dtype.kind == "b":
            return bool(part.array)
        if part.dtype.kind in "iu":
            return int(part)
    made = part if isinstance(part, ca.Array) else types.array_of(part)
    if made.size == 0 and not isinstance(part, (ca.Array, types.ndarray)):
        made = ca.astype(made, ca.int64)
    if made.dtype != ca.bool and "int" not in made.dtype.name:
        raise CoreArrayIndexError("arrays used as indices must be of integer (or boolean) type")
    if not made.ndim and made.dtype != ca.bool:
        return int(made) if isinstance(part, (int, types.generic)) else made
    return made


def _index(x: Any) -> int:
    if not hasattr(x, "__index__"):
        raise TypeError("slice indices must be integers or None or have an __index__ method")
    return x.__index__()


def stripped_key(key: Any, types: Any) -> Any:
    """Return a key of integers, slices and arrays in place of one of NumPy's objects.

    Raises
    ------
    IndexError
        If a part is neither.
    """
    if isinstance(key, tuple):
        return tuple(_part(part, types) for part in key)
    return _part(key, types)


def item(x: Any, key: Any) -> Any:
    """Return the elements of a key: a view for slices, a copy for arrays, a scalar for one element.

    Raises
    ------
    IndexError
        If the key is none, or lies outside the array.
    """
    types = type(x)._types
    if isinstance(key, str) or (isinstance(key, list) and key and isinstance(key[0], str)):
        raise CoreArrayIndexError(
            "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays "
            "are valid indices"
        )
    own = stripped_key(key, types)
    made = types.frontend.function("numpy.ndarray.__getitem__")(x.array, own)
    parts = own if isinstance(own, tuple) else (own,)
    if not made.ndim and not any(part is Ellipsis for part in parts):
        whole = all(isinstance(part, int) or (isinstance(part, ca.Array) and part.ndim == 0) for part in parts)
        if whole or not any(part is None or isinstance(part, (bool, slice)) for part in parts):
            return types.scalar(of_its_own([x.array], made))
    if isinstance(x, types.generic):
        return types.wrap(made)
    view = not any(isinstance(part, (ca.Array, bool)) for part in parts)
    result = types.like(x, made)
    if view and isinstance(result, types.ndarray):
        result.base = x if x.base is None else x.base
        result._writeable = x._writeable
    return result


def set_item(x: ndarray, key: Any, value: Any) -> None:
    """Write elements.

    Raises
    ------
    ValueError
        If the array is read-only, or the value does not broadcast to the elements of the key.
    """
    types = type(x)._types
    if not x._writeable:
        raise CoreArrayValueError("assignment destination is read-only")
    if isinstance(key, str):
        raise CoreArrayIndexError("only integers, slices (`:`), ellipsis (`...`) and arrays are valid indices")
    if isinstance(value, str) or value is None:
        raise CoreArrayTypeError(f"could not convert {value!r} to a number")
    own = stripped_key(key, types)
    dtype = x.array.dtype
    given = types.array_of(value, dtype if not hasattr(value, "array") else None)
    if given.dtype.category == "complex floating" and dtype.category not in ("complex floating", "bool"):
        given = ca.real(given)
    target = types.frontend.function("numpy.ndarray.__getitem__")(x.array, own)
    while given.ndim > target.ndim and given.shape[0] == 1:
        given = given[0]
    types.frontend.function("numpy.ndarray.__setitem__")(x.array, own, given)
