"""Flattening of trees of arrays, and helpers that the transforms share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import update_wrapper
from operator import itemgetter
from types import FunctionType
from typing import TYPE_CHECKING, Any, ClassVar

from corearray.arrays.array import Array
from corearray.arrays.nested import to_native
from corearray.calls.accelerated import accelerated
from corearray.calls.dispatch import backend_of, resolve
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.functional.data_type import result_type
from corearray.functional.nest import _LEAVES, _children, _is_node, nested_map, nested_multi_map
from corearray.settings.context import NUMBERS, changed, on_arrays
from corearray.transforms.records import record_of

if TYPE_CHECKING:
    from corearray.backends.backend import Backend

__all__ = [
    "Arrays",
    "Place",
    "Tree",
    "all_like",
    "as_given",
    "chosen",
    "constant_in",
    "flatten_tree",
    "has_records",
    "is_array",
    "leaf_names",
    "like",
    "name_of",
    "named",
    "natively",
    "need_function",
    "owned",
    "refuse_ragged",
    "restored_tree",
    "tree_of",
    "unflatten_tree",
    "vectorized",
]  # fmt: skip


class Place(int):
    """Stands in a tree for the leaf of this number."""


#: What nests know nothing of, and most trees here are made of; the arrays of a backend have a class of their own, which
#: joins these when it is met.
_LEAVES.update((Array, Place))


def _taken_apart(
    node: Any, leaves: list[Any], whole: tuple[type, ...]
) -> tuple[Callable[[Sequence[Any]], Any], object]:
    """Put the leaves of a tree behind others; return what makes such a tree of all leaves, and its structure.

    Two trees of equal structures are alike, with their leaves in the same order; those of unequal ones may be. Instances of
    the classes `whole` are leaves, also if the classes are registered.
    """
    first = len(leaves)
    kind = type(node)
    if kind is list or kind is tuple:
        if _LEAVES.issuperset(map(type, node)):  # all at once
            leaves += node
            here = slice(first, len(leaves))
            return lambda leaves: kind(leaves[here]), (kind, len(node))
        parts, structures = zip(*[_taken_apart(child, leaves, whole) for child in node], strict=True)
        return lambda leaves: kind([part(leaves) for part in parts]), (kind, structures)
    if kind is dict:
        keys = tuple(node)
        values, structure = _taken_apart(tuple(node.values()), leaves, whole)
        return lambda leaves: dict(zip(keys, values(leaves), strict=True)), (keys, structure)
    if kind not in _LEAVES and hasattr(kind, "__corearray_module__"):
        values, names = node.tree_flatten()
        leaves += values
        there = slice(first, len(leaves))
        return lambda leaves: kind.tree_unflatten(names, leaves[there]), (kind, names)
    if kind in _LEAVES or not _is_node(node):
        record = None if kind in _LEAVES or issubclass(kind, whole) else record_of(kind)
        if record is not None:
            children, rest = record.flatten(node)
            inner, structure = _taken_apart(list(children), leaves, whole)
            return lambda leaves: record.unflatten(rest, inner(leaves)), (kind, rest, structure)
        if isinstance(node, Array):
            _LEAVES.add(kind)
        leaves.append(node)
        return itemgetter(first), None

    def take(leaf: Any) -> Place:
        leaves.append(leaf)
        return Place(len(leaves) - 1)

    places = nested_map(take, node)

    def made(leaves: Sequence[Any]) -> Any:
        return nested_map(leaves.__getitem__, places)

    return made, _structure_of(places)


def _structure_of(node: Any) -> object:
    if not _is_node(node):
        return None
    return type(node), tuple([(key, _structure_of(child)) for key, child in _children(node)])


class Tree:
    """The structure of a tree, from which trees with other leaves are built.

    Attributes
    ----------
    leaves
        The leaves, in order.
    of
        Makes such a tree of other leaves.
    """

    __slots__ = ("_structure", "leaves", "of")

    #: Classes whose instances are leaves, also if they are registered as nodes.
    _whole: ClassVar[tuple[type, ...]] = ()

    def __init__(self, tree: Any) -> None:
        self.of: Callable[[Sequence[Any]], Any]
        self._structure: object
        kind = type(tree)
        if kind in _LEAVES:
            self.leaves, self.of, self._structure = [tree], itemgetter(0), None  # torch's tracer mistakes one for all
        elif (kind is list or kind is tuple) and _LEAVES.issuperset(map(type, tree)):
            self.leaves, self.of, self._structure = list(tree), kind, (kind, len(tree))
        else:
            self.leaves = []
            self.of, self._structure = _taken_apart(tree, self.leaves, self._whole)

    @property
    def places(self) -> Any:
        """The tree with the numbers of the leaves in their places."""
        return self.of([Place(i) for i in range(len(self.leaves))])

    def __reduce__(self) -> tuple[Any, ...]:
        return restored_tree, (self.places, self.leaves, type(self))

    def text(self, leaves: Sequence[str]) -> str | None:
        """Format a tree with leaves given as text; return `None` unless it consists of tuples, lists and
        dictionaries.
        """

        def written(node: Any) -> str:
            if type(node) is Place:
                return leaves[node]
            if type(node) is tuple:
                return "(" + "".join(f"{written(item)}, " for item in node) + ")"
            if type(node) is list:
                return f"[{', '.join(map(written, node))}]"
            if type(node) is dict and all(type(key) is str for key in node):
                return "{" + ", ".join(f"{key!r}: {written(item)}" for key, item in node.items()) + "}"
            raise LookupError

        try:
            return written(self.places)
        except LookupError:
            return None

    def like(self, other: Any, what: str) -> list[Any]:
        """Return the leaves of a tree with the same structure."""
        tree = type(self)(other)
        if tree._structure == self._structure:
            return tree.leaves
        found: list[Any] = [None] * len(self.leaves)

        def note(place: int, leaf: Any) -> None:
            found[place] = leaf

        try:
            nested_multi_map(note, [self.places, other])
        except CoreArrayValueError as error:
            raise CoreArrayValueError(f"{what}: {error}") from None
        except TypeError:  # of a Module or a dataclass, which has no place in the list
            raise CoreArrayValueError(f"{what}: objects differ in their classes, names or configuration") from None
        return found


def leaf_names(tree: Any) -> list[str]:
    """Return the names of a tree's leaves, in order: the keys that lead to each, as in `"blocks.0.weight"`."""
    kind = type(tree)
    if hasattr(kind, "__corearray_module__"):
        return list(tree.tree_flatten()[1])
    if _is_node(tree):
        children = _children(tree)
    else:
        record = None if kind in _LEAVES else record_of(kind)
        if record is None:
            return [""]
        children = enumerate(record.flatten(tree)[0])
    return [f"{key}.{name}" if name else str(key) for key, child in children for name in leaf_names(child)]


