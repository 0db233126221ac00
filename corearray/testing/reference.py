"""Expected results: the same calls on NumPy with nothing but the primary functions, in a process of its own.

That backend is what `corearray new-backend` writes. Its primaries are NumPy's functions, all else is composed of them, and
the core's own tests compare these compositions with independent oracles.
"""

from __future__ import annotations

import functools
import importlib
import json
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
from corearray.testing.calls import Case, cases, replaced

__all__ = ["Refusal", "Result", "child", "expected", "function_of", "made", "seen"]

_PROGRAM = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from corearray.testing.reference import child; child(*sys.argv[2:])"
)


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
        return Refusal(tuple(kind.__name__ for kind in (TypeError, ValueError, IndexError) if isinstance(error, kind)))


def function_of(namespace: Any, name: str) -> Any:
    """Return a function of a backend's namespace, wherever it stands in it."""
    declaration = DECLARATIONS[name]
    return getattr(namespace if declaration.main else getattr(namespace, declaration.namespace), name)


def made(backend: Any, value: Any) -> Any:
    """Make the backend's arrays of the NumPy arrays in nested lists, tuples and dictionaries."""
    return replaced(value, lambda x: backend.asarray(np.array(x), dtype=str(x.dtype)))


def seen(backend: Any, value: Any) -> Any:
    """Return results with a `Result` in the place of each array; sequences become tuples."""
    if isinstance(value, ca.Array):
        return Result(value.dtype.name, tuple(value.shape), np.array(backend.to_numpy(value)))
    if isinstance(value, np.ndarray):
        return Result(str(value.dtype), value.shape, value)
    return tuple(seen(backend, item) for item in value) if isinstance(value, (list, tuple)) else value


@functools.cache
def expected(dtypes: tuple[str, ...]) -> dict[tuple[str, str], Any]:
    """Return the results and refusals of all calls, by function and label."""
    folders = json.dumps([folder for folder in sys.path if isinstance(folder, str)])
    kept = {name: text for name, text in os.environ.items() if not name.startswith("COREARRAY_")}
    with tempfile.TemporaryDirectory(prefix="corearray-") as folder:
        arguments = [folder, ",".join(dtypes)]
        subprocess.run([sys.executable, "-c", _PROGRAM, folders, *arguments], env=kept, check=True)
        found: dict[tuple[str, str], Any] = pickle.loads(Path(folder, "results").read_bytes())
    return found


def child(folder: str, dtypes: str) -> None:
    """Compute the results and write them into a file."""
    for place, text in project_files("reference").items():
        if place.startswith("corearray_reference/"):
            path = Path(folder, place)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
    sys.path.insert(0, folder)
    ca.register_backend(importlib.import_module("corearray_reference"))
    backend = ca.get_backend("reference")
    results = {}
    for name in DECLARATIONS:
        for case in cases(name, dtypes.split(",")):
            result = _computed(backend, case)
            if result is not None:
                results[name, case.label] = result
    Path(folder, "results").write_bytes(pickle.dumps(results))


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
    return isinstance(error, TypeError if case.dtype else (TypeError, ValueError, IndexError))
