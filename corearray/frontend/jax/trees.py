"""Pytrees as JAX has them: dictionaries by sorted keys, `None` without leaves, and registered classes."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, NamedTuple

from corearray.errors import CoreArrayTypeError, CoreArrayValueError

__all__ = [
    "DictKey", "FlattenedIndexKey", "GetAttrKey", "Partial", "PyTreeDef", "SequenceKey", "flatten", "flatten_with_path",
    "is_node", "kind_of", "prefixes", "register", "register_with_keys",
]  # fmt: skip


class SequenceKey(NamedTuple):
    """The place of a child in a list or tuple."""

    idx: int

    def __str__(self) -> str:
        return f"[{self.idx}]"


class DictKey(NamedTuple):
    """The key of a child in a dictionary."""

    key: Hashable

    def __str__(self) -> str:
        return f"[{self.key!r}]"


class GetAttrKey(NamedTuple):
    """The attribute that holds a child."""

    name: str

    def __str__(self) -> str:
        return f".{self.name}"


class FlattenedIndexKey(NamedTuple):
    """The place of a child of a class that names no keys."""

    key: int

    def __str__(self) -> str:
        return f"[<flat index {self.key}>]"


class _Kind(NamedTuple):
    """The functions that flatten and unflatten the objects of a class."""

    flatten: Callable[[Any], tuple[Sequence[tuple[Any, Any]], Any]]
    unflatten: Callable[[Any, Sequence[Any]], Any]


def _sorted(keys: Iterable[Any]) -> list[Any]:
    try:
        return sorted(keys)
    except TypeError:
        raise CoreArrayTypeError("Comparator raised exception while sorting pytree dictionary keys.") from None


def _numbered(children: Iterable[Any]) -> list[tuple[Any, Any]]:
    return [(SequenceKey(i), child) for i, child in enumerate(children)]


def _by_keys(node: Any) -> tuple[list[tuple[Any, Any]], Any]:
    keys = _sorted(node)
    return [(DictKey(key), node[key]) for key in keys], tuple(keys)


_kinds: dict[type, _Kind] = {
    tuple: _Kind(lambda node: (_numbered(node), None), lambda _, children: tuple(children)),
    list: _Kind(lambda node: (_numbered(node), None), lambda _, children: list(children)),
    dict: _Kind(_by_keys, lambda keys, children: dict(zip(keys, children, strict=True))),
    type(None): _Kind(lambda _: ([], None), lambda *_: None),
    OrderedDict: _Kind(
        lambda node: ([(DictKey(key), node[key]) for key in node], tuple(node)),
        lambda keys, children: OrderedDict(zip(keys, children, strict=True)),
    ),
    defaultdict: _Kind(
        lambda node: (_by_keys(node)[0], (node.default_factory, tuple(_sorted(node)))),
        lambda data, children: defaultdict(data[0], zip(data[1], children, strict=True)),
    ),
    deque: _Kind(lambda node: (_numbered(node), node.maxlen), lambda length, children: deque(children, maxlen=length)),
}

_NAMED = _Kind(
    lambda node: ([(GetAttrKey(name), x) for name, x in zip(node._fields, node, strict=True)], type(node)),
    lambda kind, children: kind(*children),
)


def kind_of(node: Any) -> _Kind | None:
    """Return the kind of a node, `None` for a leaf."""
    found = _kinds.get(type(node))
    return _NAMED if found is None and isinstance(node, tuple) and hasattr(node, "_fields") else found


def is_node(node: Any) -> bool:
    """Return whether an object has children."""
    return kind_of(node) is not None


def register(kind: type, flatten: Callable[[Any], Any], unflatten: Callable[[Any, Any], Any]) -> None:
    """Register a class: `flatten` returns children and data, `unflatten` takes data and children.

    Raises
    ------
    ValueError
        If the class is registered.
    """

    def flattened(node: Any) -> Any:
        children, data = flatten(node)
        return [(FlattenedIndexKey(i), child) for i, child in enumerate(children)], data

    register_with_keys(kind, flattened, unflatten)


def register_with_keys(kind: type, flatten: Callable[[Any], Any], unflatten: Callable[[Any, Any], Any]) -> None:
    """Register a class whose children have keys."""
    if kind in _kinds:
        raise CoreArrayValueError(f"Duplicate custom PyTreeDef type registration for {kind!r}.")
    _kinds[kind] = _Kind(flatten, unflatten)


class Partial:
    """A function with some arguments, which are its children as a pytree.

    Examples
    --------
    >>> import corearray.frontend.jax as jax
    >>> jax.tree_util.Partial(pow, 2)(3)
    8
    """

    def __init__(self, func: Callable[..., Any], *args: Any, **keywords: Any) -> None:
        inner = func if isinstance(func, Partial) else None
        self.func: Callable[..., Any] = func if inner is None else inner.func
        self.args: tuple[Any, ...] = args if inner is None else (*inner.args, *args)
        self.keywords: dict[str, Any] = keywords if inner is None else {**inner.keywords, **keywords}

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Call the function."""
        return self.func(*self.args, *args, **{**self.keywords, **options})

    def __repr__(self) -> str:
        return f"Partial({self.func!r}, {self.args!r}, {self.keywords!r})"


register_with_keys(
    Partial,
    lambda node: ([(GetAttrKey("args"), node.args), (GetAttrKey("keywords"), node.keywords)], node.func),
    lambda func, children: Partial(func, *children[0], **children[1]),
)


