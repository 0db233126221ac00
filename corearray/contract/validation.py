"""Static checks of a backend: everything that can be known to be wrong before a function is called."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from types import FunctionType
from typing import Any

from corearray.contract.declaration import DECLARATIONS, Declaration, parameters_of
from corearray.errors import CoreArrayError, options

__all__ = ["problems_of"]

_OPTIONAL_PARAMETERS = frozenset({"out", "device", "copy", "complex_mode"})
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
    from corearray.contract.versions import common_version, matches, uncovered_version

    problems = []
    offered: dict[str, list[FunctionType]] = {}
    needed = {name for name, declaration in DECLARATIONS.items() if not declaration.compositional} | _FACTS
    lacking = set(needed)
    for plugin in plugins:
        for attribute in dir(plugin):
            function = getattr(plugin, attribute, None)
            function = getattr(function, "__func__", function)
            found = getattr(function, "corearray_options", None)
            label = f"{getattr(function, '__module__', '?')}.{getattr(function, '__qualname__', attribute)}"
            if found is None:
                if isinstance(function, FunctionType) and hasattr(function, "corearray_impl"):
                    problems.append(f"'{label}' is marked by pluggy's HookimplMarker; use 'corearray.plugin.hookimpl'")
                continue
            if not isinstance(function, FunctionType):
                problems.append(f"'{label}' is marked as a hookimpl and is no Python function")
                continue
            hook = function.corearray_impl.get("specname") or function.__name__  # type: ignore[attr-defined]
            if not known(hook):
                problems.append(f"'{label}' implements the hook '{hook}', which this core does not have")
                continue
            try:
                if matches(version, found.versions):
                    lacking.discard(hook)
                elif not thorough:
                    continue
            except CoreArrayError as error:
                problems.append(f"'{label}': {error}")
                continue
            unknown = (found.stages_add | found.stages_skip) - set(stages)
            if unknown:
                problems.append(f"'{label}' names the stages {options(unknown)}; there are {options(stages)}")
            offered.setdefault(hook, []).append(function)
            if hook in DECLARATIONS:
                problems += [f"'{label}' {problem}" for problem in _breaches(function, DECLARATIONS[hook])]
    for hook, functions in offered.items():
        distinct = {id(function): function for function in functions}.values()
        for one, other in combinations(distinct, 2):
            ranges = [function.corearray_options.versions for function in (one, other)]  # type: ignore[attr-defined]
            common = common_version(*ranges) if thorough else version
            if common is not None:
                labels = " and ".join(f"'{f.__module__}.{f.__qualname__}'" for f in (one, other))
                problems.append(f"{labels} both implement '{hook}' for version {common}; make their ranges disjoint")
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


def _breaches(function: FunctionType, declaration: Declaration) -> list[str]:
    """Compare the parameters of an implementation with the declaration's; it takes each as it likes."""
    declared = {p.name: p for p in declaration.parameters}
    own = {p.name: p for p in parameters_of(function) if p.name != "self"}
    unknown, lacking = set(own) - set(declared), set(declared) - set(own) - _OPTIONAL_PARAMETERS
    found = []
    if unknown:
        found.append(f"has the parameters {options(unknown)}, which '{declaration.name}' does not declare")
    if lacking:
        found.append(f"lacks the parameters {options(lacking)}")
    return found
