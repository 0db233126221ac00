"""Sums of products over named axes."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import tensorflow as tf

from corearray.plugin import axis_lengths, hookimpl, read_equation
from corearray_tensorflow.native import HALF, WIDE, raw_ops


@hookimpl(via={**WIDE, "bool": "int64"})
def einsum(equation: str, /, *operands: Any) -> Any:
    text, spare = _plan(equation, tuple([tuple(x.shape.as_list()) for x in operands]))
    if (
        operands and operands[0].dtype.name in HALF and "GPU" not in operands[0].device
    ):  # its CPUs sum in half precision
        wide = [raw_ops.Cast(x=x, DstT=HALF[x.dtype.name]) for x in operands]
        return raw_ops.Cast(x=einsum(equation, *wide), DstT=operands[0].dtype)
    if any(spare):
        operands = [raw_ops.Squeeze(input=x, axis=axes) if axes else x for x, axes in zip(operands, spare, strict=True)]
    return raw_ops.Einsum(inputs=operands, equation=text) if len(operands) < 3 else tf.einsum(text, *operands)


@lru_cache(maxsize=4096)
def _plan(equation: str, shapes: tuple[tuple[int | None, ...], ...]) -> tuple[str, list[list[int]]]:
    """Return the equation and which axes to squeeze: TensorFlow does not broadcast an axis named by a letter."""
    lengths = axis_lengths(equation, shapes)
    terms, _, text = read_equation(equation, tuple(map(len, shapes)))
    inputs, arrow, result = text.partition("->")
    written, spare = [], []
    for term, shape, part in zip(terms, shapes, inputs.split(","), strict=True):
        axes = [
            place
            for place, label in enumerate(term)
            if shape[place] == 1 and lengths[label] not in (1, None) and isinstance(label, str)
        ]
        left_out = {term[place] for place in axes}
        written.append("".join(letter for letter in part if letter not in left_out))
        spare.append(axes)
    return f"{','.join(written)}{arrow}{result}", spare
