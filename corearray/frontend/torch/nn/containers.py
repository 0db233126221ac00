"""Modules that hold others: `Sequential`, `ModuleList`, `ModuleDict`, `ParameterList`, `ParameterDict`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Self

from corearray.frontend.torch.nn.module import Module

__all__ = ["ModuleDict", "ModuleList", "ParameterDict", "ParameterList", "Sequential"]


class _Held(Module):
    """A module whose attributes are its items, in order."""

    _group = "_modules"

    @property
    def _items(self) -> dict[str, Any]:
        found: dict[str, Any] = vars(self)[self._group]
        return found

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, item: Any) -> bool:
        return item in self._items


class _Listed(_Held):
    def __init__(self, items: Iterable[Any] = ()) -> None:
        super().__init__()
        self.extend(items or ())

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items.values())

    def __getitem__(self, key: Any) -> Any:
        items = list(self._items.values())
        return type(self)(items[key]) if isinstance(key, slice) else items[key]

    def __setitem__(self, key: int, item: Any) -> None:
        self._items[list(self._items)[key]] = item

    def __delitem__(self, key: int | slice) -> None:
        items = list(self._items.values())
        del items[key]
        self._number(items)

    def _number(self, items: list[Any]) -> None:
        """Hold items under their numbers."""
        self._items.clear()
        self._items.update((str(i), item) for i, item in enumerate(items))

    def insert(self, index: int, module: Any) -> Any:
        """Add an item before the one of a number."""
        items = list(self._items.values())
        items.insert(index, module)
        self._number(items)
        return self

    def pop(self, key: int) -> Any:
        """Take an item out and return it."""
        items = list(self._items.values())
        item = items.pop(key)
        self._number(items)
        return item

    def append(self, item: Any) -> Self:
        """Add an item behind the others."""
        self._items[str(len(self))] = item
        return self

    def __iadd__(self, items: Iterable[Any]) -> Self:
        return self.extend(items)

    def __add__(self, items: Iterable[Any]) -> Any:
        return self[:].extend(items)

    def extend(self, items: Iterable[Any]) -> Self:
        """Add items behind the others."""
        for item in items:
            self.append(item)
        return self


class Sequential(_Listed):
    """Modules that are called one after the other."""

    def __init__(self, *modules: Any) -> None:
        super().__init__(())
        first = modules[0] if len(modules) == 1 else None
        if isinstance(first, Mapping):
            self._modules.update(first)
        else:
            self.extend(modules)

    def __getitem__(self, key: Any) -> Any:
        items = list(self._items.values())
        return type(self)(*items[key]) if isinstance(key, slice) else items[key]

    def forward(self, input: Any) -> Any:
        """Call the modules."""
        for module in self:
            input = module(input)
        return input


class ModuleList(_Listed):
    """A list of modules."""


class ParameterList(_Listed):
    """A list of parameters."""

    _group = "_parameters"


class ModuleDict(_Held):
    """A dictionary of modules."""

    def __init__(self, modules: Any = None) -> None:
        super().__init__()
        self._items.update(modules or {})

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __getitem__(self, key: str) -> Any:
        return self._items[key]

    def __setitem__(self, key: str, item: Any) -> None:
        self._items[key] = item

    def __delitem__(self, key: str) -> None:
        del self._items[key]

    def clear(self) -> None:
        """Take all items out."""
        self._items.clear()

    def pop(self, key: str) -> Any:
        """Take an item out and return it."""
        return self._items.pop(key)

    def update(self, modules: Any) -> None:
        """Add items, of a dictionary or of pairs."""
        self._items.update(modules)

    def get(self, key: str, default: Any = None) -> Any:
        """Return the item of a name, or a default."""
        return self._items.get(key, default)

    def keys(self) -> Iterable[str]:
        """Return the names."""
        return self._items.keys()

    def values(self) -> Iterable[Any]:
        """Return the items."""
        return self._items.values()

    def items(self) -> Iterable[tuple[str, Any]]:
        """Return names and items."""
        return self._items.items()


class ParameterDict(ModuleDict):
    """A dictionary of parameters."""

    _group = "_parameters"
