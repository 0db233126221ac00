"""Modules among the arguments of a training step, such as the other network of adversarial training."""

from __future__ import annotations

from typing import Any

from corearray.nn.places import Skeleton
from corearray.nn.slots import entries_of, fingerprint, is_module

__all__ = ["Guests", "places_of_modules"]

#: The key under which the arrays of a module have the number of its skeleton. No name of an array is empty.
_NUMBER = ""


class Guests:
    """Skeletons of the modules that a step was given, by structure: each program gets their arrays as arguments."""

    def __init__(self) -> None:
        self._fingerprints: list[Any] = []
        self.skeletons: list[Skeleton] = []

    def all_opened(self, batch: tuple[Any, ...], named: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the arguments of a step with dictionaries in place of modules."""
        return tuple(map(self.opened, batch)), {name: self.opened(x) for name, x in named.items()}

    def opened(self, value: Any) -> Any:
        """Return a dictionary in place of a module: its arrays by name, and a text that tells its structure."""
        if not is_module(value):
            return value
        found = fingerprint(value)
        if found not in self._fingerprints:
            self._fingerprints.append(found)
            self.skeletons.append(Skeleton(value))
        number = self._fingerprints.index(found)
        return {_NUMBER: str(number), **{path: entry.get() for path, entry in entries_of(value).items()}}

    def closed(self, value: Any) -> Any:
        """Return the module of a dictionary that `opened` made. Plain code, which compilers that read code follow."""
        if not isinstance(value, dict) or _NUMBER not in value:
            return value
        skeleton = self.skeletons[int(value[_NUMBER])]
        for places in (skeleton.trainable, skeleton.frozen, skeleton.buffers):
            places.put([value[path] for path in places.paths])
        return skeleton.model

    def clear(self) -> None:
        """Forget the arrays of all modules."""
        for skeleton in self.skeletons:
            skeleton.clear()


def places_of_modules(places: Any) -> set[int]:
    """Return the numbers of the leaves of a batch that are arrays of modules, which are not divided into parts."""
    if isinstance(places, dict):
        own = {int(x) for x in places.values()} if _NUMBER in places else set()
        return own.union(*[places_of_modules(x) for x in places.values()])
    if isinstance(places, (list, tuple)):
        return set().union(*[places_of_modules(x) for x in places])
    return set()
