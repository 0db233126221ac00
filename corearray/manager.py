"""The manager: discovers, describes, matches, loads, validates and composes backends.

A loop of our own instead of pluggy's entry-point loader, because that one imports every plugin of a group at once
and lets one broken plugin take the host down. Here each plugin has a record, whatever happens to it is written
there, and the reason is raised only to those who ask for that backend.
"""

from __future__ import annotations

import fnmatch
import importlib
import logging
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from types import FunctionType
from typing import TYPE_CHECKING, Any, cast
from weakref import WeakSet

from corearray import state
from corearray.backend import Backend, BackendInfo, BackendStatus
from corearray.declaration import DECLARATIONS, parameters_of
from corearray.dispatch import ROUTES, resolve
from corearray.errors import (
    BackendBrokenError,
    BackendNotFoundError,
    BackendVersionError,
    CoreArrayError,
    options,
)
from corearray.state import DEFAULT_BACKEND

if TYPE_CHECKING:
    import pluggy

    from corearray.stages.compose import Binding, Call, Candidate

__all__ = [
    "GROUP",
    "Manager",
    "backend_context",
    "current_backend",
    "get_backend",
    "install_hint",
    "list_backends",
    "load_backend",
    "manager",
    "previous_backend",
    "register_backend",
    "set_backend",
    "unset_backend",
]

#: The entry point group in which plugins stand.
GROUP = "corearray.backends"

_log = logging.getLogger("corearray")

_OPTIONAL_PARAMETERS = frozenset({"out", "device", "copy"})
_FACTS = {
    "array_types", "dtypes", "devices", "native_device", "device_name", "device_of", "move", "set_item", "to_dlpack",
    "dlpack_device",
}  # fmt: skip


class Record:
    """What is known about one plugin: where it comes from, how it describes itself, and what became of it."""

    def __init__(self, name: str, plugin: str, plugin_version: str, describe: Callable[[], Any]) -> None:
        self.name = name
        self.plugin = plugin
        self.plugin_version = plugin_version
        self._describe = describe
        self.module: Any = None
        self.info: BackendInfo | None = None
        self.status = ""
        self.reason = ""
        self.framework = ""
        self.framework_version = ""
        self.backend: Backend | None = None
        self.error: BaseException | None = None

    def fail(self, status: str, reason: str, error: BaseException | None = None) -> None:
        """Write down why this backend cannot be used."""
        self.status, self.reason, self.error = status, reason, error
        _log.debug("backend '%s': %s: %s", self.name, status, reason)

    def describe(self) -> None:
        """Import the light module and read its description."""
        try:
            self.module = self._describe()
            info = getattr(self.module, "info", self.module)
            if not isinstance(info, BackendInfo):
                raise TypeError(f"its module has no BackendInfo named 'info', but {type(info).__name__}")
            if info.name != self.name:
                raise ValueError(f"it describes a backend '{info.name}'; name and entry point must agree")
            self.info = info
        except (Exception, SystemExit) as error:
            self.fail("broken", f"plugin '{self.plugin}' cannot be described: {type(error).__name__}: {error}", error)

    def row(self) -> BackendStatus:
        """Return the row of `list_backends()`."""
        info = self.info
        return BackendStatus(
            name=self.name,
            status=self.status,
            plugin=self.plugin,
            plugin_version=self.plugin_version,
            framework=self.framework or (info.framework[0] if info else ""),
            framework_version=self.framework_version,
            requires=info.framework_versions if info else "",
            reason=self.reason,
            loaded=self.backend is not None,
        )


