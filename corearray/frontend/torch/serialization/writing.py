"""`torch.save`: tensors and plain data in torch's own format, which torch reads with `weights_only=True`."""

from __future__ import annotations

import pickle
import struct
import zipfile
from collections import OrderedDict
from os import PathLike
from typing import IO, Any
from uuid import uuid4

import corearray as ca
from corearray.calls.dispatch import backend_of
from corearray.convenience.raw import bytes_of
from corearray.errors import CoreArrayTypeError
from corearray.files.atomic import written_at_once
from corearray.frontend.torch.devices import device
from corearray.frontend.torch.layouts import is_contiguous, row_major
from corearray.frontend.torch.nn.module import Module, ParameterMark
from corearray.frontend.torch.serialization.storages import STORAGES
from corearray.frontend.torch.size import Size
from corearray.frontend.torch.wrapper import Tensor

__all__ = ["save"]

_CLASSES = {dtype: name for name, dtype in STORAGES.items()}

#: Records of an archive begin at multiples of this, as torch's.
_ALIGNMENT = 64


def save(
    obj: Any, f: str | PathLike[str] | IO[bytes], pickle_module: Any = None, pickle_protocol: int = 2,
    _use_new_zipfile_serialization: bool = True,
) -> None:  # fmt: skip
    """Write tensors and plain data to a file that torch and `torch.load` of this frontend read.

    A path has its old content or all of the new one, also if writing fails.

    Parameters
    ----------
    obj
        Tensors, arrays, numbers, texts, bytes, dtypes, devices, and lists, tuples, sets and dictionaries of them, such as a
        `state_dict`.
    f
        The path, or a file to write bytes to.
    pickle_module, pickle_protocol, _use_new_zipfile_serialization
        Without effect.

    Raises
    ------
    TypeError
        If the object holds anything else, such as a module.
    """
    pickled = _Pickled()
    content = pickled.of(obj)
    if isinstance(f, (str, PathLike)):
        with written_at_once(f) as file:
            _write(file, content, pickled.storages)
    else:
        _write(f, content, pickled.storages)


