"""The operations of a program, as TensorFlow's own function graphs show them."""

from __future__ import annotations

import inspect
import re
from functools import cache, cached_property
from hashlib import sha256
from typing import Any

import tensorflow as tf
from tensorflow.core.framework.function_pb2 import FunctionDefLibrary
from tensorflow.core.framework.tensor_shape_pb2 import TensorShapeProto
from tensorflow.python.eager import context
from tensorflow.python.framework import function_def_to_graph

from corearray.plugin import Recording, Step, Value, hookimpl, leaves, unknown_elements, untraceable


@hookimpl
def traced_calls(function: Any, natives: Any) -> Any:
    specs = [tf.TensorSpec(x.shape, x.dtype) for x in natives]
    taken: list[Any] = []

    def program(*tensors: Any) -> Any:
        taken[:] = tensors
        return [tf.convert_to_tensor(x) for x in function(list(tensors))]

    try:
        traced = tf.function(program, autograph=False).get_concrete_function(*specs)
    except Exception as error:
        if not reads_elements(error):
            raise
        raise unknown_elements("a Python value", error) from None
    recording = Recording()
    values = {_key(x): _value(x) for x in traced.inputs}
    recording.inputs = [values[_key(x)] for x in traced.inputs[: len(natives)]]
    for outside, inside in traced.graph.captures:
        values[_key(inside)].constant = outside
    for operation in traced.graph.get_operations():
        if operation.type in ("Placeholder", "NoOp"):
            continue
        if operation.type == "Identity":
            values[_key(operation.outputs[0])] = values[_key(operation.inputs[0])]
            continue
        made = [_value(x) for x in operation.outputs]
        values.update(zip(map(_key, operation.outputs), made, strict=True))
        if operation.type == "Const":
            made[0].constant = tf.constant(tf.make_ndarray(operation.get_attr("value")), operation.outputs[0].dtype)
            made[0].literal = True
            continue
        function, options = call_of(operation, [values[_key(x)] for x in operation.inputs])
        definition = operation.op_def
        lists = [bool(output.number_attr or output.type_list_attr) for output in definition.output_arg]
        results: Any = made if len(made) > 1 or any(lists) else made[0] if made else None
        if any(lists) and len(lists) > 1:
            raise untraceable(f"a graph cannot hold TensorFlow's operation {operation.type} yet")
        name = f"tensorflow.raw_ops.{operation.type}"
        effect = definition.is_stateful or any(
            x.dtype == tf.variant for x in operation.outputs
        )  # no file holds a constant list
        recording.add(Step(function, name, [], options, results, effect=effect))
    recording.outputs = [values[_key(x)] for x in traced.outputs]
    custom = _has_own_gradient(traced)
    if custom or any(_functions_in(step.options) for step in recording.steps):
        taken = [values[_key(x)] for x in traced.inputs]
        recording.prepared = _Whole(_Function("", traced.graph, traced), taken, custom)  # or there were no gradients
    return recording


def _has_own_gradient(traced: Any) -> bool:
    """Return whether an argument's derivative passes an operation of `tf.custom_gradient`, whose rule only `traced` knows."""
    active = {_key(x) for x in traced.inputs if x.dtype.is_floating or x.dtype.is_complex}
    for operation in traced.graph.get_operations():
        if not any(_key(x) in active for x in operation.inputs):
            continue
        if operation.type == "IdentityN" and "_gradient_op_type" in operation.node_def.attr:
            return True
        active |= {
            _key(x) for x in operation.outputs if x.dtype.is_floating or x.dtype.is_complex or x.dtype == tf.variant
        }
    return False


#: Operations that touch files, devices, other processes, or Python.
_UNSAFE = re.compile(
    "Callback|Checkpoint|Collective|Custom|Dataset|Debug|Dump|File|Iterator|Library|Load|Print|PyFunc|Reader|Restore|Rpc|Save|"
    "Send|Recv|Summary|Table|Tpu|TPU|Xla|Worker|Write"
)


@hookimpl
def graph_names() -> Any:
    names: dict[str, Any] = {}
    for name, function in vars(tf.raw_ops).items():
        if callable(function) and name[0].isupper() and not _UNSAFE.search(name):
            names[f"tensorflow.raw_ops.{name}"] = function
    names |= {f"tensorflow.{dtype.name}": dtype for dtype in vars(tf).values() if isinstance(dtype, tf.DType)}
    names |= {"corearray_tensorflow.Function": _Function, "corearray_tensorflow.Whole": _Whole}
    return names | {"tensorflow.TensorShape": tf.TensorShape, "tensorflow.EagerTensor": type(tf.constant(0))}


