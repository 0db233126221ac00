"""A small BERT, written in PyTorch, on another backend: outputs, one step of training, the program as text.

python examples/transpile_bert.py            # on JAX
python examples/transpile_bert.py numpy
"""

import sys

import torch
from torch import nn

import corearray as ca


class Bert(nn.Module):
    """Embeddings, two encoder layers, and a head that guesses tokens."""

    def __init__(self, words: int = 99, width: int = 32, heads: int = 4, layers: int = 2) -> None:
        super().__init__()
        self.words = nn.Embedding(words, width, padding_idx=0)
        self.places = nn.Embedding(64, width)
        self.norm = nn.LayerNorm(width)
        layer = nn.TransformerEncoderLayer(width, heads, 4 * width, activation="gelu", batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.head = nn.Linear(width, words)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Return a score for each word at each place."""
        places = torch.arange(tokens.shape[1])
        hidden = self.norm(self.words(tokens) + self.places(places))
        return self.head(self.encoder(hidden, src_key_padding_mask=tokens == 0))


def main(target: str) -> None:
    """Transpile the model, compare it, and train it for a few steps on the target."""
    torch.manual_seed(0)
    model = Bert().eval()
    tokens = torch.randint(1, 99, (4, 16))
    tokens[:, 12:] = 0

    t = ca.transpile(model, tokens, to=target, dynamic=True)
    x = ca.get_backend(target).asarray(tokens.tolist())
    wanted = model(tokens).detach()
    difference = float(ca.max(ca.abs(t(x) - ca.get_backend(target).asarray(wanted.numpy()))))
    print(f"{len(t.report.calls)} torch functions; largest difference from torch: {difference:.1e}")
    print("\n".join(t.source.splitlines()[:12]))

    if "reverse_mode" not in ca.get_backend(target).facts:
        return

    def loss(parameters: ca.Container) -> ca.Array:
        return ca.sparse_cross_entropy(t.apply(parameters, x), x)

    parameters = t.parameters
    for step in range(3):
        value, slopes = ca.value_and_grad(loss)(parameters)
        parameters = ca.gradient_descent_update(parameters, slopes, 0.5)
        print(f"step {step}: loss {float(value):.4f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "jax")
