"""`torch.load`: files that torch or this frontend has written, read without running code."""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Callable
from contextlib import nullcontext
from os import PathLike
from pathlib import Path
from typing import IO, Any

import corearray as ca
from corearray.errors import CoreArrayTypeError, FileFormatError
from corearray.frontend.frontend import get_frontend
from corearray.frontend.torch.devices import device
from corearray.frontend.torch.grad_mode import no_grad
from corearray.frontend.torch.serialization.pickled import read_pickle
from corearray.frontend.torch.serialization.storages import STORAGES, Storage
from corearray.frontend.torch.size import Size
from corearray.types.dtypes import DTYPES

__all__ = ["load"]

_MAGIC = 0x1950A86A20F9469CFC6C


def load(
    f: str | PathLike[str] | IO[bytes], map_location: Any = None, pickle_module: Any = None, *, weights_only: bool = True,
    mmap: bool | None = None, **pickle_load_args: Any,
) -> Any:  # fmt: skip
    """Read a file that `torch.save` has written, of torch or of this frontend, also in torch's format of before 1.6.

    The file runs no code, whatever it holds: tensors, numbers, texts, and lists, tuples, sets and dictionaries of them.

    Parameters
    ----------
    f
        The path, or a binary file that can be searched.
    map_location
        The device of the tensors: a device, a dictionary from devices in the file to others, or a function of a storage and its
        device, as in torch. By default tensors go to the default device of the backend, whatever device they were saved from.
    pickle_module, weights_only, mmap, pickle_load_args
        Without effect: only data is read.

    Returns
    -------
    The object, with tensors on the backend in force. Tensors that shared elements share them again, unless their strides have
    gaps. Half precisions become `float32` where the backend lacks them.

    Raises
    ------
    ValueError
        If the file is damaged, is in another format, or holds an object of a class that `add_safe_globals` has not named.
    """
    place = _placer(map_location)
    with Path(f).open("rb") if isinstance(f, (str, PathLike)) else nullcontext(_searched(f)) as file, no_grad():
        start = file.tell()
        if file.read(4) == b"PK\x03\x04":
            file.seek(start)
            return _of_archive(file, place)
        file.seek(start)
        return _of_stream(file, place)


def _searched(file: Any) -> Any:
    """Return a binary file that can be searched."""
    if not all(hasattr(file, name) for name in ("read", "seek", "tell", "readline")):
        raise CoreArrayTypeError(f"torch.load takes a path or a binary file, got {type(file).__name__}")
    return file


def _placer(map_location: Any) -> Callable[[Storage], Storage]:
    """Return the function that decides to which device the tensors of a storage go."""

    def place(storage: Storage) -> Storage:
        if map_location is None:
            return storage
        if callable(map_location):
            made = map_location(storage, storage.location)
            return storage if made is None else made.cpu() if made is storage and storage.device is None else made
        if isinstance(map_location, dict):
            storage.device = map_location.get(storage.location, storage.location)
        else:
            storage.device = map_location
        if storage.device is not None:
            storage.device = str(device(storage.device))
        return storage

    return place


def _makers() -> dict[str, Any]:
    """Return what stands for the globals of torch's files."""
    frontend = get_frontend("torch")

    def tensor_v2(storage: Storage, offset: int, size: Any, stride: Any, requires_grad: Any = False, *_: Any) -> Any:
        return _needing(storage.tensor(offset, size, stride), requires_grad)

    def tensor_v3(
        storage: Storage, offset: int, size: Any, stride: Any, requires_grad: Any, hooks: Any, dtype: Any, *_: Any
    ) -> Any:
        return _needing(storage.tensor(offset, size, stride, dtype), requires_grad)

    def parameter(data: Any = None, requires_grad: bool = True, *_: Any) -> Any:
        made = frontend.nn.Parameter(data.array, requires_grad)
        made._strides, made._family = data._strides, data._family
        return made

    makers: dict[str, Any] = {
        "torch._utils._rebuild_tensor": tensor_v2, "torch._utils._rebuild_tensor_v2": tensor_v2,
        "torch._utils._rebuild_tensor_v3": tensor_v3, "torch._utils._rebuild_parameter": parameter,
        "torch.nn.parameter.Parameter": parameter, "torch.Size": lambda sizes=(): Size(sizes),
        "torch.device": lambda *given: device(*given), "torch.serialization._get_layout": lambda name: str(name),
        "torch.storage.UntypedStorage": _Kind(None), "torch.UntypedStorage": _Kind(None),
    }  # fmt: skip
    makers.update({f"torch.{name}": _Kind(dtype) for name, dtype in STORAGES.items()})
    makers.update({f"torch.{name}": dtype for name, dtype in DTYPES.items()})
    return makers


