"""torch's result types: arrays with axes count first, then those without, then Python's numbers.

A later class changes the result only if its category is higher (bool, integer, floating, complex).

Source: https://docs.pytorch.org/docs/stable/tensor_attributes.html#type-promotion-doc
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import reduce
from typing import Any

import corearray as ca
from corearray.calls.memo import kept
from corearray.errors import CoreArrayTypeError
from corearray.frontend.modes import Mode

__all__ = [
    "array",
    "cast",
    "category",
    "common",
    "default_complex",
    "default_dtype",
    "dtype_of",
    "floating",
    "noted",
    "noting",
    "promoted",
    "result_dtype",
    "set_default_dtype",
    "summed",
]

_RANK = "bifc"

_default: list[ca.DType] = [ca.float32]
_of_program: Mode[ca.DType | None] = Mode("corearray.frontend.torch.default_dtype", default=None, followed=None)


def category(dtype: ca.DType) -> str:
    """Return the category of a dtype: `b`, `i`, `f` or `c`."""
    if dtype == ca.bool:
        return "b"
    return {"real floating": "f", "complex floating": "c"}.get(dtype.category, "i")


def default_dtype() -> ca.DType:
    """Return the dtype of floating-point results that nothing else decides."""
    found = _of_program.get()
    return _default[0] if found is None else found


def default_complex() -> ca.DType:
    """Return the dtype of complex results that nothing else decides."""
    return ca.complex128 if default_dtype() == ca.float64 else ca.complex64


def set_default_dtype(d: Any) -> None:
    """Choose the dtype of floating-point results that nothing else decides, in all threads.

    Raises
    ------
    TypeError
        If it is no floating-point dtype.
    """
    wanted = dtype_of(d)
    if wanted is None or category(wanted) != "f":
        raise CoreArrayTypeError(f"only floating-point types are supported as the default type, got {d}")
    _default[0] = wanted


def noted() -> dict[str, str]:
    """Return the default dtype of torch itself, if it is loaded."""
    torch = sys.modules.get("torch")
    return {} if torch is None else {"default_dtype": str(torch.get_default_dtype()).removeprefix("torch.")}


@contextmanager
def noting(settings: Mapping[str, str]) -> Iterator[None]:
    """Take the default dtype of a program that torch has recorded."""
    token = _of_program.set(dtype_of(settings.get("default_dtype", "float32")))
    try:
        yield
    finally:
        _of_program.reset(token)


def dtype_of(dtype: Any) -> ca.DType | None:
    """Return the dtype that an argument names, or `None`."""
    if dtype is None or isinstance(dtype, ca.DType):
        return dtype
    if dtype in (float, int, bool, complex):
        return {float: default_dtype(), int: ca.int64, bool: ca.bool, complex: default_complex()}[dtype]
    names = {
        "half": "float16",
        "float": "float32",
        "double": "float64",
        "long": "int64",
        "int": "int32",
        "short": "int16",
    }
    text = str(dtype).removeprefix("torch.")
    found: ca.DType = getattr(ca, names.get(text, text))
    return found


@kept
def promoted(one: ca.DType, other: ca.DType) -> ca.DType:
    """Return the dtype of a result of two arrays of the same class."""
    low, high = sorted((one, other), key=lambda dtype: _RANK.index(category(dtype)))
    if category(low) == category(high):
        return ca.promote_types(low, high)
    if category(high) == "c" and low == ca.float64:
        return ca.complex128
    return high


def result_dtype(*operands: Any) -> ca.DType:
    """Return the dtype of a result of arrays and Python's numbers."""
    with_axes = [x.dtype for x in operands if isinstance(x, ca.Array) and x.ndim]
    without = [x.dtype for x in operands if isinstance(x, ca.Array) and not x.ndim]
    found = reduce(promoted, with_axes) if with_axes else None
    if without:
        found = _raised(found, reduce(promoted, without))
    for number in operands:
        if not isinstance(number, ca.Array) and number is not None:
            found = _raised(found, _of_number(number))
    return default_dtype() if found is None else found


def _raised(found: ca.DType | None, other: ca.DType) -> ca.DType:
    if found is None:
        return other
    if _RANK.index(category(other)) <= _RANK.index(category(found)):
        return found
    if category(other) == "c" and category(found) == "f":
        return ca.complex128 if found == ca.float64 else ca.complex64
    return other


def _of_number(number: Any) -> ca.DType:
    if isinstance(number, bool):
        return ca.bool
    if isinstance(number, int):
        return ca.int64
    return default_complex() if isinstance(number, complex) else default_dtype()


def cast(x: Any, dtype: Any) -> Any:
    """Cast an array, if it is one and of another dtype."""
    wanted = dtype_of(dtype)
    if wanted is None or not isinstance(x, ca.Array) or x.dtype == wanted:
        return x
    if category(x.dtype) == "c" and category(wanted) not in "cb":
        x = ca.real(x)
    return ca.astype(x, wanted)


def array(x: Any, dtype: Any) -> ca.Array:
    """Return an array of a dtype, from an array or a number."""
    if isinstance(x, ca.Array):
        made: ca.Array = cast(x, dtype)
        return made
    kind = {"b": bool, "i": int, "f": float, "c": complex}[category(dtype)]
    return ca.asarray(kind(x), dtype=dtype)


def floating(x: ca.Array) -> ca.Array:
    """Return an array in the default floating dtype if its own is an integer's or bool."""
    return ca.astype(x, default_dtype()) if category(x.dtype) in "bi" else x


def summed(x: ca.Array, dtype: Any = None) -> ca.Array:
    """Return an array in the dtype in which torch sums: that which is given, int64 for integers and bool."""
    if dtype is not None:
        made: ca.Array = cast(x, dtype)
        return made
    return ca.astype(x, ca.int64) if category(x.dtype) in "bi" and x.dtype != ca.int64 else x


def common(*operands: Any) -> tuple[ca.Array, ...]:
    """Return operands as arrays of their result type."""
    dtype = result_dtype(*operands)
    return tuple(array(x, dtype) for x in operands)
