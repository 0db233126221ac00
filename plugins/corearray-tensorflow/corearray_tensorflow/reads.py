"""Programs whose reads of elements have the answers of the example."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import tensorflow as tf

from corearray.plugin import Answers, Unanswered, untraceable


def traced_with_answers(function: Callable[..., Any], natives: Sequence[Any]) -> Any:
    """Return the concrete function of a program; where reads are assumed they have the answers of the example."""
    specs = [tf.TensorSpec(x.shape, x.dtype) for x in natives]
    refusals = (tf.errors.OperatorNotAllowedInGraphError, NotImplementedError, AttributeError, TypeError)
    answers = Answers(_symbolic(), refusals, whole=("numpy",))
    while True:
        asked: list[Unanswered] = []

        with answers.tracing():
            traced = tf.function(_until_asked(function, asked), autograph=False).get_concrete_function(*specs)
        if not asked:
            return traced
        if traced.graph is not asked[0].tracer.graph:
            raise untraceable(
                "an element is read within a loop, a condition or a function that TensorFlow compiles, where it has no value "
                "in the example; use functions of tensors such as tf.where and tf.cond",
                asked[0],
            )
        with _unchanged(traced.graph.variables):
            (found,) = traced(*natives)
        answers.add(found.numpy())


def _until_asked(function: Callable[..., Any], asked: list[Unanswered]) -> Callable[..., Any]:
    """Return a function that ends at a read without an answer, and returns the tensor that is read."""

    def program(*tensors: Any) -> Any:
        graph = tf.compat.v1.get_default_graph()
        try:
            return function(*tensors)
        except Unanswered as read:
            asked.append(read)
            return [read.tracer if read.tracer.graph is graph else tf.constant(0)]

    return program


def _symbolic() -> type:
    """Return the class of tensors without elements."""
    with tf.Graph().as_default():
        return type(tf.compat.v1.placeholder(tf.float32, ()))


@contextmanager
def _unchanged(variables: Sequence[Any]) -> Iterator[None]:
    """Give variables their values back, which the program up to the read may have changed."""
    before = [(variable, tf.identity(variable)) for variable in variables]
    try:
        yield
    finally:
        for variable, value in before:
            variable.assign(value)
