"""`TensorArray`: a list of tensors, which loops fill."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from corearray.errors import CoreArrayValueError
from corearray.frontend.tensorflow.data_types import DType, named
from corearray.frontend.tensorflow.exceptions import OutOfRangeError
from corearray.frontend.tensorflow.tensor_shape import TensorShape

if TYPE_CHECKING:
    from corearray.frontend.frontend import Frontend

__all__ = ["TensorArray"]


class TensorArray:
    """A list of tensors of one dtype; `write` returns the list with another element.

    Examples
    --------
    >>> import corearray.frontend.tensorflow as tf
    >>> values = tf.TensorArray(tf.float32, size=2)
    >>> for i in range(2):
    ...     values = values.write(i, float(i))
    >>> values.stack()
    <tf.Tensor: shape=(2,), dtype=float32, numpy=array([0., 1.], dtype=float32)>
    """

    _frontend: ClassVar[Frontend]

    def __init__(
        self,
        dtype: Any,
        size: Any = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: Any = None,
        flow: Any = None,
        infer_shape: bool = True,
        element_shape: Any = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ) -> None:
        self._dtype = named(dtype)
        self._dynamic = bool(dynamic_size)
        self._shape = TensorShape(element_shape)
        self._infers = infer_shape
        self._parts: list[Any] = [None] * (0 if size is None else int(size))

    @property
    def dtype(self) -> DType:
        """The dtype of the elements."""
        return self._dtype

    @property
    def dynamic_size(self) -> bool:
        """True if writes behind the end make the list longer."""
        return self._dynamic

    @property
    def element_shape(self) -> TensorShape:
        """The shape of the elements; sizes may be unknown."""
        return self._shape

    def size(self, name: Any = None) -> Any:
        """Return the number of elements."""
        return self._frontend.constant(len(self._parts))

    def read(self, index: Any, name: Any = None) -> Any:
        """Return an element; zeros if none was written."""
        place = int(index)
        if not 0 <= place < len(self._parts):
            raise OutOfRangeError(f"Tried to read from index {place} but array size is: {len(self._parts)}")
        found = self._parts[place]
        return self._zeros() if found is None else found

    def write(self, index: Any, value: Any, name: Any = None) -> TensorArray:
        """Return the list with another element at a place."""
        place = int(index)
        if place < 0 or (place >= len(self._parts) and not self._dynamic):
            raise OutOfRangeError(
                f"Tried to write to index {place} but array is not resizeable and size is: {len(self._parts)}"
            )
        element = self._frontend.convert_to_tensor(value, self._dtype)
        merged = self._shape.merge_with(element.shape)
        if self._infers:
            self._shape = merged
        made = self._with([*self._parts, *[None] * (place + 1 - len(self._parts))])
        made._parts[place] = element
        return made

    def stack(self, name: Any = None) -> Any:
        """Return the elements along a new first axis."""
        return self._frontend.stack([self._zeros() if x is None else x for x in self._parts])

    def concat(self, name: Any = None) -> Any:
        """Return the rows of all elements."""
        return self._frontend.concat([self._zeros() if x is None else x for x in self._parts], 0)

    def gather(self, indices: Any, name: Any = None) -> Any:
        """Return some elements along a new first axis."""
        places = self._frontend.convert_to_tensor(indices).array.tolist()
        return self._frontend.stack([self.read(place) for place in places])

    def unstack(self, value: Any, name: Any = None) -> TensorArray:
        """Return the list of the rows of a tensor."""
        return self._with(self._frontend.unstack(self._frontend.convert_to_tensor(value, self._dtype)))

    def scatter(self, indices: Any, value: Any, name: Any = None) -> TensorArray:
        """Return the list with the rows of a tensor at places."""
        made = self
        for place, row in zip(
            self._frontend.convert_to_tensor(indices).array.tolist(), self._frontend.unstack(value), strict=True
        ):
            made = made.write(place, row)
        return made

    def split(self, value: Any, lengths: Any, name: Any = None) -> TensorArray:
        """Return the list of parts of a tensor, of given lengths."""
        return self._with(self._frontend.split(value, lengths))

    def identity(self) -> TensorArray:
        """Return the list."""
        return self

    def grad(self, *_: Any, **__: Any) -> Any:
        """Refuse: tapes record the elements."""
        raise CoreArrayValueError("gradients flow through the elements of a TensorArray; use tf.GradientTape")

    def _zeros(self) -> Any:
        if not self._shape.is_fully_defined():
            raise CoreArrayValueError("an element of a list is read before one was written, and its shape is not known")
        return self._frontend.zeros(self._shape, self._dtype)

    def _with(self, parts: list[Any]) -> TensorArray:
        made = type(self)(self._dtype, len(parts), self._dynamic, infer_shape=self._infers)
        made._parts = list(parts)
        made._shape = self._shape
        return made
