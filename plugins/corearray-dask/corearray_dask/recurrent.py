"""Recurrent layers: one task for each chunk of the batch, in place of one for each step."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_dask.blocks import over, task


def _layers(name: str, x: Any, weights: Any, time_major: bool, **options: Any) -> Any:
    """Run layers on chunks of the batch; its axes follow the first one in states, and in a sequence with time first."""
    made, arrays = task(name, (x, list(weights)), {**options, "time_major": time_major})
    batch = range(1, x.ndim - 1) if time_major else range(x.ndim - 2)
    first = batch.start

    def labels(count: int, number: int) -> list[Any]:
        start = 1 if number else first
        return [at - start if 0 <= at - start < len(batch) else None for at in range(count)]

    loops = [labels(x.ndim, 0), *([None] * w.ndim for w in weights)]
    loops += [labels(one.ndim, 1) for one in arrays[len(loops) :]]
    return over(made, arrays, loops, labels)


@hookimpl
def gru(
    x: Any, weights: Any, /, *, initial_h: Any = None, bidirectional: bool = False, time_major: bool = False
) -> Any:
    return _layers("gru", x, weights, time_major, initial_h=initial_h, bidirectional=bidirectional)


@hookimpl
def lstm(
    x: Any, weights: Any, /, *, initial_h: Any = None, initial_c: Any = None, bidirectional: bool = False,
    time_major: bool = False,
) -> Any:  # fmt: skip
    return _layers(
        "lstm", x, weights, time_major, initial_h=initial_h, initial_c=initial_c, bidirectional=bidirectional
    )


@hookimpl
def rnn(
    x: Any, weights: Any, /, *, initial_h: Any = None, nonlinearity: str = "tanh", bidirectional: bool = False,
    time_major: bool = False,
) -> Any:  # fmt: skip
    return _layers(
        "rnn", x, weights, time_major, initial_h=initial_h, nonlinearity=nonlinearity, bidirectional=bidirectional
    )
