"""Functions on trees of lists, tuples, named tuples, dictionaries and Containers.

These functions are standalone: they call no array function and no framework. Every object of another type is a leaf. An
index is a sequence of positions and keys from the root down, as in `(0, "weights", 2)`.

Functions that change a nest return the result. With `copy=True` the argument stays unchanged: nodes on the path to the
index are copied, all others are shared. With `copy=False` lists and mappings on the path are changed in place; tuples
on the path are always copied.

The name `map` is the public function in this file.
"""

from __future__ import annotations

import copy as _copy
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from itertools import islice
from typing import Any

from corearray.errors import (
    CoreArrayError,
    CoreArrayIndexError,
    CoreArrayKeyError,
    CoreArrayTypeError,
    CoreArrayValueError,
    options,
)

__all__ = [
    "all_nested_indices",
    "copy_nest",
    "duplicate_array_index_chains",
    "index_nest",
    "insert_into_nest_at_index",
    "insert_into_nest_at_indices",
    "map",
    "map_nest_at_index",
    "map_nest_at_indices",
    "multi_index_nest",
    "nested_any",
    "nested_argwhere",
    "nested_map",
    "nested_multi_map",
    "prune_empty",
    "prune_nest_at_index",
    "prune_nest_at_indices",
    "set_nest_at_index",
    "set_nest_at_indices",
]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "standalone"

# --- nodes

#: Types of which every instance is a leaf: to find one here takes a tenth of the time of asking whether it is a mapping.
_LEAVES: set[type] = {bool, int, float, complex, str, type(None)}


def _is_named(value: object) -> bool:
    return isinstance(value, tuple) and hasattr(value, "_fields")


def _is_node(value: object) -> bool:
    if type(value) in _LEAVES:
        return False
    return isinstance(value, (list, Mapping)) or type(value) is tuple or _is_named(value)


def _children(node: Any) -> Iterable[tuple[Any, Any]]:
    return node.items() if isinstance(node, Mapping) else enumerate(node)


def _mapping(like: Mapping[Any, Any], items: dict[Any, Any]) -> Any:
    """Make a mapping of the kind of another one, with what else an instance of a derived class has."""
    if type(like) is dict:
        return items
    if not isinstance(like, MutableMapping):
        return type(like)(items)  # type: ignore[call-arg]
    made = _copy.copy(like)
    made.clear()
    made.update(items)
    return made


def _edited(node: Mapping[Any, Any], edit: Callable[[MutableMapping[Any, Any]], None]) -> Any:
    """Return a changed copy of a mapping."""
    if isinstance(node, MutableMapping):
        made = _copy.copy(node)
        edit(made)
        return made
    items = dict(node)
    edit(items)
    return _mapping(node, items)


def _sequence(like: Any, values: list[Any]) -> Any:
    """Make a list, tuple or named tuple of the kind of another one."""
    if type(like) is list:
        return values
    if isinstance(like, tuple):
        return type(like)(*values) if _is_named(like) else tuple(values)
    made = _copy.copy(like)
    made[:] = values
    return made


def _rebuilt(node: Any, change: Callable[[Any, Any], Any]) -> Any:
    """Make a node of the same kind, with `change(key, child)` in place of each child."""
    if isinstance(node, Mapping):
        return _mapping(node, {key: change(key, child) for key, child in node.items()})
    return _sequence(node, [change(place, child) for place, child in enumerate(node)])


# --- the way to an index


def _checked(index: Sequence[Any], *, root: bool = True) -> tuple[Any, ...]:
    if not root and isinstance(index, Sequence) and not len(index):
        raise CoreArrayIndexError("the index () is the root of the nest, which is in nothing")
    if isinstance(index, str) or not isinstance(index, Sequence):
        raise CoreArrayTypeError(
            f"an index into a nest is a sequence of positions and keys, got {index!r}; write ({index!r},)"
        )
    return tuple(index)


def _nowhere(index: tuple[Any, ...], depth: int, node: Any) -> CoreArrayError:
    place = f"at {index[:depth]!r}" if depth else "at the root"
    error = CoreArrayKeyError if isinstance(node, Mapping) else CoreArrayIndexError
    return error(f"the index {index!r} leads nowhere: {place} there is {_what(node)}, which has no {index[depth]!r}")


