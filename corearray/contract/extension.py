"""How an extension describes itself, and the row that `list_extensions` makes of it: plain records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["ExtensionInfo", "ExtensionStatus"]


class ExtensionInfo:
    """The description of an extension, which adds functions, implementations and stages to backends of others.

    Parameters
    ----------
    name
        The extension's name, a lower-case identifier, the same as that of the entry point.
    backends
        Names of the backends to which implementations and stages apply; empty for all.
    modules
        Modules with the hookimpls and declarations, imported when one of the backends is loaded; `"module:object"` for an
        object that has them.
    versions
        Range of framework versions for which the extension is written, as in `">=2.1"`.
    stages
        New stages by name, each with the stage around which it is put: `{"profile": "handle_nans"}` is the outermost one,
        and `""` stands for the innermost place. The hookimpl of a stage has its name.
    core_versions
        Range of corearray versions.
    summary, url
        For people.

    Examples
    --------
    >>> info = ExtensionInfo("fused", backends=("torch",), modules=("fused.kernels",), versions=">=2.1")
    >>> info.backends
    ('torch',)
    """

    __slots__ = ("backends", "core_versions", "modules", "name", "stages", "summary", "url", "versions")

    def __init__(
        self,
        name: str,
        *,
        backends: tuple[str, ...] = (),
        modules: tuple[str, ...] = (),
        versions: str = "",
        stages: Mapping[str, str] | None = None,
        core_versions: str = "",
        summary: str = "",
        url: str = "",
    ) -> None:
        self.name = name
        self.backends = (backends,) if isinstance(backends, str) else tuple(backends)
        self.modules = (modules,) if isinstance(modules, str) else tuple(modules)
        self.versions = versions
        self.stages = dict(stages or {})
        self.core_versions = core_versions
        self.summary = summary
        self.url = url

    def __repr__(self) -> str:
        return f"ExtensionInfo({self.name!r}, backends={self.backends}, versions={self.versions!r})"


class ExtensionStatus:
    """One row of `list_extensions()`: what is installed under a name, and whether and why not it is used.

    Attributes
    ----------
    name, status, plugin, plugin_version, backends, requires, reason, loaded
        `status` is one of `ready`, `core mismatch`, `conflict`, `broken`, `disabled`. `backends` is a tuple of names, empty
        for all. `reason` also tells of conflicts with other extensions and of backends whose framework does not match.
    """

    __slots__ = ("backends", "loaded", "name", "plugin", "plugin_version", "reason", "requires", "status")

    name: str
    status: str
    plugin: str
    plugin_version: str
    backends: tuple[str, ...]
    requires: str
    reason: str
    loaded: bool

    def __init__(self, **fields: Any) -> None:
        for field in self.__slots__:
            setattr(self, field, fields[field])

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as a dictionary."""
        return {field: getattr(self, field) for field in sorted(self.__slots__)}

    def __repr__(self) -> str:
        return "ExtensionStatus(" + ", ".join(f"{k}={v!r}" for k, v in self.as_dict().items() if v) + ")"