def call_of(operation: Any, inputs: list[Any]) -> Any:
    """Return the function of an operation and its arguments, all by keyword."""
    function = getattr(tf.raw_ops, operation.type, None)
    if function is None:
        raise untraceable(f"a graph cannot hold TensorFlow's operation {operation.type}, for which it has no function")
    wanted = _parameters(function)
    names = _names(operation.op_def, wanted)
    options: dict[str, Any] = {}
    place = 0
    for argument in operation.op_def.input_arg:
        count = 1
        if argument.number_attr:
            count = operation.get_attr(argument.number_attr)
        elif argument.type_list_attr:
            count = len(operation.get_attr(argument.type_list_attr))
        several = argument.number_attr or argument.type_list_attr
        options[names[argument.name]] = inputs[place : place + count] if several else inputs[place]
        place += count
    for attribute in operation.op_def.attr:
        name = names[attribute.name]
        if name in wanted and name not in options and name != "config_proto":
            value = _shaped(operation.get_attr(attribute.name))
            if attribute.type == "func":
                options[name] = _Function(value.name, operation.graph)
                continue
            if attribute.type == "list(func)":
                options[name] = [_Function(function.name, operation.graph) for function in value]
                continue
            default = wanted[name].default
            if default is inspect.Parameter.empty or not _same(value, default):
                options[name] = value.decode() if isinstance(value, bytes) else value
    return function, options


class _Function:
    """A branch, the body of a loop, or a `tf.function` within a program.

    Files hold its definition with those of the functions that it calls.

    Parameters
    ----------
    content
        The name of a function of `graph`; or the bytes of a `FunctionDefLibrary`, whose first function it is.
    graph
        Where TensorFlow finds a function by its name.
    traced
        The function itself, of a whole program.
    """

    def __init__(self, content: str | bytes, graph: Any = None, traced: Any = None) -> None:
        self.name = content
        self._graph = graph
        self.traced = traced

    @cached_property
    def _library(self) -> Any:
        """The definitions of the function and of those that it calls; its own is the first."""
        if isinstance(self.name, bytes):
            return _checked(FunctionDefLibrary.FromString(self.name))
        known = {x.signature.name: x for x in self._graph.as_graph_def().library.function}
        first = known[self.name] if self.traced is None else self.traced.function_def
        found = {first.signature.name: first}
        waiting = [first]
        while waiting:
            for name in _called(waiting.pop()):
                if name not in found:
                    found[name] = known[name]
                    waiting.append(known[name])
        return _renamed(FunctionDefLibrary(function=found.values()))

    def taking(self, values: list[Value]) -> Any:
        """Return the function as TensorFlow calls it, with the shapes and dtypes of its arguments and constants."""
        if self.traced is None:
            specs = [tf.TensorSpec(None if "..." in x.shape else x.shape, x.dtype) for x in values]
            self.traced = tf.function(self.inlined, autograph=False).get_concrete_function(*specs)
        return self.traced

    def inlined(self, *tensors: Any) -> Any:
        """Add the operations of a function from a file to the graph that is being traced."""
        definition = self._library.function[0]
        known = context.context()
        for inner in self._library.function[1:]:
            if not known.has_function(inner.signature.name):
                known.add_function_def(inner)  # to run it
        tf.graph_util.import_graph_def(tf.compat.v1.GraphDef(library=self._library))  # to name it
        program, names = function_def_to_graph.function_def_to_graph_def(definition)
        given = {f"{x.name}:0": tensor for x, tensor in zip(definition.signature.input_arg, tensors, strict=True)}
        results = [names[definition.ret[x.name]] for x in definition.signature.output_arg]
        return tf.graph_util.import_graph_def(program, given, results)

    def __eq__(self, other: object) -> bool:
        """Compare what the functions compute; TensorFlow gives each trace a name of its own."""
        return isinstance(other, _Function) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    @cached_property
    def _text(self) -> str:
        return _text_of(self._library, self._library.function[0].signature.name)

    def __repr__(self) -> str:
        return f"<function '{self._library.function[0].signature.name}' of TensorFlow>"

    def __reduce__(self) -> Any:
        return _Function, (self._library.SerializeToString(deterministic=True),)


class _Whole:
    """A program that runs as one function of TensorFlow, because it has functions within.

    Parameters
    ----------
    function
        The program.
    values
        What the function takes: the arguments of the graph, then its constants.
    custom
        Whether a derivative takes a rule of `tf.custom_gradient`, which no file can hold.
    """

    def __init__(self, function: _Function, values: list[Value], custom: bool) -> None:
        self._function = function
        self._values = values
        self._custom = custom

    def __call__(self, run: Any) -> Any:
        traced = self._function.taking(self._values)
        given = [x.constant for x in self._values if x.constant is not None and not traced.graph.captures]
        return lambda *tensors: tuple(traced(*tensors, *given))

    def __repr__(self) -> str:
        return "derivative by a rule of tf.custom_gradient"

    def __reduce__(self) -> Any:
        if self._custom:
            return "custom"  # no data
        return _Whole, (self._function, self._values, False)


