"""Calls of layers whose values, parameters and buffers `torch.nn` must give too: the oracle and the tests read them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

_NONE: Mapping[str, Any] = MappingProxyType({})


class Case(NamedTuple):
    """A layer and its arguments.

    Attributes
    ----------
    name
        Of the class, here and in the oracle.
    args, options
        Of the constructor.
    inputs
        Shapes of floating arguments of the call, or `(high, *shape)` in a list for integers below a number.
    call
        Options of the call; a tuple `("bool", *shape)` stands for an array of truth values.
    modes
        `"train"`, `"eval"` or both.
    oracle
        Options of the constructor that only the oracle takes.
    """

    name: str
    args: tuple[Any, ...] = ()
    options: Mapping[str, Any] = _NONE
    inputs: tuple[Any, ...] = ((2, 3, 4),)
    call: Mapping[str, Any] = _NONE
    modes: tuple[str, ...] = ("train", "eval")
    oracle: Mapping[str, Any] = _NONE

    @property
    def id(self) -> str:
        """A text that tells cases apart."""
        parts = [*map(str, self.args), *(f"{k}={v}" for k, v in {**self.options, **self.call}.items())]
        shapes = "" if self.inputs == ((2, 3, 4),) else f" of {self.inputs}"
        return f"{self.name}({', '.join(parts)}){shapes}"


def _cases() -> list[Case]:
    found = [
        Case(name)
        for name in (
            "CELU ELU GELU Hardshrink Hardsigmoid Hardswish Hardtanh LeakyReLU LogSigmoid Mish ReLU ReLU6 SELU SiLU Sigmoid "
            "Softplus Softshrink Softsign Tanh Tanhshrink Identity Flatten PReLU"
        ).split()
    ]
    found += [
        Case("CELU", (2.0,)),
        Case("ELU", (0.5,)),
        Case("GELU", (), {"approximate": "tanh"}),
        Case("LeakyReLU", (0.2,)),
        Case("Hardtanh", (-0.5, 0.25)),
        Case("Hardshrink", (0.1,)),
        Case("Softplus", (2.0, 1.0)),
        Case("Threshold", (0.1, 2.0)),
        Case("GLU", (-1,)),
        Case("GLU", (1,), inputs=((2, 4, 3),)),
        Case("Softmax", (1,)),
        Case("Softmin", (-1,)),
        Case("LogSoftmax", (0,)),
        Case("Softmax2d", inputs=((2, 3, 4, 4),)),
        Case("PReLU", (3,)),
        Case("RReLU", modes=("eval",)),
        Case("Linear", (4, 5)),
        Case("Linear", (4, 5), {"bias": False}),
        Case("Bilinear", (4, 3, 5), inputs=((2, 4), (2, 3))),
        Case("Embedding", (7, 4), inputs=([7, 2, 3],)),
        Case("Embedding", (7, 4), {"padding_idx": 2}, ([7, 2, 3],)),
        Case("EmbeddingBag", (7, 4), inputs=([7, 2, 3],)),
        Case("EmbeddingBag", (7, 4), {"mode": "max"}, ([7, 2, 3],)),
        Case("EmbeddingBag", (7, 4), {"mode": "sum", "padding_idx": 1}, ([7, 2, 5],)),
        Case("Unflatten", (1, (3, 2)), inputs=((2, 6),)),
        Case("Flatten", (0, 1)),
        Case("PixelShuffle", (2,), inputs=((1, 8, 3, 3),)),
        Case("PixelUnshuffle", (2,), inputs=((1, 2, 4, 4),)),
        Case("ChannelShuffle", (2,), inputs=((1, 4, 3, 3),)),
        Case("Unfold", ((2, 3), 1, 1, 2), inputs=((2, 3, 6, 6),)),
        Case("Fold", ((5, 6), (2, 3)), inputs=((2, 18, 16),)),
        Case("CosineSimilarity", inputs=((2, 3, 4), (2, 3, 4))),
        Case("PairwiseDistance", inputs=((2, 4), (2, 4))),
        Case("PairwiseDistance", (1.0,), {"keepdim": True}, ((2, 4), (2, 4))),
        Case("Upsample", (), {"scale_factor": 2}, ((1, 2, 5),)),
        Case("UpsamplingNearest2d", (7,), inputs=((1, 2, 4, 5),)),
        Case("Upsample", ((7, 9),), {"mode": "bilinear"}, ((1, 2, 4, 5),)),
        Case("UpsamplingBilinear2d", (7,), inputs=((1, 2, 4, 5),)),
        Case(
            "Upsample", (), {"scale_factor": 1.3, "mode": "bilinear", "recompute_scale_factor": True}, ((1, 2, 5, 7),)
        ),
        Case("Upsample", (), {"scale_factor": 1.3, "mode": "bilinear"}, ((1, 2, 5, 7),)),
        Case("Upsample", (7,), {"mode": "nearest-exact"}, ((1, 2, 5),)),
        Case("BatchNorm1d", (4,), {"bias": False}, ((5, 4),)),
        Case("InstanceNorm2d", (3,), {"affine": True, "bias": False}, ((2, 3, 4, 4),)),
        Case("GroupNorm", (2, 4), {"bias": False}, ((2, 4, 5),)),
        Case("LayerNorm", (4,)),
        Case("LayerNorm", ((3, 4),)),
        Case("LayerNorm", (4,), {"bias": False}),
        Case("LayerNorm", (4, 1e-3, False)),
        Case("RMSNorm", (4,)),
        Case("RMSNorm", (4, 1e-3)),
        Case("GroupNorm", (2, 4), inputs=((2, 4, 5),)),
        Case("GroupNorm", (2, 4), {"affine": False}, ((2, 4, 3, 3),)),
        Case("LocalResponseNorm", (2,), inputs=((2, 5, 3, 3),)),
        Case("LocalResponseNorm", (3, 0.1, 0.5, 2.0), inputs=((2, 5, 6),)),
        *(
            Case(name, (0.4,), modes=("eval",), inputs=((2, 3, 4, 4, 4),))
            for name in ("Dropout", "Dropout3d", "AlphaDropout")
        ),
        Case("Dropout1d", modes=("eval",)),
        Case("Dropout2d", modes=("eval",), inputs=((2, 3, 4, 4),)),
        Case("FeatureAlphaDropout", modes=("eval",)),
    ]
    for n, front in ((1, (2, 4)), (2, (2, 4)), (3, (2, 4))):
        x, alone = (*front, *(7, 8, 6)[:n]), (4, *(7, 8, 6)[:n])
        found += [
            Case(f"Conv{n}d", (4, 6, 3), inputs=(x,)),
            Case(f"Conv{n}d", (4, 6, 3), {"groups": 2, "bias": False}, (x,)),
            Case(f"Conv{n}d", (4, 6, 2, 2, 1), {"dilation": 2}, (x,)),
            Case(f"Conv{n}d", (4, 6, 3), {"padding": "same"}, (alone,)),
            Case(f"Conv{n}d", (4, 6, 3), {"padding": 1, "padding_mode": "reflect"}, (x,)),
            Case(f"Conv{n}d", (4, 6, 3), {"padding": "same", "padding_mode": "circular"}, (x,)),
            Case(f"ConvTranspose{n}d", (4, 6, 3), inputs=(x,)),
            Case(f"ConvTranspose{n}d", (4, 6, 3, 2, 1, 1), {"groups": 2}, (x,)),
            Case(f"ConvTranspose{n}d", (4, 6, 3), {"dilation": 2, "bias": False}, (alone,)),
            Case(f"MaxPool{n}d", (2,), inputs=(x,)),
            Case(f"MaxPool{n}d", (3, 2, 1), {"ceil_mode": True}, (alone,)),
            Case(f"MaxPool{n}d", (2,), {"dilation": 2, "return_indices": True}, (x,)),
            Case(f"AvgPool{n}d", (2,), inputs=(x,)),
            Case(f"AvgPool{n}d", (3, 2, 1), {"count_include_pad": False}, (alone,)),
            Case(f"AvgPool{n}d", (3, 2, 1), {"ceil_mode": True}, (x,)),
            Case(f"AdaptiveAvgPool{n}d", (3,), inputs=(x,)),
            Case(f"AdaptiveMaxPool{n}d", (3,), inputs=(alone,)),
            Case(f"AdaptiveMaxPool{n}d", ((3, None, 2)[:n], True), inputs=(x,)),
            Case(f"ZeroPad{n}d", (1,), inputs=(x,)),
            Case(f"ConstantPad{n}d", (tuple(range(2 * n)), 2.5), inputs=(x,)),
            Case(f"ZeroPad{n}d", ((1, -1) * n,), inputs=(x,)),
            Case(f"ReflectionPad{n}d", (tuple(range(2 * n)),), inputs=(x,)),
            Case(f"ReplicationPad{n}d", (2,), inputs=(x,)),
            Case(f"CircularPad{n}d", (tuple(range(2 * n)),), inputs=(x,)),
            Case(f"BatchNorm{n}d", (4,), inputs=(x,)),
            Case(f"BatchNorm{n}d", (4, 1e-3, None), inputs=(x,)),
            Case(f"BatchNorm{n}d", (4,), {"affine": False, "track_running_stats": False}, (x,)),
            Case(f"InstanceNorm{n}d", (4,), inputs=(x,)),
            Case(f"InstanceNorm{n}d", (4,), {"affine": True}, (alone,)),
            Case(f"InstanceNorm{n}d", (4,), {"track_running_stats": True}, (x,)),
        ]
    found += [
        Case("BatchNorm1d", (4,), inputs=((5, 4),)),
        Case("LPPool1d", (2.0, 3), inputs=((2, 4, 7),)),
        Case("LPPool2d", (4.0, 2, 1), inputs=((2, 4, 6, 6),)),
        Case("LPPool3d", (2.0, (2, 3, 1), 2), {"ceil_mode": True}, ((2, 3, 5, 6, 4),)),
        Case("AvgPool2d", (2,), {"divisor_override": 3}, ((2, 4, 6, 6),)),
    ]
    for name in ("RNN", "LSTM", "GRU"):
        found += [
            Case(name, (3, 5), inputs=((6, 2, 3),)),
            Case(name, (3, 5, 2), {"bidirectional": True}, ((6, 2, 3),)),
            Case(name, (3, 5, 2), {"batch_first": True, "bias": False}, ((2, 6, 3),)),
            Case(name, (3, 5), inputs=((6, 3),)),
            Case(f"{name}Cell", (3, 5), inputs=((2, 3),)),
            Case(f"{name}Cell", (3, 5), {"bias": False}, ((2, 3),)),
        ]
    found += [
        Case("LSTM", (3, 5), {"proj_size": 2}, ((6, 2, 3),)),
        Case("LSTM", (3, 5, 2), {"proj_size": 2, "bidirectional": True, "batch_first": True}, ((2, 6, 3),)),
        Case("LSTM", (3, 4, 2), {"proj_size": 3, "bias": False}, ((6, 3),)),
        Case("RNN", (3, 5), {"nonlinearity": "relu"}, ((6, 2, 3),)),
        Case("RNNCell", (3, 5), {"nonlinearity": "relu"}, ((2, 3),)),
    ]
    first = {"batch_first": True}
    x, y = (2, 5, 8), (2, 4, 8)
    found += [
        Case("MultiheadAttention", (8, 2), inputs=(x, x, x), oracle=first),
        Case("MultiheadAttention", (8, 2), {"bias": False}, (x, y, y), oracle=first),
        Case("MultiheadAttention", (8, 2), {"kdim": 3, "vdim": 6}, (x, (2, 4, 3), (2, 4, 6)), oracle=first),
        Case(
            "MultiheadAttention",
            (8, 4),
            inputs=(x, y, y),
            call={"attn_mask": ("bool", 5, 4), "key_padding_mask": ("bool", 2, 4)},
            oracle=first,
        ),
        Case("MultiheadAttention", (8, 4), inputs=(x, y, y), call={"attn_mask": ("bool", 8, 5, 4)}, oracle=first),
        Case("MultiheadAttention", (8, 2), {"add_bias_kv": True, "add_zero_attn": True}, (x, y, y), oracle=first),
        Case(
            "MultiheadAttention",
            (8, 4),
            {"add_zero_attn": True, "kdim": 3, "vdim": 6},
            (x, (2, 4, 3), (2, 4, 6)),
            call={"attn_mask": ("bool", 5, 4), "key_padding_mask": ("bool", 2, 4)},
            oracle=first,
        ),
        Case("MultiheadAttention", (8, 2), {"batch_first": False}, ((5, 2, 8), (4, 2, 8), (4, 2, 8))),
        Case("TransformerEncoderLayer", (8, 2, 16, 0.0), inputs=(x,), oracle=first),
        Case(
            "TransformerEncoderLayer", (8, 2, 16, 0.0, "gelu"), {"norm_first": True, "bias": False}, (x,), oracle=first
        ),
        Case(
            "TransformerEncoderLayer",
            (8, 2, 16),
            inputs=(x,),
            call={"src_key_padding_mask": ("bool", 2, 5)},
            modes=("eval",),
            oracle=first,
        ),
        Case(
            "TransformerDecoderLayer", (8, 2, 16, 0.0), inputs=(x, y), call={"tgt_mask": ("bool", 5, 5)}, oracle=first
        ),
        Case("TransformerDecoderLayer", (8, 2, 16, 0.0), {"norm_first": True}, (x, y), oracle=first),
        Case("Transformer", (8, 2, 2, 1, 16, 0.0), inputs=(y, x), oracle=first),
    ]
    n, rows, labels = (4, 5), (4, 5, 3), [5, 4]
    found += [
        Case("L1Loss", inputs=(n, n), modes=("eval",)),
        Case("MSELoss", (), {"reduction": "sum"}, (n, n), modes=("eval",)),
        Case("SmoothL1Loss", (), {"beta": 0.5}, (n, n), modes=("eval",)),
        Case("HuberLoss", (), {"delta": 0.5, "reduction": "none"}, (n, n), modes=("eval",)),
        Case("CrossEntropyLoss", inputs=(n, labels), modes=("eval",)),
        Case("CrossEntropyLoss", (), {"label_smoothing": 0.1, "ignore_index": 1}, (rows, [5, 4, 3]), modes=("eval",)),
        Case("CrossEntropyLoss", (), {"label_smoothing": 0.1, "reduction": "none"}, (rows, rows), modes=("eval",)),
        Case("NLLLoss", (), {"ignore_index": 2}, (n, labels), modes=("eval",)),
        Case("BCEWithLogitsLoss", inputs=(n, n), modes=("eval",)),
        Case("KLDivLoss", (), {"log_target": True, "reduction": "batchmean"}, (n, n), modes=("eval",)),
        Case("PoissonNLLLoss", (), {"reduction": "none"}, (n, n), modes=("eval",)),
        Case("MarginRankingLoss", (0.5,), {"reduction": "none"}, (n, n, n), modes=("eval",)),
        Case("TripletMarginLoss", (0.5,), {"swap": True}, (n, n, n), modes=("eval",)),
        Case("TripletMarginWithDistanceLoss", (), {"margin": 0.5, "swap": True}, (n, n, n), modes=("eval",)),
        Case("AdaptiveLogSoftmaxWithLoss", (8, 10, (3, 6)), {"div_value": 2.0}, ((5, 8), [10, 5])),
        Case("AdaptiveLogSoftmaxWithLoss", (8, 10, (1,)), {"head_bias": True}, ((5, 8), [10, 5])),
        Case("MultiMarginLoss", inputs=(n, labels), modes=("eval",)),
        Case("MultiMarginLoss", (2, 0.5), {"reduction": "none"}, (n, labels), modes=("eval",)),
        Case("MultiLabelMarginLoss", inputs=(n, [5, 4, 5]), modes=("eval",)),
        Case("MultiLabelSoftMarginLoss", (), {"reduction": "sum"}, (n, n), modes=("eval",)),
    ]
    return found


CASES = _cases()
