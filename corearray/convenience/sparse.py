"""Sparse arrays of the framework: construction from indices and values, and conversion back.

This is a small interface. Compute on dense arrays, or with the framework's own functions on `x.native`. A backend has
sparse arrays if its plugin implements `sparse_array` and `sparse_parts` of `corearray.hookspecs`; others raise an
error. Construction checks the indices, so it cannot be traced.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from corearray.arrays.array import Array
from corearray.calls.dispatch import resolve
from corearray.errors import (
    CoreArrayIndexError,
    CoreArrayNotImplementedError,
    CoreArrayTypeError,
    CoreArrayValueError,
)
from corearray.types.shape import Shape

if TYPE_CHECKING:
    from corearray.backends.backend import Backend
    from corearray.types.dtypes import DType

__all__ = [
    "SparseArray",
    "is_native_sparse_array",
    "native_sparse_array",
    "native_sparse_array_to_indices_values_and_shape",
]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"

_FORMATS = ("coo", "csr")


class SparseArray:
    """A sparse array of a backend's framework, with its format.

    Parameters
    ----------
    data
        The framework's own sparse array, of the backend in force.

    Attributes
    ----------
    native
        The framework's own.
    backend
        The backend.
    format
        `"coo"`, a list of places, or `"csr"`, of a matrix row after row.
    shape, dtype
        Those of the dense array.

    Raises
    ------
    TypeError
        If it is none.
    NotImplementedError
        If the backend has no sparse arrays.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.SparseArray(ca.native_sparse_array(ca.asarray([[0, 1], [2, 0]]), ca.asarray([5.0, 7.0]), (2, 3)))
    >>> x
    SparseArray(format='coo', shape=(2, 3), dtype=float32, backend=numpy)
    >>> x.to_dense().tolist()
    [[0.0, 0.0, 5.0], [7.0, 0.0, 0.0]]
    """

    __slots__ = ("_indices", "_values", "backend", "format", "native", "shape")

    def __init__(self, data: Any, /) -> None:
        self.backend = resolve(())
        parts = _parts("SparseArray", self.backend, data)
        self.native = data
        self.format, indices, values, shape = parts
        self.shape = Shape(tuple(map(int, shape)))
        wrapped = tuple(map(self.backend.wrap, indices)) if self.format == "csr" else self.backend.wrap(indices)
        self._indices, self._values = wrapped, self.backend.wrap(values)

    @property
    def dtype(self) -> DType:
        """The dtype of the elements."""
        return self._values.dtype

    def indices_values_and_shape(self) -> tuple[Array | tuple[Array, Array], Array, Shape]:
        """Return the arguments from which `native_sparse_array` rebuilds the array."""
        return self._indices, self._values, self.shape  # type: ignore[return-value]

    def to_dense(self) -> Array:
        """Return the dense array; values at the same place are summed."""
        be, indices = self.backend, self._indices
        if isinstance(indices, tuple):
            splits, columns = (be.astype(part, be.int64) for part in indices)
            rows = be.searchsorted(splits, be.arange(columns.shape[0], device=columns.device), side="right") - 1
            indices = be.stack([rows, columns])
        found: Array = be.scatter_nd(be.astype(indices, be.int64).mT, self._values, tuple(self.shape))
        return found

    def __repr__(self) -> str:
        return (
            f"SparseArray(format={self.format!r}, shape={tuple(self.shape)}, dtype={self.dtype.name}, "
            f"backend={self.backend.name})"
        )


def is_native_sparse_array(x: Any, /) -> bool:
    """Return whether an object is a sparse array of the current backend's framework.

    Parameters
    ----------
    x
        Anything.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.is_native_sparse_array(ca.asarray([1.0]))
    False
    """
    be = resolve(())
    return "sparse_parts" in be.facts and be.fact("sparse_parts", x) is not None


def native_sparse_array(
    indices: Array | Sequence[Array], values: Array, shape: Sequence[int], /, *, format: str = "coo"
) -> Any:
    """Build a sparse array of the framework.

    Parameters
    ----------
    indices
        For `"coo"` integers of shape `(number of axes, N)`: the places of the values along each axis. For `"csr"` two
        vectors: where each row begins among the values, with `N` at the end, and the column of each value.
    values
        Vector of `N` elements.
    shape
        The shape of the dense array.
    format
        `"coo"`, or `"csr"` for matrices.

    Returns
    -------
    The framework's own sparse array; `SparseArray` takes it.

    Raises
    ------
    IndexError
        If a place lies outside.
    NotImplementedError
        If the backend has no sparse arrays, or none of this format.
    TypeError
        If the indices are no integers.
    ValueError
        If shapes do not match, or the format is another.

    Examples
    --------
    >>> import corearray as ca
    >>> splits, columns = ca.asarray([0, 1, 2]), ca.asarray([2, 0])
    >>> x = ca.native_sparse_array((splits, columns), ca.asarray([5.0, 7.0]), (2, 3), format="csr")
    >>> ca.SparseArray(x).to_dense().tolist()
    [[0.0, 0.0, 5.0], [7.0, 0.0, 0.0]]
    """
    name = "'native_sparse_array'"
    if format not in _FORMATS:
        raise CoreArrayValueError(f"{name} got format={format!r}; it is 'coo' or 'csr'")
    be, sizes = resolve((values, indices)), tuple(map(operator.index, shape))
    _require_sparse("native_sparse_array", be)
    values = be.asarray(values)
    parts = [be.asarray(part) for part in indices] if format == "csr" else [be.asarray(indices)]
    if any(not be.isdtype(part.dtype, "integral") for part in parts):
        raise CoreArrayTypeError(f"{name} got indices of {', '.join(str(part.dtype) for part in parts)}; give integers")
    count, shapes = values.shape[0] if values.ndim == 1 else -1, [tuple(part.shape) for part in parts]
    wanted = [(sizes[0] + 1,), (count,)] if format == "csr" and len(sizes) == 2 else [(len(sizes), count)]
    if count < 0 or shapes != wanted or (format == "csr" and len(sizes) != 2) or not sizes or min(sizes) < 0:
        raise CoreArrayValueError(
            f"{name} got indices of the shapes {shapes} and values of shape {tuple(values.shape)} for the format "
            f"{format!r} and the shape {sizes}; give {'a matrix, ' if format == 'csr' else ''}a vector of values, and "
            f"indices of the shapes {wanted}"
        )
    if format == "csr":
        splits, places, bounds = parts[0], parts[1][None, :], sizes[1:]
        sound = bool(be.all(be.diff(splits) >= 0)) and int(splits[0]) == 0 and int(splits[-1]) == count
    else:
        places, bounds, sound = parts[0], sizes, True
    limits = be.asarray(bounds, dtype=be.int64, device=values.device)[:, None]
    places = be.astype(places, be.int64)
    if not sound or bool(be.any((places < 0) | (places >= limits))):
        raise CoreArrayIndexError(f"{name} got places outside of the shape {sizes}, or rows that do not ascend")
    natives = tuple(part.native for part in parts)
    return be.ask("sparse_array", natives if format == "csr" else natives[0], values.native, sizes, format)


def native_sparse_array_to_indices_values_and_shape(x: Any, /) -> tuple[Array | tuple[Array, Array], Array, Shape]:
    """Return indices, values and shape of a sparse array of the framework.

    Parameters
    ----------
    x
        The framework's own sparse array, or a `SparseArray`.

    Returns
    -------
    Indices, values and shape, as `native_sparse_array` takes them for its format.

    Raises
    ------
    NotImplementedError, TypeError
        As for `SparseArray`.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.native_sparse_array(ca.asarray([[0, 1], [2, 0]]), ca.asarray([5.0, 7.0]), (2, 3))
    >>> indices, values, shape = ca.native_sparse_array_to_indices_values_and_shape(x)
    >>> indices.tolist(), values.tolist(), shape
    ([[0, 1], [2, 0]], [5.0, 7.0], Shape((2, 3)))
    """
    return (x if isinstance(x, SparseArray) else SparseArray(x)).indices_values_and_shape()


def _require_sparse(name: str, be: Backend) -> None:
    if "sparse_parts" not in be.facts:
        raise CoreArrayNotImplementedError(f"'{name}': backend '{be.name}' has no sparse arrays; use another backend")


def _parts(name: str, be: Backend, data: Any) -> Any:
    _require_sparse(name, be)
    parts = be.ask("sparse_parts", data)
    if parts is None:
        raise CoreArrayTypeError(
            f"'{name}' got {type(data).__name__}, which is no sparse array of '{be.name}' in a format that corearray knows; "
            "native_sparse_array makes one"
        )
    return parts
