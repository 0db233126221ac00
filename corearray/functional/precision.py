"""Accumulation dtypes: wider dtypes for functions that would lose precision in the dtype of their arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
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
