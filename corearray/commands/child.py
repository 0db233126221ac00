"""Child processes: where plugins and scripts run, so that one that exits, crashes or hangs harms nobody.

A child imports from the same folders as the command, however that one was started, and is always gone when the `with`
block is left, by an error and by Ctrl-C too.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from typing import Any, TextIO

from corearray.errors import CoreArrayError

__all__ = ["Child", "ChildFailed", "command", "ended", "reserved_output", "stop", "tell"]

_PROGRAM = (
    "import json, sys; sys.path[:] = json.loads(sys.argv.pop(1)); "
    "from corearray.commands import {module}; sys.exit({module}.child(sys.argv[1:]))"
)


class ChildFailed(CoreArrayError):  # noqa: N818  # it is told, seldom raised to users
    """A child died or took too long; the text says which."""


def command(module: str, *arguments: str) -> list[str]:
    """Return the command line of a Python that calls `child(arguments)` of a module of this package."""
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
    """A child that answers with one line of JSON after the other.

    Parameters
    ----------
    arguments
        Its command line, from `command`.
    """

    def __init__(self, arguments: list[str]) -> None:
        self._errors = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115  # closed in __exit__
        self._process = subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._errors, text=True
        )
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True)
        self._reader.start()

    def _read(self, output: TextIO) -> None:
        with output:
            for line in output:
                self._lines.put(line)
        self._lines.put("")

    def answer(self, limit: float) -> Any:
        """Return the next answer.

        Raises
        ------
        ChildFailed
            If the child ends without one, or gives none within `limit` seconds.
        """
        try:
            line = self._lines.get(timeout=limit)
        except queue.Empty:
            raise ChildFailed(f"it did not finish within {limit:g} s") from None
        if line:
            return json.loads(line)
        code = self._process.wait()
        self._errors.seek(0)
        said = [line.strip() for line in self._errors if line.strip()]
        raise ChildFailed(f"it ended the process ({ended(code)}{': ' + said[-1] if said else ''})")

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        stop(self._process, patience=0.5)
        self._reader.join(1.0)
        self._errors.close()


# --- in the child


def reserved_output() -> TextIO:
    """Keep standard output for answers; what plugins print goes to standard error."""
    channel = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return channel


def tell(channel: TextIO, answer: Any) -> None:
    """Give an answer."""
    print(json.dumps(answer), file=channel, flush=True)
