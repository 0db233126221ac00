"""Six architectures, written once for `torch.nn` and `corearray.nn`: their names and layouts of arrays must be the same."""

from __future__ import annotations

from typing import Any

import numpy as np

VOCABULARY, WIDTH, LENGTH = 13, 16, 7


def architectures(nn: Any, arange: Any, concat: Any, parameter: Any) -> dict[str, Any]:
    """Return functions that make the models.

    Parameters
    ----------
    nn
        `torch.nn` or `corearray.nn`.
    arange, concat
        Functions of the library of `nn`.
    parameter
        Function that makes a parameter of a shape.
    """

    def encoder_layer(**options: Any) -> Any:
        return nn.TransformerEncoderLayer(WIDTH, 4, 32, 0.1, "gelu", batch_first=True, **options)

    class LSTM(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embedding = nn.Embedding(VOCABULARY, WIDTH, padding_idx=0)
            self.lstm = nn.LSTM(WIDTH, 12, 2, batch_first=True, bidirectional=True)
            self.head = nn.Linear(24, 3)

        def forward(self, tokens: Any) -> Any:
            return self.head(self.lstm(self.embedding(tokens))[0][:, -1, :])

    class GPT(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.tok, self.pos = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(LENGTH, WIDTH)
            self.blocks = nn.ModuleList([encoder_layer(norm_first=True) for _ in range(2)])
            self.ln, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, VOCABULARY, bias=False)

        def forward(self, tokens: Any) -> Any:
            places = arange(tokens.shape[1])
            x = self.tok(tokens) + self.pos(places)
            later = places[:, None] < places[None, :]
            for block in self.blocks:
                x = block(x, src_mask=later)
            return self.head(self.ln(x))

    class ViT(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.patches, self.flat = nn.Conv2d(3, WIDTH, 4, 4), nn.Flatten(2)
            self.token, self.pos = parameter((1, 1, WIDTH)), parameter((1, 5, WIDTH))
            self.encoder = nn.TransformerEncoder(encoder_layer(), 2)
            self.norm, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 5)

        def forward(self, images: Any) -> Any:
            x = self.flat(self.patches(images)).mT
            token = self.token + 0.0 * x[:, :1, :]
            return self.head(self.norm(self.encoder(concat((token, x), 1) + self.pos))[:, 0, :])

    class EncoderDecoder(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.source, self.target = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(VOCABULARY, WIDTH)
            self.transformer = nn.Transformer(WIDTH, 4, 2, 1, 32, 0.1, batch_first=True)
            self.head = nn.Linear(WIDTH, VOCABULARY)

        def forward(self, tokens: Any) -> Any:
            return self.head(self.transformer(self.source(tokens), self.target(tokens[:, :4])))

    def mlp() -> Any:
        return nn.Sequential(nn.Linear(9, 8), nn.ReLU(), nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 4))

    def cnn() -> Any:
        return nn.Sequential(
            nn.Conv2d(3, 6, 3, padding=1), nn.BatchNorm2d(6), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(6, 8, 3, groups=2, bias=False), nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten(), nn.Linear(32, 4),
        )  # fmt: skip

    return {"mlp": mlp, "cnn": cnn, "lstm": LSTM, "gpt": GPT, "vit": ViT, "encoder-decoder": EncoderDecoder}


def example(name: str) -> Any:
    """Return the argument of a model, an array of NumPy."""
    random = np.random.default_rng(1)
    if name == "mlp":
        return random.normal(size=(3, 9)).astype("float32")
    if name in ("cnn", "vit"):
        return random.normal(size=(2, 3, 8, 8)).astype("float32")
    return random.integers(0, VOCABULARY, (2, LENGTH))
