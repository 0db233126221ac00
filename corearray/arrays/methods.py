"""Functions as methods: `x.sum(axis=0)` is `corearray.sum(x, axis=0)`.

Arguments stand in the order of NumPy's methods, and may be given by position as there. None of these methods writes into
the array. `**other` takes keywords of other libraries, so that the error shows the call as it should be typed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Never, Self

from corearray.arrays.updates import Updates
from corearray.calls.keywords import unknown_in_method
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.types.dtypes import as_dtype

if TYPE_CHECKING:
    from corearray.arrays.array import Array
    from corearray.types.dtypes import DType

__all__ = ["ArrayMethods", "Methods"]

_Axis = int | tuple[int, ...] | None


class Methods:
    """The methods that an Array and a Container share; of a Container they are functions of each leaf."""

    __slots__ = ()

    #: The functions, as attributes.
    _functions: ClassVar[Any]

    # --- reductions

    def all(self, axis: _Axis = None, out: Any = None, keepdims: bool = False, **other: Never) -> Self:
        """`corearray.all`."""
        if other:
            raise unknown_in_method(self.all, other)
        return self._functions.all(self, axis=axis, keepdims=keepdims, out=out)

    def any(self, axis: _Axis = None, out: Any = None, keepdims: bool = False, **other: Never) -> Self:
        """`corearray.any`."""
        if other:
            raise unknown_in_method(self.any, other)
        return self._functions.any(self, axis=axis, keepdims=keepdims, out=out)

    def argmax(self, axis: int | None = None, out: Any = None, *, keepdims: bool = False, **other: Never) -> Self:
        """`corearray.argmax`."""
        if other:
            raise unknown_in_method(self.argmax, other)
        return self._functions.argmax(self, axis=axis, keepdims=keepdims, out=out)

    def argmin(self, axis: int | None = None, out: Any = None, *, keepdims: bool = False, **other: Never) -> Self:
        """`corearray.argmin`."""
        if other:
            raise unknown_in_method(self.argmin, other)
        return self._functions.argmin(self, axis=axis, keepdims=keepdims, out=out)

    def max(self, axis: _Axis = None, out: Any = None, keepdims: bool = False, **other: Never) -> Self:
        """`corearray.max`."""
        if other:
            raise unknown_in_method(self.max, other)
        return self._functions.max(self, axis=axis, keepdims=keepdims, out=out)

    def mean(
        self,
        axis: _Axis = None,
        dtype: DType | str | None = None,
        out: Any = None,
        keepdims: bool = False,
        **other: Never,
    ) -> Self:
        """`corearray.mean`, computed in `dtype`."""
        if other:
            raise unknown_in_method(self.mean, other)
        x = self if dtype is None else self.astype(dtype, copy=False)
        return self._functions.mean(x, axis=axis, keepdims=keepdims, out=out)

    def min(self, axis: _Axis = None, out: Any = None, keepdims: bool = False, **other: Never) -> Self:
        """`corearray.min`."""
        if other:
            raise unknown_in_method(self.min, other)
        return self._functions.min(self, axis=axis, keepdims=keepdims, out=out)

    def prod(
        self,
        axis: _Axis = None,
        dtype: DType | str | None = None,
        out: Any = None,
        keepdims: bool = False,
        **other: Never,
    ) -> Self:
        """`corearray.prod`."""
        if other:
            raise unknown_in_method(self.prod, other)
        return self._functions.prod(self, axis=axis, dtype=dtype, keepdims=keepdims, out=out)

    def std(
        self,
        axis: _Axis = None,
        dtype: DType | str | None = None,
        out: Any = None,
        ddof: float = 0.0,
        keepdims: bool = False,
        *,
        correction: float | None = None,
        **other: Never,
    ) -> Self:
        """`corearray.std`, computed in `dtype`; `ddof` is NumPy's name of `correction`."""
        if other:
            raise unknown_in_method(self.std, other)
        x = self if dtype is None else self.astype(dtype, copy=False)
        correction = ddof if correction is None else correction
        return self._functions.std(x, axis=axis, correction=correction, keepdims=keepdims, out=out)

    def sum(
        self,
        axis: _Axis = None,
        dtype: DType | str | None = None,
        out: Any = None,
        keepdims: bool = False,
        **other: Never,
    ) -> Self:
        """`corearray.sum`."""
        if other:
            raise unknown_in_method(self.sum, other)
        return self._functions.sum(self, axis=axis, dtype=dtype, keepdims=keepdims, out=out)

    def var(
        self,
        axis: _Axis = None,
        dtype: DType | str | None = None,
        out: Any = None,
        ddof: float = 0.0,
        keepdims: bool = False,
        *,
        correction: float | None = None,
        **other: Never,
    ) -> Self:
        """`corearray.var`, computed in `dtype`; `ddof` is NumPy's name of `correction`."""
        if other:
            raise unknown_in_method(self.var, other)
        x = self if dtype is None else self.astype(dtype, copy=False)
        correction = ddof if correction is None else correction
        return self._functions.var(x, axis=axis, correction=correction, keepdims=keepdims, out=out)

    # --- elements

    def astype(self, dtype: Any, *, copy: bool = True, device: Any = None, **other: Never) -> Self:
        """`corearray.astype`."""
        if other:
            raise unknown_in_method(self.astype, other)
        return self._functions.astype(self, dtype, copy=copy, device=device)

    def clip(self, min: Any = None, max: Any = None, out: Any = None, **other: Never) -> Self:
        """`corearray.clip`."""
        if other:
            raise unknown_in_method(self.clip, other)
        return self._functions.clip(self, min, max, out=out)

    def exp(self) -> Self:
        """`corearray.exp`."""
        return self._functions.exp(self)

    def log(self) -> Self:
        """`corearray.log`."""
        return self._functions.log(self)

    def round(self, **other: Never) -> Self:
        """`corearray.round`, to whole numbers."""
        if other:
            raise unknown_in_method(self.round, other)
        return self._functions.round(self)

    def sqrt(self) -> Self:
        """`corearray.sqrt`."""
        return self._functions.sqrt(self)

    def square(self) -> Self:
        """`corearray.square`."""
        return self._functions.square(self)

    def to_numpy(self) -> Any:
        """`corearray.to_numpy`."""
        return self._functions.to_numpy(self)

    # --- arrangement

    def expand_dims(self, axis: int | Sequence[int], **other: Never) -> Self:
        """`corearray.expand_dims`."""
        if other:
            raise unknown_in_method(self.expand_dims, other)
        return self._functions.expand_dims(self, axis)

    def permute_dims(self, *axes: Any, **other: Never) -> Self:
        """`corearray.permute_dims`, of axes one by one or in a tuple."""
        if other:
            raise unknown_in_method(self.permute_dims, other)
        return self._functions.permute_dims(self, axes[0] if len(axes) == 1 else axes)

    def reshape(self, *shape: Any, copy: bool | None = None, **other: Never) -> Self:
        """`corearray.reshape`, to sizes one by one or in a tuple."""
        if other:
            raise unknown_in_method(self.reshape, other)
        return self._functions.reshape(self, shape[0] if len(shape) == 1 else shape, copy=copy)

    def squeeze(self, axis: int | Sequence[int], **other: Never) -> Self:
        """`corearray.squeeze`."""
        if other:
            raise unknown_in_method(self.squeeze, other)
        return self._functions.squeeze(self, axis)


