"""Transformer layers by torch's names and layouts of weights."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from corearray.errors import CoreArrayRuntimeError, CoreArrayValueError
from corearray.frontend.torch.nn import init
from corearray.frontend.torch.nn.module import Module

if TYPE_CHECKING:
    from corearray.frontend.frontend import Frontend

__all__ = [
    "Transformer", "TransformerDecoder", "TransformerDecoderLayer", "TransformerEncoder", "TransformerEncoderLayer",
]  # fmt: skip


class _Block(Module):
    """Attention blocks and a feed-forward block, each added to its input, with norms before or behind."""

    _frontend: Frontend
    _attentions: tuple[str, ...] = ()

    def __init__(
        self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1,
        activation: str | Callable[[Any], Any] = "relu", layer_norm_eps: float = 1e-5, batch_first: bool = False,
        norm_first: bool = False, bias: bool = True, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        nn = self._frontend.nn
        made: dict[str, Any] = {"bias": bias, "device": device, "dtype": dtype}
        for name in self._attentions:
            attention = nn.MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, **made)
            setattr(self, name, attention)
        self.linear1 = nn.Linear(d_model, dim_feedforward, **made)
        self.dropout = nn.Dropout(dropout)
        self.linear2 = nn.Linear(dim_feedforward, d_model, **made)
        self.norm_first = norm_first
        numbers = range(1, len(self._attentions) + 2)
        for number in numbers:
            setattr(self, f"norm{number}", nn.LayerNorm(d_model, eps=layer_norm_eps, **made))
        for number in numbers:
            setattr(self, f"dropout{number}", nn.Dropout(dropout))
        if isinstance(activation, str):
            if activation not in ("relu", "gelu"):
                raise CoreArrayValueError(
                    f"the activation of a transformer is 'relu', 'gelu' or a function, got {activation!r}"
                )
            activation = getattr(nn.functional, activation)
        self.activation: Any = activation

    def _added(self, x: Any, number: int, block: Callable[[Any], Any]) -> Any:
        norm, dropout = getattr(self, f"norm{number}"), getattr(self, f"dropout{number}")
        if self.norm_first:
            return x + dropout(block(norm(x)))
        return norm(x + dropout(block(x)))

    def _fed_forward(self, x: Any) -> Any:
        return self.linear2(self.dropout(self.activation(self.linear1(x))))


class TransformerEncoderLayer(_Block):
    """Self-attention and a feed-forward network.

    Parameters
    ----------
    d_model, nhead, dim_feedforward
        Length of the vectors, number of heads, and length within the feed-forward network.
    dropout, activation, layer_norm_eps, batch_first, norm_first, bias, device, dtype
        As those of `torch.nn.TransformerEncoderLayer`.

    Examples
    --------
    >>> import corearray.frontend.torch as torch
    >>> layer = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    >>> layer(torch.ones(1, 5, 8)).shape
    torch.Size([1, 5, 8])
    """

    _attentions = ("self_attn",)

    def forward(self, src: Any, src_mask: Any = None, src_key_padding_mask: Any = None, is_causal: bool = False) -> Any:
        """Encode a sequence; masks are those of `MultiheadAttention`."""

        def attended(x: Any) -> Any:
            return self.self_attn(
                x,
                x,
                x,
                attn_mask=src_mask,
                key_padding_mask=src_key_padding_mask,
                need_weights=False,
                is_causal=is_causal,
            )[0]

        return self._added(self._added(src, 1, attended), 2, self._fed_forward)


class TransformerDecoderLayer(_Block):
    """Self-attention, attention to the encoder's result, and a feed-forward network; parameters as those of the encoder layer.

    Examples
    --------
    >>> import corearray.frontend.torch as torch
    >>> layer = torch.nn.TransformerDecoderLayer(8, 2, 16, batch_first=True)
    >>> layer(torch.ones(1, 3, 8), torch.ones(1, 5, 8)).shape
    torch.Size([1, 3, 8])
    """

    _attentions = ("self_attn", "multihead_attn")

    def forward(
        self, tgt: Any, memory: Any, tgt_mask: Any = None, memory_mask: Any = None, tgt_key_padding_mask: Any = None,
        memory_key_padding_mask: Any = None, tgt_is_causal: bool = False, memory_is_causal: bool = False,
    ) -> Any:  # fmt: skip
        """Decode a sequence; `memory` is the encoder's result, and masks are those of `MultiheadAttention`."""

        def attended(x: Any) -> Any:
            return self.self_attn(
                x,
                x,
                x,
                attn_mask=tgt_mask,
                key_padding_mask=tgt_key_padding_mask,
                need_weights=False,
                is_causal=tgt_is_causal,
            )[0]

        def looked_up(x: Any) -> Any:
            return self.multihead_attn(
                x, memory, memory, attn_mask=memory_mask, key_padding_mask=memory_key_padding_mask, need_weights=False,
                is_causal=memory_is_causal,
            )[0]  # fmt: skip

        x = self._added(self._added(tgt, 1, attended), 2, looked_up)
        return self._added(x, 3, self._fed_forward)


