"""New arrays: filled, counted, of Python's numbers, and like others."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.frontend.torch.described import rule, say
from corearray.frontend.torch.promotion import array, default_complex, default_dtype, dtype_of
from corearray.frontend.torch.templates import ints

__all__: list[str] = []

# What says how and where torch keeps an array changes no elements.
say("""
torch.zeros(*size, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=None,
    names=None) = ca.zeros(
    ints(size), dtype=dtype_of(dtype) or default_dtype())
torch.empty(*size, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=None,
    memory_format=None) =
    ca.zeros(ints(size), dtype=dtype_of(dtype) or default_dtype())
torch.ones (*size, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=None, names=None) =
    ca.ones(ints(size), dtype=dtype_of(dtype) or default_dtype())
torch.empty_strided(size, stride, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=None) = ca.zeros(
    ints((size,)), dtype=dtype_of(dtype) or default_dtype())
torch.empty_permuted(size, physical_layout, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=None) =
    ca.zeros(ints((size,)), dtype=dtype_of(dtype) or default_dtype())
torch.full(size, fill_value, *, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=None,
    names=None) =
    filled(ints((size,)), fill_value, dtype_of(dtype))
torch.zeros_like(input, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None, pin_memory=None) =
    ca.zeros(input.shape, dtype=dtype_of(dtype) or input.dtype)
torch.empty_like(input, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None, pin_memory=None) =
    ca.zeros(input.shape, dtype=dtype_of(dtype) or input.dtype)
torch.ones_like(input, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None, pin_memory=None) =
    ca.ones(input.shape, dtype=dtype_of(dtype) or input.dtype)
torch.full_like(input, fill_value, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None,
    pin_memory=None) =
    filled(input.shape, fill_value, dtype_of(dtype) or input.dtype)
torch.Tensor.new_zeros(input, *size, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=None) = ca.zeros(
    ints(size), dtype=dtype_of(dtype) or input.dtype)
torch.Tensor.new_empty(input, *size, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=None) = ca.zeros(
    ints(size), dtype=dtype_of(dtype) or input.dtype)
torch.Tensor.new_empty_strided(input, size, stride, dtype=None, device=None, requires_grad=False, layout=None,
    pin_memory=None) =
    ca.zeros(ints((size,)), dtype=dtype_of(dtype) or input.dtype)
torch.Tensor.new_ones(input, *size, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=None) = ca.ones(
    ints(size), dtype=dtype_of(dtype) or input.dtype)
torch.Tensor.new_full(input, size, fill_value, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=None) =
    filled(ints((size,)), fill_value, dtype_of(dtype) or input.dtype)
torch.Tensor.new_tensor(input, data, *, dtype=None, device=None, requires_grad=False, layout=None,
    pin_memory=None) = of_data(data,
    dtype_of(dtype) or input.dtype)
torch.Tensor.new(input, *size, device=None) = ca.zeros(ints(size), dtype=input.dtype)
torch.tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False) = of_data(data, dtype_of(dtype))
torch.as_tensor | torch.asarray (data, *, dtype=None, device=None, copy=None, requires_grad=False) = of_data(data,
    dtype_of(dtype))
torch.scalar_tensor(s, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False) = array(s,
    dtype_of(dtype) or default_dtype())
torch.from_numpy(ndarray) = ca.asarray(ndarray)
torch.linspace(start, end, steps, *, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=None) =
    ca.linspace(start, end, steps, dtype=dtype_of(dtype) or default_dtype())
torch.logspace(start, end, steps, base=10.0, *, out=None, dtype=None, layout=None, device=None, requires_grad=False,
    pin_memory=None) =
    ca.logspace(start, end, steps, base=base, dtype=dtype_of(dtype) or default_dtype())
torch.eye(n, m=None, *, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=None) = ca.eye(n, m,
    dtype=dtype_of(dtype) or default_dtype())
torch.tril_indices(row, col, offset=0, *, dtype=None, device=None, layout=None) = ca.astype(ca.stack(
    list(ca.tril_indices(row, k=offset, m=col))), dtype_of(dtype) or ca.int64)
