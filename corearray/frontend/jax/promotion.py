"""JAX's result types: a lattice of dtypes, in which Python's numbers are weak.

Source: https://docs.jax.dev/en/latest/type_promotion.html
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import corearray as ca
from corearray.calls.memo import kept
from corearray.errors import CoreArrayOverflowError, CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.jax.configuration import config, x64

__all__ = [
    "as_dtype", "canonical", "canonicalized", "cast", "check_fits", "default", "inexact", "of_indices", "promoted", "requested",
]  # fmt: skip

#: The lattice: each dtype with those directly above it. `i`, `f` and `c` are the dtypes of Python's numbers.
_ABOVE = {
    "bool": "i", "i": "uint8 int8", "uint8": "int16 uint16", "uint16": "int32 uint32", "uint32": "int64 uint64",
    "uint64": "f", "int8": "int16", "int16": "int32", "int32": "int64", "int64": "f", "f": "bfloat16 float16 c",
    "bfloat16": "float32", "float16": "float32", "float32": "float64 complex64", "float64": "complex128", "c": "complex64",
    "complex64": "complex128", "complex128": "",
}  # fmt: skip

#: Dtypes of 64 bits and their counterparts while `jax_enable_x64` is off.
_NARROW = {ca.int64: ca.int32, ca.uint64: ca.uint32, ca.float64: ca.float32, ca.complex128: ca.complex64}
_WEAK = {"signed integer": "i", "unsigned integer": "i", "real floating": "f", "complex floating": "c"}
_STRONG = {"i": ca.int64, "f": ca.float64, "c": ca.complex128}
_PYTHON = {bool: ca.bool, int: ca.int64, float: ca.float64, complex: ca.complex128}


@kept
def _bounds(name: str) -> frozenset[str]:
    """Return a dtype and all above it."""
    return frozenset((name,)).union(*map(_bounds, _ABOVE[name].split()))


@kept
def _joined(names: frozenset[str]) -> str:
    """Return the lowest dtype above all."""
    common = frozenset.intersection(*map(_bounds, names))
    return next(name for name in common if _bounds(name) == common)


def canonical(dtype: ca.DType) -> ca.DType:
    """Return a dtype; while `jax_enable_x64` is off, one of 64 bits becomes its counterpart of 32 bits."""
    return dtype if x64() else _NARROW.get(dtype, dtype)


def default(kind: type) -> ca.DType:
    """Return the dtype of a type of Python's numbers."""
    return canonical(_PYTHON[kind])


def of_indices() -> ca.DType:
    """Return the widest signed integer dtype of the backend, which has 64 bits but on JAX without these."""
    return ca.current_backend().own_dtype(ca.int64)


def as_dtype(given: Any) -> ca.DType:
    """Return corearray's dtype for a dtype of JAX or NumPy, a scalar type, a type of Python or a name.

    Raises
    ------
    TypeError
        If it is no dtype, or no backend has it.
    """
    if isinstance(given, ca.DType):
        return given
    if given in _PYTHON:
        return _PYTHON[given]
    own = getattr(given, "_own", None)
    if isinstance(own, ca.DType):
        return own
    from corearray.frontend.numpy.data_types import dtype_of

    if given is None:
        raise CoreArrayTypeError("a dtype is needed, got None")
    return dtype_of(given)


def requested(given: Any, name: str = "") -> ca.DType | None:
    """Return the dtype that a caller asked for, with JAX's warning where 64 bits are not enabled."""
    if given is None:
        return None
    asked = as_dtype(given)
    found = canonical(asked)
    if found != asked and given not in _PYTHON:
        warnings.warn(
            f"Explicitly requested dtype {asked} requested in {name or 'a function'} is not available, and will be truncated "
            f"to dtype {found}. To enable more dtypes, set the jax_enable_x64 configuration option: jax.config.update("
            '"jax_enable_x64", True)',
            UserWarning,
            stacklevel=5,
        )
    return found


def promoted(operands: Sequence[tuple[ca.DType, bool]]) -> tuple[ca.DType, bool]:
    """Return the dtype of a result, and whether it is weak.

    Parameters
    ----------
    operands
        The dtype of each operand, and whether it is weak.

    Raises
    ------
    ValueError
        If `jax_numpy_dtype_promotion` is `"strict"` and the operands' dtypes differ.
    """
    dtypes = {dtype for dtype, _ in operands}
    weak = all(one for _, one in operands)
    if len(dtypes) == 1:
        (dtype,) = dtypes
        return dtype, weak and dtype != ca.bool
    if config.jax_numpy_dtype_promotion == "strict" and len({d for d, w in operands if not w}) > 1:
        raise CoreArrayValueError(
            f"Input dtypes {sorted(map(str, dtypes))} have no available implicit dtype promotion path when "
            "jax_numpy_dtype_promotion=strict. Try explicitly casting inputs to the desired output type, or set "
            "jax_numpy_dtype_promotion=standard."
        )
    if weak:
        return canonical(getattr(ca, _joined(frozenset(map(str, dtypes))))), True
    names = frozenset(_WEAK.get(dtype.category, str(dtype)) if one else str(dtype) for dtype, one in operands)
    found = _joined(names)
    if found in _STRONG:
        return canonical(_STRONG[found]), True
    return canonical(getattr(ca, found)), False


def inexact(dtype: ca.DType) -> ca.DType:
    """Return a floating dtype for a dtype: the default one for integers and truth values."""
    return dtype if dtype.category in ("real floating", "complex floating") else default(float)


def cast(x: ca.Array, dtype: ca.DType | None) -> Any:
    """Cast an array; complex numbers become real ones by their real part."""
    if dtype is None or x.dtype == dtype:
        return x
    if x.dtype.category == "complex floating" and dtype.category not in ("complex floating", "bool"):
        x = ca.real(x)
    return ca.astype(x, dtype)


def canonicalized(x: ca.Array) -> ca.Array:
    """Cast an array to its canonical dtype."""
    made: ca.Array = cast(x, canonical(x.dtype))
    return made


def check_fits(x: int, dtype: ca.DType) -> None:
    """Refuse an integer of Python that a dtype does not hold.

    Raises
    ------
    OverflowError
        If it does not.
    """
    if dtype.category in ("signed integer", "unsigned integer"):
        info = ca.iinfo(dtype)
        if not info.min <= x <= info.max:
            raise CoreArrayOverflowError(f"Python integer {x} out of bounds for {dtype}")
