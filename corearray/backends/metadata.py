"""What the metadata of installed distributions says about plugins. No code of a plugin runs here.

Metadata may be missing, cut or garbage. Each fault becomes a sentence in the `problem` of an `Offer`, so that one
distribution never hides the others.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from corearray.contract.info import problem_of_type
from corearray.errors import printable

__all__ = [
    "GROUP",
    "TYPES_GROUP",
    "EntryPoint",
    "Offer",
    "canonical",
    "entry_points",
    "identity",
    "offers",
    "project_of",
    "types_of_project",
]

#: The entry point group of backends: a name, and the plugin's module.
GROUP = "corearray.backends"

#: The entry point group of array types: a dotted name of a type, and the same module.
TYPES_GROUP = "corearray.array_types"

_NO_TEXT = ("METADATA", "PKG-INFO", "")


class Offer:
    """One entry point of the group `corearray.backends`.

    Attributes
    ----------
    name, value
        The backend's name and the place of its description, `"module"` or `"module:object"`.
    plugin, version
        Name and version of the distribution.
    types
        The array types that the metadata declares, or None if it declares none.
    problem
        The reason why this backend cannot be used, if the metadata is wrong.
    installed
        The time of the installation; 0 where it is unknown.
    """

    __slots__ = ("installed", "name", "plugin", "problem", "types", "value", "version")

    def __init__(
        self,
        name: str,
        value: str,
        plugin: str,
        version: str,
        types: tuple[str, ...] | None,
        problem: str,
        installed: float,
    ) -> None:
        self.name = name
        self.value = value
        self.plugin = plugin
        self.version = version
        self.types = types
        self.problem = problem
        self.installed = installed


def offers(search: list[str] | None) -> Iterator[Offer]:
    """Yield an offer for each backend in the metadata of the distributions in `search`, by default in `sys.path`."""
    for point in entry_points(search, GROUP):
        declared = point.groups.get(TYPES_GROUP)
        types = tuple(kind for kind, owner in declared or () if owner == point.value)
        if declared is None and point.value:
            types = types_of_project(point.distribution, point.value)
        flaw = next(filter(None, (problem_of_type(kind, f"[{TYPES_GROUP}]") for kind in types)), "")
        yield Offer(
            point.name,
            point.value,
            point.plugin,
            point.version,
            types or None,
            point.problem or flaw,
            _installed(point.distribution),
        )


class EntryPoint(NamedTuple):
    """An entry point, its distribution with the entry points by group, and what is wrong with the metadata, or `""`."""

    name: str
    value: str
    plugin: str
    version: str
    problem: str
    groups: dict[str, list[tuple[str, str]]]
    distribution: Any


def entry_points(search: list[str] | None, group: str) -> Iterator[EntryPoint]:
    """Yield the entry points of a group; a distribution with bad metadata has one at least, which says so.

    Of several copies of a distribution the first one counts, as for imports.
    """
    seen: set[str] = set()
    for distribution in _distributions(search):
        try:
            text, flaw = _text(distribution, "entry_points.txt")
            if group not in text:
                continue
            plugin, version, problem = identity(distribution)
        except Exception as error:  # of a finder of distributions that somebody else wrote
            name = f"{type(distribution).__module__}.{type(distribution).__qualname__}"
            flaw = f"its metadata cannot be read: {type(error).__name__}"
            yield EntryPoint(name, "", name, "", flaw, {}, None)
            continue
        if canonical(plugin) in seen:
            continue
        seen.add(canonical(plugin))
        groups = _entry_points(text)
        problem, unnamed = flaw or problem, canonical(plugin).replace("-", "_")
        if not groups.get(group):
            problem = problem or f"its entry_points.txt names nothing in [{group}]"
            yield EntryPoint(unnamed, "", plugin, version, problem, groups, distribution)
        for name, place in groups.get(group, ()):
            value = place.partition("[")[0].strip()
            wrong = problem or _problem(group, name, value)
            yield EntryPoint(name or unnamed, value, plugin, version, wrong, groups, distribution)


def _problem(group: str, name: str, value: str) -> str:
    if not name:
        return f"an entry point in [{group}] has no name"
    if not value:
        return f"its entry point '{name}' has no value, which is the plugin's module"
    if not re.fullmatch(r"\w+(\.\w+)*(\s*:\s*\w+(\.\w+)*)?", value):
        return f"its entry point '{name}' has the value '{value}', which is no module and no 'module:object'"
    return ""


def _entry_points(text: str) -> dict[str, list[tuple[str, str]]]:
    """Read `entry_points.txt`; a line without a value gets an empty one."""
    found: dict[str, list[tuple[str, str]]] = {}
    group = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("[") and line.endswith("]"):
            group = line[1:-1].strip()
            found.setdefault(group, [])
        elif line and line[0] not in "#;" and group:
            name, _, value = line.partition("=")
            found[group].append((printable(name.strip()), printable(value.strip())))
    return found


def identity(distribution: Any) -> tuple[str, str, str]:
    """Return the name and version of a distribution, and what is wrong with its metadata.

    The parser of `distribution.metadata` is that of e-mail, whose import takes longer than the discovery.
    """
    folder = re.fullmatch(r"(.+)\.(dist|egg)-info", str(getattr(getattr(distribution, "_path", None), "name", "")))
    name, _, version = folder[1].partition("-") if folder else ("", "", "")
    text = flaw = ""
    for place in _NO_TEXT:
        text, flaw = _text(distribution, place)
        if text:
            break
    headers: dict[str, str] = {}
    for line in re.split(r"\r?\n\r?\n", text, maxsplit=1)[0].split("\n"):
        key, colon, value = line.partition(":")
        if colon and value.strip():
            headers.setdefault(key.strip().lower(), printable(value.strip()))
    problem = flaw
    if not text:
        problem = "its METADATA is missing or empty"
    elif not flaw:
        problem = next((f"its METADATA has no {key}" for key in ("Name", "Version") if key.lower() not in headers), "")
    found = headers.get("name") or printable(name) or "?", headers.get("version") or printable(version)
    return (*found, problem)


def _text(distribution: Any, name: str) -> tuple[str, str]:
    """Return a file of a distribution, and what is wrong with it."""
    try:
        return distribution.read_text(name) or "", ""
    except UnicodeDecodeError as error:
        return error.object.decode("utf-8", "replace"), f"its {name} is not UTF-8"
    except OSError as error:
        return "", f"its {name} cannot be read: {error.strerror}"


def _distributions(search: list[str] | None) -> Iterator[Any]:
    import importlib_metadata

    found = iter(importlib_metadata.distributions(**({} if search is None else {"path": search})))
    while True:
        try:
            yield next(found)
        except StopIteration:
            return
        except Exception:  # a finder on `sys.meta_path` fails; what it would have found stays unknown
            return


def _installed(distribution: Any) -> float:
    path = getattr(distribution, "_path", None)
    for place in () if path is None else (path / "RECORD", path):
        try:
            return float(place.stat().st_mtime)
        except (OSError, AttributeError):  # in an archive
            continue
    return 0.0


def canonical(name: str) -> str:
    """Return the normalised name of a distribution (PEP 503).

    Examples
    --------
    >>> canonical("My_Plugin")
    'my-plugin'
    """
    return re.sub(r"[-_.]+", "-", name).lower()


# --- editable installations


def project_of(distribution: Any) -> dict[str, Any]:
    """Return the `[project]` table of a distribution that is installed in editable mode, else an empty one.

    Its metadata is that of the day it was installed; developers change `pyproject.toml` without installing again.
    """
    text, _ = _text(distribution, "direct_url.json")
    if '"editable"' not in text:
        return {}
    import json
    import tomllib
    from urllib.parse import unquote, urlsplit  # `urllib.request` has `url2pathname` and takes 20 ms to import

    try:
        source = json.loads(text)
        if not source["dir_info"]["editable"]:
            return {}
        path = unquote(urlsplit(source["url"]).path)
        folder = path.lstrip("/") if os.name == "nt" else path
        with open(os.path.join(folder, "pyproject.toml"), "rb") as file:  # noqa: PTH118, PTH123  # pathlib is slow to import
            project = tomllib.load(file)["project"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return project if isinstance(project, dict) else {}


def types_of_project(distribution: Any, value: str) -> tuple[str, ...]:
    """Return the array types that the `pyproject.toml` of an editable project declares for a plugin; none without one."""
    points = project_of(distribution).get("entry-points", {})
    declared = points.get(TYPES_GROUP) if isinstance(points, dict) else None
    if not isinstance(declared, dict):
        return ()
    return tuple(str(kind) for kind, owner in declared.items() if owner == value)
