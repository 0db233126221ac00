"""pluggy's manager, taught what a declaration is: a hookspec, and with a body also the last hookimpl of its hook."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any

import pluggy

from corearray import hookspecs
from corearray.backends import capabilities
from corearray.contract.declaration import DECLARATIONS, Declaration
from corearray.stages import (
    arguments,
    complex_input,
    conversion,
    exceptions,
    inference,
    nans,
    nestable,
    protocol,
    ragged,
    views,
)

__all__ = ["HookManager", "core_hooks"]


class _Declared:
    """The declarations of one module of `corearray.functional`, as a namespace for pluggy.

    Its instance attributes are the declarations, and `dir` lists no other, so pluggy looks at nothing else.
    """

    def __init__(self, declarations: list[Declaration]) -> None:
        vars(self).update((declaration.name, declaration.function) for declaration in declarations)
        self._compositional = {one.name for one in declarations if one.compositional}

    def __dir__(self) -> list[str]:
        return [name for name in vars(self) if name != "_compositional"]


class _Stages:
    """Stages that an extension adds, as a namespace of hookspecs for pluggy."""

    def __init__(self, names: list[str]) -> None:
        vars(self).update(dict.fromkeys(names, _stage))

    def __dir__(self) -> list[str]:
        return list(vars(self))


def _stage(call: Any, function: Any) -> Any:
    """Return the wrapped call, or `None` where the stage has nothing to do."""


class HookManager(pluggy.PluginManager):
    """A plugin manager for which declarations are specifications and plugins."""

    def parse_hookspec_opts(self, module_or_class: Any, name: str) -> Any:
        """Take declarations as hookspecs."""
        if not isinstance(module_or_class, (_Declared, _Stages)):
            unmarked = _is_unmarked(module_or_class, name, "corearray_spec")
            return None if unmarked else super().parse_hookspec_opts(module_or_class, name)
        return {"firstresult": True, "historic": False, "warn_on_impl": None, "warn_on_impl_args": None}

    def learn(self, declarations: list[Declaration]) -> None:
        """Add declarations that were made after the manager."""
        by_module: dict[str, list[Declaration]] = {}
        for declaration in declarations:
            by_module.setdefault(declaration.function.__module__, []).append(declaration)
        for name, those in by_module.items():
            declared: Any = _Declared(those)
            self.add_hookspecs(declared)
            self.register(declared, f"core:{name}:{those[0].name}")

    def learn_stages(self, names: Iterable[str]) -> None:
        """Add stages of an extension, unless they are known from an earlier time."""
        new = [name for name in names if not hasattr(self.hook, name)]
        if new:
            stages: Any = _Stages(new)
            self.add_hookspecs(stages)

    def parse_hookimpl_opts(self, plugin: Any, name: str) -> Any:
        """Take compositional declarations as hookimpls that come last."""
        if not isinstance(plugin, _Declared):
            unmarked = _is_unmarked(plugin, name, "corearray_impl")
            return None if unmarked else super().parse_hookimpl_opts(plugin, name)
        if name not in plugin._compositional:
            return None
        return {
            "wrapper": False,
            "hookwrapper": False,
            "optionalhook": False,
            "tryfirst": False,
            "trylast": True,
            "specname": None,
        }


def _is_unmarked(namespace: Any, name: str, mark: str) -> bool:
    """Whether a module has something without a mark under a name, for which pluggy would look in many more places."""
    return inspect.ismodule(namespace) and not hasattr(vars(namespace).get(name), mark)


def core_hooks() -> HookManager:
    """Make a manager with every hookspec, the core's compositions and the core's stages."""
    manager = HookManager("corearray")
    manager.add_hookspecs(hookspecs)
    manager.learn(list(DECLARATIONS.values()))
    for module in (
        complex_input,
        inference,
        protocol,
        conversion,
        arguments,
        views,
        nestable,
        ragged,
        exceptions,
        nans,
        capabilities,
    ):
        manager.register(module, f"core:{module.__name__}")
    return manager
