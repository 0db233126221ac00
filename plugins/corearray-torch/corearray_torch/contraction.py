"""Sums of products over named axes."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl, read_equation
from corearray_torch.native import BITS


@hookimpl(via={**BITS, "bool": "int64"})
def einsum(equation: str, /, *operands: Any) -> Any:
    """Contract in the operands' dtype: sums that meet no product are widened by torch, and cast back."""
    text = read_equation(equation, tuple([x.ndim for x in operands])).text
    result = torch.einsum(text, operands)
    dtype = operands[0].dtype
    if len(operands) == 1 and (torch.compiler.is_compiling() or result._is_view()):
        result = result.clone()
    return result if result.dtype is dtype else result.to(dtype)
