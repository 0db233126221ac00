"""Atomic writes: a file has its old content or all of the new one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

__all__ = ["written_at_once"]


@contextmanager
def written_at_once(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a new binary file that takes the place of `path` when the block ends without an exception.

    The new file lies in the same folder until then. If the block raises (a full disk, an object that cannot be stored,
    Ctrl-C), it is removed and `path` stays as it was. Permissions of an existing file are kept, and a symbolic link keeps
    pointing to the file it names. What is no regular file, such as a pipe, is written directly.

    Parameters
    ----------
    path
        The file to write.

    Raises
    ------
    OSError
        If the folder does not exist or cannot be written, or the disk is full.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "x.bin")
    >>> with written_at_once(path) as file:
    ...     _ = file.write(b"new")
    >>> path.read_bytes()
    b'new'
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with target.open("wb") as special:
            yield special
        return
    descriptor, aside = _beside(target)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            aside.chmod(target.stat().st_mode & 0o7777)
        aside.replace(target)
    except BaseException:
        with suppress(OSError):
            aside.unlink()
        raise


def _beside(target: Path) -> tuple[int, Path]:
    """Create an empty file in the folder of another one, with the permissions of any new file."""
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    while True:
        aside = target.with_name(f".corearray-{os.urandom(8).hex()}.part")
        try:
            return os.open(aside, flags, 0o666), aside
        except FileExistsError:
            continue
