"""Extensions: functions, implementations and stages that third parties add to backends of others.

An extension is found through the entry point group `corearray.extensions` or registered at run time. Its modules are
imported when a backend to which it applies is loaded. What is wrong with it is written into its record and hurts nobody.

Implementations win in pluggy's order: those with `tryfirst` come first and those with `trylast` last; among others, an
extension comes before the backend and the backend before the core. Two extensions of the same rank are a conflict, and
neither is used.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from corearray.backends.backend import Backend
from corearray.backends.discovery import resolved
from corearray.backends.extension_records import Extension, discovered
from corearray.calls.tracebacks import frames_to_user
from corearray.contract.declaration import DECLARATIONS, Declaration
from corearray.contract.extension import ExtensionInfo, ExtensionStatus
from corearray.contract.traced import followed_function
from corearray.contract.validation import extension_problems
from corearray.errors import ExtensionError, options
from corearray.logs import log_debug
from corearray.stages import OF_NATIVE_FUNCTIONS, ORDER

if TYPE_CHECKING:
    from pluggy import HookImpl

    from corearray.manager import Manager

__all__ = ["Extensions", "Offer"]

#: What the names of extensions begin with among pluggy's plugins.
_MARK = "+"


class Offer:
    """A hookimpl of a backend or an extension.

    Attributes
    ----------
    implementation
        pluggy's record of the hookimpl.
    extension
        The extension that has it; `None` for the backend's own and the core's.
    conflict
        Why it is not used although its version matches, or `""`.
    """

    __slots__ = ("conflict", "extension", "implementation")

    def __init__(self, implementation: HookImpl, extension: Extension | None) -> None:
        self.implementation = implementation
        self.extension = extension
        self.conflict = ""

    @property
    def rank(self) -> tuple[bool, int, bool]:
        """The place in the order in which implementations win; the core's own come last."""
        core = self.implementation.plugin_name.startswith("core:")
        order = 0 if self.implementation.tryfirst else 2 if self.implementation.trylast else 1
        return core, order, self.extension is None

    def fits(self, version: str) -> bool:
        """Whether it is for this version of the framework."""
        from corearray.contract.versions import matches

        given = getattr(self.implementation.function, "corearray_options", None)
        return given is None or matches(version, given.versions)


