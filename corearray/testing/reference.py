"""Expected results: the same calls on NumPy with nothing but the primary functions, in a process of its own.

That backend is what `corearray new-backend` writes. Its primaries are NumPy's functions, all else is composed of them, and
the core's own tests compare these compositions with independent oracles.
"""

from __future__ import annotations

import atexit
import functools
import importlib
import json
import operator
import os
import pickle
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import corearray as ca
from corearray.commands.new_backend import project_files
from corearray.contract.declaration import DECLARATIONS
from corearray.testing.calls import ORDER, Case, cases, replaced
from corearray.types.dtypes import DTYPES

__all__ = ["Refusal", "Result", "child", "expected", "function_of", "in_own_dtypes", "made", "seen"]

_PROGRAM = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from corearray.testing.reference import child; child(*sys.argv[2:])"
)

#: Errors of calls that are wrong on every backend.
_REFUSALS = (TypeError, ValueError, IndexError, OverflowError, NotImplementedError)


class Result(NamedTuple):
    """One array of a result: what can be compared, and written into a file."""

    dtype: str
    shape: tuple[int, ...]
    elements: Any


class Refusal(NamedTuple):
    """In the place of a result: the call is wrong, and raises an error of one of these Python types."""

    kinds: tuple[str, ...]

    @staticmethod
    def of(error: BaseException) -> Refusal:
        """Return the refusal that an error is."""
        return Refusal(tuple(kind.__name__ for kind in _REFUSALS if isinstance(error, kind)))


def function_of(namespace: Any, name: str) -> Any:
    """Return a function of a backend's namespace, wherever it stands in it."""
    declaration = DECLARATIONS[name]
    return getattr(namespace if declaration.main else getattr(namespace, declaration.namespace), name)


def made(backend: Any, value: Any) -> Any:
    """Make the backend's arrays of the NumPy arrays in nested lists, tuples and dictionaries: one of an array given twice."""
    found: dict[int, Any] = {}

    def array_of(x: np.ndarray) -> Any:
        if id(x) not in found:
            found[id(x)] = backend.asarray(np.array(x), dtype=x.dtype.name)
        return found[id(x)]

    return replaced(value, array_of)


def seen(backend: Any, value: Any) -> Any:
    """Return results with a `Result` in the place of each array; sequences become tuples."""
    if isinstance(value, ca.Array):
        elements = np.array(backend.to_numpy(value))
        dtype, shape = value.dtype.name, tuple(value.shape)
        held = backend.dtype_of_native.get(value.native.dtype)
        if held is not value.dtype:
            dtype = f"a native array of {held.name if held else value.native.dtype}"
        elif elements.dtype != dtype:
            dtype += f" (to_numpy gives the dtype {elements.dtype})"
        if None in shape:  # sizes that are unknown before the values are computed
            shape = tuple(own if size is None else size for size, own in zip(shape, elements.shape, strict=True))
        if elements.shape != shape:
            raise AssertionError(f"to_numpy gives the shape {elements.shape} for an array of shape {shape}")
        return Result(dtype, shape, elements)
    if isinstance(value, np.ndarray):
        return Result(str(value.dtype), value.shape, value)
    if isinstance(value, dict):
        return {name: seen(backend, item) for name, item in value.items()}
    return tuple(seen(backend, item) for item in value) if isinstance(value, (list, tuple)) else value


def in_own_dtypes(backend: Any, value: Any) -> Any:
    """Return expected results with the backend's widest integers in place of wider ones, as its indices have them.

    In place of a result of another dtype that the backend lacks stands a refusal. Results of which nothing changes are
    returned as they are.
    """
    if isinstance(value, Result):
        own = backend.own_dtype(DTYPES[value.dtype]).name if value.dtype in DTYPES else value.dtype
        if own in DTYPES and DTYPES[own] not in backend.native_dtypes:
            return Refusal(("TypeError", "NotImplementedError"))
        return value if own == value.dtype else Result(own, value.shape, value.elements.astype(own))
    if isinstance(value, tuple) and not isinstance(value, Refusal):
        parts = tuple(in_own_dtypes(backend, item) for item in value)
        refused = next((part for part in parts if isinstance(part, Refusal)), None)
        if refused is not None:
            return refused
        return value if all(map(operator.is_, parts, value)) else parts
    return value


def expected(name: str, dtypes: tuple[str, ...]) -> dict[str, Any]:
    """Return the results and refusals of all calls of a function, by label.

    The first call starts the process that computes them; it works on the functions that follow in the meantime.
    """
    return _worker(dtypes).results(name)


class _Worker:
    """The process with the reference backend, which answers with the results of one function after the other."""

    #: How many functions are computed ahead of the one that is asked for.
    _AHEAD = 3

    def __init__(self, dtypes: tuple[str, ...]) -> None:
        folders = json.dumps([folder for folder in sys.path if isinstance(folder, str)])
        kept = {name: text for name, text in os.environ.items() if not name.startswith("COREARRAY_")}
        self._process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, folders, ",".join(dtypes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=kept,
        )
        self._asked: set[str] = set()
        self._found: dict[str, dict[str, Any]] = {}
        atexit.register(self._end)

    def results(self, name: str) -> dict[str, Any]:
        """Return the results of a function; those asked for before it arrive first."""
        place = ORDER.index(name)
        if name not in self._found:
            self._ask(name)
        for following in ORDER[place + 1 : place + 1 + self._AHEAD]:
            self._ask(following)
        assert self._process.stdout
        while name not in self._found:
            size = self._process.stdout.read(8)
            if len(size) < 8:
                raise RuntimeError(f"the process of the reference backend ended with code {self._process.wait()}")
            done, results = pickle.loads(self._process.stdout.read(int.from_bytes(size, "little")))
            self._found[done] = results
        return self._found[name]

    def _ask(self, name: str) -> None:
        if name not in self._asked:
            assert self._process.stdin
            self._asked.add(name)
            self._process.stdin.write(f"{name}\n".encode())
            self._process.stdin.flush()

    def _end(self) -> None:
        self._process.kill()
        self._process.communicate()


_worker = functools.cache(_Worker)


def child(dtypes: str) -> None:
    """Compute results of the functions whose names arrive, and write them to the standard output."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else is printed is no answer
    with tempfile.TemporaryDirectory(prefix="corearray-") as folder:
        for place, text in project_files("reference").items():
            if place.startswith("corearray_reference/"):
                path = Path(folder, place)
                path.parent.mkdir(exist_ok=True)
                path.write_text(text)
        sys.path.insert(0, folder)
        ca.register_backend(importlib.import_module("corearray_reference"))
        backend = ca.get_backend("reference")
    for line in sys.stdin:
        name = line.strip()
        computed = ((case.label, _computed(backend, case)) for case in cases(name, dtypes.split(",")))
        found = pickle.dumps((name, {label: result for label, result in computed if result is not None}))
        answers.write(len(found).to_bytes(8, "little") + found)
        answers.flush()


def _computed(backend: Any, case: Case) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return seen(
                backend, function_of(backend, case.name)(*made(backend, case.args), **made(backend, case.options))
            )
        except ca.CoreArrayError as error:
            return Refusal.of(error) if _wrong(case, error) else None


def _wrong(case: Case, error: ca.CoreArrayError) -> bool:
    """Whether a call is wrong on every backend: for its dtype or its shapes, not for its values."""
    return isinstance(error, TypeError if case.dtype else _REFUSALS)
