"""Layers of one or two operations."""

from __future__ import annotations

import math
from typing import Any

from corearray.plugin import hookimpl
from corearray_tensorflow.keys import by_places
from corearray_tensorflow.native import FLOATING, constant, raw_ops


@hookimpl(when=lambda weight, max_norm: max_norm is None and weight.shape.rank == 2)
def embedding(indices: Any, weight: Any, /, *, max_norm: Any = None, norm_type: float = 2.0) -> Any:
    return by_places(lambda chosen: raw_ops.GatherV2(params=weight, indices=chosen, axis=0), indices, weight, 0)


def _is_one_matrix(x: Any, weight: Any, bias: Any) -> bool:
    known = x.shape.rank and weight.shape.rank == 2 and x.shape.is_fully_defined() and weight.shape.is_fully_defined()
    if not known or x.dtype not in FLOATING or x.shape[-1] != weight.shape[1]:
        return False
    return bias is None or bias.shape == weight.shape[:1]


@hookimpl(when=_is_one_matrix)
def linear(x: Any, weight: Any, /, *, bias: Any = None) -> Any:
    *front, size = x.shape
    if len(front) != 1:
        x = raw_ops.Reshape(tensor=x, shape=constant((math.prod(front), size)))
    product = raw_ops.MatMul(a=x, b=weight, transpose_b=True)
    product = product if bias is None else raw_ops.AddV2(x=product, y=bias)
    return product if len(front) == 1 else raw_ops.Reshape(tensor=product, shape=constant((*front, weight.shape[0])))
