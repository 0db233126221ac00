"""`corearray run SCRIPT`: a script as `python SCRIPT` would run it, with a backend in force."""

from __future__ import annotations

import json
import os
import runpy
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from corearray.errors import CoreArrayError, CoreArrayValueError, FunctionNotImplementedError
from corearray.settings.backends import previous_backend, set_backend
from corearray.settings.context import current_settings

__all__ = ["Outcome", "checked", "child", "execute", "in_force", "run"]

_VARIABLE = "COREARRAY_BACKEND"


def checked(script: str) -> None:
    """Look whether there is a script to run.

    Raises
    ------
    CoreArrayValueError
        If there is no such file, nor a folder with a `__main__.py`; a pipe is none, as it can be read only once.
    """
    path = Path(script)
    if path.is_dir() and not (path / "__main__.py").is_file():
        raise CoreArrayValueError(f"cannot run '{script}': it is a folder without a '__main__.py'; give a Python file")
    if not path.exists():
        raise CoreArrayValueError(f"cannot run '{script}': there is no such file in '{Path.cwd()}'")
    if not path.is_dir() and not path.is_file():
        raise CoreArrayValueError(f"cannot run '{script}': it is a pipe or a device; give a Python file")


@contextmanager
def in_force(backend: str | None) -> Iterator[None]:
    """Put a backend in force in a block, in processes that it starts too; `None` leaves it to the settings."""
    former = os.environ.get(_VARIABLE)
    if not backend:
        if former:
            current_settings()  # a wrong name is told now and not from within the script
        yield
        return
    os.environ.pop(_VARIABLE, None)
    try:
        set_backend(backend)
        os.environ[_VARIABLE] = backend
        yield
        previous_backend()
    finally:
        os.environ.pop(_VARIABLE, None)
        if former is not None:
            os.environ[_VARIABLE] = former


class Outcome:
    """What became of a script.

    Attributes
    ----------
    code
        Its exit code.
    reason
        Why it failed, in one line; empty if it did not.
    missing
        Whether it failed because the backend lacks a function, as NumPy lacks derivatives.
    result
        Its global variable `result`, if there is one.
    seconds
        How long it ran, without the time to load the backend.
    """

    def __init__(self) -> None:
        self.code = 0
        self.reason = ""
        self.missing = False
        self.result: Any = None
        self.seconds = 0.0


def execute(script: str, arguments: list[str]) -> Outcome:
    """Run a script in this process; an exception is shown as Python shows it, without frames of ours."""
    outcome = Outcome()
    path = Path(script)
    argv, folders = sys.argv, list(sys.path)
    sys.argv = [script, *arguments]
    if not sys.flags.safe_path:
        sys.path[:1] = [str((path if path.is_dir() else path.parent).resolve())]
    start = time.perf_counter()
    try:
        variables = runpy.run_path(script, run_name="__main__")
        outcome.result = variables.get("result")
    except SystemExit as stopped:
        sys.stdout.flush()
        outcome.code, outcome.reason = _exit(stopped)
        own = _own_frames(stopped.__traceback__)
        outcome.result = own.tb_frame.f_globals.get("result") if own else None
    except Exception as error:
        sys.stdout.flush()
        outcome.code, outcome.reason = 1, _last_line(error)
        outcome.missing = isinstance(error, FunctionNotImplementedError)
        error.__traceback__ = _own_frames(error.__traceback__)
        sys.excepthook(type(error), error, error.__traceback__)
    finally:
        outcome.seconds = time.perf_counter() - start
        sys.argv, sys.path[:] = argv, folders
    return outcome


def _own_frames(traceback: TracebackType | None) -> TracebackType | None:
    """Leave out the frames above the script's own."""
    while traceback is not None and traceback.tb_frame.f_code.co_name != "<module>":
        traceback = traceback.tb_next
    return traceback


def _exit(stopped: SystemExit) -> tuple[int, str]:
    """Do what Python does with the argument of `sys.exit`, and return the exit code and why it is one."""
    if stopped.code is None or stopped.code == 0:
        return 0, ""
    if isinstance(stopped.code, int):
        return stopped.code, f"exit code {stopped.code}"
    print(stopped.code, file=sys.stderr)
    return 1, str(stopped.code)


def _last_line(error: BaseException) -> str:
    text = str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def run(script: str, arguments: list[str], backend: str | None) -> int:
    """Run a script with a backend in force and return its exit code."""
    checked(script)
    with in_force(backend):
        return execute(script, arguments).code


# --- what a child of `run --all` does ---------------------------------------------------------------------------------


def child(arguments: list[str]) -> int:
    """Run a script and write its outcome into a file: the arguments are backend, file, script and the script's own."""
    backend, report, script, *own = arguments
    try:
        with in_force(backend):
            outcome = execute(script, own)
    except CoreArrayError as error:
        outcome = Outcome()
        outcome.code, outcome.reason = 2, str(error)
        print(error, file=sys.stderr)
    told = {
        "reason": outcome.reason,
        "missing": outcome.missing,
        "seconds": outcome.seconds,
        "result": _numbers(outcome.result),
    }
    written = Path(f"{report}.part")
    written.write_text(json.dumps(told))
    written.replace(report)  # at once: a script that crashes later leaves no half of it
    return outcome.code


def _numbers(value: Any) -> Any:
    """Keep of a result what can be written and compared: numbers in dictionaries and lists."""
    if isinstance(value, dict):
        return {str(key): _numbers(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_numbers(item) for item in value]
    if isinstance(value, complex):
        return [value.real, value.imag]
    if value is None or isinstance(value, (bool, str)):
        return None
    if isinstance(value, (int, float)):
        return value
    if hasattr(value, "tolist"):
        return _numbers(value.tolist())
    return None
