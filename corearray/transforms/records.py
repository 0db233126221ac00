"""Classes whose instances are nodes of trees: dataclasses, and those that users register."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from corearray.errors import CoreArrayTypeError

__all__ = ["Record", "record_of", "register_tree"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"

_Kind = TypeVar("_Kind", bound=type)


class Record(NamedTuple):
    """How instances of a class are taken apart into children and the rest, and made of them."""

    flatten: Callable[[Any], tuple[Sequence[Any], Any]]
    unflatten: Callable[[Any, Sequence[Any]], Any]


_records: dict[type, Record] = {}


def register_tree(
    kind: _Kind,
    flatten: Callable[[Any], tuple[Sequence[Any], Any]] | None = None,
    unflatten: Callable[[Any, Sequence[Any]], Any] | None = None,
    /,
) -> _Kind:
    """Make the instances of a class nodes of trees, for `grad`, `vmap`, `remat`, `tree_map` and the other transforms.

    Dataclasses are nodes without it; a field with `metadata={"static": True}` is no child there.

    Parameters
    ----------
    kind
        The class. It may be given by a decorator.
    flatten
        Function of an instance that returns its children and what else makes it up, which can be compared. By default the
        children are the fields of a dataclass or of an attrs class, and of another class the attributes of the instance.
    unflatten
        Function of what else there is, and of other children, that returns an instance; it is given together with
        `flatten`. By default the instance is made without calling its `__init__`.

    Returns
    -------
    The class.

    Raises
    ------
    TypeError
        If `kind` is no class, or one of the functions is missing.

    Examples
    --------
    >>> import corearray as ca
    >>> @ca.register_tree
    ... class Line:
    ...     def __init__(self, slope, offset):
    ...         self.slope, self.offset = slope, offset
    >>> doubled = ca.tree_map(lambda x: 2 * x, Line(1.0, 3.0))
    >>> doubled.slope, doubled.offset
    (2.0, 6.0)

    Notes
    -----
    `jax.tree_util.register_dataclass`, `register_pytree_node`; `torch.utils._pytree.register_pytree_node`. Frameworks'
    own transforms do not know the class.
    """
    if not isinstance(kind, type):
        raise CoreArrayTypeError(f"'register_tree' takes a class, got {kind!r}")
    if (flatten is None) is not (unflatten is None):
        raise CoreArrayTypeError("'register_tree' takes the functions 'flatten' and 'unflatten' together, or neither")
    if flatten is not None and unflatten is not None:
        _records[kind] = Record(flatten, unflatten)
    else:
        has_fields = hasattr(kind, "__dataclass_fields__") or hasattr(kind, "__attrs_attrs__")
        _records[kind] = (_by_fields if has_fields else _by_attributes)(kind)
    return kind


def record_of(kind: type) -> Record | None:
    """Return how instances of a class are taken apart, or `None` for a class that is no node."""
    found = _records.get(kind)
    if found is None and hasattr(kind, "__dataclass_fields__"):
        found = _records[kind] = _by_fields(kind)
    return found


def _by_fields(kind: Any) -> Record:
    """Return what takes dataclasses and attrs classes apart, by the names of their fields."""
    import dataclasses  # takes a twentieth of the import of corearray, and whoever has dataclasses has it

    fields = getattr(kind, "__attrs_attrs__", None) or dataclasses.fields(kind)
    static = tuple([f.name for f in fields if f.metadata.get("static")])
    names = tuple([f.name for f in fields if f.name not in static])

    def flatten(node: Any) -> tuple[list[Any], Any]:
        return [getattr(node, name) for name in names], tuple([getattr(node, name) for name in static])

    def unflatten(rest: Any, children: Sequence[Any]) -> Any:
        return _made(kind, zip((*names, *static), (*children, *rest), strict=True))

    return Record(flatten, unflatten)


def _by_attributes(kind: type) -> Record:
    def flatten(node: Any) -> tuple[list[Any], Any]:
        return list(vars(node).values()), tuple(vars(node))

    def unflatten(names: Any, children: Sequence[Any]) -> Any:
        return _made(kind, zip(names, children, strict=True))

    return Record(flatten, unflatten)


def _made(kind: type, values: Any) -> Any:
    made: Any = object.__new__(kind)
    for name, value in values:
        object.__setattr__(made, name, value)
    return made
