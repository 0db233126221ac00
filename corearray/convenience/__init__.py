"""Convenience functions: files, grids, devices, einops patterns, random tensors and sparse arrays."""

from corearray.convenience.files import frombuffer, load, save
from corearray.convenience.grids import fromfunction, ix_, mgrid, ogrid
from corearray.convenience.machine import MemoryResult, device_memory, list_devices, supported_dtypes
from corearray.convenience.patterns import einops_rearrange, einops_reduce, einops_repeat
from corearray.convenience.random_tensors import (
    Parafac2Result,
    random_cp,
    random_parafac2,
    random_tr,
    random_tt,
    random_tucker,
)
from corearray.convenience.sparse import (
    SparseArray,
    is_native_sparse_array,
    native_sparse_array,
    native_sparse_array_to_indices_values_and_shape,
)

__all__ = [
    "MemoryResult",
    "Parafac2Result",
    "SparseArray",
    "device_memory",
    "einops_rearrange",
    "einops_reduce",
    "einops_repeat",
    "frombuffer",
    "fromfunction",
    "is_native_sparse_array",
    "ix_",
    "list_devices",
    "load",
    "mgrid",
    "native_sparse_array",
    "native_sparse_array_to_indices_values_and_shape",
    "ogrid",
    "random_cp",
    "random_parafac2",
    "random_tr",
    "random_tt",
    "random_tucker",
    "save",
    "supported_dtypes",
]
