"""TensorFlow's own functions called with corearray's arrays: they return such arrays.

TensorFlow asks a class for a tensor (`__tf_tensor__`), and asks dispatchers what to do where that is refused. So the
conversion is refused while a function of TensorFlow runs that a dispatcher can call again: with tensors in the place
of arrays, and an array made of what it returns. Nothing is asked of calls on tensors alone.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import tensorflow as tf

from corearray.plugin import called_on_natives, leaves, natives_of

__all__ = ["Dispatcher", "tensor_of"]

#: Functions whose purpose is a tensor.
_CONVERSIONS = frozenset(
    ("convert_to_tensor", "convert_to_tensor_v2", "convert_to_tensor_v2_with_dispatch", "constant")
)

#: Comparisons, and those of the operands in the other order.
_COMPARISONS = {
    "less": (operator.lt, operator.gt), "less_equal": (operator.le, operator.ge), "greater": (operator.gt, operator.lt),
    "greater_equal": (operator.ge, operator.le), "tensor_equals": (operator.eq, operator.eq),
    "tensor_not_equals": (operator.ne, operator.ne),
}  # fmt: skip


#: The module that calls functions of users and converts their results, for `tf.py_function`.
_OF_USERS = "tensorflow.python.ops.script_ops"


def tensor_of(array: Any, dtype: Any = None, name: Any = None) -> Any:
    """Return the tensor of an array, where no operator and no function of TensorFlow is called that gives an array back."""
    frame = _outermost(sys._getframe(1))
    if frame is not None and _target(frame) not in _CONVERSIONS and _takes(frame, type(array)) and not _internal(frame):
        raise TypeError("an array of corearray, of which the dispatcher takes the tensor")
    native = array._native
    if dtype is not None and native.dtype != dtype and isinstance(native, tf.Tensor):
        native = tf.cast(native, dtype)  # asked for by the user: TensorFlow casts NumPy's arrays there too
    return tf.convert_to_tensor(native, dtype, name=name)


class Dispatcher(tf.__internal__.dispatch.GlobalOpDispatcher):
    """Calls a function of TensorFlow with the tensors of arrays, after it has refused the arrays."""

    def __init__(self, array_class: Any) -> None:
        self._array_class = array_class

    def handle(self, op: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """Call the function that the user called; within it others are left to fail."""
        given = leaves((list(args), dict(kwargs)))
        if not any(isinstance(x, self._array_class) for x in given):
            return self.NOT_SUPPORTED
        frame = sys._getframe(2)
        if frame.f_back is not None and _outermost(frame.f_back) is not None:
            return self.NOT_SUPPORTED
        compare = _COMPARISONS.get(op.__name__)
        if compare is not None:  # which the library promotes
            one, other = [*args, *kwargs.values()][:2]
            direct, mirrored = compare
            return direct(one, other) if isinstance(one, self._array_class) else mirrored(other, one)
        natives = natives_of([list(args), dict(kwargs)], self._array_class)
        if any(isinstance(x, self._array_class) for x in leaves(tuple(natives))):  # in a structure of another kind
            return self.NOT_SUPPORTED
        return called_on_natives(op, args, kwargs, self._array_class)


def _target(frame: FrameType) -> str:
    """Return the name of the function that is called."""
    target = frame.f_locals.get("dispatch_target")
    return frame.f_code.co_name if target is None else str(getattr(target, "__name__", ""))


def _takes(frame: FrameType, array_class: type) -> bool:
    """Return false if a dispatched function was given no array, and meets one that a function of the user's returned."""
    given = frame.f_locals
    return "dispatch_target" not in given or any(
        isinstance(x, array_class) for x in leaves((list(given["args"]), dict(given["kwargs"])))
    )


#: Modules between a program and the function that it calls: decorators of functions, AutoGraph, operators.
_BETWEEN = (
    "tensorflow.python.util.", "tensorflow.python.autograph.", "tensorflow.python.ops.weak_tensor_ops",
    "tensorflow.python.ops.tensor_math_operator_overrides",
)  # fmt: skip


def _internal(frame: FrameType) -> bool:
    """Return true if TensorFlow's own code calls the dispatched function, which goes on with a tensor."""
    caller = frame.f_back
    while caller is not None and (name := caller.f_globals.get("__name__", "")).startswith(_BETWEEN):
        caller = caller.f_back
    return caller is not None and name.startswith("tensorflow.") and name != _OF_USERS


def _outermost(frame: FrameType | None) -> FrameType | None:
    """Return the frame of the dispatched function or operator that the user's code called; `None` if there is none."""
    found = None
    while frame is not None and frame.f_globals.get("__name__", "").startswith("tensorflow."):
        name, module = frame.f_code.co_name, frame.f_globals["__name__"]
        if module == _OF_USERS:
            break
        if name in ("op_dispatch_handler", "binary_op_wrapper") or ".gen_" in module:
            found = frame
        frame = frame.f_back
    return found
