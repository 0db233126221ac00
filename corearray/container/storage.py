"""Containers in files: `.npz`, which NumPy and others read, and `.pickle`, which keeps every Python object.

An `.npz` file is a zip archive with an array for each leaf under its key chain. One more member, under a name that is
no key chain, is a JSON text: the key chains in their order, and what an array cannot say, such as that a leaf was the
Python number 3. The core depends on no array library; the one whose format this is computes the arrays that
`corearray.to_numpy` returns, and is taken from there when it is needed.
"""

from __future__ import annotations

import json
import pickle
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corearray.dispatch import backend_of, resolve
from corearray.errors import CoreArrayTypeError, CoreArrayValueError, options

if TYPE_CHECKING:
    from os import PathLike

    from corearray.container.container import Container

__all__ = ["exported", "library", "load", "save"]

_MANIFEST = "corearray//leaves"
_PLAIN = (bool, int, float, str, type(None))


def save(container: Container, path: str | PathLike[str]) -> None:
    """Write a Container into a file; the suffix says how."""
    if _suffix(path) == ".npz":
        _save_npz(container, path)
    else:
        with Path(path).open("wb") as file:
            pickle.dump(container, file, protocol=5)


def load(kind: type[Container], path: str | PathLike[str]) -> Container:
    """Read what `save` wrote; the suffix says how."""
    if _suffix(path) == ".npz":
        return kind(_load_npz(kind, path))
    with Path(path).open("rb") as file:
        found = pickle.load(file)
    if type(found) is not kind:
        raise CoreArrayTypeError(f"'{path}' holds no Container, but an object of type {type(found).__name__}")
    return found


def _suffix(path: str | PathLike[str]) -> str:
    suffix = Path(path).suffix
    if suffix not in (".npz", ".pickle", ".pkl"):
        raise CoreArrayValueError(f"'{path}' has the suffix '{suffix}'; a Container is stored as .npz or as .pickle")
    return suffix


def library() -> Any:
    """Return the module that reads and writes the format: the home of what `to_numpy` returns."""
    backend = resolve(())
    array = backend.ask("to_numpy", backend.native.zeros((0,)))
    return sys.modules[type(array).__module__.partition(".")[0]]


def _save_npz(container: Container, path: str | PathLike[str]) -> None:
    module = library()
    arrays: dict[str, Any] = {}
    leaves: list[Any] = []
    for chain, value in _ends(container):
        backend = backend_of(value)
        if type(value) is type(container):
            leaves.append([chain, "Container", None])
        elif type(value) is complex:
            leaves.append([chain, "complex", [value.real, value.imag]])
        elif type(value) in _PLAIN:
            leaves.append([chain, "plain", value])
        elif backend is not None and not isinstance(value, (list, tuple)):
            leaves.append([chain, "array", backend.dtype_of(value).name])
            arrays[chain] = exported(backend, value)
        else:
            raise CoreArrayTypeError(
                f"the leaf at the key chain '{chain}' is a {type(value).__name__}; a .npz file holds arrays, Python "
                "scalars, strings and None, a .pickle file anything"
            )
    arrays[_MANIFEST] = module.asarray(json.dumps(leaves))
    with zipfile.ZipFile(path, "w") as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                module.lib.format.write_array(member, array, allow_pickle=False)


def _ends(container: Container, chain: str = "") -> list[tuple[str, Any]]:
    """List the leaves and the empty Containers with their key chains."""
    found: list[tuple[str, Any]] = []
    for key, value in container.items():
        if type(value) is type(container) and len(value):
            found += _ends(value, f"{chain}{key}/")
        else:
            found.append((f"{chain}{key}", value))
    return found


def exported(backend: Any, value: Any) -> Any:
    """Return what is written for an array: a dtype that the format does not know goes into a wider one."""
    array = backend.to_numpy(value)
    return array if array.dtype.kind in "biufc" else backend.to_numpy(backend.astype(value, "float32"))


def _load_npz(kind: type[Container], path: str | PathLike[str]) -> dict[str, Any]:
    backend = resolve(())
    with library().load(path, allow_pickle=False) as archive:
        if _MANIFEST not in archive.files:
            return {name: backend.asarray(archive[name]) for name in archive.files}
        found: dict[str, Any] = {}
        for chain, what, value in json.loads(str(archive[_MANIFEST])):
            if what == "array":
                found[chain] = backend.asarray(archive[chain], dtype=value)
            elif what == "complex":
                found[chain] = complex(*value)
            elif what == "plain":
                found[chain] = value
            elif what == "Container":
                found[chain] = kind()
            else:
                raise CoreArrayValueError(
                    f"'{path}' describes the leaf at '{chain}' as {what!r}; this version of corearray reads "
                    f"{options(('array', 'complex', 'plain', 'Container'))}"
                )
    return found
