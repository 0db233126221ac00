"""xarray: means, deviations, missing values, windows and interpolation over arrays of any backend, Dask's among them.

xarray has no table of array libraries. It asks the namespace of an array for NumPy's functions and options, takes NumPy's
dtypes alone where it fills in missing values, and gives lazy arrays to Dask. `register` answers the three for `Array`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import corearray as ca

__all__ = ["Namespace", "register"]

#: The functions of xarray's manager of chunks that take and return arrays.
_OF_CHUNKS = (
    "reduction",
    "scan",
    "apply_gufunc",
    "map_blocks",
    "blockwise",
    "unify_chunks",
    "store",
    "shuffle",
    "rechunk",
)


class Namespace:
    """A backend with the options that xarray gives to NumPy's functions."""

    def __init__(self, backend: Any) -> None:
        self._backend = backend
        windows = SimpleNamespace(sliding_window_view=self.sliding_window_view)
        self.lib = SimpleNamespace(stride_tricks=windows)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._backend, name)

    def _spread(self, name: str, x: Any, axis: Any, dtype: Any, ddof: int) -> Any:
        values = x if dtype is None else self._backend.astype(x, dtype)
        return getattr(self._backend, name)(values, axis=axis, correction=ddof)

    def std(self, x: Any, axis: Any = None, dtype: Any = None, ddof: int = 0) -> Any:
        """Return `std` with NumPy's options."""
        return self._spread("std", x, axis, dtype, ddof)

    def var(self, x: Any, axis: Any = None, dtype: Any = None, ddof: int = 0) -> Any:
        """Return `var` with NumPy's options."""
        return self._spread("var", x, axis, dtype, ddof)

    def nanstd(self, x: Any, axis: Any = None, dtype: Any = None, ddof: int = 0) -> Any:
        """Return `nanstd` with NumPy's options."""
        return self._spread("nanstd", x, axis, dtype, ddof)

    def nanvar(self, x: Any, axis: Any = None, dtype: Any = None, ddof: int = 0) -> Any:
        """Return `nanvar` with NumPy's options."""
        return self._spread("nanvar", x, axis, dtype, ddof)

    def nanmean(self, x: Any, axis: Any = None, dtype: Any = None) -> Any:
        """Return `nanmean` with NumPy's options."""
        return self._backend.nanmean(x if dtype is None else self._backend.astype(x, dtype), axis=axis)

    def cross(self, x1: Any, x2: Any, axis: int = -1) -> Any:
        """Return `linalg.cross`, by its name in NumPy's namespace."""
        return self._backend.linalg.cross(x1, x2, axis=axis)

    def cumsum(self, x: Any, axis: Any = None, dtype: Any = None) -> Any:
        """Return NumPy's name of `cumulative_sum`."""
        return self._backend.cumulative_sum(x, axis=axis, dtype=dtype)

    def cumprod(self, x: Any, axis: Any = None, dtype: Any = None) -> Any:
        """Return NumPy's name of `cumulative_prod`."""
        return self._backend.cumulative_prod(x, axis=axis, dtype=dtype)

    def nanquantile(self, x: Any, q: Any, axis: Any = None, **options: Any) -> Any:
        """Return `nanquantile` of probabilities that may be NumPy's."""
        return self._backend.nanquantile(x, self._backend.asarray(q), axis=axis, **options)

    def quantile(self, x: Any, q: Any, axis: Any = None, **options: Any) -> Any:
        """Return `quantile` of probabilities that may be NumPy's."""
        return self._backend.quantile(x, self._backend.asarray(q), axis=axis, **options)

    def gradient(self, x: Any, *coordinates: Any, axis: Any = None, edge_order: int = 1) -> Any:
        """Return `gradient` over coordinates that may be NumPy's."""
        own = [self._backend.asarray(one) for one in coordinates]
        return self._backend.gradient(x, *own, axis=axis, edge_order=edge_order)

    def sliding_window_view(self, x: Any, window_shape: Any, axis: Any = None, **_options: Any) -> Any:
        """Return all windows along axes, each window in new axes at the end, as NumPy's function."""
        sizes = (window_shape,) if isinstance(window_shape, int) else tuple(window_shape)
        axes = range(len(sizes)) if axis is None else (axis,) if isinstance(axis, int) else axis
        for size, along in zip(sizes, axes, strict=True):
            count = x.shape[along] - size + 1
            keys = [(slice(None),) * (along % x.ndim) + (slice(i, i + count),) for i in range(size)]
            x = self._backend.stack([x[key] for key in keys], axis=-1)
        return x


