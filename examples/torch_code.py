"""A classifier in PyTorch's words on another backend: only the imports differ from a script of torch.

python examples/torch_code.py            # on JAX
python examples/torch_code.py tensorflow
"""

import sys

import corearray as ca
import corearray.frontend.torch as torch
import corearray.frontend.torch.nn.functional as F  # noqa: N812
from corearray.frontend.torch import nn


class Network(nn.Module):
    """Two layers with batch normalisation and dropout."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(2, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.1))
        self.head = nn.Linear(32, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return a score for each class."""
        return self.head(self.layers(x))


def main(backend: str) -> None:
    """Train the network to tell points inside a circle from those outside."""
    ca.set_backend(backend)
    torch.manual_seed(0)
    x = torch.rand(128, 2) * 2 - 1
    y = ((x * x).sum(dim=1) < 0.6).long()
    model = Network()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.03)
    for epoch in range(40):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        print(f"epoch {epoch}: loss {loss.item():.3f}")
    model.eval()
    with torch.no_grad():
        right = (model(x).argmax(dim=1) == y).float().mean()
    print(f"{right.item():.0%} right on {backend}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "jax")
