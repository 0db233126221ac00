"""The records of plugins: where each comes from, how it describes itself, and why it can or cannot be used.

A loop of our own instead of pluggy's entry-point loader, because that one imports every plugin of a group at once
and lets one broken plugin take the host down. Here whatever happens to a plugin is written into its record, and the
reason is raised only to those who ask for that backend.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from corearray.backends.interrupts import ctrl_c
from corearray.backends.metadata import Offer, canonical, identity, offers
from corearray.contract.info import BackendInfo, BackendStatus, checked_info
from corearray.errors import (
    BackendBrokenError,
    BackendNotFoundError,
    BackendVersionError,
    CoreArrayError,
    options,
    printable,
    text_of,
)
from corearray.logs import log_debug

if TYPE_CHECKING:
    from corearray.backends.backend import Backend

__all__ = ["Record", "describe", "discovered", "excluded", "refusal", "resolved", "valid_name"]


class Record:
    """The record of one plugin: its origin, its description, and its status.

    Parameters
    ----------
    name
        The backend's name.
    plugin, plugin_version
        Name and version of the distribution.
    described
        A function that returns the plugin's module or object.
    entry
        The place of the description, as the metadata names it; empty for a plugin that was registered.
    types
        The array types that the metadata declares, or None.
    installed
        The time of the installation.
    """

    def __init__(
        self,
        name: str,
        plugin: str,
        plugin_version: str,
        described: Callable[[], Any],
        entry: str = "",
        types: tuple[str, ...] | None = None,
        installed: float = 0.0,
    ) -> None:
        self.name = name
        self.entry = entry
        self.plugin = plugin
        self.plugin_version = plugin_version
        self.declared_types = types
        self.installed = installed
        self._described = described
        self._describing = False
        self.module: Any = None
        self.info: BackendInfo | None = None
        self.status = ""
        self.reason = ""
        self.notes: list[str] = []
        self.framework = ""
        self.framework_version = ""
        self.backend: Backend | None = None
        self.error: BaseException | None = None
        self.told: Record | None = None  # what a child says of this plugin

    @property
    def source(self) -> str:
        """The plugin and its version, as messages name it."""
        return f"plugin '{self.plugin}'{self.plugin_version and ' '}{self.plugin_version}"

    @property
    def types(self) -> tuple[str, ...] | None:
        """The array types, as far as they are known without importing the plugin here."""
        if self.declared_types is not None:
            return self.declared_types
        info = self.info or (self.told and self.told.info)
        return info.array_types if info else None

    @property
    def root(self) -> str:
        """The first part of the name of the plugin's module."""
        return self.entry.partition(":")[0].partition(".")[0].strip()

    def names(self, plugin: object) -> bool:
        """Return whether the metadata names this module, which somebody imported already."""
        return bool(self.entry) and plugin is sys.modules.get(self.entry.partition(":")[0].strip())

    def fail(self, status: str, reason: str, error: BaseException | None = None) -> None:
        """Write down why this backend cannot be used."""
        self.status, self.reason, self.error = status, printable(reason), error
        log_debug("backend '%s': %s: %s", self.name, status, self.reason)

    def describe(self) -> None:
        """Import the light module and read its description."""
        if self._describing:
            raise BackendBrokenError(f"{self.source} asks for its own backend '{self.name}' while it is imported")
        self._describing = True
        with ctrl_c() as pressed:
            try:
                module = self._described()
                info = getattr(module, "info", module)
                if not isinstance(info, BackendInfo):
                    raise TypeError(f"its module has no BackendInfo named 'info', but {type(info).__name__}")
                info = checked_info(info)
                if info.name != self.name:
                    raise ValueError(f"it describes a backend '{info.name}'; name and entry point must agree")
                self.module, self.info = module, info
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt) and pressed():
                    raise
                self.fail("broken", f"{self.source} cannot be described: {text_of(error)}", error)
            finally:
                self._describing = False

    def row(self) -> BackendStatus:
        """Return the row of `list_backends()`."""
        known = self if self.status or self.told is None else self.told
        info = known.info
        return BackendStatus(
            name=self.name,
            status=known.status,
            plugin=self.plugin,
            plugin_version=self.plugin_version,
            framework=printable(known.framework or (info.framework[0] if info else "")),
            framework_version=known.framework_version,
            requires=printable(info.framework_versions if info else ""),
            reason="; ".join(filter(None, (known.reason, *self.notes))),
            loaded=self.backend is not None,
        )


def discovered(search: list[str] | None) -> dict[str, Record]:
    """Find the plugins in the metadata of the installed distributions, sorted by name; nothing is imported."""
    found: dict[str, list[Offer]] = {}
    for offer in offers(search):
        found.setdefault(offer.name, []).append(offer)
    return {name: _record_of(name, found[name]) for name in sorted(found)}


