"""Files of weights in the format safetensors: a JSON header and raw bytes, which hold no code.

The format: 8 bytes with the length of the header, little-endian; the header, JSON from names to dtype, shape and offsets; the
bytes of the arrays, in C order. https://github.com/huggingface/safetensors
"""

from __future__ import annotations

import json
import math
import mmap
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corearray.arrays.array import Array
from corearray.calls.dispatch import resolve
from corearray.convenience.raw import bytes_of, vector_of
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.files.atomic import written_at_once
from corearray.sharding import shard

if TYPE_CHECKING:
    from corearray.nn.loading import LoadReport
    from corearray.types.dtypes import DType

__all__ = ["load", "read", "read_metadata", "save"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"

_NAMES = {
    "float64": "F64", "float32": "F32", "float16": "F16", "bfloat16": "BF16", "complex64": "C64", "complex128": "C128",
    "int64": "I64", "int32": "I32", "int16": "I16", "int8": "I8",
    "uint64": "U64", "uint32": "U32", "uint16": "U16", "uint8": "U8", "bool": "BOOL",
}  # fmt: skip
_DTYPES = {name: dtype for dtype, name in _NAMES.items()}
_SIZES = {
    "F64": 8, "F32": 4, "F16": 2, "BF16": 2, "C64": 8, "C128": 16, "I64": 8, "I32": 4, "I16": 2, "I8": 1, "U64": 8, "U32": 4,
    "U16": 2, "U8": 1, "BOOL": 1,
}  # fmt: skip

#: A longer header is refused, as by the reference implementation.
_LONGEST_HEADER = 100_000_000


def save(
    obj: Any,
    path: str | os.PathLike[str],
    /,
    *,
    metadata: Mapping[str, str] | None = None,
    max_shard_bytes: int | None = None,
) -> None:
    """Write the arrays of a module, a training step, or a dictionary into a file.

    Parameters
    ----------
    obj
        Object with `state_dict()`, such as a `Module` or a `TrainStep`, or a dictionary of arrays by name.
    path
        The file, by convention with the suffix `.safetensors`. It is replaced at once when everything is written.
    metadata
        Texts by name to write beside the arrays.
    max_shard_bytes
        Largest number of bytes of a file. Above it there are several, such as `model-00001-of-00002.safetensors`, and an index
        `model.safetensors.index.json`.

    Raises
    ------
    TypeError
        If a value is no array, or metadata are no texts.

    Examples
    --------
    >>> import os, tempfile
    >>> import corearray as ca
    >>> from corearray import nn
    >>> path = os.path.join(tempfile.mkdtemp(), "layer.safetensors")
    >>> nn.save(nn.Linear(3, 2), path)
    >>> nn.load(nn.Linear(3, 2), path)
    LoadReport(missing=(), unexpected=(), reshaped=())

    Notes
    -----
    An array that stands under several names is written once; the metadata then hold its other names.
    """
    state = obj.state_dict() if hasattr(obj, "state_dict") else obj
    if not isinstance(state, Mapping):
        raise CoreArrayTypeError(f"'save' takes a module or a dictionary of arrays by name, got {type(obj).__name__}")
    texts = {} if metadata is None else dict(metadata)
    if not all(isinstance(x, str) for pair in texts.items() for x in pair):
        raise CoreArrayTypeError("the metadata of a file are texts by name")
    first: dict[int, str] = {}
    arrays: dict[str, tuple[str, tuple[int, ...], bytes]] = {}
    for name, value in state.items():
        if id(value) in first:
            texts[name] = first[id(value)]
            continue
        first[id(value)] = name
        arrays[name] = _encoded(name, value)
    path = Path(path)
    sizes = {name: len(data) for name, (_, _, data) in arrays.items()}
    shards = _shards(sizes, max_shard_bytes)
    if len(shards) == 1:
        with written_at_once(path) as file:
            _write(file, arrays, texts)
        return
    names = [f"{path.stem}-{i + 1:05}-of-{len(shards):05}{path.suffix}" for i in range(len(shards))]
    for name, part in zip(names, shards, strict=True):
        with written_at_once(path.with_name(name)) as file:
            _write(file, {key: arrays[key] for key in part}, texts)
    where = {key: name for name, part in zip(names, shards, strict=True) for key in part}
    index = {"metadata": {"total_size": sum(sizes.values())}, "weight_map": where}
    with written_at_once(path.with_name(f"{path.name}.index.json")) as file:
        file.write(json.dumps(index, indent=2, sort_keys=True).encode())


def load(
    obj: Any,
    path: str | os.PathLike[str],
    /,
    *,
    strict: bool = True,
    rename: Sequence[tuple[str, str]] = (),
    dtype: DType | str | None = None,
    layout: Any = None,
) -> LoadReport:
    """Read a file into a module or a training step.

    Parameters
    ----------
    obj
        A `Module`, or another object with `load_state_dict`.
    path
        The file, an index of several, or the path that was given to `save` for several.
    strict, rename, dtype
        As in `Module.load_state_dict`.
    layout
        How the arrays are split over the mesh in force: a dictionary from patterns of names, as `corearray.shard` takes it.

    Returns
    -------
    `LoadReport`.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If the file is damaged; and the errors of `load_state_dict`. The module is then unchanged.
    """
    options: dict[str, Any] = {"strict": strict}
    if rename:
        options["rename"] = rename
    if dtype is not None:
        options["dtype"] = dtype
    report: LoadReport = obj.load_state_dict(read(path) if layout is None else shard(read(path), layout), **options)
    return report


def read(path: str | os.PathLike[str], /) -> dict[str, Array]:
    """Read the arrays of a file by name, on the backend in force.

    Parameters
    ----------
    path
        As in `load`.

    Returns
    -------
    Dictionary of arrays. A backend without bfloat16 or float16 gets float32, which holds the same numbers.

    Raises
    ------
    FileNotFoundError, ValueError
        As in `load`.
    """
    found: dict[str, Array] = {}
    shared: dict[str, str] = {}
    for file in _files(Path(path)):
        with file.open("rb") as opened:
            header, start, view = _mapped(file, opened)
            with view:
                shared |= header.pop("__metadata__", {})
                for name, entry in header.items():
                    found[name] = _decoded(file, name, entry, view, start)
    return found | {name: found[other] for name, other in shared.items() if other in found and name not in found}


def read_metadata(path: str | os.PathLike[str], /) -> dict[str, str]:
    """Read the texts that were written beside the arrays of a file.

    Parameters
    ----------
    path
        As in `load`.
    """
    texts: dict[str, str] = {}
    for file in _files(Path(path)):
        with file.open("rb") as opened:
            header, _, view = _mapped(file, opened)
            view.close()
            texts |= header.get("__metadata__", {})
    return texts


# --- bytes of arrays


def _encoded(name: str, value: Any) -> tuple[str, tuple[int, ...], bytes]:
    if not isinstance(value, Array):
        try:
            value = resolve((value,)).asarray(value)
        except (TypeError, ValueError) as error:
            raise CoreArrayTypeError(f"'{name}' is {type(value).__name__}, which is no array: {error}") from error
    dtype = value.dtype.name
    if dtype not in _NAMES:
        raise CoreArrayTypeError(f"'{name}' has the dtype '{dtype}', which files of the format safetensors do not hold")
    return _NAMES[dtype], tuple(value.shape), bytes_of(value)


def _decoded(file: Path, name: str, entry: Mapping[str, Any], data: mmap.mmap, start: int) -> Array:
    try:
        kind, shape, (begin, end) = entry["dtype"], tuple(entry["shape"]), entry["data_offsets"]
        size = _SIZES[kind] * math.prod(shape)
    except (KeyError, TypeError, ValueError):
        raise CoreArrayValueError(f"'{name}' in '{file}' has a dtype or shape that is not known: {entry!r}") from None
    if not 0 <= begin <= end <= len(data) - start or end - begin != size:
        raise CoreArrayValueError(
            f"'{file}' is damaged: '{name}' has {size} bytes by its shape {shape}, and stands at {begin} to {end} of "
            f"{len(data) - start}"
        )
    backend, raw = resolve(()), data[start + begin : start + end]
    dtype = _DTYPES[kind]
    found: Array = backend.reshape(vector_of(backend, raw, dtype), shape)
    return found


# --- files


def _write(file: Any, arrays: Mapping[str, tuple[str, tuple[int, ...], bytes]], texts: Mapping[str, str]) -> None:
    header: dict[str, Any] = {"__metadata__": dict(texts)} if texts else {}
    order = sorted(arrays, key=lambda name: (-_SIZES[arrays[name][0]], name))  # aligned
    place = 0
    for name in order:
        kind, shape, data = arrays[name]
        header[name] = {"dtype": kind, "shape": list(shape), "data_offsets": [place, place + len(data)]}
        place += len(data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    file.write(len(text).to_bytes(8, "little"))
    file.write(text)
    for name in order:
        file.write(arrays[name][2])


def _mapped(path: Path, file: Any) -> tuple[dict[str, Any], int, mmap.mmap]:
    size = os.fstat(file.fileno()).st_size
    length = int.from_bytes(file.read(8), "little")
    if size < 8 or not 2 <= length <= min(size - 8, _LONGEST_HEADER):
        raise CoreArrayValueError(f"'{path}' is no file of the format safetensors, or is cut off: {size} bytes")
    try:
        header = json.loads(file.read(length))
        if not isinstance(header, dict) or not all(isinstance(entry, dict) for entry in header.values()):
            raise ValueError("it is no dictionary of dictionaries")
    except ValueError as error:
        raise CoreArrayValueError(f"the header of '{path}' cannot be read: {error}") from None
    return header, 8 + length, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _files(path: Path) -> list[Path]:
    """Return the files that a path stands for: itself, or those of an index."""
    index = path if path.name.endswith(".index.json") else path.with_name(f"{path.name}.index.json")
    if index is not path and (path.exists() or not index.exists()):
        return [path]
    try:
        where = json.loads(index.read_text())["weight_map"]
        names = sorted(set(where.values()))
    except (KeyError, AttributeError, TypeError, ValueError) as error:
        raise CoreArrayValueError(f"the index '{index}' cannot be read: {error}") from None
    for name in names:
        if not isinstance(name, str) or Path(name).name != name:
            raise CoreArrayValueError(f"the index '{index}' names a file in another folder, {name!r}")
    return [index.with_name(name) for name in names]


def _shards(sizes: Mapping[str, int], limit: int | None) -> list[list[str]]:
    shards: list[list[str]] = [[]]
    total = 0
    for name, size in sizes.items():
        if limit is not None and shards[-1] and total + size > limit:
            shards.append([])
            total = 0
        shards[-1].append(name)
        total += size
    return shards
