"""Static checks of backends and extensions: everything that can be known to be wrong before a function is called."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from types import FunctionType
from typing import Any

from corearray.contract.declaration import DECLARATIONS, SYNONYMS, Declaration, parameters_of
from corearray.errors import CoreArrayError, options

__all__ = ["extension_problems", "marked", "problems_of"]

_OPTIONAL_PARAMETERS = frozenset({"out", "device", "copy", "complex_mode", *SYNONYMS})
_FACTS = {"array_types", "dtypes", "set_item"}
_OF_DEVICES = {"devices", "native_device", "device_name", "device_of", "move"}  # all of them, or none for one CPU


def problems_of(
    plugins: Iterable[Any],
    version: str,
    known: Callable[[str], bool],
    stages: Sequence[str],
    *,
    thorough: bool = False,
    declared: str = "",
) -> list[str]:
    """Check what a backend's plugins offer against the declarations, and return every problem found.

    Parameters
    ----------
    plugins
        The modules and objects with hookimpls.
    version
        Version of the installed framework; variants for others are not looked at.
    known
        Tells whether there is a hook of a name.
    stages
        Names of the wrapper stages.
    thorough
        Look at variants for all versions, and at which primary functions are missing: what an author wants to know,
        though it keeps nobody from using the rest.
    declared
        The framework's versions for which the backend is; each needs all primary functions.
    """
    from corearray.contract.versions import matches, uncovered_version

    problems: list[str] = []
    offered: dict[str, list[FunctionType]] = {}
    needed = {name for name, declaration in DECLARATIONS.items() if not declaration.compositional} | _FACTS
    lacking = set(needed)
    for label, hook, function in marked(plugins, problems):
        if not known(hook):
            problems.append(f"'{label}' implements the hook '{hook}', which this core does not have")
            continue
        found = function.corearray_options  # type: ignore[attr-defined]
        try:
            if matches(version, found.versions):
                lacking.discard(hook)
            elif not thorough:
                continue
        except CoreArrayError as error:
            problems.append(f"'{label}': {error}")
            continue
        problems += _wrong_stages(label, function, stages)
        offered.setdefault(hook, []).append(function)
        if hook in DECLARATIONS:
            problems += [f"'{label}' {problem}" for problem in _breaches(function, DECLARATIONS[hook])]
    problems += _overlaps(offered, "" if thorough else version)
    missing = lacking & _FACTS | (_OF_DEVICES - set(offered) if _OF_DEVICES & set(offered) else set())
    if missing:
        problems.append(f"the hooks {options(missing)} are missing")
    if thorough and lacking - _FACTS:
        problems.append(
            f"the primary functions {options(lacking - _FACTS)} are missing: neither they nor what is composed of them work"
        )
    for hook in sorted(needed & set(offered) - lacking) if thorough else ():
        ranges = [function.corearray_options.versions for function in offered[hook]]  # type: ignore[attr-defined]
        version_without = uncovered_version(declared, ranges)
        if version_without is not None:
            problems.append(f"'{hook}' is not implemented for version {version_without}; let one of its ranges hold it")
    return problems


def extension_problems(
    plugins: Iterable[Any], own_stages: Mapping[str, str], order: Sequence[str], stages: Sequence[str]
) -> list[str]:
    """Check what the modules of an extension offer, and return every problem found.

    Parameters
    ----------
    plugins
        The modules and objects with hookimpls.
    own_stages
        The stages that the extension adds, each with the one around which it is put.
    order
        Names of the core's stages.
    stages
        Names of all stages.
    """
    from corearray.contract.versions import matches

    problems: list[str] = []
    offered: dict[str, list[FunctionType]] = {}
    before = ["", *order]
    for stage, around in own_stages.items():
        if not stage.isidentifier():
            problems.append(f"'{stage}' is no valid name of a stage; names are Python identifiers")
        if around not in before:
            problems.append(f"its stage '{stage}' is put around '{around}'; there are {options(before)}")
        before.append(stage)
    for label, hook, function in marked(plugins, problems):
        if hook in DECLARATIONS:
            problems += [f"'{label}' {problem}" for problem in _breaches(function, DECLARATIONS[hook])]
        elif hook in stages:
            if [p.how for p in parameters_of(function) if p.name != "self"] != ["either", "either"]:
                problems.append(f"'{label}' is a stage and takes (call, function)")
        else:
            problems.append(
                f"'{label}' implements '{hook}', which is neither a function nor a stage; the facts of a backend are its "
                "plugin's, and new stages are named in ExtensionInfo(stages=...)"
            )
            continue
        try:
            matches("1", function.corearray_options.versions)  # type: ignore[attr-defined]
        except CoreArrayError as error:
            problems.append(f"'{label}': {error}")
            continue
        problems += _wrong_stages(label, function, stages)
        offered.setdefault(hook, []).append(function)
    problems += _overlaps(offered)
    problems += [f"its stage '{stage}' has no hookimpl" for stage in own_stages if stage not in offered]
    return problems


def marked(plugins: Iterable[Any], problems: list[str]) -> Iterator[tuple[str, str, FunctionType]]:
    """Yield the label, the hook and the function of each hookimpl; add what is marked wrongly to the problems."""
    for plugin in plugins:
        for attribute in dir(plugin):
            function = getattr(plugin, attribute, None)
            function = getattr(function, "__func__", function)
            label = f"{getattr(function, '__module__', '?')}.{getattr(function, '__qualname__', attribute)}"
            if getattr(function, "corearray_options", None) is None:
                if isinstance(function, FunctionType) and hasattr(function, "corearray_impl"):
                    problems.append(f"'{label}' is marked by pluggy's HookimplMarker; use 'corearray.plugin.hookimpl'")
            elif not isinstance(function, FunctionType):
                problems.append(f"'{label}' is marked as a hookimpl and is no Python function")
            else:
                yield label, function.corearray_impl.get("specname") or function.__name__, function  # type: ignore[attr-defined]


def _overlaps(offered: Mapping[str, Sequence[FunctionType]], version: str = "") -> Iterator[str]:
    """Yield what is wrong with hookimpls of one hook and one rank, for a version or for any version that both are for."""
    from corearray.contract.versions import common_version

    for hook, functions in offered.items():
        distinct: dict[int, Any] = {id(function): function for function in functions}
        for one, other in combinations(distinct.values(), 2):
            if any(one.corearray_impl[rank] != other.corearray_impl[rank] for rank in ("tryfirst", "trylast")):
                continue
            common = version or common_version(one.corearray_options.versions, other.corearray_options.versions)
            if common is not None:
                labels = " and ".join(f"'{f.__module__}.{f.__qualname__}'" for f in (one, other))
                problem = f"{labels} both implement '{hook}' for version {common}"
                yield f"{problem}; make their ranges disjoint, or mark one with tryfirst or trylast"


def _wrong_stages(label: str, function: FunctionType, stages: Sequence[str]) -> list[str]:
    found = function.corearray_options  # type: ignore[attr-defined]
    unknown = (found.stages_add | found.stages_skip) - set(stages)
    return [f"'{label}' names the stages {options(unknown)}; there are {options(stages)}"] if unknown else []


def _breaches(function: FunctionType, declaration: Declaration) -> list[str]:
    """Compare the parameters of an implementation with the declaration's; it takes each as it likes."""
    declared = {p.name: p for p in declaration.parameters}
    own = {p.name: p for p in parameters_of(function) if p.name != "self"}
    unknown, lacking = set(own) - set(declared), set(declared) - set(own) - _OPTIONAL_PARAMETERS
    found = []
    if unknown:
        found.append(f"has the parameters {options(unknown)}, which '{declaration.name}' does not declare")
    if lacking:
        left_out = not any(declared[name].required for name in lacking)
        advice = (
            "; take them and leave calls that the framework cannot compute to the composition by `when=` or `lacks=`"
        )
        found.append(f"lacks the parameters {options(lacking)}{advice if left_out else ''}")
    return found
