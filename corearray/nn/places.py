"""Places of a model's arrays during training: those of a skeleton, within programs, and those of the model itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from corearray.arrays.array import Array
from corearray.calls.accelerated import accelerated
from corearray.errors import CoreArrayValueError
from corearray.nn.slots import Entry, Slot, copied, entries_of

if TYPE_CHECKING:
    from corearray.backends.backend import Backend
    from corearray.nn.module import Module

__all__ = ["Skeleton", "Stores", "grouped", "native_of", "natives_at", "put_at"]


def grouped(model: Module) -> tuple[list[Entry], list[Entry], list[Entry]]:
    """Return the trainable parameters, the frozen ones, and the buffers of a model."""
    groups: tuple[list[Entry], list[Entry], list[Entry]] = ([], [], [])
    for entry in entries_of(model).values():
        groups[2 if entry.is_buffer else 0 if entry.trainable else 1].append(entry)
    return groups


class Skeleton:
    """A copy of a module without arrays, and the places of the arrays by what they are."""

    def __init__(self, model: Module) -> None:
        self.model = copied(model, {})
        self.trainable, self.frozen, self.buffers = map(_Places, grouped(self.model))
        self.clear()

    def clear(self) -> None:
        """Forget the arrays."""
        for places in (self.trainable, self.frozen, self.buffers):
            places.put([None] * len(places.paths))


class _Places:
    """Slots of several arrays. Attributes, which most are, are set without a look at the kind of the slot."""

    def __init__(self, entries: list[Entry]) -> None:
        self.paths = [entry.path for entry in entries]
        slots = [(i, slot) for i, entry in enumerate(entries) for slot in entry.slots.values()]
        self._first = [next(iter(entry.slots.values())) for entry in entries]
        self._attributes = [(i, slot.holder, slot.name) for i, slot in slots if slot.is_attribute]
        self._others = [(i, slot) for i, slot in slots if not slot.is_attribute]

    def get(self) -> list[Any]:
        """Return the arrays."""
        return [getattr(s.holder, s.name) if s.is_attribute else s.get() for s in self._first]

    def put(self, values: list[Any]) -> None:
        """Replace the arrays."""
        for i, holder, name in self._attributes:
            object.__setattr__(holder, name, values[i])
        for i, slot in self._others:
            slot.put(values[i])


class Stores:
    """The same slots of the model itself, read and written outside of programs: attributes by the dictionary."""

    def __init__(self, entries: list[Entry]) -> None:
        self.paths = [entry.path for entry in entries]
        first = [next(iter(entry.slots.values())) for entry in entries]
        self.read = [_stored(slot) for slot in first]
        self._shared = [(i, _stored(slot)) for i, entry in enumerate(entries) for slot in [*entry.slots.values()][1:]]

    def natives(self, backend: Backend) -> list[Any]:
        """Return the native arrays."""
        found = natives_at(backend, self.read)
        if found is not None:
            return found
        return [
            native_of(backend, path, holder[name]) for path, (holder, name) in zip(self.paths, self.read, strict=True)
        ]

    def put(self, backend: Backend, natives: Sequence[Any]) -> None:
        """Replace the arrays by new ones around native arrays."""
        if backend.ensures:
            natives = [backend.ensured(native) for native in natives]
        put_at(backend, self.read, list(natives))
        for i, (holder, name) in self._shared:
            first, at = self.read[i]
            holder[name] = first[at]


@accelerated
def natives_at(backend: Backend, places: list[tuple[Any, Any]]) -> list[Any] | None:
    """Return the native arrays at places, pairs of a dictionary and a key; `None` unless all are arrays of the backend."""
    arrays = [holder[name] for holder, name in places]
    return [x._native for x in arrays] if all(type(x) is backend.Array for x in arrays) else None


@accelerated
def put_at(backend: Backend, places: list[tuple[Any, Any]], natives: list[Any]) -> bool:
    """Put arrays around native ones at places, and return True."""
    for (holder, name), native in zip(places, natives, strict=True):
        holder[name] = backend.wrap(native)
    return True


class _Item:
    """A place in a tuple, as an item of a dictionary."""

    def __init__(self, slot: Slot) -> None:
        self._slot = slot

    def __getitem__(self, name: Any) -> Any:
        return self._slot.get()

    def __setitem__(self, name: Any, value: Any) -> None:
        self._slot.put(value)


def _stored(slot: Slot) -> tuple[Any, Any]:
    if slot.is_attribute:
        return vars(slot.holder), slot.name
    return (slot.holder, slot.name) if slot.outer is None else (_Item(slot), slot.name)


def native_of(backend: Backend, path: str, x: Any) -> Any:
    """Return the native array of a value; an array of another backend is refused."""
    if isinstance(x, Array) and x._backend is not backend:
        raise CoreArrayValueError(
            f"'{path}' is an array of backend '{x._backend.name}' and the step runs on '{backend.name}'; make a new "
            "TrainStep, or convert it with corearray.to_backend"
        )
    return backend.asarray(x)._native
