"""The manager: loads backends when they are asked for, composes their functions, and knows whose a type is."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property, partial
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast
from weakref import WeakSet

from corearray.backends.backend import Backend
from corearray.backends.choosing import apply_stage, considered, unforced_stages
from corearray.backends.claims import by_rule, conflicts, names_of, owns, roots
from corearray.backends.discovery import Record, describe, discovered, excluded, refusal, resolved, valid_name
from corearray.backends.extensions import Extensions
from corearray.backends.facts import Facts
from corearray.backends.hints import meant
from corearray.backends.installing import entry_hint, install_hint
from corearray.backends.interrupts import ctrl_c
from corearray.calls.dispatch import add_route, remove_routes, share_routes
from corearray.contract.declaration import DECLARATIONS
from corearray.contract.extension import ExtensionStatus
from corearray.contract.info import BackendInfo, BackendStatus
from corearray.contract.validation import problems_of
from corearray.errors import BackendBrokenError, BackendNotFoundError, options, text_of
from corearray.forks import free_at_fork, give_way
from corearray.logs import log_debug
from corearray.on import offer, withdraw
from corearray.stages import ORDER

if TYPE_CHECKING:
    from corearray.backends.hooks import HookManager
    from corearray.calls.binding import Binding, Candidate

__all__ = ["Manager", "load_backend", "manager"]


@contextmanager
def _collector_off() -> Iterator[None]:
    """Keep Python's collector off while a backend is loaded.

    Loading makes many objects and no garbage. Each full collection would walk through all objects of the framework,
    which took half of the time that loading takes.
    """
    was_on = gc.isenabled()
    try:
        gc.disable()
        yield
    finally:
        if was_on:
            gc.enable()


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
        self._lock = free_at_fork(threading.RLock())
        self._not_arrays: WeakSet[type] = WeakSet()
        self.extensions = Extensions(self, self._search)

    # --- discover, describe, match

    @property
    def records(self) -> dict[str, Record]:
        """The records by name, found in the metadata of what is installed when first needed."""
        if self._records is None:
            with self._lock:
                if self._records is None:
                    self._records = discovered(self._search)
        return self._records

    def _described(self, record: Record) -> Record:
        if not record.status:
            with self._lock:
                if not record.status:
                    describe(record)
        return record

    def status(self, name: str) -> BackendStatus:
        """Describe one plugin in this process and return its row."""
        return self._described(self.records[name]).row()

    def statuses(self, limit: float | None = None) -> list[BackendStatus]:
        """Return a row for each plugin, sorted by name; plugins that are not in use are described in child processes.

        Parameters
        ----------
        limit
            Seconds that one plugin may take, instead of the usual limit.
        """
        rows = {}
        waiting = []
        for name, record in list(self.records.items()):
            if not record.entry or excluded(record):
                self._described(record)
            elif not record.status and record.told is None:
                waiting.append(record)
            rows[name] = record.row()
        if waiting:
            from corearray.backends.describing import described

            for record, told_of, final in described(waiting, limit):
                record.told = told_of
                rows[record.name] = record.row()
                if not final:
                    record.told = None
        ready = {name: self.records[name] for name, row in rows.items() if row.status == "ready"}
        for name, rivals in conflicts(ready).items():
            rows[name].reason = "; ".join(filter(None, (rows[name].reason, *rivals)))
        return list(rows.values())

    def packages(self) -> dict[str, str]:
        """Return the packages whose arrays belong to installed backends, with the backends' names; imports nothing."""
        return roots(self.records)

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
        if not valid_name(info.name):
            raise BackendBrokenError(f"'{info.name}' is no valid backend name; names are lower-case Python identifiers")
        with self._lock:
            known = self.records.get(info.name)
            if known is not None and known.names(plugin):
                self._described(known)
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
            remove_routes(record.backend)
            withdraw(name)
            self._withdraw(name)
            self.extensions.leave(name)

    # --- extensions

    def loaded(self) -> list[Backend]:
        """Return the backends that are loaded."""
        return [record.backend for record in (self._records or {}).values() if record.backend is not None]

    def register_extension(self, plugin: Any) -> str:
        """Add an extension that is not installed as a distribution, and return its name.

        Parameters
        ----------
        plugin
            A module or object with an `ExtensionInfo` named `info`, and the hookimpls on it or in the modules that `info`
            names.
        """
        with self._lock:
            return self.extensions.register(plugin)

    def unregister_extension(self, name: str) -> None:
        """Stop using an extension."""
        with self._lock:
            self.extensions.unregister(name)

    def extension_statuses(self) -> list[ExtensionStatus]:
        """Describe every extension and return a row for each, sorted by name."""
        with self._lock:
            return self.extensions.statuses()

    # --- load

    def load(self, name: str) -> Backend:
        """Return a backend, loading it first if need be.

        Raises
        ------
        BackendNotFoundError, BackendVersionError, BackendBrokenError
            Why there is no such backend, with what to do.
        """
        record = None if self._records is None else self._records.get(name)
        if record is not None and record.backend is not None:
            return record.backend
        give_way()
        with self._lock, _collector_off():
            record = self.records.get(name)
            if record is None:
                raise BackendNotFoundError(self._unknown(name))
            if record.backend is None:
                self._described(record)
                if record.status == "ready":
                    self._load(record)
            if record.backend is None:
                raise refusal(record)
            return record.backend

    def _unknown(self, name: str) -> str:
        found, out = [], []
        for record in self.records.values():
            if excluded(record):
                out.append(f"'{record.name}' ({record.status})")
            else:
                found.append(record.name)
        likely, forgotten = meant(name, list(self.records)), entry_hint(name)
        if forgotten:
            return f"there is no backend '{name}'; {forgotten}"
        if likely:
            return f"there is no backend '{name}'; did you mean '{likely}'? Installed are {options(found)}"
        installed = [f"installed are {options(found)}"] if found else []
        installed += [f"not ready are {', '.join(out)}"] if out else []
        return f"there is no backend '{name}'; {'; '.join(installed) or 'none is installed'}; {install_hint(name)}"

    def _load(self, record: Record) -> None:
        info = cast(BackendInfo, record.info)
        with ctrl_c() as pressed:
            try:
                modules = [resolved(place) for place in info.modules]
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt) and pressed():
                    raise
                record.fail("broken", f"{record.source} cannot be loaded: {text_of(error)}", error)
                return
        plugins = [plugin for plugin in (record.module, *modules) if not isinstance(plugin, BackendInfo)]
        problems = problems_of(plugins, record.framework_version, lambda hook: hasattr(self.hooks.hook, hook), ORDER)
        if problems:
            record.fail("broken", f"{record.source} is not valid: {'; '.join(problems)}")
            return
        try:
            for plugin in plugins:
                self.hooks.register(plugin, f"{record.name}:{getattr(plugin, '__name__', type(plugin).__name__)}")
            backend = Backend(info, record.framework, record.framework_version, record.plugin_version, self._bind)
            backend.plugin_roots = frozenset(
                name.partition(".")[0] for plugin in plugins for name in _modules_of(plugin)
            )
            self._equip(backend)
            # A framework that is installed in editable mode lies among the user's files.
            backend.plugin_roots |= {kind.__module__.partition(".")[0] for kind in backend.array_types} - {
                "__main__",
                "builtins",
            }
            problems = self.unforced_stages(plugins, backend)
            if problems:
                raise BackendBrokenError("; ".join(problems))
        except BaseException as error:
            self._withdraw(record.name)
            if isinstance(error, KeyboardInterrupt):
                raise
            record.fail("broken", f"{record.source} cannot be set up: {text_of(error)}", error)
            return
        record.backend = backend
        self._not_arrays.clear()
        add_route(backend.Array, backend)
        for kind in backend.array_types:
            self._route(kind, backend)
        offer(backend)
        log_debug("backend '%s' loaded: %s %s", record.name, record.framework, record.framework_version)
        self.extensions.join(backend)

    def _withdraw(self, name: str) -> None:
        for plugin_name, plugin in list(self.hooks.list_name_plugin()):
            if plugin_name.startswith(f"{name}:"):
                self.hooks.unregister(plugin)

    def _equip(self, backend: Backend) -> None:
        """Give a backend its facts: types, dtypes, devices, array class."""
        from corearray.arrays.array import array_class
        from corearray.arrays.assignment import assign, lead_updates, update
        from corearray.arrays.kind import Kind
        from corearray.calls.tracing import make_traceable
        from corearray.container import Container
        from corearray.container.nodes import introduce_nodes
        from corearray.ragged import Ragged
        from corearray.types.dtypes import DTYPES, register_native_dtypes

        backend.facts = Facts(self, backend.name, backend.framework_version)
        backend.array_types = tuple(backend.fact("array_types"))
        backend.writes_in_place = backend.fact("writes_in_place")
        backend.promotes_arrays = backend.fact("promotes_arrays")
        table = backend.fact("dtypes")
        unknown = set(table) - set(DTYPES)
        if unknown:
            raise BackendBrokenError(f"dtypes() names {options(unknown)}, which are none of {options(DTYPES)}")
        backend.native_dtypes = {dtype: table[name] for name, dtype in DTYPES.items() if name in table}
        backend.spelled_dtypes = {k: n for d, n in backend.native_dtypes.items() for k in (d, d.name)}
        backend.dtype_of_native = {native: dtype for dtype, native in backend.native_dtypes.items()}
        register_native_dtypes((native, dtype) for dtype, native in backend.native_dtypes.items())
        backend.Array = array_class(backend)
        backend.assign, backend.update = partial(assign, backend), partial(update, backend)
        backend.lead_updates = partial(lead_updates, backend)
        backend.kinds = {native: Kind(backend, dtype) for native, dtype in backend.dtype_of_native.items()}
        backend.kind_of = {dtype: backend.kinds[native] for dtype, native in backend.spelled_dtypes.items()}
        backend.unknown_kind = Kind(backend, None)
        own = {name: backend.native_dtypes.get(backend.own_dtype(dtype)) for name, dtype in DTYPES.items()}
        backend.kinds_named = {name: backend.kinds[native] for name, native in own.items() if native is not None}
        for kind in backend.kinds.values():
            kind.as_bool, kind.as_int64 = map(backend.kinds_named.get, ("bool", "int64"))
        backend.fact("register_array", backend.Array)
        for node in (Container, Ragged):
            backend.fact("register_container", node)
        introduce_nodes(backend)
        self.note_stages(backend)
        make_traceable(backend)

    def note_stages(self, backend: Backend) -> None:
        """Note the stages that are not the core's, and which operators in place write into native arrays at once."""
        extended = self.extensions.implemented(backend)
        backend.has_stages = any(self.implements(s, backend.name) or s in extended for s in backend.stage_order)
        # Stages of the backend's own are met by every call, and where an array cannot change, its views are to be told.
        alone = backend.writes_in_place and not backend.has_stages
        updates = backend.fact("updates") if alone else {}
        backend.lead_updates({function: update for function, update in updates.items() if function not in extended})

    # --- compose

    @cached_property
    def hooks(self) -> HookManager:
        """Pluggy's manager with all hookspecs and the core's own hookimpls."""
        from corearray.backends.hooks import core_hooks

        return core_hooks()

    def candidates(self, name: str, owner: str) -> Iterator[Any]:
        """Yield pluggy's hookimpls of a hook for one backend and from the core, in the order in which they win."""
        caller = getattr(self.hooks.hook, name, None)
        if caller is None:
            return
        for implementation in reversed(caller.get_hookimpls()):
            if implementation.plugin_name.partition(":")[0] in (owner, "core"):
                yield implementation

    def implements(self, hook: str, owner: str) -> bool:
        """Whether a backend's plugin itself has a hookimpl of a hook."""
        return any(not candidate.plugin_name.startswith("core:") for candidate in self.candidates(hook, owner))

    def _bind(self, backend: Backend, name: str) -> Binding:
        declaration = DECLARATIONS[name]
        give_way()
        with self._lock:
            from corearray.calls.binding import Binding  # here, where no fork finds it half imported
            from corearray.checks.missing import missing

            offered = considered(self.extensions, backend, name)
            winner, skipped = None, ""
            for candidate, dropped in offered:
                if not dropped:
                    winner = candidate
                else:
                    skipped += f"{'; ' if skipped else ''}'{candidate.name}' {dropped}"
            if winner is None and not declaration.compositional:
                raise missing(declaration, backend, skipped)
            binding = Binding(declaration, backend, winner, partial(apply_stage, self.extensions), skipped)
        chosen = f"{winner.plugin}.{winner.name}" if winner else "composition"
        log_debug("'%s' on backend '%s': %s%s", name, backend.name, chosen, f"; dropped: {skipped}" if skipped else "")
        return binding

    def unforced_stages(self, plugins: Iterable[Any], backend: Backend) -> list[str]:
        """Return what is wrong with `stages_add` of hookimpls: the stages that have nothing to do in the function."""
        return unforced_stages(self.extensions, plugins, backend)

    def considered(self, backend: Backend, name: str) -> list[tuple[Candidate, str]]:
        """Return what plugins offer for a function on a backend, each with why it is dropped; the winner with `""`."""
        return considered(self.extensions, backend, name)

    # --- which backend

    def backend_of_type(self, kind: type) -> Backend | None:
        """Return the backend whose array type this is, by the types that plugins declare; loads it if need be."""
        if kind in self._not_arrays:
            return None
        record = next(iter(self.claimants(kind)), None)
        if record is None:
            self._not_arrays.add(kind)
            return None
        backend = record.backend or self.load(record.name)
        add_route(kind, backend)
        return backend

    def claimants(self, kind: type) -> list[Record]:
        """Return the records of the backends that declare an array type; the first one computes if none is set."""
        names = names_of(kind)
        packages = {name.partition(".")[0] for name in names}
        found = []
        for record in list(self.records.values()):
            if record.backend is not None:
                claimed = issubclass(kind, record.backend.array_types)
            elif excluded(record):
                continue
            else:
                if record.types is None and (not record.entry or record.root in packages):
                    self._described(record)  # the plugin is here already, or a part of the package of the type
                claimed = owns(record, names)
            if claimed:
                found.append(record)
        return by_rule(found, packages)

    def _route(self, kind: type, backend: Backend) -> None:
        """Let arrays of a type decide for a backend, if it is the first of those that claim the type."""
        owner = self.claimants(kind)[0]
        if owner.backend is backend:
            add_route(kind, backend)
            return
        share_routes(backend)
        log_debug(
            "arrays of '%s' belong to backend '%s'; '%s' claims them too", kind.__qualname__, owner.name, backend.name
        )


def _modules_of(plugin: object) -> list[str]:
    """Return the module that a plugin is, or those in which the classes of a plugin object stand."""
    if isinstance(plugin, ModuleType):
        return [plugin.__name__]
    return [kind.__module__ for kind in type(plugin).__mro__[:-1]]


#: The manager of the process.
manager = Manager()


def load_backend(name: str) -> Backend:
    """Return a backend by name, loading it first if need be."""
    return manager.load(name)