def _record_of(name: str, offered: list[Offer]) -> Record:
    """Make the record of a backend that one distribution offers, or several."""
    own = [offer for offer in offered if canonical(offer.plugin) == canonical(f"corearray-{name}")]
    sound = [offer for offer in offered if not offer.problem]
    (chosen, *_) = [*own, *sound, *offered]
    record = Record(
        name,
        chosen.plugin,
        chosen.version,
        lambda: resolved(chosen.value),
        chosen.value,
        chosen.types,
        chosen.installed,
    )
    others = [offer for offer in offered if offer is not chosen]
    if others and not own and len(sound) != 1:
        named = " and ".join(sorted(f"'{offer.plugin}' {offer.version}".strip() for offer in offered))
        every = "both" if len(offered) == 2 else "all"
        record.fail("conflict", f"the distributions {named} {every} offer a backend '{name}'; uninstall one of them")
    elif chosen.problem:
        again = f"reinstall it with: pip install --force-reinstall {chosen.plugin}"
        record.fail("broken", f"{record.source} cannot be used: {chosen.problem}; {again}")
    for other in others if record.status != "conflict" else ():
        why = (
            f"'{chosen.plugin}' is used, because its distribution has the backend's name"
            if own
            else f"'{chosen.plugin}' is used, because the other one is broken: {other.problem}"
        )
        record.notes.append(f"plugin '{other.plugin}' {other.version} offers a backend '{name}' too; {why}")
    record.notes = [printable(note) for note in record.notes]
    return record


def excluded(record: Record) -> bool:
    """Whether a plugin is left out before it is imported; then the record has a status and a reason."""
    if record.status:
        return record.backend is None and record.info is None
    if not valid_name(record.name):
        record.fail(
            "broken",
            f"'{record.name}' ({record.source}) is no valid backend name; names are lower-case Python identifiers",
        )
        return True
    allowed = os.environ.get("COREARRAY_LOAD_BACKENDS", "")
    if allowed and record.name not in [name.strip() for name in allowed.split(",")]:
        record.fail("disabled", f"COREARRAY_LOAD_BACKENDS={allowed} leaves out {record.source}")
        return True
    return False


def describe(record: Record) -> None:
    """Describe a plugin and match its ranges; afterwards the record has a status."""
    if not excluded(record):
        record.describe()
        if record.info is not None and not record.status:
            _match(record, record.info)


def _match(record: Record, info: BackendInfo) -> None:
    import importlib_metadata

    import corearray
    from corearray.contract.versions import matches

    try:
        if not matches(corearray.__version__, info.core_versions):
            record.fail(
                "core mismatch",
                f"{record.source} is for corearray {info.core_versions}, "
                f"installed is {corearray.__version__}; upgrade the older of the two",
            )
            return
        for framework in info.framework:
            try:
                _, record.framework_version, flaw = identity(importlib_metadata.distribution(framework))
            except (importlib_metadata.PackageNotFoundError, ValueError):
                continue
            if not record.framework_version:
                record.fail("broken", f"{record.source} needs {framework}, whose version is unknown: {flaw}")
                return
            record.framework = framework
            break
        else:
            wanted = f"{info.framework[0]}{info.framework_versions}"
            record.fail(
                "framework missing",
                f"{record.source} needs {wanted}: no distribution {options(info.framework)} is installed; "
                f"install it with: pip install '{wanted}'",
            )
            return
        if not matches(record.framework_version, info.framework_versions):
            record.fail(
                "version mismatch",
                f"{record.source} needs {record.framework}{info.framework_versions}, installed is "
                f"{record.framework_version}; install a matching one with: "
                f"pip install '{record.framework}{info.framework_versions}'",
            )
            return
    except Exception as error:
        record.fail(
            "broken", f"{record.source}: {error if isinstance(error, CoreArrayError) else text_of(error)}", error
        )
        return
    record.status = "ready"


def valid_name(name: object) -> bool:
    """Whether a name can be that of a backend: a lower-case Python identifier."""
    return isinstance(name, str) and name.isidentifier() and name == name.lower()


def resolved(place: str) -> Any:
    """Import what an entry point or an entry of `BackendInfo.modules` names: a module, or an object in one.

    Examples
    --------
    >>> resolved("math:pi")
    3.141592653589793
    """
    module, _, attributes = place.partition(":")
    found = importlib.import_module(module.strip())
    for attribute in filter(None, attributes.strip().split(".")):
        found = getattr(found, attribute)
    return found


def refusal(record: Record) -> CoreArrayError:
    """Build the error for those who ask for a backend that cannot be used."""
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