def _to_tens(be: Any, x: Any, tens: int) -> Any:
    """Round integers to multiples of a power of ten, exactly; halves go to the even multiple."""
    if tens > be.iinfo(x.dtype).max:
        return be.zeros_like(x)
    count = x // tens
    rest = x - count * tens
    other = tens - rest
    return (count + be.astype((rest > other) | ((rest == other) & (count % 2 == 1)), x.dtype)) * tens


class ArrayMethods(Methods):
    """More of NumPy's methods and attributes, which a Container has no room for."""

    __slots__ = ()

    def __divmod__(self, other: Any, /) -> tuple[Any, Any]:
        x: Any = self
        return x // other, x % other

    def __rdivmod__(self, other: Any, /) -> tuple[Any, Any]:
        return other // self, other % self

    def __round__(self, decimals: int | None = None, /) -> Any:
        x: Any = self
        if x.ndim == 0:
            return round(x.item(), decimals) if decimals is not None else round(x.item())
        return self.round(decimals or 0)

    def __trunc__(self) -> int:
        return math.trunc(self._only("int"))  # type: ignore[attr-defined]

    @property
    def at(self) -> Updates:
        """Copies with changed elements, as of JAX's arrays: `x.at[0].set(1.0)`, `x.at[1:].add(y)`."""
        return Updates(self)

    @property
    def T(self) -> Array:  # noqa: N802
        """The transpose of a matrix; arrays with fewer axes are returned as they are."""
        x: Any = self
        if x.ndim < 2:
            return x
        if x.ndim != 2:
            raise CoreArrayValueError(f"T is for arrays with 2 axes, this one has {x.ndim}; use mT or permute_dims")
        return self._functions.matrix_transpose(x)

    @property
    def mT(self) -> Array:  # noqa: N802
        """The transpose of the last two axes."""
        x: Any = self
        if x.ndim < 2:
            raise CoreArrayValueError(f"mT is for arrays with at least 2 axes, this one has {x.ndim}")
        return self._functions.matrix_transpose(x)

    @property
    def imag(self) -> Array:
        """The imaginary part, zeros for real numbers."""
        x: Any = self
        f = self._functions
        return f.imag(x) if x.dtype.category == "complex floating" else f.zeros_like(x)

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        x: Any = self
        return x.dtype.bits // 8

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        x: Any = self
        return x.size * self.itemsize

    @property
    def real(self) -> Array:
        """The real part, real numbers themselves."""
        x: Any = self
        return self._functions.real(x) if x.dtype.category == "complex floating" else x

    def abs(self) -> Self:
        """`corearray.abs`."""
        return self._functions.abs(self)

    def argsort(self, axis: int = -1, *, descending: bool = False, stable: bool = True, **other: Never) -> Self:
        """`corearray.argsort`."""
        if other:
            raise unknown_in_method(self.argsort, other)
        return self._functions.argsort(self, axis=axis, descending=descending, stable=stable)

    def conj(self) -> Self:
        """`corearray.conj`."""
        return self._functions.conj(self)

    def copy(self) -> Self:
        """Return a copy."""
        return self._functions.asarray(self, copy=True)

    def cumprod(self, axis: int | None = None, dtype: DType | str | None = None, **other: Never) -> Self:
        """`corearray.cumulative_prod`, by default of all elements in a row."""
        if other:
            raise unknown_in_method(self.cumprod, other)
        x = self.ravel() if axis is None else self
        return self._functions.cumulative_prod(x, axis=axis or 0, dtype=dtype)

    def cumsum(self, axis: int | None = None, dtype: DType | str | None = None, **other: Never) -> Self:
        """`corearray.cumulative_sum`, by default of all elements in a row."""
        if other:
            raise unknown_in_method(self.cumsum, other)
        x = self.ravel() if axis is None else self
        return self._functions.cumulative_sum(x, axis=axis or 0, dtype=dtype)

    def dot(self, other: Any, /) -> Self:
        """`corearray.dot`."""
        return self._functions.dot(self, other)

    def flatten(self, start_axis: int = 0, end_axis: int = -1, **other: Never) -> Self:
        """`corearray.flatten`, in a copy."""
        if other:
            raise unknown_in_method(self.flatten, other)
        return self._functions.flatten(self, start_axis=start_axis, end_axis=end_axis, copy=True)

    def view(self, *shape: Any) -> Self:
        """`corearray.reshape`, as torch's method of this name; all elements for no shape, or for the array's own dtype."""
        if shape and (len(shape) > 1 or isinstance(shape[0], (int, tuple, list))):
            return self.reshape(*shape)
        x: Any = self
        if shape and as_dtype(shape[0]) is not x.dtype:
            raise CoreArrayTypeError(
                f"'view' does not read the memory of '{x.dtype}' as '{as_dtype(shape[0])}'; write x.astype(dtype), or "
                "corearray.asarray(x.to_numpy().view(dtype))"
            )
        return x[...]

    def fill(self, value: Any, /) -> None:
        """Write a number, or an array without axes, into every element."""
        x: Any = self
        x[...] = value

    def item(self, *indices: Any) -> Any:
        """Return one element as a Python scalar: at an index for each axis, at a place in the flat array, or the only one."""
        x: Any = self
        if indices:
            key = indices[0] if len(indices) == 1 else indices
            x = x[key] if isinstance(key, tuple) else x.ravel()[key]
        value = x.tolist()
        while isinstance(value, list):
            if len(value) != 1:
                raise CoreArrayValueError(
                    f"only an array of size 1 has an item, this one has the shape {tuple(x.shape)}; index it or reduce it first"
                )
            value = value[0]
        return value

    def nonzero(self) -> tuple[Self, ...]:
        """`corearray.nonzero`."""
        return self._functions.nonzero(self)

    def ravel(self) -> Self:
        """`corearray.ravel`: all elements in a row."""
        return self._functions.ravel(self)

    def repeat(self, repeats: Any, axis: int | None = None, **other: Never) -> Self:
        """`corearray.repeat`."""
        if other:
            raise unknown_in_method(self.repeat, other)
        return self._functions.repeat(self, repeats, axis=axis)

    def round(self, decimals: int = 0, **other: Never) -> Self:
        """`corearray.round`, to a number of decimals, or to tens and hundreds if it is negative."""
        if other:
            raise unknown_in_method(self.round, other)
        x: Any = self
        be = self._functions
        if decimals == 0:
            return be.round(x)
        if not x.dtype.category.endswith("floating"):
            return be.round(x) if decimals > 0 or x.dtype.category == "bool" else _to_tens(be, x, 10**-decimals)
        power, largest = abs(decimals), be.finfo(x.dtype).max
        if power > math.log10(largest):  # every digit is kept, or none
            return be.where(be.isfinite(x), x if decimals > 0 else be.zeros_like(x), x)
        scale = 10.0**power
        if decimals < 0:
            return be.round(x / scale) * scale
        large = be.abs(x) > largest / scale  # numbers that have no decimals
        return be.where(large, x, be.round(be.where(large, 0.0, x) * scale) / scale)

    def sort(self, axis: int = -1, *, descending: bool = False, stable: bool = True, **other: Never) -> None:
        """Sort the array in place, as NumPy's method does; `corearray.sort` returns a sorted copy."""
        if other:
            raise unknown_in_method(self.sort, other)
        x: Any = self
        x[...] = self._functions.sort(self, axis=axis, descending=descending, stable=stable)

    def searchsorted(self, values: Any, side: str = "left", sorter: Any = None, **other: Never) -> Self:
        """`corearray.searchsorted`."""
        if other:
            raise unknown_in_method(self.searchsorted, other)
        return self._functions.searchsorted(self, values, side=side, sorter=sorter)

    def squeeze(self, axis: int | Sequence[int] | None = None, **other: Never) -> Self:
        """`corearray.squeeze`, by default of all axes of length one."""
        if other:
            raise unknown_in_method(self.squeeze, other)
        if axis is None:
            x: Any = self
            axis = tuple(place for place, length in enumerate(x.shape) if length == 1)
        return self._functions.squeeze(self, axis)

    def swapaxes(self, axis1: int, axis2: int, /, **other: Never) -> Self:
        """`corearray.swapaxes`."""
        if other:
            raise unknown_in_method(self.swapaxes, other)
        return self._functions.swapaxes(self, axis1, axis2)

    def take(self, indices: Any, axis: int | None = None, **other: Never) -> Self:
        """`corearray.take`, by default of all elements in a row."""
        if other:
            raise unknown_in_method(self.take, other)
        x = self.ravel() if axis is None else self
        return self._functions.take(x, self._functions.asarray(indices), axis=axis or 0)

    def transpose(self, *axes: Any, **other: Never) -> Self:
        """`corearray.transpose`, of axes one by one or in a tuple; by default in the reverse order."""
        if other:
            raise unknown_in_method(self.transpose, other)
        order = axes[0] if len(axes) == 1 else axes or None
        return self._functions.transpose(self, order)
