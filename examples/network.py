"""A convolutional network that learns to read handwritten digits: one program, every framework that differentiates.

The data are those of `digits.py`. The parameters are a Container; one step of training, forwards, backwards and the update
by Adam, is one function that the framework compiles. The same random numbers on every backend make the runs comparable:

    corearray run examples/network.py --backend jax
"""

from __future__ import annotations

import sys
from pathlib import Path

import corearray as ca

sys.path.insert(0, str(Path(__file__).parent))

from digits import DIGITS, load

EPOCHS = 6
BATCH = 64
FILTERS = 16


def parameters(rng: ca.random.Generator) -> ca.Container:
    """Draw the parameters of two layers of filters and one that is fully connected."""
    return ca.Container(
        first=rng.normal(std=1 / 3, shape=(FILTERS, 1, 3, 3)),
        second=rng.normal(std=(9 * FILTERS) ** -0.5, shape=(2 * FILTERS, FILTERS, 3, 3)),
        out=rng.normal(std=(8 * FILTERS) ** -0.5, shape=(DIGITS, 8 * FILTERS)),
        bias=ca.zeros(DIGITS),
    )


def network(weights: ca.Container, images: ca.Array) -> ca.Array:
    """Return the logits of the digits, shape (n, 10), of images of shape (n, 1, 8, 8)."""
    hidden = ca.max_pool2d(ca.relu(ca.conv2d(images, weights.first, padding="same")), 2)
    hidden = ca.max_pool2d(ca.relu(ca.conv2d(hidden, weights.second, padding="same")), 2)
    return ca.linear(ca.flatten(hidden, start_axis=1), weights.out, bias=weights.bias)


def loss(weights: ca.Container, images: ca.Array, labels: ca.Array) -> ca.Array:
    """Return the cross entropy of what the network says and what the labels are."""
    return ca.sparse_cross_entropy(network(weights, images), labels)


@ca.compile
def step(
    weights: ca.Container, mean: ca.Container, square: ca.Container, count: ca.Array, images: ca.Array, labels: ca.Array
) -> tuple[ca.Array, ca.Container, ca.Container, ca.Container]:
    """Return the loss on a batch, and what Adam makes of the parameters and of its two memories."""
    value, slopes = ca.value_and_grad(loss)(weights, images, labels)
    return value, *ca.adam_update(weights, slopes, 0.01, mean, square, count)


def main() -> dict[str, float]:
    """Train, tell the loss of every epoch, and return the share of the images held out that are read rightly."""
    (images, labels), (held_out, truths) = (
        (ca.reshape(pixels / 16.0, (-1, 1, 8, 8)), digits) for pixels, digits in load()
    )
    rng = ca.random.Generator(0)
    weights = parameters(rng)
    mean = square = weights.map(ca.zeros_like)
    count = 0
    for epoch in range(EPOCHS):
        order = rng.permutation(images.shape[0])
        losses = []
        for start in range(0, images.shape[0] - BATCH + 1, BATCH):
            chosen = order[start : start + BATCH]
            count += 1
            value, weights, mean, square = step(
                weights,
                mean,
                square,
                ca.asarray(float(count)),
                ca.take(images, chosen, axis=0),
                ca.take(labels, chosen),
            )
            losses.append(float(value))
        print(f"epoch {epoch + 1}: loss {sum(losses) / len(losses):.4f}")
    read = ca.argmax(network(weights, held_out), axis=1)
    accuracy = float(ca.mean(ca.astype(read == truths, ca.float32)))
    print(f"{accuracy:.1%} of the images held out are read rightly")
    return {"accuracy": accuracy}


if __name__ == "__main__":
    result = main()
