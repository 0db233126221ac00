"""Making arrays of other things."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.errors import CoreArrayOverflowError, CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.numpy.data_types import dtype_of
from corearray.frontend.numpy.promotion import surely

__all__ = ["FUNCTIONS"]


def _array(
    np: Any,
    object: Any,
    dtype: Any = None,
    *,
    copy: Any = True,
    order: str = "K",
    subok: bool = False,
    ndmin: int = 0,
    ndmax: int = 0,
) -> Any:
    """Return an array of numbers, lists, arrays."""
    types = np.ndarray._types
    if order not in ("K", "A", "C", "F", None, "k", "a", "c", "f"):
        raise CoreArrayValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
    own = None if dtype is None else dtype_of(dtype)
    held = object if isinstance(object, ca.Array) else getattr(object, "array", None)
    kept = isinstance(held, ca.Array)
    made = types.array_of(object, own)
    if kept and made is held and copy:
        made = ca.asarray(made, copy=True)
    if copy is False and not np.version.startswith(("0.", "1.")) and made is not held:
        raise CoreArrayValueError(
            "Unable to avoid copy while creating an array as requested: use `np.asarray(obj)` or copy=None"
        )
    if ndmin > 64:
        raise CoreArrayValueError("ndmin bigger than allowable number of dimensions 64")
    if made.ndim < ndmin:
        made = ca.reshape(made, (*(1,) * (ndmin - made.ndim), *made.shape))
    if made is held and isinstance(object, types.ndarray) and (subok or type(object) is types.ndarray):
        return object
    return types.like(object, made) if subok and isinstance(object, types.ndarray) else types.wrap(made)


def _asarray(np: Any, a: Any, dtype: Any = None, order: Any = None, *, device: Any = None, copy: Any = None) -> Any:
    """Return an array of numbers, lists, arrays; an array as it is."""
    if device not in (None, "cpu") and not isinstance(device, ca.Device):
        raise CoreArrayValueError(f'Device not understood. Only "cpu" is allowed, but received: {device}')
    return _array(np, a, dtype, copy=copy, order=order)


def _asanyarray(np: Any, a: Any, dtype: Any = None, order: Any = None, *, device: Any = None, copy: Any = None) -> Any:
    """Return an array of numbers, lists, arrays; arrays of subclasses as they are."""
    return _array(np, a, dtype, copy=copy, order=order, subok=True)


def _ascontiguousarray(np: Any, a: Any, dtype: Any = None) -> Any:
    """Return an array of one axis or more."""
    return _array(np, a, dtype, copy=None, ndmin=1)


def _require(np: Any, a: Any, dtype: Any = None, requirements: Any = None) -> Any:
    """Return an array that meets requirements. Only C order and writable elements can be required."""
    known = {
        "C",
        "C_CONTIGUOUS",
        "CONTIGUOUS",
        "A",
        "ALIGNED",
        "W",
        "WRITEABLE",
        "O",
        "OWNDATA",
        "E",
        "ENSUREARRAY",
        "F",
        "FORTRAN",
        "F_CONTIGUOUS",
    }
    wanted = {str(one).upper() for one in requirements or ()}
    if wanted - known:
        raise KeyError(f"{sorted(wanted - known)[0]}: requirements are {', '.join(sorted(known))}")
    if {"C", "C_CONTIGUOUS", "CONTIGUOUS"} & wanted and {"F", "FORTRAN", "F_CONTIGUOUS"} & wanted:
        raise CoreArrayValueError('Cannot specify both "C" and "F" order')
    made = _asanyarray(np, a, dtype)
    return (
        made.copy()
        if ({"O", "OWNDATA"} & wanted and made.base is not None)
        or (not made.flags.writeable and {"W", "WRITEABLE"} & wanted)
        else made
    )


def _asarray_chkfinite(np: Any, a: Any, dtype: Any = None, order: Any = None) -> Any:
    """Return an array, all of whose elements are finite."""
    made = _asarray(np, a, dtype)
    if made.dtype.char in np.typecodes["AllFloat"] and not np.isfinite(made).all():
        raise CoreArrayValueError("array must not contain infs or NaNs")
    return made


def _fromiter(np: Any, iter: Any, dtype: Any, count: int = -1) -> Any:
    """Return an array of the items of an iterable."""
    items: list[Any] = []
    for item in iter:
        if len(items) == count:
            break
        items.append(item)
    if count > len(items):
        raise CoreArrayValueError(f"iterator too short: Expected {count} but iterator had only {len(items)} items.")
    return np.array(items, dtype=dtype)


def _fromfunction(np: Any, function: Any, shape: Any, *, dtype: Any = float, **kwargs: Any) -> Any:
    """Return what a function makes of the coordinates of all elements."""
    return function(*np.indices(shape, dtype=dtype), **kwargs)


def _frombuffer(np: Any, buffer: Any, dtype: Any = float, count: int = -1, offset: int = 0) -> Any:
    """Return an array of the elements whose bytes are in a buffer."""
    own = dtype_of(dtype)
    data = bytes(memoryview(buffer)) if not isinstance(buffer, bytes) else buffer
    if not 0 <= offset <= len(data):
        raise CoreArrayValueError(f"offset must be non-negative and no greater than buffer length ({len(data)})")
    if count < 0 and (len(data) - offset) % own.itemsize:
        raise CoreArrayValueError("buffer size must be a multiple of element size")
    if count >= 0 and offset + count * own.itemsize > len(data):
        raise CoreArrayValueError("buffer is smaller than requested size")
    if count == 0 or (count < 0 and offset == len(data)):
        return np.empty((0,), dtype=own)
    return np.ndarray._types.wrap(ca.frombuffer(data, dtype=own, count=count, offset=offset))


def _fromstring(np: Any, string: str, dtype: Any = float, count: int = -1, *, sep: str) -> Any:
    """Return an array of the numbers in a text."""
    own = np.dtype(dtype)
    change = {"f": float, "c": complex}.get(own.kind, int)
    words = string.split(sep.strip() or None)
    made = [change(word) for word in words if word.strip()]
    return np.array(made[: count if count >= 0 else None], dtype=own)


def _copyto(np: Any, dst: Any, src: Any, casting: str = "same_kind", where: Any = True) -> None:
    """Write elements of one array into another one."""
    if not isinstance(dst, np.ndarray):
        raise CoreArrayTypeError("copyto() argument 1 must be numpy.ndarray")
    weak = isinstance(src, (bool, int, float, complex))
    given = np.asarray(src)
    if weak and isinstance(src, int) and not isinstance(src, bool) and dst.dtype.kind in "iu":
        info = ca.iinfo(dst.array.dtype)
        if not info.min <= src <= info.max:
            raise CoreArrayOverflowError(f"Python integer {src} out of bounds for {dst.dtype}")
    if not (weak and np.result_type(dst, src) == dst.dtype) and not np.can_cast(given.dtype, dst.dtype, casting):
        raise CoreArrayTypeError(
            f"Cannot cast array data from {given.dtype!r} to {dst.dtype!r} according to the rule '{casting}'"
        )
    given = given.astype(dst.dtype)
    if where is True:
        dst[...] = given
    else:
        mask = np.broadcast_to(np.asarray(where), dst.shape)
        if mask.dtype != bool:
            raise CoreArrayTypeError("the mask of copyto is boolean")
        dst[...] = np.where(mask, np.broadcast_to(given, dst.shape), dst)


def _putmask(np: Any, a: Any, mask: Any, values: Any) -> None:
    """Write values where a mask holds, repeated to the size of the array."""
    if not isinstance(a, np.ndarray):
        raise CoreArrayTypeError("argument 1 must be numpy.ndarray")
    chosen, given = np.asarray(mask).astype(bool), np.asarray(values)
    if chosen.size != a.size:
        raise CoreArrayValueError("putmask: mask and data must be the same size")
    if not np.can_cast(given.dtype, a.dtype, "same_kind") and not isinstance(values, (bool, int, float)):
        raise CoreArrayTypeError(
            f"Cannot cast array data from {given.dtype!r} to {a.dtype!r} according to the rule 'safe'"
        )
    if not given.size:
        return
    filled = np.resize(given.astype(a.dtype), a.shape)
    a[...] = np.where(chosen.reshape(a.shape), filled, a)


def _place(np: Any, arr: Any, mask: Any, vals: Any) -> None:
    """Write values one after the other where a mask holds."""
    if not isinstance(arr, np.ndarray):
        raise CoreArrayTypeError("argument 1 must be numpy.ndarray")
    chosen, given = np.asarray(mask).astype(bool).ravel(), np.asarray(vals).ravel()
    count = int(chosen.sum())
    if not count:
        return
    if not given.size:
        raise CoreArrayValueError("Cannot insert from an empty array!")
    flat = arr.reshape(-1).copy()
    flat[chosen] = np.resize(given.astype(arr.dtype), (count,))
    arr[...] = flat.reshape(arr.shape)


def _put(np: Any, a: Any, ind: Any, v: Any, mode: str = "raise") -> None:
    """Write values at flat indices."""
    if not isinstance(a, np.ndarray):
        raise CoreArrayTypeError(f"argument 1 must be numpy.ndarray, not {type(a).__name__}")
    places, given = np.asarray(ind).ravel(), np.asarray(v).ravel()
    if not a.flags.writeable:
        raise CoreArrayValueError("put: output array is read-only")
    if not places.size or not given.size:
        return
    if not np.can_cast(places.dtype, np.int64, "same_kind"):
        raise CoreArrayTypeError(
            f"Cannot cast array data from {places.dtype!r} to dtype('int64') according to the rule 'safe'"
        )
    places = _within(np, places.astype(np.int64), a.size, mode)
    flat = a.reshape(-1).copy()
    flat[places] = np.resize(given.astype(a.dtype), places.shape)
    a[...] = flat.reshape(a.shape)


def _within(np: Any, places: Any, size: int, mode: str) -> Any:
    """Return indices within an axis, under NumPy's modes."""
    if mode == "wrap":
        return places % size
    if mode == "clip":
        return np.clip(places, 0, size - 1)
    if mode != "raise":
        raise CoreArrayValueError("clipmode must be one of 'clip', 'raise', or 'wrap'")
    if surely(((places < -size) | (places >= size)).any()):
        from corearray.errors import CoreArrayIndexError

        raise CoreArrayIndexError(f"an index is out of bounds for an axis of size {size}")
    return np.where(places < 0, places + size, places)


