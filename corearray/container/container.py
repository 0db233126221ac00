"""`Container`: a nested mapping from strings to arrays, or to anything else.

It is a `MutableMapping` and no `dict`: the methods of a `dict` (`update`, `setdefault`, `get`, `|=`) go around those
of a derived class, so each would have to be written again for key chains and for nested dictionaries to be understood
everywhere. As a mapping it has five methods through which everything goes.
"""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from typing import TYPE_CHECKING, Any, final

from corearray.container.methods import Methods
from corearray.container.operators import Operators
from corearray.container.storage import load, save
from corearray.container.structure import (
    SEPARATOR,
    difference,
    differences,
    parts_of,
    require_same_structure,
    zipped,
)
from corearray.container.text import text_of
from corearray.errors import (
    CoreArrayAttributeError,
    CoreArrayKeyError,
    CoreArrayTypeError,
    CoreArrayValueError,
    options,
)

if TYPE_CHECKING:
    from os import PathLike

__all__ = ["Container"]


@final
class Container(Operators, Methods, MutableMapping[str, Any]):
    """A tree of arrays (or of anything) under string keys; every public function takes it in place of any argument.

    A function of Containers is computed leaf by leaf, and a Container with the results is returned; arguments that are
    no Containers are used at each leaf. Operators do the same, and so do the functions that are methods. Whatever is
    no mapping is a leaf, lists and tuples too.

    Parameters
    ----------
    items
        A mapping, or pairs of keys and values. Mappings among the values become Containers. A key may be a key chain:
        `"a/b"` is the key `"b"` in the Container under `"a"`.
    named
        More items, by keyword.

    Examples
    --------
    >>> import corearray as ca
    >>> c = ca.Container(weight=ca.asarray([3.0, 4.0]), inner={"bias": ca.asarray([1.0])})
    >>> c["inner/bias"].tolist(), c.inner.bias.tolist(), "inner/bias" in c
    ([1.0], [1.0], True)
    >>> ca.square(c).to_list()
    Container(weight=[9.0, 16.0], inner=Container(bias=[1.0]))
    >>> (2 * c + c).sum().to_list()
    Container(weight=21.0, inner=Container(bias=3.0))
    >>> ca.add(c, ca.Container({"weight": 1, "inner/bias": 2})).to_list()
    Container(weight=[4.0, 5.0], inner=Container(bias=[3.0]))

    Notes
    -----
    - A key that is also the name of a method, such as `"mean"`, is read as `c["mean"]`.
    - A key that is no string goes to the leaves: `c[0]` and `c[..., None]` index each of them.
    - `==` compares the elements of the leaves, as it does for arrays; `c1.equals(c2)` is a `bool`.
    - The order of the keys is no part of the structure.
    - JAX and torch know a Container as a node of their trees as soon as their backend is loaded. Any other library
      with such trees is told by its own function, as in
      `optree.register_pytree_node_class(corearray.Container, namespace="mine")`.
    """

    __slots__ = ("__weakref__", "_items")

    _items: dict[str, Any]

    __hash__ = None  # type: ignore[assignment]

    #: Lets the operators of NumPy's arrays leave the call to those of the Container.
    __array_ufunc__ = None

    def __init__(self, items: Mapping[str, Any] | Iterable[tuple[str, Any]] = (), /, **named: Any) -> None:
        object.__setattr__(self, "_items", {})
        self.update(items, **named)

    @classmethod
    def _made(cls, items: dict[str, Any]) -> Container:
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
            if type(node) is not Container or part not in node._items:
                raise CoreArrayKeyError(self._lacks(key))
            node = node._items[part]
        return node

    def __setitem__(self, key: Any, value: Any, /) -> None:
        if not isinstance(key, str):
            self.multi_map(operator.setitem, key, value)
            return
        node = self
        *way, last = parts_of(key)
        for place, part in enumerate(way):
            inner = node._items.get(part, node)
            if inner is node:
                inner = node._items[part] = Container()
            if type(inner) is not Container:
                raise CoreArrayKeyError(
                    f"'{key}' cannot be set: at '{SEPARATOR.join(way[: place + 1])}' there is a leaf, no Container; "
                    "delete it first"
                )
            node = inner
        node._items[last] = Container(value) if isinstance(value, Mapping) and type(value) is not Container else value

    def __delitem__(self, key: str, /) -> None:
        above, _, last = key.rpartition(SEPARATOR) if isinstance(key, str) else ("", "", key)
        node = self.get(above) if above else self
        if type(node) is not Container or last not in node._items:
            raise CoreArrayKeyError(self._lacks(key))
        del node._items[last]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, key: object, /) -> bool:
        node: Any = self
        for part in key.split(SEPARATOR) if isinstance(key, str) else (key,):
            if type(node) is not Container or part not in node._items:
                return False
            node = node._items[part]
        return True

    def _lacks(self, key: object) -> str:
        return f"this Container has no key '{key}'; it has {options(self.key_chains())}"

    def __bool__(self) -> bool:
        raise CoreArrayValueError(
            "the truth of a Container is ambiguous; use len(c) for whether it has keys, c1.equals(c2) for whether two "
            "are the same, c.all() or c.any() for each leaf"
        )

    # --- attributes

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in self._items:
            return self._items[name]
        raise CoreArrayAttributeError(f"this Container has no key '{name}'; it has {options(self._keys())}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_") or hasattr(Container, name):
            raise CoreArrayAttributeError(
                f"'{name}' cannot be set as an attribute, Containers use this name themselves; "
                f'write c["{name}"] = value'
            )
        self[name] = value

    def __delattr__(self, name: str) -> None:
        if name not in self._items:
            raise CoreArrayAttributeError(f"this Container has no key '{name}'; it has {options(self._keys())}")
        del self._items[name]

    def _keys(self) -> list[str]:
        return list(self._items) if "_items" in dir(type(self)) else []

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *(key for key in self._items if key.isidentifier())})
