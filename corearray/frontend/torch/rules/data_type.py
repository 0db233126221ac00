"""Casts, and what tells of dtypes and devices."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.frontend.torch.described import rule, say
from corearray.frontend.torch.promotion import cast, category, dtype_of, promoted, result_dtype

__all__: list[str] = []

say("""
torch.Tensor.float(input, memory_format=None) = cast(input, ca.float32)
torch.Tensor.double(input, memory_format=None) = cast(input, ca.float64)
torch.Tensor.half(input, memory_format=None) = cast(input, ca.float16)
torch.Tensor.bfloat16(input, memory_format=None) = cast(input, ca.bfloat16)
torch.Tensor.long(input, memory_format=None) = cast(input, ca.int64)
torch.Tensor.int(input, memory_format=None) = cast(input, ca.int32)
torch.Tensor.short(input, memory_format=None) = cast(input, ca.int16)
torch.Tensor.char(input, memory_format=None) = cast(input, ca.int8)
torch.Tensor.byte(input, memory_format=None) = cast(input, ca.uint8)
torch.Tensor.bool(input, memory_format=None) = cast(input, ca.bool)
torch.Tensor.cfloat(input, memory_format=None) = cast(input, ca.complex64)
torch.Tensor.cdouble(input, memory_format=None) = cast(input, ca.complex128)
torch.Tensor.type_as(input, other) = cast(input, other.dtype)
torch.Tensor.type(input, dtype=None, non_blocking=False) = cast(input, dtype_of(dtype))
torch.Tensor.cpu | torch.Tensor.alias (input, memory_format=None) = input
torch.Tensor.cuda(input, device=None, non_blocking=False, memory_format=None) = input
torch.Tensor.requires_grad_ (input, requires_grad=True) = input
torch.Tensor.detach_ (input) = ca.stop_gradient(input)
torch.Tensor.pin_memory(input, device=None) = input
torch.promote_types(type1, type2) = promoted(dtype_of(type1), dtype_of(type2))
torch.result_type(tensor1, tensor2) = result_dtype(tensor1, tensor2)
torch.can_cast(from_, to) = promoted(dtype_of(from_), dtype_of(to)) == dtype_of(to)
torch.Tensor.item(input) = input.item()
torch.Tensor.tolist(input) = input.tolist()
torch.Tensor.numpy(input, *, force=False) = ca.to_numpy(input)
torch.Tensor.dim | torch.Tensor.ndimension (input) = input.ndim
torch.numel | torch.Tensor.nelement (input) = input.size
torch.Tensor.element_size(input) = input.dtype.itemsize
torch.Tensor.itemsize.__get__(input) = input.dtype.itemsize
torch.Tensor.nbytes.__get__(input) = input.size * input.dtype.itemsize
torch.is_nonzero | torch.Tensor.is_nonzero (input) = bool(input)
torch.is_signed | torch.Tensor.is_signed (input) = category(input.dtype) != "b" and input.dtype.category != "unsigned integer"
torch.is_same_size | torch.Tensor.is_same_size (input, other) = tuple(input.shape) == tuple(other.shape)
torch.is_conj | torch.Tensor.is_conj | torch.is_neg | torch.Tensor.is_neg | torch.is_inference | torch.Tensor.is_inference (
    input) = False
torch.Tensor.is_pinned | torch.Tensor.is_shared (input) = False
torch.get_device | torch.Tensor.get_device (input) = input.device.number if input.device.kind != "cpu" else -1
torch.Tensor.shape.__get__(input) = tuple(input.shape)
torch.Tensor.ndim.__get__(input) = input.ndim
torch.Tensor.dtype.__get__(input) = input.dtype
torch.Tensor.size(input, dim=None) = tuple(input.shape) if dim is None else input.shape[dim]
""")


@rule("torch.Tensor.to")
def to(
    input: ca.Array, *where: Any, dtype: Any = None, device: Any = None, other: Any = None, non_blocking: bool = False,
    copy: bool = False, memory_format: Any = None,
) -> ca.Array:  # fmt: skip
    for given in (*where, other):
        if isinstance(given, ca.Array):
            dtype = given.dtype
        elif isinstance(given, ca.DType):
            dtype = given
    made: ca.Array = cast(input, dtype_of(dtype))
    return ca.asarray(made, copy=True) if copy else made
