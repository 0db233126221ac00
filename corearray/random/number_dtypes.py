"""The dtypes in which random numbers are computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corearray.settings.context import current_settings
from corearray.types.dtypes import as_dtype

if TYPE_CHECKING:
    from corearray.backends.backend import Backend
    from corearray.types.dtypes import DType

__all__ = ["integer_dtype", "widest", "word_dtype"]


def integer_dtype(be: Backend, dtype: DType | str | None) -> DType:
    """Return the dtype of integers that are drawn: by default the default one, or the framework's own if it lacks that."""
    if dtype is not None:
        return as_dtype(dtype)
    default = current_settings().dtypes["integral"]
    found: DType = default if default in be.native_dtypes else be.asarray(0).dtype
    return found


def widest(be: Backend) -> DType:
    """Return the dtype of random number computations: float64, or float32 for a framework without it."""
    dtype: DType = be.float64 if be.float64 in be.native_dtypes else be.float32
    return dtype


def word_dtype(be: Backend) -> DType:
    """Return the dtype of random words, keys and positions: int64, or uint32 for a framework without it."""
    dtype: DType = be.int64 if as_dtype("int64") in be.native_dtypes else be.uint32
    return dtype
