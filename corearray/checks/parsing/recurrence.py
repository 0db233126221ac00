"""What is given to a recurrent layer, read and checked once for the compositions and for all plugins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from corearray.types.namedtuples import NamedTuple

__all__ = ["RecurrentLayers", "read_recurrent"]


class RecurrentLayers(NamedTuple):
    """How many layers there are, and of which kind.

    Attributes
    ----------
    layers, directions
        How many layers, and how many directions each of them has.
    biased
        Whether there are biases.
    size
        The number of hidden features.
    """

    layers: int
    directions: int
    biased: bool
    size: int


def read_recurrent(
    name: str,
    gates: int,
    x: Any,
    weights: Sequence[Any],
    states: Sequence[Any],
    bidirectional: bool,
    time_major: bool,
) -> RecurrentLayers:
    """Check the shapes of what a recurrent layer is given.

    Parameters
    ----------
    name
        Name of the function, for messages.
    gates
        How many times as many rows as hidden features a weight has.
    x, weights, states
        Arrays, of which only the shapes are read; a state may be `None`.
    bidirectional, time_major
        As in `lstm`.

    Raises
    ------
    ValueError
        If anything does not fit.
    """
    if len(x.shape) < 2 or not x.shape[0 if time_major else -2]:
        raise ValueError(
            f"'{name}' got an array of the shape {tuple(x.shape)}; it must have axes for time and features, and a number of "
            "steps, at least one, that is known also while a framework traces"
        )
    shapes = [tuple(weight.shape) for weight in weights]
    biased = any(len(shape) == 1 for shape in shapes)
    each, directions = 4 if biased else 2, 2 if bidirectional else 1
    if not shapes or len(shapes) % (each * directions) or len(shapes[1]) != 2:
        raise ValueError(
            f"'{name}' got weights of the shapes {shapes}; give {each} for each layer and direction: two matrices and, if "
            "any, two biases"
        )
    size = shapes[1][1]
    if len(shapes[0]) == 2 and x.shape[-1] not in (None, shapes[0][1]):
        raise ValueError(
            f"'{name}' got an array of the shape {tuple(x.shape)}, which has {x.shape[-1]} features, and weights of the "
            f"shape {shapes[0]}, which take {shapes[0][1]}"
        )
    for place in range(0, len(shapes), each):
        features = directions * size if place >= each * directions else x.shape[-1]
        wanted = [(gates * size, features), (gates * size, size), (gates * size,), (gates * size,)][:each]
        if shapes[place : place + each] != wanted:
            raise ValueError(
                f"'{name}' got weights of the shapes {shapes[place : place + each]} for layer "
                f"{place // (each * directions)}; they must be {wanted}"
            )
    layers = len(shapes) // (each * directions)
    batch = x.shape[1:-1] if time_major else x.shape[:-2]
    for state in states:
        if state is not None and None not in batch and tuple(state.shape) != (layers * directions, *batch, size):
            raise ValueError(
                f"'{name}' got an initial state of the shape {tuple(state.shape)}; it must be "
                f"{(layers * directions, *batch, size)}"
            )
    return RecurrentLayers(layers, directions, biased, size)
