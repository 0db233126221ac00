"""Branches and loops of graphs, for programs that are traced."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow.native import deriving, mapping


@hookimpl
def branched(condition: Any, true: Any, false: Any) -> Any:
    return tf.cond(condition, true, false)


@hookimpl
def looped(condition: Any, body: Any, natives: Any) -> Any:
    return tf.while_loop(lambda *state: condition(state), lambda *state: body(state), natives)


@hookimpl
def scanned(step: Any, carry: Any, xs: Any, length: int | None, reverse: bool) -> Any:
    """Loop with an array for each thing that is kept; a trace of one step tells their dtypes and shapes."""
    if not any(map(tf.is_symbolic_tensor, (*carry, *xs))):
        return None
    if mapping.get() and deriving.get() and (length is not None or xs[0].shape[0] is not None):
        return None  # one step after the other: TensorFlow does not map derivatives of loops
    count = tf.shape(xs[0])[0] if length is None else tf.constant(length)
    traced = tf.function(step, autograph=False).get_concrete_function(
        [tf.TensorSpec.from_tensor(x) for x in carry], [tf.TensorSpec(x.shape[1:], x.dtype) for x in xs]
    )
    kept = [tf.TensorArray(spec.dtype, count, element_shape=spec.shape) for spec in traced.structured_outputs[1]]

    def body(number: Any, carry: Any, kept: Any) -> Any:
        place = count - 1 - number if reverse else number
        carry, row = step(carry, [x[place] for x in xs])
        return number + 1, carry, [column.write(place, one) for column, one in zip(kept, row, strict=True)]

    _, carry, kept = tf.while_loop(lambda number, *_: number < count, body, (tf.constant(0), list(carry), kept))
    return carry, [column.stack() for column in kept]


@hookimpl
def called_back(function: Any, natives: Any, results: Any, ordered: bool, mapped: str | None) -> Any:
    if tf.executing_eagerly():
        return None
    made = tf.py_function(lambda *given: function(*given), natives, [dtype for _, dtype in results or ()])
    if results is None:
        return []
    for x, (shape, _) in zip(made, results, strict=True):
        x.set_shape(shape)
    return made


@hookimpl
def truth(x: Any) -> bool | None:
    return None if tf.is_symbolic_tensor(x) else bool(x)