def _key(node: Any, index: tuple[Any, ...], depth: int, *, new_key: bool = False, behind: int = 0) -> Any:
    """Return the key or the position, from 0, at which an index goes on in a node.

    Parameters
    ----------
    node
        Where the first `depth` keys of the index lead.
    index, depth
        See there.
    new_key
        Whether a mapping may lack the key.
    behind
        Maximum position after the last one.
    """
    key = index[depth]
    if isinstance(node, Mapping):
        if not new_key and key not in node:
            raise _nowhere(index, depth, node)
        return key
    if _is_named(node) and key in node._fields:
        return node._fields.index(key)
    if not _is_node(node) or not hasattr(key, "__index__"):
        raise _nowhere(index, depth, node)
    place = key.__index__()
    if not -len(node) <= place < len(node) + behind:
        raise _nowhere(index, depth, node)
    return place if place >= 0 else place + len(node)


def _put(node: Any, key: Any, value: Any, copy: bool) -> Any:
    """Return a node, or a copy of it, with a value in place of a child."""
    if not copy and not isinstance(node, tuple):
        node[key] = value
        return node
    if isinstance(node, Mapping):
        return _edited(node, lambda made: made.__setitem__(key, value))
    return _sequence(node, [*node[:key], value, *node[key + 1 :]])


def _changed(
    nest: Any,
    index: tuple[Any, ...],
    change: Callable[[Any, Any], Any],
    copy: bool,
    *,
    new_key: bool = False,
    behind: int = 0,
    depth: int = 0,
) -> Any:
    """Return a nest in which `change(node, key)` stands for the node that has the end of an index."""
    if depth + 1 == len(index):
        return change(nest, _key(nest, index, depth, new_key=new_key, behind=behind))
    key = _key(nest, index, depth)
    child = _changed(nest[key], index, change, copy, new_key=new_key, behind=behind, depth=depth + 1)
    return _put(nest, key, child, copy)


def _refuse_fields(node: Any, what: str) -> None:
    if _is_named(node):
        raise CoreArrayTypeError(
            f"a {type(node).__name__} has the fields {options(node._fields)} and no others, so that nothing can be "
            f"{what} it; set the value instead"
        )


# --- one index


def index_nest(nest: Any, index: Sequence[Any], /) -> Any:
    """Return the item at an index.

    Parameters
    ----------
    nest
        Tree of lists, tuples, named tuples, dictionaries and Containers.
    index
        Positions (negative ones count from the end), keys and names of fields, from the root down.

    Raises
    ------
    IndexError, KeyError
        If the index leads nowhere, with the place at which it fails.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.index_nest({"a": [1, (2, 3)]}, ("a", 1, 0))
    2
    """
    index = _checked(index)
    for depth in range(len(index)):
        nest = nest[_key(nest, index, depth)]
    return nest


def set_nest_at_index(nest: Any, index: Sequence[Any], value: Any, /, *, copy: bool = True) -> Any:
    """Return a nest with a value set at an index; the last key of a mapping may be new.

    Parameters
    ----------
    nest, index
        As in `index_nest`.
    value
        Value to set.
    copy
        Whether the given nest stays as it is.

    Raises
    ------
    IndexError, KeyError
        If the index leads nowhere.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_nest_at_index({"a": [1, (2, 3)]}, ("a", 1, 0), 5)
    {'a': [1, (5, 3)]}
    """
    index = _checked(index)
    if not index:
        return value
    return _changed(nest, index, lambda node, key: _put(node, key, value, copy), copy, new_key=True)


def map_nest_at_index(nest: Any, index: Sequence[Any], fn: Callable[[Any], Any], /, *, copy: bool = True) -> Any:
    """Return a nest with a function applied to the item at an index.

    Parameters
    ----------
    nest, index
        As in `index_nest`.
    fn
        Gets what is at the index.
    copy
        Whether the given nest stays as it is.

    Raises
    ------
    IndexError, KeyError
        If the index leads nowhere.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.map_nest_at_index({"a": [1, (2, 3)]}, ("a", 1), len)
    {'a': [1, 2]}
    """
    return set_nest_at_index(nest, index, fn(index_nest(nest, index)), copy=copy)


def insert_into_nest_at_index(nest: Any, index: Sequence[Any], value: Any, /, *, copy: bool = True) -> Any:
    """Return a nest with a value inserted: before a position of a list or tuple, or under a key of a mapping.

    Parameters
    ----------
    nest, index
        As in `index_nest`; the last position may be the length, to append.
    value
        Value to insert.
    copy
        Whether the given nest stays as it is.

    Raises
    ------
    IndexError, KeyError
        If the index leads nowhere.
    TypeError
        If the index ends in a named tuple.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.insert_into_nest_at_index({"a": [1, 3]}, ("a", 1), 2)
    {'a': [1, 2, 3]}
    """

    def inserted(node: Any, key: Any) -> Any:
        if isinstance(node, Mapping):
            return _put(node, key, value, copy)
        _refuse_fields(node, "inserted into")
        if copy or isinstance(node, tuple):
            return _sequence(node, [*node[:key], value, *node[key:]])
        node.insert(key, value)
        return node

    return _changed(nest, _checked(index, root=False), inserted, copy, new_key=True, behind=1)


