"""`corearray validate`: all that can be known to be wrong with one installed backend without calling a function.

The checks run in a child, which imports the plugin. What the manager refuses is asked of the manager; the rest keeps
nobody from using the backend and is for its author: a light description, equal ranges, no lost implementation.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from corearray.backends.channel import Channel
from corearray.backends.child import START_LIMIT, Child, ChildFailed, command
from corearray.backends.discovery import resolved
from corearray.backends.installing import entry_hint
from corearray.backends.interrupts import ctrl_c
from corearray.backends.metadata import TYPES_GROUP, project_of, types_of_project
from corearray.commands.survey import LOAD_LIMIT
from corearray.contract.validation import problems_of
from corearray.errors import BackendNotFoundError, CoreArrayError, options, text_of
from corearray.manager import manager
from corearray.stages import ORDER

if TYPE_CHECKING:
    from corearray.backends.discovery import Record
    from corearray.contract.info import BackendInfo

__all__ = ["VALIDATION_KEYS", "child", "validate", "validated"]

#: The fields of `validate --json`.
VALIDATION_KEYS = ("name", "plugin", "plugin_version", "framework", "framework_version", "modules", "problems")


def validate(name: str, *, as_json: bool, timeout: float | None = None) -> int:
    """Print every problem of a backend and return 1 if there is one."""
    found = validated(name, timeout)
    if as_json:
        print(json.dumps(found, indent=2))
    else:
        framework = f"{found['framework']} {found['framework_version']}".strip()
        problems = found["problems"]
        count = f"{len(problems)} problem{'s' if len(problems) > 1 else ''}" if problems else "no problem"
        print(
            f"{name} ({found['plugin']} {found['plugin_version']}, {framework}): {count} in {found['modules']} modules"
        )
        for problem in problems:
            print(f"  - {problem}")
    return int(bool(found["problems"]))


def validated(name: str, timeout: float | None = None) -> dict[str, Any]:
    """Return what `validate --json` prints.

    Raises
    ------
    BackendNotFoundError
        If no backend of that name is installed.
    """
    record = manager.records.get(name)
    if record is None:
        told = entry_hint(name) or f"installed are {options(manager.records)}"
        raise BackendNotFoundError(f"there is no backend '{name}'; {told}")
    found = {**dict.fromkeys(VALIDATION_KEYS, ""), "name": name, "plugin": record.plugin, "modules": 0}
    found["plugin_version"] = record.plugin_version
    with Child(command("corearray.commands.validate", name)) as asked:
        try:
            asked.answer(START_LIMIT)
            return {**found, **asked.answer(timeout or LOAD_LIMIT)}
        except ChildFailed as failure:
            return {**found, "problems": [f"{record.source} cannot be loaded: {failure}"]}


# --- what the child does ----------------------------------------------------------------------------------------------


def child(arguments: list[str]) -> int:
    """Answer with the problems of one backend."""
    channel = Channel()
    channel.tell({})
    channel.tell(_examined(manager.records[arguments[0]]))
    return 0


def _examined(record: Record) -> dict[str, Any]:
    import importlib_metadata  # noqa: F401  # what describing a plugin needs is not what the plugin imports

    import corearray.plugin  # noqa: F401

    before = set(sys.modules)
    status = manager.status(record.name)
    problems = _heaviness(record, set(sys.modules) - before)
    if status.status != "ready":
        problems.append(f"{status.status}: {status.reason}")
    modules: dict[str, Any] = {}
    if record.info is not None:
        problems += _ranges(record, record.info)
        problems += _types(record, record.info)
        if status.status == "ready":
            modules, failures = _imported(record.info)
            problems += failures or _loaded(record, modules)
        problems += _unregistered(record, modules)
    facts = {"framework": status.framework, "framework_version": status.framework_version}
    return {**facts, "modules": len(modules), "problems": problems}


def _heaviness(record: Record, imported: set[str]) -> list[str]:
    """Complain of a description that imports more than it needs."""
    own = record.root
    tops = {name.partition(".")[0] for name in imported} - sys.stdlib_module_names - {own, "corearray"}
    if not tops:
        return []
    return [f"'{record.entry}' imports {options(tops)}; a description imports corearray.plugin and nothing else"]


def _ranges(record: Record, info: BackendInfo) -> list[str]:
    """Compare the ranges of the description with those that pip reads."""
    import importlib_metadata
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    from corearray.contract.versions import parse_range

    distribution = importlib_metadata.distribution(record.plugin)
    dependencies = project_of(distribution).get("dependencies", distribution.requires)
    required = {}
    for requirement in map(Requirement, dependencies or ()):
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            required[canonicalize_name(requirement.name)] = requirement.specifier
    problems = []
    declared = dict.fromkeys(info.framework, ("framework_versions", info.framework_versions))
    for name, (field, text) in {"corearray": ("core_versions", info.core_versions), **declared}.items():
        specifier = required.get(canonicalize_name(name))
        try:
            if specifier is None or specifier == parse_range(text):
                continue
        except CoreArrayError:
            continue  # the manager has complained of it
        problems.append(
            f"'{record.plugin}' requires '{name}{specifier}' and its BackendInfo says {field}='{text}'; write one range"
        )
    for names in (("corearray",), info.framework):
        if not any(canonicalize_name(name) in required for name in names):
            problems.append(f"'{record.plugin}' does not require {options(names)}; add it to its dependencies")
    return problems


def _types(record: Record, info: BackendInfo) -> list[str]:
    """Compare the array types of the description with those that are known before the plugin is imported."""
    import importlib_metadata

    written = types_of_project(importlib_metadata.distribution(record.plugin), record.entry)
    declared, described = written or record.declared_types, info.array_types
    if declared is None:
        if all(kind.partition(".")[0] == record.root for kind in described):
            return []
        table = "; ".join(f'"{kind}" = "{record.entry}"' for kind in described)
        return [
            f"'{record.plugin}' declares no array types in its metadata, so that corearray does not find the backend of an "
            f'array; write them into [project.entry-points."{TYPES_GROUP}"]: {table}'
        ]
    again = "run `pip install -e .` again" if written else ""
    if set(declared) != set(described):
        return [
            f"'{record.plugin}' declares the array types {options(declared)} in [{TYPES_GROUP}] and its BackendInfo says "
            f"{options(described)}; write the same{again and ', then '}{again}"
        ]
    if set(declared) != set(record.declared_types or ()):
        return [
            f"'{record.plugin}' is installed with the array types {options(record.declared_types or ())} and its "
            f"pyproject.toml declares {options(declared)}; {again}"
        ]
    return []


def _imported(info: BackendInfo) -> tuple[dict[str, Any], list[str]]:
    modules, failures = {}, []
    for name in info.modules:
        with ctrl_c() as pressed:
            try:
                modules[name] = resolved(name)
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt) and pressed():
                    raise
                failures.append(f"module '{name}' cannot be imported: {text_of(error)}")
    return modules, failures


def _loaded(record: Record, modules: dict[str, Any]) -> list[str]:
    plugins = [plugin for plugin in (record.module, *modules.values()) if plugin is not record.info]
    known = manager.hooks.hook
    declared = record.info.framework_versions if record.info else ""
    problems = problems_of(
        plugins, record.framework_version, lambda hook: hasattr(known, hook), ORDER, thorough=True, declared=declared
    )
    if not problems:
        try:
            manager.load(record.name)
        except CoreArrayError as error:
            problems.append(str(error))
    return problems


def _unregistered(record: Record, modules: dict[str, Any]) -> Iterator[str]:
    """Find implementations that are written and never reached, in the text of the plugin's own modules."""
    assert record.info is not None
    known = {record.entry.partition(":")[0], *(place.partition(":")[0] for place in record.info.modules)}
    for name, tree in _sources(record.root):
        marked = [node for node in tree.body if isinstance(node, ast.FunctionDef) and _is_marked(node)]
        if marked and name not in known:
            yield f"'{name}' implements {options(node.name for node in marked)} and is not in the 'modules' of BackendInfo"
        module = modules.get(name)
        for node in marked if isinstance(module, ModuleType) else ():
            code = getattr(getattr(module, node.name, None), "__code__", None)
            if code is None or code.co_firstlineno != node.decorator_list[0].lineno:
                yield f"'{name}.{node.name}' in line {node.lineno} is lost: the name is given to something else below"


def _sources(package: str) -> Iterator[tuple[str, ast.Module]]:
    found = importlib.util.find_spec(package)
    folders = list(found.submodule_search_locations or ()) if found else []
    paths = [path for folder in folders for path in sorted(Path(folder).rglob("*.py"))]
    if found and found.origin and not folders:
        yield package, ast.parse(Path(found.origin).read_text(encoding="utf-8"))
    for path in paths:
        parts = path.relative_to(Path(folders[0]).parent).with_suffix("").parts
        if "tests" not in parts:
            yield ".".join(parts).removesuffix(".__init__"), ast.parse(path.read_text(encoding="utf-8"))


def _is_marked(node: ast.FunctionDef) -> bool:
    return any(ast.unparse(mark).partition("(")[0].rpartition(".")[2] == "hookimpl" for mark in node.decorator_list)
