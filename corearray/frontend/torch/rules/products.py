"""Products of vectors, matrices and tensors."""

from __future__ import annotations

from functools import reduce
from typing import Any

import corearray as ca
from corearray.frontend.torch.described import rule, say
from corearray.frontend.torch.promotion import category, common, promoted
from corearray.frontend.torch.rules.elementwise import added, multiplied, times

__all__: list[str] = []

say("""
torch.matmul(input, other, *, out=None) = ca.matmul(input, other)
torch.mm | torch.bmm | torch.spmm (input, mat2, *, out=None) = ca.matmul(input, mat2)
torch.mv(input, vec, *, out=None) = ca.matmul(input, vec)
torch.dot(input, tensor, *, out=None) = ca.matmul(input, tensor)
torch.linalg.matmul(input, other, *, out=None) = ca.matmul(input, other)
torch.inner(input, other, *, out=None) = ca.inner(input, other) if input.ndim and other.ndim else multiplied(input, other)
torch.vdot (input, other, *, out=None) = ca.vecdot(input, other)
torch.linalg.vecdot(x, y, *, dim=-1, out=None) = ca.vecdot(*ca.broadcast_arrays(*common(x, y)), axis=dim)
torch.outer | torch.ger (input, vec2, *, out=None) = ca.linalg.outer(*common(input, vec2))
torch.kron(input, other, *, out=None) = ca.kron(*common(input, other))
torch.addmm(input, mat1, mat2, *, beta=1, alpha=1, out=None) = plus(input, ca.matmul(mat1, mat2), beta, alpha)
torch.addmv(input, mat, vec, *, beta=1, alpha=1, out=None) = plus(input, ca.matmul(mat, vec), beta, alpha)
torch.baddbmm(input, batch1, batch2, *, beta=1, alpha=1, out=None) = plus(input, ca.matmul(batch1, batch2), beta, alpha)
torch.addbmm(input, batch1, batch2, *, beta=1, alpha=1, out=None) = plus(input, ca.sum(ca.matmul(batch1, batch2),
    axis=0), beta, alpha)
torch.addr(input, vec1, vec2, *, beta=1, alpha=1, out=None) = plus(input, ca.linalg.outer(*common(vec1, vec2)), beta, alpha)
torch.cross(input, other, dim=None, *, out=None) = crossed(input, other, dim)
torch.linalg.cross(input, other, *, dim=-1, out=None) = crossed(input, other, dim)
torch.tensordot(a, b, dims=2, out=None) = contracted(a, b, dims)
torch.chain_matmul(*matrices, out=None) = reduce(ca.matmul, matrices)
torch.linalg.multi_dot(tensors, *, out=None) = ca.multi_dot(list(tensors))
torch.nn.functional.bilinear(input1, input2, weight, bias=None) = bilinear(input1, input2, weight, bias)
torch._grouped_mm(input, mat2, offs=None, bias=None, out_dtype=None) = grouped(input, mat2, offs)
torch.nn.functional.grouped_mm(mat_a, mat_b, *, offs=None, bias=None, out_dtype=None) = grouped(mat_a, mat_b, offs)
""")


def plus(input: ca.Array, product: ca.Array, beta: Any, alpha: Any) -> Any:
    """Return `beta * input + alpha * product`; NaN of `input` is left out where `beta` is 0."""
    if category(product.dtype) in "bi":
        beta, alpha = int(beta), int(alpha)
    product = times(product, alpha)
    if beta == 0:
        return ca.broadcast_to(product, ca.broadcast_shapes(tuple(input.shape), tuple(product.shape)))
    return added(times(input, beta), product)


def contracted(a: ca.Array, b: ca.Array, dims: Any) -> ca.Array:
    """Contract axes, of which those of length 1 broadcast."""
    if isinstance(dims, ca.Array):
        dims = dims.tolist()
    if isinstance(dims, int):
        pairs = [(a.ndim - dims + i, i) for i in range(dims)]
    else:
        pairs = [(i % a.ndim, j % b.ndim) for i, j in zip(dims[0], dims[1], strict=True)]
    for i, j in pairs:
        if a.shape[i] != b.shape[j] and 1 in (a.shape[i], b.shape[j]):
            a = ca.sum(a, axis=i, keepdims=True) if b.shape[j] == 1 else a
            b = ca.sum(b, axis=j, keepdims=True) if a.shape[i] == 1 else b
    return ca.tensordot(a, b, axes=(tuple(i for i, _ in pairs), tuple(j for _, j in pairs)))


def crossed(input: ca.Array, other: ca.Array, dim: int | None) -> ca.Array:
    """Return cross products along an axis, by default the first of length 3."""
    a, b = ca.broadcast_arrays(*common(input, other))
    if dim is None:
        dim = next(i for i, n in enumerate(a.shape) if n == 3)
    return ca.linalg.cross(a, b, axis=dim)


def bilinear(x: ca.Array, y: ca.Array, weight: ca.Array, bias: ca.Array | None) -> ca.Array:
    """Return `x @ weight[k] @ y` for each `k`."""
    made = ca.einsum("...i,kij,...j->...k", x, weight, y)
    return made if bias is None else made + bias


def grouped(a: ca.Array, b: ca.Array, ends: ca.Array | None) -> ca.Array:
    """Multiply groups of rows, which end at `ends`, each with a matrix of its own."""
    if ends is None:
        return ca.matmul(a, b)
    places = ca.arange(a.shape[-1] if b.ndim == 2 else a.shape[-2], dtype=ends.dtype)
    groups = ca.minimum(ca.searchsorted(ends, places, side="right"), ends.shape[0] - 1)
    one = ca.astype(ca.equal(ca.expand_dims(ca.arange(ends.shape[0], dtype=groups.dtype), 1), groups), a.dtype)
    if a.ndim == 2 and b.ndim == 3:
        return ca.squeeze(ca.matmul(ca.expand_dims(a, 1), ca.take(b, groups, axis=0)), axis=1)
    return ca.einsum("gk,mk,kn->gmn", one, a, b)


@rule("torch.einsum")
def einsum(equation: Any, *operands: Any) -> ca.Array:
    if not isinstance(equation, str):
        return _by_numbers((equation, *operands))
    given = operands[0] if len(operands) == 1 and isinstance(operands[0], (list, tuple)) else operands
    dtype = reduce(promoted, [x.dtype for x in given])
    return ca.einsum(equation, *(ca.astype(x, dtype, copy=False) for x in given))


def _by_numbers(parts: tuple[Any, ...]) -> ca.Array:
    """Read the form in which each operand is followed by the numbers of its axes."""
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

    def said(numbers: Any) -> str:
        return "".join("..." if n is Ellipsis else letters[n] for n in numbers)

    count = len(parts) // 2
    terms = ",".join(said(parts[2 * i + 1]) for i in range(count))
    result = f"->{said(parts[-1])}" if len(parts) % 2 else ""
    return ca.einsum(terms + result, *(parts[2 * i] for i in range(count)))


@rule("torch.matrix_power", "torch.linalg.matrix_power")
def matrix_power(input: ca.Array, n: int, *, out: Any = None) -> ca.Array:
    return ca.linalg.matrix_power(input, n)
