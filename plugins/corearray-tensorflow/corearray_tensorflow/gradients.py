"""Derivatives, mapping over an axis, and compiling."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from functools import wraps
from typing import Any

import tensorflow as tf
from tensorflow.python.eager import record
from tensorflow.python.framework import op_callbacks

from corearray import Array, get_backend
from corearray.plugin import hookimpl, leaves
from corearray_tensorflow.layouts import settle
from corearray_tensorflow.native import custom_gradient as with_rule
from corearray_tensorflow.native import custom_gradients, deriving, is_kept, mapping, may_be_derived


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
        graph = tf.compat.v1.get_default_graph()
        settle(graph, [x._native if isinstance(x, Array) else x for x in leaves(result)])
        _keep_constants(graph)
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
    made: list[Any] = []  # the results that have the derivative; a second one passes through them

    @with_rule
    def computed(*natives: Any) -> Any:
        return function(natives), lambda *cotangents: pull_back(natives, made, cotangents)

    if not tf.executing_eagerly():  # the derivative of a condition takes tensors of the condition's graph alone
        natives = [tf.identity(x) for x in natives]
    made += computed(*natives)
    return made


@hookimpl
def rematerialized(function: Any, natives: Any, program: Any) -> Any:
    """Run the function and let the tape run it again.

    `tf.recompute_grad` loses the derivatives by other tensors that the function refers to. Here the first call finds these:
    its operations read them, and none of them has made them.
    """
    if mapping.get():  # which has no tape
        return function(natives)
    natives = [tf.identity(x) for x in natives]
    read: dict[int, Any] = {}
    with record.VariableWatcher() as watcher, record.stop_recording(), _reading(read):
        made = function(natives)
    known = {id(x) for x in natives}
    others = [x for i, x in read.items() if i not in known and x.dtype.is_floating and _is_followed(x)]
    variables = list(watcher.watched_variables())
    count = len(natives)

    @with_rule
    def computed(*given: Any) -> Any:
        def pull_back(*cotangents: Any) -> Any:
            with tf.GradientTape() as tape, tf.control_dependencies(cotangents):
                again = [tf.identity(x) for x in given[:count]]
                tape.watch([*again, *others])
                outputs = function(again)
            zero = tf.UnconnectedGradients.ZERO
            return tape.gradient(outputs, [*again, *others, *variables], cotangents, unconnected_gradients=zero)

        return made, pull_back

    return computed(*natives, *others, *[x.read_value() for x in variables])


def _is_followed(x: Any) -> bool:
    """Whether a tape watches a tensor; in a graph one may do so later."""
    return not tf.executing_eagerly() or record.should_record_backprop([x])


@contextmanager
def _reading(found: dict[int, Any]) -> Iterator[None]:
    """Collect the tensors that operations within read, and that none within has made, by their `id`."""
    if not tf.executing_eagerly():
        graph = tf.compat.v1.get_default_graph()
        before = {id(x) for x in graph.get_operations()}
        yield
        new = [x for x in graph.get_operations() if id(x) not in before]
        captured = {id(x.op) for _, x in getattr(graph, "captures", ())}  # small ones are constants
        own = {id(x) for x in new if x.type != "Placeholder"} - captured
        found |= {id(x): x for operation in new for x in operation.inputs if id(x.op) not in own}
        return
    made: dict[int, Any] = {}

    def note(kind: str, inputs: Any, attributes: Any, outputs: Any, op_name: Any = None, graph: Any = None) -> None:
        if graph is None:
            found.update({id(x): x for x in inputs if id(x) not in made})
            made.update({id(x): x for x in outputs})

    op_callbacks.add_op_callback(note)
    try:
        yield
    finally:
        op_callbacks.remove_op_callback(note)


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
    if not may_be_derived():
        return _mapped(function, natives, [])
    natives = [tf.identity(x) for x in natives]
    calls: list[Any] = []
    graphs: list[Any] = []
    read: dict[int, Any] = {}
    token = custom_gradients.set(calls)
    try:
        with record.VariableWatcher() as watcher, nullcontext() if tf.executing_eagerly() else _reading(read):
            made = _mapped(function, natives, graphs)
    finally:
        custom_gradients.reset(token)
    if not calls:
        return made
    if tf.executing_eagerly():
        read = {id(x): x for graph in graphs for x, _ in graph.captures}
    known = {id(x) for x in natives}
    others = [x for i, x in read.items() if i not in known and _has_derivatives(x) and _is_followed(x)]
    return _derived_by_rows(function, natives, made, others, list(watcher.watched_variables()))


def _mapped(function: Any, natives: Any, graphs: list[Any]) -> Any:
    """Map a function, and append the graphs in which it was traced."""
    raised = []

    def row(natives: Any) -> list[Any]:
        graphs.append(tf.compat.v1.get_default_graph())
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


def _derived_by_rows(function: Any, natives: Any, made: Any, others: list[Any], variables: list[Any]) -> Any:
    """Return the results of a mapped function with the derivative of each row, where custom gradients are known.

    Parameters
    ----------
    function
        The function of a row.
    natives, made
        Its mapped arguments and results.
    others, variables
        Tensors and variables that it refers to.
    """
    count = len(natives)

    @with_rule
    def computed(*given: Any) -> Any:
        def pull_back(*cotangents: Any) -> Any:
            slopes = [y for x, y in zip(made, cotangents, strict=True) if _has_derivatives(x)]

            def row(parts: Any) -> Any:
                inputs = [tf.identity(x) for x in parts[:count]]
                with tf.GradientTape() as tape, _set(deriving):
                    tape.watch([x for x in [*inputs, *others] if _has_derivatives(x)])
                    outputs = [x for x in function(inputs) if _has_derivatives(x)]
                sources = [*[x for x in inputs if _has_derivatives(x)], *others, *variables]
                zero = tf.UnconnectedGradients.ZERO
                found = tape.gradient(outputs, sources, list(parts[count:]), unconnected_gradients=zero)
                return [tf.convert_to_tensor(x) for x in found]

            found = iter(vectorized(row, [*given[:count], *slopes]))
            own = [next(found) if _has_derivatives(x) else None for x in natives]
            return [*own, *[tf.reduce_sum(x, 0) for x in found]]

        return made, pull_back

    return computed(*natives, *others, *[x.read_value() for x in variables])


def _has_derivatives(x: Any) -> bool:
    return bool(x.dtype.is_floating or x.dtype.is_complex)
