"""A network with convolutions, batch norm and dropout that reads handwritten digits, stops early, and resumes.

corearray run examples/digits_cnn.py --backend jax cnn.safetensors    # goes on from the file if there is one
corearray run examples/digits_cnn.py --all --draw curves.svg
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from digits import load

import corearray as ca
from corearray import nn, optim

BATCH, EPOCHS, PATIENCE = 64, 20, 3


def network() -> nn.Sequential:
    """Make the network: it takes arrays of the shape `(N, 1, 8, 8)` and returns logits."""
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1),
        nn.BatchNorm2d(16),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1),
        nn.BatchNorm2d(32),
        nn.ReLU(),
        nn.Flatten(),
        nn.Dropout(0.2),
        nn.Linear(32 * 16, 10),
    )


def loss(model: nn.Module, x: ca.Array, y: ca.Array) -> ca.Array:
    """Return the mean cross entropy of the labels."""
    return ca.sparse_cross_entropy(model(x), y)


def main(epochs: int = EPOCHS, checkpoint: str = "", picture: str = "", **options: Any) -> dict[str, Any]:
    """Train until the loss on the images held out has not fallen for some epochs; return it, all losses and the accuracy."""
    (images, labels), (others, truth) = load()
    images, others = (ca.reshape(x / 16.0, (-1, 1, 8, 8)) for x in (images, others))
    ca.random.seed(0)
    order = ca.random.Generator(1)
    model = network()
    train = nn.TrainStep(model, loss, optim.adamw(2e-3), **options)
    if checkpoint and Path(checkpoint).exists():
        nn.load(train, checkpoint)
    best, since = float("inf"), 0
    loop = nn.progress(range(epochs), every=1)
    for _ in loop:
        places = order.permutation(images.shape[0])
        for start in range(0, images.shape[0] - BATCH + 1, BATCH):
            some = places[start : start + BATCH]
            loop.log(loss=train(ca.take(images, some, axis=0), ca.take(labels, some, axis=0)))
        model.eval()
        held_out = float(loss(model, others, truth))
        model.train()
        loop.log(held_out=held_out)
        best, since = (held_out, 0) if held_out < best else (best, since + 1)
        if since == PATIENCE:
            break
        if checkpoint:
            nn.save(train, checkpoint)
    guesses = ca.argmax(model.eval()(others), axis=1)
    if picture:
        loop.draw(picture)
    losses = [value for _, value in loop.history["loss"]]
    return {"loss": best, "losses": losses, "accuracy": float(ca.mean(ca.astype(guesses == truth, ca.float32)))}


if __name__ == "__main__":
    result = main(checkpoint=sys.argv[1] if sys.argv[1:] else "", picture="loss.svg")
    print(f"accuracy {result['accuracy']:.3f}")