class Manager:
    """Finds plugins, loads them when they are asked for, and composes functions.

    Parameters
    ----------
    search
        Folders in which distributions are looked for; by default where Python imports from.
    """

    def __init__(self, search: Iterable[str] | None = None) -> None:
        self._search = None if search is None else list(search)
        self._records: dict[str, Record] | None = None
        self._lock = threading.RLock()
        self._not_arrays: WeakSet[type] = WeakSet()

    # --- discover, describe, match

    @property
    def records(self) -> dict[str, Record]:
        """The records by name, found in the metadata of what is installed when first needed."""
        if self._records is None:
            with self._lock:
                if self._records is None:
                    self._records = self._discovered()
        return self._records

    def _discovered(self) -> dict[str, Record]:
        import importlib_metadata

        where = {} if self._search is None else {"path": self._search}
        records: dict[str, Record] = {}
        seen: set[tuple[str, str, str]] = set()
        for distribution in importlib_metadata.distributions(**where):
            for point in distribution.entry_points.select(group=GROUP):
                plugin, version = distribution.metadata["Name"] or "?", distribution.version or ""
                if (plugin, point.name, point.value) in seen:
                    continue
                seen.add((plugin, point.name, point.value))
                known = records.get(point.name)
                if known is not None:
                    known.fail(
                        "conflict",
                        f"the distributions '{known.plugin}' and '{plugin}' both offer a backend '{point.name}'; "
                        f"uninstall one of them",
                    )
                    continue
                records[point.name] = Record(point.name, plugin, version, _importing(point.module))
        return dict(sorted(records.items()))

    def _described(self, record: Record) -> Record:
        """Describe and match a record once; afterwards its status is set."""
        if record.status:
            return record
        with self._lock:
            if record.status:
                return record
            if not _valid_name(record.name):
                record.fail(
                    "broken",
                    f"'{record.name}' (plugin '{record.plugin}') is no valid backend name; "
                    "names are lower-case Python identifiers",
                )
                return record
            allowed = os.environ.get("COREARRAY_LOAD_BACKENDS", "")
            if allowed and record.name not in [name.strip() for name in allowed.split(",")]:
                record.fail("disabled", f"COREARRAY_LOAD_BACKENDS={allowed} leaves it out")
                return record
            record.describe()
            if record.info is not None:
                self._match(record, record.info)
        return record

    def _match(self, record: Record, info: BackendInfo) -> None:
        import importlib_metadata

        import corearray
        from corearray.versions import matches

        try:
            if not matches(corearray.__version__, info.core_versions):
                record.fail(
                    "core mismatch",
                    f"plugin '{record.plugin}' {record.plugin_version} is for corearray {info.core_versions}, "
                    f"installed is {corearray.__version__}; upgrade the older of the two",
                )
                return
            for framework in info.framework:
                try:
                    record.framework_version = importlib_metadata.version(framework)
                except importlib_metadata.PackageNotFoundError:
                    continue
                record.framework = framework
                break
            else:
                wanted = f"{info.framework[0]}{info.framework_versions}"
                record.fail(
                    "framework missing",
                    f"no distribution {options(info.framework)} is installed; install it with: pip install '{wanted}'",
                )
                return
            if not matches(record.framework_version, info.framework_versions):
                record.fail(
                    "version mismatch",
                    f"plugin '{record.plugin}' needs {record.framework}{info.framework_versions}, installed is "
                    f"{record.framework_version}; install a matching one with: "
                    f"pip install '{record.framework}{info.framework_versions}'",
                )
                return
        except CoreArrayError as error:
            record.fail("broken", f"plugin '{record.plugin}': {error}", error)
            return
        record.status = "ready"

    def status(self, name: str) -> BackendStatus:
        """Describe one plugin and return its row."""
        return self._described(self.records[name]).row()

    def statuses(self) -> list[BackendStatus]:
        """Describe every plugin and return a row for each, sorted by name."""
        return [self.status(name) for name in self.records]

    # --- register without packaging

    def register(self, plugin: Any) -> str:
        """Add a backend that is not installed as a distribution, and return its name.

        Parameters
        ----------
        plugin
            A module or object with a `BackendInfo` named `info`, and the hookimpls on it or in the modules that
            `info` names.
        """
        info = getattr(plugin, "info", plugin)
        if not isinstance(info, BackendInfo):
            raise BackendBrokenError(
                f"register_backend needs a module or object with a BackendInfo named 'info', got {plugin!r}"
            )
        if not _valid_name(info.name):
            raise BackendBrokenError(f"'{info.name}' is no valid backend name; names are lower-case Python identifiers")
        with self._lock:
            known = self.records.get(info.name)
            if known is not None and known.module is not plugin:
                raise BackendBrokenError(
                    f"a backend '{info.name}' is there already (plugin '{known.plugin}'); register under another name"
                )
            if known is None:
                source = getattr(plugin, "__name__", type(plugin).__name__)
                record = Record(info.name, source, str(getattr(plugin, "__version__", "")), lambda: plugin)
                self.records[info.name] = record
                self._not_arrays.clear()
        return info.name

    def unregister(self, name: str) -> None:
        """Forget a backend that was registered or loaded."""
        with self._lock:
            record = self.records.pop(name, None)
            if record is None:
                return
            for kind in [kind for kind, backend in ROUTES.items() if backend is record.backend]:
                del ROUTES[kind]
            self._withdraw(name)

    # --- load

    def load(self, name: str) -> Backend:
        """Return a backend, loading it first if need be.

        Raises
        ------
        BackendNotFoundError, BackendVersionError, BackendBrokenError
            Why there is no such backend, with what to do.
        """
        record = self.records.get(name)
        if record is not None and record.backend is not None:
            return record.backend
        if record is None:
            raise BackendNotFoundError(self._unknown(name))
        with self._lock:
            if record.backend is None:
                self._described(record)
                if record.status == "ready":
                    self._load(record)
            if record.backend is None:
                raise _refusal(record)
            return record.backend

    def _unknown(self, name: str) -> str:
        ready, others = [], []
        for row in self.statuses():
            if row.status == "ready":
                ready.append(row.name)
            else:
                others.append(f"'{row.name}' ({row.status})")
        found = [f"ready are {options(ready)}"] if ready else []
        found += [f"not ready are {', '.join(others)}"] if others else []
        return f"there is no backend '{name}'; {'; '.join(found) or 'none is installed'}; {install_hint(name)}"

    def _load(self, record: Record) -> None:
        info = cast(BackendInfo, record.info)
        try:
            modules = [importlib.import_module(module) for module in info.modules]
        except (Exception, SystemExit) as error:
            record.fail(
                "broken",
                f"plugin '{record.plugin}' cannot be loaded: {type(error).__name__}: {error}",
                error,
            )
            return
        plugins = [plugin for plugin in (record.module, *modules) if plugin is not info]
        problems = self._problems(plugins, record.framework_version)
        if problems:
            record.fail("broken", f"plugin '{record.plugin}' is not valid: {'; '.join(problems)}")
            return
        try:
            for plugin in plugins:
                self.hooks.register(plugin, f"{record.name}:{getattr(plugin, '__name__', type(plugin).__name__)}")
            backend = Backend(info, record.framework, record.framework_version, record.plugin_version, self._bind)
            self._equip(backend)
        except Exception as error:
            self._withdraw(record.name)
            record.fail("broken", f"plugin '{record.plugin}' cannot be set up: {type(error).__name__}: {error}", error)
            return
        record.backend = backend
        for kind in backend.array_types:
            ROUTES[kind] = backend
        ROUTES[backend.Array] = backend
        self._not_arrays.clear()
        _log.debug("backend '%s' loaded: %s %s", record.name, record.framework, record.framework_version)

    def _withdraw(self, name: str) -> None:
        for plugin_name, plugin in list(self.hooks.list_name_plugin()):
            if plugin_name.startswith(f"{name}:"):
                self.hooks.unregister(plugin)

    def _problems(self, plugins: Iterable[Any], version: str) -> list[str]:
        """Check what plugins offer against the declarations, and return every problem found."""
        from corearray.versions import matches

        problems = []
        offered: dict[str, list[FunctionType]] = {}
        for plugin in plugins:
            for attribute in dir(plugin):
                function = getattr(plugin, attribute, None)
                function = getattr(function, "__func__", function)
                found = getattr(function, "corearray_options", None)
                if found is None:
                    continue
                label = f"{getattr(function, '__module__', '?')}.{getattr(function, '__qualname__', attribute)}"
                if not isinstance(function, FunctionType):
                    problems.append(f"'{label}' is marked as a hookimpl and is no Python function")
                    continue
                hook = function.corearray_impl.get("specname") or function.__name__  # type: ignore[attr-defined]
                if not hasattr(self.hooks.hook, hook):
                    problems.append(f"'{label}' implements the hook '{hook}', which this core does not have")
                    continue
                try:
                    if not matches(version, found.versions):
                        continue
                except CoreArrayError as error:
                    problems.append(f"'{label}': {error}")
                    continue
                offered.setdefault(hook, []).append(function)
                declaration = DECLARATIONS.get(hook)
                if declaration is None:
                    continue
                wanted = {p.name for p in declaration.parameters}
                names = {p.name for p in parameters_of(function)} - {"self"}
                if names - wanted:
                    problems.append(
                        f"'{label}' has the parameters {options(names - wanted)}, which '{hook}' does not declare"
                    )
                if wanted - names - _OPTIONAL_PARAMETERS:
                    problems.append(f"'{label}' lacks the parameters {options(wanted - names - _OPTIONAL_PARAMETERS)}")
        for hook, functions in offered.items():
            distinct = {id(function): function for function in functions}.values()
            if len(distinct) > 1:
                labels = " and ".join(f"'{f.__module__}.{f.__qualname__}'" for f in distinct)
                problems.append(f"{labels} both implement '{hook}' for version {version}; make their ranges disjoint")
        lacking = _FACTS - set(offered)
        if lacking:
            problems.append(f"the hooks {options(lacking)} are missing")
        return problems

    def _equip(self, backend: Backend) -> None:
        """Give a backend its facts: types, dtypes, devices, array class."""
        from corearray.array import Array
        from corearray.dtypes import DTYPES, register_native_dtypes

        backend.facts = _Facts(self, backend.name)
        backend.array_types = tuple(backend.fact("array_types"))
        table = backend.fact("dtypes")
        unknown = set(table) - set(DTYPES)
        if unknown:
            raise BackendBrokenError(f"dtypes() names {options(unknown)}, which are none of {options(DTYPES)}")
        backend.native_dtypes = {dtype: table[name] for name, dtype in DTYPES.items() if name in table}
        backend.dtype_of_native = {native: dtype for dtype, native in backend.native_dtypes.items()}
        register_native_dtypes((native, dtype) for dtype, native in backend.native_dtypes.items())
        name = backend.name
        backend.Array = type("Array", (Array,), {"__slots__": (), "__module__": "corearray", "_backend": backend})
        backend.Array.__qualname__ = "Array"
        backend.Array.__doc__ = f"An array of backend '{name}', see `corearray.Array`."
        backend.fact("register_array", backend.Array)

    # --- compose

    @cached_property
    def hooks(self) -> pluggy.PluginManager:
        """Pluggy's manager with all hookspecs and the core's own hookimpls."""
        from corearray.hooks import core_hooks

        return core_hooks()

    def candidates(self, name: str, owner: str) -> Iterator[Any]:
        """Yield pluggy's hookimpls of a hook for one backend and from the core, in the order in which they win."""
        caller = getattr(self.hooks.hook, name, None)
        if caller is None:
            return
        for implementation in reversed(caller.get_hookimpls()):
            if implementation.plugin_name.partition(":")[0] in (owner, "core"):
                yield implementation

    def _bind(self, backend: Backend, name: str) -> Binding:
        from corearray.stages.compose import Binding, missing

        declaration = DECLARATIONS[name]
        with self._lock:
            winner, skipped = self._winner(backend, name)
            if winner is None and not declaration.compositional:
                raise missing(declaration, backend, f" ({'; '.join(skipped)})" if skipped else "")
            binding = Binding(declaration, backend, winner, self._stage)
        _log.debug("'%s' on backend '%s': %s", name, backend.name, winner.plugin if winner else "composition")
        return binding

    def _winner(self, backend: Backend, name: str) -> tuple[Candidate | None, list[str]]:
        from corearray.stages.compose import Candidate
        from corearray.versions import matches

        skipped: list[str] = []
        for implementation in self.candidates(name, backend.name):
            if implementation.plugin_name.startswith("core:"):
                continue
            function = implementation.function
            found = function.corearray_options
            if matches(backend.framework_version, found.versions):
                return Candidate(function, found, implementation.plugin_name), skipped
            skipped.append(f"'{function.__name__}' is for {backend.framework}{found.versions}")
        return None, skipped

    def _stage(self, name: str, call: Call, binding: Binding) -> Call | None:
        for implementation in self.candidates(name, binding.backend.name):
            wrapped = implementation.function(call, binding)
            if wrapped is not None:
                return cast("Call", wrapped)
        return None

    # --- which backend

    def backend_of_type(self, kind: type) -> Backend | None:
        """Return the backend whose array type this is, by the types that plugins declare; loads it if need be."""
        if kind in self._not_arrays:
            return None
        for record in self.records.values():
            if record.backend is not None and issubclass(kind, record.backend.array_types):
                ROUTES[kind] = record.backend
                return record.backend
        names = [f"{base.__module__}.{base.__qualname__}" for base in kind.__mro__[:-1]]
        for record in self.records.values():
            info = self._described(record).info
            if info is None or record.backend is not None:
                continue
            if any(fnmatch.fnmatchcase(name, pattern) for name in names for pattern in info.array_types):
                backend = self.load(record.name)
                ROUTES[kind] = backend
                return backend
        self._not_arrays.add(kind)
        return None


