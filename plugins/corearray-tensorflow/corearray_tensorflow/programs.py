"""Programs as rules of the frontend take them: operations in plain words, variables as values, functions written out.

The difference from `graph.py` is that nothing of TensorFlow is left: variables are threaded through the calls as values,
operations of constants are computed while the program is read, and the shapes and axes that operations take as tensors
are integers.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import tensorflow as tf
from tensorflow.python.framework import function_def_to_graph, ops

import corearray as ca
from corearray.plugin import Recording, Step, Value, hookimpl, untraceable
from corearray_tensorflow.folding import Operation, computed, needed_steps, rounds
from corearray_tensorflow.graph import call_of, reads_elements
from corearray_tensorflow.modules import given_buffers
from corearray_tensorflow.reads import traced_with_answers

#: Operands that rules take as numbers and tuples of numbers, if they are known.
_STATIC = frozenset(
    "axis begin block_shape crops depth diagonal_index dim dimension dims dense_shape element_shape end fft_length "
    "filter_sizes input_sizes k max_num_elements multiples num num_elements num_lower num_segments num_upper "
    "orig_input_shape padding_value output_shape out_backprop_shape paddings perm reduction_indices shape shift size "
    "size_splits split_dim strides alg start limit delta num_cols num_rows max_output_size filter_size new_height "
    "new_width lengths crop_size image_size nbins iou_threshold l2_regularizer "
    "row_partition_tensors score_threshold soft_nms_sigma".split()
)

#: Operations of which one operand may be a Python number, because another one says the dtype.
_WITH_NUMBERS = frozenset(
    "Add AddV2 Sub Mul Div RealDiv DivNoNan FloorDiv FloorMod Mod TruncateDiv TruncateMod Pow Maximum Minimum "
    "SquaredDifference Equal NotEqual Less LessEqual Greater GreaterEqual Atan2 Xdivy Xlogy Xlog1py MulNoNan BitwiseAnd "
    "BitwiseOr BitwiseXor LeftShift RightShift ClipByValue".split()
)

#: Operations that only check or print.
_CHECKS = frozenset("Assert Print PrintV2 NoOp CheckNumericsV2 TimestampDummy DebugIdentityV2".split())

#: Operations that return their operand.
_SAME = frozenset("Identity Snapshot EnsureShape CheckNumerics PlaceholderWithDefault".split())

#: Attributes that do not change what is computed.
_WITHOUT_MEANING = frozenset(
    "validate_shape validate_indices use_cudnn_on_gpu parallel_iterations name _output_shapes swap_memory "
    "incompatible_shape_error grad_a grad_b output_shapes Tin is_stateless lower_using_switch_merge "
    "num_original_outputs memory_type bad_indices_policy shared_name container reinterpretation Truncate".split()
)

_CALLS = frozenset("PartitionedCall StatefulPartitionedCall".split())

#: The highest order of derivatives of `tf.custom_gradient` that is recorded. A derivative may call its function again, so
#: that the orders have no end.
_ORDERS = 3

#: No constant of more elements is computed while a program is read.
_FOLDED = 4096


class _Variable:
    """What a handle of a variable stands for: its value at this place of the program."""

    def __init__(self, value: Value, name: str, first: Value | None = None) -> None:
        self.value = value
        self.name = name
        self.first = first  # of a buffer, which may be written


@hookimpl
def program_calls(function: Any, natives: Any) -> Any:
    buffers: dict[int, Any] = {}

    def program(*tensors: Any) -> Any:
        buffers.clear()
        token = given_buffers.set(buffers)
        try:
            return [tf.convert_to_tensor(x) for x in function(list(tensors))]
        finally:
            given_buffers.reset(token)

    try:
        traced = traced_with_answers(program, natives)
    except Exception as error:
        if not reads_elements(error):
            raise
        raise untraceable(
            "a Python value is made of a tensor's elements, which are not known while the program is read; use "
            "functions of tensors such as tf.where, tf.cond and tf.while_loop, or decorate the function with "
            "tf.function, which turns Python's if and while into them",
            error,
        ) from None
    reader = _Reader(Recording())
    graph = traced.graph
    values = {_key(x): _value(x) for x in graph.inputs}
    reader.recording.inputs = [values[_key(x)] for x in graph.inputs[: len(natives)]]
    places: dict[int, Value] = {}
    for handle, tensor in buffers.items():
        places[handle] = values[_key(tensor)]
        places[handle].memory = object()
    named = {id(x.handle): x for x in graph.variables}
    cells: dict[int, _Variable] = {}
    known: dict[Any, Any] = dict(values)
    for outside, inside in graph.captures:
        if inside.dtype == tf.resource:
            known[_key(inside)] = reader.variable(outside, named, places, cells)
        else:
            known[_key(inside)].constant = outside
    reader.read(graph, known)
    recording = reader.recording
    recording.outputs = [reader.found(known, x) for x in graph.outputs]
    reader.write_buffers(cells.values())
    return recording


class _Reader:
    """Reads the operations of function graphs into a recording."""

    def __init__(self, recording: Recording, *, inner: bool = False, order: int = 0) -> None:
        self.recording = recording
        self.inner = inner
        self.order = order
        self.shaped: dict[Value, Value] = {}  # arrays by shapes that are known when the program runs
        self.packed: dict[Value, list[Any]] = {}  # vectors of which some elements may be known

    def variable(self, handle: Any, named: Any, places: Any, cells: dict[int, _Variable]) -> Any:
        """Return what the handle of a variable stands for: an argument, if it is a buffer, or the variable itself."""
        if id(handle) in cells:
            return cells[id(handle)]
        variable = named.get(id(handle))
        if variable is None:
            return None  # a table or a dataset, which no rule takes
        first = places.get(id(handle))
        value = Value(variable.shape, variable.dtype.name, constant=variable) if first is None else first
        cells[id(handle)] = _Variable(value, variable.name, first)
        return cells[id(handle)]

    def write_buffers(self, cells: Any) -> None:
        """Write the last values of buffers into them, after all calls have read them."""
        outputs = self.recording.outputs
        changed = [cell for cell in cells if cell.first is not None and cell.value is not cell.first]
        firsts = {cell.first for cell in changed}
        for place, value in enumerate(outputs):
            if value in firsts and place < len(outputs) - len(firsts):  # returned as it was before
                outputs[place] = self._copied(value)
        for cell in changed:
            value = self._copied(cell.value) if cell.value in firsts else cell.value
            name = "tensorflow.raw_ops.AssignVariableOp"
            options = {"resource": cell.first, "value": value}
            self.recording.add(Step(tf.raw_ops.AssignVariableOp, name, [], options, cell.first, writes=[cell.first]))

    def _copied(self, value: Value) -> Value:
        made = Value(value.shape, value.dtype)
        self.recording.add(Step(tf.raw_ops.DeepCopy, "tensorflow.raw_ops.DeepCopy", [], {"x": value}, made))
        return made

    def found(self, known: Any, tensor: Any) -> Value:
        """Return the value of a tensor; that of a variable, of its handle."""
        value = known[_key(tensor)]
        found: Value = value.value if type(value) is _Variable else value
        return found

    def read(self, graph: Any, known: dict[Any, Any]) -> None:
        """Read the operations of a graph; `known` maps its inputs to values, and then all of its tensors."""
        for operation in _in_order(graph.get_operations()):
            self.operation(operation, known)

    def operation(self, operation: Any, known: dict[Any, Any]) -> None:
        """Read one operation."""
        kind = operation.type
        if kind == "Placeholder" or kind in _CHECKS:
            return
        if kind in _SAME or (kind == "IdentityN" and not _has_derivative(operation)):
            for taken, made in zip(operation.inputs, operation.outputs, strict=False):
                known[_key(made)] = known[_key(taken)]
        elif kind == "Const":
            known[_key(operation.outputs[0])] = _constant(_const_of(operation))
        elif kind == "ReadVariableOp":
            known[_key(operation.outputs[0])] = self._cell(operation, known).value
        elif kind in ("AssignVariableOp", "AssignAddVariableOp", "AssignSubVariableOp"):
            self._assign(operation, known)
        elif kind in _CALLS or operation.graph._is_function(kind):  # a call by the function's name
            name = operation.get_attr("f").name if kind in _CALLS else kind
            self._inline(operation, name, operation.inputs, known)
        elif kind in ("If", "StatelessIf") and (cond := known[_key(operation.inputs[0])]).literal:
            name = "then_branch" if bool(cond.constant) else "else_branch"
            self._inline(operation, operation.get_attr(name).name, operation.inputs[1:], known)
        elif not self._sizes(operation, known):
            self._call(operation, known)

    def _inline(self, operation: Any, name: str, given: Sequence[Any], known: dict[Any, Any]) -> None:
        """Read the operations of a function in the place of its call."""
        inner = _inner_graph(operation.graph, name)
        inside = {_key(x): known[_key(y)] for x, y in zip(inner.inputs, given, strict=True)}
        self.read(inner, inside)
        for made, result in zip(operation.outputs, inner.outputs, strict=False):  # more, once differentiated
            known[_key(made)] = inside[_key(result)]

    def _cell(self, operation: Any, known: Any) -> _Variable:
        cell = known[_key(operation.inputs[0])]
        if type(cell) is not _Variable:
            raise untraceable(f"{_at(operation)}'{operation.type}' takes something that is no variable of the program")
        return cell

    def _assign(self, operation: Any, known: Any) -> None:
        """Give a variable another value from here on."""
        cell = self._cell(operation, known)
        if cell.first is None:
            why = (
                "inside a condition or a loop"
                if self.inner
                else "which is trainable, or not found among the arrays that the program holds"
            )
            raise untraceable(
                f"{_at(operation)}the program assigns to the variable '{cell.name}' {why}; make it with trainable=False, "
                "assign outside of conditions and loops, or return the new value"
            )
        value = known[_key(operation.inputs[1])]
        if operation.type != "AssignVariableOp":
            kind = "AddV2" if "Add" in operation.type else "Sub"
            made = Value(cell.value.shape, cell.value.dtype)
            options = {"x": cell.value, "y": value}
            self._add(getattr(tf.raw_ops, kind), kind, options, options, made, operation)
            value = made
        cell.value = value

    def _sizes(self, operation: Any, known: Any) -> bool:
        """Compute what depends on shapes alone; return whether that is so."""
        if operation.type == "VariableShape":
            with tf.init_scope():
                shape = tf.constant(list(self._cell(operation, known).value.shape), operation.outputs[0].dtype)
                known[_key(operation.outputs[0])] = _constant(shape)
            return True
        if operation.type not in ("Shape", "ShapeN", "Size", "Rank"):
            return False
        shapes = [x.shape for x in operation.inputs]
        if not all(shape.is_fully_defined() for shape in shapes):
            values = [known[_key(x)] for x in operation.inputs]
            if any("..." in value.shape for value in values):
                return False
            shapes = [tf.TensorShape(value.shape) for value in values]
            if operation.type != "Rank" and not all(shape.is_fully_defined() for shape in shapes):
                return False
        for shape, made in zip(shapes, operation.outputs, strict=True):
            number: Any = shape.as_list()
            if operation.type == "Size":
                number = shape.num_elements()
            elif operation.type == "Rank":
                number = shape.rank
            with tf.init_scope():
                known[_key(made)] = _constant(tf.constant(number, made.dtype))
        return True

    def _call(self, operation: Any, known: dict[Any, Any]) -> None:
        kind = operation.type
        if kind == "IdentityN":
            self._derivative(operation, known)
            return
        inputs = [known[_key(x)] for x in operation.inputs]
        inner = kind.removeprefix("Stateless") in ("If", "While", "Case")
        natives = [x.value if type(x) is _Variable else x for x in inputs]
        function, options = call_of(operation, natives)
        if not inner and self._folded(operation, function, options, known):
            return
        made = [_value(x) for x in operation.outputs]
        known.update(zip(map(_key, operation.outputs), made, strict=True))
        definition = operation.op_def
        lists = [bool(output.number_attr or output.type_list_attr) for output in definition.output_arg]
        results: Any = made if len(made) > 1 or any(lists) else made[0] if made else None
        plain = {
            name: self._plain(name, value, kind) for name, value in options.items() if name not in _WITHOUT_MEANING
        }
        if inner:
            plain = self._with_programs(operation, kind, inputs, plain)
        self._add(function, kind, options, plain, results, operation, effect=definition.is_stateful and not inner)
        _list_dtypes(operation, natives, made)
        for place, tensor in enumerate(operation.outputs):
            if tensor.dtype == tf.resource:  # a variable that a loop hands on
                made[place].dtype, made[place].shape = natives[place].dtype, natives[place].shape
                known[_key(tensor)] = inputs[place]

    def _add(
        self, function: Any, kind: str, options: Any, plain: Any, results: Any, operation: Any, effect: bool = False
    ) -> None:
        if kind in _WITH_NUMBERS:
            plain = _with_numbers(plain)
        if kind == "Shape":
            self.shaped[results] = plain["input"]
        if kind == "Pack" and results.shape == (len(plain["values"]),):
            self.packed[results] = [self._plain("size", value, kind) for value in plain["values"]]
        if kind == "Reshape" and plain["shape"] in self.shaped:
            kind, plain = "ReshapeLike", {"tensor": plain["tensor"], "like": self.shaped[plain["shape"]]}
        step = Operation(function, f"tensorflow.raw_ops.{kind}", [], plain, results, effect=effect)
        step.native_options = options
        step.place, step.module = place_of(operation), operation.name.rpartition("/")[0].replace("/", ".")
        self.recording.add(step)

    def _folded(self, operation: Any, function: Any, options: Any, known: Any) -> bool:
        """Compute an operation of constants, and return whether it was one."""
        if operation.op_def.is_stateful or not operation.outputs or not operation.inputs:
            return False
        values = [x for x in _flat(options) if type(x) is Value]
        sizes = [x.shape.num_elements() for x in operation.outputs]
        if not all(x.literal and x.constant is not None for x in values) or any(
            (size or 0) > _FOLDED for size in sizes
        ):
            return False
        if any(x.dtype in (tf.variant, tf.resource, tf.string) for x in operation.outputs):
            return False
        results = computed(function, options)
        for made, result in zip(operation.outputs, results, strict=True):
            known[_key(made)] = _constant(result)
        return True

    def _plain(self, name: str, value: Any, kind: str) -> Any:
        """Write an operand or attribute in plain words."""
        if type(value) is Value:
            if name in ("begin", "end") and value in self.packed:
                return list(self.packed[value])
            static = name in _STATIC or (kind == "Range" and value.shape == ())
            if static and value.literal and value.constant is not None:
                found = value.constant.numpy().tolist()
                return tuple(found) if isinstance(found, list) else found
            return value
        if isinstance(value, (list, tuple)):
            return [self._plain(name, item, kind) for item in value]
        if isinstance(value, tf.DType):
            return getattr(ca, value.name, value.name)
        if isinstance(value, tf.TensorShape):
            return None if value.rank is None else tuple(value.as_list())
        if hasattr(value, "SerializeToString"):
            shape = tf.TensorShape(value)
            return None if shape.rank is None else tuple(shape.as_list())
        return value.decode() if isinstance(value, bytes) else value

    def _with_programs(self, operation: Any, kind: str, inputs: Sequence[Any], plain: dict[str, Any]) -> dict[str, Any]:
        """Put recordings in place of the names of branches, conditions and bodies, and count loops that can be counted."""
        kept = {name: plain[name] for name in ("cond", "branch_index", "input") if name in plain}
        if kind.endswith("While"):
            cond, body = (self._program(operation, operation.get_attr(name).name, inputs) for name in ("cond", "body"))
            plain = {"input": kept["input"], "cond": cond, "body": body}
            times = rounds(inputs[: len(body.outputs)], cond, body)
            return plain if times is None else plain | {"times": times}
        operands = list(kept["input"])
        given = inputs[len(inputs) - len(operands) :]
        if kind.endswith("If"):
            names = ("then_branch", "else_branch")
            return kept | {name: self._program(operation, operation.get_attr(name).name, given) for name in names}
        branches = [self._program(operation, function.name, given) for function in operation.get_attr("branches")]
        return kept | {"branches": branches}

    def _program(self, operation: Any, name: str, inputs: Sequence[Any]) -> Recording:
        """Return an inner program, whose variables are arguments."""
        graph = _inner_graph(operation.graph, name)
        reader = _Reader(Recording(), inner=True, order=self.order)
        known: dict[Any, Any] = {}
        for tensor, outer in zip(graph.inputs, inputs, strict=True):
            if type(outer) is _Variable:
                value = Value(outer.value.shape, outer.value.dtype)
                known[_key(tensor)] = _Variable(value, outer.name)
            else:
                value = known[_key(tensor)] = _value(tensor)
                if tensor.dtype == tf.variant:
                    value.dtype = outer.dtype
            reader.recording.inputs.append(value)
        reader.read(graph, known)
        reader.recording.outputs = [reader.found(known, x) for x in graph.outputs]
        reader.recording.steps = needed_steps(reader.recording)
        return reader.recording

    def _derivative(self, operation: Any, known: dict[Any, Any]) -> None:
        """Read the results of `tf.custom_gradient` with the program of their derivative, if its order is recorded."""
        if self.order == _ORDERS:
            inputs = [self.found(known, x) for x in operation.inputs]
            made = [_value(x) for x in operation.outputs]
            known.update(zip(map(_key, operation.outputs), made, strict=True))
            options = {"results": inputs, "arguments": [], "kept": [], "gradient": None, "again": None, "others": []}
            self._add_derivative(operation, options, made)
            return
        graph = operation.graph
        before = set(graph.get_operations())
        with graph.as_default():
            slopes = [tf.compat.v1.placeholder(x.dtype, x.shape) for x in operation.outputs]
            found = list(ops.get_gradient_function(operation)(operation, *slopes))
            found = [None if x is None else tf.convert_to_tensor(x) for x in found]
        added = [one for one in graph.get_operations() if one not in before]
        count = next((place for place, x in enumerate(found) if x is not None), len(found))
        reader = _Reader(Recording(), inner=True, order=self.order + 1)
        inside = dict(known)
        values = [_value(x) for x in slopes]
        inside.update(zip(map(_key, slopes), values, strict=True))
        for one in added:
            reader.operation(one, inside)
        recording = reader.recording
        recording.outputs = [reader.found(inside, x) for x in found[count:] if x is not None]
        recording.steps = needed_steps(recording)
        made_within = {value for step in recording.steps for value in step.outputs} | set(values)
        taken = [value for step in recording.steps for value in step.inputs] + recording.outputs
        kept = [x for x in dict.fromkeys(taken) if x not in made_within and x.constant is None]
        recording.inputs = [*kept, *values[:count]]
        inputs = [self.found(known, x) for x in operation.inputs]
        made = [_value(x) for x in operation.outputs[:count]]
        known.update(zip(map(_key, operation.outputs[:count]), made, strict=True))
        known.update({_key(x): y for x, y in zip(operation.outputs[count:], inputs[count:], strict=True)})
        arguments = [x for x, slope in zip(inputs[count:], found[count:], strict=True) if slope is not None]
        again = self._again(arguments, kept)
        options = {
            "results": inputs[:count],
            "arguments": arguments,
            "kept": kept,
            "gradient": recording,
            "again": again,
            "others": again.inputs[len(arguments) :],
        }
        self._add_derivative(operation, options, made)

    def _again(self, arguments: Sequence[Value], kept: Sequence[Value]) -> Recording:
        """Return a program that computes values from `arguments` again, and takes others that do not depend on these."""
        made = Recording()
        given = set(arguments)
        depending = set(arguments)
        for step in self.recording.steps:
            if not step.effect and not depending.isdisjoint(step.inputs) and given.isdisjoint(step.outputs):
                depending.update(step.outputs)
                made.steps.append(step)
        made.outputs = list(kept)
        made.steps = needed_steps(made)
        within = {value for step in made.steps for value in step.outputs}
        taken = [value for step in made.steps for value in step.inputs] + made.outputs
        others = [x for x in dict.fromkeys(taken) if x not in within and x not in given and x.constant is None]
        made.inputs = [*arguments, *others]
        return made

    def _add_derivative(self, operation: Any, options: dict[str, Any], made: list[Value]) -> None:
        step = Step(tf.identity_n, "tensorflow.custom_gradient", [], options, made)
        step.place, step.module = place_of(operation), operation.name.rpartition("/")[0].replace("/", ".")
        self.recording.add(step)


def _with_numbers(options: dict[str, Any]) -> dict[str, Any]:
    """Put Python numbers in place of literals whose dtype another operand has too."""
    arrays = [name for name, x in options.items() if type(x) is Value]
    numbers = [name for name in arrays if options[name].literal and options[name].shape == ()]
    known = {options[name].dtype for name in arrays if name not in numbers}
    plain = dict(options)
    for name in numbers:
        if options[name].dtype in known and options[name].constant is not None:
            plain[name] = options[name].constant.numpy().item()
    return plain


def _list_dtypes(operation: Any, inputs: Sequence[Any], made: Sequence[Value]) -> None:
    """Give lists of tensors the dtype of their elements."""
    lists = [x.dtype for x, tensor in zip(inputs, operation.inputs, strict=True) if tensor.dtype == tf.variant]
    attributes = {attribute.name for attribute in operation.op_def.attr}
    for place, (value, tensor) in enumerate(zip(made, operation.outputs, strict=True)):
        if tensor.dtype != tf.variant:
            continue
        if "element_dtype" in attributes:
            value.dtype = operation.get_attr("element_dtype").name
        elif operation.type.endswith("While"):
            value.dtype = inputs[place].dtype
        elif lists:
            value.dtype = lists[0]


def _flat(options: dict[str, Any]) -> list[Any]:
    return [x for value in options.values() for x in (value if isinstance(value, list) else [value])]


def _constant(tensor: Any) -> Value:
    value = Value(tensor.shape, tensor.dtype.name, constant=tensor)
    value.literal = True
    return value


def _const_of(operation: Any) -> Any:
    with tf.init_scope():
        return tf.constant(tf.make_ndarray(operation.get_attr("value")), operation.outputs[0].dtype)


def _value(tensor: Any) -> Value:
    shape = tensor.shape
    return Value(shape if shape.rank is not None else ("...",), tensor.dtype.name)


def _key(tensor: Any) -> Any:
    return tensor.ref()


def _inner_graph(graph: Any, name: str) -> Any:
    """Return the graph of a function within another graph."""
    function = graph._get_function(name)
    inner = getattr(function, "graph", None)
    if inner is not None:
        return inner
    with graph.as_default():  # where the functions that this one calls are found
        return function_def_to_graph.function_def_to_graph(function.cached_definition, include_library_functions=True)


def _in_order(operations: Sequence[Any]) -> list[Any]:
    """Return operations in their order, but behind those whose results they take.

    A loop that has been differentiated takes lists that were added to its graph later.
    """
    found: dict[Any, None] = {}
    for last in operations:
        waiting = [last]
        while waiting:
            operation = waiting[-1]
            before = [x.op for x in operation.inputs if x.op not in found and x.op not in waiting]
            waiting += before
            if not before:
                found[waiting.pop()] = None
    return list(found)


def _has_derivative(operation: Any) -> bool:
    """Whether `tf.custom_gradient` made an operation, other than for `tf.nn.silu`."""
    if "_gradient_op_type" not in operation.node_def.attr:
        return False
    frames = [frame.filename for frame in operation.traceback or ()]
    last = max((place for place, file in enumerate(frames) if file.endswith("custom_gradient.py")), default=0)
    while last and frames[last].endswith("custom_gradient.py"):
        last -= 1
    return not (frames and frames[last].endswith(_OF_SILU))


#: The file of `tf.nn.silu`, whose own derivative saves memory and is that of its steps.
_OF_SILU = os.path.join("python", "ops", "nn_impl.py")  # noqa: PTH118 - text, compared with that of a frame


def place_of(operation: Any) -> str:
    """Return the user's file and line that an operation comes from."""
    folders = _libraries()
    for frame in reversed(operation.traceback or ()):
        file = frame.filename
        if not file.startswith((*folders, "<")):
            return f"{file}:{frame.lineno}"
    return ""


def _at(operation: Any) -> str:
    place = place_of(operation)
    return f"{place}: " if place else ""


def _libraries() -> list[str]:
    """Return the folders whose lines are not the user's."""
    modules = [sys.modules.get(name) for name in ("corearray", "keras", "tensorflow", "os", __name__)]
    return [os.path.join(os.path.dirname(module.__file__ or ""), "") for module in modules if module is not None]  # noqa: PTH118, PTH120
