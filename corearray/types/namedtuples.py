"""Named tuples for results and records, written as with `typing.NamedTuple`, made in a fifteenth of its time.

The standard library's writes a `__new__` for each class and compiles it, and each annotation besides: a twelfth of the
import of all functions. The classes made here share theirs. Frameworks know them by `_fields` and `_make`.
"""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING, Any

from corearray.errors import options

__all__ = ["NamedTuple"]

#: One of the standard library's. It has a name, so that the garbage collector lets it alone while its fields are read.
_Pattern = namedtuple("_Pattern", "a b c d e f g h")

#: By its place, what reads a field: that of the standard library, which tracers of Python code know.
_GETTERS = [vars(_Pattern)[field] for field in _Pattern._fields]


def _new(cls: Any, /, *values: Any, **named: Any) -> Any:
    """Take the fields by position or by name."""
    missing = len(cls._fields) - len(values)
    if named or missing:
        if named or not 0 < missing <= len(cls._field_defaults):
            values = _completed(cls, values, named)
        else:
            values += tuple(cls._field_defaults.values())[-missing:]
    return tuple.__new__(cls, values)


def _completed(cls: Any, values: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
    fields = cls._fields
    given = dict(zip(fields, values, strict=False))
    found = cls._field_defaults | given | named
    if len(values) > len(fields) or given.keys() & named or found.keys() != set(fields):
        raise TypeError(
            f"{cls.__name__} has the fields {options(fields)}, each given once, by position or by name; got "
            f"{len(values)} by position" + (f" and {options(named)} by name" if named else "")
        )
    return tuple([found[name] for name in fields])


def _make(cls: Any, values: Any) -> Any:
    """Make one of an iterable of its fields."""
    return cls(*values)


def _replace(self: Any, /, **changes: Any) -> Any:
    """Return one with some fields changed."""
    values = [changes.pop(name, value) for name, value in zip(self._fields, self, strict=True)]
    if changes:
        raise TypeError(f"{type(self).__name__} has the fields {options(self._fields)}, not {options(changes)}")
    return tuple.__new__(type(self), values)


def _asdict(self: Any) -> dict[str, Any]:
    """Return the fields by their names."""
    return dict(zip(self._fields, self, strict=True))


def _repr(self: Any) -> str:
    return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._asdict().items())})"


def _getnewargs(self: Any) -> tuple[Any, ...]:
    return tuple(self)


_SHARED = {
    "__slots__": (),
    "__new__": _new,
    "__repr__": _repr,
    "__getnewargs__": _getnewargs,
    "__replace__": _replace,
    "_make": classmethod(_make),
    "_replace": _replace,
    "_asdict": _asdict,
}


class _Made(type):
    """Makes of a class with annotated fields a subclass of `tuple`, and of nothing else."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Any:
        if not bases:
            return type.__new__(cls, name, bases, body)
        fields = tuple(body["__annotations__"])
        defaults = {field: body[field] for field in fields if field in body}
        getters = dict(zip(fields, _GETTERS[: len(fields)], strict=True))
        names = {"_fields": fields, "__match_args__": fields, "_field_defaults": defaults}
        return type(name, (tuple,), body | _SHARED | names | getters)


if TYPE_CHECKING:
    from typing import NamedTuple
else:

    class NamedTuple(metaclass=_Made):
        """Base of the classes made here; its subclasses have annotated fields, methods, and no other base."""
