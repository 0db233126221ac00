"""A converter from Python's numbers and nested sequences to arrays, with NumPy's dtypes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayOverflowError, CoreArrayTypeError, CoreArrayValueError

__all__ = ["coerced", "nested"]

_SEQUENCES = (list, tuple, range)


def coerced(x: Any, dtype: Any = None) -> ca.Array:
    """Return an array of a number, a nested sequence of numbers and arrays, or an object with `__array__`.

    Raises
    ------
    TypeError
        If an element is no number.
    ValueError
        If sequences along one axis differ in their lengths.
    OverflowError
        If an integer does not fit into the dtype.
    """
    from corearray.frontend.numpy.data_types import dtype_of
    from corearray.frontend.numpy.promotion import cast, promoted

    wanted = None if dtype is None else dtype_of(dtype)
    x = nested(x, wanted)
    if isinstance(x, ca.Array):
        return cast(x, wanted)
    if not isinstance(x, list):
        own = _dtype_of(x)
        if wanted is not None:
            _check_fits(x, wanted)
        if own != (wanted or own) and isinstance(x, complex) and wanted is not None and "complex" not in wanted.name:
            raise CoreArrayTypeError(f"float() argument must be a real number, not 'complex': {x!r}")
        if own not in ca.current_backend().native_dtypes:  # JAX without 64 bits
            own = wanted or _NARROW[own.name]
        return cast(ca.asarray(x, dtype=own), wanted)
    leaves: list[Any] = []
    shape = _shape(x, leaves)
    held = [leaf for leaf in leaves if isinstance(leaf, ca.Array)]
    found = {leaf.dtype for leaf in held} | {_dtype_of(leaf) for leaf in _examples(leaves)}
    own = reduce(promoted, sorted(found, key=str)) if found else ca.float64
    if held:
        kept = [leaf if isinstance(leaf, ca.Array) else ca.asarray(leaf, dtype=_dtype_of(leaf)) for leaf in leaves]
        shapes = {tuple(leaf.shape) for leaf in kept}
        if len(shapes) > 1:
            raise CoreArrayValueError(
                "setting an array element with a sequence. The requested array has an inhomogeneous shape: "
                f"arrays of the shapes {sorted(shapes)} stand side by side"
            )
        made = ca.stack([cast(leaf, wanted or own) for leaf in kept])
        return ca.reshape(made, (*shape, *shapes.pop()))
    if wanted is not None and wanted != own:
        for leaf in leaves:
            _check_fits(leaf, wanted)
        if "int" in wanted.name and all(type(leaf) is int for leaf in leaves):
            own = wanted
        if own.category == "complex floating" and wanted.category not in ("complex floating", "bool"):
            raise CoreArrayTypeError("float() argument must be a real number, not 'complex'")
    if not leaves:
        return ca.zeros(shape, dtype=wanted or own)
    return cast(ca.asarray(_of_kind(x, own), dtype=own), wanted)


def _of_kind(x: Any, own: ca.DType) -> Any:
    """Return nested lists whose numbers are of one kind, which some frameworks need."""
    change = {"bool": bool, "real floating": float, "complex floating": complex}.get(own.category, int)
    return [_of_kind(item, own) if isinstance(item, list) else change(item) for item in x]


def _examples(leaves: list[Any]) -> list[Any]:
    """Return leaves that stand for all: one of each type, and the extreme integers."""
    kinds: dict[type, Any] = {}
    integers = []
    for leaf in leaves:
        if isinstance(leaf, ca.Array):
            continue
        if type(leaf) is int:
            integers.append(leaf)
        else:
            kinds[type(leaf)] = leaf
    return [*kinds.values(), *([min(integers), max(integers)] if integers else [])]


def nested(x: Any, wanted: ca.DType | None = None) -> Any:
    """Return arrays, numbers, and lists of lists of these, in place of other sequences and array-likes.

    A text is a number if a dtype is wanted.
    """
    if isinstance(x, (ca.Array, bool, int, float, complex)):
        return x if isinstance(x, ca.Array) else _plain(x)
    own = getattr(x, "array", None)
    if isinstance(own, ca.Array):
        return own
    if isinstance(x, _SEQUENCES):
        return [nested(item, wanted) for item in x]
    if isinstance(x, str) and wanted is not None:
        return (complex if "complex" in wanted.name else float if "float" in wanted.name else int)(x)
    if isinstance(x, (str, bytes)) or x is None or isinstance(x, type):
        raise CoreArrayTypeError(f"arrays hold numbers here, and no backend has texts and objects: got {x!r}")
    if isinstance(x, (bytearray, memoryview)):
        return nested(memoryview(x).tolist())
    if hasattr(x, "__array__"):
        try:
            made = x.__array__()
        except Exception as error:
            raise error from None
        own = getattr(made, "array", None)
        return own if isinstance(own, ca.Array) else ca.asarray(made)
    if hasattr(x, "__array_interface__") or hasattr(x, "__dlpack__"):
        return ca.asarray(x)
    if isinstance(x, Sequence) or (hasattr(x, "__len__") and hasattr(x, "__getitem__") and not isinstance(x, dict)):
        return [nested(x[i]) for i in range(len(x))]
    for convert in ("__complex__", "__float__", "__index__"):
        if hasattr(x, convert) and convert != "__complex__":
            return float(x) if convert == "__float__" else int(x.__index__())
    raise CoreArrayTypeError(f"arrays hold numbers here, and no backend has objects: got {type(x).__name__}")


def _plain(x: Any) -> Any:
    return bool(x) if isinstance(x, bool) else x


def _shape(x: Any, leaves: list[Any], depth: int = 0) -> tuple[int, ...]:
    """Return the shape of nested lists, and collect their leaves."""
    if depth > 64:
        raise CoreArrayValueError("arrays have 64 axes at most; these lists are nested deeper")
    shapes = []
    for item in x:
        if isinstance(item, list):
            shapes.append(_shape(item, leaves, depth + 1))
        else:
            leaves.append(item)
            shapes.append(())
    if len(set(shapes)) > 1:
        if any(isinstance(item, ca.Array) and item.ndim for item in x):
            raise _uneven(len(x))
        raise _uneven(len(x))
    return (len(x), *(shapes[0] if shapes else ()))


def _uneven(count: int) -> CoreArrayValueError:
    return CoreArrayValueError(
        "setting an array element with a sequence. The requested array has an inhomogeneous shape: "
        f"the {count} parts of an axis differ in their lengths"
    )


_NARROW = {"int64": ca.int32, "uint64": ca.uint32, "float64": ca.float32, "complex128": ca.complex64}


def _dtype_of(x: Any) -> ca.DType:
    if isinstance(x, bool):
        return ca.bool
    if isinstance(x, int):
        if -(2**63) <= x < 2**63:
            return ca.int64
        if 0 <= x < 2**64:
            return ca.uint64
        raise CoreArrayOverflowError(f"Python integer {x} is out of bounds: no dtype here holds it")
    return ca.complex128 if isinstance(x, complex) else ca.float64


def _check_fits(x: Any, dtype: ca.DType) -> None:
    if isinstance(x, int) and not isinstance(x, bool) and "int" in dtype.name:
        info = ca.iinfo(dtype)
        if not info.min <= x <= info.max:
            raise CoreArrayOverflowError(f"Python integer {x} out of bounds for {dtype.name}")
