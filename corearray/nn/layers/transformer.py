"""Transformers: encoder and decoder, their layers, and both together."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from corearray.calls.dispatch import resolve
from corearray.functional.activations import gelu, relu
from corearray.functional.manipulation import expand_dims
from corearray.nn.arguments import one_of, positive
from corearray.nn.containers import ModuleList
from corearray.nn.init import xavier_uniform
from corearray.nn.layers.attention import MultiheadAttention
from corearray.nn.layers.dropout import Dropout
from corearray.nn.layers.linear import Linear
from corearray.nn.layers.norms import LayerNorm
from corearray.nn.module import Module

if TYPE_CHECKING:
    from corearray.arrays.array import Array

__all__ = [
    "Transformer", "TransformerDecoder", "TransformerDecoderLayer", "TransformerEncoder", "TransformerEncoderLayer",
]  # fmt: skip

#: What `corearray list-functions` says of the classes here.
__kind__ = "convenience"


def _activation(layer: str, activation: Any) -> Callable[[Array], Array]:
    if callable(activation):
        found: Callable[[Array], Array] = activation
        return found
    return {"relu": relu, "gelu": gelu}[one_of(layer, "activation", activation, ("relu", "gelu"))]


class TransformerEncoderLayer(Module):
    """Self-attention and two linear layers, each with a norm and a sum with its argument.

    It takes and returns an array of the shape `(N, L, d_model)`.

    Parameters
    ----------
    d_model
        Length of the vectors.
    nhead
        Number of heads.
    dim_feedforward
        Width of the two linear layers in between.
    dropout
        Probability of zero in training.
    activation
        `"relu"`, `"gelu"`, or a function.
    layer_norm_eps
        Added to variances.
    batch_first
        Whether arrays have the shape `(N, L, E)`; else `(L, N, E)`, torch's default.
    norm_first
        Whether norms stand before attention and linear layers, and not behind.
    bias
        Whether layers have biases.
    generator, dtype, device
        As in `Linear`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.TransformerEncoderLayer(8, 2, 16)(ca.ones((1, 5, 8))).shape
    Shape((1, 5, 8))

    Notes
    -----
    A. Vaswani et al., arXiv:1706.03762; `torch.nn.TransformerEncoderLayer`.
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Callable[[Array], Array] = "relu",
        layer_norm_eps: float = 1e-5,
        batch_first: bool = True,
        norm_first: bool = False,
        bias: bool = True,
        *,
        generator: Any = None,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        made: dict[str, Any] = {"generator": generator, "dtype": dtype, "device": device}
        placed = {"dtype": dtype, "device": device}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, **made)
        self.linear1, self.dropout = Linear(d_model, dim_feedforward, bias, **made), Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias, **made)
        self.norm1, self.norm2 = (LayerNorm(d_model, layer_norm_eps, bias=bias, **placed) for _ in range(2))
        self.dropout1, self.dropout2 = Dropout(dropout), Dropout(dropout)
        self.norm_first = norm_first
        self.activation = _activation("TransformerEncoderLayer", activation)

    def forward(
        self,
        src: Array,
        /,
        src_mask: Array | None = None,
        src_key_padding_mask: Array | None = None,
        is_causal: bool = False,
    ) -> Array:
        """Compute; masks as in `MultiheadAttention`."""

        def attended(x: Array) -> Array:
            y = self.self_attn(x, attn_mask=src_mask, key_padding_mask=src_key_padding_mask, is_causal=is_causal)
            return self.dropout1(y)  # type: ignore[no-any-return]

        x = src
        if self.norm_first:
            x = x + attended(self.norm1(x))
            return x + self._fed(self.norm2(x))
        x = self.norm1(x + attended(x))
        return self.norm2(x + self._fed(x))  # type: ignore[no-any-return]

    def _fed(self, x: Array) -> Array:
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))  # type: ignore[no-any-return]


