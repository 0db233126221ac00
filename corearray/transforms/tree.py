"""Trees of arrays, taken apart and put together, and what the other modules here share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import update_wrapper
from types import FunctionType
from typing import TYPE_CHECKING, Any

from corearray.array import Array
from corearray.dispatch import backend_of
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.functional.data_type import result_type
from corearray.functional.nest import _LEAVES, _is_node, nested_map, nested_multi_map
from corearray.state import NUMBERS

if TYPE_CHECKING:
    from corearray.backend import Backend

__all__ = ["Arrays", "Tree", "expect", "is_array", "like", "name_of", "named", "owned", "vectorized"]


class _Place(int):
    """Stands in a tree for the leaf of this number."""


#: What nests know nothing of, and most trees here are made of; the arrays of a backend have a class of their own.
_LEAVES.update((Array, _Place))


def expect(backend: Backend) -> None:
    """Let a backend's arrays be known as leaves by their type."""
    _LEAVES.add(backend.Array)


class Tree:
    """A tree beside its leaves, of which other trees like it are made."""

    def __init__(self, tree: Any) -> None:
        self.leaves: list[Any] = []
        self._places = nested_map(self._taken_out, tree)

    def _taken_out(self, leaf: Any) -> _Place:
        self.leaves.append(leaf)
        return _Place(len(self.leaves) - 1)

    def of(self, leaves: Sequence[Any]) -> Any:
        """Make a tree of other leaves."""
        return nested_map(leaves.__getitem__, self._places)

    def text(self, leaves: Sequence[str]) -> str | None:
        """Write a tree of other leaves, each given as text; `None` if it is not made of tuples, lists and dictionaries."""

        def written(node: Any) -> str:
            if type(node) is _Place:
                return leaves[node]
            if type(node) is tuple:
                return "(" + "".join(f"{written(item)}, " for item in node) + ")"
            if type(node) is list:
                return f"[{', '.join(map(written, node))}]"
            if type(node) is dict and all(type(key) is str for key in node):
                return "{" + ", ".join(f"{key!r}: {written(item)}" for key, item in node.items()) + "}"
            raise LookupError

        try:
            return written(self._places)
        except LookupError:
            return None

    def like(self, other: Any, what: str) -> list[Any]:
        """Return the leaves of a tree of the same structure."""
        found: list[Any] = [None] * len(self.leaves)

        def note(place: int, leaf: Any) -> None:
            found[place] = leaf

        try:
            nested_multi_map(note, [self._places, other])
        except CoreArrayValueError as error:
            raise CoreArrayValueError(f"{what}: {error}") from None
        return found


class Arrays:
    """A tree of arrays, and what others like it hold.

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
        if not isinstance(leaf, NUMBERS) and not is_array(leaf):
            raise CoreArrayTypeError(f"{self.what} is made of arrays and numbers, got {type(leaf).__name__}")
        return self._backend.asarray(leaf)

    def of(self, natives: Sequence[Any]) -> Any:
        """Make a tree like this one of other arrays."""
        leaves: list[Any] = [None] * len(self._tree.leaves)
        for i, native in zip(self._places, natives, strict=True):
            leaves[i] = like(self._tree.leaves[i], native, self._backend)
        return self._tree.of(leaves)

    def like(self, tree: Any) -> list[Any]:
        """Return the native arrays of a tree whose structure, shapes and dtypes are those of this one."""
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


def is_array(leaf: Any) -> bool:
    """Whether a leaf is an array, native or not."""
    return isinstance(leaf, Array) or backend_of(leaf) is not None


def like(leaf: Any, native: Any, backend: Backend) -> Any:
    """Return a native array of the same dtype as what stood in its place: as it is for a native one, else wrapped."""
    if type(leaf) is backend.Array:
        array = backend.Array()
        array._native, array._kind = native, leaf._kind
        return array
    return backend.wrap(native) if isinstance(leaf, Array) or not backend.is_native(leaf) else native


def owned(backend: Backend, natives: Sequence[Any]) -> list[Any]:
    """Return native arrays into which a function may write, and nobody outside sees it, as where arrays never change."""
    return [backend.native.asarray(x, copy=True) for x in natives] if backend.writes_in_place else list(natives)


def vectorized(backend: Backend, function: Callable[[list[Any]], Sequence[Any]], natives: list[Any]) -> list[Any]:
    """Map over the first axis of native arrays, natively or one after the other."""
    if "vectorized" in backend.facts:
        return list(backend.facts["vectorized"](function, natives))
    rows = [function(owned(backend, [x[i, ...] for x in natives])) for i in range(natives[0].shape[0])]
    if not rows:
        raise CoreArrayValueError(
            f"'vmap' cannot tell what a function returns of no arrays at all, on backend '{backend.name}'; map over an axis "
            "that is not empty"
        )
    return [backend.native.stack(column) for column in zip(*rows, strict=True)]


def name_of(fn: object) -> str:
    """Return the name of a function for messages."""
    return getattr(fn, "__name__", type(fn).__name__)


def named(made: Callable[..., Any], fn: Callable[..., Any]) -> Callable[..., Any]:
    """Give what was made of a function its name and documentation."""
    if type(fn) is not FunctionType:
        return update_wrapper(made, fn, ("__module__", "__name__", "__qualname__", "__doc__"), ())
    made.__module__, made.__doc__ = fn.__module__, fn.__doc__
    made.__name__, made.__qualname__ = fn.__name__, fn.__qualname__
    made.__wrapped__ = fn  # type: ignore[attr-defined]
    return made
