"""Modules that hold others: `Sequential`, lists and dictionaries of modules and of arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Self

from corearray.errors import CoreArrayIndexError, CoreArrayKeyError, CoreArrayTypeError
from corearray.nn.module import Module
from corearray.nn.slots import array_kind, is_module

__all__ = ["ModuleDict", "ModuleList", "ParameterDict", "ParameterList", "Sequential"]

#: What `corearray list-functions` says of the classes here.
__kind__ = "convenience"


class _Named(Module):
    """A module whose attributes are its items, so that names are those of torch: `"0.weight"`."""

    def _names(self) -> list[str]:
        return [name for name in vars(self) if name not in ("_marks", "training")]

    def __len__(self) -> int:
        return len(self._names())

    def __bool__(self) -> bool:
        return True


class _Listed(_Named):
    def __iter__(self) -> Iterator[Any]:
        return iter([getattr(self, name) for name in self._names()])

    def __getitem__(self, place: int | slice) -> Any:
        if isinstance(place, slice):
            return self._of(list(self)[place])
        return getattr(self, self._name(place))

    def __setitem__(self, place: int, value: Any) -> None:
        setattr(self, self._name(place), self._checked_module(value))

    def __delitem__(self, place: int) -> None:
        items = list(self)
        del items[int(self._name(place))]
        self._refill(items)

    def append(self, value: Any, /) -> Self:
        """Add an item behind the last one, and return this object."""
        setattr(self, str(len(self)), self._checked_module(value))
        return self

    def extend(self, values: Iterable[Any], /) -> Self:
        """Add items behind the last one, and return this object."""
        for value in values:
            self.append(value)
        return self

    def insert(self, place: int, value: Any, /) -> None:
        """Put an item before another one."""
        items = list(self)
        items.insert(place, self._checked_module(value))
        self._refill(items)

    def _name(self, place: int) -> str:
        count = len(self)
        if not -count <= place < count:
            raise CoreArrayIndexError(f"'{type(self).__name__}' has {count} items and none at {place}")
        return str(place % count)

    def _refill(self, items: list[Any]) -> None:
        for name in self._names():
            delattr(self, name)
        for item in items:
            self.append(item)

    def _of(self, items: list[Any]) -> Any:
        made = type(self)()
        return made.extend(items)

    def _checked_module(self, value: Any) -> Any:
        return _need_module(type(self).__name__, value)


class Sequential(_Listed):
    """Call modules one after the other, each with the value of the one before.

    Parameters
    ----------
    layers
        Modules, or one dictionary of modules by name.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> network = nn.Sequential(nn.Linear(3, 8), nn.Identity(), nn.Linear(8, 2))
    >>> network(ca.ones((5, 3))).shape, list(network.parameters())
    (Shape((5, 2)), ['0.weight', '0.bias', '2.weight', '2.bias'])
    >>> network[1]
    Identity()

    Notes
    -----
    `torch.nn.Sequential`.
    """

    def __init__(self, *layers: Any) -> None:
        if len(layers) == 1 and isinstance(layers[0], Mapping):
            for name, layer in layers[0].items():
                setattr(self, str(name), self._checked_module(layer))
        else:
            self.extend(layers)

    def _name(self, place: int) -> str:
        super()._name(place)
        return self._names()[place]

    def forward(self, x: Any, /) -> Any:
        """Pass `x` through the modules."""
        for name in self._names():
            x = getattr(self, name)(x)
        return x


class ModuleList(_Listed):
    """A list of modules, for a `forward` of one's own.

    Parameters
    ----------
    modules
        The modules.

    Examples
    --------
    >>> from corearray import nn
    >>> blocks = nn.ModuleList(nn.Linear(4, 4) for _ in range(3))
    >>> len(blocks), [type(block).__name__ for block in blocks[1:]]
    (3, ['Linear', 'Linear'])

    Notes
    -----
    A plain list does the same; this one has torch's name. `torch.nn.ModuleList`.
    """

    def __init__(self, modules: Iterable[Any] = (), /) -> None:
        self.extend(modules)


class ParameterList(_Listed):
    """A list of parameters.

    Parameters
    ----------
    parameters
        Floating arrays.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> list(nn.ParameterList([ca.ones(2), ca.zeros(3)]).parameters())
    ['0', '1']

    Notes
    -----
    `torch.nn.ParameterList`.
    """

    def __init__(self, parameters: Iterable[Any] = (), /) -> None:
        self.extend(parameters)

    def _checked_module(self, value: Any) -> Any:
        return _need_parameter(type(self).__name__, value)


class _Keyed(_Named):
    def __init__(self, items: Mapping[str, Any] | Iterable[tuple[str, Any]] = (), /) -> None:
        self.update(items)

    def __getitem__(self, key: str) -> Any:
        self._require(key)
        return vars(self)[key]

    def __setitem__(self, key: str, value: Any) -> None:
        if not isinstance(key, str) or not key or "." in key:
            raise CoreArrayKeyError(f"a key of '{type(self).__name__}' is a text without dots, got {key!r}")
        if hasattr(type(self), key) or key == "_marks":
            raise CoreArrayKeyError(
                f"'{key}' cannot be a key of '{type(self).__name__}', which has an attribute of that name"
            )
        setattr(self, key, self._checked_module(value))

    def __delitem__(self, key: str) -> None:
        self._require(key)
        delattr(self, key)

    def _require(self, key: str) -> None:
        if key not in self._names():
            raise CoreArrayKeyError(
                f"'{type(self).__name__}' has no key {key!r}; it has {', '.join(self._names()) or 'none'}"
            )

    def __contains__(self, key: object) -> bool:
        return key in self._names()

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def keys(self) -> list[str]:
        """Return the keys in order."""
        return self._names()

    def values(self) -> list[Any]:
        """Return the values in order."""
        return [vars(self)[name] for name in self._names()]

    def items(self) -> list[tuple[str, Any]]:
        """Return pairs of keys and values in order."""
        return [(name, vars(self)[name]) for name in self._names()]

    def update(self, items: Mapping[str, Any] | Iterable[tuple[str, Any]], /) -> None:
        """Set several items."""
        for key, value in dict(items).items():
            self[key] = value

    def _checked_module(self, value: Any) -> Any:
        return _need_module(type(self).__name__, value)


class ModuleDict(_Keyed):
    """A dictionary of modules, for a `forward` of one's own.

    Parameters
    ----------
    items
        Modules by name.

    Examples
    --------
    >>> from corearray import nn
    >>> heads = nn.ModuleDict({"age": nn.Linear(4, 1), "kind": nn.Linear(4, 3)})
    >>> list(heads), list(heads.parameters())[:2]
    (['age', 'kind'], ['age.weight', 'age.bias'])

    Notes
    -----
    `torch.nn.ModuleDict`.
    """


class ParameterDict(_Keyed):
    """A dictionary of parameters.

    Parameters
    ----------
    items
        Floating arrays by name.

    Examples
    --------
    >>> import corearray as ca
    >>> from corearray import nn
    >>> list(nn.ParameterDict({"scale": ca.ones(2)}).parameters())
    ['scale']

    Notes
    -----
    `torch.nn.ParameterDict`.
    """

    def _checked_module(self, value: Any) -> Any:
        return _need_parameter(type(self).__name__, value)


def _need_module(holder: str, value: Any) -> Any:
    if not is_module(value):
        given = "; give them one by one: Sequential(*layers)" if holder == "Sequential" and type(value) is list else ""
        raise CoreArrayTypeError(f"'{holder}' holds modules, got {type(value).__name__}{given}")
    return value


def _need_parameter(holder: str, value: Any) -> Any:
    kind = array_kind(value)
    if kind not in ("real floating", "complex floating"):
        found = type(value).__name__ if kind is None else f"an array of the dtype '{value.dtype}'"
        raise CoreArrayTypeError(f"'{holder}' holds parameters, which are floating arrays, got {found}")
    return value
