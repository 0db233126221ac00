"""Child processes: where plugins and scripts run, so that one that exits, crashes or hangs harms nobody.

A child imports from the same folders as its parent, however that one was started, and is always gone when the `with`
block is left, by an error and by Ctrl-C too. Its answers carry a number that only parent and child know, so that what a
plugin writes to the same descriptor is no answer.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import IO, Any

from corearray.errors import CoreArrayError, printable

__all__ = ["START_LIMIT", "Child", "ChildFailed", "command", "ended", "stop"]

_PROGRAM = (
    "import json, sys; sys.path[:] = json.loads(sys.argv.pop(1)); "
    "from {module} import child; sys.exit(child(sys.argv[1:]))"
)

#: Seconds that a child may take to say that it has started.
START_LIMIT = 30.0

#: How much of an answer, and of the last words on standard error, is kept.
_LINE, _WORDS = 1 << 24, 4096


class ChildFailed(CoreArrayError):  # noqa: N818  # its text becomes a row of a list; users seldom see it raised
    """A child died or took too long; the text says which."""


def command(module: str, *arguments: str) -> list[str]:
    """Return the command line of a Python that calls `child(arguments)` of a module."""
    folders = [folder for folder in sys.path if isinstance(folder, str)]
    return [sys.executable, "-c", _PROGRAM.format(module=module), json.dumps(folders), *arguments]


def ended(code: int) -> str:
    """Say how a process ended.

    Examples
    --------
    >>> ended(3), ended(-11)
    ('exit code 3', 'signal SIGSEGV')
    """
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"


def stop(process: subprocess.Popen[Any], patience: float = 3.0) -> None:
    """End a process, gently first."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            process.kill()
    process.wait()


class Child:
    """A child that answers with one JSON object after the other.

    Parameters
    ----------
    arguments
        Its command line, from `command`.
    """

    def __init__(self, arguments: list[str]) -> None:
        self._nonce = os.urandom(16).hex()
        try:
            self._process = subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, TypeError, ValueError) as error:  # `sys.executable` is empty where Python is embedded
            raise ChildFailed(f"no process can be started with '{arguments[0]}': {error}") from None
        self._start = time.monotonic()
        self._answers: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._words = b""
        assert self._process.stdin and self._process.stdout and self._process.stderr
        with suppress(OSError), self._process.stdin as given:  # a child that ended already
            given.write(self._nonce.encode())
        self._readers = [
            threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True),
            threading.Thread(target=self._listen, args=(self._process.stderr,), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def _read(self, output: IO[bytes]) -> None:
        with output:
            while line := output.readline(_LINE):
                try:
                    told = json.loads(line)
                except (ValueError, RecursionError):
                    continue
                if isinstance(told, dict) and told.pop("nonce", None) == self._nonce:
                    self._answers.put(told)
        self._answers.put(None)

    def _listen(self, errors: IO[bytes]) -> None:
        with errors:
            while words := os.read(errors.fileno(), 1 << 16):
                self._words = (self._words + words)[-_WORDS:]

    def answer(self, limit: float) -> dict[str, Any]:
        """Return the next answer.

        Raises
        ------
        ChildFailed
            If the child ends without one, or gives none within `limit` seconds.
        """
        return self._answered(limit, limit)

    def only_answer(self, limit: float) -> dict[str, Any]:
        """Return the answer of a child that gives one, within `limit` seconds since it was started."""
        return self._answered(max(0.0, self._start + limit - time.monotonic()), limit)

    def _answered(self, wait: float, limit: float) -> dict[str, Any]:
        try:
            told = self._answers.get(timeout=min(wait, threading.TIMEOUT_MAX))
        except queue.Empty:
            raise ChildFailed(f"it did not finish within {limit:g} s") from None
        if told is not None:
            return told
        try:
            code = self._process.wait(min(1.0, wait))
        except subprocess.TimeoutExpired:
            raise ChildFailed("it closed its standard output") from None
        self._readers[1].join(1.0)
        said = [line.strip() for line in self._words.decode(errors="replace").splitlines() if line.strip()]
        raise ChildFailed(f"it ended the process ({ended(code)}{': ' + printable(said[-1]) if said else ''})")

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        if hasattr(os, "killpg"):
            with suppress(OSError):  # all that it started are of its group, and nobody else
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()
        self._process.wait()
        for reader in self._readers:
            reader.join(1.0)