def _fill_diagonal(np: Any, a: Any, val: Any, wrap: bool = False) -> None:
    """Write into the main diagonal."""
    if a.ndim < 2:
        raise CoreArrayValueError("array must be at least 2-d")
    end = None
    if a.ndim == 2:
        step = a.shape[1] + 1
        if not wrap:
            end = a.shape[1] * a.shape[1]
    else:
        if len(set(a.shape)) > 1:
            raise CoreArrayValueError("All dimensions of input must be of equal length")
        step = 1 + sum(a.shape[0] ** i for i in range(1, a.ndim))
    a.flat[slice(None, end, step)] = val


def _put_along_axis(np: Any, arr: Any, indices: Any, values: Any, axis: Any = -1) -> None:
    """Write values at indices along an axis."""
    indices = np.asarray(indices)
    if axis is None:
        if indices.ndim != 1:
            raise CoreArrayValueError("when axis=None, `indices` must have a single dimension.")
        arr.flat[indices] = values
        return
    axis = np.lib.array_utils.normalize_axis_index(axis, arr.ndim)
    arr[_along(np, arr.shape, indices, axis)] = values


def _along(np: Any, shape: Any, indices: Any, axis: int) -> Any:
    if indices.dtype.kind not in "iu":
        from corearray.errors import CoreArrayIndexError

        raise CoreArrayIndexError("`indices` must be an integer array")
    if len(shape) != indices.ndim:
        raise CoreArrayValueError("`indices` and `arr` must have the same number of dimensions")
    return tuple(
        indices if i == axis else np.arange(n).reshape((1,) * i + (-1,) + (1,) * (len(shape) - i - 1))
        for i, n in enumerate(shape)
    )


def _resize(np: Any, a: Any, new_shape: Any) -> Any:
    """Return the elements repeated to a shape."""
    sizes = (new_shape,) if hasattr(new_shape, "__index__") else tuple(new_shape)
    a = np.ravel(a)
    size = 1
    for n in sizes:
        size *= n
        if n < 0:
            raise CoreArrayValueError("all elements of `new_shape` must be non-negative")
    if not a.size or not size:
        return np.zeros_like(a, shape=sizes)
    return np.concatenate((a,) * -(-size // a.size))[:size].reshape(sizes)


FUNCTIONS = {
    "array": _array, "asarray": _asarray, "asanyarray": _asanyarray, "ascontiguousarray": _ascontiguousarray,
    "require": _require,
    "asfortranarray": _ascontiguousarray, "asarray_chkfinite": _asarray_chkfinite, "fromiter": _fromiter,
    "fromfunction": _fromfunction, "frombuffer": _frombuffer, "fromstring": _fromstring, "copyto": _copyto, "putmask": _putmask,
    "place": _place, "put": _put, "fill_diagonal": _fill_diagonal, "put_along_axis": _put_along_axis, "resize": _resize,
}  # fmt: skip
