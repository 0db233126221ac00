"""Accumulation dtypes, rounding, and tables of constants in the dtype of an array."""

from __future__ import annotations

import operator
from functools import lru_cache, reduce
from typing import TYPE_CHECKING, Any, cast

from corearray.calls.constants import constants_of

if TYPE_CHECKING:
    from collections.abc import Callable

    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.backends.backend import Backend
    from corearray.types.dtypes import DType

__all__: list[str] = []


def _is_half(x: Array) -> bool:
    """Tell whether the dtype is a floating one with too few digits to compute in."""
    return xp.isdtype(x.dtype, "real floating") and xp.finfo(x.dtype).bits < 32


def _widened(x: Array) -> Array:
    """Return half precision in float32."""
    return xp.astype(x, xp.float32) if _is_half(x) else x


def _widest() -> DType:
    """Return the real floating dtype with the most digits."""
    backend = cast("Backend", xp)
    return xp.float64 if xp.float64 in backend.native_dtypes else xp.float32


def _smallest() -> DType:
    """Return the integer dtype with the fewest bits."""
    backend = cast("Backend", xp)
    return xp.int8 if xp.int8 in backend.native_dtypes else xp.int64  # which stands for the widest


def _whole(place: Array, roundings: float) -> Array:
    """Return whole places where only rounding, or a product that was not rounded before the sum, is between."""
    nearest = xp.round(place)
    close = xp.abs(place - nearest) <= roundings * xp.finfo(place.dtype).eps * (xp.abs(nearest) + 1.0)
    return xp.where(close, nearest, place)


@lru_cache(maxsize=256)
def _nested(constants: tuple[float, ...], depth: int) -> tuple[Any, ...]:
    """Wrap each constant in so many tuples of one element."""
    nested: tuple[Any, ...] = constants
    for _ in range(depth):
        nested = tuple((entry,) for entry in nested)
    return nested


def _table(constants: tuple[float, ...], x: Array) -> Array:
    """Return constants along the first axis of an array of the dtype and device of `x`.

    It has one axis more than `x`, and broadcasts with it. Backends whose arrays never change keep it
    (`corearray.calls.constants`).
    """
    constants = _nested(constants, x.ndim)
    backend = cast("Backend", xp)
    kept = constants_of(backend)
    if kept is None:
        return xp.asarray(list(constants), dtype=x.dtype, device=x.device)
    return backend.wrap(kept(constants, x._kind, x._native))


#: Entries of a table that a sum over large arrays takes at once.
_GROUP = 13


def _sum_of_terms(term: Callable[..., Array], x: Array, *tables: tuple[float, ...]) -> Array:
    """Sum `term` over the entries of tables, which lie along an axis before those of `x`.

    Parameters
    ----------
    term
        From an array of each table to an array with one axis for the entries and then the axes of `x`.
    x
        Array whose number of axes, dtype and device the tables take. If it is large, the sum is taken in groups, to save
        memory.
    tables
        Constants, equally many in each.
    """
    count = len(tables[0])
    if count <= _GROUP or (x.size is not None and x.size < 10_000):
        return xp.sum(term(*[_table(table, x) for table in tables]), axis=0)
    parts = (
        xp.sum(term(*[_table(table[start : start + _GROUP], x) for table in tables]), axis=0)
        for start in range(0, count, _GROUP)
    )
    return reduce(operator.add, parts)
