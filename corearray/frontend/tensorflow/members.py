"""Members of TensorFlow's namespace that are no rules: classes, dtypes, errors, and functions of functions."""

from __future__ import annotations

import inspect
import logging
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from enum import Enum
from functools import partial
from typing import Any

import corearray as ca
from corearray.frontend.tensorflow.checks import FUNCTIONS as CHECKS
from corearray.frontend.tensorflow.control_flow import FUNCTIONS as CONTROL_FLOW
from corearray.frontend.tensorflow.data_types import NAMED, DType, named
from corearray.frontend.tensorflow.exceptions import ERRORS, UnimplementedError
from corearray.frontend.tensorflow.gradient_tape import GradientTape
from corearray.frontend.tensorflow.initializers import classes
from corearray.frontend.tensorflow.module import Module
from corearray.frontend.tensorflow.nests import FUNCTIONS as NESTS
from corearray.frontend.tensorflow.ragged_construction import FUNCTIONS as RAGGED
from corearray.frontend.tensorflow.ragged_tensor import RaggedTensor, RaggedTensorSpec
from corearray.frontend.tensorflow.tensor_array import TensorArray
from corearray.frontend.tensorflow.tensor_shape import TensorShape
from corearray.frontend.tensorflow.traced_function import FUNCTIONS as TRACED
from corearray.frontend.tensorflow.variable import Variable
from corearray.frontend.tensorflow.wrapper import Operand, Tensor

__all__ = ["ResizeMethod", "TensorSpec", "UnconnectedGradients", "members"]


class UnconnectedGradients(Enum):
    """The gradient by a source that the target does not depend on: `None` or zeros."""

    NONE = "none"
    ZERO = "zero"


class ResizeMethod:
    """The names of the methods of `tf.image.resize`."""

    AREA, BICUBIC, BILINEAR, GAUSSIAN = "area", "bicubic", "bilinear", "gaussian"
    LANCZOS3, LANCZOS5, MITCHELLCUBIC, NEAREST_NEIGHBOR = "lanczos3", "lanczos5", "mitchellcubic", "nearest"


class TensorSpec:
    """The shape and the dtype of a tensor; sizes may be unknown."""

    def __init__(self, shape: Any, dtype: Any = NAMED["float32"], name: str | None = None) -> None:
        self.shape = TensorShape(shape)
        self.dtype = named(dtype)
        self.name = name

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> TensorSpec:
        """Return the specification of a tensor."""
        return cls(tensor.shape, tensor.dtype, name)

    def is_compatible_with(self, other: Any) -> bool:
        """Return true if a tensor, or each tensor of another specification, has this shape and dtype."""
        return self.dtype == other.dtype and self.shape.is_compatible_with(other.shape)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorSpec) and (self.shape, self.dtype) == (other.shape, other.dtype)

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype))

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r})"


class _Scope:
    """A block that has no effect here, such as `tf.name_scope`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> str:
        return self.name

    def __exit__(self, *_: object) -> None:
        return None


def _print(
    tf: Any,
    *inputs: Any,
    output_stream: Any = None,
    summarize: Any = 3,
    sep: str = " ",
    end: str = "\n",
    name: Any = None,
) -> None:
    """Print tensors and texts, by default to the standard error; tensors look as NumPy prints them.

    Raises
    ------
    UnimplementedError
        If `output_stream` is the name of a level of logs or of a file.
    """
    if isinstance(output_stream, str):
        raise UnimplementedError(f"output_stream is sys.stdout or sys.stderr here, got {output_stream!r}")
    parts = [
        str(ca.to_numpy(x.array))
        if isinstance(x, Operand)
        else str(x.to_list())
        if isinstance(x, RaggedTensor)
        else str(x)
        for x in inputs
    ]
    print(*parts, sep=sep, end=end, file=sys.stderr if output_stream is None else output_stream)


def _static(tf: Any, tensor: Any, partial: bool = False) -> Any:
    """Return the elements of a tensor."""
    return tensor.numpy() if isinstance(tensor, Operand) else tensor


def _group(tf: Any, *inputs: Any, **options: Any) -> None:
    """Return nothing: the calls were made."""


def _tuple(tf: Any, tensors: Any, control_inputs: Any = None, name: Any = None) -> Any:
    """Return tensors as they are."""
    return list(tensors)


def _executing_eagerly(tf: Any) -> bool:
    """Return true: calls are made at once."""
    return True


def _is_tensor(tf: Any, x: Any) -> bool:
    """Return true for tensors, variables and ragged tensors."""
    return isinstance(x, (Operand, RaggedTensor))


def _is_symbolic(tf: Any, tensor: Any) -> bool:
    """Return false: tensors hold elements."""
    return False


def _timestamp(tf: Any, name: Any = None) -> Any:
    """Return the seconds since 1970."""
    return tf.convert_to_tensor(time.time(), tf.float64)


def _logger(tf: Any) -> Any:
    """Return the logger of TensorFlow's name."""
    return logging.getLogger("tensorflow")


