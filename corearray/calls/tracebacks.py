"""Tracebacks that end in the user's line.

An error travels through the frames of a generated function, of the stages and of the framework. Where it leaves the
library, `shorten` takes their entries out of its traceback and of that of its cause; types and texts stay.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from types import FrameType, TracebackType

from corearray.errors import CoreArrayError
from corearray.settings.context import current_settings

__all__ = ["came_from_user", "frames_to_user", "shorten", "user_line"]

#: Folders of the library and of Python itself, with a separator behind them. Text, no paths to open.
_CORE = os.path.dirname(os.path.dirname(__file__))  # noqa: PTH120
_FOLDERS = tuple(os.path.join(folder, "") for folder in (_CORE, os.path.dirname(os.__file__)))  # noqa: PTH118, PTH120
_INSTALLED = tuple(f"{os.sep}{name}{os.sep}" for name in ("site-packages", "dist-packages"))


def _is_users(frame: FrameType) -> bool:
    """Whether a frame is of neither the library nor a plugin, nor of anything that was installed."""
    filename = frame.f_code.co_filename
    if filename.startswith((*_FOLDERS, "<corearray ", "<frozen ", "<__")):
        return False
    return not str(frame.f_globals.get("__name__")).startswith("corearray_") and not any(
        part in filename for part in _INSTALLED
    )


def _of_user(trace: TracebackType | None) -> TracebackType | None:
    """Return what of a traceback is the user's, such as a function that was passed in."""
    kept = []
    while trace is not None:
        if _is_users(trace.tb_frame):
            kept.append(trace)
        trace = trace.tb_next
    for entry, following in zip(kept, [*kept[1:], None], strict=False):
        entry.tb_next = following
    return kept[0] if kept else None


def came_from_user(error: BaseException, plugin: frozenset[str]) -> bool:
    """Return whether user code raised an exception that arrived from a call.

    Parameters
    ----------
    error
        The exception, caught around the call.
    plugin
        The root packages of the plugin that made the call, whose frames are not the user's.
    """
    trace = error.__traceback__
    while trace is not None:
        root = str(trace.tb_frame.f_globals.get("__name__")).partition(".")[0]
        if root not in plugin and _is_users(trace.tb_frame):
            return True
        trace = trace.tb_next
    return False


def shorten(error: BaseException) -> None:
    """Take the library and the framework out of the traceback of an error, unless the settings ask for all of it.

    It is called in an `except` clause that then raises the same error by a bare `raise`: Python adds no entry for the
    frame that does so, and the next one is the caller's.
    """
    if not isinstance(error, CoreArrayError) or current_settings().trace != "short":
        return
    found: BaseException | None = error
    while found is not None:
        found.__traceback__ = _of_user(found.__traceback__)
        found = found.__cause__ or (None if found.__suppress_context__ else found.__context__)


def frames_to_user() -> int:
    """Return how many frames up from the caller the user's line is, as `stacklevel` of a warning counts them."""
    import sys

    level = 1
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith((_FOLDERS[0], "<corearray ")):
        frame = frame.f_back
        level += 1
    return level


def user_line(error: BaseException | None = None) -> str:
    """Return where the user's code is, or where it was when an error came, as the beginning of a message.

    A program that is being recorded may be an installed library's, such as a model of transformers. The line is then the
    library's, since the user's line only starts the recording. The result is empty if no frame is the user's.
    """
    import linecache

    library: tuple[str, int] | None = None
    for frame, number in _innermost_first(error):
        place = frame.f_code.co_filename, number
        if _is_users(frame):
            break
        if library is not None and place[0].startswith(_FOLDERS[0]):
            place = library  # the frames of the core begin, which recorded the library's program
            break
        if library is None and _is_librarys(frame):
            library = place
    else:
        return ""
    file, line = place
    text = linecache.getline(file, line).strip()
    return f"{file}, line {line}{f', in `{text}`' if text else ''}: "


def _innermost_first(error: BaseException | None) -> Iterator[tuple[FrameType, int]]:
    """Yield the frames that run, or those through which an error came, with the numbers of their lines."""
    import sys

    if error is not None:
        trace, found = error.__traceback__, list[tuple[FrameType, int]]()
        while trace is not None:
            found.append((trace.tb_frame, trace.tb_lineno))
            trace = trace.tb_next
        yield from reversed(found)
        return
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        yield frame, frame.f_lineno
        frame = frame.f_back


def _is_librarys(frame: FrameType) -> bool:
    """Whether a frame is in an installed library other than a framework."""
    from corearray.calls.dispatch import ROUTES

    if not any(part in frame.f_code.co_filename for part in _INSTALLED):
        return False
    root = str(frame.f_globals.get("__name__")).partition(".")[0]
    return not root.startswith("corearray") and root not in {kind.__module__.partition(".")[0] for kind in ROUTES}
