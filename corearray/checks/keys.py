"""What stands between the brackets of `x[...]`: made readable for a backend, and looked at after it failed."""

from __future__ import annotations

from itertools import zip_longest
from operator import index
from typing import TYPE_CHECKING, Any

from corearray.arrays.array import Array
from corearray.calls.dispatch import is_foreign, is_typed_number
from corearray.errors import CoreArrayError, CoreArrayIndexError, CoreArrayTypeError, CoreArrayValueError

if TYPE_CHECKING:
    from corearray.backends.backend import Backend

__all__ = ["array_key", "readable_key", "sound_key", "wrong_index", "wrong_key"]

_Shape = tuple[Any, ...]

_PLAIN = frozenset({int, bool, slice, type(None), type(Ellipsis)})
_INDICES = ("bool", "signed integer", "unsigned integer")


def readable_key(backend: Backend, key: Any) -> Any:
    """Return a key with arrays in place of lists and of NumPy's arrays, and plain integers in place of NumPy's."""
    if isinstance(key, tuple):
        return tuple(_readable(backend, part) for part in key)
    return _readable(backend, key)


def sound_key(backend: Backend, x: Any, key: Any) -> Any:
    """Return a readable key, and refuse what some frameworks take and others do not.

    Raises
    ------
    CoreArrayIndexError
        For arrays of numbers that are no indices, and for a second `...`.
    """
    key = readable_key(backend, key)
    dots = 0
    for part in key if isinstance(key, tuple) else (key,):
        if part is Ellipsis:
            dots += 1
        elif type(part) in _PLAIN or not backend.is_array(part) or backend.dtype_of(part).category in _INDICES:
            continue
        found = None if dots == 1 else wrong_key(backend, x, key)
        if found is not None:
            raise found
    return key


def array_key(array: type[Array], key: Any) -> Any:
    """Return a key made of arrays of a class and of what needs no look, with native arrays; `None` for any other key."""
    parts = key if type(key) is tuple else (key,)
    found = []
    dots = 0
    for part in parts:
        kind = type(part)
        if kind is array:
            dtype = part._kind.dtype
            if dtype is None or dtype.category not in _INDICES:
                return None
            part = part._native
        elif kind not in _PLAIN:
            return None
        dots += part is Ellipsis
        found.append(part)
    if dots > 1:
        return None
    return tuple(found) if type(key) is tuple else found[0]


def _readable(backend: Backend, part: Any) -> Any:
    if type(part) in _PLAIN or isinstance(part, Array):
        return part
    if is_typed_number(part):
        return part.tolist()
    if backend.is_array(part):
        return part
    if isinstance(part, (list, tuple, range)):
        return backend.asarray(list(part), dtype=None if part else "int64")
    if is_foreign(part):
        return backend.asarray(part)
    if hasattr(part, "__index__"):
        try:
            return index(part)
        except TypeError:  # an array with axes, of another library
            return part
    return part


def wrong_key(backend: Backend, x: Any, key: Any) -> CoreArrayError | None:
    """Return what is wrong with a key of an array, or `None` if nothing is found."""
    shape = _shape(x)
    parts = key if isinstance(key, tuple) else (key,)
    where = f"an array of the shape {shape} on backend '{backend.name}' was indexed with {_written(backend, key)}"
    if sum(part is Ellipsis for part in parts) > 1:
        return CoreArrayIndexError(f"{where}; '...' may stand in a key once")
    used = []
    for part in parts:
        if backend.is_array(part):
            dtype = backend.dtype_of(part)
            if dtype.category not in _INDICES:
                return CoreArrayIndexError(f"{where}; arrays of '{dtype}' are no indices, integers and booleans are")
            used.append(len(_shape(part)) if dtype.category == "bool" else 1)
        elif part is None or part is Ellipsis or isinstance(part, bool):
            used.append(0)
        elif isinstance(part, slice) or hasattr(part, "__index__"):
            used.append(1)
        else:
            return CoreArrayIndexError(
                f"{where}; keys are made of integers, slices, None, '...', integer and boolean arrays"
            )
    if sum(used) > len(shape):
        return CoreArrayIndexError(f"{where}, which is a key for {sum(used)} axes; there are {len(shape)}")
    shapes = [_shape(part) for part in parts if backend.is_array(part) and backend.dtype_of(part).category != "bool"]
    if _do_not_broadcast(shapes):
        listed = " and ".join(map(str, shapes))
        return CoreArrayIndexError(f"{where}; the arrays of the shapes {listed} in it do not broadcast to one")
    for number, part in enumerate(parts):
        dots = any(before is Ellipsis for before in parts[:number])
        place = len(shape) - sum(used[number:]) if dots else sum(used[:number])
        found = _wrong_part(backend, part, shape[place : place + used[number]], place)
        if found is not None:
            return type(found)(f"{where}; {found}")
    return None


def _wrong_part(backend: Backend, part: Any, sizes: _Shape, place: int) -> CoreArrayError | None:
    if isinstance(part, slice):
        if part.step == 0:
            return CoreArrayValueError("the step of a slice cannot be 0")
        odd = next((end for end in (part.start, part.stop, part.step) if not _is_end(end)), None)
        return None if odd is None else CoreArrayTypeError(f"a slice holds integers and None, not {odd!r:.80}")
    if not sizes or not all(type(size) is int for size in sizes):
        return None
    if not backend.is_array(part):
        return _outside(index(part), sizes[0], place)
    if backend.dtype_of(part).category == "bool":
        if _shape(part) != sizes:
            return CoreArrayIndexError(f"a mask of the shape {_shape(part)} does not fit axes of the shape {sizes}")
        return None
    return wrong_index(backend, part, sizes[0], place)


def _is_end(value: Any) -> bool:
    return value is None or hasattr(type(value), "__index__")


def _do_not_broadcast(shapes: list[_Shape]) -> bool:
    columns = zip_longest(*(reversed(shape) for shape in shapes), fillvalue=1)
    return any(len({size for size in column if type(size) is int and size != 1}) > 1 for column in columns)


def wrong_index(backend: Backend, indices: Any, size: int, place: int) -> CoreArrayError | None:
    """Return the error for the first extreme of an integer array that is no index of an axis, or `None`."""
    for extreme in (backend.min(indices), backend.max(indices)) if 0 not in _shape(indices) else ():
        found = _outside(int(extreme), size, place)
        if found is not None:
            return found
    return None


def _outside(wanted: int, size: int, place: int) -> CoreArrayError | None:
    if -size <= wanted < size:
        return None
    valid = f"valid are {-size} to {size - 1}" if size else "it is empty"
    return CoreArrayIndexError(f"index {wanted} is out of range for axis {place} of length {size}; {valid}")


def _shape(x: Any) -> _Shape:
    return tuple(getattr(x, "_native", x).shape)


def _written(backend: Backend, key: Any) -> str:
    """Write a key for a message; arrays by their shapes."""
    if isinstance(key, tuple):
        return f"({', '.join(_written(backend, part) for part in key)})"
    if backend.is_array(key):
        return f"an array of {backend.dtype_of(key)} of the shape {_shape(key)}"
    if isinstance(key, slice):
        ends = ["" if end is None else str(end) for end in (key.start, key.stop)]
        return ":".join([*ends, str(key.step)] if key.step is not None else ends)
    return "..." if key is Ellipsis else repr(key)
