"""The facts of a backend: what its plugin says of its arrays, or a default of the core's."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from corearray.errors import BackendBrokenError

if TYPE_CHECKING:
    from corearray.manager import Manager

__all__ = ["Facts"]


class Facts(dict[str, Callable[..., Any]]):
    """The facts of one backend: each the chosen hookimpl, or a default of the core's, chosen when it is first asked for."""

    def __init__(self, manager: Manager, name: str, version: str) -> None:
        super().__init__()
        self._manager = manager
        self._name = name
        self._version = version
        self._own: dict[object, bool] = {}

    def __contains__(self, fact: object) -> bool:
        """Whether the plugin itself answers; a default of the core's is no answer."""
        own = self._own.get(fact)
        if own is None:
            own = self._own[fact] = self._manager.implements(str(fact), self._name)
        return own

    def prepare(self, facts: Iterable[str]) -> None:
        """Choose facts before they are asked for."""
        for fact in facts:
            if fact in self or any(self._manager.candidates(fact, self._name)):
                self[fact] = self._chosen(fact)

    def __missing__(self, fact: str) -> Callable[..., Any]:
        found = self[fact] = self._chosen(fact)
        return found

    def _chosen(self, fact: str) -> Callable[..., Any]:
        from corearray.contract.versions import matches

        for implementation in self._manager.candidates(fact, self._name):
            function: Callable[..., Any] = implementation.function
            given = getattr(function, "corearray_options", None)
            if given is None:
                return function
            if matches(self._version, given.versions):
                return given.native or function
        raise BackendBrokenError(f"the plugin of backend '{self._name}' does not implement the hook '{fact}'")
