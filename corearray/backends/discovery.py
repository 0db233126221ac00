"""The records of plugins: where each comes from, how it describes itself, and why it can or cannot be used.

A loop of our own instead of pluggy's entry-point loader, because that one imports every plugin of a group at once
and lets one broken plugin take the host down. Here whatever happens to a plugin is written into its record, and the
reason is raised only to those who ask for that backend.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from corearray.contract.info import BackendInfo, BackendStatus
from corearray.errors import (
    BackendBrokenError,
    BackendNotFoundError,
    BackendVersionError,
    CoreArrayError,
    options,
)
from corearray.log import told

if TYPE_CHECKING:
    from corearray.backends.backend import Backend

__all__ = ["GROUP", "Record", "describe", "discovered", "refusal", "resolved", "valid_name"]

#: The entry point group in which plugins stand.
GROUP = "corearray.backends"


class Record:
    """What is known about one plugin: where it comes from, how it describes itself, and what became of it."""

    def __init__(
        self, name: str, plugin: str, plugin_version: str, describe: Callable[[], Any], entry: str = ""
    ) -> None:
        self.name = name
        self.entry = entry
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
        told("backend '%s': %s: %s", self.name, status, reason)

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
        except KeyboardInterrupt:
            raise
        except BaseException as error:
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


def discovered(search: list[str] | None) -> dict[str, Record]:
    """Find the plugins in the metadata of the installed distributions, sorted by name; nothing is imported."""
    import importlib_metadata

    where = {} if search is None else {"path": search}
    records: dict[str, Record] = {}
    seen: set[tuple[str, str, str]] = set()
    for distribution in importlib_metadata.distributions(**where):
        for point in distribution.entry_points.select(group=GROUP):
            plugin, version = _name_and_version(distribution)
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
            records[point.name] = Record(point.name, plugin, version, _importing(point.module), point.module)
    return dict(sorted(records.items()))


def describe(record: Record) -> None:
    """Describe a plugin and match its ranges; afterwards the record has a status."""
    if not valid_name(record.name):
        record.fail(
            "broken",
            f"'{record.name}' (plugin '{record.plugin}') is no valid backend name; "
            "names are lower-case Python identifiers",
        )
        return
    allowed = os.environ.get("COREARRAY_LOAD_BACKENDS", "")
    if allowed and record.name not in [name.strip() for name in allowed.split(",")]:
        record.fail("disabled", f"COREARRAY_LOAD_BACKENDS={allowed} leaves it out")
        return
    record.describe()
    if record.info is not None:
        _match(record, record.info)


def _match(record: Record, info: BackendInfo) -> None:
    import importlib_metadata

    import corearray
    from corearray.contract.versions import matches

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
                _, record.framework_version = _name_and_version(importlib_metadata.distribution(framework))
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


def _name_and_version(distribution: Any) -> tuple[str, str]:
    """Read two headers of a distribution's metadata.

    The parser of `distribution.metadata` is that of e-mail, whose import takes longer than the rest of the discovery.
    """
    text = distribution.read_text("METADATA") or ""
    found: dict[str, str] = {}
    for line in text.partition("\n\n")[0].splitlines():
        key, colon, value = line.partition(":")
        if colon and key in ("Name", "Version"):
            found.setdefault(key, value.strip())
    if len(found) == 2 and all(found.values()):
        return found["Name"], found["Version"]
    parsed = distribution.metadata  # of another format, or broken
    return parsed.get("Name") or "?", parsed.get("Version") or ""


def valid_name(name: str) -> bool:
    """Whether a name can be that of a backend: a lower-case Python identifier."""
    return name.isidentifier() and name == name.lower()


def resolved(place: str) -> Any:
    """Import what an entry of `BackendInfo.modules` names: a module, or an object in one.

    Examples
    --------
    >>> resolved("math:pi")
    3.141592653589793
    """
    module, _, attribute = place.partition(":")
    found = importlib.import_module(module)
    return getattr(found, attribute) if attribute else found


def _importing(module: str) -> Callable[[], Any]:
    return lambda: importlib.import_module(module)


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
