"""The most used functions as methods of a Container: `c.sum(axis=0)` is `corearray.sum(c, axis=0)`.

There are few on purpose: a name here is a key that cannot be read as an attribute. Every other function takes a
Container as it is. Options may be Containers too, with a value for each leaf.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from corearray.functional import (
    data_type,
    elementwise,
    exponential,
    general,
    manipulation,
    rounding,
    searching,
    sorting,
    statistical,
    utility,
)

if TYPE_CHECKING:
    from corearray.container.container import Container
    from corearray.devices import Device
    from corearray.dtypes import DType

__all__ = ["Methods"]

_Axis = int | tuple[int, ...] | None


def _each(function: Callable[..., Any], *args: Any, **options: Any) -> Container:
    """Call a public function with Containers among its arguments."""
    return function(*args, **options)  # type: ignore[no-any-return]


class Methods:
    """Functions of each leaf; a Container with the results is returned."""

    __slots__ = ()

    def all(self, *, axis: _Axis = None, keepdims: bool = False) -> Container:
        """`corearray.all` of each leaf."""
        return _each(utility.all, self, axis=axis, keepdims=keepdims)

    def any(self, *, axis: _Axis = None, keepdims: bool = False) -> Container:
        """`corearray.any` of each leaf."""
        return _each(utility.any, self, axis=axis, keepdims=keepdims)

    def argmax(self, *, axis: int | None = None, keepdims: bool = False) -> Container:
        """`corearray.argmax` of each leaf."""
        return _each(searching.argmax, self, axis=axis, keepdims=keepdims)

    def argmin(self, *, axis: int | None = None, keepdims: bool = False) -> Container:
        """`corearray.argmin` of each leaf."""
        return _each(searching.argmin, self, axis=axis, keepdims=keepdims)

    def astype(self, dtype: DType | str | Container, *, copy: bool = True, device: Device | None = None) -> Container:
        """`corearray.astype` of each leaf."""
        return _each(data_type.astype, self, dtype, copy=copy, device=device)

    def clip(self, min: Any = None, max: Any = None) -> Container:
        """`corearray.clip` of each leaf."""
        return _each(elementwise.clip, self, min, max)

    def exp(self) -> Container:
        """`corearray.exp` of each leaf."""
        return _each(exponential.exp, self)

    def expand_dims(self, axis: int | Sequence[int]) -> Container:
        """`corearray.expand_dims` of each leaf."""
        return _each(manipulation.expand_dims, self, axis)

    def log(self) -> Container:
        """`corearray.log` of each leaf."""
        return _each(exponential.log, self)

    def max(self, *, axis: _Axis = None, keepdims: bool = False) -> Container:
        """`corearray.max` of each leaf."""
        return _each(statistical.max, self, axis=axis, keepdims=keepdims)

    def mean(self, *, axis: _Axis = None, keepdims: bool = False) -> Container:
        """`corearray.mean` of each leaf."""
        return _each(statistical.mean, self, axis=axis, keepdims=keepdims)

    def min(self, *, axis: _Axis = None, keepdims: bool = False) -> Container:
        """`corearray.min` of each leaf."""
        return _each(statistical.min, self, axis=axis, keepdims=keepdims)

    def permute_dims(self, axes: Sequence[int]) -> Container:
        """`corearray.permute_dims` of each leaf."""
        return _each(manipulation.permute_dims, self, axes)

    def prod(self, *, axis: _Axis = None, dtype: DType | None = None, keepdims: bool = False) -> Container:
        """`corearray.prod` of each leaf."""
        return _each(statistical.prod, self, axis=axis, dtype=dtype, keepdims=keepdims)

    def reshape(self, shape: int | Sequence[int] | Container, *, copy: bool | None = None) -> Container:
        """`corearray.reshape` of each leaf."""
        return _each(manipulation.reshape, self, shape, copy=copy)

    def round(self) -> Container:
        """`corearray.round` of each leaf."""
        return _each(rounding.round, self)

    def sort(self, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Container:
        """`corearray.sort` of each leaf."""
        return _each(sorting.sort, self, axis=axis, descending=descending, stable=stable)

    def sqrt(self) -> Container:
        """`corearray.sqrt` of each leaf."""
        return _each(exponential.sqrt, self)

    def square(self) -> Container:
        """`corearray.square` of each leaf."""
        return _each(exponential.square, self)

    def squeeze(self, axis: int | Sequence[int]) -> Container:
        """`corearray.squeeze` of each leaf."""
        return _each(manipulation.squeeze, self, axis)

    def std(self, *, axis: _Axis = None, correction: float = 0.0, keepdims: bool = False) -> Container:
        """`corearray.std` of each leaf."""
        return _each(statistical.std, self, axis=axis, correction=correction, keepdims=keepdims)

    def sum(self, *, axis: _Axis = None, dtype: DType | None = None, keepdims: bool = False) -> Container:
        """`corearray.sum` of each leaf."""
        return _each(statistical.sum, self, axis=axis, dtype=dtype, keepdims=keepdims)

    def to_list(self) -> Container:
        """`corearray.to_list` of each leaf."""
        return _each(general.to_list, self)

    def to_numpy(self) -> Container:
        """`corearray.to_numpy` of each leaf."""
        return _each(general.to_numpy, self)

    def var(self, *, axis: _Axis = None, correction: float = 0.0, keepdims: bool = False) -> Container:
        """`corearray.var` of each leaf."""
        return _each(statistical.var, self, axis=axis, correction=correction, keepdims=keepdims)
