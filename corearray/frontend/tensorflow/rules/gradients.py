"""Derivatives of operations, in programs that hold a `GradientTape`."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.frontend.tensorflow.described import rule, say
from corearray.frontend.tensorflow.rules.indexing import tensor_strided_slice_update

__all__: list[str] = []

say("""
tensorflow.raw_ops.ReluGrad(gradients, features) = ca.where(features > 0, gradients, ca.zeros((), dtype=gradients.dtype))
tensorflow.raw_ops.Relu6Grad(gradients, features) = (
    ca.where((features > 0) & (features < 6), gradients, ca.zeros((), dtype=gradients.dtype)))
tensorflow.raw_ops.LeakyReluGrad(gradients, features, alpha=0.2) = ca.where(features > 0, gradients, alpha * gradients)
tensorflow.raw_ops.EluGrad(gradients, outputs) = ca.where(outputs < 0, gradients * (outputs + 1.0), gradients)
tensorflow.raw_ops.SeluGrad(gradients, outputs) = (
    ca.where(outputs < 0, gradients * (outputs + 1.7580993408473768), gradients * 1.0507009873554805))
tensorflow.raw_ops.SoftplusGrad(gradients, features) = gradients * ca.sigmoid(features)
tensorflow.raw_ops.SoftsignGrad(gradients, features) = gradients / ca.square(1.0 + ca.abs(features))
tensorflow.raw_ops.SigmoidGrad(y, dy) = dy * y * (1.0 - y)
tensorflow.raw_ops.TanhGrad(y, dy) = dy * (1.0 - ca.square(y))
tensorflow.raw_ops.SqrtGrad(y, dy) = dy * 0.5 / y
tensorflow.raw_ops.RsqrtGrad(y, dy) = dy * -0.5 * y * y * y
tensorflow.raw_ops.ReciprocalGrad|tensorflow.raw_ops.InvGrad(y, dy) = -dy * y * y
""")


@rule("tensorflow.raw_ops.StridedSliceGrad")
def strided_slice_grad(shape: Any, begin: Any, end: Any, strides: Any, dy: ca.Array, **masks: int) -> Any:
    """Put slopes into zeros, at the places of a strided slice."""
    return tensor_strided_slice_update(ca.zeros(tuple(shape), dtype=dy.dtype), begin, end, strides, dy, **masks)
