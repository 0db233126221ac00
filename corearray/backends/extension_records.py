"""The records of extensions: where each comes from, how it describes itself, and why it is or is not used."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from corearray.backends.discovery import resolved, valid_name
from corearray.backends.metadata import entry_points
from corearray.contract.extension import ExtensionInfo, ExtensionStatus
from corearray.logs import log_debug

if TYPE_CHECKING:
    from corearray.backends.backend import Backend

__all__ = ["GROUP", "Extension", "discovered"]

#: The entry point group in which extensions stand.
GROUP = "corearray.extensions"


class Extension:
    """The record of one extension: its origin, its description, and its status.

    Parameters
    ----------
    name
        Its name.
    plugin, plugin_version
        The distribution, or the module that was registered.
    place
        What the entry point names, or the registered module or object itself.
    """

    def __init__(self, name: str, plugin: str, plugin_version: str, place: Any) -> None:
        self.name = name
        self.plugin = plugin
        self.plugin_version = plugin_version
        self.place = place
        self.info: ExtensionInfo | None = None
        self.module: Any = None
        self.status = ""
        self.reason = ""
        self.error: BaseException | None = None
        #: The modules and objects with hookimpls, once they are registered.
        self.plugins: list[Any] | None = None
        self.conflicts: dict[tuple[str, str], str] = {}
        self.mismatches: dict[str, str] = {}

    def fail(self, status: str, reason: str, error: BaseException | None = None) -> None:
        """Write down why this extension is not used."""
        self.status, self.reason, self.error = status, " ".join(reason.split()), error
        log_debug("extension '%s': %s: %s", self.name, status, self.reason)

    def describe(self) -> None:
        """Import the light module, read its description, and match the core's version; afterwards there is a status."""
        import corearray
        from corearray.contract.versions import matches

        allowed = os.environ.get("COREARRAY_LOAD_EXTENSIONS", "")
        if allowed and self.name not in [name.strip() for name in allowed.split(",")]:
            self.fail("disabled", f"COREARRAY_LOAD_EXTENSIONS={allowed} leaves it out")
            return
        try:
            self.module = resolved(self.place) if isinstance(self.place, str) else self.place
            info = getattr(self.module, "info", self.module)
            if not isinstance(info, ExtensionInfo):
                raise TypeError(f"its module has no ExtensionInfo named 'info', but {type(info).__name__}")
            if info.name != self.name:
                raise ValueError(f"it describes an extension '{info.name}'; name and entry point must agree")
            _check(info)
            if not matches(corearray.__version__, info.core_versions):
                self.fail(
                    "core mismatch",
                    f"'{self.plugin}' {self.plugin_version} is for corearray {info.core_versions}, installed is "
                    f"{corearray.__version__}; upgrade the older of the two",
                )
                return
            matches("1", info.versions)
            self.info, self.status = info, "ready"
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self.fail("broken", f"'{self.plugin}' cannot be described: {type(error).__name__}: {error}", error)

    def applies_to(self, backend: Backend) -> bool:
        """Whether the extension is used on a backend. A framework of another version becomes an entry of `mismatches`."""
        from corearray.contract.versions import matches

        if self.status != "ready" or self.info is None:
            return False
        if self.info.backends and backend.name not in self.info.backends:
            return False
        if not matches(backend.framework_version, self.info.versions):
            self.mismatches[backend.name] = (
                f"it is for {backend.framework}{self.info.versions}, installed is {backend.framework_version}"
            )
            return False
        return True

    def row(self) -> ExtensionStatus:
        """Return the row of `list_extensions()`."""
        reasons = [self.reason, *self.mismatches.values(), *self.conflicts.values()]
        return ExtensionStatus(
            name=self.name,
            status=self.status,
            plugin=self.plugin,
            plugin_version=self.plugin_version,
            backends=self.info.backends if self.info else (),
            requires=self.info.versions if self.info else "",
            reason="; ".join(dict.fromkeys(filter(None, reasons))),
            loaded=self.plugins is not None,
        )


def _check(info: ExtensionInfo) -> None:
    """Refuse a description with values of the wrong type."""
    if not valid_name(info.name):
        raise ValueError(f"'{info.name}' is no valid name; names are lower-case Python identifiers")
    texts = {"backends": info.backends, "modules": info.modules, "stages": (*info.stages, *info.stages.values())}
    for field, values in texts.items():
        if not all(isinstance(value, str) for value in values):
            raise TypeError(f"'{field}' holds names, got {values!r}")
    for field in ("versions", "core_versions"):
        if not isinstance(getattr(info, field), str):
            raise TypeError(f"'{field}' is a text, got {getattr(info, field)!r}")


def discovered(search: list[str] | None) -> dict[str, Extension]:
    """Find the extensions in the metadata of the installed distributions; nothing is imported."""
    found: dict[str, Extension] = {}
    for point in entry_points(search, GROUP):
        known = found.get(point.name)
        if known is None:
            extension = found[point.name] = Extension(point.name, point.plugin, point.version, point.value)
            if point.problem:
                extension.fail("broken", f"'{point.plugin}' {point.version}: {point.problem}")
        elif (known.plugin, known.place) != (point.plugin, point.value):
            known.fail(
                "conflict",
                f"the distributions '{known.plugin}' and '{point.plugin}' both offer an extension '{point.name}'; uninstall "
                "one of them",
            )
    return found
