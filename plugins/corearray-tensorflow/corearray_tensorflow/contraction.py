"""Sums of products over named axes."""

from __future__ import annotations

from typing import Any

from corearray.plugin import axis_lengths, hookimpl, read_equation
from corearray_tensorflow.native import WIDE, raw_ops


def _one_or_two_without_broadcasting(equation: str, /, *operands: Any) -> bool:
    """Guard: the operation takes two operands at most, and axes named by letters only of one length."""
    if len(operands) > 2:
        return False
    shapes = [x.shape.as_list() for x in operands]
    lengths = axis_lengths(equation, shapes)
    terms = read_equation(equation, tuple(map(len, shapes))).terms
    return all(
        size == lengths[label] or isinstance(label, int)
        for term, shape in zip(terms, shapes, strict=True)
        for label, size in zip(term, shape, strict=True)
    )


@hookimpl(when=_one_or_two_without_broadcasting, via={**WIDE, "bool": "int64"})
def einsum(equation: str, /, *operands: Any) -> Any:
    text = read_equation(equation, tuple([x.shape.rank for x in operands])).text
    return raw_ops.Einsum(inputs=operands, equation=text)
