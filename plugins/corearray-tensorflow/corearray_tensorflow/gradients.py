"""Derivatives, mapping over an axis, and compiling."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any

import tensorflow as tf

from corearray import Array, get_backend
from corearray.plugin import hookimpl
from corearray_tensorflow.native import deriving, is_kept, mapping


@hookimpl
def compiled_function(function: Any, static_argnums: Any, static_argnames: Any, dynamic: bool, options: Any) -> Any:
    """Compile; TensorFlow takes what is no tensor for constant by itself, and compiles again for other values.

    It looks at each argument in Python, which for a tensor takes half the time that it takes for a class that it does not
    know. So an argument that is an `Array` goes in as its tensor, and is an `Array` again within.
    """
    options = {"autograph": False, "reduce_retracing": dynamic, **options}
    compiled: dict[Any, Any] = {}

    @wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        if mapping.get():  # which a program that was traced before does not know
            return function(*args, **keywords)
        places = tuple([i for i, x in enumerate(args) if isinstance(x, Array)])
        names = tuple([name for name, x in keywords.items() if isinstance(x, Array)]) if keywords else ()
        key = (
            places,
            names,
            len(args),
            tuple(keywords),
        )  # TensorFlow generalises signatures of the same arguments only
        program = compiled.get(key)
        if program is None:
            program = compiled[key] = tf.function(_of_tensors(function, places, names), **options)
        if names:
            keywords |= {name: keywords[name]._native for name in names}
        return program(*[x._native if i in places else x for i, x in enumerate(args)], **keywords)

    return call


@hookimpl
def compiled_composition(name: str, call: Any) -> Any:
    """Compile the random words of programs by XLA, which makes one loop of the hundred operations to a word."""
    if name != "random_words_of_program":
        return None
    return tf.function(call, jit_compile=True, autograph=False)


def _of_tensors(function: Any, places: tuple[int, ...], names: tuple[str, ...]) -> Any:
    """Return a function that gets tensors in place of some of its arguments, which are arrays."""

    @wraps(function)
    def program(*args: Any, **keywords: Any) -> Any:
        wrap = get_backend("tensorflow").wrap
        keywords |= {name: wrap(keywords[name]) for name in names}
        result = function(*[wrap(x) if i in places else x for i, x in enumerate(args)], **keywords)
        _keep_constants(tf.compat.v1.get_default_graph())
        return result

    del program.__wrapped__  # whose defaults TensorFlow would give, of functions what they wrap
    return program


def _keep_constants(graph: Any) -> None:
    """Leave shapes, axes, 0 and 1 in the function that is traced: TensorFlow makes arguments of them, since they are kept.

    Nothing is differentiated by them, so that nobody misses the arguments, and what follows of 0 can be computed once. A
    version of TensorFlow that keeps its books elsewhere has the arguments, at a microsecond each in every call.
    """
    books = getattr(graph, "_function_captures", None)
    if hasattr(books, "pop") and hasattr(graph, "captures"):
        inner = {id(x): kept for kept, x in graph.captures if x.op.type == "Const" and is_kept(kept)}
        for kept in inner.values():
            books.pop(id(kept))
        graph.inputs = [x for x in graph.inputs if id(x) not in inner]


@hookimpl
def custom_gradient(function: Any, pull_back: Any, natives: Any) -> Any:
    @tf.custom_gradient
    def computed(*natives: Any) -> Any:
        outputs = function(natives)
        return outputs, lambda *cotangents: pull_back(natives, outputs, cotangents)

    return computed(*natives)


@contextmanager
def _set(variable: ContextVar[bool]) -> Iterator[None]:
    token = variable.set(True)
    try:
        yield
    finally:
        variable.reset(token)


@hookimpl
def forward_mode(function: Any, primals: Any, tangents: Any) -> Any:
    """Differentiate what pulls gradients back, which is linear in them, by them.

    TensorFlow's own forward mode does the same for each operation, but passes over custom gradients in programs.
    """
    with _set(deriving):
        outputs, aux, pull_back = reverse_mode(function, primals)
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            cotangents = [tf.zeros_like(x) for x in outputs]
            tape.watch(cotangents)
            pulled = pull_back(cotangents)
        zero = tf.UnconnectedGradients.ZERO
        return outputs, tape.gradient(pulled, cotangents, tangents, unconnected_gradients=zero), aux


@hookimpl
def reverse_mode(function: Any, primals: Any) -> Any:
    """Record what the function does on arrays of its own: a tape takes one array in two places for one."""
    primals = [tf.identity(x) for x in primals]
    with tf.GradientTape(persistent=not function.once) as tape, _set(deriving):
        tape.watch(primals)
        outputs, aux = function(primals)

    def pull_back(cotangents: Any) -> Any:
        found = tape.gradient(
            outputs, primals, output_gradients=cotangents, unconnected_gradients=tf.UnconnectedGradients.ZERO
        )
        return [tf.convert_to_tensor(gradient) for gradient in found]

    return outputs, aux, pull_back


@hookimpl(native=tf.stop_gradient)
def stop_gradient(x: Any, /) -> Any: ...


@hookimpl
def vectorized(function: Any, natives: Any) -> Any:
    """Map; TensorFlow takes no arrays for results that were there before, and tells of an error with the program around."""
    raised = []

    def row(natives: Any) -> list[Any]:
        try:
            return [tf.identity(x) for x in function(natives)]
        except Exception as error:
            raised.append(error)
            raise

    with _set(mapping):
        try:
            return tf.vectorized_map(row, natives)
        except Exception:
            if raised:
                raise raised[0] from None
            raise
