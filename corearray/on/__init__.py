"""Modules by which pickles find the functions and the array class of a backend: `corearray.on.<backend>`.

Functions and classes are pickled by their module and name. Those of a backend are made when it is loaded and lie in no
file; so each loaded backend has modules here, `corearray.on.NAME`, `.native`, `.linalg` and `.fft`, which hand out what the
backend has. In a process that has not loaded it yet, importing such a module loads the backend.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from corearray.backends.backend import Backend

__all__ = ["offer", "withdraw"]

#: The namespaces of a backend, by where their modules lie below its own.
_PLACES = ("", ".native", ".linalg", ".fft", ".native.linalg", ".native.fft")


class _Module(ModuleType):
    """A module that hands out what a namespace has."""

    def __init__(self, name: str, namespace: object) -> None:
        super().__init__(name, f"What the namespace {namespace!r} has.")
        self.__path__ = []  # so that modules may lie below
        self._namespace = namespace

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'")
        return getattr(self._namespace, name)


class _Finder:
    """Imports `corearray.on.NAME` by loading the backend."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if not fullname.startswith(f"{__name__}."):
            return None
        return ModuleSpec(fullname, cast(Any, self), is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        from corearray.manager import manager

        name, *_ = spec.name.removeprefix(f"{__name__}.").split(".")
        try:
            offer(manager.load(name))
            return sys.modules[spec.name]
        except (KeyError, LookupError) as error:
            raise ModuleNotFoundError(f"no module named '{spec.name}': {error}", name=spec.name) from error

    def exec_module(self, module: ModuleType) -> None:
        pass


def offer(backend: Backend) -> None:
    """Give a loaded backend its modules."""
    for place in _PLACES:
        namespace: Any = backend
        for part in place.split(".")[1:]:
            namespace = getattr(namespace, part)
        name = f"{__name__}.{backend.name}{place}"
        sys.modules[name] = _Module(name, namespace)


def withdraw(name: str) -> None:
    """Take the modules of a backend away."""
    for place in _PLACES:
        sys.modules.pop(f"{__name__}.{name}{place}", None)


if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
    sys.meta_path.append(cast(Any, _Finder()))
