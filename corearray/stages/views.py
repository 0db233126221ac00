"""Views: a write into an array is seen in the arrays that show its elements, and the other way round.

A framework that writes in place shares memory, and nothing is recorded as long as it does. Where it had to copy all the
same, the two memories are linked (`Copy`), and a write into one is repeated in the other.

Where native arrays never change, it is the `Array` that changes, by getting another native array. So each view knows
the array at the root and the steps that lead from there to it (`View`), the root knows its views by weak references
(`ViewIndex`), and a write goes back to the root, from where the views of what was written are computed anew. Reading
costs nothing.
"""

from __future__ import annotations

import gc
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from weakref import ref

from corearray.arrays.array import Array
from corearray.arrays.nested import to_native
from corearray.arrays.view_index import ViewIndex, region_of
from corearray.errors import CoreArrayValueError
from corearray.plugin import hookimpl

if TYPE_CHECKING:
    from corearray.backends.backend import Backend
    from corearray.calls.binding import Binding, Call

__all__ = [
    "BACK",
    "PLAIN_KEYS",
    "Copy",
    "Step",
    "View",
    "handle_view",
    "handle_view_indexing",
    "link_copy",
    "plain_key",
    "recorder",
    "wrote",
]

#: The name of a function and its arguments behind the array: how a view comes of what it shows.
Step = tuple[str, tuple[Any, ...]]

#: Keys of `x[key]` that hold no array, and give a view.
PLAIN_KEYS = frozenset({int, slice, type(None), type(Ellipsis)})


def plain_key(key: Any) -> bool:
    """Whether a key of `x[key]` is a tuple that holds no array, and no second `...`."""
    return type(key) is tuple and PLAIN_KEYS.issuperset(map(type, key)) and key.count(...) < 2


# --- from a view back to its base: each takes the base and the changed view, and returns the base anew


def _from_item(backend: Backend, base: Any, view: Any, key: Any) -> Any:
    return backend.facts["set_item"](base, key, view)


def _from_shape(backend: Backend, base: Any, view: Any, *args: Any) -> Any:
    return backend.native.reshape(view, tuple(-1 if size is None else size for size in base.shape))


def _from_permuted(backend: Backend, base: Any, view: Any, axes: Any) -> Any:
    order = [axis % len(axes) for axis in axes]
    return backend.native.permute_dims(view, tuple(sorted(range(len(order)), key=order.__getitem__)))


def _from_moved(backend: Backend, base: Any, view: Any, source: Any, destination: Any) -> Any:
    return backend.native.moveaxis(view, destination, source)


def _from_transposed(backend: Backend, base: Any, view: Any) -> Any:
    return backend.native.matrix_transpose(view)


def _from_expanded(backend: Backend, base: Any, view: Any, axis: Any) -> Any:
    return backend.native.squeeze(view, axis)


def _from_squeezed(backend: Backend, base: Any, view: Any, axis: Any) -> Any:
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    return backend.native.expand_dims(view, tuple(place % len(base.shape) for place in axes))


def _from_flipped(backend: Backend, base: Any, view: Any, axis: Any) -> Any:
    return backend.native.flip(view, axis=axis)


def _from_diagonal(backend: Backend, base: Any, view: Any, offset: int) -> Any:
    row, column = max(-offset, 0), max(offset, 0)
    length = view.shape[-1]
    rows, columns = (backend.native.arange(start, start + length) for start in (row, column))
    return backend.facts["set_item"](base, (..., rows, columns), view)


def _from_real(backend: Backend, base: Any, view: Any) -> Any:
    return backend.native.complex(view, backend.native.imag(base)) if _is_complex(backend, base) else view


def _from_imag(backend: Backend, base: Any, view: Any) -> Any:
    return backend.native.complex(backend.native.real(base), view)


def _from_broadcast(backend: Backend, base: Any, view: Any, shape: Any) -> Any:
    if math.prod(base.shape) != math.prod(view.shape):
        raise CoreArrayValueError(
            f"'set_item' on backend '{backend.name}' got an array of the shape {tuple(view.shape)} that repeats one of "
            f"the shape {tuple(base.shape)} and is read-only; write into that one, or into a copy: "
            "corearray.asarray(x, copy=True)"
        )
    return _from_shape(backend, base, view)


