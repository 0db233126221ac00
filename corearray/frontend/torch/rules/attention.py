"""Attention."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.frontend.torch.described import rule
from corearray.frontend.torch.promotion import category

__all__: list[str] = []


@rule("torch.nn.functional.scaled_dot_product_attention_v_2p5_and_above")
def scaled_dot_product_attention(
    query: ca.Array, key: ca.Array, value: ca.Array, attn_mask: ca.Array | None = None, dropout_p: float = 0.0,
    is_causal: bool = False, scale: float | None = None, enable_gqa: bool = False,
) -> ca.Array:  # fmt: skip
    return ca.scaled_dot_product_attention(
        query, key, value, mask=attn_mask, is_causal=is_causal, scale=scale, enable_gqa=enable_gqa, dropout_p=dropout_p
    )


@rule("torch.nn.functional.scaled_dot_product_attention_v_2p1_to_2p4")
def attention_of_as_many_heads(
    query: ca.Array, key: ca.Array, value: ca.Array, attn_mask: ca.Array | None = None, dropout_p: float = 0.0,
    is_causal: bool = False, scale: float | None = None,
) -> ca.Array:  # fmt: skip
    return scaled_dot_product_attention(query, key, value, attn_mask, dropout_p, is_causal, scale)


@rule("torch.nn.functional.scaled_dot_product_attention_v_2p0_to_2p0")
def attention_without_scale(
    query: ca.Array, key: ca.Array, value: ca.Array, attn_mask: ca.Array | None = None, dropout_p: float = 0.0,
    is_causal: bool = False,
) -> ca.Array:  # fmt: skip
    return scaled_dot_product_attention(query, key, value, attn_mask, dropout_p, is_causal)


@rule("torch.nn.functional.multi_head_attention_forward")
def multi_head_attention_forward(
    query: ca.Array, key: ca.Array, value: ca.Array, embed_dim_to_check: int, num_heads: int,
    in_proj_weight: ca.Array | None, in_proj_bias: ca.Array | None, bias_k: ca.Array | None, bias_v: ca.Array | None,
    add_zero_attn: bool, dropout_p: float, out_proj_weight: ca.Array, out_proj_bias: ca.Array | None, training: bool = True,
    key_padding_mask: ca.Array | None = None, need_weights: bool = True, attn_mask: ca.Array | None = None,
    use_separate_proj_weight: bool = False, q_proj_weight: ca.Array | None = None, k_proj_weight: ca.Array | None = None,
    v_proj_weight: ca.Array | None = None, static_k: ca.Array | None = None, static_v: ca.Array | None = None,
    average_attn_weights: bool = True, is_causal: bool = False,
) -> tuple[Any, ...]:  # fmt: skip
    """Attend with several heads; sequences come first, as `(length, batch, features)` or without a batch."""
    batched = query.ndim == 3
    if not batched:
        query, key, value = (ca.expand_dims(x, 1) for x in (query, key, value))
        key_padding_mask = None if key_padding_mask is None else ca.expand_dims(key_padding_mask, 0)
    length, batch, width = query.shape
    if use_separate_proj_weight:
        weights: Any = (q_proj_weight, k_proj_weight, v_proj_weight)
    else:
        weights = ca.split(in_proj_weight, 3, axis=0)
    biases = (None, None, None) if in_proj_bias is None else ca.split(in_proj_bias, 3, axis=0)
    q, k, v = (ca.linear(x, w, bias=b) for x, w, b in zip((query, key, value), weights, biases, strict=True))
    if bias_k is not None and bias_v is not None:
        k = ca.concat([k, ca.broadcast_to(bias_k, (1, batch, width))], axis=0)
        v = ca.concat([v, ca.broadcast_to(bias_v, (1, batch, width))], axis=0)

    def heads(x: ca.Array) -> ca.Array:
        return ca.permute_dims(ca.reshape(x, (x.shape[0], batch, num_heads, -1)), (1, 2, 0, 3))

    q = heads(q)
    k, v = (
        heads(k) if static_k is None else _static(static_k, batch),
        heads(v) if static_v is None else _static(static_v, batch),
    )
    if add_zero_attn:
        k, v = (ca.concat([x, ca.zeros((*x.shape[:2], 1, x.shape[3]), dtype=x.dtype)], axis=2) for x in (k, v))
    added = k.shape[2] - (key.shape[0] if static_k is None else static_k.shape[1])
    bias = _mask_of(attn_mask, batch, num_heads, added, q.dtype)
    if key_padding_mask is not None:
        padding = _additive(key_padding_mask, q.dtype)
        padding = ca.pad(padding, [(0, 0), (0, added)]) if added else padding
        padding = ca.reshape(padding, (batch, 1, 1, -1))
        bias = padding if bias is None else bias + padding
    scores = ca.matmul(q / (q.shape[-1] ** 0.5), ca.matrix_transpose(k))
    weights = ca.softmax(scores if bias is None else scores + bias, axis=-1)
    if training and dropout_p:
        weights = ca.dropout(weights, dropout_p)
    made = ca.reshape(ca.permute_dims(ca.matmul(weights, v), (2, 0, 1, 3)), (length, batch, -1))
    made = ca.linear(made, out_proj_weight, bias=out_proj_bias)
    shown: Any = None
    if need_weights:
        shown = ca.mean(weights, axis=1) if average_attn_weights else weights
        shown = shown if batched else ca.squeeze(shown, axis=0)
    return (made if batched else ca.squeeze(made, axis=1)), shown


def _static(x: ca.Array, batch: int) -> ca.Array:
    return ca.reshape(x, (batch, -1, *x.shape[1:]))


def _additive(mask: ca.Array, dtype: ca.DType) -> ca.Array:
    """Return a mask as numbers to add: minus infinity where a mask of truth values holds."""
    if category(mask.dtype) == "f":
        return mask
    return ca.where(ca.astype(mask, ca.bool), ca.asarray(-ca.inf, dtype=dtype), ca.zeros((), dtype=dtype))


def _mask_of(mask: ca.Array | None, batch: int, heads: int, added: int, dtype: ca.DType) -> ca.Array | None:
    if mask is None:
        return None
    mask = _additive(mask, dtype)
    if added:
        mask = ca.pad(mask, [(0, 0)] * (mask.ndim - 1) + [(0, added)])
    return mask if mask.ndim == 2 else ca.reshape(mask, (batch, heads, *mask.shape[-2:]))
