"""A nested mapping from strings to leaves: key chains, maps over leaves, selection and combination.

The class is a `MutableMapping` and not a `dict`, whose methods (`update`, `setdefault`, `get`, `|=`) bypass overridden
item access. A `MutableMapping` has five methods on which all others rest, so that key chains and nested dictionaries
work everywhere.
"""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, Mapping, MutableMapping, ValuesView
from typing import Any, Self

from corearray.container.structure import (
    SEPARATOR,
    difference,
    differences,
    joined,
    parts_of,
    require_same_structure,
    zipped,
)
from corearray.errors import CoreArrayKeyError, CoreArrayTypeError, options

__all__ = ["Tree"]


class Tree(MutableMapping[str, Any]):
    """The parts of a Container that do not depend on arrays."""

    __slots__ = ("__weakref__", "_items")

    _items: dict[str, Any]

    def __init__(self, items: Mapping[str, Any] | Iterable[tuple[str, Any]] = (), /, **named: Any) -> None:
        object.__setattr__(self, "_items", {})
        self.update(items, **named)

    @classmethod
    def _made(cls, items: dict[str, Any]) -> Self:
        """Make a Container around a dictionary in which all is as it must be."""
        made = object.__new__(cls)
        object.__setattr__(made, "_items", items)
        return made

    # --- a mapping

    def __getitem__(self, key: Any, /) -> Any:
        if not isinstance(key, str):
            return self.multi_map(operator.getitem, key)
        node: Any = self
        for part in key.split(SEPARATOR):
            if type(node) is not type(self) or part not in node._items:
                raise CoreArrayKeyError(self._lacks(key))
            node = node._items[part]
        return node

    def __setitem__(self, key: Any, value: Any, /) -> None:
        if isinstance(key, str):
            self._set(key, value)
        else:
            self.multi_map(operator.setitem, key, value)

    def _set(self, key: object, value: Any) -> None:
        node = self
        *way, last = parts_of(key)
        for place, part in enumerate(way):
            inner = node._items.get(part, node)
            if inner is node:
                inner = node._items[part] = type(self)()
            if type(inner) is not type(self):
                raise CoreArrayKeyError(
                    f"'{key}' cannot be set: at '{SEPARATOR.join(way[: place + 1])}' there is a leaf, no Container; "
                    "delete it first"
                )
            node = inner
        kind = type(self)
        node._items[last] = kind(value) if isinstance(value, Mapping) and type(value) is not kind else value

    def __delitem__(self, key: str, /) -> None:
        *way, last = parts_of(key)
        node = self.get(SEPARATOR.join(way)) if way else self
        if type(node) is not type(self) or last not in node._items:
            raise CoreArrayKeyError(self._lacks(key))
        del node._items[last]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def update(  # type: ignore[override]  # keys are strings, no others go to the leaves from here
        self, items: Mapping[str, Any] | Iterable[tuple[str, Any]] = (), /, **named: Any
    ) -> None:
        """Set items from a mapping, from pairs of keys and values, and from keywords.

        A mapping replaces the value under its key; `combine` merges both.

        Raises
        ------
        TypeError
            If the items are neither a mapping nor pairs, or a key is no string.
        """
        try:
            given = dict(items, **named)
        except (TypeError, ValueError) as error:
            raise CoreArrayTypeError(
                f"a Container is made of a mapping or of pairs of a key and a value, got {items!r}"
            ) from error
        for key, value in given.items():
            self._set(key, value)

    def keys(self) -> KeysView[str]:
        """Return a view of the top-level keys."""
        return self._items.keys()

    def values(self) -> ValuesView[Any]:
        """Return a view of the top-level values, some of which may be Containers."""
        return self._items.values()

    def items(self) -> ItemsView[str, Any]:
        """Return a view of the top-level pairs of key and value."""
        return self._items.items()

    def __contains__(self, key: object, /) -> bool:
        node: Any = self
        for part in key.split(SEPARATOR) if isinstance(key, str) else (key,):
            if type(node) is not type(self) or part not in node._items:
                return False
            node = node._items[part]
        return True

    def _lacks(self, key: object) -> str:
        return f"this Container has no key '{key}'; it has {options(self.key_chains())}"

    # --- functions over the leaves

    def map(self, fn: Callable[[Any], Any], /, *, key_chains: str | Iterable[str] | None = None) -> Self:
        """Apply a function to each leaf and return a Container of the results.

        Parameters
        ----------
        fn
            The function.
        key_chains
            Where it is called, by default everywhere; below a key chain to a Container that is at all its leaves.
            Other leaves stay as they are.

        Examples
        --------
        >>> import corearray as ca
        >>> c = ca.Container(a=1, b={"c": 2, "d": 3})
        >>> c.map(lambda leaf: 10 * leaf)
        Container(a=10, b=Container(c=20, d=30))
        >>> c.map(lambda leaf: 10 * leaf, key_chains="b/c")
        Container(a=1, b=Container(c=20, d=3))
        """
        if key_chains is None:
            return zipped([self], lambda _, leaves: fn(leaves[0]))
        inside = tuple(f"{chain}{SEPARATOR}" for chain in self._checked(key_chains))
        return zipped([self], lambda here, leaves: fn(*leaves) if f"{here}/".startswith(inside) else leaves[0])

    def map_with_key_chain(self, fn: Callable[[str, Any], Any], /) -> Self:
        """Call `fn(key_chain, leaf)` at each leaf and return a Container of the results.

        Examples
        --------
        >>> import corearray as ca
        >>> ca.Container(a=1, b={"c": 2}).map_with_key_chain(lambda chain, leaf: f"{chain}={leaf}")
        Container(a='a=1', b=Container(c='b/c=2'))
        """
        return zipped([self], lambda here, leaves: fn(here, leaves[0]))

    def multi_map(self, fn: Callable[..., Any], /, *others: Any) -> Self:
        """Apply a function to corresponding leaves of this and other Containers.

        Parameters
        ----------
        fn
            Takes as many arguments as there are Containers and other values.
        others
            Containers of the same structure; what is none is passed to each call as it is.

        Raises
        ------
        ValueError
            If the structures differ, with the key chain at which they do.

        Examples
        --------
        >>> import corearray as ca
        >>> c = ca.Container(a=1, b={"c": 2})
        >>> c.multi_map(lambda x, y, z: x + y * z, ca.Container(a=3, b={"c": 4}), 10)
        Container(a=31, b=Container(c=42))
        """
        kind = type(self)
        places = [place for place, other in enumerate(others) if type(other) is kind]
        containers: list[Self] = [self, *(others[place] for place in places)]
        names = ["the first", *(f"number {place + 2}" for place in places)]
        require_same_structure(containers, names, "Containers given to multi_map")

        def call(_: str, leaves: list[Any]) -> Any:
            given = list(others)
            for place, leaf in zip(places, leaves[1:], strict=True):
                given[place] = leaf
            return fn(leaves[0], *given)

        return zipped(containers, call)

    # --- leaves and key chains

    def _walk(self, chain: str = "") -> Iterator[tuple[str, Any]]:
        for key, value in self._items.items():
            here = joined(chain, key)
            if type(value) is type(self):
                yield from value._walk(here)
            else:
                yield here, value

    def key_chains(self) -> list[str]:
        """Return the key chains of the leaves.

        Examples
        --------
        >>> import corearray as ca
        >>> ca.Container(a=1, b={"c": 2}).key_chains()
        ['a', 'b/c']
        """
        return [chain for chain, _ in self._walk()]

    def leaves(self) -> list[Any]:
        """Return the leaves, in the order of `key_chains`.

        Examples
        --------
        >>> import corearray as ca
        >>> ca.Container(a=1, b={"c": 2}).leaves()
        [1, 2]
        """
        return [leaf for _, leaf in self._walk()]

    def flatten(self) -> dict[str, Any]:
        """Return a dictionary from key chains to leaves. Empty Containers are left out.

        Examples
        --------
        >>> import corearray as ca
        >>> ca.Container(a=1, b={"c": 2}).flatten()
        {'a': 1, 'b/c': 2}
        """
        return dict(self._walk())

    @classmethod
    def unflatten(cls, leaves: Mapping[str, Any], /) -> Self:
        """Return the Container of a dictionary from key chains to leaves.

        Examples
        --------
        >>> import corearray as ca
        >>> ca.Container.unflatten({"a": 1, "b/c": 2})
        Container(a=1, b=Container(c=2))
        """
        return cls(leaves)

    def to_dict(self) -> dict[str, Any]:
        """Return nested dictionaries with the same leaves.

        Examples
        --------
        >>> import corearray as ca
        >>> ca.Container(a=1, b={"c": 2}).to_dict()
        {'a': 1, 'b': {'c': 2}}
        """
        return {key: value.to_dict() if type(value) is type(self) else value for key, value in self._items.items()}

    def copy(self) -> Self:
        """Copy the nodes and keep the leaves; `copy.deepcopy` copies the leaves too.

        Examples
        --------
        >>> import corearray as ca
        >>> c = ca.Container(a=1, b={"c": 2})
        >>> d = c.copy()
        >>> d["b/c"] = 3
        >>> c
        Container(a=1, b=Container(c=2))
        """
        return zipped([self], lambda _, leaves: leaves[0])

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self._made({key: copy.deepcopy(value, memo) for key, value in self._items.items()})

    # --- parts

    def _checked(self, key_chains: str | Iterable[str]) -> list[str]:
        chains = [key_chains] if isinstance(key_chains, str) else list(key_chains)
        for chain in chains:
            if chain not in self:
                raise CoreArrayKeyError(self._lacks(chain))
        return chains

    def at_key_chains(self, key_chains: str | Iterable[str], /) -> Self:
        """Return a Container with the items at given key chains only.

        Raises
        ------
        KeyError
            If there is nothing at one of them.

        Examples
        --------
        >>> import corearray as ca
        >>> ca.Container(a=1, b={"c": 2, "d": 3}).at_key_chains(["a", "b/c"])
        Container(a=1, b=Container(c=2))
        """
        found = self._made({})
        for chain in self._checked(key_chains):
            value = self[chain]
            found[chain] = value.copy() if type(value) is type(self) else value
        return found

    def prune(self, key_chains: str | Iterable[str], /) -> Self:
        """Return a Container without the items at given key chains.

        Raises
        ------
        KeyError
            If there is nothing at one of them.

        Examples
        --------
        >>> import corearray as ca
        >>> ca.Container(a=1, b={"c": 2, "d": 3}).prune(["a", "b/c"])
        Container(b=Container(d=3))
        """
        pruned = self.copy()
        for chain in self._checked(key_chains):
            pruned.pop(chain, None)  # gone already if it lies below another
        return pruned

    def prune_empty(self) -> Self:
        """Return a Container without nodes that have no leaf.

        Examples
        --------
        >>> import corearray as ca
        >>> ca.Container(a=1, b={"c": {}}).prune_empty()
        Container(a=1)
        """
        return self.unflatten(self.flatten())

    # --- several Containers

    def combine(self, *others: Mapping[str, Any]) -> Self:
        """Merge Containers; for a leaf with the same key chain the last Container wins.

        Examples
        --------
        >>> import corearray as ca
        >>> ca.Container(a=1, b={"c": 2}).combine({"b": {"c": 3, "d": 4}}, {"e": 5})
        Container(a=1, b=Container(c=3, d=4), e=5)
        """
        kind = type(self)
        result = self.copy()
        for other in others:
            for key, value in kind(other)._items.items():
                there = result._items.get(key)
                both = type(there) is kind and type(value) is kind
                value = value.copy() if type(value) is kind else value
                result._items[key] = there.combine(value) if both and there is not None else value
        return result

    def diff(self, *others: Self) -> Self:
        """Return the differences: at each differing key chain the values by the index of their Container.

        Leaves are the same if their types are, and for arrays backend, dtype, shape and elements (NaN equals NaN).

        Examples
        --------
        >>> import corearray as ca
        >>> c = ca.Container(a=1, b={"c": 2, "d": 3})
        >>> c.diff(ca.Container(a=1, b={"c": 0}))
        Container(b=Container(c=Container({'0': 2, '1': 0}), d=Container({'0': 3})))
        >>> len(c.diff(c.copy()))
        0
        """
        kind = type(self)
        found = differences([self, *map(kind, others)], kind)
        return kind() if found is None else found

    def equals(self, other: object, /) -> bool:
        """Return whether another object is a Container with the same structure and the same leaves, as in `diff`.

        Examples
        --------
        >>> import corearray as ca
        >>> c = ca.Container(a=ca.asarray([1.0]))
        >>> c.equals(ca.Container(a=ca.asarray([1.0]))), c.equals(ca.Container(a=ca.asarray([1])))
        (True, False)
        """
        return type(other) is type(self) and differences([self, other], type(self)) is None

    def same_structure(self, *others: object) -> bool:
        """Return whether other objects are Containers with the same keys at every level.

        Examples
        --------
        >>> import corearray as ca
        >>> ca.Container(a=1, b={"c": 2}).same_structure(ca.Container(b={"c": 0}, a=0), ca.Container(a=0, b={"c": 0}))
        True
        """
        return all(type(other) is type(self) and difference(self, other) is None for other in others)

    def assert_same_structure(self, *others: Self) -> None:
        """Raise an error that names the differing key chain unless all Containers have the structure of this one.

        Raises
        ------
        ValueError
            What is where.

        Examples
        --------
        >>> import corearray as ca
        >>> ca.Container(a=1).assert_same_structure(ca.Container(a={"b": 1}))
        Traceback (most recent call last):
        ...
        corearray.errors.CoreArrayValueError: the Containers differ in structure: at the key chain 'a' the first ...
        """
        names = ["the first", *(f"number {place + 2}" for place in range(len(others)))]
        require_same_structure([self, *others], names, "Containers")
