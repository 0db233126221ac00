"""Linear layers, embeddings, dropout, and normalised vectors."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.frontend.torch.described import rule, say
from corearray.frontend.torch.promotion import array, cast

__all__: list[str] = []

say("""
torch.nn.functional.linear(input, weight, bias=None) = ca.linear(input, weight, bias=bias)
torch.nn.functional.dropout(input, p=0.5, training=True, inplace=False) = ca.dropout(input, p) if training and p else input
torch.dropout(input, p, train) = ca.dropout(input, p) if train and p else input
torch.nn.functional.dropout1d(input, p=0.5, training=True, inplace=False) = channels_dropped(ca.dropout1d, input, p,
    training, 3)
torch.nn.functional.dropout2d(input, p=0.5, training=True, inplace=False) = channels_dropped(ca.dropout2d, input, p,
    training, 4)
torch.nn.functional.dropout3d(input, p=0.5, training=True, inplace=False) = channels_dropped(ca.dropout3d, input, p,
    training, 5)
torch.feature_dropout(input, p, train) = ca.dropout(input, p, axis=(0, 1)) if train and p else input
torch.nn.functional.alpha_dropout(input, p=0.5, training=False, inplace=False) = alpha_dropped(input, p,
    input.shape) if training and p else input
torch.nn.functional.feature_alpha_dropout(input, p=0.5, training=False, inplace=False) = alpha_dropped(input, p,
    (*input.shape[:2], *[1] * (input.ndim - 2))) if training and p else input
torch.nn.functional.normalize(input, p=2.0, dim=1, eps=1e-12, out=None) = ca.divide(input, ca.maximum(ca.linalg.vector_norm(
    input, ord=p, axis=dim, keepdims=True), array(eps, input.dtype)))
torch.norm_except_dim(v, pow=2, dim=0) = ca.linalg.vector_norm(v, ord=pow, axis=tuple(i for i in range(v.ndim)
    if i != dim % v.ndim) if dim != -1 else None, keepdims=dim != -1)
torch._weight_norm | torch._weight_norm_interface (v, g, dim=0) = v * (g / ca.linalg.vector_norm(v,
    axis=tuple(i for i in range(v.ndim) if i != dim), keepdims=True))
torch.cosine_similarity | torch.nn.functional.cosine_similarity (x1, x2, dim=1, eps=1e-08) = cosine(x1, x2, dim, eps)
""")


def channels_dropped(function: Any, x: ca.Array, p: float, training: bool, ndim: int) -> ca.Array:
    """Drop whole channels; an array without a batch gets one."""
    if not training or not p:
        return x
    if x.ndim == ndim - 1:
        return ca.squeeze(function(ca.expand_dims(x, 0), p), axis=0)
    made: ca.Array = function(x, p)
    return made


def alpha_dropped(x: ca.Array, p: float, shape: Any) -> ca.Array:
    """Drop to the lower limit of SELU, and keep mean and variance."""
    if p == 1:
        return x * 0
    limit = -1.7580993408473766
    scale = ((1 - p) * (1 + p * limit**2)) ** -0.5
    kept = ca.random.default_generator().bernoulli(1 - p, shape=tuple(shape))
    return ca.where(ca.astype(kept, ca.bool), x, ca.asarray(limit, dtype=x.dtype)) * scale - scale * limit * p


def cosine(x1: ca.Array, x2: ca.Array, dim: int, eps: float) -> ca.Array:
    """Return the cosines of angles between vectors."""
    x1, x2 = ca.broadcast_arrays(x1, x2)
    if not x1.ndim:  # a vector of one element
        x1, x2 = ca.reshape(x1, (1,)), ca.reshape(x2, (1,))
    least = array(eps, x1.dtype)
    lengths = [ca.maximum(ca.linalg.vector_norm(x, axis=dim, keepdims=True), least) for x in (x1, x2)]
    return ca.sum((x1 / lengths[0]) * (x2 / lengths[1]), axis=dim)


@rule("torch.nn.functional.embedding")
def embedding(
    input: ca.Array, weight: ca.Array, padding_idx: int | None = None, max_norm: float | None = None, norm_type: float = 2.0,
    scale_grad_by_freq: bool = False, sparse: bool = False,
) -> ca.Array:  # fmt: skip
    """Look rows up; the row of `padding_idx` gets no gradient."""
    made = ca.embedding(input, weight, max_norm=max_norm, norm_type=norm_type)
    if padding_idx is None or (padding_idx == -1 and weight.shape[0] == 0):
        return made
    padded = ca.expand_dims(ca.equal(input, padding_idx % weight.shape[0]), -1)
    return ca.where(padded, ca.stop_gradient(made), made)


@rule("torch.embedding")
def embedding_of_torch(
    weight: ca.Array, indices: ca.Array, padding_idx: int = -1, scale_grad_by_freq: bool = False, sparse: bool = False
) -> ca.Array:
    """Look rows up, with the arguments in the other order and -1 for no padding."""
    return embedding(indices, weight, None if padding_idx < 0 else padding_idx)


@rule("torch.nn.functional.embedding_bag")
def embedding_bag(
    input: ca.Array, weight: ca.Array, offsets: ca.Array | None = None, max_norm: float | None = None, norm_type: float = 2,
    scale_grad_by_freq: bool = False, mode: str = "mean", sparse: bool = False, per_sample_weights: ca.Array | None = None,
    include_last_offset: bool = False, padding_idx: int | None = None,
) -> ca.Array:  # fmt: skip
    rows = embedding(input, weight, padding_idx, max_norm, norm_type)
    if input.ndim == 2:
        count = input.shape[0]
        bags = ca.repeat(ca.arange(count, dtype=ca.int64), input.shape[1])
        rows = ca.reshape(rows, (-1, weight.shape[1]))
        flat = ca.reshape(input, (-1,))
    else:
        assert offsets is not None
        flat = input
        starts = offsets[:-1] if include_last_offset else offsets
        count = starts.shape[0]
        bags = ca.searchsorted(starts, ca.arange(input.shape[0], dtype=starts.dtype), side="right") - 1
    if per_sample_weights is not None:
        rows = rows * ca.expand_dims(ca.reshape(per_sample_weights, (-1,)), -1)
    kept = ca.ones(flat.shape, dtype=rows.dtype)
    if padding_idx is not None:
        kept = cast(ca.not_equal(flat, padding_idx % weight.shape[0]), rows.dtype)
    one = ca.equal(ca.expand_dims(ca.arange(count, dtype=bags.dtype), 1), bags)
    if mode == "max":
        inside = ca.expand_dims(ca.logical_and(one, kept > 0), -1)
        largest = ca.max(ca.where(inside, ca.expand_dims(rows, 0), ca.asarray(-ca.inf, dtype=rows.dtype)), axis=1)
        return ca.where(ca.isfinite(largest), largest, ca.zeros_like(largest))
    which = cast(one, rows.dtype) * kept
    total = ca.matmul(which, rows)
    if mode == "sum":
        return total
    return total / ca.maximum(ca.sum(which, axis=1, keepdims=True), array(1, rows.dtype))
