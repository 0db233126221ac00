"""Files of arrays and Containers, and arrays from bytes."""

from __future__ import annotations

import struct
import sys
from os import PathLike
from typing import Any, cast

from corearray.arrays.array import Array
from corearray.calls.dispatch import resolve
from corearray.container import Container
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.settings.context import current_settings
from corearray.types.dtypes import DType, as_dtype

__all__ = ["frombuffer", "load", "save"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


def frombuffer(
    buffer: Any, /, *, dtype: DType | str | None = None, count: int = -1, offset: int = 0, device: Any = None
) -> Array:
    """Return an array from the bytes of a buffer.

    Parameters
    ----------
    buffer
        Object with the buffer protocol: `bytes`, `bytearray`, `memoryview`, `array.array`.
    dtype
        Of the numbers that the bytes are, in the byte order of the machine; by default the default real dtype.
    count
        Number of elements; -1 for all bytes.
    offset
        Number of bytes to skip.
    device
        Device of the array.

    Returns
    -------
    Array of one axis, which shares no memory with `buffer`.

    Raises
    ------
    ValueError
        If the bytes are too few, or no multiple of the size of a number.
    TypeError
        If `buffer` has no bytes.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.frombuffer(bytes([1, 0, 2, 0]), dtype="uint8", count=3).tolist()
    [1, 0, 2]
    """
    backend = resolve(())
    wanted = current_settings().dtypes["real floating"] if dtype is None else as_dtype(dtype)
    try:
        view = memoryview(buffer)
        content = view.cast("B")
    except TypeError:
        raise CoreArrayTypeError(
            f"'frombuffer' got an object of type {type(buffer).__name__}; it takes one with the buffer protocol, such as bytes"
        ) from None
    if "O" in view.format:
        raise CoreArrayTypeError(
            "'frombuffer' got a buffer of Python objects, whose bytes are addresses and no numbers"
        )
    size = wanted.itemsize
    left = len(content) - offset
    if offset < 0 or count < -1 or (count == -1 and left % size) or left < max(count, 0) * size:
        raise CoreArrayValueError(
            f"'frombuffer' got {len(content)} bytes, offset={offset} and count={count} for numbers of {size} bytes; "
            "give as many bytes as these need"
        )
    content = content[offset : offset + size * (left // size if count == -1 else count)]
    if wanted.category == "complex floating":
        floats = frombuffer(content, dtype="float32" if size == 8 else "float64", device=device)
        parts = backend.reshape(floats, (floats.shape[0] // 2, 2))
        return cast("Array", backend.complex(parts[:, 0], parts[:, 1]))
    if wanted.name == "bfloat16":  # the upper half of a float32
        wide = bytearray(2 * len(content))
        high = 2 if sys.byteorder == "little" else 0
        wide[high::4], wide[high + 1 :: 4] = content[::2], content[1::2]
        return cast("Array", backend.astype(frombuffer(wide, dtype="float32", device=device), wanted))
    numbers = struct.unpack(f"{len(content) // size}{_CODES[wanted.name]}", content)
    return cast("Array", backend.asarray(list(numbers), dtype=wanted, device=device))


#: How Python reads the bytes of a number.
_CODES = {
    "bool": "?", "int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint8": "B", "uint16": "H", "uint32": "I",
    "uint64": "Q", "float16": "e", "float32": "f", "float64": "d",
}  # fmt: skip


#: What to do about files of other formats.
_ADVICE = {".safetensors": "; files of the format safetensors are those of corearray.nn.{}"}


def save(x: Any, path: str | PathLike[str], /) -> None:
    """Write an array, a Container or a dictionary to a file.

    The file is written under a temporary name and renamed: if writing fails, an old file with this name stays as it
    was.

    Parameters
    ----------
    x
        An array, or a Container of arrays and Python values. A dictionary is stored as a Container, which `load` then returns.
    path
        The file, whose suffix is the format: `.npy` for one array, `.npz` for a Container, both of which NumPy reads too;
        `.pickle` or `.pkl` for either.

    Raises
    ------
    ValueError
        If the suffix is another one, or is not for such an object.
    TypeError
        If `x` is neither, or a leaf of the Container cannot be stored in this format.

    Examples
    --------
    >>> import os, tempfile
    >>> import corearray as ca
    >>> path = os.path.join(tempfile.mkdtemp(), "x.npy")
    >>> ca.save(ca.asarray([1, 2]), path)
    >>> ca.load(path).tolist()
    [1, 2]

    Notes
    -----
    `.npy` has no bfloat16: it is stored, and read, as float32.
    """
    from pathlib import Path

    if not isinstance(path, (str, PathLike)):
        if isinstance(x, (str, PathLike)):
            raise CoreArrayTypeError("'save' takes the array first; write save(x, path)")
        raise CoreArrayTypeError(f"'save' takes a path as text or as a pathlib.Path, got {type(path).__name__}")
    from corearray.container.storage import save_pickle  # with what it imports, a tenth of the import of corearray
    from corearray.files import exported, write_npy, written_at_once

    suffix = Path(path).suffix
    if isinstance(x, dict):
        x = Container(x)
    if isinstance(x, Container) and suffix in (".npy", ".npz", ".pickle", ".pkl"):
        if suffix == ".npy":
            raise CoreArrayValueError(
                f"'save' got a Container for '{path}'; a .npy file holds one array, write a .npz file"
            )
        x.save(path)
    elif suffix == ".npy":
        backend = resolve((x,))
        array = exported(backend, x if backend.is_array(x) else backend.asarray(x))
        with written_at_once(path) as file:
            write_npy(file, array)
    elif suffix in (".pickle", ".pkl"):
        if not isinstance(x, Array):
            raise CoreArrayTypeError(
                f"'save' got an object of type {type(x).__name__}; it takes an array or a Container"
            )
        save_pickle(x, path)
    else:
        raise CoreArrayValueError(
            f"'save' got '{path}' with the suffix '{suffix}'; an array is stored as .npy or .pickle, a Container or a "
            f"dictionary as .npz or .pickle{_ADVICE.get(suffix, '').format('save')}"
        )


def load(path: str | PathLike[str], /, *, allow_pickle: bool = False, layout: Any = None) -> Any:
    """Read a file that `save` wrote, or a `.npy` or `.npz` file of any origin.

    Parameters
    ----------
    path
        The file, whose suffix is the format.
    allow_pickle
        Whether a `.pickle` file may be read. It can run any program when it is read: trust its origin first. `.npy` and
        `.npz` files run nothing.
    layout
        How the arrays are split over the mesh in force: what `corearray.shard` takes, a tuple for an array, or a dictionary
        from patterns for a Container. `None`: with a mesh in force they are whole on every device.

    Returns
    -------
    An array, or a Container for a `.npz` file, on the backend in force; from a `.pickle` file what was stored, on its own.

    Raises
    ------
    FileFormatError
        If the content is broken, cut off, too large, or of a newer version.
    ValueError
        If the suffix is another one, or the file is a `.pickle` file and `allow_pickle` is false. `shard` raises it for a
        wrong `layout`.

    Examples
    --------
    >>> import os, tempfile
    >>> import corearray as ca
    >>> path = os.path.join(tempfile.mkdtemp(), "weights.npz")
    >>> ca.save(ca.Container(w=ca.asarray([0.5]), step=3), path)
    >>> ca.load(path).step
    3
    """
    from pathlib import Path

    from corearray.container.storage import load_pickle
    from corearray.files import contents, read_npy
    from corearray.sharding import shard

    if layout is not None:
        found = load(path, allow_pickle=allow_pickle)
        return shard(found, *(layout if isinstance(layout, (tuple, list)) else (layout,)))
    suffix = Path(path).suffix
    if suffix == ".npz":
        return Container.load(path)
    if suffix == ".npy":
        size = Path(path).stat().st_size
        with Path(path).open("rb") as file, contents(path, "a .npy file"):
            return resolve(()).asarray(read_npy(file, size))
    if suffix in (".pickle", ".pkl"):
        return load_pickle(path, allow_pickle=allow_pickle)
    advice = _ADVICE.get(suffix, "").format("load")
    raise CoreArrayValueError(
        f"'load' got '{path}' with the suffix '{suffix}'; it reads .npy, .npz and .pickle{advice}"
    )