class PyTreeDef:
    """The structure of a tree: its class, data and children; without children lists it is a leaf.

    Attributes
    ----------
    num_leaves
        The number of leaves.
    """

    __slots__ = ("data", "node", "num_leaves", "parts")

    def __init__(self, node: type | None, data: Any = None, parts: tuple[PyTreeDef, ...] = ()) -> None:
        self.node, self.data, self.parts = node, data, parts
        self.num_leaves: int = 1 if node is None else sum(part.num_leaves for part in parts)

    @property
    def num_nodes(self) -> int:
        """The number of nodes, leaves counted."""
        return 1 + sum(part.num_nodes for part in self.parts)

    def children(self) -> list[PyTreeDef]:
        """Return the structures of the children."""
        return list(self.parts)

    def unflatten(self, leaves: Iterable[Any]) -> Any:
        """Return the tree with other leaves.

        Raises
        ------
        ValueError
            If there are too many or too few.
        """
        given = list(leaves)
        if len(given) != self.num_leaves:
            what = "few" if len(given) < self.num_leaves else "many"
            raise CoreArrayValueError(f"Too {what} leaves for PyTreeDef; expected {self.num_leaves}, got {len(given)}")
        return self._built(iter(given))

    def _built(self, leaves: Any) -> Any:
        if self.node is None:
            return next(leaves)
        kind = _kinds.get(self.node, _NAMED)
        return kind.unflatten(self.data, [part._built(leaves) for part in self.parts])

    def flatten_up_to(self, tree: Any) -> list[Any]:
        """Return the subtrees at the leaves of this structure.

        Raises
        ------
        ValueError
            If the tree has another structure above them.
        """
        if self.node is None:
            return [tree]
        kind = kind_of(tree)
        found = None if kind is None else kind.flatten(tree)
        if found is None or type(tree) is not self.node or len(found[0]) != len(self.parts) or found[1] != self.data:
            raise CoreArrayValueError(f"Expected {self._text()}, got {tree!r}: the trees have different structures")
        return [
            leaf for part, (_, child) in zip(self.parts, found[0], strict=True) for leaf in part.flatten_up_to(child)
        ]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, PyTreeDef)
            and (self.node, self.parts) == (other.node, other.parts)
            and bool(self.data == other.data)
        )

    def __hash__(self) -> int:
        try:
            data = hash(self.data)
        except TypeError:
            data = 0
        return hash((self.node, data, self.parts))

    def _text(self) -> str:
        inner = [part._text() for part in self.parts]
        if self.node is None:
            return "*"
        if self.node is type(None):
            return "None"
        if self.node is tuple:
            return f"({', '.join(inner)}{',' * (len(inner) == 1)})"
        if self.node is list:
            return f"[{', '.join(inner)}]"
        if self.node is dict:
            return "{" + ", ".join(f"{key!r}: {text}" for key, text in zip(self.data, inner, strict=True)) + "}"
        if self.node is OrderedDict or hasattr(self.node, "_fields"):
            return f"CustomNode({self.node.__name__}, [{', '.join(inner)}])"
        return f"CustomNode({self.node.__name__}[{self.data}], [{', '.join(inner)}])"

    def __repr__(self) -> str:
        return f"PyTreeDef({self._text()})"


_LEAF = PyTreeDef(None)


def flatten(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> tuple[list[Any], PyTreeDef]:
    """Return the leaves of a tree in order, and its structure."""
    leaves: list[Any] = []
    return leaves, _taken(tree, leaves, is_leaf)


def _taken(node: Any, leaves: list[Any], is_leaf: Callable[[Any], bool] | None) -> PyTreeDef:
    kind = None if is_leaf is not None and is_leaf(node) else kind_of(node)
    if kind is None:
        leaves.append(node)
        return _LEAF
    children, data = kind.flatten(node)
    return PyTreeDef(type(node), data, tuple(_taken(child, leaves, is_leaf) for _, child in children))


def flatten_with_path(
    tree: Any, is_leaf: Callable[..., bool] | None = None, is_leaf_takes_path: bool = False
) -> tuple[list[tuple[tuple[Any, ...], Any]], PyTreeDef]:
    """Return the leaves of a tree with their paths, and its structure."""
    found: list[tuple[tuple[Any, ...], Any]] = []

    def stops(path: tuple[Any, ...], node: Any) -> bool:
        if is_leaf is None:
            return False
        return bool(is_leaf(path, node) if is_leaf_takes_path else is_leaf(node))

    def walk(node: Any, path: tuple[Any, ...]) -> PyTreeDef:
        kind = None if stops(path, node) else kind_of(node)
        if kind is None:
            found.append((path, node))
            return _LEAF
        children, data = kind.flatten(node)
        return PyTreeDef(type(node), data, tuple(walk(child, (*path, key)) for key, child in children))

    definition = walk(tree, ())
    return found, definition


def prefixes(prefix: Any, tree: Any, what: str, is_leaf: Callable[[Any], bool] | None = None) -> list[Any]:
    """Return the leaf of a prefix that stands above each leaf of a tree.

    Raises
    ------
    ValueError
        If the structure of the prefix is not that of the top of the tree; `what` names the prefix.
    """
    leaves, definition = flatten(prefix, is_leaf)
    try:
        parts = definition.flatten_up_to(tree)
    except ValueError as error:
        raise CoreArrayValueError(f"{what} is no prefix of the tree that it belongs to: {error}") from error
    return [leaf for leaf, part in zip(leaves, parts, strict=True) for _ in flatten(part)[0]]
