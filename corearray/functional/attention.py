"""Attention: averages of values, weighted by the similarity of queries and keys.

A boolean mask is `True` for positions that take part. A floating mask is added to the scores; -infinity excludes a
position. A query without any position that takes part gets zeros. Half precision is computed in float32.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from corearray.contract.declaration import declare
from corearray.functional.layers import _dropped, _equal
from corearray.functional.lengths import _length
from corearray.functional.precision import _widened
from corearray.types.namedtuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.random import Generator

__all__ = [
    "MultiHeadAttentionResult",
    "multi_head_attention",
    "rotary_embedding",
    "scaled_dot_product_attention",
]


#: A place behind all others.
_NOWHERE = 2**31 - 1

#: The most places of one kind and of another one that a sum in float32 tells apart, and what stands for both.
_COUNTED = 2**12
_BOTH = 2.0**40


class MultiHeadAttentionResult(NamedTuple):
    """Result of `multi_head_attention`.

    Attributes
    ----------
    values
        The means, projected.
    weights
        The weights of the means, or `None` where they were not asked for.
    """

    values: Array
    weights: Array | None


@declare(promote=("x",), floating=True, real=True, gives="same")
def rotary_embedding(
    x: Array,
    /,
    *,
    positions: Array | None = None,
    base: float = 10000.0,
    features: int | None = None,
    interleaved: bool = False,
    out: Array | None = None,
) -> Array:
    """Rotate pairs of features by angles that grow with the position, so that attention sees relative positions.

    Parameters
    ----------
    x
        Queries or keys; real array of shape `(..., T, D)`.
    positions
        Positions of the vectors, an integer or floating array that broadcasts to `(..., T)`; by default 0 to `T - 1`.
    base
        Pair `i` turns by `positions / base**(2 * i / features)`.
    features
        Number of features that are rotated, even and at most `D`, which is the default; the others stay.
    interleaved
        Whether neighbouring features are a pair; else feature `i` and feature `i + features / 2` are.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype. Half precision is computed in float32.

    Raises
    ------
    ValueError
        If `x` has fewer than two axes, or the number of features is odd or larger than `D`.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.rotary_embedding(ca.asarray([[1.0, 0.0], [1.0, 0.0]]), positions=ca.asarray([0.0, ca.pi]))
    >>> ca.round(x).tolist()
    [[1.0, 0.0], [-1.0, -0.0]]

    Notes
    -----
    J. Su et al., RoFormer, arXiv:2104.09864. Pairs are those of GPT-NeoX and Llama in the layout of Hugging Face, with
    `interleaved` those of the paper, GPT-J and torchtune.
    """
    if x.ndim < 2:
        raise ValueError(f"'rotary_embedding' got an array of shape {tuple(x.shape)}; it takes (..., T, D)")
    size = x.shape[-1] if features is None else features
    if size % 2 or not 0 <= size <= x.shape[-1]:
        raise ValueError(
            f"'rotary_embedding' was asked to rotate {size} of {x.shape[-1]} features; give an even number that is not larger"
        )
    if size == 0:
        return xp.astype(x, x.dtype)
    wide = _widened(x)
    if positions is None:
        positions = xp.arange(x.shape[-2], device=x.device)
    steps = xp.arange(0, size, 2, dtype=wide.dtype, device=x.device) / size
    angle = xp.expand_dims(xp.astype(positions, wide.dtype), -1) * xp.exp(steps * -math.log(base))
    cos, sin = xp.cos(angle), xp.sin(angle)
    turned, rest = wide[..., :size], wide[..., size:]
    if interleaved:
        pairs = xp.reshape(turned, (*x.shape[:-1], size // 2, 2))
        one, two = pairs[..., 0], pairs[..., 1]
        found = xp.reshape(xp.stack([one * cos - two * sin, two * cos + one * sin], axis=-1), tuple(turned.shape))
    else:
        one, two = turned[..., : size // 2], turned[..., size // 2 :]
        found = xp.concat([one * cos - two * sin, two * cos + one * sin], axis=-1)
    return xp.astype(xp.concat([found, rest], axis=-1) if features is not None else found, x.dtype, copy=False)


@declare(promote=("query", "key", "value"), floating=True, real=True, gives="same")
def scaled_dot_product_attention(
    query: Array,
    key: Array,
    value: Array,
    /,
    *,
    mask: Array | None = None,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
    dropout_p: float = 0.0,
    generator: Generator | None = None,
    out: Array | None = None,
) -> Array:
    """Average values with the weights `softmax(scale * query @ key.mT + mask)`.

    Parameters
    ----------
    query
        Real array of shape `(..., L, E)`; integers are computed in the default floating dtype.
    key
        Real array of shape `(..., S, E)`.
    value
        Real array of shape `(..., S, V)`. The axes in front broadcast.
    mask
        Boolean or real floating array that broadcasts to `(..., L, S)`: what takes part, or what is added.
    is_causal
        Whether a query takes only the keys up to its own place, beside what `mask` says.
    scale
        Factor of the scores, by default `1 / sqrt(E)`.
    enable_gqa
        Whether the axis third from the end, that of the heads, may be shorter in `key` and `value`: then each of their heads
        serves a group of neighbours in `query`.
    dropout_p
        With which probability a weight is set to zero, the others scaled by `1 / (1 - dropout_p)`.
    generator
        As in `dropout`.
    out
        Array that receives the result.

    Returns
    -------
    Array of shape `(..., L, V)` and the promoted floating dtype. A query whose mask leaves no key gets zeros. Keys and
    values behind a mask may be NaN: they are absent, in derivatives too.

    Raises
    ------
    ValueError
        If shapes do not fit, or `dropout_p` is no probability.
    TypeError
        If `mask` is neither boolean nor real floating.

    Examples
    --------
    >>> import corearray as ca
    >>> query = key = ca.zeros((3, 1))
    >>> value = ca.asarray([[2.0], [4.0], [9.0]])
    >>> ca.scaled_dot_product_attention(query, key, value, is_causal=True).tolist()
    [[2.0], [3.0], [5.0]]

    Notes
    -----
    A. Vaswani et al., Attention is all you need, arXiv:1706.03762; J. Ainslie et al., GQA, arXiv:2305.13245;
    `torch.nn.functional.scaled_dot_product_attention`, which takes no mask beside `is_causal`.
    """
    name = "scaled_dot_product_attention"
    if enable_gqa:
        key, value = _for_each_head(name, query, key, value)
    weights = _attention(name, query, key, value, mask, is_causal, scale)
    weights = _dropped(name, weights, dropout_p, tuple(range(weights.ndim)), dropout_p > 0.0, True, generator)
    return xp.astype(_average(weights, key, _widened(value), mask, is_causal), query.dtype, copy=False)


@declare(
    promote=(
        "query", "key", "value", "in_proj_weight", "q_proj_weight", "k_proj_weight", "v_proj_weight", "in_proj_bias",
        "out_proj_weight", "out_proj_bias",
    ),
    floating=True,
    real=True,
)  # fmt: skip
def multi_head_attention(
    query: Array,
    key: Array | None = None,
    value: Array | None = None,
    /,
    *,
    num_heads: int,
    in_proj_weight: Array | None = None,
    q_proj_weight: Array | None = None,
    k_proj_weight: Array | None = None,
    v_proj_weight: Array | None = None,
    in_proj_bias: Array | None = None,
    out_proj_weight: Array | None = None,
    out_proj_bias: Array | None = None,
    mask: Array | None = None,
    is_causal: bool = False,
    scale: float | None = None,
    dropout_p: float = 0.0,
    generator: Generator | None = None,
    need_weights: bool = False,
    average_weights: bool = True,
) -> MultiHeadAttentionResult:
    """Compute attention with several heads, each on its part of the projected features.

    Parameters
    ----------
    query
        Real array of shape `(..., L, features)`; integers are computed in the default floating dtype.
    key
        Real array of shape `(..., S, features)`, by default `query`.
    value
        Real array of shape `(..., S, features)`, by default `key`.
    num_heads
        Into how many heads the projected features are divided.
    in_proj_weight
        The projections of queries, keys and values in one array, of shape `(3 * E, features)`.
    q_proj_weight, k_proj_weight, v_proj_weight
        The same, each by itself, of shape `(E, features)`, where the features may differ in number. What has no projection
        is taken as it is.
    in_proj_bias
        Biases of the three projections, of shape `(3 * E,)`.
    out_proj_weight, out_proj_bias
        The projection of the result, of shapes `(O, E)` and `(O,)`; by default none.
    mask
        As in `scaled_dot_product_attention`, of shape `(L, S)`, `(..., L, S)` or, with an axis more than `query` has,
        `(..., num_heads, L, S)`. That of a batch of keys is `mask[..., None, :]`.
    is_causal, scale, dropout_p, generator
        As in `scaled_dot_product_attention`; dropout means training.
    need_weights
        Whether the weights are returned too.
    average_weights
        Whether they are the mean over the heads.

    Returns
    -------
    Named tuple `(values, weights)` of the promoted floating dtype: an array of shape `(..., L, O)`, and one of shape
    `(..., L, S)` or `(..., num_heads, L, S)`, or `None`.

    Raises
    ------
    ValueError
        If shapes do not fit, the features cannot be divided, or joint and separate weights are given.
    TypeError
        If `mask` is neither boolean nor real floating.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([[1.0, 0.0], [3.0, 0.0]])
    >>> found = ca.multi_head_attention(ca.zeros((1, 2)), x, num_heads=2, need_weights=True)
    >>> found.values.tolist(), found.weights.tolist()
    ([[2.0, 0.0]], [[0.5, 0.5]])

    Notes
    -----
    As `scaled_dot_product_attention`; unlike `torch.nn.MultiheadAttention`, where `True` in a mask excludes a position.
    """
    name = "multi_head_attention"
    key = query if key is None else key
    value = key if value is None else value
    separate: tuple[Array | None, ...] = (q_proj_weight, k_proj_weight, v_proj_weight)
    given: Sequence[Array] = (query, key, value)
    biases: tuple[Array | None, ...] = (None, None, None)
    if in_proj_weight is not None:
        if any(weight is not None for weight in separate):
            raise ValueError(f"'{name}' got in_proj_weight and weights for each projection; give the one or the others")
        separate = _thirds(name, "in_proj_weight", in_proj_weight)
    if in_proj_bias is not None:
        biases = _thirds(name, "in_proj_bias", in_proj_bias)
    if in_proj_weight is not None and key is query and value is query:  # one product of matrices in place of three
        given = xp.split(xp.linear(query, in_proj_weight, bias=in_proj_bias), 3, axis=-1)
        separate = biases = (None, None, None)
    projected = []
    for x, weight, bias in zip(given, separate, biases, strict=True):
        x = x if weight is None else xp.linear(x, weight, bias=bias)
        projected.append(_in_heads(name, x if bias is None or weight is not None else x + bias, num_heads))
    if mask is not None and 2 < mask.ndim <= query.ndim:
        mask = xp.expand_dims(mask, -3)
    query, key, value = projected
    weights = None
    if need_weights:
        weights = _attention(name, query, key, value, mask, is_causal, scale)
        kept = _dropped(name, weights, dropout_p, tuple(range(weights.ndim)), dropout_p > 0.0, True, generator)
        values = xp.astype(_average(kept, key, _widened(value), mask, is_causal), query.dtype, copy=False)
        if mask is not None or is_causal:
            spoiled = _taken(_unknown(key), weights, _as_condition(mask), is_causal)
            weights = xp.where(spoiled, math.nan, weights)
        weights = xp.astype(xp.mean(weights, axis=-3) if average_weights else weights, query.dtype, copy=False)
    else:
        values = xp.scaled_dot_product_attention(
            query, key, value, mask=mask, is_causal=is_causal, scale=scale, dropout_p=dropout_p, generator=generator
        )
    values = xp.moveaxis(values, -3, -2)
    shape = [-1 if side is None else side for side in values.shape[:-2]]
    values = xp.reshape(values, (*shape, values.shape[-2] * values.shape[-1]))
    if out_proj_weight is not None:
        values = xp.linear(values, out_proj_weight, bias=out_proj_bias)
    elif out_proj_bias is not None:
        values = values + out_proj_bias
    return MultiHeadAttentionResult(values, weights)


def _attention(
    name: str, query: Array, key: Array, value: Array, mask: Array | None, is_causal: bool, scale: float | None
) -> Array:
    """Return the weights, not below float32. With a mask, keys that are not finite count as zeros."""
    least = min(x.ndim for x in (query, key, value))
    if least < 2 or not _equal(query.shape[-1:], key.shape[-1:]) or not _equal(key.shape[-2:-1], value.shape[-2:-1]):
        raise ValueError(
            f"'{name}' got queries, keys and values of the shapes {tuple(query.shape)}, {tuple(key.shape)} and "
            f"{tuple(value.shape)}; they must be (..., L, E), (..., S, E) and (..., S, V)"
        )
    fronts = [tuple(x.shape[:-2]) for x in (query, key, value)]
    if not any(None in front for front in fronts):
        try:
            front = xp.broadcast_shapes(*fronts)
        except ValueError:
            raise ValueError(f"'{name}' got queries, keys and values whose axes {fronts} do not broadcast") from None
        wanted = (*front, query.shape[-2], key.shape[-2])
        if mask is not None and None not in (*mask.shape, *wanted) and not _broadcasts(mask.shape, wanted):
            raise ValueError(
                f"'{name}' got a mask of the shape {tuple(mask.shape)}, which does not broadcast to {wanted}"
            )
    query, key = _widened(query), _widened(key)
    features = _length(query, -1)
    if scale is not None:
        factor: Array | float = scale
    elif isinstance(features, int):
        factor = 1.0 / math.sqrt(max(features, 1))
    else:
        factor = 1.0 / xp.sqrt(xp.astype(xp.maximum(features, 1), query.dtype))
    if mask is None and not is_causal:
        scores = xp.matmul(query * factor, xp.matrix_transpose(key))
    else:  # a key behind the mask may be NaN, which derivatives would multiply by zero
        scores = xp.matmul(query * factor, xp.matrix_transpose(xp.where(xp.isfinite(key), key, 0.0)))
    if mask is not None:
        if xp.isdtype(mask.dtype, "bool"):
            scores = xp.where(mask, scores, -math.inf)
        elif xp.isdtype(mask.dtype, "real floating"):
            scores = scores + xp.astype(mask, scores.dtype, copy=False)
        else:
            raise TypeError(f"'{name}' got a mask of the dtype '{mask.dtype}'; give a boolean or a real floating one")
    if is_causal:
        sides = tuple(scores.shape[-2:])
        whole = (
            xp.ones_like(scores, dtype=xp.bool)
            if None in sides
            else xp.ones(sides, dtype=xp.bool, device=scores.device)
        )
        scores = xp.where(xp.tril(whole), scores, -math.inf)
    if scores.shape[-1] == 0:
        return scores
    if mask is None:
        return xp.softmax(scores, axis=-1)
    nothing = xp.max(scores, axis=-1, keepdims=True) == -math.inf
    return xp.where(nothing, 0.0, xp.softmax(xp.where(nothing, 0.0, scores), axis=-1))


def _average(weights: Array, key: Array, value: Array, mask: Array | None, is_causal: bool) -> Array:
    """Return the weighted means of the values.

    Values and keys behind a mask are absent: NaN and infinities reach only the queries that take them. A product with a
    weight of zero would spread NaN, and so would its derivative.
    """
    if mask is None and not is_causal:
        return xp.matmul(weights, value)
    mask = _as_condition(mask)
    unknown = xp.isnan(value) | _unknown(key)
    upwards, downwards = (value == math.inf) | unknown, (value == -math.inf) | unknown
    found = xp.matmul(weights, xp.where(xp.isfinite(value), value, 0.0))
    up, down = _both_taken(upwards, downwards, weights, mask, is_causal)
    beyond = xp.where(up, math.inf, xp.where(down, -math.inf, 0.0))
    return found + xp.astype(xp.where(up & down, math.nan, beyond), found.dtype, copy=False)


def _as_condition(mask: Array | None) -> Array | None:
    """Return a mask of truth values: one of numbers hides a key by minus infinity."""
    return mask if mask is None or xp.isdtype(mask.dtype, "bool") else mask > -math.inf


def _unknown(key: Array) -> Array:
    """Return which keys are not finite, in a column."""
    return xp.logical_not(xp.all(xp.isfinite(key), axis=-1, keepdims=True))


def _both_taken(one: Array, other: Array, weights: Array, mask: Array | None, is_causal: bool) -> tuple[Array, Array]:
    """Return `_taken` of two arrays. For a mask with rows, one product of matrices serves both.

    The product counts in powers of two, which every precision of a device represents.
    """
    if mask is None or mask.ndim < 2 or mask.shape[-2] == 1 or not 0 < (one.shape[-2] or 0) < _COUNTED:
        return _taken(one, weights, mask, is_causal), _taken(other, weights, mask, is_causal)
    numbers = xp.where(one & other, _BOTH, xp.where(one, 1.0, xp.where(other, float(_COUNTED), 0.0)))
    allowed = xp.astype(_allowed(one, weights, mask, is_causal), weights.dtype)
    count = xp.matmul(allowed, xp.astype(numbers, weights.dtype))
    return (xp.remainder(count, _COUNTED) > 0.0) | (count >= _BOTH), count >= _COUNTED


def _taken(hidden: Array, weights: Array, mask: Array | None, is_causal: bool) -> Array:
    """Return which queries take a place where `hidden`, of shape `(..., S, V)`, is true: shape `(..., L, V)`."""
    if mask is not None and (mask.ndim < 2 or mask.shape[-2] == 1):
        hidden = hidden & (xp.matrix_transpose(mask) if mask.ndim > 1 else xp.expand_dims(mask, axis=-1))
        mask = None
    if (mask is None and not is_causal) or hidden.shape[-2] == 0:
        return xp.any(hidden, axis=-2, keepdims=True)
    if mask is None:
        places = _places(hidden)
        return _places(weights) >= xp.min(xp.where(hidden, places, _NOWHERE), axis=-2, keepdims=True)
    allowed = _allowed(hidden, weights, mask, is_causal)
    return xp.matmul(xp.astype(allowed, weights.dtype), xp.astype(hidden, weights.dtype)) > 0.0


def _allowed(hidden: Array, weights: Array, mask: Array, is_causal: bool) -> Array:
    """Return which places each query takes."""
    places = _places(hidden)
    allowed = mask & (xp.matrix_transpose(places) <= _places(weights)) if is_causal else mask
    return allowed & xp.matrix_transpose(places >= 0)


def _places(x: Array) -> Array:
    """Count along the axis before the last, in a column."""
    size = x.shape[-2]
    if size is None:
        return xp.cumulative_sum(xp.ones_like(x[..., :1], dtype=xp.int32), axis=-2, dtype=xp.int32) - 1
    return xp.expand_dims(xp.arange(size, dtype=xp.int32, device=x.device), axis=-1)


def _broadcasts(shape: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    """Whether an array of a shape can be spread to another one."""
    sides = zip(reversed(shape), reversed(wanted), strict=False)
    return len(shape) <= len(wanted) and all(side in (1, other) for side, other in sides)


def _for_each_head(name: str, query: Array, key: Array, value: Array) -> list[Array]:
    """Repeat the heads of keys and values, so that there are as many as of queries."""
    repeated = []
    for x in (key, value):
        heads = [one.shape[-3] if one.ndim > 2 else 0 for one in (query, x)]
        if 0 in heads or heads[0] % heads[1]:
            raise ValueError(
                f"'{name}' got queries of the shape {tuple(query.shape)} with enable_gqa, and keys or values of the shape "
                f"{tuple(x.shape)}; their heads, the axis third from the end, must divide those of the queries"
            )
        repeated.append(x if heads[0] == heads[1] else xp.repeat(x, heads[0] // heads[1], axis=-3))
    return repeated


def _thirds(name: str, what: str, x: Array) -> tuple[Array, ...]:
    """Divide what stands for queries, keys and values in one."""
    rows = x.shape[0] if x.ndim else 1
    if rows % 3:
        raise ValueError(
            f"'{name}' got {what} of the shape {tuple(x.shape)}; its first axis must be three times as long"
        )
    side = rows // 3
    return x[:side, ...], x[side : 2 * side, ...], x[2 * side :, ...]


def _in_heads(name: str, x: Array, num_heads: int) -> Array:
    """Divide the last axis into heads, and bring these to the front of the one before."""
    if x.ndim < 2 or num_heads < 1 or x.shape[-1] % num_heads:
        raise ValueError(
            f"'{name}' is to divide projected features of the shape {tuple(x.shape)} into num_heads={num_heads}; give at "
            "least two axes, of which the last can be divided"
        )
    shape = [-1 if side is None else side for side in x.shape[:-1]]
    return xp.moveaxis(xp.reshape(x, (*shape, num_heads, x.shape[-1] // num_heads)), -2, -3)