#: The functions that give views, with the ways back.
BACK: dict[str, Callable[..., Any]] = {
    "broadcast_to": _from_broadcast,
    "diagonal": _from_diagonal,
    "expand_dims": _from_expanded,
    "flip": _from_flipped,
    "get_item": _from_item,
    "imag": _from_imag,
    "matrix_transpose": _from_transposed,
    "moveaxis": _from_moved,
    "permute_dims": _from_permuted,
    "real": _from_real,
    "reshape": _from_shape,
    "squeeze": _from_squeezed,
}


def _there(backend: Backend, base: Any, step: Step) -> Any:
    """Compute the native array of a view from that of its base."""
    name, args = step
    binding = backend.binding(name)
    options = {}
    positional = []
    for parameter, value in zip(binding.declaration.parameters[1:], args, strict=True):
        if parameter.how == "keyword":
            options[parameter.name] = value
        else:
            positional.append(value)
    return backend.ensured(binding.native(base, *positional, **options))


def _back(backend: Backend, base: Any, view: Any, step: Step) -> Any:
    name, args = step
    return BACK[name](backend, base, view, *args)


def _is_complex(backend: Backend, native: Any) -> bool:
    return backend.dtype_of(native).category == "complex floating"


# --- arrays that never change


#: What a view is: the array that it shows and that is no view itself, and the steps from there to it. The root lives as
#: long as its views; the arrays between need not. (A class would double what it costs to make a view.)
View = tuple[Array, tuple[Step, ...]]


def _show(backend: Backend, view: Any, base: Any, step: Step) -> None:
    """Record that an array shows another one of a backend whose native arrays never change."""
    if not (isinstance(view, Array) and isinstance(base, Array)):
        return
    link = getattr(base, "_link", None)
    if type(link) is tuple:
        root, steps = link
        view._link = root, (*steps, step)
        link = root._link
    else:
        view._link = base, (step,)
        if link is None:
            link = base._link = ViewIndex()
    link.note(view)


def _replace(backend: Backend, x: Array, native: Any, key: Any) -> None:
    """Give an array another native one, and renew all arrays that show an element written."""
    link = getattr(x, "_link", None)
    if link is None:
        x._native = native
        return
    root = x
    written: tuple[Step, ...] = ()
    if type(link) is tuple:
        root, written = link
        link = root._link
        natives = [root._native]
        for step in written[:-1]:
            natives.append(_there(backend, natives[-1], step))
        for step in reversed(written):
            native = _back(backend, natives.pop(), native, step)
    if type(key) in PLAIN_KEYS or plain_key(key):
        written = (*written, ("get_item", (key,)))
    shape = tuple(native.shape)
    views = link.overlapping(shape, None if None in shape else region_of(shape, written))
    shown = []
    for view in views:
        found = native
        for step in view._link[1]:
            found = _there(backend, found, step)
        shown.append(found)
    root._native = native
    for view, found in zip(views, shown, strict=True):
        view._native = found


# --- arrays that are written in place


class Copy:
    """A copy that a framework had to make where a view was wanted.

    Attributes
    ----------
    base
        The native array of which it is a copy; its memory lives as long as that of the copy.
    memory, base_memory
        What `memory_of` says of the two.
    shown
        A weak reference to the native copy, which owns its memory: views of it keep it alive.
    step
        What made it.
    """

    __slots__ = ("base", "base_memory", "memory", "shown", "step")

    def __init__(self, base: Any, base_memory: Any, memory: Any, shown: Any, step: Step) -> None:
        self.base = base
        self.base_memory = base_memory
        self.memory = memory
        self.shown = shown
        self.step = step


def link_copy(backend: Backend, view: Any, base: Any, step: Step) -> None:
    """Record a result that does not share the memory of its base on a backend that writes in place."""
    view, base = to_native(view), to_native(base)
    memory_of = backend.facts["memory_of"]
    memory, base_memory = memory_of(view), memory_of(base)
    if memory is None or base_memory is None or memory == base_memory:
        return
    copies = backend.copies

    def forget(_: object) -> None:
        for end in (memory, base_memory):
            copies[end].remove(copy)
            if not copies[end]:
                del copies[end]

    copy = Copy(base, base_memory, memory, ref(view, forget), step)
    for end in (memory, base_memory):
        copies.setdefault(end, []).append(copy)


