"""Training steps for torch: modules of `torch.nn`, `torch.optim.AdamW`, and `torch.compile` around both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.nn import functional

__all__ = ["step"]


class Block(nn.Module):
    """Attention and a network of two layers."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.ln1, self.attn = nn.LayerNorm(width), nn.MultiheadAttention(width, heads, batch_first=True)
        self.ln2 = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x: Any) -> Any:
        """Pass on a batch of sequences of vectors."""
        length = x.shape[1]
        y, attn = self.ln1(x), self.attn
        heads = functional.linear(y, attn.in_proj_weight, attn.in_proj_bias).chunk(3, -1)
        q, k, v = (z.unflatten(-1, (self.heads, -1)).transpose(1, 2) for z in heads)
        mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + attn.out_proj(mixed.transpose(1, 2).reshape(x.shape[0], length, -1))
        return x + self.mlp(self.ln2(x))


class GPT(nn.Module):
    """Logits of the next token."""

    def __init__(self, vocab: int, width: int, heads: int, layers: int, context: int) -> None:
        super().__init__()
        self.tok, self.pos = nn.Embedding(vocab, width), nn.Embedding(context, width)
        self.blocks = nn.ModuleList([Block(width, heads) for _ in range(layers)])
        self.ln, self.head = nn.LayerNorm(width), nn.Linear(width, vocab, bias=False)

    def forward(self, tokens: Any) -> Any:
        """Compute the logits for integers of the shape `(N, L)`."""
        x = self.tok(tokens) + self.pos.weight[: tokens.shape[1]]
        for block in self.blocks:
            x = block(x)
        return self.head(self.ln(x))


def _model(name: str, sizes: dict[str, int]) -> nn.Module:
    if name == "GPT":
        return GPT(**sizes)
    if name == "MLP":
        i, h, o = sizes.values()
        return nn.Sequential(nn.Linear(i, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, o))
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(32 * (sizes["side"] // 4) ** 2, sizes["out"]),
    )  # fmt: skip


def step(
    name: str, sizes: dict[str, int], state: dict[str, Any], rate: float, compiler: str | None
) -> Callable[[Any, Any], Any]:
    """Return a step of training from the given weights; without a compiler it runs eagerly."""
    model = _model(name, sizes)
    model.load_state_dict({key: torch.from_numpy(x.copy()) for key, x in state.items()})
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, foreach=compiler is None, capturable=False)

    def loss_of(x: Any, y: Any) -> Any:
        logits = model(x)
        return functional.cross_entropy(logits.flatten(0, -2), y.flatten())

    def update() -> None:
        optimizer.step()

    if compiler is not None:
        loss_of = torch.compile(loss_of, backend=compiler, fullgraph=True)
        update = torch.compile(update, backend=compiler)

    def train(x: Any, y: Any) -> Any:
        optimizer.zero_grad(set_to_none=True)
        loss = loss_of(x, y)
        loss.backward()
        update()
        return loss.detach()

    return train
