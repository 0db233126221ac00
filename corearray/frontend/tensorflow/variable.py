"""`Variable`: a mutable holder of a tensor."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.errors import CoreArrayValueError
from corearray.frontend.tensorflow.conversion import tensor
from corearray.frontend.tensorflow.data_types import dtype_of
from corearray.frontend.tensorflow.record import reads
from corearray.frontend.tensorflow.tensor_shape import TensorShape
from corearray.frontend.tensorflow.wrapper import Operand, Tensor

__all__ = ["Variable"]


class Variable(Operand):
    """A mutable holder of a tensor; tapes watch it unless `trainable` is false.

    Parameters
    ----------
    initial_value
        A tensor, a number, nested lists, or a function without parameters that returns one.
    trainable
        Whether tapes watch the variable when it is read.
    name
        Its name.
    dtype
        Its dtype; by default that of the value.
    shape
        The shapes that may be assigned, as a `TensorShape` with unknown sizes; by default that of the value.

    Examples
    --------
    >>> import corearray.frontend.tensorflow as tf
    >>> v = tf.Variable([1.0, 2.0], name="weights")
    >>> v.assign_add([1.0, 1.0])
    <tf.Variable 'weights:0' shape=(2,) dtype=float32, numpy=array([2., 3.], dtype=float32)>
    """

    __slots__ = ("__weakref__", "_allowed", "_array", "_name", "constraint", "trainable")

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        import_scope: Any = None,
        constraint: Any = None,
        synchronization: Any = None,
        aggregation: Any = None,
        shape: Any = None,
        experimental_enable_variable_lifting: bool = True,
    ) -> None:
        if initial_value is None:
            raise CoreArrayValueError("a Variable needs an initial_value, a tensor or a function that returns one")
        value = initial_value() if callable(initial_value) else initial_value
        array = value.array if isinstance(value, Operand) else value
        self._array = ca.asarray(tensor(array, dtype=dtype_of(dtype)), copy=True)
        self.trainable = trainable is None or bool(trainable)
        self.constraint = constraint
        self._name = name or "Variable"
        self._allowed = TensorShape(self.array.shape if shape is None else shape)
        self._allowed.assert_is_compatible_with(self.array.shape)

    @property
    def array(self) -> ca.Array:
        """The array of the current value."""
        met = reads.get()
        if met is not None:
            met[id(self)] = self
        return self._array

    @array.setter
    def array(self, array: ca.Array) -> None:
        self._array = array

    @property
    def name(self) -> str:
        """The name with the number of the output, as in TensorFlow."""
        return f"{self._name}:0"

    @classmethod
    def _made(cls, array: ca.Array) -> Any:
        """Return a tensor: a function is differentiated by the array of a variable."""
        return cls._frontend.Tensor(array)

    @property
    def shape(self) -> TensorShape:
        """The shape; unknown sizes where other shapes may be assigned."""
        return self._allowed

    def value(self) -> Tensor:
        """Return the current value; later assignments do not change it."""
        found: Tensor = type(self)._frontend.Tensor(self.array)
        found._variable = self
        return found

    def read_value(self) -> Any:
        """Return the current value as a tensor, through which gradients flow to the variable."""
        return self._function("identity")(self)

    def initialized_value(self) -> Any:
        """Return the current value."""
        return self.read_value()

    def assign(self, value: Any, use_locking: bool = False, name: Any = None, read_value: bool = True) -> Variable:
        """Hold another value from now on.

        Raises
        ------
        ValueError
            If its shape or dtype is another one.
        """
        return self._hold(self._of(value))

    def assign_add(self, delta: Any, use_locking: bool = False, name: Any = None, read_value: bool = True) -> Variable:
        """Add a value."""
        return self._hold(self.array + self._of(delta))

    def assign_sub(self, delta: Any, use_locking: bool = False, name: Any = None, read_value: bool = True) -> Variable:
        """Subtract a value."""
        return self._hold(self.array - self._of(delta))

    def scatter_nd_update(self, indices: Any, updates: Any, name: Any = None) -> Variable:
        """Replace elements or rows at places."""
        return self._hold(self._function("tensor_scatter_nd_update")(self, indices, updates).array)

    def scatter_nd_add(self, indices: Any, updates: Any, name: Any = None) -> Variable:
        """Add to elements or rows at places."""
        return self._hold(self._function("tensor_scatter_nd_add")(self, indices, updates).array)

    def scatter_nd_sub(self, indices: Any, updates: Any, name: Any = None) -> Variable:
        """Subtract from elements or rows at places."""
        return self._hold(self._function("tensor_scatter_nd_sub")(self, indices, updates).array)

    def _of(self, value: Any) -> ca.Array:
        return tensor(value.array if isinstance(value, Operand) else value, dtype=self.array.dtype)

    def _hold(self, array: ca.Array) -> Variable:
        if not self._allowed.is_compatible_with(array.shape):
            raise CoreArrayValueError(
                f"Cannot assign value to variable '{self.name}': Shape mismatch. The variable shape {self._allowed}, and the "
                f"assigned value shape {tuple(array.shape)} are incompatible."
            )
        self.array = ca.asarray(array, copy=True)
        return self

    def __repr__(self) -> str:
        return f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}, numpy={self._text()}>"
