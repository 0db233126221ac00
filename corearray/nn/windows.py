"""Maxima of windows that cover an image evenly, with their places."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from corearray.checks.parsing.sliding import read_adaptive
from corearray.functional.creation import arange
from corearray.functional.elementwise import minimum
from corearray.functional.indexing import take, take_along_axis
from corearray.functional.manipulation import reshape, squeeze
from corearray.functional.searching import argmax
from corearray.types.dtypes import int64

if TYPE_CHECKING:
    from corearray.arrays.array import Array

__all__ = ["maxima_with_places"]


def maxima_with_places(x: Array, output_size: int | Sequence[int | None] | None, axes: int) -> tuple[Array, Array]:
    """Return the maxima of the windows over the last axes, and their flat places: of the first one of equal maxima.

    Parameters
    ----------
    x
        Array of real numbers.
    output_size
        Number of windows along the last axes, as `ca.adaptive_pool` takes it.
    axes
        Number of axes that the windows cover.

    Returns
    -------
    The maxima, with the last axes of these sizes, and as many indices into the axes of `x`, flattened, as `int64`.

    Raises
    ------
    ValueError
        If the sizes do not fit.
    """
    front, lengths = tuple(x.shape[:-axes]), tuple(x.shape[-axes:])
    counts = read_adaptive(f"adaptive_max_pool{axes}d", (1, 1, *lengths), output_size, "channels_first", count=axes)
    places = reshape(arange(1, dtype=int64, device=x.device), (1, 1))
    for length, count in zip(lengths, counts, strict=True):
        starts = [place * length // count for place in range(count)]
        ends = [-(-(place + 1) * length // count) for place in range(count)]
        most = max(end - start for start, end in zip(starts, ends, strict=True))
        numbers = arange(count, device=x.device)[:, None]
        last = (numbers * length + length + count - 1) // count - 1
        along = minimum(numbers * length // count + arange(most, device=x.device), last)  # the last one stands again
        windows, size = places.shape
        places = places[:, None, :, None] * length + along[None, :, None, :]
        places = reshape(places, (windows * count, size * most))
    number, size = places.shape
    places = reshape(places, (-1,))
    parts = reshape(take(reshape(x, (*front, math.prod(lengths))), places, axis=-1), (*front, number, size))
    chosen = argmax(parts, axis=-1, keepdims=True)
    values = squeeze(take_along_axis(parts, chosen, axis=-1), axis=-1)
    indices = squeeze(chosen, axis=-1) + arange(number, device=x.device) * size
    found = reshape(take(places, reshape(indices, (-1,))), (*front, *counts))
    return reshape(values, (*front, *counts)), found
