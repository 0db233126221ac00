"""A small GPT that learns the characters of a text which ships with Python: one program, every framework.

corearray run examples/gpt.py --backend torch gpt.safetensors    # goes on from the file if there is one
corearray run examples/gpt.py --all --draw curves.svg
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from pydoc_data import topics
from typing import Any

import corearray as ca
from corearray import nn, optim

CONTEXT, WIDTH, HEADS, LAYERS, BATCH, STEPS = 64, 64, 4, 2, 16, 200


class Block(nn.Module):
    """Attention and a network of two layers, each with a norm before and a sum behind."""

    def __init__(self, width: int, heads: int) -> None:
        self.ln1, self.attn = nn.LayerNorm(width), nn.MultiheadAttention(width, heads)
        self.ln2 = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width), nn.Dropout(0.1))

    def forward(self, x: ca.Array) -> ca.Array:
        """Pass on a batch of sequences of vectors."""
        x = x + self.attn(self.ln1(x), is_causal=True)
        return x + self.mlp(self.ln2(x))


class GPT(nn.Module):
    """Logits of the next character behind each one."""

    def __init__(self, vocab: int) -> None:
        self.tok, self.pos = nn.Embedding(vocab, WIDTH), nn.Embedding(CONTEXT, WIDTH)
        self.blocks = nn.ModuleList(Block(WIDTH, HEADS) for _ in range(LAYERS))
        self.ln, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, vocab, bias=False)

    def forward(self, tokens: ca.Array) -> ca.Array:
        """Compute the logits for integers of the shape `(N, L)`."""
        x = self.tok(tokens) + self.pos.weight[: tokens.shape[1], :]
        for block in self.blocks:
            x = block(x)
        return self.head(self.ln(x))  # type: ignore[no-any-return]


def loss(model: nn.Module, x: ca.Array, y: ca.Array) -> ca.Array:
    """Return the mean cross entropy of the next characters."""
    return ca.sparse_cross_entropy(model(x), y)


def main(steps: int = STEPS, checkpoint: str = "", picture: str = "", **options: Any) -> list[float]:
    """Train; go on from a checkpoint if there is one, and write it and a picture of the losses if asked."""
    text = "".join(topics.topics.values())
    code = {character: i for i, character in enumerate(sorted(set(text)))}
    ca.random.seed(0)
    optimizer = optim.chain(optim.clip_by_global_norm(1.0), optim.adamw(3e-3, weight_decay=0.1))
    train = nn.TrainStep(GPT(len(code)), loss, optimizer, **options)
    if checkpoint and Path(checkpoint).exists():
        nn.load(train, checkpoint)
    loop = nn.progress(range(steps), every=50)
    for step in loop:
        starts = map(random.Random(step).randrange, [len(text) - CONTEXT] * BATCH)
        windows = ca.asarray([[code[c] for c in text[i : i + CONTEXT + 1]] for i in starts])
        loop.log(loss=train(windows[:, :-1], windows[:, 1:]))
    if checkpoint:
        nn.save(train, checkpoint)
    if picture:
        loop.draw(picture)
    return [value for _, value in loop.history["loss"]]


if __name__ == "__main__":
    result = {"losses": main(checkpoint=sys.argv[1] if sys.argv[1:] else "", picture="loss.svg")}
    print(f"loss {result['losses'][-1]:.3f}")
