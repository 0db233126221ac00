"""What the arrays of one dtype on one backend have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corearray.types.dtypes import integer_limits

if TYPE_CHECKING:
    from corearray.arrays.array import Array
    from corearray.backends.backend import Backend
    from corearray.backends.namespace import Calls
    from corearray.types.dtypes import DType

__all__ = ["Kind"]


class Kind:
    """An interned (backend, dtype) pair: two arrays match if they share the same `Kind`.

    Attributes
    ----------
    dtype
        The dtype, or `None` for native dtypes that corearray does not have.
    calls
        The functions of the backend.
    array
        The class of the backend's arrays.
    is_real
        Whether the dtype is one of real floating-point numbers.
    least, most
        The range of integers that the dtype holds without a loss.
    as_bool, as_int64
        The kinds of truth values and of indices on the same backend, if it has these dtypes.
    """

    dtype: DType | None
    calls: Calls
    as_bool: Kind | None
    as_int64: Kind | None
    array: type[Array]
    is_real: bool
    least: int
    most: int

    def __init__(self, backend: Backend, dtype: DType | None) -> None:
        self.dtype = dtype
        self.calls = backend.calls
        self.array = backend.Array
        self.is_real = dtype is not None and dtype.category == "real floating"
        self.least, self.most = _integers(dtype)

    def __repr__(self) -> str:
        return f"Kind({self.dtype})"


#: By the name of a floating dtype, the digits of its significand, which hold an integer without a loss.
_SIGNIFICANDS = {"bfloat16": 8, "float16": 11, "float32": 24, "float64": 53, "complex64": 24, "complex128": 53}


def _integers(dtype: DType | None) -> tuple[int, int]:
    """Return the least and the greatest integer of those that a dtype holds, one and all."""
    if dtype is None or dtype.category == "bool":
        return 1, 0
    if dtype.category.endswith("integer"):
        return integer_limits(dtype)
    greatest = 2 ** _SIGNIFICANDS[dtype.name]
    return -greatest, greatest
