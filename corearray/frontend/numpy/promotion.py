"""NumPy's result types: arrays by width and kind, Python's numbers by kind alone.

Source: NEP 50, https://numpy.org/neps/nep-0050-scalar-promotion.html
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import corearray as ca
from corearray.calls.memo import follow, kept

__all__ = [
    "are_whole_numbers",
    "array",
    "cast",
    "common",
    "floating",
    "promoted",
    "result_dtype",
    "sum_dtype",
    "surely",
    "whole_numbers",
]

_RANK = {
    "bool": 0, "signed integer": 1, "unsigned integer": 1, "real floating": 2, "complex floating": 3,
}  # fmt: skip


def _bits(dtype: ca.DType) -> int:
    return 8 if dtype == ca.bool else int(str(dtype).lstrip("abcdefghijklmnopqrstuvwxyz"))


def _width(dtype: ca.DType) -> int:
    """Return the bits of the real numbers that hold a dtype's."""
    bits = _bits(dtype)
    if _RANK[dtype.category] == 3:
        return bits // 2
    if _RANK[dtype.category] == 2:
        return bits
    return 16 if dtype == ca.bool else min(2 * bits, 64)


@kept
def promoted(one: ca.DType, other: ca.DType) -> ca.DType:
    """Return the dtype of a result of two arrays."""
    if one == other:
        return one
    low, high = sorted((one, other), key=lambda dtype: _RANK[dtype.category])
    rank = _RANK[high.category]
    if low == ca.bool:
        return high
    if rank == 1:
        signed = {dtype.category for dtype in (low, high)}
        if len(signed) == 1:
            return low if _bits(low) > _bits(high) else high
        unsigned, integer = sorted((low, high), key=lambda dtype: dtype.category == "signed integer")
        if _bits(integer) > _bits(unsigned):
            return integer
        return ca.float64 if _bits(unsigned) == 64 else getattr(ca, f"int{2 * _bits(unsigned)}")
    bits = max(_width(low), _width(high))
    made: ca.DType = getattr(ca, f"float{bits}" if rank == 2 else f"complex{max(64, 2 * bits)}")
    return made


def result_dtype(*operands: Any) -> ca.DType:
    """Return the dtype of a result of arrays and Python's numbers."""
    dtypes = [x.dtype for x in operands if isinstance(x, ca.Array)]
    found = reduce(promoted, dtypes) if dtypes else None
    for number in operands:
        if isinstance(number, ca.Array) or number is None:
            continue
        rank = (
            0 if isinstance(number, bool) else 1 if isinstance(number, int) else 2 if isinstance(number, float) else 3
        )
        if found is None:
            found = (ca.bool, ca.int64, ca.float64, ca.complex128)[rank]
            if rank == 1 and number > 2**63 - 1:
                found = ca.uint64
        elif rank > _RANK[found.category]:
            if rank == 3 and _RANK[found.category] == 2:
                found = ca.complex128 if found == ca.float64 else ca.complex64
            else:
                found = (ca.bool, ca.int64, ca.float64, ca.complex128)[rank]
    return ca.float64 if found is None else found


def cast(x: Any, dtype: Any) -> Any:
    """Cast an array, if it is of another dtype."""
    if dtype is None or x.dtype == dtype:
        return x
    if not isinstance(dtype, ca.DType):
        from corearray.frontend.numpy.data_types import dtype_of

        dtype = dtype_of(dtype)
    if x.dtype.category == "complex floating" and dtype.category not in ("complex floating", "bool"):
        x = ca.real(x)
    return ca.astype(x, dtype)


def array(x: Any, dtype: Any = None) -> Any:
    """Return an array of a dtype, from an array, a number or a list.

    Raises
    ------
    TypeError
        If elements are no numbers.
    ValueError
        If lists of one axis differ in their lengths.
    """
    if isinstance(x, ca.Array):
        return cast(x, dtype)
    from corearray.frontend.numpy.coercion import coerced

    return coerced(x, dtype)


def common(*operands: Any) -> tuple[Any, ...]:
    """Return operands as arrays of their result type."""
    given = [array(x) if isinstance(x, (list, tuple)) else x for x in operands]
    dtype = result_dtype(*given)
    return tuple(array(x, dtype) for x in given)


def floating(x: Any, *, double: bool = False) -> Any:
    """Return an array in a floating dtype: that which holds a small integer, or float64."""
    x = array(x)
    if _RANK[x.dtype.category] > 1:
        return x
    return ca.astype(x, ca.float64 if double else getattr(ca, f"float{_width(x.dtype)}"))


def sum_dtype(x: ca.Array, dtype: Any = None) -> ca.DType:
    """Return the dtype in which NumPy sums: small integers and truth values in 64 bits."""
    if dtype is not None:
        from corearray.frontend.numpy.data_types import dtype_of

        return dtype_of(dtype)
    kinds = {"bool": ca.int64, "signed integer": ca.int64, "unsigned integer": ca.uint64}
    return kinds.get(x.dtype.category, x.dtype)


def surely(condition: Any) -> bool:
    """Return whether a condition on elements holds; within a compiled program, where no element is known, it does not."""
    try:
        return bool(condition)
    except Exception:
        return False


follow(surely, lambda condition: condition is True)


def whole_numbers(x: Any) -> list[int]:
    """Return an integer, a sequence of integers, or the elements of an integer array as a list.

    Numbers that the program holds are read from no array, so that they are known within a compiled program.
    """
    if isinstance(x, ca.Array):
        return [int(n) for n in ca.reshape(x, (-1,)).tolist()]
    return [int(n) for n in x] if isinstance(x, (list, tuple, range)) else [int(x)]


def are_whole_numbers(x: Any) -> bool:
    """Return whether an object is an integer or a sequence of integers, and no array."""
    return all(type(n) is int for n in x) if isinstance(x, (list, tuple, range)) else type(x) is int