torch.triu_indices(row, col, offset=0, *, dtype=None, device=None, layout=None) = ca.astype(ca.stack(
    list(ca.triu_indices(row, k=offset, m=col))), dtype_of(dtype) or ca.int64)
torch.vander(x, N=None, increasing=False) = powers(x, N, increasing)
torch.linalg.vander(x, *, N=None) = powers(x, N, True)
torch.nn.functional.one_hot(tensor, num_classes=-1) = hot(tensor, num_classes)
torch._shape_as_tensor(input) = ca.asarray(list(input.shape), dtype=ca.int64)
""")


def filled(shape: Any, value: Any, dtype: ca.DType | None) -> ca.Array:
    """Return a constant array; without a dtype that of the value."""
    if dtype is None:
        if isinstance(value, ca.Array):
            dtype = value.dtype
        else:
            kind = type(value)
            dtype = {bool: ca.bool, int: ca.int64, complex: default_complex()}.get(kind, default_dtype())
    return (
        ca.broadcast_to(array(value, dtype), tuple(shape))
        if isinstance(value, ca.Array)
        else ca.full(tuple(shape), value, dtype=dtype)
    )


def of_data(data: Any, dtype: ca.DType | None) -> ca.Array:
    """Return an array of numbers, of nested lists or of an array."""
    if isinstance(data, ca.Array):
        return ca.asarray(data, dtype=dtype)
    if isinstance(data, (list, tuple)) and _holds_arrays(data):
        return ca.stack([of_data(part, dtype) for part in data])
    if dtype is None:
        dtype = default_complex() if _has(data, complex) else default_dtype() if _has(data, float) else None
    return ca.asarray(data, dtype=dtype)


def _holds_arrays(data: Any) -> bool:
    return any(isinstance(x, ca.Array) or (isinstance(x, (list, tuple)) and _holds_arrays(x)) for x in data)


def _has(data: Any, kind: type) -> bool:
    """Return true if there are numbers of a kind; an empty list is one of floats."""
    if isinstance(data, (list, tuple)):
        return any(_has(part, kind) for part in data) or (not data and kind is float)
    return type(data) is kind


def powers(x: ca.Array, count: int | None, increasing: bool) -> ca.Array:
    """Return the powers of numbers as columns."""
    x = ca.reshape(x, (1,)) if not x.ndim else x
    count = x.shape[-1] if count is None else count
    exponents = ca.arange(count, dtype=x.dtype)
    made = ca.pow(ca.expand_dims(x, -1), exponents)
    return ca.flip(made, axis=-1) if not increasing else made


def hot(tensor: ca.Array, num_classes: int) -> ca.Array:
    """Return one-hot rows of int64."""
    if num_classes < 0:
        num_classes = int(ca.max(tensor)) + 1
    return ca.one_hot(tensor, num_classes, dtype=ca.int64)


@rule("torch.arange")
def arange(
    *bounds: Any, start: Any = None, end: Any = None, step: Any = None, out: Any = None, dtype: Any = None, layout: Any = None,
    device: Any = None, requires_grad: bool = False, pin_memory: Any = None,
) -> ca.Array:  # fmt: skip
    given = [*([start] if start is not None else []), *bounds, *(x for x in (end, step) if x is not None)]
    given = [x.item() if isinstance(x, ca.Array) else x for x in given]
    kind = dtype_of(dtype) or (ca.int64 if all(isinstance(x, int) for x in given) else default_dtype())
    return ca.arange(*given, dtype=kind)


@rule("torch.range")
def inclusive_range(
    start: float = 0, end: float = 0, step: float = 1, *, out: Any = None, dtype: Any = None, layout: Any = None,
    device: Any = None, requires_grad: bool = False,
) -> ca.Array:  # fmt: skip
    count = int((end - start) / step) + 1
    return ca.astype(start + step * ca.arange(count, dtype=ca.int64), dtype_of(dtype) or default_dtype())
