"""`RaggedTensor`: rows of different lengths, as values and the places where rows begin.

Its functions are those of tensors on the values, so that tapes record them. `x.ragged` is the `corearray.Ragged` of the
same rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, ClassVar

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.tensorflow.data_types import DType
from corearray.frontend.tensorflow.exceptions import InvalidArgumentError
from corearray.frontend.tensorflow.tensor_shape import TensorShape

if TYPE_CHECKING:
    from corearray.frontend.frontend import Frontend

__all__ = ["RaggedTensor", "RaggedTensorSpec", "starts_of"]


def starts_of(lengths: Sequence[int]) -> list[int]:
    """Return where rows of some lengths begin, and where the last one ends."""
    return [0, *accumulate(lengths)]


def _operator(name: str, reflected: bool = False) -> Any:
    def operator(self: RaggedTensor, other: Any) -> Any:
        function: Any = self._frontend
        for part in name.split("."):
            function = getattr(function, part)
        return function(other, self) if reflected else function(self, other)

    return operator


def _unary(name: str) -> Any:
    def operator(self: RaggedTensor) -> Any:
        return getattr(self._frontend.math, name)(self)

    return operator


class RaggedTensorSpec:
    """The shape, dtype and ragged rank of a ragged tensor."""

    def __init__(
        self, shape: Any = None, dtype: Any = "float32", ragged_rank: int | None = None, row_splits_dtype: Any = "int64",
        flat_values_spec: Any = None,
    ) -> None:  # fmt: skip
        self.shape, self.dtype, self.row_splits_dtype = TensorShape(shape), dtype, row_splits_dtype
        rank = self.shape.rank
        self.ragged_rank = (0 if rank is None else rank - 1) if ragged_rank is None else ragged_rank

    def __repr__(self) -> str:
        return f"RaggedTensorSpec({self.shape}, {self.dtype}, {self.ragged_rank}, {self.row_splits_dtype})"


class RaggedTensor:
    """Rows of different lengths; made by `tf.ragged.constant` and the methods `from_row_splits` and the like.

    Examples
    --------
    >>> import corearray.frontend.tensorflow as tf
    >>> tf.ragged.constant([[1, 2], [], [3]]) + 1
    <tf.RaggedTensor [[2, 3], [], [4]]>
    """

    _frontend: ClassVar[Frontend]
    __array_priority__ = 100

    def __init__(self, values: Any, row_splits: Any, uniform_row_length: int | None = None) -> None:
        self._values = values
        self._splits = row_splits
        self._uniform = uniform_row_length

    # --- construction

    @classmethod
    def _value(cls, values: Any) -> Any:
        return values if isinstance(values, RaggedTensor) else cls._frontend.convert_to_tensor(values)

    @classmethod
    def _integers(cls, x: Any, name: str) -> list[int]:
        made = cls._frontend.convert_to_tensor(x).array
        if made.dtype not in (ca.int32, ca.int64):
            raise CoreArrayTypeError(f"{name} must have dtype int32 or int64, got {made.dtype}")
        if made.ndim != 1:
            raise CoreArrayValueError(f"{name} must have one axis, got the shape {tuple(made.shape)}")
        listed: list[int] = made.tolist()
        return listed

    @classmethod
    def _made(cls, values: Any, splits: Sequence[int], like: Any = None, uniform: int | None = None) -> Any:
        given = getattr(like, "array", like)
        dtype = "int32" if isinstance(given, ca.Array) and given.dtype == ca.int32 else "int64"
        return cls(values, cls._frontend.constant(list(splits), dtype), uniform)

    @classmethod
    def from_row_splits(cls, values: Any, row_splits: Any, name: Any = None, validate: bool = True) -> Any:
        """Return rows by the places where they begin, and where the last one ends.

        Raises
        ------
        InvalidArgumentError
            If the places do not start at 0, decrease, or do not end with the values.
        """
        found, splits = cls._value(values), cls._integers(row_splits, "row_splits")
        if not splits or splits[0] != 0 or any(stop < start for start, stop in pairwise(splits)):
            raise InvalidArgumentError(f"Arguments to from_row_splits do not form a valid RaggedTensor: {splits}")
        if splits[-1] != len(found):
            raise InvalidArgumentError(
                f"Arguments to _from_row_partition do not form a valid RaggedTensor: rows end at {splits[-1]}, there are "
                f"{len(found)} values"
            )
        return cls._made(found, splits, row_splits)

    @classmethod
    def from_row_lengths(cls, values: Any, row_lengths: Any, name: Any = None, validate: bool = True) -> Any:
        """Return rows by their lengths."""
        lengths = cls._integers(row_lengths, "row_lengths")
        if any(n < 0 for n in lengths):
            raise InvalidArgumentError(f"row_lengths must not be negative, got {lengths}")
        made = cls.from_row_splits(values, starts_of(lengths))
        return cls._made(made.values, starts_of(lengths), row_lengths)

    @classmethod
    def from_row_starts(cls, values: Any, row_starts: Any, name: Any = None, validate: bool = True) -> Any:
        """Return rows by the places where they begin."""
        found = cls._value(values)
        return cls.from_row_splits(found, [*cls._integers(row_starts, "row_starts"), len(found)])

    @classmethod
    def from_row_limits(cls, values: Any, row_limits: Any, name: Any = None, validate: bool = True) -> Any:
        """Return rows by the places where they end."""
        return cls.from_row_splits(values, [0, *cls._integers(row_limits, "row_limits")])

    @classmethod
    def from_value_rowids(
        cls, values: Any, value_rowids: Any, nrows: Any = None, name: Any = None, validate: bool = True
    ) -> Any:
        """Return rows by the number of the row of each value."""
        rows = cls._integers(value_rowids, "value_rowids")
        count = (max(rows) + 1 if rows else 0) if nrows is None else int(nrows)
        if any(b < a for a, b in pairwise(rows)) or any(not 0 <= row < count for row in rows):
            raise InvalidArgumentError(f"value_rowids must be sorted and less than nrows={count}, got {rows}")
        lengths = [0] * count
        for row in rows:
            lengths[row] += 1
        made = cls.from_row_splits(values, starts_of(lengths))
        return cls._made(made.values, starts_of(lengths), value_rowids)

    @classmethod
    def from_uniform_row_length(
        cls, values: Any, uniform_row_length: Any, nrows: Any = None, validate: bool = True, name: Any = None
    ) -> Any:
        """Return rows of one length."""
        found, length = cls._value(values), int(uniform_row_length)
        count = (len(found) // length if length else 0) if nrows is None else int(nrows)
        if count * length != len(found):
            raise InvalidArgumentError(f"{len(found)} values do not make rows of the length {length}")
        return cls._made(found, range(0, count * length + 1, length) if length else [0] * (count + 1), None, length)

    @classmethod
    def from_nested_row_splits(
        cls, flat_values: Any, nested_row_splits: Any, name: Any = None, validate: bool = True
    ) -> Any:
        """Return rows of rows by their places, the outer ones first."""
        return reduce(cls.from_row_splits, reversed(list(nested_row_splits)), cls._value(flat_values))

    @classmethod
    def from_nested_row_lengths(
        cls, flat_values: Any, nested_row_lengths: Any, name: Any = None, validate: bool = True
    ) -> Any:
        """Return rows of rows by their lengths, the outer ones first."""
        return reduce(cls.from_row_lengths, reversed(list(nested_row_lengths)), cls._value(flat_values))

    @classmethod
    def from_nested_value_rowids(
        cls,
        flat_values: Any,
        nested_value_rowids: Any,
        nested_nrows: Any = None,
        name: Any = None,
        validate: bool = True,
    ) -> Any:
        """Return rows of rows by the numbers of rows, the outer ones first."""
        made, ids = cls._value(flat_values), list(nested_value_rowids)
        counts = [None] * len(ids) if nested_nrows is None else list(nested_nrows)
        for rows, count in zip(reversed(ids), reversed(counts), strict=True):
            made = cls.from_value_rowids(made, rows, count)
        return made

    @classmethod
    def from_tensor(
        cls, tensor: Any, lengths: Any = None, padding: Any = None, ragged_rank: int = 1, name: Any = None,
        row_splits_dtype: Any = "int64",
    ) -> Any:  # fmt: skip
        """Return the rows of a tensor: whole, of some lengths, or without the padding at their ends."""
        tf = cls._frontend
        x = tf.convert_to_tensor(tensor)
        if lengths is not None and padding is not None:
            raise CoreArrayValueError("Specify lengths or padding, but not both")
        if len(x.shape) <= ragged_rank:
            raise CoreArrayValueError(f"a tensor of {len(x.shape)} axes has no ragged rank {ragged_rank}")
        if ragged_rank > 1:
            sizes = tuple(x.shape)
            flat = tf.reshape(x, (sizes[0] * sizes[1], *sizes[2:]))
            inner = cls.from_tensor(flat, None, padding, ragged_rank - 1)
            return cls.from_uniform_row_length(inner, sizes[1], sizes[0])
        count, width = tuple(x.shape)[:2]
        if padding is not None:
            other = tf.math.not_equal(x, tf.cast(padding, x.dtype))
            if len(x.shape) > 2:
                other = tf.reduce_any(other, axis=list(range(2, len(x.shape))))
            kept = [max((i + 1 for i, one in enumerate(row) if one), default=0) for row in other.array.tolist()]
        elif lengths is not None:
            kept = [min(max(n, 0), width) for n in cls._integers(lengths, "lengths")]
        else:
            kept = [width] * count
        flat = tf.reshape(x, (count * width, *tuple(x.shape)[2:]))
        places = [row * width + i for row, n in enumerate(kept) for i in range(n)]
        whole = padding is None and lengths is None
        values = flat if whole else tf.gather(flat, tf.constant(places, "int64"))
        return cls._made(values, starts_of(kept), None, width if whole else None)

    # --- what it is

    @property
    def values(self) -> Any:
        """The rows one after the other: a tensor, or a ragged tensor of rows of rows."""
        return self._values

    @property
    def flat_values(self) -> Any:
        """The elements of the innermost rows, a tensor."""
        return self._values.flat_values if isinstance(self._values, RaggedTensor) else self._values

    @property
    def row_splits(self) -> Any:
        """Where rows begin, and where the last one ends."""
        return self._splits

    @property
    def splits(self) -> list[int]:
        """The integers of `row_splits`."""
        listed: list[int] = self._splits.array.tolist()
        return listed

    @property
    def lengths(self) -> list[int]:
        """The lengths of the rows, Python's integers."""
        return [stop - start for start, stop in pairwise(self.splits)]

    @property
    def rows(self) -> list[int]:
        """The number of the row of each value, Python's integers."""
        return [row for row, n in enumerate(self.lengths) for _ in range(n)]

    @property
    def nested_row_splits(self) -> tuple[Any, ...]:
        """The row splits, the outer ones first."""
        inner = self._values.nested_row_splits if isinstance(self._values, RaggedTensor) else ()
        return (self._splits, *inner)

    @property
    def ragged(self) -> Any:
        """The rows as a `corearray.Ragged`."""
        inner = self._values.ragged if isinstance(self._values, RaggedTensor) else self._values.array
        return ca.Ragged.from_row_splits(inner, self._splits.array)

    @property
    def dtype(self) -> DType:
        """The dtype of the elements."""
        found: DType = self.flat_values.dtype
        return found

    @property
    def ragged_rank(self) -> int:
        """The number of axes of rows."""
        return 1 + (self._values.ragged_rank if isinstance(self._values, RaggedTensor) else 0)

    @property
    def uniform_row_length(self) -> Any:
        """The length of all rows if they were made of one length."""
        return None if self._uniform is None else self._frontend.constant(self._uniform, "int64")

    @property
    def shape(self) -> TensorShape:
        """The shape, with `None` for axes of different lengths."""
        inner = self._values.shape.as_list()[1:]
        return TensorShape([len(self), self._uniform, *inner])

    def get_shape(self) -> TensorShape:
        """Return the shape."""
        return self.shape

    def nrows(self, out_type: Any = None, name: Any = None) -> Any:
        """Return the number of rows."""
        return self._frontend.constant(len(self), out_type or self._splits.dtype)

    def row_lengths(self, axis: int = 1, name: Any = None) -> Any:
        """Return the lengths of rows, or of rows of rows."""
        if axis == 0:
            return self.nrows()
        if axis == 1:
            return self._frontend.constant(self.lengths, self._splits.dtype)
        if isinstance(self._values, RaggedTensor):
            return self.with_values(self._values.row_lengths(axis - 1))
        raise CoreArrayValueError(f"axis={axis} is no axis of rows; the ragged rank is {self.ragged_rank}")

    def row_starts(self, name: Any = None) -> Any:
        """Return where rows begin."""
        return self._splits[:-1]

    def row_limits(self, name: Any = None) -> Any:
        """Return where rows end."""
        return self._splits[1:]

    def value_rowids(self, name: Any = None) -> Any:
        """Return the number of the row of each value."""
        return self._frontend.constant(self.rows, self._splits.dtype)

    def nested_row_lengths(self, name: Any = None) -> tuple[Any, ...]:
        """Return the lengths of rows, the outer ones first."""
        inner = self._values.nested_row_lengths() if isinstance(self._values, RaggedTensor) else ()
        return (self.row_lengths(), *inner)

    def nested_value_rowids(self, name: Any = None) -> tuple[Any, ...]:
        """Return the numbers of rows, the outer ones first."""
        inner = self._values.nested_value_rowids() if isinstance(self._values, RaggedTensor) else ()
        return (self.value_rowids(), *inner)

    def bounding_shape(self, axis: Any = None, name: Any = None, out_type: Any = None) -> Any:
        """Return the shape of the smallest tensor that holds the rows."""
        made = self._frontend.constant(self._bounds(), out_type or self._splits.dtype)
        return made if axis is None else self._frontend.gather(made, axis)

    def _bounds(self) -> list[int]:
        inner = self._values._bounds() if isinstance(self._values, RaggedTensor) else list(self._values.shape)
        return [len(self), max(self.lengths, default=0), *inner[1:]]

    def with_values(self, new_values: Any) -> Any:
        """Return the same rows of other values."""
        return type(self)(self._value(new_values), self._splits, self._uniform)

    def with_flat_values(self, new_values: Any) -> Any:
        """Return the same rows of other elements."""
        inner = self._values
        return self.with_values(
            inner.with_flat_values(new_values) if isinstance(inner, RaggedTensor) else self._value(new_values)
        )

    def with_row_splits_dtype(self, dtype: Any) -> Any:
        """Return the rows with places in another dtype."""
        inner = self._values.with_row_splits_dtype(dtype) if isinstance(self._values, RaggedTensor) else self._values
        return type(self)(inner, self._frontend.cast(self._splits, dtype), self._uniform)

    def merge_dims(self, outer_axis: int, inner_axis: int) -> Any:
        """Return the rows with some axes joined to one."""
        from corearray.frontend.tensorflow.ragged_keys import merged

        rank = len(self.shape)
        outer, inner = (axis + rank if axis < 0 else axis for axis in (outer_axis, inner_axis))
        if not 0 <= outer <= inner < rank:
            raise CoreArrayValueError(
                f"outer_axis ({outer_axis}) must be less than or equal to inner_axis ({inner_axis})"
            )
        return merged(self._frontend, self, outer, inner)

    def to_tensor(self, default_value: Any = None, name: Any = None, shape: Any = None) -> Any:
        """Return a tensor in which shorter rows end in a default value."""
        from corearray.frontend.tensorflow.ragged_keys import dense

        return dense(self._frontend, self, default_value, shape)

    def to_list(self) -> list[Any]:
        """Return lists of Python's numbers."""
        inner = self._values.to_list() if isinstance(self._values, RaggedTensor) else self._values.array.tolist()
        return [inner[start:stop] for start, stop in pairwise(self.splits)]

    def numpy(self) -> Any:
        """Return NumPy's arrays: one if all rows have one length, else an array of arrays."""
        import numpy as np

        rows = [row.numpy() for row in self]
        if len({np.shape(row) for row in rows}) <= 1 and all(np.asarray(row).dtype != object for row in rows):
            return np.stack(rows) if rows else np.zeros((0,), dtype=self.dtype.name)
        made = np.empty(len(rows), dtype=object)
        made[:] = rows
        return made

    def __len__(self) -> int:
        return int(self._splits.array.shape[0]) - 1

    def __iter__(self) -> Iterator[Any]:
        return iter([self[row] for row in range(len(self))])

    def __getitem__(self, key: Any) -> Any:
        from corearray.frontend.tensorflow.ragged_keys import item

        return item(self._frontend, self, list(key) if isinstance(key, tuple) else [key])

    def __bool__(self) -> bool:
        raise CoreArrayTypeError("RaggedTensor may not be used as a boolean.")

    def __repr__(self) -> str:
        return f"<tf.RaggedTensor {self.to_list()}>"

    def __hash__(self) -> int:
        return id(self)

    __eq__: Callable[..., Any] = _operator("math.equal")
    __ne__: Callable[..., Any] = _operator("math.not_equal")
    __add__, __radd__ = _operator("math.add"), _operator("math.add", True)
    __sub__, __rsub__ = _operator("math.subtract"), _operator("math.subtract", True)
    __mul__, __rmul__ = _operator("math.multiply"), _operator("math.multiply", True)
    __truediv__, __rtruediv__ = _operator("math.truediv"), _operator("math.truediv", True)
    __floordiv__, __rfloordiv__ = _operator("math.floordiv"), _operator("math.floordiv", True)
    __mod__, __rmod__ = _operator("math.floormod"), _operator("math.floormod", True)
    __pow__, __rpow__ = _operator("math.pow"), _operator("math.pow", True)
    __lt__, __le__ = _operator("math.less"), _operator("math.less_equal")
    __gt__, __ge__ = _operator("math.greater"), _operator("math.greater_equal")
    __and__, __rand__ = _operator("math.logical_and"), _operator("math.logical_and", True)
    __or__, __ror__ = _operator("math.logical_or"), _operator("math.logical_or", True)
    __xor__, __rxor__ = _operator("math.logical_xor"), _operator("math.logical_xor", True)
    __neg__, __abs__, __invert__ = _unary("negative"), _unary("abs"), _unary("logical_not")
