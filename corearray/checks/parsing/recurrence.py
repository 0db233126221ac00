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
        The number of features of the cells.
    output
        The number of features of hidden states: `size`, or fewer for an LSTM with projections.
    each
        The number of weights of a layer and direction.
    """

    layers: int
    directions: int
    biased: bool
    size: int
    output: int
    each: int

    @property
    def projected(self) -> bool:
        """True if the last weight of each layer and direction projects the hidden states."""
        return self.each % 2 == 1


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
    projected = gates == 4 and _is_projected(shapes, each)
    each += projected
    if not shapes or len(shapes) % (each * directions) or len(shapes[1]) != 2:
        raise ValueError(
            f"'{name}' got weights of the shapes {shapes}; give {each} for each layer and direction: two matrices and, if "
            "any, two biases"
        )
    output = shapes[1][1]
    size = shapes[1][0] // gates if projected else output
    if len(shapes[0]) == 2 and x.shape[-1] not in (None, shapes[0][1]):
        raise ValueError(
            f"'{name}' got an array of the shape {tuple(x.shape)}, which has {x.shape[-1]} features, and weights of the "
            f"shape {shapes[0]}, which take {shapes[0][1]}"
        )
    for place in range(0, len(shapes), each):
        features = directions * output if place >= each * directions else x.shape[-1]
        wanted = [(gates * size, features), (gates * size, output), (gates * size,), (gates * size,)]
        wanted = [*wanted[: each - projected], *([(output, size)] if projected else [])]
        if shapes[place : place + each] != wanted:
            raise ValueError(
                f"'{name}' got weights of the shapes {shapes[place : place + each]} for layer "
                f"{place // (each * directions)}; they must be {wanted}"
            )
    layers = len(shapes) // (each * directions)
    batch = x.shape[1:-1] if time_major else x.shape[:-2]
    for number, state in enumerate(states):
        fits = (layers * directions, *batch, size if number else output)
        if state is not None and None not in batch and tuple(state.shape) != fits:
            raise ValueError(f"'{name}' got an initial state of the shape {tuple(state.shape)}; it must be {fits}")
    return RecurrentLayers(layers, directions, biased, size, output, each)


def _is_projected(shapes: Sequence[tuple[int, ...]], each: int) -> bool:
    """Return whether the weights of the first layer and direction end with a projection of the hidden states."""
    if len(shapes) <= each or len(shapes[1]) != 2:
        return False
    rows, output = shapes[1]
    return rows > 0 and output > 0 and shapes[each] == (output, rows // 4)