def restored_tree(places: Any, leaves: list[Any], kind: type[Tree] = Tree) -> Tree:
    """Return the tree with these leaves, of a tree with their numbers in their places."""
    tree = kind(places)
    tree.leaves = leaves
    return tree


class Arrays:
    """The structure of a tree of arrays, and the shapes and dtypes of its leaves.

    Attributes
    ----------
    what
        Name for messages.
    natives
        The native arrays.
    """

    def __init__(self, what: str, backend: Backend, tree: Any) -> None:
        self.what = what
        self._backend = backend
        self._tree = Tree(tree)
        self._places = [i for i, leaf in enumerate(self._tree.leaves) if leaf is not None]
        self.natives = [self._array(self._tree.leaves[i])._native for i in self._places]

    def _array(self, leaf: Any) -> Any:
        if _is_ragged(leaf):
            raise CoreArrayTypeError(
                f"{self.what} is made of arrays and numbers, got a ragged array, {type(leaf).__name__}; {_OF_RAGGED}"
            )
        if not isinstance(leaf, NUMBERS) and not is_array(leaf):
            raise CoreArrayTypeError(f"{self.what} is made of arrays and numbers, got {type(leaf).__name__}")
        return self._backend.asarray(leaf)

    def of(self, natives: Sequence[Any]) -> Any:
        """Build a tree of this structure from other arrays."""
        leaves: list[Any] = [None] * len(self._tree.leaves)
        for i, native in zip(self._places, natives, strict=True):
            leaves[i] = like(self._tree.leaves[i], native, self._backend)
        return self._tree.of(leaves)

    def like(self, tree: Any) -> list[Any]:
        """Return the native arrays of a tree with the same structure, shapes and dtypes."""
        leaves = self._tree.like(tree, f"{self.what} changes its structure")
        for i, leaf in enumerate(leaves):
            if (leaf is None) == (i in self._places) or _is_node(leaf):
                raise CoreArrayValueError(
                    f"{self.what} changes its structure: an array is replaced by {type(leaf).__name__}, or None by an array"
                )
        models = zip(self._places, self.natives, strict=True)
        return [self._fitting(leaves[i], self._backend.wrap(model)) for i, model in models]

    def _fitting(self, leaf: Any, model: Any) -> Any:
        if isinstance(leaf, NUMBERS) and result_type(model.dtype, leaf) is model.dtype:
            leaf = self._backend.asarray(leaf, dtype=model.dtype, device=model.device)
        array = self._array(leaf)
        if array.dtype is not model.dtype:
            raise CoreArrayTypeError(
                f"{self.what} changes its dtype from '{model.dtype}' to '{array.dtype}'; cast it with corearray.astype, or "
                "begin with the other one"
            )
        sizes = zip(array.shape, model.shape, strict=False)
        if array.ndim != model.ndim or any(None not in pair and pair[0] != pair[1] for pair in sizes):
            raise CoreArrayValueError(
                f"{self.what} changes its shape from {tuple(model.shape)} to {tuple(array.shape)}"
            )
        return array._native


