"""Storages of torch's files: vectors of bytes, from which tensors are made by sizes and strides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import corearray as ca
from corearray.convenience.raw import vector_of
from corearray.errors import CoreArrayValueError, FileFormatError
from corearray.frontend.frontend import get_frontend
from corearray.frontend.torch.layouts import is_contiguous
from corearray.types.dtypes import DType, as_dtype

__all__ = ["STORAGES", "Storage"]

#: Dtypes by the names of torch's classes of storages.
STORAGES = {
    "DoubleStorage": "float64", "FloatStorage": "float32", "HalfStorage": "float16", "BFloat16Storage": "bfloat16",
    "LongStorage": "int64", "IntStorage": "int32", "ShortStorage": "int16", "CharStorage": "int8",
    "ByteStorage": "uint8", "BoolStorage": "bool", "ComplexFloatStorage": "complex64",
    "ComplexDoubleStorage": "complex128",
}  # fmt: skip


class Storage:
    """A storage of a file, whose bytes are read when the first tensor needs them.

    Attributes
    ----------
    dtype
        The dtype of its elements, `None` for a storage of bytes.
    location
        The device that it was on, such as `"cuda:0"`.
    device
        The device that its tensors go to, `None` for the default device of the backend.
    """

    __slots__ = ("_base", "_read", "_vector", "device", "dtype", "location")

    def __init__(self, dtype: str | None, location: str, read: Callable[[], bytes]) -> None:
        self.dtype = dtype
        self.location = location
        self.device: Any = None
        self._read = read
        self._vector: dict[DType, Any] = {}
        self._base: dict[DType, Any] = {}

    def cpu(self) -> Storage:
        """Place the tensors on the CPU."""
        self.device = "cpu"
        return self

    def cuda(self, device: Any = 0) -> Storage:
        """Place the tensors on a GPU."""
        self.device = f"cuda:{device}" if isinstance(device, int) else str(device)
        return self

    def tensor(self, offset: int, size: Sequence[int], stride: Sequence[int], dtype: Any = None) -> Any:
        """Return a tensor; tensors without gaps of one storage share elements.

        Raises
        ------
        ValueError
            If the storage has too few elements.
        """
        kind = as_dtype(dtype or self.dtype or "uint8")
        shape, steps = tuple(map(int, size)), tuple(map(int, stride))
        flat = self._elements(kind)
        last = offset + sum((n - 1) * step for n, step in zip(shape, steps, strict=True))
        if min((offset, *shape, *steps)) < 0 or (0 not in shape and last >= flat.shape[0]):
            raise FileFormatError(
                f"a tensor of the shape {shape} with the strides {steps} and the offset {offset} is outside of its storage "
                f"of {flat.shape[0]} elements"
            )
        frontend = get_frontend("torch")
        count, whole = prod(shape), is_contiguous(shape, steps)
        if kind not in self._base:
            if whole and count == flat.shape[0]:
                self._base[kind] = frontend.Tensor(ca.reshape(flat, shape))
                return self._base[kind].detach()
            self._base[kind] = frontend.Tensor(flat)
        base = self._base[kind].detach().view(-1)
        order = sorted(range(len(shape)), key=lambda axis: (-steps[axis], -shape[axis]))
        sorted_shape = tuple(shape[axis] for axis in order)
        if not is_contiguous(sorted_shape, tuple(steps[axis] for axis in order)):
            return frontend.Tensor(ca.asarray(frontend.as_strided(base, shape, steps, offset).array, copy=True))
        if count != base.shape[0]:
            base = base.narrow(0, offset, count)
        made = base.view(sorted_shape)
        return made if whole else made.permute([order.index(axis) for axis in range(len(shape))])

    def _elements(self, dtype: DType) -> ca.Array:
        """Return all elements as a vector of a dtype."""
        if dtype not in self._vector:
            raw = self._read()
            if len(raw) % dtype.itemsize:
                raise CoreArrayValueError(f"a storage of {len(raw)} bytes has no elements of the dtype {dtype}")
            made = vector_of(ca.get_backend(), raw, str(dtype))
            self._vector[dtype] = made if self.device is None else made.to_device(self.device)
        found: ca.Array = self._vector[dtype]
        return found
