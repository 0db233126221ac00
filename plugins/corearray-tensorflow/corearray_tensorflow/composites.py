"""Arrays within structures of tensors: in `tf.nest`, loops, gradients, datasets and the types of `tf.function`.

TensorFlow has two ways for a class of tensors to be part of structures. A node of `tf.nest` (`__tf_flatten__`) never equals
a tensor, so that a loop over tensors refuses a function that returns arrays. A composite tensor is a leaf for
`tf.map_fn`, `tf.scan` and eager loops, and is expanded into its tensor where a graph is built. So an array is a composite.
"""

from __future__ import annotations

import sys
from functools import partial
from operator import attrgetter
from typing import Any

import tensorflow as tf

from corearray_tensorflow.protocols import tensor_of

__all__ = ["register_composite"]

#: The function of graphs' loops that compares what a body returned with the variables, and again after a conversion.
_COMPARING = ("tensorflow.python.ops.while_v2", "wrapped_body")

#: The module of AutoGraph's loops, which compares the variables of a loop with structures that hold `None`.
_AUTOGRAPH = "tensorflow.python.autograph.operators.control_flow"

#: Modules whose structures hold tensors alone: functions over rows, and datasets, whose types Keras serialises.
_OF_ROWS = ("tensorflow.python.data.", "tensorflow.python.ops.map_fn", "tensorflow.python.ops.parallel_for.")

#: Modules between a function and the conversion that it asks for.
_CONVERTING = ("tensorflow.python.util.", "tensorflow.python.framework.composite_tensor")


def register_composite(array_class: Any) -> None:
    """Make a class of arrays a composite of one tensor."""
    spec = type("ArraySpec", (ArraySpec,), {"__slots__": (), "__module__": __name__, "array_class": array_class})
    members = {
        "_type_spec": property(partial(_spec_of, spec)),
        "_shape_invariant_to_type_spec": lambda self, shape: spec(tf.TensorSpec(shape, self.native.dtype)),
        "_convert_variables_to_tensors": _converted,
        "__composite_gradient__": ArrayGradient(),
        "__tf_tensor__": tensor_of,
        "__tf_tracing_type__": lambda self, context: spec(self.native.__tf_tracing_type__(context)),
        "_id": property(attrgetter("native._id")),
    }
    for name in ("shape", "dtype"):
        members[name] = _of_caller(getattr(array_class, name), name)
    for name, member in members.items():
        setattr(array_class, name, member)
    tf.__internal__.CompositeTensor.register(array_class)


def _of_caller(own: property, name: str) -> property:
    """Return a property that gives TensorFlow's own code the shape or dtype of the tensor, and all others the array's."""
    of_array, of_tensor, frame = own.fget, attrgetter(f"native.{name}"), sys._getframe
    assert of_array is not None

    def found(array: Any) -> Any:
        caller = frame(1).f_globals.get("__name__")
        return of_tensor(array) if caller and caller[:11] == "tensorflow." else of_array(array)

    return property(found, doc=own.__doc__)


class ArraySpec(tf.TypeSpec):
    """The type of an array, made of the type of its tensor; each class of arrays has a subclass."""

    __slots__ = ("component",)

    array_class: Any

    def __init__(self, component: Any) -> None:
        self.component = component

    @property
    def value_type(self) -> Any:
        return self.array_class

    def _serialize(self) -> Any:
        return (self.component,)

    @property
    def _component_specs(self) -> Any:
        return self.component

    def _to_components(self, value: Any) -> Any:
        return value.native

    def _from_components(self, components: Any) -> Any:
        if isinstance(components, tf.IndexedSlices):
            components = tf.convert_to_tensor(components)
        if isinstance(components, (tf.Tensor, tf.Variable)):
            return self.array_class._backend.wrap(components)
        if components is None and _called_by(_AUTOGRAPH):  # where it knows no shape
            made = self.array_class()
            made._native = None
            return made
        return components


class RowSpec(tf.TensorSpec):
    """The type of the tensor of an array, for functions that return arrays where tensors are stacked."""

    __slots__ = ()

    def _to_components(self, value: Any) -> Any:
        return getattr(value, "native", value)


class ArrayGradient:
    """TensorFlow's protocol for gradients by an array: they are taken by its tensor, and become an array."""

    def get_gradient_components(self, value: Any) -> Any:
        return value.native

    def replace_gradient_components(self, value: Any, component_grads: Any) -> Any:
        return None if component_grads is None else value._type_spec._from_components(component_grads)


def _spec_of(spec: type[ArraySpec], array: Any) -> Any:
    native = array.native
    if _called_by(*_OF_ROWS):
        return RowSpec(native.shape, native.dtype)
    return spec(tf.TensorSpec(native.shape, native.dtype))


def _converted(array: Any) -> Any:
    """Return the tensor of an array, where a loop over tensors compares what its body returned, and in `tf.map_fn`."""
    frame = sys._getframe(1)
    while frame.f_globals.get("__name__", "").startswith(_CONVERTING) and frame.f_back is not None:
        frame = frame.f_back
    compares = (frame.f_globals.get("__name__", ""), frame.f_code.co_name) == _COMPARING
    return array.native if compares or _called_by(*_OF_ROWS) else array


def _called_by(*modules: str) -> bool:
    """Return true if a function of one of TensorFlow's modules calls, before any of another owner."""
    frame: Any = sys._getframe(2)
    while frame is not None and (name := frame.f_globals.get("__name__", "")).startswith("tensorflow."):
        if name.startswith(modules):
            return True
        frame = frame.f_back
    return False