def has_records(trees: Iterable[Any], *, or_modules: bool = False) -> bool:
    """Return whether dataclasses, or instances of registered classes, are in trees of lists, tuples and dictionaries."""
    for tree in trees:
        kind = type(tree)
        if kind in _LEAVES:
            continue
        if kind is list or kind is tuple or kind is dict:
            nodes = tree.values() if kind is dict else tree
            if not _LEAVES.issuperset(map(type, nodes)) and has_records(nodes, or_modules=or_modules):
                return True
        elif isinstance(tree, Array):
            _LEAVES.add(kind)
        elif record_of(kind) is not None or (or_modules and hasattr(kind, "__corearray_module__")):
            return True
    return False


def chosen(args: tuple[Any, ...]) -> Backend:
    """Return the backend of a call, also where its arrays stand in dataclasses."""
    if has_records(args):
        args = (Tree(args).leaves,)
    return resolve(args)


def is_array(leaf: Any) -> bool:
    """Return whether a leaf is an array, native or not."""
    return isinstance(leaf, Array) or backend_of(leaf) is not None


def like(leaf: Any, native: Any, backend: Backend) -> Any:
    """Wrap a native array if the leaf that it replaces was an `Array`."""
    if type(leaf) is backend.Array:
        array = type(leaf)(*())
        array._native, array._kind = native, leaf._kind
        return array
    return backend.wrap(native) if isinstance(leaf, Array) or not backend.is_native(leaf) else native


def all_like(leaves: Sequence[Any], natives: Sequence[Any], backend: Backend) -> list[Any]:
    """Apply `like` to each of several arrays."""
    return [like(leaf, native, backend) for leaf, native in zip(leaves, natives, strict=True)]


@accelerated
def flatten_tree(backend: Backend, tree: Any, *others: Any) -> tuple[Any, ...]:
    """Flatten a tree of arrays, and other trees of its structure.

    Parameters
    ----------
    backend
        Whose arrays they are.
    tree, others
        The trees.

    Returns
    -------
    What `unflatten_tree` makes such trees of, and for each tree its native arrays; `None` in place of each of these if the
    leaves are not all arrays of the backend, of real floating dtypes, and of the same in all trees.

    Raises
    ------
    ValueError
        If the trees are not alike.
    """
    apart = Tree(tree)
    sides = [apart.leaves, *(apart.like(other, "the trees are not alike") for other in others)]
    for leaves in zip(*sides, strict=True):
        for leaf in leaves:
            if type(leaf) is not backend.Array or not leaf._kind.is_real or leaf._kind is not leaves[0]._kind:
                return apart, *[None] * len(sides)
    return apart, *[[leaf._native for leaf in leaves] for leaves in sides]


