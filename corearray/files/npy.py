"""Arrays in the format `.npy`, and zip archives of them, as NumPy writes both.

The core depends on no array library. The library of the format computes the arrays that `corearray.to_numpy` returns, and
is taken from there when it is needed. Files are read with suspicion: sizes that a header states are compared with the
bytes that are there before any memory is asked for, and no pickled object is read.
"""

from __future__ import annotations

import errno
import math
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

from corearray.calls.dispatch import resolve
from corearray.errors import CoreArrayError, FileFormatError

if TYPE_CHECKING:
    from os import PathLike

__all__ = ["contents", "exported", "library", "members", "read_npy", "write_member", "write_npy"]

#: The most bytes that a byte of deflated data stands for: a run of 258 in two bits.
_MOST_INFLATED = 1032


def library() -> Any:
    """Return the module that reads and writes the format: the home of what `to_numpy` returns."""
    backend = resolve(())
    array = backend.ask("to_numpy", backend.native.zeros((0,)))
    return sys.modules[type(array).__module__.partition(".")[0]]


def exported(backend: Any, value: Any) -> Any:
    """Return what is written for an array: a dtype that the format does not know goes into a wider one."""
    array = backend.to_numpy(value)
    return array if array.dtype.kind in "biufc" else backend.to_numpy(backend.astype(value, "float32"))


def write_npy(file: IO[bytes], array: Any) -> None:
    """Write an array of the library into an open file."""
    library().lib.format.write_array(file, array, allow_pickle=False)


def write_member(archive: zipfile.ZipFile, name: str, array: Any) -> None:
    """Write an array of the library into an open zip archive, under its name and `.npy`."""
    with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
        write_npy(member, array)


def read_npy(file: IO[bytes], size: int) -> Any:
    """Read an array from an open file of so many bytes.

    Raises
    ------
    FileFormatError
        If the header states other sizes than there are bytes, or the array holds Python objects.
    """
    form = library().lib.format
    version = form.read_magic(file)
    readers = {(1, 0): form.read_array_header_1_0, (2, 0): form.read_array_header_2_0}
    if version in readers:
        shape, _, dtype = readers[version](file)
    else:  # as 2.0 with names in UTF-8, which only fields of records have
        raise FileFormatError(f"the version {version[0]}.{version[1]} of .npy, of records or newer, is not read")
    if dtype.hasobject:
        raise FileFormatError("an array of Python objects, which only pickle could read")
    there, wanted = size - file.tell(), math.prod(shape) * dtype.itemsize
    if any(length < 0 for length in shape) or there != wanted:
        raise FileFormatError(
            f"the header states an array of {dtype} of shape {shape}, {wanted} bytes, and there are {there}"
        )
    file.seek(0)
    return form.read_array(file, allow_pickle=False)


def members(archive: zipfile.ZipFile, size: int) -> dict[str, zipfile.ZipInfo]:
    """Return the members of a zip archive of so many bytes by name, if their stated sizes are possible.

    Raises
    ------
    FileFormatError
        If a member cannot be what the archive states: twice there, encrypted, larger than its bytes can hold.
    """
    found: dict[str, zipfile.ZipInfo] = {}
    for info in archive.infolist():
        most = info.compress_size * (1 if info.compress_type == zipfile.ZIP_STORED else _MOST_INFLATED)
        if info.filename in found:
            raise FileFormatError(f"the member '{info.filename}' is there twice")
        if info.flag_bits & 1 or info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise FileFormatError(f"the member '{info.filename}' is encrypted or compressed in an unknown way")
        if info.compress_size > size or info.file_size > most:
            raise FileFormatError(f"the member '{info.filename}' states {info.file_size} bytes, more than it can hold")
        found[info.filename] = info
    return found


@contextmanager
def contents(path: str | PathLike[str], what: str) -> Iterator[None]:
    """Raise one error with the path for whatever shows that a file is not what its name says.

    Parameters
    ----------
    path
        The file, for the message.
    what
        What it should be: "a .npz file".

    Raises
    ------
    FileFormatError
        For content that is broken, cut off, too large, or of a newer version. Errors of the operating system (the file
        does not exist, or may not be read) pass as they are.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in (None, errno.EINVAL):  # a seek to where no file can be is one
            raise
        raise _broken(path, what, error) from error
    except Exception as error:
        raise _broken(path, what, error) from (error.__cause__ if type(error) is FileFormatError else error)


def _broken(path: str | PathLike[str], what: str, error: BaseException) -> FileFormatError:
    text = str(error) if isinstance(error, CoreArrayError) else f"{type(error).__name__}: {error}"
    return FileFormatError(
        f"'{path}' cannot be read as {what}; it is broken, cut off, or of a newer version ({text[:300]})"
    )
