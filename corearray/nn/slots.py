"""Places of arrays in a tree of modules: found once, read and written at every step without walking the tree again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from corearray.arrays.array import Array
from corearray.calls.accelerated import FUNCTIONS
from corearray.calls.dispatch import backend_of
from corearray.container import Container

if TYPE_CHECKING:
    from corearray.nn.module import Module

__all__ = [
    "Entry", "Hole", "Slot", "Structure", "array_kind", "copied", "entries_of", "fingerprint", "is_module", "walk",
]  # fmt: skip


class Slot:
    """One place that holds an array: an attribute, or an item of a list or a dictionary.

    Attributes
    ----------
    holder, name
        The object and the attribute name, index or key.
    outer
        The slot of the holder, for a tuple, which is replaced as a whole when an item is written.
    """

    __slots__ = ("holder", "is_attribute", "name", "outer")

    def __init__(self, holder: Any, name: Any, is_attribute: bool, outer: Slot | None) -> None:
        self.holder = holder
        self.name = name
        self.is_attribute = is_attribute
        self.outer = outer

    def get(self) -> Any:
        """Return the value that stands here."""
        if self.is_attribute:
            return getattr(self.holder, self.name)
        return (self.outer.get() if self.outer is not None else self.holder)[self.name]

    def put(self, value: Any) -> None:
        """Replace the value that stands here."""
        if self.is_attribute:
            object.__setattr__(self.holder, self.name, value)
        elif self.outer is None:
            self.holder[self.name] = value
        else:
            items = list(self.outer.get())
            items[self.name] = value
            self.outer.put(_sequence(self.outer.get(), items))


class Entry:
    """One array of a module with all its places.

    Attributes
    ----------
    path
        Dotted name of the first place, as in `"blocks.0.ln1.weight"`.
    slots
        All places, by dotted name; several for an array that is shared.
    is_buffer
        Whether the array is state (`Buffer`) instead of a parameter.
    persistent
        Whether `state_dict` contains the array.
    trainable
        Whether optimisers change the array: a parameter that is not frozen.
    """

    __slots__ = ("is_buffer", "path", "persistent", "slots", "trainable")

    def __init__(self, path: str, slot: Slot, is_buffer: bool, persistent: bool, trainable: bool) -> None:
        self.path = path
        self.slots = {path: slot}
        self.is_buffer = is_buffer
        self.persistent = persistent
        self.trainable = trainable

    def get(self) -> Any:
        """Return the array."""
        return next(iter(self.slots.values())).get()

    def put(self, value: Any) -> None:
        """Replace the array in all its places."""
        for slot in self.slots.values():
            slot.put(value)


def array_kind(value: Any) -> str | None:
    """Return the kind of the dtype of an array, native or not, and `None` for anything else."""
    if isinstance(value, Array):
        return value.dtype.category
    if isinstance(value, (list, tuple, dict, Container, *FUNCTIONS)) or is_module(value):
        return None
    backend = backend_of(value)
    return None if backend is None else backend.dtype_of(value).category


def is_module(value: Any) -> bool:
    """Whether a value is a `Module`, which this file stands below."""
    return hasattr(type(value), "__corearray_module__")


def walk(root: Any, prefix: str = "") -> Iterator[tuple[str, Any, Module | None, str, Slot | None]]:
    """Yield everything in a tree of modules, lists, tuples, dictionaries and Containers, each module once.

    Yields
    ------
    path, value, owner, key, slot
        `owner` is the module that holds the value, `key` the dotted name within that module.
    """
    seen: set[int] = set()

    def visit(
        value: Any, path: str, owner: Any, key: str, slot: Slot | None
    ) -> Iterator[tuple[str, Any, Any, str, Slot | None]]:
        module = is_module(value)
        if module or isinstance(value, (list, dict, Container)):
            if id(value) in seen:
                return
            seen.add(id(value))
        yield path, value, owner, key, slot
        if module:
            items: Any = [(name, child) for name, child in vars(value).items() if name != "_marks"]
        elif isinstance(value, (list, tuple)):
            items = enumerate(value)
        elif isinstance(value, (dict, Container)):
            items = list(value.items())
        else:
            return
        outer = slot if isinstance(value, tuple) else None
        for name, child in items:
            if isinstance(child, (str, int, float, type(None))):
                continue
            below = f"{path}.{name}" if path else str(name)
            within = str(name) if module else f"{key}.{name}"
            yield from visit(child, below, value if module else owner, within, Slot(value, name, module, outer))

    yield from visit(root, prefix, None, "", None)


def entries_of(root: Module) -> dict[str, Entry]:
    """Find the parameters and buffers of a module, by the dotted name of their first place."""
    found: dict[str, Entry] = {}
    by_identity: dict[int, Entry] = {}
    for path, value, owner, key, slot in walk(root):
        if owner is None or slot is None:
            continue
        kind = array_kind(value)
        if kind is None:
            continue
        entry = by_identity.get(id(value))
        if entry is not None:
            entry.slots[path] = slot
            continue
        buffers = owner._marks.buffers
        top = key if key in buffers else key.partition(".")[0]  # the attribute, whose name may have dots itself
        is_buffer = top in buffers or top in type(owner).constants
        if not is_buffer and kind not in ("real floating", "complex floating"):
            continue
        persistent = buffers.get(top, False) if is_buffer else True
        trainable = not is_buffer and key not in owner._marks.frozen
        found[path] = by_identity[id(value)] = Entry(path, slot, is_buffer, persistent, trainable)
    return found


def copied(root: Any, replaced: Mapping[int, Any]) -> Any:
    """Copy modules and the lists, tuples, dictionaries and Containers that hold them; all else is shared.

    Parameters
    ----------
    root
        The module.
    replaced
        New values by the `id` of old ones: `{id(array): other}` puts `other` wherever `array` stands.
    """
    made = dict(replaced)

    def copy(value: Any) -> Any:
        if id(value) in made:
            return made[id(value)]
        if is_module(value):
            other = object.__new__(type(value))
            made[id(value)] = other
            vars(other).update({name: copy(child) for name, child in vars(value).items()})
            return other
        if not isinstance(value, (list, tuple, dict, Container)):
            return value
        if isinstance(value, (list, tuple)):
            other = _sequence(value, [copy(child) for child in value])
        else:
            other = type(value)([(key, copy(child)) for key, child in value.items()])
        made[id(value)] = other
        return other

    return copy(root)


class Hole:
    """A placeholder for an array in the structure of a module."""

    __slots__ = ()


class Structure(tuple[str, ...]):
    """The names of a module's arrays, with all of the module but the arrays.

    It is hashable, and equal to that of another module with the same classes, names and configuration, as compilers and
    trees need.
    """

    _fingerprint: Any
    _holes: tuple[Hole, ...]
    _template: Any

    @classmethod
    def of(cls, module: Module) -> tuple[list[Any], Structure]:
        """Take a module apart into its arrays, parameters first, and the structure."""
        entries = sorted(entries_of(module).values(), key=lambda entry: entry.is_buffer)
        arrays = [entry.get() for entry in entries]
        structure = cls(entry.path for entry in entries)
        holes = tuple(Hole() for _ in entries)
        structure._holes = holes
        structure._template = copied(module, {id(x): hole for x, hole in zip(arrays, holes, strict=True)})
        structure._fingerprint = fingerprint(structure._template)
        return arrays, structure

    def filled(self, arrays: Sequence[Any]) -> Any:
        """Make a module of this structure with other arrays."""
        return copied(self._template, {id(hole): x for hole, x in zip(self._holes, arrays, strict=True)})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Structure) and tuple.__eq__(self, other) and self._fingerprint == other._fingerprint

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((Structure, tuple(self)))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (tuple(self), self._holes, self._template)


def _restored(names: tuple[str, ...], holes: tuple[Hole, ...], template: Any) -> Structure:
    structure = Structure(names)
    structure._holes, structure._template, structure._fingerprint = holes, template, fingerprint(template)
    return structure


def fingerprint(root: Any) -> Any:
    """Return the classes, names and configuration of a tree of modules, in tuples to compare; arrays count as one value."""
    seen: dict[int, int] = {}

    def of(value: Any) -> Any:
        if isinstance(value, Hole) or array_kind(value) is not None:
            return Hole
        if is_module(value) or isinstance(value, (list, tuple, dict, Container)):
            if id(value) in seen:
                return Hole, seen[id(value)]
            seen[id(value)] = len(seen)
            if is_module(value):
                items = vars(value).items()
                marks = value._marks
                return type(value), tuple(marks.buffers), marks.frozen, *((n, of(x)) for n, x in items if n != "_marks")
            if isinstance(value, (list, tuple)):
                return type(value), *map(of, value)
            return type(value), *((key, of(x)) for key, x in value.items())
        return type(value), value

    return of(root)


def _sequence(like: Any, items: Sequence[Any]) -> Any:
    make: Callable[..., Any] = type(like)
    return make(*items) if hasattr(like, "_fields") else make(items)
