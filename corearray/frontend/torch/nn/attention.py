"""`MultiheadAttention` by torch's name and layout of weights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corearray.errors import CoreArrayValueError
from corearray.frontend.torch.nn import init
from corearray.frontend.torch.nn.module import Module

if TYPE_CHECKING:
    from corearray.frontend.frontend import Frontend

__all__ = ["MultiheadAttention"]


class MultiheadAttention(Module):
    """Attention with several heads; a call returns the result and the weights.

    Parameters
    ----------
    embed_dim, num_heads
        Length of the vectors, and the number of heads, which divides it.
    dropout
        Probability by which weights are zero in training.
    bias, add_bias_kv, add_zero_attn
        Whether the linear maps have biases, keys and values get a learned element, and a zero element.
    kdim, vdim
        Lengths of the vectors of keys and values, by default `embed_dim`.
    batch_first
        Whether arrays have the shape `(N, L, E)`; else `(L, N, E)`.
    device, dtype
        As in `torch.nn.Linear`.

    Raises
    ------
    ValueError
        If the heads do not divide the vectors.

    Examples
    --------
    >>> import corearray.frontend.torch as torch
    >>> attention = torch.nn.MultiheadAttention(8, 2, batch_first=True)
    >>> x = torch.ones(1, 5, 8)
    >>> y, weights = attention(x, x, x)
    >>> y.shape, weights.shape
    (torch.Size([1, 5, 8]), torch.Size([1, 5, 5]))
    """

    _frontend: Frontend

    def __init__(
        self, embed_dim: int, num_heads: int, dropout: float = 0.0, bias: bool = True, add_bias_kv: bool = False,
        add_zero_attn: bool = False, kdim: int | None = None, vdim: int | None = None, batch_first: bool = False,
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if embed_dim <= 0 or num_heads <= 0 or embed_dim % num_heads:
            raise CoreArrayValueError(
                f"'MultiheadAttention' needs heads that divide the vectors, got embed_dim={embed_dim} and num_heads={num_heads}"
            )
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self.dropout, self.batch_first, self.add_zero_attn = dropout, batch_first, add_zero_attn
        self._qkv_same_embed_dim = self.kdim == self.vdim == embed_dim
        made: dict[str, Any] = {"device": device, "dtype": dtype}
        shapes = {
            "q_proj_weight": (embed_dim, embed_dim), "k_proj_weight": (embed_dim, self.kdim),
            "v_proj_weight": (embed_dim, self.vdim), "in_proj_weight": (3 * embed_dim, embed_dim),
            "in_proj_bias": (3 * embed_dim,),
        }  # fmt: skip
        absent = {"in_proj_weight"}
        if self._qkv_same_embed_dim:
            absent = {"q_proj_weight", "k_proj_weight", "v_proj_weight"}
        if not bias:
            absent.add("in_proj_bias")
        torch = self._frontend
        for name, shape in shapes.items():
            self.register_parameter(name, None if name in absent else torch.nn.Parameter(torch.zeros(shape, **made)))
        self.out_proj = torch.nn.Linear(embed_dim, embed_dim, bias=bias, **made)
        for name in ("bias_k", "bias_v"):
            self.register_parameter(
                name, torch.nn.Parameter(torch.zeros((1, 1, embed_dim), **made)) if add_bias_kv else None
            )
        self._reset_parameters()

    def _reset_parameters(self) -> None:
        for name in ("in_proj_weight", "q_proj_weight", "k_proj_weight", "v_proj_weight"):
            if self._parameters[name] is not None:
                init.xavier_uniform_(self._parameters[name])
        for name in ("bias_k", "bias_v"):
            if self._parameters[name] is not None:
                init.xavier_normal_(self._parameters[name])
        if self.in_proj_bias is not None:
            init.zeros_(self.in_proj_bias)
            init.zeros_(self.out_proj.bias)

    def forward(
        self, query: Any, key: Any, value: Any, key_padding_mask: Any = None, need_weights: bool = True,
        attn_mask: Any = None, average_attn_weights: bool = True, is_causal: bool = False,
    ) -> tuple[Any, Any]:  # fmt: skip
        """Attend.

        Parameters
        ----------
        query, key, value
            Tensors of the shapes `(L, N, E)`, `(S, N, kdim)` and `(S, N, vdim)`, batches first with `batch_first`, or without
            batches.
        key_padding_mask
            Tensor of the shape `(N, S)`: true for keys that no query sees, or numbers to add.
        need_weights, average_attn_weights
            Whether the weights are returned, and as means over the heads.
        attn_mask
            Tensor of the shape `(L, S)` or `(N * num_heads, L, S)`: true where a query must not see a key, or numbers to add.
        is_causal
            Says that `attn_mask` is the causal one, which must be given.

        Returns
        -------
        The result, of the shape of `query`, and the weights or `None`.
        """
        if is_causal and attn_mask is None:
            raise CoreArrayValueError("'MultiheadAttention' got is_causal=True without attn_mask; give the causal mask")
        swaps = self.batch_first and query.dim() == 3
        if swaps:
            query, key, value = (x.transpose(0, 1) for x in (query, key, value))
        options = {}
        if not self._qkv_same_embed_dim:
            options = {name: self._parameters[name] for name in ("q_proj_weight", "k_proj_weight", "v_proj_weight")}
        attend = self._frontend.nn.functional.multi_head_attention_forward
        y, weights = attend(
            query, key, value, self.embed_dim, self.num_heads, self.in_proj_weight, self.in_proj_bias, self.bias_k,
            self.bias_v, self.add_zero_attn, self.dropout, self.out_proj.weight, self.out_proj.bias,
            training=self.training, key_padding_mask=key_padding_mask, need_weights=need_weights, attn_mask=attn_mask,
            average_attn_weights=average_attn_weights, use_separate_proj_weight=not self._qkv_same_embed_dim, **options,
        )  # fmt: skip
        return (y.transpose(0, 1) if swaps else y), weights
