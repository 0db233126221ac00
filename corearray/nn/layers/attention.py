"""Attention with several heads, and rotary embeddings of positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from corearray.calls.dispatch import resolve
from corearray.errors import CoreArrayValueError
from corearray.functional.attention import multi_head_attention, rotary_embedding, scaled_dot_product_attention
from corearray.functional.comparison import logical_not
from corearray.functional.joining import split
from corearray.functional.layers import linear
from corearray.functional.manipulation import broadcast_to, concat, expand_dims, moveaxis, reshape, squeeze
from corearray.functional.padding import pad
from corearray.functional.searching import where
from corearray.nn.arguments import filled, positive, probability
from corearray.nn.init import xavier_normal, xavier_uniform
from corearray.nn.layers.linear import Linear
from corearray.nn.module import Module

if TYPE_CHECKING:
    from corearray.arrays.array import Array

__all__ = ["KeyValueCache", "MultiheadAttention", "RotaryEmbedding"]

#: What `corearray list-functions` says of the classes here.
__kind__ = "convenience"


class KeyValueCache(NamedTuple):
    """The keys and values of the steps so far.

    Attributes
    ----------
    keys, values
        Arrays of the shape `(N, heads, S, head size)`.
    """

    keys: Array
    values: Array


class MultiheadAttention(Module):
    """Attention with several heads, `softmax(q @ k.mT / sqrt(size)) @ v` for each head, between four linear maps.

    Parameters
    ----------
    embed_dim
        Length of the vectors, which `num_heads` divides.
    num_heads
        Number of heads.
    dropout
        Probability by which weights are zero in training.
    bias
        Whether the linear maps have biases.
    add_bias_kv
        Whether a key and a value that are parameters follow those given.
    add_zero_attn
        Whether a key and a value of zeros follow those given.
    kdim, vdim
        Lengths of the vectors of keys and values, by default `embed_dim`.
    batch_first
        Whether arrays have the shape `(N, L, E)`; else `(L, N, E)`, torch's default.
    num_kv_heads
        Number of heads of keys and values, each of which serves a group of heads of queries; by default `num_heads`.
    generator, dtype, device
        As in `Linear`.

    Attributes
    ----------
    in_proj_weight, in_proj_bias
        The maps of queries, keys and values in one, of the shape `(3 * embed_dim, embed_dim)`. Where the sizes differ there
        are `q_proj_weight`, `k_proj_weight` and `v_proj_weight` instead.
    out_proj
        `Linear`.
    bias_k, bias_v
        Parameters of the shape `(1, 1, embed_dim)`, or `None` without `add_bias_kv`.

    Raises
    ------
    ValueError
        If the heads do not divide the vectors, or the heads of keys those of queries.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> attention, x = nn.MultiheadAttention(8, 2), ca.ones((1, 5, 8))
    >>> attention(x, is_causal=True).shape
    Shape((1, 5, 8))

    One step after the other, with the keys and values of those before:

    >>> cache = attention.cache(1)
    >>> for i in range(5):
    ...     y, cache = attention(x[:, i : i + 1, :], is_causal=True, cache=cache)
    >>> y.shape, cache.keys.shape
    (Shape((1, 1, 8)), Shape((1, 2, 5, 4)))

    Notes
    -----
    A. Vaswani et al., arXiv:1706.03762; J. Ainslie et al., arXiv:2305.13245, for groups of heads;
    `torch.nn.MultiheadAttention`, which returns a pair: here the weights come with `need_weights=True` only.
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = True,
        num_kv_heads: int | None = None,
        *,
        generator: Any = None,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        size, heads = (
            positive("MultiheadAttention", "embed_dim", embed_dim),
            positive("MultiheadAttention", "num_heads", num_heads),
        )
        shared = heads if num_kv_heads is None else positive("MultiheadAttention", "num_kv_heads", num_kv_heads)
        if size % heads or heads % shared:
            raise CoreArrayValueError(
                f"'MultiheadAttention' needs heads that divide the vectors, and heads of keys that divide those of queries: "
                f"got embed_dim={size}, num_heads={heads} and num_kv_heads={shared}"
            )
        self.embed_dim, self.num_heads, self.num_kv_heads = size, heads, shared
        self.dropout = probability("MultiheadAttention", dropout)
        self.batch_first = batch_first
        made: dict[str, Any] = {"generator": generator, "dtype": dtype, "device": device}
        inner = size // heads * shared
        lengths = (size, kdim or size, vdim or size)
        if lengths == (size, size, size) and shared == heads:
            self.in_proj_weight: Array | None = xavier_uniform((3 * size, size), **made)
        else:
            self.in_proj_weight = None
            self.q_proj_weight = xavier_uniform((size, size), **made)
            self.k_proj_weight = xavier_uniform((inner, lengths[1]), **made)
            self.v_proj_weight = xavier_uniform((inner, lengths[2]), **made)
        self.in_proj_bias = filled((size + 2 * inner,), 0.0, dtype, device) if bias else None
        self.bias_k, self.bias_v = (xavier_normal((1, 1, inner), **made) if add_bias_kv else None for _ in range(2))
        self.add_zero_attn = add_zero_attn
        self.out_proj = Linear(size, size, bias=bias, **made)
        if bias:
            self.out_proj.bias = filled((size,), 0.0, dtype, device)

    def cache(self, batch: int, /) -> KeyValueCache:
        """Return an empty cache for a number of sequences."""
        weight = self.out_proj.weight
        shape = (batch, self.num_kv_heads, 0, self.embed_dim // self.num_heads)
        empty = resolve((weight,)).zeros(shape, dtype=weight.dtype, device=weight.device)
        return KeyValueCache(empty, empty)

    def forward(
        self,
        query: Array,
        key: Array | None = None,
        value: Array | None = None,
        /,
        *,
        attn_mask: Array | None = None,
        key_padding_mask: Array | None = None,
        is_causal: bool = False,
        need_weights: bool = False,
        average_attn_weights: bool = True,
        cache: KeyValueCache | None = None,
    ) -> Any:
        """Attend.

        Parameters
        ----------
        query, key, value
            Arrays of the shapes `(N, L, E)`, `(N, S, kdim)` and `(N, S, vdim)`, or without a batch; keys are the queries by
            default, values the keys.
        attn_mask
            Array of the shape `(L, S)`, or `(N * num_heads, L, S)`: true where a query must not see a key, or floating
            numbers to add.
        key_padding_mask
            Array of the shape `(N, S)`: true for keys that no query sees, or floating numbers to add.
        is_causal
            Whether a query sees no key behind it.
        need_weights
            Whether to return a pair of the result and the weights.
        average_attn_weights
            Whether the weights are means over the heads.
        cache
            Keys and values before those given; the result is then a pair with the new cache.

        Returns
        -------
        Array of the shape `(N, L, E)`, or a pair.
        """
        key = query if key is None else key
        value = key if value is None else value
        alone = key is query and value is query  # projected by one product of matrices
        swaps = not self.batch_first and query.ndim == 3
        if swaps:
            query, key, value = (moveaxis(x, 0, 1) for x in (query, key, value))
        special = self.num_kv_heads != self.num_heads or self.bias_k is not None or self.add_zero_attn
        if cache is not None or (special and not need_weights):
            single = query.ndim == 2 and cache is None
            if single:
                query, key, value = (expand_dims(x, axis=0) for x in (query, key, value))
                key_padding_mask = None if key_padding_mask is None else expand_dims(key_padding_mask, axis=0)
            result, cache_after = self._stepped(query, key, value, attn_mask, key_padding_mask, is_causal, cache)
            if cache is None:
                return moveaxis(result, 0, 1) if swaps else squeeze(result, axis=0) if single else result
            return moveaxis(result, 0, 1) if swaps else result, cache_after
        if special:
            raise CoreArrayValueError(
                "'MultiheadAttention' with groups of heads, add_bias_kv or add_zero_attn returns no weights; leave "
                "need_weights out"
            )
        mask = self._mask(query, attn_mask, key_padding_mask)
        weights: dict[str, Any] = {"in_proj_weight": self.in_proj_weight}
        if self.in_proj_weight is None:
            weights = {f"{name}_proj_weight": getattr(self, f"{name}_proj_weight") for name in "qkv"}
        found, attended = multi_head_attention(
            query, None if alone else key, None if alone else value, num_heads=self.num_heads,
            in_proj_bias=self.in_proj_bias, mask=mask, is_causal=is_causal, out_proj_weight=self.out_proj.weight,
            out_proj_bias=self.out_proj.bias, need_weights=need_weights,
            dropout_p=self.dropout if self.training else 0.0, average_weights=average_attn_weights, **weights,
        )  # fmt: skip
        found = moveaxis(found, 0, 1) if swaps else found
        return (found, attended) if need_weights else found

    def _mask(self, query: Array, attn_mask: Array | None, key_padding_mask: Array | None) -> Array | None:
        """Return one mask of what takes part, or of numbers to add, of the shape `(N, heads or 1, L or 1, S)`."""
        mask = attn_mask
        if mask is not None and mask.ndim == 3:
            mask = reshape(mask, (-1, self.num_heads, *mask.shape[1:])) if query.ndim == 3 else mask
        hidden = key_padding_mask
        if hidden is not None:
            hidden = expand_dims(expand_dims(hidden, axis=-2), axis=-3)
            if query.ndim == 2:
                hidden = reshape(hidden, (1, 1, -1))
        if mask is None or hidden is None:
            one = hidden if mask is None else mask
            if one is None or one.dtype.category != "bool":
                return one
            kept: Array = logical_not(one)
            return kept
        if mask.dtype.category == hidden.dtype.category == "bool":
            return logical_not(mask | hidden)
        return _added(mask, query) + _added(hidden, query)

    def _stepped(
        self,
        query: Array,
        key: Array,
        value: Array,
        attn_mask: Array | None,
        key_padding_mask: Array | None,
        is_causal: bool,
        cache: KeyValueCache | None,
    ) -> tuple[Array, KeyValueCache]:
        if query.ndim != 3:
            raise CoreArrayValueError(f"a cache needs arrays with a batch, got the shape {tuple(query.shape)}")
        size, inner = self.embed_dim, self.embed_dim // self.num_heads * self.num_kv_heads
        if self.in_proj_weight is not None:
            maps = list(split(self.in_proj_weight, 3, axis=0))
        else:
            maps = [self.q_proj_weight, self.k_proj_weight, self.v_proj_weight]
        bias, ends = self.in_proj_bias, (0, size, size + inner, size + 2 * inner)
        heads = (self.num_heads, self.num_kv_heads, self.num_kv_heads)
        parts = []
        for i, x in enumerate((query, key, value)):
            x = linear(x, maps[i], bias=None if bias is None else bias[ends[i] : ends[i + 1]])
            front = [-1 if side is None else side for side in x.shape[:2]]  # unknown while a framework traces
            parts.append(moveaxis(reshape(x, (*front, heads[i], size // self.num_heads)), 2, 1))
        q, k, v = parts
        before = 0
        if cache is not None:
            before = cache.keys.shape[2]
            k, v = concat([cache.keys, k], axis=2), concat([cache.values, v], axis=2)
        mask = self._mask(query, attn_mask, key_padding_mask)
        if is_causal and before:
            backend = resolve((q,))
            rows, columns = backend.arange(q.shape[2]) + before, backend.arange(k.shape[2])
            past = expand_dims(columns, axis=0) <= expand_dims(rows, axis=1)
            mask = past if mask is None else where(past, _added_kept(mask, q), -float("inf"))
            is_causal = False
        after, last = KeyValueCache(k, v), k.shape[2]
        for tail in self._tails(k):
            k, v = concat([k, tail[0]], axis=2), concat([v, tail[1]], axis=2)
        if k.shape[2] != last:
            mask = self._widened(mask, q, last, k.shape[2], is_causal)
            is_causal = False
        y = scaled_dot_product_attention(
            q, k, v, mask=mask, is_causal=is_causal, enable_gqa=self.num_kv_heads != self.num_heads,
            dropout_p=self.dropout if self.training else 0.0,
        )  # fmt: skip
        y = moveaxis(y, 1, 2)
        front = [-1 if side is None else side for side in y.shape[:2]]
        return self.out_proj(reshape(y, (*front, size))), after

    def _tails(self, like: Array) -> list[tuple[Array, Array]]:
        """Return the keys and values that follow those given, of the shape `(N, heads, 1, head size)`."""
        shape = (like.shape[0], self.num_kv_heads, 1, self.embed_dim // self.num_heads)
        tails = []
        if self.bias_k is not None and self.bias_v is not None:
            key, value = (broadcast_to(reshape(x, (1, *shape[1:])), shape) for x in (self.bias_k, self.bias_v))
            tails.append((key, value))
        if self.add_zero_attn:
            empty = resolve((like,)).zeros(shape, dtype=like.dtype, device=like.device)
            tails.append((empty, empty))
        return tails

    def _widened(self, mask: Array | None, q: Array, last: int, count: int, is_causal: bool) -> Array | None:
        """Return what is added to scores for a mask of `last` keys where `count` of them are, the others seen by all."""
        if mask is None and not is_causal:
            return None
        backend = resolve((q,))
        columns = expand_dims(backend.arange(last), axis=0)
        rows = expand_dims(backend.arange(q.shape[2]), axis=1)
        zero = backend.zeros((q.shape[2], last), dtype=q.dtype, device=q.device)
        added = zero if mask is None else zero + _added_kept(mask, q)
        if is_causal:
            added = where(columns <= rows, added, -float("inf"))
        return pad(added, [(0, 0)] * (added.ndim - 1) + [(0, count - last)])


def _added(mask: Array, like: Array) -> Array:
    """Return what a mask of hidden places adds."""
    if mask.dtype.category != "bool":
        return mask
    zero = resolve((like,)).zeros((), dtype=like.dtype, device=like.device)
    return where(mask, zero - float("inf"), zero)


def _added_kept(mask: Array, like: Array) -> Array:
    """Return what a mask of places that take part adds."""
    return _added(logical_not(mask), like) if mask.dtype.category == "bool" else mask


class RotaryEmbedding(Module):
    """Rotate pairs of features by angles in proportion to positions, so that products depend on distances.

    It takes and returns an array of the shape `(..., L, features)`, such as queries or keys of heads.

    Parameters
    ----------
    base
        Base of the wavelengths.
    features
        Number of leading features that are rotated, by default all.
    interleaved
        Whether pairs are neighbours; else a feature pairs with the one half the features further.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.RotaryEmbedding()(ca.ones((1, 2, 5, 4))).shape
    Shape((1, 2, 5, 4))

    Notes
    -----
    J. Su et al., arXiv:2104.09864.
    """

    def __init__(self, base: float = 10000.0, features: int | None = None, interleaved: bool = False) -> None:
        self.base = base
        self.features = features
        self.interleaved = interleaved

    def forward(self, x: Array, /, positions: Array | None = None) -> Array:
        """Rotate; positions are 0, 1, … by default."""
        return rotary_embedding(
            x, positions=positions, base=self.base, features=self.features, interleaved=self.interleaved
        )
