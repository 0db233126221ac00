"""Files of Containers: `.npz`, which NumPy and others read, and `.pickle`, which stores every Python object.

A `.npz` file is a zip archive with one array for each leaf under its key chain. One more member is a JSON text with the
order of the key chains and the types that an array cannot represent, such as the Python number 3. The core depends on
no array library: NumPy is reached through the arrays that `corearray.to_numpy` returns.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corearray.calls.dispatch import backend_of, resolve
from corearray.errors import CoreArrayTypeError, CoreArrayValueError, FileFormatError, options
from corearray.files import contents, exported, library, written_at_once
from corearray.files.npy import members, read_npy, write_member

if TYPE_CHECKING:
    from os import PathLike

    from corearray.container.container import Container

__all__ = ["load", "load_pickle", "save", "save_pickle"]

_MANIFEST = "corearray//leaves"
_PLAIN = (bool, int, float, str, type(None))


def save(container: Container, path: str | PathLike[str]) -> None:
    """Write a Container to a file in the format of its suffix."""
    if _suffix(path) == ".npz":
        _save_npz(container, path)
    else:
        save_pickle(container, path)


def load(kind: type[Container], path: str | PathLike[str], *, allow_pickle: bool = False) -> Container:
    """Read a file that `save` wrote, in the format of its suffix."""
    if _suffix(path) == ".npz":
        return _load_npz(kind, path)
    found = load_pickle(path, allow_pickle=allow_pickle)
    if type(found) is not kind:
        raise CoreArrayTypeError(f"'{path}' holds no Container, but an object of type {type(found).__name__}")
    return found


def save_pickle(x: Any, path: str | PathLike[str]) -> None:
    """Write any object to a pickle file."""
    import pickle  # with what it imports, this would take a tenth of the import of corearray

    with written_at_once(path) as file:
        try:
            pickle.dump(x, file, protocol=5)
        except OSError:
            raise
        except Exception as error:
            raise CoreArrayTypeError(
                f"'{path}' cannot be written, because pickle cannot store a part of it: {type(error).__name__}: {error}"
            ) from error


def load_pickle(path: str | PathLike[str], *, allow_pickle: bool) -> Any:
    """Read an object from a pickle file, if the caller declares its origin as trusted."""
    import pickle

    if not allow_pickle:
        raise CoreArrayValueError(
            f"'{path}' is a file of Python's pickle, which can run any program when it is read; if you trust where it comes "
            "from, read it with allow_pickle=True; .npy and .npz files need no trust"
        )
    with Path(path).open("rb") as file, contents(path, "a file of Python's pickle"):
        return pickle.load(file)


def _suffix(path: str | PathLike[str]) -> str:
    suffix = Path(path).suffix
    if suffix not in (".npz", ".pickle", ".pkl"):
        raise CoreArrayValueError(f"'{path}' has the suffix '{suffix}'; a Container is stored as .npz or as .pickle")
    return suffix


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
    with written_at_once(path) as file, zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            write_member(archive, name, array)


def _ends(container: Container, chain: str = "") -> list[tuple[str, Any]]:
    """List the leaves and the empty Containers with their key chains."""
    found: list[tuple[str, Any]] = []
    for key, value in container.items():
        if type(value) is type(container) and len(value):
            found += _ends(value, f"{chain}{key}/")
        else:
            found.append((f"{chain}{key}", value))
    return found


def _load_npz(kind: type[Container], path: str | PathLike[str]) -> Container:
    backend = resolve(())
    size = Path(path).stat().st_size
    with Path(path).open("rb") as file, contents(path, "a .npz file"), zipfile.ZipFile(file) as archive:
        arrays = {name.removesuffix(".npy"): info for name, info in members(archive, size).items()}

        def read(chain: str) -> Any:
            if chain not in arrays:
                raise FileFormatError(f"the array '{chain}' is not there")
            with archive.open(arrays[chain]) as member:
                return read_npy(member, arrays[chain].file_size)

        if _MANIFEST not in arrays:
            return kind({name: backend.asarray(read(name)) for name in arrays})
        leaves = json.loads(str(read(_MANIFEST)))
        found: dict[str, Any] = {}
        for chain, what, value in leaves:
            if type(chain) is not str or chain in found:
                raise FileFormatError(f"the list of leaves has the key chain {chain!r}")
            if what == "array":
                found[chain] = backend.asarray(read(chain), dtype=value)
            elif what == "complex":
                found[chain] = complex(*value)
            elif what == "plain" and type(value) in _PLAIN:
                found[chain] = value
            elif what == "Container":
                found[chain] = kind()
            else:
                raise FileFormatError(
                    f"the leaf at '{chain}' is described as {what!r}; this version of corearray reads "
                    f"{options(('array', 'complex', 'plain', 'Container'))}"
                )
        return kind(found)