def _no_op(tf: Any, name: Any = None) -> None:
    """Return nothing."""


def _inside_function(tf: Any) -> bool:
    """Return false: nothing is traced."""
    return False


def _device(tf: Any, device_name: Any) -> Any:
    """Return a block that has no effect; `corearray.settings(device=...)` sets the device."""
    return nullcontext()


def _control_dependencies(tf: Any, control_inputs: Any) -> Any:
    """Return a block that has no effect: calls run in the order in which they are written."""
    return nullcontext()


def _init_scope(tf: Any) -> Any:
    """Return a block that has no effect."""
    return nullcontext()


def _numpy_function(
    tf: Any, func: Any = None, inp: Any = None, Tout: Any = None, stateful: bool = True, name: Any = None
) -> Any:
    """Call a function of NumPy's arrays."""
    made = _with_dtypes(tf, func(*(ca.to_numpy(tf.convert_to_tensor(x).array) for x in inp)), Tout)
    return made[0] if isinstance(made, list) and len(made) == 1 else made


def _py_function(tf: Any, func: Any = None, inp: Any = None, Tout: Any = None, name: Any = None) -> Any:
    """Call a function of tensors."""
    return _with_dtypes(tf, func(*(tf.convert_to_tensor(x) for x in inp)), Tout)


def _with_dtypes(tf: Any, made: Any, dtypes: Any) -> Any:
    """Return the results of a function of Python as tensors: one dtype stands for one result, a list for a list."""
    if isinstance(dtypes, (list, tuple)):
        several = made if isinstance(made, (list, tuple)) else [made]
        return [tf.convert_to_tensor(x, dtype) for x, dtype in zip(several, dtypes, strict=True)]
    return tf.convert_to_tensor(made, dtypes)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "print": _print, "get_static_value": _static, "group": _group, "tuple": _tuple, "executing_eagerly": _executing_eagerly,
    "is_tensor": _is_tensor, "no_op": _no_op, "inside_function": _inside_function, "device": _device,
    "control_dependencies": _control_dependencies, "init_scope": _init_scope, "numpy_function": _numpy_function,
    "py_function": _py_function, "is_symbolic_tensor": _is_symbolic, "timestamp": _timestamp, "get_logger": _logger,
}  # fmt: skip


def members(frontend: Any) -> Mapping[str, Any]:
    """Return the members of one frontend; each has classes of its own, with the functions of its version."""
    held = {"_frontend": frontend, "__module__": "corearray.frontend.tensorflow"}
    found: dict[str, Any] = {
        "Tensor": type("Tensor", (Tensor,), {"__slots__": (), **held}),
        "Variable": type("Variable", (Variable,), {"__slots__": (), **held}),
        "GradientTape": type("GradientTape", (GradientTape,), held),
        "TensorArray": type("TensorArray", (TensorArray,), held),
        "RaggedTensor": type("RaggedTensor", (RaggedTensor,), held),
        "RaggedTensorSpec": RaggedTensorSpec,
        "Module": type("Module", (Module,), held),
        "TensorShape": TensorShape,
        "TensorSpec": TensorSpec,
        "DType": DType,
        "dtypes.DType": DType,
        "as_dtype": named,
        "dtypes.as_dtype": named,
        "image.ResizeMethod": ResizeMethod,
        "UnconnectedGradients": UnconnectedGradients,
        "name_scope": _Scope,
        "newaxis": None,
        "__version__": frontend.version,
        "version.VERSION": frontend.version,
        "bool": NAMED["bool"],
        **{f"dtypes.{name}": dtype for name, dtype in NAMED.items()},
        **{f"errors.{name}": kind for name, kind in ERRORS.items()},
    }
    frontend._members = found
    for functions in (_FUNCTIONS, CONTROL_FLOW, CHECKS, NESTS, RAGGED, TRACED):
        found |= {name: _bound(made, frontend, name) for name, made in functions.items()}
    found |= classes(frontend)
    return found


def _bound(made: Any, frontend: Any, name: str) -> Callable[..., Any]:
    called: Any = partial(made, frontend)

    def public(*args: Any, **options: Any) -> Any:
        return called(*args, **options)

    public.__name__ = public.__qualname__ = name.rpartition(".")[2]
    public.__module__ = "tensorflow"
    public.__doc__ = made.__doc__
    parameters = list(inspect.signature(made).parameters.values())[1:]
    public.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return public
