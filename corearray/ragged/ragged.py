"""`Ragged`: construction, access and conversion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, final

from corearray.arrays.array import Array
from corearray.arrays.operators import Operators
from corearray.calls.dispatch import resolve
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.ragged.build import flattened, rows_of
from corearray.ragged.keys import selected
from corearray.ragged.operands import lowered
from corearray.ragged.rows import checked_splits, known, lengths_of, longest, padded, prefix_mask, splits_of
from corearray.ragged.text import text_of
from corearray.settings.context import on_arrays
from corearray.types.dtypes import DType
from corearray.types.shape import Shape

if TYPE_CHECKING:
    from corearray.backends.backend import Backend
    from corearray.types.devices import Device

__all__ = ["Ragged"]


@final
class Ragged(Operators):
    """An array of rows with different lengths, stored as one array of values and the row splits.

    Build it with `from_rows`, `from_row_lengths`, `from_row_splits` or `from_padded`. Elementwise functions and
    operators accept it in place of an array, together with numbers, ragged arrays of the same rows, and arrays whose
    ragged axis has length one, which broadcast within each row. Reductions go along rows, across rows or over
    everything. Rows may be ragged themselves; then `values` is a `Ragged` too.

    Attributes
    ----------
    values
        The rows one behind the other: an `Array`, or a `Ragged` where rows are ragged themselves.
    row_splits
        Integers, one more than there are rows: row `i` is `values[row_splits[i]:row_splits[i + 1]]`.
    dtype, device, backend
        Those of the values.

    Examples
    --------
    >>> import corearray as ca
    >>> r = ca.Ragged.from_rows([[1.0, 2.0], [], [3.0, 4.0, 5.0]])
    >>> r
    Ragged([[1, 2], [], [3, 4, 5]], dtype=float32, backend=numpy, device=cpu)
    >>> r.values.tolist(), r.row_splits.tolist()
    ([1.0, 2.0, 3.0, 4.0, 5.0], [0, 2, 2, 5])
    >>> (2 * r + ca.asarray([[10.0], [20.0], [30.0]])).tolist()
    [[12.0, 14.0], [], [36.0, 38.0, 40.0]]
    >>> ca.sum(r, axis=1).tolist(), ca.max(r).tolist()
    ([3.0, 0.0, 12.0], 5.0)
    >>> r[2].tolist(), r[r > 1.5].tolist()
    ([3.0, 4.0, 5.0], [[2.0], [], [3.0, 4.0, 5.0]])
    """

    __slots__ = ("__weakref__", "_row_splits", "_values")

    _values: Any
    _row_splits: Any

    __hash__ = None

    #: Lets the operators of NumPy's arrays leave the call to those of the ragged array.
    __array_ufunc__ = None

    def __init__(self, *args: object, **kwargs: object) -> None:
        """Refuse: which way is meant has to be said."""
        raise CoreArrayTypeError(
            "a Ragged is not made by calling the class; use Ragged.from_rows(rows), from_row_lengths(values, lengths), "
            "from_row_splits(values, splits) or from_padded(x, lengths=lengths)"
        )

    @classmethod
    def _made(cls, values: Any, row_splits: Any) -> Ragged:
        made = object.__new__(cls)
        made._values = values
        made._row_splits = row_splits
        return made

    # --- how it is built

    @classmethod
    @on_arrays
    def from_rows(
        cls,
        rows: Iterable[Any],
        /,
        *,
        dtype: DType | str | None = None,
        device: Device | str | None = None,
        ragged_rank: int | None = None,
    ) -> Ragged:
        """Build a ragged array from rows.

        Parameters
        ----------
        rows
            Arrays or nested lists; the rows may differ in length, the axes behind them may not.
        dtype, device
            As for `asarray`.
        ragged_rank
            How many axes are ragged. By default every level of nested lists but the innermost one, and at least 1.

        Examples
        --------
        >>> import corearray as ca
        >>> ca.Ragged.from_rows([[1, 2], [], [3]]).shape
        Shape((3, None))
        >>> ca.Ragged.from_rows([ca.zeros((2, 4)), ca.zeros((1, 4))]).shape
        Shape((2, None, 4))
        >>> ca.Ragged.from_rows([[[1, 2], [3]], [[4, 5, 6]]]).ragged_rank
        2
        """
        rows = rows_of(rows)
        backend = resolve((rows,))
        values, lengths = flattened(backend, rows, dtype, device, ragged_rank)
        made: Any = values
        for level in reversed(lengths):
            made = cls._made(made, splits_of(backend.asarray(level, dtype="int64", device=values.device)))
        return made  # type: ignore[no-any-return]

    @classmethod
    @on_arrays
    def from_row_splits(cls, values: Any, row_splits: Any, /) -> Ragged:
        """Build a ragged array from the values of all rows and the offsets at which rows begin and the last one ends.

        Raises
        ------
        ValueError
            If the places do not begin with 0, fall, or end elsewhere than the values.

        Examples
        --------
        >>> import corearray as ca
        >>> r = ca.Ragged.from_row_splits(ca.asarray([1, 2, 3]), [0, 2, 2, 3])
        >>> r.tolist()
        [[1, 2], [], [3]]
        >>> ca.Ragged.from_row_splits(r, [0, 1, 3]).tolist()
        [[[1, 2]], [[], [3]]]
        """
        values, splits = cls._parts(values, row_splits)
        return cls._made(values, checked_splits(splits, values.shape[0], "row_splits"))

    @classmethod
    @on_arrays
    def from_row_lengths(cls, values: Any, row_lengths: Any, /) -> Ragged:
        """Build a ragged array from the values of all rows and the length of each row.

        Examples
        --------
        >>> import corearray as ca
        >>> ca.Ragged.from_row_lengths(ca.asarray([1, 2, 3]), [2, 0, 1]).tolist()
        [[1, 2], [], [3]]
        """
        values, lengths = cls._parts(values, row_lengths)
        if lengths.ndim != 1 or "integer" not in lengths.dtype.category:
            checked_splits(lengths, None, "row_lengths")
        return cls._made(values, checked_splits(splits_of(lengths), values.shape[0], "the sum of row_lengths"))

    @classmethod
    @on_arrays
    def from_padded(cls, x: Any, /, *, lengths: Any = None, mask: Any = None) -> Ragged:
        """Build a ragged array from rows that were padded to one length.

        Parameters
        ----------
        x
            Array with the rows along the first axis and their elements along the second.
        lengths
            How many elements of each row count.
        mask
            Boolean matrix that is true at the elements that count; in place of `lengths`.

        Examples
        --------
        >>> import corearray as ca
        >>> x = ca.asarray([[1, 2, 0], [3, 0, 0]])
        >>> ca.Ragged.from_padded(x, lengths=[2, 1]).tolist(), ca.Ragged.from_padded(x, mask=x > 1).tolist()
        ([[1, 2], [3]], [[2], [3]])
        """
        if (lengths is None) == (mask is None):
            raise CoreArrayTypeError("from_padded takes either lengths= or mask=")
        x, which = cls._parts(x, mask if lengths is None else lengths)
        shape = tuple(x.shape)
        if len(shape) < 2 or tuple(which.shape) != shape[: 2 if lengths is None else 1]:
            raise CoreArrayValueError(
                f"from_padded got an array of shape {shape} and {'a mask' if lengths is None else 'lengths'} of shape "
                f"{tuple(which.shape)}; the array has the rows along axis 0 and their elements along axis 1"
            )
        if lengths is not None:
            found = known(which)
            if found is not None and not all(0 <= length <= shape[1] for length in found):
                raise CoreArrayValueError(f"from_padded got the lengths {found} for rows padded to {shape[1]} elements")
            which = prefix_mask(which, shape[1])
        counts = x.backend.count_nonzero(which, axis=1)
        return cls._made(x[which], splits_of(counts))

    @staticmethod
    def _parts(values: Any, places: Any) -> tuple[Any, Array]:
        """Return values and places as arrays of one backend."""
        backend = resolve((values, places))
        if not isinstance(values, Ragged):
            values = backend.asarray(values)
            if values.ndim == 0:
                raise CoreArrayValueError("the values of a ragged array have at least one axis, these have none")
        if isinstance(places, (list, tuple)) and not places:
            places = backend.asarray([], dtype="int64")
        return values, backend.asarray(places, device=values.device)

    # --- what it is

    @property
    def values(self) -> Any:
        """The concatenated rows."""
        return self._values

    @property
    def flat_values(self) -> Array:
        """The array of all elements, below every level of rows."""
        values: Any = self._values
        while isinstance(values, Ragged):
            values = values._values
        return values  # type: ignore[no-any-return]

    @property
    def row_splits(self) -> Array:
        """The offsets at which rows begin, followed by the end of the last row."""
        return self._row_splits  # type: ignore[no-any-return]

    @property
    @on_arrays
    def row_lengths(self) -> Array:
        """The number of elements of each row."""
        return lengths_of(self._row_splits)

    @property
    def ragged_rank(self) -> int:
        """The number of ragged axes."""
        return 1 + (self._values.ragged_rank if isinstance(self._values, Ragged) else 0)

    @property
    def shape(self) -> Shape:
        """The sizes along the axes; `None` for a ragged axis."""
        return Shape((len(self), None, *self._values.shape[1:]))  # type: ignore[arg-type]

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return 1 + int(self._values.ndim)

    @property
    def size(self) -> int | None:
        """Number of elements."""
        return self.flat_values.size

    @property
    def dtype(self) -> DType:
        """The data type of the elements."""
        return self.flat_values.dtype

    @property
    def device(self) -> Device:
        """The device of the elements."""
        return self.flat_values.device

    @property
    def backend(self) -> Backend:
        """The backend of the array."""
        return self.flat_values.backend

    def __corearray_arrays__(self) -> tuple[Any, ...]:
        """Return the arrays within, by which a call finds its backend."""
        return (self.flat_values,)

    # --- other values in the same rows

    @on_arrays
    def with_values(self, values: Any, /) -> Ragged:
        """Return a ragged array with the same rows and other values.

        Examples
        --------
        >>> import corearray as ca
        >>> r = ca.Ragged.from_rows([[1.0, 2.0], [3.0]])
        >>> r.with_values(ca.cumulative_sum(r.values)).tolist()
        [[1.0, 3.0], [6.0]]
        """
        if not isinstance(values, (Array, Ragged)):
            values = self.backend.asarray(values)
        if values.ndim == 0 or values.shape[0] != self._values.shape[0]:
            raise CoreArrayValueError(
                f"the rows have {self._values.shape[0]} values, got an array of shape {tuple(values.shape)}"
            )
        return self._made(values, self._row_splits)

    @on_arrays
    def map(self, fn: Callable[[Any], Any], /) -> Ragged:
        """Return a ragged array with the same rows and the values `fn(flat_values)`.

        Examples
        --------
        >>> import corearray as ca
        >>> ca.Ragged.from_rows([[1.0, 2.0], [4.0]]).map(lambda x: x / ca.max(x)).tolist()
        [[0.25, 0.5], [1.0]]
        """
        inner = self._values.map(fn) if isinstance(self._values, Ragged) else fn(self._values)
        return self.with_values(inner)

    def to_device(self, device: Device | str, /) -> Ragged:
        """Copy the rows to another device."""
        return self._made(self._values.to_device(device), self._row_splits.to_device(device))

    # --- rows

    def __len__(self) -> int:
        return int(self._row_splits.shape[0]) - 1

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    @on_arrays
    def __getitem__(self, key: Any, /) -> Any:
        """Return a row for an integer, some rows for anything else, some elements of each for a ragged mask.

        A tuple begins with an integer, and what follows is the key for that row.
        """
        return selected(self, key)

    # --- to and from others

    def tolist(self) -> list[Any]:
        """Return nested lists of Python scalars."""
        values, splits = self._values.tolist(), self._row_splits.tolist()
        return [values[start:stop] for start, stop in pairwise(splits)]

    @on_arrays
    def to_padded(self, fill_value: Any = 0, /, *, length: int | None = None) -> Array:
        """Pad all rows to one length and return an array.

        Parameters
        ----------
        fill_value
            What stands behind the elements of a row that is shorter.
        length
            The length, by default that of the longest row. Longer rows are cut. Needed while a framework compiles, when
            the lengths of the rows are not known.

        Returns
        -------
        Array of the shape `(len(r), length, ...)`; `mask` tells which elements are those of the rows.

        Examples
        --------
        >>> import corearray as ca
        >>> r = ca.Ragged.from_rows([[1, 2], [3]])
        >>> r.to_padded(-1).tolist(), r.mask().tolist()
        ([[1, 2], [3, -1]], [[True, True], [True, False]])
        """
        values = self._values
        if length is None:
            length = longest(self._row_splits, values.shape[0])
        if isinstance(values, Ragged):
            values = values.to_padded(fill_value)
        return padded(values, self._row_splits, length, fill_value)[0]

    @on_arrays
    def mask(self, *, length: int | None = None) -> Array:
        """Return a boolean array with the shape of `to_padded`, true for elements of the rows.

        Examples
        --------
        >>> import corearray as ca
        >>> ca.Ragged.from_rows([[1, 2], []]).mask(length=3).tolist()
        [[True, True, False], [False, False, False]]
        """
        return self.map(lambda x: x.backend.ones_like(x, dtype="bool")).to_padded(False, length=length)

    @on_arrays
    def equals(self, other: object, /) -> bool:
        """Return whether another object is a ragged array with the same rows, dtype and elements (NaN equals NaN).

        Examples
        --------
        >>> import corearray as ca
        >>> r = ca.Ragged.from_rows([[1, 2], [3]])
        >>> r.equals(ca.Ragged.from_rows([[1, 2], [3]])), r.equals(ca.Ragged.from_rows([[1], [2, 3]]))
        (True, False)
        """
        if not isinstance(other, Ragged) or other.backend is not self.backend or other.dtype is not self.dtype:
            return False
        if self.shape != other.shape or self._row_splits.tolist() != other._row_splits.tolist():
            return False
        one, two = self._values, other._values
        if isinstance(one, Ragged) or isinstance(two, Ragged):
            return isinstance(one, Ragged) and one.equals(two)
        return bool(self.backend.all((one == two) | ((one != one) & (two != two))))

    def tree_flatten(self) -> tuple[tuple[Any, ...], tuple[str, ...]]:
        """Return values and row splits, with their names; the protocol of tree libraries.

        Examples
        --------
        >>> import corearray as ca
        >>> ca.Ragged.from_rows([[1, 2], [3]]).tree_flatten()[1]
        ('row_splits', 'values')
        """
        return (self._row_splits, self._values), ("row_splits", "values")

    @classmethod
    def tree_unflatten(cls, names: Sequence[str], parts: Iterable[Any], /) -> Ragged:
        """Return the ragged array of the result of `tree_flatten`, whose parts may be any objects.

        Examples
        --------
        >>> import corearray as ca
        >>> parts, names = ca.Ragged.from_rows([[1, 2], [3]]).tree_flatten()
        >>> ca.Ragged.tree_unflatten(names, parts).tolist()
        [[1, 2], [3]]
        """
        row_splits, values = parts
        return cls._made(values, row_splits)

    def __reduce__(self) -> tuple[Any, ...]:
        return Ragged._made, (self._values, self._row_splits)

    def __bool__(self) -> bool:
        raise CoreArrayValueError(
            "the truth of a ragged array is ambiguous; use len(r) for whether it has rows, any(r) or all(r), or "
            "r1.equals(r2) for whether two are the same"
        )

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        raise CoreArrayTypeError(
            "a ragged array is no array; r.to_padded(fill_value) makes one, and r.values and r.row_splits are arrays"
        )

    def __repr__(self) -> str:
        return text_of(self)

    @on_arrays
    def _updated(self, update: Callable[[Any, Any], Any], other: Any) -> Ragged:
        self._values = update(self._values, lowered(self, other, "the other operand", "an in-place operator"))
        return self