class _Facts:
    """The facts of one backend: each the chosen hookimpl, or a default of the core's."""

    def __init__(self, manager: Manager, name: str) -> None:
        self._manager = manager
        self._name = name
        self._found: dict[str, Callable[..., Any]] = {}

    def __contains__(self, fact: str) -> bool:
        return any(True for i in self._manager.candidates(fact, self._name) if not i.plugin_name.startswith("core:"))

    def __getitem__(self, fact: str) -> Callable[..., Any]:
        found = self._found.get(fact)
        if found is None:
            implementation = next(iter(self._manager.candidates(fact, self._name)), None)
            if implementation is None:
                raise BackendBrokenError(f"the plugin of backend '{self._name}' does not implement the hook '{fact}'")
            found = implementation.function
            own = getattr(found, "corearray_options", None)
            found = self._found[fact] = (own.native if own is not None else None) or found
        return found


def install_hint(name: str = DEFAULT_BACKEND) -> str:
    """Say how to install a backend; if corearray offers no extra of that name, which ones it offers.

    Examples
    --------
    >>> install_hint()
    "install it with: pip install 'corearray[numpy]'"
    """
    import importlib_metadata

    try:
        offered = importlib_metadata.metadata("corearray").get_all("Provides-Extra") or []
    except importlib_metadata.PackageNotFoundError:
        offered = [DEFAULT_BACKEND]
    if name in offered:
        return f"install it with: pip install 'corearray[{name}]'"
    return f"install one with: pip install 'corearray[NAME]', where NAME is one of {options(offered)}"


