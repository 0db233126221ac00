"""`jax.tree` and `jax.tree_util`: functions of pytrees."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import reduce as _reduce
from typing import Any

from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.jax.trees import (
    DictKey,
    FlattenedIndexKey,
    GetAttrKey,
    Partial,
    PyTreeDef,
    SequenceKey,
    flatten,
    flatten_with_path,
    is_node,
    kind_of,
    prefixes,
    register,
    register_with_keys,
)  # fmt: skip

__all__ = [
    "FUNCTIONS", "all_leaves", "flatten_one_level", "flatten_one_level_with_keys", "keystr", "register_dataclass",
    "register_pytree_node", "register_pytree_node_class", "register_pytree_with_keys",
    "register_pytree_with_keys_class", "register_static", "static", "tree_all", "tree_broadcast", "tree_flatten",
    "tree_leaves", "tree_leaves_with_path", "tree_map", "tree_map_with_path", "tree_reduce",
    "tree_reduce_associative", "tree_structure", "tree_transpose", "tree_unflatten", "treedef_tuple",
]  # fmt: skip


def tree_flatten(tree: Any, is_leaf: Any = None) -> tuple[list[Any], PyTreeDef]:
    """Return the leaves of a tree, and its structure."""
    return flatten(tree, is_leaf)


def tree_unflatten(treedef: PyTreeDef, leaves: Any) -> Any:
    """Return the tree of a structure and leaves."""
    return treedef.unflatten(leaves)


def tree_leaves(tree: Any, is_leaf: Any = None) -> list[Any]:
    """Return the leaves of a tree."""
    return flatten(tree, is_leaf)[0]


def tree_structure(tree: Any, is_leaf: Any = None) -> PyTreeDef:
    """Return the structure of a tree."""
    return flatten(tree, is_leaf)[1]


def tree_map(f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: Any = None) -> Any:
    """Call a function with the leaves of trees of the same structure; return the tree of its results."""
    leaves, definition = flatten(tree, is_leaf)
    others = [definition.flatten_up_to(other) for other in rest]
    return definition.unflatten([f(*xs) for xs in zip(leaves, *others, strict=True)])


_NOTHING: Any = object()


def tree_reduce(function: Callable[..., Any], tree: Any, initializer: Any = _NOTHING, is_leaf: Any = None) -> Any:
    """Combine the leaves of a tree from the left."""
    leaves = tree_leaves(tree, is_leaf)
    return _reduce(function, leaves) if initializer is _NOTHING else _reduce(function, leaves, initializer)


def tree_reduce_associative(
    operation: Callable[..., Any], tree: Any, *, identity: Any = _NOTHING, is_leaf: Any = None
) -> Any:
    """Combine the leaves of a tree by an associative function, in pairs."""
    leaves = tree_leaves(tree, is_leaf)
    if not leaves:
        if identity is _NOTHING:
            raise CoreArrayTypeError("Must specify identity for parallel reduction of empty tree.")
        return identity
    while len(leaves) > 1:
        pairs = [operation(*leaves[i : i + 2]) if i + 1 < len(leaves) else leaves[i] for i in range(0, len(leaves), 2)]
        leaves = pairs
    return leaves[0]


def tree_all(tree: Any, *, is_leaf: Any = None) -> bool:
    """Return whether all leaves are true."""
    return all(tree_leaves(tree, is_leaf))


def tree_transpose(outer_treedef: PyTreeDef, inner_treedef: PyTreeDef | None, pytree_to_transpose: Any) -> Any:
    """Turn a tree of trees inside out."""
    leaves, definition = flatten(pytree_to_transpose)
    if inner_treedef is None:
        inner_treedef = tree_structure(outer_treedef.flatten_up_to(pytree_to_transpose)[0])
    inside, outside = inner_treedef.num_leaves, outer_treedef.num_leaves
    if len(leaves) != inside * outside:
        raise CoreArrayTypeError(f"Mismatch\n{definition}\n != \n{outer_treedef} of {inner_treedef}")
    rows = [outer_treedef.unflatten(leaves[i::inside]) for i in range(inside)]
    return inner_treedef.unflatten(rows)


def tree_map_with_path(
    f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: Any = None, is_leaf_takes_path: bool = False
) -> Any:
    """Call a function with the path and the leaves of trees of the same structure."""
    found, definition = flatten_with_path(tree, is_leaf, is_leaf_takes_path)
    others = [definition.flatten_up_to(other) for other in rest]
    return definition.unflatten([f(path, leaf, *xs) for (path, leaf), *xs in zip(found, *others, strict=True)])


def tree_leaves_with_path(tree: Any, is_leaf: Any = None, is_leaf_takes_path: bool = False) -> list[Any]:
    """Return the leaves of a tree with their paths."""
    return flatten_with_path(tree, is_leaf, is_leaf_takes_path)[0]


def tree_broadcast(prefix_tree: Any, full_tree: Any, is_leaf: Any = None) -> Any:
    """Repeat the leaves of a prefix over the tree that it belongs to."""
    return tree_structure(full_tree).unflatten(prefixes(prefix_tree, full_tree, "the prefix", is_leaf))


def keystr(keys: Any, *, simple: bool = False, separator: str = "") -> str:
    """Return the text of a path."""
    if not simple:
        return separator.join(map(str, keys))
    return separator.join(str(key[0]) for key in keys)


def all_leaves(iterable: Any, is_leaf: Any = None) -> bool:
    """Return whether all elements are leaves."""
    return all(not is_node(x) or (is_leaf is not None and is_leaf(x)) for x in iterable)


def treedef_tuple(treedefs: Any) -> PyTreeDef:
    """Return the structure of a tuple of trees."""
    return PyTreeDef(tuple, None, tuple(treedefs))


def register_pytree_node(
    nodetype: type, flatten_func: Any, unflatten_func: Any, flatten_with_keys_func: Any = None
) -> None:
    """Register a class as a node."""
    if flatten_with_keys_func is None:
        register(nodetype, flatten_func, unflatten_func)
    else:
        register_with_keys(nodetype, flatten_with_keys_func, unflatten_func)


def register_pytree_with_keys(
    nodetype: type, flatten_with_keys: Any, unflatten_func: Any, flatten_func: Any = None
) -> None:
    """Register a class as a node whose children have keys."""
    register_with_keys(nodetype, flatten_with_keys, unflatten_func)


def register_pytree_node_class(cls: type) -> type:
    """Register a class with the methods `tree_flatten` and `tree_unflatten`."""
    register(cls, lambda node: node.tree_flatten(), cls.tree_unflatten)  # type: ignore[attr-defined]
    return cls


def register_pytree_with_keys_class(cls: type) -> type:
    """Register a class with the methods `tree_flatten_with_keys` and `tree_unflatten`."""
    register_with_keys(cls, lambda node: node.tree_flatten_with_keys(), cls.tree_unflatten)  # type: ignore[attr-defined]
    return cls


def static(**options: Any) -> Any:
    """Return a field of a dataclass that is no child in trees; options are those of `dataclasses.field`."""
    return dataclasses.field(**options | {"metadata": {**options.get("metadata", {}), "static": True}})


def register_dataclass(nodetype: type, data_fields: Any = None, meta_fields: Any = None, drop_fields: Any = ()) -> type:
    """Register a dataclass; fields with `metadata={"static": True}` are no children."""
    if data_fields is None or meta_fields is None:
        if not dataclasses.is_dataclass(nodetype):
            raise CoreArrayTypeError(
                "register_dataclass: data_fields and meta_fields are "
                f"required when nodetype is not a dataclass. Got {nodetype}."
            )
        fields = [one for one in dataclasses.fields(nodetype) if one.init]
        data_fields = [one.name for one in fields if not one.metadata.get("static", False)]
        meta_fields = [one.name for one in fields if one.metadata.get("static", False)]
    data, meta = tuple(data_fields), tuple(meta_fields)
    known = (
        {one.name for one in dataclasses.fields(nodetype) if one.init}
        if dataclasses.is_dataclass(nodetype)
        else {*data, *meta}
    )
    if {*data, *meta} != known - set(drop_fields):
        raise CoreArrayValueError(
            f"data_fields and meta_fields must include all dataclass fields with init=True and only them: {sorted(known)}, got "
            f"{sorted({*data, *meta})}"
        )

    def flattened(node: Any) -> Any:
        return [(GetAttrKey(name), getattr(node, name)) for name in data], tuple(getattr(node, name) for name in meta)

    def unflattened(values: Any, children: Any) -> Any:
        return nodetype(**dict(zip(meta, values, strict=True)), **dict(zip(data, children, strict=True)))

    register_with_keys(nodetype, flattened, unflattened)
    return nodetype


def register_static(cls: type) -> type:
    """Register a class whose objects have no children: each object is part of the structure."""
    register_with_keys(cls, lambda node: ([], node), lambda data, _: data)
    return cls


def flatten_one_level(tree: Any) -> Any:
    """Return the children of a node and its data."""
    children, data = flatten_one_level_with_keys(tree)
    return [child for _, child in children], data


def flatten_one_level_with_keys(tree: Any) -> Any:
    """Return the children of a node with their keys, and its data."""
    kind = kind_of(tree)
    if kind is None:
        raise CoreArrayValueError(f"can't tree-flatten type: {type(tree)}")
    children, data = kind.flatten(tree)
    return list(children), data


_TREE = {
    "all": tree_all, "broadcast": tree_broadcast, "flatten": tree_flatten, "leaves": tree_leaves, "map": tree_map,
    "reduce": tree_reduce, "reduce_associative": tree_reduce_associative, "structure": tree_structure,
    "transpose": tree_transpose, "unflatten": tree_unflatten, "flatten_with_path": flatten_with_path,
    "leaves_with_path": tree_leaves_with_path, "map_with_path": tree_map_with_path,
}  # fmt: skip
FUNCTIONS: dict[str, Any] = {f"tree.{name}": function for name, function in _TREE.items()} | {"tree.static": static}
FUNCTIONS |= {f"tree_util.tree_{name}": function for name, function in _TREE.items()}
FUNCTIONS |= {
    f"tree_util.{one.__name__}": one
    for one in (
        keystr, all_leaves, treedef_tuple, register_pytree_node, register_pytree_with_keys, register_pytree_node_class,
        register_pytree_with_keys_class, register_dataclass, register_static, flatten_one_level, flatten_one_level_with_keys,
        SequenceKey, DictKey, GetAttrKey, FlattenedIndexKey, Partial, PyTreeDef,
    )
}  # fmt: skip
FUNCTIONS |= {
    "tree_util.treedef_children": PyTreeDef.children, "tree_util.is_tree_node": is_node,
    "tree_util.KeyEntry": Any, "tree_util.KeyPath": tuple[Any, ...],
    "tree_util.treedef_is_leaf": lambda treedef: treedef.node is None,
}  # fmt: skip
