"""The native calls of a program, as NumPy's protocols show them."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl, untraceable
from corearray_numpy.tracer import Recorder, at_work


@hookimpl
def traced_calls(function: Any, natives: Any) -> Any:
    recorder = Recorder()
    inputs = [recorder.tracer(x.copy() if type(x) is np.ndarray else x) for x in natives]
    recorder.recording.inputs = [x._value for x in inputs]
    before = _drawn()
    try:
        with at_work(recorder):
            outputs = [recorder.own(x) for x in function(inputs)]
        if _drawn() != before:
            raise untraceable(
                "NumPy's own generator of random numbers advances, which a graph cannot; draw them outside"
            )
        recorder.recording.outputs = [recorder.value(x) for x in outputs]
        return recorder.recording
    finally:
        recorder.tracers.clear()  # a view that corearray knows keeps its base, and a base would keep its views


def _drawn() -> Any:
    _, words, *others = np.random.get_state()  # type: ignore[misc]
    return words.tobytes(), others