def register() -> None:
    """Let xarray's functions take arrays. A second call changes nothing."""
    dtypes: Any = import_module("xarray.core.dtypes")
    if getattr(dtypes.maybe_promote, "__corearray__", False):
        return
    for name in ("xarray.computation.rolling", "xarray.core.variable", "xarray.ufuncs", "xarray.core.nputils"):
        import_module(name)
    _replace_everywhere("xarray.compat.array_api_compat", "get_array_namespace", _namespaces)
    _replace_everywhere("xarray.namedarray.parallelcompat", "get_chunked_array_type", _by_natives)
    numpy = dtypes.np

    def numpy_dtype(dtype: Any) -> Any:
        return numpy.dtype(dtype.name) if isinstance(dtype, ca.DType) and hasattr(numpy, dtype.name) else dtype

    promote = dtypes.maybe_promote

    @wraps(promote)
    def maybe_promote(dtype: Any) -> Any:
        return promote(numpy_dtype(dtype))

    maybe_promote.__corearray__ = True  # type: ignore[attr-defined]
    dtypes.maybe_promote = maybe_promote
    named = import_module("xarray.namedarray.core").NamedArray
    named.dtype = property(lambda self: numpy_dtype(self._data.dtype), doc=named.dtype.__doc__)
    operations: Any = import_module("xarray.core.duck_array_ops")
    operations.sliding_window_view = _windows(operations.sliding_window_view)
    indexing = import_module("xarray.core.indexing").DaskIndexingAdapter
    for name in ("_oindex_get", "_vindex_get", "__getitem__"):
        setattr(indexing, name, _indexing(indexing, getattr(indexing, name)))
    manager = import_module("xarray.namedarray.daskmanager").DaskManager
    for name in _OF_CHUNKS:
        if hasattr(manager, name):
            setattr(manager, name, _on_chunks(getattr(manager, name)))


def _replace_everywhere(home: str, name: str, change: Callable[[Any], Any]) -> None:
    """Replace a function of xarray in each module that holds it."""
    old = getattr(import_module(home), name)
    new = change(old)
    for module_name, module in list(sys.modules.items()):
        if module_name.startswith("xarray.") and getattr(module, name, None) is old:
            setattr(module, name, new)


def _namespaces(asked: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(asked)
    def get_array_namespace(*values: Any) -> Any:
        found = asked(*values)
        return Namespace(found) if isinstance(found, ca.Backend) else found

    return get_array_namespace


def _by_natives(asked: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(asked)
    def get_chunked_array_type(*values: Any) -> Any:
        return asked(*ca.to_native(values))

    return get_chunked_array_type


def _windows(by_xarray: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(by_xarray)
    def sliding_window_view(array: Any, window_shape: Any, axis: Any = None, **options: Any) -> Any:
        if not isinstance(array, ca.Array):
            return by_xarray(array, window_shape, axis=axis, **options)
        if hasattr(array, "chunks"):
            return array.backend.wrap(by_xarray(array.native, window_shape, axis=axis, **options))
        return Namespace(array.backend).sliding_window_view(array, window_shape, axis)

    return sliding_window_view


def _indexing(adapter: Callable[[Any], Any], method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method of xarray's adapter that indexes the native array."""

    @wraps(method)
    def get(self: Any, indexer: Any) -> Any:
        if not isinstance(self.array, ca.Array):
            return method(self, indexer)
        return self.array.backend.wrap(method(adapter(self.array.native), indexer))

    return get


def _on_chunks(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of chunked arrays that takes `Array` and then returns `Array`."""

    @wraps(method)
    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        found: list[ca.Array] = []

        def native(x: Any) -> Any:
            if isinstance(x, ca.Array):
                found.append(x)
                return x.native
            return type(x)(map(native, x)) if type(x) in (list, tuple) else x

        given = [native(x) for x in args]
        options = {name: native(x) for name, x in kwargs.items()}
        result = method(self, *given, **options)
        if not found:
            return result
        backend = found[0].backend

        def wrapped(x: Any) -> Any:
            if type(x) in (list, tuple):
                return type(x)(map(wrapped, x))
            return backend.wrap(x) if backend.is_native(x) else x

        return wrapped(result)

    return run
