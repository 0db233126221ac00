"""Modules as text: `repr` and `summary`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corearray.arrays.array import Array
from corearray.calls.dispatch import backend_of
from corearray.calls.tracebacks import shorten
from corearray.nn.slots import array_kind, entries_of, is_module, walk

if TYPE_CHECKING:
    from corearray.nn.module import Module

__all__ = ["array_text", "module_text", "name_layer", "summary_text"]


def array_text(x: Any) -> str:
    """Return dtype and shape of an array, native or not, as in `float32[2, 3]`."""
    if not isinstance(x, Array):
        backend = backend_of(x)
        x = backend.wrap(x) if backend is not None else x
    return f"{x.dtype}[{', '.join(map(str, x.shape))}]"


def module_text(module: Module) -> str:
    """Return the class with the attributes: on one line, or with a line for each where some are modules."""
    parts = []
    several = False
    for name, value in vars(module).items():
        if name in ("_marks", "training"):
            continue
        if name.startswith("_") and array_kind(value) is None and not _holds_modules(value):
            continue  # configuration that a layer derives for itself
        if array_kind(value) is not None:
            parts.append(f"{name}={array_text(value)}")
        else:
            several = several or _holds_modules(value)
            parts.append(f"{name}={_value_text(value)}")
    name = type(module).__name__
    if not several:
        return f"{name}({', '.join(parts)})"
    lines = [line for part in parts for line in part.split("\n")]
    return "\n".join([f"{name}(", *(f"  {line}" for line in lines), ")"])


def _holds_modules(value: Any) -> bool:
    return is_module(value) or (isinstance(value, (list, tuple)) and any(map(_holds_modules, value)))


def _value_text(value: Any) -> str:
    if isinstance(value, (list, tuple)) and _holds_modules(value):
        lines = [line for i, item in enumerate(value) for line in f"{i}={_value_text(item)}".split("\n")]
        return "\n".join(["[", *(f"  {line}" for line in lines), "]"])
    if isinstance(value, (list, tuple, dict)) and any(array_kind(x) for x in _items(value)):
        inner = ", ".join(f"{name}={array_text(x) if array_kind(x) else repr(x)}" for name, x in _named(value))
        return f"[{inner}]"
    return repr(value)


def _items(value: Any) -> Any:
    return value.values() if isinstance(value, dict) else value


def _named(value: Any) -> Any:
    return value.items() if isinstance(value, dict) else enumerate(value)


def name_layer(error: BaseException, module: Module, args: tuple[Any, ...]) -> None:
    """Write into a note of an error which layer raised it, by its name in a module around it, and what it was given.

    Each module that an error leaves calls this function, the innermost first: the name grows at its front. Frames of layers
    are taken out of the traceback.
    """
    shorten(error)
    known: tuple[int, str, str, str] | None = vars(error).get("_layer")
    try:
        if known is None:
            path, text = "", _call_text(module, args)
        else:
            inner, path, text, note = known
            if inner != id(module):
                outer = next((name for name, each in module.named_modules() if id(each) == inner), "")
                path = ".".join(filter(None, (outer, path)))
            error.__notes__.remove(note)
        place = f"layer '{path}' of '{type(module).__name__}', " if path else ""
        note = f"in {place}{text}"
    except Exception:  # of a module that cannot be written as text
        return
    vars(error)["_layer"] = id(module), path, text, note
    error.add_note(note)


def _call_text(module: Module, args: tuple[Any, ...]) -> str:
    text = module_text(module)
    given = ", ".join(array_text(x) if array_kind(x) is not None else type(x).__name__ for x in args)
    text = type(module).__name__ if "\n" in text else text
    return f"{text} called with {given or 'nothing'}"


def summary_text(module: Module) -> str:
    """Return a table with a row for each module and a line of totals."""
    entries = entries_of(module).values()
    sizes = {entry.path: entry.get() for entry in entries}
    owners: dict[str, list[str]] = {}
    paths = [(path, value) for path, value, *_ in walk(module) if is_module(value)]
    names = sorted((path for path, _ in paths), key=len, reverse=True)
    for entry in entries:
        owner = next(name for name in names if not name or entry.path.startswith(f"{name}."))
        owners.setdefault(owner, []).append(entry.path)
    counted = {entry.path: _count(entry.get()) for entry in entries if not entry.is_buffer}
    rows = [("name", "class", "arrays", "parameters")]
    for path, value in paths:
        own = owners.get(path, [])
        arrays = ", ".join(f"{name[len(path) + bool(path) :]} {array_text(sizes[name])}" for name in own)
        total = sum(n for name, n in counted.items() if not path or name.startswith(f"{path}."))
        rows.append((path, type(value).__name__, arrays, f"{total:,}"))
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    lines = []
    for row in rows:
        left = "  ".join(cell.ljust(width) for cell, width in zip(row[:3], widths[:3], strict=True))
        lines.append(f"{left}  {row[3].rjust(widths[3])}")
    trainable = sum(counted[entry.path] for entry in entries if entry.trainable)
    buffers = sum(_count(entry.get()) for entry in entries if entry.is_buffer)
    total = sum(counted.values())
    lines.append(f"{total:,} parameters, {trainable:,} trainable, {buffers:,} in buffers")
    return "\n".join(lines)


def _count(x: Any) -> int:
    count = 1
    for size in x.shape:
        count *= int(size)
    return count