class _Stack(Module):
    """Copies of a layer, one after the other, and a norm."""

    _frontend: Frontend

    def __init__(self, layer: Module, num_layers: int, norm: Module | None = None) -> None:
        super().__init__()
        self.layers = self._frontend.nn.ModuleList([deepcopy(layer) for _ in range(num_layers)])
        self.num_layers = num_layers
        self.norm = norm

    def _normed(self, x: Any) -> Any:
        return x if self.norm is None else self.norm(x)


class TransformerEncoder(_Stack):
    """A number of encoder layers; `enable_nested_tensor` and `mask_check` of torch change nothing here."""

    def __init__(
        self, encoder_layer: Module, num_layers: int, norm: Module | None = None, enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(encoder_layer, num_layers, norm)

    def forward(
        self, src: Any, mask: Any = None, src_key_padding_mask: Any = None, is_causal: bool | None = None
    ) -> Any:
        """Encode a sequence."""
        for layer in self.layers:
            src = layer(src, src_mask=mask, src_key_padding_mask=src_key_padding_mask, is_causal=bool(is_causal))
        return self._normed(src)


class TransformerDecoder(_Stack):
    """A number of decoder layers."""

    def __init__(self, decoder_layer: Module, num_layers: int, norm: Module | None = None) -> None:
        super().__init__(decoder_layer, num_layers, norm)

    def forward(
        self, tgt: Any, memory: Any, tgt_mask: Any = None, memory_mask: Any = None, tgt_key_padding_mask: Any = None,
        memory_key_padding_mask: Any = None, tgt_is_causal: bool | None = None, memory_is_causal: bool = False,
    ) -> Any:  # fmt: skip
        """Decode a sequence."""
        for layer in self.layers:
            tgt = layer(
                tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask, tgt_is_causal=bool(tgt_is_causal),
                memory_is_causal=memory_is_causal,
            )  # fmt: skip
        return self._normed(tgt)


class Transformer(Module):
    """An encoder and a decoder.

    Parameters
    ----------
    d_model, nhead, num_encoder_layers, num_decoder_layers, dim_feedforward
        Sizes, as those of `torch.nn.Transformer`.
    custom_encoder, custom_decoder
        Modules in place of those that are made.
    dropout, activation, layer_norm_eps, batch_first, norm_first, bias, device, dtype
        As those of `TransformerEncoderLayer`.

    Examples
    --------
    >>> import corearray.frontend.torch as torch
    >>> model = torch.nn.Transformer(8, 2, 1, 1, 16, batch_first=True)
    >>> model(torch.ones(1, 5, 8), torch.ones(1, 3, 8)).shape
    torch.Size([1, 3, 8])
    """

    _frontend: Frontend

    def __init__(
        self, d_model: int = 512, nhead: int = 8, num_encoder_layers: int = 6, num_decoder_layers: int = 6,
        dim_feedforward: int = 2048, dropout: float = 0.1, activation: str | Callable[[Any], Any] = "relu",
        custom_encoder: Module | None = None, custom_decoder: Module | None = None, layer_norm_eps: float = 1e-5,
        batch_first: bool = False, norm_first: bool = False, bias: bool = True, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        nn = self._frontend.nn
        sizes = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias)
        made: dict[str, Any] = {"device": device, "dtype": dtype}

        def norm() -> Module:
            layer: Module = nn.LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **made)
            return layer

        self.encoder = custom_encoder or nn.TransformerEncoder(
            nn.TransformerEncoderLayer(*sizes, **made), num_encoder_layers, norm()
        )
        self.decoder = custom_decoder or nn.TransformerDecoder(
            nn.TransformerDecoderLayer(*sizes, **made), num_decoder_layers, norm()
        )
        for parameter in self.parameters():
            if parameter.dim() > 1:
                init.xavier_uniform_(parameter)
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first

    def forward(
        self, src: Any, tgt: Any, src_mask: Any = None, tgt_mask: Any = None, memory_mask: Any = None,
        src_key_padding_mask: Any = None, tgt_key_padding_mask: Any = None, memory_key_padding_mask: Any = None,
        src_is_causal: bool | None = None, tgt_is_causal: bool | None = None, memory_is_causal: bool = False,
    ) -> Any:  # fmt: skip
        """Encode `src` and decode `tgt`; masks are those of `MultiheadAttention`."""
        if src.shape[-1] != self.d_model or tgt.shape[-1] != self.d_model:
            raise CoreArrayRuntimeError(
                f"'Transformer' needs vectors of the length {self.d_model}, got the shapes {tuple(src.shape)} and "
                f"{tuple(tgt.shape)}"
            )
        memory = self.encoder(src, mask=src_mask, src_key_padding_mask=src_key_padding_mask, is_causal=src_is_causal)
        return self.decoder(
            tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask, tgt_is_causal=tgt_is_causal,
            memory_is_causal=memory_is_causal,
        )  # fmt: skip

    @classmethod
    def generate_square_subsequent_mask(cls, sz: int, device: Any = None, dtype: Any = None) -> Any:
        """Return the causal mask to add, minus infinity above the diagonal."""
        torch = cls._frontend
        return torch.triu(torch.full((sz, sz), float("-inf"), device=device, dtype=dtype), diagonal=1)