class Extensions:
    """The extensions of a manager.

    Parameters
    ----------
    manager
        The manager, which calls this under its lock.
    search
        Folders in which distributions are looked for; by default where Python imports from.
    """

    def __init__(self, manager: Manager, search: list[str] | None) -> None:
        self._manager = manager
        self._search = search
        self._found: dict[str, Extension] | None = None
        self._used: dict[str, tuple[Extension, ...]] = {}

    @property
    def records(self) -> dict[str, Extension]:
        """The extensions by name, found in the metadata of what is installed when first needed."""
        if self._found is None:
            self._found = dict(sorted(discovered(self._search).items()))
        return self._found

    def status(self, name: str) -> ExtensionStatus:
        """Describe one extension in this process and return its row."""
        return self._described(self.records[name]).row()

    def statuses(self) -> list[ExtensionStatus]:
        """Describe every extension and return a row for each, sorted by name."""
        return [self.status(name) for name in sorted(self.records)]

    def _described(self, extension: Extension) -> Extension:
        if not extension.status:
            extension.describe()
        return extension

    # --- life cycle

    def join(self, backend: Backend) -> None:
        """Load the extensions that apply to a backend that was just loaded."""
        joined = [extension for extension in list(self.records.values()) if self._loaded_for(extension, backend)]
        if joined:
            self._rebind(backend)

    def leave(self, backend: str) -> None:
        """Forget what was kept about a backend that is unregistered."""
        self._used.pop(backend, None)

    def register(self, plugin: Any) -> str:
        """Add an extension that is not installed as a distribution, use it on loaded backends, and return its name."""
        info = getattr(plugin, "info", plugin)
        if not isinstance(info, ExtensionInfo):
            raise ExtensionError(
                f"register_extension needs a module or object with an ExtensionInfo named 'info', got {plugin!r}"
            )
        known = self.records.get(info.name)
        if known is not None and known.status != "disabled":
            if known.module is plugin:
                return info.name
            raise ExtensionError(
                f"an extension '{info.name}' is there already ('{known.plugin}'); register under another name, or call "
                f"corearray.unregister_extension({info.name!r}) first"
            )
        source = getattr(plugin, "__name__", type(plugin).__name__)
        extension = Extension(info.name, source, str(getattr(plugin, "__version__", "")), plugin)
        extension.describe()
        joined = [b for b in self._manager.loaded() if self._loaded_for(extension, b)] if extension.info else []
        if extension.status != "ready":
            raise _refusal(extension)
        former = self.records.get(info.name)
        self.records[info.name] = extension
        for backend in joined:
            self._rebind(backend)
        if extension.status != "ready":
            self.records.pop(info.name) if former is None else self.records.update({info.name: former})
            raise _refusal(extension)
        return info.name

    def unregister(self, name: str) -> None:
        """Stop using an extension; one that is installed stays listed as disabled."""
        extension = self.records.get(name)
        if extension is None:
            raise ExtensionError(f"there is no extension '{name}'; there are {options(self.records)}")
        former = [backend for backend in self._manager.loaded() if extension in self.of(backend)]
        self._withdraw(extension)
        if isinstance(extension.place, str):
            extension.fail("disabled", "unregister_extension was called")
        else:
            del self.records[name]
        for backend in former:
            self._rebind(backend)

    def _loaded_for(self, extension: Extension, backend: Backend) -> bool:
        """Import the modules of an extension that applies to a backend; what is wrong is written into its record."""
        if not self._described(extension).applies_to(backend):
            return False
        if extension.plugins is None:
            self._load(extension)
        return extension.plugins is not None

    def _load(self, extension: Extension) -> None:
        info = extension.info
        assert info is not None
        hooks = self._manager.hooks
        try:
            modules = [resolved(place) for place in info.modules]
            plugins = [*dict.fromkeys(plugin for plugin in (extension.module, *modules) if plugin is not info)]
            declared = self._new_declarations()
            hooks.learn(declared)
            others = {stage for other in self.records.values() if other.plugins is not None for stage in _stages(other)}
            taken = [stage for stage in info.stages if stage in others or stage in ORDER or stage in DECLARATIONS]
            problems = [f"the name of its stage '{stage}' is taken" for stage in taken]
            problems += [
                f"it declares '{d.name}', which is an attribute of Backend"
                for d in declared
                if hasattr(Backend, d.name)
            ]
            problems += extension_problems(plugins, info.stages, ORDER, (*ORDER, *others, *info.stages))
            if problems:
                raise ExtensionError(f"it is not valid: {'; '.join(problems)}")
            hooks.learn_stages(info.stages)
            extension.plugins = []
            for plugin in plugins:
                module = getattr(plugin, "__name__", type(plugin).__name__)
                hooks.register(plugin, f"{_MARK}{extension.name}:{module}")
                extension.plugins.append(plugin)
        except BaseException as error:
            self._withdraw(extension)
            if isinstance(error, KeyboardInterrupt):
                raise
            what = str(error) if isinstance(error, ExtensionError) else f"{type(error).__name__}: {error}"
            extension.fail("broken", f"'{extension.plugin}' cannot be loaded: {what}", error)
            return
        log_debug("extension '%s' loaded", extension.name)

    def _withdraw(self, extension: Extension) -> None:
        for plugin in extension.plugins or ():
            self._manager.hooks.unregister(plugin)
        extension.plugins = None
        extension.conflicts.clear()
        for other in self.records.values():
            other.conflicts.clear()

    def _new_declarations(self) -> list[Declaration]:
        """Return the declarations that came after the hooks were made, and tell the loaded backends of them."""
        hooks = self._manager.hooks
        new = [declaration for declaration in DECLARATIONS.values() if not hasattr(hooks.hook, declaration.name)]
        for backend in self._manager.loaded():
            for declaration in new:
                if not hasattr(backend.calls, declaration.name):
                    backend.calls.add_function(declaration.name)
                backend.fact("register_function", declaration.public)
                if "register_tracing" in backend.facts:
                    backend.fact("register_tracing", [], {declaration.public: followed_function(declaration)})
        return new

    def _rebind(self, backend: Backend) -> None:
        """Order the stages of a backend anew, tell of conflicts, and let it compose its functions again."""
        self._used.pop(backend.name, None)
        used = self.of(backend)
        backend.stage_order, backend.native_order = _orders(used)
        self._manager.note_stages(backend)
        for extension in used:
            idle = self._manager.unforced_stages(extension.plugins or (), backend)
            if idle:
                extension.fail("broken", f"'{extension.plugin}' is not valid: {'; '.join(idle)}")
                self._withdraw(extension)
                self._rebind(backend)
                return
        backend.forget()
        self._tell_conflicts(backend, used)

    # --- who wins

    def of(self, backend: Backend) -> tuple[Extension, ...]:
        """Return the extensions that are used on a backend."""
        found = self._used.get(backend.name)
        if found is None:
            records = self._found.values() if self._found else ()
            used = [extension for extension in records if extension.plugins is not None]
            found = self._used[backend.name] = tuple(e for e in used if e.applies_to(backend))
        return found

    def offers(self, hook: str, backend: Backend) -> list[Offer]:
        """Return the hookimpls of a hook for a backend, the core's included, in the order in which they win."""
        caller = getattr(self._manager.hooks.hook, hook, None)
        if caller is None:
            return []
        used = {f"{_MARK}{extension.name}": extension for extension in self.of(backend)}
        found = []
        for implementation in reversed(caller.get_hookimpls()):
            owner = implementation.plugin_name.partition(":")[0]
            if owner in (backend.name, "core") or owner in used:
                found.append(Offer(implementation, used.get(owner)))
        if not used:
            return found
        found.sort(key=lambda offer: offer.rank)
        _note_conflicts(found, hook, backend)
        return found

    def implemented(self, backend: Backend) -> set[str]:
        """Return the hooks that extensions implement for a backend."""
        hooks = self._manager.hooks
        plugins = [plugin for extension in self.of(backend) for plugin in extension.plugins or ()]
        return {caller.name for plugin in plugins for caller in hooks.get_hookcallers(plugin) or ()}

    def notes(self, backend: Backend) -> dict[str, str]:
        """Return what each extension that is meant for a backend does there, or why it is not used."""
        found = {}
        for extension in self.records.values():
            info = extension.info
            reason = extension.reason or extension.mismatches.get(backend.name, "")
            if extension in self.of(backend):
                conflicts = [text for (name, _), text in extension.conflicts.items() if name == backend.name]
                used = [f"{extension.plugin} {extension.plugin_version}".strip(), *dict.fromkeys(conflicts)]
                found[f"extension '{extension.name}'"] = "; ".join(used)
            elif reason and (info is None or not info.backends or backend.name in info.backends):
                found[f"extension '{extension.name}'"] = f"{extension.status}: {reason}"
        return found

    def _tell_conflicts(self, backend: Backend, used: Iterable[Extension]) -> None:
        told_already = {text for extension in used for text in extension.conflicts.values()}
        for hook in sorted(self.implemented(backend)):
            for offer in self.offers(hook, backend):
                if offer.conflict and offer.extension is not None:
                    offer.extension.conflicts[backend.name, hook] = offer.conflict
                    if offer.conflict not in told_already:
                        told_already.add(offer.conflict)
                        warnings.warn(offer.conflict, RuntimeWarning, stacklevel=frames_to_user())