@accelerated
def unflatten_tree(backend: Backend, apart: Any, natives: Sequence[Any]) -> Any:
    """Rebuild a flattened tree from other native arrays."""
    tree = tree_of(apart)
    return tree.of(all_like(tree.leaves, natives, backend))


def tree_of(apart: Any) -> Tree:
    """Return the `Tree` of a flattened tree; the C version returns a copy of the tree itself."""
    return apart if type(apart) is Tree else Tree(apart)


def owned(backend: Backend, natives: Sequence[Any]) -> list[Any]:
    """Return native arrays that a function may write to without an effect outside."""
    return [backend.native.asarray(x, copy=True) for x in natives] if backend.writes_in_place else list(natives)


def constant_in(tree: Any) -> set[int]:
    """Return the identities of the arrays in modules of a tree by which nothing is differentiated: buffers, frozen ones."""
    if hasattr(type(tree), "__corearray_module__"):
        return set(map(id, tree.constant_arrays()))
    if isinstance(tree, (list, tuple)):
        return set().union(*map(constant_in, tree))
    return set().union(*map(constant_in, tree.values())) if isinstance(tree, Mapping) else set()


def vectorized(backend: Backend, function: Callable[[list[Any]], Sequence[Any]], natives: list[Any]) -> list[Any]:
    """Map over the first axis of native arrays, natively or one row after the other."""
    if "vectorized" in backend.facts:
        return list(backend.facts["vectorized"](function, natives))
    rows = [function(owned(backend, [x[i, ...] for x in natives])) for i in range(natives[0].shape[0])]
    if not rows:
        raise CoreArrayValueError(
            f"'vmap' cannot tell what a function returns of no arrays at all, on backend '{backend.name}'; map over an axis "
            "that is not empty"
        )
    return [backend.native.stack(column) for column in zip(*rows, strict=True)]


def natively(call: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Run a function that calls user functions, with native array mode suspended until it returns."""
    result = Tree(on_arrays(call)(*args, **options))
    return result.of([to_native(leaf) for leaf in result.leaves])


def as_given(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a user function so that it runs in the array mode of its caller."""

    def called(*args: Any, **options: Any) -> Any:
        with changed(lambda: {"native_arrays": True}):
            return fn(*args, **options)

    return named(called, fn) if callable(fn) else fn


def need_function(name: str, *functions: object) -> None:
    """Raise an error unless the argument is callable."""
    for fn in functions:
        if not callable(fn):
            given = f"an object of type {type(fn).__name__}" if _is_node(fn) or isinstance(fn, Array) else f"{fn!r:.80}"
            raise CoreArrayTypeError(f"'{name}' takes a function, got {given}")


def refuse_ragged(name: str, leaf: object) -> None:
    """Raise an error for a ragged array, which is neither an array nor a tree."""
    if _is_ragged(leaf):
        raise CoreArrayTypeError(f"'{name}' takes and returns no ragged array, got {type(leaf).__name__}; {_OF_RAGGED}")


_OF_RAGGED = (
    "give r.values and r.row_splits, which are arrays, and make one of them within by corearray.Ragged.from_row_splits"
)


def _is_ragged(leaf: object) -> bool:
    return not isinstance(leaf, Array) and hasattr(type(leaf), "__corearray_arrays__")


def name_of(fn: object) -> str:
    """Return the name of a function for messages."""
    return getattr(fn, "__name__", type(fn).__name__)


def named(made: Callable[..., Any], fn: Callable[..., Any]) -> Callable[..., Any]:
    """Copy the name and documentation of a function to a function derived from it."""
    if not isinstance(fn, FunctionType):  # and not by its type, see `corearray.calls.accelerated.FUNCTIONS`
        return update_wrapper(made, fn, ("__module__", "__name__", "__qualname__", "__doc__"), ())
    made.__module__, made.__doc__ = fn.__module__, fn.__doc__
    made.__name__, made.__qualname__ = fn.__name__, fn.__qualname__
    made.__wrapped__ = fn  # type: ignore[attr-defined]
    return made
