"""Comparisons, truth values, and choices by a condition."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.frontend.torch.described import rule, same, say
from corearray.frontend.torch.promotion import array, cast, category, common, result_dtype
from corearray.frontend.torch.templates import axes, compared, logical, unary

__all__: list[str] = []

same(
    compared,
    "torch.{}",
    "eq=equal ne=not_equal lt=less le=less_equal gt=greater ge=greater_equal not_equal less less_equal greater greater_equal",
)
same(logical, "torch.{}", "logical_and logical_or logical_xor")
same(unary, "torch.{}", "isnan isinf isfinite")

say("""
torch.logical_not(input, *, out=None) = ca.logical_not(cast(input, ca.bool))
torch.isreal(input) = ca.isreal(input)
torch.isposinf(input, *, out=None) = ca.logical_and(ca.isinf(input), ca.greater(input, 0))
torch.isneginf(input, *, out=None) = ca.logical_and(ca.isinf(input), ca.less(input, 0))
torch.equal(input, other) = tuple(input.shape) == tuple(other.shape) and bool(ca.all(ca.equal(*common(input, other))))
torch.allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False) = bool(ca.allclose(input, other, rtol=rtol, atol=atol,
    equal_nan=equal_nan))
torch.all(input, dim=None, keepdim=False, *, out=None) = truth(ca.all, input, dim, keepdim)
torch.any(input, dim=None, keepdim=False, *, out=None) = truth(ca.any, input, dim, keepdim)
torch.masked_fill(input, mask, value) = ca.where(mask, array(value, input.dtype), input)
torch.Tensor.where(input, condition, other) = chosen(condition, input, other)
torch.is_complex(input) = category(input.dtype) == "c"
torch.is_floating_point(input) = category(input.dtype) == "f"
torch.isin(elements, test_elements, *, assume_unique=False, invert=False) = contained(elements, test_elements, invert)
""")


def truth(function: Any, input: ca.Array, dim: Any, keepdim: bool) -> ca.Array:
    """Reduce truth values; bytes stay bytes."""
    made: ca.Array = function(cast(input, ca.bool), axis=axes(dim, input), keepdims=keepdim)
    return ca.astype(made, ca.uint8) if input.dtype == ca.uint8 else made


def chosen(condition: ca.Array, input: Any, other: Any) -> ca.Array:
    """Choose by a condition between arrays or numbers."""
    dtype = result_dtype(input, other)
    return ca.where(cast(condition, ca.bool), array(input, dtype), array(other, dtype))


def contained(elements: Any, others: Any, invert: bool) -> ca.Array:
    """Find elements among others, of which either may be a number."""
    dtype = result_dtype(elements, others)
    return ca.isin(array(elements, dtype), ca.reshape(array(others, dtype), (-1,)), invert=invert)


@rule("torch.where")
def where(condition: ca.Array, input: Any = None, other: Any = None, *, out: Any = None) -> Any:
    return tuple(ca.nonzero(condition)) if input is None else chosen(condition, input, other)