def _valid_name(name: str) -> bool:
    return name.isidentifier() and name == name.lower()


def _importing(module: str) -> Callable[[], Any]:
    return lambda: importlib.import_module(module)


def _refusal(record: Record) -> CoreArrayError:
    kinds: dict[str, type[CoreArrayError]] = {
        "framework missing": BackendNotFoundError,
        "disabled": BackendNotFoundError,
        "version mismatch": BackendVersionError,
        "core mismatch": BackendVersionError,
    }
    error = kinds.get(record.status, BackendBrokenError)(
        f"backend '{record.name}' cannot be used ({record.status}): {record.reason}"
    )
    error.__cause__ = record.error
    return error


#: The manager of the process.
manager = Manager()


# --- the public functions ---------------------------------------------------------------------------------------------


def load_backend(name: str) -> Backend:
    """Return a backend by name, loading it first if need be."""
    return manager.load(name)


def _loaded(name_or_plugin: object) -> Backend:
    if isinstance(name_or_plugin, Backend):
        return name_or_plugin
    if isinstance(name_or_plugin, str):
        return manager.load(name_or_plugin)
    return manager.load(manager.register(name_or_plugin))


def set_backend(name_or_plugin: object, *, local: bool = False) -> Backend:
    """Put a backend in force until `previous_backend` takes it away.

    Parameters
    ----------
    name_or_plugin
        Name of an installed backend, a `Backend`, or a plugin as `register_backend` takes it.
    local
        Whether other threads are left alone. By default threads that start later begin with this backend too.

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
    backend = _loaded(name_or_plugin)
    state.push_backend(backend, local=local)
    return backend


def previous_backend() -> Backend | None:
    """Take the backend in force away and return it, or `None` if none was set."""
    return state.pop_backend()


def unset_backend() -> None:
    """Forget every backend that was set, so that arrays decide again."""
    state.unset_backends()


@contextmanager
def backend_context(name_or_plugin: object) -> Iterator[Backend]:
    """Put a backend in force within a block.

    Threads and tasks that run elsewhere are not touched; those that the block starts begin with this backend.

    Examples
    --------
    >>> import corearray as ca
    >>> with ca.backend_context("numpy") as be:
    ...     ca.current_backend() is be
    True
    """
    backend = _loaded(name_or_plugin)
    with state.pushed(backend):
        yield backend


def get_backend(name: str | None = None) -> Backend:
    """Return a backend by name, or the one that a call without arrays would use."""
    return resolve(()) if name is None else _loaded(name)


def current_backend(*args: object) -> Backend:
    """Return the backend that a call with these arguments would use.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.current_backend(ca.asarray([1.0])).name
    'numpy'
    """
    return resolve(args)


def register_backend(plugin: object) -> str:
    """Add a backend that is not installed as a distribution, and return its name.

    Parameters
    ----------
    plugin
        A module or object with a `BackendInfo` named `info`, and the hookimpls on it or in the modules that `info`
        names.
    """
    return manager.register(plugin)


def list_backends() -> list[BackendStatus]:
    """Return a status record for each backend that is installed or registered; no framework is imported."""
    return manager.statuses()
