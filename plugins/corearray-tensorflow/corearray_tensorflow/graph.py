"""The operations of a program, as TensorFlow's own function graphs show them."""

from __future__ import annotations

import inspect
import re
from functools import cache, cached_property
from typing import Any

import tensorflow as tf

from corearray.plugin import Recording, Step, Value, hookimpl, leaves, untraceable


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
        raise untraceable(
            "a Python value is made of a tensor's elements, which a graph does not know; use functions of arrays such as "
            "where, if_else and while_loop in place of Python's if, while and x.numpy(), or compute it outside and pass it in",
            error,
        ) from None
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
        compared = {key: _comparable(value) for key, value in options.items()} if _functions_in(options) else None
        recording.add(Step(function, name, [], options, results, effect=definition.is_stateful, compared=compared))
    recording.outputs = [values[_key(x)] for x in traced.outputs]
    custom = any(_has_own_gradient(operation) for operation in traced.graph.get_operations())
    if custom or any(_functions_in(step.options) for step in recording.steps):
        recording.prepared = lambda run: lambda *tensors: tuple(traced(*tensors))  # or there were no gradients
    return recording


def _has_own_gradient(operation: Any) -> bool:
    """Return whether `tf.custom_gradient` made an operation; its gradient is known to the function that was traced alone."""
    return operation.type == "IdentityN" and "_gradient_op_type" in operation.node_def.attr


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
            value = operation.get_attr(attribute.name)
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
    """A branch, the body of a loop, or a `tf.function` within: TensorFlow knows it by its name while its graph is there."""

    def __init__(self, name: str, graph: Any) -> None:
        self.name = name
        self._graph = graph

    def __eq__(self, other: object) -> bool:
        """Compare what the functions compute; TensorFlow gives each trace a name of its own."""
        return isinstance(other, _Function) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    @cached_property
    def _text(self) -> str:
        return _text_of(self._graph.as_graph_def().library, self.name)

    def __repr__(self) -> str:
        return f"<function '{self.name}' of TensorFlow>"

    def __reduce__(self) -> Any:
        raise TypeError(f"TensorFlow's function '{self.name}' is of this process")


def _functions_in(options: dict[str, Any]) -> bool:
    return any(type(leaf) is _Function for leaf in leaves(options))


def _comparable(value: Any) -> Any:
    """Return text for the shapes of results, which TensorFlow's own messages hold."""
    if isinstance(value, list):
        return [_comparable(item) for item in value]
    return str(value) if hasattr(value, "SerializeToString") else value


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
