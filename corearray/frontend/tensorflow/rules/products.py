"""Products of matrices."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.frontend.tensorflow.described import rule, say

__all__: list[str] = []

say("""
tensorflow.raw_ops.Einsum(inputs, equation) = ca.einsum(equation, *inputs)
tensorflow.raw_ops.Cross(a, b) = ca.linalg.cross(a, b)
""")


@rule("tensorflow.raw_ops.MatMul")
def matmul(
    a: ca.Array, b: ca.Array, transpose_a: bool = False, transpose_b: bool = False, grad_a: bool = False, grad_b: bool = False
) -> Any:  # fmt: skip
    """Multiply matrices; `grad_a` and `grad_b` are hints to TensorFlow's kernels that an operand is a gradient."""
    return ca.matmul(ca.matrix_transpose(a) if transpose_a else a, ca.matrix_transpose(b) if transpose_b else b)


@rule("tensorflow.raw_ops.BatchMatMul", "tensorflow.raw_ops.BatchMatMulV2")
def batch_matmul(
    x: ca.Array, y: ca.Array, adj_x: bool = False, adj_y: bool = False, grad_x: bool = False, grad_y: bool = False
) -> Any:  # fmt: skip
    """Multiply batches of matrices. An option takes the conjugate transpose of either operand."""
    return ca.matmul(_adjoint(x) if adj_x else x, _adjoint(y) if adj_y else y)


@rule("tensorflow.raw_ops.BatchMatMulV3")
def batch_matmul_to(
    x: ca.Array, y: ca.Array, Tout: Any, adj_x: bool = False, adj_y: bool = False, grad_x: bool = False, grad_y: bool = False
) -> Any:  # fmt: skip
    """Multiply batches of matrices, with a dtype for the result."""
    return ca.matmul(*(ca.astype(_adjoint(z) if turned else z, Tout) for z, turned in ((x, adj_x), (y, adj_y))))


def _adjoint(x: ca.Array) -> Any:
    made = ca.matrix_transpose(x)
    return ca.conj(made) if x.dtype.category == "complex floating" else made
