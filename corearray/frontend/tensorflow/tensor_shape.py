"""`TensorShape`: the shape of a tensor, whose sizes may be unknown."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from corearray.errors import CoreArrayTypeError, CoreArrayValueError

__all__ = ["TensorShape"]


class TensorShape:
    """The shape of a tensor.

    Parameters
    ----------
    dims
        The sizes, with `None` for a size that is not known; `None` if not even their number is known.

    Examples
    --------
    >>> shape = TensorShape([2, None])
    >>> shape, shape.rank, shape.as_list(), shape.is_fully_defined()
    (TensorShape([2, None]), 2, [2, None], False)
    >>> TensorShape([2, 3]) == (2, 3)
    True
    """

    __slots__ = ("_sizes",)

    def __init__(self, dims: Any) -> None:
        self._sizes: tuple[int | None, ...] | None
        if dims is None:
            self._sizes = None
        elif isinstance(dims, TensorShape):
            self._sizes = dims._sizes
        else:
            sizes = (dims,) if hasattr(dims, "__index__") else tuple(dims)
            self._sizes = tuple(None if size is None else _size(size) for size in sizes)

    @property
    def rank(self) -> int | None:
        """The number of axes, or `None`."""
        return None if self._sizes is None else len(self._sizes)

    ndims = rank

    @property
    def dims(self) -> list[int | None] | None:
        """The sizes as a list, or `None`."""
        return None if self._sizes is None else list(self._sizes)

    def as_list(self) -> list[int | None]:
        """Return the sizes as a list.

        Raises
        ------
        ValueError
            If their number is not known.
        """
        return list(self._known())

    def num_elements(self) -> int | None:
        """Return the number of elements, or `None` if it is not known."""
        return prod(self._known()) if self.is_fully_defined() else None  # type: ignore[arg-type]

    def is_fully_defined(self) -> bool:
        """Return true if all sizes are known."""
        return self._sizes is not None and None not in self._sizes

    def assert_is_fully_defined(self) -> None:
        """Raise an error unless all sizes are known."""
        if not self.is_fully_defined():
            raise CoreArrayValueError(f"Shape {self} is not fully defined")

    def is_compatible_with(self, other: Any) -> bool:
        """Return true if a tensor can have both shapes."""
        other = TensorShape(other)
        if self._sizes is None or other._sizes is None:
            return True
        return len(self._sizes) == len(other._sizes) and all(
            a is None or b is None or a == b for a, b in zip(self._sizes, other._sizes, strict=True)
        )

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raise an error unless a tensor can have both shapes."""
        if not self.is_compatible_with(other):
            raise CoreArrayValueError(f"Shapes {self} and {TensorShape(other)} are incompatible")

    def merge_with(self, other: Any) -> TensorShape:
        """Return the shape with the sizes that either shape knows."""
        other = TensorShape(other)
        self.assert_is_compatible_with(other)
        if self._sizes is None or other._sizes is None:
            return other if self._sizes is None else self
        return TensorShape([b if a is None else a for a, b in zip(self._sizes, other._sizes, strict=True)])

    def concatenate(self, other: Any) -> TensorShape:
        """Return the axes of this shape followed by those of another one."""
        other = TensorShape(other)
        if self._sizes is None or other._sizes is None:
            return TensorShape(None)
        return TensorShape(self._sizes + other._sizes)

    def with_rank(self, rank: int) -> TensorShape:
        """Return the shape, or raise an error unless it has `rank` axes."""
        return self.merge_with([None] * rank)

    def with_rank_at_least(self, rank: int) -> TensorShape:
        """Return the shape, or raise an error unless it has at least `rank` axes."""
        if self._sizes is not None and len(self._sizes) < rank:
            raise CoreArrayValueError(f"Shape {self} must have rank at least {rank}")
        return self

    def _known(self) -> tuple[int | None, ...]:
        if self._sizes is None:
            raise CoreArrayValueError("as_list() is not defined on an unknown TensorShape.")
        return self._sizes

    def __len__(self) -> int:
        return len(self._known())

    def __bool__(self) -> bool:
        return self._sizes is not None

    def __iter__(self) -> Iterator[int | None]:
        return iter(self._known())

    def __getitem__(self, key: Any) -> Any:
        found = self._known()[key]
        return TensorShape(found) if isinstance(key, slice) else found

    def __add__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def __radd__(self, other: Any) -> TensorShape:
        return TensorShape(other).concatenate(self)

    def __eq__(self, other: object) -> bool:
        try:
            return self._sizes == TensorShape(other)._sizes
        except TypeError:
            return NotImplemented

    def __hash__(self) -> int:
        return hash(self._sizes)

    def __repr__(self) -> str:
        return f"TensorShape({None if self._sizes is None else list(self._sizes)})"

    def __str__(self) -> str:
        return "<unknown>" if self._sizes is None else str(self._sizes)

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorShape, (self.dims,)


def _size(size: Any) -> int:
    if isinstance(size, (str, float)):
        raise CoreArrayTypeError(f"a size of an axis is an integer or None, got {size!r}")
    return int(size)