def _repeat(backend: Backend, native: Any) -> None:
    """Repeat a write into the memory of a native array in the copies of that memory, and in what it is a copy of.

    Memories and copies form a tree, so that each copy is dealt with once.
    """
    set_item = backend.facts["set_item"]
    written = [backend.facts["memory_of"](native)]
    done: list[Copy] = []
    while written:
        memory = written.pop()
        for copy in tuple(backend.copies.get(memory, ())):
            shown = copy.shown()
            if copy in done or shown is None:
                continue
            done.append(copy)
            if memory == copy.memory:
                base = _back(backend, copy.base, shown, copy.step)
                if base is not copy.base:
                    set_item(copy.base, ..., base)
                written.append(copy.base_memory)
            else:
                set_item(shown, ..., _there(backend, copy.base, copy.step))
                written.append(copy.memory)


def _move(backend: Backend, old: Any, new: Any) -> None:
    """Let all arrays that show the memory of a native array show that of another one."""
    if "moved" not in backend.facts:
        return
    moved = backend.facts["moved"]
    for array in [x for x in gc.get_objects() if type(x) is backend.Array]:
        native = moved(getattr(array, "_native", None), old, new)
        if native is not None:
            array._native = native


# --- for the other stages


def wrote(backend: Backend, x: Array, native: Any, key: Any = ...) -> None:
    """Give an array the native array that `set_item` returned for it, and let views see what was written.

    `key` is the part of the array that was written, by default all of it.
    """
    if not backend.writes_in_place:
        with backend.lock:
            _replace(backend, x, native, key)
    elif native is not x._native:  # it could not be written, and has a memory of its own now
        _move(backend, x._native, native)
        x._native = native
    elif backend.copies:
        _repeat(backend, native)


def recorder(function: Binding) -> Callable[..., Any] | None:
    """Return what a result and the arguments of a call are given to, so that later writes are seen in both.

    It returns the result. `None` for functions that give no views, and for compositions, whose parts record.
    """
    name = function.declaration.name
    backend = function.backend
    if function.implementation is None:
        return None
    show = link_copy if backend.writes_in_place else _show

    def record(result: Any, base: Any, *args: Any) -> Any:
        show(backend, result, base, (name, args))
        return result

    def of_item(result: Any, base: Any, key: Any) -> Any:
        if type(key) in PLAIN_KEYS or plain_key(key):
            show(backend, result, base, (name, (key,)))
        return result

    def of_reshape(result: Any, base: Any, shape: Any, copy: bool | None) -> Any:
        if copy is None or not copy:
            show(backend, result, base, (name, (shape, None)))
        return result

    def of_imag(result: Any, base: Any) -> Any:
        return record(result, base) if _is_complex(backend, to_native(base)) else result

    def of_unstack(result: Any, base: Any, axis: int) -> Any:
        before = (slice(None),) * (axis % len(base.shape))
        for place, part in enumerate(result):
            show(backend, part, base, ("get_item", ((*before, place),)))
        return result

    def of_split(result: Any, base: Any, indices_or_sections: Any, axis: int) -> Any:
        place, start = axis % len(base.shape), 0
        for part in result:
            stop = start + part.shape[place]
            show(backend, part, base, ("get_item", ((*(slice(None),) * place, slice(start, stop)),)))
            start = stop
        return result

    def of_broadcast(result: Any, bases: Any) -> Any:
        for part, base in zip(result, bases, strict=True):
            show(backend, part, base, ("broadcast_to", (tuple(part.shape),)))
        return result

    def of_cast(result: Any, base: Any, dtype: Any, copy: bool, device: Any) -> Any:
        same = not copy and isinstance(base, Array) and isinstance(result, Array) and result._native is base._native
        return base if same else result

    special: dict[str, Callable[..., Any]] = {
        "array_split": of_split,
        "astype": of_cast,
        "broadcast_arrays": of_broadcast,
        "get_item": of_item,
        "imag": of_imag,
        "reshape": of_reshape,
        "unstack": of_unstack,
    }
    return special.get(name, record if name in BACK else None)


def _recorded(call: Call, function: Binding) -> Call | None:
    record = recorder(function)
    return None if record is None else lambda args: record(call(args), *args)


@hookimpl
def handle_view_indexing(call: Call, function: Binding) -> Call | None:
    """Let what a key without arrays selects show the array that was indexed."""
    return _recorded(call, function) if function.declaration.name == "get_item" else None


@hookimpl
def handle_view(call: Call, function: Binding) -> Call | None:
    """Let the result of a function that only arranges elements anew show its argument."""
    return _recorded(call, function) if function.declaration.name != "get_item" else None