def _write(file: Any, content: bytes, storages: list[bytes]) -> None:
    """Write the archive, without compression and aligned, so that torch can map it into memory."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:

        def record(name: str, data: bytes) -> None:
            entry = zipfile.ZipInfo(f"archive/{name}")
            start = archive.fp.tell() + 30 + len(entry.filename.encode()) + 4  # type: ignore[union-attr]  # it is open
            fill = -start % _ALIGNMENT
            entry.extra = struct.pack("<2sH", b"FB", fill) + b"Z" * fill
            archive.writestr(entry, data)

        record("data.pkl", content)
        record("byteorder", b"little")
        for place, data in enumerate(storages):
            record(f"data/{place}", data)
        record("version", b"3\n")
        record(".data/serialization_id", str(uuid4().int)[:40].encode())


class _Pickled:
    """A writer of the pickle of an object, with the bytes of its tensors beside it."""

    def __init__(self) -> None:
        self.storages: list[bytes] = []
        self._places: dict[Any, tuple[int, int]] = {}  # number and size of the storage, by the array and its order
        self._memo: dict[int, int] = {}
        self._held: list[Any] = []
        self._out = bytearray()

    def of(self, obj: Any) -> bytes:
        """Return the pickle (protocol 2) of an object."""
        self._out += pickle.PROTO + b"\x02"
        self._write(obj)
        self._out += pickle.STOP
        return bytes(self._out)

    def _keep(self, obj: Any) -> None:
        """Number the object that was written, so that it is written once."""
        number = self._memo[id(obj)] = len(self._held)
        self._held.append(obj)
        self._out += pickle.LONG_BINPUT + struct.pack("<I", number)

    def _call(self, name: str, arguments: tuple[Any, ...]) -> None:
        self._global(name)
        self._write(arguments)
        self._out += pickle.REDUCE

    def _global(self, name: str) -> None:
        module, _, last = name.rpartition(".")
        self._out += pickle.GLOBAL + f"{module}\n{last}\n".encode()

    def _write(self, x: Any) -> None:
        if id(x) in self._memo and not isinstance(x, (int, float)):
            self._out += pickle.LONG_BINGET + struct.pack("<I", self._memo[id(x)])
        elif x is None or isinstance(x, bool):
            self._out += {None: pickle.NONE, True: pickle.NEWTRUE, False: pickle.NEWFALSE}[x]
        elif isinstance(x, int):
            self._integer(int(x))
        elif isinstance(x, float):
            self._out += pickle.BINFLOAT + struct.pack(">d", float(x))
        elif isinstance(x, Size):
            self._call("torch.Size", (tuple(x),))
        elif isinstance(x, device):
            self._call("torch.device", (str.__str__(x),))
        elif isinstance(x, ca.DType):
            self._global(f"torch.{x}")
        elif type(x) is str:
            text = x.encode("utf-8", "surrogatepass")
            self._out += pickle.BINUNICODE + struct.pack("<I", len(text)) + text
            self._keep(x)
        elif type(x) is complex:
            self._call("__builtin__.complex", (x.real, x.imag))
        elif type(x) in (bytes, bytearray):
            self._call("_codecs.encode", (x.decode("latin1"), "latin1"))
        elif type(x) in (list, dict, OrderedDict, set, frozenset) or isinstance(x, tuple):
            self._container(x)
        else:
            self._tensor(x)

    def _integer(self, x: int) -> None:
        if -(2**31) <= x < 2**31:
            self._out += pickle.BININT + struct.pack("<i", x)
        else:
            encoded = pickle.encode_long(x)
            if len(encoded) > 255:
                raise CoreArrayTypeError(f"torch.save writes integers of up to 255 bytes, got one of {len(encoded)}")
            self._out += pickle.LONG1 + bytes([len(encoded)]) + encoded

    def _container(self, x: Any) -> None:
        if isinstance(x, tuple):
            self._out += pickle.MARK
            for item in x:
                self._write(item)
            self._out += pickle.TUPLE
            self._keep(x)
        elif type(x) in (set, frozenset):
            self._call(f"__builtin__.{type(x).__name__}", (list(x),))
        elif type(x) is list:
            self._out += pickle.EMPTY_LIST
            self._keep(x)
            self._out += pickle.MARK
            for item in x:
                self._write(item)
            self._out += pickle.APPENDS
        else:
            if type(x) is dict:
                self._out += pickle.EMPTY_DICT
            else:
                self._call("collections.OrderedDict", ())
            self._keep(x)
            self._out += pickle.MARK
            for key, value in x.items():
                self._write(key)
                self._write(value)
            self._out += pickle.SETITEMS

    # --- tensors

    def _tensor(self, x: Any) -> None:
        if isinstance(x, Module):
            raise CoreArrayTypeError(
                f"torch.save writes tensors and plain data, and no '{type(x).__name__}'; save its state_dict()"
            )
        needs, strides = False, None
        if isinstance(x, Tensor):
            array, needs, strides = x.array, x.requires_grad and x.is_leaf, x._strides
        elif isinstance(x, ca.Array):
            array = x
        else:
            backend = backend_of(x)
            if backend is None:
                raise CoreArrayTypeError(
                    "torch.save writes tensors, numbers, texts and lists, tuples, sets and dictionaries of them, got an object "
                    f"of '{type(x).__module__}.{type(x).__qualname__}'; turn it into a dictionary"
                )
            array = backend.wrap(x)
        trained = isinstance(x, ParameterMark)
        if trained:
            self._global("torch._utils._rebuild_parameter")
            self._out += pickle.MARK
        self._elements(array, strides, needs and not trained)
        if trained:
            self._write(needs)
            self._call("collections.OrderedDict", ())
            self._out += pickle.TUPLE + pickle.REDUCE
        self._keep(x)

    def _elements(self, array: ca.Array, strides: Any, needs: bool) -> None:
        """Write the tensor of an array: its storage, and where it lies in it."""
        shape, dtype = tuple(array.shape), str(array.dtype)
        order = sorted(range(len(shape)), key=lambda axis: (-strides[axis], axis)) if strides else []
        if not strides or not is_contiguous([shape[i] for i in order], tuple(strides[i] for i in order)):
            order, strides = list(range(len(shape))), row_major(shape)
        kind = _CLASSES.get(dtype)
        key = id(array), tuple(order)
        if key not in self._places:
            self._held.append(array)  # no other array gets its identity
            self.storages.append(bytes_of(ca.permute_dims(array, tuple(order))))
            self._places[key] = len(self.storages) - 1, len(self.storages[-1])
        place, size = self._places[key]
        self._global(f"torch._utils._rebuild_tensor_v{2 if kind else 3}")
        self._out += pickle.MARK + pickle.MARK
        self._write("storage")
        self._global(f"torch.{kind}" if kind else "torch.storage.UntypedStorage")
        for part in (str(place), "cpu", array.size if kind else size):
            self._write(part)
        self._out += pickle.TUPLE + pickle.BINPERSID
        for item in (0, shape, tuple(strides), needs):
            self._write(item)
        self._call("collections.OrderedDict", ())
        if not kind:
            self._global(f"torch.{dtype}")
        self._out += pickle.TUPLE + pickle.REDUCE