def prune_nest_at_index(nest: Any, index: Sequence[Any], /, *, copy: bool = True) -> Any:
    """Return a nest without the item at an index.

    Parameters
    ----------
    nest, index
        As in `index_nest`.
    copy
        Whether the given nest stays as it is.

    Raises
    ------
    IndexError, KeyError
        If the index leads nowhere.
    TypeError
        If the index ends in a named tuple.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.prune_nest_at_index({"a": [1, (2, 3)]}, ("a", 1, 0))
    {'a': [1, (3,)]}
    """

    def pruned(node: Any, key: Any) -> Any:
        _refuse_fields(node, "taken out of")
        if not copy and not isinstance(node, tuple):
            del node[key]
            return node
        if isinstance(node, Mapping):
            return _edited(node, lambda made: made.__delitem__(key))
        return _sequence(node, [*node[:key], *node[key + 1 :]])

    return _changed(nest, _checked(index, root=False), pruned, copy)


# --- several indices


def multi_index_nest(nest: Any, indices: Iterable[Sequence[Any]], /) -> list[Any]:
    """Return the items at several indices.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.multi_index_nest({"a": [1, (2, 3)]}, [("a", 0), ("a", 1, 1)])
    [1, 3]
    """
    return [index_nest(nest, index) for index in indices]


def set_nest_at_indices(
    nest: Any, indices: Iterable[Sequence[Any]], values: Iterable[Any], /, *, copy: bool = True
) -> Any:
    """Return a nest with values set at several indices, one value for each.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_nest_at_indices({"a": [1, (2, 3)]}, [("a", 0), ("a", 1, 1)], [10, 30])
    {'a': [10, (2, 30)]}
    """
    for index, value in _pairs(indices, values):
        nest = set_nest_at_index(nest, index, value, copy=copy)
    return nest


def map_nest_at_indices(
    nest: Any, indices: Iterable[Sequence[Any]], fn: Callable[[Any], Any], /, *, copy: bool = True
) -> Any:
    """Return a nest with a function applied to the items at several indices.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.map_nest_at_indices({"a": [1, (2, 3)]}, [("a", 0), ("a", 1, 1)], lambda leaf: -leaf)
    {'a': [-1, (2, -3)]}
    """
    for index in indices:
        nest = map_nest_at_index(nest, index, fn, copy=copy)
    return nest


def insert_into_nest_at_indices(
    nest: Any, indices: Iterable[Sequence[Any]], values: Iterable[Any], /, *, copy: bool = True
) -> Any:
    """Return a nest with values inserted at several indices in turn; each index counts the values inserted before it.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.insert_into_nest_at_indices([1, 4], [(1,), (2,)], [2, 3])
    [1, 2, 3, 4]
    """
    for index, value in _pairs(indices, values):
        nest = insert_into_nest_at_index(nest, index, value, copy=copy)
    return nest


def prune_nest_at_indices(nest: Any, indices: Iterable[Sequence[Any]], /, *, copy: bool = True) -> Any:
    """Return a nest without the items at several indices of the original nest.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.prune_nest_at_indices([1, 2, 3, 4], [(0,), (1,), (-1,)])
    [3]
    """
    found: dict[tuple[Any, ...], list[int]] = {}
    for index in indices:
        ways = _checked(index, root=False)
        positions: list[int] = []
        keys: list[Any] = []
        node = nest
        for depth in range(len(ways)):
            key = _key(node, ways, depth)
            positions.append(0 if isinstance(node, Mapping) else key)
            keys.append(key)
            node = node[key]
        found[tuple(keys)] = positions
    for ways in sorted(found, key=found.__getitem__, reverse=True):  # from behind, and what lies within first
        nest = prune_nest_at_index(nest, ways, copy=copy)
    return nest


def _pairs(indices: Iterable[Sequence[Any]], values: Iterable[Any]) -> list[tuple[Sequence[Any], Any]]:
    listed, given = list(indices), list(values)
    if len(listed) != len(given):
        raise CoreArrayValueError(f"there are {len(listed)} indices and {len(given)} values; give one value for each")
    return list(zip(listed, given, strict=True))


# --- all leaves