def _called(definition: Any) -> list[str]:
    """Return the names of the functions that a definition calls."""
    return [function.name for function in _calls(definition)]


def _calls(definition: Any) -> list[Any]:
    attributes = [value for node in definition.node_def for value in node.attr.values()]
    return [f for value in attributes for f in (value.func, *value.list.func) if f.name]


def _renamed(library: Any) -> Any:
    """Name functions by their content: TensorFlow counts the names of a process, and keeps one function of each."""
    for definition in library.function:
        definition.attr.clear()  # of the trace
    names = {x.signature.name: f"corearray_{place}" for place, x in enumerate(library.function)}
    for _ in range(2):
        for definition in library.function:
            definition.signature.name = names[definition.signature.name]
            for function in _calls(definition):
                function.name = names[function.name]
        digest = sha256(library.SerializeToString(deterministic=True)).hexdigest()[:16]
        names = {name: f"{name}_{digest}" for name in names.values()}
    return library


def _checked(library: Any) -> Any:
    """Return definitions of a file, which call nothing but what its steps may call."""
    names, own = graph_names(), {x.signature.name for x in library.function}
    for definition in library.function:
        for node in definition.node_def:
            if f"tensorflow.raw_ops.{node.op}" not in names and node.op not in ("Placeholder", "Const", "NoOp"):
                raise ValueError(f"a function of TensorFlow calls {node.op!r}, which is no name that a graph may use")
        unknown = [name for name in _called(definition) if name not in own]
        if unknown:
            raise ValueError(f"a function of TensorFlow calls {unknown[0]!r}, which the file does not define")
    return library


def _functions_in(options: dict[str, Any]) -> bool:
    return any(type(leaf) is _Function for leaf in leaves(options))


def _shaped(value: Any) -> Any:
    """Return shapes in the place of TensorFlow's messages that hold them."""
    if isinstance(value, list):
        return [_shaped(item) for item in value]
    if not isinstance(value, TensorShapeProto):
        return value
    shape = tf.TensorShape(value)
    return None if shape.rank is None else tuple(shape.as_list())


def _text_of(library: Any, name: str) -> str:
    """Return the operations of a function, and of the functions that it calls, without the names of this trace."""
    definition = next((x for x in library.function if x.signature.name == name), None)
    if definition is None:
        return name
    known = {x.name: f"a{place}" for place, x in enumerate(definition.signature.input_arg)}
    known |= {node.name: f"n{place}" for place, node in enumerate(definition.node_def)}

    def place_of(tensor: str) -> str:
        head, _, rest = tensor.partition(":")
        return f"{known.get(head, head)}:{rest}"

    lines = []
    for node in definition.node_def:
        said = []
        for key, value in sorted(node.attr.items()):
            if key.startswith("_") or key == "config_proto":
                continue
            names = [value.func.name] if value.WhichOneof("value") == "func" else [f.name for f in value.list.func]
            said.append(f"{key}={[_text_of(library, x) for x in names] if names else value}")
        lines.append(f"{node.op}({[place_of(x) for x in node.input]}, {said})")
    results = [place_of(definition.ret[x.name]) for x in definition.signature.output_arg]
    return "\n".join([*lines, str(results)])


def _same(value: Any, default: Any) -> bool:
    value = value.decode() if isinstance(value, bytes) else value
    return type(value) is type(default) and bool(value == default)


@cache
def _parameters(function: Any) -> Any:
    return inspect.signature(function).parameters


def _names(definition: Any, wanted: Any) -> dict[str, str]:
    """Return the parameters for the inputs and attributes of an operation; some have another name in Python."""
    attributes = [part.name for part in definition.attr if "type" not in part.type]
    lengths = {argument.number_attr for argument in definition.input_arg}
    given = [part.name for part in definition.input_arg] + [name for name in attributes if name not in lengths]
    others = iter([name for name in wanted if name not in (*given, "name")])
    renamed = {name: name if name in wanted else next(others, name) for name in given}
    return {part.name: part.name for part in definition.attr} | renamed


def _key(tensor: Any) -> Any:
    return tensor.ref()


def _value(tensor: Any) -> Value:
    shape = tensor.shape
    return Value(shape if shape.rank is not None else ("...",), tensor.dtype.name)


def reads_elements(error: BaseException | None) -> bool:
    while error is not None:
        text = str(error)
        if isinstance(error, tf.errors.OperatorNotAllowedInGraphError) or "ymbolic" in text or "numpy()" in text:
            return True
        error = error.__cause__ or error.__context__
    return False
