"""Types, dtypes and facts of Dask, and the one way by which values are computed.

Dask's arrays are graphs of tasks on chunks, NumPy's arrays as a rule. Nothing is computed before values are asked for.
"""

from __future__ import annotations

import math
import warnings
from typing import Any

import dask
import dask.array as da
import numpy as np
from dask.base import DaskMethodsMixin
from dask.highlevelgraph import HighLevelGraph

import corearray as ca
from corearray.plugin import Shape, called_on_natives, hookimpl

_NAMES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
    "complex64", "complex128",
)  # fmt: skip
DTYPES = {name: np.dtype(name) for name in _NAMES}

#: `hookimpl(via=...)` of functions that LAPACK lacks in half precision, or that lose too much in it.
HALF = {"float16": "float32"}


def computed(x: Any) -> Any:
    """Return the values of a lazy array, as NumPy's; the setting `compute` may warn or refuse."""
    policy = ca.compute()
    if policy != "allowed":
        text = (
            f"the values of an array of the shape {x.shape} are needed, which computes {len(x.dask)} tasks, and the setting "
            f"is compute='{policy}'; use corearray.settings(compute='allowed') where values may be computed"
        )
        if policy == "raise":
            raise RuntimeError(text)
        warnings.warn(text, RuntimeWarning, stacklevel=2)
    found = x.compute()
    return found if isinstance(found, (np.ndarray, np.generic)) else ca.to_numpy(found)


@hookimpl
def array_types() -> tuple[type, ...]:
    return (da.Array,)


@hookimpl
def diagnostics() -> dict[str, str]:
    return {
        "scheduler": str(dask.config.get("scheduler", "threads")),
        "chunk size": str(dask.config.get("array.chunk-size")),
    }


@hookimpl
def dlpack_device(x: Any) -> tuple[Any, int]:
    return 1, 0


@hookimpl
def dtypes() -> dict[str, Any]:
    return DTYPES


@hookimpl
def error_kind(error: Exception) -> type[Exception] | None:
    """Dask refuses axes and keys by errors of its own kinds, and too many chunks in one by `MemoryError`."""
    if isinstance(error, np.linalg.LinAlgError):
        return ca.LinAlgError
    return None


@hookimpl
def promotes_arrays() -> bool:
    return True


@hookimpl
def register_array(array_class: Any) -> None:
    """Make arrays Dask's collections, so that `dask.compute(x)` and `x.persist()` work, and give them NumPy's protocols."""
    backend = array_class._backend

    def graph(self: Any) -> Any:
        return self._native.__dask_graph__()

    def postcompute(self: Any) -> Any:
        finish, args = self._native.__dask_postcompute__()
        return _as_array, (finish, args)

    def postpersist(self: Any) -> Any:
        rebuild, args = self._native.__dask_postpersist__()
        return _rebuilt, (rebuild, args)

    array_class.__dask_graph__ = graph
    array_class.__dask_keys__ = lambda self: self._native.__dask_keys__()
    array_class.__dask_layers__ = lambda self: self._native.__dask_layers__()
    array_class.__dask_tokenize__ = lambda self: ("corearray", self._native.__dask_tokenize__())
    array_class.__dask_optimize__ = staticmethod(da.Array.__dask_optimize__)
    array_class.__dask_scheduler__ = staticmethod(da.Array.__dask_scheduler__)
    array_class.__dask_postcompute__ = postcompute
    array_class.__dask_postpersist__ = postpersist
    array_class.compute = DaskMethodsMixin.compute
    array_class.persist = DaskMethodsMixin.persist
    array_class.dask = property(graph)
    array_class.chunks = property(lambda self: self._native.chunks)
    array_class.name = property(lambda self: self._native.name)
    array_class.to_dask_array = lambda self: self._native
    array_class.rechunk = lambda self, *args, **options: backend.wrap(self._native.rechunk(*args, **options))
    array_class.shape = property(_shape)
    array_class.__reduce__ = lambda self: (_unpickled, (self._native,))

    def of_ufunc(self: Any, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return called_on_natives(getattr(ufunc, method), inputs, options, array_class)

    def of_function(self: Any, function: Any, types: Any, args: Any, options: Any) -> Any:
        return called_on_natives(function, args, options, array_class)

    array_class.__array_ufunc__ = of_ufunc
    array_class.__array_function__ = of_function


def _shape(array: Any) -> Shape:
    """Return the sizes, `None` for those that Dask does not know yet."""
    return Shape([None if size != size else size for size in array._native.shape])


def _as_array(results: Any, finish: Any, args: Any) -> Any:
    """Return computed chunks as an array of the backend of the chunks."""
    return ca.agnostic(lambda x: x)(_marked(finish(results, *args)))


def _marked(found: Any) -> Any:
    backend = ca.agnostic(lambda x: x.backend)(np.asarray(found) if isinstance(found, np.generic) else found)
    return backend.asarray(found)


def _unpickled(native: Any) -> Any:
    return ca.get_backend("dask").wrap(native)


def _rebuilt(graph: HighLevelGraph, rebuild: Any, args: Any, **options: Any) -> Any:
    return ca.get_backend("dask").wrap(rebuild(graph, *args, **options))


@hookimpl
def text(x: Any, precision: int | None) -> str:
    raise NotImplementedError("the values of a lazy array are not printed")


@hookimpl
def to_dlpack(x: Any, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Any = None) -> Any:
    """Export computed values, a copy of what the graph holds."""
    if copy is False:
        raise BufferError("the values of a lazy array are computed into new memory; leave copy=False out")
    options = {"max_version": max_version, "dl_device": dl_device, "copy": copy}
    return np.asarray(computed(x)).__dlpack__(**{name: value for name, value in options.items() if value is not None})


@hookimpl
def writes_in_place() -> bool:
    return False


def known(x: Any) -> bool:
    """Return whether all sizes of an array are known."""
    return not any(math.isnan(size) for size in x.shape)


def differ(one: float, other: float) -> bool:
    """Return whether two sizes are known and are not the same."""
    return one == one and other == other and one != other


def occupied(x: Any) -> bool:
    """Return whether all sizes are known and no chunk is empty, which `argmax` and `cumsum` of Dask require."""
    return known(x) and all(min(sizes, default=1) > 0 for sizes in x.chunks)
