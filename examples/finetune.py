"""Fine-tuning: a network that has learned the digits 0 to 4 learns all ten, first with its layers frozen, then whole.

corearray run examples/finetune.py --backend tensorflow half.safetensors    # the network of the first half
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from digits import load
from digits_cnn import loss, network

import corearray as ca
from corearray import nn, optim

BATCH, EPOCHS, PATIENCE = 64, 6, 2


def fit(model: nn.Module, data: Any, held_out: Any, rate: float, loop: nn.Progress, **options: Any) -> float:
    """Train on batches in a new order each epoch; stop early; return the best loss on the images held out."""
    images, labels = data
    train = nn.TrainStep(model, loss, optim.adamw(rate), **options)
    order, best, since = ca.random.Generator(1), float("inf"), 0
    for _ in loop:
        places = order.permutation(images.shape[0])
        for start in range(0, images.shape[0] - BATCH + 1, BATCH):
            some = places[start : start + BATCH]
            loop.log(loss=train(ca.take(images, some, axis=0), ca.take(labels, some, axis=0)))
        model.eval()
        value = float(loss(model, *held_out))
        model.train()
        loop.log(held_out=value)
        best, since = (value, 0) if value < best else (best, since + 1)
        if since == PATIENCE:
            break
    return best


def main(epochs: int = EPOCHS, file: str = "", picture: str = "", **options: Any) -> dict[str, Any]:
    """Train on half of the digits or read the file of an earlier run, replace the head, and fine-tune in two phases."""
    (images, labels), (others, truth) = load()
    images, others = (ca.reshape(x / 16.0, (-1, 1, 8, 8)) for x in (images, others))
    ca.random.seed(0)
    model = network()
    if file and Path(file).exists():
        nn.load(model, file)
    else:
        few, new = labels < 5, truth < 5
        fit(
            model,
            (images[few], labels[few]),
            (others[new], truth[new]),
            2e-3,
            nn.progress(range(epochs), every=1),
            **options,
        )
        if file:
            nn.save(model, file)
    model.replace("9", nn.Linear(32 * 16, 10)).freeze("0", "1", "4", "5")
    head = nn.progress(range(epochs), every=1)
    fit(model, (images, labels), (others, truth), 2e-3, head, **options)
    model.unfreeze()
    whole = nn.progress(range(epochs), every=1)
    best = fit(model, (images, labels), (others, truth), 5e-4, whole, **options)
    losses = [value for part in (head, whole) for _, value in part.history["loss"]]
    if picture:
        nn.draw_curves({"loss": list(enumerate(losses, 1))}, picture, title="Head alone, then the whole network")
    guesses = ca.argmax(model.eval()(others), axis=1)
    return {"loss": best, "losses": losses, "accuracy": float(ca.mean(ca.astype(guesses == truth, ca.float32)))}


if __name__ == "__main__":
    result = main(file=sys.argv[1] if sys.argv[1:] else "", picture="loss.svg")
    print(f"accuracy {result['accuracy']:.3f}")
