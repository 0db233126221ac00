"""The native calls of a program, as NumPy's protocols show them."""

from __future__ import annotations

import operator
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np

from corearray.plugin import hookimpl, untraceable
from corearray_numpy.native import DTYPES
from corearray_numpy.tracer import MAKERS, READERS, SCIPY, WHOLE, Recorder, at_work

#: Functions that touch files, or that call what they are given.
_UNSAFE = frozenset(
    "apply_along_axis apply_over_axes fromfile fromfunction fromiter fromregex genfromtxt load loadtxt memmap piecewise save "
    "savetxt savez savez_compressed".split()
)


@hookimpl
def traced_calls(function: Any, natives: Any) -> Any:
    recorder = Recorder()
    inputs = [recorder.tracer(x.copy() if type(x) is np.ndarray else x) for x in natives]
    recorder.recording.inputs = [x._value for x in inputs]
    before = _drawn()
    try:
        with at_work(recorder):
            outputs = [recorder.own(x) for x in function(inputs)]
        if _drawn() != before:
            raise untraceable(
                "NumPy's own generator of random numbers advances, which a graph cannot; draw them outside"
            )
        recorder.recording.outputs = [recorder.value(x) for x in outputs]
        return recorder.recording
    finally:
        recorder.tracers.clear()  # a view that corearray knows keeps its base, and a base would keep its views


@hookimpl
def graph_names() -> Any:
    names: dict[str, Any] = dict(WHOLE)
    for path in SCIPY:
        import_module(path)
    for module in (np, np.linalg, np.fft, np.lib.stride_tricks):
        for name, value in vars(module).items():
            if isinstance(value, np.ufunc):
                names.update(_of_ufunc(f"{module.__name__}.{name}", value))
            elif hasattr(value, "_implementation") and name not in _UNSAFE:
                names[f"{value.__module__}.{name}"] = value
    for path in MAKERS:
        module_name, _, name = path.rpartition(".")
        names[f"numpy.{path}"] = getattr(getattr(np, module_name) if module_name else np, name)
    methods = {name for name in vars(np.ndarray) if callable(getattr(np.ndarray, name)) and name[0] != "_"} - READERS
    names |= {f"numpy.ndarray.{name}": getattr(np.ndarray, name) for name in methods}
    names |= {"numpy.ndarray.__getitem__": operator.getitem, "numpy.ndarray.__setitem__": operator.setitem}
    names |= {
        f"numpy.ndarray.{name}.__get__": vars(np.ndarray)[name].__get__
        for name in ("T", "mT")
        if hasattr(np.ndarray, name)
    }
    names["operator.pow"] = operator.pow
    names["numpy.lib.stride_tricks.as_strided"] = np.lib.stride_tricks.as_strided
    for path in (*SCIPY, "scipy.ndimage", "scipy.signal"):
        names.update(_of_scipy(path))
    names |= {f"numpy.dtype.{dtype.name}": dtype for dtype in map(np.dtype, DTYPES.values())}
    names |= {f"numpy.{dtype.type.__name__}": dtype.type for dtype in map(np.dtype, DTYPES.values())}
    return names | {"numpy.ndarray": np.ndarray}


def _of_ufunc(path: str, ufunc: Any) -> Iterator[tuple[str, Any]]:
    yield path, ufunc
    for method in ("accumulate", "at", "outer", "reduce", "reduceat"):
        yield f"{path}.{method}", getattr(ufunc, method)


def _of_scipy(path: str) -> Iterator[tuple[str, Any]]:
    """Name the functions of a module of SciPy, if it is loaded; the modules of LAPACK and BLAS are with it."""
    module = sys.modules.get(path)
    for name in getattr(module, "__all__", ()):
        value = getattr(module, name)
        if isinstance(value, np.ufunc):
            yield from _of_ufunc(f"{path}.{name}", value)
        elif callable(value) and not isinstance(value, type) and "generic" not in name:
            yield f"{path}.{name}", value
    if path == "scipy.linalg" and module is not None:
        for part in ("blas", "lapack"):
            for name, value in vars(getattr(module, part)).items():
                if type(value).__name__ == "fortran":
                    yield f"{path}.{part}.{name}", value


def _drawn() -> Any:
    _, words, *others = np.random.get_state()  # type: ignore[misc]
    return words.tobytes(), others
