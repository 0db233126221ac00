"""Attention in operations of TensorFlow, without masks but the causal one."""

from __future__ import annotations

import math
from typing import Any

from corearray.plugin import hookimpl
from corearray_tensorflow.native import HALF, constant, is_finite, raw_ops


def _fits(
    query: Any, key: Any, value: Any, mask: Any, is_causal: bool, enable_gqa: bool, dropout_p: float, generator: Any
) -> bool:
    """Guard: shapes are known and need no broadcasting; of more than five axes oneDNN aborts.

    Values behind the causal mask are multiplied by zero, which those that are not finite do not survive.
    """
    shapes = query.shape, key.shape, value.shape
    if generator is not None or mask is not None or enable_gqa or dropout_p != 0.0:
        return False
    if not all(shape.is_fully_defined() for shape in shapes):
        return False
    of_query, of_key, of_value = map(tuple, shapes)
    if not 2 <= len(of_query) <= 5 or of_query[:-2] != of_key[:-2] or of_key[:-1] != of_value[:-1]:
        return False
    if of_query[-1] != of_key[-1] or 0 in (*of_query, *of_value):
        return False
    return not is_causal or (is_finite(key) and is_finite(value))


@hookimpl(when=_fits, via=HALF)
def scaled_dot_product_attention(
    query: Any,
    key: Any,
    value: Any,
    /,
    *,
    mask: Any = None,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
    dropout_p: float = 0.0,
    generator: Any = None,
) -> Any:
    *_, places, features = query.shape
    scaled = raw_ops.Mul(x=query, y=1 / math.sqrt(features) if scale is None else scale)
    scores = raw_ops.BatchMatMulV2(x=scaled, y=key, adj_y=True)
    if is_causal:
        every = raw_ops.Fill(dims=constant((places, key.shape[-2])), value=True)
        seen = raw_ops.MatrixBandPart(input=every, num_lower=-1, num_upper=0)
        scores = raw_ops.SelectV2(condition=seen, t=scores, e=-math.inf)
    return raw_ops.BatchMatMulV2(x=raw_ops.Softmax(logits=scores), y=value)
