"""Elements of arrays as the little-endian bytes that files hold."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any

from corearray.convenience.files import frombuffer
from corearray.functional.general import to_numpy

if TYPE_CHECKING:
    from corearray.arrays.array import Array
    from corearray.backends.backend import Backend

__all__ = ["bytes_of", "vector_of"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"

_CODES: dict[str, Any] = {
    "float64": "d", "float32": "f", "int64": "q", "int32": "i", "int16": "h", "int8": "b", "uint64": "Q", "uint32": "I",
    "uint16": "H", "uint8": "B", "bool": "?",
}  # fmt: skip


def bytes_of(x: Array) -> bytes:
    """Return the bytes of the elements of an array, in the order of its axes."""
    if x.dtype.name == "bfloat16":  # the upper halves of float32
        wide = to_numpy(x._backend.astype(x, "float32")).tobytes()
        data = bytearray(len(wide) // 2)
        data[0::2], data[1::2] = wide[2::4], wide[3::4]
        return bytes(data)
    found: bytes = to_numpy(x).tobytes()
    return found


def vector_of(backend: Backend, raw: bytes, dtype: str) -> Array:
    """Return the vector whose elements have these bytes; float32 if the backend lacks `float16` or `bfloat16`."""
    halves = dtype in ("float16", "bfloat16")
    found: Array = _wide(backend, raw, dtype) if raw else backend.zeros((0,), dtype="float32" if halves else dtype)
    if halves and any(known.name == dtype for known in backend.native_dtypes):
        found = backend.astype(found, dtype)
    return found


def _wide(backend: Backend, raw: bytes, dtype: str) -> Any:
    """Return a vector in which bfloat16 and float16 have become float32."""
    if dtype == "bfloat16":  # the upper halves
        wide = bytearray(2 * len(raw))
        wide[2::4], wide[3::4] = raw[0::2], raw[1::2]
        raw, dtype = bytes(wide), "float32"
    if sys.byteorder != "little" or dtype.startswith("complex"):
        return frombuffer(raw, dtype=dtype)
    if dtype == "float16":
        return _of_halves(backend, raw)
    return backend.asarray(memoryview(raw).cast(_CODES[dtype]), dtype=dtype, copy=True)


def _of_halves(backend: Backend, raw: bytes) -> Any:
    """Return the numbers whose bytes are those of float16, as float32: `memoryview` cannot read them."""
    low, high = (backend.astype(backend.asarray(memoryview(half)), "int32") for half in (raw[0::2], raw[1::2]))
    exponent, fraction = (high >> 2) & 31, ((high & 3) << 8) | low
    scales = backend.asarray([2.0 ** (max(e, 1) - 25) for e in range(31)] + [math.inf], dtype="float32")
    whole = backend.astype(backend.where(exponent > 0, fraction + 1024, fraction), "float32")
    size = backend.take(scales, exponent) * whole
    size = backend.where((exponent == 31) & (fraction > 0), math.nan, size)
    return backend.where(high > 127, -size, size)