class _Kind:
    """A class of storages, by the dtype of their elements; `None` for bytes."""

    __slots__ = ("dtype",)

    def __init__(self, dtype: str | None) -> None:
        self.dtype = dtype


def _needing(tensor: Any, requires_grad: Any) -> Any:
    return tensor.requires_grad_() if requires_grad is True else tensor


def _swapped(raw: bytes, size: int) -> bytes:
    """Return bytes in the other byte order of numbers of a size."""
    made = bytearray(len(raw))
    for place in range(size):
        made[place::size] = raw[size - 1 - place :: size]
    return bytes(made)


def _width(dtype: str | None) -> int:
    """Return the bytes of a number; a complex number is two."""
    if dtype is None:
        return 1
    found: int = DTYPES[dtype].itemsize
    return found // 2 if dtype.startswith("complex") else found


def _of_archive(file: IO[bytes], place: Callable[[Storage], Storage]) -> Any:
    """Read an archive: a pickle, and the bytes of each storage."""
    try:
        archive = zipfile.ZipFile(file)
        names = set(archive.namelist())
        root = next((name.removesuffix("data.pkl") for name in sorted(names) if name.endswith("/data.pkl")), None)
        if root is None or f"{root}constants.pkl" in names:
            raise FileFormatError(
                "the file is no file of torch.save"
                if root is None
                else "the file holds a program of TorchScript; transpile torch.jit.load(file), or save its state_dict"
            )
        big = f"{root}byteorder" in names and archive.read(f"{root}byteorder") == b"big"
        storages: dict[str, Storage] = {}

        def stored(number: Any) -> Storage:
            word, kind, key, location, _ = number
            if word != "storage":
                raise FileFormatError(f"the file refers to an object of the kind {word!r}")
            if key not in storages:

                def read() -> bytes:
                    raw = archive.read(f"{root}data/{key}")
                    return _swapped(raw, _width(kind.dtype)) if big else raw

                storages[key] = place(Storage(kind.dtype, location, read))
            return storages[key]

        with archive.open(f"{root}data.pkl") as pickled:
            return read_pickle(pickled, _makers(), stored)
    except (zipfile.BadZipFile, EOFError, zipfile.LargeZipFile) as error:
        raise FileFormatError(f"the file is damaged: {error}") from error


def _of_stream(file: IO[bytes], place: Callable[[Storage], Storage]) -> Any:
    """Read the format of before torch 1.6: pickles one behind the other, and then the bytes of the storages.

    Storages are read behind the object, so that the object is read twice: for their dtypes, and with their bytes.
    """
    nothing: dict[str, Any] = {}
    try:
        number = read_pickle(file, nothing, lambda _: None)
    except FileFormatError as error:
        raise FileFormatError(f"the file is no file of torch.save: {error}") from error
    if number != _MAGIC:
        raise FileFormatError("the file is no file of torch.save; a file of pickle alone holds code and is not read")
    read_pickle(file, nothing, lambda _: None)
    system = read_pickle(file, nothing, lambda _: None)
    big = not system.get("little_endian", sys.byteorder == "little")
    start = file.tell()
    found: dict[str, tuple[str | None, str]] = {}

    def noted(number: Any) -> None:
        _, kind, key, location, *_ = number
        found[key] = kind.dtype, location

    blank = {name: value if isinstance(value, (_Kind, ca.DType)) else _blank for name, value in _makers().items()}
    read_pickle(file, blank, noted)
    storages: dict[str, Storage] = {}
    for key in read_pickle(file, nothing, lambda _: None):
        dtype, location = found[key]
        count = int.from_bytes(file.read(8), "little")
        size = count * (1 if dtype is None else DTYPES[dtype].itemsize)
        raw = file.read(size)
        if len(raw) != size:
            raise FileFormatError("the file is damaged: it ends within a storage")
        content = _swapped(raw, _width(dtype)) if big else raw
        storages[key] = place(Storage(dtype, location, lambda content=content: content))  # type: ignore[misc]
    file.seek(start)
    return read_pickle(file, _makers(), lambda number: storages[number[2]])


def _blank(*_: Any) -> None:
    """Stand for a tensor whose bytes are not read yet."""