class TransformerDecoderLayer(Module):
    """Self-attention, attention to a memory, and two linear layers, each with a norm and a sum with its argument.

    It takes arrays of the shapes `(N, L, d_model)` and `(N, S, d_model)` and returns one of the first shape.

    Parameters
    ----------
    d_model
        Length of the vectors.
    nhead
        Number of heads.
    dim_feedforward
        Width of the two linear layers in between.
    dropout
        Probability of zero in training.
    activation
        `"relu"`, `"gelu"`, or a function.
    layer_norm_eps
        Added to variances.
    batch_first
        Whether arrays have the shape `(N, L, E)`; else `(L, N, E)`, torch's default.
    norm_first
        Whether norms stand before attention and linear layers, and not behind.
    bias
        Whether layers have biases.
    generator, dtype, device
        As in `Linear`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.TransformerDecoderLayer(8, 2, 16)(ca.ones((1, 5, 8)), ca.ones((1, 3, 8))).shape
    Shape((1, 5, 8))

    Notes
    -----
    A. Vaswani et al., arXiv:1706.03762; `torch.nn.TransformerDecoderLayer`.
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Callable[[Array], Array] = "relu",
        layer_norm_eps: float = 1e-5,
        batch_first: bool = True,
        norm_first: bool = False,
        bias: bool = True,
        *,
        generator: Any = None,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        made: dict[str, Any] = {"generator": generator, "dtype": dtype, "device": device}
        placed = {"dtype": dtype, "device": device}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, **made)
        self.multihead_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, **made)
        self.linear1, self.dropout = Linear(d_model, dim_feedforward, bias, **made), Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias, **made)
        self.norm1, self.norm2, self.norm3 = (LayerNorm(d_model, layer_norm_eps, bias=bias, **placed) for _ in range(3))
        self.dropout1, self.dropout2, self.dropout3 = (Dropout(dropout) for _ in range(3))
        self.norm_first = norm_first
        self.activation = _activation("TransformerDecoderLayer", activation)

    def forward(
        self,
        tgt: Array,
        memory: Array,
        /,
        tgt_mask: Array | None = None,
        memory_mask: Array | None = None,
        tgt_key_padding_mask: Array | None = None,
        memory_key_padding_mask: Array | None = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Array:
        """Compute; masks as in `MultiheadAttention`."""

        def own(x: Array) -> Array:
            y = self.self_attn(x, attn_mask=tgt_mask, key_padding_mask=tgt_key_padding_mask, is_causal=tgt_is_causal)
            return self.dropout1(y)  # type: ignore[no-any-return]

        def remembered(x: Array) -> Array:
            y = self.multihead_attn(
                x, memory, attn_mask=memory_mask, key_padding_mask=memory_key_padding_mask, is_causal=memory_is_causal
            )
            return self.dropout2(y)  # type: ignore[no-any-return]

        x = tgt
        if self.norm_first:
            x = x + own(self.norm1(x))
            x = x + remembered(self.norm2(x))
            return x + self._fed(self.norm3(x))
        x = self.norm1(x + own(x))
        x = self.norm2(x + remembered(x))
        return self.norm3(x + self._fed(x))  # type: ignore[no-any-return]

    def _fed(self, x: Array) -> Array:
        return self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))  # type: ignore[no-any-return]


class TransformerEncoder(Module):
    """Copies of an encoder layer, one after the other.

    Parameters
    ----------
    encoder_layer
        The layer.
    num_layers
        Number of copies, which begin with the same parameters.
    norm
        A module behind the last one.
    enable_nested_tensor, mask_check
        No effect, for programs from torch, which computes faster with them.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16), 2)(ca.ones((1, 5, 8))).shape
    Shape((1, 5, 8))

    Notes
    -----
    `torch.nn.TransformerEncoder`.
    """

    def __init__(
        self,
        encoder_layer: Module,
        num_layers: int,
        norm: Module | None = None,
        enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ) -> None:
        count = positive("TransformerEncoder", "num_layers", num_layers)
        self.layers = ModuleList(copy.deepcopy(encoder_layer) for _ in range(count))
        self.norm = norm

    def forward(
        self,
        src: Array,
        /,
        mask: Array | None = None,
        src_key_padding_mask: Array | None = None,
        is_causal: bool = False,
    ) -> Array:
        """Compute; masks as in `MultiheadAttention`."""
        x = src
        for layer in self.layers:
            x = layer(x, mask, src_key_padding_mask, is_causal)
        return x if self.norm is None else self.norm(x)


class TransformerDecoder(Module):
    """Copies of a decoder layer, one after the other.

    Parameters
    ----------
    decoder_layer, num_layers, norm
        As in `TransformerEncoder`.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 16), 2)
    >>> decoder(ca.ones((1, 5, 8)), ca.ones((1, 3, 8))).shape
    Shape((1, 5, 8))

    Notes
    -----
    `torch.nn.TransformerDecoder`.
    """

    def __init__(self, decoder_layer: Module, num_layers: int, norm: Module | None = None) -> None:
        count = positive("TransformerDecoder", "num_layers", num_layers)
        self.layers = ModuleList(copy.deepcopy(decoder_layer) for _ in range(count))
        self.norm = norm

    def forward(self, tgt: Array, memory: Array, /, *masks: Any, **options: Any) -> Array:
        """Compute; masks and options are those of `TransformerDecoderLayer`."""
        x = tgt
        for layer in self.layers:
            x = layer(x, memory, *masks, **options)
        return x if self.norm is None else self.norm(x)


class Transformer(Module):
    """An encoder whose result a decoder attends to.

    It takes arrays of the shapes `(N, S, d_model)` and `(N, L, d_model)` and returns one of the second shape.

    Parameters
    ----------
    d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias, generator, dtype,
    device
        As in `TransformerEncoderLayer`.
    custom_encoder, custom_decoder
        Modules in place of the encoder and the decoder.
    num_encoder_layers, num_decoder_layers
        Numbers of layers.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> model = nn.Transformer(8, 2, 1, 1, 16)
    >>> model(ca.ones((1, 3, 8)), ca.ones((1, 5, 8)), tgt_is_causal=True).shape
    Shape((1, 5, 8))

    Notes
    -----
    A. Vaswani et al., arXiv:1706.03762; `torch.nn.Transformer`. Matrices begin as `init.xavier_uniform`.
    """

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Callable[[Array], Array] = "relu",
        custom_encoder: Module | None = None,
        custom_decoder: Module | None = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = True,
        norm_first: bool = False,
        bias: bool = True,
        *,
        generator: Any = None,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        made: dict[str, Any] = {"generator": generator, "dtype": dtype, "device": device}
        shared: Any = (
            d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias,
        )  # fmt: skip
        norms = [LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype, device=device) for _ in range(2)]
        self.encoder = (
            custom_encoder
            if custom_encoder is not None
            else TransformerEncoder(TransformerEncoderLayer(*shared, **made), num_encoder_layers, norms[0])
        )
        self.decoder = (
            custom_decoder
            if custom_decoder is not None
            else TransformerDecoder(TransformerDecoderLayer(*shared, **made), num_decoder_layers, norms[1])
        )
        self.set_parameters(
            {
                n: xavier_uniform(tuple(p.shape), generator=generator, dtype=p.dtype, device=p.device)
                if p.ndim > 1
                else p
                for n, p in self.parameters().items()
            }
        )

    @staticmethod
    def generate_square_subsequent_mask(size: int, /) -> Array:
        """Return a mask, of the shape `(size, size)`, that is true where a query must not see a key behind it."""
        backend = resolve(())
        places = backend.arange(size)
        mask: Array = expand_dims(places, axis=0) > expand_dims(places, axis=1)
        return mask

    def forward(
        self,
        src: Array,
        tgt: Array,
        /,
        src_mask: Array | None = None,
        tgt_mask: Array | None = None,
        memory_mask: Array | None = None,
        src_key_padding_mask: Array | None = None,
        tgt_key_padding_mask: Array | None = None,
        memory_key_padding_mask: Array | None = None,
        src_is_causal: bool = False,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Array:
        """Encode `src` and decode `tgt`; masks as in `MultiheadAttention`."""
        memory = self.encoder(src, src_mask, src_key_padding_mask, src_is_causal)
        y: Array = self.decoder(
            tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask, tgt_is_causal,
            memory_is_causal,
        )  # fmt: skip
        return y