def nested_argwhere(
    nest: Any, fn: Callable[[Any], Any], /, *, check_nests: bool = False, stop_after: int | None = None
) -> list[tuple[Any, ...]]:
    """Return the indices of leaves for which a function is true.

    Parameters
    ----------
    nest
        Tree of lists, tuples, named tuples, dictionaries and Containers.
    fn
        Gets a leaf.
    check_nests
        Whether nodes are asked about as well, after what is in them.
    stop_after
        The greatest number of indices that are wanted, by default all.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.nested_argwhere({"a": [1, (2, 3)], "b": 4}, lambda leaf: leaf > 2)
    [('a', 1, 1), ('b',)]
    """
    return list(islice((index for index, value in _walk(nest, (), check_nests) if fn(value)), stop_after))


def _walk(nest: Any, index: tuple[Any, ...], nests: bool) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield indices and leaves, and with `nests` the nodes below the root after what is in them."""
    for key, child in _children(nest) if _is_node(nest) else ():
        here = (*index, key)
        if not _is_node(child):
            yield here, child
        else:
            yield from _walk(child, here, nests)
            if nests:
                yield here, child


def all_nested_indices(nest: Any, /, *, include_nests: bool = False) -> list[tuple[Any, ...]]:
    """Return the indices of all leaves; with `include_nests` also those of nodes.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.all_nested_indices({"a": [1, (2, 3)]})
    [('a', 0), ('a', 1, 0), ('a', 1, 1)]
    """
    return [index for index, _ in _walk(nest, (), include_nests)]


def nested_any(nest: Any, fn: Callable[[Any], Any], /, *, check_nests: bool = False) -> bool:
    """Return whether a function is true for any leaf; with `check_nests` also for any node.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.nested_any({"a": [1, (2, 3)]}, lambda leaf: leaf == 3)
    True
    """
    if not _is_node(nest):
        return bool(fn(nest))
    return any(fn(value) for _, value in _walk(nest, (), check_nests)) or (check_nests and bool(fn(nest)))


def nested_map(fn: Callable[[Any], Any], nest: Any, /, *, is_leaf: Callable[[Any], bool] | None = None) -> Any:
    """Apply a function to each leaf and return a nest of the results.

    Parameters
    ----------
    fn
        Gets a leaf.
    nest
        Tree of lists, tuples, named tuples, dictionaries and Containers.
    is_leaf
        Tells of a node whether it is taken for a leaf.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.nested_map(lambda leaf: 10 * leaf, {"a": [1, (2, 3)]})
    {'a': [10, (20, 30)]}
    >>> ca.nested_map(str, {"a": [1, (2, 3)]}, is_leaf=lambda node: isinstance(node, tuple))
    {'a': ['1', '(2, 3)']}
    """
    if is_leaf is not None:
        if not _is_node(nest) or is_leaf(nest):
            return fn(nest)
        return _rebuilt(nest, lambda _, child: nested_map(fn, child, is_leaf=is_leaf))
    kind = type(nest)  # the three common nodes and most leaves are told by it
    if kind in _LEAVES:
        return fn(nest)
    if kind is list:
        return [nested_map(fn, child) for child in nest]
    if kind is tuple:
        return tuple([nested_map(fn, child) for child in nest])
    if kind is dict:
        return {key: nested_map(fn, child) for key, child in nest.items()}
    return _rebuilt(nest, lambda _, child: nested_map(fn, child)) if _is_node(nest) else fn(nest)


def nested_multi_map(
    fn: Callable[..., Any], nests: Sequence[Any], /, *, is_leaf: Callable[[Any], bool] | None = None
) -> Any:
    """Apply a function to corresponding leaves of several nests of one structure.

    Parameters
    ----------
    fn
        Gets a leaf of each nest.
    nests
        At least one; the result has the nodes of the first.
    is_leaf
        Tells of a node of the first nest whether it is taken for a leaf.

    Raises
    ------
    ValueError
        If the structures differ, with the index at which they do.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.nested_multi_map(lambda x, y: x + y, [{"a": [1, (2, 3)]}, {"a": [10, (20, 30)]}])
    {'a': [11, (22, 33)]}
    """
    if not nests:
        raise CoreArrayValueError("nested_multi_map got no nests; give at least one")
    return _multi_map(fn, list(nests), (), is_leaf)


def _multi_map(fn: Callable[..., Any], nests: list[Any], index: tuple[Any, ...], is_leaf: Any) -> Any:
    first = nests[0]
    if not _is_node(first) or (is_leaf is not None and is_leaf(first)):
        return fn(*nests)
    for number, other in enumerate(nests[1:], 2):
        if _structure(first) != _structure(other):
            raise CoreArrayValueError(
                f"the nests differ in structure {f'at {index!r}' if index else 'at the root'}: there the first has "
                f"{_what(first)} and number {number} has {_what(other)}"
            )
    return _rebuilt(first, lambda key, _: _multi_map(fn, [nest[key] for nest in nests], (*index, key), is_leaf))


def _structure(value: Any) -> Any:
    if not _is_node(value):
        return None
    return set(value) if isinstance(value, Mapping) else (type(value), len(value))


def _what(value: Any) -> str:
    kind = type(value).__name__
    if isinstance(value, Mapping):
        return f"a {kind} with the keys {options(value)}"
    return f"a {kind} of length {len(value)}" if _is_node(value) else f"a leaf of type {kind}"


# --- copies


def copy_nest(nest: Any, /, *, to_mutable: bool = False) -> Any:
    """Copy the nodes of a nest and keep its leaves.

    Parameters
    ----------
    nest
        Tree of lists, tuples, named tuples, dictionaries and Containers.
    to_mutable
        Whether tuples become lists.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.copy_nest({"a": [1, (2, 3)]}, to_mutable=True)
    {'a': [1, [2, 3]]}
    """
    if not _is_node(nest):
        return nest
    copied = _rebuilt(nest, lambda _, child: copy_nest(child, to_mutable=to_mutable))
    return list(copied) if to_mutable and isinstance(copied, tuple) else copied


def prune_empty(nest: Any, /, *, keep_nones: bool = False) -> Any:
    """Return a nest without `None` and without empty nodes.

    Nodes that become empty are removed too. Fields of named tuples stay.

    Parameters
    ----------
    nest
        Tree of lists, tuples, named tuples, dictionaries and Containers.
    keep_nones
        Whether leaves that are `None` stay.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.prune_empty({"a": [1, {}, None], "b": [[]]})
    {'a': [1]}
    """
    if not _is_node(nest):
        return nest
    if _is_named(nest):
        return _rebuilt(nest, lambda _, child: prune_empty(child, keep_nones=keep_nones))
    kept = []
    for key, child in _children(nest):
        pruned = prune_empty(child, keep_nones=keep_nones)
        if not (_is_node(pruned) and len(pruned) == 0) and (pruned is not None or keep_nones):
            kept.append((key, pruned))
    return _mapping(nest, dict(kept)) if isinstance(nest, Mapping) else _sequence(nest, [child for _, child in kept])


def duplicate_array_index_chains(nest: Any, /) -> list[list[tuple[Any, ...]]]:
    """Return the indices of arrays that occur more than once: one list for each such array.

    Examples
    --------
    >>> import corearray as ca
    >>> x, y = ca.zeros(2), ca.zeros(2)
    >>> ca.duplicate_array_index_chains({"a": [x, y], "b": x})
    [[('a', 0), ('b',)]]
    """
    places: dict[int, list[tuple[Any, ...]]] = {}
    for index, value in _walk(nest, (), False):
        if hasattr(value, "dtype") and hasattr(value, "shape"):
            places.setdefault(id(value), []).append(index)
    return [indices for indices in places.values() if len(indices) > 1]


def map(
    fn: Callable[..., Any],
    /,
    constant: Mapping[str, Any] | None = None,
    unique: Mapping[str, Iterable[Any]] | None = None,
    *,
    mean: bool = False,
) -> Any:
    """Call a function several times by keyword and return the list of results.

    Parameters
    ----------
    fn
        The function.
    constant
        Arguments that are the same in each call.
    unique
        For each other argument its values, one for each call.
    mean
        Whether the mean of the results is returned instead.

    Returns
    -------
    The results. Of a function that returns tuples a tuple: for each place the list of the results, or their mean.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.map(lambda x, y: x * y, {"x": 2}, {"y": [1, 2, 3]})
    [2, 4, 6]
    >>> ca.map(lambda x: (x, -x), unique={"x": [1.0, 2.0]}, mean=True)
    (1.5, -1.5)
    """
    lists = {name: list(values) for name, values in (unique or {}).items()}
    lengths = {name: len(values) for name, values in lists.items()}
    if len(set(lengths.values())) != 1:
        raise CoreArrayValueError(
            f"map takes in unique as many values for each argument as there are calls, got {lengths or 'nothing'}"
        )
    results = [
        fn(**(constant or {}), **dict(zip(lists, values, strict=True))) for values in zip(*lists.values(), strict=True)
    ]
    if results and isinstance(results[0], tuple):
        columns = [list(column) for column in zip(*results, strict=True)]
        return tuple([sum(column) / len(column) if mean else column for column in columns])
    return sum(results) / len(results) if mean and results else results
