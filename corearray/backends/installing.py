"""Install commands for backends and optional libraries, as error messages print them.

A command names the source that corearray itself was installed from, since its plugins come from the same place: an index, a
checkout, a git repository or a folder of wheels. pip records every source but an index in `direct_url.json` (PEP 610).
"""

from __future__ import annotations

from typing import Any

from corearray.errors import options
from corearray.settings.context import DEFAULT_BACKEND

__all__ = ["entry_hint", "extras", "install_command", "install_hint"]

#: The name of a plugin's distribution, which is also the name of its folder in the repository.
_PLUGIN = "corearray-{}"


def install_hint(name: str = DEFAULT_BACKEND) -> str:
    """Return the sentence that says how to install a backend, also by a name that is nearly right, or one of all.

    Examples
    --------
    >>> install_hint().startswith("install it with: pip install ")
    True
    """
    offered = extras()
    if name in offered:
        return f"install it with: {install_command(name)}"
    from corearray.backends.hints import meant

    if likely := meant(name, [name for name in offered if name != "all"]):
        return f"did you mean '{likely}'? Install it with: {install_command(likely)}"
    if _source() is not None:  # the commands of a source name one plugin each
        offered = [name for name in offered if _requirements()[name] == [_PLUGIN.format(name)]]
    return f"install one with: {install_command('NAME')}, where NAME is one of {options(offered)}"


def entry_hint(name: str) -> str:
    """Return what an author forgot if the module of a backend is there and no installed distribution names it, else nothing.

    The plugins of corearray name theirs, so that one of them only has to be installed.

    Examples
    --------
    >>> entry_hint("absent")
    ''
    """
    import importlib.util

    module = f"corearray_{name}"
    if name in extras() or not module.isidentifier() or importlib.util.find_spec(module) is None:
        return ""
    return (
        f"there is a module '{module}', but no installed distribution offers it: write {name} = \"{module}\" into "
        '[project.entry-points."corearray.backends"] of its pyproject.toml, and install the project (pip install -e .)'
    )


def install_command(extra: str) -> str:
    """Return the shell command that installs a backend or another extra of corearray.

    Parameters
    ----------
    extra
        Name of a backend, or of an extra that requires other libraries only, such as `draw`.
    """
    import shlex

    source, required = _source(), _requirements().get(extra, [_PLUGIN.format(extra)])
    if source is None:
        return f"pip install 'corearray[{extra}]'"
    places = [place for one in required for place in (_place(one, source) if _is_plugin(one) else [one])]
    links = ["--find-links", _local(_folder(source["url"]))] if "archive_info" in source else []
    return f"pip install {shlex.join([*links, *places])}"


def extras() -> list[str]:
    """Return the names of the extras that install backends: those that require a plugin of corearray."""
    return [name for name, required in _requirements().items() if any(map(_is_plugin, required))] or [DEFAULT_BACKEND]


def _place(plugin: str, source: dict[str, Any]) -> list[str]:
    """Return the arguments with which pip installs a plugin from the source of corearray."""
    if (vcs := source.get("vcs_info")) is not None:
        return [f"{vcs['vcs']}+{source['url']}@{vcs['commit_id']}#subdirectory=plugins/{plugin}"]
    from pathlib import Path

    if (folder := source.get("dir_info")) is not None:
        return ["-e"] * bool(folder.get("editable")) + [str(Path(_local(source["url"]), "plugins", plugin))]
    return [plugin]


def _is_plugin(requirement: str) -> bool:
    return requirement.startswith(_PLUGIN.format(""))


def _requirements() -> dict[str, list[str]]:
    """Return the requirements of each extra, without markers."""
    import importlib_metadata
    from packaging.requirements import Requirement

    try:
        known = importlib_metadata.metadata("corearray")
    except importlib_metadata.PackageNotFoundError:
        return {}
    required = [one for one in map(Requirement, known.get_all("Requires-Dist") or []) if one.marker]
    return {
        name: [f"{one.name}{one.specifier}" for one in required if one.marker and one.marker.evaluate({"extra": name})]
        for name in known.get_all("Provides-Extra") or []
    }


def _source() -> dict[str, Any] | None:
    """Return the record of where corearray was installed from, or None for an index."""
    import json

    import importlib_metadata

    try:
        text = importlib_metadata.distribution("corearray").read_text("direct_url.json")
    except importlib_metadata.PackageNotFoundError:
        return None
    found: dict[str, Any] | None = json.loads(text) if text else None
    return found


def _folder(url: str) -> str:
    return url.rpartition("/")[0]


def _local(url: str) -> str:
    """Return the path of a `file:` URL, and any other URL unchanged."""
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    parts = urlsplit(url)
    return url2pathname(parts.path) if parts.scheme == "file" else url
