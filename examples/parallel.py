"""A small transformer trained on several devices, data- and tensor-parallel, and on one: the losses are the same.

The mesh has an axis "data", over which the batch is split, and an axis "model", over which the weights of attention and of the
feed-forward layers are split as Megatron-LM splits them. The framework inserts the communication. Arguments: the backend and
the sizes of both axes. JAX makes eight virtual devices of a CPU; torch takes a process for each device:

    XLA_FLAGS=--xla_force_host_platform_device_count=8 python examples/parallel.py jax 4 2
    torchrun --nproc-per-node=4 examples/parallel.py torch 2 2
"""

from __future__ import annotations

import os
import sys

import corearray as ca
from corearray import nn

WIDTH, HEADS, LENGTH, BATCH, SYMBOLS = 32, 4, 16, 16, 32
STEPS, RATE = 10, 0.5

#: By patterns of names: the rows of weights whose outputs are split, the columns of those whose inputs are.
LAYOUT = {
    r".*/(q|k|v|up)/weight": ("model", None),
    r".*/(q|k|v|up)/bias": ("model",),
    r".*/(o|down)/weight": (None, "model"),
}


class Block(nn.Module):
    """Attention and a feed-forward layer, each added to its input."""

    def __init__(self, generator: ca.random.Generator) -> None:
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH, generator=generator) for _ in range(4))
        self.up = nn.Linear(WIDTH, 4 * WIDTH, generator=generator)
        self.down = nn.Linear(4 * WIDTH, WIDTH, generator=generator)

    def forward(self, x: ca.Array) -> ca.Array:
        """Map (batch, length, width) to the same shape."""

        def heads(y: ca.Array) -> ca.Array:
            return ca.permute_dims(ca.reshape(y, (BATCH, LENGTH, HEADS, WIDTH // HEADS)), (0, 2, 1, 3))

        mixed = ca.scaled_dot_product_attention(heads(self.q(x)), heads(self.k(x)), heads(self.v(x)), is_causal=True)
        x = x + self.o(ca.reshape(ca.permute_dims(mixed, (0, 2, 1, 3)), (BATCH, LENGTH, WIDTH)))
        return x + self.down(ca.gelu(self.up(x)))


class Transformer(nn.Module):
    """Two blocks between an embedding and a projection to symbols."""

    def __init__(self, generator: ca.random.Generator) -> None:
        self.embedding = nn.Linear(SYMBOLS, WIDTH, generator=generator)
        self.blocks = [Block(generator), Block(generator)]
        self.projection = nn.Linear(WIDTH, SYMBOLS, generator=generator)

    def forward(self, x: ca.Array) -> ca.Array:
        """Map one-hot symbols to scores of the next ones."""
        x = self.embedding(x)
        for block in self.blocks:
            x = block(x)
        return self.projection(x)


def train(mesh: ca.Mesh | None, compiled: bool = True) -> list[float]:
    """Return the losses of gradient descent on a fixed batch, on a mesh or on one device."""
    with ca.settings(mesh=mesh):
        model = Transformer(ca.random.Generator(1))
        symbols = ca.random.Generator(2).integers(0, SYMBOLS, shape=(BATCH, LENGTH))
        inputs, targets = ca.one_hot(symbols, SYMBOLS), ca.one_hot(ca.roll(symbols, -1, axis=1), SYMBOLS)
        parameters = model.parameters()
        if mesh is not None:
            inputs, targets = ca.shard((inputs, targets), "data")
            parameters = ca.shard(parameters, LAYOUT)

        def loss(parameters: ca.Container, x: ca.Array, y: ca.Array) -> ca.Array:
            return -ca.mean(ca.sum(ca.log_softmax(model.apply(parameters, x)) * y, axis=-1))

        def step(parameters: ca.Container, x: ca.Array, y: ca.Array) -> tuple[ca.Array, ca.Container]:
            value, slopes = ca.value_and_grad(loss)(parameters, x, y)
            return value, ca.gradient_descent_update(parameters, slopes, RATE)

        run = ca.compile(step) if compiled else step
        losses = []
        for _ in range(STEPS):
            value, parameters = run(parameters, inputs, targets)
            losses.append(float(value))
        return losses


def main(data: int = 4, model: int = 2) -> list[tuple[float, float]]:
    """Train both ways, print the losses and return them in pairs."""
    pairs = list(zip(train(None), train(ca.Mesh({"data": data, "model": model})), strict=True))
    if os.environ.get("RANK", "0") == "0":
        for number, (alone, together) in enumerate(pairs):
            print(f"step {number}: loss {alone:.6f} on one device, {together:.6f} on {data * model}")
    return pairs


if __name__ == "__main__":
    ca.set_backend(sys.argv[1] if len(sys.argv) > 1 else "jax")
    result = main(*map(int, sys.argv[2:4]))
