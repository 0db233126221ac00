"""Finding frontends: those of corearray, and those of the entry point group `corearray.frontends`."""

from __future__ import annotations

import importlib
from threading import RLock

from corearray.errors import BackendBrokenError, CoreArrayError, CoreArrayValueError, options
from corearray.forks import free_at_fork
from corearray.frontend.description import FrontendInfo

__all__ = ["GROUP", "installed_version", "loaded", "names_of_frontends"]

#: The entry point group in which frontends of others stand.
GROUP = "corearray.frontends"

#: The frontends of corearray, and the modules that describe them.
_OWN = {name: f"corearray.frontend.{name}.described" for name in ("jax", "numpy", "tensorflow", "torch")}

_loaded: dict[str, FrontendInfo] = {}
_failed: dict[str, BaseException] = {}
_lock = free_at_fork(RLock())


def names_of_frontends() -> list[str]:
    """Return the names of all frontends, sorted; none is imported.

    Examples
    --------
    >>> "torch" in names_of_frontends()
    True
    """
    return sorted({*_OWN, *_entries()})


def loaded(name: str) -> FrontendInfo:
    """Return the description of a frontend with its rules, which are imported when it is first asked for.

    Raises
    ------
    ValueError
        If there is none of that name.
    BackendBrokenError
        If its module or its rules cannot be imported. No other frontend is hurt.
    """
    if name in _loaded:
        return _loaded[name]
    with _lock:
        if name in _loaded:
            return _loaded[name]
        place = _OWN.get(name) or _entries().get(name)
        if place is None:
            raise CoreArrayValueError(f"there is no frontend '{name}'; frontends are {options(names_of_frontends())}")
        if name in _failed:
            raise _broken(name, place, _failed[name]) from _failed[name]
        try:
            info = importlib.import_module(place).info
            if not isinstance(info, FrontendInfo):
                raise TypeError(f"'info' of its module is no FrontendInfo, but {type(info).__name__}")
            if info.name != name:
                raise ValueError(f"it describes a frontend '{info.name}'; name and entry point must agree")
            for module in info.modules:
                importlib.import_module(module)
        except (Exception, SystemExit) as error:
            _failed[name] = error
            raise _broken(name, place, error) from error
        _loaded[name] = info
    return _loaded[name]


def installed_version(info: FrontendInfo) -> str | None:
    """Return the version of the installed framework, by its metadata, or `None`."""
    import importlib_metadata

    for distribution in info.framework:
        try:
            return importlib_metadata.version(distribution)
        except importlib_metadata.PackageNotFoundError:
            continue
    return None


def _entries() -> dict[str, str]:
    """Return the modules of the frontends in installed distributions; nothing is imported."""
    import importlib_metadata

    found: dict[str, str] = {}
    for point in importlib_metadata.entry_points(group=GROUP):
        if point.name not in _OWN:
            found.setdefault(point.name, point.module)
    return found


def _broken(name: str, place: str, error: BaseException) -> CoreArrayError:
    return BackendBrokenError(f"the frontend '{name}' ('{place}') cannot be used: {type(error).__name__}: {error}")
