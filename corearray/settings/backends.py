"""Functions that set, unset, look up and list backends."""

from __future__ import annotations

from functools import partial

from corearray.backends.backend import Backend
from corearray.calls.dispatch import resolve
from corearray.contract.info import BackendInfo, BackendStatus
from corearray.errors import CoreArrayTypeError
from corearray.manager import manager
from corearray.settings import context
from corearray.settings.scope import Scope

__all__ = [
    "backend_context",
    "current_backend",
    "get_backend",
    "list_backends",
    "previous_backend",
    "register_backend",
    "set_backend",
    "unset_backend",
]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


def _loaded(function: str, name_or_plugin: object) -> Backend:
    if isinstance(name_or_plugin, Backend):
        return name_or_plugin
    if isinstance(name_or_plugin, str):
        return manager.load(name_or_plugin)
    if not isinstance(getattr(name_or_plugin, "info", name_or_plugin), BackendInfo):
        raise CoreArrayTypeError(
            f"'{function}' got {name_or_plugin!r}; give the name of an installed backend, a Backend, or a plugin, which is "
            "a module or object with a BackendInfo named 'info'"
        )
    return manager.load(manager.register(name_or_plugin))


def set_backend(name_or_plugin: object, *, local: bool = False) -> Backend:
    """Set the current backend until `previous_backend` removes it.

    Parameters
    ----------
    name_or_plugin
        Name of an installed backend, a `Backend`, or a plugin as `register_backend` takes it.
    local
        Whether other threads are left alone. By default the main thread's backend is also that of threads which start later.
        In another thread a backend is always that thread's alone, and that of the threads it starts.

    Returns
    -------
    The backend. If it cannot be loaded, the error says why and nothing has changed.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_backend("numpy").name
    'numpy'
    >>> ca.previous_backend().name
    'numpy'
    """
    backend = _loaded("set_backend", name_or_plugin)
    context.push_backend(backend, local=local)
    return backend


def previous_backend() -> Backend | None:
    """Remove the current backend and return it, or `None` if none was set.

    Examples
    --------
    >>> import corearray as ca
    >>> with ca.backend_context("numpy"):
    ...     ca.previous_backend().name
    'numpy'
    >>> ca.previous_backend() is None
    True
    """
    return context.pop_backend()


def unset_backend() -> None:
    """Remove all backends that were set, so that arrays decide again.

    Examples
    --------
    >>> import corearray as ca
    >>> be = ca.set_backend("numpy")
    >>> ca.unset_backend()
    >>> ca.previous_backend() is None
    True
    """
    context.unset_backends()


def backend_context(name_or_plugin: object) -> Scope[Backend]:
    """Set the current backend within a block.

    Threads and tasks that run elsewhere are not affected; those that the block starts begin with this backend.

    Examples
    --------
    >>> import corearray as ca
    >>> with ca.backend_context("numpy") as be:
    ...     ca.current_backend() is be
    True
    """
    return context.pushed_on_entry(partial(_loaded, "backend_context", name_or_plugin))


def get_backend(name: str | None = None) -> Backend:
    """Return a backend by name, or the backend of a call without arrays.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.get_backend("numpy").framework
    'numpy'
    >>> ca.get_backend().name
    'numpy'
    """
    return resolve(()) if name is None else _loaded("get_backend", name)


def current_backend(*args: object, **kwargs: object) -> Backend:
    """Return the backend of a call with the given arguments.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.current_backend(ca.asarray([1.0])).name
    'numpy'
    """
    return resolve((*args, *kwargs.values()))


def register_backend(plugin: object) -> str:
    """Register a backend that is not installed as a distribution, and return its name.

    Parameters
    ----------
    plugin
        A module or object with a `BackendInfo` named `info`, and the hookimpls on it or in the modules that `info`
        names.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray.plugin import BackendInfo
    >>> ca.register_backend(BackendInfo("example", framework="example-framework", array_types=("example.Array",)))
    'example'
    """
    return manager.register(plugin)


def list_backends() -> list[BackendStatus]:
    """Return a status record for each installed or registered backend.

    Plugins that are not in use describe themselves in child processes, so this takes some tenths of a second the first
    time. A plugin that crashes or hangs there has the status `broken`.

    Examples
    --------
    >>> import corearray as ca
    >>> [row.status for row in ca.list_backends() if row.name == "numpy"]
    ['ready']
    """
    return manager.statuses()
