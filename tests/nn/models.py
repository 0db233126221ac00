"""Three small models with data and optimiser, whose losses must be the same on every backend."""

from __future__ import annotations

import numpy as np

import corearray as ca
from corearray import nn, optim


def mlp():
    return nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 10))


def cnn():
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Dropout(0.2), nn.Linear(128, 10),
    )  # fmt: skip


class Block(nn.Module):
    def __init__(self, width, heads):
        self.ln1, self.attn = nn.LayerNorm(width), nn.MultiheadAttention(width, heads)
        self.ln2 = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        x = x + self.attn(self.ln1(x), is_causal=True)
        return x + self.mlp(self.ln2(x))


class GPT(nn.Module):
    def __init__(self, vocab=50, width=64, heads=4, layers=2, context=32):
        self.tok, self.pos = nn.Embedding(vocab, width), nn.Embedding(context, width)
        self.blocks = nn.ModuleList([Block(width, heads) for _ in range(layers)])
        self.ln = nn.LayerNorm(width)
        self.head = nn.Linear(width, vocab, bias=False)

    def forward(self, tokens):
        x = self.tok(tokens) + self.pos.weight[: tokens.shape[1], :]
        for block in self.blocks:
            x = block(x)
        return self.head(self.ln(x))


MODELS = {"mlp": mlp, "cnn": cnn, "gpt": GPT}


def batches(name, count):
    """Yield pairs of NumPy arrays: classes of noisy prototypes, or sequences with a rule."""
    random = np.random.default_rng(0)
    prototypes = random.normal(size=(10, 64)).astype("float32")
    for _ in range(count):
        if name == "gpt":
            tokens = (random.integers(0, 50, (8, 1)) + random.integers(1, 4, (8, 1)) * np.arange(33)) % 50
            yield tokens[:, :-1], tokens[:, 1:]
        else:
            y = random.integers(0, 10, 32)
            x = prototypes[y] + random.normal(size=(32, 64)).astype("float32")
            yield (x.reshape(-1, 1, 8, 8) if name == "cnn" else x), y


def loss(model, x, y):
    return ca.sparse_cross_entropy(model(x), y)


def optimizer():
    return optim.chain(optim.clip_by_global_norm(1.0), optim.adamw(1e-3, weight_decay=0.01))


def losses(name, count, **options):
    """Train a model from the seed 0 and return the losses and the step."""
    ca.random.seed(0)
    step = nn.TrainStep(MODELS[name](), loss, optimizer(), **options)
    return [float(step(ca.asarray(x), ca.asarray(y))) for x, y in batches(name, count)], step
