"""`ShapeDtypeStruct`: the shape and dtype of an array without its elements."""

from __future__ import annotations

from typing import Any

__all__ = ["ShapeDtypeStruct"]


class ShapeDtypeStruct:
    """A shape and a dtype.

    Examples
    --------
    >>> import corearray.frontend.jax as jax
    >>> jax.ShapeDtypeStruct((2, 3), "float32")
    ShapeDtypeStruct(shape=(2, 3), dtype=float32)
    """

    __slots__ = ("dtype", "shape", "weak_type")

    def __init__(
        self, shape: Any, dtype: Any, *, sharding: Any = None, weak_type: bool = False, vma: Any = None,
        is_ref: bool = False, manual_axis_type: Any = None,
    ) -> None:  # fmt: skip
        from corearray.frontend.frontend import get_frontend

        self.shape = tuple(shape)
        self.dtype = dtype if isinstance(dtype, str) and "<" in dtype else get_frontend("numpy").dtype(dtype)
        self.weak_type = weak_type

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        size = 1
        for n in self.shape:
            size *= n
        return size

    def __len__(self) -> int:
        return int(self.shape[0])

    def __repr__(self) -> str:
        return (
            f"ShapeDtypeStruct(shape={self.shape}, "
            f"dtype={getattr(self.dtype, 'name', self.dtype)}{', weak_type=True' if self.weak_type else ''})"
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ShapeDtypeStruct) and (self.shape, self.dtype, self.weak_type) == (
            other.shape, other.dtype, other.weak_type,
        )  # fmt: skip

    def __hash__(self) -> int:
        return hash((self.shape, str(self.dtype), self.weak_type))