def _refusal(extension: Extension) -> ExtensionError:
    error = ExtensionError(f"extension '{extension.name}' cannot be used ({extension.status}): {extension.reason}")
    error.__cause__ = extension.error
    return error


def _stages(extension: Extension) -> Iterable[str]:
    return extension.info.stages if extension.info else ()


def _note_conflicts(offers: list[Offer], hook: str, backend: Backend) -> None:
    """Mark the offers of extensions that share a rank with those of other extensions."""
    by_rank: dict[tuple[bool, int, bool], list[Offer]] = {}
    for offer in offers:
        if offer.extension is not None and offer.fits(backend.framework_version):
            by_rank.setdefault(offer.rank, []).append(offer)
    for alike in by_rank.values():
        names = sorted({offer.extension.name for offer in alike if offer.extension})
        if len(names) > 1:
            text = (
                f"the extensions {options(names)} implement '{hook}' on backend '{backend.name}' and none comes first, so "
                "that none is used; mark one with tryfirst=True or trylast=True, or leave one out by "
                "COREARRAY_LOAD_EXTENSIONS"
            )
            for offer in alike:
                offer.conflict = text


def _orders(used: Iterable[Extension]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the order of all stages with those that extensions add, and the order of those of native functions."""
    order, native = list(ORDER), set(OF_NATIVE_FUNCTIONS)
    inside: dict[str, str] = {}
    for extension in sorted(used, key=lambda extension: extension.name):
        for stage, around in (extension.info.stages if extension.info else {}).items():
            place = order.index(around) + 1 if around else 0
            while place < len(order) and inside.get(order[place]) == around:
                place += 1
            order.insert(place, stage)
            inside[stage] = around
            if not around or around in native:
                native.add(stage)
    return tuple(order), tuple(stage for stage in order if stage in native)
